//! Objects in the cluster that remain after their manifests are no longer generated: the commands that delete them.
use crate::terminal::plain;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use tfjob_lang::lowered::SHARED;
use tfjob_targets::shell;

/// Where the obsolete manifests are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the output directory.
    WorkTree,
    /// Only in the last commit: the command has deleted the files.
    LastCommit,
    /// Nowhere: the command has deleted the files, and no commit has them.
    Nowhere,
}

/// Prints the commands that delete the objects of obsolete manifests of Kubernetes, for each environment: the objects do not stop when
/// the files are deleted. `names`: the obsolete files, as paths below `folder`.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn print(folder: &Path, names: &[String], place: Place, err: &mut dyn Write) -> io::Result<()> {
    let mut found: BTreeMap<&str, [Vec<&String>; 2]> = BTreeMap::new();
    for name in names {
        let Some((environment, kind)) = manifest(name) else { continue };
        let of_environment = found.entry(environment).or_default();
        of_environment[usize::from(kind == Kind::Shim)].push(name);
    }
    let remedy = match place {
        Place::WorkTree | Place::LastCommit => {
            "to delete them, select the context of their cluster (`kubectl config use-context`), and run"
        }
        Place::Nowhere => "no commit has these files, so delete the objects by their names",
    };
    for (environment, [objects, shims]) in found {
        let place_of_jobs = match environment {
            "" => String::new(),
            name => format!(" in environment {}", plain(name)),
        };
        let mut list = |title: String, names: &[&String]| {
            if names.is_empty() {
                return Ok(());
            }
            writeln!(err, "{title}:")?;
            names.iter().try_for_each(|name| writeln!(err, "  {}", plain(&command(folder, name, place))))
        };
        list(format!("objects of these manifests may still run{place_of_jobs}; {remedy}"), &objects)?;
        list(
            format!(
                "these ConfigMaps contain the shim for all jobs of their namespace{place_of_jobs}; after these jobs have finished, delete \
                 them in the same context"
            ),
            &shims,
        )?;
    }
    Ok(())
}

/// What a manifest contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Objects of one job.
    Job,
    /// The ConfigMap with the shim.
    Shim,
}

/// Returns the environment of a manifest with objects of Kubernetes, and what it contains. The environment is empty in a project
/// without environments. `None` for other files.
fn manifest(name: &str) -> Option<(&str, Kind)> {
    let parts: Vec<&str> = name.split('/').collect();
    let (environment, [job, target, file]) = match parts.as_slice() {
        [job, target, file] => ("", [*job, *target, *file]),
        [environment, job, target, file] => (*environment, [*job, *target, *file]),
        _ => return None,
    };
    if !file.ends_with(".yaml") || file == "kustomization.yaml" {
        return None;
    }
    match (job, target) {
        (SHARED, _) => Some((environment, Kind::Shim)),
        (_, "kubernetes") => Some((environment, Kind::Job)),
        (_, _) => None,
    }
}

/// Returns the command that deletes the objects of a manifest. `name`: its path below `folder`.
fn command(folder: &Path, name: &str, place: Place) -> String {
    let path = folder.join(name);
    let path = path.to_string_lossy();
    let delete = |file: &str| shell::join(["kubectl", "delete", "--ignore-not-found", "--filename", file]);
    let show = match place {
        Place::WorkTree => return delete(&path),
        Place::Nowhere => return path.into_owned(),
        Place::LastCommit if folder.is_absolute() => {
            shell::join(["git", "-C", &folder.to_string_lossy(), "show", &format!("HEAD:./{name}")])
        }
        // `./` makes the path relative to the current directory, not to the root of the repository.
        Place::LastCommit => shell::join(["git", "show", &format!("HEAD:./{path}")]),
    };
    format!("{show} | {}", delete("-"))
}

#[cfg(test)]
mod tests {
    use super::{Kind, Place, command, manifest};
    use std::path::Path;

    #[test]
    fn a_command_works_in_the_current_directory() {
        let shown = |folder: &str| command(Path::new(folder), "a/tfjob.yaml", Place::LastCommit);
        let delete = "kubectl delete --ignore-not-found --filename -";
        assert_eq!(shown("rendered"), format!("git show HEAD:./rendered/a/tfjob.yaml | {delete}"));
        assert_eq!(shown("/x y"), format!("git -C '/x y' show HEAD:./a/tfjob.yaml | {delete}"));
    }

    #[test]
    fn only_manifests_with_objects_are_listed() {
        for (name, expected) in [
            ("prod/a/kubernetes/tfjob.yaml", Some(("prod", Kind::Job))),
            ("a/kubernetes/tensorboard.yaml", Some(("", Kind::Job))),
            ("prod/_shim/ml/configmap.yaml", Some(("prod", Kind::Shim))),
            ("_shim/kubernetes/configmap.yaml", Some(("", Kind::Shim))),
            ("prod/a/kubernetes/kustomization.yaml", None),
            ("_shim/ml/kustomization.yaml", None),
            ("prod/a/kubernetes/submit.sh", None),
            ("prod/a/yarn/x.yaml", None),
            ("tfjob.yaml", None),
        ] {
            assert_eq!(manifest(name), expected, "{name}");
        }
    }
}
