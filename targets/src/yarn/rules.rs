//! Rules that no single ask can see: options that the engine would not take, names that get too long together, ports
//! that tasks would take from each other.
mod files;
mod ports;

use super::Yarn;
use super::context::Context;
use super::release::Release;
use super::schema::{Component, Service};
use super::support::job::{BOARD, BOARD_LINK};
use crate::codes::HOSTNAME_TOO_LONG;
use crate::shim_source::{self, ShimSource};
use crate::{containers, cores, delivered, finished, names, patch};
use std::collections::BTreeMap;
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Network, Required, Requirement, Started};
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{Class, Scheme};
use tfjob_lang::target::{Site, Target};

/// The longest host name of a container (`OCIContainerRuntime.HOST_NAME_LENGTH`).
const HOSTNAME: usize = 64;
/// The longest name of a user of Linux, where none is stated.
const USER: usize = 32;

/// Every fault of the job as a whole.
pub fn judge(plan: &Plan, site: &Site<Yarn>) -> Vec<Diagnostic> {
    let context = Context::new(plan, site);
    let mut out = Vec::new();
    options(&context, &mut out);
    if out.is_empty() {
        hostnames(&context, &mut out);
        queue(&context, &mut out);
    }
    shim_source::judge(Yarn::NAME, site.job.shim.as_ref(), Some(NO_PATH), &mut out);
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

/// The service master localizes files from the default file system only.
const NO_PATH: shim_source::Missing = shim_source::Missing {
    property: "path",
    why: "the service master localizes the shim from the default file system into each container",
    help: "write `shim url=\"hdfs://default/apps/tfjob-shim\"`, or remove `shim`: then a setup step uploads it",
};

/// The user's own words must fit what they are merged into.
fn patches(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for required in &context.plan.requirements {
        let Requirement::Job(Job::Patch { target, role, text }) = &required.requirement else { continue };
        if target == Yarn::NAME {
            let schema = match role {
                None => Shape::schema_of::<Service>(),
                Some(_) => Shape::schema_of::<Component>(),
            };
            out.extend(patch::judge(Yarn::NAME, &schema, super::patched::fits, text, required.at));
            let (keys, requirement) = (
                &["files", "placement_policy", "readiness_check"],
                "the services' API says them at submission",
            );
            out.extend(patch::unchecked(Yarn::NAME, text, required.at, keys, requirement));
        }
    }
}

fn bad(at: Span, fact: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&BAD_OPTION, at, fact).here("yarn does not take it").help(help)
}

fn options(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.site.job;
    if let Some(stated) = &job.hadoop
        && let Some((fact, right)) = Release::fault(&stated.value)
    {
        let fix = Fix::replace(stated.span, format!("\"{right}\""));
        out.push(bad(stated.span, fact, "Hadoop 3.1.2 to 3.4").suggest(fix));
    }
    if let Some(queue) = &job.queue {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if queue.value.is_empty() || !queue.value.chars().all(plain) {
            let fact = format!("`{}` is not the name of a queue", queue.value);
            out.push(bad(queue.span, fact, "letters, digits, `_`, `-` and `.`, such as `ml`"));
        }
    }
    if let Some(domain) = &job.dns_domain
        && let Some(fault) = names::host_fault(&domain.value)
    {
        out.push(bad(
            domain.span,
            format!("`{}` {fault}", domain.value),
            "a domain such as `cluster.example.com`",
        ));
    }
    if let Some(user) = &job.user
        && let Some(fault) = names::host_fault(&user.value)
    {
        let help = "write the name as DNS has it: lower case, without realm, `-` for `_`";
        out.push(bad(user.span, format!("`{}` {fault}", user.value), help));
    }
    if let Some(attribute) = &job.gpu_attribute
        && !attribute.value.contains('/')
    {
        let fact = format!("`{}` has no prefix, and no node is found by it", attribute.value);
        out.push(bad(attribute.span, fact, "such as `nm.yarn.io/gpu-model` or `rm.yarn.io/gpu-model`"));
    }
    for uri in [ShimSource::url(job.shim.as_ref()), job.docker_config.as_ref()].into_iter().flatten() {
        if !uri.value.scheme().has_hadoop_client() {
            let help = "a file on the cluster's default file system, such as `hdfs://default/…`";
            out.push(bad(uri.span, format!("`{}` is not there for the engine", uri.value), help));
        }
    }
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
                format!("`{}` is no address here", address.value),
                format!("such as `{example}`"),
            ));
        }
    }
}

