//! Counted devices, by the names that the platforms give them.

/// Whether a resource is a GPU or a part of one: what CUDA_VISIBLE_DEVICES hides from a program.
#[must_use]
pub fn is_gpu(name: &str) -> bool {
    name.split_once('/').is_some_and(|(domain, kind)| {
        kind.contains("gpu") || kind.starts_with("mig-") || domain == "nvidia.com"
    })
}
