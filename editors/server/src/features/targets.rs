//! The targets for which a spec can be compiled. The request `tfjob/targets` is not part of LSP.
use crate::session::Session;
use lsp_types::Uri;
use serde::Serialize;
use tfjob_lang::diagnostic::nearest;

/// A target.
#[derive(Debug, Serialize)]
pub struct Target {
    /// Its name, such as `kubernetes`.
    name: &'static str,
    /// Its description.
    description: &'static str,
    /// Whether the spec, or one of its base files, has a block for the target.
    configured: bool,
    /// The environments of the project whose targets include it. Empty without environments.
    environments: Vec<String>,
}

/// Returns the target with this name.
///
/// # Errors
/// Returns an error if there is no such target. The text names the most similar one.
pub fn target(session: &Session<'_>, name: &str) -> Result<tfjob_driver::Target, String> {
    let registry = *session.host.driver().registry();
    registry.target(name).ok_or_else(|| {
        let names = || registry.targets.iter().map(|target| target.name());
        match nearest(name, names()) {
            Some(near) => format!("unknown target `{name}`; did you mean `{near}`?"),
            None => format!("unknown target `{name}`; targets: {}", names().collect::<Vec<_>>().join(", ")),
        }
    })
}

/// Returns all targets.
///
/// # Errors
/// Returns an error if the document is not open.
pub fn targets(session: &mut Session<'_>, uri: &Uri) -> Result<Vec<Target>, String> {
    let path = session.document(uri).ok_or("the document is not open")?.path.clone();
    let registry = *session.host.driver().registry();
    session.results(&path);
    let checked = session.last(&path).map_or(&[][..], |results| results.checked.as_slice());
    let environments = session.environments(&path);
    let has = |checked: &tfjob_driver::Checked, name: &str| {
        checked.compiled.iter().any(|(target, _)| target.name() == name)
    };
    let with = |name: &str| {
        let own = environments.iter().zip(checked).filter(|(_, checked)| has(checked, name));
        own.map(|(environment, _)| environment.clone()).collect()
    };
    let blocks = checked.iter().filter_map(|one| one.tree.as_ref()?.get("job")?.get("target"));
    let configured: Vec<&str> =
        blocks.flat_map(|block| block.entries()).map(|entry| entry.key.as_str()).collect();
    let target = |target: &tfjob_driver::Target| Target {
        name: target.name(),
        description: target.about(),
        configured: configured.contains(&target.name()),
        environments: with(target.name()),
    };
    Ok(registry.targets.iter().map(target).collect())
}