/// The queue by a name that YARN may not know.
fn queue(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let option = context.site.job.queue.as_ref().map(|queue| (queue.value.to_string(), queue.span));
    let patched = super::reserve::queue(context.plan).map(|queue| (queue.name, queue.at));
    let named = patched.map_or(option, |(name, at)| Some((name?, at)));
    let newer =
        (!context.release.queue_paths()).then_some(", or `hadoop \"3.3\"` if the cluster is that or newer");
    out.extend(named.and_then(|(name, at)| containers::queue_path(&name, at, newer)));
}

/// `scheme://host`, maybe with a port, without a path, of a scheme that `fits`.
fn is_root(text: &str, fits: fn(Scheme) -> bool) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".:-_@".contains(c);
    Scheme::of_address(text).is_some_and(fits)
        && text.split_once("://").is_some_and(|(_, host)| {
            let host = host.trim_end_matches('/');
            !host.is_empty() && host.chars().all(plain)
        })
}

/// A container is called `<component>-<index>.<service>.<user>.<domain>`, and the node refuses a longer name.
fn hostnames(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.plan.name;
    let user = match (context.user(), context.domain()) {
        (Some(user), _) => user.len(),
        // Without a domain nothing says that the cluster has DNS: only what is certain counts.
        (None, None) => 1,
        (None, Some(_)) => USER,
    };
    let domain = context.domain().map_or(0, |domain| domain.len() + 1);
    for (instance, at) in in_docker(context) {
        let length = instance.len() + 1 + job.value.len() + 1 + user + domain;
        if length <= HOSTNAME {
            continue;
        }
        let whose = match context.user() {
            Some(user) => user.to_owned(),
            None => "USER".to_owned(),
        };
        let name = [&instance, &job.value, &whose].map(String::as_str).join(".");
        let name = context.domain().map_or_else(|| name.clone(), |domain| format!("{name}.{domain}"));
        let help = if context.user().is_none() && context.domain().is_some() {
            "a user is taken to have 32 characters: say who submits, `target \"yarn\" { user \"…\" }`, or shorten the names"
        } else {
            "shorten the name of the job, of the role or of the domain"
        };
        out.push(
            Diagnostic::new(
                &HOSTNAME_TOO_LONG,
                at,
                format!("the host name `{name}` can have {length} characters, and a container's has at most {HOSTNAME}"),
            )
            .here("its tasks do not start")
            .label(job.span, "part of the name")
            .help(help),
        );
    }
}

/// The last instance of each component that has an image, with the place that asks for it.
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

/// The page has one link of each name: a role of several tasks has one for each, and the TensorBoard its own.
fn links(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let board = context
        .plan
        .requirements
        .iter()
        .find(|required| matches!(required.requirement, Requirement::Job(Job::Tensorboard(_))));
    if let Some(board) = board.filter(|_| context.domain().is_some()) {
        seen.insert(BOARD_LINK.to_owned(), board.at);
    }
    for required in &context.plan.requirements {
        let Requirement::Network(Network::PortLink { role, link, .. }) = &required.requirement else {
            continue;
        };
        for label in link_labels(link, context.role(*role).count.value) {
            if let Some(first) = seen.insert(label.clone(), required.at).filter(|first| *first != required.at)
            {
                out.push(
                    bad(required.at, format!("two links are called `{label}`"), "give each its own words")
                        .label(first, "the first"),
                );
                break;
            }
        }
    }
}

/// What the links of a role's tasks are called.
pub fn link_labels(words: &str, count: u32) -> Vec<String> {
    if count == 1 {
        return vec![words.to_owned()];
    }
    (0..count).map(|index| format!("{words} {index}")).collect()
}
