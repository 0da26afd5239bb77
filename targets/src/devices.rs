//! Names of the devices that cluster operators configure: GPUs and network cards.

/// Parts of the names of network cards (NICs). NVIDIA's network operator names NICs in the same domain as GPUs, `nvidia.com`.
const NICS: [&str; 7] = ["hostdev", "sriov", "rdma", "roce", "ib", "nic", "vf"];

/// Returns whether a resource is a GPU or a part of a GPU, so that `CUDA_VISIBLE_DEVICES` can hide it from a program. NVIDIA's
/// device plugin names GPUs `gpu`, `gpu.shared`, or `mig-…`, or by the names that `resources` in its configuration sets. NVIDIA's
/// network operator uses the same domain for NICs, such as `nvidia.com/hostdev`.
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
    fn nvidia_resources_are_gpus_except_nics() {
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
