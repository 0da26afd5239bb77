//! File access: reads specs with a size limit, and writes files atomically.
mod destination;
mod held;
mod outputs;
mod replaced;
mod seen;
mod shim;
mod specs;
mod work_tree;

pub use destination::Destination;
pub use outputs::{Output, bytes, create, list, same, write_all};
pub use replaced::replace;
pub use seen::{home, way};
pub use shim::{SHIM, Shim, shim};
pub use specs::{Content, Found, find, find_jobs, is_special, no_job, read, same_file};
pub use tfjob_driver::files::{STDIN, format_in, format_of, is_cluster, is_ours, is_spec};
pub use work_tree::WorkTree;
