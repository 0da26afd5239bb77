//! Tests of the commands, and of their effects on specs and output files.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::page;
use crate::pages;
use crate::program::{GOOD, code, err, folder, out, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

#[test]
fn fix_applies_unambiguous_fixes_and_reports_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tfjob.kdl");
    let good = GOOD;
    let bad = good.replace("role ", "rol ").replace("version=\"2.15\"", "version=2.15");
    fs::write(&path, format!("{bad}// a comment\n")).unwrap();
    let output = run(dir.path(), &["check", "--fix", "--format", "short"]);
    assert_eq!((code(&output), out(&output), err(&output)), (0, "", "fixed a.tfjob.kdl\n"));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{good}// a comment\n"));
    fs::write(&path, bad.replace("mnist.py\"", "mnist.py\"\n        nonsense 1")).unwrap();
    let output = run(dir.path(), &["check", "--fix", "--format", "short"]);
    assert_eq!(code(&output), 1);
    assert_eq!(out(&output).lines().count(), 1, "{}", out(&output));
    assert!(out(&output).contains("a.tfjob.kdl:6:9: error["), "{}", out(&output));
}

/// Applies all fixes to the faulty KDL files of all pages, in one directory.
#[test]
fn all_possible_fixes_are_applied_and_none_breaks_a_spec() {
    let dir = tempfile::tempdir().unwrap();
    // After an option is fixed, its target can report further findings, so this code is excluded.
    for code in tfjob_lang::codes::ALL.iter().filter(|code| code.name != "bad-option") {
        for (i, block) in page::blocks(pages::of(code)).unwrap().iter().enumerate() {
            if !block.beside && block.name == page::MAIN && !block.notes.is_empty() {
                fs::write(dir.path().join(format!("{}-{i}.tfjob.kdl", code.name)), &block.text).unwrap();
            }
        }
    }
    let found = |args: &[&str]| -> Vec<Value> {
        let output = run(dir.path(), &[&["check", "--format", "json"], args].concat());
        let report: Value = serde_json::from_str(out(&output)).unwrap();
        report["diagnostics"].as_array().unwrap().clone()
    };
    let one_fix = |d: &&Value| {
        let automatic = |fixes: &Vec<Value>| fixes.len() == 1 && fixes[0]["applicability"] == "automatic";
        d["fixes"].as_array().is_some_and(automatic)
    };
    // The examples have the same job name, which is reported once the examples are valid.
    let same = |d: &Value| d["message"].as_str().is_some_and(|text| text.contains(" have the job name "));
    let errors = |found: &[Value]| found.iter().filter(|d| d["severity"] == "error" && !same(d)).count();
    let before = found(&[]);
    let of_errors = |d: &&Value| one_fix(d) && d["severity"] == "error";
    let (fixable, total) = (before.iter().filter(of_errors).count(), errors(&before));
    let after = found(&["--fix"]);
    assert!(fixable > 20, "{fixable}");
    assert_eq!(after.iter().filter(one_fix).collect::<Vec<_>>(), [&Value::Null; 0]);
    let left = errors(&after);
    assert!(left + fixable <= total, "{left} of {total} errors remain, but {fixable} had a fix");
}

#[test]
fn show_prints_the_effective_defaults() {
    let dir = folder();
    let output = run(dir.path(), &["show", "good.tfjob.kdl", "--defaults"]);
    assert_eq!((code(&output), err(&output)), (0, ""));
    assert!(out(&output).lines().any(|line| line == "role.worker.count=1"), "{}", out(&output));
    for line in out(&output).lines() {
        let again = run(dir.path(), &["show", "good.tfjob.kdl", "--graph", "--set", line]);
        assert_eq!((code(&again), err(&again)), (0, ""), "{line}");
    }
}

