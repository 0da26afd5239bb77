//! Edits that a rule declares by an entry of KDL. The analysis finds their places in the text of the spec.
use std::borrow::Cow;

/// One step of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Add an entry or a property to the innermost block around the finding that accepts it.
    Add(Cow<'static, str>),
    /// Remove the entry or the property of this name at the finding.
    Remove(Cow<'static, str>),
    /// Remove the entry of the finding.
    RemoveThis,
    /// Set a property of an entry around the finding: `NAME=VALUE`.
    Set(Cow<'static, str>),
    /// Replace the first argument of the entry of this name around the finding: `restart "on-failure"`.
    Argument(Cow<'static, str>),
    /// Replace the arguments and properties of the entry of this name around the finding: `ready tcp="rendezvous"`.
    Rewrite(Cow<'static, str>),
}

/// An edit that resolves a problem: all its steps together. It is one of several possible edits, so `--fix` does not apply it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy(pub Vec<Step>);

impl Step {
    /// Returns the step that adds an entry or a property.
    #[must_use]
    pub fn add(code: impl Into<Cow<'static, str>>) -> Self {
        Self::Add(code.into())
    }

    /// Returns the step that removes the entry or the property of this name.
    #[must_use]
    pub fn remove(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Remove(name.into())
    }

    /// Returns the step that replaces an entry.
    #[must_use]
    pub fn rewrite(code: impl Into<Cow<'static, str>>) -> Self {
        Self::Rewrite(code.into())
    }

    /// Returns the step that replaces the first argument of an entry.
    #[must_use]
    pub fn argument(code: impl Into<Cow<'static, str>>) -> Self {
        Self::Argument(code.into())
    }

    /// Returns the verb and the code of the step.
    fn words(&self) -> (&'static str, String) {
        match self {
            Self::Add(code) => ("add", format!("`{code}`")),
            Self::Remove(code) => ("remove", format!("`{code}`")),
            Self::RemoveThis => ("remove", "it".to_owned()),
            Self::Set(code) | Self::Argument(code) | Self::Rewrite(code) => ("write", format!("`{code}`")),
        }
    }
}

impl Remedy {
    /// Returns what the edit does, in the imperative: ``remove `limit` and `within` ``.
    #[must_use]
    pub fn title(&self) -> String {
        // A verb has all names up to the next verb.
        let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
        for (verb, code) in self.0.iter().map(Step::words) {
            match parts.last_mut() {
                Some((last, codes)) if *last == verb => codes.push(code),
                Some(_) | None => parts.push((verb, vec![code])),
            }
        }
        let is_long = parts.iter().any(|(_, codes)| codes.len() > 1);
        let part = |(verb, codes): (&str, Vec<String>)| format!("{verb} {}", list(&codes, " and "));
        list(&parts.into_iter().map(part).collect::<Vec<_>>(), if is_long { ", and " } else { " and " })
    }
}

/// Returns a list. `last`: the text before the last item.
fn list(items: &[String], last: &str) -> String {
    match items.split_last() {
        Some((item, rest)) if !rest.is_empty() => format!("{}{last}{item}", rest.join(", ")),
        Some(_) | None => items.concat(),
    }
}

impl From<Step> for Remedy {
    fn from(step: Step) -> Self {
        Self(vec![step])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_all_steps() {
        let all = |steps: &[Step]| Remedy(steps.to_vec()).title();
        assert_eq!(all(&[Step::remove("limit")]), "remove `limit`");
        assert_eq!(all(&[Step::remove("limit"), Step::remove("within")]), "remove `limit` and `within`");
        let mixed = [Step::remove("a"), Step::remove("b"), Step::add("c 1")];
        assert_eq!(all(&mixed), "remove `a` and `b`, and add `c 1`");
    }
}
