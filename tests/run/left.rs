//! Tests with remains of an earlier run: mounts in its scratch directories, and programs that still run.
use crate::able::{lacks_namespaces, skips};
use crate::place::{Place, job, out, role};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Runs the job in its own mount namespace, after these commands.
fn mounted(place: &Place, commands: &str, words: &str) -> Output {
    let script = format!("set -e; {commands}; exec \"$0\" run a.tfjob.kdl {words}");
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &script, env!("CARGO_BIN_EXE_tfjob")]).current_dir(&place.0);
    command.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn files_behind_a_mount_are_never_deleted() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    let script = "mkdir -p $TFJOB_SCRATCH/data/deep \\\"$TFJOB_SCRATCH/a b\\\"; touch $TFJOB_SCRATCH/mine";
    let spec =
        job(&role("a", &script.replace("\\\"", "\""), "")).replace("role \"a\" {", "role \"a\" count=2 {");
    for (number, below) in ["data", "data/deep", "a b", "."].into_iter().enumerate() {
        for mount in ["--bind bucket", "-t tmpfs none"] {
            let place = Place::new(&format!("mount-{number}{}", mount.len()), &spec);
            assert_eq!(place.run(&[]).status.code(), Some(0));
            let bucket = place.0.join("bucket");
            fs::create_dir_all(bucket.join("d")).unwrap();
            fs::write(bucket.join("d/model.bin"), "precious").unwrap();
            let scratch = format!(".tfjob/a/scratch/a-1/{below}");
            let output = mounted(&place, &format!("mount {mount} '{scratch}'"), "");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{below} {mount}: {said}");
            let at = place.0.canonicalize().unwrap().join(&scratch);
            let at = at.components().as_path().display().to_string();
            let quoted = if below.contains(' ') { format!("'{at}'") } else { at };
            assert!(said.contains(&format!("run `umount {quoted}`")), "{below} {mount}: {said}");
            assert_eq!(fs::read_to_string(bucket.join("d/model.bin")).unwrap(), "precious");
            assert!(place.0.join(".tfjob/a/scratch/a-0/mine").exists(), "nothing is removed: {said}");
            assert!(!place.0.join(".tfjob/a/previous").exists(), "nothing is moved: {said}");
        }
    }
}

#[test]
fn mounts_elsewhere_and_links_to_them_are_accepted() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    let place = Place::new("elsewhere", &job(&role("a", "ln -sfn $PWD/bucket $TFJOB_SCRATCH/link", "")));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), String::from_utf8_lossy(&output.stderr));
    for folder in ["bucket", "data", ".tfjob/a/scratch/a-01"] {
        fs::create_dir_all(place.0.join(folder)).unwrap();
    }
    fs::write(place.0.join("data/model.bin"), "precious").unwrap();
    let mounts = "mount --bind data bucket; mount --bind data .tfjob/a/scratch/a-01";
    let output = mounted(&place, mounts, "");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(place.0.join("data/model.bin")).unwrap(), "precious");
    // The parent directory of the runs may be a mount.
    let output = mounted(&place, "mount --bind .tfjob .tfjob", "");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_job_directory_that_mounts_a_directory_of_the_run_is_refused() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    let spec = |path: &str| job(&(format!("checkpoints \"{path}\"\n") + &role("a", "true", "")));
    let cases = [
        ("./ck", ".tfjob/a/scratch/a-0/k", Some("scratch")),
        ("./ck/new", ".tfjob/a/scratch/a-0", Some("scratch")),
        ("./ck/a/scratch", ".tfjob", Some("scratch")),
        ("./ck", ".tfjob/a/logs", Some("logs")),
        ("./ck/deep/er", ".tfjob/a/status", Some("status")),
        ("./ck", ".tfjob/a/own", None),
        ("./ck", ".tfjob/a/logs-2", None),
        ("./ck", "bucket", None),
    ];
    for (number, (path, source, own)) in cases.into_iter().enumerate() {
        let place = Place::new(&format!("bind-{number}"), &spec(path));
        for folder in [source, ".tfjob/a", "ck"] {
            fs::create_dir_all(place.0.join(folder)).unwrap();
        }
        fs::write(place.0.join(".tfjob/a/lock"), "tfjob run\n").unwrap();
        fs::write(place.0.join(source).join("precious"), "precious").unwrap();
        let output = mounted(&place, &format!("mount --bind {source} ck"), "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(if own.is_some() { 2 } else { 0 }), "{path} {source}: {said}");
        let told = own.map(|own| format!("{own}`, and each run "));
        assert!(told.is_none_or(|told| said.contains(&told)), "{path} {source}: {said}");
        assert_eq!(fs::read_to_string(place.0.join(source).join("precious")).unwrap(), "precious");
    }
}

