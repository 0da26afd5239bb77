//! Detects a file in a different format than its name implies. Reports only one error for the whole file.
use super::guard::span;
use crate::codes::UNSUPPORTED_FORMAT;
use crate::diagnostic::Diagnostic;
use crate::sources::Source;

/// Returns the error if a text that is parsed as KDL is JSON or YAML. A KDL spec always contains a block, and never begins
/// with `{`.
pub(super) fn judge(source: &Source) -> Option<Diagnostic> {
    let text = source.text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().copied().find(|line| has_content(line))?.trim();
    let (format, ending) = if is_json(text.trim_start()) {
        ("JSON", "json")
    } else if is_yaml(first)
        && lines.iter().filter(|line| has_content(line)).nth(1).is_some()
        && !lines
            .iter()
            .any(|line| line.split("//").next().unwrap_or_default().trim_end().ends_with(['{', '}']))
    {
        ("YAML", "yaml")
    } else {
        return None;
    };
    let start = first.as_ptr() as usize - source.text.as_ptr() as usize;
    let help = format!("rename the file to `NAME.tfjob.{ending}`, or create a KDL spec with `tfjob init`");
    let fact = format!("this is {format}, but the file is parsed as KDL");
    Some(Diagnostic::new(&UNSUPPORTED_FORMAT, span(source, start, start + first.len()), fact).help(help))
}

/// Returns the first line with content, trimmed.
pub(crate) fn first_line(text: &str) -> Option<&str> {
    text.trim_start_matches('\u{feff}').lines().find(|line| has_content(line)).map(str::trim)
}

fn has_content(line: &str) -> bool {
    let line = line.trim();
    !(line.is_empty() || line.starts_with('#') || line.starts_with("//") || line == "---")
}

/// Returns whether the text begins like a JSON object.
fn is_json(text: &str) -> bool {
    text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
}

/// Returns whether the line begins like a YAML mapping.
fn is_yaml(line: &str) -> bool {
    let Some((key, rest)) = line.split_once(':') else { return false };
    let key = key.trim_matches('"');
    let named = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    named && (rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Format, Sources};

    fn told(text: &str) -> Option<(String, String)> {
        let mut all = Sources::default();
        let number = all.add("a", Format::Kdl, text);
        let source = all.get(number);
        judge(source).map(|d| (source.slice(d.span()).to_owned(), d.message))
    }

    #[test]
    fn a_whole_text_in_another_format_is_told_by_its_first_line() {
        for (text, line, format) in [
            ("job:\n  name: a\n", "job:", "YAML"),
            ("---\n# words\napiVersion: v1\nkind: TFJob\n", "apiVersion: v1", "YAML"),
            ("\n { \"job\": {\n} }", "{ \"job\": {", "JSON"),
            ("{}", "{}", "JSON"),
        ] {
            let fact = format!("this is {format}, but the file is parsed as KDL");
            assert_eq!(told(text), Some((line.to_owned(), fact)), "{text}");
        }
    }

    #[test]
    fn kdl_with_slips_is_kdl() {
        for text in [
            "job: \"a\" {\n}",
            "job \"a\" {\n  count: 4\n}",
            "extends \"a\"",
            "",
            "count: 4",
            "{\n job \"a\"\n}",
            "a::b",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
