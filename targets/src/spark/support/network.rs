//! Ports and networks.
use super::Support;
use super::shared::everywhere;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::requirement::{self, Requirement};
use tfjob_lang::spec::{PortNumber, Protocol};

/// Answers one requirement: ports and networks.
pub fn support(requirement: &requirement::Network, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Network::Port { name, number, .. } => port(context, name, *number, requirement),
        requirement::Network::PortLink { .. } => {
            Support::Ignored("has no page that shows a task's port".to_owned())
        }
        requirement::Network::Host => host_network(context),
        requirement::Network::Container(name) => network(context, name),
        requirement::Network::Protocol(protocol) => self::protocol(*protocol),
    }
}

/// A port: `TensorFlowOnSpark` finds the one of the rendezvous, the shim the others.
fn port(
    context: &Context<'_>,
    name: &str,
    number: PortNumber,
    requirement: &requirement::Network,
) -> Support {
    let roles = &context.plan.roles;
    let cluster = name == "rendezvous";
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
            format!("may put two executors on one host, and {tasks} tasks want port {number} of it"),
            format!("write `port \"{name}\" \"auto\"`"),
            "spark#tensorflow-port",
        );
    }
    if !cluster {
        return Support::inherent("the program opens the port itself");
    }
    let members = roles.iter().filter(|r| r.kind.joins_rendezvous());
    let other = members
        .clone()
        .find(|r| !r.ports.iter().any(|p| p.name.value == "rendezvous" && p.number == Some(number)));
    match other {
        Some(other) => Support::unsupported(
            format!("gives all executors one rendezvous port, and `{}` has another", other.name.value),
            format!("write the same number in every role, or `port \"{name}\" \"auto\"` in all"),
            "spark#tensorflow-port",
        ),
        None => {
            let setting = ("spark.executorEnv.TENSORFLOW_PORT".to_owned(), number.to_string());
            Support::Native(Mechanism::Settings(vec![setting]))
        }
    }
}

/// The node's network.
fn host_network(context: &Context<'_>) -> Support {
    match context.manager {
        Manager::Standalone => Support::inherent("executors are processes of the node"),
        Manager::Yarn if context.plan.roles.iter().all(|r| r.image.is_none()) => {
            Support::inherent("executors are processes of the node")
        }
        Manager::Yarn => container_network(context, "host"),
        Manager::Kubernetes => Support::unsupported(
            "gives every pod a network of its own",
            "remove `network`, or write a pod template: `conf { spark.kubernetes.executor.podTemplateFile \"…\" }`",
            "spark#pod-networks",
        ),
    }
}

/// A network of the platform.
fn network(context: &Context<'_>, name: &str) -> Support {
    let docker = context.manager == Manager::Yarn && context.plan.roles.iter().any(|r| r.image.is_some());
    if !docker || text::plain_fault(name).is_some() {
        return Support::unsupported(
            format!("knows no network `{name}` on {}", context.manager.word()),
            "networks are those of YARN's Docker: add an `image`, or remove `network`",
            "spark#docker-networks",
        );
    }
    if matches!(name, "bridge" | "none") {
        return Support::impossible(
            format!("gives executors in Docker's `{name}` network addresses that no other node reaches"),
            "write `network \"host\"`, or the name of a network that spans the nodes",
            "Hadoop's page `Launching Applications Using Docker Containers`",
        );
    }
    container_network(context, name)
}

fn container_network(context: &Context<'_>, name: &str) -> Support {
    let setting = |family: &str| {
        [(format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK"), name.to_owned())]
    };
    Support::Native(Mechanism::Settings(everywhere(context, setting)))
}

/// How TensorFlow's tasks talk.
fn protocol(protocol: Protocol) -> Support {
    match protocol {
        Protocol::Grpc => Support::inherent("TensorFlow's own"),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            Support::unsupported(
                "has no way to name a protocol since TensorFlowOnSpark 2",
                "write `protocol \"grpc\"`, or remove it",
                "spark#protocols",
            )
        }
    }
}
