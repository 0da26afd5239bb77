//! What one spec does not need of a file that it extends, another one may: it is told only in the spec itself.

use crate::program::{out, run};
use std::fs;

/// Lines of a job that are of no use to it, and the code that says so.
const NEEDLESS: [(&str, &str); 7] = [
    ("allow \"gang\" on=\"yarn\" because=\"small\"", "unneeded-allow"),
    ("param \"lr\" 0.1", "unused-declaration"),
    ("data \"train\" \"hdfs://default/train\"", "unused-declaration"),
    ("checkpoints \"hdfs://default/c\"", "unused-declaration"),
    ("start timeout=\"20m\"", "unused-declaration"),
    ("user \"ml\"", "unused-declaration"),
    ("env { MODE \"train\"; }", "unused-declaration"),
];

const WORKER: &str = "role \"worker\" { user \"me\"; env { MODE \"mine\"; }; }";

#[test]
fn what_a_base_says_for_others_is_no_news_and_in_the_spec_it_is() {
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

/// A role of a base whose name the spec misspells is one role: what either half lacks is no news.
#[test]
fn a_misspelled_role_is_told_and_nothing_follows_from_it() {
    let roles = ["chief", "worker", "ps", "evaluator"];
    let lines = [
        "",
        " count=3",
        " { restart \"on-failure\" limit=3 }",
        " { run \"python\" \"b.py\" }",
        " { resources cpus=2 memory=\"2GiB\" gpus=4 }",
    ];
    for (strategy, missing) in [("parameter-server", ""), ("multi-worker-mirrored", "ps"), ("estimator", "")]
    {
        let needs = "{ run \"a\"; resources cpus=1 memory=\"1GiB\" gpus=1 }";
        let has = || roles.iter().filter(|role| **role != missing);
        let base = has().fold(String::new(), |text, role| text + &format!("role {role:?} {needs}\n"));
        let head =
            format!("framework \"tensorflow\" version=\"2.15\" strategy={strategy:?}\nimage \"ml/a:1\"");
        for role in has() {
            let wrong = format!("{role}x");
            // There is one chief and one evaluator, whatever they are called.
            let fits = |line: &&&str| **line != " count=3" || ["worker", "ps"].contains(role);
            for line in lines.iter().filter(fits) {
                let dir = tempfile::tempdir().unwrap();
                let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
                file("base.tfjob.kdl", &format!("job \"base\" {{\n{head}\n{base}}}\n"));
                let top = format!("role {wrong:?}{line}\ntarget \"kubernetes\"");
                file("top.tfjob.kdl", &format!("extends \"base.tfjob.kdl\"\njob \"a\" {{\n{top}\n}}\n"));
                file("one.tfjob.kdl", &format!("job \"a\" {{\n{head}\n{base}{top}\n}}\n"));
                for name in ["top.tfjob.kdl", "one.tfjob.kdl"] {
                    let told = out(&run(dir.path(), &["check", name, "--format", "short"])).to_owned();
                    let found: Vec<_> = told.lines().filter(|line| !line.contains(": note[")).collect();
                    assert!(found.len() == 1 && found[0].contains("error[unknown-role]"), "{top}:\n{told}");
                }
            }
        }
    }
}