#[test]
fn a_base_is_read_from_the_work_tree_and_no_further() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("project/.git")).unwrap();
    fs::create_dir_all(dir.path().join("project/jobs")).unwrap();
    let job = |base: &str| format!("extends \"{base}\"\njob \"mnist\" {{\n    description \"again\"\n}}\n");
    let at = |name: &str| dir.path().join(name);
    fs::write(at("secret.tfjob.kdl"), "job \"secret\"").unwrap();
    fs::write(at("project/base.tfjob.kdl"), GOOD).unwrap();
    fs::write(at("project/jobs/a.tfjob.kdl"), job("../base.tfjob.kdl")).unwrap();
    let good = run(&at("project"), &["check", "--format", "short"]);
    assert_eq!((code(&good), out(&good)), (0, ""));
    fs::write(at("project/jobs/a.tfjob.kdl"), job("../../secret.tfjob.kdl")).unwrap();
    let outside = run(&at("project/jobs"), &["check", "--format", "short", "a.tfjob.kdl"]);
    assert_eq!(code(&outside), 1);
    assert!(out(&outside).contains("a.tfjob.kdl:1:9: error[unreadable-base]"), "{}", out(&outside));
    assert!(out(&outside).contains("outside the project directory"), "{}", out(&outside));
    fs::write(at("project/base.tfjob.kdl"), "job \"base\" {\n    imge \"x:1\"\n}\n").unwrap();
    fs::write(at("project/jobs/a.tfjob.kdl"), job("../base.tfjob.kdl")).unwrap();
    let inside = run(&at("project/jobs"), &["check", "--format", "short"]);
    assert!(out(&inside).contains("../base.tfjob.kdl:2:5: error[unknown-node]"), "{}", out(&inside));
}

#[test]
fn a_base_file_is_checked_with_the_spec_that_extends_it() {
    let dir = tempfile::tempdir().unwrap();
    let base = GOOD.replace("    image \"ml/mnist:1.0\"\n", "");
    let job = "extends \"base.tfjob.kdl\"\njob \"mnist\" {\n    image \"ml/mnist:1.0\"\n}\n";
    let base = base.replace("        run \"python\" \"mnist.py\"\n", "");
    let job = job.replace("\n}\n", "\n    run \"python\" \"mnist.py\"\n}\n");
    fs::write(dir.path().join("base.tfjob.kdl"), base).unwrap();
    fs::write(dir.path().join("job.tfjob.kdl"), job).unwrap();
    let folder = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!((code(&folder), out(&folder)), (0, ""));
    let cycle = |base: &str| format!("extends \"{base}\"\njob \"mnist\"\n");
    fs::create_dir(dir.path().join("cycle")).unwrap();
    fs::write(dir.path().join("cycle/a.tfjob.kdl"), cycle("b.tfjob.kdl")).unwrap();
    fs::write(dir.path().join("cycle/b.tfjob.kdl"), cycle("a.tfjob.kdl")).unwrap();
    let both = run(dir.path(), &["check", "--format", "short", "cycle"]);
    assert_eq!((code(&both), out(&both).matches("[extends-cycle]").count()), (1, 2), "{}", out(&both));
    let alone = run(dir.path(), &["check", "--format", "short", "base.tfjob.kdl"]);
    assert!(out(&alone).contains("error[missing-command]"), "{}", out(&alone));
}

#[test]
fn the_start_order_is_shown() {
    let dir = folder();
    let spec = "job \"ctr\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    image \"ml/ctr:1.0\"
    run \"python\" \"ctr.py\"
    resources cpus=2 memory=\"4GiB\"
    role \"chief\" { after \"worker\" when=\"started\"; after \"ps\"; }
    role \"worker\" count=2 { after \"ps\"; }
    role \"ps\"\n}\n";
    fs::write(dir.path().join("ctr.tfjob.kdl"), spec).unwrap();
    let output = run(dir.path(), &["show", "ctr.tfjob.kdl", "--graph"]);
    let wanted = "1. ps\n2. worker when ps is ready\n3. chief when worker is started and ps is ready\n";
    assert_eq!((code(&output), out(&output), err(&output)), (0, wanted, ""));
}

