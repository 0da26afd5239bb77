//! Finds the passwords in the standard input of programs: from `echo` and `printf`, and in here-documents and here-strings. Also
//! finds the values that a script writes into a file whose name suggests a credential.
use super::super::super::super::names::{Says, says};
use super::super::super::super::values::{Stands, is_credential};
use super::super::super::occurrences;
use super::super::{STARTERS, is_literal};
use super::after_subcommand;
use super::table::{Place, rows};
use super::words::{LONGEST, split, unquoted};
use std::ops::Range;

const OPTION: &str = "--password-stdin";

/// Finds the passwords that a script writes to the standard input of a program, and the values that it writes into a file whose
/// name suggests a credential.
pub(super) fn piped(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for program in ["echo", "printf", "cat"] {
        let mut next = 0;
        for (at, _) in occurrences(text, program) {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            let rest = &text[at + program.len()..];
            // Skips a word that is an argument of the previous command, or a part of a longer word.
            if at < next || text[..at].ends_with(part) || !rest.starts_with([' ', '\t']) {
                continue;
            }
            let (words, end) = split(rest);
            let mut words: Vec<_> = words.into_iter().map(|word| shifted(word, at + program.len())).collect();
            next = at + program.len() + end;
            let file = redirected(text, &mut words);
            let target = file.or_else(|| written_by_tee(&text[next..]));
            let said = target.filter(|file| !file.ends_with("/etc/passwd")).and_then(says);
            let option = words.first().is_some_and(|option| &text[option.clone()] == "-v");
            if program == "printf" && option {
                // In `printf -v NAME FORMAT VALUE`, the words after `-v` begin with the name of the variable, not with the format.
                words.remove(0);
            }
            let format = words.first().filter(|_| program == "printf").map(|at| &text[at.clone()]);
            let said = said.or_else(|| if option { says(format?) } else { said_by_format(format?) });
            if said.is_none() && !is_read(&text[next..]) {
                continue;
            }
            let values = match program {
                "cat" => inline(text, &words),
                _ => printed(text, &words, program == "printf"),
            };
            let likely = |at: &Range<usize>| match said {
                Some(said) => is_credential(said, &text[at.clone()], Stands::Script),
                // A text of three or fewer characters is an answer to a question, such as `y`, and not a password.
                None => at.len() > 3,
            };
            found.extend(values.into_iter().filter(likely));
        }
    }
    for (at, _) in occurrences(text, OPTION) {
        let from = at + OPTION.len();
        let words = split(&text[from..]).0;
        let words: Vec<_> = words.into_iter().map(|word| shifted(word, from)).collect();
        found.extend(inline(text, &words));
    }
    found
}

fn shifted(at: Range<usize>, by: usize) -> Range<usize> {
    at.start + by..at.end + by
}

/// Removes the redirection of the standard output, such as `> FILE`, and all arguments after it except a here-document. Returns the
/// path of the file.
fn redirected<'t>(text: &'t str, words: &mut Vec<Range<usize>>) -> Option<&'t str> {
    let sign = words
        .iter()
        .position(|at| text[at.clone()].starts_with(['>', '1']) && text[at.clone()].contains('>'))?;
    let path = text[words[sign].clone()].trim_start_matches(['1', '>']);
    let path = if path.is_empty() { &text[words.get(sign + 1)?.clone()] } else { path };
    let document = words[sign..].iter().position(|at| text[at.clone()].starts_with("<<"));
    let document = document.map_or_else(Vec::new, |document| words.split_off(sign + document));
    words.truncate(sign);
    words.extend(document);
    Some(path)
}

/// Returns the program and the arguments of the next command of a pipeline, and the text after this command. `rest`: the text that
/// begins with the `|`.
fn next_command(rest: &str) -> Option<(Vec<&str>, &str)> {
    let next = rest.strip_prefix('|').filter(|next| !next.starts_with('|'))?;
    // Only spaces and line breaks may be between `|` and the next command.
    let next = next.trim_start_matches([' ', '\t', '\\', '\n', '\r']);
    let (words, end) = split(next);
    Some((words.into_iter().map(|at| &next[at]).collect(), &next[end..]))
}

