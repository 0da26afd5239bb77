//! Automatic fixes keep what the author wrote: no comment is lost, and no entry that `/-` disables is enabled. Each text with a fix
//! gets a comment or a disabled entry at each place near the fix.
use super::applied::automatic;
use super::{Judged, faults};
use crate::request::analyze;
use std::collections::BTreeSet;
use std::ops::Range;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::lexer::{Kind, lex};
use tfjob_lang::syntax::read_kdl;

/// Texts that no fix may remove or enable.
const INSERTED: [&str; 5] = [" /* kept */ ", " // kept\n", " /-kept ", " /-kept \"kept\"; ", " /-kept=1 "];

/// Lines of a job with a mistake, in addition to the specs of the test data.
const LINES: [&str; 10] = [
    "image \"ml/a:1\" { }",
    "image \"ml/a:1\" { pull \"always\"; }",
    "start { gang #true; }",
    "start {\n    gang #true\n    timeout \"1m\"\n}",
    "env A=\"1\" { B \"2\"; }",
    "env { A 1; }\nenv { B \"2\"; }",
    "restart policy=\"never\"",
    "labels { team: ml, owner: me }",
    "data \"d\" \"gs:/bucket/x\" at=\"/d\"",
    "deadline 90, \"1h\"",
];

/// Returns a job with this line.
fn job(line: &str) -> String {
    let image = if line.starts_with("image") { "" } else { "image \"a:1\"\n" };
    format!(
        "job \"a\" {{\nframework \"custom\"\n{image}run \"python\" \"/a.py\"\n{line}\nresources cpus=1 memory=\"1GiB\"\n\
         role \"worker\"\n}}\n"
    )
}

/// Returns the places between the tokens on the lines of a fix.
fn places(judged: &Judged, fix: &Fix) -> Vec<usize> {
    let text = judged.text.as_str();
    let edits: Vec<Range<usize>> = fix.edits.iter().filter_map(|edit| judged.range(edit.span)).collect();
    let Some(first) = edits.iter().map(|edit| edit.start).min() else { return Vec::new() };
    let last = edits.iter().map(|edit| edit.end).max().unwrap_or(first);
    let start = text[..first].rfind('\n').unwrap_or(0);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    let near = |at: &usize| (start..=end).contains(at);
    lex(text).iter().map(|token| token.start).filter(near).collect()
}

fn is_enabled(text: &str) -> bool {
    let mut sources = Sources::default();
    let number = sources.add("a", Format::Kdl, text);
    format!("{:?}", read_kdl(sources.get(number)).0.nodes).contains("kept")
}

/// Returns the number of comments with the inserted text.
fn comments(text: &str) -> usize {
    let is_comment = |kind| matches!(kind, Kind::LineComment | Kind::BlockComment);
    lex(text).iter().filter(|token| is_comment(token.kind) && text[token.range()].contains("kept")).count()
}

/// Returns the faults of the automatic fixes of a text into which `inserted` was put.
fn lost(text: &str, target: &str) -> Vec<String> {
    let judged = Judged::of(text, target);
    let (before, was_enabled) = (comments(text), is_enabled(text));
    let fault = |(finding, fix): (&Diagnostic, &Fix)| {
        let (new, _) = judged.fixed(fix)?;
        let fault = match () {
            () if comments(&new) < before => "loses a comment",
            () if !was_enabled && is_enabled(&new) => "enables an entry",
            () if !new.contains("kept") => "loses a disabled entry",
            () => return None,
        };
        Some(format!("{}: `{}` {fault}:\n{text}\n->\n{new}", finding.code.name, fix.title))
    };
    automatic(judged).filter_map(fault).collect()
}

fn all_lost(judged: &Judged, target: &str) -> Vec<String> {
    let places: BTreeSet<usize> = automatic(judged).flat_map(|(_, fix)| places(judged, fix)).collect();
    let with = |at: &usize, inserted: &str| [&judged.text[..*at], inserted, &judged.text[*at..]].concat();
    let texts = places.iter().flat_map(|at| INSERTED.iter().map(move |inserted| with(at, inserted)));
    texts.flat_map(|text| lost(&text, target)).collect()
}

#[test]
fn an_automatic_fix_keeps_comments_and_disabled_entries() {
    let wrong: BTreeSet<String> =
        LINES.iter().flat_map(|line| all_lost(Judged::of(&job(line), ""), "")).collect();
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    let wrong = faults(all_lost);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Parts of a job in YAML that have an automatic fix.
const YAML: [&str; 8] = [
    "target:\n- local\n- kubernetes\n",
    "target:\n  - local\n  - kubernetes\n",
    "target:\n    -   locl\n",
    "target:\n  local\n",
    "target: [local,\n  kubernetes]\n",
    "target: local\n",
    "env:\n  A: 1\n  B: yes\n",
    "restart:\n  policy: nevr\n",
];

#[test]
fn an_automatic_fix_of_yaml_keeps_comments_and_removes_its_finding() {
    let found = |text: &str| analyze(&tfjob_driver::Request::new("a.tfjob.yaml", text).format(Format::Yaml));
    let mut fixes = BTreeSet::new();
    for part in YAML {
        let part: String = part.split_inclusive('\n').map(|line| format!("  {line}")).collect();
        let text = format!(
            "job:\n  name: a\n  framework: custom\n  image: a:1\n  run: [/x]\n{part}  resources: {{ cpus: 1, memory: 1GiB }}\n  role: {{ worker: {{}} }}\n"
        );
        let ends = text.match_indices('\n').map(|(at, _)| at);
        let commented = ends.map(|at| [&text[..at], "  # kept", &text[at..]].concat());
        for text in std::iter::once(text.clone()).chain(commented) {
            let analysis = found(&text);
            let automatic = |d: &&Diagnostic| d.fixes.len() == 1 && d.fixes[0].is_automatic();
            for finding in analysis.diagnostics.iter().filter(automatic) {
                let mut new = text.clone();
                let mut edits = finding.fixes[0].edits.clone();
                edits.sort_by_key(|edit| edit.span.start);
                for edit in edits.iter().rev() {
                    let source = analysis.sources.find(edit.span).expect("the place of an edit");
                    new.replace_range(source.local(edit.span), &edit.text);
                }
                let is_same = |d: &&Diagnostic| d.code == finding.code && d.message == finding.message;
                let again = found(&new).diagnostics.iter().filter(is_same).count();
                let before = analysis.diagnostics.iter().filter(is_same).count();
                assert!(again < before, "{}:\n{text}\n->\n{new}", finding.message);
                assert_eq!(new.contains("# kept"), text.contains("# kept"), "{text}\n->\n{new}");
                fixes.insert(finding.message.clone());
            }
        }
    }
    assert!(fixes.len() >= 4, "{fixes:?}");
}
