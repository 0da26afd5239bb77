//! What a platform does if an artifact of a submitted job changes: data of each target.
use crate::lowered::Lowered;
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

/// How a value differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Only the new version has the value.
    Added,
    /// Only the old version has the value.
    Removed,
    /// Both versions have the value.
    Replaced,
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
    /// The rule is only about values that differ in this way. `None`: in any way.
    pub only: Option<Change>,
    /// What a tool such as Argo CD does with the submitted job, or what to do before the tool applies the change. `None`: the user
    /// applies the change.
    pub action: Option<&'static str>,
    /// Pointers of values that differ because another value does, such as a name with a digest. Reports for people omit them.
    pub implied: &'static [&'static str],
}

/// How a platform updates submitted jobs.
#[derive(Debug, Clone, Copy)]
pub struct Updates {
    /// The rules. The first one that matches a change decides. The last one matches all changes.
    pub rules: &'static [UpdateRule],
    /// What happens to the objects of an artifact that is no longer generated. `None`: the rules decide.
    pub removed: Option<&'static UpdateRule>,
    /// The rules that `replacement` returns.
    pub tools: &'static [UpdateRule],
    /// Returns what a tool does with an object of the old version (second argument) instead of the rules, if the artifacts of the new
    /// version (first argument) describe it for a tool, such as Argo CD. The third argument is the object of the new version.
    pub replacement: fn(&Lowered, &Value, &Value) -> Option<&'static UpdateRule>,
    /// How the rules are known: the platforms on which they were observed.
    pub evidence: &'static str,
    /// Pointers of values that differ whenever the spec differs, such as a digest of the spec. Reports for people omit them if
    /// another value differs.
    pub digests: &'static [&'static str],
    /// Returns the name of the platform's object that a document describes, such as `TFJob mnist`.
    pub object: fn(&Value) -> Option<String>,
    /// Returns the name of the job that a reported object belongs to, with its namespace. `None` if it is unknown, or if another object
    /// owns this one.
    pub owner: fn(&Value) -> Option<[String; 2]>,
    /// Returns whether the platform is deleting a reported object.
    pub is_deleted: fn(&Value) -> bool,
    /// Pointers of the values that identify an object, such as its name and namespace. If one of them changes, the whole document
    /// describes another object.
    pub identity: &'static [&'static str],
    /// Returns the objects in an answer of the platform, such as the items of a list. An error says why the answer cannot be
    /// compared, such as the message with which the platform refuses a request.
    pub reported: fn(&Value) -> Result<Vec<Value>, String>,
    /// Values that the platform adds to an object.
    pub added: &'static [KnownValue],
    /// Submitted values that the platform may omit in its answer.
    pub omitted: &'static [KnownValue],
    /// Returns whether a reported value and a submitted value mean the same. The first argument is the JSON pointer of the submitted
    /// value.
    pub equal: fn(&str, &Value, &Value) -> bool,
    /// Returns the objects that the job needs, but does not own, and that the platform is deleting, or that an answer (second argument)
    /// lacks although it lists all objects of their kind, such as the ConfigMap with the shim.
    pub lacking: fn(&Lowered, &[Value]) -> Vec<Lack>,
    /// Returns which submitted value a reported object (first argument) does not contain, such as a limit of which the platform reports
    /// only the rest. The second argument is the object of the artifacts.
    pub unreported: fn(&Value, &Value) -> Option<String>,
    /// Values that stay when the artifacts are submitted again. `None`: each value that the artifacts do not contain is removed.
    pub staying: Option<Staying>,
}

/// Values of a reported object that stay when the artifacts are submitted again, because no submission has set them.
#[derive(Debug, Clone, Copy)]
pub struct Staying {
    /// The rule for these values.
    pub rule: &'static UpdateRule,
    /// Returns whether a value of a reported object, at a JSON pointer, is one of them.
    pub stays: fn(&Value, &str) -> bool,
}

/// An object that a job needs, but does not own, and that does not exist, or will not exist soon.
#[derive(Debug, Clone)]
pub struct Lack {
    /// Name of the object, such as `ConfigMap tfjob-shim-1.0.0`.
    pub object: String,
    /// Whether the object still exists, but is being deleted.
    pub is_deleted: bool,
}

/// A value that a platform adds to a submitted object, or omits: a default, or a state.
#[derive(Debug, Clone, Copy)]
pub struct KnownValue {
    /// Start of the name of the object, such as `TFJob `. Empty: any object.
    pub object: &'static str,
    /// Pattern of JSON pointers, as in [`UpdateRule`].
    pub pointer: &'static str,
    /// The value.
    pub value: Known,
}

