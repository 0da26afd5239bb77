//! Where the static shim lies that printed steps read from the spec's folder.
use super::way;
use std::path::{Path, PathBuf};

/// The file's name, in steps too.
pub const SHIM: &str = "tfjob-shim";
/// Where this program's own sources build it, seen from the folder of a program that was built beside it.
const BUILT: &str = "../x86_64-unknown-linux-musl/shim";

/// What has to be done before a step finds the shim in `home`.
#[derive(Debug, PartialEq, Eq)]
pub enum Shim {
    /// Nothing: it is there.
    Here,
    /// It is brought from there, as `home` sees it.
    At(PathBuf),
    /// Nobody knows where it is.
    Nowhere,
}

/// Looks for the shim: in the folder itself, beside this program, where cargo builds it.
#[must_use]
pub fn shim(home: &Path) -> Shim {
    find(home, std::env::current_exe().ok().as_deref().and_then(Path::parent))
}

fn find(home: &Path, program: Option<&Path>) -> Shim {
    if home.join(SHIM).is_file() {
        return Shim::Here;
    }
    let folders = program.into_iter().flat_map(|folder| [folder.to_path_buf(), folder.join(BUILT)]);
    let whole = folders.filter_map(|folder| std::fs::canonicalize(folder.join(SHIM)).ok());
    whole.into_iter().find(|path| path.is_file()).map_or(Shim::Nowhere, |path| Shim::At(way(home, &path)))
}

#[cfg(test)]
mod tests {
    use super::{BUILT, SHIM, Shim, find};
    use std::fs;

    #[test]
    fn the_shim_is_found_here_beside_the_program_or_where_it_is_built() {
        let dir = tempfile::tempdir().unwrap();
        let (home, program) = (dir.path().join("jobs"), dir.path().join("target/release"));
        let built = dir.path().join("target/release").join(BUILT);
        for folder in [&home, &program, &built] {
            fs::create_dir_all(folder).unwrap();
        }
        assert_eq!((find(&home, None), find(&home, Some(&program))), (Shim::Nowhere, Shim::Nowhere));
        let at = |folder: &std::path::Path| fs::write(folder.join(SHIM), "").unwrap();
        at(&built);
        let Shim::At(path) = find(&home, Some(&program)) else { panic!("it is built") };
        assert!(path.ends_with("x86_64-unknown-linux-musl/shim/tfjob-shim"), "{}", path.display());
        at(&program);
        let Shim::At(path) = find(&home, Some(&program)) else { panic!("it lies beside the program") };
        assert!(path.ends_with("target/release/tfjob-shim"), "{}", path.display());
        at(&home);
        assert_eq!(find(&home, Some(&program)), Shim::Here);
    }
}
