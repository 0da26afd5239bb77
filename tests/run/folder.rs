//! Tests of the directory of a run: its output, its lock, and files in it that belong to other programs.
use crate::place::{Place, job, out, role};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;

#[test]
fn a_directory_has_at_most_one_active_run() {
    let place = Place::new("twice", &job(&role("a", "touch begun; sleep 60", "")));
    let first = place.start(&[]);
    place.met("begun");
    let second = place.run(&[]);
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another run of this job is active in `"), "{said}");
    kill_process(Pid::from_child(&first), Signal::TERM).unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(143));
    assert_eq!(fs::read_to_string(place.0.join(".tfjob/.gitignore")).unwrap(), "*\n");
    assert_eq!(place.run(&["--folder", "other", "--task", "b"]).status.code(), Some(2), "no such role");
}

#[test]
fn a_run_keeps_previous_output_and_starts_with_empty_scratch() {
    let script = "test ! -e $TFJOB_SCRATCH/left; touch $TFJOB_SCRATCH/left; cat word";
    let place = Place::new("again", &job(&role("a", script, "")));
    for word in ["one", "two", "three"] {
        fs::write(place.0.join("word"), word).unwrap();
        let output = place.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", out(&output));
        assert_eq!(place.log("a-0"), word.as_bytes());
    }
    for (number, word) in [("1", "one"), ("2", "two")] {
        let kept = place.0.join(".tfjob/a/previous").join(number);
        assert_eq!(fs::read_to_string(kept.join("logs/a-0.log")).unwrap(), word);
        assert!(kept.join("events/a-0.jsonl").exists() && kept.join("status/a-0.json").exists());
        assert!(kept.join("contract.json").exists());
    }
    assert!(!place.0.join(".tfjob/a/previous/3").exists());
}

#[test]
fn a_run_refuses_a_directory_with_files_of_others() {
    let place = Place::new("foreign", &job(&role("a", "echo 1 >> ran", "")));
    let other = place.0.join("other");
    for name in ["contract.json", "lock", "notes.txt"] {
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join(name), "precious").unwrap();
        let output = place.run(&["--directory", "other"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("contains files that were not created by `tfjob run`"), "{said}");
        assert_eq!(fs::read_to_string(other.join(name)).unwrap(), "precious");
        assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
        fs::remove_dir_all(&other).unwrap();
    }
    assert!(!place.0.join("ran").exists());
    // The parent directory of all runs is refused as well.
    fs::create_dir_all(place.0.join(".tfjob")).unwrap();
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("lock"), "precious").unwrap();
    std::os::unix::fs::symlink(&other, place.0.join(".tfjob/link")).unwrap();
    for folder in [".tfjob/../other", ".tfjob/link"] {
        assert_eq!(place.run(&["--directory", folder]).status.code(), Some(2), "{folder}");
        assert_eq!(fs::read_to_string(other.join("lock")).unwrap(), "precious");
    }
    fs::remove_dir_all(&other).unwrap();
    // A new volume contains one directory (`lost+found`).
    fs::create_dir_all(other.join("lost+found")).unwrap();
    for _ in 0..2 {
        assert_eq!(place.run(&["--directory", "other"]).status.code(), Some(0));
    }
    assert!(other.join("lost+found").exists());
    assert!(other.join("previous/1/logs/a-0.log").exists());
}

#[test]
fn one_run_at_a_time_writes_checkpoints_while_others_may_read() {
    let more = "checkpoints \"./ckpt\"\n".to_owned()
        + &role("worker", "touch begun; sleep 60", "")
        + &role("reader", "exit 0", "");
    let place = Place::new("writers", &job(&more));
    let first = place.start(&[]);
    place.met("begun");
    let second = place.run(&["--directory", "other"]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(2), "{said}");
    assert!(said.contains("another run writes to the checkpoint directory `"), "{said}");
    let reader = place.run(&["--directory", "other", "--task", "reader"]);
    assert_eq!(reader.status.code(), Some(0), "{}", String::from_utf8_lossy(&reader.stderr));
    kill_process(Pid::from_child(&first), Signal::TERM).unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(143));
    let again = place.start(&["--directory", "other"]);
    fs::remove_file(place.0.join("begun")).unwrap();
    place.met("begun");
    kill_process(Pid::from_child(&again), Signal::TERM).unwrap();
    assert_eq!(again.wait_with_output().unwrap().status.code(), Some(143));
}

