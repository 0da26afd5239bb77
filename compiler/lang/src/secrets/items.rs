//! Nodes, pairs and list items by braces and by indentation, as far as a text with faults has them.
use super::lex::{Kind, Token};
use super::names::holds_secrets;
use crate::syntax::names::ENTRIES;
use std::ops::Range;

/// What stands together: a node with its arguments, a key with its value, an item of a list.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// What holds it; always an earlier one.
    pub parent: Option<usize>,
    /// Its words, texts, `=` and `:`.
    pub tokens: Vec<Token>,
    /// Whether it belongs to its parent by indentation alone.
    pub indented: bool,
    /// Whether others stand below it in braces.
    pub holds: bool,
    /// Whether it is a comment, which may be prose.
    pub comment: bool,
    /// Whether a `:` stands in it.
    pub pair: bool,
}

/// A tab is deeper than the blanks that stand in its place in most texts.
const TAB: usize = 8;

/// What is open: an item with a brace, or one that deeper lines belong to.
struct Frame {
    item: Option<usize>,
    indent: usize,
    brace: bool,
    dash: bool,
    /// Whether a line in it was deeper than the one that opened it.
    deeper: bool,
}

/// Items of a text. `entries`: names without quotes may begin an entry, as in KDL.
pub(super) fn items(text: &str, tokens: Vec<Token>, entries: bool) -> Vec<Item> {
    let count = |kind| tokens.iter().filter(|token| token.kind == kind).count();
    let unbalanced = count(Kind::Open) > count(Kind::Close);
    let mut builder = Builder {
        text,
        items: Vec::new(),
        frames: Vec::new(),
        now: None,
        indent: 0,
        fresh: true,
        unbalanced,
    };
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let property = tokens.peek().is_some_and(|next| matches!(next.kind, Kind::Equals | Kind::Colon));
        if entries && !property && builder.runs_on(&token) {
            builder.now = None;
        }
        builder.take(token);
    }
    builder.items
}

struct Builder<'t> {
    text: &'t str,
    items: Vec<Item>,
    frames: Vec<Frame>,
    now: Option<usize>,
    /// Of the line at hand.
    indent: usize,
    /// Whether nothing of the line was taken yet.
    fresh: bool,
    /// Whether a brace is missing somewhere.
    unbalanced: bool,
}

impl Builder<'_> {
    fn take(&mut self, token: Token) {
        match token.kind {
            Kind::Line => {
                self.now = None;
                self.fresh = true;
            }
            Kind::End => self.now = None,
            Kind::Comma => {
                let list =
                    self.now.is_none_or(|now| self.items[now].pair || self.items[now].tokens.len() == 1);
                let braces = self.frames.iter().any(|frame| frame.brace);
                // Elsewhere it is a slip between two arguments.
                if list && braces {
                    self.now = None;
                }
            }
            Kind::Open => {
                let now = self.open(&token.at, false);
                self.items[now].holds = true;
                let indent = self.indent;
                self.frames.push(Frame { item: Some(now), indent, brace: true, dash: false, deeper: false });
                self.now = None;
            }
            Kind::Close => self.close(),
            Kind::Comment => {
                self.now = None;
                let now = self.open(&token.at, false);
                self.items[now].comment = true;
            }
            Kind::Dash => {
                if self.fresh {
                    self.open(&token.at, true);
                }
            }
            Kind::Text | Kind::Word | Kind::Equals | Kind::Colon => {
                let now = self.open(&token.at, false);
                self.items[now].pair |= token.kind == Kind::Colon;
                self.items[now].tokens.push(token);
            }
        }
    }

    /// Whether a word among those of a whole `secret` is the name of another entry: only a `;` is missing before it.
    fn runs_on(&self, token: &Token) -> bool {
        let words = |token: &Token| self.text[token.at.clone()].trim();
        let Some(now) = self.now.filter(|_| token.kind == Kind::Word && ENTRIES.contains(&words(token)))
        else {
            return false;
        };
        let own = &self.items[now].tokens;
        let whole = || own.windows(2).any(|pair| words(&pair[0]) == "from" && pair[1].kind == Kind::Equals);
        let value = own.last().is_some_and(|last| matches!(last.kind, Kind::Equals | Kind::Colon));
        own.len() > 1 && !value && holds_secrets(words(&own[0])) && whole()
    }

    /// The item that goes on, or a new one.
    fn open(&mut self, at: &Range<usize>, dash: bool) -> usize {
        let fresh = std::mem::take(&mut self.fresh);
        if fresh {
            let before = &self.text[..at.start];
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            let blanks = before[line..].chars().take_while(|c| c.is_whitespace());
            self.indent = blanks.map(|c| if c == '\t' { TAB } else { 1 }).sum();
            self.dedent(dash);
        }
        if let Some(now) = self.now {
            return now;
        }
        let top = self.frames.last();
        let indented = top.is_some_and(|frame| !frame.brace);
        let parent = top.and_then(|frame| frame.item);
        let item = Item {
            // What stands later on a line is beside the first of it, not below.
            parent: if indented && !fresh { parent.and_then(|item| self.items[item].parent) } else { parent },
            indented,
            ..Item::default()
        };
        let now = self.items.len();
        self.items.push(item);
        if fresh {
            let indent = self.indent;
            self.frames.push(Frame { item: Some(now), indent, brace: false, dash, deeper: false });
        }
        self.now = Some(now);
        now
    }

    /// Leaves what the new line no longer belongs to.
    fn dedent(&mut self, dash: bool) {
        let indent = self.indent;
        while let Some(top) = self.frames.last_mut() {
            let left = if top.brace {
                // Its end is missing, if one is missing anywhere and the lines in it stand deeper.
                self.unbalanced && top.deeper && indent <= top.indent
            } else {
                // The items of a list may stand below their key without being deeper.
                top.indent > indent || top.indent == indent && (top.dash || !dash)
            };
            if !left {
                top.deeper |= indent > top.indent;
                return;
            }
            self.frames.pop();
        }
    }

    fn close(&mut self) {
        self.now = None;
        self.fresh = false;
        if let Some(open) = self.frames.iter().rposition(|frame| frame.brace) {
            // What follows on its line belongs to what held the brace.
            self.frames.truncate(open);
        }
    }
}
