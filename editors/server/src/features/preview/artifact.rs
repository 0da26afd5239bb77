//! Places of values in the text of an artifact, by JSON pointer.
use serde_json::Value as Json;
use std::ops::Range;
use tfjob_lang::lowered::{self, TracedContract};
use tfjob_lang::origin::{Document, Origins, pointer_key, pointer_step};
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::syntax::{read_json, read_yaml};
use tfjob_lang::tree::{Tree, Value};

/// Minimum length of a value of a script that is searched in its text. A shorter value may occur by chance.
const SHORTEST: usize = 3;

/// An artifact with the places of its values.
pub struct Artifact<'a> {
    /// The origins of its documents.
    documents: Vec<(&'a Origins, Places)>,
    /// The origins of the job contract, if it is in the artifact.
    contract: Option<(&'a Origins, Places)>,
}

/// Byte ranges in the text of the artifact, by JSON pointer, each from the key to the end of the value; outer values first.
type Places = Vec<(String, Range<usize>)>;

/// Returns the format of an output file by its name; `None` for a script, or a file in a format that specs do not have.
#[must_use]
pub fn format_of(path: &str) -> Option<Format> {
    match path.rsplit('.').next() {
        Some("json") => Some(Format::Json),
        Some("yaml" | "yml") => Some(Format::Yaml),
        Some(_) | None => None,
    }
}

impl<'a> Artifact<'a> {
    /// Finds the values of an artifact in its text. `contract`: the job contract of the target, which may be a string in the artifact.
    #[must_use]
    pub fn of(file: &'a lowered::Artifact, contract: Option<&'a TracedContract>) -> Self {
        let format = format_of(&file.path);
        let texts = match format {
            Some(Format::Yaml) => yaml_documents(&file.text),
            Some(Format::Kdl | Format::Json | Format::Set) | None => {
                std::iter::once(0..file.text.len()).collect()
            }
        };
        let contract = contract.map(|(contract, origins)| {
            let value: Json = serde_json::from_str(&contract.write()).unwrap_or_default();
            (value, origins)
        });
        let (mut documents, mut inner) = (Vec::new(), None);
        for (document, range) in file.documents.iter().zip(texts) {
            let found = format.and_then(|format| structured(&file.text, range, format));
            let places = found.unwrap_or_else(|| searched(&file.text, &document.value));
            if let Some((contract, origins)) = &contract {
                let found = || contract_in(&file.text, document, &places, contract);
                inner = inner.or_else(|| Some((*origins, found()?)));
            }
            documents.push((&document.origins, places));
        }
        // The contract may also be a file, which has no document.
        if let Some((contract, origins)) = contract.filter(|_| file.documents.is_empty())
            && serde_json::from_str(&file.text).is_ok_and(|value: Json| value == contract)
        {
            let places = structured(&file.text, 0..file.text.len(), Format::Json);
            inner = places.map(|places| (origins, places));
        }
        Self { documents, contract: inner }
    }

    /// Returns the origins of all values.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.all().flat_map(|(origins, _)| origins.0.values().copied())
    }

    fn all(&self) -> impl Iterator<Item = &(&'a Origins, Places)> {
        self.documents.iter().chain(&self.contract)
    }

    /// Returns the places of the values with these origins, without duplicates: those of the platform, otherwise those in the contract.
    #[must_use]
    pub fn places(&self, is: impl Fn(Span) -> bool) -> Vec<Range<usize>> {
        let of = |(origins, places): &(&Origins, Places)| -> Vec<Range<usize>> {
            let pointers = origins.0.iter().filter(|(_, span)| is(**span));
            pointers.flat_map(|(pointer, _)| nearest(places, pointer)).collect()
        };
        let mut found: Vec<_> = self.documents.iter().flat_map(of).collect();
        if found.is_empty() {
            found.extend(self.contract.iter().flat_map(of));
        }
        found.sort_by_key(|range| (range.start, range.end));
        found.dedup();
        found
    }

    /// Returns the origin of the innermost value at an offset that has an origin.
    #[must_use]
    pub fn origin(&self, byte: usize) -> Option<Span> {
        let around = self.all().flat_map(|(origins, places)| {
            let at = places.iter().filter(|(_, range)| range.start <= byte && byte <= range.end);
            at.map(move |(pointer, range)| (origins, pointer, range.len()))
        });
        let mut around: Vec<_> = around.collect();
        around.sort_by_key(|(_, _, length)| *length);
        around.into_iter().find_map(|(origins, pointer, _)| origins.blame(pointer))
    }
}