#[test]
fn every_code_and_keyword_is_explained() {
    let dir = folder();
    for code in tfjob_lang::codes::ALL.iter().chain(tfjob_targets::codes::ALL) {
        let output = run(dir.path(), &["explain", code.name]);
        assert!(output.status.success() && out(&output).starts_with(code.name), "{}", code.name);
    }
    for (word, told) in [
        ("resources", "In `role`, `helper`, `job`. Resources per task"),
        ("within", "In `restart`. Time window"),
        ("gpu-model", "Feature: GPU model."),
        ("features", "- `gang`: Gang scheduling: either all tasks start, or none."),
        ("targets", "- `kubernetes`: "),
        ("kubernetes", "- `namespace STRING`: "),
        ("chief", "- `role \"chief\"` with `framework \"tensorflow\"`: "),
        ("worker", "with `framework \"horovod\"`: trains the model"),
        ("tf-config", "`tfjob show --task ROLE:INDEX` prints it"),
        ("MASTER_ADDR", "generated by `framework pytorch`"),
        ("parameter-server", "value of `strategy`"),
        ("pytorch", "value of `name` in `framework`"),
        ("memory", "a size in `KiB`, `MiB`, `GiB`, or `TiB`"),
        ("deadline", "a duration in `s`, `m`, `h`, or `d`"),
        ("codes", "- `start-cycle`: The `after` lines form a cycle"),
        ("disk", "docs/evidence/yarn.md#disk: A service"),
    ] {
        let output = run(dir.path(), &["explain", word]);
        assert!(output.status.success() && out(&output).contains(told), "{word}: {}", out(&output));
    }
    let target = run(dir.path(), &["explain", "kubernetes"]);
    let (told, at) = (out(&target), |words: &str| out(&target).find(words).unwrap());
    let order =
        ["a TFJob for", "tfjob check --target kubernetes", "Not supported,", "- `namespace", "In `cluster`."]
            .map(at);
    assert!(order.is_sorted(), "{told}");
    assert_eq!(told.matches("- `namespace").count(), 1, "{told}");
    // Several blocks have a field with the name `memory` or `queue`.
    for (topic, first, others) in [
        ("memory", "In `resources`. ", &["In `resources` of `tensorboard`. ", "In `nodes`"][..]),
        ("resources.memory", "In `resources`. ", &["In `resources` of `tensorboard`. ", "In `nodes`"]),
        ("nodes.memory", "In `nodes`", &["In `resources`. "]),
        ("yarn.queue", "In `target \"yarn\"`", &["In `cluster`"]),
        ("cluster.queue", "In `cluster`", &["In `target \"yarn\"`"]),
    ] {
        let page = run(dir.path(), &["explain", topic]);
        let place = |words: &str| out(&page).find(words).unwrap_or_else(|| panic!("{words}: {}", out(&page)));
        assert!(others.iter().all(|other| place(first) < place(other)), "{topic}: {}", out(&page));
    }
    let lost = run(dir.path(), &["explain", "sintax"]);
    assert_eq!(err(&lost), "error: unknown topic `sintax`; did you mean `syntax`?\n");
}

#[test]
fn each_code_in_the_list_has_a_sentence_of_its_own() {
    let dir = folder();
    let list = run(dir.path(), &["explain", "codes"]);
    let items = out(&list).split("\n- ").skip(1);
    for (name, words) in items.filter_map(|item| item.split_once(": ")) {
        let words = words.trim();
        assert!(words.contains(' ') && !words.ends_with(':') && words.len() > 10, "{name}: {words}");
    }
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let dir = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(out(&run(dir.path(), &["completions", shell])).contains("tfjob"), "{shell}");
    }
    assert!(out(&run(dir.path(), &["man"])).contains(".TH tfjob 1"));
    assert!(out(&run(dir.path(), &["man", "check"])).contains(".TH tfjob-check 1"));
}

#[test]
fn fmt_formats_valid_files_and_skips_faulty_ones() {
    let dir = folder();
    let good = GOOD;
    let untidy = good.replace("    ", "  ").replace("\n    role", "\n\n\n    role");
    let at = |name: &str| dir.path().join(name);
    fs::write(at("untidy.tfjob.kdl"), &untidy).unwrap();
    fs::write(at("bad.tfjob.kdl"), "job \"a\" {\n  x = 3\n").unwrap();
    let asked = run(dir.path(), &["fmt", "--check", "good.tfjob.kdl", "untidy.tfjob.kdl"]);
    assert_eq!((code(&asked), err(&asked)), (1, ""));
    assert!(out(&asked).starts_with("not formatted: untidy.tfjob.kdl\n"), "{}", out(&asked));
    assert_eq!(fs::read_to_string(at("untidy.tfjob.kdl")).unwrap(), untidy);
    let done = run(dir.path(), &["fmt"]);
    assert_eq!((code(&done), out(&done)), (1, ""));
    assert!(
        err(&done).contains("bad.tfjob.kdl:") && err(&done).contains("formatted untidy.tfjob.kdl\n"),
        "{}",
        err(&done)
    );
    assert_eq!(fs::read_to_string(at("untidy.tfjob.kdl")).unwrap(), good);
    assert_eq!(fs::read_to_string(at("bad.tfjob.kdl")).unwrap(), "job \"a\" {\n  x = 3\n");
    let again = run(dir.path(), &["fmt", "--check", "good.tfjob.kdl", "untidy.tfjob.kdl"]);
    assert_eq!((code(&again), out(&again), err(&again)), (0, "", ""));
}

