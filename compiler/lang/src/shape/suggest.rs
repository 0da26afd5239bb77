//! What was meant by a name that does not stand here: a near one, the language's word for it, or another place.
use super::words::one_of;
use super::{Choice, Field, Place, Shape};
use crate::diagnostic::{Diagnostic, Fix, kebab, nearest};
use crate::resolve::known_roles;
use crate::sources::Span;
use crate::spec::FrameworkName;
use crate::syntax::guard::MAX_TOLD;

/// Words that other systems have for ours, as [`crate::diagnostic::kebab`] writes them: theirs, ours, and whether their
/// values are ours too. Where not, what is meant is said, and no machine writes it.
const WORDS: &[(&str, &str, bool)] = &[
    ("active-deadline-seconds", "deadline", false),
    ("args", "run", false),
    ("amd.com/gpu", "device", false),
    ("arguments", "run", false),
    ("backoff-limit", "limit", true),
    ("checkpoint", "checkpoints", true),
    ("checkpoint-path", "checkpoints", true),
    ("cmd", "run", true),
    ("command", "run", true),
    ("conda", "stage", false),
    ("container", "image", false),
    ("container-image", "image", true),
    ("cores", "cpus", true),
    ("cpu", "cpus", true),
    ("dataset", "data", false),
    ("dependencies", "after", false),
    ("depends-on", "after", false),
    ("docker", "image", false),
    ("docker-image", "image", true),
    ("entrypoint", "run", true),
    ("env-vars", "env", true),
    ("environment", "env", true),
    ("executor-cores", "cpus", true),
    ("executor-memory", "memory", true),
    ("git", "code", false),
    ("gpu", "gpus", true),
    ("grace-period", "grace", true),
    ("hyperparameters", "param", true),
    ("image-name", "image", true),
    ("image-pull-policy", "pull", true),
    ("image-pull-secret", "pull-secret", true),
    ("image-pull-secrets", "pull-secret", true),
    ("input", "data", false),
    ("instances", "count", true),
    ("launch-command", "run", true),
    ("log-dir", "logs", true),
    ("logdir", "logs", true),
    ("max-restarts", "limit", true),
    ("max-retries", "limit", true),
    ("max-runtime", "deadline", true),
    ("mem", "memory", true),
    ("mount", "at", true),
    ("mount-path", "at", true),
    ("node-selector", "place", false),
    ("ns", "namespace", true),
    ("num-cpus", "cpus", true),
    ("num-executors", "count", true),
    ("num-gpus", "gpus", true),
    ("num-workers", "count", true),
    ("number", "count", true),
    ("number-of-containers", "count", true),
    ("nvidia.com/gpu", "gpus", true),
    ("parallelism", "count", true),
    ("parameter", "param", true),
    ("parameters", "param", true),
    ("params", "param", true),
    ("path", "at", false),
    ("placement", "place", true),
    ("ports", "port", true),
    ("ram", "memory", true),
    ("read-write", "writable", true),
    ("readiness", "ready", true),
    ("replica", "count", true),
    ("replicas", "count", true),
    ("restart-policy", "restart", false),
    ("restarts", "limit", false),
    ("retries", "limit", true),
    ("script", "shell", true),
    ("secrets", "secret", true),
    ("shm", "shared-memory", true),
    ("shm-size", "shared-memory", true),
    ("source", "code", false),
    ("task", "role", true),
    ("time-limit", "deadline", true),
    ("timeout", "deadline", true),
    ("ttl", "for", false),
    ("ttl-seconds-after-finished", "for", false),
    ("vcores", "cpus", true),
    ("virtualenv", "stage", false),
    ("volume", "data", false),
    ("volume-mounts", "data", false),
    ("volumes", "data", false),
    ("wall-time", "deadline", true),
    ("walltime", "deadline", true),
    ("workers", "role", false),
    ("working-dir", "workdir", true),
    ("working-directory", "workdir", true),
];

