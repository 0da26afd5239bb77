//! Lowering of mechanisms to `options.json`, and the steps that install and uninstall the service.
mod draft;

use super::mechanism::Mechanism;
use crate::dcos::Dcos;
use draft::Draft;
use tfjob_lang::lowered::{ALREADY_DONE, Lowered, Phase, Step, Word};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// Version of the package for which the options are written. Older versions do not support Kerberos, HDFS, or regions.
const VERSION: &str = "0.2.0-1.5.0-beta";

/// Returns `options.json` and the steps of the job.
pub fn lower<'a>(
    job: &Accepted<'_, Dcos>,
    mechanisms: impl Iterator<Item = (Span, &'a Mechanism)>,
) -> Lowered {
    let mut draft = Draft::new(job.plan, job.site);
    for (at, mechanism) in mechanisms {
        draft.take(at, mechanism);
    }
    draft.finish()
}

fn steps(path: &str) -> Vec<Step> {
    let version = format!("--package-version={VERSION}");
    let install = Step::new(
        Phase::Submit,
        &["dcos", "package", "install", "beta-tensorflow", &version],
        "installs the service; its scheduler starts the tasks",
    );
    let options = Word::File { before: "--options=", path: "options.json".into() };
    let app = format!("--app-id={path}");
    let uninstall = Step::new(
        Phase::After,
        &["dcos", "package", "uninstall", "beta-tensorflow", &app, "--yes"],
        "uninstalls the service; until then the scheduler and the parameter servers keep running",
    );
    let list = ["dcos", "package", "list", &app, "beta-tensorflow"];
    let uninstall = uninstall.skip_if(&list, "are currently no installed packages", ALREADY_DONE);
    let mut steps = vec![install.with([options.clone(), "--yes".into()]), uninstall];
    let name = format!("--name={path}");
    let client = |phase| {
        let install = ["dcos", "package", "install", "beta-tensorflow", &version, "--cli", "--yes"];
        Step::new(phase, &install, "installs the subcommand `dcos beta-tensorflow` on this machine")
    };
    let own = |phase, words: &[&str], why| {
        Step::new(phase, &[&["dcos", "beta-tensorflow", name.as_str()], words].concat(), why)
    };
    steps.extend([
        client(Phase::Status),
        own(Phase::Status, &["plan", "show", "deploy"], "shows which tasks the scheduler has started"),
        own(Phase::Status, &["pod", "list"], "lists the tasks"),
    ]);
    let log = ["dcos", "service", "log", "--lines=1000000", path.trim_start_matches('/')];
    let why = "shows the output of the scheduler; for a task, run `dcos task log --lines=1000000 TASK`";
    steps.push(Step::new(Phase::Logs, &log, why));
    let why = "replaces the options: the scheduler restarts the tasks that have changed, one after the other";
    let update = own(Phase::Update, &["update", "start", "--replace"], why);
    steps.extend([client(Phase::Update), update.with([options])]);
    steps
}
