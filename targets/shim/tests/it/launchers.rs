//! A stop of a launcher that handles TERM and waits: what it has launched is told early enough to save, but not what reads data
//! for a program that saves.
use crate::job::{Folder, argv};
use crate::stopping::ran;

/// INT comes at its half, and the half of that is what a launched program has.
const GRACE: u64 = 16;

/// Logs TERM and ends after a while; a second TERM or INT ends it before.
const TRAINER: &str = "import os, signal, sys, time
def say(what): open(sys.argv[1], 'a').write(what + '\\n')
def save(number, frame):
    for other in (2, 15): signal.signal(other, lambda *_: (say('lost'), os._exit(1)))
    say('told'); time.sleep(2.5); say('saved'); os._exit(0)
signal.signal(15, save)
say('up')
while True: time.sleep(0.02)
";

/// Handles TERM and waits for what it has launched; with `forward` it passes TERM on.
const LAUNCHER: &str = "import signal, subprocess, sys
def handle(*_):
    if sys.argv[1] == 'forward': child.terminate()
signal.signal(15, handle)
child = subprocess.Popen(sys.argv[2:], start_new_session=sys.argv[1] == 'session')
child.wait()
";

/// Saves for longer than what it has launched would be left alone if it waited: it works, or waits for a worker of its own
/// that is still there. Which of the two it does is its second argument.
const SAVER: &str = "import multiprocessing, os, signal, subprocess, sys, time
def say(what): open(sys.argv[1], 'a').write(what + '\\n')
def work():
    signal.signal(15, signal.SIG_DFL); time.sleep(60)
if __name__ == '__main__':
    if sys.argv[2] == 'works': helper = subprocess.Popen(['sleep', '60'])
    else:
        helper = multiprocessing.get_context(sys.argv[2]).Process(target=work); helper.start()
        helper.poll = lambda: helper.exitcode
    signal.signal(15, lambda *_: globals().__setitem__('asked', True))
    asked = False
    say('up')
    while not asked: time.sleep(0.02)
    end = time.monotonic() + 5.5
    while time.monotonic() < end:
        if sys.argv[2] != 'works': time.sleep(0.1)
        if helper.poll() is not None: say('lost'); os._exit(1)
    say('saved')
    os._exit(0)
";

/// What a program logs that is stopped with this grace: `$LOG` and the names of scripts stand for their paths.
fn logged(command: &[&str]) -> String {
    let folder = Folder::new();
    let log = folder.0.join("log").display().to_string();
    let paths = [("trainer.py", TRAINER), ("launcher.py", LAUNCHER), ("saver.py", SAVER)]
        .map(|(name, text)| (name, folder.write(name, text).display().to_string()));
    let place = |word: &&str| {
        let mut word = word.replace("$LOG", &log);
        for (name, path) in &paths {
            word = word.replace(name, path);
        }
        word
    };
    let words: Vec<String> = command.iter().map(place).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let read = || std::fs::read_to_string(&log).unwrap_or_default();
    ran(&folder, argv(&words), Some(GRACE), "TERM", || read().contains("up"));
    read()
}

#[test]
fn what_a_launcher_that_waits_has_launched_has_time_to_save() {
    let launcher = ["python3", "launcher.py"];
    let trainer = ["python3", "trainer.py", "$LOG"];
    let shell = ["sh", "-c", "python3 trainer.py $LOG; true"];
    std::thread::scope(|scope| {
        for (manner, launched) in
            [("wait", &trainer[..]), ("session", &trainer), ("wait", &shell), ("forward", &trainer)]
        {
            let command = [&launcher[..], &[manner], launched].concat();
            scope.spawn(move || assert_eq!(logged(&command), "up\ntold\nsaved\n", "{command:?}"));
        }
    });
}

#[test]
fn what_a_program_that_saves_has_started_is_not_taken_from_it() {
    std::thread::scope(|scope| {
        for manner in ["works", "fork", "spawn", "forkserver"] {
            scope.spawn(move || {
                let command = ["python3", "saver.py", "$LOG", manner];
                assert_eq!(logged(&command), "up\nsaved\n", "{manner}");
            });
        }
    });
}
