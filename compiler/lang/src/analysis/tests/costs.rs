//! What a short text multiplies to is counted before it is built.
use super::{RUN, told};

#[test]
fn defaults_of_many_for_many_are_refused_at_once() {
    let env: String = (0..2000).map(|i| format!("A{i} \"\"; ")).collect();
    let roles: String = (0..2000).map(|i| format!(" role \"r{i}\"\n")).collect();
    let said = told(&format!("{RUN}\n env {{ {env} }}\n{roles}"));
    assert_eq!(said, ["job | too-large"]);
}

#[test]
fn what_a_job_gives_to_many_roles_is_refused_at_once() {
    let roles: String = (0..900).map(|i| format!(" role \"r{i}\"\n")).collect();
    let data: String = (0..700).map(|i| format!(" data \"d{i}\" \"pvc://c/d\" at=\"/d/{i}\"\n")).collect();
    let labels: String = (0..700).map(|i| format!("l{i} \"v\"; ")).collect();
    let long = format!(" resources cpus=1 memory=\"1GiB\"\n shell \"{}\"", "x".repeat(30_000));
    for job in [format!("{RUN}\n{data}"), format!("{RUN}\n labels {{ {labels} }}"), long] {
        assert_eq!(told(&format!("{job}\n{roles}")), ["job | too-large"]);
    }
}

#[test]
fn references_to_long_texts_are_refused_before_they_are_written() {
    let long = "x".repeat(30_000);
    let roles: String =
        (0..100).map(|i| format!(" role \"r{i}\" {{ run \"{{param.p}}{{param.p}}\"; }}\n")).collect();
    let resources = " resources cpus=1 memory=\"1GiB\"";
    for job in [
        format!(" param \"p\" \"{long}\"\n run \"a\" \"{}\"\n role \"worker\"", "{param.p}".repeat(3000)),
        format!(
            " data \"p\" \"s3://b/{long}\"\n run \"a\" \"{}\"\n role \"worker\"",
            "{data.p}".repeat(3000)
        ),
        format!(" param \"p\" \"{long}\"\n{roles}"),
    ] {
        let said = told(&format!("{resources}\n{job}"));
        assert!(said.iter().any(|told| told.ends_with("| text-too-long")), "{said:?}");
    }
}