/// Words that other systems have for one of our values, as [`crate::diagnostic::kebab`] writes them: theirs and ours.
const VALUES: &[(&str, &str)] = &[
    ("active", "started"),
    ("available", "ready"),
    ("begun", "started"),
    ("complete", "done"),
    ("completed", "done"),
    ("created", "started"),
    ("each", "all"),
    ("ended", "done"),
    ("exited", "done"),
    ("failure", "failed"),
    ("finished", "done"),
    ("healthy", "ready"),
    ("if-not-present", "missing"),
    ("listening", "ready"),
    ("master", "chief"),
    ("mwms", "multi-worker-mirrored"),
    ("no", "never"),
    ("node", "host"),
    ("none", "never"),
    ("ps", "parameter-server"),
    ("running", "started"),
    ("succeeded", "done"),
    ("success", "done"),
    ("terminated", "done"),
    ("tf", "tensorflow"),
    ("torch", "pytorch"),
    ("unless-stopped", "always"),
    ("up", "ready"),
    ("worker-0", "chief"),
    ("worker0", "chief"),
    ("worker:0", "chief"),
];

/// The choice that was meant by a word that is none of them: theirs for it, or a near one.
pub(super) fn choice_meant<'c>(word: &str, choices: &'c [Choice]) -> Option<&'c str> {
    let words = || choices.iter().map(|choice| choice.word);
    // `tf.distribute.MirroredStrategy` and `OnFailure` are the words of libraries for ours.
    let folded = kebab(word.rsplit('.').next().unwrap_or(word));
    let bare = folded.split("-strategy").next().unwrap_or_default();
    let theirs = VALUES.iter().find(|(theirs, _)| *theirs == bare).map(|(_, ours)| *ours);
    let same = words().find(|word| theirs == Some(*word));
    same.or_else(|| nearest(word, words())).or_else(|| nearest(bare, words()))
}

/// Whether some framework has a role of that name.
pub(super) fn is_role_word(word: &str) -> bool {
    let known = |framework| known_roles(framework).unwrap_or_default().iter();
    FrameworkName::ALL.iter().any(|framework| known(*framework).any(|(name, _)| *name == word))
}

/// What was meant by an unknown name.
pub(super) struct Meant<'s> {
    /// The field of this place that it resembles: the name is counted as that field, which is then not missing.
    pub near: Option<&'s str>,
    /// Words for the user.
    help: Option<String>,
    /// Whether `near` is the one right answer.
    sure: bool,
    /// Whether the name stands in quotes.
    pub quoted: bool,
    /// Whether that field is given beside it already, so that renaming mends nothing.
    pub taken: bool,
}

impl<'s> Meant<'s> {
    /// Looks for `word` among the fields that may stand here, and in every other place of `root`. Of a text with
    /// hundreds of problems, `told`, nobody reads what was meant by the next.
    pub fn find(root: &'s Shape, word: &str, here: &[&'s Field], told: usize) -> Self {
        if told >= MAX_TOLD {
            return Self { near: None, help: None, sure: false, quoted: false, taken: false };
        }
        let folded = kebab(word);
        let known = WORDS.iter().find(|(theirs, ..)| *theirs == folded);
        let other = known.map(|(_, ours, _)| *ours);
        let ours = other.and_then(|ours| here.iter().find(|field| field.name == ours));
        let names = || here.iter().map(|field| field.name);
        let misspelt = || {
            let theirs = nearest(&folded, WORDS.iter().map(|(theirs, ..)| *theirs).filter(|w| w.len() > 4))?;
            let ours = WORDS.iter().find(|(word, ..)| *word == theirs)?.1;
            here.iter().find(|field| field.name == ours).map(|field| field.name)
        };
        let near = ours.map(|field| field.name).or_else(|| nearest(word, names())).or_else(misspelt);
        let elsewhere = elsewhere(root, word, here);
        let translated = || other.and_then(|ours| self::elsewhere(root, ours, here));
        let help = match (near, &elsewhere) {
            (Some(near), None) => Some(format!("did you mean `{near}`?")),
            (Some(near), Some(place)) => Some(format!("did you mean `{near}`? {place}")),
            (None, Some(place)) => Some(place.clone()),
            (None, None) => translated().or_else(|| of_targets(root, word)).or_else(|| list(here)),
        };
        let sure = near.is_some() && elsewhere.is_none() && known.is_none_or(|(.., same)| *same);
        Self { near, help, sure, quoted: false, taken: false }
    }

    /// Whether that field is what was meant, and its values too.
    pub fn is_sure(&self) -> bool {
        self.sure && !self.taken
    }

    /// Tells it: `at` are the words of the name.
    pub fn tell(&self, diagnostic: Diagnostic, at: Span) -> Diagnostic {
        let told = match (&self.help, self.near) {
            (Some(help), Some(_)) if self.taken => {
                diagnostic.help(format!("{help} That is given here already: keep one of the two"))
            }
            (Some(help), _) => diagnostic.help(help.clone()),
            (None, _) => diagnostic,
        };
        match self.near.filter(|_| !self.taken) {
            Some(near) if self.sure && self.quoted => told.fix(Fix::replace(at, format!("\"{near}\""))),
            Some(near) if self.sure => told.fix(Fix::replace(at, near)),
            _ => told,
        }
    }
}

