//! Tests that no report contains a credential of a spec, whatever other error the spec has, in any format.

use crate::able;
use crate::program;
use crate::program::{code, err, out, run};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tfjob_lang::sources::{Format, Sources};

/// The credential that must not be printed.
const VALUE: &str = "hunter2hunter2";

const FORMATS: [&str; 6] = ["human", "short", "json", "sarif", "github", "gitlab"];

/// Lines of a job that contain the credential.
const LINES: &[&str] = &[
    r#"secret "AWS_SECRET_ACCESS_KEY" "hunter2hunter2""#,
    r#"secret "AWS_SECRET_ACCESS_KEY" hunter2hunter2"#,
    r#"secret AWS_SECRET_ACCESS_KEY=hunter2hunter2"#,
    r#"secret T="hunter2hunter2""#,
    r#"secret T = "hunter2hunter2""#,
    r#"secret "T" value="hunter2hunter2""#,
    r#"secret "T" default="hunter2hunter2""#,
    r#"secret "T" from="store" key="token" "hunter2hunter2""#,
    r#"secret "T" from="store" valeu="hunter2hunter2""#,
    r#"secret "T" form="hunter2hunter2""#,
    r#"secret "T" "hunter2hunter2" from="store" from="other""#,
    r#"secret "T", "hunter2hunter2""#,
    r#"secret("T", "hunter2hunter2")"#,
    r#"secret "T" (password)"hunter2hunter2""#,
    r#"secret "T" "hunter2hunter\u{32}""#,
    r#"secret "T" 'hunter2hunter2'"#,
    r#"secret "T" `hunter2hunter2`"#,
    r#"secret "T" "hunter2hunter2"#,
    r#"secret "T "hunter2hunter2""#,
    r#"secret "T" #"hunter2hunter2"#,
    r##"secret "T" #"hunter2hunter2"#"##,
    "secret \"T\" \"\"\"\n    hunter2hunter2\n    \"\"\"",
    "secret \"T\" \"\"\"\n    hunter2hunter2\n    \"",
    "secret \"T\" \"first line\n  hunter2hunter2\"",
    "secret \"T\" \\\n \"hunter2hunter2\"",
    "secret \"T\"\n        \"hunter2hunter2\"",
    "secret\n        T \"hunter2hunter2\"",
    r#"secret: T: hunter2hunter2"#,
    r#"secret "T": "hunter2hunter2""#,
    r#"secret { T "hunter2hunter2" }"#,
    r#"secret { T { value "hunter2hunter2"; } }"#,
    r#"secret "T" { value "hunter2hunter2" }"#,
    r#"secret "T" { from "store"; pasword "hunter2hunter2" }"#,
    "secret {\n    T \"hunter2hunter2\"\n",
    "secret {\n    T=\"hunter2hunter2\"\n    U: \"hunter2hunter2\",\n}",
    r#"secrets { A "hunter2hunter2" }"#,
    r#"secerts { A "hunter2hunter2" }"#,
    r#"/- secret "T" "hunter2hunter2""#,
    "// secret \"T\" \"hunter2hunter2\"\n    secret \"T\"",
    "# secret \"T\" \"hunter2hunter2\"\n    secret \"T\"",
    r#"environment { DB_PASSWORD "hunter2hunter2" }"#,
    r#"env DB_PASSWORD="hunter2hunter2""#,
    r#"env "DB_PASSWORD" "hunter2hunter2" "A""#,
    r#"env { DB_PASSWORD="hunter2hunter2" }"#,
    r#"env { DB_PASSWORD: "hunter2hunter2", A: "b" }"#,
    r#"env { DB_PASSWORD hunter2hunter2 3 }"#,
    r#"env { DB_PASSWORD "hunter2hunter2"; DB_PASSWORD "hunter2hunter2" }"#,
    r#"env { STORE "postgres://me:hunter2hunter2@db/x" 4 }"#,
    r#"env "STORE"="postgres://me:hunter2hunter2@db/x""#,
    "env:\n      - name: DB_PASSWORD\n        value: hunter2hunter2\n",
    "env:\n      - value: hunter2hunter2\n        name: DB_PASSWORD\n",
    r#"env [{"name": "DB_PASSWORD", "value": "hunter2hunter2"}]"#,
    r#"patch "Pod" { spec { containers { - { env { - { name "DB_PASSWORD"; value "hunter2hunter2" } } } } } }"#,
    r#"target "kubernetes" { patch "TFJob" { env { name "DB_PASSWORD"; value "hunter2hunter2"; } } }"#,
    r#"params db-password="hunter2hunter2""#,
    r#"param "db-password" default="hunter2hunter2""#,
    r#"param db-password "hunter2hunter2" 3"#,
    r#"DB_PASSWORD "hunter2hunter2""#,
    r#"export DB_PASSWORD=hunter2hunter2"#,
    r#"run "python" "train.py" "--password" "hunter2hunter2" lr=3"#,
    r#"run python train.py --password=hunter2hunter2"#,
    r#"run "python train.py --password hunter2hunter2""#,
    r#"shell "export DB_PASSWORD=hunter2hunter2; python x.py" "y""#,
    r#"shel "DB_PASSWORD='hunter2hunter2' python x.py""#,
    r#"args ["--token", "hunter2hunter2"]"#,
    r#"command "curl" "https://u:hunter2hunter2@host/x" 9"#,
];

