//! Findings of several specs and environments: each names the specs or environments to which it belongs, if there are others.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::program::{code, err, out, run};
use crate::specs;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const JOB: &str = r#"job "NAME" {
    framework "custom"
    image "example/a:1"
    run "train"
    role "worker" count=50 {
        resources cpus=1 memory="1GiB" gpus=1
    }
}
"#;

/// Replaces `    run`, and causes a warning.
const WARNING: &str = "    env { OUT \"$HOME/x\"; }\n    run";

const CLUSTER: &str = r#"cluster "c" target="kubernetes" {
    nodes "gpu" count=50 cpus=64 memory="256GiB" gpus=8
    queue "ml" gpus=40
    kubernetes { local-queue "ml"; }
}
"#;

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns a directory with the jobs `bert` and `resnet`, each with 50 GPUs, and a queue with 40 GPUs.
fn two_jobs() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "c.cluster.kdl", CLUSTER);
    for name in ["bert", "resnet"] {
        write(dir.path(), &format!("{name}.tfjob.kdl"), &JOB.replace("NAME", name));
    }
    dir
}

/// Returns the report of `check` in this format, with line breaks and frames as single spaces.
fn told(dir: &TempDir, format: &str, args: &[&str]) -> String {
    let output = run(dir.path(), &[&["check", "--format", format], args].concat());
    out(&output).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_finding_in_the_cluster_file_names_the_spec_in_each_format() {
    let dir = two_jobs();
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let text = told(&dir, format, &["--cluster", "c.cluster.kdl"]);
        for spec in ["(spec `bert.tfjob.kdl`)", "(spec `resnet.tfjob.kdl`)"] {
            assert_eq!(text.matches(spec).count(), 1, "{format}: {text}");
        }
    }
    let text = told(&dir, "short", &["--cluster", "c.cluster.kdl"]);
    assert_eq!(text.matches("c.cluster.kdl:4:").count(), 2, "{text}");
}

#[test]
fn a_finding_in_a_base_names_the_specs_unless_all_have_it() {
    let dir = tempfile::tempdir().unwrap();
    let base = JOB.replace("NAME", "base").replace("    run", WARNING);
    write(dir.path(), "base.tfjob.kdl", &base);
    let fixed = "extends \"base.tfjob.kdl\"\njob \"NAME\" {\n    env { OUT \"x\"; }\n}\n";
    let plain = "extends \"base.tfjob.kdl\"\njob \"NAME\" {\n    image \"example/NAME:1\"\n}\n";
    for (name, text) in [("a", plain), ("b", plain), ("c", plain)] {
        write(dir.path(), &format!("{name}.tfjob.kdl"), &text.replace("NAME", name));
    }
    let all = told(&dir, "short", &[]);
    assert_eq!(all.matches("base.tfjob.kdl:4:").count(), 1, "{all}");
    assert!(!all.contains("(spec"), "{all}");
    write(dir.path(), "c.tfjob.kdl", &fixed.replace("NAME", "c"));
    let some = told(&dir, "short", &[]);
    assert_eq!(some.matches("base.tfjob.kdl:4:").count(), 1, "{some}");
    assert!(some.contains("(specs `a.tfjob.kdl` and `b.tfjob.kdl`)"), "{some}");
}

/// Returns a project with a staging environment with one worker, and two environments with all workers.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let big = "cluster \"big\" target=\"kubernetes\" {\n    nodes \"gpu\" count=99 cpus=8 memory=\"64GiB\" gpus=8\n}\n";
    write(dir.path(), "big.cluster.kdl", big);
    write(dir.path(), "small.cluster.kdl", &big.replace("big", "small").replace("gpus=8", "gpus=2"));
    write(
        dir.path(),
        "tfjob.kdl",
        "project {\n    specs \"jobs\"\n    environment \"staging\" {\n        cluster \"small.cluster.kdl\"\n        \
         set \"role.worker.count=1\"\n    }\n    environment \"prod\" {\n        cluster \"big.cluster.kdl\"\n    }\n    \
         environment \"dev\" {\n        cluster \"big.cluster.kdl\"\n    }\n}\n",
    );
    dir
}

