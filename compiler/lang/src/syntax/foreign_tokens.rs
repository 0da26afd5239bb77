//! Lengths of tokens that KDL does not support. The lexer needs them, so that the text after such a token is parsed as
//! intended.
use super::lexer::{Kind, block_comment, is_blank, is_newline, is_word, run};
use crate::references;
use std::ops::Range;

/// Maximum lookahead in bytes for the end of a line continuation, a KDL 1 raw string, or a multi-line string. Without this
/// limit, the lexer could take quadratic time.
const FAR: usize = 2048;

/// Quotes of other languages: the opening and the closing quote.
const QUOTES: [(char, char); 6] = [
    ('\'', '\''),
    ('`', '`'),
    ('\u{2018}', '\u{2019}'),
    ('\u{201c}', '\u{201d}'),
    ('\u{201e}', '\u{201d}'),
    ('\u{ab}', '\u{bb}'),
];

/// The quotes around a string of several lines in other languages.
pub(super) const TRIPLE: &str = "'''";

/// Lookahead within a line. Remembers failed searches, so that the lexer takes linear time.
#[derive(Debug, Clone)]
pub(super) struct Ahead<'a> {
    pub(super) text: &'a str,
    /// For each kind of quote: the offset up to which the search for a closing quote is known to fail. So no failed search is
    /// repeated.
    barren: [usize; QUOTES.len()],
    /// For a comment that begins before this offset, the search for its end is known to fail.
    endless: usize,
    /// Range of the line that was searched last.
    line: Range<usize>,
}

/// Returns whether a bare word contains a quote.
pub(super) fn has_quote(word: &str) -> bool {
    word.contains(|c| c == '"' || QUOTES.iter().any(|(open, close)| c == *open || c == *close))
}

/// Returns whether a word consists of the characters of shell operators, such as `&&` and `2>&1`.
pub(super) fn is_operator(word: &str) -> bool {
    word.contains(['&', '|', '<', '>']) && word.chars().all(|c| "&|<>12".contains(c))
}

