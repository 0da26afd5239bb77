//! Common mistakes in KDL: syntax that KDL rejects or parses with another meaning. Each is reported once with a fix, and
//! repaired so that the rest of the file parses as intended.
use super::draft::{Change, Draft};
use super::guard::MAX_HIDDEN;
use super::lexer::{Kind, Lexer, Token, is_blank, is_newline};
use crate::codes::{HASH_COMMENT, SYNTAX, TOO_DEEP};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;
use std::ops::Range;

mod colon;
mod list;
mod name;
mod new_line;
mod parens;
mod property;
mod quotes;
mod report;
mod rewritten;
mod run_on;
#[cfg(test)]
mod tests;
mod value;

/// The mistakes in a text, and their repairs. All ranges are byte ranges of the draft.
#[derive(Default)]
pub(super) struct Slips {
    /// Diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Repairs of the reported mistakes.
    pub changes: Vec<Change>,
    /// Ranges to replace by spaces: comments, elements disabled by `/-`, and unparsable parts.
    pub blanks: Vec<Range<usize>>,
    /// Ranges of unparsable parts.
    pub broken: Vec<Range<usize>>,
}

/// Scans a text with balanced braces.
pub(super) fn find(draft: &Draft) -> Slips {
    let text = draft.text.as_str();
    let mut walk = Walk {
        draft,
        text,
        lexer: Lexer::new(text),
        statement: None,
        blocks: Vec::new(),
        hide: None,
        ended: None,
        told: false,
        bracketless: 0,
        quoteless: 0,
        out: Slips::default(),
    };
    while let Some(token) = walk.lexer.next() {
        if walk.statement.is_some() {
            walk.within(token);
        } else {
            walk.between(token);
        }
    }
    walk.finish()
}

struct Walk<'w> {
    draft: &'w Draft<'w>,
    text: &'w str,
    lexer: Lexer<'w>,
    /// The node on the current line.
    statement: Option<Statement>,
    /// The open blocks.
    blocks: Vec<Block>,
    /// Offset of a `/-` for which no element has followed yet.
    hide: Option<usize>,
    /// The previous node. Its block may begin on the next line.
    ended: Option<Statement>,
    /// Whether the last call of [`Walk::say`] added a diagnostic. It adds none if the line is already skipped, or after too many
    /// problems.
    told: bool,
    /// No `[` before this offset is closed. The offset is cached, so that failed searches are not repeated.
    bracketless: usize,
    /// No bare word before this offset lacks an opening quote. The offset is cached, so that failed searches are not repeated.
    quoteless: usize,
    out: Slips,
}

/// A node that is not yet parsed completely.
#[derive(Default)]
struct Statement {
    start: usize,
    name: Range<usize>,
    /// End of the last token of the node.
    end: usize,
    /// Offset of the `/-` that disables the node.
    hide: Option<usize>,
    /// Start of the rest of the line, if that rest is unparsable.
    lost: Option<usize>,
    /// Whether the name of the node is unparsable.
    nameless: bool,
    /// Whether only the name has been parsed so far.
    fresh: bool,
    /// Whether a space follows the last token.
    spaced: bool,
    /// Range of the last line continuation `\`.
    joined: Option<Range<usize>>,
    /// Whether the node has a block (`block`), and whether it has a block disabled by `/-` (`hidden_block`).
    block: bool,
    hidden_block: bool,
    /// Offset of the parenthesis that closes the last open parenthesis.
    group: Option<usize>,
    /// Number of open square brackets.
    brackets: usize,
    /// Names and ranges of the properties that have been parsed so far.
    keys: BTreeMap<String, Range<usize>>,
    /// Index of the diagnostic to which later mistakes on the same line are added.
    absorbs: Option<usize>,
    /// The last string of the node, and the start of the entry that contains this string.
    text: Option<(usize, Token)>,
}

struct Block {
    owner: Statement,
    hide: Option<usize>,
}

