//! Reports unclosed braces, comments, and multi-line strings. Adds a missing brace where the indentation implies it. Replaces
//! an unterminated comment or string by spaces.
mod leftover;
#[cfg(test)]
mod tests;

use super::draft::{Change, Draft};
use super::foreign_tokens::indent;
use super::lexer::{Kind, Token, is_newline, lex};
use crate::codes::{UNBALANCED_BRACES, UNCLOSED};
use crate::diagnostic::{Diagnostic, Fix};
use crate::sources::Span;

/// Maximum number of braces to repair in one text. Beyond this number, the structure would be a guess.
const MOST: usize = 20;

/// Result of [`balance`].
#[derive(Default)]
pub(super) struct Balance {
    pub diagnostics: Vec<Diagnostic>,
    /// Spans near which content may be lost or misplaced.
    pub broken: Vec<Span>,
}

/// Balances the braces of the draft, and removes an unterminated comment or string at the end of the text. `tokens`: all tokens of the
/// draft.
///
/// # Errors
/// Returns the diagnostics of a text with too many unbalanced braces to continue.
pub(super) fn balance(draft: &mut Draft, mut tokens: Vec<Token>) -> Result<Balance, Vec<Diagnostic>> {
    let mut out = Balance::default();
    let cut = tokens.last().is_some_and(|last| unclosed(draft, *last, &mut out));
    if cut {
        tokens = lex(&draft.text);
    }
    if is_balanced(&tokens) {
        return Ok(out);
    }
    if leftover::remove(draft, &tokens, &mut out) {
        tokens = lex(&draft.text);
    }
    let mut reader = Reader::new(draft, &tokens);
    reader.cut = cut;
    reader.read(&tokens);
    out.diagnostics.append(&mut reader.diagnostics);
    out.broken.append(&mut reader.broken);
    let changes = reader.changes;
    if out.diagnostics.len() > MOST {
        return Err(out.diagnostics);
    }
    draft.apply(changes, Vec::new());
    if is_balanced(&lex(&draft.text)) { Ok(out) } else { Err(out.diagnostics) }
}

fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for token in tokens {
        if token.kind == Kind::Open {
            depth += 1;
        } else if token.kind == Kind::Close {
            let Some(less) = depth.checked_sub(1) else { return false };
            depth = less;
        }
    }
    depth == 0
}

/// Reports an unterminated comment or `"""` string at the end of the text, and replaces it by spaces. Returns whether there
/// is one.
fn unclosed(draft: &mut Draft, last: Token, out: &mut Balance) -> bool {
    let words = &draft.text[last.range()];
    let hashes = words.find('"').unwrap_or(0);
    let (length, what, close) = if last.kind == Kind::OpenComment {
        (2, "comment", "*/".to_owned())
    } else if last.kind == Kind::OpenText && words[hashes..].starts_with("\"\"\"") {
        (hashes + 3, "string", format!("\"\"\"{}", "#".repeat(hashes)))
    } else {
        return false;
    };
    let opening = draft.span(last.start..last.start + length);
    let message = format!("unterminated {what}");
    out.diagnostics.push(
        Diagnostic::new(&UNCLOSED, opening, message)
            .here("extends to the end of the file")
            .help(format!("close it with `{close}`")),
    );
    out.broken.push(draft.span(last.range()));
    draft.apply(Vec::new(), vec![last.range()]);
    true
}

/// An open block.
struct Block {
    at: usize,
    /// Line number and indentation of the line that opens the block.
    line: usize,
    indent: usize,
    /// Whether the block has content.
    seen: bool,
    /// Whether the content of the block is not indented. If so, the indentation does not show where a brace is missing.
    flat: bool,
}

/// A line that contains more than spaces and comments.
#[derive(Clone, Copy)]
struct Line {
    indent: usize,
    /// End of the content of the line.
    end: usize,
    /// Kind of the last token on the line.
    last: Kind,
}

impl Line {
    /// Returns whether text that is appended to the line would become part of the last token.
    const fn runs_on(self) -> bool {
        matches!(self.last, Kind::OpenText | Kind::Backslash)
    }
}

struct Reader<'d, 's> {
    draft: &'d Draft<'s>,
    /// Whether an unterminated comment or string extends to the end of the file. If so, unclosed blocks are not reported.
    cut: bool,
    missing: usize,
    extra: usize,
    stack: Vec<Block>,
    lines: Vec<Line>,
    last_closed: Option<(usize, usize)>,
    diagnostics: Vec<Diagnostic>,
    broken: Vec<Span>,
    changes: Vec<Change>,
}

impl<'d, 's> Reader<'d, 's> {
    fn new(draft: &'d Draft<'s>, tokens: &[Token]) -> Self {
        let count = |kind| tokens.iter().filter(|token| token.kind == kind).count();
        let (opens, closes) = (count(Kind::Open), count(Kind::Close));
        Self {
            draft,
            cut: false,
            missing: opens.saturating_sub(closes),
            extra: closes.saturating_sub(opens),
            stack: Vec::new(),
            lines: Vec::new(),
            last_closed: None,
            diagnostics: Vec::new(),
            broken: Vec::new(),
            changes: Vec::new(),
        }
    }