/// Compiles the good spec for Kubernetes.
pub fn compiled(dir: &Path, more: &[&str]) -> Output {
    run(dir, &[&["compile", "good.tfjob.kdl", "--target", "kubernetes"], more].concat())
}

#[test]
fn compile_writes_nothing_where_anything_is_wrong() {
    let dir = folder();
    let all = run(dir.path(), &["compile", ".", "--target", "kubernetes"]);
    assert_eq!((code(&all), out(&all)), (1, ""));
    assert!(err(&all).contains("bad.tfjob.kdl:2:"), "{}", err(&all));
    let aimless = run(dir.path(), &["compile", "good.tfjob.kdl"]);
    assert_eq!(code(&aimless), 2);
    assert!(err(&aimless).contains("compiles for "), "{}", err(&aimless));
    let setting = compiled(dir.path(), &["--set", "role.worker.cuont=2"]);
    assert_eq!(code(&setting), 1);
    assert!(err(&setting).contains("--set:1:13"), "{}", err(&setting));
    fs::copy(dir.path().join("good.tfjob.kdl"), dir.path().join("same.tfjob.kdl")).unwrap();
    let twice = compiled(dir.path(), &["same.tfjob.kdl"]);
    assert_eq!(code(&twice), 1);
    assert!(err(&twice).contains("duplicate-name"), "{}", err(&twice));
    assert!(!dir.path().join("out").exists());
}

#[test]
fn show_prints_the_environment_of_a_task() {
    let dir = folder();
    let show = |more: &[&str]| {
        run(dir.path(), &[&["show", "good.tfjob.kdl", "--target", "kubernetes"], more].concat())
    };
    let task = show(&["--task", "worker:0"]);
    assert_eq!((code(&task), err(&task)), (0, ""));
    assert!(out(&task).ends_with("python mnist.py\n"), "{}", out(&task));
    assert!(
        out(&show(&[])).contains("\n  native:\n")
            && out(&show(&[])).contains("\n    cpus               (line 6)\n"),
        "{}",
        out(&show(&[]))
    );
    let lost = show(&["--task", "worker:1"]);
    assert_eq!((code(&lost), err(&lost)), (2, "error: no task `worker:1`; the last task is `worker:0`\n"));
    let unknown = show(&["--task", "ps"]);
    assert_eq!((code(&unknown), err(&unknown)), (2, "error: no role `ps`; roles of this job: worker\n"));
}

#[test]
fn the_examples_are_formatted() {
    let output = run(Path::new(env!("CARGO_MANIFEST_DIR")), &["fmt", "--check", "examples"]);
    assert_eq!((code(&output), out(&output), err(&output)), (0, "", ""));
}

/// Writes a cluster file for two workers, and a job that needs the options of this cluster.
fn site(dir: &Path) {
    let cluster = "cluster \"east\" target=\"yarn\" {\n    nodes \"a\" count=2 cpus=4 memory=\"8GiB\"\n    \
                   nodes \"m\" count=1 cpus=1 memory=\"1GiB\"\n    dns-domain \"east.example.com\"\n    grace \"30s\"\n    yarn { hadoop \"3.3.6\" }\n}\n";
    fs::write(dir.join("east.cluster.kdl"), cluster).unwrap();
    let job = "job \"a\" {\n    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\n    \
               image \"ml/a:1\"\n    stop grace=\"30s\"\n    network \"net\"\n    role \"worker\" count=2 {\n        run \"python\" \
               \"/a.py\"\n        resources cpus=4 memory=\"8GiB\"\n    }\n}\n";
    fs::write(dir.join("a.tfjob.kdl"), job).unwrap();
    fs::write(dir.join("b.tfjob.kdl"), job.replace("job \"a\"", "job \"b\"")).unwrap();
}

#[test]
fn options_of_a_cluster_are_defaults_of_its_jobs() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    let refused = run(dir.path(), &["check", "a.tfjob.kdl", "--target", "yarn", "--format", "short"]);
    assert_eq!(
        out(&refused).lines().filter(|line| line.contains("unsupported-feature")).count(),
        2,
        "{}",
        out(&refused)
    );
    let with = ["check", "a.tfjob.kdl", "--cluster", "east.cluster.kdl", "--format", "short"];
    assert_eq!((code(&run(dir.path(), &with)), out(&run(dir.path(), &with))), (0, ""));
    let path = dir.path().join("a.tfjob.kdl");
    let own = fs::read_to_string(&path)
        .unwrap()
        .replace("    network", "    target \"yarn\" { kill-delay \"5s\" }\n    network");
    fs::write(&path, own).unwrap();
    let own = run(dir.path(), &with);
    assert!(out(&own).contains("on this cluster, SIGKILL follows SIGTERM after"), "{}", out(&own));
}

