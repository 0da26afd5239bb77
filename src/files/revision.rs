//! Reads specs of a Git revision, through the program `git`.
use crate::outcome::Failure;
use crate::terminal::plain;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Extensions of the files of a revision that are read: specs, base files, cluster files, and project files.
const EXTENSIONS: [&str; 4] = [".kdl", ".json", ".yaml", ".yml"];

/// The specs of a Git revision in a temporary directory, which is deleted when dropped.
#[derive(Debug)]
pub struct Revision {
    /// The revision, as reports name it.
    pub name: String,
    /// The directory that corresponds to the current directory.
    pub directory: PathBuf,
    _temporary: TempDir,
}

impl Revision {
    /// Extracts the specs of a revision. `name`: how reports name it. The work tree and the index of the repository are not changed.
    ///
    /// # Errors
    /// Returns an error if `git` cannot be started, the current directory is not in a repository, the revision does not exist, or
    /// the files cannot be written.
    pub fn extract(revision: &str, name: &str) -> Result<Self, Failure> {
        let commit = commit(revision)?;
        let below = text(git(["rev-parse", "--show-prefix"])?);
        let temporary = tempfile::Builder::new().prefix("tfjob-").tempdir().map_err(cannot_extract)?;
        let tree = temporary.path().join("tree");
        let index = temporary.path().join("index");
        std::fs::create_dir(&tree).map_err(cannot_extract)?;
        // Marks the root of the project directory, as in a repository: base files outside of it are refused.
        std::fs::write(tree.join(".git"), "").map_err(cannot_extract)?;
        run(Command::new("git").env("GIT_INDEX_FILE", &index).args(["read-tree", &commit]), &[])?;
        let names = git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", &commit])?;
        let wanted = names.split_inclusive(|byte| *byte == 0).filter(|name| is_wanted(name));
        let wanted: Vec<u8> = wanted.flatten().copied().collect();
        let mut prefix = OsString::from("--prefix=");
        prefix.push(&tree);
        prefix.push("/");
        let mut command = Command::new("git");
        // Filters, such as Git LFS, would start other programs, and may need the network.
        command.env("GIT_INDEX_FILE", &index).env("GIT_LFS_SKIP_SMUDGE", "1");
        command.current_dir(root()?).args(["checkout-index", "-z", "--stdin", "--force"]);
        command.arg(prefix);
        run(&mut command, &wanted)?;
        let directory = tree.join(below);
        std::fs::create_dir_all(&directory).map_err(cannot_extract)?;
        Ok(Self { name: name.to_owned(), directory, _temporary: temporary })
    }
}

/// Returns the two revisions of a range such as `main..HEAD`, each with its name in reports. `A...B` starts at the last commit that
/// both have in common. An omitted revision is `HEAD`. `None` if the text is not a range.
///
/// # Errors
/// Returns an error if `git` cannot be started, or the revisions have no commit in common.
pub fn range(text: &str) -> Result<Option<[(String, String); 2]>, Failure> {
    let or_head = |name: &str| if name.is_empty() { "HEAD" } else { name }.to_owned();
    let named = |name: &str| (or_head(name), or_head(name));
    if let Some((old, new)) = text.split_once("...") {
        let (start, end) = (or_head(old), or_head(new));
        let base = self::text(git(["merge-base", &commit(&start)?, &commit(&end)?])?);
        return Ok(Some([(base, format!("the merge base of {start} and {end}")), named(new)]));
    }
    Ok(text.split_once("..").map(|(old, new)| [named(old), named(new)]))
}

/// Returns the ID of the commit of a revision.
fn commit(name: &str) -> Result<String, Failure> {
    let wanted = format!("{name}^{{commit}}");
    let mut command = Command::new("git");
    command.args(["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]);
    let done = output(&mut command, &[])?;
    if done.status.success() {
        return Ok(self::text(done.stdout));
    }
    // Outside of a repository, the error of this command says so.
    git(["rev-parse", "--git-dir"])?;
    Err(Failure::new(format!("`{}` is neither a file nor a Git revision", plain(name))))
}

/// Returns the root of the work tree. The names of `ls-tree` are relative to it.
fn root() -> Result<PathBuf, Failure> {
    Ok(PathBuf::from(text(git(["rev-parse", "--show-toplevel"])?)))
}

/// Returns whether a file may be read: the name of a path of `ls-tree`, with the NUL after it.
fn is_wanted(name: &[u8]) -> bool {
    let name = name.strip_suffix(b"\0").unwrap_or(name);
    EXTENSIONS.iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Returns the standard output of `git`.
fn git<const N: usize>(args: [&str; N]) -> Result<Vec<u8>, Failure> {
    run(Command::new("git").args(args), &[])
}

/// Runs a command, and returns its standard output.
fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, Failure> {
    let done = output(command, input)?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let why = text(done.stderr);
    let line = why.lines().next().unwrap_or("no message");
    Err(Failure::new(format!("`git` failed: {}", plain(line))))
}

fn output(command: &mut Command, input: &[u8]) -> Result<Output, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("cannot run `git`: {error}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot)?;
    if let Some(mut stdin) = child.stdin.take() {
        // If `git` ends early, its exit code says why.
        let _ = stdin.write_all(input);
    }
    child.wait_with_output().map_err(cannot)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()
}

fn cannot_extract(error: std::io::Error) -> Failure {
    Failure::at("cannot extract the revision to", Path::new(&std::env::temp_dir()), &error)
}
