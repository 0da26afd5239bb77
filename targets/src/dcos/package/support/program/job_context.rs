//! Converts the arguments of `run` to the dictionary `context` of `main`, because the package cannot pass arguments to the
//! program.
use crate::contract_builder::{Location, Places};
use crate::dcos::Dcos;
use serde_json::{Number, Value};
use tfjob_lang::plan::{Plan, Template};
use tfjob_lang::spec::values::{Word, WordKind};
use tfjob_lang::target::Site;

/// The longest context in bytes. The package passes it in an environment variable. Linux limits name and value together to 131,072
/// bytes (`MAX_ARG_STRLEN`), and the rest is a reserve for the name.
const LONGEST: usize = 131_000;

/// The reason why an argument cannot be passed, and a help that says what to change.
pub struct Refused {
    pub why: String,
    pub help: String,
}

fn refused(why: impl Into<String>, help: impl Into<String>) -> Refused {
    Refused { why: why.into(), help: help.into() }
}

/// Returns the entries of the context. The arguments after the module file must have the form `--NAME=VALUE`, with each name once.
///
/// # Errors
///
/// Returns why the arguments cannot become a context.
pub fn entries(argv: &[Template], plan: &Plan, site: &Site<Dcos>) -> Result<Vec<(String, Value)>, Refused> {
    // Without a module, there is no context. Another check reports the missing option.
    let Some(module) = site.job.module.as_ref().map(|m| m.value.as_str()) else { return Ok(Vec::new()) };
    let places = uris(plan);
    let words: Option<Vec<String>> = argv.iter().map(|word| places.fixed(word)).collect();
    let words = words.filter(|_| argv.iter().all(has_only_uris)).ok_or_else(|| {
        refused(
            "the TensorFlow package passes the same context to all tasks, so an argument cannot contain values of one task, such as `{index}` or `{code}`",
            "use fixed arguments; the module finds its index in `server.server_def` and its directory in `log_dir`",
        )
    })?;
    let file = format!("{}.py", module.trim_end_matches(".py"));
    let calls = |word: &String| *word == file || word.ends_with(&format!("/{file}"));
    let python = |word: &String| word.rsplit('/').next().is_some_and(|name| name.starts_with("python"));
    let rest = match words.as_slice() {
        [first, rest @ ..] if calls(first) => folder(first, &file, site).map(|()| rest)?,
        [first, second, rest @ ..] if python(first) && calls(second) => {
            folder(second, &file, site).map(|()| rest)?
        }
        [first, flag, name, rest @ ..] if python(first) && flag == "-m" && name == module => rest,
        _ => {
            return Err(refused(
                format!(
                    "the TensorFlow package calls `main` of the module `{module}`, but `run` starts another program"
                ),
                format!("use `run \"python\" \"{file}\"`, or set `module` to the module that `run` starts"),
            ));
        }
    };
    let mut entries: Vec<(String, Value)> = Vec::new();
    for word in rest {
        let (name, value) = entry(word, plan)?;
        if entries.iter().any(|(known, _)| *known == name) {
            return Err(refused(
                format!("the argument `--{name}` occurs twice, but each key of `context` is unique"),
                "remove one of the two",
            ));
        }
        entries.push((name, value));
    }
    let context: serde_json::Map<String, Value> = entries.iter().cloned().collect();
    if Value::Object(context).to_string().len() > LONGEST {
        return Err(refused(
            format!(
                "the TensorFlow package passes the context in one environment variable of at most {LONGEST} bytes"
            ),
            "use fewer or shorter arguments, or put them into a file in `code`",
        ));
    }
    Ok(entries)
}

/// Checks the directory of the module file. The package imports the module only from the root of the code or from `job-path`.
fn folder(word: &str, file: &str, site: &Site<Dcos>) -> Result<(), Refused> {
    let folder = word.strip_suffix(file).unwrap_or_default().trim_end_matches('/');
    let folder = folder.strip_prefix("./").unwrap_or(folder);
    let path = site.job.job_path.as_ref().map_or("", |path| path.value.as_str());
    if folder.is_empty() && !word.starts_with('/') || folder == "." || folder == path.trim_matches('/') {
        return Ok(());
    }
    let help = if word.starts_with('/') {
        format!("use `run \"python\" \"{file}\"`, and set `job-path` to the directory inside the code")
    } else {
        format!("use `job-path \"{folder}\"` in `target \"dcos\"`")
    };
    Err(refused(
        format!(
            "the TensorFlow package imports the module from the root of the code or from `job-path`, not from `{word}`"
        ),
        help,
    ))
}

fn entry(word: &str, plan: &Plan) -> Result<(String, Value), Refused> {
    let Some((name, value)) = word.strip_prefix("--").and_then(|w| w.split_once('=')) else {
        return Err(refused(
            format!(
                "the TensorFlow package passes no arguments to the module, and `{word}` cannot become an entry of `context`"
            ),
            "write the argument as `--NAME=VALUE`, which becomes the entry `NAME` of `context`",
        ));
    };
    let param = plan.params.iter().find(|(param, word)| param.value == name && word.text == value);
    if let Some((_, word)) = param {
        let value = typed(word).ok_or_else(|| {
            refused(
                format!("the TensorFlow package passes the context as JSON, where `{value}` loses digits"),
                "put the value of the param in quotes, so that the module gets a string",
            )
        })?;
        return Ok((name.to_owned(), value));
    }
    if serde_json::from_str::<Value>(value).is_ok() {
        return Err(refused(
            format!("the entry `{name}` of `context` could be the string `{value}` or another JSON value"),
            format!(
                "add `param \"{name}\" {value}` and write `--{name}={{param.{name}}}`: a param has a type"
            ),
        ));
    }
    Ok((name.to_owned(), Value::String(value.to_owned())))
}

/// Returns an argument value as a JSON value, or `None` if JSON cannot represent it exactly.
fn typed(word: &Word) -> Option<Value> {
    match word.kind {
        WordKind::Text => Some(Value::String(word.text.clone())),
        WordKind::Flag => Some(Value::Bool(word.text == "true")),
        WordKind::Int => word.text.parse::<i64>().ok().map(|n| Value::Number(n.into())),
        WordKind::Float => word.text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number),
    }
}

/// Returns the places of data and checkpoints, which are their URIs. A reference to any other place is refused.
pub fn uris(plan: &Plan) -> Places {
    let uri = |uri: &tfjob_lang::spec::values::Uri| Location::from(uri.to_string());
    Places {
        data: plan.storage.data.iter().map(|v| uri(&v.uri.value)).collect(),
        checkpoints: plan.storage.checkpoints.as_ref().map(|v| uri(&v.uri.value)).unwrap_or_default(),
        ..Places::default()
    }
}

/// Returns whether an argument refers to nothing but data and checkpoints, which have a URI.
fn has_only_uris(word: &Template) -> bool {
    use tfjob_lang::plan::{DataRef, Part};
    word.parts.iter().all(|part| match part {
        Part::Text(_) | Part::Data(DataRef::Data(_) | DataRef::Checkpoints, _) => true,
        Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Scratch, _) | Part::Task(..) => false,
    })
}
