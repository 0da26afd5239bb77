//! Reports invisible characters that make YAML invalid: tabs in the indentation, and byte order marks.
use crate::codes::{FORBIDDEN_CHARACTER, SYNTAX};
use crate::diagnostic::{Diagnostic, Fix};
use crate::sources::{Source, Span};
use crate::syntax::guard::span;

/// Returns the error for an invisible character near `at`, where the parser stopped with the message `why`. The character
/// is on the line of `at` or on the previous line. If `why` mentions a tab, the tab may be on a later line, because the
/// parser reports a scalar at its beginning.
pub(super) fn invisible(source: &Source, at: u32, why: &str) -> Option<Diagnostic> {
    let text = source.text.as_str();
    let at = source.local(Span::new(at, at)).start;
    let mut start = 0;
    let lines = text.split_inclusive('\n').enumerate().map(|(number, line)| {
        let begin = start;
        start += line.len();
        Line { number: number + 1, start: begin, text: line }
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let here = lines.iter().rposition(|line| line.start <= at)?;
    let last = if why.contains("tab") { lines.len() } else { here };
    let mark = why.contains("BOM");
    let near = [Some(here), here.checked_sub(1)].into_iter().flatten().chain(here + 1..last);
    near.map(|number| &lines[number]).find_map(|line| if mark { line.mark(source) } else { line.tab(source) })
}

/// Returns the error for a tab in the indentation of the key or value at `at`. The parser accepts some of these tabs, but
/// YAML 1.1 parsers reject them.
pub(super) fn indented_by_tab(source: &Source, at: Span) -> Option<Diagnostic> {
    let before = &source.text[..source.local(at).start];
    let start = before.trim_end_matches([' ', '\t', '-']).len();
    let begins = before[..start].is_empty() || before[..start].ends_with('\n');
    if !begins || !before[start..].contains('\t') {
        return None;
    }
    let number = before.matches('\n').count() + 1;
    Line { number, start, text: source.text[start..].lines().next().unwrap_or_default() }.tab(source)
}

struct Line<'t> {
    /// Line number, from 1.
    number: usize,
    /// Offset of the first byte of the line.
    start: usize,
    text: &'t str,
}

impl Line<'_> {
    /// Returns the error for a byte order mark on this line, except at the start of the file.
    fn mark(&self, source: &Source) -> Option<Diagnostic> {
        let mut marks = self.text.char_indices().filter(|(_, c)| *c == '\u{feff}');
        let (byte, mark) = marks.find(|(byte, _)| self.start + byte > 0)?;
        let at = span(source, self.start + byte, self.start + byte + mark.len_utf8());
        let fact = format!("byte order mark (U+FEFF) in line {}", self.number);
        let told = Diagnostic::new(&FORBIDDEN_CHARACTER, at, fact).here("invisible character");
        let told = told.help("remove it; a byte order mark is allowed only at the start of a file");
        Some(told.fix(Fix::edit("remove it", at, "")))
    }

    /// Returns the error for a tab before the content of the line.
    fn tab(&self, source: &Source) -> Option<Diagnostic> {
        let content = self.text.find(|c: char| !c.is_whitespace() && c != '-')?;
        let first = self.text[..content].find('\t')?;
        let tabs = self.text[first..content].bytes().take_while(|b| *b == b'\t').count();
        let at = span(source, self.start + first, self.start + first + tabs);
        let fact = format!("tab in the indentation of line {}", self.number);
        let told = Diagnostic::new(&SYNTAX, at, fact).here("tab");
        Some(told.help("YAML allows only spaces for indentation; replace each tab with spaces"))
    }
}

#[cfg(test)]
mod tests {
    use crate::sources::{Format, Sources};
    use crate::syntax::read_yaml;

    fn told(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        sources.add("before", Format::Kdl, "moves the offsets");
        let number = sources.add("x.yaml", Format::Yaml, text);
        let (_, found) = read_yaml(sources.get(number));
        found
            .iter()
            .map(|d| format!("{} | {}: {}", sources.slice(d.span()), d.code.name, d.message))
            .collect()
    }

    #[test]
    fn a_tab_in_the_indentation_is_named() {
        for (text, line) in [
            ("job:\n\tname: x\n", 2),
            ("job:\n  name: x\n\timage: y\n", 3),
            ("job:\n  name: x\n    y\n\n\timage: y\n", 5),
            ("job:\n  name: x\n  \timage: y\n", 3),
            ("job:\n  run:\n\t- a\n", 3),
            ("\tjob: 1\n", 1),
            ("job:\n  run:\n    \t- a\n", 3),
            ("job:\n  framework:\n    \tname: x\n", 3),
            ("job:\n  run:\n    -\ta\n", 3),
            ("job:\n  run: [a,\n\tb]\n", 3),
            ("job:\n  -\t- a\n", 2),
            ("job:\n  shell: |\n\ta\n", 3),
            ("job: {\n\ta: 1\n}\n", 2),
            ("job:\n    a: 1\n\tb: 1\n  c: 1\n", 3),
        ] {
            let told = told(text);
            assert_eq!(told, [format!("\t | syntax: tab in the indentation of line {line}")], "{text:?}");
        }
        // A tab is allowed between a key and its value, and on a blank line.
        assert_eq!(told("job:\n  a:\t1\n\t\n  b: 1\n"), [""; 0]);
        assert!(!told("job:\n\t\n\n  a: [1\n")[0].contains("tab"));
    }

    #[test]
    fn a_byte_order_mark_inside_the_document_is_named() {
        for (text, line) in [("job:\n\u{feff}  name: x\n", 2), ("job:\n  name: x\n  image: \u{feff}y\n", 3)] {
            let told = told(text);
            let expected = format!("\u{feff} | forbidden-character: byte order mark (U+FEFF) in line {line}");
            assert_eq!(told, [expected], "{text:?}");
        }
        // A byte order mark is allowed at the start of a file.
        assert_eq!(told("\u{feff}job:\n  name: x\n"), [""; 0]);
    }
}
