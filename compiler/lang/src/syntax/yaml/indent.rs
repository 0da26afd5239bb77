//! Help for a YAML key with an indentation that fits no object above the key.
use crate::sources::{Source, Span};

/// A line that begins with a key: its indentation in spaces, and the key.
fn key(line: &str) -> Option<(usize, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let (key, _) = line[indent..].split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!key.is_empty() && key.chars().all(plain)).then_some((indent, key))
}

/// Returns the help for the key on the line of `at`, if no key above has its indentation.
pub(super) fn help(source: &Source, at: u32) -> Option<String> {
    let at = source.local(Span::new(at, at)).start;
    let text = source.text.as_str();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let (indent, name) = key(text[start..].lines().next()?)?;
    // Keys above the line, from bottom to top. Contains only keys with a smaller indentation than all keys between them and the
    // line, because only these keys are still open.
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (above, other) in text[..start].lines().rev().filter_map(key) {
        if open.last().is_none_or(|(last, _)| above < *last) {
            open.push((above, other));
        }
        if above == 0 {
            break;
        }
    }
    let inner = open.iter().rev().find(|(above, _)| *above > indent);
    let outer = open.iter().find(|(above, _)| *above < indent);
    // A key directly below a key without a value, and with deeper indentation, starts a new object.
    let is_first = inner.is_none() && text[..start].trim_end().ends_with(':');
    if open.iter().any(|(above, _)| *above == indent) || is_first || open.is_empty() {
        return None;
    }
    let level = |(above, other): &(usize, &str)| format!("{above} as `{other}`");
    let levels: Vec<String> = inner.into_iter().chain(outer).map(level).collect();
    let spaces = if indent == 1 { "space" } else { "spaces" };
    Some(format!(
        "`{name}` is indented by {indent} {spaces}; keys of one object need the same indentation: {}",
        levels.join(", or ")
    ))
}
