//! Builtins and options of bash in a simple command.
use super::scan::Word;

/// Words of the shell before a command.
const BEFORE: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"];

/// Commands that dash does not have.
const BUILTINS: &[&str] = &[
    "[[",
    "source",
    "let",
    "declare",
    "typeset",
    "shopt",
    "function",
    "pushd",
    "popd",
    "select",
    "mapfile",
    "readarray",
    "disown",
    "coproc",
    "builtin",
    "compgen",
];

/// Programs that mean files or items by the braces in their arguments. Others may read the braces themselves.
const LISTS: &[&str] = &[
    "for", "mkdir", "cp", "mv", "rm", "rmdir", "touch", "ls", "cat", "ln", "chmod", "chown", "echo", "tar",
    "wget", "head", "tail", "wc", "gzip", "gunzip", "zcat",
];

/// Where the name of a command stands: behind assignments and words of the shell.
pub(super) fn name(words: &[Word<'_>]) -> usize {
    let before = |word: &&Word<'_>| BEFORE.contains(&word.text) || assigns(word.text).is_some();
    words.iter().take_while(before).count()
}

/// What stands behind the name in `x=…`, `x+=…`, and `x[0]=…`.
pub(super) fn assigns(word: &str) -> Option<&str> {
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let rest = &word[end..];
    let named = end > 0 && !word.starts_with(|c: char| c.is_ascii_digit());
    let element = || rest.starts_with('[') && rest.contains("]=");
    (named && (rest.starts_with('=') || rest.starts_with("+=") || element())).then_some(rest)
}

/// Finds the constructs of bash in a command: the row of each, and the word that has it.
pub(super) fn judge(words: &[Word<'_>], mut found: impl FnMut(&'static str, &Word<'_>)) {
    let at = name(words);
    let named = words.get(at).map_or("", |word| word.text);
    let rest = words.get(at + 1..).unwrap_or_default();
    let assigned = if matches!(named, "export" | "local" | "readonly") { words } else { &words[..at] };
    for word in assigned {
        match assigns(word.text).and_then(|rest| rest.chars().next()) {
            Some('+') => found("x+=", word),
            Some('[') => found("x[…]=", word),
            _ => {}
        }
    }
    let Some(first) = words.get(at) else { return };
    if let Some(builtin) = BUILTINS.iter().find(|builtin| **builtin == named) {
        found(builtin, first);
    }
    if LISTS.contains(&named) {
        rest.iter().for_each(|word| {
            if let Some(brace) = word.brace {
                found(brace, word);
            }
        });
    }
    for (row, word) in options(named, rest) {
        found(row, word);
    }
}

/// The options of a command that only bash has.
fn options<'w, 'a>(named: &str, rest: &'w [Word<'a>]) -> Vec<(&'static str, &'w Word<'a>)> {
    let is = |word: &Word<'_>, all: &[&str]| all.contains(&word.bare());
    // The first letter of an option that only bash has, of those before the first argument.
    let letter = |letters: &[char]| {
        let options = rest.iter().take_while(|word| word.text.starts_with('-'));
        options.clone().find_map(|word| Some((word.text[1..].chars().find(|c| letters.contains(c))?, word)))
    };
    let any = |all: &[&str]| rest.iter().find(|word| is(word, all));
    let one =
        |row: &'static str, word: Option<&'w Word<'a>>| word.map(|word| (row, word)).into_iter().collect();
    match named {
        "[" | "test" => {
            let first = rest.iter().find(|word| word.text != "!").filter(|word| word.text == "-v");
            let equal = rest.iter().skip(1).find(|word| word.text == "==");
            equal
                .map(|word| ("[ a == b ]", word))
                .into_iter()
                .chain(first.map(|word| ("[ -v x ]", word)))
                .collect()
        }
        "set" => {
            let traced = any(&["errtrace", "functrace"]).map(|word| ("set -o errtrace", word));
            any(&["pipefail"]).map(|word| ("set -o pipefail", word)).into_iter().chain(traced).collect()
        }
        "read" => letter(&['a', 'd', 'n', 'N', 's', 't'])
            .map(|(letter, word)| match letter {
                'a' => ("read -a", word),
                'd' => ("read -d", word),
                's' => ("read -s", word),
                't' => ("read -t", word),
                _ => ("read -n", word),
            })
            .into_iter()
            .collect(),
        "printf" => {
            let quoted = rest.first().filter(|word| word.text.contains("%q")).map(|word| ("printf %q", word));
            letter(&['v']).map(|(_, word)| ("printf -v", word)).into_iter().chain(quoted).collect()
        }
        "export" => letter(&['f', 'n'])
            .map(|(letter, word)| (if letter == 'f' { "export -f" } else { "export -n" }, word))
            .into_iter()
            .collect(),
        "local" => one("local -r", rest.first().filter(|word| word.text.starts_with('-'))),
        "trap" => {
            let signals = rest.get(1..).unwrap_or_default();
            let traced = signals.iter().find(|word| is(word, &["ERR", "DEBUG", "RETURN"]));
            let long = signals.iter().find(|word| word.bare().starts_with("SIG"));
            let traced = traced.map(|word| ("trap … ERR", word)).into_iter();
            traced.chain(long.map(|word| ("trap … SIGTERM", word))).collect()
        }
        "kill" => one(
            "kill -SIGTERM",
            rest.iter().take(2).find(|word| word.text.starts_with("-SIG") || word.bare().starts_with("SIG")),
        ),
        "wait" => one("wait -n", any(&["-n"])),
        "echo" => one(
            "echo -e",
            rest.first().filter(|word| {
                let letters = word.text.strip_prefix('-').unwrap_or_default();
                letters.contains('e') && letters.chars().all(|c| "neE".contains(c))
            }),
        ),
        "exec" => one("exec -a", rest.first().filter(|word| word.text == "-a")),
        "type" => one("type -t", letter(&['t', 'P', 'p', 'a', 'f']).map(|(_, word)| word)),
        "ulimit" => one("ulimit -u", letter(&['u', 'i', 'q', 'x']).map(|(_, word)| word)),
        _ => Vec::new(),
    }
}
