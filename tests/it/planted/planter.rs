//! A planter: an edit of unique words of the good spec that makes one fault, with its place marked.
use std::ops::Range;

/// The two files of the good spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    /// The one that is checked; it extends the other.
    Near,
    /// The other.
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

/// Words that stand once in a file of the good spec, and what comes in their place. `«…»` marks where the fault is
/// told.
#[derive(Debug)]
pub struct Edit(pub File, pub &'static str, pub &'static str);

/// One way to raise one code.
#[derive(Debug)]
pub struct Planter {
    pub code: &'static str,
    pub edits: &'static [Edit],
    /// Words without which it would be no fault.
    pub relies: &'static [(File, &'static str)],
    /// The path of what is missing, where the fault is that something is. A `/` stands before the last step where only
    /// the node before it could hold it.
    pub lacks: Option<&'static str>,
    /// The path of the block or node that loses words which cannot be read.
    pub tears: Option<&'static str>,
    /// Whether nothing behind it on its line can be read.
    pub ends_line: bool,
    /// Whether the words still say, for every other rule, what they said.
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

    /// Where each edit is made, and what it puts there.
    pub fn changes(&self) -> Vec<Change> {
        self.edits.iter().map(|Edit(file, words, with)| Change::new(*file, words, with)).collect()
    }

    fn relied(&self) -> impl Iterator<Item = (File, Range<usize>)> {
        self.relies.iter().map(|(file, words)| (*file, place(*file, words)))
    }

    /// Whether both cannot stand in one mutant, since they touch the same words.
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

/// An edit of a file by its bytes.
#[derive(Debug, Clone)]
pub struct Change {
    pub file: File,
    pub range: Range<usize>,
    pub text: String,
    /// Where in `text` the fault is told.
    pub mark: Option<Range<usize>>,
}

impl Change {
    fn new(file: File, words: &str, with: &str) -> Self {
        let (text, mark) = unmarked(with);
        Self { file, range: place(file, words), text, mark }
    }

    /// Whether the words stay as they are.
    pub fn only_marks(&self) -> bool {
        self.file.text()[self.range.clone()] == self.text
    }
}

/// Where these words stand in a file.
fn place(file: File, words: &str) -> Range<usize> {
    let text = file.text();
    let mut found = text.match_indices(words);
    let (Some((at, _)), None) = (found.next(), found.next()) else {
        panic!("`{words}` stands once in {}", file.name());
    };
    at..at + words.len()
}

/// A text without its mark, and where the mark was.
pub fn unmarked(with: &str) -> (String, Option<Range<usize>>) {
    let Some((before, rest)) = with.split_once('«') else { return (with.to_owned(), None) };
    let (marked, after) = rest.split_once('»').expect("a mark is closed");
    let mark = before.len()..before.len() + marked.len();
    (format!("{before}{marked}{after}"), Some(mark))
}
