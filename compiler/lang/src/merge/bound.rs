//! Limits the size of a job after its defaults are copied to each role. Volumes, labels, parameters, and other defaults apply
//! to each role, so a short text could expand to millions of values. The size is computed before the expansion.
use crate::codes::TOO_LARGE;
use crate::diagnostic::Diagnostic;
use crate::tree::{Entry, Tree, Value};

/// Maximum number of values after the expansion: the number of values outside roles, times the number of roles.
const MOST_VALUES: usize = 50_000;
/// Maximum length of all strings after the expansion: the length in bytes of those outside roles, times the number of roles.
const MOST_BYTES: usize = 4 << 20;

/// Number of values of a tree, and total length of its strings in bytes.
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

    /// Returns the number and length of the values in a target block. A patch in this block is not counted, because it is not
    /// copied to the roles.
    fn of_target(block: &Entry) -> Self {
        block
            .tree
            .entries()
            .iter()
            .filter(|entry| entry.key != "patch")
            .map(|entry| Self::of(&entry.tree))
            .sum()
    }

    /// Returns the number and length of the values in an entry of the job.
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

/// Rejects a job if its defaults, copied to every role, would exceed a limit.
///
/// # Errors
/// Returns an error above [`MOST_VALUES`] values or [`MOST_BYTES`] bytes.
pub(super) fn judge(job: &Entry) -> Result<(), Box<Diagnostic>> {
    let is_role = |entry: &&Entry| matches!(entry.key.as_str(), "role" | "helper");
    let entries = job.tree.entries();
    let roles: usize = entries.iter().filter(is_role).map(|kind| kind.tree.entries().len()).sum();
    let Amount { values, bytes } = entries.iter().filter(|entry| !is_role(entry)).map(Amount::of_entry).sum();
    let fact = if values.saturating_mul(roles) > MOST_VALUES {
        format!(
            "each of the {roles} roles gets the {values} values of the job: more than {MOST_VALUES} values in total"
        )
    } else if bytes.saturating_mul(roles) > MOST_BYTES {
        format!(
            "each of the {roles} roles gets the strings of the job ({bytes} bytes): more than {MOST_BYTES} bytes in total"
        )
    } else {
        return Ok(());
    };
    let told = Diagnostic::new(&TOO_LARGE, job.key_span, fact);
    Err(Box::new(told.help("move values of the job to the roles that need them, or use fewer roles")))
}