#[test]
fn a_finding_of_some_environments_names_them() {
    let dir = project();
    write(dir.path(), "jobs/a.tfjob.kdl", &JOB.replace("NAME", "a").replace("gpus=1", "gpus=4"));
    for format in ["human", "short", "json", "sarif", "github", "gitlab"] {
        let text = told(&dir, format, &[]);
        assert_eq!(text.matches("in environment `staging`:").count(), 1, "{format}: {text}");
    }
    assert!(
        told(&dir, "json", &[]).contains("\"environments\": [ \"staging\" ]"),
        "{}",
        told(&dir, "json", &[])
    );
    let help = "; an edit here also applies to environments `prod` and `dev`";
    assert!(told(&dir, "github", &[]).contains(help), "{}", told(&dir, "github", &[]));
    // Only one environment is checked, so there is nothing to tell apart.
    let one = told(&dir, "short", &["--env", "staging"]);
    assert!(one.contains("no-matching-node") && !one.contains("in environment"), "{one}");
    // The same finding of several, but not all environments is reported once.
    write(dir.path(), "jobs/a.tfjob.kdl", &JOB.replace("NAME", "a").replace("count=50", "count=1000"));
    let some = told(&dir, "short", &[]);
    assert_eq!(some.matches("in environments `prod` and `dev`:").count(), some.lines().count(), "{some}");
}

#[test]
fn a_finding_of_all_environments_names_none() {
    let dir = project();
    write(dir.path(), "jobs/a.tfjob.kdl", &JOB.replace("NAME", "a").replace("    run", WARNING));
    let json = told(&dir, "json", &[]);
    assert!(json.contains("jobs/a.tfjob.kdl") && json.contains("\"environments\": []"), "{json}");
    assert!(!json.contains("in environment"), "{json}");
}

#[test]
fn an_accepted_exception_is_no_denied_warning() {
    let dir = tempfile::tempdir().unwrap();
    let job = JOB.replace("NAME", "a").replace(
        "    run ",
        "    restart \"on-failure\" limit=3\n    allow \"restart\" on=\"kubernetes\" because=\"short jobs\"\n    run ",
    );
    write(dir.path(), "a.tfjob.kdl", &job);
    let args = ["check", "--target", "kubernetes", "--deny-warnings", "a.tfjob.kdl"];
    let accepted = run(dir.path(), &args);
    assert!(out(&accepted).contains("warning[allowed-feature]"), "{}", out(&accepted));
    assert_eq!(code(&accepted), 0, "{}", out(&accepted));
    write(dir.path(), "a.tfjob.kdl", &job.replace("    run", WARNING));
    let other = run(dir.path(), &args);
    assert_eq!(code(&other), 1, "{}", out(&other));
    assert!(out(&other).contains("failed because of warnings"), "{}", out(&other));
}

#[test]
fn an_acknowledged_warning_is_no_denied_warning() {
    let dir = tempfile::tempdir().unwrap();
    let job = JOB.replace("NAME", "a").replace(
        "    run ",
        "    checkpoints \"gs://ml/a\"\n    tensorboard\n    target \"kubernetes\" { local-queue \"q\"; }\n    run \"{checkpoints}\" ",
    );
    let args = ["check", "--deny-warnings", "--format", "short", "a.tfjob.kdl"];
    write(dir.path(), "a.tfjob.kdl", &job);
    let denied = run(dir.path(), &args);
    assert!(out(&denied).contains("warning[outside-quota]"), "{}", out(&denied));
    assert_eq!(code(&denied), 1, "{}", out(&denied));
    let allow =
        "    allow \"tensorboard\" on=\"kubernetes\" because=\"Kueue does not manage Deployments\"\n    run ";
    write(dir.path(), "a.tfjob.kdl", &job.replace("    run ", allow));
    let accepted = run(dir.path(), &args);
    assert!(
        out(&accepted).contains("warning[allowed-feature]: kubernetes: `allow` accepts that TensorBoard"),
        "{}",
        out(&accepted)
    );
    assert!(!out(&accepted).contains("unused-allow"), "{}", out(&accepted));
    assert_eq!(code(&accepted), 0, "{}", out(&accepted));
}

