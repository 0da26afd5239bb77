//! Lists the targets that accept a job and those that refuse it, if the user has not selected a target.
use crate::{Checked, Driver, Registry, Target};
use std::fmt;
use tfjob_lang::codes::UNSUPPORTED_FEATURE;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::Plan;

/// The number of errors that each target reports for one spec.
#[derive(Debug, Clone)]
pub struct TargetSummary {
    spec: String,
    errors: Vec<(&'static str, usize)>,
}

impl Driver {
    /// Checks a spec without targets for all targets. Adds to the result which of them accept the spec. If there is none, also adds an error
    /// to the findings. Changes nothing if the spec was checked for its targets, or has errors. `spec`: file name of the spec.
    pub fn summarize(&self, spec: &str, checked: &mut Checked) {
        let Some(plan) = checked.plan.as_ref().filter(|_| checked.compiled.is_empty()) else { return };
        let summary = TargetSummary::of(spec, plan, self.registry());
        checked.batch.diagnostics.extend(summary.refusal(plan));
        checked.summary = Some(summary);
    }
}

impl TargetSummary {
    /// Checks a plan for all targets of the registry. `spec`: file name of the spec.
    #[must_use]
    pub fn of(spec: &str, plan: &Plan, registry: &Registry) -> Self {
        let errors = |target: Target| {
            let wrong = target.check(plan).diagnostics.into_iter().filter(Diagnostic::is_error);
            (target.name(), wrong.count())
        };
        Self { spec: spec.to_owned(), errors: registry.targets.iter().copied().map(errors).collect() }
    }

    /// Returns an error at the name of the job if no target accepts the job.
    #[must_use]
    pub fn refusal(&self, plan: &Plan) -> Option<Diagnostic> {
        let (near, _) = self.errors.iter().copied().min_by_key(|(_, errors)| *errors)?;
        if self.is_accepted() {
            return None;
        }
        let count = |(name, errors): &(&str, usize)| {
            format!("{name}: {errors} error{}", if *errors == 1 { "" } else { "s" })
        };
        let counts: Vec<_> = self.errors.iter().map(count).collect();
        Some(
            Diagnostic::new(&UNSUPPORTED_FEATURE, plan.name.span, "no target accepts this job")
                .here(counts.join(", "))
                .help(format!("list the errors of one target: `{}`", self.command(near))),
        )
    }

    /// Returns whether a target accepts the spec.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.errors.iter().any(|(_, errors)| *errors == 0)
    }

    /// Returns the first target that refuses the spec.
    #[must_use]
    pub fn first_refused(&self) -> Option<&'static str> {
        self.errors.iter().find(|(_, errors)| *errors > 0).map(|(name, _)| *name)
    }

    /// Returns the targets that accept the spec, and those that refuse it: `compiles for a; not for b (2 reasons), c (1)`.
    #[must_use]
    pub fn counts(&self) -> String {
        let (good, bad): (Vec<_>, Vec<_>) = self.errors.iter().copied().partition(|(_, errors)| *errors == 0);
        let good: Vec<_> = good.into_iter().map(|(name, _)| name).collect();
        let good = if good.is_empty() { "no target".to_owned() } else { good.join(", ") };
        let reasons = |(i, (name, errors)): (usize, &(&str, usize))| match (i, errors) {
            (0, 1) => format!("{name} (1 reason)"),
            (0, n) => format!("{name} ({n} reasons)"),
            (_, n) => format!("{name} ({n})"),
        };
        let bad: Vec<_> = bad.iter().enumerate().map(reasons).collect();
        let refused = if bad.is_empty() { String::new() } else { format!("; not for {}", bad.join(", ")) };
        format!("compiles for {good}{refused}")
    }

    /// Returns the command that checks the spec for a target.
    fn command(&self, target: &str) -> String {
        // A path with blanks would need quotes, so the command is printed without the path.
        let path = if self.spec.contains(char::is_whitespace) { "" } else { &self.spec };
        let path = if path.is_empty() { String::new() } else { format!(" {path}") };
        format!("tfjob check --target {target}{path}")
    }
}

/// Formats the summary: `compiles for a; not for b (2 reasons), c (1): tfjob check --target b a.tfjob.kdl`.
impl fmt::Display for TargetSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.counts())?;
        match self.first_refused() {
            Some(first) => write!(f, ": {}", self.command(first)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_one_line() {
        let line = |spec: &str, errors: &[(&'static str, usize)]| {
            TargetSummary { spec: spec.to_owned(), errors: errors.to_vec() }.to_string()
        };
        assert_eq!(
            line("a.tfjob.kdl", &[("yarn", 0), ("kubernetes", 0), ("dcos", 2), ("spark", 1)]),
            "compiles for yarn, kubernetes; not for dcos (2 reasons), spark (1): \
             tfjob check --target dcos a.tfjob.kdl"
        );
        assert_eq!(line("a.tfjob.kdl", &[("yarn", 0)]), "compiles for yarn");
        assert_eq!(
            line("a b.tfjob.kdl", &[("yarn", 1)]),
            "compiles for no target; not for yarn (1 reason): tfjob check --target yarn"
        );
    }
}
