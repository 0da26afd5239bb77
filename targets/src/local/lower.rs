//! From means to artefacts: `job.json` for `tfjob run`, `contract.json` for the shim of each task.
mod board;
mod draft;

use super::Local;
use super::end;
use super::job::{Job, Role};
use crate::carry;
use draft::Draft;
use std::collections::BTreeMap;
use tfjob_contract::Success;
use tfjob_lang::lowered::{Artefact, Lowered, Phase, Step, TaskView, TracedContract, Word};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::plan::{self, Plan, RoleId};
use tfjob_lang::target::Accepted;

/// The variable in which `tfjob run` tells every task the folder of the spec, absolute. Tasks start there.
pub const HERE: &str = "TFJOB_HERE";
/// The folder of the run, absolute.
pub const RUN: &str = "TFJOB_RUN";
/// The task's own folder, `$TFJOB_RUN/scratch/ROLE-INDEX`.
pub const SCRATCH: &str = "TFJOB_SCRATCH";
/// Which role a task is.
pub const ROLE: &str = "TFJOB_TASK_ROLE";
/// Which of the role's tasks, from 0.
pub const INDEX: &str = "TFJOB_TASK_INDEX";
/// The addresses of all tasks by role, as JSON: `{"worker": ["127.0.0.1:41001"]}`. Helpers have theirs too.
pub const PEERS: &str = "TFJOB_PEERS";

/// Everything that this job leaves.
pub fn lower(accepted: &Accepted<'_, Local>) -> Lowered {
    let draft = drawn(accepted);
    let contract = draft.contract();
    let document = Document::new(&draft.job);
    let text = serde_json::to_string_pretty(&document.value).expect("a JSON value is JSON") + "\n";
    let plain =
        |path: &str, text, documents| Artefact { path: path.to_owned(), text, executable: false, documents };
    let artefacts = vec![
        plain("job.json", text, vec![document]),
        plain("contract.json", contract.0.write() + "\n", Vec::new()),
    ];
    let run = Step::new(Phase::Submit, &["tfjob", "run"], "starts every task as a process of this machine");
    let steps = vec![run.with([Word::Spec])];
    Lowered { artefacts, contract: Some(contract), steps, inherent: draft.inherent }
}

/// The shim's contract.
pub fn contract(accepted: &Accepted<'_, Local>) -> TracedContract {
    drawn(accepted).contract()
}

/// What one task sees, with `<…>` where only the machine knows.
pub fn view(accepted: &Accepted<'_, Local>, role: RoleId, index: u32) -> TaskView {
    let draft = drawn(accepted);
    let name = &accepted.plan.roles[role].name.value;
    let peers: BTreeMap<&str, Vec<String>> = accepted.plan.roles.iter().map(addresses).collect();
    let platform = BTreeMap::from([
        (HERE.to_owned(), "<here>".to_owned()),
        (RUN.to_owned(), "<run>".to_owned()),
        (SCRATCH.to_owned(), format!("<run>/scratch/{name}-{index}")),
        (ROLE.to_owned(), name.clone()),
        (INDEX.to_owned(), index.to_string()),
        (PEERS.to_owned(), serde_json::to_string(&peers).expect("texts are JSON")),
    ]);
    carry::view(&draft.contract().0, platform, name, index)
}

fn addresses(role: &plan::Role) -> (&str, Vec<String>) {
    let name = role.name.value.as_str();
    let address = |index| format!("127.0.0.1:<port of {name}-{index}>");
    (name, (0..role.count.value).map(address).collect())
}

/// Everything that the means say, sorted by where it goes.
fn drawn<'p>(accepted: &Accepted<'p, Local>) -> Draft<'p> {
    let mut draft = Draft::new(accepted.plan);
    for (at, means) in accepted.means() {
        draft.take(at, means);
    }
    draft.settle();
    draft
}

/// The job before any means: the defaults of this target.
fn job(plan: &Plan) -> Job {
    let at = plan.name.span;
    let role = |role: &plan::Role| Role {
        name: Traced(role.name.value.clone(), role.name.span),
        count: Traced(role.count.value, role.count.span),
        kind: role.kind,
        serves: Traced(false, at),
        gpus: Traced(0, role.name.span),
        after: Vec::new(),
        secrets: Vec::new(),
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
    (0..plan.roles.len()).map(|id| !end::decides(plan, success, id)).collect()
}
