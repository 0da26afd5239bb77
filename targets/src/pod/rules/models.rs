//! GPU models that are not values of the node label.
use crate::codes::UNMAPPED_GPU_MODEL;
use crate::pod::context::Context;
use crate::pod::support::resources::known_product;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::requirement::{Requirement, Resources};

/// The label of GPU feature discovery. Its value is the product name.
const PRODUCT: &str = "nvidia.com/gpu.product";

/// Warns of each short name of a GPU model, such as `V100`, that `gpu-models` does not map to a product name. Other labels may have
/// short names as their values.
pub fn judge(context: &Context<'_>) -> Vec<Diagnostic> {
    let options = context.options;
    let Some(label) = options.gpu_model_label.filter(|label| label.value.as_str() == PRODUCT) else {
        return Vec::new();
    };
    let one = |required: &tfjob_lang::requirement::Required| {
        let Requirement::Resources(Resources::GpuModel { model, .. }) = &required.requirement else {
            return None;
        };
        let product = known_product(model).filter(|_| options.gpu_models.get(model.as_str()).is_none())?;
        let model = model.as_str().escaped();
        let fact = format!(
            "{}: no node has the label `{PRODUCT}={model}`, because its value is a product name, such as `{product}`; the pods stay pending",
            context.kind.target
        );
        let help = format!(
            "add the label value of the nodes to the target: `gpu-models {{ \"{model}\" \"{product}\"; }}`; `kubectl get nodes -L {PRODUCT}` prints it"
        );
        let found = Diagnostic::new(&UNMAPPED_GPU_MODEL, required.at, fact).here("not in `gpu-models`");
        Some(found.label(label.span, "label of GPU feature discovery").help(help))
    };
    context.plan.requirements.iter().filter_map(one).collect()
}
