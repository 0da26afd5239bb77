//! Literals of strings and booleans in each format, for fixes.
use crate::sources::Format;
use crate::syntax::yaml::is_plain_text;
use std::fmt::Write;

/// Returns `text` as a literal of the format.
pub fn text(format: Format, text: &str) -> String {
    match format {
        Format::Set => text.to_owned(),
        Format::Kdl | Format::Json | Format::Yaml => quoted(format, text),
    }
}

fn quoted(format: Format, text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() && format == Format::Kdl => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns a name as a literal of the format, without quotes if the format allows that.
pub fn name(format: Format, name: &str) -> String {
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let bare = match format {
        Format::Kdl => {
            let keyword = ["true", "false", "null", "inf", "nan"].contains(&name);
            !keyword && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(letters)
        }
        Format::Yaml => is_plain_text(name),
        Format::Json => false,
        Format::Set => true,
    };
    if bare { name.to_owned() } else { text(format, name) }
}

/// Returns a boolean as a literal of the format.
pub const fn flag(format: Format, flag: bool) -> &'static str {
    match (format, flag) {
        (Format::Kdl, true) => "#true",
        (Format::Kdl, false) => "#false",
        (_, true) => "true",
        (_, false) => "false",
    }
}
