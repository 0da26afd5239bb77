//! The nodes of a KDL text, also of a text with errors: an editor asks for completion while the user is typing.
//!
//! The parser of `tfjob_lang` repairs texts, so its spans may not contain what is being typed. This one never repairs or reports
//! anything; it uses the lexer of `tfjob_lang`, and assumes that braces are balanced.
use std::ops::Range;
use tfjob_lang::syntax::lexer::{Kind, Token, lex};
use tfjob_lang::syntax::literal::{self, text_of};

/// A name or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Bytes in the text, including quotes.
    pub bytes: Range<usize>,
    /// The text, with escapes resolved and without quotes. For an unterminated string, the text up to its end.
    pub text: String,
    /// Whether the word is in quotes.
    pub quoted: bool,
}

/// An argument or a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Name of a property; `None` for an argument.
    pub name: Option<Word>,
    /// The value; `None` if it is not typed yet, as in `count=`.
    pub value: Option<Word>,
    /// Bytes from the name to the end of the value.
    pub bytes: Range<usize>,
}

/// The block of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Bytes from `{` to `}`; to the end of the text if there is no `}`.
    pub bytes: Range<usize>,
    /// Whether there is a `}`.
    pub closed: bool,
    /// Nodes in the block.
    pub nodes: Vec<Node>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Name of the node.
    pub name: Word,
    /// Arguments and properties, in order.
    pub entries: Vec<Entry>,
    /// The block.
    pub block: Option<Block>,
    /// Bytes from the name to the last token.
    pub bytes: Range<usize>,
    /// Bytes from the name up to the terminator of the node (a newline, `;`, or `}`), which may include spaces at the end.
    pub line: Range<usize>,
    /// Whether the node is disabled by `/-`.
    pub disabled: bool,
}

impl Node {
    /// Returns the arguments.
    pub fn arguments(&self) -> impl Iterator<Item = &Word> {
        self.entries.iter().filter(|entry| entry.name.is_none()).filter_map(|entry| entry.value.as_ref())
    }

    /// Returns the first argument: the name of a role, or the target of a `target` block.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.arguments().next().map(|word| word.text.as_str())
    }

    /// Returns the nodes in the block.
    #[must_use]
    pub fn nodes(&self) -> &[Self] {
        self.block.as_ref().map_or(&[], |block| &block.nodes)
    }
}

/// A comment and its bytes.
pub type Comment = Range<usize>;

/// A part of a text that is disabled by `/-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disabled {
    /// Bytes from the `/-` to the end of the part.
    pub bytes: Range<usize>,
    /// Whether the part is a node, and not an argument, a property, or a block.
    pub is_node: bool,
}

/// The nodes and comments of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Nodes at the top level.
    pub nodes: Vec<Node>,
    /// All comments, in order.
    pub comments: Vec<Comment>,
    /// The parts that are disabled by `/-`.
    pub disabled: Vec<Disabled>,
}

impl Outline {
    /// Reads a text. Never fails.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let tokens = lex(text);
        let mut reader = Reader { text, tokens: &tokens, at: 0, comments: Vec::new(), disabled: Vec::new() };
        let mut nodes = Vec::new();
        while reader.at < reader.tokens.len() {
            nodes.extend(reader.nodes(0));
            // A `}` without `{` is skipped.
            reader.at += 1;
        }
        Self { nodes, comments: reader.comments, disabled: reader.disabled }
    }

    /// Returns whether an offset is in a comment, at the end of a line comment, or in a disabled argument, property, or block.
    #[must_use]
    pub fn in_comment(&self, text: &str, byte: usize) -> bool {
        let mut parts = self.disabled.iter().filter(|one| !one.is_node).map(|one| &one.bytes);
        parts.any(|part| part.start < byte && byte <= part.end)
            || self.comments.iter().any(|comment| {
                let line = text.get(comment.clone()).is_some_and(|comment| comment.starts_with("//"));
                comment.start < byte && (byte < comment.end || line && byte == comment.end)
            })
    }
}

/// Maximum depth of nodes. Deeper nodes are left out; the parser refuses them.
const MAX_DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    comments: Vec<Comment>,
    disabled: Vec<Disabled>,
}

