//! Tests of output and scratch directories on another disk, behind symbolic links.
use crate::able::lacks_namespaces;
use crate::place::{Place, job, role};
use std::fs;
use std::process::Command;

#[test]
fn a_link_to_an_output_directory_and_its_files_are_kept() {
    let spec = job(&(role("a", "cat word", "") + &role("b", "echo b", "")));
    for (number, links) in
        [&["logs"][..], &["logs", "events"], &["logs", "events", "status"]].into_iter().enumerate()
    {
        let place = Place::new(&format!("linked-{number}"), &spec);
        let (disk, folder) = (place.0.join("disk"), place.0.join(".tfjob/a"));
        fs::create_dir_all(&folder).unwrap();
        for name in links {
            fs::create_dir_all(disk.join(name)).unwrap();
            std::os::unix::fs::symlink(disk.join(name), folder.join(name)).unwrap();
        }
        let others = ["notes.log", "eval-2024.log", "run-3.json", "a-7.log", "b-0.log.gz"];
        for name in others {
            fs::write(disk.join("logs").join(name), "precious").unwrap();
        }
        for (word, words) in [("one", &[][..]), ("two", &["--task", "a"]), ("three", &[])] {
            fs::write(place.0.join("word"), word).unwrap();
            let output = place.run(words);
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(links.iter().all(|name| folder.join(name).is_symlink()));
            assert_eq!(fs::read_to_string(disk.join("logs/a-0.log")).unwrap(), word);
            // No files of the previous run are left, including those of tasks that do not run now.
            let events = fs::read_to_string(folder.join("events/a-0.jsonl")).unwrap();
            assert_eq!(events.matches("\"started\"").count(), 1, "{events}");
            for file in ["logs/b-0.log", "events/b-0.jsonl", "status/b-0.json"] {
                assert_eq!(folder.join(file).exists(), words.is_empty(), "{links:?} {word} {file}");
            }
        }
        for (number, word) in [("1", "one"), ("2", "two")] {
            let kept = folder.join("previous").join(number);
            let log = kept.join("logs/a-0.log");
            assert_eq!(fs::read_to_string(&log).unwrap(), word);
            let there = disk.canonicalize().unwrap().join(format!("logs/previous/{number}/a-0.log"));
            assert_eq!(fs::canonicalize(log).unwrap(), there);
            assert!(kept.join("events/a-0.jsonl").exists() && kept.join("status/a-0.json").exists());
        }
        for name in others {
            assert_eq!(fs::read_to_string(disk.join("logs").join(name)).unwrap(), "precious");
        }
    }
}

#[test]
fn two_runs_never_write_the_same_file_behind_links() {
    let script = "touch begun-$WHO; while [ ! -e go-$WHO ]; do sleep 0.05; done; echo $WHO";
    let place = Place::new("one-file", &job(&(role("a", script, "") + &role("b", "echo b", ""))));
    let disk = place.0.join("disk");
    fs::create_dir_all(&disk).unwrap();
    for folder in [".tfjob/a", "other"] {
        for kind in ["logs", "status"] {
            fs::create_dir_all(place.0.join(folder)).unwrap();
            fs::write(place.0.join(folder).join("lock"), "tfjob run\n").unwrap();
            std::os::unix::fs::symlink(&disk, place.0.join(folder).join(kind)).unwrap();
        }
    }
    let first = place.command().args(["--task", "a"]).env("WHO", "first").spawn().unwrap();
    place.met("begun-first");
    let second = place.command().args(["--directory", "other"]).env("WHO", "second").output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && said.contains("another run writes to `"), "{said}");
    let apart = place.run(&["--directory", "other", "--task", "b"]);
    assert_eq!(apart.status.code(), Some(0), "{}", String::from_utf8_lossy(&apart.stderr));
    // A run that only uses `b` keeps the files of the other run.
    let apart = place.run(&["--directory", "other", "--task", "b"]);
    assert_eq!(apart.status.code(), Some(0), "{}", String::from_utf8_lossy(&apart.stderr));
    assert!(place.0.join("disk/a-0.log").exists() && place.0.join("disk/previous/1/b-0.log").exists());
    fs::write(place.0.join("go-first"), "").unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(fs::read_to_string(disk.join("a-0.log")).unwrap(), "first\n");
    // Unlocked files do not block a run, and are removed.
    fs::write(place.0.join("go-second"), "").unwrap();
    let second = place.command().args(["--directory", "other"]).env("WHO", "second").output().unwrap();
    assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
    let entries = fs::read_dir(&disk).unwrap().flatten();
    let locks = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".tfjob-run-"));
    assert_eq!(locks.count(), 1);
}

