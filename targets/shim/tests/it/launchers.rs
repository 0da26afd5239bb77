//! A stop of a launcher: what it has launched is its own to end as long as it may pass the signal on, and is told early enough to
//! save where it does not.
use crate::job::{Folder, argv};
use crate::stopping::ran;

/// INT comes at its half, and what was not told is told 2 seconds before.
const GRACE: u64 = 20;

/// Logs TERM and saves for so many seconds; a second TERM or INT ends it before.
const TRAINER: &str = "import os, signal, sys, time
def say(what): open(sys.argv[1], 'a').write(what + '\\n')
def save(number, frame):
    for other in (2, 15): signal.signal(other, lambda *_: (say('lost'), os._exit(1)))
    say('told'); time.sleep(float(sys.argv[2])); say('saved'); os._exit(0)
signal.signal(15, save)
say('up')
while True: time.sleep(0.02)
";

/// Handles TERM and waits for what it has launched. `forward` passes TERM on, `group` sends it to the group of what it has launched,
/// and `first` ends without a word.
const LAUNCHER: &str = "import os, signal, subprocess, sys
def handle(*_):
    if sys.argv[1] == 'forward': child.terminate()
    if sys.argv[1] == 'group': os.killpg(child.pid, 15)
    if sys.argv[1] == 'first': os._exit(0)
signal.signal(15, handle)
child = subprocess.Popen(sys.argv[2:], start_new_session=sys.argv[1] in ('session', 'group'))
child.wait()
";

/// Saves longer than what it has started would be left alone if it were a launcher, and needs that: it is lost if that ends.
const SAVER: &str = "import multiprocessing, os, signal, subprocess, sys, time
def say(what): open(sys.argv[1], 'a').write(what + '\\n')
def work():
    signal.signal(15, signal.SIG_DFL); time.sleep(60)
if __name__ == '__main__':
    if sys.argv[2] == 'program': helper = subprocess.Popen(['sleep', '60'])
    else:
        helper = multiprocessing.get_context(sys.argv[2]).Process(target=work); helper.start()
        helper.poll = lambda: helper.exitcode
    signal.signal(15, lambda *_: globals().__setitem__('asked', True))
    asked = False
    say('up')
    while not asked: time.sleep(0.02)
    end = time.monotonic() + 6
    while time.monotonic() < end:
        time.sleep(0.1)
        if helper.poll() is not None: say('lost'); os._exit(1)
    say('saved')
    os._exit(0)
";

/// What a program logs that is stopped with this grace: `$LOG`, `$FIFO` and the names of scripts stand for their paths.
fn logged(command: &[&str], grace: u64) -> String {
    let folder = Folder::new();
    let log = folder.0.join("log").display().to_string();
    let mut paths = vec![("$LOG", log.clone()), ("$FIFO", folder.0.join("fifo").display().to_string())];
    for (name, text) in [("trainer.py", TRAINER), ("launcher.py", LAUNCHER), ("saver.py", SAVER)] {
        paths.push((name, folder.write(name, text).display().to_string()));
    }
    let place =
        |word: &&str| paths.iter().fold((*word).to_owned(), |word, (name, path)| word.replace(name, path));
    let words: Vec<String> = command.iter().map(place).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    ran(&folder, argv(&words), Some(grace), "TERM", || read().contains("up"));
    read()
}

/// Each program is told once, and has saved.
fn all_save(commands: &[Vec<&str>], grace: u64) {
    std::thread::scope(|scope| {
        for command in commands {
            scope.spawn(move || assert_eq!(logged(command, grace), "up\ntold\nsaved\n", "{command:?}"));
        }
    });
}

/// A trainer that saves for so long.
fn trainer(seconds: &str) -> [&str; 4] {
    ["python3", "trainer.py", "$LOG", seconds]
}

#[test]
fn what_a_launcher_may_have_told_is_not_told_again_while_it_saves() {
    let below = |manner: &'static str, launched: &[&'static str]| {
        [&["python3", "launcher.py", manner], launched].concat()
    };
    let shell = ["sh", "-c", "python3 trainer.py $LOG 6; exit $?"];
    all_save(
        &[
            below("forward", &trainer("6")),
            below("group", &shell),
            [&["timeout", "1h"], &trainer("6")[..]].concat(),
        ],
        GRACE,
    );
}