/// Returns the places of the values of a job contract that is a string of a document, such as in a ConfigMap. `None` if it is in none of
/// the strings.
fn contract_in(text: &str, document: &Document, places: &Places, contract: &Json) -> Option<Places> {
    let is_contract = |(pointer, _): &&(String, Range<usize>)| {
        let string = document.value.pointer(pointer).and_then(Json::as_str);
        let string = string.filter(|string| string.starts_with('{'));
        string.and_then(|string| serde_json::from_str::<Json>(string).ok()).as_ref() == Some(contract)
    };
    let (_, whole) = places.iter().find(is_contract)?;
    let written = text.get(whole.clone())?;
    // The lines of a block of YAML are indented, which JSON ignores. A string with escapes has only one place.
    let inner = whole.start + written.find('{')?..whole.start + written.rfind('}')? + 1;
    Some(structured(text, inner, Format::Json).unwrap_or_else(|| vec![(String::new(), whole.clone())]))
}

/// Returns the places of a value. A value inside a string, such as a part of a command, has the place of the string.
fn nearest(places: &Places, pointer: &str) -> Vec<Range<usize>> {
    let mut rest = pointer;
    loop {
        let at: Vec<_> = places.iter().filter(|(at, _)| at == rest).map(|(_, range)| range.clone()).collect();
        let above = rest.rfind('/');
        match (at.is_empty(), above) {
            (true, Some(above)) => rest = &rest[..above],
            (true, None) | (false, _) => return at,
        }
    }
}

/// Returns the byte ranges of the documents of a YAML file.
fn yaml_documents(text: &str) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "---" {
            if !text[start..at].trim().is_empty() {
                all.push(start..at);
            }
            start = at + line.len();
        }
        at += line.len();
    }
    all.push(start..at);
    all
}

/// Finds the values of a document with the parsers of specs. `None` if they reject the text.
fn structured(text: &str, range: Range<usize>, format: Format) -> Option<Places> {
    let mut sources = Sources::default();
    let number = sources.add("artifact", format, text.get(range.clone())?);
    let source = sources.get(number);
    let (tree, _) = match format {
        Format::Json => read_json(source),
        Format::Yaml => read_yaml(source),
        Format::Kdl | Format::Set => return None,
    };
    let tree = tree?;
    let local = |span: Span| {
        let local = source.local(span);
        range.start + local.start..range.start + local.end
    };
    let mut places = vec![(String::new(), local(tree.span))];
    walk(&tree, &mut String::new(), &local, &mut places);
    Some(places)
}

