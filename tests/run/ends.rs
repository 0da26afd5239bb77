//! Tests of how a job ends: which tasks decide success and failure, and how the other tasks are stopped.
use crate::place::{Place, job, out, role};
use std::fs;
use std::path::Path;

#[test]
fn the_example_resumes_from_its_checkpoint_after_a_kill() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/line");
    let place = Place::new("line", &fs::read_to_string(example.join("line.tfjob.kdl")).unwrap());
    fs::copy(example.join("fit.py"), place.0.join("fit.py")).unwrap();
    let output = place.run(&["--set", "param.steps=200"]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for line in ["killed by SIGKILL", "goes on from step 100", "done: y = 2.9", "1 restart"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let log = fs::read_to_string(place.0.join(".tfjob/a/logs/worker-0.log"));
    assert!(log.is_err(), "the job is called line");
    let log = fs::read_to_string(place.0.join(".tfjob/line/logs/worker-0.log")).unwrap();
    assert!(!log.contains("\"event\"") && log.contains("step 50: "), "{log}");
    let events = fs::read_to_string(place.0.join(".tfjob/line/events/worker-0.jsonl")).unwrap();
    assert!(events.contains("\"event\":\"restart\""), "{events}");
}

#[test]
fn a_failed_task_stops_the_others_and_sets_the_exit_code_of_the_job() {
    let spec = job(&(role("a", "sleep 0.2; exit 7", "") + &role("b", "sleep 60", "")));
    let place = Place::new("fails", &spec);
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(7), "{}", out(&output));
    assert!(out(&output).contains("a:0 failed; stopping the other tasks"), "{}", out(&output));
    assert!(!place.is_left());
}

#[test]
fn the_others_continue_if_requested() {
    let spec = job(&(role("a", "exit 7", "") + &role("b", "sleep 0.5; echo b is done", "")));
    let output = Place::new("goes-on", &spec).run(&["--keep-going"]);
    assert_eq!(output.status.code(), Some(7), "{}", out(&output));
    assert!(out(&output).contains("b:0   | b is done"), "{}", out(&output));
}