impl Reader<'_> {
    /// Returns the next token that is not a space, a comment, or a line continuation, without taking it.
    fn peek(&mut self) -> Option<Token> {
        loop {
            let token = *self.tokens.get(self.at)?;
            match token.kind {
                Kind::Blank => self.at += 1,
                kind if kind.is_comment() => {
                    self.comments.push(token.range());
                    self.at += 1;
                }
                Kind::Backslash => {
                    self.at += 1;
                    while self.tokens.get(self.at).is_some_and(|one| is_before_newline(one.kind)) {
                        if self.tokens[self.at].kind.is_comment() {
                            self.comments.push(self.tokens[self.at].range());
                        }
                        self.at += 1;
                    }
                    // Skips the newline that ends the continued line.
                    self.at += 1;
                }
                _ => return Some(token),
            }
        }
    }

    /// Reads nodes up to a `}`, which is not taken, or the end of the text.
    fn nodes(&mut self, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut disabled = None;
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Close => break,
                Kind::Slashdash => {
                    disabled = disabled.or(Some(token.start));
                    self.at += 1;
                }
                kind if is_word(kind) => {
                    let node = self.node(disabled.is_some(), depth);
                    self.disable(disabled.take(), node.bytes.end, true);
                    nodes.push(node);
                }
                Kind::Open => {
                    // The nodes of a block without a name count as nodes of this level.
                    let (block, _) = self.block(depth);
                    nodes.extend(block.nodes);
                }
                _ => self.at += 1,
            }
        }
        nodes
    }

    fn node(&mut self, disabled: bool, depth: usize) -> Node {
        let name = self.word();
        let (start, mut end) = (name.bytes.start, name.bytes.end);
        let mut node =
            Node { name, entries: Vec::new(), block: None, bytes: start..end, line: start..end, disabled };
        let mut skip = None;
        let stop = loop {
            let Some(token) = self.peek() else { break self.text.len() };
            match token.kind {
                Kind::Newline | Kind::Semicolon | Kind::Close => break token.start,
                Kind::Open => {
                    let (block, bytes) = self.block(depth);
                    end = bytes.end;
                    if !self.disable(skip.take(), end, false) {
                        node.block = Some(block);
                    }
                }
                Kind::Slashdash => {
                    skip = skip.or(Some(token.start));
                    self.at += 1;
                }
                kind if is_word(kind) => {
                    let entry = self.entry();
                    end = entry.bytes.end;
                    if !self.disable(skip.take(), end, false) {
                        node.entries.push(entry);
                    }
                }
                _ => {
                    end = token.end;
                    self.at += 1;
                }
            }
        };
        node.bytes = start..end;
        node.line = start..stop.max(end);
        node
    }

    /// Adds a disabled part. Returns false without a `/-`. `start`: offset of the `/-`.
    fn disable(&mut self, start: Option<usize>, end: usize, is_node: bool) -> bool {
        self.disabled.extend(start.map(|start| Disabled { bytes: start..end, is_node }));
        start.is_some()
    }

    /// Reads an argument, or a property with its value.
    fn entry(&mut self) -> Entry {
        let first = self.word();
        let start = first.bytes.start;
        let is_property = self.peek().is_some_and(|token| token.kind == Kind::Equals);
        if !is_property {
            let bytes = first.bytes.clone();
            return Entry { name: None, value: Some(first), bytes };
        }
        let equals = self.tokens[self.at].end;
        self.at += 1;
        // A value on the next line is not the value of this property: the user is still typing.
        let value = match self.peek() {
            Some(token) if is_word(token.kind) => Some(self.word()),
            _ => None,
        };
        let end = value.as_ref().map_or(equals, |value| value.bytes.end);
        Entry { name: Some(first), value, bytes: start..end }
    }

    /// Reads a block, and returns it with its bytes.
    fn block(&mut self, depth: usize) -> (Block, Range<usize>) {
        let start = self.tokens[self.at].start;
        self.at += 1;
        let nodes = if depth < MAX_DEPTH { self.nodes(depth + 1) } else { self.skip() };
        let close = self.peek().filter(|token| token.kind == Kind::Close);
        let end = close.map_or(self.text.len(), |token| token.end);
        self.at += 1;
        (Block { bytes: start..end, closed: close.is_some(), nodes }, start..end)
    }

    /// Skips a block that is too deep, up to its `}`.
    fn skip(&mut self) -> Vec<Node> {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => break,
                Kind::Close => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Vec::new()
    }

    fn word(&mut self) -> Word {
        let token = self.tokens[self.at];
        self.at += 1;
        let bytes = token.range();
        let raw = self.text.get(bytes.clone()).unwrap_or_default();
        let quoted = matches!(token.kind, Kind::Text | Kind::OpenText | Kind::Spread | Kind::OldRaw);
        // Only a terminated string has a value.
        let units = if token.kind == Kind::Text { literal::kdl::units(raw).ok() } else { None };
        let text =
            units.map_or_else(|| raw.trim_matches(['"', '\'', '#']).to_owned(), |units| text_of(&units));
        let text = if quoted { text } else { raw.to_owned() };
        Word { bytes, text, quoted }
    }
}

