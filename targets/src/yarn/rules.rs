//! Checks that concern several requirements together: invalid options, long host names, duplicate links, and port conflicts.
mod files;
mod ports;

use super::Yarn;
use super::context::Context;
use super::options::Options;
use super::release::Release;
use super::schema::{Component, Service};
use super::support::job::{BOARD, BOARD_LINK};
use crate::codes::HOSTNAME_TOO_LONG;
use crate::shim_source::{self, ShimSource};
use crate::{containers, cores, delivered, finished, names, patch};
use std::collections::BTreeMap;
use tfjob_lang::at::At;
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Network, Required, Requirement, Started};
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Scheme, Uri};
use tfjob_lang::target::{Site, Target};

/// Maximum length of a container's host name (`OCIContainerRuntime.HOST_NAME_LENGTH`).
const HOSTNAME: usize = 64;
/// Maximum length of a Linux user name. If the option `user` is not set, checks assume that the user name has this length.
const USER: usize = 32;

/// Returns the diagnostics of the checks in this module and its submodules.
pub fn judge(plan: &Plan, site: &Site<Yarn>) -> Vec<Diagnostic> {
    let context = Context::new(plan, site);
    let mut out = Vec::new();
    options(&context, &mut out);
    if out.is_empty() {
        hostnames(&context, &mut out);
        queue(&context, &mut out);
    }
    // A URI that the service master cannot read is not checked here, because another check below reports it.
    let is_read = |url: &At<Uri>| url.value.scheme().has_hadoop_client();
    if ShimSource::path(site.job.shim.as_ref()).is_some()
        || ShimSource::url(site.job.shim.as_ref()).is_none_or(is_read)
    {
        shim_source::judge(Yarn::NAME, site.job.shim.as_ref(), &[NO_PATH, NO_IMAGE], false, &mut out);
    }
    files::judge(&context, &mut out);
    ports::judge(&context, &mut out);
    links(&context, &mut out);
    patches(&context, &mut out);
    out.extend(delivered::judge(Yarn::NAME, plan, containers::START, &[], "hdfs://default/ml/job.zip"));
    out.extend(delivered::alone(Yarn::NAME, plan, &[]));
    out.extend(delivered::board(Yarn::NAME, plan, delivered::Files::Same));
    out.extend(cores::rounded(Yarn::NAME, plan.requirements.iter()));
    out.extend(finished::judge(Yarn::NAME, plan, |_| true));
    out
}

/// Texts of the error for `shim path=…`, which this target does not support.
const NO_PATH: shim_source::Missing = shim_source::Missing {
    property: shim_source::Property::Path,
    why: "the service master localizes the shim from the default file system into each container",
    help: "write `shim url=\"hdfs://default/apps/tfjob-shim\"`, or remove `shim`: then a setup step uploads it",
};

/// Texts of the error for `shim image=…`, which this target does not support.
const NO_IMAGE: shim_source::Missing = shim_source::Missing {
    property: shim_source::Property::Image,
    why: shim_source::NO_PODS,
    help: NO_PATH.help,
};

/// Checks each patch against the schema of the service or the component.
fn patches(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for required in &context.plan.requirements {
        let Requirement::Job(Job::Patch { target, role, text }) = &required.requirement else { continue };
        if target == Yarn::NAME {
            let schema = match role {
                None => Shape::schema_of::<Service>(),
                Some(_) => Shape::schema_of::<Component>(),
            };
            out.extend(patch::judge(Yarn::NAME, &schema, super::patched::fits, text, required.at));
            let (keys, requirement) =
                (&["files", "placement_policy", "readiness_check"], "YARN reports them at submission");
            out.extend(patch::unchecked(Yarn::NAME, text, required.at, keys, requirement));
        }
    }
}

fn bad(at: Span, fact: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&BAD_OPTION, at, fact).here("invalid for target yarn").help(help)
}

