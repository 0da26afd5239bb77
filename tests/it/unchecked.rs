//! Tests of the reports about skipped checks, skipped files, and files of the wrong kind.

use crate::program::{err, out, run};
use std::fs;

#[test]
fn a_skipped_spec_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let base = "job \"base\" {\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    run \"a\"\n    \
                role \"worker\" { resources cpus=1 memory=\"1GiB\" }\n    target \"kubernetes\"\n}\n";
    fs::write(dir.path().join("base.tfjob.kdl"), base).unwrap();
    fs::write(dir.path().join("prod.tfjob.kdl"), "extends \"base.tfjob.kdl\"\njob \"prod\"\n").unwrap();
    let said = "skipped: `base.tfjob.kdl`, because it is the base of `prod.tfjob.kdl`";
    let checked = run(dir.path(), &["check", "."]);
    assert!(out(&checked).contains(said), "{}", out(&checked));
    let compiled = run(dir.path(), &["compile", ".", "-o", "o"]);
    assert!(err(&compiled).contains(said), "{}", err(&compiled));
    let named = run(dir.path(), &["check", "base.tfjob.kdl", "prod.tfjob.kdl"]);
    assert!(!out(&named).contains("skipped"), "{}", out(&named));
}

#[test]
fn findings_that_depend_on_a_faulty_cluster_file_are_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = "cluster \"c\" target=\"kubernetes\" {\n    nodes \"n\" count=2 cpus=8 memory=\"64GiB\"\n    \
                   shared \"file:///mnt/nfs\"\n    registry \"https://r.example.com/\"\n}\n";
    fs::write(dir.path().join("c.cluster.kdl"), cluster).unwrap();
    let job = "job \"j\" {\n    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n    \
               image \"r.example.com/x:1\"\n    checkpoints \"file:///mnt/nfs/ckpt\" at=\"/ckpt\"\n    \
               run \"python\" \"t.py\" \"{checkpoints}\"\n    role \"worker\" count=2 { resources cpus=2 memory=\"8GiB\" }\n}\n";
    fs::write(dir.path().join("j.tfjob.kdl"), job).unwrap();
    let told = run(dir.path(), &["check", "j.tfjob.kdl", "--cluster", "c.cluster.kdl"]);
    assert!(!out(&told).contains("unshared-checkpoints"), "{}", out(&told));
    assert!(out(&told).contains("targets not checked: the cluster file `c.cluster.kdl` has errors"));
    let short = ["check", "j.tfjob.kdl", "--cluster", "c.cluster.kdl", "--format", "short"];
    assert!(err(&run(dir.path(), &short)).contains("the cluster file `c.cluster.kdl` has errors"));
    let alone = run(dir.path(), &["check", "j.tfjob.kdl", "--target", "kubernetes"]);
    assert!(out(&alone).contains("unshared-checkpoints"), "{}", out(&alone));
}

