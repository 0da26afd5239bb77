//! Tests of unused entries in base files, and of related errors that must be reported once. An unused entry is reported only in
//! the spec itself, because another spec may use the entry of a base.

use crate::program::{err, out, run};
use std::fs;

/// Unused lines of a job, and the code that reports them.
const NEEDLESS: [(&str, &str); 7] = [
    ("allow \"gang\" on=\"yarn\" because=\"small\"", "unused-allow"),
    ("param \"lr\" 0.1", "unused-declaration"),
    ("data \"train\" \"hdfs://default/train\"", "unused-declaration"),
    ("checkpoints \"hdfs://default/c\"", "unused-declaration"),
    ("start timeout=\"20m\"", "unused-declaration"),
    ("user \"ml\"", "unused-declaration"),
    ("env { MODE \"train\"; }", "unused-declaration"),
];

const WORKER: &str = "role \"worker\" { user \"me\"; env { MODE \"mine\"; }; }";

#[test]
fn unused_entries_are_reported_in_the_spec_but_not_in_its_base() {
    for (line, code) in NEEDLESS {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        let base = "framework \"tensorflow\" version=\"2.15\"\nimage \"ml/a:1.0\"\nrun \"python\" \"a.py\"\n\
                    resources cpus=1 memory=\"1GiB\"\nhadoop home=\"/h\" java=\"/j\"";
        let job = |lines: &str| format!("job \"a\" {{\n{lines}\n{WORKER}\n}}\n");
        file("alone.tfjob.kdl", &job(&format!("{base}\n{line}")));
        file("base.tfjob.kdl", &format!("job \"base\" {{\n{base}\n{line}\n}}\n"));
        file("extends.tfjob.kdl", &format!("extends \"base.tfjob.kdl\"\n{}", job("")));
        let told = |name: &str| {
            let said = run(dir.path(), &["check", name, "--target", "yarn", "--format", "short"]);
            out(&said).matches(code).count()
        };
        assert_eq!((told("alone.tfjob.kdl"), told("extends.tfjob.kdl")), (1, 0), "{line}");
    }
}

/// A misspelled role and the correct one in the same job count as one role: missing or contradicting fields of the two are not
/// reported, in one file or in two.
#[test]
fn a_misspelled_role_is_reported_without_consequences() {
    let roles = ["chief", "worker", "ps", "evaluator"];
    let lines = [
        "",
        " count=3",
        " { restart \"on-failure\" limit=3 }",
        " { run \"python\" \"b.py\" }",
        " { resources cpus=2 memory=\"2GiB\" gpus=4 }",
        " { after \"worker\" when=\"done\" }",
        " { after \"worker\" when=\"ready\" }",
    ];
    let some = |without: &[&str]| roles.into_iter().filter(|role| !without.contains(role)).collect();
    let strategies: [(&str, Vec<&str>); 6] = [
        (" strategy=\"parameter-server\"", some(&[])),
        (" strategy=\"multi-worker-mirrored\"", some(&["ps"])),
        (" strategy=\"estimator\"", some(&[])),
        (" strategy=\"single\"", vec!["worker"]),
        (" strategy=\"mirrored\"", vec!["worker"]),
        ("", vec!["worker"]),
    ];
    for (strategy, has) in strategies {
        let needs = "{ run \"a\"; resources cpus=1 memory=\"1GiB\" gpus=1 }";
        let base = has.iter().fold(String::new(), |text, role| text + &format!("role {role:?} {needs}\n"));
        let head = format!("framework \"tensorflow\" version=\"2.15\"{strategy}\nimage \"ml/a:1\"");
        for role in &has {
            let wrong = format!("{role}x");
            // At most one chief and one evaluator are allowed, and a role cannot wait for itself.
            let fits = |line: &&&str| match *role {
                "worker" => !line.contains("after"),
                "ps" => true,
                _ => **line != " count=3",
            };
            for line in lines.iter().filter(fits) {
                let dir = tempfile::tempdir().unwrap();
                let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
                file("base.tfjob.kdl", &format!("job \"base\" {{\n{head}\n{base}}}\n"));
                let top = format!("role {wrong:?}{line}\ntarget \"kubernetes\"");
                file("top.tfjob.kdl", &format!("extends \"base.tfjob.kdl\"\njob \"a\" {{\n{top}\n}}\n"));
                file("one.tfjob.kdl", &format!("job \"a\" {{\n{head}\n{base}{top}\n}}\n"));
                for name in ["top.tfjob.kdl", "one.tfjob.kdl"] {
                    let told = run(dir.path(), &["check", name, "--format", "short"]);
                    let found: Vec<_> = out(&told).lines().filter(|line| !line.contains(": note[")).collect();
                    let alone = found.len() == 1 && found[0].contains("error[unknown-role]");
                    assert!(alone, "{strategy} {top}:\n{}", out(&told));
                }
            }
        }
    }
}

