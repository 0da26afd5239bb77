//! `docs/pitfalls.md`: every trap, what the engine does there, and what tfjob says or does. `.ci/update` writes it.
use crate::pitfalls::{
    Built, Pitfall, Seen, dcos, finding, kubernetes, local, on_all_cores, spark, tensorflow, yarn,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use tfjob_targets::ALL;

/// One platform's rows.
struct Group {
    title: &'static str,
    target: &'static str,
    pitfalls: Vec<Pitfall>,
    built: Vec<Built>,
}

fn groups() -> Vec<Group> {
    let group = |title, target, pitfalls, built| Group { title, target, pitfalls, built };
    vec![
        group("TensorFlow", "", tensorflow::pitfalls(), tensorflow::impossible()),
        group("YARN services", "yarn", yarn::pitfalls(), yarn::impossible()),
        group("Kubernetes, TFJob v1", "kubernetes", kubernetes::pitfalls(), kubernetes::impossible()),
        group("DC/OS", "dcos", dcos::pitfalls(), dcos::impossible()),
        group("Spark with TensorFlowOnSpark", "spark", spark::pitfalls(), spark::impossible()),
        group("Processes on this machine", "local", local::pitfalls(), local::impossible()),
    ]
}

impl Group {
    /// Who can be asked; this machine itself is no engine.
    fn engine(&self) -> Option<&'static str> {
        let own = ALL.iter().find(|target| target.name() == self.target);
        match own {
            None => Some("tensorflow"),
            Some(alone) if alone.one_machine() => None,
            Some(target) => Some(target.name()),
        }
    }

    /// The names of the rows that `targets/conformance/pitfalls` shows again on the engine.
    fn run(&self) -> BTreeSet<String> {
        let Some(engine) = self.engine() else { return BTreeSet::new() };
        let file = format!("{}/conformance/pitfalls.d/{engine}.toml", env!("CARGO_MANIFEST_DIR"));
        let table = std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{file}: {why}"));
        let name = |line: &str| line.strip_prefix("name = \"")?.strip_suffix('"').map(str::to_owned);
        table.lines().filter_map(name).collect()
    }
}

const HEAD: &str = "# Traps\n\nWhat the platforms take in silence and do wrong, refuse late, or answer without a word \
that helps. Each row is a test: the spec that falls in is told at its words and its nearest neighbour compiles, or what \
is written shows that no spec can fall in. *Seen on*: the engine itself did so. *From*: read in the platform's source \
or page, run by nobody here. *Shown again*: `targets/conformance/pitfalls` hands what falls in to the engine and compares; a row \
with `no` has no proof that this command can run. Made by `.ci/update`.\n";

/// A cell of a table: one line, and no pipe that ends it.
fn cell(text: &str) -> String {
    let first: String = text.chars().take(1).flat_map(char::to_uppercase).collect();
    let rest: String = text.chars().skip(1).collect();
    (first + &rest).replace('|', "\\|").replace('\n', " ")
}

fn source(seen: Seen) -> String {
    match seen {
        Seen::On(engine) => format!("seen on {engine}"),
        Seen::In(page) => format!("from {page}"),
    }
}

/// The sentence of a message of any length: long names of a trap are cut.
fn said(message: &str) -> String {
    let words = message.split(' ').map(|word| match word.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn document() -> String {
    let mut text = HEAD.to_owned();
    let all = groups();
    let line = |text: &mut String, cells: [String; 4]| {
        writeln!(text, "| {} |", cells.join(" | ")).expect("memory");
    };
    for group in &all {
        writeln!(text, "\n## {}\n", group.title).expect("memory");
        text.push_str(
            "| trap | what the engine does | what tfjob says or does | shown again |\n|---|---|---|---|\n",
        );
        let run = group.run();
        let again = |name: &str| if run.contains(name) { "yes" } else { "no" }.to_owned();
        for pitfall in &group.pitfalls {
            let one = finding(group.target, pitfall);
            let says = format!("{} `{}`: {}", one.code.severity.word(), pitfall.code, said(&one.message));
            line(
                &mut text,
                [
                    cell(pitfall.name),
                    cell(&format!("{} ({})", pitfall.does, source(pitfall.seen))),
                    says.replace('|', "\\|"),
                    again(pitfall.name),
                ],
            );
        }
        for built in &group.built {
            let does = format!("{} ({})", built.does, source(built.seen));
            line(&mut text, [cell(built.name), cell(&does), cell(built.how), again(built.name)]);
        }
    }
    text
}

#[test]
fn the_document_is_the_tables() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pitfalls.md");
    let made = document();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, made).expect("writable");
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    let stale = found.lines().zip(made.lines()).position(|(a, b)| a != b);
    assert!(found == made, "docs/pitfalls.md is stale from line {stale:?}: run `.ci/update`");
}

/// Each function that rows name is run once: it is no test of its own.
#[test]
fn what_is_impossible_is_shown() {
    let groups = groups();
    let mut shown: BTreeMap<usize, Vec<&Built>> = BTreeMap::new();
    for built in groups.iter().flat_map(|group| &group.built) {
        shown.entry(built.shown as usize).or_default().push(built);
    }
    let shown: Vec<_> = shown.into_values().collect();
    let failed = on_all_cores(&shown, |rows| {
        let failed = std::panic::catch_unwind(rows[0].shown).is_err();
        failed.then(|| rows.iter().map(|row| row.name).collect::<Vec<_>>())
    });
    let failed: Vec<_> = failed.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_trap_has_one_row_a_section_and_a_sentence() {
    for group in groups() {
        let pitfalls = group.pitfalls.iter().map(|t| (t.name, t.fact, t.does));
        let rows: Vec<_> = pitfalls.chain(group.built.iter().map(|b| (b.name, b.fact, b.does))).collect();
        let names: BTreeSet<_> = rows.iter().map(|(name, ..)| name).collect();
        assert_eq!(names.len(), rows.len(), "{}: one name twice", group.title);
        for (name, fact, does) in rows {
            assert!(!fact.is_empty() && does.len() > 20 && !does.ends_with('.'), "{name}: {fact}: {does}");
        }
    }
}

#[test]
fn each_proof_that_is_run_is_of_a_row() {
    for group in groups() {
        let pitfalls = group.pitfalls.iter().map(|t| t.name);
        let rows: BTreeSet<_> =
            pitfalls.chain(group.built.iter().map(|b| b.name)).map(str::to_owned).collect();
        let run = group.run();
        let strangers: Vec<_> = run.difference(&rows).collect();
        assert!(strangers.is_empty(), "{}: {strangers:#?}", group.title);
        assert!(
            run.len() >= 15 || group.engine().is_none(),
            "{}: only {} proofs are run",
            group.title,
            run.len()
        );
    }
}
