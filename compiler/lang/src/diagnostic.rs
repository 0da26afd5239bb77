//! Diagnostics: errors, warnings, and notes about a spec, independent of the output format.
mod premise;
mod remedy;

pub use premise::{Block, Blocked, Premise, Report};
pub use remedy::{Remedy, Step};

use crate::requirement::Feature;
use crate::sources::Span;

/// Severity of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The spec is rejected.
    Error,
    /// The spec is accepted, but probably does not do what its author wants.
    Warning,
    /// Information only.
    Note,
}

impl Severity {
    /// Returns `error`, `warning`, or `note`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The code of a kind of problem. Its page in Markdown is `errors/NAME.md`; the examples on the page are tests.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Unique name in kebab case.
    pub name: &'static str,
    /// Severity of all diagnostics with this code.
    pub severity: Severity,
    /// Whether the marked text has no effect, so that it can be removed. Editors fade it out.
    pub unnecessary: bool,
}

/// Declares the codes of diagnostics, the list `ALL` of these codes, and the list `PAGES` of their pages. The page of a code is the
/// file `errors/NAME.md` of the calling crate. A program that does not use `PAGES` does not contain the pages. `unnecessary` after a
/// name: see [`Code::unnecessary`].
#[macro_export]
macro_rules! codes {
    (@unnecessary) => { false };
    (@unnecessary unnecessary) => { true };
    ($($severity:ident $ident:ident $name:literal $($property:ident)?;)*) => {
        $(
            #[doc = concat!("`", $name, "`: see its page.")]
            pub static $ident: $crate::diagnostic::Code = $crate::diagnostic::Code {
                name: $name,
                severity: $crate::diagnostic::Severity::$severity,
                unnecessary: $crate::codes!(@unnecessary $($property)?),
            };
        )*
        /// All codes of this declaration, in its order.
        pub static ALL: &[&$crate::diagnostic::Code] = &[$(&$ident),*];
        /// The name of each code of this declaration, and its page in Markdown, in the order of the declaration.
        pub static PAGES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../errors/", $name, ".md")))),*];
    };
}

/// A labeled span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Place that the label marks.
    pub span: Span,
    /// Text of the label; may be empty for the first label of a diagnostic.
    pub text: String,
}

/// A replacement of `span` by `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Span to replace; empty for an insertion.
    pub span: Span,
    /// Replacement.
    pub text: String,
}

/// Whether a fix may be applied automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// Only one correction of spelling, quotes, or layout is possible. `--fix` applies the fix.
    Automatic,
    /// The fix has alternatives, or changes what runs. It is shown, but `--fix` does not apply it.
    Suggestion,
}

impl Applicability {
    /// Returns `automatic` or `suggestion`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Suggestion => "suggestion",
        }
    }
}

/// A change of the spec that fixes the problem of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, in the imperative: ``replace with `chief` ``.
    pub title: String,
    /// Edits, without overlaps.
    pub edits: Vec<Edit>,
    /// Whether the fix may be applied automatically.
    pub applicability: Applicability,
    /// Whether the help of the diagnostic already says what the fix does, so that a report for people does not repeat it.
    pub is_in_help: bool,
    /// Whether the fix replaces one text by another, and the title names only the new text.
    pub is_replacement: bool,
}

impl Fix {
    /// Returns a fix that replaces `span`.
    #[must_use]
    pub fn replace(span: Span, with: impl Into<String>) -> Self {
        let text = with.into();
        let title = format!("replace with `{text}`");
        Self { is_replacement: true, ..Self::of(title, vec![Edit { span, text }]) }
    }

    /// Returns a fix with one edit and this title.
    #[must_use]
    pub fn edit(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Self::of(title, vec![Edit { span, text: text.into() }])
    }

    /// Returns a fix with several edits, applied together or not at all.
    #[must_use]
    pub fn of(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self {
            title: bounded(title.into()),
            edits,
            applicability: Applicability::Automatic,
            is_in_help: false,
            is_replacement: false,
        }
    }

    /// Marks a fix that the help of the diagnostic already names.
    #[must_use]
    pub fn in_help(self) -> Self {
        Self { is_in_help: true, ..self }
    }

    /// Turns the fix into a suggestion.
    #[must_use]
    pub fn suggested(self) -> Self {
        Self { applicability: Applicability::Suggestion, ..self }
    }

    /// Turns the fix into a suggestion if `sure` is false.
    #[must_use]
    pub fn if_sure(self, sure: bool) -> Self {
        if sure { self } else { self.suggested() }
    }

    /// Returns whether `--fix` applies this fix.
    #[must_use]
    pub fn is_automatic(&self) -> bool {
        self.applicability == Applicability::Automatic
    }
}

/// One problem in a spec.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Kind of problem.
    pub code: &'static Code,
    /// Message: lower case, without a final period and without "you".
    pub message: String,
    /// Labels. The first is the place of the problem; others may be in other files.
    pub labels: Vec<Label>,
    /// Help: the edit that resolves the problem.
    pub help: Option<String>,
    /// Fixes and suggestions.
    pub fixes: Vec<Fix>,
    /// Edits that the rule declares without their places. The analysis turns them into suggestions.
    pub remedies: Vec<Remedy>,
    /// Facts on which the diagnostic depends. The collector drops the diagnostic if one of them does not hold.
    pub premises: Vec<Premise>,
    /// Targets that are not checked until the problem is fixed; `None` if all are checked.
    pub blocks: Option<Block>,
    /// The reported fact, if other findings of the same stage follow from it and must be dropped.
    pub reports: Option<Report>,
    /// The feature that an `allow` must name to accept this finding; `None` if no `allow` can accept it.
    pub feature: Option<Feature>,
    /// The target whose support of a feature is reported.
    pub target: Option<&'static str>,
    /// The part of the feature that the target does not support, such as `limit` of `restart`. `None`: the feature itself.
    pub part: Option<&'static str>,
}

