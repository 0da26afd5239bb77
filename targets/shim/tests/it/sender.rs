//! Who asks for the end may ask the program too, before or after the shim. Each program gets TERM once, in whatever order.
use crate::able;
use crate::job::{Folder, alone, argv, environment, shim, until};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tfjob_contract::Duties;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/family.py");
const SENDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/sender.py");
const MEMBERS: [&str; 4] = ["leader", "child", "apart", "daemon"];

/// What a family that saves has logged when it is asked to end in this order, and how long that took. `leader`: how that one takes
/// it.
fn asked(order: &str, gap: &str, leader: char) -> (String, Duration) {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let manner = |member| if member == "leader" { leader } else { 's' };
    let manners = MEMBERS.map(|member| format!("{member}={}", manner(member)));
    let words = ["python3", PROGRAM, log.to_str().unwrap()].into_iter();
    let words: Vec<&str> = words.chain(manners.iter().map(String::as_str)).collect();
    let mut contract = alone(argv(&words));
    contract.duties = Some(Duties { grace: Some(20), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let child = shim(&environment(&[])).arg("--contract").arg(path).stderr(Stdio::null()).spawn().unwrap();
    let text = || std::fs::read_to_string(&log).unwrap_or_default();
    until(|| text().matches(" up").count() == MEMBERS.len());
    // The shim attends to what it has started.
    std::thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    let sent = Command::new("python3").args([SENDER, &child.id().to_string(), "2", order, gap]).status();
    assert!(sent.unwrap().success());
    child.wait_with_output().unwrap();
    (text(), begun.elapsed())
}

#[test]
fn whoever_is_asked_first_each_process_gets_term_once() {
    let gaps = ["0", "0.2", "1", "5"];
    // One that ends at once leaves the others to the shim, which may not have been asked yet.
    let orders = [("ab", 's'), ("ba", 's'), ("ba", 'd'), ("ab", 'd')];
    let cases = gaps.iter().flat_map(|gap| orders.map(|(order, leader)| (order, *gap, leader)));
    // `docker stop` and the kubelet ask the first process alone.
    let more = [("tree", "0", 's'), ("tree", "0", 'd'), ("a", "0", 's'), ("a", "0", 'd')];
    let cases: Vec<(&str, &str, char)> = able::sample(cases.chain([more, more, more].concat()));
    for some in cases.chunks(4) {
        std::thread::scope(|scope| {
            for (order, gap, leader) in some {
                scope.spawn(move || {
                    let (log, took) = asked(order, gap, *leader);
                    for member in MEMBERS {
                        let count = |what: &str| {
                            log.lines().filter(|line| *line == format!("{member} {what}")).count()
                        };
                        let counts = (count("SIGTERM"), count("SIGINT"), count("end"));
                        assert_eq!(counts, (1, 0, 1), "{order} {gap} ms {leader}: {member}: {log}");
                    }
                    assert!(took < Duration::from_secs(6), "{order} {gap} ms {leader}: {took:?}");
                });
            }
        });
    }
}

/// The program's group may get INT for another reason, as by `kill -INT 0` in the program: TERM for the shim alone is passed on.
#[test]
fn a_signal_of_another_kind_is_not_the_stop() {
    let folder = Folder::new();
    let log = folder.0.join("log");
    let script = format!(
        "exec >> '{}'; trap 'echo int' INT; trap 'echo term; exit 0' TERM; echo \"up $$\"; while :; do sleep 0.1; done",
        log.display()
    );
    let mut contract = alone(argv(&["/bin/sh", "-c", &script]));
    contract.duties = Some(Duties { grace: Some(20), ..Duties::default() });
    let path = folder.write("c", &contract.write());
    let mut child =
        shim(&environment(&[])).arg("--contract").arg(path).stderr(Stdio::null()).spawn().unwrap();
    let text = || std::fs::read_to_string(&log).unwrap_or_default();
    until(|| text().contains("up "));
    std::thread::sleep(Duration::from_millis(200));
    let group = text().split_whitespace().nth(1).unwrap().to_owned();
    let kill = |words: [&str; 3]| assert!(Command::new("/bin/kill").args(words).status().unwrap().success());
    kill(["-INT", "--", &format!("-{group}")]);
    until(|| text().contains("int"));
    let begun = Instant::now();
    kill(["-TERM", "--", &child.id().to_string()]);
    assert!(child.wait().unwrap().success() || text().contains("term"), "{}", text());
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}: {}", begun.elapsed(), text());
}
