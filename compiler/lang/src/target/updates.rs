//! What a platform does if an artifact of a submitted job changes: data of each target.
use serde_json::Value;

/// What a platform does if a changed artifact is submitted again while the job exists. Ordered from the least to the most that
/// happens to the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The platform applies the change, and no task restarts.
    InPlace,
    /// The platform applies the change, and restarts tasks to do so.
    Restart,
    /// The platform does not apply the change to running tasks, or has no command for it: the job must be deleted and submitted
    /// again.
    Recreate,
    /// The platform refuses the changed artifact: the job must be deleted and submitted again.
    Rejected,
}

impl Effect {
    /// All effects, in their order.
    pub const ALL: [Self; 4] = [Self::InPlace, Self::Restart, Self::Recreate, Self::Rejected];

    /// Returns the name of the effect in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InPlace => "in place",
            Self::Restart => "restart",
            Self::Recreate => "recreate",
            Self::Rejected => "rejected",
        }
    }
}

/// The effect of a change in a part of an artifact.
#[derive(Debug, Clone, Copy)]
pub struct UpdateRule {
    /// Path of the artifact, such as `tfjob.yaml`. `*`: any artifact.
    pub file: &'static str,
    /// Pattern of JSON pointers: a segment `*` matches any segment, and `**` at the end any number of segments.
    pub pointer: &'static str,
    /// The effect.
    pub effect: Effect,
    /// What the platform does with the change.
    pub reason: &'static str,
}

/// How a platform updates submitted jobs.
#[derive(Debug, Clone, Copy)]
pub struct Updates {
    /// The rules. The first one that matches a change decides. The last one matches all changes.
    pub rules: &'static [UpdateRule],
    /// Pointers of values that differ whenever the spec differs, such as a digest of the spec. Reports for people omit them if
    /// another value differs.
    pub digests: &'static [&'static str],
    /// Returns the name of the platform's object that a document describes, such as `TFJob mnist`.
    pub object: fn(&Value) -> Option<String>,
    /// Pointers of values in which two objects of the same name may differ, such as the namespace.
    pub scopes: &'static [&'static str],
    /// Returns the objects in an answer of the platform, such as the items of a list.
    pub reported: fn(&Value) -> Vec<Value>,
    /// Values that the platform adds to an object.
    pub added: &'static [AddedValue],
    /// Returns whether a reported value and a submitted value mean the same.
    pub equal: fn(&Value, &Value) -> bool,
    /// Returns whether the platform may omit a submitted value in its answer, such as an empty list.
    pub omitted: fn(&Value) -> bool,
}

/// A value that a platform adds to a submitted object: a default, or a state.
#[derive(Debug, Clone, Copy)]
pub struct AddedValue {
    /// Start of the name of the object, such as `TFJob `. Empty: any object.
    pub object: &'static str,
    /// Pattern of JSON pointers, as in [`UpdateRule`].
    pub pointer: &'static str,
    /// The added value, as JSON; `None`: any value.
    pub value: Option<&'static str>,
}

impl AddedValue {
    /// Returns whether the platform adds this value to an object.
    #[must_use]
    pub fn is_about(&self, object: &str, pointer: &str, value: &Value) -> bool {
        let is_equal = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|known| known == *value);
        object.starts_with(self.object) && matches(self.pointer, pointer) && self.value.is_none_or(is_equal)
    }
}

/// Returns whether two values are equal, also if one number is an integer and the other is not.
#[must_use]
pub fn is_equal(live: &Value, wanted: &Value) -> bool {
    match (live, wanted) {
        (Value::Number(live), Value::Number(wanted)) => live.as_f64() == wanted.as_f64(),
        (Value::Array(live), Value::Array(wanted)) => {
            live.len() == wanted.len() && live.iter().zip(wanted).all(|(live, wanted)| is_equal(live, wanted))
        }
        (_, _) => live == wanted,
    }
}

/// Returns whether a value is an empty string, list, or object, `null`, or `false`.
#[must_use]
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

impl Updates {
    /// Returns the rule for a value. `file`: path of the artifact. `pointer`: JSON pointer of the value in its document.
    ///
    /// # Panics
    /// Panics if the last rule does not match all changes. A test checks this for each target.
    #[must_use]
    pub fn rule(&self, file: &str, pointer: &str) -> &'static UpdateRule {
        let matching = |rule: &&UpdateRule| rule.is_about(file, pointer);
        self.rules.iter().find(matching).expect("the last rule of each target matches all changes")
    }
}

impl UpdateRule {
    /// Returns whether the rule is about a value of an artifact.
    #[must_use]
    pub fn is_about(&self, file: &str, pointer: &str) -> bool {
        (self.file == "*" || self.file == file) && matches(self.pointer, pointer)
    }
}

/// Returns whether a JSON pointer matches a pattern.
fn matches(pattern: &str, pointer: &str) -> bool {
    let mut wanted = pattern.split('/');
    let mut found = pointer.split('/');
    loop {
        match (wanted.next(), found.next()) {
            (Some("**"), _) | (None, None) => return true,
            (Some("*"), Some(_)) => {}
            (Some(one), Some(other)) if one == other => {}
            (Some(_), _) | (None, Some(_)) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_segments() {
        for (pattern, pointer, expected) in [
            ("/**", "/a/b", true),
            ("/**", "", false),
            ("**", "", true),
            ("**", "/a", true),
            ("/a/*/c", "/a/b/c", true),
            ("/a/*/c", "/a/b/d", false),
            ("/a/*", "/a/b/c", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**", "/a", true),
            ("/a", "/ab", false),
        ] {
            assert_eq!(matches(pattern, pointer), expected, "{pattern} {pointer}");
        }
    }
}
