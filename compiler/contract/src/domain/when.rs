//! How far a role has come that others start after.
use super::keywords;

keywords! {
    /// What has become of a role.
    When {
        /// Its tasks have been started.
        Started = "started",
        /// Its tasks are ready.
        Ready = "ready",
        /// Its tasks have ended well.
        Done = "done",
    }
}
