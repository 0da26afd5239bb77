//! Checks for commands and contracts that exceed Linux's maximum length of an argument or an environment variable.
use crate::dcos::Dcos;
use crate::dcos::marathon::lower::app;
use crate::dcos::marathon::lower::draft::Draft;
use crate::dcos::marathon::lower::group::{CONTRACT, Job};
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::marathon::schema::EnvValue;
use tfjob_contract::LONGEST_TEXT as LONGEST;
use tfjob_contract::too_long as longer_than_passed;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::Span;
use tfjob_lang::target::Site;
use tfjob_lang::target::length::{self, Judged};

/// Maximum number of bytes that one byte of the spec can become: JSON escapes a control character to six bytes, such as `\u001f`,
/// and base64 encodes six bytes as eight.
const GROWTH: usize = 8;

/// Upper bound of the bytes that tfjob itself adds to the text of the spec, such as the names of contract fields.
const FRAME: usize = 32 << 10;

/// Returns the commands, contracts, arguments, and environment variables that are too long for Linux, each as a span and a message.
pub fn too_long<'a>(
    plan: &Plan,
    site: &Site<Dcos>,
    mechanisms: impl Iterator<Item = (Span, &'a Mechanism)>,
) -> Vec<(Span, String)> {
    // Most jobs are far below the limit. To save time, their apps are not rendered for this check.
    if FRAME + GROWTH * (plan.bytes + length::at_most(plan)) < LONGEST {
        return Vec::new();
    }
    let draft = Draft::read(plan, mechanisms);
    let job = Job::new(&draft, site);
    // Checks only the last task of each role: the texts of the tasks of a role differ only by the index, and the last index is the
    // longest.
    length::each_once(plan, |id| {
        let role = &plan.roles[id];
        let last = role.count.value.saturating_sub(1);
        let app = app::write(&job, id, last).app;
        let contract = app.env.get(CONTRACT).map_or(0, |Traced(value, _)| match value {
            EnvValue::Text(text) => text.len() + CONTRACT.len() + 1,
            EnvValue::Secret { .. } => 0,
        });
        let texts = [(app.cmd.1, "command", app.cmd.0.len()), (role.name.span, "contract", contract)];
        let over = texts.iter().filter(|(_, _, length)| *length > LONGEST).map(|(at, what, length)| {
            (*at, longer_than_passed(&format!("the {what} of a task"), *length).to_string())
        });
        let mut found: Vec<_> = over.collect();
        let mut longest = texts.iter().map(|(_, _, length)| *length).max().unwrap_or(0);
        match app::rendered(&job.contract, id, last) {
            Ok(env) => {
                longest = env.iter().map(|(name, value)| name.len() + value.len()).fold(longest, usize::max)
            }
            Err(failure) => found.insert(0, (role.name.span, failure.to_string())),
        }
        Judged { longest, found }
    })
}
