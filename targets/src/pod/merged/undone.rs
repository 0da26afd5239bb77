//! Checks for patched fields that make an entry of the spec ineffective, although they do not override the values of this entry.
use super::word;
use crate::patch::Merged;
use crate::pod::context::Context;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Placement, Requirement, Resources};
use tfjob_lang::sources::Span;

/// Environment variables by which the container runtime and CUDA hide GPUs.
const VISIBLE: [&str; 2] = ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"];
/// Values of `CUDA_VISIBLE_DEVICES` and `NVIDIA_VISIBLE_DEVICES` that hide all GPUs.
const NONE: [&str; 4] = ["", "-1", "none", "void"];

/// Checks the Pods of a role for fields that make `spread` or `gpus` ineffective. `spec`: JSON pointer to the Pod spec.
pub fn pods(spec: &str, context: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    for required in &context.plan.requirements {
        if matches!(required.requirement, Requirement::Placement(Placement::Spread { role, .. }) if role == id)
        {
            bound(spec, "spread", required.at, merged);
        }
        if matches!(required.requirement, Requirement::Resources(Resources::Gpus { role, count }) if role == id && count > 0)
        {
            hidden_gpus(spec, context.kind.container, required.at, merged);
        }
    }
}

/// Reports `nodeName`. A Pod with this field bypasses the scheduler, so the scheduling constraint `feature` has no effect.
pub fn bound(spec: &str, feature: &str, required: Span, merged: &mut Merged<'_>) {
    let at = format!("{spec}/nodeName");
    if let Some(node) = merged.at(&at).as_str().filter(|name| !name.is_empty()) {
        let fact = format!(
            "the patch sets `nodeName: {node}`, which bypasses the scheduler, so `{feature}` has no effect"
        );
        let help = "remove `nodeName` from the patch, and select nodes by a label: `placement { node \"KEY\" \"VALUE\" }`";
        merged.contrary(&at, required, &fact, help);
    }
}

/// Reports an environment variable that hides the GPUs that `gpus` requests.
fn hidden_gpus(spec: &str, container: &str, required: Span, merged: &mut Merged<'_>) {
    let main = merged.items(&format!("{spec}/containers")).find(|(_, c)| word(c, "name") == container);
    let Some((main, _)) = main else { return };
    for (at, variable) in merged.items(&format!("{main}/env")) {
        let (name, value) = (word(variable, "name"), word(variable, "value"));
        if VISIBLE.contains(&name) && variable["valueFrom"].is_null() && NONE.contains(&value) {
            let fact = format!("the patch sets `{name}: \"{value}\"`, which hides the GPUs of `gpus`");
            merged.contrary(
                &format!("{at}/name"),
                required,
                &fact,
                "remove the variable from the patch, or remove `gpus`",
            );
        }
    }
}
