//! Restarts in place, the state beside the checkpoints, and a fresh start.
use crate::job::{Folder, alone, ended, environment, events, run, shim, until};
use std::process::Output;
use tfjob_contract::{Checkpoints, Contract, Duties, Restart, RoleDuties, Run};

fn restart() -> Restart {
    Restart {
        always: false,
        limit: Some(2),
        within: None,
        backoff: None,
        max_backoff: Some(0),
        min_uptime: None,
        no_progress_limit: None,
        codes: Vec::new(),
    }
}

/// A task that counts its starts in a file and then does this.
fn counting(folder: &Folder, then: &str, restart: Restart) -> Contract {
    let count = folder.0.join("count");
    let mut contract = alone(Run::Shell(format!("echo start >>{}\n{then}", count.display())));
    contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
    contract
}

fn watched(folder: &Folder, mut contract: Contract) -> Contract {
    let path = folder.0.join("ckpt");
    std::fs::create_dir_all(&path).unwrap();
    let path = path.to_str().unwrap().to_owned();
    let checkpoints = Some(Checkpoints { path, every: None, fail_if_exists: false });
    contract.duties = Some(Duties { checkpoints, ..Duties::default() });
    contract
}

fn starts(folder: &Folder) -> usize {
    std::fs::read_to_string(folder.0.join("count")).unwrap_or_default().lines().count()
}

fn says(output: &Output, code: i32, sentence: &str) {
    let last = ended(output);
    assert_eq!(output.status.code(), Some(code), "{last}");
    assert!(last.contains(sentence), "{last}");
}

#[test]
fn a_failure_is_restarted_up_to_the_limit_and_every_step_is_said() {
    let folder = Folder::new();
    let output = run(&counting(&folder, "exit 9", restart()), &[]);
    says(&output, 9, "worker:0: exited with code 9 after ");
    says(&output, 9, "; not restarted: restart limit of 2 reached");
    assert_eq!(starts(&folder), 3);
    let events = events(&output);
    let said: Vec<(String, u64, u64)> = events
        .iter()
        .map(|event| {
            assert_eq!(event["task"], "worker:0");
            let ts = event["ts"].as_str().unwrap();
            assert!(ts.len() == 24 && ts.starts_with("20") && ts.ends_with('Z'), "{ts}");
            let number = |name: &str| event[name].as_u64().unwrap();
            (event["event"].as_str().unwrap().to_owned(), number("attempt"), number("budget_left"))
        })
        .collect();
    let expected = [
        ("started", 1, 2),
        ("ended", 1, 2),
        ("restart", 1, 1),
        ("started", 2, 1),
        ("ended", 2, 1),
        ("restart", 2, 0),
        ("started", 3, 0),
        ("ended", 3, 0),
    ];
    assert_eq!(said, expected.map(|(event, attempt, left)| (event.to_owned(), attempt, left)));
}

#[test]
fn a_success_ends_it_unless_it_is_always_restarted() {
    let folder = Folder::new();
    let then = format!("[ $(wc -l <{}/count) -ge 2 ]", folder.0.display());
    says(&run(&counting(&folder, &then, restart()), &[]), 0, "worker:0: succeeded (attempt 2)");
    let folder = Folder::new();
    let output = run(&counting(&folder, "true", Restart { always: true, limit: Some(1), ..restart() }), &[]);
    says(&output, 0, "worker:0: succeeded (attempt 2)");
}

#[test]
fn codes_and_uptime_say_what_is_not_restarted() {
    let folder = Folder::new();
    let terms = Restart { codes: vec![42], ..restart() };
    let then = format!("[ $(wc -l <{}/count) -ge 2 ] && exit 1; exit 42", folder.0.display());
    says(&run(&counting(&folder, &then, terms), &[]), 1, "exit code 1 is not in `codes` of `restart`");
    assert_eq!(starts(&folder), 2);
    let folder = Folder::new();
    let output = run(&counting(&folder, "exit 1", Restart { min_uptime: Some(30), ..restart() }), &[]);
    says(&output, 1, "uptime was below `min-uptime` of 30 s");
    assert_eq!(starts(&folder), 1);
}

