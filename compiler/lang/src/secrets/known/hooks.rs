//! Finds credentials that are recognizable by the text before them: tokens in webhook URLs, and passwords after `mysql -p`,
//! `curl -u`, and `image`.
use std::ops::Range;

/// Parts of a webhook URL that precede the token.
const HOOKS: [&str; 10] = [
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
    let hooks = HOOKS.iter().flat_map(|mark| text.match_indices(mark).map(|(at, mark)| at + mark.len()));
    let token = |start: usize| {
        let rest = &text[start..];
        let ends = |c: char| c.is_whitespace() || "\"'`\\;&|),<>".contains(c);
        let body = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let made = body.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
        (body.len() >= 12 && made && !body.contains(['$', '{'])).then(|| start..start + body.len())
    };
    hooks.filter_map(token).collect()
}

/// Client programs that accept a password directly after `-p`.
const MYSQL: [&str; 8] =
    ["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mariadb", "mariadb-dump"];

/// Finds the passwords after `-p` of MySQL clients.
pub(super) fn of_mysql(text: &str) -> Vec<Range<usize>> {
    of_programs(text, &["mysql", "mariadb"], &MYSQL, attached)
}

/// Finds the passwords after `-u NAME:` of HTTP clients.
pub(super) fn of_http_clients(text: &str) -> Vec<Range<usize>> {
    of_programs(text, &CLIENTS, &CLIENTS, of_user)
}

/// Programs that accept a user and a password as `-u NAME:PASSWORD`.
const CLIENTS: [&str; 2] = ["curl", "wget"];

/// Finds values in the arguments of `programs`. `marks`: the beginnings of the program names, for which the text is searched.
fn of_programs(
    text: &str,
    marks: &[&str],
    programs: &[&str],
    value: fn(&str) -> Option<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut next = 0;
    for mark in marks {
        for (at, _) in text.match_indices(*mark) {
            if at < next {
                continue;
            }
            let rest = &text[at..];
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
            let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
            if text[..at].ends_with(part) || !programs.contains(&&rest[..length]) || !is_program(&text[..at])
            {
                continue;
            }
            let command = command(&rest[length..]);
            next = at + length + command.len();
            found.extend(value(command).map(|value| at + length + value.start..at + length + value.end));
        }
        next = 0;
    }
    found
}

/// Shell keywords and programs after which the next word is a command.
const STARTERS: [&str; 12] =
    ["exec", "sudo", "env", "nohup", "time", "if", "then", "do", "else", "while", "!", "{"];

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
        if word.is_empty() || !(STARTERS.contains(&word) || assigns) {
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

/// Returns the arguments of a command. They end at an operator or at the end of the line, unless a list continues on the
/// next line.
fn command(rest: &str) -> &str {
    // Maximum number of bytes to search. It limits the time for a long text.
    const LONGEST: usize = 2048;
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    if !rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\')) {
        return "";
    }
    let end = rest.char_indices().find(|(at, c)| match c {
        ';' | '|' | '&' => true,
        '\\' => rest[at + 1..].starts_with('n'),
        '\n' => {
            let line = rest[at + 1..].trim_start();
            !(rest[..*at].ends_with('\\') || line.starts_with(['-', '"', '\'']))
        }
        _ => false,
    });
    &rest[..end.map_or(rest.len(), |(at, _)| at)]
}

/// Returns the range of the value directly after the first `-p` of a command, without quotes.
fn attached(command: &str) -> Option<Range<usize>> {
    let flag = command.match_indices("-p").find(|(at, _)| {
        let before = &command[..*at];
        before.ends_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ','))
    });
    let start = flag.map(|(at, flag)| at + flag.len())?;
    let rest = &command[start..];
    let quote = rest.trim_start_matches('\\').chars().next().filter(|c| matches!(c, '"' | '\''));
    let open = match quote {
        // In `"-p" "x"`, the closing quote ends the flag, so the value is not attached.
        Some(quote) if !rest.starts_with('\\') && command[..start - 2].ends_with(quote) => return None,
        Some(_) => rest.len() - rest.trim_start_matches('\\').len() + 1,
        None => 0,
    };
    let value = &rest[open..];
    let ends = |c: char| match quote {
        Some(quote) => c == quote || matches!(c, '\\' | '\n'),
        None => c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ',' | ')'),
    };
    let value = &value[..value.find(ends).unwrap_or(value.len())];
    let known = !value.is_empty() && !value.starts_with(['$', '{', '`', '<']);
    known.then(|| start + open..start + open + value.len())
}

/// Returns the range of the password in the `NAME:PASSWORD` after the first `-u` or `--user` of a command.
fn of_user(command: &str) -> Option<Range<usize>> {
    let flags = ["--user", "-u"].into_iter().flat_map(|flag| command.match_indices(flag));
    let start = flags.filter(|(at, _)| {
        let before = &command[..*at];
        before.ends_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ','))
    });
    let start = start.map(|(at, flag)| at + flag.len()).min()?;
    // In a list, the value is another item, in quotes or after `-`.
    let rest = command[start..].trim_start_matches(|c: char| c.is_whitespace() || "\"'\\,=".contains(c));
    let rest = rest.strip_prefix("- ").unwrap_or(rest).trim_start_matches([' ', '"', '\'']);
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ',' | ')' | ']');
    let value = &rest[..rest.find(ends).unwrap_or(rest.len())];
    let (user, password) = value.split_once(':')?;
    let known = !password.is_empty() && !password.starts_with(['$', '{', '`', '<']) && !user.starts_with('-');
    let at = command.len() - rest.len() + user.len() + 1;
    known.then(|| at..at + password.len())
}

/// Finds the passwords in image names with a user: `image "NAME:PASSWORD@registry/image"`.
pub(super) fn of_images(text: &str) -> Vec<Range<usize>> {
    // Maximum number of bytes to search. It limits the time for a long text.
    const LONGEST: usize = 1024;
    let mut found = Vec::new();
    for (at, mark) in text.match_indices("image") {
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