/// Which value of a pointer is known.
#[derive(Debug, Clone, Copy)]
pub enum Known {
    /// Any value.
    Any,
    /// This value, as JSON.
    Json(&'static str),
    /// A value that depends on others. The arguments are the documents and the JSON pointer of the value.
    If(fn(&Documents<'_>, &str) -> bool),
}

/// An object as the platform reports it, and as it was submitted.
#[derive(Debug, Clone, Copy)]
pub struct Documents<'d> {
    /// The reported object.
    pub live: &'d Value,
    /// The submitted object.
    pub wanted: &'d Value,
}

impl KnownValue {
    /// Returns any value of an object at a pointer.
    #[must_use]
    pub const fn any(object: &'static str, pointer: &'static str) -> Self {
        Self { object, pointer, value: Known::Any }
    }

    /// Returns one value, as JSON.
    #[must_use]
    pub const fn json(object: &'static str, pointer: &'static str, value: &'static str) -> Self {
        Self { object, pointer, value: Known::Json(value) }
    }

    /// Returns a value that depends on others.
    #[must_use]
    pub const fn when(
        object: &'static str,
        pointer: &'static str,
        condition: fn(&Documents<'_>, &str) -> bool,
    ) -> Self {
        Self { object, pointer, value: Known::If(condition) }
    }

    /// Returns whether this is the value at a JSON pointer of an object.
    #[must_use]
    pub fn is_about(&self, object: &str, documents: &Documents<'_>, pointer: &str, value: &Value) -> bool {
        if !object.starts_with(self.object) || !matches(self.pointer, pointer) {
            return false;
        }
        match self.value {
            Known::Any => true,
            Known::Json(text) => {
                serde_json::from_str::<Value>(text).is_ok_and(|known| is_equal(value, &known))
            }
            Known::If(condition) => condition(documents, pointer),
        }
    }
}

/// Returns whether two values are equal, also if one number is an integer and the other is not, such as `1` and `1.0`.
#[must_use]
pub fn is_equal(live: &Value, wanted: &Value) -> bool {
    let is_float = |value: &Value| value.is_f64();
    match (live, wanted) {
        // Large integers are not equal if they only have the same floating-point number.
        (Value::Number(left), Value::Number(right)) if is_float(live) || is_float(wanted) => {
            left.as_f64() == right.as_f64()
        }
        (Value::Array(live), Value::Array(wanted)) => {
            live.len() == wanted.len() && live.iter().zip(wanted).all(|(live, wanted)| is_equal(live, wanted))
        }
        (_, _) => live == wanted,
    }
}

impl Updates {
    /// Returns the rule for a value. `file`: path of the artifact. `pointer`: JSON pointer of the value in its document.
    ///
    /// # Panics
    /// Panics if the last rule does not match all changes. A test checks this for each target.
    #[must_use]
    pub fn rule(&self, file: &str, pointer: &str, change: Change) -> &'static UpdateRule {
        let matching =
            |rule: &&UpdateRule| rule.only.is_none_or(|only| only == change) && rule.is_about(file, pointer);
        self.rules.iter().find(matching).expect("the last rule of each target matches all changes")
    }
}

impl UpdateRule {
    /// Returns a rule about replaced, added, and removed values.
    #[must_use]
    pub const fn new(
        file: &'static str,
        pointer: &'static str,
        effect: Effect,
        reason: &'static str,
    ) -> Self {
        Self { file, pointer, effect, reason, only: None, action: None, implied: &[] }
    }

    /// Limits the rule to values that differ in one way.
    #[must_use]
    pub const fn only(self, change: Change) -> Self {
        Self { only: Some(change), ..self }
    }

    /// Returns a rule about all values of objects that a tool replaces. `action`: what the tool does with the submitted job.
    #[must_use]
    pub const fn by_tool(reason: &'static str, action: &'static str) -> Self {
        Self { action: Some(action), ..Self::new("*", "**", Effect::Recreate, reason) }
    }

    /// Returns the rule with another effect.
    #[must_use]
    pub const fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// Adds pointers of values that differ because another value does.
    #[must_use]
    pub const fn implying(self, implied: &'static [&'static str]) -> Self {
        Self { implied, ..self }
    }

    /// Returns whether the rule is about a value of an artifact.
    #[must_use]
    pub fn is_about(&self, file: &str, pointer: &str) -> bool {
        (self.file == "*" || self.file == file) && matches(self.pointer, pointer)
    }
}

/// Returns whether a JSON pointer matches a pattern, as in [`UpdateRule::pointer`].
#[must_use]
pub fn matches(pattern: &str, pointer: &str) -> bool {
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
    fn large_integers_are_compared_exactly() {
        let value = |text: &str| serde_json::from_str::<Value>(text).expect("valid JSON");
        for (left, right, expected) in [
            ("1", "1.0", true),
            ("[1]", "[1.0]", true),
            ("9007199254740993", "9007199254740992", false),
            ("18446744073709551615", "18446744073709551614", false),
            ("-1", "18446744073709551615", false),
            ("1", "\"1\"", false),
        ] {
            assert_eq!(is_equal(&value(left), &value(right)), expected, "{left} {right}");
        }
    }

    #[test]
    fn a_pattern_matches_segments() {
        for (pattern, pointer, expected) in [
            ("/**", "/a/b", true),
            ("/**", "", true),
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
