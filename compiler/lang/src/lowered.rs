//! Output of a target for a plan (lowering): artifacts with the origins of their values, the contract of the shim, and the next
//! steps of the user.
use crate::origin::{Document, Origins};
use crate::sources::Span;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tfjob_contract::Contract;

/// Contract of the shim (the compiled job that the shim reads), and the origins of its values by JSON pointer.
pub type TracedContract = (Contract, Origins);

/// Output of one target for one job.
#[derive(Debug, Default)]
pub struct Lowered {
    /// Artifacts, in the order in which a user should read them.
    pub artifacts: Vec<Artifact>,
    /// Files that no step submits, next to the artifacts. They are for people, or for tools that the user runs.
    pub companions: Vec<Artifact>,
    /// Files that the jobs of an output directory share.
    pub shared: Vec<SharedFile>,
    /// Contract of the shim, if the job uses the shim.
    pub contract: Option<TracedContract>,
    /// Commands for the job. Those of one phase are in the order in which to run them.
    pub steps: Vec<Step>,
    /// Spans of requirements that need no output because the platform always behaves as required, each with the reason. A reason in
    /// this map has priority over a reason in [`Support`](crate::target::Support). Of several reasons for one span, the last one
    /// counts.
    pub inherent: BTreeMap<Span, String>,
}

/// An output file.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// Path relative to the output directory of the job and target, with `/` as separator.
    pub path: String,
    /// Content.
    pub text: String,
    /// Whether the file is executable.
    pub executable: bool,
    /// Documents of a structured file, in order, with the origins of their values. For a script: one document with the values
    /// that the script contains.
    pub documents: Vec<Document>,
}

/// Directory of all shared files. It is no valid name of a job.
pub const SHARED: &str = "_shim";

/// Names of all files that several jobs share ([`SharedFile`]).
pub const SHARED_FILES: [&str; 2] = ["configmap.yaml", "kustomization.yaml"];

/// A file that several jobs share, so that it is written once. It is not part of any of these jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFile {
    /// Path relative to the directory that contains the output directories of the jobs, with `/` as separator.
    pub path: String,
    /// Content of the file, without the shim.
    pub text: String,
    /// Number of spaces before each line of the shim. The file then contains `text`, followed by the shim as lines of base64.
    /// `None` if the file does not contain the shim.
    pub shim: Option<usize>,
}

impl SharedFile {
    /// Number of base64 digits in a line, as in MIME.
    const DIGITS: usize = 76;

    /// Returns the content of the file. `shim`: the program `tfjob-shim`.
    #[must_use]
    pub fn content(&self, shim: &[u8]) -> String {
        let mut text = self.text.clone();
        let Some(indent) = self.shim else { return text };
        let digits = tfjob_contract::base64(shim);
        for line in digits.as_bytes().chunks(Self::DIGITS) {
            text.extend(std::iter::repeat_n(' ', indent));
            text.extend(line.iter().copied().map(char::from));
            text.push('\n');
        }
        text
    }
}

/// A command that the user, a script, or a pipeline runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When to run the command.
    pub phase: Phase,
    /// Arguments, unquoted.
    pub argv: Vec<Word>,
    /// Purpose of the command, in a few words.
    pub why: String,
    /// Directory in which a script runs the command. A user can run every command in the directory of the spec.
    pub directory: Directory,
    /// When a script skips the command.
    pub skip: Option<Skip>,
}

/// Directory in which a script runs a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directory {
    /// Output directory of the job and target. The command reads no other file of this machine.
    Output,
    /// Directory of the spec. A literal argument may be a path relative to it.
    Spec,
}

/// Reason for which a script skips a step whose work is already done.
pub const ALREADY_DONE: &str = "already done";

/// Condition under which a script skips a step: its work is already done, or this user has no right to do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Command to run before the step: program and arguments. It changes nothing.
    pub argv: Vec<String>,
    /// The step is skipped if the output of the command contains this text.
    pub output: String,
    /// Why the script skips the step, such as [`ALREADY_DONE`].
    pub reason: &'static str,
}

/// An argument of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A literal argument. A path is relative to the directory of the spec.
    Plain(String),
    /// A file in the output directory of the target.
    File {
        /// Prefix of the path, such as `--options=`.
        before: &'static str,
        /// Path of the artifact.
        path: Cow<'static, str>,
    },
    /// Path of a [`SharedFile`].
    Shared {
        /// Path of the shared file, as in [`SharedFile::path`].
        path: String,
    },
    /// Percent-encoded path of a file that a step creates in the output directory, for a program that parses the argument as a URI.
    Encoded {
        /// Path in the output directory.
        path: String,
    },
    /// Path of the spec.
    Spec,
}

impl Word {
    /// Returns an argument with the path of an artifact.
    #[must_use]
    pub const fn file(path: &'static str) -> Self {
        Self::File { before: "", path: Cow::Borrowed(path) }
    }

