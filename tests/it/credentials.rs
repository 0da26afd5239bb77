//! Tests with credentials in every string of a spec, in every form. No command prints them in any format.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::able;
use crate::program;
use crate::program::{code, err, out, run};
use std::fs;
use tempfile::TempDir;

/// Names that mark their value as a credential.
const NAMES: [&str; 14] = [
    "DB_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "MYSQL_PASS",
    "MYSQL_PWD",
    "AZURE_STORAGE_KEY",
    "ENCRYPTION_KEY",
    "API_TOKEN",
    "PGPASSWORD",
    "SSH_PASSPHRASE",
    "CLIENT_CREDENTIALS",
    "GITHUB_PAT",
    "clientSecret",
    "db.password",
    "registry-apikey",
];

/// Values that are credentials only under such a name, and the parts that must be masked.
const VALUES: &[(&str, &[&str])] = &[
    ("hunter2zz", &["hunter2zz"]),
    ("/xKbmsYVuoGFNJL8NEFOHcQySgjDZFYBNQMFLFZ", &["xKbmsYVu", "BNQMFLFZ"]),
    ("/xKbms/YVuoGFNJ/L8NEFOHcQySgjDZFYBNQMFLFZ", &["xKbms", "BNQMFLFZ"]),
    ("/hunter2qa", &["hunter2qa"]),
    ("-hunter2qb", &["hunter2qb"]),
    ("$uper-hunter2qc", &["hunter2qc"]),
    ("$ecretword9", &["ecretword9"]),
    ("918273645", &["918273645"]),
    ("-918273646", &["918273646"]),
    ("tick`hunter2qd", &["hunter2qd"]),
    ("apos7trophe'hunter2qe", &["apos7trophe", "hunter2qe"]),
    ("dup7lex\"hunter2qf", &["dup7lex", "hunter2qf"]),
    ("back\\hunter2qg", &["back\\", "hunter2qg"]),
    ("semi;hunter2qh&amp|pipe", &["semi;", "hunter2qh", "pipe"]),
    ("hash#hunter2qi", &["hash#", "hunter2qi"]),
    ("comma,hunter2qj", &["comma,", "hunter2qj"]),
    ("equals=hunter2qk==", &["equals=", "hunter2qk"]),
    ("abcd1234EFGH5678ijkl==", &["abcd1234", "ijkl="]),
    ("colon:hunter2ql", &["colon:", "hunter2ql"]),
    ("at@hunter2qm", &["hunter2qm"]),
    ("!*~^hunter2qn%()", &["hunter2qn"]),
    ("3f2a9c81d07b4e55", &["3f2a9c81"]),
];

/// Values that are recognized as credentials by their form.
const EVIDENT: &[(&str, &[&str])] = &[
    ("AKIAIOSFODNN7EXAMPLE", &["IOSFODNN7"]),
    ("ASIAIOSFODNN8EXAMPLE", &["IOSFODNN8"]),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", &["16C7e42F"]),
    ("ghs_26C7e42F292c6912E7710c838347Ae178B4a", &["26C7e42F"]),
    ("github_pat_11ABCDEFG0abcdefghijkl_mnopq", &["11ABCDEFG0"]),
    ("glpat-xyzABC123def456GHI78", &["xyzABC123"]),
    ("hf_abcdefghijklmnopqrstuvwxyz123456", &["abcdefghijklmnopqrstuvwxyz"]),
    ("sk-proj-abcdefghijklmnopqrstuvwxyz12345", &["abcdefghijklmnopqrstuvwxyz"]),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", &["1234567890abc"]),
    ("xoxb-123456789012-abcdefGHIJKL", &["123456789012"]),
    ("xoxp-223456789012-abcdefGHIJKL", &["223456789012"]),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh", &["hbGciOiJIUzI1NiJ9", "zdWIiOiIxIn0"]),
    ("postgres://u:hunter2ra@db.example/x", &["hunter2ra"]),
    ("postgres://u:p#ss-hunter2rb@db.example/x", &["ss-hunter2rb"]),
    ("postgres://u:p/ss-hunter2rc@db.example/x", &["ss-hunter2rc"]),
    ("postgres://u:p?ss-hunter2rd@db.example/x", &["ss-hunter2rd"]),
    ("postgres://u:12/ss-hunter2re@db.example/x", &["ss-hunter2re"]),
    ("postgres://u:$uper-hunter2rf@db.example/x", &["uper-hunter2rf"]),
    ("postgres://u:at@hunter2rg@db.example/x", &["hunter2rg"]),
    ("redis://:hunter2rh@db.example:6379/0", &["hunter2rh"]),
    ("https://ghp_36C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b", &["36C7e42F"]),
    ("https://a1b2c3d4e5f6a7b8@o1.ingest.example/5", &["a1b2c3d4e5f6a7b8"]),
    ("https://u:hunter2/ri@h.example/x", &["hunter2/ri"]),
    (
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abcd1234EFGH5678ijkl==;EndpointSuffix=x",
        &["abcd1234EFGH"],
    ),
    ("Server=db;User Id=u;Password=hunter2rj;Encrypt=1", &["hunter2rj"]),
    ("https://h.example/x?sv=1&sig=hunter2rk%2Fqq&se=1", &["hunter2rk"]),
    ("https://h.example/x?a=1&X-Amz-Signature=hunter2rl", &["hunter2rl"]),
    ("https://h.example/?token=hunter2rm&b=1", &["hunter2rm"]),
    ("jdbc:mysql://h.example:3306/db?user=u&password=hunter2rn", &["hunter2rn"]),
    ("Authorization: Bearer abcdef123456hunter", &["abcdef123456hunter"]),
    ("-----BEGIN RSA PRIVATE KEY-----MIIEhunter2ro", &["MIIEhunter2ro"]),
];

