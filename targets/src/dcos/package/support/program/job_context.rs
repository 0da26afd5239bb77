//! The words of `run` as the dictionary that the module's `main` gets: the package's program passes no words on.
use crate::contract_builder::{Location, Places};
use crate::dcos::Dcos;
use serde_json::{Number, Value};
use tfjob_lang::plan::{Plan, Template};
use tfjob_lang::spec::values::{Word, WordKind};
use tfjob_lang::target::Site;

/// The longest text of a variable that Linux passes to a process, less its name (`MAX_ARG_STRLEN`).
const LONGEST: usize = 131_000;

/// A word that the package has no place for.
pub struct Lost {
    pub why: String,
    pub help: String,
}

fn lost(why: impl Into<String>, help: impl Into<String>) -> Lost {
    Lost { why: why.into(), help: help.into() }
}

/// The context that the words say: `--NAME=VALUE` after the module's file, each name once.
pub fn entries(argv: &[Template], plan: &Plan, site: &Site<Dcos>) -> Result<Vec<(String, Value)>, Lost> {
    // Without a module a rule speaks, and the words are not at fault.
    let Some(module) = site.job.module.as_ref().map(|m| m.value.as_str()) else { return Ok(Vec::new()) };
    let places = uris(plan);
    let words: Option<Vec<String>> = argv.iter().map(|word| places.fixed(word)).collect();
    let words = words.filter(|_| argv.iter().all(named)).ok_or_else(|| {
        lost(
            "tells the package's module nothing that only the task or its folder knows",
            "write fixed words; the module finds its place in `server.server_def` and its folder in `log_dir`",
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
            return Err(lost(
                format!("calls `main` of the module `{module}`, and these words start something else"),
                format!("write `run \"python\" \"{file}\"`, or name the module that this starts"),
            ));
        }
    };
    let mut entries: Vec<(String, Value)> = Vec::new();
    for word in rest {
        let (name, value) = entry(word, plan)?;
        if entries.iter().any(|(known, _)| *known == name) {
            return Err(lost(format!("has one `{name}` in the package's context"), "remove one of the two"));
        }
        entries.push((name, value));
    }
    let context: serde_json::Map<String, Value> = entries.iter().cloned().collect();
    if Value::Object(context).to_string().len() > LONGEST {
        return Err(lost(
            format!("passes the package's context in one variable, of at most {LONGEST} bytes"),
            "write fewer or shorter arguments, or put them into a file in `code`",
        ));
    }
    Ok(entries)
}

/// The package looks for the module at the root of the code, or in the folder of `job-path`, and nowhere else.
fn folder(word: &str, file: &str, site: &Site<Dcos>) -> Result<(), Lost> {
    let folder = word.strip_suffix(file).unwrap_or_default().trim_end_matches('/');
    let folder = folder.strip_prefix("./").unwrap_or(folder);
    let path = site.job.job_path.as_ref().map_or("", |path| path.value.as_str());
    if folder.is_empty() && !word.starts_with('/') || folder == "." || folder == path.trim_matches('/') {
        return Ok(());
    }
    let help = if word.starts_with('/') {
        format!("write `run \"python\" \"{file}\"`, and the folder in the code as `job-path`")
    } else {
        format!("write `job-path \"{folder}\"` in `target \"dcos\"`")
    };
    Err(lost(
        format!("imports the module from the root of the code or from `job-path`, not from `{word}`"),
        help,
    ))
}

fn entry(word: &str, plan: &Plan) -> Result<(String, Value), Lost> {
    let Some((name, value)) = word.strip_prefix("--").and_then(|w| w.split_once('=')) else {
        return Err(lost(
            format!("passes no words to the package's module, and `{word}` is no entry of its context"),
            "write the word as `--NAME=VALUE`: it becomes the entry NAME of `context`",
        ));
    };
    let param = plan.params.iter().find(|(param, word)| param.value == name && word.text == value);
    if let Some((_, word)) = param {
        let value = typed(word).ok_or_else(|| {
            lost(
                format!("passes the context as JSON, whose readers lose digits of `{value}`"),
                "write the param in quotes: then the module gets its text",
            )
        })?;
        return Ok((name.to_owned(), value));
    }
    if serde_json::from_str::<Value>(value).is_ok() {
        return Err(lost(
            format!("cannot tell whether the context's `{name}` is a text or a number"),
            format!(
                "add `param \"{name}\" {value}` and write `--{name}={{param.{name}}}`: a param has a type"
            ),
        ));
    }
    Ok((name.to_owned(), Value::String(value.to_owned())))
}

/// A param's value, where JSON can hold it as it is.
fn typed(word: &Word) -> Option<Value> {
    match word.kind {
        WordKind::Text => Some(Value::String(word.text.clone())),
        WordKind::Flag => Some(Value::Bool(word.text == "true")),
        WordKind::Int => word.text.parse::<i64>().ok().map(|n| Value::Number(n.into())),
        WordKind::Float => word.text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number),
    }
}

/// Data and state are where their uris say; nothing else has a place that the job could name.
pub fn uris(plan: &Plan) -> Places {
    let uri = |uri: &tfjob_lang::spec::values::Uri| Location::from(uri.to_string());
    Places {
        data: plan.storage.data.iter().map(|v| uri(&v.uri.value)).collect(),
        checkpoints: plan.storage.checkpoints.as_ref().map(|v| uri(&v.uri.value)).unwrap_or_default(),
        ..Places::default()
    }
}

/// Whether every place in the text is one that has a uri.
fn named(word: &Template) -> bool {
    use tfjob_lang::plan::{DataRef, Part};
    word.parts.iter().all(|part| match part {
        Part::Text(_) | Part::Data(DataRef::Data(_) | DataRef::Checkpoints, _) => true,
        Part::Data(DataRef::Code | DataRef::Stage(_) | DataRef::Scratch, _) | Part::Task(..) => false,
    })
}
