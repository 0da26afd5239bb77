//! Options that all commands share, previews, and unusual file names.

use crate::program::{GOOD, code, err, folder, out, run};
use std::fs;

/// A spec with a warning.
fn warned() -> String {
    GOOD.replacen("        run", "        env { OUT \"$HOME/x\"; }\n        run", 1)
}

#[test]
fn quiet_prints_only_errors() {
    let dir = folder();
    fs::write(dir.path().join("warned.tfjob.kdl"), warned()).unwrap();
    let check = run(dir.path(), &["check", "warned.tfjob.kdl", "--quiet"]);
    assert_eq!((code(&check), out(&check), err(&check)), (0, "", ""));
    let denied = run(dir.path(), &["check", "warned.tfjob.kdl", "-q", "--deny-warnings"]);
    assert_eq!(code(&denied), 1);
    assert!(out(&denied).contains("warning["), "the reason of the exit code is printed: {}", out(&denied));
    let compile = run(dir.path(), &["-q", "compile", "warned.tfjob.kdl", "--target", "kubernetes"]);
    assert_eq!((code(&compile), out(&compile), err(&compile)), (0, "", ""));
    assert!(dir.path().join("out").is_dir());
    fs::write(dir.path().join("wrong.tfjob.kdl"), warned().replace("role ", "rol ")).unwrap();
    for command in ["check", "compile"] {
        let wrong = run(dir.path(), &[command, "-q", "wrong.tfjob.kdl"]);
        let text = format!("{}{}", out(&wrong), err(&wrong));
        assert!(code(&wrong) == 1 && text.contains("error["), "{text}");
    }
    let fixed = run(dir.path(), &["check", "-q", "--fix", "wrong.tfjob.kdl"]);
    assert_eq!((code(&fixed), out(&fixed), err(&fixed)), (0, "", ""));
}

#[test]
fn color_can_be_forced_and_forbidden() {
    let dir = folder();
    fs::write(dir.path().join("warned.tfjob.kdl"), warned()).unwrap();
    for (choice, colored) in [("always", true), ("never", false), ("auto", false)] {
        let output = run(dir.path(), &["check", "warned.tfjob.kdl", "--color", choice]);
        assert_eq!(out(&output).contains("\u{1b}["), colored, "{choice}: {}", out(&output));
    }
}

#[test]
fn fixes_can_be_previewed() {
    let dir = folder();
    // The second fix is possible only after the first one.
    let wrong = GOOD.replace("role ", "rol ").replace("cpus", "cpu");
    assert_ne!(wrong, GOOD);
    fs::write(dir.path().join("wrong.tfjob.kdl"), &wrong).unwrap();
    let preview = run(dir.path(), &["check", "wrong.tfjob.kdl", "--fix", "--diff"]);
    assert_eq!(code(&preview), 1, "{}", err(&preview));
    let added: Vec<_> = out(&preview).lines().filter(|line| line.starts_with('+')).collect();
    assert_eq!(fs::read_to_string(dir.path().join("wrong.tfjob.kdl")).unwrap(), wrong, "nothing is written");
    assert_eq!(code(&run(dir.path(), &["check", "wrong.tfjob.kdl", "--fix"])), 0);
    let fixed = fs::read_to_string(dir.path().join("wrong.tfjob.kdl")).unwrap();
    for line in added.iter().skip(1) {
        assert!(fixed.contains(&line[1..]), "{line} is not in {fixed}");
    }
    assert!(added.len() > 2, "{added:?}");
    let clean = run(dir.path(), &["check", "wrong.tfjob.kdl", "--fix", "--diff"]);
    assert_eq!((code(&clean), out(&clean)), (0, ""));
    assert_eq!(code(&run(dir.path(), &["check", "wrong.tfjob.kdl", "--diff"])), 2, "`--diff` needs `--fix`");
}

#[test]
fn help_lists_every_visible_command_once() {
    let dir = folder();
    let help = run(dir.path(), &["--help"]);
    let commands =
        ["check", "compile", "run", "show", "explain", "fmt", "init", "schema", "completions", "man"];
    for command in commands {
        let lines = out(&help).lines().filter(|line| line.starts_with(&format!("  {command} "))).count();
        assert_eq!(lines, 1, "{command}");
        let about = run(dir.path(), &["help", command]);
        assert!(out(&about).contains(&format!("Usage: tfjob {command}")), "{command}: {}", out(&about));
    }
    let groups = ["Commands:", "Editors and shells:", "Options:"];
    let places: Vec<_> = groups.iter().map(|title| out(&help).find(title).unwrap()).collect();
    assert!(places.is_sorted());
}

