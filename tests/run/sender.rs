//! Tests of stops by service managers and batch systems, which may send signals to a run, its shims, and its programs, in any
//! order.
use crate::able;
use crate::place::{Place, job, out, role};
use std::process::Command;
use std::time::Duration;

const SENDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/targets/shim/tests/programs/sender.py");

/// A program that saves a checkpoint when the first signal arrives. Like most programs, it is killed by a second signal, and the
/// checkpoint is then lost.
const SAVES: &str = "exec python3 -c 'import signal, sys, time
def save(number, frame):
    signal.signal(number, signal.SIG_DFL); time.sleep(1.5); open(f\"saved-{name}\", \"w\"); raise SystemExit(0)
name = sys.argv[1]; signal.signal(15, save); open(f\"up-{name}\", \"w\")
while True: time.sleep(0.05)' ";

/// Stops a run of two tasks. Returns how many programs have saved a checkpoint.
fn saved(order: &str, gap: &str) -> usize {
    let tasks = ["x", "y"].map(|name| role(name, &(SAVES.to_owned() + name), ""));
    let place =
        Place::new(&format!("sender-{order}-{gap}"), &job(&(tasks.concat() + "stop grace=\"20s\"\n")));
    let child = place.start(&[]);
    place.met("up-x");
    place.met("up-y");
    // The shims wait for the processes that they started.
    std::thread::sleep(Duration::from_millis(200));
    let sent = Command::new("python3").args([SENDER, &child.id().to_string(), "3", order, gap]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{order} {gap} ms: {}", out(&output));
    ["x", "y"].iter().filter(|name| place.0.join(format!("saved-{name}")).exists()).count()
}

#[test]
fn signals_to_run_shims_and_programs_in_any_order_are_one_stop() {
    let orders = ["abc", "acb", "bac", "bca", "cab", "cba", "a"];
    let cases = orders.into_iter().flat_map(|order| ["0", "0.2", "1", "5"].map(|gap| (order, gap)));
    let cases: Vec<(&str, &str)> = able::sample(cases.chain([("tree", "0")]));
    let mut lost = Vec::new();
    for some in cases.chunks(10) {
        std::thread::scope(|scope| {
            let runs: Vec<_> = some
                .iter()
                .map(|(order, gap)| scope.spawn(move || (order, gap, saved(order, gap))))
                .collect();
            lost.extend(runs.into_iter().map(|run| run.join().unwrap()).filter(|(_, _, saved)| *saved < 2));
        });
    }
    assert!(lost.is_empty(), "programs that saved, of 2: {lost:?}");
}
