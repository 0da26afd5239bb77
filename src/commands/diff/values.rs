//! Values and paths of a difference as text.
use tfjob_driver::difference::Step;
use tfjob_lang::target::Effect;

/// Maximum number of characters of a value in a report.
const MAX_VALUE: usize = 72;

/// Number of equal characters that are kept before a difference.
const KEPT_BEFORE: usize = 12;

/// Returns a path such as `spec.containers[tensorflow].image`.
pub fn path(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
                if key.chars().all(plain) { out.push_str(key) } else { out.push_str(&format!("{key:?}")) }
            }
            Step::Named(name) => out.push_str(&format!("[{name}]")),
            Step::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    out
}

/// Returns an old and a new text in one line each, cut around their first difference.
pub fn cut(old: Option<&str>, new: Option<&str>) -> (Option<String>, Option<String>) {
    let (Some(old), Some(new)) = (old, new) else {
        return (old.map(|text| window(text, 0)), new.map(|text| window(text, 0)));
    };
    let common = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    // Masked credentials may be all that differs.
    let masked = old.find("***").filter(|_| old == new).map(|at| old[..at].chars().count());
    let same = masked.unwrap_or(common);
    let longest = old.chars().count().max(new.chars().count());
    let from = if longest <= MAX_VALUE { 0 } else { same.saturating_sub(KEPT_BEFORE) };
    (Some(window(old, from)), Some(window(new, from)))
}

fn window(text: &str, from: usize) -> String {
    let mut out: String = text.chars().skip(from).take(MAX_VALUE).collect();
    if from > 0 {
        out.insert(0, '…');
    }
    if text.chars().count() > from + MAX_VALUE {
        out.push('…');
    }
    out
}

/// Returns what a user does to apply changes with this effect.
pub const fn action(effect: Effect) -> &'static str {
    match effect {
        Effect::InPlace => "applied to the running job",
        Effect::Restart => "applied with a restart of tasks",
        Effect::Recreate => "delete the old job, then submit the new one",
        Effect::Rejected => "rejected while the old job exists: delete it, then submit the new one",
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_long_value_is_cut_around_its_difference() {
        let long = |text: &str| format!("{}{text}{}", "a".repeat(100), "z".repeat(100));
        for (old, new, kept) in [("b", "c", ["ab", "ac"]), ("***", "***", ["a***z", "a***z"])] {
            let (old, new) = cut(Some(&long(old)), Some(&long(new)));
            assert!(old.as_ref().unwrap().contains(kept[0]), "{old:?}");
            assert!(new.as_ref().unwrap().contains(kept[1]), "{new:?}");
        }
    }
}
