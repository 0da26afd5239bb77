//! Checks of the GPUs of identical executors: GPUs that no task uses, and GPUs that no discovery script can find.
use super::super::context::{Context, Manager};
use crate::codes::{MISSING_OPTION, UNUSED_GPUS};
use crate::names::is_subdomain;
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;

/// Vendor of the GPUs that the discovery script in Spark's image can find. The script calls `nvidia-smi`.
const FOUND: &str = "nvidia.com";

/// Adds the diagnostics of all checks in this module.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if context.executor().gpus == 0 {
        return;
    }
    vendor(context, out);
    idle(context, out);
}

/// Checks the GPU vendor. Kubernetes counts GPUs as `VENDOR/gpu`, and Spark finds their addresses by a script in each executor.
fn vendor(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let options = context.options;
    let Some(vendor) = options.gpu_vendor.as_ref().filter(|_| context.manager == Manager::Kubernetes) else {
        return;
    };
    let name = vendor.value.as_str();
    if !is_subdomain(name) {
        let fact = format!(
            "`{}` is not a valid domain, so `{}/gpu` is not a valid Kubernetes resource name",
            name.escaped(),
            name.escaped()
        );
        out.push(
            Diagnostic::new(&BAD_OPTION, vendor.span, fact)
                .here("invalid domain")
                .help("write the domain of the device plugin, such as `nvidia.com` or `amd.com`"),
        );
        return;
    }
    if name == FOUND || options.gpu_discovery.is_some() {
        return;
    }
    let fact = format!(
        "the discovery script of Spark's image finds only NVIDIA GPUs, so executors with GPUs of `{name}` fail to start"
    );
    out.push(
        Diagnostic::new(&MISSING_OPTION, vendor.span, fact)
            .here("needs `gpu-discovery`")
            .help("add `gpu-discovery \"/opt/find-gpus.sh\"`, with a program of the image that prints `{\"name\": \"gpu\", \"addresses\": [\"0\"]}`"),
    );
}

fn gpus(count: u64) -> String {
    if count == 1 { "1 GPU".to_owned() } else { format!("{count} GPUs") }
}

/// Warns of GPUs that no task uses. Every executor has as many GPUs as the role with the most GPUs needs, so executors of other
/// roles have GPUs that their tasks do not use.
fn idle(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let most = context.executor().gpus;
    for role in context.plan.roles.iter().filter(|role| role.resources.gpus < most) {
        let (count, own) = (role.count.value, role.resources.gpus);
        let idle = u64::from(most - own) * u64::from(count);
        let tasks = if count == 1 { "the task".to_owned() } else { format!("each of {count} tasks") };
        let fact = format!(
            "all executors of a Spark job have the same size: {tasks} of `{}` reserves {} and uses {own}, so {} idle",
            role.name.value,
            gpus(most.into()),
            if idle == 1 { "1 GPU stays".to_owned() } else { format!("{} stay", gpus(idle)) },
        );
        out.push(
            Diagnostic::new(&UNUSED_GPUS, role.name.span, fact)
                .here("reserves GPUs that it does not use")
                .help("compile for a target that sizes each role, such as `--target yarn` or `--target kubernetes`"),
        );
    }
}
