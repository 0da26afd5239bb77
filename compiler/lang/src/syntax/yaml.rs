//! Parses YAML to a tree: one document, no anchors, no tags, and no scalar that parsers read differently.
mod invisible;
mod scalar;

use super::guard::{MAX_DEPTH, guard_text, keep_one, tell};
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

/// Parses a YAML text. Returns `None` after a syntax error. Of duplicate keys, the first value is kept.
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
            build.out.push(*stop);
            return (None, build.out);
        }
    }
    (build.root, build.out)
}

/// Returns the error of the parser.
fn broken(source: &Source, at: u32, why: &str) -> Diagnostic {
    let told = Diagnostic::new(&SYNTAX, Span::new(at, at), format!("invalid YAML: {why}"));
    match unquoted(source, at) {
        Some(word) => {
            told.help(format!("`{{` starts an object in YAML; quote a string with a reference: `\"{word}\"`"))
        }
        None => told,
    }
}

/// Returns whether a string needs no quotes as a YAML key or value anywhere.
#[must_use]
pub fn is_plain_text(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(letters)
        && matches!(plain(text), Some(Value::Text(_)))
}

/// Returns the first unquoted word with a reference on the line of `at` or on the previous line.
fn unquoted(source: &Source, at: u32) -> Option<&str> {
    let end = source.local(Span::new(at, at)).start;
    let end = source.text[end..].find('\n').map_or(source.text.len(), |line| end + line);
    let mut lines = source.text[..end].rsplit('\n');
    let words =
        [lines.next(), lines.next()].into_iter().flatten().flat_map(|line| line.split([' ', ',', '[', ']']));
    let reference = |word: &str| {
        let body = word.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        body.is_some_and(|(body, _)| ALL.iter().any(|reference| reference.is(body)))
    };
    words.filter(|word| !word.contains(['"', '\''])).find(|word| reference(word))
}

