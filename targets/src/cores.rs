//! CPU cores on platforms that count only whole cores: tfjob rounds a fraction up, with a warning.
use crate::codes::ROUNDED_UP;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::requirement::{Job, Required, Requirement, Resources};
use tfjob_lang::spec::values::Cores;

/// Converts thousandths of a core to whole cores, rounded up.
#[must_use]
pub const fn whole(milli: u32) -> u32 {
    milli.div_ceil(1000)
}

/// Formats thousandths of a core in the form of `cpus` in a spec, such as `1.5`.
#[must_use]
pub fn written(milli: u32) -> String {
    Cores::from_tenths(milli / 100).to_string()
}

/// Warns of each `cpus` value that is not a whole number of cores.
#[must_use]
pub fn rounded<'a>(target: &str, requirements: impl Iterator<Item = &'a Required>) -> Vec<Diagnostic> {
    let rounded = |required: &Required| {
        let (milli, of_board) =
            if let Requirement::Resources(Resources::Cpus { milli, .. }) = &required.requirement {
                (*milli, "")
            } else if let Requirement::Job(Job::Tensorboard(board)) = &required.requirement {
                (board.milli, " of TensorBoard")
            } else {
                return None;
            };
        let fact = format!(
            "{target}: `cpus={}`{of_board} is rounded up to {}, because the platform allocates only whole cores",
            written(milli),
            whole(milli)
        );
        let found = Diagnostic::new(&ROUNDED_UP, required.at, fact)
            .here("fraction of a core")
            .help(format!("write `cpus={}`", whole(milli)));
        (!milli.is_multiple_of(1000)).then_some(found)
    };
    requirements.filter_map(rounded).collect()
}
