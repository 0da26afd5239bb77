//! States that a role must reach before other roles start.
use super::keywords;

keywords! {
    /// State of a role.
    When {
        /// All tasks of the role have started.
        Started = "started",
        /// All tasks of the role are ready.
        Ready = "ready",
        /// All tasks of the role have succeeded.
        Done = "done",
    }
}