/// Lines of a job. `N` is the name, `V` the quoted value, `W` an error or nothing.
const NAMED: &[&str] = &[
    "env { NW V; }",
    "env { N VW; }",
    "env {\n        N VW\n    }",
    "env N VW",
    "env N=V",
    "N VW",
    "environment { N VW; }",
    "labels { N VW; }",
    "image \"a\" N=V",
    "role \"a\" N=V",
    "param \"N\" VW",
    "param \"N\" default=VW",
    "param \"x\" VW; env { N \"{param.x}\"; }",
    "secret \"A_B\" VW",
    "secret \"A_B\" value=VW",
    "secret \"A_B\" { value VW; }",
    "secret { A_B VW; }",
    "secret \"A_B\" from=\"a\" key=\"b\" VW",
    "run \"a\" \"--N\" VW",
    "run \"a\" \"b\" \\\n        \"--N\" VW",
    "run \"a\" \"--N\"\n        VW",
    "args \"--N\" VW",
    "run \"a\" E",
    "target \"kubernetes\" { annotations { N VW; }; }",
    "target \"spark\" { conf { \"spark.x.N\" VW; }; }",
    "target \"kubernetes\" { patch \"Pod\" { env { - { name \"N\"; value V; }; }; }W; }",
    "// env { N V; }\n    bogus",
    "/- env { N V; }\n    bogus",
];

/// Lines of a job for values that are recognized by their form.
const NEUTRAL: &[&str] = &[
    "env { MODE VW; }",
    "env MODE=V",
    "description VW",
    "labels { a VW; }",
    "image VW",
    "code VW",
    "data \"a\" VW",
    "checkpoints VW",
    "run \"a\" VW",
    "run \"a\" \"--mode\" VW",
    "workdir VW",
    "bogus V",
    "bogus a=V",
    "V \"bogus\"",
    "role V count=1",
    "param \"x\" VW",
    "allow V on=\"x\"",
    "secret V from=\"a\" key=\"b\"W",
    "secret \"A_B\" from=V key=\"b\"W",
    "target \"kubernetes\" { annotations { a VW; }; }",
    "target V { }",
    "// V\n    bogus",
];

const FORMATS: [&str; 6] = ["human", "short", "json", "sarif", "github", "gitlab"];

/// Returns the quoted value, in KDL, JSON, and YAML.
fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn job(lines: &str) -> String {
    format!(
        "job \"j\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"ml/t:1\"\n    {lines}\n    \
         role \"worker\" {{\n        resources cpus=4 memory=\"16GiB\"\n    }}\n}}\n"
    )
}

/// Returns the output of the commands if it contains a part of a value.
fn leaks(dir: &TempDir, args: &[&str], values: &[(&str, &[&str])], found: &mut Vec<String>) {
    let done = run(dir.path(), args);
    let told = format!("{}\n{}", out(&done), err(&done));
    assert!(!told.contains("panicked"), "{args:?}\n{told}");
    for part in values.iter().flat_map(|(_, parts)| *parts) {
        if let Some(at) = memchr::memmem::find(told.as_bytes(), part.as_bytes()) {
            let line = told[..at].rfind('\n').map_or(0, |end| end + 1);
            let start = told.floor_char_boundary(at.saturating_sub(100)).max(line);
            let line: String = told[start..].chars().take(220).take_while(|c| *c != '\n').collect();
            found.push(format!("{} shows {part}: {line}", args.join(" ")));
        }
    }
}

