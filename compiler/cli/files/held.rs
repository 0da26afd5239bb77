//! Signals that ask for the end wait while files take their names: all of them are written, or none.

/// Does work that no Ctrl-C, TERM or hangup ends halfway. A signal that came meanwhile ends the process after it.
#[cfg(target_os = "linux")]
pub fn held<T>(work: impl FnOnce() -> T) -> T {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    let (over, came) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // `nohup`, and a script that starts this in the background, ignore some. One that cannot be held ends the process as usual.
        if !crate::running::is_ignored(signal) {
            let _ = flag::register_conditional_default(signal, Arc::clone(&over));
            let _ = flag::register_usize(signal, Arc::clone(&came), signal.unsigned_abs() as usize);
        }
    }
    let done = work();
    over.store(true, Ordering::SeqCst);
    if let Ok(signal @ 1..) = i32::try_from(came.load(Ordering::SeqCst)) {
        // It does not return where the signal ends the process.
        let _ = low_level::emulate_default_handler(signal);
    }
    done
}

/// Does the work; signals end it.
#[cfg(not(target_os = "linux"))]
pub fn held<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::held;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    /// The variable in which the process that is to be ended finds its file.
    const FILE: &str = "TFJOB_TEST_HELD";

    #[test]
    fn a_signal_waits_for_the_end_of_the_work_and_then_ends_the_process() {
        if let Some(file) = std::env::var_os(FILE) {
            held(|| {
                let own = std::process::id().to_string();
                assert!(Command::new("kill").args(["-TERM", &own]).status().unwrap().success());
                std::thread::sleep(std::time::Duration::from_millis(200));
                std::fs::write(&file, "whole").unwrap();
            });
            std::fs::write(file, "went on").unwrap();
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let mut command = Command::new(std::env::current_exe().unwrap());
        let name = "files::held::tests::a_signal_waits_for_the_end_of_the_work_and_then_ends_the_process";
        let status = command.args(["--exact", name]).env(FILE, &file).status().unwrap();
        assert_eq!(status.signal(), Some(15), "{status}");
        assert_eq!(std::fs::read_to_string(file).unwrap(), "whole");
    }
}