#[test]
fn a_pause_lies_between_two_starts_and_a_signal_ends_it() {
    let folder = Folder::new();
    let terms = Restart { backoff: Some(1), max_backoff: Some(60), limit: Some(1), ..restart() };
    let begun = std::time::Instant::now();
    says(&run(&counting(&folder, "exit 1", terms.clone()), &[]), 1, " reached");
    assert!(begun.elapsed().as_millis() >= 750);
    let folder = Folder::new();
    let contract = counting(&folder, "exit 1", Restart { backoff: Some(60), ..terms });
    let contract = folder.write("contract.json", &contract.write());
    let told = folder.0.join("told");
    let mut shim = shim(&environment(&[]));
    shim.arg("--contract").arg(contract).stderr(std::fs::File::create(&told).unwrap());
    let mut shim = shim.spawn().unwrap();
    let told = || std::fs::read_to_string(&told).unwrap();
    until(|| told().contains("\"event\":\"ended\""));
    let asked = std::process::Command::new("kill").arg(shim.id().to_string()).status().unwrap();
    assert!(asked.success());
    assert_eq!(shim.wait().unwrap().code(), Some(143), "{}", told());
    assert!(told().contains("worker:0: stopped by SIGTERM while no program was running"), "{}", told());
}

#[test]
fn a_new_container_knows_what_the_old_one_used_up() {
    let folder = Folder::new();
    let contract = watched(&folder, counting(&folder, "exit 1", restart()));
    says(&run(&contract, &[]), 1, " reached");
    assert_eq!(starts(&folder), 3);
    says(&run(&contract, &[]), 1, " reached");
    assert_eq!(starts(&folder), 4);
    // An incomplete file counts as empty, and is reported.
    let state = folder.0.join("ckpt/.tfjob-job-worker-0.json");
    let text = std::fs::read(&state).unwrap();
    std::fs::write(&state, &text[..text.len() / 2]).unwrap();
    let output = run(&contract, &[]);
    says(&output, 1, " reached");
    let state = events(&output).into_iter().find(|event| event["event"] == "state").unwrap();
    assert!(
        state["reason"].as_str().unwrap().contains("is incomplete or belongs to another task"),
        "{state}"
    );
    assert_eq!(starts(&folder), 7);
}

#[test]
fn a_new_submission_begins_anew_and_a_new_container_does_not() {
    let folder = Folder::new();
    let contract = watched(&folder, counting(&folder, "exit 1", restart()));
    let submitted = |id: &str| {
        let before = starts(&folder);
        says(&run(&contract, &[("TFJOB_SUBMISSION", id)]), 1, " reached");
        starts(&folder) - before
    };
    // By hand, and so without a name for the submission.
    says(&run(&contract, &[]), 1, " reached");
    assert_eq!(["a", "a", "b", "b", "a \"ü"].map(submitted), [3, 1, 3, 1, 3]);
    // Where nobody says which submission it is, what is there counts: it may be this one.
    says(&run(&contract, &[]), 1, " reached");
    assert_eq!(submitted(""), 1);
}

#[test]
fn a_success_forgets_what_was_used_up() {
    let folder = Folder::new();
    let then = format!("[ $(wc -l <{}/count) -ge 2 ]", folder.0.display());
    let contract = watched(&folder, counting(&folder, &then, restart()));
    says(&run(&contract, &[]), 0, ": succeeded");
    assert_eq!(std::fs::read_dir(folder.0.join("ckpt")).unwrap().count(), 0);
}

#[test]
fn restarts_without_a_newer_checkpoint_end_it() {
    let folder = Folder::new();
    let terms = || Restart { limit: None, no_progress_limit: Some(2), ..restart() };
    let ckpt = folder.0.join("ckpt");
    // Two runs write one, all later ones do not.
    let then = format!(
        "[ $(wc -l <{}/count) -le 2 ] && date +%N >{}/model.index; exit 1",
        folder.0.display(),
        ckpt.display()
    );
    let output = run(&watched(&folder, counting(&folder, &then, terms())), &[]);
    says(&output, 1, "no newer checkpoint after 2 restarts in a row");
    assert_eq!(starts(&folder), 5);
}

