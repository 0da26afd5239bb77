//! Digests of a resolved spec, in which base files, `--set`, and the defaults of a cluster file are already merged. No digest
//! depends on comments, layout, the units of resource amounts, or the order of fields. Each depends on the order of list items, roles,
//! and helpers. The digest of the tasks also depends on the order of the entries that reach them, such as variables, and on how
//! parameters are written.
use crate::at::At;
use crate::plan::Plan;
use crate::spec::is_ordered;
use crate::spec::values::{Memory, Word, WordKind};
use crate::tree::{Entry, Tree, Value};
use sha2::{Digest as _, Sha256};

/// Version of the format in which a spec is hashed. This number is part of the hashed bytes, so each new version changes all
/// digests. The digest of a job also changes if a default that its merged tree contains changes.
const FORMAT: u8 = 1;

/// Length in bytes of a digest from [`Plan::spec_digest`]: `sha256:` and 64 digits.
pub const LENGTH: usize = "sha256:".len() + 64;

/// Number of digits of a digest in the name of an object.
const SHORT: usize = 8;

/// Returns the first digits of a digest, for the name of an object.
#[must_use]
pub fn short(digest: &str) -> &str {
    let digits = digest.rsplit(':').next().unwrap_or_default();
    digits.get(..SHORT).unwrap_or(digits)
}

/// Returns whether a part of a name has the form of [`short`].
#[must_use]
pub fn is_short(part: &str) -> bool {
    part.len() == SHORT && part.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'))
}

/// Fields of a job that no task sees: texts for people, and a program that the job does not wait for.
pub(crate) const WITHOUT_TASKS: [&str; 3] = ["allow", "description", "tensorboard"];

const fn kind(value: &Word) -> u8 {
    match value.kind {
        WordKind::Text => b's',
        WordKind::Int => b'i',
        WordKind::Float => b'r',
        WordKind::Flag => b't',
    }
}

/// Digests of a job without its `target` blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    spec: [u8; 32],
    /// Without the fields that no task sees.
    tasks: [u8; 32],
}

impl Digest {
    /// Returns the digests of a job. `tree`: the merged tree of the job, with the defaults of the job in each role. `params`: the
    /// parameters as they are written, because tasks get `0.10`, not the number.
    #[must_use]
    pub fn of(tree: &Tree, params: &[(At<String>, Word)]) -> Self {
        let hash = |bytes: &[u8]| Sha256::digest(bytes).into();
        let (mut spec, mut tasks) = (Vec::new(), Vec::new());
        write(tree, Position::Job, &mut spec);
        write(tree, Position::Tasks, &mut tasks);
        for (name, value) in params {
            text(&mut tasks, b'k', &name.value);
            text(&mut tasks, kind(value), &value.text);
        }
        Self { spec: hash(&spec), tasks: hash(&tasks) }
    }
}

impl Plan {
    /// Returns the digest of the spec as one target reads it, without the blocks of other targets: `sha256:` and 64 digits.
    #[must_use]
    pub fn spec_digest(&self, target: &str) -> String {
        self.target_digest(&self.digest.spec, target)
    }

    /// Returns the digest of the spec as the tasks of one target see it: without `description`, `allow`, and `tensorboard`.
    #[must_use]
    pub fn task_digest(&self, target: &str) -> String {
        self.target_digest(&self.digest.tasks, target)
    }

    fn target_digest(&self, job: &[u8; 32], target: &str) -> String {
        let mut bytes = vec![FORMAT];
        bytes.extend(job);
        for blocks in std::iter::once(&self.targets).chain(self.roles.iter().map(|role| &role.targets)) {
            match blocks.get(target) {
                Some(block) => write(block, Position::Other, &mut bytes),
                None => bytes.push(b'-'),
            }
        }
        let digits = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        format!("sha256:{digits}")
    }
}

/// Position of a tree in the spec. It decides how the tree is hashed: jobs and roles are hashed without their `target` blocks,
/// roles in their order in the spec, and resources with amounts in canonical units.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Job,
    Roles,
    Role,
    /// The job without the fields that no task sees. Other entries are hashed in their order if it reaches the tasks.
    Tasks,
    RolesOfTasks,
    RoleOfTasks,
    /// Named entries in their order.
    Ordered,
    Resources,
    Other,
}

