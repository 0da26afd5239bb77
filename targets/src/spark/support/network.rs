//! Support of ports and networks.
use super::Support;
use super::shared::container_variables;
use crate::ports;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_contract::RENDEZVOUS;
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::{self, Requirement};
use tfjob_lang::spec::{PortNumber, Protocol};

/// Returns the support of one requirement about ports and networks.
pub fn support(requirement: &requirement::Network, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { role, name, number } => {
            port(context, *role, (name, *number), requirement)
        }
        requirement::Network::PortLink { .. } => {
            Support::Ignored("`link` is ignored (the web UI of Spark shows no links to tasks)".to_owned())
        }
        requirement::Network::Host => host_network(context),
        requirement::Network::Container(name) => network(context, name),
        requirement::Network::Protocol(protocol) => self::protocol(*protocol),
    }
}

/// Returns the support of a port. `TensorFlowOnSpark` picks a free rendezvous port. For every other port with the number `"auto"`,
/// the shim picks a free port.
fn port(
    context: &Context<'_>,
    role: RoleId,
    (name, number): (&str, PortNumber),
    requirement: &requirement::Network,
) -> Support {
    let roles = &context.plan.roles;
    let cluster = name == RENDEZVOUS;
    let default = context.plan.requirements.iter().any(|required| {
        required.default && matches!(&required.requirement, Requirement::Network(own) if own == requirement)
    });
    let number = match number {
        PortNumber::Auto if cluster => {
            return Support::inherent("TensorFlowOnSpark finds a free port on each node");
        }
        PortNumber::Auto => {
            return Support::Emulated(Mechanism::ShimWords, "the shim finds a free port".to_owned());
        }
        PortNumber::Fixed(_) if cluster && default => {
            return Support::inherent("TensorFlowOnSpark finds a free port on each node");
        }
        PortNumber::Fixed(number) => number.0,
    };
    let uses = |role: &tfjob_lang::plan::Role| role.ports.iter().any(|p| p.number == Some(number));
    let tasks: u32 = roles.iter().filter(|r| uses(r)).map(|r| r.count.value).sum();
    if tasks > 1 && context.manager != Manager::Kubernetes {
        return Support::unsupported(
            format!(
                "executors may share a node, but only one of the {tasks} tasks that use port {number} can bind it there"
            ),
            ports::unshared(context.plan, role, name),
            "spark#executor-placement",
        );
    }
    if !cluster {
        return Support::inherent("the program opens the port itself");
    }
    let members = roles.iter().filter(|r| r.kind.joins_rendezvous());
    let other = members
        .clone()
        .find(|r| !r.ports.iter().any(|p| p.name.value == RENDEZVOUS && p.number == Some(number)));
    match other {
        Some(other) => Support::unsupported(
            format!(
                "all executors get the same rendezvous port (`TENSORFLOW_PORT`), but `{}` sets another number",
                other.name.value
            ),
            format!("write the same number in every role, or `port \"{name}\" \"auto\"` in all of them"),
            "spark#tensorflow-port",
        ),
        None => {
            let setting = ("spark.executorEnv.TENSORFLOW_PORT".to_owned(), number.to_string());
            Support::Native(Mechanism::Settings(vec![setting]))
        }
    }
}

fn host_network(context: &Context<'_>) -> Support {
    match context.manager {
        Manager::Standalone => Support::inherent("executors use the network of the node"),
        Manager::Yarn if context.plan.roles.iter().all(|r| r.image.is_none()) => {
            Support::inherent("executors use the network of the node")
        }
        Manager::Yarn => container_network(context, "host"),
        Manager::Kubernetes => Support::unsupported(
            "no Spark setting enables `hostNetwork` for executor pods",
            "remove `network`, or enable it in a pod template: `conf { spark.kubernetes.executor.podTemplateFile \"…\" }`",
            "spark#pod-networks",
        ),
    }
}

fn network(context: &Context<'_>, name: &str) -> Support {
    if context.manager != Manager::Yarn {
        return Support::unsupported(
            format!(
                "a named network needs Docker containers on YARN, but this job runs on {}",
                context.manager.word()
            ),
            "remove `network`",
            "spark#docker-networks",
        );
    }
    if context.plan.roles.iter().all(|r| r.image.is_none()) {
        return Support::unsupported(
            format!("only Docker containers can use the network `{name}`, but this job has no `image`"),
            "add an `image`, or remove `network`",
            "spark#docker-networks",
        );
    }
    if text::plain_fault(name).is_some() {
        return Support::unsupported(
            format!("`{name}` is not a valid Docker network name"),
            "use letters, digits, `_`, `.`, and `-`",
            "spark#docker-networks",
        );
    }
    if matches!(name, "bridge" | "none") {
        return Support::impossible(
            format!("executors in Docker's `{name}` network have no address that other nodes can reach"),
            "write `network \"host\"`, or the name of an overlay network that spans the nodes",
            "Hadoop's page `Launching Applications Using Docker Containers`",
        );
    }
    container_network(context, name)
}

fn container_network(context: &Context<'_>, name: &str) -> Support {
    let setting = |family: &str| {
        [(format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK"), name.to_owned())]
    };
    Support::Native(Mechanism::Settings(container_variables(context, setting)))
}

fn protocol(protocol: Protocol) -> Support {
    match protocol {
        Protocol::Grpc => Support::inherent("gRPC is the default of TensorFlow"),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            Support::unsupported(
                "TensorFlowOnSpark 2 cannot set the protocol between TensorFlow tasks, so they use gRPC",
                "write `protocol \"grpc\"`, or remove `protocol`",
                "spark#protocols",
            )
        }
    }
}
