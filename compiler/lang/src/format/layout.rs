//! Parses a KDL text to nodes, and keeps comments, line breaks, and empty lines for the formatter.
use crate::syntax::lexer::{Kind, Lexer, Token, is_blank, is_newline};
use std::iter::Peekable;

/// An item of a file or block.
pub(super) enum Item {
    Node(Node),
    /// A comment without a node on its line.
    Comment(String),
    /// One or more empty lines.
    Empty,
}

/// A node, and the comment at the end of its line.
#[derive(Default)]
pub(super) struct Node {
    pub(super) pieces: Vec<Piece>,
    pub(super) comment: Option<String>,
}

/// A part of a node.
pub(super) enum Piece {
    /// A name, a value, `=`, or `/-`. `glued`: whether the text is printed without a space before it.
    Word { text: String, glued: bool },
    /// A block comment within the node.
    Comment(String),
    /// A line break within the node, and the comment before it. `joined`: whether `\` continues the line; otherwise, the break
    /// follows `/-`.
    Break { joined: bool, comment: Option<String> },
    /// The block of the node. `glued`: whether the block is printed without a space before it, as after `/-`.
    Block { block: Block, glued: bool },
}

/// A block or a file.
pub(super) struct Block {
    /// The comment after `{`.
    pub(super) head: Option<String>,
    pub(super) items: Vec<Item>,
    /// Whether the block was on one line.
    pub(super) one_line: bool,
}

/// Parses a text, which must have no syntax errors.
pub(super) fn read(text: &str) -> Block {
    let mut reader = Reader { text, tokens: Lexer::new(text).peekable(), end: 0 };
    Block { head: None, items: reader.items(), one_line: false }
}

struct Reader<'a> {
    text: &'a str,
    tokens: Peekable<Lexer<'a>>,
    /// End of the token that was read last.
    end: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.next()?;
        self.end = token.end;
        Some(token)
    }

    fn peek(&mut self) -> Option<Kind> {
        self.tokens.peek().map(|token| token.kind)
    }

    fn words(&self, token: Token) -> &'a str {
        self.text[token.range()].trim_start_matches('\u{feff}')
    }

    fn items(&mut self) -> Vec<Item> {
        let (mut items, mut newlines) = (Vec::new(), 0);
        while let Some(token) = self.tokens.peek().copied() {
            let kind = token.kind;
            if kind == Kind::Close {
                break;
            }
            if kind == Kind::Newline {
                newlines += 1;
            }
            if matches!(kind, Kind::Newline | Kind::Blank | Kind::Semicolon) {
                self.next();
                continue;
            }
            match items.last_mut() {
                Some(Item::Node(node))
                    if newlines == 0 && kind == Kind::LineComment && node.comment.is_none() =>
                {
                    node.comment = Some(self.comment());
                }
                _ => {
                    let count = items.len();
                    self.item(token, &mut items);
                    if newlines > 1 && count > 0 && items.len() > count {
                        items.insert(count, Item::Empty);
                    }
                }
            }
            newlines = 0;
        }
        items
    }

    fn item(&mut self, token: Token, items: &mut Vec<Item>) {
        if token.kind == Kind::LineComment {
            items.push(Item::Comment(self.comment()));
        } else if token.kind == Kind::BlockComment && self.stands_alone(token) {
            while let Some(kind) = self.peek().filter(|kind| matches!(kind, Kind::Blank | Kind::BlockComment))
            {
                let comment = self.comment();
                items.extend((kind == Kind::BlockComment).then_some(Item::Comment(comment)));
            }
        } else if token.kind == Kind::Backslash {
            items.extend(self.line_break().map(Item::Comment));
        } else {
            items.push(Item::Node(self.node()));
        }
    }

    /// Returns whether a block comment is not followed by a node on its line.
    fn stands_alone(&self, comment: Token) -> bool {
        let mut ahead = Lexer::new(self.text);
        ahead.at = comment.end;
        let next = ahead.find(|token| !matches!(token.kind, Kind::Blank | Kind::BlockComment));
        next.is_none_or(|token| {
            matches!(
                token.kind,
                Kind::Newline | Kind::LineComment | Kind::Close | Kind::Semicolon | Kind::Backslash
            )
        })
    }

    fn comment(&mut self) -> String {
        let token = self.next();
        token.map_or("", |token| self.words(token)).trim_end().to_owned()
    }

    /// Consumes `\` and the rest of its line. Returns the comments on this line; `None` if there are none.
    fn line_break(&mut self) -> Option<String> {
        self.next();
        let mut comments = Vec::new();
        while let Some(kind) = self.peek() {
            if kind == Kind::LineComment || kind == Kind::BlockComment {
                comments.push(self.comment());
            } else {
                self.next();
            }
            if kind == Kind::Newline {
                break;
            }
        }
        (!comments.is_empty()).then(|| comments.join(" "))
    }

    fn node(&mut self) -> Node {
        let mut node = Node::default();
        let (mut hides, mut glue) = (false, false);
        while let Some(kind) = self.peek() {
            if kind == Kind::Close || (kind == Kind::Newline && !hides) {
                break;
            }
            if matches!(kind, Kind::Blank | Kind::Newline) {
                self.next();
            } else if kind == Kind::Semicolon {
                self.next();
                break;
            } else if kind == Kind::LineComment {
                let comment = Some(self.comment());
                if !hides {
                    node.comment = comment;
                    break;
                }
                node.pieces.push(Piece::Break { joined: false, comment });
                glue = false;
            } else if kind == Kind::BlockComment {
                let comment = self.comment();
                node.pieces.push(Piece::Comment(comment));
                glue = false;
            } else if kind == Kind::Backslash {
                let comment = self.line_break();
                if !(hides || glue) || comment.is_some() {
                    node.pieces.push(Piece::Break { joined: true, comment });
                    glue = false;
                }
            } else if kind == Kind::Open {
                let block = self.block();
                node.pieces.push(Piece::Block { block, glued: glue });
                (hides, glue) = (false, false);
            } else {
                let text = self.comment();
                let glued = glue || kind == Kind::Equals;
                node.pieces.push(Piece::Word { text, glued });
                hides = kind == Kind::Slashdash;
                glue = hides || kind == Kind::Equals;
            }
        }
        settle(&mut node);
        node
    }

    fn block(&mut self) -> Block {
        let start = self.next().map_or(self.end, |token| token.start);
        while self.peek() == Some(Kind::Blank) {
            self.next();
        }
        let head = (self.peek() == Some(Kind::LineComment)).then(|| self.comment());
        let items = self.items();
        self.next();
        let one_line = !self.text[start..self.end].contains(is_newline);
        Block { head, items, one_line }
    }
}