#[test]
fn an_error_in_the_cluster_file_is_reported_once_without_consequences() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    let path = dir.path().join("east.cluster.kdl");
    let good = fs::read_to_string(&path).unwrap();
    for (from, to, told) in [
        ("count=2", "count=0", "2:21: error[out-of-range]"),
        ("3.3.6", "2.7", "6:19: error[bad-option]"),
        ("yarn {", "yran {", "6:5: error[unknown-node]"),
        ("\"yarn\"", "\"yran\"", "1:23: error[unknown-value]"),
    ] {
        fs::write(&path, good.replace(from, to)).unwrap();
        let jobs = run(dir.path(), &["check", "--cluster", "east.cluster.kdl", "--format", "short"]);
        let alone = run(dir.path(), &["check", "east.cluster.kdl", "--format", "short"]);
        for output in [jobs, alone] {
            assert_eq!((code(&output), out(&output).lines().count()), (1, 1), "{}", out(&output));
            assert!(out(&output).contains(told), "{}", out(&output));
        }
    }
}

#[test]
fn a_cluster_file_of_another_target_or_in_place_of_a_job_is_a_usage_error() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    for line in [
        &["check", "a.tfjob.kdl", "--cluster", "east.cluster.kdl", "--target", "kubernetes"][..],
        &["check", "a.tfjob.kdl", "--cluster", "none.cluster.kdl"],
        &["compile", "east.cluster.kdl"],
        &["show", "east.cluster.kdl"],
    ] {
        let output = run(dir.path(), line);
        assert_eq!((code(&output), out(&output)), (2, ""), "{line:?}");
        assert!(!err(&output).is_empty(), "{line:?}");
    }
    let written = run(dir.path(), &["compile", ".", "--cluster", "east.cluster.kdl"]);
    assert_eq!(code(&written), 0, "{}", err(&written));
    assert!(dir.path().join("out/a/yarn").is_dir() && dir.path().join("out/b/yarn").is_dir());
    let laid_out = run(dir.path(), &["fmt", "--check", "east.cluster.kdl"]);
    assert_eq!(code(&laid_out), 0, "{}", out(&laid_out));
}

/// Roles that run one after the other share nodes, and a job that may start with fewer tasks is not an error.
#[test]
fn only_simultaneous_tasks_are_added_up() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path());
    let job = |body: &str| {
        format!(
            "job \"c\" {{\n    framework \"custom\"\n    image \"ml/a:1\"\n    run \"a\"\n    network \"net\"\n    resources cpus=4 memory=\"8GiB\"\n{body}}}\n"
        )
    };
    let told = |body: &str| {
        fs::write(dir.path().join("c.tfjob.kdl"), job(body)).unwrap();
        let output =
            run(dir.path(), &["check", "c.tfjob.kdl", "--cluster", "east.cluster.kdl", "--format", "short"]);
        let room = |line: &&str| {
            line.contains("[insufficient-capacity]") || line.contains("[undetermined-placement]")
        };
        out(&output).lines().filter(room).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        told("    role \"a\" count=2\n    role \"b\" count=2 {\n        after \"a\" when=\"done\"\n    }\n"),
        [""; 0]
    );
    let both = told("    role \"a\" count=2\n    role \"b\" count=2\n");
    let need = "6:20: error[insufficient-capacity]: `a`, `b` and YARN's service master need 17 cores";
    assert!(both.len() == 1 && both[0].contains(need), "{both:?}");
    let fewer = told("    role \"a\" count=3 min=2\n");
    assert!(
        fewer.len() == 1 && fewer[0].contains("warning[undetermined-placement]: the job starts with fewer"),
        "{fewer:?}"
    );
    let late = told(
        "    role \"a\" count=2\n    role \"b\" count=1\n    role \"c\" count=1 {\n        after \"a\" when=\"done\"\n    }\n",
    );
    assert!(late.len() == 1 && late[0].contains("error[insufficient-capacity]"), "{late:?}");
}
