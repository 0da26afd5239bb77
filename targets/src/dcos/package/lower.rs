//! Lowering of mechanisms to `options.json`, and the steps that install and uninstall the service.
mod draft;

use super::mechanism::Mechanism;
use crate::dcos::Dcos;
use draft::Draft;
use tfjob_lang::lowered::{Lowered, Phase, Step, Word};
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
    vec![install.with([options, "--yes".into()]), uninstall]
}