#[test]
fn two_jobs_with_the_same_output_directory_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let job = "job \"a\" {\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    run \"a\"\n    \
               role \"worker\" { resources cpus=1 memory=\"1GiB\" }\n    target \"kubernetes\"\n}\n";
    for name in ["one.tfjob.kdl", "two.tfjob.kdl"] {
        fs::write(dir.path().join(name), job).unwrap();
    }
    fs::write(dir.path().join("three.tfjob.yaml"), "job: {name: b}\nextends: one.tfjob.kdl\n").unwrap();
    let fact = "error[duplicate-name]: `one.tfjob.kdl` and `two.tfjob.kdl` have the job name `a`, so `tfjob compile` would write both \
                to the same directory `a/kubernetes`";
    let files = ["one.tfjob.kdl", "two.tfjob.kdl", "three.tfjob.yaml"];
    let check = run(dir.path(), &[&["check", "--format", "short"], files.as_slice()].concat());
    assert_eq!(out(&check).matches(fact).count(), 1, "{}", out(&check));
    assert!(out(&check).starts_with("two.tfjob.kdl:1:5: "), "{}", out(&check));
    assert_eq!(check.status.code(), Some(1));
    let human = run(dir.path(), &[&["check"], files.as_slice()].concat());
    for part in [
        "two.tfjob.kdl:1:5",
        "one.tfjob.kdl:1:5",
        "first job with this name",
        "in `two.tfjob.kdl`, write another name, such as `job \"a-2\"`",
    ] {
        assert!(out(&human).contains(part), "{part}: {}", out(&human));
    }
    let json = run(dir.path(), &[&["check", "--format", "json"], files.as_slice()].concat());
    let report: serde_json::Value = serde_json::from_str(out(&json)).unwrap();
    let labels = &report["diagnostics"][0]["labels"];
    assert_eq!(
        (&labels[0]["file"], &labels[1]["file"]),
        (&"two.tfjob.kdl".into(), &"one.tfjob.kdl".into()),
        "{labels}"
    );
    // The same rule and the same text in `compile`.
    let compile = run(dir.path(), &[&["compile"], files.as_slice()].concat());
    assert_eq!(compile.status.code(), Some(1));
    let text = err(&compile).split_whitespace().collect::<Vec<_>>().join(" ").replace(" │", "");
    assert!(text.contains("would write both to the same directory `a/kubernetes`"), "{text}");
    assert!(!dir.path().join("out").exists());
    // With another target, or a new name, the jobs do not conflict.
    fs::write(dir.path().join("two.tfjob.kdl"), job.replace("kubernetes", "local")).unwrap();
    assert_eq!(run(dir.path(), &[&["check", "-q"], files.as_slice()].concat()).status.code(), Some(0));
    // A project is checked in the same way.
    fs::write(dir.path().join("two.tfjob.kdl"), job).unwrap();
    fs::write(dir.path().join("tfjob.kdl"), "project { specs \"one.tfjob.kdl\" \"two.tfjob.kdl\"; }\n")
        .unwrap();
    let project = run(dir.path(), &["check", "--format", "short"]);
    assert!(out(&project).contains(fact), "{}{}", out(&project), err(&project));
    assert_eq!(project.status.code(), Some(1));
}

/// The name may be in a base file or in `--set`, so that both specs have it from the same place.
#[test]
fn two_specs_that_share_the_place_of_their_name_are_both_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    file(
        "base.tfjob.kdl",
        "job \"a\" {\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/a:1\"\n    run \"a\"\n    \
         role \"worker\" { resources cpus=1 memory=\"1GiB\" }\n    target \"kubernetes\"\n}\n",
    );
    file("one.tfjob.kdl", "extends \"base.tfjob.kdl\"\n");
    file("two.tfjob.kdl", "extends \"base.tfjob.kdl\"\n");
    file("two.tfjob.yaml", "extends: base.tfjob.kdl\n");
    file("two.tfjob.json", "{ \"extends\": \"base.tfjob.kdl\" }\n");
    for (two, sets, help, edited) in [
        (
            "two.tfjob.kdl",
            &[][..],
            "in `two.tfjob.kdl`, write another name, such as `job \"a-2\"`",
            "extends \"base.tfjob.kdl\"\njob \"a-2\"\n",
        ),
        (
            "two.tfjob.yaml",
            &[],
            "in `two.tfjob.yaml`, write another name, such as `job: { name: a-2 }`",
            "extends: base.tfjob.kdl\njob: { name: a-2 }\n",
        ),
        (
            "two.tfjob.json",
            &[],
            "in `two.tfjob.json`, write another name, such as `\"job\": { \"name\": \"a-2\" }`",
            "{ \"extends\": \"base.tfjob.kdl\", \"job\": { \"name\": \"a-2\" } }\n",
        ),
        (
            "two.tfjob.kdl",
            &["--set", "name=a"],
            "remove the setting of `name`, so that each job has the name in its spec",
            "",
        ),
    ] {
        let words = [&["check", "one.tfjob.kdl", two, "--format", "json"], sets].concat();
        let json = run(dir.path(), &words);
        let report: serde_json::Value = serde_json::from_str(out(&json)).unwrap();
        let found = &report["diagnostics"][0];
        assert_eq!(found["help"], help, "{found:#}");
        let fact = format!("`one.tfjob.kdl` and `{two}` have the job name `a`, so ");
        assert!(found["message"].as_str().unwrap().starts_with(&fact), "{found:#}");
        // A second label at the same characters would say nothing.
        assert_eq!(found["labels"].as_array().unwrap().len(), 1, "{found:#}");
        assert_eq!(found["labels"][0]["text"], "both jobs get this name");
        if !edited.is_empty() {
            file(two, edited);
            assert_eq!(
                run(dir.path(), &["check", "-q", "one.tfjob.kdl", two]).status.code(),
                Some(0),
                "{edited}"
            );
            file(two, &edited.replace("-2", ""));
            let own = run(dir.path(), &["check", "one.tfjob.kdl", two, "--format", "short"]);
            assert!(out(&own).starts_with(&format!("{two}:")), "{}", out(&own));
        }
    }
}

