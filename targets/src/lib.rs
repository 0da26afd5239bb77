//! The platforms a plan can be lowered to.
