//! From means to artifacts: `job.json` for `tfjob run`, `contract.json` for the shim of each task.
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

/// Everything that this job leaves.
pub fn lower(accepted: &Accepted<'_, Local>) -> Lowered {
    let draft = drawn(accepted);
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
    let steps = vec![run.with([Word::Spec])];
    Lowered { artifacts, contract: Some(contract), steps, inherent: draft.inherent }
}

/// The shim's contract.
pub fn contract(accepted: &Accepted<'_, Local>) -> TracedContract {
    drawn(accepted).contract()
}

/// Everything that the means say, sorted by where it goes.
pub fn drawn<'p>(accepted: &Accepted<'p, Local>) -> Draft<'p> {
    let mut draft = Draft::new(accepted.plan);
    for (at, mechanism) in accepted.mechanisms() {
        draft.take(at, mechanism);
    }
    draft.settle();
    draft
}

/// The job before any means: the defaults of this target.
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

/// Seconds between SIGTERM and the kill where the job says nothing.
const GRACE: u64 = 30;

/// Which roles the job does not wait for.
fn serving(plan: &Plan, success: Success) -> Vec<bool> {
    (0..plan.roles.len()).map(|id| !decides(plan, success, id)).collect()
}