#[test]
fn a_file_of_the_wrong_kind_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("base.tfjob.yaml"), "job:\n  image: { name: \"a:1\" }\n").unwrap();
    fs::write(dir.path().join("a.tfjob.kdl"), "extends \"base\"\njob \"a\"\n").unwrap();
    let told = run(dir.path(), &["check", "a.tfjob.kdl", "--format", "short"]);
    assert!(out(&told).contains("did you mean `base.tfjob.yaml`?"), "{}", out(&told));
    for file in ["a.tfjob.kdl", "base.tfjob.yaml"] {
        let told = run(dir.path(), &["check", ".", "--cluster", file, "--format", "short"]);
        assert!(out(&told).contains("expected a cluster file, but this is a job spec"), "{}", out(&told));
    }
    assert!(err(&run(dir.path(), &["init", "sub/x"])).contains("directory `sub` does not exist"));
    assert!(err(&run(dir.path(), &["init", "mnist.kdl"])).contains("created mnist.tfjob.kdl"));
}

#[test]
fn a_placeholder_in_a_target_block_skips_only_that_target() {
    let dir = tempfile::tempdir().unwrap();
    let job = "job \"j\" {\n    framework \"tensorflow\" version=\"2.15\" strategy=\"single\"\n    image \"ml/a:1\"\n    \
               run \"a\"\n    role \"worker\" { resources cpus=1 memory=\"1GiB\" }\n    \
               target \"kubernetes\" { namespace \"Bad_NS\" }\n    target \"dcos\" { as \"pkg\" }\n}\n";
    fs::write(dir.path().join("j.tfjob.kdl"), job).unwrap();
    let line = "j.tfjob.kdl: dcos not checked until `target \"dcos\" { as }` is fixed";
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let told = run(dir.path(), &["check", "j.tfjob.kdl", "--format", format]);
        assert!(out(&told).contains("Bad_NS"), "{format}: {}", out(&told));
        let place = if format == "human" { out(&told) } else { err(&told) };
        assert!(place.contains(line), "{format}: {place}");
        if format == "human" {
            // The counts are the last line but one, so that they are seen together with the line.
            let mut end = out(&told).lines().rev().skip(1);
            assert_eq!((end.next(), end.next()), (Some("2 errors"), Some(line)), "{}", out(&told));
        }
    }
}

