//! Markdown pages for a terminal: wrapped text, indented code, colored headings and carets.
use crate::terminal::TextStyle;

const BOLD: &str = "1";
const CODE: &str = "36";
const MARK: &str = "31";
const FAINT: &str = "2";

/// Renders a page with headings, paragraphs, lists, and fenced code. Other Markdown is not supported.
#[must_use]
pub fn drawn(page: &str, look: TextStyle) -> String {
    let mut out = String::new();
    let mut prose = String::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.starts_with("```") {
            flush(&mut prose, look, &mut out);
            fenced = !fenced;
        } else if fenced {
            let marks = line.trim_start().starts_with("//") && line.contains('^');
            out.push_str(painted(&format!("    {line}"), if marks { MARK } else { FAINT }, look).trim_end());
            out.push('\n');
        } else if let Some(title) = heading(line) {
            flush(&mut prose, look, &mut out);
            out.push_str(&painted(title, BOLD, look));
            out.push('\n');
        } else if line.trim().is_empty() {
            flush(&mut prose, look, &mut out);
            out.push('\n');
        } else {
            if starts_item(line) {
                flush(&mut prose, look, &mut out);
            }
            prose.push_str(line);
            prose.push('\n');
        }
    }
    flush(&mut prose, look, &mut out);
    out
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    (title.len() < line.len()).then(|| title.trim())
}

fn starts_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

/// Wraps a paragraph or a list item. Further lines of an item are indented.
fn flush(prose: &mut String, look: TextStyle, out: &mut String) {
    if prose.is_empty() {
        return;
    }
    let blank = prose.len() - prose.trim_start().len();
    let indent = " ".repeat(blank + if starts_item(prose) { 2 } else { 0 });
    let words = prose.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = &indent[..blank];
    let options = textwrap::Options::new(look.width)
        .initial_indent(first)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    out.push_str(&textwrap::fill(&with_code(&words, look), options));
    out.push('\n');
    prose.clear();
}

/// Colors the text between backticks. Without color, the backticks are kept.
fn with_code(words: &str, look: TextStyle) -> String {
    if !look.color {
        return words.to_owned();
    }
    let paint = |(i, part)| if i % 2 == 1 { painted(part, CODE, look) } else { String::from(part) };
    words.split('`').enumerate().map(paint).collect()
}

fn painted(text: &str, style: &str, look: TextStyle) -> String {
    if look.color { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# a-code\n\nA long line with `some code` that goes on\nand on.\n\n- one\n  two\n- three\n\n```kdl\njob \"a\"\n//  ^^^ error\n```\n";

    #[test]
    fn a_page_is_wrapped_and_its_code_set_in() {
        let text = drawn(PAGE, TextStyle { width: 30, ..TextStyle::PLAIN });
        let wanted = "a-code\n\nA long line with `some code`\nthat goes on and on.\n\n- one two\n- three\n\n    job \"a\"\n    //  ^^^ error\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn color_changes_no_word() {
        let text = drawn(PAGE, TextStyle { color: true, ..TextStyle::PLAIN });
        assert!(text.contains("\u{1b}[31m    //  ^^^ error\u{1b}[0m\n"), "{text}");
        assert!(text.contains("with \u{1b}[36msome code\u{1b}[0m that"), "{text}");
    }
}