#[test]
fn the_trap_of_a_shell_tells_what_runs_in_the_background_and_nothing_else() {
    let shells = ["bash", "dash"].into_iter().flat_map(|shell| {
        [
            "trap 'kill -TERM $pid; wait $pid' TERM; python3 trainer.py $LOG 6 & pid=$!; wait $pid",
            "trap 'kill -TERM $pid' TERM; python3 trainer.py $LOG 6 & pid=$!; wait $pid; wait $pid",
            "trap 'kill -TERM $pid' TERM; python3 trainer.py $LOG 6 & pid=$!; wait $pid",
            "trap : TERM; python3 trainer.py $LOG 9; true",
            "trap : TERM; true | python3 trainer.py $LOG 9; true",
            "trap : TERM; (python3 trainer.py $LOG 9; true); true",
            "python3 trainer.py $LOG 9 & wait",
            "python3 trainer.py $LOG 9; true",
            "true | python3 trainer.py $LOG 9",
            "sleep 60 | python3 trainer.py $LOG 6",
        ]
        .map(|text| vec![shell, "-c", text])
    });
    let mut shells: Vec<Vec<&str>> = shells.collect();
    shells.extend([
        vec!["bash", "-c", "trap 'kill $(jobs -p)' EXIT; python3 trainer.py $LOG 6 & wait"],
        vec!["bash", "-c", "trap : EXIT; python3 trainer.py $LOG 9; true"],
    ]);
    all_save(&shells, GRACE);
}

#[test]
fn what_a_launcher_that_waits_has_launched_has_time_to_save() {
    let below = |manner: &'static str| [&["python3", "launcher.py", manner], &trainer("1.5")[..]].concat();
    all_save(&["wait", "session", "first"].map(below), 8);
}

#[test]
fn what_a_program_that_saves_has_started_is_not_taken_from_it() {
    std::thread::scope(|scope| {
        for manner in ["program", "fork", "spawn", "forkserver"] {
            scope.spawn(move || {
                let command = ["python3", "saver.py", "$LOG", manner];
                assert_eq!(logged(&command, GRACE), "up\nsaved\n", "{manner}");
            });
        }
        // What a trap sends may be another signal, which the program handles, as it does not handle TERM.
        for wait in ["; wait $pid", ""] {
            let text = format!(
                "trap 'kill -USR1 $pid{wait}' TERM; python3 -c \"import signal, sys, time
def save(*_): time.sleep(4); open(sys.argv[1], 'a').write('saved'); sys.exit(0)
signal.signal(10, save); open(sys.argv[1], 'a').write('up ')
while True: time.sleep(0.02)\" $LOG & pid=$!; wait $pid"
            );
            for shell in ["bash", "dash"] {
                let text = text.clone();
                scope.spawn(move || {
                    assert_eq!(logged(&[shell, "-c", &text], GRACE), "up saved", "{shell} {text}")
                });
            }
        }
        let first_thread = "import ctypes, signal, sys, threading, time
def work():
    signal.pthread_sigmask(signal.SIG_BLOCK, [15]); open(sys.argv[1], 'a').write('up ')
    signal.sigwait([15]); time.sleep(1); open(sys.argv[1], 'a').write('saved'); ctypes.CDLL(None)._exit(0)
signal.pthread_sigmask(signal.SIG_BLOCK, [15]); threading.Thread(target=work).start()
time.sleep(0.5); ctypes.CDLL(None).pthread_exit(0)";
        scope.spawn(move || assert_eq!(logged(&["python3", "-c", first_thread, "$LOG"], GRACE), "up saved"));
        // A reader that handles nothing lives as long as the program that it reads, beyond the time of the rest and of INT.
        let text = "python3 -c \"import signal, sys, time
def save(*_):
    signal.signal(2, signal.SIG_IGN)
    for part in range(60): print(part, flush=True); time.sleep(0.1)
    open(sys.argv[1], 'a').write('saved'); sys.exit(0)
signal.signal(15, save); open(sys.argv[1], 'a').write('up ')
while True: time.sleep(0.02)\" $LOG | cat >/dev/null; true";
        for shell in ["bash", "dash"] {
            scope.spawn(move || assert_eq!(logged(&[shell, "-c", text], 9), "up saved", "{shell}"));
        }
        let fifo = "mkfifo $FIFO; cat <$FIFO & python3 -c \"import signal, sys, time
def save(*_):
    for part in range(20): print(part, flush=True); time.sleep(0.1)
    open(sys.argv[1], 'a').write('saved'); sys.exit(0)
signal.signal(15, save); open(sys.argv[1], 'a').write('up ')
while True: time.sleep(0.02)\" $LOG >$FIFO";
        scope.spawn(move || assert_eq!(logged(&["sh", "-c", fifo], GRACE), "up saved"));
    });
}