/// The kinds of output, with the suffix of their files.
const KINDS: [(&str, &str); 3] = [("logs", "log"), ("events", "jsonl"), ("status", "json")];

/// Starts a run in `.tfjob/a`, waits until its program runs, and returns the message of a second run in `other`. The
/// output file of the first run, in a shared directory, must then have its complete output.
fn beside_live(place: &Place, file: &std::path::Path) -> String {
    let first = place.command().spawn().unwrap();
    place.met("begun");
    let second = place.command().args(["--directory", "other"]).output().unwrap();
    fs::write(place.0.join("go"), "").unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(second.status.code(), Some(2), "{file:?}: {}", String::from_utf8_lossy(&second.stderr));
    let parts = match file.extension().and_then(|ending| ending.to_str()) {
        Some("log") => ["one\n", "two\n"],
        Some("jsonl") => ["\"started\"", "\"event\":\"exit\""],
        _ => ["\"task\"", "\"code\""],
    };
    let text = fs::read_to_string(file).unwrap();
    assert!(parts.iter().all(|part| text.contains(part)), "{file:?}: {text}");
    let said = String::from_utf8(second.stderr).unwrap();
    // A refusal names the existing file.
    let named = said.split('`').nth(1).unwrap();
    assert!(std::path::Path::new(named).exists(), "{said}");
    said
}

#[test]
fn no_start_moves_a_file_of_an_active_run_through_a_link() {
    let spec = job(&role(
        "a",
        "test ! -e begun || exit 0; echo one; touch begun; while [ ! -e go ]; do sleep 0.05; done; echo two",
        "",
    ));
    std::thread::scope(|scope| {
        for (live, ending) in KINDS {
            for (kind, _) in KINDS {
                let spec = &spec;
                scope.spawn(move || no_start_moves(spec, (live, ending), kind));
            }
        }
    });
}

/// Tests that a second run does not move files of this kind that an active run writes. The second run has a link for this kind.
fn no_start_moves(spec: &str, (live, ending): (&str, &str), kind: &str) {
    let link = std::os::unix::fs::symlink::<std::path::PathBuf, std::path::PathBuf>;
    let new = |name: &str| {
        let place = Place::new(&format!("{name}-{live}-{kind}"), spec);
        for folder in [".tfjob/a", "other"] {
            fs::create_dir_all(place.0.join(folder)).unwrap();
            fs::write(place.0.join(folder).join("lock"), "tfjob run\n").unwrap();
        }
        let [own, other] =
            [(".tfjob/a", live), ("other", kind)].map(|(at, kind)| place.0.join(at).join(kind));
        (place, own, other)
    };
    let name = format!("a-0.{ending}");
    // Both links lead to the same directory.
    let (place, own, other) = new("crosswise");
    let disk = place.0.join("disk");
    fs::create_dir(&disk).unwrap();
    link(disk.clone(), own).unwrap();
    link(disk.clone(), other).unwrap();
    let said = beside_live(&place, &disk.join(&name));
    assert!(
        said.contains(&format!("another run writes to `{}", disk.canonicalize().unwrap().display())),
        "{said}"
    );
    // The link of the second run leads to the directory of the active run.
    let (place, own, other) = new("into-live");
    fs::create_dir(&own).unwrap();
    link(own.clone(), other).unwrap();
    let said = beside_live(&place, &own.join(&name));
    assert!(said.contains("another run writes to `"), "{said}");
    // The active run links to the directory of the second run, which would be moved as a whole.
    let (place, own, other) = new("out-of-live");
    fs::create_dir(&other).unwrap();
    link(other.clone(), own).unwrap();
    let said = beside_live(&place, &other.join(&name));
    assert!(said.contains("another run writes to `"), "{said}");
}

