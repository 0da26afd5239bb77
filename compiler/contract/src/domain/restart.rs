//! When a task is restarted.
use super::keywords;

keywords! {
    /// When a task is restarted.
    RestartOn {
        /// Never.
        Never = "never",
        /// If it exits with a code other than 0, or its node is lost.
        OnFailure = "on-failure",
        /// Whenever it exits.
        Always = "always",
    }
}
