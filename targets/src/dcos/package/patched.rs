//! Checks of a patch of the package's options: the types of its values, and rules for single values.
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

/// Checks a patch of all options, or of the section of a role.
pub fn judge(plan: &Plan, role: Option<RoleId>, text: &str, at: Span) -> Vec<Diagnostic> {
    patch::judge(Dcos::NAME, &schema(plan, role), fault, text, at)
}

/// Returns the schema of a patch of all options, or of the section of a role.
fn schema(plan: &Plan, role: Option<RoleId>) -> Value {
    match role.and_then(|role| Slot::of(plan, role)) {
        None => Shape::schema_of::<Options>(),
        Some(Slot::Ps | Slot::Worker) => Shape::schema_of::<Tasks>(),
        Some(Slot::GpuWorker) => Shape::schema_of::<GpuTasks>(),
    }
}

/// Returns the error in a value of the options, if any. The message shows it after the path of the option.
fn fault(path: &str, value: &Value) -> Option<&'static str> {
    if value.is_null() {
        return None;
    }
    let text = value.as_str().unwrap_or_default();
    if path == "service.name" {
        return Some(
            "is the name of the job, and the cleanup step uninstalls the service with this name: rename the job instead",
        );
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "count" => Some("cannot be patched; set `count` of the role"),
        "job_url" | "job_name" if text.is_empty() => {
            Some("is empty, so the TensorFlow package would run its bundled examples")
        }
        "job_context" => {
            serde_json::from_str::<Value>(text).is_err().then_some("must be a string with valid JSON")
        }
        "cpus" => value
            .as_f64()
            .is_some_and(|number| number < 0.001)
            .then_some("must be at least 0.001: the package manager renders smaller numbers as `1.0E-5`"),
        _ => None,
    }
}