    /// Returns an argument with the path of a file that a step creates in the output directory.
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
    /// Returns a step with literal arguments.
    #[must_use]
    pub fn new(phase: Phase, words: &[&str], why: impl Into<String>) -> Self {
        let argv = words.iter().copied().map(Word::from).collect();
        Self { phase, argv, why: why.into(), directory: Directory::Output, skip: None }
    }

    /// Makes scripts run the step in the directory of the spec, because the step reads a file there.
    #[must_use]
    pub const fn in_spec_directory(mut self) -> Self {
        self.directory = Directory::Spec;
        self
    }

    /// Makes scripts skip the step if the output of a command contains a text. `argv`: the command, which must not change anything.
    /// `reason`: the text that the script prints when it skips the step.
    #[must_use]
    pub fn skip_if(mut self, argv: &[&str], output: impl Into<String>, reason: &'static str) -> Self {
        let argv = argv.iter().map(|&word| word.to_owned()).collect();
        self.skip = Some(Skip { argv, output: output.into(), reason });
        self
    }

    /// Appends arguments to the command.
    #[must_use]
    pub fn with(mut self, words: impl IntoIterator<Item = Word>) -> Self {
        self.argv.extend(words);
        self
    }

    /// Returns the arguments as strings. `folder`: the output directory, relative to the directory in which the command runs; empty
    /// if the command runs in the output directory. `spec`: path of the spec.
    #[must_use]
    pub fn words(&self, folder: &str, spec: &str) -> Vec<String> {
        let below = |path: &str| match folder {
            "" => path.to_owned(),
            folder => local(&format!("{}/{path}", folder.trim_end_matches('/'))),
        };
        let word = |word: &Word| match word {
            Word::Plain(word) => word.clone(),
            Word::File { before, path } => format!("{before}{}", below(path)),
            Word::Shared { path } => shared(folder, path),
            Word::Encoded { path } => encoded(&below(path)),
            Word::Spec => local(spec),
        };
        self.argv.iter().map(word).collect()
    }
}

/// Returns the path of a shared file. `folder`: the output directory of a job and target. Its parent's parent contains the file.
fn shared(folder: &str, path: &str) -> String {
    let mut parts = folder.trim_end_matches('/').rsplitn(3, '/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(_), Some(above)) => local(&format!("{above}/{path}")),
        (Some(_), Some(_), None) => local(path),
        (_, None, _) | (None, _, _) => format!("../../{path}"),
    }
}

/// Prefixes a path with `./` if a program would parse the path as an option, or GNU tar would parse it as `HOST:PATH`.
fn local(path: &str) -> String {
    let first = path.split('/').next().unwrap_or_default();
    if path.starts_with('-') || first.contains(':') { format!("./{path}") } else { path.to_owned() }
}

/// Percent-encodes a local path for a program that parses it as a URI, such as `hdfs dfs -put`.
#[must_use]
pub fn encoded(path: &str) -> String {
    let plain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "/._-+@=~,:".contains(c);
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if plain(c) { out.push(c) } else { out.push_str(&format!("%{:02X}", u32::from(c))) }
    }
    out
}

/// When to run a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before submission.
    Before,
    /// Submission.
    Submit,
    /// To see the state of the job.
    Status,
    /// To see the output of the tasks.
    Logs,
    /// To change a running job in place.
    Update,
    /// After job completion.
    After,
}

/// Environment and command of one task of a compiled job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskView {
    /// Environment variables that the artifact, the platform, or the shim sets, by name.
    pub env: BTreeMap<String, String>,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Working directory; `None` if the job does not set it.
    pub workdir: Option<String>,
    /// Component that sets `TF_CONFIG`: `the shim` or a part of the platform; empty if no component sets it.
    pub rendezvous: String,
    /// Why the task would not start, for the error that the check of the target reports; `None` if the task would start.
    pub fault: Option<String>,
}

/// Characters that enclose a reference in the strings of a [`TaskView`]. No string of a spec can contain them.
const MARKS: [char; 2] = crate::spec::values::NO_CHARACTERS;

/// Returns a reference to an environment variable of the cluster, such as `$USER`, for a string of a [`TaskView`]. The marks
/// around it distinguish it from literal text.
#[must_use]
pub fn reference(text: &str) -> String {
    let [open, close] = MARKS;
    format!("{open}{text}{close}")
}

/// Splits a string of a [`TaskView`] into parts. Each element has the text of one part, and whether this part is a reference.
pub fn parts(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let [open, close] = MARKS;
    let split = text.split(open).enumerate().flat_map(move |(number, part)| match part.split_once(close) {
        Some((inside, after)) if number > 0 => [(inside, true), (after, false)],
        Some(_) | None => [(part, false), ("", false)],
    });
    split.filter(|(part, _)| !part.is_empty())
}

impl TaskView {
    /// Returns the view without the marks around references.
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
    /// Returns the spans of all parts of the spec that are implemented: by a value of an artifact, by a value of the contract, or
    /// by the default behavior of the platform.
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
