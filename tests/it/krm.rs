//! Tests of `tfjob krm`. `targets/conformance/krm` runs the command with the real Kustomize.
#![expect(clippy::unwrap_used, reason = "a test may")]
use crate::commands::compiled;
use crate::program::{GOOD, code, err, folder, out, run, tfjob};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// Returns a list with this `spec` in its configuration, and an item.
fn list(spec: &str) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n{ITEM}functionConfig:\n  apiVersion: tfjob/v1alpha1\n  \
         kind: TFJobSpec\n  metadata:\n    name: x\n  spec: {spec}\n"
    )
}

/// An item with syntax that a program would change if it wrote the values again.
const ITEM: &str =
    "- apiVersion: v1 # one\n  kind: ConfigMap\n  metadata: {name: z}\n  data:\n    mode: 0777\n";

fn krm_with(dir: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = tfjob(dir, &[&["krm"], args].concat());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may stop before it has read everything.
    drop(child.stdin.take().unwrap().write_all(input));
    child.wait_with_output().unwrap()
}

fn krm(dir: &Path, spec: &str) -> Output {
    krm_with(dir, &[], list(spec).as_bytes())
}

/// Returns the documents of the generated items.
fn generated(output: &Output) -> String {
    assert_eq!(code(output), 0, "{}", err(output));
    let (head, rest) = out(output).split_once(ITEM).unwrap();
    assert_eq!(head, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n");
    let line = |line: &str| match line.strip_prefix("- ") {
        Some(first) => format!("---\n{first}\n"),
        None => format!("{}\n", line.strip_prefix("  ").unwrap_or(line)),
    };
    let items = rest.split_once("results:\n").map_or(rest, |(items, _)| items);
    items.lines().map(line).collect()
}

/// Returns a job with more lines in the role.
fn with(lines: &str) -> String {
    GOOD.replacen("role \"worker\" {\n", &format!("role \"worker\" {{\n{lines}\n"), 1)
}

/// Returns a job that needs the shim.
fn with_shim() -> String {
    let allow = "    allow \"restart\" on=\"kubernetes\" because=\"it is submitted again\"\n    role ";
    with("restart \"on-failure\" limit=3").replacen("    role ", allow, 1)
}

#[test]
fn the_objects_have_the_bytes_of_compile() {
    let dir = folder();
    let expected = compiled(dir.path(), &["--stdout"]);
    let documents = generated(&krm(dir.path(), "{path: good.tfjob.kdl}"));
    assert_eq!(documents.trim_start_matches("---\n"), out(&expected).trim_start_matches("---\n"));
    let set = compiled(dir.path(), &["--stdout", "--set", "role.worker.resources.cpus=7"]);
    let documents =
        generated(&krm(dir.path(), "{path: good.tfjob.kdl, set: {role.worker.resources.cpus: 7}}"));
    assert_eq!(documents.trim_start_matches("---\n"), out(&set).trim_start_matches("---\n"));
    let lines: String = GOOD.lines().map(|line| format!("      {line}\n")).collect();
    let inline = generated(&krm(dir.path(), &format!("\n    inline: |\n{lines}")));
    assert_eq!(inline.trim_start_matches("---\n"), out(&expected).trim_start_matches("---\n"));
}

#[test]
fn the_configmap_with_the_shim_is_an_object_of_the_job() {
    let dir = folder();
    fs::write(dir.path().join("good.tfjob.kdl"), with_shim()).unwrap();
    let written = compiled(dir.path(), &["-o", "made"]);
    assert_eq!(code(&written), 0, "{}", err(&written));
    let shared = fs::read_dir(dir.path().join("made/_shim")).unwrap().next().unwrap().unwrap().path();
    let shared = fs::read_to_string(shared.join("configmap.yaml")).unwrap();
    let all = generated(&krm(dir.path(), "{path: good.tfjob.kdl}"));
    let (header, object) = shared.split_once('\n').unwrap();
    assert!(all.contains(&format!("{header}\n---\n{object}")), "{all}");
    let own = generated(&krm(dir.path(), "{path: good.tfjob.kdl, shim: omit}"));
    assert!(!own.contains("binaryData") && own.contains("name: tfjob-shim-"), "{own}");
    // Without the shim, nothing is generated.
    let input = list("{path: good.tfjob.kdl}");
    fs::write(dir.path().join("list.yaml"), input).unwrap();
    let mut command = tfjob(dir.path(), &["krm"]);
    let command =
        command.env("TFJOB_SHIM", "none").stdin(fs::File::open(dir.path().join("list.yaml")).unwrap());
    let output = command.output().unwrap();
    assert!(code(&output) == 1 && err(&output).contains("cannot read `none`"), "{}", err(&output));
}

#[test]
fn an_environment_sets_the_cluster_and_the_fields() {
    let dir = folder();
    fs::remove_file(dir.path().join("bad.tfjob.kdl")).unwrap();
    let project = "project {\n    environment \"prod\" {\n        target \"yarn\"\n        set \"role.worker.resources.cpus=5\"\n    }\n}\n";
    fs::write(dir.path().join("tfjob.kdl"), project).unwrap();
    for folder in ["overlay", ".git"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    let overlay = dir.path().join("overlay");
    let documents = generated(&krm(&overlay, "{path: ../good.tfjob.kdl, environment: prod}"));
    assert!(documents.contains("cpu: \"5\""), "{documents}");
    let note = "note: the spec is compiled without the settings and the cluster file of an environment: to use them, set `spec.environment`\n";
    let cluster =
        "cluster \"c\" target=\"kubernetes\" {\n    kubernetes {\n        namespace \"ml\"\n    }\n}\n";
    fs::write(dir.path().join("c.cluster.kdl"), cluster).unwrap();
    for (spec, is_told) in [
        ("{path: ../good.tfjob.kdl}", true),
        ("{path: ../good.tfjob.kdl, cluster: ../c.cluster.kdl}", false),
        ("{path: ../good.tfjob.kdl, environment: prod}", false),
    ] {
        let said = krm(&overlay, spec);
        assert_eq!((code(&said), err(&said).contains(note)), (0, is_told), "{spec}: {}", err(&said));
    }
    let quiet = krm_with(&overlay, &["--quiet"], list("{path: ../good.tfjob.kdl}").as_bytes());
    assert_eq!((code(&quiet), err(&quiet)), (0, ""));
    // A spec that is not in the project.
    fs::copy(dir.path().join("good.tfjob.kdl"), overlay.join("own.tfjob.kdl")).unwrap();
    fs::write(
        dir.path().join("tfjob.kdl"),
        project.replace("project {", "project {\n    specs \"good.tfjob.kdl\""),
    )
    .unwrap();
    let own = krm(&overlay, "{path: own.tfjob.kdl}");
    assert!(code(&own) == 0 && !err(&own).contains("note: "), "{}", err(&own));
    let unknown = krm(&overlay, "{path: ../good.tfjob.kdl, environment: test}");
    assert!(
        code(&unknown) == 1 && err(&unknown).contains("has no environment `test`; it has prod"),
        "{}",
        err(&unknown)
    );
    fs::write(dir.path().join("tfjob.kdl"), "project {\n    x\n}\n").unwrap();
    let faulty = krm(&overlay, "{path: ../good.tfjob.kdl, environment: prod}");
    assert!(code(&faulty) == 1 && err(&faulty).contains("tfjob.kdl:2:5"), "{}", err(&faulty));
}

/// With an error, standard output has only the input and the results.
#[test]
fn an_error_is_on_standard_error_and_in_the_results() {
    let dir = folder();
    for (spec, told) in [
        ("{path: bad.tfjob.kdl}", "bad.tfjob.kdl:2"),
        ("{path: good.tfjob.kdl, set: {role.worker.cuont: 8}}", "unknown key `cuont`"),
        ("{path: good.tfjob.kdl, set: {image: x, image.name: z}}", "`image.name` is set twice"),
        (
            "{path: good.tfjob.kdl, set: {role.worker.count: 1, 'role.\"worker\".count': 2}}",
            "`role.worker.count` is set twice",
        ),
        ("{path: none.tfjob.kdl}", "no such file: `none.tfjob.kdl`"),
        ("{path: .}", "`.` is not a regular file"),
        ("{path: '-'}", "`spec.path` must be the path of a file"),
        ("{path: tfjob.kdl}", "no such file: `tfjob.kdl`"),
        ("{path: good.tfjob.kdl, cluster: none.cluster.kdl}", "no such file: `none.cluster.kdl`"),
        (
            "{path: good.tfjob.kdl, environment: prod}",
            "no project file `tfjob.kdl` has the environment `prod`",
        ),
        ("{paht: good.tfjob.kdl}", "did you mean `path`?"),
        ("{inline: ''}", "`spec.inline` is empty"),
        ("{inline: 'job'}", "spec.inline:1"),
    ] {
        let output = krm(dir.path(), spec);
        let said = err(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code(&output) == 1 && said.contains(told), "{spec}: {said}");
        // A setting has its place in the configuration.
        let is_placed = !spec.contains("set:") || said.contains("[functionConfig:5:");
        assert!(is_placed && !said.contains("--set"), "{spec}: {said}");
        let (_, results) = out(&output).split_once(ITEM).unwrap();
        assert!(results.starts_with("results:\n- severity: error\n  message: "), "{spec}: {results}");
        assert!(
            !results.contains("TFJob\n")
                && results.contains("resourceRef:") != (spec.contains("paht") || spec.contains("''")),
            "{results}"
        );
    }
}

#[test]
fn a_text_that_is_not_a_list_is_refused_without_output() {
    let dir = folder();
    let large = vec![b' '; (8 << 20) + 1];
    let bomb = list("{path: good.tfjob.kdl}").replace(ITEM, &format!("- a: {}\n", "[".repeat(100_000)));
    for (input, told) in [
        (&b""[..], "not a ResourceList"),
        (b"\xff", "the list is not UTF-8 at byte 0"),
        (&large, "the list has more than 8 MiB"),
        (bomb.as_bytes(), "recursion limit"),
        (b"kind: ResourceList\n", "not a ResourceList"),
        (b"apiVersion: v1\nkind: ConfigMap\n", "not a ResourceList"),
    ] {
        let output = krm_with(dir.path(), &[], input);
        assert_eq!((code(&output), out(&output)), (1, ""));
        assert!(
            err(&output).starts_with("error: standard input: ") && err(&output).contains(told),
            "{}",
            err(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_work_tree_are_not_read() {
    let dir = folder();
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("x.tfjob.kdl");
    fs::write(&secret, "password \"hunter2\"\n").unwrap();
    std::os::unix::fs::symlink(&secret, dir.path().join("link.tfjob.kdl")).unwrap();
    let path = secret.display();
    for spec in [
        format!("{{path: {path}}}"),
        "{path: link.tfjob.kdl}".to_owned(),
        format!("{{path: good.tfjob.kdl, cluster: {path}}}"),
        "{path: /dev/zero}".to_owned(),
    ] {
        let output = krm(dir.path(), &spec);
        let said = err(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            code(&output) == 1 && (said.contains("is outside of") || said.contains("not a regular file")),
            "{said}"
        );
        assert!(!said.contains("hunter2") && !out(&output).contains("hunter2"));
    }
}

#[test]
fn warnings_do_not_change_the_exit_code_and_credentials_are_masked() {
    let dir = folder();
    let job = with("env {\n API_PASSWORD \"hunter2hunter2\"\n}");
    fs::write(dir.path().join("good.tfjob.kdl"), job).unwrap();
    let output = krm(dir.path(), "{path: good.tfjob.kdl}");
    assert!(code(&output) == 0 && err(&output).contains("warning[literal-secret]"), "{}", err(&output));
    assert!(!err(&output).contains("hunter2"), "{}", err(&output));
    let (_, results) = out(&output).split_once("\nresults:\n").unwrap();
    assert!(
        results.contains("severity: warning") && results.contains("path: \"good.tfjob.kdl\""),
        "{results}"
    );
    assert!(!results.contains("hunter2"), "{results}");
    let quiet = krm_with(dir.path(), &["--quiet"], list("{path: good.tfjob.kdl}").as_bytes());
    assert_eq!((code(&quiet), err(&quiet)), (0, ""));
    for spec in [
        "{path: none, set: {env.API_PASSWORD: [hunter2hunter2]}}",
        "{path: good.tfjob.kdl, set: {env.API_PASSWORD.x: hunter2hunter2}}",
    ] {
        let output = krm(dir.path(), spec);
        let results = out(&output).split_once("results:\n").unwrap().1;
        assert!(
            code(&output) == 1 && !err(&output).contains("hunter2") && !results.contains("hunter2"),
            "{}{results}",
            err(&output)
        );
    }
}

#[test]
fn generated_objects_replace_those_of_an_earlier_run() {
    let dir = folder();
    let first = krm(dir.path(), "{path: good.tfjob.kdl}");
    let items = out(&first).split_once("items:\n").unwrap().1.to_owned();
    let again = list("{path: good.tfjob.kdl}").replace(ITEM, &items);
    assert_eq!(out(&krm_with(dir.path(), &[], again.as_bytes())), out(&first));
}

/// `kustomize fn run DIR` passes the objects of the last run. With `argocd`, another version has another name.
#[test]
fn old_versions_of_the_job_are_replaced() {
    let dir = folder();
    let spec = GOOD.replacen("    role ", "    target \"kubernetes\" { argocd; }\n    role ", 1);
    let with_board = |spec: &str| {
        let board = "    checkpoints \"gs://a/b\"\n    tensorboard\n    role ";
        spec.replacen("    role ", board, 1)
    };
    let spec = spec.replace("version", "strategy=\"multi-worker-mirrored\" version");
    let items = |spec: &str, before: &str| {
        fs::write(dir.path().join("good.tfjob.kdl"), spec).unwrap();
        let input = list("{path: good.tfjob.kdl}").replace(ITEM, &format!("{ITEM}{before}"));
        let said = krm_with(dir.path(), &["--quiet"], input.as_bytes());
        assert_eq!(code(&said), 0, "{}", err(&said));
        let all = out(&said).split_once(ITEM).unwrap().1;
        all.split_once("results:").map_or(all, |(items, _)| items).to_owned()
    };
    let count = |count: u32| {
        let changed = spec.replacen("role \"worker\"", &format!("role \"worker\" count={count}"), 1);
        assert_ne!(changed, spec);
        changed
    };
    let own = items(&spec, "");
    assert_eq!(own.matches("kind: TFJob\n").count(), 1, "{own}");
    let [two, three] = [2, 3].map(|number| items(&count(number), ""));
    assert_ne!(own, two);
    let board = items(&with_board(&count(2)), "");
    assert!(board.contains("kind: Deployment\n"), "{board}");
    for before in
        [two.clone(), board, [&*two, &three].concat(), [&*two, &own].concat(), [&*own, &two].concat()]
    {
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&items(&spec, &before)), lines(&own), "{before}");
    }
    // An object of another job, and one that a person has written.
    let name = own.lines().find_map(|line| line.trim_start().strip_prefix("name: ")).unwrap();
    let job = name.split_once('-').map_or(name, |(job, _)| job);
    for (from, to) in [(job, "other"), ("managed-by: tfjob", "managed-by: me")] {
        let other = two.replace(from, to);
        assert_ne!(other, two);
        assert!(items(&spec, &other).contains(&other), "{other}");
    }
}

#[test]
fn the_command_has_no_arguments() {
    let dir = folder();
    let output = run(dir.path(), &["krm", "good.tfjob.kdl"]);
    assert_eq!(code(&output), 2, "{}", err(&output));
}
