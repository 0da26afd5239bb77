//! Parses YAML to a tree. Accepts one document without anchors and tags, and rejects scalars that YAML parsers interpret
//! differently.
mod indent;
mod invisible;
mod line;
mod scalar;

use super::guard::{MAX_DEPTH, conflict, guard_text, keep_one, tell};
use crate::codes::{
    AMBIGUOUS_SCALAR, BAD_NUMBER, DUPLICATE_KEY, FORBIDDEN_CHARACTER, SYNTAX, TOO_DEEP, YAML_FEATURE,
};
use crate::diagnostic::{Diagnostic, Fix};
use crate::references::ALL;
use crate::sources::{Source, Span};
use crate::tree::{Entry, Tree, Value};
use granit_parser::{Event, Marker, Parser, ScalarStyle};
use invisible::{indented_by_tab, invisible};
use scalar::{plain, power};
use std::collections::BTreeMap;

/// Parses a YAML text. Returns `None` after a syntax error. If a key occurs more than once, the first value is kept.
#[must_use]
pub fn read_yaml(source: &Source) -> (Option<Tree>, Vec<Diagnostic>) {
    if let Some(refused) = guard_text(source) {
        return (None, vec![refused]);
    }
    let mut build = Build { source, open: Vec::new(), root: None, documents: 0, out: Vec::new() };
    for event in Parser::new_from_str(&source.text) {
        let step = match event {
            Ok((event, at)) => build.event(event, build.span(&at)),
            Err(why) => {
                let at = build.offset(why.marker());
                Err(Box::new(
                    invisible(source, at, &why.info()).unwrap_or_else(|| broken(source, at, &why.info())),
                ))
            }
        };
        if let Err(stop) = step {
            if let Some(conflict) = conflict(source) {
                return (None, vec![conflict]);
            }
            build.out.push(*stop);
            return (None, build.out);
        }
    }
    (build.root, build.out)
}

/// Returns the diagnostic for an error of the YAML parser.
fn broken(source: &Source, at: u32, why: &str) -> Diagnostic {
    let entry = line::help(source, at, line::of_entry);
    if let Some(help) = indent::help(source, at).filter(|_| entry.is_none()) {
        return Diagnostic::new(&SYNTAX, Span::new(at, at), "invalid YAML: unexpected indentation")
            .help(help);
    }
    if why.contains("unknown anchor") {
        return *anchor(Span::new(at, at));
    }
    let told = Diagnostic::new(&SYNTAX, Span::new(at, at), format!("invalid YAML: {why}"));
    let quote =
        |word| format!("`{{` starts an object in YAML; quote a string with a reference: `\"{word}\"`");
    match unquoted(source, at).map(quote).or(entry).or_else(|| line::help(source, at, line::of_line)) {
        Some(help) => told.help(help),
        None => told,
    }
}

/// Returns whether a string never needs quotes as a YAML key or value.
#[must_use]
pub fn is_plain_text(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(letters)
        && matches!(plain(text), Some(Value::Text(_)))
}

/// Returns the first unquoted word that contains a reference or a shell variable in braces, on the line of `at` or on the previous
/// line.
fn unquoted(source: &Source, at: u32) -> Option<&str> {
    let end = source.local(Span::new(at, at)).start;
    let end = source.text[end..].find('\n').map_or(source.text.len(), |line| end + line);
    let mut lines = source.text[..end].rsplit('\n');
    let words =
        [lines.next(), lines.next()].into_iter().flatten().flat_map(|line| line.split([' ', ',', '[', ']']));
    let reference = |word: &&str| {
        let body = word.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        body.is_some_and(|(body, _)| ALL.iter().any(|reference| reference.is(body)))
            || word.contains("${") && !word.starts_with('{')
    };
    words.filter(|word| !word.contains(['"', '\''])).map(without_map_end).find(reference)
}

/// Removes the braces at the end of a word that it does not open, as in `{x}}`.
fn without_map_end(word: &str) -> &str {
    let surplus = word.matches('}').count().saturating_sub(word.matches('{').count());
    let end = word.trim_end_matches('}').len();
    &word[..end.max(word.len() - surplus)]
}

/// A list or map that is not yet closed.
enum Open {
    List(Span, Vec<Tree>),
    Map { at: Span, entries: Vec<Entry>, seen: BTreeMap<String, Span>, key: Option<(String, Span)> },
}

struct Build<'a> {
    source: &'a Source,
    open: Vec<Open>,
    root: Option<Tree>,
    documents: usize,
    out: Vec<Diagnostic>,
}

type Step = Result<(), Box<Diagnostic>>;