/// Checks the keys of `mounted`: each must be a URI, and no two may name the same directory.
fn mounted(job: &Options, out: &mut Vec<Diagnostic>) {
    for (number, (uri, _)) in job.mounted.0.iter().enumerate() {
        let same = |other: &str| other.trim_end_matches('/') == uri.value.trim_end_matches('/');
        if let Some((first, _)) = job.mounted.0[..number].iter().find(|(other, _)| same(&other.value)) {
            let fact = format!("`{}` and `{}` are the same directory", first.value, uri.value);
            out.push(bad(uri.span, fact, "remove one of them").label(first.span, "first mount point"));
        }
    }
    for (uri, _) in job.mounted.0.iter().filter(|(uri, _)| Scheme::of_address(&uri.value).is_none()) {
        let help =
            "write the URI that the job uses, as in `mounted { \"nfs://HOST/EXPORT\" \"/mnt/export\" }`";
        out.push(bad(uri.span, format!("`{}` is not a URI", uri.value.escaped()), help));
    }
}

fn options(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.site.job;
    if let Some(stated) = &job.hadoop
        && let Some((fact, help)) = Release::fault(&stated.value)
    {
        out.push(bad(stated.span, fact, help));
    }
    if let Some(queue) = &job.queue {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if queue.value.is_empty() || !queue.value.chars().all(plain) {
            let fact = format!("`{}` is not a valid queue name", queue.value);
            out.push(bad(queue.span, fact, "use letters, digits, `_`, `-`, and `.`, such as `ml`"));
        }
    }
    if let Some(domain) = &job.dns_domain
        && let Some(fault) = names::host_fault(&domain.value)
    {
        out.push(bad(
            domain.span,
            format!("`{}` {fault}", domain.value),
            "use a domain name such as `cluster.example.com`",
        ));
    }
    if let Some(user) = &job.user
        && let Some(fault) = names::host_fault(&user.value)
    {
        let help = "write the user name as in DNS: lower case, without a Kerberos realm, `-` instead of `_`";
        out.push(bad(user.span, format!("`{}` {fault}", user.value), help));
    }
    mounted(job, out);
    if let Some(attribute) = &job.gpu_attribute
        && !attribute.value.contains('/')
    {
        let fact = format!("the node attribute `{}` has no prefix, so it matches no node", attribute.value);
        let help = "add the prefix, as in `nm.yarn.io/gpu-model` or `rm.yarn.io/gpu-model`";
        out.push(bad(attribute.span, fact, help));
    }
    for uri in [ShimSource::url(job.shim.as_ref()), job.docker_config.as_ref()].into_iter().flatten() {
        if !uri.value.scheme().has_hadoop_client() {
            let help = "copy the file to the default file system of the cluster, and write its URI, such as `hdfs://default/…`";
            let fact = match uri.value.scheme().class() {
                Class::Spec => "is a path next to the spec, which the service master cannot read",
                Class::Node => {
                    "is a path of one machine, but the service master reads only the default file system of the cluster"
                }
                Class::Web => {
                    "is on a web server, but the service master reads only the default file system of the cluster"
                }
                Class::Hadoop | Class::Bucket | Class::Repository | Class::Volume => {
                    "cannot be read by YARN: Hadoop has no client for this scheme"
                }
            };
            out.push(bad(uri.span, format!("`{}` {fact}", uri.value), help));
        }
    }
    addresses(context, out);
}

/// Checks that `resource-manager` and `default-fs` are URIs without a path.
fn addresses(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.site.job;
    let web: fn(Scheme) -> bool = |scheme| scheme.class() == Class::Web;
    let roots = [
        (&job.resource_manager, web, "http://rm.example.com:8088"),
        (&job.default_fs, Scheme::has_hadoop_client, "hdfs://nn1"),
    ];
    for (address, fits, example) in roots {
        let Some(address) = address else { continue };
        if !is_root(&address.value, fits) {
            out.push(bad(
                address.span,
                format!("`{}` is not a valid address for this option", address.value),
                format!("use a URI without a path, such as `{example}`"),
            ));
        }
    }
}

/// Checks the name of the queue, which an option or a patch sets.
fn queue(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let option = context.site.job.queue.as_ref().map(|queue| (queue.value.to_string(), queue.span));
    let patched = super::reserve::queue(context.plan).map(|queue| (queue.name, queue.at));
    let named = patched.map_or(option, |(name, at)| Some((name?, at)));
    let newer = (!context.release.queue_paths())
        .then_some("; or, if the cluster runs Hadoop 3.3 or later, add `hadoop \"3.3\"`");
    out.extend(named.and_then(|(name, at)| containers::queue_path(&name, at, newer)));
}

