//! `--set PATH=VALUE`: the path says what the value is.
use super::judge;
use super::lex::Manner;
use super::names::{could_be_secret, holds_secrets, names_credential};
use std::ops::Range;

pub(super) fn judge(text: &str) -> Vec<Range<usize>> {
    let end = text.find('=').or_else(|| text.find([':', ' '])).unwrap_or(text.len());
    let (path, value) = (&text[..end], (end + 1).min(text.len())..text.len());
    let steps: Vec<&str> = path.split('.').map(|step| step.trim_matches('"')).collect();
    let last = steps.last().copied().unwrap_or_default();
    let of_secret = steps.iter().any(|step| holds_secrets(step));
    if value.is_empty() {
        let start = path.rfind('.').map_or(end, |dot| dot + 1);
        let credential = of_secret || steps.iter().rev().skip(1).any(|step| names_credential(step));
        return credential.then_some(start..end).into_iter().collect();
    }
    let words = text[value.clone()].trim();
    let refers = of_secret && matches!(last, "from" | "key" | "at");
    let named = steps.iter().any(|step| names_credential(step)) && could_be_secret(words);
    if of_secret && !refers || named && !of_secret {
        return vec![value];
    }
    let start = value.start;
    let inner = judge::judge(&text[value], Manner::Inner, 0);
    inner.into_iter().map(|at| start + at.start..start + at.end).collect()
}
