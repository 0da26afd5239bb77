//! Tests with the same specs in JSON and YAML: their messages must not contain KDL syntax.
use super::mutant::{Texts, read};
use super::{alone, each, grow, planters, site};
use crate::able;
use crate::page::{CLUSTER, SET, blocks};
use crate::pages;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::{self, Shape};
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::tree::{Tree, Value};
use tfjob_targets::specimens;

/// Longer texts are tests of length limits, which are skipped.
const LONG: usize = 1 << 16;

/// Returns the specs of all planted faults, pages of codes, and features.
fn specs() -> Vec<(String, Texts)> {
    let mut all: Vec<(String, Texts)> =
        planters().iter().map(|planter| (planter.code.to_owned(), grow(&[planter]).0)).collect();
    all.extend(alone::all().iter().map(|alone| (alone.code.to_owned(), alone.unmark().0)));
    for code in [tfjob_lang::codes::ALL, tfjob_targets::codes::ALL].concat() {
        let (mut beside, mut own) = (Vec::new(), Vec::new());
        for block in blocks(pages::of(code)).unwrap() {
            let text = (block.name.clone(), block.text.clone());
            match block.beside {
                true if ![SET, CLUSTER].contains(&block.name.as_str()) => beside.push(text),
                true => {}
                false => own.push(text),
            }
        }
        let with =
            |text| (code.name.to_owned(), std::iter::once(text).chain(beside.iter().cloned()).collect());
        all.extend(own.into_iter().filter(|(name, _)| name != CLUSTER).map(with));
    }
    let named = |text: String| vec![("a.tfjob.kdl".to_owned(), text)];
    let spec = |specimen| named(specimens::text(&specimen, "yarn"));
    all.extend(specimens::all().map(|specimen| (specimen.feature.to_owned(), spec(specimen))));
    all.retain(|(_, texts)| texts.iter().all(|(_, text)| text.len() < LONG));
    all
}

fn as_json(tree: &Tree) -> Json {
    match &tree.value {
        Value::Null | Value::Hole => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(i64::try_from(*number).unwrap_or(i64::MAX)),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(items) => items.iter().map(as_json).collect(),
        Value::Map(entries) => {
            let read = entries.iter().filter(|entry| entry.tree.value != Value::Hole);
            Json::Object(read.map(|entry| (entry.key.clone(), as_json(&entry.tree))).collect())
        }
    }
}

/// Returns the messages for a text, of the language and of all targets.
fn told(name: &str, text: &str) -> Vec<Diagnostic> {
    let analysis = read(&vec![(name.to_owned(), text.to_owned())], &[]);
    let mut all = analysis.diagnostics.clone();
    all.extend(site::targets().iter().flat_map(|target| analysis.check(*target).diagnostics));
    all
}

/// Returns the names of all entries.
fn names(shape: &Shape, all: &mut BTreeSet<&'static str>) {
    let fields = match shape {
        Shape::Object(object) => object.fields,
        Shape::Keyed(keyed) => return names(&keyed.item, all),
        Shape::List(list) => return names(&list.item, all),
        _ => return,
    };
    for field in fields {
        all.insert(field.name);
        names(&field.shape, all);
    }
}

/// Returns the code snippets of a message that are valid only in KDL.
fn kdl(sentence: &str, names: &BTreeSet<&'static str>) -> Vec<String> {
    let is = |snippet: &str| {
        let end = snippet.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(snippet.len());
        let (name, rest) = snippet.split_at(end);
        let entry = rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(['"', '{', '#', '…', '[']));
        ["#true", "#false"].iter().any(|flag| snippet.contains(flag))
            || names.contains(name) && (entry || rest.starts_with('='))
    };
    let snippets = sentence.split('`').skip(1).step_by(2);
    snippets.filter(|snippet| is(snippet)).map(str::to_owned).collect()
}

