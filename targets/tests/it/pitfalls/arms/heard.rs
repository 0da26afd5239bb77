//! All texts that a target prints or writes for a spec.
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_driver::Analysis;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, Word};
use tfjob_lang::target::{AnyTarget, Compiled, Verdict};

/// Texts without duplicates.
#[derive(Default)]
pub struct Heard(pub BTreeSet<String>);

impl Heard {
    /// Adds the texts of one spec: verdicts, diagnostics, artifacts, and the arguments and rendezvous of each role's first task.
    pub fn listen(&mut self, analysis: &Analysis, found: Compiled, target: &dyn AnyTarget) {
        found.verdicts.into_iter().for_each(|(_, _, verdict)| self.verdict(verdict));
        found.diagnostics.into_iter().for_each(|finding| self.finding(finding));
        let Some(lowered) = found.lowered else { return };
        self.lowered(lowered);
        let Some(plan) = &analysis.plan else { return };
        // Validation against a cluster file prints these texts.
        let demand = target.reserves(plan);
        self.0.extend(demand.because.map(str::to_owned));
        self.0.extend(demand.largest.iter().map(|largest| largest.fact.to_owned()));
        self.0.extend(
            demand
                .keeps_gpus
                .iter()
                .chain(&demand.keeps_partitions)
                .flat_map(|kept| [kept.fact, kept.help])
                .map(str::to_owned),
        );
        self.0.extend(demand.groups.into_iter().map(|group| group.name));
        for view in (0..plan.roles.len()).filter_map(|role| target.view(plan, role, 0)) {
            self.0.extend(view.argv);
            self.0.insert(view.rendezvous);
        }
    }

    /// Adds the texts of a verdict.
    pub fn verdict(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Native => {}
            Verdict::Emulated(words) | Verdict::Ignored(words) => drop(self.0.insert(words)),
            Verdict::Unsupported(refusal) => {
                self.0.extend([refusal.why, refusal.help, refusal.evidence.to_owned()]);
            }
        }
    }

    fn finding(&mut self, finding: Diagnostic) {
        self.0.insert(finding.message);
        self.0.extend(finding.labels.into_iter().map(|label| label.text));
        self.0.extend(finding.help);
        self.0.extend(finding.fixes.into_iter().map(|fix| fix.title));
    }

    fn lowered(&mut self, lowered: Lowered) {
        self.0.extend(lowered.inherent.into_values());
        for step in lowered.steps {
            self.0.insert(step.why);
            self.0.extend(step.skip.into_iter().flat_map(|skip| [skip.output, skip.reason.to_owned()]));
            self.0.extend(step.argv.into_iter().map(|word| match word {
                Word::Plain(words) => words,
                Word::File { before, path } => format!("{before}{path}"),
                Word::Encoded { path } | Word::Shared { path } => path,
                Word::Spec => String::new(),
            }));
        }
        self.0.extend(lowered.shared.into_iter().map(|file| file.text));
        for artifact in lowered.artifacts.into_iter().chain(lowered.companions) {
            // The text after the platform has replaced `$$` with `$`.
            self.0.insert(artifact.text.replace("$$", "$"));
            artifact.documents.iter().for_each(|document| self.leaves(&document.value));
        }
    }

    fn leaves(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                self.0.insert(text.replace("$$", "$"));
                self.0.insert(text.replace('\\', ""));
                self.0.insert(text.clone());
            }
            Value::Array(items) => items.iter().for_each(|item| self.leaves(item)),
            Value::Object(entries) => entries.values().for_each(|value| self.leaves(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
