//! What a patch of the package's options may set, beyond the types of its values.
use super::schema::{GpuTasks, Options, Tasks};
use super::slot::Slot;
use crate::dcos::Dcos;
use crate::patch;
use serde_json::Value;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Target;

/// Judges a patch of the whole, or of a role's part.
pub fn judge(plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic> {
    patch::judge(Dcos::NAME, &schema(plan, role), fault, text, at)
}

/// The schema against which a patch is checked: of the whole, or of a role's part.
fn schema(plan: &Plan, role: Option<RoleId>) -> Value {
    match role.and_then(|role| Slot::of(plan, role)) {
        None => Shape::schema_of::<Options>(),
        Some(Slot::Ps | Slot::Worker) => Shape::schema_of::<Tasks>(),
        Some(Slot::GpuWorker) => Shape::schema_of::<GpuTasks>(),
    }
}

/// What is wrong with a value of the package's options.
fn fault(path: &str, value: &Value) -> Option<&'static str> {
    if value.is_null() {
        return None;
    }
    let text = value.as_str().unwrap_or_default();
    if path == "service.name" {
        return Some("is the job's name, by which the printed steps uninstall the service: rename the job");
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "count" => Some("is the role's `count`"),
        "job_url" | "job_name" if text.is_empty() => {
            Some("is empty, and the package would run its own examples")
        }
        "job_context" => serde_json::from_str::<Value>(text)
            .is_err()
            .then_some("is JSON in a text: the module would get nothing of it"),
        "cpus" => value
            .as_f64()
            .is_some_and(|number| number < 0.001)
            .then_some("is at least 0.001: less is rendered as `1.0E-5`"),
        _ => None,
    }
}
