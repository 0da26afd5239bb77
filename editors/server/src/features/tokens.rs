//! Semantic tokens: what only the server knows, such as unknown fields, names of roles, and references in strings.
mod encode;
mod kind;

use crate::documents::Document;
use crate::outline::{Entry, Node, Word};
use crate::session::Session;
use encode::encode;
pub use kind::{MODIFIERS, types};
use kind::{Token, Type};
use lsp_types::{self, SemanticTokens, Uri};
use std::ops::Range;
use tfjob_driver::files::{is_cluster, is_project};
use tfjob_lang::mentions::{Mention, Written};
use tfjob_lang::references::{self, FIELDS};
use tfjob_lang::shape::{Field, Grammar, Object, Place, Shape};
use tfjob_lang::sources::Format;

/// Returns the tokens of a document. `None` if it is not KDL.
pub fn full(session: &Session<'_>, uri: &Uri) -> Option<SemanticTokens> {
    let (document, tokens) = tokens(session, uri)?;
    Some(encode(document, &tokens))
}

/// Returns the tokens of a range.
pub fn range(session: &Session<'_>, uri: &Uri, range: lsp_types::Range) -> Option<SemanticTokens> {
    let (document, mut tokens) = tokens(session, uri)?;
    let wanted = document.bytes(range);
    tokens.retain(|token| token.bytes.start < wanted.end && wanted.start < token.bytes.end);
    Some(encode(document, &tokens))
}

fn tokens<'s>(session: &'s Session<'_>, uri: &Uri) -> Option<(&'s Document, Vec<Token>)> {
    let document = session.document(uri)?;
    if document.format() != Format::Kdl {
        return None;
    }
    let is_spec = !is_cluster(&document.path) && !is_project(&document.path);
    let mut names = if is_spec { session.mentions(document).as_ref().clone() } else { Vec::new() };
    // The name of a block, such as `checkpoints`, gets the token of a keyword, not of a name.
    names.retain(|one| !(one.declares && one.written == Written::Implied));
    names.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
    let outline = document.outline();
    let mut reader = Reader { text: &document.text, names: &names, has_references: false, out: Vec::new() };
    reader.nodes(&outline.nodes, session.shape(document).object());
    for comment in outline.comments.iter().chain(outline.disabled.iter().map(|one| &one.bytes)) {
        reader.add(comment.clone(), Type::Comment);
    }
    let mut tokens = reader.out;
    tokens.sort_by_key(|token| (token.bytes.start, token.bytes.end));
    // Tokens must not overlap.
    let mut end = 0;
    tokens.retain(|token| {
        let follows = token.bytes.start >= end;
        end = end.max(token.bytes.end);
        follows
    });
    Some((document, tokens))
}

struct Reader<'t> {
    text: &'t str,
    /// Names in the text, by position.
    names: &'t [Mention],
    /// Whether the strings of the current node may contain references.
    has_references: bool,
    out: Vec<Token>,
}

