//! A planter: an edit of a unique text of the valid spec that causes one fault, with the span of the finding marked.
use std::ops::Range;

/// The two files of the valid spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    /// The checked file; it extends the base.
    Near,
    /// The base file.
    Base,
}

impl File {
    pub const ALL: [Self; 2] = [Self::Near, Self::Base];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Near => "ctr.tfjob.kdl",
            Self::Base => "base.tfjob.kdl",
        }
    }

    pub const fn text(self) -> &'static str {
        match self {
            Self::Near => include_str!("ctr.tfjob.kdl"),
            Self::Base => include_str!("base.tfjob.kdl"),
        }
    }
}

/// A text that occurs once in a file of the valid spec, and its replacement. `«…»` marks the span of the finding.
#[derive(Debug)]
pub struct Edit(pub File, pub &'static str, pub &'static str);

/// An edit that causes one code.
#[derive(Debug)]
pub struct Planter {
    pub code: &'static str,
    pub edits: &'static [Edit],
    /// Texts that the fault depends on: other planters must not change them.
    pub relies: &'static [(File, &'static str)],
    /// Path of the missing field, if the code reports one. A `/` before the last step: only that block could contain the field.
    pub lacks: Option<&'static str>,
    /// Path of the block or entry with text that is skipped as unreadable.
    pub tears: Option<&'static str>,
    /// Whether the rest of the line is skipped.
    pub ends_line: bool,
    /// Whether the changed text has the same meaning as before for all other rules.
    pub keeps: bool,
}

pub const fn plant(code: &'static str, edits: &'static [Edit]) -> Planter {
    Planter { code, edits, relies: &[], lacks: None, tears: None, ends_line: false, keeps: false }
}

impl Planter {
    pub const fn relying(self, relies: &'static [(File, &'static str)]) -> Self {
        Self { relies, ..self }
    }

    pub const fn lacking(self, path: &'static str) -> Self {
        Self { lacks: Some(path), ..self }
    }

    pub const fn tearing(self, path: &'static str) -> Self {
        Self { tears: Some(path), ..self }
    }

    pub const fn ending_line(self) -> Self {
        Self { ends_line: true, ..self }
    }

    pub const fn keeping(self) -> Self {
        Self { keeps: true, ..self }
    }

    /// Returns the changes of all edits.
    pub fn changes(&self) -> Vec<Change> {
        self.edits.iter().map(|Edit(file, words, with)| Change::new(*file, words, with)).collect()
    }

    fn relied(&self) -> impl Iterator<Item = (File, Range<usize>)> {
        self.relies.iter().map(|(file, words)| (*file, place(*file, words)))
    }

    /// Returns whether the planters cannot be combined, because they change the same text.
    pub fn touches(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.changes(), other.changes());
        let near = |a: &Change, b: &Change| {
            a.file == b.file
                && a.range.start <= b.range.end
                && b.range.start <= a.range.end
                && !(a.only_marks() && b.only_marks())
        };
        let relied = |changes: &[Change], on: &Self| {
            on.relied().any(|(file, range)| {
                let inside = |c: &Change| c.range.start < range.end && range.start < c.range.end;
                changes.iter().any(|c| c.file == file && inside(c) && !c.only_marks())
            })
        };
        mine.iter().any(|a| theirs.iter().any(|b| near(a, b)))
            || !self.keeps && relied(&mine, other)
            || !other.keeps && relied(&theirs, self)
    }
}

/// An edit of a byte range of a file.
#[derive(Debug, Clone)]
pub struct Change {
    pub file: File,
    pub range: Range<usize>,
    pub text: String,
    /// Range of the finding in `text`.
    pub mark: Option<Range<usize>>,
}

impl Change {
    fn new(file: File, words: &str, with: &str) -> Self {
        let (text, mark) = unmarked(with);
        Self { file, range: place(file, words), text, mark }
    }

    /// Returns whether the edit only marks a span.
    pub fn only_marks(&self) -> bool {
        self.file.text()[self.range.clone()] == self.text
    }
}

/// Returns the range of a text in a file.
fn place(file: File, words: &str) -> Range<usize> {
    let text = file.text();
    let mut found = text.match_indices(words);
    let (Some((at, _)), None) = (found.next(), found.next()) else {
        panic!("`{words}` must occur exactly once in {}", file.name());
    };
    at..at + words.len()
}

/// Returns a text without its mark, and the marked range.
pub fn unmarked(with: &str) -> (String, Option<Range<usize>>) {
    let Some((before, rest)) = with.split_once('«') else { return (with.to_owned(), None) };
    let (marked, after) = rest.split_once('»').expect("the mark is closed");
    let mark = before.len()..before.len() + marked.len();
    (format!("{before}{marked}{after}"), Some(mark))
}
