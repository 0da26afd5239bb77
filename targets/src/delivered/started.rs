//! Finds the file that a command starts from its working directory.
use tfjob_lang::resolve::shell;

/// Interpreters. Their first argument that is not an option is the script.
const INTERPRETERS: [&str; 9] = ["python", "bash", "sh", "dash", "zsh", "Rscript", "perl", "node", "julia"];
/// Options of interpreters that take no value, so that the argument after the option can be the script.
const FLAGS: [&str; 13] = ["-u", "-B", "-E", "-I", "-O", "-OO", "-s", "-S", "-e", "-x", "-ex", "-eu", "-eux"];
/// Programs and Python modules that start another program. The name of this program follows the options of the launcher.
const LAUNCHERS: [&str; 22] = [
    "torchrun",
    "accelerate",
    "deepspeed",
    "horovodrun",
    "mpirun",
    "mpiexec",
    "composer",
    "colossalai",
    "nice",
    "ionice",
    "numactl",
    "taskset",
    "stdbuf",
    "tini",
    "dumb-init",
    "xvfb-run",
    "nsys",
    "ncu",
    "torch.distributed.run",
    "torch.distributed.launch",
    "accelerate.commands.launch",
    "horovod.runner.launch",
];
/// Extensions of scripts.
const SCRIPTS: [&str; 6] = [".py", ".sh", ".bash", ".jl", ".R", ".pl"];
/// Programs that neither create files nor change the directory. After such a program, the next command still finds the same files.
const HARMLESS: [&str; 25] = [
    "set",
    "unset",
    "export",
    "ulimit",
    "umask",
    "trap",
    "echo",
    "printf",
    "date",
    "sleep",
    "ls",
    "env",
    "printenv",
    "hostname",
    "nvidia-smi",
    "nproc",
    "df",
    "free",
    "id",
    "whoami",
    "pwd",
    "which",
    "pip",
    "pip3",
    "true",
];

/// Returns the file that a command starts from its working directory, if any: its position in `words`, and its path. In `words`, an
/// argument that begins with `$` contains a reference.
pub fn by_words<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    let at = shell::program(words);
    let own = &words[at..];
    let (number, path) = own_file(own).or_else(|| launched(own)).or_else(|| interpreted(own))?;
    Some((at + number, path))
}

/// Returns what [`by_words`] does, or a Python file that is the program itself, without a directory. The latter is looked up in the
/// `PATH`, in which only an image may have it.
pub fn by_words_or_name<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    by_words(words).or_else(|| {
        let at = shell::program(words);
        words.get(at).filter(|word| is_bare_script(word)).map(|word| (at, *word))
    })
}

/// Returns what [`by_script`] does, or a Python file as in [`by_words_or_name`].
pub fn by_script_or_name(text: &str) -> Option<&str> {
    first(text, by_words_or_name)
}

/// Returns whether a word is the name of a Python file without a directory.
pub fn is_bare_script(word: &str) -> bool {
    word.strip_suffix(".py").is_some_and(|stem| !stem.is_empty() && !stem.contains(['/', ' ', '$', '~']))
}

/// Returns the Python module that a command runs by `python -m`, if any: its position in `words`, and its name.
pub fn module<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    let at = shell::program(words);
    let own = &words[at..];
    if name(own.first()?) != "python" {
        return None;
    }
    let number = 1 + own[1..].iter().position(|word| !FLAGS.contains(word))?;
    let module = own.get(number + 1).filter(|module| own[number] == "-m" && !LAUNCHERS.contains(module))?;
    (!module.starts_with(['$', '-'])).then_some((at + number + 1, *module))
}

/// Returns the first file that a shell script starts from its working directory, if any. The search ends at the first command that
/// changes the directory or may create files, because later commands may find other files.
pub fn by_script(text: &str) -> Option<&str> {
    first(text, by_words)
}

/// Returns the first Python module that a shell script runs, if any. The search ends as in [`by_script`].
pub fn module_of_script(text: &str) -> Option<&str> {
    first(text, module)
}