    fn read(&mut self, tokens: &[Token]) {
        let (mut margin, mut joined) = (Some(0), false);
        for token in tokens {
            if self.diagnostics.len() > MOST {
                return;
            }
            if token.kind == Kind::Newline {
                margin = (!joined).then_some(0);
                joined = false;
            } else if token.kind == Kind::Blank {
                margin = margin.map(|_| indent(&self.draft.text[token.range()]));
            } else if !token.kind.is_comment() {
                joined = token.kind == Kind::Backslash;
                let heads = margin.is_some();
                if let Some(margin) = margin.take() {
                    self.line(*token, margin);
                }
                self.token(*token, heads);
            }
        }
        self.end();
    }

    fn line(&mut self, token: Token, indent: usize) {
        let close = token.kind == Kind::Close;
        if let Some(top) = self.stack.last_mut()
            && !top.seen
            && !close
        {
            top.flat = indent <= top.indent;
        }
        while self.missing > 0
            && let Some(top) = self.stack.last()
            && !top.flat
            && (indent < top.indent || indent == top.indent && !close)
        {
            self.missing -= 1;
            let top = self.stack.pop().expect("it has a last");
            let here = self.draft.span(token.range());
            self.never_closed(&top, here, "expected `}` before this line");
        }
        self.lines.push(Line { indent, end: token.end, last: token.kind });
    }

    fn token(&mut self, token: Token, heads: bool) {
        let line = self.lines.len() - 1;
        let Line { indent, .. } = self.lines[line];
        if token.kind == Kind::Open {
            self.stack.push(Block { at: token.start, line, indent, seen: false, flat: false });
        } else if token.kind == Kind::Close {
            self.close(token, heads, indent);
        } else if let Some(top) = self.stack.last_mut() {
            top.seen = true;
        }
        self.lines[line].end = token.end;
        self.lines[line].last = token.kind;
    }

    fn close(&mut self, token: Token, heads: bool, indent: usize) {
        let deeper = |top: &Block| !top.flat && heads && indent > top.indent;
        match self.stack.last() {
            None => self.stray(token, indent),
            Some(top) if self.extra > 0 && deeper(top) => {
                self.extra -= 1;
                self.stray(token, indent);
            }
            Some(top) if self.extra > 0 && !heads && self.is_before_entries(top, token, indent) => {
                self.extra -= 1;
                self.closed_in_line(token);
            }
            Some(top) => {
                self.last_closed = Some((top.at, token.start));
                self.stack.pop();
                if let Some(top) = self.stack.last_mut() {
                    top.seen = true;
                }
            }
        }
    }

    /// Returns whether a `}` at the end of a line would close the block of an earlier line, although the next line is inside of this
    /// block. `indent`: the indentation of the line of the `}`.
    fn is_before_entries(&self, block: &Block, close: Token, indent: usize) -> bool {
        let mut rest = self.draft.text[close.end..].lines();
        let has_text = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let is_last = !rest.next().is_some_and(|line| has_text(line.trim_start_matches([' ', '\t', '}'])));
        let is_earlier = block.line + 1 < self.lines.len() && !block.flat && indent > block.indent;
        is_last
            && is_earlier
            && rest.find(|line| has_text(line)).is_some_and(|next| self::indent(next) > block.indent)
    }

    /// Reports a `}` at the end of a line, although entries of the block follow on the next lines.
    fn closed_in_line(&mut self, close: Token) {
        let here = self.draft.span(close.range());
        let before = self.draft.text[..close.start].trim_end_matches([' ', '\t']).len();
        let removed = self.draft.span(before..close.end);
        self.diagnostics.push(
            Diagnostic::new(&UNBALANCED_BRACES, here, "`}` closes the block here, but its entries follow")
                .help("remove this `}`")
                .suggest(Fix::edit("remove `}`", removed, "").in_help()),
        );
        self.broken.push(here);
        self.changes.push(Change::new(close.range(), " "));
    }

    fn end(&mut self) {
        let end = self.lines.last().map_or(0, |line| line.end);
        while let Some(top) = self.stack.pop() {
            if !self.cut {
                let here = self.draft.span(end..end);
                self.never_closed(&top, here, "the file ends here");
                self.changes.pop();
            }
            let end = self.draft.text.len();
            self.changes.push(Change::new(end..end, "\n}"));
        }
    }

