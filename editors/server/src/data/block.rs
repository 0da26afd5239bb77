//! YAML with indentation.
use super::flow::{Flow, closed, line_of, quoted_length, word};
use super::{Data, MAX_DEPTH, Pair, Value};
use std::ops::Range;
use tfjob_lang::sources::Format;

/// Reads a YAML text.
pub fn read(text: &str) -> Data {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t', '\u{feff}']);
        let indent = line.len() - content.len();
        let end = start + line.trim_end().len();
        lines.push(Line { start: (start + indent).min(end), indent, end });
        start += line.len();
    }
    let mut reader = Reader { text, lines, at: 0, comments: Vec::new(), flows: Vec::new() };
    let root = reader.block(0, 0);
    Data { root, comments: reader.comments, flows: reader.flows }
}

/// A line without its indentation and newline.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    /// Number of characters before `start`.
    indent: usize,
    end: usize,
}

struct Reader<'t> {
    text: &'t str,
    lines: Vec<Line>,
    at: usize,
    comments: Vec<Range<usize>>,
    flows: Vec<Range<usize>>,
}

impl<'t> Reader<'t> {
    fn content(&self, line: Line) -> &'t str {
        self.text.get(line.start..line.end).unwrap_or_default()
    }

    /// Returns the next line that is not empty and not a comment.
    fn peek(&mut self) -> Option<Line> {
        loop {
            let line = *self.lines.get(self.at)?;
            let content = self.content(line);
            let is_mark = line.indent == 0 && matches!(content, "---" | "...");
            if content.starts_with('#') {
                self.comments.push(line.start..line.end);
            } else if !content.is_empty() && !is_mark {
                return Some(line);
            }
            self.at += 1;
        }
    }

    /// Reads the value whose lines are indented by at least `least` characters. `None` if there is no such line.
    fn block(&mut self, least: usize, depth: usize) -> Option<Value> {
        let line = self.peek().filter(|line| line.indent >= least)?;
        if depth >= MAX_DEPTH {
            while self.peek().is_some_and(|line| line.indent >= least) {
                self.at += 1;
            }
            return None;
        }
        let content = self.content(line);
        if is_item(content) {
            return Some(Value::List(self.list(line.indent, depth)));
        }
        if key_length(content).is_some() {
            return Some(Value::Map(self.map(least, line.indent, depth)));
        }
        // One word that is followed by keys is a key without `:`.
        let next = self.lines[self.at + 1..].iter().find(|line| !self.content(**line).is_empty());
        let among_keys =
            next.is_some_and(|next| next.indent == line.indent && key_length(self.content(*next)).is_some());
        if among_keys {
            return Some(Value::Map(self.map(least, line.indent, depth)));
        }
        self.at += 1;
        self.inline(line, line.start, depth)
    }

    fn list(&mut self, indent: usize, depth: usize) -> Vec<Value> {
        let mut items = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent == indent) {
            let content = self.content(line);
            if !is_item(content) {
                break;
            }
            let inner = content[1..].trim_start();
            let start = line.end - inner.len();
            if inner.is_empty() || inner.starts_with('#') {
                self.comment(start..line.end);
                self.at += 1;
            } else {
                self.lines[self.at] = Line { start, indent: indent + start - line.start, end: line.end };
            }
            items.extend(self.block(indent + 1, depth + 1));
        }
        items
    }

    /// Reads the pairs of an object. `indent`: the indentation of its first key.
    fn map(&mut self, least: usize, indent: usize, depth: usize) -> Vec<Pair> {
        let mut pairs = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent >= least) {
            self.at += 1;
            let content = self.content(line);
            match key_length(content) {
                Some((length, colon)) => {
                    let key = word(self.text, line.start..line.start + length, Format::Yaml);
                    let colon = line.start + colon;
                    let before = self.flows.len();
                    let value = self.after(line, colon + 1, depth);
                    let closed = self.flows[before..].last().and_then(|flow| closed(self.text, flow.end));
                    pairs.push(Pair { key, colon: Some(colon), value, closed });
                }
                None if is_item(content) || line.indent > indent => {}
                None => {
                    let key = word(self.text, line.start..line.end, Format::Yaml);
                    pairs.push(Pair { key, colon: None, value: None, closed: None });
                }
            }
        }
        pairs
    }

    /// Reads the value of a key, from the offset after its `:`.
    fn after(&mut self, line: Line, from: usize, depth: usize) -> Option<Value> {
        let rest = self.text.get(from..line.end).unwrap_or_default();
        let start = line.end - rest.trim_start().len();
        let rest = rest.trim_start();
        if !rest.is_empty() && !rest.starts_with('#') {
            return self.inline(line, start, depth);
        }
        self.comment(start..line.end);
        // The items of a list may have the same indentation as the key of the list.
        let next = self.peek()?;
        if next.indent == line.indent && is_item(self.content(next)) {
            return Some(Value::List(self.list(next.indent, depth + 1)));
        }
        self.block(line.indent + 1, depth + 1)
    }

    /// Reads the value at `start` in `line`. The caller has already advanced to the line after it.
    fn inline(&mut self, line: Line, start: usize, depth: usize) -> Option<Value> {
        let rest = &self.text[start..line.end];
        match rest.chars().next()? {
            '{' | '[' => {
                let end = self.end_of_flow(line);
                let mut flow = Flow::new(self.text, start..end, Format::Yaml, &mut self.comments);
                let value = flow.value(depth);
                let done = flow.at;
                self.flows.push(start..done);
                let tail = line_of(self.text.get(done..).unwrap_or_default());
                if tail.trim_start().starts_with('#') {
                    self.comment(done + tail.len() - tail.trim_start().len()..done + tail.trim_end().len());
                }
                while self.lines.get(self.at).is_some_and(|line| line.start < done) {
                    self.at += 1;
                }
                value
            }
            '|' | '>' => {
                let mut end = line.end;
                while let Some(next) = self.lines.get(self.at).copied() {
                    if next.indent <= line.indent && next.start < next.end {
                        break;
                    }
                    end = end.max(next.end);
                    self.at += 1;
                }
                let bytes = start..start + self.text[start..end].trim_end().len();
                Some(Value::Scalar(word(self.text, bytes, Format::Yaml)))
            }
            quote @ ('"' | '\'') => {
                let length = quoted_length(rest, quote);
                if let Some(comment) = rest[length..].find('#') {
                    self.comment(start + length + comment..line.end);
                }
                Some(Value::Scalar(word(self.text, start..start + length, Format::Yaml)))
            }
            _ => {
                let length = plain_length(rest);
                if let Some(comment) = rest[length..].find('#') {
                    self.comment(start + length + comment..line.end);
                }
                self.skip_continued(line);
                Some(Value::Scalar(word(self.text, start..start + length, Format::Yaml)))
            }
        }
    }

    /// Skips the lines that continue a scalar.
    fn skip_continued(&mut self, line: Line) {
        while let Some(next) = self.lines.get(self.at).copied() {
            let content = self.content(next);
            let ends = content.is_empty() || content.starts_with('#') || is_item(content);
            if next.indent <= line.indent || ends || key_length(content).is_some() {
                break;
            }
            self.at += 1;
        }
    }

    /// Returns the offset at which a value in brackets ends at the latest: before the next line of the object around it.
    fn end_of_flow(&self, line: Line) -> usize {
        let ends = |next: &&Line| {
            let content = self.content(**next);
            next.indent <= line.indent && !content.is_empty() && !content.starts_with(['}', ']'])
        };
        let next = self.lines[self.at..].iter().find(ends);
        next.map_or(self.text.len(), |next| next.start)
    }

    fn comment(&mut self, bytes: Range<usize>) {
        if self.text[bytes.clone()].starts_with('#') {
            self.comments.push(bytes);
        }
    }
}

fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// Returns the length of the key at the start of a line, and the offset of its `:`. `None` if the line has no key.
fn key_length(content: &str) -> Option<(usize, usize)> {
    let first = content.chars().next()?;
    if matches!(first, '"' | '\'') {
        let length = quoted_length(content, first);
        let rest = &content[length..];
        let colon = length + rest.len() - rest.trim_start().len();
        return content[colon..].starts_with(':').then_some((length, colon));
    }
    if matches!(first, '{' | '[' | '#' | '|' | '>') {
        return None;
    }
    let plain = &content[..plain_length(content)];
    let colon = plain.match_indices(':').map(|(at, _)| at).find(|at| {
        let after = plain[at + 1..].chars().next();
        after.is_none_or(|c| c == ' ' || c == '\t')
    })?;
    Some((plain[..colon].trim_end().len(), colon))
}

/// Returns the length of a scalar without quotes: up to a comment, or to the end of the line.
fn plain_length(text: &str) -> usize {
    let line = line_of(text);
    let comment = line.match_indices('#').map(|(at, _)| at).find(|at| line[..*at].ends_with([' ', '\t']));
    line[..comment.unwrap_or(line.len())].trim_end().len()
}