/// An open list or map.
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
    /// Returns the offset of a marker. The parser reports a character index if the byte offset is unknown.
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
            // Future events of the parser.
            _ => Err(feature(at, "unsupported YAML syntax", "write only maps, lists, and scalars")),
        }
    }

    /// Trims the end: the parser includes the last line break of a block.
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

    /// Adds a value to the root, to a list, or to a map as a key or value.
    fn place(&mut self, tree: Tree) -> Step {
        match self.open.last_mut() {
            None => self.root = Some(tree),
            Some(Open::List(_, items)) => items.push(tree),
            Some(Open::Map { entries, seen, key, .. }) => match key.take() {
                None => *key = Some((key_text(&tree, self.source)?, tree.span)),
                Some((name, key_span)) => {
                    if let Some(first) = seen.get(&name) {
                        let fact = format!("duplicate key `{name}`");
                        let told = Diagnostic::new(&DUPLICATE_KEY, key_span, fact).here("second occurrence");
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
            // YAML 1.1 reads the key `on` of `allow` as `true`. It is accepted as a string, as in GitHub Actions.
            None if is_key && text == "on" => return Value::Text(text.to_owned()),
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
        // A key such as `1` or `true` is a name.
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {
            Ok(source.slice(key.span).to_owned())
        }
        Value::List(_) | Value::Map(_) => {
            Err(feature(key.span, "a YAML key must be a string", "write a name, such as `image: …`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Format, Sources};

    fn read(text: &str) -> (Option<Tree>, Vec<String>) {
        let mut sources = Sources::default();
        sources.add("before", Format::Kdl, "moves the offsets");
        let number = sources.add("x.yaml", Format::Yaml, text);
        let (tree, found) = read_yaml(sources.get(number));
        let told =
            found.iter().map(|d| format!("{} | {}: {}", sources.slice(d.span()), d.code.name, d.message));
        (tree, told.collect())
    }

    #[test]
    fn keys_and_values_keep_their_words() {
        let (tree, told) = read("é: x\njob:\n  name: mnist\n  run: [python, \"a b\"]\n");
        assert_eq!(told, [""; 0]);
        let tree = tree.unwrap();
        let job = tree.get("job").unwrap();
        let mut sources = Sources::default();
        sources.add("before", Format::Kdl, "moves the offsets");
        sources.add("x.yaml", Format::Yaml, "é: x\njob:\n  name: mnist\n  run: [python, \"a b\"]\n");
        assert_eq!(sources.slice(job.get("name").unwrap().span), "mnist");
        assert_eq!(sources.slice(job.entries()[1].key_span), "run");
        let Value::List(words) = &job.get("run").unwrap().value else { panic!("a list") };
        assert_eq!(sources.slice(words[1].span), "\"a b\"");
    }

    #[test]
    fn ambiguous_scalars_are_errors() {
        for word in [
            "yes",
            "No",
            "on",
            "OFF",
            "y",
            "N",
            "TRUE",
            "012",
            "1_000",
            "0x1F",
            "0o17",
            "12:30:45",
            "1e3",
            "5.",
            ".5",
            "+1",
            ".inf",
            "2001-01-01",
            "08",
            "0b11",
        ] {
            let told = read(&format!("a: {word}\n")).1;
            assert_eq!(told, [format!("{word} | ambiguous-scalar: `{word}` is ambiguous in YAML")]);
        }
        for (text, key) in [("a: { off: b }", "off"), ("a:\n  On: b\n", "On"), ("- yes: 1\n", "yes")] {
            let mut sources = Sources::default();
            let number = sources.add("x.yaml", Format::Yaml, text);
            let [told] = &read_yaml(sources.get(number)).1[..] else { panic!("{text}") };
            assert_eq!(told.help, Some(format!("quote the key: `\"{key}\"`")), "{text}");
            let edit = &told.fixes[0].edits[0];
            assert_eq!((sources.slice(edit.span), edit.text.clone()), (key, format!("\"{key}\"")));
        }
        for (word, number) in [("3.0e-05", 3e-5), ("1.0E+6", 1e6), ("-1.5e-3", -1.5e-3)] {
            let (tree, told) = read(&format!("a: {word}\n"));
            assert_eq!(told, [""; 0], "{word}");
            assert_eq!(tree.unwrap().get("a").unwrap().value, Value::Float(number));
        }
        for (word, number) in
            [("1e-4", Some("1.0e-4")), ("1.5e3", Some("1.5e+3")), ("1E6", Some("1.0e+6")), ("yes", None)]
        {
            assert_eq!(power(word).as_deref(), number);
        }
        for word in ["16GiB", "1h30m", "a1", "2.15.1", "v1", "hdfs://x/y", "nil", "-x", "--flag", "1GB", "2d"]
        {
            let (tree, told) = read(&format!("a: {word}\n"));
            assert_eq!(told, [""; 0], "{word}");
            assert_eq!(tree.unwrap().get("a").unwrap().value, Value::Text(word.to_owned()));
        }
    }

    #[test]
    fn the_key_on_needs_no_quotes() {
        for text in ["allow:\n  - on: spark\n", "a: { on: b }", "a:\n  on:\n    b: c\n", "[on: b]"] {
            assert_eq!(read(text).1, [""; 0], "{text}");
        }
        assert_eq!(read("on: a\n").0.unwrap().get("on").unwrap().value, Value::Text("a".into()));
        assert_eq!(read("on: on\n").1, ["on | ambiguous-scalar: `on` is ambiguous in YAML"]);
        assert_eq!(read("on: 1\n\"on\": 2\n").1, ["\"on\" | duplicate-key: duplicate key `on`"]);
    }

    #[test]
    fn a_number_that_nothing_holds_and_a_nul_are_refused() {
        let digits = "9".repeat(40);
        assert_eq!(
            read(&format!("a: {digits}\n")).1,
            [format!("{digits} | bad-number: number out of range")]
        );
        assert_eq!(read("a: \"x\\0\"\n").1, ["\"x\\0\" | forbidden-character: NUL character in a string"]);
    }

    #[test]
    fn anchors_tags_and_second_documents_are_refused() {
        assert!(read("a: &x 1\nb: *x\n").1[0].contains("yaml-feature"));
        assert!(read("a: !!str 1\n").1[0].contains("yaml-feature"));
        assert!(read("a: 1\n---\nb: 2\n").1[0].contains("yaml-feature"));
    }

    #[test]
    fn a_key_that_is_there_twice_is_told_with_both_places() {
        let mut sources = Sources::default();
        let number = sources.add("x.yaml", Format::Yaml, "a: { b: 1 }\na: { c: 1 }\n");
        let (_, told) = read_yaml(sources.get(number));
        assert_eq!(told[0].help.as_deref(), Some("merge both into one object, or remove one of them"));
        assert_eq!(read("a: 1\na: 2\n").1, ["a | duplicate-key: duplicate key `a`"]);
    }

    #[test]
    fn a_reference_without_quotes_is_told_as_such() {
        let mut all = Sources::default();
        let number = all.add("a", Format::Yaml, "job:\n  run: [python, train.py, --task={index}]\n");
        let (_, found) = read_yaml(all.get(number));
        assert!(found[0].help.iter().any(|help| help.contains("`\"--task={index}\"`")), "{found:?}");
    }

    #[test]
    fn depth_is_bounded() {
        let closed = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert!(read(&closed).1[0].contains("too-deep"));
        assert!(read(&"- ".repeat(1000)).1[0].contains("too-deep"));
        // The parser has its own limit.
        assert_eq!(read(&"[".repeat(60_000)).1.len(), 1);
    }
}
