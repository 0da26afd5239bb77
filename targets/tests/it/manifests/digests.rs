//! Tests of the digest of the tasks.
use super::{PLAIN, digest, digest_of};

/// The policy for Flux compares this digest, so that only changes of the tasks start a job again.
#[test]
fn the_digest_of_the_tasks_is_without_fields_that_no_task_sees() {
    let first = digest_of(PLAIN, "task");
    for (old, new, is_equal) in [
        ("    target \"yarn\"", "    description \"x\"\n    target \"yarn\"", true),
        ("    target \"yarn\"", "    allow \"gang\" because=\"x\"\n    target \"yarn\"", true),
        ("count=8", "count=9", false),
        ("target \"a\"", "target \"b\"", false),
    ] {
        assert!(PLAIN.contains(old), "{old}");
        let other = PLAIN.replace(old, new);
        assert_eq!(digest_of(&other, "task") == first, is_equal, "{new}");
        assert_ne!(digest(&other), digest(PLAIN), "{new}");
    }
}
