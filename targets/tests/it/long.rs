//! Tests that the time to check a job does not grow with the cube of the number of its roles.
use crate::request::request;
use tfjob_driver::Driver;
use tfjob_targets::REGISTRY;

/// Returns the processor time that this thread has used, in seconds. A busy machine does not change it.
fn seconds() -> u64 {
    let times =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it for each thread");
    let nanoseconds: u64 = times.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
    nanoseconds / 1_000_000_000
}

/// Roles with names that a TFJob does not support, of which the second half waits for the first half.
#[test]
fn a_job_with_thousands_of_unsupported_roles_is_checked_quickly() {
    let first: String = (0..600).map(|i| format!(" role \"d{i}\"\n")).collect();
    let second: String =
        (0..600).map(|i| format!(" role \"w{i}\" {{ after \"d{i}\" when=\"done\"; }}\n")).collect();
    let spec = format!(
        "job \"a\" {{\n framework \"custom\"\n image \"a:1\"\n run \"a\"\n resources cpus=1 memory=\"1GiB\"\n target \"kubernetes\"\n{first}{second}}}\n"
    );
    let begun = seconds();
    let checked = Driver::new(REGISTRY).check(&request(&spec));
    let used = seconds() - begun;
    assert!(used < 20, "{used} s");
    let told = |help: &str| {
        let helps = checked.batch.diagnostics.iter().flat_map(|found| &found.help);
        helps.filter(|found| found.contains(help)).count()
    };
    assert_eq!((told("as a separate job before this one"), told("rename the role to `worker`")), (1200, 1));
}
