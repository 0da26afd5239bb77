//! JSON to the tree: every key and value with its words, no key twice, a bounded depth.
use super::guard::{MAX_DEPTH, guard_text};
use super::literal::{json, text_of};
use crate::codes::{BAD_ESCAPE, BAD_NUMBER, REPEATED_KEY, SYNTAX, TOO_DEEP, UNCLOSED};
use crate::diagnostic::Diagnostic;
use crate::sources::{Source, Span};
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeMap;

/// The tree of a JSON text; `None` where its syntax breaks, which ends the reading. Keys that are there twice keep the
/// first value.
#[must_use]
pub fn read_json(source: &Source) -> (Option<Tree>, Vec<Diagnostic>) {
    if let Some(refused) = guard_text(source) {
        return (None, vec![refused]);
    }
    let mut reader = Reader { source, text: &source.text, at: 0, out: Vec::new() };
    if reader.text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let tree = reader.value(0).and_then(|tree| {
        reader.blanks();
        if reader.at == reader.text.len() {
            Ok(tree)
        } else {
            Err(reader.odd("the text ends with its first value"))
        }
    });
    match tree {
        Ok(tree) => (Some(tree), reader.out),
        Err(stop) => {
            reader.out.push(*stop);
            (None, reader.out)
        }
    }
}

struct Reader<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    out: Vec<Diagnostic>,
}

