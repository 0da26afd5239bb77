//! The simple commands of a script, as far as sight can tell, and the program of each.

/// Words before a program's name: of the shell, and programs that start it.
const BEFORE: [&str; 15] = [
    "exec", "time", "env", "nohup", "export", "then", "do", "else", "elif", "if", "while", "until", "!", "{",
    "sudo",
];

/// Where the program of a command stands: behind assignments, words of the shell, and `timeout` with its time.
pub(super) fn program(command: &[&str]) -> usize {
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
pub(super) fn commands(text: &str) -> impl Iterator<Item = Vec<&str>> {
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
fn comments(text: &str) -> Vec<std::ops::Range<usize>> {
    let (mut all, mut open, mut begun) = (Vec::new(), None, None);
    let mut before = '\n';
    for (at, c) in text.char_indices() {
        match (c, open, begun) {
            ('\n', _, Some(start)) => {
                all.push(start..at);
                begun = None;
            }
            (_, _, Some(_)) => {}
            ('#', None, None) if before.is_whitespace() || before == ';' => begun = Some(at),
            ('"' | '\'', None, None) if before != '\\' => open = Some(c),
            (_, Some(quote), None) if c == quote => open = None,
            (_, _, None) => {}
        }
        before = c;
    }
    all.extend(begun.map(|start| start..text.len()));
    all
}