fn list(here: &[&Field]) -> Option<String> {
    const MANY: usize = 16;
    let all = || here.iter().map(|field| field.name);
    match here.len() {
        0 => None,
        1..=MANY => Some(format!("known here: {}", one_of(all(), "and"))),
        _ => {
            let first: Vec<String> = all().take(MANY).map(|name| format!("`{name}`")).collect();
            Some(format!("known here: {} and others", first.join(", ")))
        }
    }
}

/// ``` `gpus` is a property of `resources` ```, for a name that stands in another place.
fn elsewhere(root: &Shape, word: &str, here: &[&Field]) -> Option<String> {
    let mut found: Vec<(&str, Place)> = Vec::new();
    collect(root, "", word, &mut found);
    found.retain(|(owner, _)| !owner.is_empty() && !here.iter().any(|field| field.name == word));
    let place = found.iter().find(|(_, place)| place.is_node()).or(found.first())?.1;
    let mut owners: Vec<&str> = Vec::new();
    for (owner, other) in &found {
        if other.is_node() == place.is_node() && !owners.contains(owner) {
            owners.push(owner);
        }
    }
    let kind = if place.is_node() { "node" } else { "property" };
    Some(format!("`{word}` is a {kind} of {}", one_of(owners, "and")))
}

/// ``` `queue` stands in `target "X"` ```, for a word that only platforms know.
fn of_targets(root: &Shape, word: &str) -> Option<String> {
    let targets = root.block(&[("job", None)])?.field("target")?;
    let Shape::Object(all) = &targets.shape else { return None };
    let knows = |target: &&Field| match &target.shape {
        Shape::Object(options) => options.field(word).is_some(),
        _ => false,
    };
    let names: Vec<String> =
        all.fields.iter().filter(knows).map(|target| format!("target \"{}\"", target.name)).collect();
    let words = one_of(names.iter().map(String::as_str), "or");
    (!names.is_empty()).then(|| format!("`{word}` stands in {words}"))
}

fn collect<'s>(shape: &'s Shape, owner: &'s str, word: &str, found: &mut Vec<(&'s str, Place)>) {
    match shape {
        Shape::Object(object) => {
            for field in object.fields {
                if field.name == word && field.place != Place::Arg {
                    found.push((owner, field.place));
                }
                // What a target knows is not offered to the rest of the file.
                if field.place != Place::Targets {
                    collect(&field.shape, field.name, word, found);
                }
            }
        }
        Shape::Keyed(keyed) => collect(&keyed.item, owner, word, found),
        Shape::List(list) => collect(&list.item, owner, word, found),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => {}
    }
}
