//! Determines the kind of a file (spec, cluster file, or project file) and its format by the file name.
use std::path::Path;
use tfjob_lang::sources::{Format, Source};
use tfjob_lang::syntax::has_root;

/// The file name that stands for standard input.
pub const STDIN: &str = "-";

/// File name endings of specs.
const ENDINGS: [&str; 4] = [".tfjob.kdl", ".tfjob.json", ".tfjob.yaml", ".tfjob.yml"];

/// File name endings of cluster files.
const CLUSTER_ENDINGS: [&str; 4] = [".cluster.kdl", ".cluster.json", ".cluster.yaml", ".cluster.yml"];

/// File name of a project file.
pub const PROJECT: &str = "tfjob.kdl";

/// Returns whether a path is that of a project file.
#[must_use]
pub fn is_project(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == PROJECT)
}

/// Returns whether a path has an ending of cluster files.
#[must_use]
pub fn is_cluster(path: &Path) -> bool {
    let name = path.to_string_lossy();
    CLUSTER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether a file name has an ending of specs.
#[must_use]
pub fn is_spec(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the file name extension in lower case, because some file systems ignore case; empty if there is none.
#[must_use]
pub fn extension(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Returns whether a text has the root block of its kind of file: `job`, `cluster`, or `project`. `--fix` and `fmt` change no
/// other files.
#[must_use]
pub fn is_ours(source: &Source) -> bool {
    let path = Path::new(&source.name);
    let root = if is_project(path) {
        "project"
    } else if is_cluster(path) {
        "cluster"
    } else {
        "job"
    };
    has_root(source, root)
}

/// Returns the format of a file by its extension. Default: KDL.
#[must_use]
pub fn format_of(name: &str) -> Format {
    match extension(Path::new(name)).as_str() {
        "json" => Format::Json,
        "yaml" | "yml" => Format::Yaml,
        _ => Format::Kdl,
    }
}

/// Returns the format of a text by its file name. Standard input has no file name, so the first line that is neither empty
/// nor a comment decides.
#[must_use]
pub fn format_in(name: &str, text: &str) -> Format {
    if name != STDIN {
        return format_of(name);
    }
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '-'])).unwrap_or_default();
    let key = first.split(':').next().unwrap_or_default().trim_matches(['"', '\'']);
    match key {
        _ if first.starts_with('{') => Format::Json,
        "job" | "extends" | "cluster" if key.len() < first.len() => Format::Yaml,
        _ => Format::Kdl,
    }
}