/// Returns the messages with KDL syntax for a text of this name.
fn told_in_kdl(code: &str, name: &str, text: &str, names: &BTreeSet<&'static str>) -> BTreeSet<String> {
    let one = |told: &Diagnostic| {
        let titles = told.fixes.iter().map(|fix| fix.title.as_str());
        let found: Vec<String> =
            titles.chain(told.help.as_deref()).flat_map(|help| kdl(help, names)).collect();
        let (help, of) = (told.help.clone().unwrap_or_default(), told.code.name);
        (!found.is_empty()).then(|| format!("{of} in {name} of {code}: {found:?} of: {help}"))
    };
    told(name, text).iter().filter_map(one).collect()
}

#[test]
fn no_help_for_a_spec_in_json_or_yaml_is_written_in_kdl() {
    let mut known = BTreeSet::new();
    names(&tfjob_lang::analysis::shape_of(site::targets()), &mut known);
    let specs = specs();
    let wrong = each(specs.len() as u64, |number| {
        if !able::tries(number as usize) {
            return None;
        }
        let (code, texts) = &specs[number as usize];
        let tree = read(texts, &[]).tree;
        let text = serde_json::to_string_pretty(&as_json(&tree)).unwrap();
        let name = ["a.tfjob.json", "a.tfjob.yaml"][number as usize / 4 % 2];
        Some(told_in_kdl(code, name, &text, &known))
    });
    let wrong: BTreeSet<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Returns the string literals of a source file, with `1` for each format argument.
fn literals(source: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = source.split("#[cfg(test)]").next().unwrap_or_default();
    while let Some(start) = rest.find('"') {
        let quoted = rest[..start].ends_with('\'');
        rest = &rest[start + 1..];
        let (mut text, mut escaped) = (String::new(), false);
        let Some(end) = (!quoted).then(|| {
            rest.char_indices().find_map(|(at, c)| match (escaped, c) {
                (false, '"') => Some(at),
                (false, '\\') => {
                    escaped = true;
                    None
                }
                (true, '\n') => None,
                (true, ' ') if text.ends_with(' ') || rest[..at].trim_end().ends_with('\\') => None,
                (was, c) => {
                    escaped = false;
                    text.extend((!was || c != 'n').then_some(c));
                    None
                }
            })
        }) else {
            continue;
        };
        let Some(end) = end else { break };
        rest = &rest[end + 1..];
        all.push(filled(&text));
    }
    all
}

/// Returns a format string with `1` for each argument.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        let slot = rest.find('}').filter(|end| rest[..*end].chars().all(|c| c.is_alphanumeric() || c == '_'));
        if let Some(doubled) = rest.strip_prefix(brace) {
            out.push_str(brace);
            rest = doubled;
        } else if let Some(end) = slot.filter(|_| brace == "{") {
            out.push('1');
            rest = &rest[end + 1..];
        } else {
            out.push_str(brace);
        }
    }
    out + rest
}

#[test]
fn all_kdl_in_the_messages_can_be_written_in_json_and_yaml() {
    let shape = tfjob_lang::analysis::shape_of(site::targets());
    let mut known = BTreeSet::new();
    names(&shape, &mut known);
    let mut sources = Sources::default();
    sources.add("a", Format::Yaml, "a: 1");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("compiler/lang/src"), root.join("targets/src")];
    let mut wrong = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // Messages about the syntax of KDL contain KDL, so these files are skipped.
            if path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "syntax") {
                continue;
            }
            for text in literals(&std::fs::read_to_string(&path).unwrap()) {
                let told = Diagnostic::new(tfjob_lang::codes::ALL[0], Span::new(0, 1), "").help(text);
                let mut told = [told];
                shape::restate(&mut told, &sources, Format::Yaml, &shape);
                let left = told[0].help.iter().flat_map(|help| kdl(help, &known));
                // A format argument may be the name of a target or environment variable, which cannot be `1`.
                let argument = |text: &String| {
                    text.starts_with("target \"1\"")
                        || text.starts_with("env { 1 ")
                        || text.ends_with("{ 1 }")
                };
                let left = left.filter(|text| !argument(text));
                wrong.extend(left.map(|snippet| format!("{}: {snippet}", path.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}