#[test]
fn output_on_another_disk_is_kept_and_moved() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    let ways = [
        // The files are in the lower layer of the image.
        "\"$0\" run a.tfjob.kdl; cp -r .tfjob a.tfjob.kdl lower; mount -t tmpfs none up; mkdir up/up up/work; mount -t overlay overlay -o lowerdir=lower,upperdir=up/up,workdir=up/work,userxattr over || exit 99; cd over",
        "mkdir -p .tfjob/a; mount -t tmpfs none up; ln -s $PWD/up .tfjob/a/previous; echo 'tfjob run' > .tfjob/a/lock; \"$0\" run a.tfjob.kdl",
        "mkdir -p .tfjob/a/logs; mount --bind up .tfjob/a/logs; echo 'tfjob run' > .tfjob/a/lock; \"$0\" run a.tfjob.kdl",
    ];
    for (number, way) in ways.into_iter().enumerate() {
        let place = Place::new(&format!("disk-{number}"), &job(&role("a", "echo $TIME", "")));
        for folder in ["lower", "up", "over"] {
            fs::create_dir(place.0.join(folder)).unwrap();
        }
        let seen = "TIME=2 \"$0\" run a.tfjob.kdl && cat .tfjob/a/logs/a-0.log .tfjob/a/previous/1/logs/a-0.log > /proc/self/fd/2 && ls .tfjob/a/previous >&2; exit; :";
        let output = mounted(&place, &format!("export TIME=1; {way}; {seen}"), "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !skips(output.status.code() != Some(99), "overlays") {
            assert_eq!((output.status.code(), said.as_str()), (Some(0), "2\n1\n1\n"), "{way}");
        }
    }
    let place = Place::new(
        "disk-scratch",
        &job(&role("a", "test ! -e $TFJOB_SCRATCH/mine && touch $TFJOB_SCRATCH/mine", "")),
    );
    for folder in [".tfjob/a/scratch", "bucket/a-0"] {
        fs::create_dir_all(place.0.join(folder)).unwrap();
    }
    fs::write(place.0.join(".tfjob/a/lock"), "tfjob run\n").unwrap();
    fs::write(place.0.join("bucket/a-0/model"), "precious").unwrap();
    for _ in 0..2 {
        let output = mounted(&place, "mount --bind bucket .tfjob/a/scratch", "");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(fs::read_to_string(place.0.join("bucket/a-0/model")).unwrap(), "precious");
    }
}