/// Applies `found` to each command of a shell script, and returns the first result that is not `None`. The search ends at the first
/// command that changes the directory or may create files.
fn first<'t>(text: &'t str, found: impl Fn(&[&'t str]) -> Option<(usize, &'t str)>) -> Option<&'t str> {
    for command in shell::commands(text) {
        if let Some((_, path)) = found(&command) {
            return Some(path);
        }
        let own = &command[shell::program(&command)..];
        let harmless = own.first().is_none_or(|program| HARMLESS.contains(program));
        if !harmless || command.iter().any(|word| word.contains(['>', '<', '`']) || word.contains("$(")) {
            return None;
        }
    }
    None
}

/// Returns a program that the command calls by its path, or the requirements file that `pip` installs. `None` if there is no such
/// file.
fn own_file<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    let first = words.first()?;
    if first.contains('/') && is_relative(first) {
        return Some((0, *first));
    }
    let (true, Some("install")) = (matches!(*first, "pip" | "pip3"), words.get(1).copied()) else {
        return None;
    };
    let number = 1 + words.iter().position(|word| matches!(*word, "-r" | "--requirement"))?;
    words.get(number).filter(|path| is_relative(path)).map(|path| (number, *path))
}

/// Returns the script that an interpreter runs, or the file that the shell text after `-c` starts. `None` if there is no such file.
fn interpreted<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    let name = name(words.first()?);
    if name == "java" {
        let number = 1 + words.iter().position(|word| *word == "-jar")?;
        return words.get(number).filter(|path| is_relative(path)).map(|path| (number, *path));
    }
    if !INTERPRETERS.contains(&name) {
        return None;
    }
    let number = 1 + words[1..].iter().position(|word| !FLAGS.contains(word))?;
    let path = words[number];
    let is_shell = name.ends_with("sh");
    if is_shell && path.starts_with('-') && !path.starts_with("--") && path.ends_with('c') {
        let text = words.get(number + 1)?;
        // In `run`, the text after `-c` is one argument, and is split here. In a `shell` text, it is already split.
        let found = if text.contains(char::is_whitespace) {
            by_script(text)
        } else {
            by_words(&words[number + 1..]).map(|f| f.1)
        };
        return found.map(|path| (number + 1, path));
    }
    (is_relative(path) && !path.starts_with('-')).then_some((number, path))
}

/// Returns the file that a launcher starts: a script with a known extension, the script of an interpreter, or a path that begins
/// with `./`. `None` if it starts no such file.
fn launched<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    let module = (words.get(1) == Some(&"-m") && name(words.first()?) == "python").then_some(2);
    let own = module.unwrap_or(0);
    if !LAUNCHERS.contains(&name_of_launcher(words.get(own)?)) {
        return None;
    }
    let rest = &words[own + 1..];
    for (number, word) in rest.iter().enumerate() {
        let starts = |known: &[&str]| known.contains(&name(word)) || name(word) == "java";
        if matches!(*word, "-m" | "--module") {
            return None;
        }
        let (found, at) = match () {
            () if SCRIPTS.iter().any(|end| word.ends_with(end)) && !word.starts_with('-') => {
                (is_relative(word).then_some((0, *word)), number)
            }
            () if starts(&INTERPRETERS) => (interpreted(&rest[number..]), number),
            () if word.starts_with("./") && !is_value(&rest[..number]) => (Some((0, *word)), number),
            () => continue,
        };
        return found.map(|(inner, path)| (own + 1 + at + inner, path));
    }
    None
}

/// Returns whether the argument after `before` may be the value of an option, and not the program.
fn is_value(before: &[&str]) -> bool {
    before.last().is_some_and(|word| word.starts_with('-') && *word != "--" && !word.contains('='))
}

/// Returns the name of a program without its directory and without a version at the end.
fn name(word: &str) -> &str {
    let versions = |c: char| c.is_ascii_digit() || c == '.';
    word.rsplit('/').next().unwrap_or_default().trim_end_matches(versions)
}

fn name_of_launcher(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

/// Returns whether a path is certainly relative. For a path that begins with `~`, the result is `false`, because another check
/// reports it. A path that begins with `$` contains a reference, and may be absolute.
fn is_relative(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '$'])
}
