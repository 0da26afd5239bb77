//! Converts strings in other notations to KDL 2.
use crate::syntax::lexer::is_newline;
use crate::syntax::literal::quote;

/// Converts a multi-line string to a `"""` string. Removes the indentation that all lines after the first share.
pub(super) fn spread_text(words: &str, margin: &str) -> String {
    let body = &words[1..words.len() - 1];
    let mut lines = body.lines();
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let blanks = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = rest.iter().filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    let mut text = "\"\"\"\n".to_owned();
    for line in std::iter::once(first).chain(rest.iter().map(|line| line.get(shared..).unwrap_or_default())) {
        let line = line.trim_end_matches([' ', '\t']);
        let indent = if line.is_empty() { String::new() } else { format!("{margin}    ") };
        text.push_str(&format!("{indent}{line}\n"));
    }
    format!("{text}{margin}    \"\"\"")
}

/// Converts a raw string of KDL 1 to a raw string of KDL 2.
pub(super) fn raw_text(old: &str) -> String {
    let hashes = old[1..].chars().take_while(|c| *c == '#').count();
    let body = &old[hashes + 2..old.len() - hashes - 1];
    let marks = "#".repeat(hashes.max(1));
    let plain =
        !body.chars().any(is_newline) && !body.starts_with('"') && !body.contains(&format!("\"{marks}"));
    if plain { format!("{marks}\"{body}\"{marks}") } else { quote(body) }
}
