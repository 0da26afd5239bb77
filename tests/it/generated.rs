//! Compares generated files with the code. A difference is a failure; `.ci/update` writes the files.

use crate::specs;
use std::fmt::Write;
use tfjob_lang::analysis::{options, shape_of};
use tfjob_lang::requirement::{Feature, Job, Requirement};
use tfjob_lang::shape::{project_schema, published_cluster_schema, published_schema, reference, table};
use tfjob_lang::target::{AnyTarget, Change, Verdict};
use tfjob_targets::{ALL, CLUSTER_SHAPE, PROJECT_SHAPE, specimens};

/// Compares a file of the repository with its generated text; with `UPDATE`, writes it.
fn same(path: &str, made: &str) {
    let file = specs::root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a parent directory"))
            .expect("the directory can be created");
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

/// The program contains this table, so that it does not build shapes or schemas at run time.
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
fn the_schema_of_projects_is_the_code() {
    let targets: Vec<&str> = ALL.iter().map(|target| target.name()).collect();
    let text = serde_json::to_string_pretty(&project_schema(&targets)).expect("JSON");
    same("schemas/project.schema.json", &format!("{text}\n"));
}

/// The values of the setting `tfjob.targets` of VS Code, with their descriptions.
#[test]
fn the_targets_of_the_settings_are_the_code() {
    let path = "editors/vscode/package.json";
    let text = std::fs::read_to_string(specs::root().join(path)).expect("readable");
    let (before, setting) = text.split_once("\"tfjob.targets\": {").expect("the setting");
    let (head, items) = setting.split_once("\"items\": ").expect("the items");
    let (_, rest) = items.split_once(",\n").expect("another line");
    let list = |texts: Vec<&str>| serde_json::to_string(&texts).expect("JSON").replace("\",\"", "\", \"");
    let names = list(ALL.iter().map(|target| target.name()).collect());
    let about = list(ALL.iter().map(|target| target.about()).collect());
    let items = format!("{{ \"type\": \"string\", \"enum\": {names}, \"enumDescriptions\": {about} }}");
    same(path, &format!("{before}\"tfjob.targets\": {{{head}\"items\": {items},\n{rest}"));
}

#[test]
fn the_reference_is_the_code() {
    let nodes = reference(&[&shape_of(ALL), &CLUSTER_SHAPE, &PROJECT_SHAPE]);
    same(
        "docs/reference.md",
        &format!("{nodes}\n{}\n{}", tfjob_lang::references::section(), tfjob_lang::glossary::section()),
    );
}

/// Returns the support of the feature of a specimen on each target.
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
            specimens::answer(specimen, &text, &compiled.verdicts).unwrap_or_else(|| {
                panic!(
                    "{} {}: not required of {}; add it to docs/everything.tfjob.kdl",
                    specimen.feature,
                    specimen.words,
                    target.name()
                )
            })
        })
        .collect()
}

/// Returns the support of `patch` by a target whose block has no `patch`, so that no spec can require it.
fn patch(target: &dyn AnyTarget, text: &str) -> Verdict {
    let plan =
        specs::text_at("specimen.tfjob.kdl", text).plan.expect("an unknown entry does not prevent a plan");
    target.verdict(
        &Requirement::Job(Job::Patch { target: target.name().to_owned(), role: None, text: String::new() }),
        &plan,
    )
}

const fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Native => "native",
        Verdict::Emulated(_) => "emulated",
        Verdict::Ignored(_) => "ignored",
        Verdict::Unsupported(_) => "**unsupported**",
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
        "# Support of features by targets\n\nThis page is generated from the code. Parentheses after a feature name one \
         of its forms. *native*: the platform implements the feature. *emulated*: `tfjob` or the shim implements it, as \
         explained below. *ignored*: the artifacts do not contain it, and the programs run as without it. *unsupported*: an \
         error at the line that requires it; if the job can run without the feature, `allow \"FEATURE\" on=\"TARGET\" \
         because=\"…\"` turns the error into a warning. Names and numbers in the messages are those of ",
    );
    table.push_str(specimens::SAMPLE);
    table.push_str(".\n\n| feature |");
    let mut notes = String::new();
    let pitfalls = include_str!("../../docs/pitfalls.md");
    for target in ALL {
        write!(table, " {} |", target.name()).expect("writing to a String does not fail");
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(ALL.len()));
    table.push('\n');
    for specimen in specimens::all() {
        let cells = cells(&specimen);
        let words = if specimen.words.is_empty() { String::new() } else { format!(" ({})", specimen.words) };
        write!(table, "| `{}`{words} |", specimen.feature).expect("writing to a String does not fail");
        for (target, verdict) in ALL.iter().zip(&cells) {
            write!(table, " {} |", word(verdict)).expect("writing to a String does not fail");
            if let Some((why, evidence)) = why(verdict) {
                // An evidence section names its pitfalls. For a public source, docs/pitfalls.md shows whether the engine was tried.
                let told = [" ", ": "].map(|joint| format!("{}{joint}{why}", target.name()));
                let row = |row: &str| row.contains("(seen on") && told.iter().any(|told| row.contains(told));
                let seen = pitfalls.lines().any(row);
                let evidence = match evidence {
                    Some(evidence) if evidence.contains('#') => {
                        format!(" ([evidence](evidence/{}))", evidence.replacen('#', ".md#", 1))
                    }
                    Some(_) if seen => " ([seen on the engine](pitfalls.md))".to_owned(),
                    Some(evidence) => format!(" ({evidence})"),
                    None => String::new(),
                };
                writeln!(notes, "- `{}`{words}, {}: {why}{evidence}", specimen.feature, target.name())
                    .expect("writing to a String does not fail");
            }
        }
        table.push('\n');
    }
    same("docs/targets.md", &format!("{table}\n## Explanations\n\n{notes}"));
}

/// The table of targets in the README.
#[test]
fn the_readme_lists_the_targets() {
    let mut table = String::from("| target | what it writes |\n|---|---|\n");
    for target in ALL {
        writeln!(table, "| `{}` | {} |", target.name(), target.about())
            .expect("writing to a String does not fail");
    }
    let path = specs::root().join("README.md");
    let text = std::fs::read_to_string(&path).expect("readable");
    let (begin, end) = ("<!-- targets -->\n", "<!-- end of targets -->");
    let from = text.find(begin).expect("the mark is there") + begin.len();
    let to = text.find(end).expect("the mark is there");
    same("README.md", &format!("{}{table}{}", &text[..from], &text[to..]));
}

/// The rules of `tfjob diff`, for people who plan a change.
#[test]
fn the_page_of_updates_is_the_code() {
    let mut page = String::from(
        "# Changes of submitted jobs\n\nThis page is generated from the code. The tables show what each platform does if a value of an \
         artifact changes while the job exists. `tfjob diff` uses these rules. The first row that matches a value decides; `*` stands \
         for any name, and `**` for any part of an artifact. A row with \"replaced\" is only about a value that both versions have, and one \
         with \"removed\" about a value that only the old version has.\n\n\
         - *in place*: the platform applies the change, and no task restarts.\n\
         - *restart*: the platform applies the change, and restarts tasks to do so.\n\
         - *recreate*: the platform does not apply the change to running tasks. Delete the job and submit it again.\n\
         - *rejected*: the platform refuses the changed artifact. Delete the job and submit it again.\n",
    );
    for target in ALL {
        let updates = target.updates();
        let head = "| file | value | effect | reason |\n|---|---|---|---|";
        write!(page, "\n## {}\n\n{}\n\n{head}\n", target.name(), updates.evidence)
            .expect("writing to a String does not fail");
        for rule in updates.rules {
            let pointer = rule.pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/");
            let (file, effect, reason) = (rule.file, rule.effect.name(), rule.reason);
            let condition = match rule.only {
                None => "",
                Some(Change::Added) => ", added",
                Some(Change::Removed) => ", removed",
                Some(Change::Replaced) => ", replaced",
            };
            let value = if pointer.is_empty() { "the whole file".to_owned() } else { format!("`{pointer}`") };
            writeln!(page, "| `{file}` | {value}{condition} | {effect} | {reason} |")
                .expect("writing to a String does not fail");
        }
        let removed = updates.removed.map(|rule| ("a file that is no longer generated", rule));
        let tools = updates.tools.iter().map(|rule| ("all values of these objects", rule));
        let staying =
            updates.staying.map(|staying| ("a value that only the submitted object has", staying.rule));
        for (what, rule) in removed.into_iter().chain(tools).chain(staying) {
            writeln!(page, "\n*{}*, {what}: {}.", rule.effect.name(), rule.reason)
                .expect("writing to a String does not fail");
        }
    }
    same("docs/updates.md", &page);
}
