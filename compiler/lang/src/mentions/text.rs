//! References and environment variables in a string.
use super::{Kind, Written, known};
use crate::resolve::references_in;
use crate::sources::{Source, Span};
use crate::syntax::literal::Places;
use std::cell::OnceCell;
use std::ops::Range;

/// Prefix of the environment variables that tfjob sets.
const PREFIX: &str = "TFJOB_";

/// A name in a string. Ranges are relative to the value of the string.
pub(super) struct Found {
    pub kind: Kind,
    pub name: String,
    pub written: Written,
    /// The reference with its braces, or the variable.
    pub whole: Range<usize>,
    /// The name or variable itself.
    pub word: Option<Range<usize>>,
}

/// Returns the names in a string: first those in references, then those in environment variables.
pub(super) fn mentions(text: &str) -> Vec<Found> {
    let mut all: Vec<Found> =
        references_in(text).into_iter().filter_map(|range| reference(text, range)).collect();
    let mut at = 0;
    while let Some(from) =
        text[at..].find(|c: char| c.is_ascii_alphabetic() || c == '_').map(|found| at + found)
    {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        at = text[from..].find(|c: char| !part(c)).map_or(text.len(), |length| from + length);
        // A word such as `9_A` is not a variable.
        if !text[..from].ends_with(part) {
            all.extend(of_variable(text, from..at));
        }
    }
    all
}

fn reference(text: &str, whole: Range<usize>) -> Option<Found> {
    let body = &text[whole.start + 1..whole.end - 1];
    let (head, name) = body.split_once('.').map_or((body, None), |(head, name)| (head, Some(name)));
    let (reference, kind) = known().find(|(reference, _)| reference.head == head && reference.is(body))?;
    match name {
        Some(name) => {
            let word = Some(whole.end - 1 - name.len()..whole.end - 1);
            Some(Found { kind, name: name.to_owned(), written: Written::Within, whole, word })
        }
        // `{count}` is the number of all tasks, so it mentions no name.
        None if reference.head == "count" => None,
        None => Some(Found { kind, name: singleton(kind), written: Written::Implied, whole, word: None }),
    }
}

/// Returns the name of a block without a name of its own.
fn singleton(kind: Kind) -> String {
    match kind {
        Kind::Code => "code".to_owned(),
        Kind::Checkpoints => "checkpoints".to_owned(),
        Kind::Role
        | Kind::Data
        | Kind::Files
        | Kind::Param
        | Kind::Port
        | Kind::Variable
        | Kind::Target
        | Kind::Job => String::new(),
    }
}

fn of_variable(text: &str, range: Range<usize>) -> Option<Found> {
    let name = &text[range.clone()];
    let Some(rest) = name.strip_prefix(PREFIX) else {
        let before = &text[..range.start];
        let start = before.strip_suffix('{').unwrap_or(before).strip_suffix('$')?;
        // The shell does not expand `\$NAME`, so the text mentions no variable.
        if start.ends_with('\\') {
            return None;
        }
        let (kind, written) = (Kind::Variable, Written::Within);
        return Some(Found { kind, name: name.to_owned(), written, whole: range.clone(), word: Some(range) });
    };
    let variable_of = |head: &str| tfjob_contract::variable(&[head])[PREFIX.len()..].to_owned();
    // tfjob sets no variable for `{env.NAME}`, because a script reads `$NAME` directly.
    let mut known = known().filter(|(_, kind)| *kind != Kind::Variable);
    let (reference, kind, rest) = known.find_map(|(reference, kind)| {
        let rest = rest.strip_prefix(variable_of(reference.head).as_str())?;
        let named = rest.strip_prefix('_').filter(|rest| !rest.is_empty());
        let body =
            named.map_or_else(|| reference.head.to_owned(), |rest| format!("{}.{rest}", reference.head));
        (rest.is_empty() == named.is_none() && reference.is(&body))
            .then(|| (reference, kind, named.map(str::to_owned)))
    })?;
    match rest {
        Some(name) => {
            let written = Written::Variable(reference.head);
            Some(Found { kind, name, written, whole: range.clone(), word: Some(range) })
        }
        None if reference.head == "count" => None,
        None => {
            Some(Found { kind, name: singleton(kind), written: Written::Implied, whole: range, word: None })
        }
    }
}

