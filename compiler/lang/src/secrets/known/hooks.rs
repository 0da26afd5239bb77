//! Finds credentials that are recognizable by the text before them: tokens in webhook URLs, credentials in the arguments of
//! programs, and passwords in image names.
pub(super) mod arguments;
pub(super) mod logins;

use super::occurrences;
use std::ops::Range;

/// Parts of a URL that precede a token in its path.
const HOOKS: [&str; 11] = [
    "conda.anaconda.org/t/",
    "hooks.slack.com/services/",
    "hooks.slack.com/workflows/",
    "hooks.slack.com/triggers/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    ".webhook.office.com/webhookb2/",
    ".webhook.office.com/webhook/",
    "outlook.office.com/webhook/",
    "chat.googleapis.com/v1/spaces/",
    "api.telegram.org/bot",
];

/// Finds the tokens of webhook URLs.
pub(super) fn webhooks(text: &str) -> Vec<Range<usize>> {
    if !text.contains(".com/") && !text.contains(".org/") {
        return Vec::new();
    }
    let hooks = HOOKS.iter().flat_map(|mark| occurrences(text, mark).map(|(at, mark)| at + mark.len()));
    let token = |start: usize| {
        let rest = &text[start..];
        let ends = |c: char| c.is_whitespace() || "\"'`\\;&|),<>".contains(c);
        let body = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let made = body.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
        (body.len() >= 12 && made && !body.contains(['$', '{'])).then(|| start..start + body.len())
    };
    hooks.filter_map(token).collect()
}

/// Shell keywords and programs after which the next word is a command.
const STARTERS: [&str; 18] = [
    "exec", "sudo", "env", "nohup", "time", "timeout", "nice", "xargs", "srun", "command", "if", "then",
    "do", "else", "while", "until", "!", "{",
];

/// Returns whether the word after `before` is a program: the first argument of `run`, or the first word of a command.
fn is_program(before: &str) -> bool {
    const LONGEST: usize = 256;
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST))..];
    // Skips the directory of the program, such as `/usr/bin/`.
    let mut before = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "/._-".contains(c));
    loop {
        let blank = before.trim_end_matches([' ', '\t', '\\']);
        if blank.is_empty() || blank.ends_with([';', '|', '&', '(', '`', '\n', ':', '[']) {
            return true;
        }
        if let Some(outside) = blank.strip_suffix(['"', '\'']) {
            let outside = outside.trim_end_matches(['\\', '#', ' ', '\t', '\n', ',']);
            if outside.is_empty() || outside.ends_with(['[', ':', '(']) {
                return true;
            }
            let word = outside.trim_end_matches(['"', '\'']);
            let word = word.rsplit([' ', '\t', '\n', '"', '\'', '[', ';', '{']).next().unwrap_or_default();
            return matches!(word, "run" | "shell") || is_command_flag(word) || word == "-" && leads(outside);
        }
        let word = blank.rsplit([' ', '\t', '\n', '"', '\'', ';', '|', '&', '(']).next().unwrap_or_default();
        let assigns = word.contains('=') && !word.starts_with('-');
        if word == "-" {
            return leads(blank);
        }
        if word == "--" {
            return true;
        }
        // Whether the word is an option or a number, as in `sudo -E` and `timeout 60`.
        let option = word.starts_with('-') || word.starts_with(|c: char| c.is_ascii_digit());
        // If the word is the name of a container or host, as in `docker exec NAME` and `ssh NAME`, a program follows.
        let outer = blank[..blank.len() - word.len()].trim_end_matches(' ');
        if outer.ends_with(" exec")
            || outer.rsplit([' ', '\n', ';', '&', '|', '"', '\'']).next() == Some("ssh")
        {
            return true;
        }
        if word.is_empty() || !(STARTERS.contains(&word) || assigns || option) {
            return false;
        }
        before = &blank[..blank.len() - word.len()];
    }
}

/// Returns whether a word is the option `-c` of a shell, which may be combined with other letters, as in `-ec`.
fn is_command_flag(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

/// Returns whether the `-` at the end of a text begins the first item of a list, or an item that follows the item `-c`.
fn leads(text: &str) -> bool {
    let before = text.trim_end_matches('-').trim_end();
    let word = before.rsplit([' ', '\n']).next().unwrap_or_default().trim_matches(['"', '\'']);
    before.ends_with(':') || is_command_flag(word)
}

/// Returns whether an argument is a literal value, and not a reference, a placeholder, or an operator such as `>`.
fn is_literal(value: &str) -> bool {
    !value.is_empty() && !value.starts_with(['$', '{', '`', '<', '>', '|'])
}

/// Finds the passwords in image names with a user: `image "NAME:PASSWORD@registry/image"`.
pub(in crate::secrets) fn of_images(text: &str) -> Vec<Range<usize>> {
    // Maximum number of bytes to search. It limits the time for a long text.
    const LONGEST: usize = 1024;
    let mut found = Vec::new();
    for (at, mark) in occurrences(text, "image") {
        let start = at + mark.len();
        let rest = &text[start..];
        let rest = &rest[..rest.floor_char_boundary(LONGEST)];
        let value = rest.trim_start_matches([' ', '\t', '"', '\'', ':', '=']);
        let from = start + rest.len() - value.len();
        let ends = |c: char| c.is_whitespace() || "\"'`\\;,)}]".contains(c);
        let value = &value[..value.find(ends).unwrap_or(value.len())];
        let Some((user, host)) = value.rsplit_once('@').filter(|_| from > start) else { continue };
        let user_at = user.rfind('/').map_or(0, |slash| slash + 1);
        let Some(colon) = user[user_at..].find(':').map(|colon| user_at + colon) else { continue };
        // In `ml/train:2.15@sha256:…`, the part after `@` is a digest, so `2.15` is a tag and not a password.
        let digest = host.split_once(':').is_some_and(|(kind, digits)| {
            kind.starts_with("sha") && digits.bytes().all(|b| b.is_ascii_hexdigit())
        });
        if !digest && !value.contains("://") && colon + 1 < user.len() {
            found.push(from + colon + 1..from + user.len());
        }
    }
    found
}
