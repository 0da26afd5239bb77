//! Quoting: the module or the program gets each text of the spec unchanged, even if the text contains shell or JSON syntax.
use super::{apps, marathon, options, package};
use serde_json::Value;
use std::os::unix::process::CommandExt;

/// Texts that break naive quoting.
const HOSTILE: [&str; 14] = [
    "",
    " both ends ",
    "it's",
    "\"double\"",
    "back\\slash",
    "$HOME ${HOME} $(id) `id`",
    "{{mustache}} }} %7B",
    "a\nb\tc\rd",
    "!history # ; & | > < * ? [x] ~",
    "--flag=\u{e9}\u{6f22}\u{1f600}",
    "{\"json\": [1, \"x\"]}",
    "\u{1}\u{7f}",
    "<b>&amp;</b>",
    "-",
];

/// Returns the text as a string of the spec, in which opening braces are doubled so that they are no reference.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '{' => out.push_str("{{"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

pub fn hostile_texts_reach_the_package_as_json_in_a_text() {
    for text in HOSTILE.into_iter().filter(|text| serde_json::from_str::<Value>(text).is_err()) {
        let word = literal(&format!("--word={text}"));
        let found = options(&package("", "", "").replace("\"train.py\"", &format!("\"train.py\" {word}")));
        let context = found["service"]["job_context"].as_str().unwrap();
        let context: Value = serde_json::from_str(context).unwrap();
        assert_eq!(context["word"], text);
    }
    let typed = "param \"a\" 1\n param \"b\" 0.10\n param \"c\" \"007\"\n param \"d\" #false";
    let words = "\"train.py\" \"--a={param.a}\" \"--b={param.b}\" \"--c={param.c}\" \"--d={param.d}\"";
    let found = options(&package(typed, "", "").replace("\"train.py\"", words));
    assert_eq!(found["service"]["job_context"], r#"{"a":1,"b":0.1,"c":"007","d":false}"#);
}

/// Beginning of the part of the command that keeps the app running after its program has exited.
const STAYS: &str = "\nPATH=${PATH:+$PATH:}/usr/sbin:/usr/bin:/sbin:/bin\nwhile";

/// Runs the command of an app up to the exit of its program, with the shell of this machine.
fn run(app: &Value, more: &[(&str, &str)]) -> Vec<String> {
    let command = app["cmd"].as_str().unwrap();
    let (command, _) = command.split_once(STAYS).unwrap();
    let env = app["env"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(k, v)| (k.as_str(), v.as_str().unwrap_or("secret")));
    let done = std::process::Command::new("/bin/sh")
        .args(["-c", command])
        .env("MESOS_SANDBOX", std::env::temp_dir())
        .envs(env)
        .envs(more.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.ends_with(" exited with code 0\n"), "{said}\n{command}");
    String::from_utf8(done.stdout).unwrap().split('\0').map(str::to_owned).collect()
}

/// Prints its arguments and an environment variable, each followed by a NUL byte.
const ECHO: &str =
    r##""sh" "-c" "for w in \"$@\"; do printf '%s\\000' \"$w\"; done; printf '%s\\000' \"$LATE\"" "sh""##;

/// `{env.HOME}` is the value of the container even if the spec sets `HOME`; the scratch directory is in the sandbox.
pub fn folders_are_where_the_platform_says() {
    let home = std::env::temp_dir().join("tfjob-folders-are");
    std::fs::create_dir_all(home.join("a")).unwrap();
    let spec = marathon("env { HOME \"/nowhere\" }; workdir \"{env.HOME}/a\"", "").replace(
        "\"python\" \"train.py\"",
        "\"sh\" \"-c\" \"printf '%s\\\\000' \\\"$PWD\\\" \\\"$HOME\\\" \\\"$1\\\"\" \"sh\" \"{scratch}\"",
    );
    let home = home.to_str().unwrap();
    let said = run(&apps(&spec)[0], &[("HOME", home), ("MESOS_SANDBOX", home)]);
    assert_eq!(said, [&format!("{home}/a"), "/nowhere", &format!("{home}/tfjob-scratch"), ""]);
    std::fs::remove_dir_all(home).unwrap();
}

pub fn hostile_texts_reach_a_task_as_they_were_written() {
    let words: Vec<String> = HOSTILE.iter().map(|text| literal(text)).collect();
    for text in HOSTILE {
        let job = format!("env {{\n PLAIN {0}\n LATE \"{{env.OLD}}|\"\n OLD {0}\n}}", literal(text));
        let spec =
            marathon(&job, "").replace("\"python\" \"train.py\"", &format!("{ECHO} {}", words.join(" ")));
        let app = &apps(&spec)[0];
        assert_eq!(app["env"]["PLAIN"], text);
        let mut expected: Vec<String> = HOSTILE.map(str::to_owned).into();
        // The value that the image sets, not the value of the job.
        expected.extend(["image|".to_owned(), String::new()]);
        let mut image = app.clone();
        image["env"].as_object_mut().unwrap().remove("OLD");
        assert_eq!(run(&image, &[("OLD", "image")]), expected, "{text:?}");
    }
}

pub fn a_program_may_be_called_as_the_shell_calls_its_own() {
    for name in ["if", "exec", "a=b", "cd", "test"] {
        let spec = marathon("", "").replace("\"python\" \"train.py\"", &format!("\"{name}\" \"-d\" \"/\""));
        let command = apps(&spec)[0]["cmd"].as_str().unwrap().to_owned();
        let (command, _) = command.split_once(STAYS).unwrap();
        let done = std::process::Command::new("/bin/sh").args(["-c", command]).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        let code = if name == "test" { "code 0\n" } else { "code 127\n" };
        assert!(said.ends_with(code), "{name}: {said}");
    }
}

/// Environment variables that affect a shell, its tools, or the dynamic linker; these values break a command that is not protected.
const UNFRIENDLY: [(&str, &str); 14] = [
    ("OPTIND", "7"),
    ("OPTERR", "0"),
    ("POSIXLY_CORRECT", "1"),
    ("COMP_WORDBREAKS", " "),
    ("BASH_ARGV0", "x"),
    ("PATH", "/opt/program/bin"),
    ("IFS", "/"),
    ("CDPATH", "/usr"),
    ("ENV", "/nowhere/env"),
    ("BASH_ENV", "/nowhere/bash-env"),
    ("LD_PRELOAD", "/nowhere/lib.so"),
    ("LD_LIBRARY_PATH", "/nowhere"),
    ("PS4", "$(exit 3)"),
    ("TAR_OPTIONS", "--no-such-option"),
];

/// Starts the command of an app with a shell that an image may use as `/bin/sh`, in a separate sandbox.
fn started(
    shell: &[&str],
    command: &str,
    env: &[(&str, &str)],
    sandbox: &std::path::Path,
) -> std::process::Child {
    std::fs::create_dir_all(sandbox).unwrap();
    let mut start = std::process::Command::new(shell[0]);
    start.args(&shell[1..]).args(["-c", command]).current_dir(sandbox).env_clear();
    start.env("PATH", "/usr/bin:/bin").env("MESOS_SANDBOX", sandbox).envs(env.iter().copied());
    let file = |name: &str| std::fs::File::create(sandbox.join(name)).unwrap();
    start.stderr(file("stderr")).stdout(file("seen")).stdin(std::process::Stdio::null());
    start.process_group(0).spawn().unwrap()
}

/// A started command, and the variable that its program must get.
struct Started {
    child: std::process::Child,
    sandbox: std::path::PathBuf,
    /// Name of the environment variable that the job sets.
    name: &'static str,
    value: &'static str,
    what: String,
}

/// Starts the command of a job that sets this environment variable.
fn start(shell: &[&str], name: &'static str, value: &'static str) -> Started {
    // Each run of this test has a separate directory.
    let own = format!("{}-{}-{name}", std::process::id(), shell.len());
    let sandbox = std::env::temp_dir().join(format!("tfjob-unfriendly-{own}"));
    let _ = std::fs::remove_dir_all(&sandbox);
    std::fs::create_dir_all(sandbox.join("tfjob-out")).unwrap();
    let job = format!("env {{ {name} {} }}", literal(value));
    let program = "\"/usr/bin/env\" \"SCRATCH={scratch}\"";
    let app = &apps(&marathon(&job, "").replace("\"python\" \"train.py\"", program))[0];
    let command = app["cmd"].as_str().unwrap();
    let env: Vec<_> = app["env"].as_object().unwrap().iter().collect();
    let env: Vec<_> = env.iter().map(|(k, v)| (k.as_str(), v.as_str().unwrap())).collect();
    let child = started(shell, command, &env, &sandbox);
    Started { child, sandbox, name, value, what: format!("{shell:?} {name}\n{command}") }
}

/// Kills a command and all processes that it has started.
fn kill(child: &mut std::process::Child) {
    let group = format!("-{}", child.id());
    assert!(
        std::process::Command::new("kill").args(["-s", "KILL", "--", &group]).status().unwrap().success()
    );
    child.wait().unwrap();
}

/// Returns the CPU time that a process has used, in clock ticks.
fn ticks(child: &std::process::Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let after: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    after[11].parse::<u64>().unwrap() + after[12].parse::<u64>().unwrap()
}

/// Without `HOME`, with each of these variables, and with no tool in its `PATH`, the command of an app starts its program with
/// the variable, and then keeps the app running without a busy loop.
pub fn no_variable_of_the_job_breaks_the_command_around_it() {
    let shells = [&["/bin/sh"][..], &["/bin/bash", "--posix"]];
    let of = |shell: &'static [&str]| UNFRIENDLY.iter().map(move |(name, value)| start(shell, name, value));
    let mut all: Vec<Started> = shells.into_iter().flat_map(of).collect();
    let said = |one: &Started| std::fs::read_to_string(one.sandbox.join("stderr")).unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while std::time::Instant::now() < until && !all.iter().all(|one| said(one).contains(" exited with code "))
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let before: Vec<u64> = all.iter().map(|one| ticks(&one.child)).collect();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let used: Vec<u64> = all.iter().zip(before).map(|(one, before)| ticks(&one.child) - before).collect();
    let ended: Vec<_> = all.iter_mut().map(|one| one.child.try_wait().unwrap()).collect();
    all.iter_mut().for_each(|one| kill(&mut one.child));
    for ((one, used), ended) in all.iter().zip(used).zip(ended) {
        let said = said(one);
        let seen = std::fs::read_to_string(one.sandbox.join("seen")).unwrap_or_default();
        let what = format!("{}\n{said}", one.what);
        assert_eq!(ended, None, "{what}");
        assert!(said.contains(" exited with code 0\n") && !said.contains("not found"), "{what}");
        assert!(seen.lines().any(|line| line == format!("{}={}", one.name, one.value)), "{what}\n{seen}");
        assert!(used < 20, "{what}: {used} ticks");
        std::fs::remove_dir_all(&one.sandbox).unwrap();
    }
}

pub fn a_command_without_any_tool_does_not_loop() {
    let command = apps(&marathon("", ""))[0]["cmd"].as_str().unwrap().to_owned();
    // As in an image without coreutils, `sleep` does not exist.
    let command = command.replace("sleep 3600", "no-such-sleep 3600").replace("python", "/bin/true");
    let sandbox = std::env::temp_dir().join("tfjob-no-tool");
    let mut child = started(&["/bin/sh"], &command, &[], &sandbox);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    kill(&mut child);
    let state = stat.rsplit_once(')').unwrap().1.trim_start().chars().next();
    assert_eq!(state, Some('T'), "{stat}");
    let said = std::fs::read_to_string(sandbox.join("stderr")).unwrap();
    assert_eq!(said.matches("no-such-sleep").count(), 1, "{said}");
    std::fs::remove_dir_all(&sandbox).unwrap();
}