impl Build<'_> {
    /// Returns the byte offset of a marker. If the parser knows only the character index, converts it.
    fn offset(&self, marker: &Marker) -> u32 {
        let text = &self.source.text;
        let byte = marker
            .byte_offset()
            .unwrap_or_else(|| text.char_indices().nth(marker.index()).map_or(text.len(), |(byte, _)| byte));
        self.source.base() + byte.min(text.len()) as u32
    }

    fn span(&self, at: &granit_parser::Span) -> Span {
        let start = self.offset(&at.start);
        Span::new(start, self.offset(&at.end).max(start))
    }

    fn event(&mut self, event: Event<'_>, at: Span) -> Step {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Comment(..) => Ok(()),
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(feature(
                        at,
                        "multiple YAML documents are not supported",
                        "remove `---` and everything after it",
                    ));
                }
                Ok(())
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) | Event::Anchor(..) => Err(anchor(at)),
            Event::Scalar(_, _, anchored, _)
            | Event::SequenceStart(_, anchored, _)
            | Event::MappingStart(_, anchored, _)
                if anchored != 0 =>
            {
                Err(anchor(at))
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, _, Some(_))
            | Event::MappingStart(_, _, Some(_)) => {
                Err(feature(at, "YAML tags are not supported", "write the value without the tag"))
            }
            Event::Scalar(text, style, _, None) => {
                let at = self.trimmed(at);
                if let Some(tab) = indented_by_tab(self.source, at) {
                    return Err(Box::new(tab));
                }
                let value = self.scalar(&text, style, at);
                self.place(Tree { span: at, value })
            }
            Event::SequenceStart(_, _, None) => self.deeper(at, Open::List(at, Vec::new())),
            Event::MappingStart(_, _, None) => {
                let map = Open::Map { at, entries: Vec::new(), seen: BTreeMap::new(), key: None };
                self.deeper(at, map)
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(start, items)) => {
                    self.place(Tree { span: self.trimmed(start.to(at)), value: Value::List(items) })
                }
                Some(Open::Map { at: start, entries, .. }) => {
                    let span = self.trimmed(start.to(at));
                    self.place(Tree::map(span, entries))
                }
                None => Ok(()),
            },
            // This arm covers events that later versions of the parser may add.
            _ => Err(feature(at, "unsupported YAML syntax", "write only maps, lists, and scalars")),
        }
    }

    /// Removes whitespace from the end of a span, because the parser includes the last line break of a block.
    fn trimmed(&self, at: Span) -> Span {
        let words = self.source.slice(at);
        Span::new(at.start, at.start + words.trim_end().len() as u32)
    }

    fn deeper(&mut self, at: Span, open: Open) -> Step {
        if self.open.len() > MAX_DEPTH {
            let fact = format!("values are nested more than {MAX_DEPTH} levels deep");
            return Err(Box::new(Diagnostic::new(&TOO_DEEP, at, fact)));
        }
        self.open.push(open);
        Ok(())
    }

    /// Adds a value: as the root, as a list item, or as a key or value of a map.
    fn place(&mut self, tree: Tree) -> Step {
        match self.open.last_mut() {
            None => self.root = Some(tree),
            Some(Open::List(_, items)) => items.push(tree),
            Some(Open::Map { entries, seen, key, .. }) => match key.take() {
                None => *key = Some((key_text(&tree, self.source)?, tree.span)),
                Some((name, key_span)) => {
                    if let Some(first) = seen.get(&name) {
                        let fact = format!("duplicate key `{name}`");
                        let told = Diagnostic::new(&DUPLICATE_KEY, key_span, fact).here("repeated here");
                        tell(&mut self.out, told.label(*first, "first occurrence").help(keep_one(&tree)));
                    } else {
                        seen.insert(name.clone(), key_span);
                        entries.push(Entry { key: name, key_span, tree });
                    }
                }
            },
        }
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, at: Span) -> Value {
        if text.contains('\0') {
            let told = Diagnostic::new(&FORBIDDEN_CHARACTER, at, "NUL character in a string");
            tell(
                &mut self.out,
                told.help("remove it; arguments and environment variables cannot contain NUL"),
            );
            return Value::Hole;
        }
        if style != ScalarStyle::Plain {
            return Value::Text(text.to_owned());
        }
        let is_key = matches!(self.open.last(), Some(Open::Map { key: None, .. }));
        let told = match plain(text) {
            Some(value) => return value,
            // YAML 1.1 reads the key `on` of `allow` as `true`. This parser reads it as a string, as GitHub Actions does.
            None if is_key && text == "on" => return Value::Text(text.to_owned()),
            None if is_key && text == "<<" => *feature(
                at,
                "YAML merge keys are not supported",
                "repeat the fields; to share fields between files, use `extends`",
            ),
            None if is_key => {
                let fact = format!("`{text}` is ambiguous in YAML");
                let told = Diagnostic::new(&AMBIGUOUS_SCALAR, at, fact).here("string, number, or boolean?");
                told.help(format!("quote the key: `\"{text}\"`")).fix(Fix::replace(at, format!("\"{text}\"")))
            }
            None if text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'))
                && text.len() > 38 =>
            {
                Diagnostic::new(&BAD_NUMBER, at, "number out of range")
                    .help("write a number of at most 38 digits; quote the digits if they are a string")
            }
            None => {
                let fact = format!("`{text}` is ambiguous in YAML");
                let told = Diagnostic::new(&AMBIGUOUS_SCALAR, at, fact).here("string, number, or boolean?");
                match power(text) {
                    Some(number) => told
                        .help(format!(
                            "for a number, write `{number}`; for a string, write `\"{text}\"`"
                        )),
                    None => told.help(format!(
                        "for a string, write `\"{text}\"`; otherwise, write `true`, `false`, or a decimal number"
                    )),
                }
            }
        };
        tell(&mut self.out, told);
        Value::Hole
    }
}

fn anchor(at: Span) -> Box<Diagnostic> {
    feature(
        at,
        "YAML anchors and aliases are not supported",
        "repeat the value; to share values between files, use `extends`",
    )
}

fn feature(at: Span, fact: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(&YAML_FEATURE, at, fact).help(help))
}

fn key_text(key: &Tree, source: &Source) -> Result<String, Box<Diagnostic>> {
    match &key.value {
        Value::Text(text) => Ok(text.clone()),
        // A key such as `1` or `true` is read as a name.
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {
            Ok(source.slice(key.span).to_owned())
        }
        Value::List(_) | Value::Map(_) => {
            let is_template = source.text[..source.local(key.span).start].ends_with('{');
            let help = if is_template { line::TEMPLATE } else { "write a name, such as `image: …`" };
            Err(feature(key.span, "a YAML key must be a string", help))
        }
    }
}

#[cfg(test)]
mod tests;
