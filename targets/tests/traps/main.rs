//! Trap by trap: a spec that falls into what a platform lets through, and its nearest neighbour that does not.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod dcos;

use tfjob_lang::diagnostic::Severity;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::sources::Format;
use tfjob_lang::target::AnyTarget;
use tfjob_lang::{Analysis, Request, analyse};

/// One trap of a platform.
struct Trap {
    /// What the platform does.
    name: &'static str,
    /// The section of the facts that shows it.
    fact: &'static str,
    /// The spec that falls in, and the code and words of each error.
    falls: (String, &'static [(&'static str, &'static str)]),
    /// The nearest spec that does not.
    stands: String,
}

/// Reads a spec that may hold blocks of every target.
fn analysed(spec: &str) -> Analysis {
    let load = |_: &str, _: &str| Err("nothing stands beside it".to_owned());
    analyse(&Request {
        name: "job.tfjob.kdl",
        text: spec,
        format: Format::Kdl,
        set: &[],
        load: &load,
        targets: tfjob_targets::ALL,
    })
}

/// Code, words and message of each error.
fn errors(spec: &str, target: &dyn AnyTarget) -> Vec<(String, String, String)> {
    let analysis = analysed(spec);
    let compiled = analysis.compile(target);
    let all = analysis.diagnostics.iter().chain(&compiled.diagnostics);
    let bad = all.filter(|d| d.code.severity == Severity::Error);
    bad.map(|d| (d.code.name.to_owned(), analysis.sources.slice(d.span()).to_owned(), d.message.clone()))
        .collect()
}

/// What a spec without errors becomes.
fn compiled(spec: &str, target: &dyn AnyTarget) -> Lowered {
    let found = errors(spec, target);
    assert_eq!(found, [], "{spec}");
    analysed(spec).compile(target).lowered.unwrap()
}

/// Runs a table.
fn try_all(traps: &[Trap], target: &dyn AnyTarget) {
    for trap in traps {
        let found = errors(&trap.falls.0, target);
        let found: Vec<_> = found.iter().map(|(code, words, _)| (code.as_str(), words.as_str())).collect();
        assert_eq!(found, trap.falls.1, "{} ({}):\n{}", trap.name, trap.fact, trap.falls.0);
        assert!(!compiled(&trap.stands, target).artefacts.is_empty(), "{}", trap.name);
    }
}
