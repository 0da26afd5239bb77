//! Finds credentials in `--set PATH=VALUE`. The path decides whether the value is a credential.
use super::judge::{self, Found};
use super::known::hooks::of_images;
use super::lex::Manner;
use super::names::{
    Says, holds_params, holds_secrets, is_no_secret_name, names_credential, nearly_says, says_spaced,
};
use super::values::{Stands, is_credential, params};
use std::collections::BTreeSet;

/// Finds the credentials in a setting. `occurs`: returns whether a name occurs in the spec; a name that does not may be misspelled.
pub(super) fn judge(text: &str, referred: &BTreeSet<String>, occurs: impl Fn(&str) -> bool) -> Found {
    // A setting of a project file has white space before it.
    let lead = text.len() - text.trim_start().len();
    let end = text.find('=').or_else(|| Some(lead + text[lead..].find([':', ' '])?)).unwrap_or(text.len());
    let (path, value) = (&text[..end], (end + 1).min(text.len())..text.len());
    let steps: Vec<&str> = path.split('.').map(|step| step.trim().trim_matches('"')).collect();
    let last = steps.last().copied().unwrap_or_default();
    let of_secret = steps.iter().any(|step| holds_secrets(step));
    if value.is_empty() {
        let start = path.rfind('.').map_or(end, |dot| dot + 1);
        let credential = of_secret || steps.iter().rev().skip(1).any(|step| names_credential(step));
        return Found { at: credential.then_some(start..end).into_iter().collect(), ..Found::default() };
    }
    let words = text[value.clone()].trim();
    let refers = of_secret && matches!(last, "from" | "key" | "at");
    let param = steps.windows(2).any(|pair| holds_params(pair[0]) && referred.contains(pair[1]));
    let said = steps.iter().find_map(|step| says_spaced(step)).or_else(|| param.then_some(Says::Password));
    let misspelled = || steps.iter().skip(1).any(|step| nearly_says(step) && !occurs(step));
    let said = said.or_else(|| misspelled().then_some(Says::Password));
    let said = said.filter(|_| !of_secret);
    let mut found = judge::judge(&text[value.clone()], Manner::Inner, referred);
    found.at.iter_mut().for_each(|at| *at = value.start + at.start..value.start + at.end);
    found.at.extend(of_images(text));
    if said.is_some() {
        found.params.extend(params(words));
    }
    let unnamed = last == "from" && is_no_secret_name(words);
    if of_secret && (!refers || unnamed) || said.is_some_and(|says| is_credential(says, words, Stands::Named))
    {
        found.at.push(value);
    }
    found
}