impl Position {
    fn below(self, key: &str) -> Self {
        match self {
            Self::Job if matches!(key, "role" | "helper") => Self::Roles,
            Self::Tasks if matches!(key, "role" | "helper") => Self::RolesOfTasks,
            Self::Roles => Self::Role,
            Self::RolesOfTasks => Self::RoleOfTasks,
            Self::Job if key == "tensorboard" => Self::Role,
            Self::Job | Self::Tasks | Self::Role | Self::RoleOfTasks if key == "resources" => Self::Resources,
            Self::Tasks | Self::RoleOfTasks if is_ordered(&[key]) => Self::Ordered,
            Self::Job
            | Self::Tasks
            | Self::Role
            | Self::RoleOfTasks
            | Self::Ordered
            | Self::Resources
            | Self::Other => Self::Other,
        }
    }

    /// Returns whether a field is hashed.
    fn has(self, key: &str) -> bool {
        match self {
            Self::Job | Self::Role | Self::RoleOfTasks => key != "target",
            // Parameters are hashed as they are written.
            Self::Tasks => !matches!(key, "target" | "param") && !WITHOUT_TASKS.contains(&key),
            Self::Roles | Self::RolesOfTasks | Self::Ordered | Self::Resources | Self::Other => true,
        }
    }

    /// Returns whether entries are hashed in their order.
    const fn is_ordered(self) -> bool {
        match self {
            Self::Roles | Self::RolesOfTasks | Self::Ordered => true,
            Self::Job | Self::Role | Self::Tasks | Self::RoleOfTasks | Self::Resources | Self::Other => false,
        }
    }
}

/// Appends a tree without its spans. Each text is preceded by its length, so that different trees have different bytes.
fn write(tree: &Tree, position: Position, bytes: &mut Vec<u8>) {
    match &tree.value {
        Value::Null | Value::Hole => bytes.push(b'n'),
        Value::Bool(value) => bytes.push(if *value { b't' } else { b'f' }),
        Value::Int(value) => text(bytes, b'i', &value.to_string()),
        Value::Float(value) => text(bytes, b'r', &value.to_string()),
        Value::Text(value) => text(bytes, b's', value),
        Value::List(items) => {
            text(bytes, b'l', &items.len().to_string());
            items.iter().for_each(|item| write(item, Position::Other, bytes));
        }
        Value::Map(entries) => {
            let mut entries: Vec<&Entry> = entries.iter().filter(|entry| position.has(&entry.key)).collect();
            if !position.is_ordered() {
                entries.sort_by(|a, b| a.key.cmp(&b.key));
            }
            text(bytes, b'm', &entries.len().to_string());
            for entry in entries {
                text(bytes, b'k', &entry.key);
                if position == Position::Resources {
                    amount(&entry.tree, bytes);
                } else {
                    write(&entry.tree, position.below(&entry.key), bytes);
                }
            }
        }
    }
}