const fn is_before_newline(kind: Kind) -> bool {
    kind.is_comment() || matches!(kind, Kind::Blank)
}

/// Returns whether a token is a name or a value, valid or not.
const fn is_word(kind: Kind) -> bool {
    match kind {
        Kind::Text
        | Kind::Keyword
        | Kind::Word
        | Kind::Odd
        | Kind::Foreign
        | Kind::OldRaw
        | Kind::Spread
        | Kind::OpenText => true,
        Kind::Blank
        | Kind::Newline
        | Kind::LineComment
        | Kind::BlockComment
        | Kind::Slashdash
        | Kind::Open
        | Kind::Close
        | Kind::ParenOpen
        | Kind::ParenClose
        | Kind::Equals
        | Kind::Semicolon
        | Kind::Backslash
        | Kind::HashComment
        | Kind::OpenComment
        | Kind::Stray => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(nodes: &[Node]) -> String {
        let entry = |one: &Entry| {
            let value = one.value.as_ref().map_or("?", |value| value.text.as_str());
            one.name.as_ref().map_or_else(|| value.to_owned(), |name| format!("{}={value}", name.text))
        };
        let node = |node: &Node| {
            let entries: Vec<String> = node.entries.iter().map(entry).collect();
            let block = node.block.as_ref().map_or_else(String::new, |block| {
                format!("{{{}{}", shown(&block.nodes), if block.closed { "}" } else { "" })
            });
            format!("{}({}){block}", node.name.text, entries.join(" "))
        };
        nodes.iter().map(node).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn nodes_have_entries_and_blocks() {
        let text = "job \"a\" { // x\n role \"w\" count=2 { run \"p\" \\ // y\n \"q\"; }\n /- gone 1\n}";
        let outline = Outline::of(text);
        assert_eq!(shown(&outline.nodes), "job(a){role(w count=2){run(p q)} gone(1)}");
        assert_eq!(outline.comments.len(), 2);
        assert!(outline.nodes[0].nodes()[1].disabled);
        let text = "a /-b /- c=1 /-{ d; } {\n /-\n e /-f\n}";
        let parts = |text: &str| -> Vec<String> {
            Outline::of(text).disabled.into_iter().map(|one| text[one.bytes].to_owned()).collect()
        };
        assert_eq!(parts(text), ["/-b", "/- c=1", "/-{ d; }", "/-f", "/-\n e /-f"]);
    }

    #[test]
    fn unfinished_texts_have_nodes_too() {
        for (text, wanted) in [
            ("job \"a\" {\n role count=", "job(a){role(count=?)"),
            ("job \"a\" {\n ro", "job(a){ro()"),
            ("job \"a\" {\n role \"wor\n count 2", "job(a){role(wor) count(2)"),
            ("}\njob {", "job(){"),
            ("job { env { A { } }", "job(){env(){A(){}}"),
            ("job { run \"{data.\" }", "job(){run({data.)}"),
        ] {
            assert_eq!(shown(&Outline::of(text).nodes), wanted, "{text}");
        }
    }

    #[test]
    fn deep_blocks_are_skipped() {
        let text = format!("{}x{}", "a {".repeat(10_000), "}".repeat(10_000));
        assert_eq!(Outline::of(&text).nodes.len(), 1);
    }
}
