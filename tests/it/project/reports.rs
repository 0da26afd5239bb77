//! What `check` and `compile` say about a project: duplicate names, bases, and output directories.
use super::{CLUSTER, JOB, PROJECT, files, project, write};
use crate::program::{code, err, out, run};
use std::fs;

#[test]
fn the_offset_of_a_setting_is_that_in_the_project_file() {
    let text = format!("// é – staging\n{}", PROJECT.replacen("count=1", "cuont=1", 1));
    let dir = project(&text);
    let told = run(dir.path(), &["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(out(&told)).unwrap();
    let found = &report["diagnostics"][0];
    let fix = &found["fixes"][0];
    assert_eq!(
        (&found["file"], &fix["applicability"]),
        (&"tfjob.kdl".into(), &"suggestion".into()),
        "{found}"
    );
    let place = &fix["edits"][0];
    let byte = |end: &str| place[end]["byte"].as_u64().unwrap() as usize;
    assert_eq!(&text[byte("start")..byte("end")], "cuont", "{found}");
    assert_eq!(place["start"]["line"], 7, "{found}");
    assert_eq!(place["start"]["column"], 26, "{found}");
    let raw = PROJECT.replacen("\"role.worker.count=1\"", "#\"role.worker.cuont=1\"#", 1);
    let dir = project(&raw);
    let told = run(dir.path(), &["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(out(&told)).unwrap();
    assert_eq!(report["diagnostics"][0]["start"]["byte"], raw.find("cuont").unwrap(), "{report}");
}

#[test]
fn the_lines_of_a_setting_are_those_of_the_project_file() {
    let dir = project(&PROJECT.replacen("\"role.worker.count=1\"", "\"env.A=1\" \"role.worker.cuont=1\"", 1));
    let told = run(dir.path(), &["check"]);
    let line = " 6 │         set \"env.A=1\" \"role.worker.cuont=1\"\n   ·                                    ──┬──\n";
    assert!(out(&told).contains(line), "{}", out(&told));
    // After an escape, the offsets are not those of the file, so its lines are not shown.
    let escaped = PROJECT.replacen("\"role.worker.count=1\"", "\"env.A\\u{e9}é=1\" \"role.\\u{77}é.x=1\"", 1);
    let told = run(project(&escaped).path(), &["check"]);
    assert!(code(&told) == 1 && out(&told).contains("tfjob.kdl:6:"), "{}{}", out(&told), err(&told));
}

/// A spec that extends `a.tfjob.kdl`.
const BIG: &str = "extends \"a.tfjob.kdl\"\njob \"big\" {\n    role \"worker\" count=3\n}\n";

#[test]
fn a_duplicate_name_names_the_specs_not_the_cluster_file() {
    let dir = project(PROJECT);
    write(dir.path(), "jobs/c.tfjob.kdl", &JOB.replace("NAME", "a"));
    for args in
        [&["check", "--env", "staging"][..], &["check", "jobs", "--cluster", "clusters/staging.cluster.kdl"]]
    {
        let told = run(dir.path(), &[args, &["--format", "json"]].concat());
        let fact = "`jobs/a.tfjob.kdl` and `jobs/c.tfjob.kdl` have the job name `a`";
        assert!(out(&told).contains(fact), "{}{}", out(&told), err(&told));
        assert!(out(&told).contains("in `jobs/c.tfjob.kdl`, write another name"), "{}", out(&told));
    }
}

#[test]
fn a_preview_of_fixes_reports_the_errors_that_remain() {
    for (old, new, error) in
        [("environment \"prod\"", "enviroment \"prod\"", "unknown-node"), ("count=1", "cuont=1", "cuont")]
    {
        let dir = project(&PROJECT.replacen(old, new, 1));
        let told = run(dir.path(), &["check", "--fix", "--diff"]);
        assert_eq!((code(&told), out(&told)), (1, ""), "{}", err(&told));
        assert!(err(&told).contains(error), "{}", err(&told));
        let unfixed = "not fixed: tfjob.kdl (`--fix` does not change a project file: edit it)\n";
        for args in [&["check", "--fix", "--diff"][..], &["check", "--fix"]] {
            let told = run(dir.path(), args);
            assert_eq!(err(&told).contains(unfixed), error == "unknown-node", "{args:?}: {}", err(&told));
        }
    }
    let dir = project(PROJECT);
    // The first error has a fix, the second one has none.
    let faulty = JOB.replace("NAME", "a").replace("role ", "rol ").replace("1GiB", "32gb");
    write(dir.path(), "jobs/a.tfjob.kdl", &faulty);
    for format in ["human", "github", "json"] {
        let told = run(dir.path(), &["check", "--fix", "--diff", "--format", format]);
        assert_eq!(code(&told), 1, "{}", err(&told));
        assert!(out(&told).contains("+    role \"worker\""), "{}", out(&told));
        assert!(err(&told).contains("32gb") && !err(&told).contains("`rol`"), "{}", err(&told));
    }
    assert_eq!(
        fs::read_to_string(dir.path().join("jobs/a.tfjob.kdl")).unwrap(),
        faulty,
        "nothing is written"
    );
    // An accepted spec with a denied warning.
    let secret =
        JOB.replace("NAME", "a").replace("    run", "    env { DB_PASSWORD \"hunter2xyz\"; }\n    run");
    write(dir.path(), "jobs/a.tfjob.kdl", &secret);
    assert_eq!(code(&run(dir.path(), &["check", "--fix", "--diff"])), 0);
    assert_eq!(code(&run(dir.path(), &["check", "--fix", "--diff", "--deny-warnings"])), 1);
}

#[test]
fn the_directory_of_the_project_can_be_the_output_directory() {
    for text in [".", "./"] {
        let dir = project(&PROJECT.replace("\"rendered\"", &format!("\"{text}\"")));
        let told = run(dir.path(), &["compile"]);
        assert_eq!(code(&told), 0, "{}", err(&told));
        assert!(dir.path().join("prod/a/kubernetes/tfjob.yaml").exists());
        // There, attributes would apply to files of the user.
        assert!(!dir.path().join(".gitattributes").exists());
        let check = run(&dir.path().join("jobs"), &["compile", "--check"]);
        assert_eq!((code(&check), out(&check)), (0, ""), "{}", err(&check));
    }
}

#[test]
fn files_of_a_spec_that_became_a_base_say_so() {
    let dir = project(PROJECT);
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    write(dir.path(), "jobs/big.tfjob.kdl", BIG);
    let why = "`jobs/a.tfjob.kdl` is now the base of `jobs/big.tfjob.kdl`, so it is no longer compiled as a job; to compile it too, \
               also list its path in `specs`: `\"jobs/a.tfjob.kdl\"`";
    let check = run(dir.path(), &["compile", "--check", "--quiet"]);
    assert_eq!(code(&check), 1);
    assert_eq!(out(&check).matches(why).count(), 1, "{}", out(&check));
    let json = run(dir.path(), &["compile", "--check", "--quiet", "--format", "json"]);
    let escaped = why.replace('"', "\\\"");
    assert!(out(&json).contains(&format!("no longer generated: {escaped}")), "{}", out(&json));
    for prune in [&["compile"][..], &["compile", "--prune"]] {
        let told = run(dir.path(), prune);
        assert!(err(&told).contains(&format!("{why}\n")), "{}", err(&told));
    }
    // A file that is obsolete for another reason has no such text.
    fs::remove_file(dir.path().join("jobs/b.tfjob.kdl")).unwrap();
    let other = run(dir.path(), &["compile", "--check", "--quiet"]);
    assert!(
        out(&other).contains("obsolete: ") && !out(&other).contains("is now the base"),
        "{}",
        out(&other)
    );
    // The remedy is right.
    write(dir.path(), "tfjob.kdl", &PROJECT.replace("\"jobs\"", "\"jobs\" \"jobs/a.tfjob.kdl\""));
    let both = run(dir.path(), &["compile"]);
    assert!(err(&both).contains("wrote rendered/prod/a/kubernetes/tfjob.yaml\n"), "{}", err(&both));
}

#[test]
fn a_spec_that_exists_but_is_not_selected_is_the_reason_for_its_obsolete_files() {
    let why = "`jobs/b.tfjob.kdl` exists, but is not compiled: `specs` does not select it, or an ignore file such as `.gitignore` \
               excludes it\n";
    type Edit = fn(&std::path::Path);
    let edits: [(Edit, bool); 5] = [
        (|dir| write(dir, "jobs/.gitignore", "b.tfjob.kdl\n"), true),
        (|dir| write(dir, "tfjob.kdl", &PROJECT.replace("\"jobs\"", "\"jobs\" \"!jobs/b.tfjob.kdl\"")), true),
        (|dir| fs::remove_file(dir.join("jobs/b.tfjob.kdl")).unwrap(), false),
        // The spec is compiled as another job, or for other targets.
        (|dir| write(dir, "jobs/b.tfjob.kdl", &JOB.replace("NAME", "c")), false),
        (|dir| write(dir, "tfjob.kdl", &PROJECT.replace("\"yarn\" \"kubernetes\"", "\"yarn\"")), false),
    ];
    for (number, (edit, expected)) in edits.into_iter().enumerate() {
        let dir = project(PROJECT);
        fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(code(&run(dir.path(), &["compile"])), 0);
        edit(dir.path());
        let check = run(dir.path(), &["compile", "--check", "--quiet"]);
        let told = out(&check);
        assert!(code(&check) == 1 && told.contains("obsolete: "), "{number}: {told}");
        assert_eq!(told.matches(why).count(), usize::from(expected), "{number}: {told}");
        let prune = run(dir.path(), &["compile", "--prune"]);
        assert_eq!(err(&prune).matches(why).count(), usize::from(expected), "{number}: {}", err(&prune));
    }
}

#[test]
fn a_job_that_is_compiled_for_the_first_time_is_named() {
    let dir = project(PROJECT);
    write(dir.path(), "jobs/big.tfjob.kdl", BIG);
    let first = run(dir.path(), &["compile"]);
    assert!(!err(&first).contains("new: "), "all jobs are new: {}", err(&first));
    fs::remove_file(dir.path().join("jobs/big.tfjob.kdl")).unwrap();
    let told = run(dir.path(), &["compile"]);
    let line = "new: rendered/prod/a/kubernetes (job of `jobs/a.tfjob.kdl`)\n";
    assert!(err(&told).contains(line), "{}", err(&told));
    assert!(!err(&run(dir.path(), &["compile"])).contains("new: "));
}

#[test]
fn attributes_show_manifests_and_leave_binary_files_unchanged() {
    let dir = project(PROJECT);
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(args).current_dir(dir.path()).env("GIT_CONFIG_GLOBAL", "/dev/null").output()
    };
    if git(&["init", "--quiet"]).is_err() {
        eprintln!("skipped: needs git");
        return;
    }
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    let binary = b"\x89PNG\r\n\x1a\n\0\0";
    fs::write(dir.path().join("rendered/curve.png"), binary).unwrap();
    fs::write(dir.path().join(".gitattributes"), "rendered/** -diff linguist-generated\n").unwrap();
    assert!(git(&["add", "rendered"]).unwrap().status.success());
    assert_eq!(git(&["cat-file", "blob", ":rendered/curve.png"]).unwrap().stdout, binary);
    let (shown, hidden) = ("diff: unspecified", "diff: unset");
    for (path, diff, generated) in [
        ("rendered/prod/a/kubernetes/tfjob.yaml", shown, "unspecified"),
        ("rendered/prod/_shim/ml/configmap.yaml", hidden, "set"),
        ("rendered/_shim/ml/configmap.yaml", hidden, "set"),
        // Everything else in `_shim` is short.
        ("rendered/prod/_shim/ml/kustomization.yaml", shown, "unspecified"),
        ("rendered/prod/_shim/ml/pod.yaml", shown, "unspecified"),
        ("rendered/prod/_shim/pod.yaml", shown, "unspecified"),
        ("rendered/prod/_shim/configmap.yaml", shown, "unspecified"),
        ("rendered/prod/_shim/ml/more/configmap.yaml", shown, "unspecified"),
    ] {
        let told = git(&["check-attr", "diff", "linguist-generated", "eol", "--", path]).unwrap();
        let expected = format!("{path}: {diff}\n{path}: linguist-generated: {generated}\n{path}: eol: lf\n");
        assert_eq!(out(&told), expected);
    }
}

#[test]
fn attributes_that_may_hide_manifests_are_reported() {
    let dir = project(PROJECT);
    let path = dir.path().join("rendered/.gitattributes");
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    let own = fs::read_to_string(&path).unwrap();
    // The text of earlier builds, and the present text with a line that a user added.
    for text in ["* text eol=lf linguist-generated\n", &format!("{own}*.yaml -diff\n")] {
        fs::write(&path, text).unwrap();
        let check = run(dir.path(), &["compile", "--check"]);
        assert!(
            code(&check) == 1 && out(&check).contains("outdated: rendered/.gitattributes\n"),
            "{}",
            out(&check)
        );
        assert_eq!(code(&run(dir.path(), &["compile"])), 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), own);
    }
    // A file of the user is kept, and accepted if it ends with the lines of tfjob.
    let foreign = "*.bin filter=lfs\n";
    fs::write(&path, foreign).unwrap();
    let check = run(dir.path(), &["compile", "--check"]);
    assert!(
        code(&check) == 1 && out(&check).contains("end it with these lines:\n* text=auto"),
        "{}",
        out(&check)
    );
    let json = run(dir.path(), &["compile", "--check", "--format", "json"]);
    assert!(out(&json).contains("may hide manifests in a review"), "{}", out(&json));
    let kept = run(dir.path(), &["compile"]);
    assert!(err(&kept).contains("kept rendered/.gitattributes: "), "{}", err(&kept));
    assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
    // A comment hides the first line of tfjob.
    let (_, lines) = own.split_once('\n').unwrap();
    fs::write(&path, format!("*.yaml -diff\n#{lines}")).unwrap();
    assert_eq!(code(&run(dir.path(), &["compile", "--check"])), 1);
    let both = format!("{foreign}{own}");
    fs::write(&path, &both).unwrap();
    assert_eq!(code(&run(dir.path(), &["compile"])), 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), both);
    let check = run(dir.path(), &["compile", "--check"]);
    assert_eq!((code(&check), out(&check)), (0, ""));
    // Git prefers the attributes of a directory to those above it.
    for name in ["rendered/prod/.gitattributes", "rendered/prod/a/.gitattributes"] {
        write(dir.path(), name, "* -diff linguist-generated\n");
        let told = format!(
            "outdated: {name}\nthe file may hide manifests in a review, because Git prefers it to `rendered/.gitattributes`; \
             delete it, or move its lines to the start of `rendered/.gitattributes`\n"
        );
        let check = run(dir.path(), &["compile", "--check"]);
        assert_eq!((code(&check), out(&check)), (1, told.as_str()));
        let kept = run(dir.path(), &["compile", "--prune"]);
        assert!(err(&kept).contains(&format!("kept {name}: it may hide manifests")), "{}", err(&kept));
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    assert!(!files(&dir.path().join("rendered")).is_empty());
}

#[test]
fn a_credential_in_a_cluster_file_or_a_project_file_is_a_warning() {
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let cluster = |option: &str| CLUSTER.replace("\n}\n", &format!("\n    {option}\n}}\n"));
    let annotations = format!("kubernetes {{ annotations {{ \"x/api-token\" \"{token}\"; }}; }}");
    let set = PROJECT.replace("role.worker.count=1", &format!("env.API_TOKEN={token}"));
    for (project_file, cluster_file, place) in [
        (PROJECT, cluster(&annotations), "clusters/staging.cluster.kdl:3:"),
        (&set, CLUSTER.to_owned(), "tfjob.kdl:6:"),
    ] {
        let dir = project(project_file);
        write(dir.path(), "clusters/staging.cluster.kdl", &cluster_file);
        let told = run(dir.path(), &["check", "--format", "short", "--deny-warnings"]);
        let text = format!("{}{}", out(&told), err(&told));
        let found: Vec<&str> = text.lines().filter(|line| line.contains("warning[literal-secret]")).collect();
        assert!(code(&told) == 1 && found.len() == 1 && found[0].contains(place), "{cluster_file}: {text}");
        assert!(!text.contains(token), "{text}");
        let told = run(dir.path(), &["check"]);
        let text = format!("{}{}", out(&told), err(&told));
        assert!(text.contains("****") && !text.contains(token), "{text}");
        if cluster_file != CLUSTER {
            let alone = run(dir.path(), &["check", "clusters/staging.cluster.kdl", "--format", "short"]);
            assert!(out(&alone).contains("warning[literal-secret]"), "{}{}", out(&alone), err(&alone));
        }
    }
}

#[test]
fn the_lines_of_a_requirement_are_those_of_the_spec() {
    let dir = project(PROJECT);
    let told = run(dir.path(), &["show", "jobs/a.tfjob.kdl", "--env", "staging"]);
    assert!(out(&told).starts_with("kubernetes (jobs/a.tfjob.kdl)\n"), "{}{}", out(&told), err(&told));
    assert!(out(&told).contains("(line") && !out(&told).contains("a.tfjob.kdl:"), "{}", out(&told));
}
