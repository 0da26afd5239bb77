//! Delays termination signals while files are renamed, so that all of them are written, or none.

/// State of the signal handlers. They are installed at the first use. While no operation of [`held`] is in progress, signals
/// terminate the process as usual.
#[cfg(target_os = "linux")]
struct Held {
    /// Number of operations of [`held`] in progress.
    works: std::sync::Mutex<usize>,
    /// Whether no operation is in progress.
    over: std::sync::Arc<std::sync::atomic::AtomicBool>,
    /// Last signal received during an operation.
    came: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

#[cfg(target_os = "linux")]
static HELD: std::sync::LazyLock<Held> = std::sync::LazyLock::new(|| {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let held = Held { works: 0.into(), over: std::sync::Arc::default(), came: std::sync::Arc::default() };
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // Ignored signals stay ignored (`nohup`, background processes). If a handler cannot be installed, the signal terminates the
        // process as usual.
        if !crate::running::is_ignored(signal) {
            let _ = signal_hook::flag::register_conditional_default(signal, held.over.clone());
            let _ =
                signal_hook::flag::register_usize(signal, held.came.clone(), signal.unsigned_abs() as usize);
        }
    }
    held
});

/// Runs an operation that SIGINT, SIGTERM, and SIGHUP cannot interrupt. A signal received meanwhile terminates the process
/// afterwards.
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
            // This call does not return if the signal terminates the process.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
    done
}

/// Runs an operation. On this platform, signals can interrupt the operation.
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

    /// Environment variable with the path of the file that the child process of the test writes. The child receives the signal.
    const FILE: &str = "TFJOB_TEST_HELD";

    #[test]
    fn a_signal_waits_for_the_end_of_the_work_and_then_ends_the_process() {
        if let Some(file) = std::env::var_os(FILE) {
            // A finished operation must not affect the next one.
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
