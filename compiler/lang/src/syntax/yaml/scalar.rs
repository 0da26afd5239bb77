//! Plain scalars that have the same value in YAML 1.1 and 1.2.
use crate::tree::Value;

/// Returns the value of a plain scalar; `None` if YAML 1.1 and 1.2 disagree.
pub(super) fn plain(text: &str) -> Option<Value> {
    match text {
        "" | "null" | "~" => return Some(Value::Null),
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        _ => {}
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if whole && (digits.len() == 1 || !digits.starts_with('0')) {
        return text.parse().ok().map(Value::Int);
    }
    if let Some((before, after)) = digits.split_once('.') {
        let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        // In YAML 1.1, a float needs the decimal point, and its exponent needs a sign.
        let (after, power) =
            after.split_once(['e', 'E']).map_or((after, None), |(a, power)| (a, Some(power)));
        let signed = power.is_none_or(|power| power.strip_prefix(['+', '-']).is_some_and(number));
        if number(before) && number(after) && signed && (before.len() == 1 || !before.starts_with('0')) {
            return text.parse().ok().filter(|f: &f64| f.is_finite()).map(Value::Float);
        }
    }
    (!ambiguous(text)).then(|| Value::Text(text.to_owned()))
}

/// Rewrites `1e-4` so that every YAML parser reads a number: `1.0e-4`.
pub(super) fn power(text: &str) -> Option<String> {
    let (mantissa, power) = text.split_once(['e', 'E'])?;
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if power.starts_with(['+', '-']) { "" } else { "+" };
    let number = format!("{mantissa}{point}e{sign}{power}");
    matches!(plain(&number), Some(Value::Float(_))).then_some(number)
}

/// Returns whether any schema of YAML 1.1 or 1.2 reads the scalar as a type other than string.
fn ambiguous(text: &str) -> bool {
    let folded = text.to_lowercase();
    let word = matches!(
        folded.as_str(),
        "y" | "n"
            | "yes"
            | "no"
            | "on"
            | "off"
            | "true"
            | "false"
            | "null"
            | "="
            | "<<"
            | ".inf"
            | "-.inf"
            | "+.inf"
            | ".nan"
    );
    let first = text.chars().next().unwrap_or(' ');
    let numeric = first.is_ascii_digit() || matches!(first, '+' | '-' | '.') && text.len() > 1;
    let rest = text.trim_start_matches(['+', '-', '.']);
    let digit = rest.starts_with(|c: char| c.is_ascii_digit());
    let numbers = |allowed: &str| rest.chars().all(|c| c.is_ascii_digit() || allowed.contains(c));
    let hex = rest.starts_with("0x") && rest[2..].chars().all(|c| c.is_ascii_hexdigit() || c == '_');
    let octal = rest.starts_with("0o") && rest[2..].chars().all(|c| c.is_digit(8) || c == '_');
    let binary = rest.starts_with("0b") && rest[2..].chars().all(|c| matches!(c, '0' | '1' | '_'));
    let float = numbers("_.eE+-") && rest.matches('.').count() <= 1 && !rest.ends_with(['e', 'E']);
    let base60 = numbers("_.:") && rest.contains(':');
    let date =
        text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-' && numbers("-:.TtZz +");
    word || numeric && digit && (hex || octal || binary || float && !is_version(rest) || base60 || date)
}

/// Returns whether the text has digits but no parser reads it as a number: `2.15.1`, `2024-01`.
fn is_version(text: &str) -> bool {
    text.matches('.').count() > 1
        || text.get(1..).is_some_and(|rest| rest.contains('-') && !rest.contains(['e', 'E']))
}