#[test]
fn the_last_line_counts_specs() {
    let dir = folder();
    fs::write(dir.path().join("warned.tfjob.kdl"), warned()).unwrap();
    let output = run(dir.path(), &["check", "warned.tfjob.kdl", "good.tfjob.kdl"]);
    assert!(out(&output).contains("1 warning (2 specs checked)\n"), "{}", out(&output));
}

#[test]
fn show_without_a_target_shows_all() {
    let dir = folder();
    let free: String =
        GOOD.lines().filter(|line| !line.contains("target")).map(|line| format!("{line}\n")).collect();
    fs::write(dir.path().join("free.tfjob.kdl"), free).unwrap();
    let output = run(dir.path(), &["show", "free.tfjob.kdl"]);
    for target in tfjob_targets::ALL {
        assert!(out(&output).contains(&format!("{} (free.tfjob.kdl)\n", target.name())), "{}", err(&output));
    }
}

#[cfg(unix)]
#[test]
fn unusual_file_names_are_read_and_printed_on_one_line() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let wrong = GOOD.replace("role ", "rol ");
    let name = std::ffi::OsStr::from_bytes(b"b\xff.tfjob.kdl");
    fs::write(dir.path().join(name), &wrong).unwrap();
    fs::write(dir.path().join("new\nline.tfjob.kdl"), &wrong).unwrap();
    for format in ["human", "short", "github"] {
        let output = run(dir.path(), &["check", "--format", format]);
        assert_eq!(code(&output), 1, "{format}");
        assert!(out(&output).contains("b\u{fffd}.tfjob.kdl"), "{format}: {}", out(&output));
        assert!(
            !out(&output).lines().any(|line| line.starts_with("line.tfjob")),
            "{format}: {}",
            out(&output)
        );
    }
}

#[test]
fn the_command_line_names_the_command_and_the_topic_that_were_meant() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("j.tfjob.kdl"), GOOD).unwrap();
    for (arguments, wanted) in [
        (&["validate", "x"][..], "a similar subcommand exists: 'check'"),
        (&["check", "--target", "kubernetes,yarn"], "repeat the option: '--target kubernetes --target yarn'"),
        (&["run", "--target", "local", "j.tfjob.kdl"], "`tfjob run` always uses the target `local`"),
        (&["check", "--strict", "j.tfjob.kdl"], "use '--deny-warnings'"),
        (&["compile", "--dry-run", "j.tfjob.kdl"], "'tfjob compile --stdout' only prints the artifacts"),
        (&["check", "-t", "yarn"], "use '--target TARGET'"),
        (&["run", "--cluster", "c.cluster.kdl", "j.tfjob.kdl"], "use 'tfjob check FILE --cluster CLUSTER'"),
        (&["show", "j.tfjob.kdl", "--task", "worker/0", "--target", "kubernetes"], "write `worker:0`"),
        (&["explain", "nosuch"], "a topic is a keyword of the spec such as `restart`, an error code"),
    ] {
        let said = run(dir.path(), arguments);
        assert!(err(&said).contains(wanted), "{arguments:?}: {said:?}");
    }
    for (topic, wanted) in
        [("hadoop", "a version, such as `\"3.3.6\"`"), ("spark", "a version, such as `\"3.5\"`")]
    {
        assert!(out(&run(dir.path(), &["explain", topic])).contains(wanted), "{topic}");
    }
    for (topic, wanted) in [
        ("rendezvous", "The rendezvous is the step"),
        ("contract", "The job contract is the compiled job"),
        ("shim", "`tfjob-shim` is a static program"),
        ("role.worker", "role NAME [count=NUMBER]"),
        ("data.train", "Reference `{data.NAME}`"),
        ("port", "port NAME"),
        ("secret", "secret ENV-NAME"),
        ("resources", "gpu-model=STRING"),
    ] {
        let page = run(dir.path(), &["explain", topic]);
        // The first paragraph after the name of the topic.
        let first: String = out(&page).lines().skip(1).take(4).collect();
        assert!(first.contains(wanted), "{topic}: {first}");
    }
}
