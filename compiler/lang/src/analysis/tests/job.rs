//! Faults of the job as a whole.
use super::{RUN, told, told_in};

#[test]
fn only_a_patch_of_a_target_is_not_counted_for_each_role() {
    let (large, roles) =
        ("x".repeat(100_000), (0..60).map(|n| format!("role \"r{n}\"\n")).collect::<String>());
    for entry in [
        "env { patch \"x\" }",
        "labels { patch \"x\" }",
        "param \"patch\" \"x\"",
        "data \"patch\" \"file:///x\"",
    ] {
        let said = told(&format!("{RUN}\n{}\n{roles}", entry.replace('x', &large)));
        assert!(said.iter().any(|line| line.ends_with("| too-large")), "{entry}");
    }
}

#[test]
fn who_waits_for_all_tasks_of_the_leading_role_waits_for_ever() {
    for count in [1, 2] {
        let roles = format!("role \"a\" count={count}\n role \"late\" {{ after \"a\" when=\"done\" }}");
        let job = format!(
            "job \"a\" {{\nframework \"custom\"\nimage \"a:1\"\n{RUN}\nsuccess \"chief\"\n{roles}\n}}\n"
        );
        assert_eq!(told_in(&[("a", &job)], &[]), ["\"done\" | waits-for-ever"], "{count}");
    }
}

#[test]
fn a_file_is_no_directory() {
    let stage = |uri: &str, path: &str| {
        told(&format!("{RUN}\n stage \"s\" \"{uri}\" at=\"/s\"\n workdir \"{path}\"\n role \"worker\""))
    };
    for path in ["{stage.s}", "{stage.s}/", "{stage.s}/sub"] {
        assert_eq!(stage("https://h/t.whl", path), ["{stage.s} | unfit-uri"], "{path}");
        assert_eq!(stage("https://h/t.tar.gz", path), [""; 0], "{path}");
    }
}
