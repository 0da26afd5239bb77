//! Access of a service to secrets, and the edits that give a job this access.
use super::options::Options;
use super::{Dcos, group};
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Identity, Requirement};
use tfjob_lang::target::{Support, Target, is_true};

const PROOF: &str = "dcos#secrets";

/// Text of the edit that makes secrets available. Only DC/OS Enterprise has a secret store. So a list with this edit begins with
/// the condition that the cluster runs DC/OS Enterprise.
const ENTERPRISE: &str = "`enterprise #true` in `target \"dcos\"`";
/// Beginning of the text of the edit that replaces the name and key of a secret by a path.
const PATH: &str = "the path of the secret in `from`, without `key`";

/// Refuses a secret that the service of the job cannot read. `key`: key of the entry in the secret, if the spec sets one. The help
/// lists all edits that are needed.
pub(super) fn refused<M>(
    from: &str,
    key: Option<&str>,
    service: &str,
    plan: &Plan,
    options: &Options,
) -> Option<Support<M>> {
    let path = joined(from, key);
    let mut edits = Vec::new();
    let mut fact = None;
    if !is_true(options.enterprise.as_ref()) {
        fact = Some("only DC/OS Enterprise has a secret store, but `enterprise` is not set".to_owned());
        edits.push(Edit {
            alone: "if the cluster runs DC/OS Enterprise, add `enterprise #true` to `target \"dcos\"`"
                .to_owned(),
            listed: ENTERPRISE.to_owned(),
        });
    }
    if key.is_some() {
        fact = fact.or_else(|| Some("a DC/OS secret contains one value and has no keys".to_owned()));
        edits.push(Edit {
            alone: format!("if the path of the secret is `{path}`, write `from=\"{path}\"` without `key`"),
            listed: format!("{PATH}, such as `from=\"{path}\"`"),
        });
    }
    let paths: Vec<String> =
        plan.requirements.iter().filter_map(|required| secret_path(&required.requirement)).collect();
    match unreadable(&path, service) {
        None => {}
        Some(Unreadable::NoPath) => {
            fact = fact.or_else(|| Some(format!("`{path}` is not a valid path of a secret")));
            let names = "names separated by single `/`, such as `team/key`";
            edits.retain(|edit| !edit.listed.starts_with(PATH));
            edits.push(Edit {
                alone: format!("use {names}"),
                listed: format!("a path of {names}, in `from`"),
            });
        }
        Some(Unreadable::Outside(folder)) => {
            fact = fact.or_else(|| {
                Some(format!(
                    "only services below `/{folder}` can read the secret `{path}`, but the service of this job is `{service}`"
                ))
            });
            let listed = match shared(&paths, service) {
                Some(folder) => format!(
                    "`group \"/{folder}\"` in `target \"dcos\"`, so that the service of this job can read the secret"
                ),
                None => {
                    // An earlier edit in the list may suggest a path with `/` for the secret. The edit that is added here suggests
                    // a path without `/`, so the earlier edit is removed.
                    edits.retain(|edit| !edit.listed.starts_with(PATH));
                    format!("a path without `/` for the secret, because {}", no_group(&paths))
                }
            };
            edits.push(Edit { alone: access_help(&paths, service, options), listed });
        }
    }
    let mut help = all_of(&edits);
    if key.is_some() && plan.targets.keys().any(|target| target != Dcos::NAME) {
        help.push_str(
            "; put this into a file for `dcos` that `extends` this one, because other targets need `key`",
        );
    }
    Some(Support::impossible(fact?, help, PROOF))
}

/// An edit that gives the service access to a secret.
struct Edit {
    /// Text of the help if this is the only edit.
    alone: String,
    /// Text of the edit in a list of several edits.
    listed: String,
}

/// Returns a help with all these edits, numbered if there are several.
fn all_of(edits: &[Edit]) -> String {
    match edits {
        [edit] => edit.alone.clone(),
        _ => {
            let numbered: Vec<_> =
                (1..).zip(edits).map(|(n, edit)| format!("({n}) {}", edit.listed)).collect();
            let enterprise = edits.iter().any(|edit| edit.listed == ENTERPRISE);
            let condition = if enterprise { "if the cluster runs DC/OS Enterprise, " } else { "" };
            format!("{condition}make these {} changes: {}", edits.len(), numbered.join("; "))
        }
    }
}

/// Returns the path of the secret that a requirement refers to, if any.
fn secret_path(requirement: &Requirement) -> Option<String> {
    let Requirement::Identity(identity) = requirement else { return None };
    match identity {
        Identity::PullSecret { name, .. } => Some(joined(name, None)),
        Identity::SecretEnv { from, key, .. } | Identity::SecretFile { from, key, .. } => {
            Some(joined(from, key.as_deref()))
        }
        Identity::User { .. } | Identity::Kerberos { .. } => None,
    }
}

fn joined(from: &str, key: Option<&str>) -> String {
    key.map_or_else(|| from.to_owned(), |key| format!("{from}/{key}"))
}

/// Returns the help that suggests how to give a service access to all these secrets.
pub(super) fn access_help(paths: &[String], service: &str, options: &Options) -> String {
    let outside = "store the secret at a path without `/`, which every service can read";
    let Some(folder) = shared(paths, service) else {
        return format!("{outside}, because {}", no_group(paths));
    };
    match &options.group {
        Some(group) => {
            let group = group.value.as_str().escaped();
            format!("use `group \"/{folder}\"` instead of `{group}`, or {outside}")
        }
        None => format!("add `group \"/{folder}\"` to `target \"dcos\"`, or {outside}"),
    }
}

/// Returns why there is no value of the option `group` with which the service can read all these secrets.
fn no_group(paths: &[String]) -> String {
    match paths {
        [path] => format!("`group` cannot be `/{}`", folder(path)),
        _ => "no `group` gives access to all secrets of the job".to_owned(),
    }
}

/// Returns the `group` in which a service can read all these secrets. It is the deepest directory that contains one of them. `None`
/// if a service in this directory cannot read all the other secrets.
fn shared<'p>(paths: &'p [String], service: &str) -> Option<&'p str> {
    let folder = paths.iter().map(|path| folder(path)).max_by_key(|folder| folder.len())?;
    let moved = format!("/{folder}/{}", service.rsplit('/').next().unwrap_or_default());
    let all = paths.iter().all(|path| !matches!(unreadable(path, &moved), Some(Unreadable::Outside(_))));
    (all && group::is_folder(&format!("/{folder}"))).then_some(folder)
}

/// The reason why a service cannot read a secret.
pub(super) enum Unreadable<'s> {
    /// The spec contains an invalid path of a secret.
    NoPath,
    /// Only services below this directory can read the secret.
    Outside(&'s str),
}

/// Returns why a service cannot read a secret, or `None` if it can. The path of a secret decides which services can read it.
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
