//! File access: reads specs with a size limit, and writes files atomically.
mod answer;
mod destination;
mod globs;
mod held;
mod job_summary;
mod outputs;
mod relative;
mod replaced;
mod revision;
mod shim;
mod specs;
mod standard_input;
mod temporary;
mod work_tree;

pub use answer::read_answer;
pub use destination::Destination;
pub use globs::{Globs, linked_directory, matching};
pub use job_summary::JobSummary;
pub use outputs::{Output, bytes, create, head, link, list, readable, remove, same, write_all};
pub use relative::{below, home, path_between, relative_path};
pub use replaced::replace;
pub use revision::{
    Absence, NotCheckedOut, Repository, Revision, Uncompared, Unread, is_sparse, parse_range,
};
pub use shim::{SHIM, Shim, is_static_program, shim, shim_bytes};
pub use specs::{
    Content, Found, exists, find, find_jobs, first_specs, has_no_spec, is_directory, is_special, names,
    no_job, read, real, same_file,
};
pub use standard_input::{Input, standard_input};
pub use tfjob_driver::files::{STDIN, format_in, format_of, is_cluster, is_ours, is_project, is_spec};
pub use work_tree::{WorkTree, other_repository, refuse_file_outside, refuse_git, refuse_link_outside};
