//! Platforms that count whole cores: a part of one is rounded up, and said at its words.
use crate::codes::ROUNDED_UP;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::requirement::{Job, Required, Requirement, Resources};
use tfjob_lang::spec::values::Cores;

/// Thousandths of a core in whole ones: at least what is asked.
#[must_use]
pub const fn whole(milli: u32) -> u32 {
    milli.div_ceil(1000)
}

/// Thousandths of a core, as a job writes them.
#[must_use]
pub fn written(milli: u32) -> String {
    Cores::from_tenths(milli / 100).to_string()
}

/// Warns of each number of cores among these asks that is not whole.
#[must_use]
pub fn rounded<'a>(target: &str, requirements: impl Iterator<Item = &'a Required>) -> Vec<Diagnostic> {
    let told = |required: &Required| {
        let (milli, whose) =
            if let Requirement::Resources(Resources::Cpus { milli, .. }) = &required.requirement {
                (*milli, "")
            } else if let Requirement::Job(Job::Tensorboard(board)) = &required.requirement {
                (board.milli, " of the TensorBoard")
            } else {
                return None;
            };
        let fact = format!(
            "{target} counts whole cores: {}{whose} are rounded up to {}",
            written(milli),
            whole(milli)
        );
        let told = Diagnostic::new(&ROUNDED_UP, required.at, fact)
            .here("not whole")
            .help(format!("write `cpus={}` to ask for what it gives", whole(milli)));
        (!milli.is_multiple_of(1000)).then_some(told)
    };
    requirements.filter_map(told).collect()
}
