//! KDL 2 string literals: quoted, raw, single-line, and multi-line.
use super::{Fault, FaultKind, Unit, plain, text_of};
use crate::syntax::lexer::{escape_length, is_blank, is_newline, newline_length, run};
use std::ops::Range;

/// Returns the characters of a KDL literal. The value of a bare word is the word itself.
///
/// # Errors
/// Returns the first [`Fault`]: an unknown escape, or a wrong layout of a multi-line string.
pub fn units(literal: &str) -> Result<Vec<Unit>, Fault> {
    let (units, faults) = read(literal);
    faults.into_iter().next().map_or(Ok(units), Err)
}

/// Returns the value of a quoted string in which each byte stands for itself: ASCII without escapes. Most strings are of this form, and
/// [`units`] would need more time.
#[must_use]
pub fn verbatim(literal: &str) -> Option<&str> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    inner.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')).then_some(inner)
}

/// A repaired literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Replacements, each with its byte range.
    pub changes: Vec<(Range<usize>, String)>,
    /// Value of the literal after the repair.
    pub text: String,
    /// Whether the literal can mean only this value.
    pub sure: bool,
}

/// Repairs a literal, if each of its faults has a correction.
///
/// A string with an invalid escape is often a regular expression or a path, in which all backslashes are literal: `"\d\s"`,
/// `"D:\work\train"`. Then the valid escapes are doubled too, and the repair is not sure.
#[must_use]
pub fn repaired(literal: &str) -> Option<Repaired> {
    let mut changes = Vec::new();
    for fault in read(literal).1 {
        changes.push((fault.bytes, fault.instead?));
    }
    let is_doubled =
        |(bytes, with): &(Range<usize>, String)| *with == format!("\\{}", &literal[bytes.clone()]);
    let uncertain = if changes.iter().any(is_doubled) { letters(literal) } else { Vec::new() };
    let sure = uncertain.is_empty();
    changes.extend(uncertain.into_iter().map(|bytes| (bytes.clone(), format!("\\{}", &literal[bytes]))));
    changes.sort_by_key(|(bytes, _)| bytes.start);
    let (mut now, mut at) = (String::with_capacity(literal.len()), 0);
    for (bytes, with) in &changes {
        now.push_str(literal.get(at..bytes.start)?);
        now.push_str(with);
        at = bytes.end;
    }
    now.push_str(&literal[at..]);
    units(&now).ok().map(|units| Repaired { changes, text: text_of(&units), sure })
}

/// Returns the ranges of the valid escapes of one character that is not a quote, backslash, or line break: `\n`, `\s`, `\ `.
fn letters(literal: &str) -> Vec<Range<usize>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(next) = literal[at..].find('\\') {
        let start = at + next;
        at = start + 1 + escape_length(&literal[start + 1..]);
        let escaped = &literal[start + 1..at];
        if matches!(escaped, "b" | "f" | "n" | "r" | "s" | "t")
            || !escaped.is_empty() && escaped.chars().all(is_blank)
        {
            out.push(start..at);
        }
    }
    out
}

/// Returns the characters of a literal and its faults. If there are faults, the characters must not be used.
fn read(literal: &str) -> (Vec<Unit>, Vec<Fault>) {
    let mut faults = Vec::new();
    let hashes = run(literal, |c| c == '#');
    if !literal[hashes..].starts_with('"') {
        return (plain(literal), faults);
    }
    let raw = hashes > 0;
    if literal[hashes..].starts_with("\"\"\"") && literal.len() >= 2 * hashes + 6 {
        let units = lines(literal, hashes, raw, &mut faults).unwrap_or_else(|fault| {
            faults.push(fault);
            Vec::new()
        });
        return (units, faults);
    }
    // An unterminated string extends to the end of the literal.
    let inner = &literal[hashes + 1..];
    let closed = inner.trim_end_matches('#').ends_with('"')
        && inner.len() - inner.trim_end_matches('#').len() >= hashes;
    let body = hashes + 1..literal.len() - if closed { hashes + 1 } else { 0 };
    let pieces = pieces(literal, body, raw, &mut faults);
    (pieces.into_iter().filter_map(Piece::unit).collect(), faults)
}

/// A character of a multi-line string, before the indentation of the string is removed.
enum Piece {
    /// A character that is written as itself.
    Plain(Unit),
    /// A character that is written as an escape.
    Escaped(Unit),
    /// A newline in the source.
    Newline(Range<usize>),
}

impl Piece {
    fn unit(self) -> Option<Unit> {
        match self {
            Self::Plain(unit) | Self::Escaped(unit) => Some(unit),
            Self::Newline(_) => None,
        }
    }
}