/// If the name of a `target` block is misspelled or an alias, the similar target is reported as not checked.
#[test]
fn a_target_with_a_misspelled_block_is_reported_as_unchecked() {
    let dir = tempfile::tempdir().unwrap();
    for (wrong, target) in [
        ("kubernets", "kubernetes"),
        ("k8s", "kubernetes"),
        ("yran", "yarn"),
        ("marathon", "dcos"),
        ("spak", "spark"),
        ("laptop", "local"),
    ] {
        for more in ["", "target \"yarn\"\n"] {
            let job = format!(
                "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\"\nimage \"ml/a:1\"\nrun \"a\"\n\
                 role \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\n{more}target {wrong:?}\n}}\n"
            );
            fs::write(dir.path().join("j.tfjob.kdl"), job).unwrap();
            let line = format!("j.tfjob.kdl: {target} not checked until `target \"{wrong}\"` is fixed");
            let told = run(dir.path(), &["check", "j.tfjob.kdl"]);
            assert!(out(&told).contains(&line), "{}", out(&told));
        }
    }
}

/// A refusal at a line with an error is not reported until that error is fixed; the report says so, also in JSON.
#[test]
fn a_refusal_at_a_line_with_an_error_is_reported_as_unchecked() {
    let dir = tempfile::tempdir().unwrap();
    let job = |at: &str| {
        format!(
            "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\"\nimage \"ml/a:1\"\nrun \"a\"\n\
             data \"d\" \"hdfs://nn/x\" at={at:?}\nrole \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\ntarget \"kubernetes\"\n}}\n"
        )
    };
    let read = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    for (at, unchecked) in [("d", true), ("/d", false)] {
        fs::write(dir.path().join("j.tfjob.kdl"), job(at)).unwrap();
        let told = out(&run(dir.path(), &["check", "j.tfjob.kdl", "--format", "json"])).to_owned();
        let message = "kubernetes not fully checked until all errors are fixed";
        let line = serde_json::json!({ "file": "j.tfjob.kdl", "targets": ["kubernetes"], "until": [], "message": message });
        let expected = if unchecked { serde_json::json!([line]) } else { serde_json::json!([]) };
        assert_eq!(read(&told)["unchecked"], expected, "{told}");
        assert_eq!(told.contains("unsupported-feature"), !unchecked, "{told}");
    }
}

/// An entry that an `allow` excuses may be in the text that could not be read. Who removes the `allow` gets an error later.
#[test]
fn an_allow_is_not_unused_while_the_job_has_errors() {
    let job = |restart: &str, more: &str| {
        format!(
            "job \"j\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n    image \"ml/a:1\"\n    \
             run \"python\" \"/t.py\"\n    role \"worker\" count=2 {{\n        resources cpus=2 memory=\"8GiB\"\n        {restart}\n    }}\n    \
             target \"kubernetes\"\n    allow \"restart\" on=\"kubernetes\" because=\"submitted by hand\"\n{more}}}\n"
        )
    };
    let dir = tempfile::tempdir().unwrap();
    let check = |restart: &str, more: &str| {
        fs::write(dir.path().join("j.tfjob.kdl"), job(restart, more)).unwrap();
        run(dir.path(), &["check", "j.tfjob.kdl", "--format", "short"])
    };
    let unused = check("", "");
    assert!(out(&unused).contains("[unused-allow]"), "{}", out(&unused));
    let valid = "restart \"on-failure\" limit=3";
    assert!(check(valid, "").status.success());
    let marks = ["\"", "}", "{", " x", " \"x\"", " x=1", "x", "=", ";"];
    let places = valid.match_indices([' ', '=', '"']).map(|(at, _)| at).chain([valid.len()]);
    let damaged = places.flat_map(|at| marks.map(|mark| format!("{}{mark}{}", &valid[..at], &valid[at..])));
    let mut errors = 0;
    for restart in
        damaged.chain(["restrat \"on-failure\" limit=3", "restart \"on-failure\" limt=3"].map(str::to_owned))
    {
        let told = check(&restart, "");
        errors += u32::from(out(&told).contains(": error["));
        assert!(
            !out(&told).contains(": error[") || !out(&told).contains("[unused-allow]"),
            "{restart}: {}",
            out(&told)
        );
    }
    assert!(errors > 40, "{errors}");
}