/// Appends an amount of a resource. Equal amounts have the same bytes, such as `4GiB` and `4096MiB`, or `2` and `2.0`.
fn amount(tree: &Tree, bytes: &mut Vec<u8>) {
    if let Some(memory) = tree.text().and_then(|text| Memory::parse(text).ok()) {
        return text(bytes, b'b', &memory.bytes().to_string());
    }
    match &tree.value {
        Value::Int(cores) => text(bytes, b'r', &cores.to_string()),
        Value::Null
        | Value::Bool(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::Hole => write(tree, Position::Other, bytes),
    }
}

fn text(bytes: &mut Vec<u8>, tag: u8, text: &str) {
    bytes.push(tag);
    number(bytes, text.len());
    bytes.push(b':');
    bytes.extend_from_slice(text.as_bytes());
}

/// Appends the decimal digits of a number, without an allocation: a job has thousands of texts.
fn number(bytes: &mut Vec<u8>, number: usize) {
    let start = bytes.len();
    let mut rest = number;
    while bytes.len() == start || rest > 0 {
        bytes.push(b"0123456789"[rest % 10]);
        rest /= 10;
    }
    bytes[start..].reverse();
}

#[cfg(test)]
mod tests {
    use super::{Digest, Entry, Tree, Value};
    use crate::sources::Span;

    fn digest(json: &str) -> Digest {
        Digest::of(&tree(&serde_json::from_str(json).expect("the test is JSON")), &[])
    }

    fn tree(json: &serde_json::Value) -> Tree {
        let span = Span::default();
        let entry = |(key, value): (&String, &serde_json::Value)| Entry {
            key: key.clone(),
            key_span: span,
            tree: tree(value),
        };
        let value = match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Number(value) => match value.as_i64() {
                Some(value) => Value::Int(value.into()),
                None => Value::Float(value.as_f64().expect("a number")),
            },
            serde_json::Value::String(value) => Value::Text(value.clone()),
            serde_json::Value::Array(items) => Value::List(items.iter().map(tree).collect()),
            serde_json::Value::Object(entries) => Value::Map(entries.iter().map(entry).collect()),
        };
        Tree { span, value }
    }

    const JOB: &str = r#"{"env": {"A": "4GiB", "B": 2}, "args": ["a", "b"], "tensorboard": {"resources": {"memory": "2GiB"}},
        "role": {"ps": {"count": 1}, "worker": {"resources": {"cpus": 2, "memory": "4GiB"}, "target": {"a": 1}}}}"#;

    #[test]
    fn equal_jobs_have_equal_digests() {
        let first = digest(JOB).spec;
        for (old, new) in [
            (r#""A": "4GiB", "B": 2"#, r#""B": 2, "A": "4GiB""#),
            (r#""cpus": 2, "memory": "4GiB""#, r#""memory": "4096MiB", "cpus": 2.0"#),
            (r#""memory": "2GiB""#, r#""memory": "2048MiB""#),
            (r#"{"env""#, r#"{"target": {"b": 1}, "env""#),
            (r#""target": {"a": 1}"#, r#""target": {"a": 2}"#),
        ] {
            let other = JOB.replace(old, new);
            assert_ne!(other, JOB, "{old}");
            assert_eq!(digest(&other).spec, first, "{new}");
        }
    }

    /// Argo CD starts a job again if the digest of its tasks changes.
    #[test]
    fn the_digest_of_the_tasks_is_without_fields_that_no_task_sees() {
        let first = digest(JOB);
        for (old, new, same_spec, same_tasks) in [
            (r#"{"env""#, r#"{"description": "x", "env""#, false, true),
            (r#"{"env""#, r#"{"allow": {"restart": {}}, "env""#, false, true),
            (r#"{"memory": "2GiB"}"#, r#"{"memory": "3GiB"}"#, false, true),
            (r#""B": 2"#, r#""description": 2"#, false, false),
            (r#""count": 1"#, r#""count": 2"#, false, false),
            (r#""cpus": 2, "memory": "4GiB""#, r#""memory": "4096MiB", "cpus": 2.0"#, true, true),
            // The order of variables is that of the container.
            (r#""A": "4GiB", "B": 2"#, r#""B": 2, "A": "4GiB""#, true, false),
        ] {
            let other = JOB.replace(old, new);
            assert_ne!(other, JOB, "{old}");
            let other = digest(&other);
            assert_eq!(
                (other.spec == first.spec, other.tasks == first.tasks),
                (same_spec, same_tasks),
                "{new}"
            );
        }
    }

    #[test]
    fn different_jobs_have_different_digests() {
        let first = digest(JOB);
        for (old, new) in [
            (r#"["a", "b"]"#, r#"["b", "a"]"#),
            (r#"["a", "b"]"#, r#"["ab"]"#),
            // The value of a variable is a text, not an amount.
            (r#""A": "4GiB""#, r#""A": "4096MiB""#),
            (r#""B": 2"#, r#""B": 2.0"#),
            (r#""B": 2"#, r#""B": "2""#),
            (r#""cpus": 2"#, r#""cpus": 2.5"#),
            (r#""memory": "4GiB""#, r#""memory": "4TiB""#),
            // The order of roles decides the ranks of their tasks, so it changes the digest.
            (r#""ps": {"count": 1}, "worker":"#, r#""worker": {"count": 1}, "ps":"#),
        ] {
            let other = JOB.replace(old, new);
            assert_ne!(other, JOB, "{old}");
            assert_ne!(digest(&other), first, "{new}");
        }
        let swapped = r#"{"role": {"a": {}, "b": {}}}"#;
        assert_ne!(digest(swapped), digest(r#"{"role": {"b": {}, "a": {}}}"#));
    }
}
