//! Starts one task: reads the contract, sets the rendezvous environment and becomes the training process.
fn main() {}
