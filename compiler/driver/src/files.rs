//! What the name of a file says: whether it is a job description or a cluster file, and in which format.
use std::path::Path;
use tfjob_lang::sources::{Format, Source};
use tfjob_lang::syntax::has_root;

/// The name of standard input.
pub const STDIN: &str = "-";

/// How the names of job descriptions end.
const ENDINGS: [&str; 4] = [".tfjob.kdl", ".tfjob.json", ".tfjob.yaml", ".tfjob.yml"];

/// How the names of cluster files end.
const CLUSTER_ENDINGS: [&str; 4] = [".cluster.kdl", ".cluster.json", ".cluster.yaml", ".cluster.yml"];

/// Whether the name is that of a cluster file.
#[must_use]
pub fn is_cluster(path: &Path) -> bool {
    let name = path.to_string_lossy();
    CLUSTER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether the name is that of a job description.
#[must_use]
pub fn is_spec(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// How a name ends behind its last dot, in lower case: some file systems keep capitals, and some do not.
#[must_use]
pub fn extension(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Whether the text of a file is that of a job or of a cluster, so that a fix or a layout may be written to it.
#[must_use]
pub fn is_ours(source: &Source) -> bool {
    has_root(source, if is_cluster(Path::new(&source.name)) { "cluster" } else { "job" })
}

/// The format of the file of this name: KDL, unless the name says otherwise.
#[must_use]
pub fn format_of(name: &str) -> Format {
    match extension(Path::new(name)).as_str() {
        "json" => Format::Json,
        "yaml" | "yml" => Format::Yaml,
        _ => Format::Kdl,
    }
}

/// The format of a text of this name. Standard input has no name, so its first line that says something decides.
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
