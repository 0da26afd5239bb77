//! `tfjob explain`: explains an error code, a keyword, a feature, or a target.
mod evidence;
mod keywords;
mod supports;
mod topics;

use crate::analysis::DRIVER;
use crate::args::Explain;
use crate::markdown;
use crate::outcome::{Failure, Outcome};
use crate::render::gist;
use crate::terminal::TextStyle;
use crate::texts;
use std::io::{self, Write};
use tfjob_lang::diagnostic::{Code, nearest};
use tfjob_lang::glossary;
use tfjob_lang::references;
use tfjob_lang::requirement::Feature;
use tfjob_lang::shape::{Shape, foreign_keywords, keyword_of};
use tfjob_lang::spec::values::Scheme;

/// Runs the command.
///
/// # Errors
/// Returns an error if the topic is unknown. The error names the most similar topic.
pub fn run(args: &Explain, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let word = match &args.property {
        Some(property) => format!("{}.{property}", args.word),
        None => args.word.clone(),
    };
    let page = topic(&word)?;
    out.write_all(markdown::drawn(&page, TextStyle::of(&io::stdout())).as_bytes())?;
    Ok(Outcome::Clean)
}

/// Returns the page about a topic, in Markdown.
///
/// # Errors
/// Returns an error if the topic is unknown. The error names the most similar topic.
pub fn topic(word: &str) -> Result<String, Failure> {
    match (codes().find(|code| code.name == word), list(word)) {
        (Some(code), _) => Ok(texts::page(code).to_owned()),
        (None, Some(list)) => Ok(list),
        (None, None) => {
            page(word, [&tfjob_targets::SHAPE, &tfjob_targets::CLUSTER_SHAPE, &tfjob_targets::PROJECT_SHAPE])
        }
    }
}

/// Returns the list of all topics of a kind, each with the first sentence of its description.
fn list(kind: &str) -> Option<String> {
    let item = |name: &str, words: &str| format!("- `{name}`: {words}\n");
    let items: String = match kind {
        "codes" => codes().map(|code| item(code.name, &gist(code))).collect(),
        "features" => Feature::ALL.iter().map(|feature| item(feature.name(), feature.doc())).collect(),
        "references" => references::ALL.iter().map(|one| item(&one.forms.join("`, `"), one.about)).collect(),
        "targets" => tfjob_targets::ALL.iter().map(|target| item(target.name(), target.about())).collect(),
        _ => return None,
    };
    Some(format!("# {kind}\n\n{items}"))
}

/// Returns all entries of a topic, because several entries may have the same name: `gpus` is a property and a feature.
/// `shapes`: those of jobs, cluster files, and project files.
fn page(word: &str, shapes: [&'static Shape; 3]) -> Result<String, Failure> {
    let [shape, ..] = shapes;
    let target = DRIVER.registry().target(word);
    // The description of a target lists the fields of its block, so `keywords::page` does not list these fields again.
    let options = target.and_then(|target| supports::options(target, shape));
    let parts = [
        target.map(|target| supports::of_target(target, shape)),
        topics::page(word),
        keywords::page(word, &shapes, options.map(|block| block.fields), None),
        schemes(word),
        glossary::page(word),
        keywords::value(word, &shapes),
        reference(word),
        Feature::named(word).map(supports::of_feature),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if let (true, Some((head, name))) =
        (parts.is_empty(), word.split_once('.').filter(|(head, _)| !head.is_empty() && !word.contains('{')))
    {
        // `resources.memory`: the field of this block comes first, because other blocks may have a field of this name.
        let own = keywords::page(name, &shapes, None, Some(head)).map(|own| format!("# {name}\n\n{own}"));
        return own.map_or_else(|| page(head, shapes), Ok);
    }
    if parts.is_empty() {
        let Some(ours) = translated(word) else { return Err(unknown(word, &shapes)) };
        return Ok(format!("`{word}` is `{ours}` here.\n\n{}", page(ours, shapes)?));
    }
    Ok(format!("# {word}\n\n{}", parts.join("\n")))
}

/// Returns the entry of one URI scheme, or of all schemes for `uri`.
fn schemes(word: &str) -> Option<String> {
    let item = |scheme: &Scheme| format!("- `{}`: {}\n", scheme.example(), scheme.about());
    match Scheme::ALL.iter().find(|scheme| scheme.word() == word) {
        Some(scheme) => Some(format!("URI scheme:\n\n{}", item(scheme))),
        None if word == "uri" => {
            Some(format!("URI schemes:\n\n{}", Scheme::ALL.iter().map(item).collect::<String>()))
        }
        None => None,
    }
}

/// Returns the entry of a reference, found by its name, its form in braces, or its environment variable.
fn reference(word: &str) -> Option<String> {
    let bare = word.trim_matches(['{', '}', '$']).split('.').next()?.to_lowercase();
    let bare = bare.strip_prefix("tfjob_").unwrap_or(&bare);
    let found = references::ALL.iter().find(|one| one.head == bare.split('_').next().unwrap_or(bare))?;
    let body = word.trim_matches(['{', '}', '$']);
    // `role.worker` is a path of `--set`, not a reference.
    if body.contains('.') && !found.is(body) {
        return None;
    }
    let forms: Vec<String> = found.forms.iter().map(|form| format!("`{form}`")).collect();
    Some(format!("Reference {}: {}\n", forms.join(", "), found.about))
}

/// Returns the codes of the language and of the targets.
fn codes() -> impl Iterator<Item = &'static Code> + Clone {
    tfjob_lang::codes::ALL.iter().chain(tfjob_targets::codes::ALL).copied()
}

/// Returns the target or keyword for a name of another system, by the same tables as the suggestions of `tfjob check`.
fn translated(word: &str) -> Option<&'static str> {
    let folded = word.to_lowercase();
    let target = DRIVER.registry().targets.iter().find(|target| target.aliases().contains(&folded.as_str()));
    target.map(|target| target.name()).or_else(|| keyword_of(word))
}

fn unknown(word: &str, shapes: &[&Shape]) -> Failure {
    let (fields, values) = (keywords::all(shapes), keywords::values(shapes));
    let known = codes()
        .map(|code| code.name)
        .chain(Feature::ALL.iter().map(|feature| feature.name()))
        .chain(tfjob_targets::ALL.iter().map(|target| target.name()))
        .chain(Scheme::ALL.iter().map(|scheme| scheme.word()))
        .chain(glossary::names())
        .chain(topics::names())
        .chain(foreign_keywords())
        .chain(values.into_iter().map(|(_, value)| value))
        .chain(fields.iter().map(String::as_str));
    let hint = nearest(word, known).map_or_else(
        || {
            let topics: Vec<&str> = topics::names().collect();
            format!(
                ": a topic is a keyword of the spec such as `restart`, an error code, a feature, a reference, a target, or one of {}; \
                 `tfjob explain` with `codes`, `features`, `references`, or `targets` prints a list",
                topics.join(", ")
            )
        },
        |near| format!("; did you mean `{near}`?"),
    );
    Failure::new(format!("unknown topic `{word}`{hint}"))
}
