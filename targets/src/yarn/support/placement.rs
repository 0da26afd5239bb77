//! Placement on nodes. One constraint turns the whole service over to the placement handler, which is off unless the
//! cluster's administrator has turned it on; and only a posted service can hold one.
use super::Support;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::schema::{Placement, Scope};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Identity, Requirement};
use tfjob_lang::spec::Spread;
use tfjob_lang::target::is_true;

/// Answers one requirement: placement on nodes.
pub fn support(requirement: &requirement::Placement, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => attribute(context, *role, key, value),
        requirement::Placement::Partition { role: _, name } => partition(name),
        requirement::Placement::Spread { role, spread } => self::spread(context, *role, *spread),
    }
}

/// What keeps a service with constraints from being placed, and all that would settle it.
fn unplaced(context: &Context<'_>) -> Option<Support> {
    let lacks = Lacks::of(context);
    let (fact, help, evidence) = if lacks.handler {
        (
            "never places a service with constraints where its resource manager has no handler for them, which is the default",
            "if yours has one, say so",
            "yarn#placement-handler",
        )
    } else if lacks.address {
        (
            "reads constraints only in a service that is posted: `yarn app -launch` writes them so that the server refuses them",
            "say where to post it",
            "yarn#placement-over-rest",
        )
    } else if lacks.user {
        ("runs a service that is posted without a name as its web user", "say who submits", "yarn#rest-user")
    } else {
        return None;
    };
    Some(Support::unsupported(fact, format!("{help}: {}", lacks.options()?), evidence))
}

/// Options without which no constraint is kept.
struct Lacks {
    handler: bool,
    address: bool,
    user: bool,
}

impl Lacks {
    fn of(context: &Context<'_>) -> Self {
        let options = &context.site.job;
        Self {
            handler: !is_true(options.placement_constraints.as_ref()),
            address: options.resource_manager.is_none(),
            user: context.user().is_none()
                && !context.requirements(|requirement| {
                    matches!(requirement, Requirement::Identity(Identity::Kerberos { .. }))
                }),
        }
    }

    fn options(&self) -> Option<String> {
        let ways = [
            (self.handler, "`target \"yarn\" { placement-constraints #true }`"),
            (self.address, "`target \"yarn\" { resource-manager \"http://HOST:8088\" }`"),
            (self.user, "`target \"yarn\" { user \"…\" }`"),
        ];
        let ways: Vec<&str> = ways.into_iter().filter(|(lacks, _)| *lacks).map(|(_, way)| way).collect();
        (!ways.is_empty()).then(|| ways.join(" and "))
    }
}

/// The options that a constraint needs and the job does not have.
pub fn missing(context: &Context<'_>) -> Option<String> {
    Lacks::of(context).options()
}

/// An attribute with its prefix: without one no node is found, and the job waits for ever.
pub fn attribute(context: &Context<'_>, role: RoleId, key: &str, value: &str) -> Support {
    if let Some(refused) = unplaced(context) {
        return refused;
    }
    if !context.release.node_attributes() {
        return Support::unsupported(
            "asks for no node attribute before Hadoop 3.4.1: a constraint must be about other tasks",
            "say `target \"yarn\" { hadoop \"3.4.1\" }` or newer if the cluster is, or remove `node` and take the queue of these nodes",
            "hadoop-yarn-services-core 3.3.6 and 3.4.1, Component",
        );
    }
    if !key.contains('/') {
        return Support::impossible(
            format!("knows attributes by their prefix, and finds no node by `{key}`"),
            format!(
                "write `\"rm.yarn.io/{key}\"` for one that an administrator set, `\"nm.yarn.io/{key}\"` for one that the node reports"
            ),
            "seen on Hadoop 3.4.2 with both handlers",
        );
    }
    if !is_attribute(key) {
        return Support::impossible(
            format!("has no attribute called `{key}`, and no node is found by it"),
            "a domain, `/`, and a name of letters, digits, `-` and `_`, such as `rm.yarn.io/room`",
            "NodeLabelUtil.checkAndThrowAttributeName, checkAndThrowAttributePrefix",
        );
    }
    if !is_value(value) {
        return Support::impossible(
            format!("lets no attribute have the value `{value}`, and no node is found by it"),
            "letters, digits, `-`, `_` and `.`, a letter or digit first, at most 255",
            "NodeLabelUtil.checkAndThrowAttributeValue",
        );
    }
    Support::Native(constraint(role, key, value))
}

fn begins(text: &str, inner: &[u8]) -> bool {
    text.len() <= 255
        && text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || inner.contains(&b))
}

fn is_attribute(key: &str) -> bool {
    key.split_once('/').is_some_and(|(prefix, name)| begins(prefix, b"-_.") && begins(name, b"-_"))
}

fn is_value(value: &str) -> bool {
    begins(value, b"-_.")
}

/// Node labels belong to queues here.
fn partition(name: &str) -> Support {
    Support::unsupported(
        format!("gives no component of a service the partition `{name}`: a partition belongs to queues"),
        "remove `partition`, and take a queue whose nodes these are: `target \"yarn\" { queue \"…\" }`",
        "yarn#node-partitions",
    )
}

fn spread(context: &Context<'_>, role: RoleId, spread: Spread) -> Support {
    if let Some(refused) = unplaced(context) {
        return refused;
    }
    let scope = match spread {
        Spread::Host => Scope::Node,
        Spread::Rack => Scope::Rack,
    };
    Support::Native(Mechanism::Constrain { role, kind: Placement::AntiAffinity, scope, attribute: None })
}

/// The constraint that an attribute has a value.
fn constraint(role: RoleId, attribute: &str, value: &str) -> Mechanism {
    Mechanism::Constrain {
        role,
        kind: Placement::Affinity,
        scope: Scope::Node,
        attribute: Some((attribute.to_owned(), value.to_owned())),
    }
}
