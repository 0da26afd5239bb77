//! A TensorBoard beside the job.
use super::Answer;
use super::task::BASH;
use crate::yarn::case::{Case, Ending};
use crate::yarn::means::{Board, Means};
use crate::{beside, libhdfs};
use tfjob_lang::ask::Tensorboard;
use tfjob_lang::plan::{Part, Place};

/// A component that never ends; so the service must end with another.
pub fn tensorboard(case: &Case<'_>, board: &Tensorboard) -> Answer {
    if !matches!(case.ending(), Ending::Dominant(_)) {
        let help = if case.release.dominant() {
            "write `success \"chief\"` where the job has a chief, or run the TensorBoard by itself"
        } else {
            "say that the cluster is newer: `target \"yarn\" { hadoop \"3.3\" }`"
        };
        return Answer::refused(
            "would wait for the TensorBoard, which never ends: only from Hadoop 3.3 on can one role's end be the job's",
            help,
            "yarn-observed §7",
        );
    }
    if let Some(own) = own(board) {
        return own;
    }
    if !board.milli.is_multiple_of(1000) {
        return super::resources::cpus(0, board.milli);
    }
    let link = case.domain().map(|domain| (case.user_token(), domain.to_owned()));
    let env = beside::variables(case.plan).into_iter().filter(|(name, ..)| !BASH.contains(name));
    let hadoop = beside::hadoop(case.plan)
        .filter(|_| beside::read_by(case.plan, &board.logs).is_some_and(beside::by_libhdfs))
        .map_or_else(Vec::new, |(home, java, conf, _)| libhdfs::exports(home, java, conf));
    Answer::Native(Means::Tensorboard(Box::new(Board {
        asked: board.clone(),
        link,
        env: env.map(|(name, value, at)| (name.to_owned(), value.clone(), at)).collect(),
        hadoop,
    })))
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