type Read<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    fn span(&self, from: usize, to: usize) -> Span {
        let base = self.source.base();
        Span::new(base + from as u32, base + to as u32)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// What stands here is not what JSON has here.
    fn odd(&self, help: &str) -> Box<Diagnostic> {
        let (found, end) = self.peek().map_or_else(
            || ("the text ends too early".to_owned(), self.at),
            |c| (format!("`{}` is not JSON here", c.escape_debug()), self.at + c.len_utf8()),
        );
        Box::new(Diagnostic::new(&SYNTAX, self.span(self.at, end), found).help(help))
    }

    fn value(&mut self, depth: usize) -> Read<Tree> {
        self.blanks();
        let from = self.at;
        if depth > MAX_DEPTH {
            let fact = format!("values are nested more than {MAX_DEPTH} deep");
            return Err(Box::new(Diagnostic::new(&TOO_DEEP, self.span(from, from + 1), fact)));
        }
        let value = match self.peek() {
            Some('{') => Value::Map(self.object(depth)?),
            Some('[') => Value::List(self.array(depth)?),
            Some('"') => Value::Text(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some(_) | None => self.word()?,
        };
        Ok(Tree { span: self.span(from, self.at), value })
    }

    fn object(&mut self, depth: usize) -> Read<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        self.at += 1;
        self.blanks();
        if self.closes('}') {
            return Ok(entries);
        }
        loop {
            self.blanks();
            let from = self.at;
            if self.peek() != Some('"') {
                return Err(self.odd("a key is text in double quotes"));
            }
            let key = self.string()?;
            let key_span = self.span(from, self.at);
            self.blanks();
            if !self.closes(':') {
                return Err(self.odd("a `:` stands between a key and its value"));
            }
            let tree = self.value(depth + 1)?;
            if let Some(first) = seen.get(&key) {
                self.out.push(
                    Diagnostic::new(&REPEATED_KEY, key_span, format!("`{key}` is there twice"))
                        .here("the second")
                        .label(*first, "the first")
                        .help("remove one of the two"),
                );
            } else {
                seen.insert(key.clone(), key_span);
                entries.push(Entry { key, key_span, tree });
            }
            self.blanks();
            if self.closes('}') {
                return Ok(entries);
            }
            if !self.closes(',') {
                return Err(self.odd("a `,` or a `}` stands after a value of an object"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Read<Vec<Tree>> {
        let mut items = Vec::new();
        self.at += 1;
        self.blanks();
        if self.closes(']') {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.closes(']') {
                return Ok(items);
            }
            if !self.closes(',') {
                return Err(self.odd("a `,` or a `]` stands after a value of a list"));
            }
        }
    }

    /// Steps over `mark` if it stands here.
    fn closes(&mut self, mark: char) -> bool {
        let here = self.peek() == Some(mark);
        self.at += usize::from(here);
        here
    }

    fn string(&mut self) -> Read<String> {
        let from = self.at;
        let mut escaped = false;
        for (i, c) in self.text[from + 1..].char_indices() {
            match c {
                '"' if !escaped => {
                    self.at = from + 1 + i + 1;
                    let literal = &self.text[from..self.at];
                    return json::units(literal).map(|units| text_of(&units)).map_err(|fault| {
                        let at = self.span(from + fault.bytes.start, from + fault.bytes.end);
                        Box::new(Diagnostic::new(&BAD_ESCAPE, at, fault.message).help(fault.help))
                    });
                }
                '\n' => break,
                c => escaped = c == '\\' && !escaped,
            }
        }
        let line = self.text[from..].lines().next().unwrap_or_default();
        let at = self.span(from, from + line.len());
        Err(Box::new(
            Diagnostic::new(&UNCLOSED, at, "this text is not closed on its line").help("a text ends at `\"`"),
        ))
    }

    fn number(&mut self) -> Read<Value> {
        let from = self.at;
        let rest = &self.text[from..];
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '+' | '-'))
            .unwrap_or(rest.len());
        let words = &rest[..length];
        self.at += length;
        let wrong = |fact: String| {
            Box::new(
                Diagnostic::new(&BAD_NUMBER, self.span(from, from + length), fact)
                    .help("a number is written as `12`, `-3` or `0.5`; text stands in double quotes"),
            )
        };
        // serde_json knows the grammar of a number; it is asked for one number only.
        match serde_json::from_str::<serde_json::Number>(words) {
            Err(_) => Err(wrong(format!("`{words}` is no number of JSON"))),
            Ok(number) if number.is_f64() && !words.contains(['.', 'e', 'E']) => {
                words.parse().map(Value::Int).map_err(|_| wrong(format!("`{words}` is too large")))
            }
            Ok(number) => match (number.as_i128(), number.as_f64()) {
                (Some(whole), _) => Ok(Value::Int(whole)),
                (None, Some(float)) if float.is_finite() => Ok(Value::Float(float)),
                (None, _) => Err(wrong(format!("`{words}` is too large"))),
            },
        }
    }

    fn word(&mut self) -> Read<Value> {
        let rest = &self.text[self.at..];
        for (word, value) in
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)]
        {
            let ends = rest.strip_prefix(word).is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric()));
            if ends {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.odd("a value is `{…}`, `[…]`, text in double quotes, a number, `true`, `false` or `null`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Format, Sources};

    fn read(text: &str) -> (Option<Tree>, Vec<String>) {
        let mut sources = Sources::default();
        let number = sources.add("x.json", Format::Json, text);
        let (tree, found) = read_json(sources.get(number));
        let told =
            found.iter().map(|d| format!("{} | {}: {}", sources.slice(d.span()), d.code.name, d.message));
        (tree, told.collect())
    }

    #[test]
    fn keys_and_values_keep_their_words() {
        let (tree, told) = read("{ \"a\": [1, -2.5, \"x\\u00e9\"], \"b\": null }");
        assert_eq!(told, [""; 0]);
        let tree = tree.unwrap();
        let list = tree.get("a").unwrap();
        assert_eq!(list.span, Span::new(7, 27));
        assert_eq!(tree.entries()[1].key_span, Span::new(29, 32));
        let Value::List(items) = &list.value else { panic!("a list") };
        assert_eq!(items[0].value, Value::Int(1));
        assert_eq!(items[2].value, Value::Text("xé".to_owned()));
    }

    #[test]
    fn what_is_no_json_is_said_where_it_stands() {
        assert_eq!(read("{\"a\" 1}").1, ["1 | syntax: `1` is not JSON here"]);
        assert_eq!(read("{\"a\": 012}").1, ["012 | bad-number: `012` is no number of JSON"]);
        assert_eq!(read("{\"a\": 1e999}").1, ["1e999 | bad-number: `1e999` is no number of JSON"]);
        assert_eq!(read("[1,]").1, ["] | syntax: `]` is not JSON here"]);
        assert_eq!(read("{} {}").1, ["{ | syntax: `{` is not JSON here"]);
        assert_eq!(read("").1, [" | syntax: the text ends too early"]);
    }

    #[test]
    fn a_key_that_is_there_twice_is_told_with_both_places() {
        let (tree, told) = read("{\"a\": 1, \"a\": 2}");
        assert_eq!(told, ["\"a\" | repeated-key: `a` is there twice"]);
        assert_eq!(tree.unwrap().get("a").unwrap().value, Value::Int(1));
    }

    #[test]
    fn depth_is_bounded() {
        let told = read(&"[".repeat(60_000)).1;
        assert_eq!(told, ["[ | too-deep: values are nested more than 32 deep"]);
    }
}
