//! Markdown as plain text, for editors that show only plain text.

/// Returns a text without the marks of Markdown: code fences, backticks, bold text, and the addresses of links.
#[must_use]
pub fn plain(markdown: &str) -> String {
    let lines = markdown.lines().filter(|line| !line.starts_with("```") && *line != "---");
    let mut out = String::with_capacity(markdown.len());
    for line in lines {
        let line = without_links(line).replace("**", "").replace('`', "");
        // A removed mark leaves no second empty line.
        if !(line.is_empty() && (out.is_empty() || out.ends_with("\n\n"))) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// Replaces `[text](address)` by `text`.
fn without_links(line: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once("](") {
        let (Some(open), Some(close)) = (before.rfind('['), after.find(')')) else { break };
        out.push_str(&before[..open]);
        out.push_str(&before[open + 1..]);
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn marks_are_removed() {
        let text = "```kdl\nrole NAME\n```\n\n---\n\nA `role`, see **b** [a:3](file:///a#L3) and [x].\n";
        assert_eq!(plain(text), "role NAME\n\nA role, see b a:3 and [x].");
    }
}
