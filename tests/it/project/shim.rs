//! The shim in the output of `compile`: one copy per namespace, and programs that cannot be the shim.
use super::{files, project, write};
use crate::program::{code, err, out, run};
use std::fs;

#[test]
fn jobs_of_a_namespace_share_the_shim_until_none_needs_it() {
    let spec = |name: &str, more: &str| {
        format!(
            "job \"{name}\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    run \"a\"\n    \
             role \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\n    {more}\n    target \"kubernetes\" {{ namespace \"1\" }}\n}}\n"
        )
    };
    let dir = project("project { specs \"jobs\"; out \"rendered\" }\n");
    let shim = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"; data \"d\" \"hdfs://default/d\"";
    write(dir.path(), "jobs/a.tfjob.kdl", &spec("a", shim));
    write(dir.path(), "jobs/b.tfjob.kdl", &spec("b", shim));
    let compile = run(dir.path(), &["compile"]);
    assert_eq!(code(&compile), 0, "{}", err(&compile));
    let rendered = dir.path().join("rendered");
    let shared = || files(&rendered).into_iter().filter(|name| name.starts_with("_shim")).collect::<Vec<_>>();
    assert_eq!(shared(), ["_shim/1/configmap.yaml", "_shim/1/kustomization.yaml"]);
    let why = "\na/kubernetes: tfjob-shim runs in each task, for `hadoop` (line 6)\n";
    assert!(err(&compile).contains(why), "{}", err(&compile));
    let map = fs::read_to_string(rendered.join("_shim/1/configmap.yaml")).unwrap();
    // Without quotes, the namespace would be a number, which the API server refuses.
    assert!(map.contains("  namespace: \"1\"\n"), "{map}");
    assert!(map.contains("immutable: true\nbinaryData:\n  tfjob-shim: |\n    "), "{map}");
    // `Prune=false` alone does not protect it when its application is deleted.
    assert!(map.contains("sync-options: Prune=false,Delete=false,ServerSideApply=true\n"), "{map}");
    // The kept ConfigMap of another version is not in Git: without this, its application stays OutOfSync.
    assert!(map.contains("\n    argocd.argoproj.io/compare-options: IgnoreExtraneous\n"), "{map}");
    let job = fs::read_to_string(rendered.join("a/kubernetes/tfjob.yaml")).unwrap();
    let name = map.lines().find_map(|line| line.strip_prefix("  name: ")).unwrap();
    assert!(job.contains(&format!("name: {name}\n")), "{job}");

    write(dir.path(), "jobs/a.tfjob.kdl", &spec("a", ""));
    write(dir.path(), "jobs/b.tfjob.kdl", &spec("b", ""));
    let check = run(dir.path(), &["compile", "--check"]);
    assert!(out(&check).contains("obsolete: rendered/_shim/1/configmap.yaml"), "{}", out(&check));
    write(dir.path(), "rendered/_shim/README.md", "by hand");
    assert_eq!(code(&run(dir.path(), &["compile", "--prune"])), 0);
    assert_eq!(shared(), ["_shim/README.md"]);
}

#[test]
fn another_build_of_the_shim_is_named_in_each_format_and_before_it_replaces_the_old_one() {
    let dir = project("project { specs \"jobs\"; out \"rendered\" }\n");
    let line = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    env { D \"{data.d}\"; }\n    data \"d\" \"hdfs://default/d\"";
    let text = crate::program::GOOD.replace("role \"worker\"", &format!("{line}\n    role \"worker\""));
    write(
        dir.path(),
        "jobs/a.tfjob.kdl",
        &text.replace("role \"worker\"", "target \"kubernetes\"\n    role \"worker\""),
    );
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    for (name, last) in [("one", 1), ("two", 2)] {
        let mut head = vec![0_u8; 64 + 56];
        head[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (head[32], head[54], head[56], head[64]) = (64, 56, 1, 6);
        head.push(last);
        fs::write(dir.path().join(name), head).unwrap();
    }
    let tfjob = |shim: &str, args: &[&str]| {
        crate::program::tfjob(dir.path(), args).env("TFJOB_SHIM", dir.path().join(shim)).output().unwrap()
    };
    let first = tfjob("one", &["compile"]);
    assert_eq!(code(&first), 0, "{}", err(&first));
    assert!(!err(&first).contains("another build"), "{}", err(&first));
    for format in ["human", "json", "sarif", "github", "gitlab"] {
        let told = tfjob("two", &["compile", "--check", "--format", format]);
        let all = out(&told);
        assert_eq!(code(&told), 1, "{format}: {all}");
        assert!(
            all.contains("it contains another build of the shim; the version of tfjob is the same"),
            "{all}"
        );
        // GitLab shows the message only.
        assert!(all.contains("set `TFJOB_SHIM` to the build") != (format == "gitlab"), "{format}: {all}");
        assert!(!all.contains("run `tfjob compile`, and commit"), "{format}: {all}");
    }
    let second = tfjob("two", &["compile"]);
    let told = err(&second);
    assert_eq!(code(&second), 0, "{told}");
    assert!(
        told.contains("warning: `rendered/_shim/default/configmap.yaml` contains another build of the shim than this command writes into the ConfigMap `tfjob-shim-"),
        "{told}"
    );
    assert!(told.contains("the API server refuses another build under the same name"), "{told}");
    let again = tfjob("two", &["compile"]);
    assert!(!err(&again).contains("warning"), "{}", err(&again));
}

#[test]
fn what_is_no_static_program_is_not_the_shim() {
    let dir = tempfile::tempdir().unwrap();
    let hadoop = "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    env { D \"{data.d}\"; }\n    data \"d\" \"hdfs://default/d\"";
    write(
        dir.path(),
        "a.tfjob.kdl",
        &crate::program::GOOD.replace("role \"worker\"", &format!("{hadoop}\n    role \"worker\"")),
    );
    write(dir.path(), "script", "#!/bin/sh\n");
    // A file next to the spec is not mounted into pods.
    write(dir.path(), "tfjob-shim", "#!/bin/sh\n");
    let compile = |shim: &str| {
        let words = ["compile", "a.tfjob.kdl", "--target", "kubernetes"];
        crate::program::tfjob(dir.path(), &words).env("TFJOB_SHIM", shim).output().unwrap()
    };
    let script = compile("script");
    assert_eq!(code(&script), 2);
    assert!(
        err(&script).ends_with("`script` cannot be the shim: it is not a static Linux program\n"),
        "{}",
        err(&script)
    );
    fs::write(dir.path().join("large"), [b"\x7fELF\x02\x01".as_slice(), &vec![0; 1 << 20]].concat()).unwrap();
    let large = compile("large");
    assert!(err(&large).contains("cannot be the shim: it has 1048582 bytes"), "{}", err(&large));
    assert!(!dir.path().join("out").exists());
}

#[test]
fn without_the_shim_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let text = crate::program::GOOD
        .replace("role \"worker\"", "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n    data \"d\" \"hdfs://default/d\"\n    role \"worker\"");
    write(dir.path(), "a.tfjob.kdl", &text);
    let mut command =
        crate::program::tfjob(dir.path(), &["compile", "a.tfjob.kdl", "--target", "kubernetes"]);
    let compile = command.env("TFJOB_SHIM", "nowhere/tfjob-shim").output().unwrap();
    assert_eq!(code(&compile), 2, "{}", err(&compile));
    assert!(err(&compile).contains("cannot read `"), "{}", err(&compile));
    assert!(!dir.path().join("out").exists());
}
