//! Counted devices, by the names that the platforms give them.

/// Names that NVIDIA's network operator gives NICs, or parts of them, in the domain of the GPUs.
const NICS: [&str; 7] = ["hostdev", "sriov", "rdma", "roce", "ib", "nic", "vf"];

/// Whether a resource is a GPU or a part of one: what `CUDA_VISIBLE_DEVICES` hides from a program. NVIDIA's device plugin
/// names GPUs `gpu`, `gpu.shared` and `mig-…`, and any name that its configuration lists under `resources`; its network operator
/// gives NICs names of the same domain, such as `nvidia.com/hostdev`.
#[must_use]
pub fn is_gpu(name: &str) -> bool {
    let Some((domain, kind)) = name.split_once('/') else { return false };
    let steps = || kind.split(['-', '_', '.']);
    let nic = steps().any(|step| NICS.iter().any(|nic| step.starts_with(nic)));
    kind.contains("gpu") || kind.starts_with("mig-") || domain == "nvidia.com" && !nic
}

#[cfg(test)]
mod tests {
    use super::is_gpu;

    #[test]
    fn what_nvidia_names_is_a_gpu_but_for_its_nics() {
        for gpu in [
            "nvidia.com/gpu",
            "nvidia.com/gpu.shared",
            "nvidia.com/mig-1g.5gb",
            "amd.com/gpu",
            "yarn.io/gpu",
            "nvidia.com/A100",
            "nvidia.com/a100-40gb",
        ] {
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