#[test]
fn links_of_a_run_may_lead_to_its_other_directories() {
    let place = Place::new("to-itself", &job(&role("a", "echo a", "")));
    let folder = place.0.join(".tfjob/a");
    fs::create_dir_all(folder.join("logs")).unwrap();
    std::os::unix::fs::symlink("logs", folder.join("events")).unwrap();
    std::os::unix::fs::symlink(".", folder.join("status")).unwrap();
    for _ in 0..3 {
        let output = place.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(place.log("a-0"), b"a\n");
    }
}

#[test]
fn scratch_behind_a_link_belongs_to_one_run_and_keeps_foreign_files() {
    let script = "test ! -e $TFJOB_SCRATCH/$WHO && touch $TFJOB_SCRATCH/$WHO begun-$WHO; while [ ! -e go-$WHO ]; do sleep 0.05; done; ls $TFJOB_SCRATCH";
    let place = Place::new("fast", &job(&role("a", script, "")));
    let disk = place.0.join("disk");
    fs::create_dir_all(disk.join("a-0")).unwrap();
    fs::write(disk.join("a-0/model"), "precious").unwrap();
    for folder in [".tfjob/a", "other"] {
        fs::create_dir_all(place.0.join(folder)).unwrap();
        fs::write(place.0.join(folder).join("lock"), "tfjob run\n").unwrap();
        std::os::unix::fs::symlink(&disk, place.0.join(folder).join("scratch")).unwrap();
    }
    for _ in 0..2 {
        let first = place.command().env("WHO", "first").spawn().unwrap();
        place.met("begun-first");
        fs::write(place.0.join("go-second"), "").unwrap();
        let second = place.command().args(["--directory", "other"]).env("WHO", "second").output().unwrap();
        assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
        fs::write(place.0.join("go-first"), "").unwrap();
        assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
        assert_eq!(place.log("a-0"), b"first\n");
        assert_eq!(fs::read_to_string(place.0.join("other/logs/a-0.log")).unwrap(), "second\n");
        assert_eq!(fs::read_to_string(disk.join("a-0/model")).unwrap(), "precious");
        for file in ["begun-first", "go-first"] {
            fs::remove_file(place.0.join(file)).unwrap();
        }
    }
    let long = place.0.join("n".repeat(255));
    fs::rename(place.0.join("other"), &long).unwrap();
    let output = place.command().arg("--directory").arg(&long).env("WHO", "second").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    fs::remove_dir_all(&disk).unwrap();
    let said = String::from_utf8(place.run(&[]).stderr).unwrap();
    assert!(said.contains("scratch` is a symbolic link to a missing directory"), "{said}");
}

#[test]
fn output_that_cannot_be_moved_is_kept() {
    if lacks_namespaces(&["-rm"]) {
        return;
    }
    for (number, large) in ["logs", "events", "status"].into_iter().enumerate() {
        let place = Place::new(&format!("full-{number}"), &job(&role("a", "echo once >> ran; cat ran", "")));
        assert_eq!(place.run(&[]).status.code(), Some(0));
        fs::create_dir(place.0.join("up")).unwrap();
        fs::create_dir(place.0.join(".tfjob/a").join(large).join("deep")).unwrap();
        fs::write(place.0.join(".tfjob/a").join(large).join("deep/large"), vec![b'x'; 1 << 20]).unwrap();
        std::os::unix::fs::symlink(place.0.join("up"), place.0.join(".tfjob/a/previous")).unwrap();
        for _ in 0..2 {
            let script = "mount -t tmpfs -o size=256k none up; \"$0\" run a.tfjob.kdl; echo \"code $?\" >&2; find up -mindepth 1 >&2";
            let mut command = Command::new("unshare");
            command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_tfjob")]).current_dir(&place.0);
            let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
            let (fault, rest) = said.split_once("\n").unwrap();
            assert!(fault.contains("cannot move `") && fault.contains(large), "{said}");
            assert_eq!(rest, "code 2\n", "nothing is left there: {said}");
            assert_eq!(place.log("a-0"), b"once\n");
            assert_eq!(place.status("a-0")["code"].as_i64(), Some(0));
        }
        fs::remove_file(place.0.join(".tfjob/a/previous")).unwrap();
        assert_eq!(place.run(&[]).status.code(), Some(0));
        assert_eq!(fs::read_to_string(place.0.join(".tfjob/a/previous/1/logs/a-0.log")).unwrap(), "once\n");
    }
}
