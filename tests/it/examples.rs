//! Tests of all examples on all targets, including refusals. The expected results are in `snapshots/<example>/<target>.snap`.

use crate::specs;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tfjob_driver::{Analysis, Loaded};
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_lang::lowered::Phase;
use tfjob_lang::shape::{Object, Place, Shape};
use tfjob_lang::sources::Format;
use tfjob_lang::spec::DEFAULTS;
use tfjob_lang::tree::{Tree, Value};
use tfjob_targets::{ALL, specimens};

/// Returns the sorted paths of all examples, relative to the root. A directory with a project file is tested as a whole, in
/// `gitops.rs`.
fn examples() -> Vec<PathBuf> {
    // No platform accepts this spec, so it is not in `examples`.
    let mut found = vec![PathBuf::from("docs/everything.tfjob.kdl")];
    let mut folders = vec![specs::root().join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the directory is readable").flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.join("tfjob.kdl").exists() {
                    folders.push(path);
                }
            } else if path.to_string_lossy().ends_with(".tfjob.kdl") {
                found.push(path.strip_prefix(specs::root()).expect("below the root").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Returns the file name without extension: `base` for `examples/overlays/base.tfjob.kdl`.
fn stem(path: &Path) -> String {
    let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
    name.trim_end_matches(".tfjob.kdl").to_owned()
}

/// Analyzes a spec of the repository.
fn read(path: &Path) -> Analysis {
    let text = std::fs::read_to_string(specs::root().join(path)).expect("readable");
    specs::text_at(&path.to_string_lossy(), &text)
}

/// `check` builds no artifacts, but reports the same findings as `compile`.
#[test]
fn check_and_compile_report_the_same() {
    let same = |name: &str, analysis: &Analysis, target: &dyn tfjob_lang::target::AnyTarget| {
        let (compiled, checked) = (analysis.compile(target), analysis.check(target));
        let all = |found: &[Diagnostic]| found.iter().map(|d| format!("{d:?}")).collect::<Vec<_>>();
        assert_eq!(all(&checked.diagnostics), all(&compiled.diagnostics), "{name} on {}", target.name());
        assert_eq!(checked.verdicts, compiled.verdicts, "{name} on {}", target.name());
        assert!(checked.lowered.is_none());
        compiled.lowered.is_some_and(|lowered| lowered.contract.is_some())
    };
    let mut contracts = 0;
    for target in ALL {
        for example in examples() {
            contracts += u32::from(same(&stem(&example), &read(&example), *target));
        }
        for specimen in specimens::all() {
            let analysis = specs::text_at("specimen.tfjob.kdl", &specimens::text(&specimen, target.name()));
            let name = format!("{} {}", specimen.feature, specimen.words);
            contracts += u32::from(same(&name, &analysis, *target));
        }
    }
    assert!(contracts > 20, "only {contracts} jobs use the shim; expected more than 20");
}

/// Examples that all targets accept.
const EVERYWHERE: [&str; 4] = ["cifar10", "dist-mnist", "minimal", "gpu"];
/// Exceptions: example, target, and reason.
const BUT: [(&str, &str, &str); 1] =
    [("cifar10", "local", "its code is on the file system of a cluster, and `local` downloads nothing")];
/// Example for `local`, in plain Python.
const HERE: &str = "line";
/// Example with all fields of the language. No target accepts it.
const NOWHERE: &str = "everything";

fn line(analysis: &Analysis, d: &Diagnostic) -> String {
    let source = analysis.sources.find(d.span()).expect("the span is in a text");
    let at = source.position(d.span().start);
    format!(
        "{}:{}:{}: {}[{}]: {}",
        source.name,
        at.line,
        at.column,
        d.code.severity.word(),
        d.code.name,
        d.message
    )
}

fn shown(analysis: &Analysis, target: &dyn tfjob_lang::target::AnyTarget) -> (String, bool) {
    let compiled = analysis.compile(target);
    let mut out = String::new();
    for d in &compiled.diagnostics {
        writeln!(out, "{}", line(analysis, d)).expect("writing to a String does not fail");
    }
    let Some(lowered) = compiled.lowered else { return (out, false) };
    let job = analysis.plan.as_ref().map_or("", |plan| plan.name.value.as_str());
    let folder = format!("out/{job}/{}", target.name());
    let source = analysis.sources.iter().next().map_or("", |source| source.name.as_str());
    let spec = source.rsplit('/').next().unwrap_or(source);
    for step in &lowered.steps {
        let phase = match step.phase {
            Phase::Before => "before",
            Phase::Submit => "submit",
            Phase::Status => "status",
            Phase::Logs => "logs",
            Phase::Update => "update",
            Phase::After => "after",
        };
        let words = step.words(&folder, spec);
        let words: Vec<_> = words.iter().map(|word| tfjob_targets::shell::quote(word)).collect();
        writeln!(out, "{phase}: {} # {}", words.join(" "), step.why)
            .expect("writing to a String does not fail");
    }
    for artifact in &lowered.artifacts {
        let mark = if artifact.executable { " (executable)" } else { "" };
        write!(out, "--- {}{mark}\n{}", artifact.path, artifact.text)
            .expect("writing to a String does not fail");
        if !artifact.text.ends_with('\n') {
            out.push('\n');
        }
    }
    (out, true)
}

#[test]
fn every_example_on_every_target_is_unchanged() {
    for path in examples() {
        let analysis = read(&path);
        let faults: Vec<_> = analysis.diagnostics.iter().map(|d| line(&analysis, d)).collect();
        assert!(analysis.accepted(), "{}: {faults:#?}", path.display());
        let folder = specs::root().join("snapshots").join(stem(&path));
        for target in ALL {
            let (text, _) = shown(&analysis, *target);
            insta::with_settings!({
                snapshot_path => &folder, prepend_module_to_snapshot => false, snapshot_suffix => "",
                omit_expression => true, description => path.to_string_lossy(),
            }, {
                insta::assert_snapshot!(target.name(), text);
            });
        }
    }
}

#[test]
fn every_example_compiles_for_its_targets() {
    for path in examples() {
        let analysis = read(&path);
        let taken: Vec<_> = ALL.iter().filter(|t| shown(&analysis, **t).1).map(|t| t.name()).collect();
        let stem = stem(&path);
        if EVERYWHERE.contains(&stem.as_str()) {
            let but: Vec<_> =
                BUT.iter().filter(|(example, ..)| *example == stem).map(|(_, on, _)| *on).collect();
            let all = ALL.iter().map(|target| target.name()).filter(|name| !but.contains(name));
            assert_eq!(taken, all.collect::<Vec<_>>(), "{stem}");
        } else if stem == HERE {
            assert_eq!(taken, ["local"], "{stem}");
        } else if stem != NOWHERE {
            let named = taken.contains(&"yarn") || taken.contains(&"kubernetes");
            assert!(taken.len() >= 2 && named, "{stem} compiles for {taken:?} only");
        }
    }
}

/// Nothing is dropped silently: each requirement and each target option produces a value, a line in the contract, or a finding.
#[test]
fn nothing_that_is_asked_is_lost_in_silence() {
    for path in examples() {
        let analysis = read(&path);
        let plan = analysis.plan.as_ref().expect("an example has a plan");
        for target in ALL {
            let compiled = analysis.compile(*target);
            let Some(lowered) = &compiled.lowered else { continue };
            let traces = lowered.traces();
            let blocks = plan
                .targets
                .get(target.name())
                .into_iter()
                .chain(plan.roles.iter().filter_map(|r| r.targets.get(target.name())));
            let words = blocks.flat_map(tfjob_lang::tree::Tree::leaves);
            let requirements = plan
                .requirements
                .iter()
                .filter(|a| tfjob_lang::target::concerns(&a.requirement, target.name()))
                .map(|a| a.at);
            for at in requirements.chain(words) {
                let traced = traces.iter().any(|t| t.contains(at) || at.contains(*t));
                let said =
                    compiled.diagnostics.iter().any(|d| d.span() == at && d.code.severity != Severity::Error);
                assert!(
                    traced || said,
                    "{} on {}: `{}` left no trace",
                    path.display(),
                    target.name(),
                    analysis.sources.slice(at)
                );
            }
        }
    }
}

#[test]
fn artifacts_are_the_same_bytes_each_time() {
    for path in examples() {
        for target in ALL {
            assert_eq!(shown(&read(&path), *target).0, shown(&read(&path), *target).0);
        }
    }
}

/// Returns the fields of a shape that no tree uses. A default of the job counts as used if a role uses it. A helper counts as a
/// role.
fn unused(object: &Object, trees: &[&Tree], path: &str, out: &mut Vec<String>) {
    for field in object.fields {
        let name = field.name;
        let elsewhere = match path {
            "job" => DEFAULTS.contains(&name),
            "job.helper" => true,
            _ => name == "extends",
        };
        if field.place == Place::Targets || elsewhere {
            continue;
        }
        let found: Vec<&Tree> = trees.iter().filter_map(|tree| tree.get(name)).collect();
        let below = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        if found.is_empty() {
            out.push(below);
            continue;
        }
        let things: Vec<&Tree> = match &field.shape {
            Shape::Keyed(_) => {
                found.iter().flat_map(|tree| tree.entries()).map(|entry| &entry.tree).collect()
            }
            Shape::List(_) => found
                .iter()
                .flat_map(|tree| if let Value::List(items) = &tree.value { items.as_slice() } else { &[] })
                .collect(),
            _ => found,
        };
        let things = if below == "job.role" { [things.as_slice(), trees].concat() } else { things };
        if let Some(object) = field.block(None) {
            unused(object, &things, &below, out);
        }
    }
}

#[test]
fn the_cluster_of_the_examples_is_sound() {
    let name = "examples/east.cluster.kdl";
    let text = std::fs::read_to_string(specs::root().join(name)).expect("readable");
    let text = Loaded { name: name.to_owned(), text, format: Format::Kdl };
    let file = specs::DRIVER.cluster(&text);
    let faults: Vec<_> = file.diagnostics.iter().map(|d| &d.message).collect();
    assert!(faults.is_empty() && file.target() == Some("yarn"), "{faults:?}");
}

#[test]
fn the_everything_spec_uses_every_field() {
    let analysis = read(Path::new("docs/everything.tfjob.kdl"));
    let mut missing = Vec::new();
    unused(tfjob_targets::SHAPE.object().expect("a file"), &[&analysis.tree], "", &mut missing);
    assert_eq!(missing, [""; 0]);
}
