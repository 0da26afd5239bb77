//! Fields that a patch adds, and by which a line of the spec loses its effect: no value of that line is overridden.
use super::word;
use crate::patch::Merged;
use crate::pod::context::Context;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{Placement, Requirement, Resources};
use tfjob_lang::sources::Span;

/// Variables by which the container runtime and CUDA hide GPUs, and the values that hide all of them.
const VISIBLE: [&str; 2] = ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"];
const NONE: [&str; 4] = ["", "-1", "none", "void"];

/// Judges the Pods of a role; `spec`: the pointer to what each of them is.
pub fn pods(spec: &str, context: &Context<'_>, id: RoleId, merged: &mut Merged<'_>) {
    for required in &context.plan.requirements {
        if matches!(required.requirement, Requirement::Placement(Placement::Spread { role, .. }) if role == id)
        {
            bound(spec, "spread", required.at, merged);
        }
        if matches!(required.requirement, Requirement::Resources(Resources::Gpus { role, count }) if role == id && count > 0)
        {
            blind(spec, context.kind.container, required.at, merged);
        }
    }
}

/// A node by its name: such a Pod is never given to a scheduler.
pub fn bound(spec: &str, feature: &str, required: Span, merged: &mut Merged<'_>) {
    let at = format!("{spec}/nodeName");
    if let Some(node) = merged.at(&at).as_str().filter(|name| !name.is_empty()) {
        let fact = format!(
            "the patch sets `nodeName: {node}`, which bypasses the scheduler: `{feature}` has no effect"
        );
        let help = "remove `nodeName` from the patch; `placement { node \"KEY\" \"VALUE\" }` selects nodes by a label";
        merged.contrary(&at, required, &fact, help);
    }
}

/// A variable that hides the GPUs that `gpus` reserves.
fn blind(spec: &str, container: &str, required: Span, merged: &mut Merged<'_>) {
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
