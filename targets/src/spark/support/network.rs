//! Ports and networks.
use super::Answer;
use super::shared::everywhere;
use crate::spark::context::{Context, Manager};
use crate::spark::means::Means;
use crate::spark::text;
use tfjob_lang::ask::{self, Ask};
use tfjob_lang::spec::{PortNumber, Protocol};

/// Answers one requirement: ports and networks.
pub fn answer(ask: &ask::Network, case: &Context<'_>) -> Answer {
    match ask {
        ask::Network::Port { name, number, .. } => port(case, name, *number, ask),
        ask::Network::PortLink { .. } => Answer::Ignored("has no page that shows a task's port".to_owned()),
        ask::Network::Host => host_network(case),
        ask::Network::Container(name) => network(case, name),
        ask::Network::Protocol(protocol) => self::protocol(*protocol),
    }
}

/// A port: `TensorFlowOnSpark` finds the one of the rendezvous, the shim the others.
fn port(case: &Context<'_>, name: &str, number: PortNumber, ask: &ask::Network) -> Answer {
    let roles = &case.plan.roles;
    let cluster = name == "cluster";
    let default = case
        .plan
        .asks
        .iter()
        .any(|asked| asked.default && matches!(&asked.ask, Ask::Network(own) if own == ask));
    let number = match number {
        PortNumber::Auto if cluster => {
            return Answer::inherent("TensorFlowOnSpark finds a free port on each node");
        }
        PortNumber::Auto => {
            return Answer::Emulated(Means::ShimWords, "the shim finds a free port".to_owned());
        }
        PortNumber::Fixed(_) if cluster && default => {
            return Answer::inherent("TensorFlowOnSpark finds a free port on each node");
        }
        PortNumber::Fixed(number) => number.0,
    };
    let uses = |role: &tfjob_lang::plan::Role| role.ports.iter().any(|p| p.number == Some(number));
    let tasks: u32 = roles.iter().filter(|r| uses(r)).map(|r| r.count.value).sum();
    if tasks > 1 && case.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("may put two executors on one host, and {tasks} tasks want port {number} of it"),
            format!("write `port \"{name}\" \"auto\"`"),
            "spark-dcos §1.3: two identical addresses, and no error",
        );
    }
    if !cluster {
        return Answer::inherent("the program opens the port itself");
    }
    let members = roles.iter().filter(|r| r.kind.joins_rendezvous());
    let other = members
        .clone()
        .find(|r| !r.ports.iter().any(|p| p.name.value == "cluster" && p.number == Some(number)));
    match other {
        Some(other) => Answer::refused(
            format!("gives all executors one rendezvous port, and `{}` has another", other.name.value),
            format!("write the same number in every role, or `port \"{name}\" \"auto\"` in all"),
            "spark-dcos §1.3",
        ),
        None => {
            let setting = ("spark.executorEnv.TENSORFLOW_PORT".to_owned(), number.to_string());
            Answer::Native(Means::Settings(vec![setting]))
        }
    }
}

/// The node's network.
fn host_network(case: &Context<'_>) -> Answer {
    match case.manager {
        Manager::Standalone => Answer::inherent("executors are processes of the node"),
        Manager::Yarn if case.plan.roles.iter().all(|r| r.image.is_none()) => {
            Answer::inherent("executors are processes of the node")
        }
        Manager::Yarn => container_network(case, "host"),
        Manager::Kubernetes => Answer::refused(
            "gives every pod a network of its own",
            "remove `network`, or write a pod template: `conf { spark.kubernetes.executor.podTemplateFile \"…\" }`",
            "spark-dcos §2.3",
        ),
    }
}

/// A network of the platform.
fn network(case: &Context<'_>, name: &str) -> Answer {
    let docker = case.manager == Manager::Yarn && case.plan.roles.iter().any(|r| r.image.is_some());
    if !docker || text::plain_fault(name).is_some() {
        return Answer::refused(
            format!("knows no network `{name}` on {}", case.manager.word()),
            "networks are those of YARN's Docker: add an `image`, or remove `network`",
            "spark-dcos §2.3",
        );
    }
    if matches!(name, "bridge" | "none") {
        return Answer::impossible(
            format!("gives executors in Docker's `{name}` network addresses that no other node reaches"),
            "write `network \"host\"`, or the name of a network that spans the nodes",
            "Hadoop's page `Launching Applications Using Docker Containers`",
        );
    }
    container_network(case, name)
}

fn container_network(case: &Context<'_>, name: &str) -> Answer {
    let setting = |family: &str| {
        [(format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK"), name.to_owned())]
    };
    Answer::Native(Means::Settings(everywhere(case, setting)))
}

/// How TensorFlow's tasks talk.
fn protocol(protocol: Protocol) -> Answer {
    match protocol {
        Protocol::Grpc => Answer::inherent("TensorFlow's own"),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => Answer::refused(
            "has no way to name a protocol since TensorFlowOnSpark 2",
            "write `protocol \"grpc\"`, or remove it",
            "spark-dcos §1.7",
        ),
    }
}
