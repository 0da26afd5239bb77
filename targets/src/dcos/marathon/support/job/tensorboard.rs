//! Support of TensorBoard. TensorBoard must be able to read the logs, but it is a separate app with its own mounts, on an agent
//! that Marathon picks.
use crate::dcos::amounts::whole_mebibytes;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::marathon::support::Support;
use crate::dcos::marathon::support::constraint;
use crate::dcos::{Dcos, images, network};
use crate::helper_environment;
use tfjob_lang::plan::{DataRef, Part, Plan, RoleId, Volume};
use tfjob_lang::requirement::{Placement, Required, Requirement, Tensorboard};
use tfjob_lang::spec::values::Image;
use tfjob_lang::target::{Site, Target};

const PROOF: &str = "Mesos, isolators/volume/host_path.cpp";

/// Returns the support of the TensorBoard of the job.
pub fn tensorboard(board: &Tensorboard, plan: &Plan, site: &Site<Dcos>) -> Support {
    if let Some(refused) = unreadable_logs(board, plan).or_else(|| refused_image(board, plan, site)) {
        return refused;
    }
    if helper_environment::is_unopened(&board.logs) {
        return Support::impossible(helper_environment::UNOPENED, helper_environment::OPENED, PROOF);
    }
    if let Some(refused) = network::unoffered(board.port, plan) {
        return refused;
    }
    let folder = helper_environment::folder(plan, &board.logs);
    let place = agents(board, plan);
    if folder.is_some_and(Volume::is_of_node) && !place.iter().any(|(key, ..)| Dcos::is_host(key)) {
        return Support::unsupported(
            "TensorBoard is a separate app: on another agent than that of the task, it does not find the `file:` directory with the logs",
            "pin the job to one agent, `placement { node \"hostname\" \"AGENT\"; }`; or declare the directory as `shared` in the cluster file; or use a URI such as `hdfs:`",
            PROOF,
        );
    }
    if let Some(refused) = place
        .iter()
        .find_map(|(key, value, _)| Dcos::is_host(key).then(|| pinned(board.port, value, plan)).flatten())
    {
        return refused;
    }
    let constraint = |(key, value, required): &(&str, &str, &Required)| {
        tfjob_lang::origin::Traced(constraint::constraint(key, value, site), required.at)
    };
    let mechanism = |mebibytes| Mechanism::Tensorboard {
        logs: board.logs.clone(),
        port: board.port,
        image: board.image.as_ref().map(ToString::to_string),
        milli: board.milli,
        mebibytes,
        folder: folder.map(|volume| helper_environment::path(volume).to_owned()),
        place: place.iter().map(constraint).collect(),
    };
    whole_mebibytes(board.bytes, mechanism)
        .emulated("TensorBoard is a separate app: it runs until you remove the Marathon group of the job with the cleanup command that `tfjob compile` prints")
}

/// Refuses to pin TensorBoard to an agent if a task that is pinned to this agent uses the port of TensorBoard.
fn pinned(number: u16, host: &str, plan: &Plan) -> Option<Support> {
    let taken = |id: RoleId| network::is_pinned(id, host, plan) && network::needs(id, number, plan);
    (network::containers(plan).is_none() && (0..plan.roles.len()).any(taken))
        .then(|| network::occupied(number, host))
}

/// Refuses a log directory that exists only in the task that writes the logs, because TensorBoard cannot read it.
fn unreadable_logs(board: &Tensorboard, plan: &Plan) -> Option<Support> {
    let of_a_task = |part: &Part| match part {
        Part::Text(_) | Part::Data(DataRef::Data(_) | DataRef::Checkpoints, _) | Part::Task(..) => false,
        Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Scratch, _) => true,
    };
    if board.logs.parts.iter().any(of_a_task) {
        return Some(Support::impossible(
            "TensorBoard is a separate app with its own sandbox, so it cannot read `{code}`, `{files.NAME}`, or `{scratch}` of a task",
            "write `logs=\"{checkpoints}\"`, or a URI that both TensorBoard and the tasks can open, such as `logs=\"hdfs://default/logs\"`",
            "dcos#sandboxes",
        ));
    }
    let absolute = matches!(board.logs.parts.first(), Some(Part::Text(text)) if text.starts_with('/'));
    (absolute && board.image.is_some() && helper_environment::folder(plan, &board.logs).is_none()).then(
        || {
            Support::impossible(
                "TensorBoard runs in a separate container, but nothing is mounted there at the path of the logs",
                "write `logs=\"{checkpoints}\"` with `checkpoints \"file:///…\" at=\"/ckpt\"`; or write a URI, such as `logs=\"hdfs://default/logs\"`",
                PROOF,
            )
        },
    )
}

/// Refuses an image that agents cannot pull. If a role uses the same image, the error is reported only at the role.
fn refused_image(board: &Tensorboard, plan: &Plan, site: &Site<Dcos>) -> Option<Support> {
    let of_role = |image: &&Image| {
        plan.roles.iter().any(|role| role.image.as_ref().is_some_and(|used| used.image.value == **image))
    };
    images::refused(board.image.as_ref().filter(|image| !of_role(image))?, site)
}

/// Returns the agent attributes that the app of TensorBoard needs. If TensorBoard reads a directory of the agent, it needs each
/// attribute that all roles in the rendezvous request. Otherwise, it needs no attributes.
pub fn agents<'p>(board: &Tensorboard, plan: &'p Plan) -> Vec<(&'p str, &'p str, &'p Required)> {
    if helper_environment::folder(plan, &board.logs).is_none() {
        return Vec::new();
    }
    let trains = |role: usize| plan.roles[role].kind.joins_rendezvous();
    let mut roles = (0..plan.roles.len()).filter(|role| trains(*role));
    let Some(first) = roles.next() else { return Vec::new() };
    let of = |role: usize| {
        plan.requirements.iter().filter_map(move |required| {
            let Requirement::Placement(Placement::Node { role: of, key, value }) = &required.requirement
            else {
                return None;
            };
            (*of == role).then_some((key.as_str(), value.as_str(), required))
        })
    };
    let others: Vec<usize> = roles.collect();
    let alike = |(key, value, _): &(&str, &str, &Required)| {
        others.iter().all(|other| of(*other).any(|(k, v, _)| (k, v) == (*key, *value)))
    };
    of(first).filter(alike).collect()
}
