//! What a target writes: artifacts with their origins, the shim's contract, and what to run next.
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
    pub artifacts: Vec<Artifact>,
    /// The shim's contract, where the shim is in the job.
    pub contract: Option<TracedContract>,
    /// What to run, in order.
    pub steps: Vec<Step>,
    /// Lines that leave no value of their own because the platform does on its own what they request, and why. A target's note
    /// comes before that of an answer, and of several answers to one line the last counts.
    pub inherent: BTreeMap<Span, String>,
}

/// One file.
#[derive(Debug, Clone)]
pub struct Artifact {
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
        /// The artifact's path.
        path: Cow<'static, str>,
    },
    /// The path of a file that a step makes in the target's directory, for a program that reads it as a URI.
    Encoded {
        /// The file's path in the directory.
        path: String,
    },
    /// The spec itself.
    Spec,
}

impl Word {
    /// The path of an artifact.
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

    /// The arguments, where the target's directory is `folder`, seen from the directory of the spec `spec`.
    #[must_use]
    pub fn words(&self, folder: &str, spec: &str) -> Vec<String> {
        let below = |path: &str| match folder {
            "" => path.to_owned(),
            folder => local(&format!("{}/{path}", folder.trim_end_matches('/'))),
        };
        let word = |word: &Word| match word {
            Word::Plain(word) => word.clone(),
            Word::File { before, path } => format!("{before}{}", below(path)),
            Word::Encoded { path } => encoded(&below(path)),
            Word::Spec => local(spec),
        };
        self.argv.iter().map(word).collect()
    }
}

/// A path that no program reads as an option. GNU tar takes text before a colon for the name of a host, unless a slash
/// precedes it.
fn local(path: &str) -> String {
    let first = path.split('/').next().unwrap_or_default();
    if path.starts_with('-') || first.contains(':') { format!("./{path}") } else { path.to_owned() }
}

/// A local path for a program that reads it as a URI, such as `hdfs dfs -put`: what a URI reserves is percent-encoded.
#[must_use]
pub fn encoded(path: &str) -> String {
    let plain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "/._-+@=~,:".contains(c);
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if plain(c) { out.push(c) } else { out.push_str(&format!("%{:02X}", u32::from(c))) }
    }
    out
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
    /// Variables that the artifact, the platform or the shim sets for the program, by name.
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

/// What stands before and after a reference in the texts of a [`TaskView`]: no text of a spec can hold these.
const MARKS: [char; 2] = crate::spec::values::NO_CHARACTERS;

/// A reference to a variable that only the cluster knows, such as `$USER`, as a target writes it into a [`TaskView`]: a text
/// of the user with the same letters is none.
#[must_use]
pub fn reference(text: &str) -> String {
    let [open, close] = MARKS;
    format!("{open}{text}{close}")
}

/// The parts of a text of a [`TaskView`]: what stands there, and whether it is a reference.
pub fn parts(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let [open, close] = MARKS;
    let split = text.split(open).enumerate().flat_map(move |(number, part)| match part.split_once(close) {
        Some((inside, after)) if number > 0 => [(inside, true), (after, false)],
        Some(_) | None => [(part, false), ("", false)],
    });
    split.filter(|(part, _)| !part.is_empty())
}

impl TaskView {
    /// The same with references as plain text.
    #[must_use]
    pub fn plain(self) -> Self {
        let strip = |text: String| text.replace(MARKS, "");
        Self {
            env: self.env.into_iter().map(|(name, value)| (name, strip(value))).collect(),
            argv: self.argv.into_iter().map(strip).collect(),
            workdir: self.workdir.map(strip),
            ..self
        }
    }
}

impl Lowered {
    /// Every span that left a value in an artifact or a line in the contract.
    #[must_use]
    pub fn traces(&self) -> Vec<Span> {
        let documents = self.artifacts.iter().flat_map(|a| &a.documents).map(|d| &d.origins);
        let contract = self.contract.iter().map(|(_, origins)| origins);
        documents
            .chain(contract)
            .flat_map(|o| o.0.values().copied())
            .chain(self.inherent.keys().copied())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Phase, Step, Word};

    fn made(folder: &str) -> Vec<String> {
        let made = || Word::made("a.tar.gz".to_owned());
        let encoded = Word::Encoded { path: "a.tar.gz".to_owned() };
        Step::new(Phase::Before, &["tar"], "").with([made(), encoded, Word::Spec]).words(folder, "-a:b.kdl")
    }

    #[test]
    fn a_path_is_no_option_no_host_and_no_uri() {
        for (folder, plain, encoded) in [
            ("", "a.tar.gz", "a.tar.gz"),
            ("out/m/one/", "out/m/one/a.tar.gz", "out/m/one/a.tar.gz"),
            ("/x/out:1", "/x/out:1/a.tar.gz", "/x/out:1/a.tar.gz"),
            ("out:1 x/y", "./out:1 x/y/a.tar.gz", "./out:1%20x/y/a.tar.gz"),
            ("-o", "./-o/a.tar.gz", "./-o/a.tar.gz"),
            ("out#2", "out#2/a.tar.gz", "out%232/a.tar.gz"),
            ("a%20b?[1]é", "a%20b?[1]é/a.tar.gz", "a%2520b%3F%5B1%5Dé/a.tar.gz"),
        ] {
            assert_eq!(made(folder), ["tar", plain, encoded, "./-a:b.kdl"], "{folder}");
        }
    }
}
