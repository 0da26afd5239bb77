//! Every trap that the facts prove, one target a file: what falls in is refused at its words, its neighbour compiles.
#[path = "traps/dcos.rs"]
mod dcos;
#[path = "traps/kubernetes.rs"]
mod kubernetes;
#[path = "traps/spark.rs"]
mod spark;
#[path = "traps/yarn.rs"]
mod yarn;

use tfjob_lang::analysis::{Analysis, Request, analyse};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::sources::Format;
use tfjob_targets::{ALL, SHAPE};

/// A spec that falls in, and its nearest neighbour that does not.
pub struct Trap {
    /// What the facts call it.
    pub name: &'static str,
    /// Where they prove it.
    pub fact: &'static str,
    /// Falls in.
    pub falls: String,
    /// The code that says so.
    pub code: &'static str,
    /// The words that are marked.
    pub words: &'static str,
    /// A part of the message.
    pub says: &'static str,
    /// Does not.
    pub neighbour: String,
}

/// A spec read as the command line reads it.
pub fn analysed(text: &str) -> Analysis {
    let load = |_: &str, to: &str| Err(format!("`{to}` is not there"));
    analyse(&Request {
        name: "job.tfjob.kdl",
        text,
        format: Format::Kdl,
        set: &[],
        load: &load,
        targets: ALL,
        shape: &SHAPE,
    })
}

/// Every error of the language and of one target, and what was written.
pub fn compiled(analysis: &Analysis, target: &str) -> (Vec<Diagnostic>, Option<Lowered>) {
    let target = ALL.iter().find(|t| t.name() == target).expect("a target of that name");
    let compiled = analysis.compile(*target);
    let all = analysis.diagnostics.iter().cloned().chain(compiled.diagnostics);
    (all.filter(Diagnostic::is_error).collect(), compiled.lowered)
}

/// Each trap is told once, at its words; each neighbour compiles.
pub fn holds(target: &str, traps: &[Trap]) {
    for trap in traps {
        let analysis = analysed(&trap.falls);
        let (errors, lowered) = compiled(&analysis, target);
        let told: Vec<_> = errors.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect();
        let [error] = errors.as_slice() else { panic!("{} ({}): {told:#?}", trap.name, trap.fact) };
        assert_eq!(error.code.name, trap.code, "{}: {told:#?}", trap.name);
        assert_eq!(analysis.sources.slice(error.span()), trap.words, "{}: {told:#?}", trap.name);
        assert!(error.message.contains(trap.says), "{}: {told:#?}", trap.name);
        assert!(lowered.is_none(), "{} is refused and written", trap.name);
        let analysis = analysed(&trap.neighbour);
        let (errors, lowered) = compiled(&analysis, target);
        let told: Vec<_> = errors.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect();
        assert!(errors.is_empty() && lowered.is_some(), "the neighbour of {}: {told:#?}", trap.name);
    }
}