/// Complete files by name.
const FILES: &[(&str, &str)] = &[
    ("a.tfjob.json", r#"{"job": {"name": "j", "secret": {"T": "hunter2hunter2"}, "imag": "a"}}"#),
    ("b.tfjob.json", r#"{"job": {"name": "j", "secret": {"T": {"value": "hunter2hunter2"}}}}"#),
    ("c.tfjob.json", r#"{"job": {"name": "j", "secret": {"T": "hunter2hunter2"}, }"#),
    ("d.tfjob.json", r#"{"job": {"name": "j", "env": {"DB_PASSWORD": "hunter2hunter2" "x": 1}}}"#),
    (
        "e.tfjob.json",
        r#"{"job": {"name": "j", "env": [{"name": "DB_PASSWORD", "value": "hunter2hunter2"}]}}"#,
    ),
    ("f.tfjob.json", r#"{"job": {"name": "j", "secret": ["T", "hunter2hunter2"]}}"#),
    ("g.tfjob.json", r#"{"job": {"name": "j", "secret": "hunter2hunter2"}}"#),
    ("h.tfjob.json", r#"{"job": {"name": "j", "secret": {"T": "hunter2hunter\u0032"}}}"#),
    ("a.tfjob.yaml", "job:\n  name: j\n  secret:\n    T: hunter2hunter2\n"),
    ("b.tfjob.yaml", "job:\n  name: j\n  secret:\n    T: {value: hunter2hunter2}\n"),
    ("c.tfjob.yaml", "job:\n  name: j\n  secret:\n  - name: T\n    value: hunter2hunter2\n"),
    ("d.tfjob.yaml", "job:\n  name: j\n  secret:\n    T: |\n      hunter2hunter2\n   bad: [\n"),
    ("e.tfjob.yaml", "job:\n  name: j\n  env:\n    DB_PASSWORD: &x hunter2hunter2\n    B: *x\n"),
    ("f.tfjob.yaml", "job:\n  name: j\n  env:\n    - name: DB_PASSWORD\n      value: hunter2hunter2\n"),
    ("g.tfjob.yaml", "apiVersion: v1\nkind: Secret\nstringData:\n  pw: hunter2hunter2\n"),
    ("h.tfjob.yaml", "job:\n  name: j\n  secret:\n\tT: hunter2hunter2\n"),
    ("i.tfjob.yaml", "secret \"T\" \"hunter2hunter2\"\n"),
    ("j.tfjob.kdl", "{\"job\": {\"secret\": {\"T\": \"hunter2hunter2\"}}}"),
    ("k.tfjob.kdl", "job:\n  secret:\n    T: hunter2hunter2\n"),
    ("l.tfjob.kdl", "job \"j\" {\n  description \"\"\"\n  secret \"T\" \"hunter2hunter2\"\n}\n"),
    ("m.tfjob.kdl", "}\njob \"j\" {{\n  secret { T \"hunter2hunter2\" }\n"),
];

fn job(line: &str) -> String {
    format!(
        "job \"j\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/t:1\"\n    \
         resources cpus=4 memory=\"16GiB\"\n    {line}\n    run \"python\" \"train.py\"\n    \
         role \"worker\" cuont=2\n}}\n"
    )
}

/// Returns the output of the program if it contains the credential.
fn leak(dir: &TempDir, args: &[&str]) -> Option<String> {
    let done = run(dir.path(), args);
    let told = format!("{}{}", out(&done), err(&done));
    assert!(!told.is_empty(), "{args:?} prints nothing");
    let leaks = told.to_lowercase().contains(VALUE) || err(&done).contains("panicked");
    leaks.then(|| format!("{args:?}\n{told}"))
}

#[test]
fn no_report_shows_a_credential() {
    let mut leaks = Vec::new();
    let jobs = LINES.iter().map(|line| ("job.tfjob.kdl", job(line)));
    let files = FILES.iter().map(|(name, text)| (*name, (*text).to_owned()));
    for (number, (name, text)) in jobs.chain(files).enumerate() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(name), &text).unwrap();
        for (_, format) in FORMATS.iter().enumerate().filter(|(other, _)| able::tries(number + other)) {
            leaks.extend(leak(&dir, &["check", "--target", "kubernetes", "--format", format, name]));
        }
        leaks.extend(leak(&dir, &["compile", "--target", "kubernetes", name]));
        leaks.extend(leak(&dir, &["show", "--target", "local", "--task", "worker:0", name]));
        if name.ends_with("kdl") {
            let done = run(dir.path(), &["fmt", "--check", name]);
            let told = format!("{}{}", out(&done), err(&done));
            leaks.extend(told.contains(VALUE).then(|| format!("fmt --check\n{told}")));
        }
        run(dir.path(), &["check", "--fix", name]);
        leaks.extend(leak(&dir, &["check", "--format", "human", name]));
    }
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n\n"));
}

#[test]
fn a_setting_is_not_shown_either() {
    let dir = program::folder();
    for setting in [
        "secret.T=hunter2hunter2",
        "secret.T.value=hunter2hunter2",
        "role.worker.env.DB_PASSWORD.x=hunter2hunter2",
        "evn.DB_PASSWORD=hunter2hunter2",
        "env.DB_PASSWORD hunter2hunter2",
        "param.db-password=hunter2hunter2",
    ] {
        for command in ["compile", "show"] {
            let line = [command, "--target", "local", "--set", setting, "good.tfjob.kdl"];
            assert_eq!(leak(&dir, &line), None);
        }
    }
}

#[test]
fn an_accepted_job_is_shown_without_its_credentials() {
    let dir = tempfile::tempdir().unwrap();
    let text = job("env { DB_PASSWORD \"hunter2hunter2\"; MODE \"fast\" }").replace("cuont", "count");
    fs::write(dir.path().join("job.tfjob.kdl"), text.replace("count=2", "count=1")).unwrap();
    let line = ["show", "--target", "local", "--task", "worker:0", "job.tfjob.kdl"];
    let shown = run(dir.path(), &line);
    assert!(
        out(&shown).contains("MODE") && out(&shown).contains("DB_PASSWORD"),
        "{}{}",
        out(&shown),
        err(&shown)
    );
    assert_eq!(leak(&dir, &line), None);
}

#[test]
fn a_value_in_a_secret_gets_help_with_the_correct_form() {
    let dir = tempfile::tempdir().unwrap();
    for line in [LINES[0], "secret \"AWS_SECRET_ACCESS_KEY\" value=\"hunter2hunter2\""] {
        fs::write(dir.path().join("job.tfjob.kdl"), job(line)).unwrap();
        let told = run(dir.path(), &["check", "--format", "json", "job.tfjob.kdl"]);
        assert_eq!(code(&told), 1);
        let told = out(&told);
        assert!(told.contains("secret-value") && !told.contains("did you mean `from"), "{told}");
        assert!(told.contains(r#"`secret \"AWS_SECRET_ACCESS_KEY\" from=\"…\" key=\"…\"`"#), "{told}");
    }
}

#[test]
fn where_a_secret_is_kept_stays_legible() {
    let dir = tempfile::tempdir().unwrap();
    let text = job("secret \"STORE_TOKEN\" from=\"store\" key=\"token\" keyy=\"x\"");
    fs::write(dir.path().join("job.tfjob.kdl"), text).unwrap();
    let told = run(dir.path(), &["check", "job.tfjob.kdl"]);
    assert!(
        out(&told).contains("secret \"STORE_TOKEN\" from=\"store\" key=\"token\" keyy="),
        "{}",
        out(&told)
    );
}

/// The specs of the repository contain no credentials, and no value is mistaken for one.
#[test]
fn nothing_in_a_good_spec_is_taken_for_a_credential() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut read = 0;
    for folder in ["docs", "examples", "tests/it/planted", "targets/conformance/published"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            let format = match path.extension().and_then(|ending| ending.to_str()) {
                Some("kdl") => Format::Kdl,
                Some("json") => Format::Json,
                Some("yaml") => Format::Yaml,
                _ => continue,
            };
            let text = fs::read_to_string(&path).unwrap();
            let mut sources = Sources::default();
            let number = sources.add(name.clone(), format, text.clone());
            let found = sources.credentials();
            let found: Vec<_> =
                found.within(sources.get(number)).iter().map(|at| &text[at.clone()]).collect();
            assert!(found.is_empty(), "{name}: {found:?}");
            read += 1;
        }
    }
    assert!(read > 5, "{read} specs were read");
}

/// Lines with a value `V` that is a credential only because of another line.
const AGAIN: &[&str] = &[
    r#"env { PW "V"; } bogus"#,
    "env {\n        PW \"V\"\n        bogus {\n    }",
    r#"shell "x --pw V {nope}""#,
    r#"shell "x; y V; z" "surplus""#,
    r#"description "V" 3"#,
    r#"description "prefix V suffix" 3"#,
    r#"labels { a "V"; bogus=1; }"#,
    r#"param "x" "V" bogus=1"#,
    r#"param "V" 1 bogus=1"#,
    r#"data "a" "hdfs://h/V" bogus=1"#,
    r#"checkpoints "hfds://h/V""#,
    r#"image "V" bogus=1"#,
    r#"role "V" count=0"#,
    r#"bogus "V""#,
    r#"V "bogus""#,
    "// V\n    bogus",
    "/- env { PW \"V\"; }\n    bogus",
    r##"target "kubernetes" { patch "TFJob" #"{"spec": {"PW": "V"}}"# bogus=1; }"##,
    "target \"kubernetes\" {\n        patch \"TFJob\" \"\"\"\n            spec:\n              PW: V\n            \"\"\"\n    }",
    r#"allow "V" on="kubernetes" because="V""#,
    r#"keep "V" for="V""#,
    r#"target "V" { queue "V"; }"#,
    r#"deadline "V""#,
];

/// Values that are credentials only by their position, of different length and characters.
const KNOWN: &[&str] =
    &["hunter2hunter2", "Tr0ub4dor&3", "s3cr3t!", "3f9a8c7b6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a"];

/// A line that marks the value as a credential, and its position: in the spec, in its base, in a `--set`, or in another spec.
fn with_known(number: usize, line: &str, value: &str) -> (Vec<(&'static str, String)>, Vec<String>) {
    let known = format!("helper \"x\" {{ run \"a\" \"--password\" \"{value}\"; }}");
    let line = line.replace('V', value);
    let own = |lines: &str| job(lines).replace("run \"python\" \"train.py\"\n", "");
    let spec = "job.tfjob.kdl";
    match number % 4 {
        0 => (vec![(spec, own(&format!("{line}\n    {known}")))], Vec::new()),
        1 => {
            let base = format!("job \"base\" {{\n    {known}\n}}\n");
            let near = format!("extends \"base.tfjob.kdl\"\n{}", own(&line));
            (vec![(spec, near), ("base.tfjob.kdl", base)], Vec::new())
        }
        2 => (vec![(spec, own(&line))], vec!["--set".to_owned(), format!("param.db-password={value}")]),
        _ => {
            let other = job(&known);
            (vec![(spec, own(&line)), ("other.tfjob.kdl", other)], vec!["other.tfjob.kdl".to_owned()])
        }
    }
}

#[test]
fn a_credential_is_masked_at_every_occurrence() {
    let mut leaks = Vec::new();
    let all = AGAIN.iter().flat_map(|line| KNOWN.iter().map(move |value| (*line, *value)));
    for (number, (line, value)) in all.enumerate() {
        for way in 0..4 {
            let case = number + number / KNOWN.len() + way;
            if !able::tries(case) {
                continue;
            }
            let dir = tempfile::tempdir().unwrap();
            let (files, more) = with_known(way, line, value);
            files.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
            let mut shown = |args: &[&str]| {
                let more = more.iter().map(String::as_str);
                let args: Vec<&str> = args.iter().copied().chain(more).chain(["job.tfjob.kdl"]).collect();
                let done = run(dir.path(), &args);
                let told = format!("{}{}", out(&done), err(&done));
                assert!(!told.is_empty() && !told.contains("panicked"), "{args:?}\n{told}");
                let leak = told.to_lowercase().contains(&value.to_lowercase());
                leaks.extend(leak.then(|| format!("{args:?}\n{told}")));
            };
            // The first format is always tried, because it has snippets. A spec with a `--set` (`way` 2) is tried only with the
            // commands below.
            let tried = |other: usize| way != 2 && (other == 0 || able::tries(case / 4 + other));
            for (_, format) in FORMATS.iter().enumerate().filter(|(other, _)| tried(*other)) {
                shown(&["check", "--target", "kubernetes", "--format", format]);
            }
            shown(&["compile", "--target", "kubernetes"]);
            // `show` reads one spec, in which nothing marks the value as a credential.
            if way != 3 {
                shown(&["show", "--target", "local", "--task", "worker:0"]);
            }
        }
    }
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n\n"));
}

/// A credential may be equal to a keyword; the keyword itself is not masked.
#[test]
fn a_keyword_that_equals_a_credential_is_not_masked() {
    let dir = tempfile::tempdir().unwrap();
    let text = job("env { DB_PASSWORD \"worker\"; OTHER_TOKEN \"train\"; bogus {");
    fs::write(dir.path().join("job.tfjob.kdl"), text).unwrap();
    let told = run(dir.path(), &["check", "job.tfjob.kdl"]);
    assert!(out(&told).contains("role \"worker\""), "{}", out(&told));
}
