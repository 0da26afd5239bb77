//! Which service may read a secret, and all that a job lacks for it.
use super::options::Options;
use tfjob_lang::target::{Answer, is_true};

const PROOF: &str = "spark-dcos §3.6";

/// The refusal of a secret that the service cannot read: its help names everything that the job lacks.
pub(super) fn refused<M>(
    from: &str,
    key: Option<&str>,
    service: &str,
    options: &Options,
) -> Option<Answer<M>> {
    let path = key.map_or_else(|| from.to_owned(), |key| format!("{from}/{key}"));
    let folder = unreadable(&path, service);
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
    if let Some(folder) = folder {
        fact = fact.or_else(|| {
            Some(format!(
                "lets only services below `/{folder}` read the secret `{path}`, and the job is `{service}`"
            ))
        });
        let way = match &options.group {
            Some(group) => {
                format!("write `group \"/{folder}\"` in place of `{}`", group.value.as_str().escape_debug())
            }
            None => format!("add `group \"/{folder}\"` to `target \"dcos\"`"),
        };
        ways.push(format!("{way}, or keep the secret outside all folders"));
    }
    Some(Answer::impossible(fact?, ways.join("; and "), PROOF))
}

/// The folder of a secret that a service outside of it may not read; the path of a secret says who may.
pub(super) fn unreadable<'s>(secret: &'s str, service: &str) -> Option<&'s str> {
    let path = secret.trim_start_matches('/');
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let within = folder.is_empty() || format!("{service}/").starts_with(&format!("/{folder}/"));
    (!within || path.is_empty() || path.split('/').any(str::is_empty)).then_some(folder)
}
