//! Tests that a short text which would expand to a large job is rejected before the expansion, and that a long text takes linear
//! time.
use super::{RUN, told};
use std::time::{Duration, Instant};

#[test]
fn many_defaults_for_many_roles_are_rejected_early() {
    let env: String = (0..2000).map(|i| format!("A{i} \"\"; ")).collect();
    let roles: String = (0..2000).map(|i| format!(" role \"r{i}\"\n")).collect();
    let said = told(&format!("{RUN}\n env {{ {env} }}\n{roles}"));
    assert_eq!(said, ["job | too-large"]);
}

#[test]
fn large_settings_of_a_job_with_many_roles_are_rejected_early() {
    let roles: String = (0..900).map(|i| format!(" role \"r{i}\"\n")).collect();
    let data: String = (0..700).map(|i| format!(" data \"d{i}\" \"pvc://c/d\" at=\"/d/{i}\"\n")).collect();
    let labels: String = (0..700).map(|i| format!("l{i} \"v\"; ")).collect();
    let long = format!(" resources cpus=1 memory=\"1GiB\"\n shell \"{}\"", "x".repeat(30_000));
    for job in [format!("{RUN}\n{data}"), format!("{RUN}\n labels {{ {labels} }}"), long] {
        assert_eq!(told(&format!("{job}\n{roles}")), ["job | too-large"]);
    }
}

#[test]
fn references_to_long_values_are_rejected_before_expansion() {
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

/// Each of these jobs would take minutes if the time grew with the square of the number of entries.
#[test]
fn thousands_of_secrets_and_of_their_uses_take_linear_time() {
    let secrets: String = (0..4_000).map(|i| format!("secret \"A{i}\" from=\"x\"; ")).collect();
    let uses: String = (0..4_000).map(|i| format!("$A{i} ")).collect();
    let values: String = (0..4_000).map(|i| format!("V{i} \"\"; ")).collect();
    let script = format!(
        "{RUN}\n role \"worker\" {{ {secrets} }}\n helper \"h\" {{ shell \"a {uses}\"; env {{ {values} }} }}"
    );
    let names: String = (0..20_000).map(|i| format!(" \"A{i}\"")).collect();
    let board = format!("{RUN}\n role \"worker\"\n tensorboard logs=\"gs://b/l\" {{ secrets {names} }}");
    for (job, code) in [(script, "missing-secret"), (board, "unknown-secret")] {
        takes_linear_time(&job, code);
    }
}

/// Only the first hundreds of errors are shown, and the others must cost little.
#[test]
fn thousands_of_errors_take_linear_time() {
    for (line, code) in [
        ("p 1", "unknown-node"),
        ("cpus 1", "unknown-node"),
        ("volume \"/a:/b\"", "unknown-node"),
        ("data \"a\"", "duplicate-node"),
        ("param \"a\"", "duplicate-node"),
        ("resources gpus=1", "duplicate-node"),
        ("run \"{param.x}\"", "duplicate-node"),
    ] {
        takes_linear_time(&format!("{RUN}\n{}", format!(" {line}\n").repeat(20_000)), code);
    }
}

/// Asserts that a finding with `code` is reported in a time that is far below that of a quadratic analysis.
fn takes_linear_time(job: &str, code: &str) {
    let begun = processor_time();
    let said = told(job);
    let time = processor_time() - begun;
    assert!(said.iter().any(|told| told.ends_with(code)), "{code}: {} findings", said.len());
    assert!(time.as_secs() < 20, "{code}: {time:?}");
}

/// Returns the processor time of this thread, which other processes do not change. On another system than Linux, the time of a clock.
#[allow(clippy::disallowed_methods, reason = "the test measures time; the analysis does not")]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
