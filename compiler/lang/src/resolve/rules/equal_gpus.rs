//! Tasks in step have the same number of GPUs.
use super::{Job, path_in};
use crate::codes::UNEQUAL_GPUS;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, Part, Role};
use crate::sources::Span;
use crate::spec;

/// `MultiWorkerMirroredStrategy`: each task takes its own devices times the tasks for the size of the group
/// (`collective_all_reduce_strategy.py`: "All workers need to use the same number of devices"). On 2.15.1 tasks with one and
/// two devices hung in the first step. A program may hide GPUs, so this is a warning.
pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
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
        "a task of `{}` has {} and one of `{}` {less}: MultiWorkerMirroredStrategy needs the same number in each, and hangs otherwise",
        most.1.name.value,
        if more == 1 { "1 GPU".to_owned() } else { format!("{more} GPUs") },
        least.1.name.value,
    );
    let found = Diagnostic::new(&UNEQUAL_GPUS, at(most), fact)
        .here("more than the others")
        .label(at(least), format!("{less} here"))
        .help(format!("write `gpus={more}` for `{}` too, or the same number for both", least.1.name.value));
    out.push(trains.iter().fold(found, |found, one| {
        let resources = path_in(one.1, &["resources"]);
        found
            .from_role(one.1.name.span)
            .from_value(at(one))
            .from_whole(&resources)
            .from_absent(&path_in(one.1, &["env", LIST]))
    }));
}

/// The variable by which a program chooses among the GPUs of its task.
const LIST: &str = "CUDA_VISIBLE_DEVICES";

/// Whether the role chooses among its GPUs.
fn hides(role: &Role) -> bool {
    let command = match &role.command {
        Command::Shell(text) => text.value.contains(LIST),
        Command::Run(argv) => {
            let parts = argv.iter().flat_map(|word| &word.parts);
            parts.into_iter().any(|part| matches!(part, Part::Text(text) if text.contains(LIST)))
        }
    };
    command || role.env.iter().any(|(name, _)| name.value.as_str() == LIST)
}

/// The number of GPUs in the spec, or the role's name where there is none.
fn at((written, role): &(&spec::Role, &Role)) -> Span {
    let count = written.resources.as_ref().and_then(|resources| resources.value.gpus.as_ref());
    count.map_or(role.name.span, |count| count.span)
}
