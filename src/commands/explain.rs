//! `tfjob explain`: what a word means, be it a code, a node or property, a feature or a target.
mod evidence;
mod supports;
mod words;

use crate::analysis::DRIVER;
use crate::args::Explain;
use crate::markdown;
use crate::outcome::{Failure, Outcome};
use crate::render::gist;
use crate::terminal::TextStyle;
use std::io::{self, Write};
use tfjob_lang::diagnostic::{Code, nearest};
use tfjob_lang::glossary;
use tfjob_lang::references;
use tfjob_lang::requirement::Feature;
use tfjob_lang::shape::Shape;
use tfjob_lang::spec::values::Scheme;

/// Runs the command.
///
/// # Errors
/// For a word that nothing explains, with the nearest that something does.
pub fn run(args: &Explain, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let word = args.word.as_str();
    let page = match (codes().find(|code| code.name == word), list(word)) {
        (Some(code), _) => code.page.to_owned(),
        (None, Some(list)) => list,
        (None, None) => page(word, &tfjob_targets::SHAPE, &tfjob_targets::CLUSTER_SHAPE)?,
    };
    out.write_all(markdown::drawn(&page, TextStyle::of(&io::stdout())).as_bytes())?;
    Ok(Outcome::Clean)
}

/// The words of one kind, each with a sentence.
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

/// All that is known of a word: several things may share it, as `gpus` is a property and a feature.
fn page(word: &str, shape: &'static Shape, cluster: &Shape) -> Result<String, Failure> {
    let target = DRIVER.registry().target(word);
    // Who asks for a target wants to know what it is, before what a cluster file says of it.
    let options = target.and_then(|target| supports::options(target, shape));
    let parts = [
        target.map(|target| supports::of_target(target, shape)),
        words::page(word, &[shape, cluster], options.map(|block| block.fields)),
        schemes(word),
        glossary::page(word),
        words::value(word, &[shape, cluster]),
        reference(word),
        Feature::named(word).map(supports::of_feature),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return Err(unknown(word, &[shape, cluster]));
    }
    Ok(format!("# {word}\n\n{}", parts.join("\n")))
}

/// One scheme of uris, or all of them.
fn schemes(word: &str) -> Option<String> {
    let item = |scheme: &Scheme| format!("- `{}`: {}\n", scheme.example(), scheme.about());
    match Scheme::ALL.iter().find(|scheme| scheme.word() == word) {
        Some(scheme) => Some(format!("The scheme of a uri:\n\n{}", item(scheme))),
        None if word == "uri" => {
            Some(format!("The uris:\n\n{}", Scheme::ALL.iter().map(item).collect::<String>()))
        }
        None => None,
    }
}

/// A reference, by its first word, its braces or its variable.
fn reference(word: &str) -> Option<String> {
    let bare = word.trim_matches(['{', '}', '$']).split('.').next()?.to_lowercase();
    let bare = bare.strip_prefix("tfjob_").unwrap_or(&bare);
    let found = references::ALL.iter().find(|one| one.head == bare.split('_').next().unwrap_or(bare))?;
    let forms: Vec<String> = found.forms.iter().map(|form| format!("`{form}`")).collect();
    Some(format!("The reference {}: {}\n", forms.join(", "), found.about))
}

/// Those of the language and of the targets.
fn codes() -> impl Iterator<Item = &'static Code> + Clone {
    tfjob_lang::codes::ALL.iter().chain(tfjob_targets::codes::ALL).copied()
}

fn unknown(word: &str, shapes: &[&Shape]) -> Failure {
    let (fields, values) = (words::all(shapes), words::values(shapes));
    let known = codes()
        .map(|code| code.name)
        .chain(Feature::ALL.iter().map(|feature| feature.name()))
        .chain(tfjob_targets::ALL.iter().map(|target| target.name()))
        .chain(Scheme::ALL.iter().map(|scheme| scheme.word()))
        .chain(glossary::names())
        .chain(values.into_iter().map(|(_, value)| value))
        .chain(fields.iter().map(String::as_str));
    let hint = nearest(word, known).map_or_else(
        || "; `codes`, `features`, `references` and `targets` list what is".to_owned(),
        |near| format!("; the nearest is `{near}`"),
    );
    Failure::new(format!("nothing explains `{word}`{hint}"))
}