#[test]
fn read_only_directories_in_scratch_are_removed() {
    let script =
        "test ! -e $TFJOB_SCRATCH/a && cd $TFJOB_SCRATCH && mkdir -p a/b && touch a/b/c && chmod -R a-w a";
    let place = Place::new("read-only", &job(&role("a", script, "")));
    for _ in 0..2 {
        let output = place.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_directory_removed_during_a_run_is_recreated_for_later_tasks() {
    let spec = job(&(role("prep", "rm -rf .tfjob/a; sleep 0.3", "")
        + &role(
            "train",
            "echo there > $TFJOB_SCRATCH/x; cat $TFJOB_SCRATCH/x",
            "after \"prep\" when=\"done\"",
        )));
    let place = Place::new("removed", &spec);
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(!out(&output).contains("incomplete log"), "{}", out(&output));
    assert_eq!(
        (place.log("train-0"), place.status("train-0")["code"].as_i64()),
        (b"there\n".to_vec(), Some(0))
    );
}

#[test]
fn a_run_without_its_directory_does_not_touch_that_of_the_next_run() {
    let spec =
        job(&(role("a", "touch $WHO; for n in 1 2 3 4 5 6 7 8; do echo $WHO $n; sleep 0.3; done", "")
            + &role("z", "echo $WHO z", "after \"a\" when=\"done\"")));
    let place = Place::new("next", &spec);
    let first = place.command().env("WHO", "first").spawn().unwrap();
    place.met("first");
    fs::remove_dir_all(place.0.join(".tfjob")).unwrap();
    let second = place.command().env("WHO", "second").spawn().unwrap();
    let (first, second) = (first.wait_with_output().unwrap(), second.wait_with_output().unwrap());
    assert_eq!(second.status.code(), Some(0), "{}", out(&second));
    let lines: String = (1..=8).map(|n| format!("second {n}\n")).collect();
    assert_eq!((place.log("a-0"), place.log("z-0")), (lines.into_bytes(), b"second z\n".to_vec()));
    let said = out(&first);
    assert!(
        said.contains("was removed, and another run has recreated it") && said.contains("incomplete log"),
        "{said}"
    );
}

#[test]
fn a_run_directory_among_the_checkpoints_is_refused() {
    // Each file of the run would count as progress there, and `no-progress-limit` would never end a job.
    let place = Place::new("among", &job(&(role("a", "true", "") + "checkpoints \"./out\"\n")));
    let output = place.run(&["--directory", "out/run"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("is inside the checkpoint directory"), "{said}");
    assert!(!place.0.join("out").exists(), "a run that is refused makes nothing");
    assert_eq!(place.run(&["--directory", "other"]).status.code(), Some(0));
}

#[test]
fn a_directory_removed_during_a_run_is_recreated_for_each_restart() {
    let script = "echo 1 > $TFJOB_SCRATCH/x; [ -e once ] || { touch once; rm -rf .tfjob; exit 3; }";
    let more = role("a", script, "") + "restart \"on-failure\" limit=1 backoff=\"1s\"\n";
    let place = Place::new("again-removed", &job(&more));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert_eq!(
        (place.status("a-0")["state"].as_str(), place.status("a-0")["code"].as_i64()),
        (Some("ended"), Some(0))
    );
}

#[test]
fn a_directory_that_cannot_be_created_is_reported_with_help() {
    let place = Place::new("no-place", &job(&role("a", "true", "")));
    fs::write(place.0.join(".tfjob"), "").unwrap();
    let said = String::from_utf8(place.run(&[]).stderr).unwrap();
    assert!(
        said.contains("cannot create `") && said.contains("to use another run directory, set `--directory`"),
        "{said}"
    );
    for folder in ["~", "~/runs"] {
        let output = place.run(&[&format!("--directory={folder}")]);
        let said = String::from_utf8(output.stderr).unwrap();
        let home = folder.replace('~', "$HOME");
        assert!(output.status.code() == Some(2) && said.contains(&format!("write \"{home}\"")), "{said}");
        assert!(!place.0.join("~").exists());
    }
    assert_eq!(place.run(&["--directory=./~"]).status.code(), Some(0));
    assert_eq!(place.run(&["--directory=~x"]).status.code(), Some(0));
}

#[test]
fn an_absolute_path_needs_no_current_directory() {
    let place = Place::new("no-here", &job(&role("a", "echo ran", "")));
    let gone = "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" run \"$1\"";
    let spec = place.0.join("a.tfjob.kdl");
    let mut command = std::process::Command::new("sh");
    let output = command.args(["-c", gone, env!("CARGO_BIN_EXE_tfjob")]).arg(spec).current_dir(&place.0);
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(place.log("a-0"), b"ran\n");
}

#[test]
fn no_run_empties_or_moves_directories_that_its_job_writes() {
    let script = "mkdir -p $OUT; echo 1 > $OUT/model";
    for (number, path) in
        ["exp/logs", "exp/scratch/a-0/ck", "exp/status", "exp/events/x"].into_iter().enumerate()
    {
        for (kind, text) in [
            ("ck", format!("checkpoints \"./{path}\"\n")),
            ("data", format!("data \"out\" \"./{path}\" writable=#true\n")),
        ] {
            let reads = if kind == "ck" { "{checkpoints}" } else { "{data.out}" };
            let spec = job(&(text + &role("a", script, &format!("env {{ OUT \"{reads}\" }}"))));
            let place = Place::new(&format!("inside-{kind}-{number}"), &spec);
            fs::create_dir_all(place.0.join("exp")).unwrap();
            fs::create_dir_all(place.0.join(path)).unwrap();
            fs::write(place.0.join("exp/lock"), "tfjob run\n").unwrap();
            let output = place.run(&["--directory", "exp"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{path}: {said}");
            assert!(said.contains(", and each run "), "{path}: {said}");
            assert_eq!(place.run(&[]).status.code(), Some(0), "{path}");
        }
    }
    // A directory with another name there belongs to the job.
    let spec = job(&("checkpoints \"./exp/ck\"\n".to_owned()
        + &role("a", "test ! -e $CK/x && touch $CK/x", "env { CK \"{checkpoints}\" }")));
    let place = Place::new("inside-own", &spec);
    assert_eq!(place.run(&["--directory", "exp"]).status.code(), Some(0));
    assert_eq!(place.run(&["--directory", "exp"]).status.code(), Some(1), "what is there is kept");
}

#[test]
fn a_removed_lock_or_recreated_checkpoints_admit_no_other_run() {
    let script = "rm -rf ck .tfjob/a/lock; mkdir ck; touch begun; sleep 60";
    let place = Place::new("unlocked", &job(&("checkpoints \"./ck\"\n".to_owned() + &role("a", script, ""))));
    let first = place.start(&[]);
    place.met("begun");
    let directory = place.0.canonicalize().unwrap().join(".tfjob/a");
    let alive = format!("is active and may write to `{}`: wait", place.0.join("ck").display());
    for (words, faults) in [
        (&[][..], ["another run of this job is active in `", "use another directory with `--directory`"]),
        (
            &["--directory", "other"],
            [&alive, &format!("another run (run directory `{}`) is", directory.display())],
        ),
    ] {
        let output = place.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        // Killing a process of the first run would end its job.
        assert!(faults.iter().all(|fault| said.contains(*fault)) && !said.contains("kill"), "{said}");
    }
    kill_process(Pid::from_child(&first), Signal::TERM).unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(143));
}
