//! A mutant: the valid spec with planted faults, and its expected findings.
use super::planter::{Change, File, Planter};
use super::site;
use std::collections::BTreeMap;
use std::ops::Range;
use tfjob_driver::files::format_of;
use tfjob_driver::{Analysis, Loaded, Request};
use tfjob_lang::diagnostic::Diagnostic;

/// A finding: file, first and last byte, code.
pub type Told = (String, usize, usize, &'static str);

/// The texts of a spec by name; the first is checked.
pub type Texts = Vec<(String, String)>;

/// A planted fault and its position.
pub struct Planted<'p> {
    pub planter: &'p Planter,
    /// Expected finding.
    pub told: Told,
    /// Edited ranges: file and bytes.
    pub words: Vec<(File, Range<usize>)>,
}

/// Returns the valid spec with these faults planted.
pub fn grow<'p>(planters: &[&'p Planter]) -> (Texts, Vec<Planted<'p>>) {
    let changes: Vec<(usize, Change)> = (planters.iter().enumerate())
        .flat_map(|(number, planter)| planter.changes().into_iter().map(move |change| (number, change)))
        .collect();
    let mut marks: Vec<Option<Told>> = vec![None; planters.len()];
    let mut words = vec![Vec::new(); planters.len()];
    let texts = File::ALL.map(|file| {
        let mut here: Vec<&(usize, Change)> = changes.iter().filter(|(_, c)| c.file == file).collect();
        // Edits that only mark the same text do not change a byte, so they can be applied in sequence.
        here.sort_by_key(|(_, c)| (c.range.start, !c.only_marks(), c.range.end));
        let (mut text, mut at) = (String::new(), 0);
        for (number, change) in here {
            let start = if change.range.start < at {
                text.len() - (at - change.range.start)
            } else {
                text.push_str(&file.text()[at..change.range.start]);
                at = change.range.start;
                text.len()
            };
            if !change.only_marks() {
                text.push_str(&change.text);
                at = change.range.end;
                words[*number].push((file, start..text.len()));
            }
            if let Some(mark) = &change.mark {
                let range = start + mark.start..start + mark.end;
                marks[*number] =
                    Some((file.name().to_owned(), range.start, range.end, planters[*number].code));
            }
        }
        text.push_str(&file.text()[at..]);
        (file.name().to_owned(), text)
    });
    let planted = planters.iter().zip(marks).zip(words).map(|((planter, told), words)| {
        let told = told.expect("each planter marks the span of its finding");
        Planted { planter, told, words }
    });
    (texts.into(), planted.collect())
}

/// Returns the findings of the language for these texts.
pub fn read(texts: &Texts, set: &[String]) -> Analysis {
    let by_name: BTreeMap<&str, &str> = texts.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let load = |_: &str, wanted: &str| match by_name.get(wanted) {
        Some(text) => {
            Ok(Loaded { name: wanted.to_owned(), text: (*text).to_owned(), format: format_of(wanted) })
        }
        None => Err("there is no such file".to_owned()),
    };
    let (name, text) = &texts[0];
    site::driver().analyze(&Request::new(name, text).settings(set).load(&load))
}

/// Returns the sorted findings of an analysis.
pub fn told(analysis: &Analysis, diagnostics: &[Diagnostic]) -> Vec<Told> {
    let mut all: Vec<Told> = diagnostics
        .iter()
        .map(|d| {
            let source = analysis.sources.find(d.span()).expect("the span is in a text");
            let range = source.local(d.span());
            (source.name.clone(), range.start, range.end, d.code.name)
        })
        .collect();
    all.sort();
    all
}

/// Returns the differences as text: `file:line:column code, text`.
pub fn difference(texts: &Texts, expected: &[Told], found: &[Told]) -> String {
    let show = |told: &Told| {
        let (file, start, end, code) = told;
        let text = texts.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text.as_str());
        let line = text[..(*start).min(text.len())].matches('\n').count() + 1;
        format!("{file}:{line} {code} `{}`", text.get(*start..*end).unwrap_or_default())
    };
    let missing = minus(expected, found);
    let more = minus(found, expected);
    let lines = missing.iter().map(|t| format!("not told: {}", show(t)));
    lines.chain(more.iter().map(|t| format!("too much: {}", show(t)))).collect::<Vec<_>>().join("\n  ")
}

fn minus(all: &[Told], without: &[Told]) -> Vec<Told> {
    let mut left = without.to_vec();
    let mut rest = Vec::new();
    for told in all {
        match left.iter().position(|other| other == told) {
            Some(at) => drop(left.remove(at)),
            None => rest.push(told.clone()),
        }
    }
    rest
}