impl<'a> Ahead<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, barren: [0; QUOTES.len()], endless: 0, line: 0..0 }
    }

    /// Returns the rest of the line from `at` on.
    fn line(&mut self, at: usize) -> &'a str {
        if !self.line.contains(&at) {
            self.line = at..at + run(&self.text[at..], |c| !is_newline(c));
        }
        &self.text[at..self.line.end]
    }

    /// Returns the length in bytes of the lines after `end` that belong to an unterminated string. The string begins at
    /// `at`, and `end` is the end of its line. These lines have deeper indentation, or look like YAML after a string that
    /// begins like a document. A line with only the closing quote is included.
    pub(super) fn inside(&self, at: usize, end: usize) -> usize {
        let below = &self.text[end..];
        if !(below.starts_with('\n') || below.starts_with("\r\n")) {
            return 0;
        }
        let line = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let head = &self.text[line..at];
        if head.matches('{').count() > head.matches('}').count() {
            return 0;
        }
        let margin = indent(head);
        let document = self.text[at..end].trim_end().ends_with(['"', ':', '|', '>']);
        let mut next = below.find('\n').map_or(below.len(), |i| i + 1);
        let mut length = 0;
        for line in below[next..].split_inclusive('\n') {
            let words = line.trim();
            let closes = words.trim_end_matches(|c| matches!(c, ';' | '}') || is_blank(c)) == "\"";
            if closes && (length > 0 || document) {
                return next + line.find('"').map_or(0, |quote| quote + 1);
            }
            if !(words.is_empty() || indent(line) > margin || document && is_yaml(words)) {
                break;
            }
            next += line.len();
            if !words.is_empty() {
                length = next - (line.len() - line.trim_end().len());
            }
        }
        length
    }

    /// Returns whether the comment at `at` closes on its line.
    fn comment_closes(&mut self, at: usize) -> bool {
        if at < self.endless {
            return false;
        }
        let line = self.line(at);
        let closes = line[2..].contains("*/");
        if !closes {
            self.endless = at + line.len();
        }
        closes
    }

    /// Returns the length in bytes of the string at `at` in the quotes of another language, if it ends on the same line. A string
    /// between `'''` may end on a later line.
    pub(super) fn foreign(&mut self, at: usize) -> Option<usize> {
        let first = self.text[at..].chars().next()?;
        if let Some(inner) = self.text[at..].strip_prefix(TRIPLE) {
            return inner.find(TRIPLE).map(|length| TRIPLE.len() + length + TRIPLE.len());
        }
        let kind = QUOTES.iter().position(|(open, _)| *open == first)?;
        if at < self.barren[kind] {
            return None;
        }
        let line = self.line(at);
        let close = QUOTES[kind].1;
        let ends = |end: usize| {
            let next = line[end..].chars().next();
            next.is_none_or(|c| is_blank(c) || matches!(c, ';' | '{' | '}' | ',' | ']' | '='))
        };
        let body = first.len_utf8();
        let found = line[body..].match_indices(close).map(|(i, c)| body + i + c.len()).find(|end| ends(*end));
        if found.is_none() {
            self.barren[kind] = at + line.len();
        }
        found
    }

    /// Returns the length in bytes of the token at `at` that KDL does not support. It is never 0 at a word character, `/`, `\`, or
    /// a reference.
    pub(super) fn foreign_token(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let (mut length, mut uri, mut nest) = (0, false, Nest::default());
        while let Some(c) = rest[length..].chars().next() {
            let tail = &rest[length..];
            let step = match c {
                c if is_word(c) => run(tail, is_word),
                '/' if tail.starts_with("//") => {
                    uri |= rest[..length].ends_with(':');
                    if uri || goes_on(&rest[..length], &tail[2..]) { 2 } else { 0 }
                }
                '/' if tail.starts_with("/-{") => 0,
                '/' if tail.starts_with("/*") && goes_on(&rest[..length], &tail[2..]) => 2,
                '/' if tail.starts_with("/*") && self.comment_closes(at + length) => 0,
                '/' => 1,
                '\\' if !joins_lines(tail) => 1,
                '=' if uri => 1,
                '{' => group_length(tail, rest[..length].ends_with('$')),
                '#' if length > 0 => {
                    let hashes = run(tail, |c| c == '#');
                    if tail[hashes..].starts_with('"') { 0 } else { hashes }
                }
                c if length > 0 => usize::from(nest.holds(c)),
                _ => 0,
            };
            if step == 0 {
                break;
            }
            length += step;
        }
        length
    }
}

/// Returns whether `//` or `/*` between `word` and `after` is part of a word, as in `/usr//local` and `/data/*.csv`, and does not
/// begin a comment. This is so if `word` already contains a character that KDL does not allow in bare words, and no space follows.
fn goes_on(word: &str, after: &str) -> bool {
    word.contains(['/', '\\', '{', '#'])
        && after.chars().next().is_some_and(|c| !is_blank(c) && !is_newline(c))
}

/// Returns the indentation of a line in columns, with tab stops every four columns.
pub(super) fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| is_blank(*c));
    blanks.fold(0, |at, c| if c == '\t' { (at / 4 + 1) * 4 } else { at + 1 })
}

/// Returns whether the line looks like a YAML key or list item.
fn is_yaml(line: &str) -> bool {
    let key = line.split_once(':').is_some_and(|(key, rest)| {
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        !key.is_empty() && key.chars().all(name) && (rest.is_empty() || rest.starts_with(' '))
    });
    key || line == "-" || line.starts_with("- ")
}

/// Number of open brackets within a word, by kind.
#[derive(Default)]
struct Nest {
    round: usize,
    square: usize,
}

impl Nest {
    /// Returns whether a bracket is part of the word: it opens a group, or it closes a group that the word has opened.
    fn holds(&mut self, c: char) -> bool {
        let (open, count) = match c {
            '(' => (true, &mut self.round),
            ')' => (false, &mut self.round),
            '[' => (true, &mut self.square),
            ']' => (false, &mut self.square),
            _ => return false,
        };
        if open {
            *count += 1;
            return true;
        }
        let held = *count > 0;
        *count = count.saturating_sub(1);
        held
    }
}

