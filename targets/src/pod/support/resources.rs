//! What each task gets.
use super::Answer;
use super::Context;
use crate::pod::grammar::{is_extended_resource, is_label_value};
use crate::pod::means::Means;
use crate::pod::quantity::{bytes as quantity, cores};
use tfjob_lang::ask;
use tfjob_lang::plan::RoleId;

/// Answers one requirement: resources of a task.
pub fn answer(ask: &ask::Resources, case: &Context<'_>) -> Answer {
    match ask {
        ask::Resources::Cpus { role, milli } => cpus(*role, *milli),
        ask::Resources::Memory { role, bytes } => memory(*role, *bytes),
        ask::Resources::Gpus { role, count } => gpus(case, *role, *count),
        ask::Resources::GpuModel { role, model } => gpu_model(case, *role, model),
        ask::Resources::GpuMemory { role, bytes } => gpu_memory(case, *role, *bytes),
        ask::Resources::Disk { role, bytes } => disk(*role, *bytes),
        ask::Resources::SharedMemory { role, bytes } => shared_memory(case, *role, *bytes),
        ask::Resources::Device { role, name, count } => device(case, *role, name, *count),
    }
}

fn cpus(role: RoleId, milli: u32) -> Answer {
    Answer::Native(Means::Amount { role, resource: "cpu".to_owned(), quantity: cores(milli) })
}

fn memory(role: RoleId, bytes: u64) -> Answer {
    Answer::Native(Means::Amount { role, resource: "memory".to_owned(), quantity: quantity(bytes) })
}

fn gpus(case: &Context<'_>, role: RoleId, count: u32) -> Answer {
    let resource = case.options.gpu_resource().to_owned();
    Answer::Native(Means::Amount { role, resource, quantity: count.to_string() })
}

fn gpu_model(case: &Context<'_>, role: RoleId, model: &str) -> Answer {
    const PROOF: &str = "kubernetes §2, nodeSelector";
    let Some(label) = &case.options.gpu_model_label else {
        return Answer::refused(
            "places Pods by labels of nodes, and nothing says which label holds the GPU model",
            format!(
                "`target \"{}\" {{ gpu-model-label \"nvidia.com/gpu.product\"; gpu-models {{ \"{model}\" \"{}\"; }}; }}` with the value that `kubectl get nodes -L nvidia.com/gpu.product` prints",
                case.kind.target,
                product(model),
            ),
            PROOF,
        );
    };
    let value = case.options.gpu_model(model);
    if !is_label_value(value) {
        let help = format!("name the label's value: `gpu-models {{ \"{model}\" \"NVIDIA-…\" }}`");
        return Answer::refused(format!("has no label with the value `{value}`"), help, PROOF);
    }
    Answer::Native(Means::NodeLabel { role, key: label.value.to_string(), value: value.to_owned() })
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
fn gpu_memory(case: &Context<'_>, role: RoleId, bytes: u64) -> Answer {
    let Some(label) = &case.options.gpu_memory_label else {
        return Answer::refused(
            "places Pods by labels of nodes, and nothing says which label holds the GPUs' memory",
            format!("`target \"{}\" {{ gpu-memory-label \"nvidia.com/gpu.memory\" }}`", case.kind.target),
            "kubernetes §2, nodeSelector",
        );
    };
    let mebibytes = bytes.div_ceil(1 << 20);
    Answer::Native(Means::NodeOver {
        role,
        key: label.value.to_string(),
        number: mebibytes.saturating_sub(1),
    })
}

fn disk(role: RoleId, bytes: u64) -> Answer {
    Answer::Native(Means::Disk { role, quantity: quantity(bytes) })
}

/// A file system in memory counts as the task's memory.
fn shared_memory(case: &Context<'_>, role: RoleId, bytes: u64) -> Answer {
    let memory = case.plan.roles[role].resources.memory.value;
    if bytes > memory {
        return Answer::refused(
            "counts shared memory as the task's memory, and this is more than all of it",
            format!("write `shared-memory=\"{}MiB\"` or less, which is `memory`", memory >> 20),
            "EmptyDirVolumeSource, medium Memory",
        );
    }
    Answer::Native(Means::SharedMemory { role, quantity: quantity(bytes) })
}

fn device(case: &Context<'_>, role: RoleId, name: &str, count: u32) -> Answer {
    const PROOF: &str = "kubernetes-observed §4, limit-gpu-bare-name";
    if case.plan.roles[role].resources.gpus > 0 && name == case.options.gpu_resource() {
        return Answer::impossible(
            format!("counts `{name}` by `gpus` already"),
            "leave out one of the two",
            PROOF,
        );
    }
    if !is_extended_resource(name) {
        let help = "a device plugin's resource, such as `rdma/hca` or `nvidia.com/mig-1g.5gb`";
        return Answer::impossible(format!("has no counted resource `{name}`"), help, PROOF);
    }
    Answer::Native(Means::Device { role, resource: name.to_owned(), count })
}
