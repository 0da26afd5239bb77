//! Tests that the number of steps is linear in the length of the text.
use super::super::all;
use std::cell::Cell;

thread_local! {
    /// Number of arguments and separators that were read.
    pub(super) static STEPS: Cell<usize> = const { Cell::new(0) };
}

fn steps(part: &str, length: usize) -> usize {
    STEPS.set(0);
    all(&part.repeat(length / part.len()));
    STEPS.get()
}

#[test]
fn twice_the_text_takes_twice_the_steps() {
    for part in [
        "echo a | docker login --password-stdin ",
        "echo a | docker login --password-stdin\n",
        "--password-stdin <<A ",
        "echo a --password-stdin|",
        "echo 'a --password-stdin ",
        "sshpass -p 'a; ",
        "docker login -p ",
        "machine a ",
    ] {
        let (once, twice) = (steps(part, 20_000), steps(part, 40_000));
        // The factor is not exactly 2, because fewer bytes are searched near the end of a text. In quadratic time, it would be 4.
        assert!(4 * twice <= 9 * once, "{part}: {once} steps, then {twice}");
        // The search after each program name is limited to `LONGEST` bytes. Without this limit, there would be more steps.
        assert!(once <= 40_000 * 64, "{part}: {once}");
    }
}
