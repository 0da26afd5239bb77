//! The GPUs of this machine that a run may use.
use std::path::Path;
use tfjob_shim::devices;

/// The variable with the GPUs that a process may use. A batch system sets it to those of its job.
pub const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// The GPUs that this process may use, as [`VISIBLE`] names them: all of the machine where it is unset.
pub fn usable() -> Vec<String> {
    let named = std::env::var(VISIBLE).ok();
    named.map_or_else(
        || (0..devices(Path::new("/dev"))).map(|gpu| gpu.to_string()).collect(),
        |named| listed(&named),
    )
}

/// A number below zero ends the list (CUDA Programming Guide, "CUDA_VISIBLE_DEVICES").
fn listed(named: &str) -> Vec<String> {
    let names = named.split(',').map(str::trim);
    names.take_while(|name| !name.is_empty() && !name.starts_with('-')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_list_ends_where_cuda_stops_reading() {
        assert_eq!(listed("3, 4,5"), ["3", "4", "5"]);
        assert_eq!(listed("GPU-8932,MIG-1"), ["GPU-8932", "MIG-1"]);
        assert_eq!(listed("0,-1,1"), ["0"]);
        assert_eq!((listed(""), listed("-1")), (vec![], vec![]));
    }
}
