//! Objects in the cluster that remain after their manifests are no longer generated: the commands that delete them.
use super::documents::documents;
use crate::commands::krm::Object;
use crate::files;
use crate::terminal::plain;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use tfjob_lang::lowered::SHARED;
use tfjob_targets::kubernetes::{CONFIG_MAP, is_pruned_by_argo_cd};
use tfjob_targets::shell;

/// What obsolete manifests contain. It is read before the command deletes the files.
#[derive(Debug, Default)]
pub struct Content {
    /// The directories `JOB/TARGET` of the manifests whose objects Argo CD deletes.
    pruned: BTreeSet<String>,
    /// The objects, by the path of the manifest below the output directory. `None` if it cannot be read.
    objects: BTreeMap<String, Option<Vec<Object>>>,
}

impl Content {
    /// Reads the manifests of Kubernetes. `names`: the obsolete files, as paths below `folder`.
    pub fn of(folder: &Path, names: &[String]) -> Self {
        let of_jobs = names.iter().filter(|name| manifest(name).is_some_and(|(_, kind)| kind == Kind::Job));
        let directories: BTreeSet<&str> = of_jobs.filter_map(|name| Some(name.rsplit_once('/')?.0)).collect();
        let is_pruned = |directory: &&str| {
            let objects = objects(&folder.join(directory).join(CONFIG_MAP)).unwrap_or_default();
            objects.iter().any(|object| is_pruned_by_argo_cd(|key| object.has_annotation(key)))
        };
        let pruned = directories.into_iter().filter(is_pruned).map(str::to_owned).collect();
        let manifests = names.iter().filter(|name| manifest(name).is_some());
        let objects = manifests.map(|name| (name.clone(), objects(&folder.join(name)))).collect();
        Self { pruned, objects }
    }

    /// Returns the objects of a manifest by namespace, in the notation of kubectl, such as `tfjob/mnist`. The namespace is empty if the
    /// manifest does not set it.
    ///
    /// # Errors
    /// Returns the reason why there are no objects.
    fn named(&self, name: &str) -> Result<BTreeMap<&str, Vec<String>>, &'static str> {
        let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let objects = self.objects.get(name).and_then(Option::as_ref);
        for object in objects.ok_or("cannot be read, so its objects are not known")? {
            let named = format!("{}/{}", object.kind.to_ascii_lowercase(), object.name);
            found.entry(&object.namespace).or_default().push(named);
        }
        if found.is_empty() { Err("contains no object with a name") } else { Ok(found) }
    }
}

/// Returns the objects of a manifest. `None` if it cannot be read. A symbolic link is not followed.
fn objects(path: &Path) -> Option<Vec<Object>> {
    let bytes = files::bytes(path)?;
    let documents = documents(&String::from_utf8_lossy(&bytes));
    Some(documents.iter().filter_map(|text| Object::of(text)).collect())
}

/// Prints the commands that delete the objects of obsolete manifests of Kubernetes, for each environment: the objects do not stop when
/// the files are deleted. `names`: the obsolete files, as paths below `folder`. `is_deleted`: whether the command has deleted them.
///
/// # Errors
/// Returns an error if standard error cannot be written.
pub fn print(
    folder: &Path,
    (names, content): (&[String], &Content),
    is_deleted: bool,
    err: &mut dyn Write,
) -> io::Result<()> {
    let is_pruned =
        |name: &&String| name.rsplit_once('/').is_some_and(|(above, _)| content.pruned.contains(above));
    let (own, left): (Vec<&String>, Vec<&String>) = names.iter().partition(is_pruned);
    if !content.pruned.is_empty() {
        let before = if is_deleted { "" } else { "after you have deleted the obsolete files, " };
        writeln!(
            err,
            "{before}Argo CD deletes these objects, if it has created them and its application prunes:"
        )?;
    }
    for name in own.into_iter().filter(|name| manifest(name).is_some()) {
        let objects =
            content.named(name).map(|all| all.into_values().flatten().collect::<Vec<_>>().join(", "));
        let objects = objects.unwrap_or_else(str::to_owned);
        let path = folder.join(name);
        writeln!(err, "  {} ({})", plain(&objects), plain(&path.to_string_lossy()))?;
    }
    let mut found: BTreeMap<&str, [Vec<&String>; 2]> = BTreeMap::new();
    for name in left {
        let Some((environment, kind)) = manifest(name) else { continue };
        let of_environment = found.entry(environment).or_default();
        of_environment[usize::from(kind == Kind::Shim)].push(name);
    }
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
            let mut commands = names.iter().flat_map(|name| commands(folder, name, content, is_deleted));
            commands.try_for_each(|command| writeln!(err, "  {}", plain(&command)))
        };
        list(
            format!(
                "objects of these manifests may still run{place_of_jobs}; to delete them, select the context of their cluster \
                 (`kubectl config use-context`), and run"
            ),
            &objects,
        )?;
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

/// Returns the commands that delete the objects of a manifest: one for each namespace, if the file is deleted. `name`: its path below
/// `folder`.
fn commands(folder: &Path, name: &str, content: &Content, is_deleted: bool) -> Vec<String> {
    let path = folder.join(name);
    let path = path.to_string_lossy();
    let delete = |rest: &[&str]| shell::join([&["kubectl", "delete", "--ignore-not-found"], rest].concat());
    if !is_deleted {
        return vec![delete(&["--filename", &path])];
    }
    let named = match content.named(name) {
        Ok(named) => named,
        Err(why) => return vec![format!("# {path}: {why}")],
    };
    let command = |(namespace, objects): (&str, Vec<String>)| {
        let place = if namespace.is_empty() { vec![] } else { vec!["--namespace", namespace] };
        delete(&place.into_iter().chain(objects.iter().map(String::as_str)).collect::<Vec<_>>())
    };
    named.into_iter().map(command).collect()
}

#[cfg(test)]
mod tests {
    use super::{Content, Kind, Object, commands, manifest};
    use std::path::Path;

    #[test]
    fn a_command_names_a_file_or_its_objects() {
        let path = "a/kubernetes/tfjob.yaml";
        let object = |kind: &str, namespace: &str| Object {
            kind: kind.to_owned(),
            name: "a".to_owned(),
            namespace: namespace.to_owned(),
            ..Object::default()
        };
        let all = vec![object("TFJob", "ml"), object("ConfigMap", "ml"), object("Service", "")];
        let content = |all| Content { objects: [(path.to_owned(), all)].into(), ..Content::default() };
        let shown = |content: &Content, is_deleted| commands(Path::new("/x y"), path, content, is_deleted);
        let delete = "kubectl delete --ignore-not-found";
        let [content, empty, unread] = [Some(all), Some(Vec::new()), None].map(content);
        assert_eq!(shown(&content, false), [format!("{delete} --filename '/x y/{path}'")]);
        let expected =
            [format!("{delete} service/a"), format!("{delete} --namespace ml tfjob/a configmap/a")];
        assert_eq!(shown(&content, true), expected);
        assert_eq!(shown(&empty, true), [format!("# /x y/{path}: contains no object with a name")]);
        let why = "cannot be read, so its objects are not known";
        assert_eq!(shown(&unread, true), [format!("# /x y/{path}: {why}")]);
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
