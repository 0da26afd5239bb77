//! What the user reads when a spec is wrong: one shape, many printers.
mod premise;

pub use premise::{Block, Blocked, Premise, Report};

use crate::sources::Span;

/// How bad it is. It belongs to the code, never to the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The spec is not accepted.
    Error,
    /// Accepted, and likely not what was meant.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A kind of problem. Each has a page, which is its documentation and its test.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Kebab-case, unique.
    pub name: &'static str,
    /// How bad it is, always.
    pub severity: Severity,
    /// The page, in markdown.
    pub page: &'static str,
}

/// Declares codes, and lists them in `ALL`. The page of a code is `../errors/<name>.md`, beside the caller's `src`.
#[macro_export]
macro_rules! codes {
    ($($severity:ident $ident:ident $name:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`: see its page.")]
            pub static $ident: $crate::diagnostic::Code = $crate::diagnostic::Code {
                name: $name,
                severity: $crate::diagnostic::Severity::$severity,
                page: include_str!(concat!("../errors/", $name, ".md")),
            };
        )*
        /// Every code declared here, in order.
        pub static ALL: &[&$crate::diagnostic::Code] = &[$(&$ident),*];
    };
}

/// Words beside a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty on the first label.
    pub text: String,
}

/// Replaces `span` by `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty inserts.
    pub span: Span,
    /// What comes.
    pub text: String,
}

/// Whether a machine may apply a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// The change corrects how something is spelled, quoted or laid out, and has one meaning: `--fix` applies it.
    Automatic,
    /// The change chooses a value, a place or a property, or changes what runs: it is shown, and a person decides.
    Suggestion,
}

impl Applicability {
    /// `automatic` or `suggestion`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Suggestion => "suggestion",
        }
    }
}

/// A change that mends the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: ``replace with `chief` ``.
    pub title: String,
    /// The changes, none overlapping another.
    pub edits: Vec<Edit>,
    /// Whether a machine may apply it.
    pub applicability: Applicability,
}

impl Fix {
    /// Replaces the words at `span`.
    #[must_use]
    pub fn replace(span: Span, with: impl Into<String>) -> Self {
        let text = with.into();
        Self::of(format!("replace with `{text}`"), vec![Edit { span, text }])
    }

    /// A change with words of its own.
    #[must_use]
    pub fn edit(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Self::of(title, vec![Edit { span, text: text.into() }])
    }

    /// Several changes, made together or not at all.
    #[must_use]
    pub fn of(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: bounded(title.into()), edits, applicability: Applicability::Automatic }
    }

    /// The same change, for a person to decide on.
    #[must_use]
    pub fn suggested(self) -> Self {
        Self { applicability: Applicability::Suggestion, ..self }
    }

    /// The same change, for a person to decide on unless it is `sure`.
    #[must_use]
    pub fn if_sure(self, sure: bool) -> Self {
        if sure { self } else { self.suggested() }
    }

    /// Whether `--fix` applies it.
    #[must_use]
    pub fn is_automatic(&self) -> bool {
        self.applicability == Applicability::Automatic
    }
}

/// One problem, built where it is found.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static Code,
    /// The fact: lower case, no full stop, no "you".
    pub message: String,
    /// The first is the place; the others explain it, each maybe in another file.
    pub labels: Vec<Label>,
    /// What would be accepted.
    pub help: Option<String>,
    /// Changes that mend it; those with one meaning may be applied by a machine.
    pub fixes: Vec<Fix>,
    /// What it is true for only. The collector of findings drops it where one of these does not hold.
    pub premises: Vec<Premise>,
    /// What keeps targets from being asked until it is fixed.
    pub blocks: Option<Block>,
    /// What it reports, where other findings of the same stage follow from that.
    pub reports: Option<Report>,
}

impl Diagnostic {
    /// A problem at `span`.
    #[must_use]
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let labels = vec![Label { span, text: String::new() }];
        Self {
            code,
            message: bounded(message.into()),
            labels,
            help: None,
            fixes: Vec::new(),
            premises: Vec::new(),
            blocks: None,
            reports: None,
        }
    }

    /// Words on the place itself.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.labels[0].text = bounded(text.into());
        self
    }

    /// A further place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: bounded(text.into()) });
        self
    }

    /// What would be accepted.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(bounded(text.into()));
        self
    }

    /// A change that mends it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// A change that may mend it, for a person to decide on.
    #[must_use]
    pub fn suggest(self, fix: Fix) -> Self {
        self.fix(fix.suggested())
    }

    /// With its changes left to a person unless they are `sure`.
    #[must_use]
    pub fn if_sure(mut self, sure: bool) -> Self {
        self.fixes = self.fixes.into_iter().map(|fix| fix.if_sure(sure)).collect();
        self
    }

    /// Without any change.
    #[must_use]
    pub fn without_fixes(mut self) -> Self {
        self.fixes.clear();
        self
    }

    /// The place.
    #[must_use]
    pub fn span(&self) -> Span {
        self.labels[0].span
    }

    /// Whether the spec is not accepted.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// A name as this language writes names: `mountPath`, `mount_path` and `MountPath` are `mount-path`.
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

/// `text`, its middle cut out where it is longer than anybody reads: it may repeat a value of any length.
fn bounded(text: String) -> String {
    const MOST: usize = 2_000;
    const HEAD: usize = 1_200;
    const TAIL: usize = 600;
    if text.len() <= MOST {
        return text;
    }
    let (head, tail) = (text.floor_char_boundary(HEAD), text.ceil_char_boundary(text.len() - TAIL));
    format!("{}…{}", &text[..head], &text[tail..])
}

/// Whether a misspelled `word` can mean only one of `known`: no other is near enough, and what differs is no digit.
/// `layer1` is another name than `layer2`, not a slip for it.
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

/// The nearest of `known` to a misspelt `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nothing so long is a misspelling, and the distance of two texts takes the product of their lengths.
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
