//! The app of a TensorBoard.
use super::app::{REPLACE, network};
use super::command::{Command, End, Task, hadoop};
use super::draft::{Board, Draft};
use super::group::Job;
use super::shape::{App, Container, Docker, Engine, Mode, PortDefinition, PortMapping, Unreachable, Volume};
use crate::dcos::{Decimal, cores};
use std::collections::BTreeMap;
use tfjob_contract::Piece;
use tfjob_lang::origin::Traced;

/// Writes it. It is a service: Marathon starts it again whenever it ends.
pub(super) fn write(job: &Job<'_>, board: &Board) -> App {
    let (draft, at) = (job.draft, board.at);
    let (port, name) = (Traced(board.port, at), Some("tensorboard".to_owned()));
    let host = draft.network.is_none();
    let labels = [
        ("DCOS_SERVICE_NAME", format!("{}-tensorboard", draft.plan.name.value)),
        ("DCOS_SERVICE_SCHEME", "http".to_owned()),
        ("DCOS_SERVICE_PORT_INDEX", "0".to_owned()),
    ];
    // The page of services reaches ports of the host only.
    let labels = labels.into_iter().filter(|_| host).map(|(key, value)| (key.to_owned(), Traced(value, at)));
    App {
        id: Traced(job.app_id("tensorboard"), at),
        cmd: Traced(command(job, board).text("tensorboard", End::Serve), at),
        user: None,
        instances: Traced(1, at),
        cpus: Traced(cores(board.milli), at),
        mem: Traced(board.mebibytes, at),
        disk: None,
        gpus: None,
        container: container(draft, board, &port, name.as_ref()),
        networks: vec![network(draft, at)],
        port_definitions: host.then(|| vec![PortDefinition { port, name }]),
        require_ports: host.then_some(true),
        env: BTreeMap::new(),
        secrets: BTreeMap::new(),
        fetch: Vec::new(),
        constraints: Vec::new(),
        dependencies: Vec::new(),
        health_checks: Vec::new(),
        labels: labels.collect(),
        backoff_seconds: Traced(1, at),
        backoff_factor: Traced(Decimal(1.15), at),
        max_launch_delay_seconds: Traced(300, at),
        task_kill_grace_period_seconds: None,
        upgrade_strategy: REPLACE,
        unreachable_strategy: Traced(
            Unreachable::Replace { inactive_after_seconds: 0, expunge_after_seconds: 0 },
            at,
        ),
    }
}

fn command(job: &Job<'_>, board: &Board) -> Command {
    let nowhere = |_: &str| String::new();
    let no_port = |_: &str| Err(String::new());
    let facts = Task { index: 0, host: "", addresses: &nowhere, port: &no_port };
    let mut logs = vec![Piece::Text("--logdir=".to_owned())];
    logs.extend(job.places.value(&board.logs, job.draft.plan));
    Command {
        argv: vec![
            "tensorboard".to_owned(),
            facts.word(&logs),
            "--host=0.0.0.0".to_owned(),
            format!("--port={}", board.port),
        ],
        hadoop: job
            .draft
            .hadoop
            .as_ref()
            .map_or_else(Vec::new, |h| hadoop(&h.home, &h.java, h.conf.as_deref())),
        ..Command::default()
    }
}

fn container(draft: &Draft<'_>, board: &Board, port: &Traced<u16>, name: Option<&String>) -> Container {
    let mounts = draft.mounts.iter().filter(|_| board.image.is_some()).map(|(mount, at)| Volume::Host {
        container_path: Traced(mount.at.clone(), *at),
        host_path: mount.host.clone(),
        mode: Mode::Ro,
    });
    Container {
        kind: Engine::Mesos,
        docker: board.image.clone().map(|image| Docker {
            image: Traced(image, board.at),
            force_pull_image: None,
            pull_config: None,
        }),
        linux_info: None,
        volumes: mounts.collect(),
        port_mappings: draft
            .network
            .is_some()
            .then(|| vec![PortMapping { container_port: port.clone(), name: name.cloned() }]),
    }
}
