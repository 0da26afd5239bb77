//! Queue names of a platform: where the queue of a job is set, and which names refer to the same queue.
use crate::sources::Span;

/// The queue of a job, if it is not set by the option of its target.
#[derive(Debug, Clone)]
pub struct ExplicitQueue {
    /// Name; `None` if a patch removes it.
    pub name: Option<String>,
    /// Place of the label or patch that sets it.
    pub at: Span,
}

/// How the platform resolves the name of a queue.
#[derive(Debug, Clone, Copy)]
pub struct Queues {
    /// Option of the target that sets the queue of a job.
    pub option: &'static str,
    /// Root queue, if queues have paths: `root` of `root.ml.ads`. The last name of a path also refers to its queue, unless
    /// several paths end in it.
    pub root: Option<&'static str>,
    /// Queue of a job that does not set one.
    pub default: DefaultQueue,
}

/// Queue of a job that does not set one.
#[derive(Debug, Clone, Copy)]
pub struct DefaultQueue {
    /// Name of the queue.
    pub name: &'static str,
    /// Whether the platform puts such a job into this queue unless the cluster is configured differently.
    pub sure: bool,
    /// What happens to such a job if the cluster file has no queue of this name.
    pub fact: &'static str,
    /// End of the help, after the list of queues: how a cluster may select another queue.
    pub help: &'static str,
}

impl Queues {
    /// Returns whether two names refer to the same queue, with or without the root.
    pub(super) fn is_same(self, a: &str, b: &str) -> bool {
        let own = |name| self.root.and_then(|root| str::strip_prefix(name, root)?.strip_prefix('.'));
        own(a).unwrap_or(a) == own(b).unwrap_or(b)
    }

    /// Returns whether the name is the last part of the path.
    pub(super) fn is_last(self, path: &str, name: &str) -> bool {
        self.root.is_some() && path.rsplit_once('.').is_some_and(|(_, last)| last == name)
    }

    /// Returns whether the name is a path that does not begin at the root.
    pub(super) fn is_rootless(self, name: &str) -> bool {
        self.root.is_some_and(|root| name.split_once('.').is_some_and(|(first, _)| first != root))
    }
}
