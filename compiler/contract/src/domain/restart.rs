//! When a task is restarted.
use super::keywords;

keywords! {
    /// When a task is restarted.
    RestartOn {
        /// The task is never restarted.
        Never = "never",
        /// The task is restarted if it exits with a code other than 0, or if its node is lost.
        OnFailure = "on-failure",
        /// The task is restarted after every exit.
        Always = "always",
    }
}
