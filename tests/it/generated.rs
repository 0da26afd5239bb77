//! Files that are made from the code: a difference fails, `.ci/update` writes.

use crate::specs;
use std::fmt::Write;
use tfjob_lang::analysis::{options, shape_of};
use tfjob_lang::requirement::{Feature, Job, Requirement};
use tfjob_lang::shape::{published_cluster_schema, published_schema, reference, table};
use tfjob_lang::target::{AnyTarget, Verdict};
use tfjob_targets::{ALL, CLUSTER_SHAPE, specimens};

/// Compares a file of the repository with what the code says, or writes it.
fn same(path: &str, made: &str) {
    let file = specs::root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(&file, made).expect("writable");
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    let line = found.lines().zip(made.lines()).position(|(a, b)| a != b);
    assert!(found == made, "{path} is stale from line {line:?}: run `.ci/update`");
}

#[test]
fn the_schema_is_the_code() {
    let options: Vec<_> = ALL
        .iter()
        .map(|t| {
            let (job, role) = t.schemas();
            (t.name(), job, role)
        })
        .collect();
    let text = serde_json::to_string_pretty(&published_schema(&options)).expect("JSON");
    same("schemas/job.schema.json", &format!("{text}\n"));
}

/// The program reads this table and builds no shape, and generates no schema, of its own.
#[test]
fn the_table_is_the_code() {
    let first = "// Made from the spec's types and the targets' options: `.ci/update`.\n";
    same("schemas/job.shape.rs", &format!("{first}{}", table(&shape_of(ALL))));
}

#[test]
fn the_schema_of_clusters_is_the_code() {
    let text = serde_json::to_string_pretty(&published_cluster_schema(&options(ALL))).expect("JSON");
    same("schemas/cluster.schema.json", &format!("{text}\n"));
}

#[test]
fn the_reference_is_the_code() {
    let nodes = reference(&[&shape_of(ALL), &CLUSTER_SHAPE]);
    same(
        "docs/reference.md",
        &format!("{nodes}\n{}\n{}", tfjob_lang::references::section(), tfjob_lang::glossary::section()),
    );
}

/// The features that asks of one specimen are about, with their verdict on each target.
fn cells(specimen: &specimens::Specimen) -> Vec<Verdict> {
    let feature = Feature::named(specimen.feature).expect("a feature");
    ALL.iter()
        .map(|target| {
            let text = specimens::text(specimen, target.name());
            if feature == Feature::Patch && target.schemas().0["properties"]["patch"].is_null() {
                return patch(*target, &text);
            }
            let analysis = specs::text_at("specimen.tfjob.kdl", &text);
            let faults: Vec<_> =
                analysis.diagnostics.iter().filter(|d| d.is_error()).map(|d| &d.message).collect();
            assert!(analysis.accepted(), "{} {}: {faults:?}\n{text}", specimen.feature, specimen.words);
            let compiled = analysis.compile(*target);
            let mut verdicts = compiled.verdicts.into_iter().filter(|(f, ..)| *f == feature);
            // Of several asks of one feature the one that fares worst is what a user meets.
            let worst = verdicts.by_ref().map(|(.., v)| v).max_by_key(rank);
            worst.unwrap_or_else(|| {
                panic!(
                    "{} {}: nothing asks it of {}; docs/everything.tfjob.kdl should",
                    specimen.feature,
                    specimen.words,
                    target.name()
                )
            })
        })
        .collect()
}

/// The answer of a target whose block has no `patch`: no spec can ask it.
fn patch(target: &dyn AnyTarget, text: &str) -> Verdict {
    let plan = specs::text_at("specimen.tfjob.kdl", text).plan.expect("a plan in spite of an unknown word");
    target.verdict(
        &Requirement::Job(Job::Patch { target: target.name().to_owned(), role: None, text: String::new() }),
        &plan,
    )
}

const fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Native => 0,
        Verdict::Emulated(_) => 1,
        Verdict::Ignored(_) => 2,
        Verdict::Unsupported(_) => 3,
    }
}

const fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Native => "native",
        Verdict::Emulated(_) => "emulated",
        Verdict::Ignored(_) => "ignored",
        Verdict::Unsupported(_) => "**refused**",
    }
}

fn why(verdict: &Verdict) -> Option<(String, Option<&'static str>)> {
    match verdict {
        Verdict::Native => None,
        Verdict::Emulated(how) => Some((how.clone(), None)),
        Verdict::Ignored(why) => Some((why.clone(), None)),
        Verdict::Unsupported(refusal) => Some((refusal.why.clone(), Some(refusal.evidence))),
    }
}

#[test]
fn the_capability_table_is_the_code() {
    let mut table = String::from(
        "# What each target does with each feature\n\nMade by asking each target; a feature in brackets has values that \
         matter. *native*: the platform's own means. *emulated*: other means, named below. *ignored*: left out, which \
         changes nothing that runs. *refused*: an error at the words that ask; `allow \"FEATURE\" on=\"TARGET\" \
         because=\"…\"` accepts the loss where the job still runs without it.\n\n| feature |",
    );
    let mut notes = String::new();
    let traps = include_str!("../../docs/pitfalls.md");
    for target in ALL {
        write!(table, " {} |", target.name()).expect("memory");
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(ALL.len()));
    table.push('\n');
    for specimen in specimens::all() {
        let cells = cells(&specimen);
        let words = if specimen.words.is_empty() { String::new() } else { format!(" ({})", specimen.words) };
        write!(table, "| `{}`{words} |", specimen.feature).expect("memory");
        for (target, verdict) in ALL.iter().zip(&cells) {
            write!(table, " {} |", word(verdict)).expect("memory");
            if let Some((why, evidence)) = why(verdict) {
                // A section of the evidence names the traps that show it; for a public source the page of the traps does.
                let told = [" ", ": "].map(|joint| format!("{}{joint}{why}", target.name()));
                let row = |row: &str| row.contains("(seen on") && told.iter().any(|told| row.contains(told));
                let seen = traps.lines().any(row);
                let evidence = match evidence {
                    Some(evidence) if evidence.contains('#') => {
                        format!(" ([evidence](evidence/{}))", evidence.replacen('#', ".md#", 1))
                    }
                    Some(_) if seen => " ([seen on the engine](pitfalls.md))".to_owned(),
                    Some(evidence) => format!(" ({evidence})"),
                    None => String::new(),
                };
                writeln!(notes, "- `{}`{words}, {}: {why}{evidence}", specimen.feature, target.name())
                    .expect("memory");
            }
        }
        table.push('\n');
    }
    same("docs/targets.md", &format!("{table}\n## How, and why not\n\n{notes}"));
}

/// The table of targets in the README.
#[test]
fn the_readme_lists_the_targets() {
    let mut table = String::from("| target | what it writes |\n|---|---|\n");
    for target in ALL {
        writeln!(table, "| `{}` | {} |", target.name(), target.about()).expect("memory");
    }
    let path = specs::root().join("README.md");
    let text = std::fs::read_to_string(&path).expect("readable");
    let (begin, end) = ("<!-- targets -->\n", "<!-- end of targets -->");
    let from = text.find(begin).expect("the mark is there") + begin.len();
    let to = text.find(end).expect("the mark is there");
    same("README.md", &format!("{}{table}{}", &text[..from], &text[to..]));
}
