//! Placement on nodes. One constraint turns the whole service over to the placement handler, which is off unless the
//! cluster's administrator has turned it on; and only a posted service can hold one.
use super::Answer;
use crate::yarn::context::Context;
use crate::yarn::means::Means;
use crate::yarn::schema::{Placement, Scope};
use tfjob_lang::ask::{self, Ask, Identity};
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::Spread;
use tfjob_lang::target::is_true;

/// Answers one requirement: placement on nodes.
pub fn answer(ask: &ask::Placement, case: &Context<'_>) -> Answer {
    match ask {
        ask::Placement::Node { role, key, value } => attribute(case, *role, key, value),
        ask::Placement::Partition { role: _, name } => partition(name),
        ask::Placement::Spread { role, spread } => self::spread(case, *role, *spread),
    }
}

/// What keeps a service with constraints from being placed, and all that would settle it.
fn unplaced(case: &Context<'_>) -> Option<Answer> {
    let lacks = Lacks::of(case);
    let (fact, help, proof) = if lacks.handler {
        (
            "never places a service with constraints where its resource manager has no handler for them, which is the default",
            "if yours has one, say so",
            "yarn-observed §4",
        )
    } else if lacks.address {
        (
            "reads constraints only in a service that is posted: `yarn app -launch` writes them so that the server refuses them",
            "say where to post it",
            "yarn-observed §1",
        )
    } else if lacks.user {
        (
            "runs a service that is posted without a name as its web user",
            "say who submits",
            "yarn-submarine-tony §1.11",
        )
    } else {
        return None;
    };
    Some(Answer::refused(fact, format!("{help}: {}", lacks.options()?), proof))
}

/// Options without which no constraint is kept.
struct Lacks {
    handler: bool,
    address: bool,
    user: bool,
}

impl Lacks {
    fn of(case: &Context<'_>) -> Self {
        let options = &case.site.job;
        Self {
            handler: !is_true(options.placement_constraints.as_ref()),
            address: options.resource_manager.is_none(),
            user: case.user().is_none()
                && !case.asks(|ask| matches!(ask, Ask::Identity(Identity::Kerberos { .. }))),
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
pub fn missing(case: &Context<'_>) -> Option<String> {
    Lacks::of(case).options()
}

/// An attribute with its prefix: without one no node is found, and the job waits for ever.
pub fn attribute(case: &Context<'_>, role: RoleId, key: &str, value: &str) -> Answer {
    if let Some(refused) = unplaced(case) {
        return refused;
    }
    if !case.release.node_attributes() {
        return Answer::refused(
            "asks for no node attribute before Hadoop 3.4.1: a constraint must be about other tasks",
            "say `target \"yarn\" { hadoop \"3.4.1\" }` or newer if the cluster is, or remove `node` and take the queue of these nodes",
            "hadoop-yarn-services-core 3.3.6 and 3.4.1, Component",
        );
    }
    if !key.contains('/') {
        return Answer::impossible(
            format!("knows attributes by their prefix, and finds no node by `{key}`"),
            format!(
                "write `\"rm.yarn.io/{key}\"` for one that an administrator set, `\"nm.yarn.io/{key}\"` for one that the node reports"
            ),
            "seen on Hadoop 3.4.2 with both handlers",
        );
    }
    if !is_attribute(key) {
        return Answer::impossible(
            format!("has no attribute called `{key}`, and no node is found by it"),
            "a domain, `/`, and a name of letters, digits, `-` and `_`, such as `rm.yarn.io/room`",
            "NodeLabelUtil.checkAndThrowAttributeName, checkAndThrowAttributePrefix",
        );
    }
    if !is_value(value) {
        return Answer::impossible(
            format!("lets no attribute have the value `{value}`, and no node is found by it"),
            "letters, digits, `-`, `_` and `.`, a letter or digit first, at most 255",
            "NodeLabelUtil.checkAndThrowAttributeValue",
        );
    }
    Answer::Native(constraint(role, key, value))
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
fn partition(name: &str) -> Answer {
    Answer::refused(
        format!("gives no component of a service the partition `{name}`: a partition belongs to queues"),
        "remove `partition`, and take a queue whose nodes these are: `target \"yarn\" { queue \"…\" }`",
        "yarn-submarine-tony §1.6",
    )
}

fn spread(case: &Context<'_>, role: RoleId, spread: Spread) -> Answer {
    if let Some(refused) = unplaced(case) {
        return refused;
    }
    let scope = match spread {
        Spread::Host => Scope::Node,
        Spread::Rack => Scope::Rack,
    };
    Answer::Native(Means::Constrain { role, kind: Placement::AntiAffinity, scope, attribute: None })
}

/// The constraint that an attribute has a value.
fn constraint(role: RoleId, attribute: &str, value: &str) -> Means {
    Means::Constrain {
        role,
        kind: Placement::Affinity,
        scope: Scope::Node,
        attribute: Some((attribute.to_owned(), value.to_owned())),
    }
}