/// Returns all forms of a line, each with a different name.
fn lines(line: &str, values: &[(&str, &[&str])], wrong: &str) -> String {
    let form = |(i, (value, _)): (usize, &(&str, &[&str]))| {
        let name = format!("{}{i}", NAMES[i % NAMES.len()]);
        let written = quoted(value);
        let joined = format!("\"--{name}={}", &written[1..]);
        // The placeholders are single letters, and inserted text may contain them: replace all in one pass.
        let mut text = String::new();
        let mut before = ' ';
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let alone =
                !part(before) && !rest.peek().copied().is_some_and(|c| part(c) && c != 'W' && c != 'V');
            let after = before == 'N' || before == 'V';
            match c {
                'N' if alone => text.push_str(&name),
                'V' if alone || after => text.push_str(&written),
                'E' if alone => text.push_str(&joined),
                'W' if alone || after => text.push_str(wrong),
                'x' if alone => text.push_str(&format!("x{i}")),
                other => text.push(other),
            }
            before = c;
        }
        text.replace("param.x}", &format!("param.x{i}}}"))
    };
    values.iter().enumerate().map(form).collect::<Vec<_>>().join("\n    ")
}

fn no_leak(places: &[&str], values: &[(&str, &[&str])]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<String> = std::thread::scope(|scope| {
        let part = |first| {
            let own = places.iter().enumerate().skip(first).step_by(cores);
            scope.spawn(move || {
                own.flat_map(|(number, place)| leaks_at(number, place, values)).collect::<Vec<_>>()
            })
        };
        let parts: Vec<_> = (0..cores).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "{} leaks\n{}", found.len(), found.join("\n"));
}

/// Returns the leaks of values at one position. If there are any, the first element is the position.
fn leaks_at(number: usize, place: &str, values: &[(&str, &[&str])]) -> Vec<String> {
    let mut found = Vec::new();
    // With an error on each line, every line is in a snippet. Without errors, accepted values are printed too.
    for (wrong, formats) in [(" bogus=1", &FORMATS[..]), ("", &FORMATS[..1])] {
        let dir = tempfile::tempdir().unwrap();
        let text = job(&lines(place, values, wrong));
        fs::write(dir.path().join("j.tfjob.kdl"), &text).unwrap();
        let mut shown = |args: &[&str]| leaks(&dir, args, values, &mut found);
        for (_, format) in formats.iter().enumerate().filter(|(other, _)| able::tries(number + other)) {
            shown(&["check", "--target", "kubernetes", "--format", format, "j.tfjob.kdl"]);
        }
        shown(&["show", "--target", "local", "--task", "worker:0", "j.tfjob.kdl"]);
        shown(&["fmt", "--check", "j.tfjob.kdl"]);
    }
    if !found.is_empty() {
        found.insert(0, format!("\n{place}"));
    }
    found
}

#[test]
fn a_credential_that_is_recognized_by_its_name_is_masked() {
    no_leak(NAMED, VALUES);
    no_leak(&NAMED[..NAMED.len() - 2], EVIDENT);
}

#[test]
fn a_credential_that_is_recognized_by_its_form_is_masked() {
    no_leak(NEUTRAL, EVIDENT);
}

#[test]
fn a_spec_in_another_format_and_a_setting_do_not_show_it() {
    let mut found = Vec::new();
    let all: Vec<_> = VALUES.iter().chain(EVIDENT).copied().collect();
    let each = |form: &dyn Fn(&str, &str) -> String, joint: &str| {
        let name = |i: usize| format!("{}{i}", NAMES[i % NAMES.len()]);
        let one = |(i, (value, _)): (usize, &(&str, &[&str]))| form(&name(i), &quoted(value));
        all.iter().enumerate().map(one).collect::<Vec<_>>().join(joint)
    };
    let pair = |name: &str, value: &str| format!("\"{name}\": {value}");
    let flag = |name: &str, value: &str| format!("\"--{name}\", {value}");
    let line = |name: &str, value: &str| format!("    \"{name}\": {value}\n");
    let item = |name: &str, value: &str| format!("  - --{name}\n  - {value}\n");
    let object = |name: &str, value: &str| format!("  - name: {name}\n    value: {value}\n");
    for (file, text) in [
        (
            "a.tfjob.json",
            format!("{{\"job\": {{\"name\": \"j\", \"env\": {{{}}}, \"imag\": 1}}}}", each(&pair, ", ")),
        ),
        (
            "b.tfjob.json",
            format!("{{\"job\": {{\"name\": \"j\", \"run\": [\"a\", {}]}}, \"x\": 1}}", each(&flag, ", ")),
        ),
        ("c.tfjob.json", format!("{{\"job\": {{\"env\": {{{}}}, }}", each(&pair, ",\n"))),
        ("a.tfjob.yaml", format!("job:\n  name: j\n  env:\n{}  imag: 1\n", each(&line, ""))),
        ("b.tfjob.yaml", format!("job:\n  name: j\n  run:\n  - a\n{}  imag: 1\n", each(&item, ""))),
        ("c.tfjob.yaml", format!("job:\n  name: j\n  env:\n{}", each(&object, ""))),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(file), text).unwrap();
        for format in ["human", "json"] {
            leaks(&dir, &["check", "--target", "kubernetes", "--format", format, file], &all, &mut found);
        }
    }
    let dir = program::folder();
    for path in ["env.NAME", "evn.NAME", "secret.NAME", "param.NAME"] {
        let mut line = vec!["show".to_owned(), "--target=local".to_owned(), "--task=worker:0".to_owned()];
        for (i, (value, _)) in all.iter().enumerate() {
            let name = format!("{}_{i}", NAMES[i % 11]);
            line.push(format!("--set={}={value}", path.replace("NAME", &name)));
        }
        line.push("good.tfjob.kdl".to_owned());
        leaks(&dir, &line.iter().map(String::as_str).collect::<Vec<_>>(), &all, &mut found);
    }
    assert!(found.is_empty(), "{} leaks\n{}", found.len(), found.join("\n"));
}

