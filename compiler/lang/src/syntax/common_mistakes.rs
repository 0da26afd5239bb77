//! One-slip traps: what KDL refuses or, worse, reads as something else. Each is told once, with what to write, and
//! mended so that the rest of the file is read as it was meant.
use super::draft::{Change, Draft};
use super::guard::MAX_HIDDEN;
use super::lexer::{Kind, Lexer, Token, is_blank, is_newline};
use crate::codes::{HASH_COMMENT, SYNTAX, TOO_DEEP};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;
use std::ops::Range;

mod list;
mod name;
mod parens;
mod property;
mod quotes;
mod report;
mod rewritten;
mod run_on;
#[cfg(test)]
mod tests;
mod value;

/// What one walk over a text found. Bytes are those of the draft.
#[derive(Default)]
pub(super) struct Slips {
    /// The problems, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// What mends them.
    pub changes: Vec<Change>,
    /// What means nothing: comments, what `/-` hides, and what cannot be read.
    pub blanks: Vec<Range<usize>>,
    /// What cannot be read.
    pub broken: Vec<Range<usize>>,
}

/// Walks over a text whose braces are balanced.
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
    /// The node whose line is being read.
    statement: Option<Statement>,
    /// The open blocks.
    blocks: Vec<Block>,
    /// A `/-` that waits for what it hides.
    hide: Option<usize>,
    /// The node before, whose block may begin on the next line.
    ended: Option<Statement>,
    /// Whether the last problem found was told.
    told: bool,
    /// Up to here no `[` has its `]`.
    bracketless: usize,
    /// Up to here no bare word lacks the quote that opens it.
    quoteless: usize,
    out: Slips,
}

/// A node as far as it was read.
#[derive(Default)]
struct Statement {
    start: usize,
    name: Range<usize>,
    /// The end of its last word.
    end: usize,
    /// The `/-` that hides it.
    hide: Option<usize>,
    /// Where its line stops being legible.
    lost: Option<usize>,
    /// Whether its very name is illegible.
    nameless: bool,
    /// Whether only the name was read.
    fresh: bool,
    /// Whether a blank stands before the next word.
    spaced: bool,
    /// The last `\` that joins a line to the next, with the end of its line.
    joined: Option<Range<usize>>,
    /// Whether it has a block; a hidden one.
    block: bool,
    hidden_block: bool,
    /// Where the parenthesis closes that was opened last.
    group: Option<usize>,
    /// Open square brackets.
    brackets: usize,
    /// Its properties.
    keys: BTreeMap<String, Range<usize>>,
    /// The problem that takes up the smaller ones on the same line.
    absorbs: Option<usize>,
    /// The text read last, and where its entry begins.
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

    /// A token where a node may begin.
    fn between(&mut self, token: Token) {
        if matches!(token.kind, Kind::Blank | Kind::Newline | Kind::Backslash) {
        } else if token.kind.is_comment() {
            self.comment(token);
        } else if token.kind == Kind::Semicolon {
            self.hides_nothing(token.start);
            self.say(&SYNTAX, token.range(), "`;` ends no node", |d| d);
            self.fix("remove it", vec![Change::new(token.range(), "")]);
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

    /// A token on the line of a node.
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
            self.say(&HASH_COMMENT, mark.clone(), "`#` does not begin a comment", |d| {
                d.help("a comment is `// …` or `/* … */`")
            });
            self.fix("write `//`", vec![Change::new(mark, "//")]);
        } else if token.kind == Kind::LineComment && self.statement.as_ref().is_some_and(|s| s.brackets > 0) {
            self.no_fix();
        }
    }

    /// Skips the end of a line that `\` joins to the next.
    fn join(&mut self, sign: Token) {
        self.spaced();
        self.statement().joined = Some(sign.range());
        for token in self.lexer.by_ref() {
            if token.kind == Kind::Newline {
                return;
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
        // Behind `k=` no blank counts, since the value is due.
        let blank = self.text[..token.start].ends_with(is_blank) || self.text[..token.start].ends_with("*/");
        if glued && !blank {
            self.say(&SYNTAX, token.range(), "no blank before `/-`", |d| d);
            self.fix("insert a blank", vec![Change::new(token.start..token.start, " ")]);
        }
        if self.hide.is_some() {
            self.say(&SYNTAX, token.range(), "`/-` after `/-`", |d| d.help("one hides what follows it"));
            self.fix("remove it", vec![Change::new(token.range(), "")]);
        }
        self.hide = self.hide.or(Some(token.start));
        self.spaced();
    }

    /// A `/-` before the end of a node, of a block or of the text, which stands at `end`.
    fn hides_nothing(&mut self, end: usize) {
        if let Some(at) = self.hide.take() {
            self.say(&SYNTAX, at..at + 2, "`/-` hides nothing", |d| {
                d.help("it stands before the node, the value or the block that it hides")
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
            self.say(&SYNTAX, token.range(), "a second block for one node", |d| {
                d.help("a node has one block; end the node with a new line or `;` before the next")
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
            let message = format!("blocks hidden by `/-` are nested more than {MAX_HIDDEN} deep");
            self.say(&TOO_DEEP, token.range(), message, |d| d);
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

    /// A `{` that begins a line.
    fn block_without_name(&mut self, token: Token) {
        let before = self.ended.take().filter(|s| !s.block && !s.hidden_block && self.hide.is_none());
        if let Some(statement) = before {
            self.say(&SYNTAX, token.range(), "a block that begins on a line of its own", |d| {
                d.help("`{` stands on the line of its node")
            });
            let gap = &self.text[statement.end..token.start];
            let changes = if gap.trim().is_empty() {
                vec![Change::new(statement.end..token.end, " {")]
            } else {
                let there = statement.end;
                vec![Change::new(there..there, " {"), Change::new(token.range(), "")]
            };
            self.fix("move it to the line before", changes);
            self.statement = Some(statement);
        } else {
            self.say(&SYNTAX, token.range(), "a block without a name", |d| {
                d.help("a block follows the name of its node: `role \"worker\" { … }`")
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

    /// The end of a node.
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

    /// The end of the line of a node, before its block if it has one.
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
