//! Finds the specs of a project: paths, directories, and globs in the syntax of `.gitignore`.
use super::specs::{Found, walk};
use crate::outcome::Failure;
use ignore::overrides::OverrideBuilder;
use std::path::Path;

/// The specs that match globs.
#[derive(Debug, Default)]
pub struct Globs {
    /// The specs, sorted.
    pub specs: Vec<Found>,
    /// Indices of the globs that match no spec.
    pub unused: Vec<usize>,
    /// Indices of the globs with invalid syntax, and the reason.
    pub invalid: Vec<(usize, String)>,
}

/// Returns the specs and cluster files of `folder` that match one of `globs` and no glob that begins with `!`. If all globs begin
/// with `!`, or `globs` is empty, every other file matches. Files that Git ignores are skipped.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn matching(folder: &Path, globs: &[&str]) -> Result<Globs, Failure> {
    let mut found = Globs::default();
    let all = walk(folder)?;
    let mut matchers = Vec::new();
    for (number, glob) in globs.iter().enumerate() {
        let (exclude, plain) = glob.strip_prefix('!').map_or((false, *glob), |rest| (true, rest));
        let plain = plain.trim_start_matches("./").trim_end_matches('/');
        // The path of a directory matches all specs below it. A file given by its path is checked even if other specs extend it.
        let anchored = match plain {
            "." => "/**".to_owned(),
            plain if folder.join(plain).is_dir() => format!("/{plain}/**"),
            plain => format!("/{plain}"),
        };
        let mut builder = OverrideBuilder::new(folder);
        match builder.add(&anchored).and_then(|builder| builder.build()) {
            Ok(matcher) => matchers.push((number, exclude, folder.join(plain).is_file(), matcher)),
            Err(error) => found.invalid.push((number, error.to_string())),
        }
    }
    let includes = globs.iter().any(|glob| !glob.starts_with('!'));
    let mut used = vec![false; globs.len()];
    for path in all {
        let (mut included, mut excluded, mut named) = (!includes, false, false);
        for (number, exclude, is_file, matcher) in &matchers {
            if matcher.matched(&path, false).is_whitelist() {
                used[*number] = true;
                if *exclude {
                    excluded = true
                } else {
                    included = true
                }
                named |= is_file;
            }
        }
        if included && !excluded {
            found.specs.push(Found { path, named });
        }
    }
    let invalid = |number: &usize| found.invalid.iter().any(|(other, _)| other == number);
    found.unused = (0..globs.len()).filter(|number| !used[*number] && !invalid(number)).collect();
    found.specs.sort();
    Ok(found)
}

/// Returns the first directory in the path of a glob, below `folder`, that is a symbolic link. [`matching`] finds no spec below it.
#[must_use]
pub fn linked_directory(folder: &Path, glob: &str) -> Option<String> {
    let plain = glob.strip_prefix('!').unwrap_or(glob).trim_end_matches('/');
    let ends = plain.match_indices('/').map(|(end, _)| end).chain([plain.len()]);
    let is_link = |part: &&str| {
        let path = folder.join(part);
        path.is_symlink() && path.is_dir()
    };
    ends.map(|end| &plain[..end]).find(is_link).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[cfg(unix)]
    #[test]
    fn a_linked_directory_in_a_glob_is_found() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("real/deep")).unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("none", dir.path().join("dangling")).unwrap();
        for (glob, link) in [
            ("link", Some("link")),
            ("!./link/", Some("./link")),
            ("link/deep/*.kdl", Some("link")),
            ("real/deep", None),
            ("dangling/a", None),
            ("*/a", None),
        ] {
            assert_eq!(linked_directory(dir.path(), glob).as_deref(), link, "{glob}");
        }
    }

    #[test]
    fn globs_include_and_exclude_specs() {
        let dir = tempfile::tempdir().unwrap();
        for name in
            ["a.tfjob.kdl", "jobs/b.tfjob.kdl", "jobs/deep/c.tfjob.yaml", "old/d.tfjob.kdl", "jobs/notes.kdl"]
        {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let names = |globs: &[&str]| {
            let found = matching(dir.path(), globs).unwrap();
            let name = |found: &Found| {
                found.path.strip_prefix(dir.path()).unwrap().to_string_lossy().replace('\\', "/")
            };
            (found.specs.iter().map(name).collect::<Vec<_>>().join(" "), found.unused, found.invalid.len())
        };
        let all = "a.tfjob.kdl jobs/b.tfjob.kdl jobs/deep/c.tfjob.yaml old/d.tfjob.kdl";
        for (globs, wanted) in [
            (&[][..], (all, vec![], 0)),
            (&["."], (all, vec![], 0)),
            (&["jobs"], ("jobs/b.tfjob.kdl jobs/deep/c.tfjob.yaml", vec![], 0)),
            (&["jobs/*.kdl", "x"], ("jobs/b.tfjob.kdl", vec![1], 0)),
            (&["**/*.kdl", "!old"], ("a.tfjob.kdl jobs/b.tfjob.kdl", vec![], 0)),
            (&["!jobs"], ("a.tfjob.kdl old/d.tfjob.kdl", vec![], 0)),
            (&["*.kdl"], ("a.tfjob.kdl", vec![], 0)),
            (&["a{"], ("", vec![], 1)),
        ] {
            let (specs, unused, invalid) = names(globs);
            assert_eq!((specs.as_str(), unused, invalid), wanted, "{globs:?}");
        }
    }
}