/// Returns whether a text has the form `scheme://host` or `scheme://host:port`, and `fits` accepts the scheme.
fn is_root(text: &str, fits: fn(Scheme) -> bool) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".:-_@".contains(c);
    Scheme::of_address(text).is_some_and(fits)
        && text.split_once("://").is_some_and(|(_, host)| {
            let host = host.trim_end_matches('/');
            !host.is_empty() && host.chars().all(plain)
        })
}

/// Checks that containers' host names, `<component>-<index>.<service>.<user>.<domain>`, are not too long. The NodeManager refuses a
/// name of more than 64 characters.
fn hostnames(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.plan.name;
    let user = match (context.user(), context.domain()) {
        (Some(user), _) => user.len(),
        // Without `dns-domain`, the cluster may have no registry DNS. So the domain does not count, and the user name counts as
        // one character, its minimum length.
        (None, None) => 1,
        (None, Some(_)) => USER,
    };
    let domain = context.domain().map_or(0, |domain| domain.len() + 1);
    for (instance, at) in in_docker(context) {
        let length = instance.len() + 1 + job.value.len() + 1 + user + domain;
        if length <= HOSTNAME {
            continue;
        }
        let owner = match context.user() {
            Some(user) => user.to_owned(),
            None => "USER".to_owned(),
        };
        let name = [&instance, &job.value, &owner].map(String::as_str).join(".");
        let name = context.domain().map_or_else(|| name.clone(), |domain| format!("{name}.{domain}"));
        let help = if context.user().is_none() && context.domain().is_some() {
            "the user name is assumed to have 32 characters: set it with `target \"yarn\" { user \"…\" }`, or shorten the name of the job or of the role"
        } else if context.domain().is_some() {
            "shorten the name of the job or of the role, or use a cluster with a shorter DNS domain"
        } else {
            "shorten the name of the job or of the role"
        };
        out.push(
            Diagnostic::new(
                &HOSTNAME_TOO_LONG,
                at,
                format!("the container host name `{name}` would have {length} characters, but YARN allows at most {HOSTNAME}"),
            )
            .here("tasks of this role do not start")
            .label(job.span, "part of the host name")
            .help(help),
        );
    }
}

/// Returns the name of the last instance of each component with an image, and the span of the role or of `tensorboard`.
fn in_docker(context: &Context<'_>) -> Vec<(String, Span)> {
    let one = |required: &Required| match required.requirement.starts()? {
        Started::Role(role) => {
            let role = context.role(role);
            role.image.as_ref()?;
            Some((format!("{}-{}", role.name.value, role.count.value.saturating_sub(1)), role.name.span))
        }
        Started::Tensorboard(board) => {
            board.image.as_ref()?;
            Some((format!("{}-0", BOARD), required.at))
        }
    };
    context.plan.requirements.iter().filter_map(one).collect()
}

/// Checks that quicklinks have unique names. Each task of a role with a link has a quicklink, and TensorBoard has one.
fn links(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<String, Span> = BTreeMap::new();
    let board = context
        .plan
        .requirements
        .iter()
        .find(|required| matches!(required.requirement, Requirement::Job(Job::Tensorboard(_))));
    if let Some(board) = board.filter(|_| context.domain().is_some()) {
        known.insert(BOARD_LINK.to_owned(), board.at);
    }
    for required in &context.plan.requirements {
        let Requirement::Network(Network::PortLink { role, link, .. }) = &required.requirement else {
            continue;
        };
        for label in link_labels(link, context.role(*role).count.value) {
            if let Some(first) =
                known.insert(label.clone(), required.at).filter(|first| *first != required.at)
            {
                let fact = format!(
                    "two links have the name `{label}`, so the web UI of YARN shows only one of them"
                );
                out.push(
                    bad(required.at, fact, "use a unique `link` text")
                        .label(first, "first link with this name"),
                );
                break;
            }
        }
    }
}

/// Returns the names of the quicklinks of a role's tasks. If there are several tasks, each name ends in the index of the task.
pub fn link_labels(label: &str, count: u32) -> Vec<String> {
    if count == 1 {
        return vec![label.to_owned()];
    }
    (0..count).map(|index| format!("{label} {index}")).collect()
}
