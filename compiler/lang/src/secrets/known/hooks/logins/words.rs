//! Splits a command into arguments as a shell does: quotes group, and a backslash belongs to its argument. Instead of a line of a
//! script, the command may be a list of strings in KDL, JSON, or YAML. Its quotes may be escaped, because the script is itself in a
//! string.
use std::ops::Range;

/// Maximum number of bytes of a command. It limits the time for a long text.
pub(super) const LONGEST: usize = 1024;

/// Returns the ranges of the arguments, and the end of the command. A command ends at an operator such as `;` or `|`, and at the
/// end of a line, unless it is a list that continues on the next line.
pub(super) fn split(text: &str) -> (Vec<Range<usize>>, usize) {
    let mut words = Words { text: &text[..text.floor_char_boundary(LONGEST)], at: 0, found: Vec::new() };
    // A quote directly after the name of the program closes the string of this name.
    words.at = quote(words.text, 0).map_or(0, |quote| quote.end);
    while words.step() {}
    (words.found, words.at)
}

/// Returns the range without the quotes around it, such as those of the value in `-p'PASSWORD'`. Without such quotes, returns
/// `at`.
pub(super) fn unquoted(text: &str, at: Range<usize>) -> Range<usize> {
    let part = &text[at.clone()];
    let Some(open) = quote(part, 0) else { return at };
    let close = part.strip_suffix(&part[open.clone()]).map_or(0, str::len);
    if close < open.end { at } else { at.start + open.end..at.start + close }
}

/// Returns the range of the quote at this position, with the backslashes that escape it.
fn quote(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let slashes = bytes[at..].iter().take_while(|b| **b == b'\\').count();
    matches!(bytes.get(at + slashes), Some(b'"' | b'\'')).then(|| at..at + slashes + 1)
}

struct Words<'t> {
    text: &'t str,
    at: usize,
    found: Vec<Range<usize>>,
}

impl Words<'_> {
    /// Reads one argument or separator. Returns `false` at the end of the command.
    fn step(&mut self) -> bool {
        #[cfg(test)]
        tests::STEPS.set(tests::STEPS.get() + 1);
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return false };
        match c {
            ';' | '|' | '&' => return false,
            '\n' => return self.line(),
            ' ' | '\t' | '\r' | ',' | ']' | ')' | '}' => self.at += 1,
            // In a string of KDL or JSON, `\n` is the end of a line.
            '\\' if rest[1..].starts_with('n') => return false,
            '\\' if rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') => {
                self.at += rest.find('\n').map_or(1, |end| end + 1);
            }
            c => {
                let start = self.at;
                self.word();
                // No argument begins with white space, or with a `\` before a carriage return.
                if self.at == start {
                    self.at += c.len_utf8();
                }
            }
        }
        true
    }

    /// Reads the end of a line. Returns whether the command continues: the next line begins with an item of a list.
    fn line(&mut self) -> bool {
        let next = &self.text[self.at + 1..];
        let line = next.trim_start();
        if !line.starts_with(['-', '"', '\'']) {
            return false;
        }
        self.at += 1 + next.len() - line.len();
        // An item of a YAML list extends to the end of its line.
        if let Some(item) =
            line.strip_prefix("- ").map(str::trim_start).filter(|item| quote(item, 0).is_none())
        {
            let start = self.text.len() - item.len();
            let item = item[..item.find('\n').unwrap_or(item.len())].trim_end();
            self.found.push(start..start + item.len());
            self.at = start + item.len();
        }
        true
    }

    fn word(&mut self) {
        let start = self.at;
        let mut bare = start;
        while let Some(c) = self.text[self.at..].chars().next() {
            if let Some(quote) = quote(self.text, self.at) {
                let first = self.at == start;
                if !first && self.closes(quote.end) {
                    // The quote ends the string that contains the command.
                    break;
                }
                let close = (first || quote.len() == 1).then(|| self.close(&quote)).flatten();
                match close {
                    Some(close) => {
                        self.at = close.end;
                        bare = if first && self.closes(self.at) { usize::MAX } else { bare };
                    }
                    None if first => {
                        self.at = quote.end;
                        return;
                    }
                    None if quote.len() == 1 => break,
                    None => self.at = quote.end,
                }
                if bare == usize::MAX {
                    break;
                }
                continue;
            }
            let newline = c == '\\' && self.text[self.at + 1..].starts_with(['\n', '\r', 'n']);
            if c.is_whitespace() || matches!(c, ';' | '|' | '&') || newline {
                break;
            }
            self.at += c.len_utf8();
            if c == '\\' {
                self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
            }
        }
        self.push(start);
        // Skips the quote that ends the string around the command.
        self.at = quote(self.text, self.at).map_or(self.at, |quote| quote.end);
    }

    /// Adds the argument from `start` to the current position.
    fn push(&mut self, start: usize) {
        let whole = unquoted(self.text, start..self.at);
        let word = &self.text[whole.clone()];
        if whole.start > start {
            self.found.push(whole);
            return;
        }
        // A closing bracket without an opening one, and a comma, belong to the list or the substitution around the argument.
        let mut end = word.len();
        while let Some(c) = word[..end].chars().next_back() {
            let open = match c {
                ')' => '(',
                ']' => '[',
                '}' => '{',
                ',' => ',',
                _ => break,
            };
            if open != ',' && word.contains(open) {
                break;
            }
            end -= 1;
        }
        if end > 0 && &word[..end] != "-" {
            self.found.push(start..start + end);
        }
    }

    /// Returns whether a string ends before this position: only a separator can follow.
    fn closes(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        let escaped_line = rest.starts_with("\\n") || rest.starts_with("\\\n");
        rest.is_empty()
            || escaped_line
            || rest.starts_with(|c: char| c.is_whitespace() || ",;|&)]}".contains(c))
    }

    /// Returns the range of the quote that closes `open`, on the same line.
    fn close(&self, open: &Range<usize>) -> Option<Range<usize>> {
        let mark = &self.text[open.clone()];
        let bytes = self.text.as_bytes();
        let mut at = open.end;
        while let Some(b) = bytes.get(at).filter(|b| **b != b'\n') {
            if mark != "'"
                && let Some(found) = quote(self.text, at)
            {
                if &self.text[found.clone()] == mark {
                    return Some(found);
                }
                at = found.end;
            } else if mark == "'" && *b == b'\'' {
                return Some(at..at + 1);
            } else {
                at += 1 + usize::from(*b == b'\\' && mark == "\"" && bytes.get(at + 1) == Some(&b'\\'));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