/// Kills a run and its shims, and waits until they have exited.
fn kill(run: &mut std::process::Child) {
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", run.id())).unwrap();
    let shims: Vec<i32> = children.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    // A shim stops its program if its run is killed.
    for pid in &shims {
        let _ = kill_process(Pid::from_raw(*pid).unwrap(), Signal::STOP);
    }
    run.kill().unwrap();
    for pid in &shims {
        // The shim may have exited with the run.
        let _ = kill_process(Pid::from_raw(*pid).unwrap(), Signal::KILL);
    }
    run.wait().unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    while shims.iter().any(|pid| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty()))
    {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn programs_that_outlive_a_killed_run_block_the_next_run() {
    // The shell is killed with its shim; its program keeps running.
    let script = "python3 -c 'import os, time; print(os.getpid(), file=open(\"pid.new\", \"w\")); os.rename(\"pid.new\", \"pid\"); time.sleep(60)'; echo";
    let more = "checkpoints \"./ck\"\n".to_owned() + &role("worker", script, "") + &role("other", "true", "");
    let place = Place::new("outlives", &job(&more));
    let mut run = place.start(&[]);
    place.met("pid");
    let pid: i32 = fs::read_to_string(place.0.join("pid")).unwrap().trim().parse().unwrap();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let shell = stat.rsplit_once(") ").unwrap().1.split(' ').nth(1).unwrap().to_owned();
    kill(&mut run);
    // The shell exits after its shim.
    let end = Instant::now() + Duration::from_secs(10);
    while fs::read(format!("/proc/{shell}/cmdline")).is_ok_and(|line| !line.is_empty()) {
        assert!(Instant::now() < end, "the shell outlives its shim");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Path::new(&format!("/proc/{pid}")).exists());
    fs::write(place.0.join(".tfjob/a/scratch/worker-0/mine"), "precious").unwrap();
    for (words, folder) in [(&[][..], ".tfjob/a"), (&["--directory", "new"], "ck")] {
        let output = place.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        // On a busy machine, the shell may still be exiting, so the message names it too.
        assert!(
            said.contains(&format!("{pid} (python3)")) && said.contains("stop them with `kill "),
            "{said}"
        );
        assert!(said.contains(&format!("{folder}`: ")), "{said}");
        assert!(place.0.join(".tfjob/a/scratch/worker-0/mine").exists());
    }
    // A run in another directory that only reads the checkpoints has no conflict.
    let output = place.run(&["--directory", "third", "--task", "other"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    kill_process(Pid::from_raw(pid).unwrap(), Signal::TERM).unwrap();
    let output = place.run(&["--task", "other"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_shell_started_by_a_program_may_start_the_next_run() {
    let script = "(setsid sh -c 'while [ ! -e go ]; do sleep 0.05; done; $TOOL run a.tfjob.kdl --task b >said 2>&1; echo $? > code; mv code done' &); echo > up; exec sleep 60";
    let place = Place::new("inside", &job(&(role("a", script, "") + &role("b", "true", ""))));
    let mut run = place.command().env("TOOL", env!("CARGO_BIN_EXE_tfjob")).process_group(0).spawn().unwrap();
    place.met("up");
    kill(&mut run);
    let _ = kill_process_group(Pid::from_child(&run), Signal::KILL);
    fs::write(place.0.join("go"), "").unwrap();
    place.met("done");
    let said = fs::read_to_string(place.0.join("said")).unwrap();
    assert_eq!(fs::read_to_string(place.0.join("done")).unwrap(), "0\n", "{said}");
}

#[test]
fn a_run_stops_cleanly_without_threads() {
    let store = role("store", "sleep 20", "ready tcp=\"rendezvous\"")
        .replace("role \"store\"", "role \"store\" count=24");
    let place =
        Place::new("threads", &job(&(store + &role("worker", "true", "after \"store\" when=\"ready\""))));
    let tool = env!("CARGO_BIN_EXE_tfjob");
    for kib in (60_000..=240_000).step_by(20_000) {
        let script = format!("ulimit -v {kib}; exec timeout -s TERM 2 {tool} run a.tfjob.kdl");
        let output = Command::new("sh").args(["-c", &script]).current_dir(&place.0).output().unwrap();
        let said = out(&output) + &String::from_utf8_lossy(&output.stderr);
        // The standard library aborts the process if there is no memory for the signal stack of a new thread.
        let own = said.contains("panicked") && !said.contains("alternative stack");
        assert!(!own, "{kib}: {said}");
    }
}
