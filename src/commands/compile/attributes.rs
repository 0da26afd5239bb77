//! The file `.gitattributes` of the output directory.
use super::Made;
use super::obsolete::Scope;
use crate::files::{self, Output};
use std::collections::BTreeSet;
use std::path::Path;

/// Name of the file.
pub const NAME: &str = ".gitattributes";

/// The attributes of the output files. They come last in the file, because the last line that matches a path decides. So
/// reviewers see each manifest, whatever earlier lines say. Only the ConfigMap with the shim in base64 is not shown. Git finds out
/// which files are binary, and leaves them unchanged; all others have the same line ends on each machine.
pub const LINES: &str =
    "* text=auto eol=lf !diff !linguist-generated\n**/_shim/*/configmap.yaml -diff linguist-generated\n";

/// First line of the file, if tfjob has written it.
const HEADER: &str = "# Written by tfjob.\n";

/// Content of the file that earlier builds of tfjob have written.
const EARLIER: &str = "* text eol=lf linguist-generated\n";

/// Returns the file as it should be. `None` if a user has written the file without [`LINES`], and for the directory of a
/// project or of a Git repository, where the attributes would apply to other files.
pub fn file(folder: &Path) -> Option<Output> {
    if is_shared(folder) {
        return None;
    }
    let text = match text(folder) {
        Some(text) if is_complete(&text) => text,
        Some(text) if !is_ours(&text) => return None,
        Some(_) | None => format!("{HEADER}{LINES}"),
    };
    Some(Output { path: NAME.to_owned(), bytes: text.into_bytes(), executable: false })
}

/// Returns the attributes that may hide manifests from a review, as paths below the output directory: a file that a user has
/// written without [`LINES`], and files in the directories of environments and jobs, which Git prefers. All of them are kept.
pub fn foreign(folder: &Path, made: &[Made], scope: &Scope) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if matches!(scope, Scope::Jobs) || is_shared(folder) {
        return found;
    }
    found.extend(text(folder).filter(|text| !is_ours(text)).map(|_| NAME.to_owned()));
    let above = made.iter().flat_map(|one| one.folder.match_indices('/').map(|(end, _)| &one.folder[..end]));
    let below = above.map(|directory| format!("{directory}/{NAME}"));
    found.extend(below.filter(|name| folder.join(name).symlink_metadata().is_ok()));
    found
}

/// Returns whether the file needs no change by its user: tfjob has written it, or it ends with [`LINES`].
fn is_ours(text: &str) -> bool {
    text == EARLIER || text.starts_with(HEADER) || is_complete(text)
}

/// Returns whether the text ends with [`LINES`].
fn is_complete(text: &str) -> bool {
    let lines = LINES.trim_end();
    text.trim_end().strip_suffix(lines).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
}

/// Returns whether the directory also contains files other than the output.
fn is_shared(folder: &Path) -> bool {
    [".git", tfjob_driver::files::PROJECT].iter().any(|name| folder.join(name).symlink_metadata().is_ok())
}

/// Returns the text of the file; `None` if there is no regular file. A symbolic link is reported like that of any other output
/// file.
fn text(folder: &Path) -> Option<String> {
    let bytes = files::bytes(&folder.join(NAME))?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