impl Reader<'_> {
    fn nodes(&mut self, nodes: &[Node], object: Option<&Object>) {
        for node in nodes {
            self.node(node, object);
        }
    }

    fn node(&mut self, node: &Node, object: Option<&Object>) {
        if node.disabled {
            return;
        }
        let field = object.and_then(|object| object.field(&node.name.text));
        let is_open = object.is_none_or(|object| object.open);
        self.add(
            node.name.bytes.clone(),
            match field {
                Some(_) => Type::Keyword,
                None if is_open => Type::Property,
                None => Type::Unknown,
            },
        );
        let outer = self.has_references;
        self.has_references = outer || FIELDS.contains(&node.name.text.as_str());
        let inner = field.and_then(|field| field.block(node.key()));
        let mut number = 0;
        for entry in &node.entries {
            self.entry(entry, field, inner, number);
            number += usize::from(entry.name.is_none());
        }
        match field.map(|field| &field.shape) {
            Some(Shape::Keyed(keyed)) if field.is_some_and(|field| field.place == Place::Pairs) => {
                self.pairs(node.nodes(), &keyed.item);
            }
            _ => self.nodes(node.nodes(), inner),
        }
        self.has_references = outer;
    }

    /// Adds the tokens of an argument, which has a number, or of a property.
    fn entry(&mut self, entry: &Entry, field: Option<&Field>, inner: Option<&Object>, number: usize) {
        if let Some(name) = &entry.name {
            let known = inner.map(|inner| inner.open || inner.field(&name.text).is_some());
            self.add(name.bytes.clone(), if known == Some(false) { Type::Unknown } else { Type::Property });
            let shape = inner.and_then(|inner| inner.field(&name.text)).map(|field| &field.shape);
            return entry.value.iter().for_each(|value| self.value(value, shape));
        }
        let Some(value) = &entry.value else { return };
        let place = field.map(|field| field.place);
        let keyed = matches!(place, Some(Place::Named | Place::Targets));
        let shape = match field.map(|field| &field.shape) {
            Some(_) if keyed && number == 0 => None,
            Some(Shape::List(list)) if place == Some(Place::Args) => Some(&list.item),
            Some(shape) if shape.is_scalar() => Some(shape),
            _ => {
                let arguments = inner.map(|inner| inner.at(Place::Arg)).into_iter().flatten();
                arguments.map(|field| &field.shape).nth(number - usize::from(keyed && number > 0))
            }
        };
        self.value(value, shape);
    }

    /// Adds the tokens of names and values, such as environment variables.
    fn pairs(&mut self, nodes: &[Node], item: &Shape) {
        for node in nodes.iter().filter(|node| !node.disabled) {
            self.word(&node.name, Type::Property);
            for entry in &node.entries {
                entry.value.iter().for_each(|value| self.value(value, Some(item)));
            }
        }
    }

    fn value(&mut self, word: &Word, shape: Option<&Shape>) {
        let raw = self.text.get(word.bytes.clone()).unwrap_or_default();
        let is_number = raw.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
        let is_quantity = matches!(
            shape,
            Some(Shape::Text(Grammar::Memory | Grammar::Duration | Grammar::PositiveDuration))
        );
        if is_quantity {
            self.quantity(word);
        } else if word.quoted {
            let is_keyword = matches!(shape, Some(Shape::Words(_)));
            let is_text = matches!(shape, Some(Shape::Text(Grammar::Text)));
            let outer = self.has_references;
            self.has_references = outer && is_text;
            self.word(word, if is_keyword { Type::EnumMember } else { Type::Text });
            self.has_references = outer;
        } else if raw.starts_with('#') {
            self.add(word.bytes.clone(), Type::Keyword);
        } else if is_number {
            self.add(word.bytes.clone(), Type::Number);
        } else {
            self.word(word, Type::Text);
        }
    }

    /// Adds the tokens of a number with a unit, such as `"16GiB"` or `"1h30m"`.
    fn quantity(&mut self, word: &Word) {
        let raw = self.text.get(word.bytes.clone()).unwrap_or_default();
        let class = |c: char| match c {
            '0'..='9' | '.' => Type::Number,
            c if c.is_alphabetic() => Type::Unit,
            _ => Type::Text,
        };
        let mut start = 0;
        let mut chars = raw.char_indices().peekable();
        while let Some((_, c)) = chars.next() {
            let next = chars.peek().map(|(byte, c)| (*byte, class(*c)));
            if next.is_none_or(|(_, next)| next != class(c)) {
                let end = next.map_or(raw.len(), |(byte, _)| byte);
                self.add(word.bytes.start + start..word.bytes.start + end, class(c));
                start = end;
            }
        }
    }

    /// Adds the tokens of a word: those of the names in the word, and those of the text between the names.
    fn word(&mut self, word: &Word, rest: Type) {
        let first = self.names.partition_point(|one| (one.span.start as usize) < word.bytes.start);
        let mut at = word.bytes.start;
        for one in &self.names[first..] {
            let span = one.span.start as usize..one.span.end as usize;
            if span.start >= word.bytes.end {
                break;
            }
            if span.start < at
                || span.end > word.bytes.end
                || one.word.is_none() && one.written != Written::Implied
            {
                continue;
            }
            self.rest(at..span.start, rest);
            self.out.push(Token { bytes: span.clone(), kind: Type::of(one.kind), declares: one.declares });
            at = span.end;
        }
        self.rest(at..word.bytes.end, rest);
    }

    /// Adds the tokens of a part of a word without names: those of the references in it, such as `{index}`, and those of the text between
    /// them.
    fn rest(&mut self, bytes: Range<usize>, rest: Type) {
        let text = self.text.get(bytes.clone()).filter(|_| self.has_references).unwrap_or_default();
        let mut at = bytes.start;
        for reference in references::ranges(text) {
            let (start, end) = (bytes.start + reference.start, bytes.start + reference.end);
            self.add(at..start, rest);
            self.add(start..end, Type::Variable);
            at = end;
        }
        self.add(at..bytes.end, rest);
    }

    fn add(&mut self, bytes: Range<usize>, kind: Type) {
        if !bytes.is_empty() {
            self.out.push(Token { bytes, kind, declares: false });
        }
    }
}