impl Diagnostic {
    /// Returns a diagnostic at `span`.
    #[must_use]
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let labels = vec![Label { span, text: String::new() }];
        Self {
            code,
            message: bounded(with_short_quotes(with_empty_quotes(message.into()))),
            labels,
            help: None,
            fixes: Vec::new(),
            remedies: Vec::new(),
            premises: Vec::new(),
            blocks: None,
            reports: None,
            feature: None,
            target: None,
            part: None,
        }
    }

    /// Lets an `allow` of this feature accept the warning. The message must begin with the name of the target, and the help must
    /// show this `allow`.
    #[must_use]
    pub fn acceptable(self, feature: Feature) -> Self {
        Self { feature: Some(feature), ..self }
    }

    /// Sets the text of the first label.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.labels[0].text = bounded(text.into());
        self
    }

    /// Adds a label at `span`.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: bounded(text.into()) });
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(bounded(text.into()));
        self
    }

    /// Adds an edit that resolves the problem, and that the help names.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<Remedy>) -> Self {
        self.remedies.push(remedy.into());
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn suggest(self, fix: Fix) -> Self {
        self.fix(fix.suggested())
    }

    /// Turns all fixes into suggestions if `sure` is false.
    #[must_use]
    pub fn if_sure(mut self, sure: bool) -> Self {
        self.fixes = self.fixes.into_iter().map(|fix| fix.if_sure(sure)).collect();
        self
    }

    /// Removes all fixes.
    #[must_use]
    pub fn without_fixes(mut self) -> Self {
        self.fixes.clear();
        self
    }

    /// Returns the span of the problem.
    #[must_use]
    pub fn span(&self) -> Span {
        self.labels[0].span
    }

    /// Returns whether the diagnostic is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// Converts a name to kebab case: `mountPath`, `mount_path`, and `MountPath` become `mount-path`.
#[must_use]
pub fn kebab(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut small = false;
    for c in name.chars() {
        if small && c.is_uppercase() {
            out.push('-');
        }
        small = c.is_lowercase() || c.is_ascii_digit();
        out.extend(c.to_lowercase().map(|c| if c == '_' { '-' } else { c }));
    }
    out
}

/// Shortens a text of more than 2,000 bytes in the middle, because a text may quote a value of any length from the spec.
fn bounded(text: String) -> String {
    shortened(text, 2_000)
}

/// If a text has more than `most` bytes, keeps only its beginning (three fifths of `most`) and its end (three tenths of `most`).
fn shortened(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let head = text.floor_char_boundary(most * 6 / 10);
    let tail = text.ceil_char_boundary(text.len() - most * 3 / 10);
    format!("{}…{}", &text[..head], &text[tail..])
}

/// Shows a quoted empty value as it is in the spec: `""` instead of nothing between the backticks.
fn with_empty_quotes(text: String) -> String {
    if text.starts_with("`` ") || text.contains(" `` ") || text.ends_with(" ``") {
        let words = text.split(' ').map(|word| if word == "``" { "`\"\"`" } else { word });
        return words.collect::<Vec<_>>().join(" ");
    }
    text
}

/// In a message, replaces each quoted value of more than 160 bytes by its beginning, because the label shows the value. If a
/// value contains a backtick, it is unknown which parts are quoted, so the whole message is shortened.
fn with_short_quotes(text: String) -> String {
    const MOST: usize = 160;
    if text.len() <= MOST {
        return text;
    }
    if text.matches('`').count() % 2 == 1 {
        return shortened(text, 2 * MOST);
    }
    if text.split('`').skip(1).step_by(2).all(|quoted| quoted.len() <= MOST) {
        return text;
    }
    let part = |(number, part): (usize, &str)| {
        let end = if number % 2 == 1 { part.floor_char_boundary(MOST) } else { part.len() };
        let cut = if end < part.len() { "…" } else { "" };
        format!("{}{cut}", &part[..end])
    };
    text.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// Returns whether a misspelled `word` can mean only one element of `known`. This is so if exactly one element differs from `word`
/// only in separators or in upper and lower case. If there is no such element, exactly one element must be similar, and it must
/// have the same digits: `layer1` is not a misspelling of `layer2`.
#[must_use]
pub fn only_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let mut near: Vec<&str> = known.into_iter().filter(|known| nearest(word, [*known]).is_some()).collect();
    near.sort_unstable();
    near.dedup();
    let same: Vec<&str> = near.iter().copied().filter(|known| kebab(known) == kebab(word)).collect();
    match (same.as_slice(), near.as_slice()) {
        ([_], _) => true,
        ([], [only]) => digits(only) == digits(word),
        ([] | [_, _, ..], _) => false,
    }
}

/// Returns the element of `known` that is most similar to a misspelled `word`, if it is similar enough.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Maximum length of a word to compare, in bytes: the running time grows with the product of the lengths of the two words.
    const MOST: usize = 256;
    if word.len() > MOST {
        return None;
    }
    let folded = word.to_lowercase();
    known
        .into_iter()
        .filter(|k| k.len() <= MOST)
        .map(|k| (strsim::damerau_levenshtein(&folded, &k.to_lowercase()), k))
        .filter(|(distance, k)| *distance <= 1 + k.chars().count() / 5 && *distance < k.chars().count())
        .min()
        .map(|(_, k)| k)
}
