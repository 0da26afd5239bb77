//! Signals that ask for the end wait while files take their names: all of them are written, or none.

/// Signals are handled from the first work on, and end the process as usual while there is none.
#[cfg(target_os = "linux")]
struct Held {
    /// How many works are under way.
    works: std::sync::Mutex<usize>,
    /// Whether there is none.
    over: std::sync::Arc<std::sync::atomic::AtomicBool>,
    /// The last signal that came during a work.
    came: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

#[cfg(target_os = "linux")]
static HELD: std::sync::LazyLock<Held> = std::sync::LazyLock::new(|| {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let held = Held { works: 0.into(), over: std::sync::Arc::default(), came: std::sync::Arc::default() };
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // `nohup`, and a script that starts this in the background, ignore some. One that cannot be held ends the process as usual.
        if !crate::running::is_ignored(signal) {
            let _ = signal_hook::flag::register_conditional_default(signal, held.over.clone());
            let _ =
                signal_hook::flag::register_usize(signal, held.came.clone(), signal.unsigned_abs() as usize);
        }
    }
    held
});

/// Does work that no Ctrl-C, TERM or hangup ends halfway. A signal that came meanwhile ends the process after it.
#[cfg(target_os = "linux")]
pub fn held<T>(work: impl FnOnce() -> T) -> T {
    use std::sync::PoisonError;
    use std::sync::atomic::Ordering;
    let count = || HELD.works.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut works = count();
        *works += 1;
        HELD.over.store(false, Ordering::SeqCst);
    }
    let done = work();
    let mut works = count();
    *works -= 1;
    if *works == 0 {
        HELD.over.store(true, Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(HELD.came.load(Ordering::SeqCst)) {
            // It does not return where the signal ends the process.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
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
            // An earlier work leaves nothing behind that ends this one.
            held(|| ());
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
