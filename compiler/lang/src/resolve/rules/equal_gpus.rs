//! Reports different numbers of GPUs in synchronous training.
use super::{Job, path_in};
use crate::codes::UNEQUAL_GPUS;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Part, Role};
use crate::sources::Span;
use crate::spec;

/// Reports different numbers of GPUs with `MultiWorkerMirroredStrategy`. Each task computes the size of the collective group: the
/// number of its own devices times the number of tasks. Source: `collective_all_reduce_strategy.py`, "All workers need to use the
/// same number of devices". With TensorFlow 2.15.1, a job with one device in one task and two in the other hung in the first
/// step. A program may hide GPUs, so this is a warning.
pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let trains: Vec<_> = job.roles().filter(|(_, role)| role.kind.trains()).collect();
    if trains.iter().any(|(_, role)| role.resources.other_devices || hides(role)) {
        return;
    }
    let (Some(most), Some(least)) = (
        trains.iter().rev().max_by_key(|(_, r)| r.resources.gpus),
        trains.iter().min_by_key(|(_, r)| r.resources.gpus),
    ) else {
        return;
    };
    let (more, less) = (most.1.resources.gpus, least.1.resources.gpus);
    if more == less {
        return;
    }
    let fact = format!(
        "`{}` has {} per task and `{}` has {less}; MultiWorkerMirroredStrategy hangs unless all tasks have the same number",
        most.1.name.value,
        if more == 1 { "1 GPU".to_owned() } else { format!("{more} GPUs") },
        least.1.name.value,
    );
    let found = Diagnostic::new(&UNEQUAL_GPUS, at(most), fact)
        .here(format!("{more} per task"))
        .label(at(least), format!("{less} per task"))
        .help(format!(
            "set the same number of GPUs in both roles, for example `gpus={more}` for `{}` too",
            least.1.name.value
        ));
    out.push(trains.iter().fold(found, |found, role| {
        let resources = path_in(role.1, &["resources"]);
        found
            .from_role(role.1.name.span)
            .from_value(at(role))
            .from_whole(&resources)
            .from_absent(&path_in(role.1, &["env", LIST]))
    }));
}

/// Environment variable that limits a program to some of the GPUs of its task.
const LIST: &str = "CUDA_VISIBLE_DEVICES";

/// Returns whether the role restricts its program to some GPUs.
fn hides(role: &Role) -> bool {
    let command = match &role.command {
        Command::Shell(text) => text.value.contains(LIST),
        Command::Run(argv) => {
            let parts = argv.iter().flat_map(|argument| &argument.parts);
            parts.into_iter().any(|part| matches!(part, Part::Text(text) if text.contains(LIST)))
        }
    };
    command || role.env.iter().any(|(name, _)| name.value.as_str() == LIST)
}

/// Returns the span of the number of GPUs, or of the name of the role if the number is unset.
fn at((written, role): &(&spec::Role, &Role)) -> Span {
    let count = written.resources.as_ref().and_then(|resources| resources.value.gpus.as_ref());
    count.map_or(role.name.span, |count| count.span)
}
