//! Finds bash builtins and bash options in a simple command.
use super::scan::Word;

/// Shell keywords that can precede a command.
const KEYWORDS: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"];

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

/// Commands for which braces in an argument are meant as a list, such as `{a,b}`. Other programs may interpret braces
/// themselves.
const BRACE_EXPANDED: &[&str] = &[
    "for", "mkdir", "cp", "mv", "rm", "rmdir", "touch", "ls", "cat", "ln", "chmod", "chown", "echo", "tar",
    "wget", "head", "tail", "wc", "gzip", "gunzip", "zcat",
];

/// Returns the index of the command name: the first word after assignments and keywords.
pub(super) fn name(words: &[Word<'_>]) -> usize {
    let before = |word: &&Word<'_>| KEYWORDS.contains(&word.text) || assigns(word.text).is_some();
    words.iter().take_while(before).count()
}

/// Returns the part after the variable name in `x=…`, `x+=…`, and `x[0]=…`.
pub(super) fn assigns(word: &str) -> Option<&str> {
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let rest = &word[end..];
    let named = end > 0 && !word.starts_with(|c: char| c.is_ascii_digit());
    let element = || rest.starts_with('[') && rest.contains("]=");
    (named && (rest.starts_with('=') || rest.starts_with("+=") || element())).then_some(rest)
}

/// Calls `found` for each bash construct in a command, with its `Row::name` and the word that contains it.
pub(super) fn check(words: &[Word<'_>], mut found: impl FnMut(&'static str, &Word<'_>)) {
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
    if BRACE_EXPANDED.contains(&named) {
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

/// Returns the bash-only options of a command. Each element: the `Row::name`, and the word with the option.
fn options<'w, 'a>(named: &str, rest: &'w [Word<'a>]) -> Vec<(&'static str, &'w Word<'a>)> {
    let first = |is: &dyn Fn(&str) -> bool| rest.first().filter(|word| is(word.text));
    let found: [Option<(&'static str, &'w Word<'a>)>; 2] = match named {
        "[" | "test" => {
            let equal = rest.iter().skip(1).find(|word| word.text == "==");
            let set = rest.iter().find(|word| word.text != "!").filter(|word| word.text == "-v");
            [equal.map(|word| ("[ a == b ]", word)), set.map(|word| ("[ -v x ]", word))]
        }
        "set" => {
            let option = |row, names: &[&str]| any(rest, names).map(|word| (row, word));
            let traced = option("set -o errtrace", &["errtrace"]);
            [
                option("set -o pipefail", &["pipefail"]),
                traced.or_else(|| option("set -o functrace", &["functrace"])),
            ]
        }
        "printf" => {
            let quoted = first(&|word| word.contains("%q")).map(|word| ("printf %q", word));
            [letter(rest, &[('v', "printf -v")]), quoted]
        }
        "trap" => {
            let signals = rest.get(1..).unwrap_or_default();
            let long = signals.iter().find(|word| word.bare().starts_with("SIG"));
            let traced = [("trap … ERR", "ERR"), ("trap … DEBUG", "DEBUG"), ("trap … RETURN", "RETURN")];
            let traced = traced.iter().find_map(|(row, name)| Some((*row, any(signals, &[name])?)));
            [traced, long.map(|word| ("trap … SIG…", word))]
        }
        "kill" => {
            let long = |word: &&Word<'_>| word.text.starts_with("-SIG") || word.bare().starts_with("SIG");
            [rest.iter().take(2).find(long).map(|word| ("kill -SIG…", word)), None]
        }
        "echo" => {
            let letters = |word: &str| {
                word.strip_prefix('-')
                    .is_some_and(|all| all.contains('e') && all.chars().all(|c| "neE".contains(c)))
            };
            [first(&letters).map(|word| ("echo -e", word)), None]
        }
        "local" => [first(&|word| word.starts_with('-')).map(|word| ("local -r", word)), None],
        "exec" => [first(&|word| word == "-a").map(|word| ("exec -a", word)), None],
        "wait" => [any(rest, &["-n"]).map(|word| ("wait -n", word)), None],
        _ => [letter(rest, letters_of(named)), None],
    };
    found.into_iter().flatten().collect()
}

/// Returns the bash-only option letters of a command, each with its `Row::name`.
fn letters_of(named: &str) -> &'static [(char, &'static str)] {
    match named {
        "read" => &[
            ('a', "read -a"),
            ('d', "read -d"),
            ('n', "read -n"),
            ('N', "read -N"),
            ('s', "read -s"),
            ('t', "read -t"),
        ],
        "export" => &[('f', "export -f"), ('n', "export -n")],
        "type" => &[('t', "type -t"), ('P', "type -P"), ('p', "type -p"), ('a', "type -a"), ('f', "type -f")],
        "ulimit" => &[('u', "ulimit -u"), ('i', "ulimit -i"), ('q', "ulimit -q"), ('x', "ulimit -x")],
        _ => &[],
    }
}

/// Returns the first word that is in `all`, quoted or not.
fn any<'w, 'a>(words: &'w [Word<'a>], all: &[&str]) -> Option<&'w Word<'a>> {
    words.iter().find(|word| all.contains(&word.bare()))
}

/// Returns the first option with one of these letters, and the `Row::name` of the letter. Options after the first argument are
/// ignored.
fn letter<'w, 'a>(
    words: &'w [Word<'a>],
    letters: &[(char, &'static str)],
) -> Option<(&'static str, &'w Word<'a>)> {
    words.iter().take_while(|word| word.text.starts_with('-')).find_map(|word| {
        let row = |c: char| letters.iter().find(|(letter, _)| *letter == c).map(|(_, row)| *row);
        Some((word.text.chars().find_map(row)?, word))
    })
}