/// Returns whether the `\` at the start of `rest` continues the line, because only spaces and comments follow. A comment
/// in the notation of other languages, from `#`, has its own error.
pub(super) fn joins_lines(rest: &str) -> bool {
    let mut after = within(&rest[1..], FAR);
    loop {
        after = after.trim_start_matches(is_blank);
        if !after.starts_with("/*") {
            let hash = after.starts_with('#') && after.trim_start_matches('#').starts_with(is_blank);
            return hash || after.chars().next().is_none_or(is_newline) || after.starts_with("//");
        }
        let (kind, length) = block_comment(after);
        if kind == Kind::OpenComment {
            return false;
        }
        after = &after[length..];
    }
}

/// Returns whether `rest` begins with a reference such as `{data.train}`, without spaces.
pub(super) fn is_reference(rest: &str) -> bool {
    group_length(rest, false) > 0
}

/// Returns the length in bytes of a reference such as `{data.train}`, or, if `dollar`, of the braces of a shell variable such as
/// `${NAME}`. Returns 0 for any other text.
fn group_length(rest: &str, dollar: bool) -> usize {
    let inner = &rest[1..];
    let name = run(inner, |c| c.is_ascii_alphanumeric() || c == '_');
    let part = run(&inner[name..], |c| {
        is_word(c) && (dollar || c == '.' || c == '-' || c == '_' || c.is_ascii_alphanumeric())
    });
    let known =
        dollar && name > 0 || references::ALL.iter().any(|reference| reference.head == &inner[..name]);
    let dotted = dollar || part == 0 || inner[name..].starts_with('.');
    if known && dotted && inner[name + part..].starts_with('}') { name + part + 2 } else { 0 }
}

/// Returns `rest`, limited to `far` bytes.
fn within(rest: &str, far: usize) -> &str {
    let mut end = rest.len().min(far);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    &rest[..end]
}

/// Returns the length in bytes of a KDL 1 raw string at the start of `rest`: `r"…"` or `r#"…"#`. It may span several lines.
pub(super) fn old_raw_length(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = run(after, |c| c == '#');
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = within(body, FAR).find(&close)?;
    Some(1 + hashes + 1 + end + close.len())
}

/// Returns the length in bytes of a multi-line string in single `"` quotes at the start of `rest`. `line`: the length of its first
/// line. The closing quote must be the next quote. Only further values, a block, or the end of the node may follow it. Otherwise, a
/// quote is probably missing, and the result is `None`.
pub(super) fn spread_length(rest: &str, line: usize) -> Option<usize> {
    let near = within(&rest[line..], FAR);
    let is_escaped = |at: usize| near[..at].len() - near[..at].trim_end_matches('\\').len();
    let close = line + near.match_indices('"').map(|(at, _)| at).find(|at| is_escaped(*at) % 2 == 0)?;
    let words = &rest[..close];
    let odd = |line: &str| line.trim_end_matches('\r').contains(is_newline);
    let escapes = words.split('\\').skip(1).all(|after| after.starts_with(['n', 't', '"']));
    let tail = rest[close + 1..].split(is_newline).next()?;
    let plain = |words: &str| words.chars().all(|c| is_blank(c) || matches!(c, ';' | '{' | '}'));
    let more = tail.starts_with(is_blank) && tail.matches('"').count() % 2 == 0 && tail.contains(['"', '/']);
    let ends = plain(tail) || more;
    let told = words.ends_with('=') || words.ends_with('#') || words.split('\n').any(odd);
    (escapes && ends && !told).then_some(close + 1)
}

/// Returns the length in bytes of an unterminated string. `rest`: the text from its opening quote to the end of the line.
/// `opening`: length of the quote. Braces at the end of the line are not part of the string, unless the string contains `{`.
pub(super) fn open_text_length(rest: &str, opening: usize) -> usize {
    let body = &rest[opening..];
    let words = body.trim_end_matches(|c| is_blank(c) || matches!(c, '{' | '}' | ';'));
    let tail = &body[words.len()..];
    if tail.contains(['{', '}']) && !words.contains('{') { opening + words.len() } else { rest.len() }
}
