//! Lowering to `job.json` for `tfjob run`, and to `contract.json` for the shim of each task.
mod board;
mod draft;

use super::Local;
use super::schema::{Job, Role};
use super::support::decides;
use draft::Draft;
use std::collections::BTreeMap;
use tfjob_contract::Success;
use tfjob_lang::lowered::{Artifact, Lowered, Phase, Step, TracedContract, Word};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::plan::{self, Plan};
use tfjob_lang::target::Accepted;

/// Returns the artifacts of a job.
pub fn lower(accepted: &Accepted<'_, Local>) -> Lowered {
    let draft = draft(accepted);
    let contract = draft.contract();
    let document = Document::new(&draft.job);
    let text = serde_json::to_string_pretty(&document.value).expect("a JSON value is JSON") + "\n";
    let plain =
        |path: &str, text, documents| Artifact { path: path.to_owned(), text, executable: false, documents };
    let artifacts = vec![
        plain("job.json", text, vec![document]),
        plain("contract.json", contract.0.write() + "\n", Vec::new()),
    ];
    let run = Step::new(Phase::Submit, &["tfjob", "run"], "runs each task as a local process");
    let steps = vec![run.with([Word::Spec]).in_spec_directory()];
    Lowered { artifacts, contract: Some(contract), steps, inherent: draft.inherent, ..Lowered::default() }
}

/// Returns the contract of the shim.
pub fn contract(accepted: &Accepted<'_, Local>) -> TracedContract {
    draft(accepted).contract()
}

/// Returns the draft after all mechanisms are applied.
pub fn draft<'p>(accepted: &Accepted<'p, Local>) -> Draft<'p> {
    let mut draft = Draft::new(accepted.plan);
    for (at, mechanism) in accepted.mechanisms() {
        draft.take(at, mechanism);
    }
    draft.apply_defaults();
    draft
}

/// Returns the job with the defaults of this target, before any mechanism is applied.
fn job(plan: &Plan) -> Job {
    let at = plan.name.span;
    let role = |role: &plan::Role| {
        let name = Traced(role.name.value.clone(), role.name.span);
        let count = Traced(role.count.value, role.count.span);
        Role { serves: Traced(false, at), ..Role::new(name, role.kind, count) }
    };
    Job {
        name: Traced(plan.name.value.clone(), at),
        description: None,
        labels: BTreeMap::new(),
        success: Traced(Success::Workers, at),
        grace: Traced(GRACE, at),
        roles: plan.roles.iter().map(role).collect(),
        needs: Vec::new(),
        makes: Vec::new(),
    }
}

/// Seconds between SIGTERM and SIGKILL if the job sets no `stop grace`.
const GRACE: u64 = 30;

/// Returns, for each role, whether the job can complete while tasks of the role still run.
fn serving(plan: &Plan, success: Success) -> Vec<bool> {
    (0..plan.roles.len()).map(|id| !decides(plan, success, id)).collect()
}