/// Each missing role is reported, and an `after` that names it is not a second error.
#[test]
fn all_missing_roles_are_reported_together() {
    let dir = tempfile::tempdir().unwrap();
    let job = |framework: &str, lines: &str| {
        let needs = "image \"ml/a:1\"\nrun \"a\"\nresources cpus=1 memory=\"1GiB\"";
        format!("job \"a\" {{\nframework {framework}\n{needs}\n{lines}\ntarget \"local\"\n}}\n")
    };
    let servers = "\"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"";
    let cases = [
        (job(servers, ""), vec!["chief", "worker", "ps"]),
        (job(servers, "role \"worker\" { after \"ps\" }"), vec!["chief", "ps"]),
        (job(servers, "role \"ps\" { after \"chief\" when=\"started\" }"), vec!["chief", "worker"]),
        (job("\"custom\"", ""), vec!["role"]),
        (job("\"pytorch\"", ""), vec!["role"]),
        (job("\"horovod\"", "helper \"board\""), vec!["role"]),
        (job("\"tensorflow\" version=\"2.15\"", ""), vec!["worker"]),
    ];
    for (text, missing) in cases {
        fs::write(dir.path().join("a.tfjob.kdl"), &text).unwrap();
        let told = run(dir.path(), &["check", "a.tfjob.kdl", "--format", "short"]);
        let errors: Vec<_> = out(&told).lines().filter(|line| line.contains(": error[")).collect();
        assert_eq!(errors.len(), missing.len(), "{text}{}", out(&told));
        for name in missing {
            let told = |line: &&&str| line.contains("error[missing-role]") && line.contains(name);
            assert_eq!(errors.iter().filter(told).count(), 1, "{name}: {text}{}", errors.join("\n"));
        }
    }
}

/// Errors in a block without a name, or with a duplicate name, are reported together with that error, as are errors in all other
/// blocks. Consequences of the name are not.
#[test]
fn a_node_without_a_name_hides_no_other_fault() {
    let dir = tempfile::tempdir().unwrap();
    let faulty = "{ resources cpus=0.01 memory=\"4GB\"; run \"a\"; zork 1 }";
    let other = "role \"worker\" count=2 { resources cpus=1 memory=\"4GiB\"; ready tcp=\"zz\"; after \"qq\"; env { A \"{port.x}\"; } }";
    let inside = ["out-of-range", "bad-value", "unknown-node"];
    // The block without a name may be `qq`.
    let outside = ["unknown-port", "unknown-reference"];
    let strategy = |name: &str| format!("framework \"tensorflow\" version=\"2.15\" strategy={name:?}");
    let cases = [
        (strategy("multi-worker-mirrored"), format!("{other}\nrole {faulty}"), "missing-value"),
        (strategy("multi-worker-mirrored"), format!("{other}\nhelper {faulty}"), "missing-value"),
        // The block may be one of the three roles that the strategy needs.
        (
            strategy("parameter-server"),
            format!("{other}\nrole \"chief\" {{ resources cpus=1 memory=\"1GiB\"; }}\nrole {faulty}"),
            "missing-value",
        ),
        (
            strategy("parameter-server"),
            format!(
                "role \"chief\" {{ resources cpus=1 memory=\"1GiB\"; }}\n{other}\nrole \"chief\" {faulty}"
            ),
            "duplicate-node",
        ),
    ];
    for (framework, roles, code) in cases {
        let job = format!(
            "job \"a\" {{\n{framework}\nimage \"ml/a:1\"\nrun \"a\"\n{roles}\ntarget \"kubernetes\"\n}}\n"
        );
        fs::write(dir.path().join("a.tfjob.kdl"), &job).unwrap();
        let told = run(dir.path(), &["check", "a.tfjob.kdl", "--format", "short"]);
        let mut found: Vec<_> = out(&told).lines().filter(|line| !line.contains(": note[")).collect();
        for code in inside.iter().chain(&outside).chain([&code]) {
            let at = found.iter().position(|line| line.contains(&format!("[{code}]")));
            found.remove(at.unwrap_or_else(|| panic!("no {code}: {job}{}", out(&told))));
        }
        assert!(found.is_empty(), "{job}{found:#?}");
        assert!(err(&told).contains("kubernetes not checked until `"), "{}", err(&told));
    }
}
