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