fn walk(tree: &Tree, at: &mut String, local: &dyn Fn(Span) -> Range<usize>, places: &mut Places) {
    let length = at.len();
    match &tree.value {
        Value::Map(entries) => {
            for entry in entries {
                at.push('/');
                at.push_str(&pointer_step(&entry.key));
                let range = local(entry.key_span).start..local(entry.tree.span).end;
                places.push((at.clone(), range));
                walk(&entry.tree, at, local, places);
                at.truncate(length);
            }
        }
        Value::List(items) => {
            for (number, item) in items.iter().enumerate() {
                at.push_str(&format!("/{number}"));
                places.push((at.clone(), local(item.span)));
                walk(item, at, local, places);
                at.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Hole => {}
    }
}

/// Searches the strings and numbers of a document in the text of a script: first with their keys, as in `spark.executor.cores=4` and
/// `--name a`; then alone.
fn searched(text: &str, value: &serde_json::Value) -> Places {
    let mut leaves = Vec::new();
    strings(value, &mut String::new(), &mut leaves);
    let found = leaves.into_iter().flat_map(|(at, value)| {
        let key = pointer_key(at.rsplit('/').next().unwrap_or_default());
        let mut ranges = [format!("{key}={value}"), format!("--{key} {value}")]
            .iter()
            .flat_map(|words| occurrences(text, words))
            .collect::<Vec<_>>();
        if ranges.is_empty() && value.len() >= SHORTEST {
            ranges = occurrences(text, &value);
        }
        ranges.into_iter().map(move |range| (at.clone(), range))
    });
    found.collect()
}

/// Returns the ranges of a text in a script that are not parts of longer words.
fn occurrences(text: &str, words: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let is_whole = |range: &Range<usize>| {
        !text[..range.start].ends_with(is_part) && !text[range.end..].starts_with(is_part)
    };
    text.match_indices(words).map(|(start, _)| start..start + words.len()).filter(is_whole).collect()
}

fn strings(value: &serde_json::Value, at: &mut String, leaves: &mut Vec<(String, String)>) {
    let length = at.len();
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                at.push('/');
                at.push_str(&pointer_step(key));
                strings(value, at, leaves);
                at.truncate(length);
            }
        }
        serde_json::Value::Array(list) => {
            for (number, value) in list.iter().enumerate() {
                at.push_str(&format!("/{number}"));
                strings(value, at, leaves);
                at.truncate(length);
            }
        }
        serde_json::Value::String(text) => leaves.push((at.clone(), text.clone())),
        serde_json::Value::Number(number) => leaves.push((at.clone(), number.to_string())),
        serde_json::Value::Null | serde_json::Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tfjob_driver::{Driver, Request};
    use tfjob_targets::specimens;

    /// Each example that extends no other file.
    const EXAMPLES: [&str; 12] = [
        include_str!("../../../../../examples/cifar10.tfjob.kdl"),
        include_str!("../../../../../examples/dcos-mnist.tfjob.kdl"),
        include_str!("../../../../../examples/dist-mnist.tfjob.kdl"),
        include_str!("../../../../../examples/evaluator.tfjob.kdl"),
        include_str!("../../../../../examples/gpu.tfjob.kdl"),
        include_str!("../../../../../examples/minimal.tfjob.kdl"),
        include_str!("../../../../../examples/multi-worker.tfjob.kdl"),
        include_str!("../../../../../examples/restart.tfjob.kdl"),
        include_str!("../../../../../examples/start-order.tfjob.kdl"),
        include_str!("../../../../../examples/tfos-mnist.tfjob.kdl"),
        include_str!("../../../../../examples/tfos-mnist-feed.tfjob.kdl"),
        include_str!("../../../../../examples/tony-mnist.tfjob.kdl"),
    ];

    #[test]
    fn each_origin_of_a_structured_artifact_is_found_and_leads_back() {
        let driver = Driver::new(tfjob_targets::REGISTRY);
        let (mut found, mut files) = (0, 0);
        let examples = EXAMPLES.iter().map(|text| (*text).to_owned());
        let all = examples.chain(specimens::all().map(|one| specimens::text(&one, "kubernetes")));
        for text in all {
            for target in tfjob_targets::ALL {
                let targets = [*target];
                let request = Request::new("a.tfjob.kdl", &text).targets(&targets).artifacts(true);
                let checked = driver.check(&request);
                let lowered = checked.compiled.iter().filter_map(|(_, lowered)| lowered.as_ref());
                for file in lowered.flat_map(|one| one.artifacts.iter().chain(&one.companions)) {
                    if format_of(&file.path).is_none() {
                        continue;
                    }
                    files += 1;
                    found += judge(target.name(), file);
                }
            }
        }
        assert!(found > 1_000 && files > 20, "{found} origins in {files} files");
    }

    fn judge(target: &str, file: &lowered::Artifact) -> usize {
        let artifact = Artifact::of(file, None);
        let documents = (artifact.documents.len(), file.documents.len());
        assert_eq!(documents.0, documents.1, "{target}: {}", file.path);
        let mut found = 0;
        for ((origins, places), document) in artifact.documents.iter().zip(&file.documents) {
            for (pointer, span) in &origins.0 {
                let own = places.iter().find(|(at, _)| at == pointer).map(|(_, range)| range.clone());
                if own.is_none() {
                    // A part of a string, such as a command: see `nearest`.
                    let mut inside =
                        (1..pointer.len()).filter_map(|end| document.value.pointer(&pointer[..end]));
                    assert!(
                        inside.next_back().is_some_and(serde_json::Value::is_string),
                        "{target}: {pointer}"
                    );
                    assert!(!artifact.places(|one| one == *span).is_empty(), "{target}: {pointer}");
                    continue;
                }
                let range = own.expect("found");
                let value = document.value.pointer(pointer);
                // An object in a list starts where its first entry starts, which may have another origin.
                if value.is_some_and(|value| !value.is_object() && !value.is_array()) {
                    assert_eq!(artifact.origin(range.start), Some(*span), "{target}: {}{pointer}", file.path);
                }
                assert!(artifact.places(|one| one == *span).contains(&range), "{target}: {pointer}");
                found += 1;
            }
        }
        found
    }
}
