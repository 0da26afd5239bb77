//! A parser of shell scripts. Parses commands, redirections, and expansions by the grammar of `/bin/sh`.
mod expand;

use super::command;
use expand::{balanced, braces};
use std::ops::Range;

/// Maximum nesting of commands and expansions. Deeper parts are skipped.
const MAX_DEPTH: usize = 40;

/// A word of a command, including its quotes.
#[derive(Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub at: usize,
    /// If the word has unquoted braces that bash expands: the `Row::name` of this construct.
    pub brace: Option<&'static str>,
}

impl Word<'_> {
    /// Returns the word without surrounding quotes.
    pub fn bare(&self) -> &str {
        self.text.trim_matches(['"', '\''])
    }
}

/// Result of parsing a script.
#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    /// `Row::name` of each bash construct, and its range in the script.
    pub rows: Vec<(&'static str, Range<usize>)>,
    /// Variables that are read without a default, and their ranges.
    pub read: Vec<(&'a str, Range<usize>)>,
    /// The functions that the script defines.
    pub functions: Vec<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    End,
    Parenthesis,
    Backtick,
}

struct Document<'a> {
    end: &'a str,
    quoted: bool,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    limit: usize,
    depth: usize,
    documents: Vec<Document<'a>>,
    found: Found<'a>,
}

pub(super) fn scan(text: &str) -> Found<'_> {
    let mut scan =
        Scan { text, at: 0, limit: text.len(), depth: 0, documents: Vec::new(), found: Found::default() };
    while scan.at < scan.limit {
        scan.script(Close::End);
    }
    scan.found
}

