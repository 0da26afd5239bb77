//! Which service may read a secret, and all that a job lacks for it.
use super::group;
use super::options::Options;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Identity, Requirement};
use tfjob_lang::target::{Support, is_true};

const PROOF: &str = "dcos#secrets";

/// The refusal of a secret that the service cannot read: its help names everything that the job lacks.
pub(super) fn refused<M>(
    from: &str,
    key: Option<&str>,
    service: &str,
    plan: &Plan,
    options: &Options,
) -> Option<Support<M>> {
    let path = joined(from, key);
    let mut ways = Vec::new();
    let mut fact = None;
    if !is_true(options.enterprise.as_ref()) {
        fact = Some("keeps secrets only in its Enterprise edition".to_owned());
        ways.push("add `enterprise #true` to `target \"dcos\"` if the cluster is one".to_owned());
    }
    if key.is_some() {
        fact = fact.or_else(|| Some("keeps one value in a secret".to_owned()));
        ways.push(format!("write `from=\"{path}\"` and no `key`, if the secret has that path"));
    }
    let paths: Vec<String> =
        plan.requirements.iter().filter_map(|required| of(&required.requirement)).collect();
    match unreadable(&path, service) {
        None => {}
        Some(Unreadable::NoPath) => {
            fact = fact.or_else(|| Some(format!("takes `{path}` for no path of a secret")));
            ways.push("write names with single `/` between them, such as `team/key`".to_owned());
        }
        Some(Unreadable::Outside(folder)) => {
            fact = fact.or_else(|| {
                Some(format!(
                    "lets only services below `/{folder}` read the secret `{path}`, and the job is `{service}`"
                ))
            });
            ways.push(way(&paths, service, options));
        }
    }
    Some(Support::impossible(fact?, ways.join("; and "), PROOF))
}

/// The path of the secret that a line of the job names.
fn of(requirement: &Requirement) -> Option<String> {
    match requirement {
        Requirement::Identity(Identity::PullSecret { name, .. }) => Some(joined(name, None)),
        Requirement::Identity(
            Identity::SecretEnv { from, key, .. } | Identity::SecretFile { from, key, .. },
        ) => Some(joined(from, key.as_deref())),
        _ => None,
    }
}

fn joined(from: &str, key: Option<&str>) -> String {
    key.map_or_else(|| from.to_owned(), |key| format!("{from}/{key}"))
}

/// How a service comes to read all these secrets.
pub(super) fn way(paths: &[String], service: &str, options: &Options) -> String {
    let outside = "keep the secret outside all folders";
    let Some(folder) = shared(paths, service) else {
        return format!("{outside}: no `group` of the job is below the folders of all its secrets");
    };
    match &options.group {
        Some(group) => {
            let group = group.value.as_str().escape_debug();
            format!("write `group \"/{folder}\"` in place of `{group}`, or {outside}")
        }
        None => format!("add `group \"/{folder}\"` to `target \"dcos\"`, or {outside}"),
    }
}

/// The folder below which a service reads all these secrets: the deepest of theirs, if it is below all others.
fn shared<'p>(paths: &'p [String], service: &str) -> Option<&'p str> {
    let folder = paths.iter().map(|path| folder(path)).max_by_key(|folder| folder.len())?;
    let moved = format!("/{folder}/{}", service.rsplit('/').next().unwrap_or_default());
    let all = paths.iter().all(|path| !matches!(unreadable(path, &moved), Some(Unreadable::Outside(_))));
    (all && group::is_folder(&format!("/{folder}"))).then_some(folder)
}

/// Why a service does not read a secret.
pub(super) enum Unreadable<'s> {
    /// The text is no path.
    NoPath,
    /// Only services below this folder do.
    Outside(&'s str),
}

/// Why a service does not read a secret, if it does not; the path of a secret says who may.
pub(super) fn unreadable<'s>(secret: &'s str, service: &str) -> Option<Unreadable<'s>> {
    let path = secret.trim_start_matches('/');
    if path.is_empty() || path.split('/').any(str::is_empty) {
        return Some(Unreadable::NoPath);
    }
    let folder = folder(secret);
    let within = folder.is_empty() || format!("{service}/").starts_with(&format!("/{folder}/"));
    (!within).then_some(Unreadable::Outside(folder))
}

fn folder(secret: &str) -> &str {
    secret.trim_start_matches('/').rsplit_once('/').map_or("", |(folder, _)| folder)
}
