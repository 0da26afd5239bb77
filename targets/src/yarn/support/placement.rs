//! Support of placement on nodes. Only the placement handler of the ResourceManager schedules services with a constraint. This
//! handler is off by default. A service with a constraint must also be submitted to the REST API.
use super::Support;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::schema::{Placement, Scope};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Identity, Requirement};
use tfjob_lang::spec::Spread;
use tfjob_lang::target::is_true;

/// Returns the support of one requirement about placement.
pub fn support(requirement: &requirement::Placement, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Placement::Node { role, key, value } => attribute(context, *role, "node", (key, value)),
        requirement::Placement::Partition { role: _, name } => partition(name),
        requirement::Placement::Spread { role, spread } => self::spread(context, *role, *spread),
    }
}

/// Refuses a placement constraint if the job does not set all options that placement constraints need.
/// `entry`: the entry that requires the constraint.
fn missing_option(missing: &MissingOptions, entry: &str) -> Option<Support> {
    let (fact, help, evidence) = if missing.handler {
        (
            format!(
                "`{entry}` becomes a placement constraint, which needs a placement handler in the ResourceManager; by default, none is configured, and the service never gets a container"
            ),
            missing.condition(),
            "yarn#placement-handler",
        )
    } else if missing.address {
        (
            "`yarn app -launch` cannot send placement constraints, so the job is submitted to the REST API of the ResourceManager, but `resource-manager` is not set"
                .to_owned(),
            "set the address of the ResourceManager",
            "yarn#placement-over-rest",
        )
    } else if missing.user {
        (
            "the job would run as the user of the web server, because it is submitted to the REST API and `user` is not set"
                .to_owned(),
            "set the user who submits the job",
            "yarn#rest-user",
        )
    } else {
        return None;
    };
    let remove = if missing.handler { format!("; otherwise remove `{entry}`") } else { String::new() };
    let help = format!("{help}: {}{}{remove}", missing.snippets()?, missing.over_rest());
    Some(Support::unsupported(fact, help, evidence))
}

/// Options that placement constraints need, but that the job does not set.
struct MissingOptions {
    /// A Hadoop version whose constraints can refer to node attributes.
    version: bool,
    handler: bool,
    address: bool,
    user: bool,
}

impl MissingOptions {
    fn of(context: &Context<'_>) -> Self {
        let options = &context.site.job;
        Self {
            version: false,
            handler: !is_true(options.placement_constraints.as_ref()),
            address: options.resource_manager.is_none(),
            user: context.user().is_none()
                && !context.requirements(|requirement| {
                    matches!(requirement, Requirement::Identity(Identity::Kerberos { .. }))
                }),
        }
    }

    /// Returns the options that a constraint on node attributes needs and the job does not set. The option `hadoop` is included
    /// only if the option `placement-constraints` is missing too.
    fn of_attribute(context: &Context<'_>) -> Self {
        let missing = Self::of(context);
        Self { version: missing.handler && !context.release.node_attributes(), ..missing }
    }

    /// Returns the beginning of a help that suggests `placement-constraints`. It states the condition that the cluster must meet.
    const fn condition(&self) -> &'static str {
        if self.version {
            "if the cluster runs Hadoop 3.4.1 or later and sets `yarn.resourcemanager.placement-constraints.handler`, write"
        } else {
            "if the cluster sets `yarn.resourcemanager.placement-constraints.handler`, write"
        }
    }

    /// Returns the end of a help: what the address and the user are for. Empty if neither of them is missing.
    const fn over_rest(&self) -> &'static str {
        match (self.address, self.user) {
            (true, true) => {
                " (the job is then submitted to the REST API at `http://HOST:8088`, as this user)"
            }
            (true, false) => " (the job is then submitted to the REST API at `http://HOST:8088`)",
            (false, true) => " (the job is then submitted to the REST API as this user)",
            (false, false) => "",
        }
    }

    /// Returns the missing options as one `target` block, for a help. `None` if no option is missing.
    fn snippets(&self) -> Option<String> {
        let missing = self.settings();
        (!missing.is_empty()).then(|| format!("`target \"yarn\" {{ {} }}`", missing.join("; ")))
    }

    /// Returns the text of each missing option with a value, such as `hadoop "3.4.1"`.
    fn settings(&self) -> Vec<&'static str> {
        let all = [
            (self.version, "hadoop \"3.4.1\""),
            (self.handler, "placement-constraints #true"),
            (self.address, "resource-manager \"http://HOST:8088\""),
            (self.user, "user \"…\""),
        ];
        all.into_iter().filter(|(missing, _)| *missing).map(|(_, snippet)| snippet).collect()
    }
}

/// Returns two texts for a help: the condition that the cluster must meet, and a `target` block with the options that placement
/// constraints need but the job does not set, with an explanation of their values. `None` if the job sets all of them.
pub fn missing_options(context: &Context<'_>) -> Option<(&'static str, String)> {
    let missing = MissingOptions::of(context);
    let condition = match missing.handler {
        true => "if the cluster sets `yarn.resourcemanager.placement-constraints.handler`, ",
        false => "",
    };
    Some((condition, format!("{}{}", missing.snippets()?, missing.over_rest())))
}

