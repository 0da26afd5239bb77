//! Edits of the shared files in `_shim` are shown, and explained only by what they change.
use super::{PROJECT, project, write};
use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const DIRECTORY: &str = "rendered/prod/_shim/default";

/// Returns a compiled project with a job that needs the shim.
pub fn with_shim() -> TempDir {
    let dir = project(PROJECT);
    let line = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    env { D \"{data.d}\"; }\n    data \"d\" \"hdfs://default/d\"";
    let text =
        super::JOB.replace("NAME", "a").replace("run \"train\"", &format!("run \"train\"\n    {line}"));
    write(dir.path(), "jobs/a.tfjob.kdl", &text);
    let compile = run(dir.path(), &["compile"]);
    assert_eq!(code(&compile), 0, "{}", err(&compile));
    dir
}

/// Replaces a text in a shared file, and returns what `compile --check` prints for the human and the JSON format.
fn edited(dir: &Path, file: &str, old: &str, new: &str) -> [String; 2] {
    let path = dir.join(DIRECTORY).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let faulty = text.replacen(old, new, 1);
    assert_ne!(text, faulty, "{old}");
    fs::write(&path, faulty).unwrap();
    let told = ["human", "json"].map(|format| {
        let check = run(dir, &["compile", "--check", "--format", format]);
        assert_eq!(code(&check), 1, "{new}: {}", out(&check));
        assert!(out(&check).contains(&format!("{DIRECTORY}/{file}")), "{new}: {}", out(&check));
        out(&check).to_owned()
    });
    fs::write(&path, text).unwrap();
    told
}

#[test]
fn each_edit_of_a_shared_file_is_shown_and_is_no_version() {
    let dir = with_shim();
    let (map, list) = ("configmap.yaml", "kustomization.yaml");
    for (file, old, new, shown) in [
        (
            list,
            "- configmap.yaml\n",
            "- configmap.yaml\n- https://example.com/x\n",
            "-- https://example.com/x\n",
        ),
        (list, "# Written by tfjob ", "# Written by tfjob 0.0.", "+# Written by tfjob "),
        (list, "- configmap.yaml\n", "- configmap.yaml\nnamePrefix: x\n", "-namePrefix: x\n"),
        (map, "namespace: \"default\"", "namespace: \"kube-system\"", "-  namespace: \"kube-system\"\n"),
        (map, "Prune=false,Delete=false,", "", "+    argocd.argoproj.io/sync-options: Prune=false,"),
        (map, "immutable: true\n", "", "+immutable: true\n"),
        (map, "AA==\n", "AA==\n---\nkind: Pod\n", "-kind: Pod\n"),
        (map, "tfjob-shim: |\n", "tfjob-shim: |\n    # x\n", "-    # x\n"),
        (map, "# Written by tfjob ", "# Hello ", "-# Hello "),
    ] {
        let [human, json] = edited(dir.path(), file, old, new);
        assert!(human.contains(shown), "{new}: {human}");
        for told in [human, json] {
            let version = old.starts_with("# Written") && new.starts_with("# Written");
            assert_eq!(told.contains("another version of tfjob"), version, "{new}: {told}");
            assert!(!told.contains("another build") && !told.contains("TFJOB_SHIM"), "{new}: {told}");
        }
    }
    // The shim itself is never shown. What is no program is not another build of it.
    for new in ["    AAAA", "    f0VMR\n    "] {
        let [human, json] = edited(dir.path(), map, "    f0VM", new);
        assert!(!human.contains("RgIB"), "{human}");
        assert!(!human.contains("another build") && !json.contains("another build"), "{human}");
    }
    assert_eq!(code(&run(dir.path(), &["compile", "--check"])), 0);
}

#[test]
fn another_version_is_named_if_nothing_else_differs() {
    let dir = with_shim();
    let version = env!("CARGO_PKG_VERSION");
    for file in ["configmap.yaml", "kustomization.yaml"] {
        let path = dir.path().join(DIRECTORY).join(file);
        let text = fs::read_to_string(&path).unwrap().replace(version, "0.0.7");
        for (more, is_version) in [("", true), ("kind: Pod\n", false)] {
            fs::write(&path, format!("{text}{more}")).unwrap();
            let check = run(dir.path(), &["compile", "--check"]);
            assert_eq!(code(&check), 1);
            let told = out(&check);
            assert_eq!(told.contains("it was written by another version of tfjob"), is_version, "{told}");
            assert!(told.contains("-# Written by tfjob 0.0.7") && told.contains(more), "{told}");
        }
        assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    }
}