fn pieces(literal: &str, body: Range<usize>, raw: bool, faults: &mut Vec<Fault>) -> Vec<Piece> {
    let mut out = Vec::with_capacity(body.len());
    let mut at = body.start;
    let text = &literal[..body.end];
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        let newline = newline_length(&text[at..]);
        if newline > 0 {
            at += newline;
            out.push(Piece::Newline(start..at));
        } else if c == '\\' && !raw {
            at += 1 + escape_length(&text[at + 1..]);
            match escape(text, start, &mut at) {
                Ok(Some(says)) => out.push(Piece::Escaped(Unit { says, bytes: start..at })),
                Ok(None) => {}
                Err(fault) => faults.push(fault),
            }
        } else {
            at += c.len_utf8();
            out.push(Piece::Plain(Unit { says: c, bytes: start..at }));
        }
    }
    out
}

/// Returns the character of the escape at `start`; `None` for escaped whitespace. `at`: the offset after the second
/// character of the escape. For a Unicode escape, it is moved to the end of the escape.
fn escape(text: &str, start: usize, at: &mut usize) -> Result<Option<char>, Fault> {
    let Some(c) = text[start + 1..].chars().next() else {
        return Err(unknown_escape(text, start..*at));
    };
    Ok(Some(match c {
        c if is_blank(c) || is_newline(c) => return Ok(None),
        '"' | '\\' => c,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        's' => ' ',
        'u' => {
            let rest = &text[*at..];
            let digits = run(rest.strip_prefix('{').unwrap_or_default(), |c| c.is_ascii_hexdigit());
            *at += if rest.starts_with('{') { 1 + digits } else { 0 };
            let closed = text[*at..].starts_with('}');
            *at += usize::from(closed);
            let code = rest.get(1..=digits).filter(|d| (1..=6).contains(&d.len()) && closed);
            let says = code.and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
            return says.map(Some).ok_or_else(|| bad_code(text, start..*at));
        }
        _ => return Err(unknown_escape(text, start..*at)),
    }))
}

fn bad_code(text: &str, bytes: Range<usize>) -> Fault {
    Fault {
        message: format!("`{}` is not a valid Unicode escape", &text[bytes.clone()]),
        help: "write one to six hexadecimal digits, such as `\\u{e9}`".to_owned(),
        bytes,
        kind: FaultKind::Escape,
        instead: None,
    }
}

fn unknown_escape(text: &str, bytes: Range<usize>) -> Fault {
    let words = &text[bytes.clone()];
    let after = &words[1..];
    let instead = match after {
        "" => None,
        "/" | "'" | "`" => Some(after.to_owned()),
        _ => Some(format!("\\{words}")),
    };
    Fault {
        message: format!("`{words}` is not a valid KDL escape"),
        help: "write a backslash as `\\\\`, or use a raw string: `#\"…\"#`".to_owned(),
        bytes,
        kind: FaultKind::Escape,
        instead,
    }
}

fn lines(literal: &str, hashes: usize, raw: bool, faults: &mut Vec<Fault>) -> Result<Vec<Unit>, Fault> {
    let open = hashes + 3;
    let close = literal.len() - open;
    let first = newline_length(&literal[open..close]);
    if first == 0 {
        return Err(opening_fault(literal, hashes, raw));
    }
    let mut rows: Vec<(Vec<Piece>, Range<usize>)> = vec![(Vec::new(), open..open)];
    for piece in pieces(literal, open + first..close, raw, faults) {
        let row = rows.last_mut().expect("there is a first row");
        if let Piece::Newline(bytes) = piece {
            row.1 = bytes.clone();
            rows.push((Vec::new(), bytes));
        } else {
            row.0.push(piece);
        }
    }
    let (last, _) = rows.pop().expect("there is a first row");
    let margin = margin(literal, &last, close)?;
    let mut out = Vec::new();
    let count = rows.len();
    for (number, (row, newline)) in rows.into_iter().enumerate() {
        out.extend(without_margin(row, &margin)?);
        if number + 1 < count {
            out.push(Unit { says: '\n', bytes: newline });
        }
    }
    Ok(out)
}

/// Returns the indentation of the closing quotes. It is removed from every line of the string.
fn margin(literal: &str, last: &[Piece], close: usize) -> Result<Vec<char>, Fault> {
    last.iter()
        .map(|piece| match piece {
            Piece::Plain(unit) if is_blank(unit.says) => Ok(unit.says),
            Piece::Plain(_) | Piece::Escaped(_) | Piece::Newline(_) => Err(Fault {
                bytes: close..literal.len(),
                kind: FaultKind::Layout,
                message: "the closing `\"\"\"` must be on its own line".to_owned(),
                help: "start a new line before it; its indentation is removed from every line of the string"
                    .to_owned(),
                instead: None,
            }),
        })
        .collect()
}

