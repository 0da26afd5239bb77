//! Tests of the findings about defaults of a job that no role uses.
use super::told_in;
use crate::spec::DEFAULTS;

/// The name of each default, its line in a job, the reported source text, and the line that overrides it in a role.
const SAMPLES: &[(&str, &str, &str, &str)] = &[
    ("image", "image \"b:1\"", "image", "image \"c:1\""),
    ("run", "run \"b\"", "run", "run \"c\""),
    ("run", "run \"b\"", "run", "shell \"c\""),
    ("shell", "shell \"b\"", "shell", "shell \"c\""),
    ("workdir", "workdir \"/b\"", "workdir", "workdir \"/c\""),
    ("env", "env { A \"b\"; }", "A", "env { A \"c\"; }"),
    ("secret", "secret \"A\" from=\"b\" key=\"k\"", "\"A\"", "secret \"A\" from=\"c\" key=\"k\""),
    ("user", "user 1000", "user", "user 1001"),
    ("resources", "resources cpus=1 memory=\"1GiB\"", "resources", "resources cpus=2 memory=\"1GiB\""),
    ("port", "port \"web\" 8080", "\"web\"", "port \"web\" 8081"),
    ("restart", "restart \"on-failure\"", "restart", "restart \"always\""),
    ("after", "after \"h\" when=\"started\"", "\"h\"", "after \"h\" when=\"ready\""),
    ("ready", "ready tcp=\"rendezvous\"", "ready", "ready file=\"/up\""),
    ("placement", "placement { spread \"host\"; }", "placement", "placement { spread \"rack\"; }"),
    // `target` is not tested: a target may use the options of the job even if every role overrides them.
    ("target", "", "", ""),
];

fn said(of_job: &str, a: &str, b: &str) -> Vec<String> {
    let base = ["image \"a:1\"", "run \"a\"", "resources cpus=1 memory=\"1GiB\""];
    let first = |line: &str| line.split(' ').next().unwrap_or_default().replace("shell", "run");
    let rest: Vec<&str> = base.into_iter().filter(|line| first(line) != first(of_job)).collect();
    let helper = "helper \"h\" { image \"h:1\"; run \"h\"; resources cpus=3 memory=\"1GiB\"; }";
    let helper = if of_job.starts_with("after") { helper } else { "" };
    let text = format!(
        "job \"a\" {{\nframework \"custom\"\n{}\n{of_job}\nrole \"a\" {{ {} }}\nrole \"b\" {{ {} }}\n{helper}\n}}\n",
        rest.join("\n"),
        a,
        b
    );
    told_in(&[("a", &text)], &[])
}

#[test]
fn every_default_of_a_job_has_a_sample() {
    for name in DEFAULTS {
        assert!(SAMPLES.iter().any(|(sample, ..)| sample == name), "{name}");
    }
}

#[test]
fn only_defaults_that_every_role_overrides_are_reported() {
    for (name, of_job, told, of_role) in SAMPLES.iter().filter(|(name, ..)| *name != "target") {
        assert_eq!(said(of_job, of_role, of_role), [format!("{told} | unused-declaration")], "{name}");
        assert_eq!(said(of_job, of_role, ""), [""; 0], "{name}");
    }
}
