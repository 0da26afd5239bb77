//! Objects in the cluster that remain after their manifests are no longer generated: the commands that delete them.
use crate::files;
use crate::terminal::plain;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use tfjob_lang::lowered::SHARED;
use tfjob_targets::kubernetes::{CONFIG_MAP, is_pruned_by_argo_cd};
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

/// Returns the directories `JOB/TARGET` of obsolete manifests whose objects Argo CD deletes. `names`: the obsolete files.
pub fn pruned(folder: &Path, names: &[String]) -> BTreeSet<String> {
    let of_jobs = names.iter().filter(|name| manifest(name).is_some_and(|(_, kind)| kind == Kind::Job));
    let directories: BTreeSet<&str> = of_jobs.filter_map(|name| Some(name.rsplit_once('/')?.0)).collect();
    let is_pruned = |directory: &&str| {
        let text = files::bytes(&folder.join(directory).join(CONFIG_MAP));
        text.is_some_and(|text| is_pruned_by_argo_cd(&String::from_utf8_lossy(&text)))
    };
    directories.into_iter().filter(is_pruned).map(str::to_owned).collect()
}

/// Prints the commands that delete the objects of obsolete manifests of Kubernetes, for each environment: the objects do not stop when
/// the files are deleted. `names`: the obsolete files, as paths below `folder`. `pruned`: the directories of those that Argo CD deletes.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn print(
    folder: &Path,
    (names, pruned): (&[String], &BTreeSet<String>),
    place: Place,
    err: &mut dyn Write,
) -> io::Result<()> {
    let is_pruned =
        |name: &&String| name.rsplit_once('/').is_some_and(|(directory, _)| pruned.contains(directory));
    let (own, left): (Vec<&String>, Vec<&String>) = names.iter().partition(is_pruned);
    if !pruned.is_empty() {
        writeln!(err, "Argo CD deletes the objects of these manifests, if the application prunes:")?;
    }
    for name in own.into_iter().filter(|name| manifest(name).is_some()) {
        writeln!(err, "  {}", plain(&folder.join(name).to_string_lossy()))?;
    }
    let mut found: BTreeMap<&str, [Vec<&String>; 2]> = BTreeMap::new();
    for name in left {
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