#[test]
fn a_program_that_fails_immediately_is_not_restarted_forever() {
    let spec = job(&role("a", "exit 3", "restart \"on-failure\" limit=5 backoff=\"1s\" min-uptime=\"10s\""));
    let output = Place::new("broken", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", out(&output));
    assert!(out(&output).contains("not restarted"), "{}", out(&output));
}

#[test]
fn servers_are_stopped_when_all_others_are_done() {
    let role = |name: &str, text: &str| role(name, text, "");
    let spec =
        "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"estimator\"\nsuccess \"all\"\n"
            .to_owned()
            + &role("chief", "sleep 0.3")
            + &role("worker", "sleep 0.5")
            + &role("ps", "sleep 60")
            + "}\n";
    let output = Place::new("serves", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
    assert!(
        out(&output).contains(
            "the tasks that decide job success have succeeded; stopping the tasks that are still running"
        ),
        "{}",
        out(&output)
    );
}

#[test]
fn a_selected_server_is_stopped_when_the_selected_others_are_done() {
    let role = |name: &str, text: &str| role(name, text, "");
    let spec = "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n"
        .to_owned()
        + &role("chief", "exit 9")
        + &role("worker", "sleep 0.3")
        + &role("ps", "sleep 60")
        + "success \"chief\"\n}\n";
    let output = Place::new("servers", &spec).run(&["--task", "worker", "--task", "ps"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn tasks_that_wait_for_a_failed_task_do_not_delay_the_end() {
    let never = role("b", "echo 1 > ran", "after \"a\" when=\"done\"");
    let more = role("a", "exit 5", "") + &never + &role("c", "sleep 0.5", "");
    let place = Place::new("hopeless", &job(&more));
    let output = place.run(&["--keep-going"]);
    assert_eq!(output.status.code(), Some(5), "{}", out(&output));
    assert!(out(&output).contains("b:0   * not started, because a:0 failed"), "{}", out(&output));
    assert!(!place.0.join("ran").exists());
}

/// TensorFlow in the chief would wait for the worker forever.
#[test]
fn a_helper_that_fails_ends_the_job_where_a_role_waits_for_it() {
    let spec = |prep: &str, worker: &str, port: u16| {
        "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\nsuccess \"chief\"\n"
            .to_owned()
            + &role("chief", "sleep 4", "")
            + &role("worker", "sleep 60", worker)
            + &role("ps", "sleep 60", "")
            + &role("prep", prep, &format!("port \"web\" {port}; ready tcp=\"web\"")).replacen("role", "helper", 1)
            + "}\n"
    };
    let cases = [
        ("needed", "sleep 0.2; exit 3", "after \"prep\"", 4109, 3),
        ("alone", "sleep 0.2; exit 3", "", 4110, 0),
        ("ready", "exec python3 -m http.server 4111 --bind 127.0.0.1", "after \"prep\"", 4111, 0),
    ];
    let judge = |(name, prep, worker, port, code): (&str, &str, &str, u16, i32)| {
        let output = Place::new(&format!("awaited-{name}"), &spec(prep, worker, port)).run(&[]);
        assert_eq!(output.status.code(), Some(code), "{name}: {}", out(&output));
    };
    std::thread::scope(|scope| cases.iter().for_each(|case| drop(scope.spawn(|| judge(*case)))));
}

#[test]
fn no_task_waits_for_a_permanently_failed_task_in_any_order() {
    let chain = |when: &str| {
        [
            role("a", "exit 5", ""),
            role("b", "echo 1 > ran", "after \"a\" when=\"done\""),
            role("c", "echo 1 > ran", &format!("after \"b\" when=\"{when}\"")),
            role("d", "echo 1 > ran", "after \"c\" when=\"done\""),
        ]
    };
    for (number, when) in ["done", "started"].into_iter().enumerate() {
        let mut roles = chain(when);
        if number == 1 {
            roles.reverse();
        }
        let place = Place::new(&format!("chain-{when}"), &job(&roles.concat()));
        let output = place.run(&["--keep-going"]);
        let said = out(&output);
        assert_eq!(output.status.code(), Some(5), "{said}");
        for line in
            ["b:0   * not started, because a:0 failed", "d:0   * not started, because c:0 was not started"]
        {
            assert!(said.contains(line), "{said}");
        }
        assert!(!place.0.join("ran").exists());
    }
}

#[test]
fn a_worker_that_fails_because_the_chief_is_done_does_not_fail_the_job() {
    let spec = |chief: &str, worker: &str| {
        "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\nsuccess \"chief\"\n"
            .to_owned()
            + &role("chief", chief, "env { DONE \"{done}\"; }")
            + &role("worker", worker, "")
            + &role("ps", "sleep 60", "")
            + "}\n"
    };
    // The chief has closed its connections and saves, or a process that it left exits slowly.
    let left = "python3 -c 'import signal, time; signal.signal(15, lambda *a: (time.sleep(3), exit(0))); time.sleep(60)' &";
    let cases = [
        ("saves", "sleep 1; touch closed; sleep 1; exit 0".to_owned(), 0),
        ("leaves", format!("{left} sleep 1; touch closed; exit 0"), 0),
        ("fails", "sleep 1; touch closed; sleep 0.5; exit 9".to_owned(), 4),
        ("says", "sleep 1; touch \"$TFJOB_DONE\"; sleep 1.5; touch closed; sleep 3; exit 1".to_owned(), 0),
        ("goes-on", "sleep 1; touch closed; sleep 60".to_owned(), 4),
    ];
    let judge = |(name, chief, code): &(&str, String, i32)| {
        let worker = "while [ ! -e closed ]; do sleep 0.05; done; exit 4";
        let place = Place::new(&format!("chief-{name}"), &spec(chief, worker));
        let output = place.run(&[]);
        assert_eq!(output.status.code(), Some(*code), "{name}: {}", out(&output));
    };
    std::thread::scope(|scope| cases.iter().for_each(|case| drop(scope.spawn(|| judge(case)))));
}

#[test]
fn the_first_failed_task_decides() {
    // Each task that fails later has a lower index, and only the last one fails when the chief exits.
    let workers = role("worker", "sleep $((4 - 2 * TFJOB_INDEX)); exit $((4 + TFJOB_INDEX))", "")
        .replace("role \"worker\" {", "role \"worker\" count=3 {");
    let spec = "job \"a\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n"
        .to_owned()
        + &role("chief", "sleep 5.5", "")
        + &workers
        + &role("ps", "sleep 60", "")
        + "success \"chief\"\n}\n";
    for words in [&[][..], &["--keep-going", "--task", "worker"]] {
        let output = Place::new(&format!("first-{}", words.len()), &spec).run(words);
        let said = out(&output);
        assert_eq!(output.status.code(), Some(6), "{said}");
        assert!(said.contains("job failed with exit code 6 (worker:2)"), "{said}");
    }
}

#[test]
fn processes_that_remain_after_completion_get_the_grace_period() {
    // The task succeeds with any exit code, and its remaining processes are killed after the grace period.
    let chief =
        "(trap '' TERM INT; sleep 60 & while :; do wait; done) & touch \"$TFJOB_DONE\"; sleep 1.5; exit 9";
    let place = Place::new("leftover", &job(&(role("a", chief, "") + "stop grace=\"1s\"\n")));
    let began = std::time::Instant::now();
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(began.elapsed().as_secs() < 15, "{}", out(&output));
    assert!(!place.is_left());
}

#[test]
fn each_task_has_a_status_file() {
    let place = Place::new("status", &job(&(role("a", "exit 0", "") + &role("b", "exit 3", ""))));
    assert_eq!(place.run(&["--keep-going"]).status.code(), Some(3));
    for (task, code) in [("a-0", 0), ("b-0", 3)] {
        let status = place.status(task);
        assert_eq!(
            (&status["task"], &status["state"], &status["code"]),
            (&task.replace('-', ":").into(), &"ended".into(), &code.into())
        );
    }
}

#[test]
fn a_failed_helper_fails_the_job_only_if_a_role_waits_for_it() {
    let helper = "helper \"nb\" { shell \"sleep 0.2; exit 6\"; resources cpus=1 memory=\"64MiB\"; port \"web\" 4108; ready tcp=\"web\"; restart \"never\" }\n";
    for (name, after, code) in [("needed", "after \"nb\" when=\"ready\"", 6), ("alone", "", 0)] {
        let place = Place::new(
            &format!("helper-{name}"),
            &job(&(helper.to_owned() + &role("a", "sleep 0.5", after))),
        );
        let output = place.run(&[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{name}: {}{said}", out(&output));
    }
}

#[test]
fn a_deadline_in_the_pause_before_a_restart_stops_the_job() {
    for script in ["exit 1", "sleep 60"] {
        let restart = "restart \"on-failure\" backoff=\"30s\"";
        let waits = role("b", "true", "after \"a\" when=\"done\"");
        let more = "deadline \"2s\"\nstop grace=\"1s\"\n".to_owned() + &role("a", script, restart) + &waits;
        let place = Place::new(&format!("deadline-{}", script.len()), &job(&more));
        let output = place.run(&[]);
        let said = out(&output);
        assert_eq!(output.status.code(), Some(124), "{said}");
        assert!(said.contains("job stopped by `deadline` of 2 s") && !said.contains("a:0 failed"), "{said}");
    }
}

#[test]
fn a_helper_that_the_deadline_stops_has_not_failed() {
    let helper = role("a", "sleep 60", "port \"web\" 18471; ready tcp=\"web\"").replacen("role", "helper", 1);
    let more = "deadline \"2s\"\n".to_owned() + &helper + &role("b", "true", "after \"a\"");
    let output = Place::new("deadline-helper", &job(&more)).run(&[]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(124), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("b:0   * not started, because a:0 was stopped by `deadline`"), "{said}");
    assert!(said.contains("b:0   * waiting for `a` (a:0: 127.0.0.1:18471 does not answer)"), "{said}");
}