#[test]
fn a_job_that_advances_is_not_ended_whatever_its_format_is() {
    for name in ["epoch-$n.pt", "model.keras", "sub/m.weights.h5", "state-$n.pkl"] {
        let folder = Folder::new();
        let terms = Restart { limit: Some(4), no_progress_limit: Some(1), ..restart() };
        let ckpt = folder.0.join("ckpt");
        // Beside an old list of TensorFlow's.
        let then = format!(
            "n=$(wc -l <{0}/count); mkdir -p {1}/sub; echo 'model_checkpoint_path: \"ckpt-1\"' >{1}/checkpoint
             echo $n >{1}/{name}; echo >>{1}/train.log; exit 1",
            folder.0.display(),
            ckpt.display()
        );
        let output = run(&watched(&folder, counting(&folder, &then, terms)), &[]);
        says(&output, 1, "restart limit of 4 reached");
    }
}

#[test]
fn a_fresh_job_starts_only_where_nothing_is_but_its_own_restarts_go_on() {
    let folder = Folder::new();
    let ckpt = folder.0.join("ckpt");
    let then = format!("echo x >{}/model.index; exit 1", ckpt.display());
    let mut contract = watched(&folder, counting(&folder, &then, restart()));
    contract.duties.as_mut().unwrap().checkpoints.as_mut().unwrap().fail_if_exists = true;
    says(&run(&contract, &[]), 1, " reached");
    assert_eq!(starts(&folder), 3);
    says(
        &run(&contract, &[]),
        73,
        "already contains `model.index`, but `if-exists=\"fail\"` of `checkpoints` requires an empty directory",
    );
    assert_eq!(starts(&folder), 3);
}

#[test]
fn a_program_that_is_being_replaced_is_started_when_it_is_there_again() {
    use std::os::unix::fs::PermissionsExt;
    let terms = |limit| Restart { limit: Some(limit), backoff: Some(1), max_backoff: Some(1), ..restart() };
    // What keeps the program from its start the second time, and whether it passes.
    for (fault, passes) in [("mv prog away", true), ("chmod -x prog", true), ("mv prog away", false)] {
        let folder = Folder::new();
        let at = folder.0.display();
        let program = folder.program(
            "prog",
            &format!("#!/bin/sh\ncd {at}; echo start >>count\n[ -e again ] && exit 0\ntouch again; {fault}; exit 1\n"),
        );
        let mut contract = alone(crate::job::argv(&[program.to_str().unwrap()]));
        let restart = Restart { codes: vec![1], min_uptime: Some(0), ..terms(if passes { 9 } else { 2 }) };
        contract.roles[0].duties = Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() });
        let mender = std::thread::spawn({
            let folder = folder.0.clone();
            move || {
                until(|| folder.join("again").exists());
                std::thread::sleep(std::time::Duration::from_millis(2200));
                if passes {
                    let _ = std::fs::rename(folder.join("away"), folder.join("prog"));
                    let mode = std::fs::Permissions::from_mode(0o755);
                    std::fs::set_permissions(folder.join("prog"), mode).unwrap();
                }
            }
        });
        let output = run(&contract, &[]);
        mender.join().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if passes {
            assert_eq!((output.status.code(), starts(&folder)), (Some(0), 2), "{fault}: {said}");
        } else {
            says(&output, 127, "does not exist; worker:0: not restarted: restart limit of 2 reached");
        }
    }
    // What was never there is no reason to try again.
    let mut contract = alone(crate::job::argv(&["/no/such/program"]));
    contract.roles[0].duties = Some(RoleDuties { restart: Some(terms(9)), ..RoleDuties::default() });
    let output = run(&contract, &[]);
    assert_eq!(
        (output.status.code(), events(&output).iter().any(|e| e["event"] == "restart")),
        (Some(127), false)
    );
}
