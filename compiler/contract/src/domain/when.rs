//! States that a role must reach before other roles start.
use super::keywords;

keywords! {
    /// State of a role.
    When {
        /// Its tasks have started.
        Started = "started",
        /// Its tasks are ready.
        Ready = "ready",
        /// Its tasks have succeeded.
        Done = "done",
    }
}
