//! Prints parsed nodes with normalized indentation and spaces. Short blocks stay on one line.
use super::layout::{Block, Item, Node, Piece, lines_of};
use super::{INDENT, WIDTH};
use crate::syntax::lexer::is_blank;

/// Prints a parsed file in the layout of the formatter.
pub(super) fn print(file: &Block) -> String {
    let mut printer = Printer { out: String::new() };
    printer.items(&file.items, 0);
    printer.out
}

struct Printer {
    out: String,
}

impl Printer {
    fn items(&mut self, items: &[Item], depth: usize) {
        for item in items {
            match item {
                Item::Empty => {}
                Item::Comment(comment) => {
                    self.indent(depth);
                    self.out.push_str(comment);
                }
                Item::Node(node) => {
                    self.indent(depth);
                    self.node(node, depth);
                }
            }
            self.out.push('\n');
        }
    }

    fn indent(&mut self, depth: usize) {
        self.out.extend(std::iter::repeat_n(' ', depth * INDENT));
    }

    fn node(&mut self, node: &Node, depth: usize) {
        let mut fresh = true;
        for piece in &node.pieces {
            let glued = matches!(piece, Piece::Word { glued: true, .. } | Piece::Block { glued: true, .. });
            if !fresh && !glued {
                self.out.push(' ');
            }
            fresh = false;
            match piece {
                Piece::Word { text, .. } => self.word(text, depth),
                Piece::Comment(comment) => self.out.push_str(comment),
                Piece::Break { joined, comment } => {
                    let words = [joined.then_some("\\"), comment.as_deref()];
                    let words: Vec<&str> = words.into_iter().flatten().collect();
                    self.out.push_str(&words.join(" "));
                    self.out.push('\n');
                    self.indent(depth + 1);
                    fresh = true;
                }
                Piece::Block { block, .. } => self.block(block, depth),
            }
        }
        if let Some(comment) = &node.comment {
            self.out.push(' ');
            self.out.push_str(comment);
        }
    }

    /// Prints a name or value. The lines of a multi-line string are indented like its node.
    fn word(&mut self, word: &str, depth: usize) {
        let Some(lines) = lines_of(word) else {
            self.out.push_str(word);
            return;
        };
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                self.out.push('\n');
                if line.chars().all(is_blank) {
                    continue;
                }
                self.indent(depth + 1);
            }
            self.out.push_str(line);
        }
    }

    fn block(&mut self, block: &Block, depth: usize) {
        let line = self.out.rfind('\n').map_or(0, |at| at + 1);
        let column = self.out[line..].chars().count();
        if let Some(short) = one_line(block).filter(|short| column + short.chars().count() <= WIDTH) {
            self.out.push_str(&short);
            return;
        }
        self.out.push('{');
        if let Some(head) = &block.head {
            self.out.push(' ');
            self.out.push_str(head);
        }
        self.out.push('\n');
        self.items(&block.items, depth + 1);
        self.indent(depth);
        self.out.push('}');
    }
}

/// Returns a block as one line if it was on one line in the source and fits in [`WIDTH`]; otherwise `None`.
fn one_line(block: &Block) -> Option<String> {
    if block.head.is_none() && block.items.is_empty() {
        return Some("{}".to_owned());
    }
    if !block.one_line {
        return None;
    }
    let mut nodes = Vec::new();
    for item in &block.items {
        match item {
            Item::Node(node) if node.comment.is_none() => nodes.push(node_on_one_line(node)?),
            Item::Node(_) | Item::Comment(_) | Item::Empty => return None,
        }
    }
    Some(format!("{{ {} }}", nodes.join("; ")))
}

fn node_on_one_line(node: &Node) -> Option<String> {
    let mut out = String::new();
    for piece in &node.pieces {
        let (text, glued) = match piece {
            Piece::Word { text, glued } => (text.clone(), *glued),
            Piece::Comment(comment) => (comment.clone(), false),
            Piece::Block { block, glued } => (one_line(block)?, *glued),
            Piece::Break { .. } => return None,
        };
        if !out.is_empty() && !glued {
            out.push(' ');
        }
        out.push_str(&text);
    }
    Some(out)
}
