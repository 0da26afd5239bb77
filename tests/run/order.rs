//! Tests of the start order of tasks, and of which tasks wait for which.
use crate::place::{Place, job, out, role};

#[test]
fn a_role_starts_when_its_dependency_is_done() {
    let spec = job(&(role("first", "sleep 0.5; echo 1 > first", "")
        + &role("second", "cat first", "after \"first\" when=\"done\"")));
    let output = Place::new("order", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(out(&output).contains("second:0 | 1"), "{}", out(&output));
    assert!(
        out(&output).contains("second:0 * waiting for `first` (first:0: still running)"),
        "{}",
        out(&output)
    );
}

#[test]
fn a_role_starts_only_when_its_dependency_is_ready() {
    let listens = "sleep 0.7; exec python3 -c 'import os,socket,time; s=socket.socket(); \
                   s.bind((\"127.0.0.1\", int(os.environ[\"TFJOB_PORT_RENDEZVOUS\"]))); s.listen(); \
                   open(\"listens\",\"w\"); time.sleep(60)'";
    let spec = job(&("success \"all\"\n".to_owned()
        + &format!(
            "helper \"server\" {{ shell {listens:?}; resources cpus=1 memory=\"64MiB\"; port \"rendezvous\" 4100; ready tcp=\"rendezvous\" }}\n"
        )
        + &role("client", "test -e listens", "after \"server\" when=\"ready\"")));
    let output = Place::new("ready", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn dependents_wait_again_for_a_ready_program_that_exited() {
    let listens = "test -e second && touch third || touch second; exec python3 -c 'import os,socket,sys,time; s=socket.socket(); \
                   s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); \
                   s.bind((\"127.0.0.1\", int(os.environ[\"TFJOB_PORT_RENDEZVOUS\"]))); s.listen(); \
                   again = os.path.exists(\"third\"); time.sleep(60 if again else 1); open(\"down\",\"w\"); sys.exit(1)'";
    let server = format!(
        "helper \"server\" {{ shell {listens:?}; resources cpus=1 memory=\"64MiB\"; port \"rendezvous\" 4107; ready tcp=\"rendezvous\"; restart \"on-failure\" backoff=\"4s\" }}\n"
    );
    let spec = job(&("success \"all\"\n".to_owned()
        + &server
        + &role("slow", "while [ ! -e down ]; do sleep 0.05; done; sleep 0.5", "")
        + &role("client", "test -e third", "after \"server\" when=\"ready\"; after \"slow\" when=\"done\"")));
    let output = Place::new("flap", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn waiting_for_readiness_ends_at_the_timeout() {
    let spec = job(&("start timeout=\"1s\"\n".to_owned()
        + &role("server", "sleep 60", "port \"rendezvous\" 4100; ready tcp=\"rendezvous\"")
        + &role("client", "true", "after \"server\" when=\"ready\"")));
    let output = Place::new("late", &spec).run(&[]);
    assert_eq!(output.status.code(), Some(75), "{}", out(&output));
    assert!(
        out(&output).contains("client:0 was not started, because the roles that it waits for were not ready within 1 s (`start timeout`)"),
        "{}",
        out(&output)
    );
}

#[test]
fn the_start_timeout_excludes_waiting_for_completion() {
    let spec = job(&("start timeout=\"1s\"\nsuccess \"all\"\n".to_owned()
        + &role("prep", "sleep 2", "")
        + &role(
            "db",
            "sleep 1",
            "after \"prep\" when=\"done\"; port \"rendezvous\" 4100; ready tcp=\"rendezvous\"",
        )
        + &role("worker", "true", "after \"db\" when=\"started\"")
        + &role("last", "true", "after \"worker\" when=\"started\"")));
    // Time that passed before the wait does not count either. On a busy machine, Python needs seconds to listen.
    let later = spec
        .replace("when=\"started\"", "when=\"ready\"")
        .replace("1s", "12s")
        .replace("\"sleep 2\"", "\"sleep 12.2\"");
    let later = later.replace("\"sleep 1\"", "\"sleep 0.5; exec python3 -c 'import os,socket,time; s=socket.socket(); s.bind((\\\"127.0.0.1\\\", int(os.environ[\\\"TFJOB_PORT_RENDEZVOUS\\\"]))); s.listen(); time.sleep(3)'\"");
    let later = later.replace("after \"worker\" when=\"ready\"", "after \"worker\" when=\"done\"");
    std::thread::scope(|scope| {
        for (name, spec) in [("chain", &spec), ("chain-ready", &later)] {
            scope.spawn(move || {
                let output = Place::new(name, spec).run(&[]);
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(0), "{}{said}", out(&output));
            });
        }
    });
}

#[test]
fn a_selected_task_runs_without_waiting_for_the_others() {
    let after = "after \"a\" when=\"done\"";
    let spec = job(&(role("a", "exit 1", "") + &role("b", "echo b{index}", &format!("count 2; {after}"))));
    let spec = spec.replace("count 2; ", "").replace("role \"b\" {", "role \"b\" count=2 {");
    let place = Place::new("chosen", &spec.replace("b{index}", "b$TFJOB_INDEX"));
    let output = place.run(&["--task", "b:1"]);
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("b:1   | b1") && !said.contains("b:0") && !said.contains("a:0"), "{said}");
    assert!(out(&place.run(&["--task", "b"])).contains("2 tasks"));
    for (word, told) in
        [("c", "no role `c`; roles of this job: a, b"), ("b:2", "no task `b:2`; role `b` has 2")]
    {
        let output = place.run(&["--task", word]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
}

#[test]
fn tasks_on_one_machine_share_its_directories() {
    let more = format!(
        "checkpoints \"./ckpt\"\n{}{}",
        role("a", "touch ckpt/x", ""),
        role("b", "test -e ckpt/x", "after \"a\" when=\"done\"")
    );
    let place = Place::new("shared", &job(&more));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn thirty_roles_that_wait_for_each_other_start_quickly() {
    use std::fmt::Write as _;
    let mut roles = role("r0", "sleep 60", "port \"rendezvous\" 4100; ready tcp=\"rendezvous\"");
    for number in 1..30 {
        let mut after = String::new();
        for first in 0..number {
            write!(after, "after \"r{first}\" when=\"ready\"; ").unwrap();
        }
        roles += &role(&format!("r{number}"), "true", &after);
    }
    let output = Place::new("all-wait", &job(&("start timeout=\"1s\"\n".to_owned() + &roles))).run(&[]);
    assert_eq!(output.status.code(), Some(75), "{}", out(&output));
}