fn without_margin(row: Vec<Piece>, margin: &[char]) -> Result<Vec<Unit>, Fault> {
    let blank = |piece: &Piece| match piece {
        Piece::Plain(unit) => is_blank(unit.says),
        Piece::Escaped(_) | Piece::Newline(_) => false,
    };
    if row.iter().all(blank) {
        return Ok(Vec::new());
    }
    let own = row.iter().take_while(|piece| blank(piece)).count();
    let units: Vec<Unit> = row.into_iter().filter_map(Piece::unit).collect();
    let fits = own >= margin.len() && units.iter().zip(margin).all(|(unit, cut)| unit.says == *cut);
    if !fits {
        let first = units.get(own).or(units.first()).map_or(0, |unit| unit.bytes.start);
        let last = units.last().map_or(first, |unit| unit.bytes.end);
        return Err(Fault {
            bytes: first..last,
            kind: FaultKind::Layout,
            message: "this line is indented less than the closing `\"\"\"`".to_owned(),
            help: "indent every line with the same spaces or tabs as the closing `\"\"\"`".to_owned(),
            instead: None,
        });
    }
    Ok(units.into_iter().skip(margin.len()).collect())
}

fn opening_fault(literal: &str, hashes: usize, raw: bool) -> Fault {
    let body = &literal[hashes + 3..literal.len() - hashes - 3];
    let mark = "#".repeat(hashes);
    let plain = format!("{mark}\"{body}\"{mark}");
    let said = !body.contains(is_newline) && !body.starts_with('"') && (raw || !body.contains('"'));
    let instead = Some(plain).filter(|plain| said && units(plain).is_ok());
    Fault {
        bytes: if instead.is_some() { 0..literal.len() } else { 0..hashes + 3 },
        kind: FaultKind::Layout,
        message: "the opening `\"\"\"` must be followed by a new line".to_owned(),
        help: "start the string on the next line, and put the closing `\"\"\"` on its own line".to_owned(),
        instead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(literal: &str) -> String {
        text_of(&units(literal).unwrap_or_else(|fault| panic!("{literal}: {fault:?}")))
    }

    #[test]
    fn an_unterminated_literal_ends_with_the_text() {
        for (literal, wanted) in [
            ("\"", ""),
            ("\"é", "é"),
            ("\"a😀", "a😀"),
            ("#\"é\"", "é\""),
            ("\"\"\"", "\""),
            ("##\"é\"#", "é\"#"),
        ] {
            assert_eq!(says(literal), wanted, "{literal}");
        }
    }

    #[test]
    fn a_literal_says_what_kdl_reads() {
        let literals = [
            r#""a\"b\\c\n\r\t\b\f\s\u{1F600}""#,
            "\"a \\\n   b\"",
            r##"#"a\nb"#"##,
            "\"\"\"\n  a\n    b\n\n   \n  c\\n\n  \"\"\"",
            "#\"\"\"\n\ta \\\n\t\"\"\"#",
            "\"\"\"\n\"\"\"",
            "\"\"\"\r\n  a \\\r\n    b\r\n  \"\"\"",
            "\"\"\"\n  a\"b \"\" c\n  \"\"\"",
        ];
        for literal in literals {
            let document = ::kdl::KdlDocument::parse_v2(&format!("x {literal}")).unwrap();
            assert_eq!(
                says(literal),
                document.nodes()[0].entries()[0].value().as_string().unwrap(),
                "{literal}"
            );
        }
        assert_eq!(says("bare/{x}"), "bare/{x}");
    }

    #[test]
    fn what_kdl_refuses_in_a_literal_is_a_fault_at_its_bytes() {
        let literals = [
            (r#""a\d""#, r"\d", Some(r"\\d")),
            (r#""\/""#, r"\/", Some("/")),
            (r#""\u{110000}""#, r"\u{110000}", None),
            (r#""\u{1234567}""#, r"\u{1234567}", None),
            (r#""\u41""#, r"\u", None),
            ("\"\"\"\n  a\n b\n  \"\"\"", "b", None),
            ("\"\"\"\n  a\"\"\"", "\"\"\"", None),
            ("\"\"\"a\"\"\"", "\"\"\"a\"\"\"", Some("\"a\"")),
            ("\"\"\"a\n\"\"\"", "\"\"\"", None),
        ];
        for (literal, words, instead) in literals {
            assert!(::kdl::KdlDocument::parse_v2(&format!("x {literal}")).is_err(), "{literal}");
            let fault = units(literal).expect_err(literal);
            assert_eq!(&literal[fault.bytes], words, "{literal}");
            assert_eq!(fault.instead.as_deref(), instead, "{literal}");
        }
    }

    #[test]
    fn all_faults_of_a_literal_are_mended_together() {
        let repaired = repaired(r#""\d+\.\/""#).unwrap();
        assert_eq!(repaired.text, r"\d+\./");
        assert!(repaired.sure);
        assert_eq!(repaired.changes, [(1..3, r"\\d".into()), (4..6, r"\\.".into()), (6..8, "/".into())]);
    }
}