    fn never_closed(&mut self, block: &Block, place: Span, words: &str) {
        let open = self.draft.span(block.at..block.at + 1);
        let last = self.lines.last().copied();
        let last = last.unwrap_or(Line { indent: 0, end: block.at + 1, last: Kind::Open });
        let end = last.end;
        let rest = &self.draft.text[end..];
        let line = &rest[..rest.find(is_newline).unwrap_or(rest.len())];
        let line_end = if line.contains("/*") { end } else { end + line.len() };
        let (at, insert) = if block.line + 1 == self.lines.len() && !last.runs_on() {
            (end, " }".to_owned())
        } else {
            (line_end, format!("\n{}}}", " ".repeat(block.indent)))
        };
        let mut diagnostic = Diagnostic::new(&UNBALANCED_BRACES, open, "unclosed block")
            .here("opened here")
            .label(place, words);
        if !self.draft.text[..at].trim_end().ends_with('\\') {
            diagnostic = diagnostic.suggest(Fix::edit("close it with `}`", self.draft.span(at..at), insert));
        }
        self.diagnostics.push(diagnostic);
        self.broken.push(open);
        self.changes.push(Change::new(line_end..line_end, "\n}"));
    }

    fn stray(&mut self, token: Token, indent: usize) {
        let here = self.draft.span(token.range());
        let mut diagnostic = Diagnostic::new(&UNBALANCED_BRACES, here, "unmatched `}`");
        let forgotten = self.forgotten_open(indent);
        if let Some((open, end)) = forgotten.and_then(|end| Some((self.empty_block(end)?, end))) {
            self.closed_early(open, end, here);
            return;
        }
        if let Some(end) = forgotten.filter(|end| self.draft.text[..*end].ends_with('}')) {
            self.closed_before_last_entries(end, here);
            return;
        }
        if let Some(end) = forgotten {
            let place = self.draft.span(end..end);
            diagnostic = diagnostic.label(place, "a `{` may be missing here").suggest(Fix::edit(
                "open the block with `{`",
                place,
                " {",
            ));
            self.changes.push(Change::new(end..end, " {"));
        } else {
            if let Some((open, close)) = self.last_closed {
                diagnostic = diagnostic
                    .label(self.draft.span(open..open + 1), "the previous block begins here")
                    .label(self.draft.span(close..close + 1), "and ends here");
            }
            diagnostic =
                diagnostic.help("remove it, or add `{` at the end of the line that starts its block");
            self.changes.push(Change::new(token.range(), " "));
            self.broken.push(here);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports an empty block whose entries follow on the next lines. `here`: the `}` after these entries.
    fn closed_early(&mut self, open: usize, end: usize, here: Span) {
        let before = &self.draft.text[..open];
        let entry = before.rsplit(['\n', '{', ';']).next().unwrap_or_default();
        let name =
            entry.split_whitespace().next().filter(|name| name.bytes().all(|b| b.is_ascii_lowercase()));
        let fact = match name {
            Some(name) => format!("`{{}}` closes the block of `{name}` here, but its entries follow"),
            None => "`{}` closes the block here, but its entries follow".to_owned(),
        };
        let close = self.draft.span(end - 1..end);
        let removed = self.draft.span(open + 1..end);
        self.diagnostics.push(
            Diagnostic::new(&UNBALANCED_BRACES, self.draft.span(open..end), fact)
                .here("empty block")
                .label(here, "the block ends here")
                .help("remove the first `}`")
                .suggest(Fix::edit("remove `}`", removed, "").in_help()),
        );
        self.broken.push(close);
        self.changes.push(Change::new(end - 1..end, " "));
    }

    /// Reports a block that ends at `end`, although entries with a deeper indentation follow. `here`: the `}` after these entries.
    fn closed_before_last_entries(&mut self, end: usize, here: Span) {
        let close = self.draft.span(end - 1..end);
        let line = self.draft.text[..end].rfind('\n').map_or(0, |at| at + 1);
        let is_alone = self.draft.text[line..end].trim() == "}" && self.draft.text[end..].starts_with('\n');
        let removed = if is_alone { self.draft.span(line..end + 1) } else { close };
        self.diagnostics.push(
            Diagnostic::new(&UNBALANCED_BRACES, close, "`}` closes the block here, but its entries follow")
                .here("first `}`")
                .label(here, "the block ends here")
                .help("remove the first `}`")
                .suggest(Fix::edit("remove `}`", removed, "").in_help()),
        );
        self.broken.push(close);
        self.changes.push(Change::new(end - 1..end, " "));
    }

    /// Returns the start of the empty block that ends at `end`, if there is one.
    fn empty_block(&self, end: usize) -> Option<usize> {
        let inner = self.draft.text[..end].strip_suffix('}')?.trim_end_matches([' ', '\t']);
        inner.ends_with('{').then(|| inner.len() - 1)
    }

    /// Returns the end of the line at which a `{` is probably missing, for a `}` with the indentation `indent`.
    fn forgotten_open(&self, indent: usize) -> Option<usize> {
        let lines = &self.lines[..self.lines.len() - 1];
        let number = lines.iter().rposition(|line| line.indent <= indent)?;
        let deeper = lines.get(number + 1).is_some_and(|line| line.indent > indent);
        let line = lines[number];
        (line.indent == indent && deeper && line.last != Kind::Open && !line.runs_on()).then_some(line.end)
    }
}
