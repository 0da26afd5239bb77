//! Groups tokens into nodes, pairs, and list items by braces and indentation. Accepts texts with syntax errors.
use super::lex::{Kind, Token};
use super::names::holds_secrets;
use crate::syntax::names::ENTRIES;
use std::ops::Range;

/// A node with its arguments, a key with its value, or a list item.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// Index of the parent item. It is always smaller than the index of the item itself.
    pub parent: Option<usize>,
    /// Tokens of the item: words, strings, `=`, and `:`.
    pub tokens: Vec<Token>,
    /// Whether the item is a child of its parent by indentation, not by braces.
    pub indented: bool,
    /// Whether the item has children in braces.
    pub holds: bool,
    /// Whether the item is a comment, which may be prose.
    pub comment: bool,
    /// Whether the item contains `:`.
    pub pair: bool,
}

/// Width of a tab in columns. It is larger than the usual indentation.
const TAB: usize = 8;

/// An open item, with children in braces or children by indentation.
struct Frame {
    item: Option<usize>,
    indent: usize,
    brace: bool,
    dash: bool,
    /// Whether any line below the item has a deeper indentation.
    deeper: bool,
}

/// Groups the tokens of a text. `entries`: whether the name of a spec entry after a complete `secret` begins a new item, as in
/// KDL.
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
    /// Indentation of the current line.
    indent: usize,
    /// Whether no token of the current line has been consumed yet.
    fresh: bool,
    /// Whether the text has too few closing braces.
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
                // In a list in braces, the comma separates two items. Elsewhere, the comma is a mistake, and the arguments before
                // and after it belong to one item.
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

    /// Returns whether a word is the name of an entry and follows a complete `secret` without a `;`. The word then begins a new
    /// item.
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

    /// Returns the current item. Opens a new item if there is none.
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
            // The later items of a line are siblings of the first item of the line.
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

    /// Closes the open items to which the new line does not belong.
    fn dedent(&mut self, dash: bool) {
        let indent = self.indent;
        while let Some(top) = self.frames.last_mut() {
            let left = if top.brace {
                // In a text with too few closing braces, an indented block ends at the first line that is not indented deeper
                // than its opening line.
                self.unbalanced && top.deeper && indent <= top.indent
            } else {
                // List items may have the same indentation as their key, so the key stays open for them.
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
            // Closes the innermost open brace, and all items that are still open inside it.
            self.frames.truncate(open);
        }
    }
}