/// Removes line continuations that have no effect: at the end of a node, before its block, or before another line break. Keeps
/// their comments.
fn settle(node: &mut Node) {
    let mut pieces: Vec<Piece> = Vec::with_capacity(node.pieces.len());
    for piece in node.pieces.drain(..) {
        let bare = |piece: &Piece| matches!(piece, Piece::Break { joined: true, comment: None });
        let joins = matches!(piece, Piece::Break { .. } | Piece::Block { .. });
        while joins && pieces.last().is_some_and(bare) {
            pieces.pop();
        }
        pieces.push(piece);
    }
    while let Some(Piece::Break { joined: true, comment }) = pieces.last() {
        if comment.is_some() && node.comment.is_some() {
            break;
        }
        if let Some(Piece::Break { comment: Some(comment), .. }) = pieces.pop() {
            node.comment = Some(comment);
        }
    }
    node.pieces = pieces;
}

/// Returns the lines of a multi-line string without their indentation. Returns `None` for other strings, and if `\` escapes
/// the indentation of the closing quotes.
pub(super) fn lines_of(literal: &str) -> Option<Vec<&str>> {
    let body = literal.trim_start_matches('#');
    if !body.starts_with("\"\"\"") {
        return None;
    }
    let mut lines = Vec::new();
    let mut rest = literal;
    while let Some(at) = rest.find(is_newline) {
        lines.push(&rest[..at]);
        rest = &rest[at + crate::syntax::lexer::newline_length(&rest[at..])..];
    }
    lines.push(rest);
    let mut above = lines.iter().rev().skip(1).map(|line| line.trim_end_matches(is_blank));
    let before = above.find(|line| !line.is_empty())?;
    let marks = before.len() - before.trim_end_matches('\\').len();
    if literal.starts_with('"') && marks % 2 == 1 {
        return None;
    }
    let margin = &rest[..rest.len() - rest.trim_start_matches(is_blank).len()];
    for line in &mut lines[1..] {
        *line = line.strip_prefix(margin).unwrap_or_else(|| line.trim_start_matches(is_blank));
    }
    Some(lines)
}
