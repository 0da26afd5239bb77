//! What each task gets.
use super::Context;
use super::Support;
use crate::pod::grammar::{is_extended_resource, is_label_value};
use crate::pod::mechanism::Mechanism;
use crate::pod::quantity::{bytes as quantity, cores};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;

/// Answers one requirement: resources of a task.
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
    const PROOF: &str = "kubernetes#node-labels";
    let Some(label) = &context.options.gpu_model_label else {
        return Support::unsupported(
            "places Pods by labels of nodes, and nothing says which label holds the GPU model",
            format!(
                "`target \"{}\" {{ gpu-model-label \"nvidia.com/gpu.product\"; gpu-models {{ \"{model}\" \"{}\"; }}; }}` with the value that `kubectl get nodes -L nvidia.com/gpu.product` prints",
                context.kind.target,
                product(model),
            ),
            PROOF,
        );
    };
    let value = context.options.gpu_model(model);
    if !is_label_value(value) {
        let help = format!("name the label's value: `gpu-models {{ \"{model}\" \"NVIDIA-…\" }}`");
        return Support::unsupported(format!("has no label with the value `{value}`"), help, PROOF);
    }
    Support::Native(Mechanism::NodeLabel { role, key: label.value.to_string(), value: value.to_owned() })
}

/// A value that the label of NVIDIA's GPU feature discovery can have for a model: its product's name.
fn product(model: &str) -> &'static str {
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
    let found = known.iter().find(|(word, _)| *word == model);
    found.map_or("NVIDIA-A100-SXM4-80GB", |(_, product)| *product)
}

/// The label holds whole MiB, and a node must have at least as many.
fn gpu_memory(context: &Context<'_>, role: RoleId, bytes: u64) -> Support {
    let Some(label) = &context.options.gpu_memory_label else {
        return Support::unsupported(
            "places Pods by labels of nodes, and nothing says which label holds the GPUs' memory",
            format!("`target \"{}\" {{ gpu-memory-label \"nvidia.com/gpu.memory\" }}`", context.kind.target),
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

/// A file system in memory counts as the task's memory.
fn shared_memory(context: &Context<'_>, role: RoleId, bytes: u64) -> Support {
    let memory = context.plan.roles[role].resources.memory.value;
    if bytes > memory {
        return Support::unsupported(
            "counts shared memory as the task's memory, and this is more than all of it",
            format!("write `shared-memory=\"{}MiB\"` or less, which is `memory`", memory >> 20),
            "EmptyDirVolumeSource, medium Memory",
        );
    }
    Support::Native(Mechanism::SharedMemory { role, quantity: quantity(bytes) })
}

fn device(context: &Context<'_>, role: RoleId, name: &str, count: u32) -> Support {
    const PROOF: &str = "kubernetes#extended-resources";
    if context.plan.roles[role].resources.gpus > 0 && name == context.options.gpu_resource() {
        return Support::impossible(
            format!("counts `{name}` by `gpus` already"),
            "leave out one of the two",
            PROOF,
        );
    }
    if !is_extended_resource(name) {
        let help = "a device plugin's resource, such as `rdma/hca` or `nvidia.com/mig-1g.5gb`";
        return Support::impossible(format!("has no counted resource `{name}`"), help, PROOF);
    }
    Support::Native(Mechanism::Device { role, resource: name.to_owned(), count })
}
