//! Counted devices, by the names that the platforms give them.

/// Whether a resource is a GPU or a part of one: what `CUDA_VISIBLE_DEVICES` hides from a program. NVIDIA's device plugin
/// names GPUs `gpu`, `gpu.shared` and `mig-…`; its network operator gives NICs names of the same domain, such as
/// `nvidia.com/hostdev`.
#[must_use]
pub fn is_gpu(name: &str) -> bool {
    name.split_once('/').is_some_and(|(_, kind)| kind.contains("gpu") || kind.starts_with("mig-"))
}

#[cfg(test)]
mod tests {
    use super::is_gpu;

    #[test]
    fn a_gpu_is_known_by_its_kind_and_not_by_its_maker() {
        for gpu in
            ["nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb", "amd.com/gpu", "yarn.io/gpu"]
        {
            assert!(is_gpu(gpu), "{gpu}");
        }
        for other in [
            "nvidia.com/hostdev",
            "nvidia.com/cx6_sriov",
            "nvidia.com/ibs",
            "rdma/hca",
            "yarn.io/fpga",
            "gpu",
        ] {
            assert!(!is_gpu(other), "{other}");
        }
    }
}