/// Maximum length of a literal in which the occurrences of a word are counted, in bytes: each word needs a pass over the literal.
const MOST_COUNTED: usize = 16 * 1024;

/// A string, and the literal that it was read from.
pub(super) struct Literal<'s> {
    source: &'s Source,
    places: Places,
    value: &'s str,
    /// The parts of the value that the literal contains verbatim; see [`runs`].
    runs: OnceCell<Option<Vec<Run>>>,
}

/// Start of a part of a value: its offset in the value, and in the literal.
type Run = (usize, usize);

impl<'s> Literal<'s> {
    /// Parses the literal at a span that includes the quotes.
    pub fn of(source: &'s Source, literal: Span, value: &'s str) -> Self {
        Self { source, places: Places::of(source, literal), value, runs: OnceCell::new() }
    }

    /// Returns the span of a range of the value. `None` if its position is unknown. If the literal has escapes in the range, the
    /// text at the span differs from the range.
    pub fn exact(&self, range: Range<usize>) -> Option<Span> {
        let wanted = self.value.get(range.clone())?;
        let span = self.places.at(range.clone());
        let literal = self.places.literal();
        if span != literal || self.source.slice(span) == wanted {
            return Some(span);
        }
        // The positions of the characters are unknown, as in a block scalar of YAML. The position is then computed from the parts
        // of the value that the literal contains verbatim.
        let written = self.source.slice(literal);
        let byte = match self.runs.get_or_init(|| runs(written, self.value)) {
            Some(runs) => {
                let (start, byte) =
                    runs[runs.partition_point(|(start, _)| *start <= range.start).checked_sub(1)?];
                byte + range.start - start
            }
            None => occurrence(written, self.value, wanted, range.start)?,
        };
        let found = written.get(byte..byte + wanted.len()).is_some_and(|found| found == wanted);
        let offset = |byte: usize| literal.start + u32::try_from(byte).unwrap_or(u32::MAX);
        found.then(|| Span::new(offset(byte), offset(byte + wanted.len())))
    }
}

/// Returns the parts of a value that its literal contains verbatim. The indentation of each line of a block scalar ends a part.
/// `None` if the literal differs in more than white space, quotes, and the header of a block scalar.
fn runs(literal: &str, value: &str) -> Option<Vec<Run>> {
    let quoted = ['"', '\''].into_iter().find(|quote| literal.len() > 1 && literal.starts_with(*quote));
    let (from, to) = match quoted {
        Some(quote) => (1, literal.len() - usize::from(literal.ends_with(quote))),
        None if literal.starts_with(['|', '>']) => (literal.find('\n')?, literal.len()),
        None => (0, literal.len()),
    };
    let is_written = |(_, c): &(usize, char)| !matches!(c, ' ' | '\t' | '\n' | '\r');
    let mut written = literal[from..to].char_indices().filter(is_written);
    let mut runs: Vec<Run> = Vec::new();
    for (at, c) in value.char_indices().filter(is_written) {
        let (byte, _) = written.next().filter(|(_, other)| *other == c)?;
        let is_next = |(start, first): &Run| at - start == from + byte - first;
        if !runs.last().is_some_and(is_next) {
            runs.push((at, from + byte));
        }
    }
    written.next().is_none().then_some(runs)
}

/// Returns the position in the literal of the word that is at `start` in the value. `None` if the word does not occur as often in
/// the literal as in the value: then the occurrences do not correspond to each other.
fn occurrence(literal: &str, value: &str, word: &str, start: usize) -> Option<usize> {
    if word.is_empty()
        || literal.len() > MOST_COUNTED
        || literal.matches(word).count() != value.matches(word).count()
    {
        return None;
    }
    let before = value.match_indices(word).take_while(|(at, _)| *at < start).count();
    literal.match_indices(word).nth(before).map(|(byte, _)| byte)
}
