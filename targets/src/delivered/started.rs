//! The file that a command starts from its working directory, derived from its arguments.
use tfjob_lang::resolve::shell;

/// Interpreters: their first argument that is not an option is the script.
const INTERPRETERS: [&str; 9] = ["python", "bash", "sh", "dash", "zsh", "Rscript", "perl", "node", "julia"];
/// Options of interpreters that take no value, so that the next argument can be the script.
const FLAGS: [&str; 13] = ["-u", "-B", "-E", "-I", "-O", "-OO", "-s", "-S", "-e", "-x", "-ex", "-eu", "-eux"];
/// Programs and Python modules that take their own options and then start another program.
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
/// Programs that neither create files nor change the directory, so the next command sees the same files.
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

/// Returns the file that a program starts from its working directory, and its position in the arguments. `$` stands for an
/// argument with a reference.
pub fn by_words<'w>(words: &[&'w str]) -> Option<(usize, &'w str)> {
    let at = shell::program(words);
    let own = &words[at..];
    let (number, path) = own_file(own).or_else(|| launched(own)).or_else(|| interpreted(own))?;
    Some((at + number, path))
}

/// Returns the Python module that a program runs by `-m`, and its position in the arguments.
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

/// Returns the first file that a script starts from its working directory. The search ends at the first command that changes the
/// directory or may create files.
pub fn by_script(text: &str) -> Option<&str> {
    first(text, by_words)
}

/// Returns the first Python module that a script runs, with the same restriction as [`by_script`].
pub fn module_of_script(text: &str) -> Option<&str> {
    first(text, module)
}

/// Returns the first result of `found` in the part of the script before the first command that changes the directory or may create
/// files.
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

/// Returns a program that the command names by its path, or the requirements file of `pip`.
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

/// Returns the script that an interpreter runs, or the file that the `-c` text of a shell starts.
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
        // An argument that is quoted in the `-c` text is one argument here.
        let found = if text.contains(char::is_whitespace) {
            by_script(text)
        } else {
            by_words(&words[number + 1..]).map(|f| f.1)
        };
        return found.map(|path| (number + 1, path));
    }
    (is_relative(path) && !path.starts_with('-')).then_some((number, path))
}

/// Returns the file that a launcher starts: a script with a known extension, the file of an interpreter, or a path that begins
/// with `./`.
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

/// Returns whether an argument may be the value of the option before it.
fn is_value(before: &[&str]) -> bool {
    before.last().is_some_and(|word| word.starts_with('-') && *word != "--" && !word.contains('='))
}

/// Returns the name of a program without its directory and its version.
fn name(word: &str) -> &str {
    let versions = |c: char| c.is_ascii_digit() || c == '.';
    word.rsplit('/').next().unwrap_or_default().trim_end_matches(versions)
}

fn name_of_launcher(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

/// Returns whether a path is relative. Another rule reports `~`.
fn is_relative(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '$'])
}