/// Checks the output for an accepted job: its warnings, the environment of a task, and the diff to an earlier output.
#[test]
fn output_of_an_accepted_job_masks_credentials() {
    let (mut found, mut compiled) = (Vec::new(), 0);
    let all: Vec<_> = VALUES.iter().chain(EVIDENT).copied().collect();
    for some in all.chunks(6) {
        let spec = |changed: bool| {
            let (mut env, mut params, mut run) =
                (String::new(), String::new(), String::from("\"python\" \"t.py\""));
            for (i, (value, _)) in some.iter().enumerate() {
                let value = quoted(if changed { "changed" } else { value });
                let name = format!("{}_{i}", NAMES[i]);
                env += &format!(
                    "{name} {value}; OTHER{i} \"{{param.free{i}}}\"; SECOND_{name} \"{{param.free{i}}}\"; "
                );
                params += &format!("param \"free{i}\" {value}; ");
                run += &format!(" \"--db-password\" {value} \"--api-token={}", &value[1..]);
            }
            job(&format!("env {{ {env} }}\n    {params}\n    run {run}"))
        };
        let dir = tempfile::tempdir().unwrap();
        let write = |changed: bool| fs::write(dir.path().join("j.tfjob.kdl"), spec(changed)).unwrap();
        write(false);
        leaks(&dir, &["check", "--target", "kubernetes", "j.tfjob.kdl"], some, &mut found);
        leaks(&dir, &["show", "--target", "local", "--task", "worker:0", "j.tfjob.kdl"], some, &mut found);
        leaks(&dir, &["show", "--target", "kubernetes", "j.tfjob.kdl"], some, &mut found);
        for target in ["kubernetes", "yarn"] {
            write(false);
            let compile = ["compile", "--target", target, "-o", "made", "j.tfjob.kdl"];
            compiled += usize::from(code(&run(dir.path(), &compile)) == 0);
            let check = ["compile", "--check", "--target", target, "-o", "made", "j.tfjob.kdl"];
            write(true);
            leaks(&dir, &check, some, &mut found);
            run(dir.path(), &compile);
            write(false);
            leaks(&dir, &check, some, &mut found);
        }
    }
    assert!(found.is_empty(), "{} leaks\n{}", found.len(), found.join("\n"));
    assert!(compiled > 8, "only {compiled} jobs were compiled");
}
