//! Whether a TensorBoard sees the logs that it reads: an app of its own, on an agent that Marathon picks, in a container with
//! its own mounts.
use super::{Given, Means, attribute, network};
use crate::dcos::{Dcos, images, whole_mebibytes};
use tfjob_lang::ask::{Ask, Asked, Tensorboard};
use tfjob_lang::cluster::demand::{Demand, Term};
use tfjob_lang::plan::{Part, Place, Plan, RoleKind, Volume};
use tfjob_lang::spec::values::{Image, Scheme};
use tfjob_lang::target::{Answer, Site};

const PROOF: &str = "Mesos, isolators/volume/host_path.cpp";

pub(super) fn tensorboard(board: &Tensorboard, plan: &Plan, site: &Site<Dcos>) -> Given {
    if let Some(refused) = unseen(board, plan).or_else(|| unpulled(board, plan, site)) {
        return refused;
    }
    if let Some(refused) = network::unoffered(board.port, plan) {
        return refused;
    }
    let folder = folder(board, plan);
    let place = agents(board, plan);
    let own = folder.is_some_and(|volume| is_own(volume, plan));
    if own && !place.iter().any(|(key, ..)| *key == "hostname") {
        return Answer::refused(
            "runs TensorBoard on any agent, and the task's own agent alone has the `file:` checkpoints",
            "name the agent of the task, `place { node \"hostname\" \"AGENT\"; }`; or a folder that a cluster file calls `shared`; or a uri such as `hdfs:`",
            PROOF,
        );
    }
    let constraint = |(key, value, asked): &(&str, &str, &Asked)| {
        tfjob_lang::origin::Traced(attribute::constraint(key, value, site), asked.at)
    };
    let means = |mebibytes| Means::Tensorboard {
        logs: board.logs.clone(),
        port: board.port,
        image: board.image.as_ref().map(ToString::to_string),
        milli: board.milli,
        mebibytes,
        folder: folder.map(|volume| path(volume).to_owned()),
        place: place.iter().map(constraint).collect(),
    };
    match whole_mebibytes(board.bytes, means) {
        Answer::Native(means) => Answer::Emulated(
            means,
            "an app of its own, which stays until the step after the end removes the group".into(),
        ),
        other @ (Answer::Emulated(..) | Answer::Ignored(_) | Answer::Refused(_)) => other,
    }
}

/// Logs that only a task has.
fn unseen(board: &Tensorboard, plan: &Plan) -> Option<Given> {
    let of_a_task = |part: &Part| match part {
        Part::Text(_) | Part::Place(Place::Data(_) | Place::Checkpoints, _) | Part::Own(..) => false,
        Part::Place(Place::Code | Place::Stage(_) | Place::Scratch, _) => true,
    };
    if board.logs.parts.iter().any(of_a_task) {
        return Some(Answer::impossible(
            "runs TensorBoard as an app of its own, with a sandbox of its own",
            "name a folder that both see: `{checkpoints}` or a uri",
            "spark-dcos §3.6",
        ));
    }
    let absolute = matches!(board.logs.parts.first(), Some(Part::Text(text)) if text.starts_with('/'));
    (absolute && board.image.is_some() && folder(board, plan).is_none()).then(|| {
        Answer::impossible(
            "runs TensorBoard in a container of its own, which sees only what is mounted",
            "`logs=\"{checkpoints}\"` with `checkpoints \"file:///…\" at=\"/ckpt\"`, or a uri",
            PROOF,
        )
    })
}

/// An image that no role has: theirs are told at the role.
fn unpulled(board: &Tensorboard, plan: &Plan, site: &Site<Dcos>) -> Option<Given> {
    let of_role = |image: &&Image| {
        plan.roles.iter().any(|role| role.image.as_ref().is_some_and(|used| used.image.value == **image))
    };
    images::refused(board.image.as_ref().filter(|image| !of_role(image))?, site)
}

/// The folder of the agent below which the logs are.
fn folder<'p>(board: &Tensorboard, plan: &'p Plan) -> Option<&'p Volume> {
    let storage = &plan.storage;
    let found = match board.logs.parts.first()? {
        Part::Place(Place::Checkpoints, _) => storage.checkpoints.as_ref(),
        Part::Place(Place::Data(index), _) => storage.data.get(*index),
        Part::Text(text) => {
            let holds = |volume: &&Volume| {
                text.strip_prefix(path(volume)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let all = storage.checkpoints.iter().chain(&storage.data).filter(holds);
            all.max_by_key(|volume| path(volume).len())
        }
        Part::Place(Place::Code | Place::Stage(_) | Place::Scratch, _) | Part::Own(..) => None,
    };
    found.filter(|volume| volume.uri.value.scheme() == Scheme::File)
}

/// Where a task has a volume.
fn path(volume: &Volume) -> &str {
    volume.at.as_ref().map_or_else(|| volume.uri.value.path(), |at| at.value.as_str())
}

/// Whether only the agent of the task has what it writes there.
fn is_own(volume: &Volume, plan: &Plan) -> bool {
    plan.storage.checkpoints.as_ref().is_some_and(|state| state.name == volume.name) && !plan.storage.shared
}

/// The attributes that the agents of all tasks have: where TensorBoard reads a folder of the agent, its own agent has them too.
fn agents<'p>(board: &Tensorboard, plan: &'p Plan) -> Vec<(&'p str, &'p str, &'p Asked)> {
    if folder(board, plan).is_none() {
        return Vec::new();
    }
    let trains = |role: usize| plan.roles[role].kind != RoleKind::Helper;
    let mut roles = (0..plan.roles.len()).filter(|role| trains(*role));
    let Some(first) = roles.next() else { return Vec::new() };
    let of = |role: usize| {
        plan.asks.iter().filter_map(move |asked| {
            let Ask::PlaceNode { role: of, key, value } = &asked.ask else { return None };
            (*of == role).then_some((key.as_str(), value.as_str(), asked))
        })
    };
    let others: Vec<usize> = roles.collect();
    let alike = |(key, value, _): &(&str, &str, &Asked)| {
        others.iter().all(|other| of(*other).any(|(k, v, _)| (k, v) == (*key, *value)))
    };
    of(first).filter(alike).collect()
}

/// TensorBoard's agent has the attributes that the agents of all tasks have.
pub(in crate::dcos) fn place(plan: &Plan, demand: &mut Demand) {
    for asked in &plan.asks {
        let (Ask::Tensorboard(board), Some(crew)) = (&asked.ask, demand.crews.get_mut(plan.roles.len()))
        else {
            continue;
        };
        let terms = agents(board, plan).into_iter();
        crew.terms.extend(
            terms.map(|(key, value, asked)| (Term::Attribute(key.to_owned(), value.to_owned()), asked.at)),
        );
    }
}
