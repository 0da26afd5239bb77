//! The simple commands of a script, as far as sight can tell, the program of each, and what the shell does not read.
use std::ops::Range;

/// Words before a program's name: of the shell, and programs that start it.
const BEFORE: [&str; 15] = [
    "exec", "time", "env", "nohup", "export", "then", "do", "else", "elif", "if", "while", "until", "!", "{",
    "sudo",
];

/// Where the program of a command stands: behind assignments, words of the shell, and `timeout` with its time.
#[must_use]
pub fn program(command: &[&str]) -> usize {
    let mut at = 0;
    let mut options = false;
    while let Some(word) = command.get(at) {
        let name = word.rsplit('/').next().unwrap_or_default();
        if name == "timeout" {
            // Options and their values, then the time.
            let own = |word: &&&str| {
                word.starts_with(|c: char| c == '-' || c.is_ascii_digit() || c.is_ascii_uppercase())
            };
            at += 1 + command[at + 1..].iter().take_while(own).count();
            options = false;
        } else if BEFORE.contains(&name) || options && word.starts_with('-') {
            (at, options) = (at + 1, true);
        } else if word.contains('=') && !word.starts_with('-') {
            at += 1;
        } else {
            break;
        }
    }
    at.min(command.len())
}

/// The simple commands of a script, each as its words; lines of comments are none.
pub fn commands(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let comments = comments(text);
    let mut next = comments.iter().peekable();
    // A line that ends in a backslash goes on.
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

/// Where comments of a script stand, each up to the end of its line.
fn comments(text: &str) -> Vec<Range<usize>> {
    unread(text).into_iter().filter(|(comment, _)| *comment).map(|(_, at)| at).collect()
}

/// What a shell takes as it stands, in order: comments, which are marked, and what single quotes hold.
pub(super) fn unread(text: &str) -> Vec<(bool, Range<usize>)> {
    read(text, |_| {})
}

/// The commands of a script that stand in no parentheses, each with the operator behind it: `;`, a line's end, `&`, `|`, `|&`,
/// `&&`, `||`, or nothing. Operators in quotes and comments are none, nor are those of redirections.
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

/// Goes through a script. `bare` gets each place outside of quotes, comments and parentheses; the result is that of [`unread`].
fn read(text: &str, mut bare: impl FnMut(usize)) -> Vec<(bool, Range<usize>)> {
    // What is open: a double quote, or a parenthesis in which quotes begin anew.
    let (mut all, mut open) = (Vec::new(), Vec::new());
    let mut chars = text.char_indices();
    let mut before = '\n';
    while let Some((at, c)) = chars.next() {
        let quoted = open.last() == Some(&'"');
        let begun = match c {
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
        if begun.is_none() && open.is_empty() && c != '\\' {
            bare(at);
        }
        if let Some(last) = begun {
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

/// Whether a script runs text that is not its own, which may set any variable.
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
