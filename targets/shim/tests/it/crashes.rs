//! Programs that crash, or kill the shim: no process is left. The test is the longest one: its name lets it start early.
use crate::able;
use crate::job::{environment, shim, signal, until, with_arguments};
use std::process::Stdio;
use std::time::Duration;

#[test]
fn fifty_faults_in_a_row_leave_no_process() {
    let mark = format!("7{:05}", std::process::id() % 100_000);
    let faults = [
        "kill -9 $$",
        "kill -SEGV $$",
        "exit 3",
        "kill -9 0",
        "setsid sleep MARK & exit 1",
        "(sleep MARK &) ; exit 0",
        "trap '' TERM; sleep MARK & kill -TERM $PPID; sleep MARK",
        "kill -9 $PPID; exec sleep MARK",
        "(sleep 0.1; kill -CONT $$) & kill -STOP $$; exit 2",
        "/no/such/program",
    ];
    // Fixed streams of numbers, so that a failure can be seen again.
    let some = |mut number: u64| {
        for _ in 0..able::times(5) {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let fault = faults[usize::try_from(number >> 33).unwrap() % faults.len()].replace("MARK", &mark);
            let mut command = shim(&environment(&[]));
            command.args(["--", "sh", "-c", &fault]).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            if fault.starts_with("trap") {
                std::thread::sleep(Duration::from_millis(200));
                signal(child.id(), "INT");
            }
            child.wait().unwrap();
        }
    };
    std::thread::scope(|scope| {
        (1..=10).for_each(|seed| {
            drop(scope.spawn({
                let some = &some;
                move || some(seed)
            }))
        })
    });
    until(|| with_arguments(&format!("sleep {mark}")).is_empty());
}
