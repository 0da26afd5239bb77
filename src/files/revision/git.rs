//! Runs the program `git`.
use crate::outcome::Failure;
use crate::terminal::one_line;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Returns the two revisions of a range such as `main..HEAD`, each with its name in reports. `A...B` starts at the last commit that
/// both have in common. An omitted revision is `HEAD`. `None` if the text is not a range.
///
/// # Errors
/// Returns an error if `git` cannot be started, or the revisions have no commit in common.
pub fn parse_range(range: &str) -> Result<Option<[(String, String); 2]>, Failure> {
    let or_head = |name: &str| if name.is_empty() { "HEAD" } else { name }.to_owned();
    let named = |name: &str| (or_head(name), or_head(name));
    if let Some((old, new)) = range.split_once("...") {
        let (start, end) = (or_head(old), or_head(new));
        let (first, last) = (commit(&start)?, commit(&end)?);
        let base = git(["merge-base", &first, &last]).map_err(|_| {
            let (start, end) = (one_line(&start), one_line(&end));
            Failure::new(format!(
                "`{start}` and `{end}` have no commit in common; a shallow clone may lack it: fetch the whole history"
            ))
        })?;
        return Ok(Some([(text(&base), format!("the merge base of {start} and {end}")), named(new)]));
    }
    Ok(range.split_once("..").map(|(old, new)| [named(old), named(new)]))
}

/// Returns the ID of the commit of a revision.
///
/// # Errors
/// Returns an error if there is no such revision, or no repository.
pub fn commit(name: &str) -> Result<String, Failure> {
    let wanted = format!("{name}^{{commit}}");
    if let Ok(found) = git(["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]) {
        return Ok(text(&found));
    }
    // Outside of a repository, the error of this command says so.
    git(["rev-parse", "--git-dir"]).map_err(|failure| {
        let name = one_line(name);
        Failure::new(format!("`{name}` is not a file, and there is no Git revision of this name: {failure}"))
    })?;
    let is_shallow =
        git(["rev-parse", "--is-shallow-repository"]).is_ok_and(|answer| text(&answer) == "true");
    let hint = if is_shallow { "; this clone is shallow: fetch the whole history" } else { "" };
    Err(Failure::new(format!("`{}` is neither a file nor a Git revision{hint}", one_line(name))))
}

/// The variables that name the files of one repository, as in a hook. `git` ignores `-C` with them.
const OF_REPOSITORY: [&str; 8] = [
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
];

/// Returns the standard output of a `git` command.
///
/// # Errors
/// Returns an error if `git` cannot be started, or fails.
pub fn git<const N: usize>(args: [&str; N]) -> Result<Vec<u8>, Failure> {
    git_in(None, args)
}

/// Returns the standard output of a `git` command in the repository of the current directory, or in a submodule.
///
/// # Errors
/// Returns an error if `git` cannot be started, or fails.
pub fn git_in<const N: usize>(submodule: Option<&Path>, args: [&str; N]) -> Result<Vec<u8>, Failure> {
    let done = command(submodule).args(args).stdin(Stdio::null()).output().map_err(cannot_run)?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let why = text(&done.stderr);
    let line = why.lines().next().unwrap_or("no message");
    // Git refuses a repository of another user, and prints the command that allows it.
    let remedy = why.lines().map(str::trim).find(|line| line.starts_with("git config "));
    let remedy = remedy.map(|command| format!("; run `{}`", one_line(command))).unwrap_or_default();
    Err(Failure::new(format!("`git` failed: {}{remedy}", one_line(line))))
}

/// Returns a text of `git` without its line break at the end.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned()
}

/// Returns whether a directory is in a sparse checkout. `false` outside of a repository, or without `git`.
#[must_use]
pub fn is_sparse(directory: &Path) -> bool {
    git(["-C", &directory.to_string_lossy(), "config", "--type=bool", "core.sparseCheckout"])
        .is_ok_and(|answer| text(&answer) == "true")
}

/// Returns `git` without the programs that a repository may name. A Git directory that is committed as ordinary files is no repository.
fn command(submodule: Option<&Path>) -> Command {
    let mut command = Command::new("git");
    if let Some(directory) = submodule {
        for name in OF_REPOSITORY {
            command.env_remove(name);
        }
        // Without a valid `.git` in the submodule, `git` would use the repository above it.
        command.env("GIT_CEILING_DIRECTORIES", directory.parent().unwrap_or(directory));
        command.arg("-C").arg(directory);
    }
    command.args(["-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"]);
    command
}

fn cannot_run(error: std::io::Error) -> Failure {
    Failure::new(format!("cannot run `git`: {error}"))
}

/// A process that returns the contents of objects.
pub struct Blobs {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Blobs {
    /// Starts the process in the repository of the current directory, or in a submodule.
    ///
    /// # Errors
    /// Returns an error if `git` cannot be started.
    pub fn open(submodule: Option<&Path>) -> Result<Self, Failure> {
        let mut command = command(submodule);
        command
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().map_err(cannot_run)?;
        let requests = child.stdin.take();
        let answers = child.stdout.take().ok_or_else(|| Failure::new("`git` has no standard output"))?;
        Ok(Self { child, requests, answers: BufReader::new(answers) })
    }

    /// Returns the first bytes of an object, at most `limit`.
    ///
    /// # Errors
    /// Returns an error if the object cannot be read, such as in a clone without objects.
    pub fn read(&mut self, object: &str, limit: usize) -> Result<Vec<u8>, Failure> {
        let failed = || Failure::new(format!("`git` cannot read the object {}", one_line(object)));
        let requests = self.requests.as_mut().ok_or_else(failed)?;
        writeln!(requests, "{object}").and_then(|()| requests.flush()).map_err(|_| failed())?;
        let mut head = String::new();
        self.answers.read_line(&mut head).map_err(|_| failed())?;
        let size: u64 = head.trim_end().rsplit(' ').next().and_then(|n| n.parse().ok()).ok_or_else(failed)?;
        let mut bytes = Vec::new();
        let kept = size.min(limit as u64);
        self.answers.by_ref().take(kept).read_to_end(&mut bytes).map_err(|_| failed())?;
        // The rest of the object, and the line break after it.
        let mut rest = self.answers.by_ref().take(size - kept + 1);
        std::io::copy(&mut rest, &mut std::io::sink()).map_err(|_| failed())?;
        Ok(bytes)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // The process ends at the end of its input.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