/// Returns a help that sets the node attribute with the GPU model, and all options that a constraint on it needs.
pub fn gpu_attribute(context: &Context<'_>) -> String {
    const ATTRIBUTE: &str = "gpu-attribute \"nm.yarn.io/…\"";
    let missing = MissingOptions::of_attribute(context);
    let condition = match (missing.handler, missing.version) {
        (true, true) => {
            "if the cluster runs Hadoop 3.4.1 or later and sets `yarn.resourcemanager.placement-constraints.handler`, and a node attribute contains the GPU model, write"
        }
        (true, false) => {
            "if the cluster sets `yarn.resourcemanager.placement-constraints.handler`, and a node attribute contains the GPU model, write"
        }
        (false, _) => "if a node attribute contains the GPU model, write",
    };
    let settings: Vec<_> = [ATTRIBUTE].into_iter().chain(missing.settings()).collect();
    format!("{condition}: `target \"yarn\" {{ {} }}`{}", settings.join("; "), missing.over_rest())
}

/// Returns the support of a node attribute: its name and value. The name needs a prefix, such as `rm.yarn.io/`. Without a prefix,
/// it matches no node. `entry`: the entry that requires the attribute, `node` or `gpu-model`.
pub fn attribute(context: &Context<'_>, role: RoleId, entry: &str, (key, value): (&str, &str)) -> Support {
    if let Some(refused) = missing_option(&MissingOptions::of_attribute(context), entry) {
        return refused;
    }
    if !context.release.node_attributes() {
        return Support::unsupported(
            "before Hadoop 3.4.1, a placement constraint of a service can refer only to other tasks, not to node attributes",
            format!(
                "if the cluster runs Hadoop 3.4.1 or later, set `target \"yarn\" {{ hadoop \"3.4.1\" }}`; otherwise remove `{entry}`, and use a queue whose nodes have this attribute"
            ),
            "hadoop-yarn-services-core 3.3.6 and 3.4.1, Component",
        );
    }
    if !key.contains('/') {
        return Support::impossible(
            format!(
                "`{key}` matches no node, because the names of node attributes have a prefix, such as `rm.yarn.io/`"
            ),
            format!(
                "write `\"rm.yarn.io/{key}\"` for an attribute that an administrator set, or `\"nm.yarn.io/{key}\"` for one that the node reports"
            ),
            "seen on Hadoop 3.4.2 with both handlers",
        );
    }
    if !is_attribute(key) {
        return Support::impossible(
            format!("`{key}` is not a valid node attribute name, so it matches no node"),
            "write a domain, `/`, and a name of letters, digits, `-`, and `_`, such as `rm.yarn.io/room`",
            "NodeLabelUtil.checkAndThrowAttributeName, checkAndThrowAttributePrefix",
        );
    }
    if !is_value(value) {
        return Support::impossible(
            format!("`{value}` is not a valid value of a node attribute, so it matches no node"),
            "use at most 255 letters, digits, `-`, `_`, and `.`; the first character is a letter or a digit",
            "NodeLabelUtil.checkAndThrowAttributeValue",
        );
    }
    Support::Native(constraint(role, key, value))
}

/// Returns whether a text consists of at most 255 letters, digits, and characters of `inner`, and begins with a letter or a digit.
fn is_label(text: &str, inner: &[u8]) -> bool {
    text.len() <= 255
        && text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || inner.contains(&b))
}

fn is_attribute(key: &str) -> bool {
    key.split_once('/').is_some_and(|(prefix, name)| is_label(prefix, b"-_.") && is_label(name, b"-_"))
}

fn is_value(value: &str) -> bool {
    is_label(value, b"-_.")
}

/// Returns the refusal of a node partition. A constraint with `node_partitions` could select the partition, but the
/// ResourceManager reads this field only if the component has no other constraint (`SingleConstraintAppPlacementAllocator`, Hadoop
/// 3.4.2).
fn partition(name: &str) -> Support {
    Support::unsupported(
        format!(
            "a role cannot select the partition `{name}`: tfjob generates no `node_partitions` constraints, so the queue determines the partition"
        ),
        "remove `partition`, and use a queue whose nodes are in this partition: `target \"yarn\" { queue \"…\" }`",
        "yarn#node-partitions",
    )
}

fn spread(context: &Context<'_>, role: RoleId, spread: Spread) -> Support {
    if let Some(refused) = missing_option(&MissingOptions::of(context), "spread") {
        return refused;
    }
    let scope = match spread {
        Spread::Host => Scope::Node,
        Spread::Rack => Scope::Rack,
    };
    Support::Native(Mechanism::Constrain { role, kind: Placement::AntiAffinity, scope, attribute: None })
}

/// Returns the constraint that tasks of a role run only on nodes where an attribute has this value.
fn constraint(role: RoleId, attribute: &str, value: &str) -> Mechanism {
    Mechanism::Constrain {
        role,
        kind: Placement::Affinity,
        scope: Scope::Node,
        attribute: Some((attribute.to_owned(), value.to_owned())),
    }
}
