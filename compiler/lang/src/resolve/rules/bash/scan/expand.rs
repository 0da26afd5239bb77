//! Shell expansions: `$…` and brace expansion.
use super::{Close, Scan};

impl<'a> Scan<'a> {
    /// Parses an expansion that starts with `$`.
    pub(super) fn dollar(&mut self, quoted: bool) {
        let rest = self.rest();
        let after = &rest[1..];
        if after.starts_with("((") {
            match balanced(after) {
                Some((length, true)) => {
                    self.arithmetic(&after[2..length - 2], length + 1);
                    return;
                }
                Some(_) => {}
                None => return self.at = self.limit,
            }
        }
        if let Some(inner) = after.strip_prefix('(') {
            let file = inner.trim_start().strip_prefix('<').and_then(|rest| rest.split_once(')'));
            let plain = |file: &str| {
                !file.starts_with(['<', '(', '&']) && !file.trim().contains([' ', ';', '|', '\n'])
            };
            if file.is_some_and(|(file, _)| plain(file)) {
                self.row("$(<FILE)", 3);
            }
            self.skip(2);
            return self.inside(|scan| scan.script(Close::Parenthesis));
        }
        match after.chars().next() {
            Some('{') => return self.inside(|scan| scan.braced(quoted)),
            Some('\'') if !quoted => {
                self.row("$'…'", 2);
                self.skip(2);
                while let Some(c) = self.rest().chars().next().filter(|c| *c != '\'') {
                    self.skip(if c == '\\' { 2 } else { 1 });
                }
            }
            Some('"') if !quoted => self.row("$\"…\"", 2),
            // The name of a special parameter, as in `$$` and `$@`, has only this one character.
            Some('$' | '@' | '*' | '#' | '?' | '!' | '-') => self.skip(1),
            _ => {
                let name = variable(after);
                if !name.is_empty() {
                    self.found.read.push((name, self.at..self.at + 1 + name.len()));
                }
                self.at += name.len();
            }
        }
        self.skip(1);
    }

    fn arithmetic(&mut self, inner: &'a str, length: usize) {
        if let Some(row) = expression(inner) {
            self.row(row, length);
        }
        let end = self.at + length;
        self.at += 3;
        // In an arithmetic expansion, a variable needs no `$`, so every name in it is a variable that the script reads.
        let mut start = self.at;
        for part in inner.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let name = variable(part);
            if !name.is_empty() {
                self.found.read.push((name, start..start + name.len()));
            }
            start += part.len();
        }
        let limit = std::mem::replace(&mut self.limit, end - 2);
        self.inside(|scan| scan.expansions(None));
        self.limit = limit;
        self.at = end;
    }

    /// Parses `${…}`.
    fn braced(&mut self, quoted: bool) {
        let start = self.at;
        let body = &self.rest()[2..];
        let indirect = body.starts_with('!') && !variable(&body[1..]).is_empty();
        let sign = usize::from(body.starts_with(['#', '!']));
        let name = match variable(&body[sign..]) {
            "" if body[sign..].starts_with(['@', '*']) => &body[sign..=sign],
            name => name,
        };
        let rest = &body[sign + name.len()..];
        let next = rest.chars().nth(1).unwrap_or_default();
        let row = match rest.chars().next() {
            _ if indirect => Some("${!x}"),
            _ if name.is_empty() => None,
            Some('[') => Some(if name == "PIPESTATUS" { "$PIPESTATUS" } else { "${x[…]}" }),
            Some('/') => Some("${x/…}"),
            Some('^') => Some("${x^}"),
            Some(',') => Some("${x,}"),
            Some('@') if next.is_ascii_alphabetic() => Some("${x@…}"),
            Some(':') if !"-=?+".contains(next) => Some("${x:…}"),
            Some('}') => {
                self.found.read.push((name, start..start + 3 + sign + name.len()));
                None
            }
            _ => None,
        };
        self.at += 2 + sign + name.len();
        while let Some(c) = self.rest().chars().next().filter(|c| *c != '}') {
            self.part(c, quoted && c != '"');
        }
        self.skip(1);
        self.found.rows.extend(row.map(|row| (row, start..self.at)));
    }
}

/// Returns the variable name that a text begins with.
fn variable(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Returns the length of the outermost parentheses at the start of a text, with their content. Also returns whether the last two
/// `)` are adjacent and close the first two `(`, as in `((…))`.
pub(super) fn balanced(text: &str) -> Option<(usize, bool)> {
    let (mut open, mut inner) = (0_usize, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return Some((at + 1, inner == [at - 1])),
            ')' => {
                open -= 1;
                if open == 1 && inner.len() < 2 {
                    inner.push(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the `Row::name` of an arithmetic expression that only bash supports; `None` for other expressions.
fn expression(inner: &str) -> Option<&'static str> {
    let name = |c: char| c.is_ascii_alphabetic() || c == '_';
    let counts = |(at, _): (usize, &str)| {
        let (before, after) = (inner[..at].trim_end(), inner[at + 2..].trim_start());
        after.starts_with(name)
            || before.ends_with(|c: char| name(c) || c.is_ascii_digit())
                && !after.starts_with(|c: char| c.is_ascii_digit() || c == '$')
    };
    if inner.match_indices("++").chain(inner.match_indices("--")).any(counts) {
        return Some("$((x++))");
    }
    let base = |(at, _): (usize, &str)| {
        let before = inner[..at].trim_end_matches(|c: char| c.is_ascii_digit());
        before.len() < at && !before.ends_with(|c: char| name(c) || c == '$' || c == '{')
    };
    if inner.match_indices('#').any(base) {
        return Some("$((10#x))");
    }
    inner.contains("**").then_some("$((x**y))")
}

/// Returns the `Row::name` of the braces at the start of a text, if bash expands them.
pub(super) fn braces(text: &str) -> Option<&'static str> {
    let end = text[1..].find(|c: char| c.is_whitespace() || "{}\"'$\\;".contains(c))?;
    let body = &text[1..=end];
    if !text[1 + end..].starts_with('}') {
        return None;
    }
    if let Some((first, last)) = body.split_once("..") {
        let part = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
        };
        return (part(first) && part(last)).then_some("{1..4}");
    }
    body.contains(',').then_some("{a,b}")
}