#[test]
fn an_exception_that_only_one_environment_needs_is_not_unused() {
    let dir = project();
    let cluster = fs::read_to_string(dir.path().join("small.cluster.kdl")).unwrap();
    let queue = "    queue \"ml\" gpus=99\n    kubernetes { local-queue \"ml\"; }\n}\n";
    write(dir.path(), "small.cluster.kdl", &cluster.replace("}\n", queue));
    let allow =
        "    allow \"tensorboard\" on=\"kubernetes\" because=\"Kueue does not manage Deployments\"\n    run ";
    let job = JOB
        .replace("NAME", "a")
        .replace("    run ", "    checkpoints \"gs://ml/a\"\n    tensorboard\n    run \"{checkpoints}\" ")
        .replace("    run ", allow);
    write(dir.path(), "jobs/a.tfjob.kdl", &job);
    let accepted = run(dir.path(), &["check", "--format", "short", "--deny-warnings"]);
    assert!(
        out(&accepted).contains("warning[allowed-feature]: in environment `staging`"),
        "{}",
        out(&accepted)
    );
    assert_eq!((out(&accepted).lines().count(), code(&accepted)), (1, 0), "{}", out(&accepted));
    let yaml = "job:\n  name: a\n  framework: custom\n  image: example/a:1\n  checkpoints: gs://ml/a\n  tensorboard: {}\n  \
                run: [train, \"{checkpoints}\"]\n  allow:\n    - feature: tensorboard\n      on: kubernetes\n      because: x\n  role:\n    \
                worker:\n      count: 50\n      resources: { cpus: 1, memory: 1GiB, gpus: 1 }\n";
    fs::remove_file(dir.path().join("jobs/a.tfjob.kdl")).unwrap();
    write(dir.path(), "jobs/a.tfjob.yaml", yaml);
    let accepted = run(dir.path(), &["check", "--format", "short", "--deny-warnings"]);
    assert_eq!(
        (out(&accepted).lines().count(), code(&accepted)),
        (1, 0),
        "{}{}",
        out(&accepted),
        err(&accepted)
    );
    fs::remove_file(dir.path().join("jobs/a.tfjob.yaml")).unwrap();
    let json = r#"{"job": {"name": "a", "framework": "custom", "image": "example/a:1", "checkpoints": "gs://ml/a", "tensorboard": {},
        "run": ["train", "{checkpoints}"],
        "allow": [{
            "feature": "tensorboard",
            "on": "kubernetes",
            "because": "x"
        }],
        "role": {"worker": {"count": 50, "resources": {"cpus": 1, "memory": "1GiB", "gpus": 1}}}}}"#;
    write(dir.path(), "jobs/a.tfjob.json", json);
    let accepted = run(dir.path(), &["check", "--format", "short", "--deny-warnings"]);
    assert_eq!(
        (out(&accepted).lines().count(), code(&accepted)),
        (1, 0),
        "{}{}",
        out(&accepted),
        err(&accepted)
    );
    fs::remove_file(dir.path().join("jobs/a.tfjob.json")).unwrap();
    // No environment needs the second one.
    let more = "    allow \"files\" on=\"kubernetes\" because=\"x\"\n    run ";
    write(dir.path(), "jobs/a.tfjob.kdl", &job.replace("    run ", more));
    let unused = run(dir.path(), &["check", "--format", "short", "--deny-warnings"]);
    assert_eq!((out(&unused).matches("[unused-allow]").count(), code(&unused)), (1, 1), "{}", out(&unused));
}

#[test]
fn a_job_outside_the_namespace_of_its_environment_is_reported() {
    let dir = project();
    let cluster = fs::read_to_string(dir.path().join("big.cluster.kdl")).unwrap();
    let own = cluster.replace("}\n", "    kubernetes { namespace \"prod\"; }\n}\n");
    write(dir.path(), "big.cluster.kdl", &own);
    let job = JOB
        .replace("NAME", "a")
        .replace("    run", "    target \"kubernetes\" { namespace \"test\"; }\n    run");
    write(dir.path(), "jobs/a.tfjob.kdl", &job);
    let told = told(&dir, "short", &[]);
    let found = "warning[other-namespace]: in environments `prod` and `dev`: the job runs in the namespace `test`, but the \
                 cluster file sets `prod`";
    assert_eq!(told.matches(found).count(), 1, "{told}");
    write(dir.path(), "jobs/a.tfjob.kdl", &job.replace("\"test\"", "\"prod\""));
    let same = run(dir.path(), &["check", "--format", "short"]);
    assert_eq!((code(&same), out(&same)), (0, ""));
}

#[test]
fn specs_and_environments_of_a_project_are_counted() {
    let dir = project();
    for name in ["a", "b"] {
        write(
            dir.path(),
            &format!("jobs/{name}.tfjob.kdl"),
            &JOB.replace("NAME", name).replace("    run", WARNING),
        );
    }
    // A base that is no spec of its own, and a cluster file on the command line, are not counted.
    let two = "2 warnings (2 specs checked)";
    let text = "extends \"base.tfjob.kdl\"\njob \"NAME\" {\n    image \"example/a:1\"\n}\n";
    write(dir.path(), "alone/base.tfjob.kdl", "job \"base\" { framework \"custom\"; }\n");
    write(dir.path(), "alone/a.tfjob.kdl", &text.replace("NAME", "a"));
    for (args, count) in [
        (&["check"][..], "2 warnings (2 specs in 3 environments checked)"),
        (&["check", "--env", "prod"], two),
        (&["check", "--env", "prod", "--env", "dev"], "2 warnings (2 specs in 2 environments checked)"),
        (
            &["check", "jobs/a.tfjob.kdl", "--env", "prod", "--env", "dev"],
            "1 warning (1 spec in 2 environments checked)",
        ),
        (&["compile"], "2 warnings (2 specs in 3 environments checked)"),
        (&["check", "jobs", "--cluster", "big.cluster.kdl"], two),
        (&["check", "jobs/a.tfjob.kdl", "--cluster", "big.cluster.kdl"], "1 warning\n"),
        (&["check", "alone"], "1 error\n"),
    ] {
        let output = run(dir.path(), args);
        let text = format!("{}{}", out(&output), err(&output));
        assert!(text.contains(count), "{args:?}: {text}");
    }
}