/// Returns the last file that `tee` writes, if the next command of the pipeline is `tee`.
fn written_by_tee(rest: &str) -> Option<&str> {
    let (words, _) = next_command(rest)?;
    let words: Vec<&str> = words.into_iter().skip_while(|word| *word == "sudo").collect();
    let files = words.iter().position(|word| word.starts_with('>')).unwrap_or(words.len());
    (words.first() == Some(&"tee")).then(|| words[..files].last().copied()).flatten()
}

/// Returns whether one of the next two commands of a pipeline reads its password from standard input.
fn is_read(rest: &str) -> bool {
    let Some((words, after)) = next_command(rest) else { return false };
    reads_password(&words) || next_command(after).is_some_and(|(words, _)| reads_password(&words))
}

fn reads_password(words: &[&str]) -> bool {
    let input = |words: &[&str]| {
        let program = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or_default());
        let text = words[1.min(words.len())..].join(" ");
        let arguments = split(&text).0;
        rows(program).iter().any(|(_, subcommand, place)| {
            matches!(place, Place::Input) && after_subcommand(&text, &arguments, subcommand).is_some()
        })
    };
    let starters = words.iter().take_while(|word| STARTERS.contains(word)).count();
    words.iter().any(|word| word.starts_with(OPTION)) || input(words) || input(&words[starters..])
}

/// Returns the literal arguments of `echo`, or of `printf` after its format. `formats`: whether the program is `printf`.
fn printed(text: &str, words: &[Range<usize>], formats: bool) -> Vec<Range<usize>> {
    let is_option = |at: &&Range<usize>| {
        let word = &text[(*at).clone()];
        word == "--"
            || word.len() > 1 && word.starts_with('-') && word[1..].chars().all(|c| "neE".contains(c))
    };
    let options = words.iter().take_while(is_option).count();
    let values = &words[options..];
    // A format without `%` is itself the printed text.
    let format =
        formats && values.len() > 1 && values.first().is_some_and(|at| text[at.clone()].contains('%'));
    let values = values[usize::from(format)..].iter().cloned();
    values.filter(|at| is_literal(&text[at.clone()])).collect()
}

/// Returns the kind of credential that the format of `printf` suggests, as in `token=%s`.
fn said_by_format(format: &str) -> Option<Says> {
    let quotes = [' ', '"', '\\'];
    let before = format[..format.find('%')?].trim_end_matches(quotes).strip_suffix(['=', ':'])?;
    says(
        before
            .trim_end_matches(quotes)
            .rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
            .next()?,
    )
}

/// Returns the first here-string of a command, or the lines of its first here-document.
pub(super) fn inline(text: &str, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let Some(i) = words.iter().position(|word| text[word.clone()].starts_with("<<")) else {
        return Vec::new();
    };
    let rest = words[i].start + 2..words[i].end;
    let string = text[rest.clone()].starts_with('<');
    let sign = usize::from(text[rest.clone()].starts_with(['<', '-']));
    let own = (rest.len() > sign).then(|| rest.start + sign..rest.end);
    let Some(value) = own.or_else(|| words.get(i + 1).cloned()) else { return Vec::new() };
    let value = unquoted(text, value);
    if !string {
        return document(text, value);
    }
    if is_literal(&text[value.clone()]) { vec![value] } else { Vec::new() }
}

/// Returns the lines of a here-document, up to the line that equals the delimiter. Without such a line, it ends at the first empty
/// line.
fn document(text: &str, delimiter: Range<usize>) -> Vec<Range<usize>> {
    let rest = &text[delimiter.end..];
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    // If the script is in a string with escapes, the line breaks of the document are escapes. The value of such a string is
    // searched separately.
    if rest.split('\n').next().is_some_and(|line| line.contains("\\n")) {
        return Vec::new();
    }
    let all = || rest.split_inclusive('\n').skip(1).map(str::trim);
    let is_last = |line: &str| line == &text[delimiter.clone()];
    let closed = all().any(is_last);
    let lines = all().take_while(|line| !is_last(line) && (closed || !line.is_empty()));
    let lines = lines.filter(|line| !line.is_empty());
    let start = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    lines.filter(|line| is_literal(line)).map(|line| start(line)..start(line) + line.len()).collect()
}
