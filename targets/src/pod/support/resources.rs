//! Resources of each task.
use super::Context;
use super::Support;
use crate::pod::grammar::{is_extended_resource, is_label_value};
use crate::pod::mechanism::Mechanism;
use crate::pod::quantity::{bytes as quantity, cores};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::values::Memory;

/// Returns the support of one requirement about resources.
pub fn support(requirement: &requirement::Resources, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Resources::Cpus { role, milli } => cpus(*role, *milli),
        requirement::Resources::Memory { role, bytes } => memory(*role, *bytes),
        requirement::Resources::Gpus { role, count } => gpus(context, *role, *count),
        requirement::Resources::GpuModel { role, model } => gpu_model(context, *role, model),
        requirement::Resources::GpuMemory { role, bytes } => gpu_memory(context, *role, *bytes),
        requirement::Resources::Disk { role, bytes } => disk(*role, *bytes),
        requirement::Resources::SharedMemory { role, bytes } => shared_memory(context, *role, *bytes),
        requirement::Resources::Device { role, name, count } => device(context, *role, name, *count),
    }
}

fn cpus(role: RoleId, milli: u32) -> Support {
    Support::Native(Mechanism::Amount { role, resource: "cpu".to_owned(), quantity: cores(milli) })
}

fn memory(role: RoleId, bytes: u64) -> Support {
    Support::Native(Mechanism::Amount { role, resource: "memory".to_owned(), quantity: quantity(bytes) })
}

fn gpus(context: &Context<'_>, role: RoleId, count: u32) -> Support {
    let resource = context.options.gpu_resource().to_owned();
    Support::Native(Mechanism::Amount { role, resource, quantity: count.to_string() })
}

fn gpu_model(context: &Context<'_>, role: RoleId, model: &str) -> Support {
    const EVIDENCE: &str = "kubernetes#node-labels";
    let Some(label) = &context.options.gpu_model_label else {
        return Support::unsupported(
            "`gpu-model` selects nodes by a label with the GPU model, but the key of this label (`gpu-model-label`) is not set",
            format!(
                "set `target \"{}\" {{ gpu-model-label \"nvidia.com/gpu.product\"; gpu-models {{ \"{model}\" \"{}\"; }}; }}`; `kubectl get nodes -L nvidia.com/gpu.product` prints the label values of the nodes",
                context.kind.target,
                product(model),
            ),
            EVIDENCE,
        );
    };
    let value = context.options.gpu_model(model);
    if !is_label_value(value) {
        let help = format!("map the model to a label value: `gpu-models {{ \"{model}\" \"NVIDIA-…\" }}`");
        return Support::unsupported(format!("`{value}` is not a valid label value"), help, EVIDENCE);
    }
    Support::Native(Mechanism::NodeLabel { role, key: label.value.to_string(), value: value.to_owned() })
}

/// Returns an example of a label value for a GPU model.
fn product(model: &str) -> &'static str {
    known_product(model).unwrap_or("NVIDIA-A100-SXM4-80GB")
}

/// Returns a product name of a GPU model, if the model is a well-known short name. NVIDIA's GPU feature discovery writes the product
/// name into the label.
pub fn known_product(model: &str) -> Option<&'static str> {
    let known = [
        ("a100", "NVIDIA-A100-SXM4-80GB"),
        ("h100", "NVIDIA-H100-80GB-HBM3"),
        ("h200", "NVIDIA-H200"),
        ("v100", "Tesla-V100-SXM2-32GB"),
        ("t4", "Tesla-T4"),
        ("a10", "NVIDIA-A10"),
        ("l4", "NVIDIA-L4"),
        ("l40s", "NVIDIA-L40S"),
    ];
    let model = model.to_lowercase();
    known.iter().find(|(name, _)| *name == model).map(|(_, product)| *product)
}

/// Returns the support of `gpu-memory`. The node label contains the memory in MiB, which must be at least the requested amount.
fn gpu_memory(context: &Context<'_>, role: RoleId, bytes: u64) -> Support {
    let Some(label) = &context.options.gpu_memory_label else {
        return Support::unsupported(
            "`gpu-memory` selects nodes by a label with the GPU memory, but the key of this label (`gpu-memory-label`) is not set",
            format!(
                "set `target \"{}\" {{ gpu-memory-label \"nvidia.com/gpu.memory\" }}`",
                context.kind.target
            ),
            "kubernetes#node-labels",
        );
    };
    let mebibytes = bytes.div_ceil(1 << 20);
    Support::Native(Mechanism::NodeOver {
        role,
        key: label.value.to_string(),
        number: mebibytes.saturating_sub(1),
    })
}

fn disk(role: RoleId, bytes: u64) -> Support {
    Support::Native(Mechanism::Disk { role, quantity: quantity(bytes) })
}

/// Returns the support of shared memory: an `emptyDir` of medium `Memory`. Its content counts toward the memory of the container.
fn shared_memory(context: &Context<'_>, role: RoleId, bytes: u64) -> Support {
    let memory = context.plan.roles[role].resources.memory.value;
    if bytes > memory {
        return Support::unsupported(
            "`shared-memory` is larger than `memory`, but shared memory counts toward the memory limit of the container",
            format!("write `shared-memory=\"{}\"` (the value of `memory`) or less", Memory::floor(memory)),
            "EmptyDirVolumeSource, medium Memory",
        );
    }
    Support::Native(Mechanism::SharedMemory { role, quantity: quantity(bytes) })
}

fn device(context: &Context<'_>, role: RoleId, name: &str, count: u32) -> Support {
    const EVIDENCE: &str = "kubernetes#extended-resources";
    if context.plan.roles[role].resources.gpus > 0 && name == context.options.gpu_resource() {
        return Support::impossible(
            format!("`gpus` already requests `{name}`"),
            "remove `gpus`, or remove `device`",
            EVIDENCE,
        );
    }
    if !is_extended_resource(name) {
        let help = "use the resource name of a device plugin, such as `rdma/hca` or `nvidia.com/mig-1g.5gb`";
        return Support::impossible(
            format!("`{name}` is not a valid extended resource name"),
            help,
            EVIDENCE,
        );
    }
    Support::Native(Mechanism::Device { role, resource: name.to_owned(), count })
}
