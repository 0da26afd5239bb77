//! Queue names of a platform: where the queue of a job is set, and which names refer to the same queue.
use crate::sources::Span;

/// The queue of a job, set by a label or a patch instead of the option of the target.
#[derive(Debug, Clone)]
pub struct ExplicitQueue {
    /// Name of the queue; `None` if a patch removes the setting.
    pub name: Option<String>,
    /// Span of the label or patch that sets the queue.
    pub at: Span,
}

/// How the platform resolves the name of a queue.
#[derive(Debug, Clone, Copy)]
pub struct Queues {
    /// Option of the target that sets the queue of a job.
    pub option: &'static str,
    /// Name of the root queue, if queue names are paths: `root` in `root.ml.ads`. A job can also name a queue by the last part of
    /// the path, such as `ads`, unless several paths end in this part.
    pub root: Option<&'static str>,
    /// Queue of a job that does not set one.
    pub default: DefaultQueue,
}

/// Queue of a job that does not set one.
#[derive(Debug, Clone, Copy)]
pub struct DefaultQueue {
    /// Name of the queue.
    pub name: &'static str,
    /// Whether the platform always puts a job without a queue into this queue. `false`: the configuration of the cluster may map
    /// the job to another queue.
    pub sure: bool,
    /// What happens to a job without a queue if the cluster file does not declare the default queue.
    pub fact: &'static str,
    /// Last clause of the help, after the list of queues: how a cluster may select another queue.
    pub help: &'static str,
}

impl Queues {
    /// Returns whether two names refer to the same queue: they are equal, apart from the root at their beginning.
    pub(super) fn is_same(self, a: &str, b: &str) -> bool {
        let own = |name| self.root.and_then(|root| str::strip_prefix(name, root)?.strip_prefix('.'));
        own(a).unwrap_or(a) == own(b).unwrap_or(b)
    }

    /// Returns whether `name` is the last part of a queue path, such as `ads` of `root.ml.ads`.
    pub(super) fn is_last(self, path: &str, name: &str) -> bool {
        self.root.is_some() && path.rsplit_once('.').is_some_and(|(_, last)| last == name)
    }

    /// Returns whether a queue name is a path that does not begin with the root, such as `ml.ads`.
    pub(super) fn is_rootless(self, name: &str) -> bool {
        self.root.is_some_and(|root| name.split_once('.').is_some_and(|(first, _)| first != root))
    }
}