/// Runs the command of a pipeline in a project; `tfjob` is this program.
fn pipeline(dir: &TempDir, script: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tfjob")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-eo", "pipefail", "-c", script]).current_dir(dir.path()).env("PATH", path);
    for (name, value) in
        [("PATHS", default("action.yml")), ("ARGUMENTS", String::new()), ("SARIF", String::new())]
    {
        bash.env(name, value);
    }
    let output = bash.env_remove("GITHUB_STEP_SUMMARY").output().unwrap();
    format!("{}{}", out(&output), err(&output))
}

/// Returns the default of the input `paths`.
fn default(file: &str) -> String {
    let text = fs::read_to_string(specs::root().join(file)).unwrap();
    let after = text.split_once("paths:").unwrap().1.split_once("default: \"").unwrap().1;
    after.split_once('"').unwrap().0.to_owned()
}

#[test]
fn pipelines_check_the_project_by_default() {
    let dir = project();
    write(dir.path(), "jobs/a.tfjob.kdl", &JOB.replace("NAME", "a").replace("gpus=1", "gpus=4"));
    let github = fs::read_to_string(specs::root().join("action.yml")).unwrap();
    let gitlab = fs::read_to_string(specs::root().join("templates/check.yml")).unwrap();
    let gitlab = gitlab.lines().find_map(|line| line.strip_prefix("    - tfjob check")).unwrap();
    let gitlab =
        format!("tfjob check{gitlab}").replace("$[[ inputs.paths ]]", &default("templates/check.yml"));
    for script in
        [github.rsplit_once("run: |\n").unwrap().1, &gitlab.replace("> gl-code-quality-report.json", "")]
    {
        let told = pipeline(&dir, script);
        assert!(told.contains("in environment `staging`: "), "{script}: {told}");
    }
}

/// Returns a block of a file: the lines after `start`, up to the first one with less indentation.
fn block(file: &str, start: &str) -> String {
    let text = fs::read_to_string(specs::root().join(file)).unwrap();
    let lines: Vec<&str> = text.split_once(start).unwrap().1.lines().collect();
    let indent = lines[0].len() - lines[0].trim_start().len();
    let inside = lines.iter().take_while(|line| line.len() > indent && line[..indent].trim().is_empty());
    inside.flat_map(|line| [&line[indent..], "\n"]).collect()
}

#[test]
fn pipelines_install_a_wheel_or_a_pinned_version_of_the_given_index() {
    let dir = project();
    let gitlab =
        ["wheel", "index", "version"].iter().fold(block("templates/check.yml", "    - |\n"), |text, name| {
            text.replace(&format!("$[[ inputs.{name} ]]"), &format!("${}", name.to_uppercase()))
        });
    let tool = |name: &str| format!("{name}() {{ echo \"ran: $*\"; }}\n");
    for script in [tool("pipx") + &block("action.yml", "run: |\n"), tool("pip") + &gitlab] {
        for (wheel, index, version, expected) in [
            ("./a.whl", "", "0.1.0", "ran: install ./a.whl\n"),
            (
                "",
                "https://i.example/simple",
                "0.1.0",
                "ran: install --index-url https://i.example/simple tfjob==0.1.0\n",
            ),
            ("", "https://i.example/simple", "", "tfjob is not on PyPI"),
            ("", "", "0.1.0", "tfjob is not on PyPI"),
        ] {
            let told = pipeline(&dir, &format!("WHEEL={wheel} INDEX={index} VERSION={version}\n{script}"));
            assert!(
                told.contains(expected) && (wheel.len() + index.len() > 0 || !told.contains("ran:")),
                "{script}: {told}"
            );
        }
    }
    for file in ["action.yml", "templates/check.yml"] {
        let text = fs::read_to_string(specs::root().join(file)).unwrap();
        let pinned = format!("default: \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&pinned), "{file} pins another version");
    }
}
