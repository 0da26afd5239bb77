//! How much of the job all roles have together. Volumes, labels, parameters and defaults of the job reach each role, on
//! every platform, so a short text can request millions of them: they are counted before anything is built.
use crate::codes::TOO_LARGE;
use crate::diagnostic::Diagnostic;
use crate::tree::{Entry, Tree, Value};

/// Values of the job, each counted once for each role: no job that anyone runs has so many.
const MOST_VALUES: usize = 50_000;
/// Bytes of their texts, each counted once for each role.
const MOST_BYTES: usize = 4 << 20;

/// Values of a tree, and bytes of their texts.
#[derive(Clone, Copy, Default)]
struct Amount {
    values: usize,
    bytes: usize,
}

impl Amount {
    fn of(tree: &Tree) -> Self {
        let below = match &tree.value {
            Value::Map(entries) => entries.iter().map(|entry| Self::of(&entry.tree)).sum(),
            Value::List(items) => items.iter().map(Self::of).sum(),
            Value::Text(text) => Self { values: 1, bytes: text.len() },
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => Self::default(),
        };
        Self { values: below.values.max(1), ..below }
    }

    /// What a target's block has without its patch, which belongs to one object of the platform, whatever the number of roles.
    fn of_target(block: &Entry) -> Self {
        block
            .tree
            .entries()
            .iter()
            .filter(|entry| entry.key != "patch")
            .map(|entry| Self::of(&entry.tree))
            .sum()
    }

    /// What an entry of the job has.
    fn of_entry(entry: &Entry) -> Self {
        match entry.key.as_str() {
            "target" => entry.tree.entries().iter().map(Self::of_target).sum(),
            _ => Self::of(&entry.tree),
        }
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), |all, one| Self {
            values: all.values + one.values,
            bytes: all.bytes + one.bytes,
        })
    }
}

/// Refuses a job of which the roles would have too much.
///
/// # Errors
/// Where they would have more than [`MOST_VALUES`] values or [`MOST_BYTES`] bytes together.
pub(super) fn judge(job: &Entry) -> Result<(), Box<Diagnostic>> {
    let is_role = |entry: &&Entry| matches!(entry.key.as_str(), "role" | "helper");
    let entries = job.tree.entries();
    let roles: usize = entries.iter().filter(is_role).map(|kind| kind.tree.entries().len()).sum();
    let Amount { values, bytes } = entries.iter().filter(|entry| !is_role(entry)).map(Amount::of_entry).sum();
    let fact = if values.saturating_mul(roles) > MOST_VALUES {
        format!("{roles} roles have {values} values of the job each: more than {MOST_VALUES} together")
    } else if bytes.saturating_mul(roles) > MOST_BYTES {
        format!("{roles} roles have {bytes} bytes of the job each: more than {MOST_BYTES} together")
    } else {
        return Ok(());
    };
    let told = Diagnostic::new(&TOO_LARGE, job.key_span, fact);
    Err(Box::new(told.help("give each role the values that it needs, or make fewer roles")))
}