/// State of the command that is being parsed.
#[derive(Default)]
struct Now<'a> {
    words: Vec<Word<'a>>,
    /// Whether the next word is the target of a redirection.
    file: bool,
    /// Number of open `case` statements.
    cases: usize,
    /// Whether the words are the pattern of a `case`.
    pattern: bool,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at.min(self.limit)..self.limit]
    }

    fn row(&mut self, row: &'static str, length: usize) {
        self.found.rows.push((row, self.at..self.at + length));
    }

    /// Skips this number of characters.
    fn skip(&mut self, count: usize) {
        self.at += self.rest().chars().take(count).map(char::len_utf8).sum::<usize>();
    }

    /// Parses a nested part, unless it exceeds [`MAX_DEPTH`].
    fn inside(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth == MAX_DEPTH {
            self.at = self.limit;
            return;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    fn script(&mut self, close: Close) {
        let mut now = Now::default();
        while let Some(c) = self.rest().chars().next() {
            match c {
                ')' if now.cases > 0 || close != Close::Parenthesis => {
                    // This `)` ends a `case` pattern, or is unbalanced.
                    self.skip(1);
                    let first = now.words.get(command::name(&now.words)).map(|word| word.text);
                    if first == Some("esac") && now.cases > 0 {
                        self.finish(&mut now);
                        if now.cases == 0 && close == Close::Parenthesis {
                            break;
                        }
                        continue;
                    }
                    now.cases += usize::from(first == Some("case"));
                    now.words.clear();
                    now.pattern = false;
                }
                ')' => {
                    self.skip(1);
                    break;
                }
                '`' if close == Close::Backtick => {
                    self.skip(1);
                    break;
                }
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '\n' => {
                    self.skip(1);
                    self.finish(&mut now);
                    self.documents();
                }
                '\\' if self.rest().starts_with("\\\n") => self.skip(2),
                c if c.is_whitespace() => self.skip(1),
                ';' | '&' | '|' => self.operator(&mut now),
                '<' | '>' => self.redirection(&mut now),
                '(' => self.parenthesis(&mut now),
                _ => self.word(&mut now, close),
            }
        }
        self.finish(&mut now);
    }

    /// Checks the words of a complete command, and enters or leaves a `case`.
    fn finish(&mut self, now: &mut Now<'a>) {
        now.file = false;
        let words = std::mem::take(&mut now.words);
        let first = words.get(command::name(&words)).map(|word| word.text);
        if first == Some("esac") && now.cases > 0 {
            now.cases -= 1;
            now.pattern = false;
            return;
        }
        if now.pattern {
            return;
        }
        if first == Some("case") {
            now.cases += 1;
            now.pattern = true;
        }
        let rows = &mut self.found.rows;
        command::check(&words, |row, word| rows.push((row, word.at..word.at + word.text.len())));
    }

    fn operator(&mut self, now: &mut Now<'a>) {
        let rest = self.rest();
        for (operator, row) in [("&>>", "&>>"), ("&>", "&>"), (";;&", ";&"), (";&", ";&"), ("|&", "|&")] {
            if rest.starts_with(operator) {
                self.row(row, operator.len());
                self.skip(operator.len());
                if row.starts_with("&>") {
                    now.file = true;
                } else {
                    self.finish(now);
                    now.pattern |= row == ";&" && now.cases > 0;
                }
                return;
            }
        }
        let two = ["&&", "||", ";;"].iter().any(|operator| rest.starts_with(operator));
        self.skip(if two { 2 } else { 1 });
        self.finish(now);
        now.pattern |= rest.starts_with(";;") && now.cases > 0;
    }

    fn redirection(&mut self, now: &mut Now<'a>) {
        let rest = self.rest();
        if rest.starts_with("<<<") {
            self.row("<<<", 3);
            self.skip(3);
        } else if rest.starts_with("<<") {
            return self.document();
        } else if rest.starts_with("<(") || rest.starts_with(">(") {
            self.row(if rest.starts_with('<') { "<(…)" } else { ">(…)" }, 2);
            self.skip(2);
            now.file = false;
            return self.inside(|scan| scan.script(Close::Parenthesis));
        } else if let Some(after) = rest.strip_prefix(">&") {
            let named = after.trim_start_matches([' ', '\t']);
            if !named.starts_with(|c: char| c.is_ascii_digit() || "-$`\n".contains(c))
                && !named.starts_with("\"$")
                && !named.is_empty()
            {
                self.row(">&FILE", 2);
            }
            self.skip(2);
        } else {
            let two = [">>", ">|", "<>", "<&"].iter().any(|operator| rest.starts_with(operator));
            self.skip(if two { 2 } else { 1 });
        }
        now.file = true;
    }

    /// Parses `<<END`. The content of the here-document starts on the next line.
    fn document(&mut self) {
        self.skip(2);
        let after = self.rest().trim_start_matches('-').trim_start_matches([' ', '\t']);
        self.at = self.limit - after.len();
        let length = after.find(|c: char| c.is_whitespace() || ";&|<>()".contains(c)).unwrap_or(after.len());
        let end = &after[..length];
        let quoted = end.contains(['\'', '"', '\\']);
        self.documents.push(Document { end: end.trim_matches(['\'', '"']).trim_start_matches('\\'), quoted });
        self.at += length;
    }

    /// Parses the content of all here-documents that the previous line opened with `<<`. The content starts at the current
    /// position.
    fn documents(&mut self) {
        for Document { end, quoted } in std::mem::take(&mut self.documents) {
            let mut stop = self.at;
            let mut after = self.limit;
            for line in self.rest().split_inclusive('\n') {
                if line.trim_start_matches('\t').trim_end_matches('\n') == end {
                    after = stop + line.len();
                    break;
                }
                stop += line.len();
            }
            if !quoted {
                let limit = std::mem::replace(&mut self.limit, stop);
                self.inside(|scan| scan.expansions(None));
                self.limit = limit;
            }
            self.at = after;
        }
    }

    fn parenthesis(&mut self, now: &mut Now<'a>) {
        let rest = self.rest();
        if now.pattern {
            return self.skip(1);
        }
        let at = command::name(&now.words);
        if now.words.get(at).is_some_and(|word| word.text == "case") {
            now.pattern = true;
            return self.skip(1);
        }
        let loops = now.words.len() == at + 1 && now.words[at].text == "for";
        if rest.starts_with("((") && (loops || now.words.len() == at) {
            match balanced(rest) {
                Some((length, true)) => {
                    self.row(if loops { "for ((…))" } else { "((…))" }, 2);
                    self.at += length;
                    return;
                }
                Some(_) => {}
                None => return self.at = self.limit,
            }
        }
        if rest[1..].trim_start_matches([' ', '\t']).starts_with(')') && now.words.len() > at {
            // In `function f ()`, the function name is a separate word.
            if now.words.len() == at + 1 {
                self.found.functions.extend(now.words.pop().map(|word| word.text));
            }
            self.at += rest.find(')').map_or(1, |end| end + 1);
            return;
        }
        self.skip(1);
        now.words.clear();
        self.inside(|scan| scan.script(Close::Parenthesis));
    }

    fn word(&mut self, now: &mut Now<'a>, close: Close) {
        let (start, mut brace) = (self.at, None);
        while let Some(c) = self.rest().chars().next() {
            match c {
                '(' if command::assigns(&self.text[start..self.at])
                    .is_some_and(|rest| matches!(rest, "=" | "+=")) =>
                {
                    self.found.rows.push(("x=(…)", start..self.at + 1));
                    self.skip(1);
                    self.inside(|scan| scan.array());
                    // This function returns here, so that `x+=(…)` is not reported a second time because of its `+=`.
                    return;
                }
                c if c.is_whitespace() || ";&|<>()".contains(c) => break,
                '`' if close == Close::Backtick => break,
                '{' => {
                    brace = brace.or_else(|| braces(self.rest()));
                    self.skip(1);
                }
                _ => self.part(c, false),
            }
        }
        let text = &self.text[start..self.at];
        let descriptor = self.rest().starts_with(['<', '>']) && text.bytes().all(|b| b.is_ascii_digit());
        if !std::mem::take(&mut now.file) && !descriptor {
            now.words.push(Word { text, at: start, brace });
        }
    }

    /// Parses the items of an array: those of `x=(a b)`.
    fn array(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            match c {
                ')' => return self.skip(1),
                _ => self.part(c, false),
            }
        }
    }

    /// Parses one character of a word, or the quoted string or expansion that starts with this character.
    fn part(&mut self, c: char, quoted: bool) {
        match c {
            '\\' => self.skip(2),
            '\'' if !quoted => {
                self.at += self.rest()[1..].find('\'').map_or(self.rest().len(), |end| end + 2)
            }
            '"' if !quoted => {
                self.skip(1);
                self.inside(|scan| scan.expansions(Some('"')));
            }
            '`' => {
                self.skip(1);
                self.inside(|scan| scan.script(Close::Backtick));
            }
            '$' => self.dollar(quoted),
            _ => self.skip(1),
        }
    }

    /// Parses a double-quoted string or a here-document. Single quotes are literal in both.
    fn expansions(&mut self, end: Option<char>) {
        while let Some(c) = self.rest().chars().next() {
            if Some(c) == end {
                return self.skip(1);
            }
            self.part(c, true);
        }
    }
}
