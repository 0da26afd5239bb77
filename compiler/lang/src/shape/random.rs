//! Tests with random invalid specs. They assert that no check panics, all spans are valid, the repaired spec can be decoded, and
//! each fix resolves its diagnostic.
use super::tests::{WHOLE, check, check_all};
use crate::analysis::{Request, alone, analyze};
use crate::codes;
use crate::diagnostic::{Diagnostic, Fix};
use crate::sources::Format;
use crate::spec::File;
use crate::tree::decode;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Tokens that are inserted into a spec: keywords in wrong places, misspelled keywords, and garbage.
const PIECES: &[&str] = &[
    " ",
    "\n",
    ";",
    "{",
    "}",
    "=",
    "\"",
    "count 4",
    "count=4",
    "cuont=4",
    "gpus=1",
    "gpu=1",
    "role \"w\"",
    "role",
    "env A=\"1\"",
    "env { A 1; A 2 }",
    "\"x\"",
    "5",
    "2.10",
    "1e400",
    "0x1F",
    "-1",
    "#true",
    "#null",
    "#inf",
    "memory=16384",
    "memory=\"16GB\"",
    "memory=\"1é\"",
    "deadline \"10\"",
    "deadline",
    "image \"A:b:c\"",
    "image name=\"a\"",
    "image { name \"a\" }",
    "target \"sit\" {}",
    "target \"site\" { queu 1 }",
    "after \"worker\"",
    "shell 1 2 3",
    "run x=1 y",
    "restart \"alway\"",
    "port \"x\" \"8080\"",
    "user \"R T\"",
    "allow",
    "labels a=1 { b 2 }",
    "extends \"x\"",
    "job \"b\"",
    "/-",
    "// x\n",
    "é",
    "\u{feff}",
];

/// Number of cases per run. It is small, because every bug that longer runs have found has its own test.
const CASES: u32 = 60;

fn broken() -> impl Strategy<Value = String> {
    let edit = (0.0..1.0_f64, 0_usize..3, 0..PIECES.len());
    prop::collection::vec(edit, 1..6).prop_map(|edits| {
        let mut lines: Vec<String> = WHOLE.lines().map(str::to_owned).collect();
        for (place, kind, piece) in edits {
            let line = ((lines.len() as f64 * place) as usize).min(lines.len() - 1);
            match kind {
                0 => lines.insert(line, PIECES[piece].to_owned()),
                1 => lines[line] = format!("{} {}", lines[line], PIECES[piece]),
                _ => {
                    let words: Vec<&str> = lines[line].split(' ').collect();
                    let at = piece % words.len();
                    let kept = words.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, word)| *word);
                    lines[line] = kept.collect::<Vec<_>>().join(" ");
                }
            }
            if lines.is_empty() {
                lines.push(String::new());
            }
        }
        lines.join("\n")
    })
}

fn apply(text: &str, Fix { edits, .. }: &Fix) -> String {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let overlap = edits.windows(2).any(|pair| pair[1].span.start < pair[0].span.end);
    assert!(!overlap, "{edits:?}");
    let mut out = text.to_owned();
    for edit in edits.into_iter().rev() {
        out.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    out
}

/// Returns whether the diagnostic comes from the validation, not from the parser.
fn is_own(d: &Diagnostic) -> bool {
    let first = codes::ALL.iter().position(|code| *code == &codes::UNKNOWN_NODE);
    let last = codes::ALL.iter().position(|code| *code == &codes::BAD_SETTING);
    (first..=last).contains(&codes::ALL.iter().position(|code| *code == d.code))
}

fn same(all: &[Diagnostic], one: &Diagnostic) -> usize {
    all.iter().filter(|d| d.code == one.code && d.message == one.message).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_spec_is_told_and_nothing_else_happens(text in broken()) {
        let checked = check(&text);
        let mut places = BTreeSet::new();
        let own: Vec<_> = checked.all.iter().filter(|d| is_own(d)).collect();
        for d in &own {
            for label in &d.labels {
                let (start, end) = (label.span.start as usize, label.span.end as usize);
                prop_assert!(text.get(start..end).is_some(), "{d:?}");
            }
            prop_assert!(places.insert((d.span(), d.message.clone())), "told twice: {d:?}\n{text}");
        }
        let read: Result<File, _> = decode(&checked.tree, &checked.sources);
        if checked.all.is_empty() {
            prop_assert!(read.is_ok(), "{read:?}\n{text}");
        }
        for d in own.into_iter().filter(|d| !d.fixes.is_empty()) {
            let repaired = apply(&text, &d.fixes[0]);
            let after = check(&repaired).all;
            prop_assert!(same(&after, d) < same(&checked.all, d), "{d:?}\n{text}\n---\n{repaired}");
        }
    }

    #[test]
    fn the_rest_of_a_broken_spec_is_judged_too(text in broken(), setting in "(role.worker.count=[0-9]{1,5}|[a-z.=]{0,9})") {
        let set = [setting];
        let analysis = analyze(&Request { set: &set, ..alone::request("a", &text, Format::Kdl) });
        prop_assert_eq!(analysis.plan.is_some(), analysis.tree.get("job").is_some());
    }

    #[test]
    fn any_setting_is_told_or_done(setting in "(role|param|image|env|target|deadline|[a-z.\"=é]{0,6})[a-z.\"=0-9é#-]{0,20}") {
        let checked = check_all(&[("a", WHOLE), ("--set", &setting)]);
        for d in &checked.all {
            let source = checked.sources.find(d.span()).unwrap();
            prop_assert!(source.text.get(source.local(d.span())).is_some(), "{d:?}");
        }
        if checked.all.is_empty() {
            prop_assert!(decode::<File>(&checked.tree, &checked.sources).is_ok());
        }
    }
}
