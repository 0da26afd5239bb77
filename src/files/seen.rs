//! One folder as it is seen from another: what is written there can be pasted where a person stands.
use super::STDIN;
use std::path::{Component, Path, PathBuf};

/// The folder that a spec lies in; that of the process for one that is piped in.
#[must_use]
pub fn home(spec: &Path) -> &Path {
    match spec.parent() {
        Some(parent) if spec != Path::new(STDIN) && parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A way from `from` to `to`, both folders that are there; the whole path where a relative one cannot be told.
#[must_use]
pub fn way(from: &Path, to: &Path) -> PathBuf {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let (Some(from), Some(end)) = (real(from), real(to)) else { return to.to_path_buf() };
    // What was named is what the user knows, wherever it holds.
    if to.is_absolute() || real(Path::new(".")).is_some_and(|here| here == from) {
        return to.to_path_buf();
    }
    let shared = from.components().zip(end.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(end.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::{home, way};
    use std::path::Path;

    #[test]
    fn a_spec_lies_in_its_folder_and_a_piped_one_here() {
        for (spec, folder) in
            [("a.tfjob.kdl", "."), ("-", "."), ("jobs/a.tfjob.kdl", "jobs"), ("/a.kdl", "/")]
        {
            assert_eq!(home(Path::new(spec)), Path::new(folder), "{spec}");
        }
    }

    #[test]
    fn a_way_leads_from_one_folder_to_the_other() {
        // Tests run in the folder of the package.
        let between = way(Path::new("compiler/driver"), Path::new("compiler/lang"));
        assert_eq!(between, Path::new("../lang"));
        assert_eq!(way(Path::new("."), Path::new("./compiler")), Path::new("./compiler"));
        let whole = std::env::temp_dir();
        assert_eq!(way(Path::new("compiler"), &whole), whole);
    }
}
