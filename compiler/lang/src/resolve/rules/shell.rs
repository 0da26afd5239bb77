//! A heuristic parser of shell scripts: simple commands and their programs, comments, and quoted strings.
use std::ops::Range;

/// Shell keywords, and programs that start another program.
const PREFIXES: [&str; 15] = [
    "exec", "time", "env", "nohup", "export", "then", "do", "else", "elif", "if", "while", "until", "!", "{",
    "sudo",
];

/// Returns the index of the program in a command: the first word after assignments, the words in `PREFIXES` with their options,
/// and `timeout` with its duration.
#[must_use]
pub fn program(command: &[&str]) -> usize {
    let mut at = 0;
    let mut options = false;
    while let Some(word) = command.get(at) {
        let name = word.rsplit('/').next().unwrap_or_default();
        if name == "timeout" {
            // Skips the options of `timeout`, the values of these options, and the duration.
            let is_argument = |word: &&&str| {
                word.starts_with(|c: char| c == '-' || c.is_ascii_digit() || c.is_ascii_uppercase())
            };
            at += 1 + command[at + 1..].iter().take_while(is_argument).count();
            options = false;
        } else if PREFIXES.contains(&name) || options && word.starts_with('-') {
            (at, options) = (at + 1, true);
        } else if word.contains('=') && !word.starts_with('-') {
            at += 1;
        } else {
            break;
        }
    }
    at.min(command.len())
}

/// Returns the simple commands of a script, each split into words. Comments are skipped.
pub fn commands(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let comments = comments(text);
    let mut next = comments.iter().peekable();
    // A line that ends in a backslash continues on the next line.
    let ends = text.match_indices(['\n', ';', '&', '|', '(', ')']).map(|(at, _)| at).filter(|at| {
        while next.next_if(|comment| comment.end <= *at).is_some() {}
        next.peek().is_none_or(|comment| *at < comment.start) && !text[..*at].ends_with('\\')
    });
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let mut start = 0;
    ends.into_iter().filter_map(move |end| {
        let comment = comments.get(comments.partition_point(|comment| comment.start < start));
        let last = comment.map_or(end, |comment| comment.start.min(end));
        let part = text.get(start..last).unwrap_or_default();
        start = end + 1;
        let words = part.split(|c: char| c.is_whitespace() || "\"'".contains(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty() && *word != "\\").collect();
        (!words.is_empty()).then_some(words)
    })
}

/// Returns the ranges of comments in a script, each up to the end of its line.
fn comments(text: &str) -> Vec<Range<usize>> {
    unread(text).into_iter().filter(|(comment, _)| *comment).map(|(_, at)| at).collect()
}

/// Returns the parts of a script that a shell does not expand: comments (`true`) and single-quoted strings (`false`).
pub(super) fn unread(text: &str) -> Vec<(bool, Range<usize>)> {
    read(text, |_| {})
}

/// Returns the commands outside of parentheses, each with the operator that follows: `;`, a newline, `&`, `|`, `|&`, `&&`,
/// `||`, or nothing. Operators in quotes, comments, and redirections are ignored.
pub(super) fn pieces(text: &str) -> Vec<(&str, &str)> {
    let mut bare = Vec::new();
    let unread = read(text, |at| bare.push(at));
    let (mut all, mut start) = (Vec::new(), 0);
    for at in bare {
        let (before, rest) = (&text[..at], &text[at..]);
        let operators = ["&&", "||", "|&", "&", "|", ";", "\n"];
        let Some(operator) = operators.into_iter().find(|operator| rest.starts_with(operator)) else {
            continue;
        };
        let redirects = before.ends_with(['>', '<']) || rest.starts_with("&>");
        if at < start || redirects {
            continue;
        }
        all.push((start..at, operator));
        start = at + operator.len();
    }
    all.push((start..text.len(), ""));
    let uncommented = |piece: Range<usize>| {
        let comment = unread.iter().find(|(comment, at)| *comment && piece.contains(&at.start));
        text[piece.start..comment.map_or(piece.end, |(_, at)| at.start)].trim()
    };
    all.into_iter().map(|(piece, operator)| (uncommented(piece), operator)).collect()
}

/// Scans a script. Returns the result of [`unread`]. Calls `bare` for each position outside of quotes, comments, and
/// parentheses.
fn read(text: &str, mut bare: impl FnMut(usize)) -> Vec<(bool, Range<usize>)> {
    // `open` contains the open double quotes and parentheses. Inside parentheses, quoting starts again.
    let (mut all, mut open) = (Vec::new(), Vec::new());
    let mut chars = text.char_indices();
    let mut before = '\n';
    while let Some((at, c)) = chars.next() {
        let quoted = open.last() == Some(&'"');
        let closing = match c {
            '\\' => {
                chars.next();
                None
            }
            '#' if !quoted && (before.is_whitespace() || matches!(before, ';' | '&' | '|' | '(')) => {
                Some('\n')
            }
            '\'' if !quoted => Some('\''),
            '"' if quoted => {
                open.pop();
                None
            }
            '"' => {
                open.push('"');
                None
            }
            '(' if !quoted || before == '$' => {
                open.push('(');
                None
            }
            ')' if open.last() == Some(&'(') => {
                open.pop();
                None
            }
            _ => None,
        };
        before = c;
        if closing.is_none() && open.is_empty() && c != '\\' {
            bare(at);
        }
        if let Some(last) = closing {
            let end = chars.find(|(_, c)| *c == last).map_or(text.len(), |(end, _)| end);
            if last == '\n' && open.is_empty() && end < text.len() {
                bare(end);
            }
            all.push((last == '\n', at..end));
            before = last;
        }
    }
    all
}

/// Returns whether a script evaluates other text (`.`, `source`, `eval`), which may set any variable.
pub(super) fn runs_other_text(script: &str) -> bool {
    let other = |command: Vec<&str>| {
        let name = command.get(program(&command)).copied();
        name.is_some_and(|name| matches!(name, "." | "source" | "eval"))
    };
    commands(script).any(other)
}

#[cfg(test)]
mod tests {
    use super::unread;

    #[test]
    fn comments_and_single_quotes_are_not_read() {
        for (script, found) in [
            ("a # don't\nb '$x' \"it's\" c", &["# don't", "'$x"] as &[&str]),
            ("a \"b # c\" d#e ; # f", &["# f"]),
            ("echo \\' \\\" # it's", &["# it's"]),
            ("x=\"$(awk '{print}' \"f\")'\" # y", &["'{print}", "# y"]),
            ("case $x in a) b;; esac # 'c", &["# 'c"]),
            ("(a; b) 'c", &["'c"]),
        ] {
            let all: Vec<&str> = unread(script).into_iter().map(|(_, at)| &script[at]).collect();
            assert_eq!(all, found, "{script}");
        }
    }
}
