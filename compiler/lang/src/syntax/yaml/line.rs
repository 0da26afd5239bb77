//! Help for a line that is not YAML, but similar to it. The parser only says what it expected.
use crate::sources::{Source, Span};

/// Returns the help for the error at `at`, from the line of `at` or the one above it: the parser often stops on the next line. `of`:
/// [`of_entry`] or [`of_line`].
pub(super) fn help(source: &Source, at: u32, of: fn(&str) -> Option<String>) -> Option<String> {
    let at = source.local(Span::new(at, at)).start;
    let end = source.text[at..].find('\n').map_or(source.text.len(), |line| at + line);
    let lines = source.text[..end].rsplit('\n').filter(|line| !line.trim().is_empty());
    lines.take(2).find_map(|line| of(line.trim().trim_start_matches("- ")))
}

/// Returns the help for a line with brackets, braces, or a separator.
pub(super) fn of_line(line: &str) -> Option<String> {
    if line.contains("{{") {
        return Some(TEMPLATE.to_owned());
    }
    let count = |mark: char| line.matches(mark).count();
    if count('[') > count(']') {
        return Some("the list is not closed: write `]` at its end".to_owned());
    }
    if count('{') > count('}') {
        return Some("the object is not closed: write `}` at its end".to_owned());
    }
    let is_flow = line.contains(['[', '{']);
    if is_flow && line.contains(";") {
        return Some("separate the values in braces or brackets with `,`".to_owned());
    }
    if is_flow && line.contains(",,") {
        return Some("write one `,` between two values".to_owned());
    }
    let end = line.chars().last().filter(|end| !is_flow && matches!(end, ',' | ';'))?;
    Some(format!("remove the `{end}` at the end of the line"))
}

/// Returns the help for a line that begins with a name, and is no entry of an object.
pub(super) fn of_entry(line: &str) -> Option<String> {
    let length = line.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(line.len());
    let (name, rest) = Some(line.split_at(length)).filter(|(name, _)| !name.is_empty())?;
    let value = rest.trim_start();
    let is_apart = value.len() < rest.len();
    if value.starts_with('=') {
        return Some(format!("write a colon instead of `=`: `{name}: …`"));
    }
    match rest.strip_prefix(':') {
        Some(after) if !after.starts_with([' ', '/']) && !after.is_empty() => {
            Some(format!("write a space after the colon: `{name}: …`"))
        }
        Some(after) => {
            let first = after.trim_start().chars().next().filter(|first| matches!(first, '@' | '`' | '%'))?;
            Some(format!("quote a value that begins with `{first}`"))
        }
        None if is_apart && value.starts_with(|c: char| c == '"' || c.is_ascii_digit()) => {
            Some(format!("write a colon after the name: `{name}: …`"))
        }
        None => None,
    }
}

/// Help for a template of Helm, Jinja, or a workflow system.
pub(super) const TEMPLATE: &str =
    "templates such as `{{ … }}` are not expanded: write the value, or a parameter (`\"{param.NAME}\"`)";

#[cfg(test)]
mod tests {
    use crate::sources::{Format, Sources};
    use crate::syntax::read_yaml;

    #[test]
    fn a_line_in_another_notation_has_a_help() {
        for (text, help) in [
            ("image:ml/x\nname: a\n", "write a space after the colon: `image: …`"),
            ("name: a\nimage = x\n", "write a colon instead of `=`: `image: …`"),
            ("env:\n  SEED \"1\"\n  A: b\n", "write a colon after the name: `SEED: …`"),
            ("run: [python, x\nname: a\n", "the list is not closed: write `]` at its end"),
            ("resources: {cpus: 4\nname: a\n", "the object is not closed: write `}` at its end"),
            ("resources: { cpus: 4; memory: 16GiB }\n", "separate the values in braces or brackets with `,`"),
            ("run: [python,, x]\n", "write one `,` between two values"),
            ("image: \"x\",\nname: a\n", "remove the `,` at the end of the line"),
            ("env:\n  LOG: @x\n", "quote a value that begins with `@`"),
            ("env:\n  LOG: {{ .Values.log }}\n", super::TEMPLATE),
            ("env: {A: {{x}}, B: y}\n", super::TEMPLATE),
            (
                "env:\n  <<: *common\n  A: b\n",
                "repeat the fields; to share fields between files, use `extends`",
            ),
        ] {
            let mut sources = Sources::default();
            let number = sources.add("x.yaml", Format::Yaml, text);
            let (_, found) = read_yaml(sources.get(number));
            let helps: Vec<&str> = found.iter().filter_map(|one| one.help.as_deref()).collect();
            assert!(helps.contains(&help) && found.len() == helps.len(), "{text}: {found:?}");
            assert!(found.iter().all(|one| one.fixes.is_empty()), "{text}: {found:?}");
        }
    }
}
