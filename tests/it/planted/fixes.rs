//! Applies the fixes of a spec with one fault.
use super::mutant::{Texts, read, told};
use tfjob_lang::analysis::Analysis;
use tfjob_lang::diagnostic::Fix;

/// Returns the findings after each fix of a spec with one fault. There must be none.
pub fn faults(texts: &Texts, set: &[String]) -> Vec<String> {
    let analysis = read(texts, set);
    let fixes = analysis.diagnostics.iter().flat_map(|d| &d.fixes);
    fixes
        .filter_map(|fix| {
            let (repaired, set) = apply(fix, &analysis, texts, set);
            let again = read(&repaired, &set);
            let left = told(&again, &again.diagnostics);
            (!left.is_empty()).then(|| format!("`{}` leaves {left:?}", fix.title))
        })
        .collect()
}

/// Returns the texts and settings after a fix.
fn apply(fix: &Fix, analysis: &Analysis, texts: &Texts, set: &[String]) -> (Texts, Vec<String>) {
    let (mut texts, mut set) = (texts.clone(), set.to_vec());
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    for edit in edits {
        let source = analysis.sources.find(edit.span).expect("the span is in a text");
        let text = match texts.iter_mut().find(|(name, _)| *name == source.name) {
            Some((_, text)) => text,
            None => set.iter_mut().find(|text| **text == source.text).expect("a setting"),
        };
        text.replace_range(source.local(edit.span), &edit.text);
    }
    (texts, set)
}
