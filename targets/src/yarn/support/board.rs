//! A TensorBoard beside the job.
use super::Answer;
use super::task::unpulled;
use crate::yarn::context::{Context, Ending};
use crate::yarn::means::{Board, Means};
use crate::yarn::variables::of_bash;
use crate::{beside, libhdfs};
use tfjob_lang::ask::Tensorboard;
use tfjob_lang::plan::{Part, Place, Volume};

/// A component that never ends; so the service must end with another, or the shim must end this one.
pub fn tensorboard(case: &Context<'_>, board: &Tensorboard) -> Answer {
    let shim = match case.ending() {
        Ending::Dominant(_) => false,
        // Where tasks meet, each has a port at which its end can be seen.
        Ending::All | Ending::Shims if case.plan.meets() => true,
        Ending::All | Ending::Shims => return lasting(case),
    };
    if let Some(unpulled) = board.image.as_ref().and_then(|image| unpulled(case, image)) {
        return unpulled;
    }
    if let Some(own) = own(board) {
        return own;
    }
    if beside::is_unopened(&board.logs) {
        return Answer::impossible(beside::UNOPENED, beside::OPENED, "TensorBoard's own file systems");
    }
    if let Some(elsewhere) = elsewhere(case, board) {
        return elsewhere;
    }
    let link = case.domain().map(|domain| (case.user_token(), domain.to_owned()));
    let env = beside::variables(case.plan).into_iter().filter(|(name, ..)| !of_bash(name));
    let hadoop = beside::hadoop(case.plan)
        .filter(|_| beside::read_by(case.plan, &board.logs).is_some_and(beside::by_libhdfs))
        .map_or_else(Vec::new, |(home, java, conf, _)| libhdfs::exports(home, java, conf));
    let means = Means::Tensorboard(Box::new(Board {
        asked: board.clone(),
        link,
        env: env.map(|(name, value, at)| (name.to_owned(), value.clone(), at)).collect(),
        hadoop,
        shim,
    }));
    if shim {
        Answer::Emulated(means, "the shim ends it with the job".to_owned())
    } else {
        Answer::Native(means)
    }
}

/// Where no component's end is the service's, and no task's end can be seen.
fn lasting(case: &Context<'_>) -> Answer {
    let chief = "write `success \"chief\"` where the job has one task that leads";
    let one = matches!(case.counting().as_deref(), Some([_]));
    let (why, help) = match (case.release.dominant(), one) {
        (true, _) => (
            "would wait for the TensorBoard, which never ends: only the end of one role can be the job's, and several decide the success",
            format!("{chief}, or run the TensorBoard by itself"),
        ),
        (false, one) => (
            "would wait for the TensorBoard, which never ends: only from Hadoop 3.3 on can one role's end be the job's",
            format!(
                "say that the cluster is newer: `target \"yarn\" {{ hadoop \"3.3\" }}`{}",
                if one { String::new() } else { format!("; and {chief}") }
            ),
        ),
    };
    Answer::refused(why, help, "yarn-observed §7")
}

/// A directory of the node on which the one task runs; TensorBoard may run on another.
fn elsewhere(case: &Context<'_>, board: &Tensorboard) -> Option<Answer> {
    let own = beside::folder(case.plan, &board.logs).is_some_and(Volume::is_of_node);
    own.then(|| {
        Answer::refused(
            "runs the TensorBoard on a node of its own choice, and the `file:` directory of its logs is on the task's node alone",
            "logs on `hdfs:`; or, where all nodes have the directory from an export, a uri `nfs://…` and `target \"yarn\" { mounted { \"nfs://…\" \"/mnt\" } }`",
            "yarn-submarine-tony §1.4",
        )
    })
}

/// A folder of a task's own is nothing that another task can read.
fn own(board: &Tensorboard) -> Option<Answer> {
    let stray = board.logs.parts.iter().any(|part| match part {
        Part::Own(..) | Part::Place(Place::Scratch | Place::Code | Place::Stage(_), _) => true,
        Part::Text(_) | Part::Place(Place::Data(_) | Place::Checkpoints, _) => false,
    });
    stray.then(|| {
        Answer::refused(
            "runs the TensorBoard in a container of its own, which sees no other task's folder",
            "let it read `{checkpoints}`, or another uri that every task sees",
            "yarn-submarine-tony §1.4",
        )
    })
}
