//! How a platform names queues: what names the queue of a job, and which names are of one queue.
use crate::sources::Span;

/// The queue of a job that something else than the option of its target names.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// Its name; none where a patch removes it.
    pub name: Option<String>,
    /// What names it: a label or a patch.
    pub at: Span,
}

/// How the platform finds a queue by its name.
#[derive(Debug, Clone, Copy)]
pub struct Queues {
    /// The option of the target that names the queue of a job.
    pub option: &'static str,
    /// The queue above all others, where queues have paths: `root` of `root.ml.ads`. The last name of a path is a name of
    /// its queue, unless another queue ends in it.
    pub root: Option<&'static str>,
    /// The queue of a job that names none.
    pub default: DefaultQueue,
}

/// The queue of a job that names none.
#[derive(Debug, Clone, Copy)]
pub struct DefaultQueue {
    /// Its name.
    pub name: &'static str,
    /// Whether such a job is surely in it, unless the site is set up otherwise.
    pub sure: bool,
    /// What becomes of such a job where the cluster file has no queue of this name.
    pub fact: &'static str,
    /// What the site may do otherwise, as in `name one of `ml`; …`.
    pub help: &'static str,
}

impl Queues {
    /// Whether two names are of one queue: those of which one is the other below the root.
    pub(super) fn is_one(self, a: &str, b: &str) -> bool {
        let own = |name| self.root.and_then(|root| str::strip_prefix(name, root)?.strip_prefix('.'));
        own(a).unwrap_or(a) == own(b).unwrap_or(b)
    }

    /// Whether a name is the last one of the path of a queue.
    pub(super) fn is_last(self, path: &str, name: &str) -> bool {
        self.root.is_some() && path.rsplit_once('.').is_some_and(|(_, last)| last == name)
    }

    /// Whether a name is a path that does not begin at the root.
    pub(super) fn is_rootless(self, name: &str) -> bool {
        self.root.is_some_and(|root| name.split_once('.').is_some_and(|(first, _)| first != root))
    }
}
