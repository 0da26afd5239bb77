//! What a target writes: artefacts with their origins, the shim's contract, and what to run next.
use crate::origin::{Document, Origins};
use crate::sources::Span;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tfjob_contract::Contract;

/// The shim's contract, and the origins of its lines by JSON pointer into its JSON.
pub type TracedContract = (Contract, Origins);

/// Everything one target makes of one job.
#[derive(Debug, Default)]
pub struct Lowered {
    /// The files, in the order to read them.
    pub artefacts: Vec<Artefact>,
    /// The shim's contract, where the shim is in the job.
    pub contract: Option<TracedContract>,
    /// What to run, in order.
    pub steps: Vec<Step>,
    /// Words that leave no value of their own because the platform does by itself what they ask, and why.
    pub inherent: BTreeMap<Span, String>,
}

/// One file.
#[derive(Debug, Clone)]
pub struct Artefact {
    /// Relative to the job's folder of that target, `/` between names.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Whether it is a program.
    pub executable: bool,
    /// The documents of a structured file, in order, with the origins of their values; of a script, the values it holds.
    pub documents: Vec<Document>,
}

/// Something a person or a pipeline runs, in the folder of the spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Before the job is submitted, the submission, or after its end.
    pub phase: Phase,
    /// The words, unquoted: one printer quotes them for a shell.
    pub argv: Vec<Word>,
    /// Why, in a few words.
    pub why: String,
}

/// A word of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// As it stands. A path is one beside the spec, or of what an earlier step has left there.
    Plain(String),
    /// A file of the target's folder.
    File {
        /// What stands before the path in the word, such as `--options=`.
        before: &'static str,
        /// The artefact's path.
        path: Cow<'static, str>,
    },
    /// The spec itself.
    Spec,
}

impl Word {
    /// The path of an artefact.
    #[must_use]
    pub const fn file(path: &'static str) -> Self {
        Self::File { before: "", path: Cow::Borrowed(path) }
    }

    /// The path of a file that a step makes in the target's directory.
    #[must_use]
    pub const fn made(path: String) -> Self {
        Self::File { before: "", path: Cow::Owned(path) }
    }
}

impl<T: Into<String>> From<T> for Word {
    fn from(word: T) -> Self {
        Self::Plain(word.into())
    }
}

impl Step {
    /// A step of words as they stand.
    #[must_use]
    pub fn new(phase: Phase, words: &[&str], why: impl Into<String>) -> Self {
        Self { phase, argv: words.iter().copied().map(Word::from).collect(), why: why.into() }
    }

    /// The same step with further words.
    #[must_use]
    pub fn with(mut self, words: impl IntoIterator<Item = Word>) -> Self {
        self.argv.extend(words);
        self
    }

    /// The words, where the target's folder lies there, seen from the folder of the spec, which has that name.
    #[must_use]
    pub fn words(&self, folder: &str, spec: &str) -> Vec<String> {
        let word = |word: &Word| match word {
            Word::Plain(word) => word.clone(),
            Word::File { before, path } if folder.is_empty() => format!("{before}{path}"),
            Word::File { before, path } => {
                let folder = folder.trim_end_matches('/');
                // GNU tar takes text before a colon for the name of a host, unless a slash precedes it.
                let here =
                    if folder.split('/').next().is_some_and(|first| first.contains(':')) { "./" } else { "" };
                format!("{before}{here}{folder}/{path}")
            }
            Word::Spec => spec.to_owned(),
        };
        self.argv.iter().map(word).collect()
    }
}

/// When a step is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before the job is submitted.
    Before,
    /// Submits the job.
    Submit,
    /// After its end.
    After,
}

/// What one task of a compiled job sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskView {
    /// Variables that the artefact, the platform or the shim sets for the program, by name.
    pub env: BTreeMap<String, String>,
    /// The program and its words.
    pub argv: Vec<String>,
    /// Where it starts, if the job says.
    pub workdir: Option<String>,
    /// Who sets TF_CONFIG: `the shim`, the platform's own part, or nobody.
    pub rendezvous: String,
    /// Why it would not start: the gate lets no such job through.
    pub fault: Option<String>,
}

impl Lowered {
    /// Every span that left a value in an artefact or a line in the contract.
    #[must_use]
    pub fn traces(&self) -> Vec<Span> {
        let documents = self.artefacts.iter().flat_map(|a| &a.documents).map(|d| &d.origins);
        let contract = self.contract.iter().map(|(_, origins)| origins);
        documents
            .chain(contract)
            .flat_map(|o| o.0.values().copied())
            .chain(self.inherent.keys().copied())
            .collect()
    }
}