impl Walk<'_> {
    fn words(&self, token: Token) -> &str {
        &self.text[token.range()]
    }

    /// Handles a token outside of a node.
    fn between(&mut self, token: Token) {
        if matches!(token.kind, Kind::Blank | Kind::Newline | Kind::Backslash) {
        } else if token.kind.is_comment() {
            self.comment(token);
        } else if token.kind == Kind::Semicolon {
            self.hides_nothing(token.start);
            self.say(&SYNTAX, token.range(), "unexpected `;`", |d| d);
            // Directly after the brace, as in `{;data.x}`, the rest would become a reference.
            let gap = if self.text[..token.start].ends_with('{') { " " } else { "" };
            self.fix("remove it", vec![Change::new(token.range(), gap)]);
        } else if token.kind == Kind::Slashdash {
            self.slashdash(token);
        } else if token.kind == Kind::Close {
            self.hides_nothing(token.start);
            self.close(token);
        } else if token.kind == Kind::Open {
            self.block_without_name(token);
        } else if token.kind == Kind::ParenOpen {
            self.parenthesis(token, token.start);
        } else {
            self.name(token);
        }
    }

    /// Handles a token within a node.
    fn within(&mut self, token: Token) {
        if token.kind == Kind::Blank {
            self.spaced();
        } else if token.kind.is_comment() {
            self.comment(token);
            self.spaced();
        } else if token.kind == Kind::Backslash {
            self.join(token);
        } else if token.kind == Kind::Newline {
            self.newline(token);
        } else if token.kind == Kind::Semicolon {
            self.hides_nothing(token.start);
            if self.statement.as_ref().is_some_and(|s| s.hide.is_some()) {
                self.out.blanks.push(token.range());
            }
            self.end();
            self.ended = None;
        } else if token.kind == Kind::Close {
            self.hides_nothing(token.start);
            self.end();
            self.close(token);
        } else if token.kind == Kind::Open {
            self.open(token);
        } else if token.kind == Kind::Slashdash {
            self.slashdash(token);
        } else {
            self.entry(token);
        }
    }

    fn spaced(&mut self) {
        if let Some(statement) = &mut self.statement {
            statement.spaced = true;
        }
    }

    fn comment(&mut self, token: Token) {
        self.out.blanks.push(token.range());
        if token.kind == Kind::HashComment {
            let marks = self.words(token).chars().take_while(|c| *c == '#').count();
            let mark = token.start..token.start + marks;
            self.say(&HASH_COMMENT, mark.clone(), "`#` comments are not supported in KDL", |d| {
                d.help("write `// …` or `/* … */`")
            });
            self.fix("replace with `//`", vec![Change::new(mark, "//")]);
        }
        // The fix of a list joins its lines: the values after a comment would become part of the comment. Another fix makes `#` a
        // comment.
        let to_end_of_line = matches!(token.kind, Kind::HashComment | Kind::LineComment);
        if to_end_of_line && self.statement.as_ref().is_some_and(|s| s.brackets > 0) {
            self.list_with_comment();
        }
    }

    /// Skips the rest of a line after a line continuation `\`.
    fn join(&mut self, sign: Token) {
        self.spaced();
        self.statement().joined = Some(sign.range());
        while let Some(token) = self.lexer.next() {
            if token.kind == Kind::Newline {
                return;
            }
            if token.kind == Kind::HashComment {
                self.comment(token);
            }
            self.out.blanks.push(token.range());
        }
    }

    fn newline(&mut self, token: Token) {
        if self.statement.as_ref().is_some_and(|s| s.brackets > 0) {
            self.spaced();
            self.absorb(vec![Change::new(token.range(), " ")]);
        } else if self.hide.is_some() {
            self.spaced();
        } else {
            self.end();
        }
    }

    fn slashdash(&mut self, token: Token) {
        let glued = self.statement.as_ref().is_some_and(|s| !s.spaced);
        // After `k=`, `spaced` is not set, because the value must follow directly.
        let blank = self.text[..token.start].ends_with(is_blank) || self.text[..token.start].ends_with("*/");
        if glued && !blank {
            self.say(&SYNTAX, token.range(), "missing space before `/-`", |d| d);
            self.fix("insert a space", vec![Change::new(token.start..token.start, " ")]);
        }
        if self.hide.is_some() {
            self.say(&SYNTAX, token.range(), "duplicate `/-`", |d| {
                d.help("a single `/-` disables the element after it")
            });
            self.fix("remove it", vec![Change::new(token.range(), "")]);
        }
        self.hide = self.hide.or(Some(token.start));
        self.spaced();
    }

    /// Reports a `/-` that is followed by the end of a node, block, or text instead of an element.
    fn hides_nothing(&mut self, end: usize) {
        if let Some(at) = self.hide.take() {
            self.say(&SYNTAX, at..at + 2, "`/-` has no effect: nothing follows it", |d| {
                d.help("write `/-` directly before the entry, value, or block to disable")
            });
            if !self.text[at..end].contains(is_newline) {
                self.fix("remove it", vec![Change::new(at..at + 2, "")]);
            }
            self.out.blanks.push(at..end);
        }
    }

    fn open(&mut self, token: Token) {
        let Some(mut statement) = self.statement.take() else { return };
        let mut hide = self.hide.take();
        self.end_header(&mut statement);
        if hide.is_some() {
            statement.hidden_block = true;
        } else if statement.block {
            self.say(&SYNTAX, token.range(), "second block of the same entry", |d| {
                d.help("an entry has one block; start the next entry on a new line or after `;`")
            });
            self.out.broken.push(token.range());
            hide = Some(token.start);
        } else {
            statement.block = true;
        }
        statement.end = token.end;
        self.ended = None;
        let hides = |block: &&Block| block.hide.is_some() || block.owner.hide.is_some();
        if (hide.is_some() || statement.hide.is_some())
            && self.blocks.iter().filter(hides).count() == MAX_HIDDEN
        {
            let message = format!("blocks disabled by `/-` are nested more than {MAX_HIDDEN} levels deep");
            let help = "remove the inner `/-`: the outer one already disables all blocks in it";
            self.say(&TOO_DEEP, token.range(), message, |d| d.help(help));
        }
        self.blocks.push(Block { owner: statement, hide });
    }

    fn close(&mut self, token: Token) {
        let Some(Block { mut owner, hide }) = self.blocks.pop() else { return };
        if let Some(start) = hide {
            self.out.blanks.push(start..token.end);
        }
        owner.end = token.end;
        owner.spaced = false;
        self.statement = Some(owner);
    }

    /// Handles a `{` at the start of a line.
    fn block_without_name(&mut self, token: Token) {
        let before = self.ended.take().filter(|s| !s.block && !s.hidden_block && self.hide.is_none());
        if let Some(statement) = before {
            self.say(&SYNTAX, token.range(), "`{` must be on the same line as its name", |d| {
                d.help("move `{` to the end of the previous line")
            });
            let gap = &self.text[statement.end..token.start];
            let changes = if gap.trim().is_empty() {
                vec![Change::new(statement.end..token.end, " {")]
            } else {
                let there = statement.end;
                vec![Change::new(there..there, " {"), Change::new(token.range(), "")]
            };
            self.fix("move it to the previous line", changes);
            // After an unparsable part, such as an unterminated string, the brace would become a part of it.
            let broken = self.out.broken.last().is_some_and(|lost| lost.end >= statement.end);
            if let Some(last) = self.out.diagnostics.last_mut().filter(|_| self.told && broken) {
                last.fixes.clear();
            }
            self.statement = Some(statement);
        } else {
            self.say(&SYNTAX, token.range(), "missing name before `{`", |d| {
                d.help("write the name before the block, such as `role \"worker\" { … }`")
            });
            let hide = self.hide.take().or(Some(token.start));
            self.statement = Some(Statement {
                start: token.start,
                end: token.end,
                hide,
                nameless: true,
                ..Default::default()
            });
        }
        self.open(token);
    }

    /// Ends the current node, and records its repairs.
    fn end(&mut self) {
        let Some(mut statement) = self.statement.take() else { return };
        self.end_header(&mut statement);
        if let Some(start) = statement.hide {
            self.out.blanks.push(start..statement.end);
        }
        if statement.nameless {
            self.out.broken.push(statement.start..statement.end);
        }
        self.ended = Some(statement);
    }

    /// Ends the header of a node: the part before its block.
    fn end_header(&mut self, statement: &mut Statement) {
        if let Some(start) = statement.lost.take() {
            self.out.blanks.push(start..statement.end);
            if !statement.nameless {
                self.out.broken.push(start..statement.end);
            }
        }
        statement.brackets = 0;
    }

    fn finish(mut self) -> Slips {
        self.hides_nothing(self.text.len());
        self.end();
        while let Some(Block { owner, hide }) = self.blocks.pop() {
            let end = self.text.len();
            self.out.blanks.extend([owner.hide, hide].into_iter().flatten().map(|start| start..end));
        }
        self.out
    }
}
