//! Nothing in a spec is ignored silently. On every target that accepts a spec, each requirement and each `target` option sets a
//! value of an artifact or of the contract. Otherwise, a diagnostic explains it.

use crate::request::{analyze, request};
use std::path::{Path, PathBuf};
use tfjob_driver::Loaded;
use tfjob_lang::plan::Plan;
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::target::concerns;
use tfjob_lang::tree::Tree;
use tfjob_targets::ALL;

/// Returns the paths of the example specs, and of the specs that use all features of a target.
fn specs() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![here.join("../examples"), here.join("tests/specs")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.to_string_lossy().ends_with(".tfjob.kdl") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Returns the spans that must set a value or have a diagnostic, each with a description.
fn said(plan: &Plan, target: &str) -> Vec<(String, Span)> {
    let requirements = plan.requirements.iter().filter(|asked| concerns(&asked.requirement, target));
    let requirements = requirements.map(|asked| (format!("{:?}", asked.requirement), asked.at));
    let roles = plan.roles.iter().filter_map(|role| role.targets.get(target));
    let words = plan.targets.get(target).into_iter().chain(roles).flat_map(Tree::leaves);
    requirements.chain(words.map(|at| ("a word of the target's block".to_owned(), at))).collect()
}

#[test]
fn nothing_that_is_asked_is_lost_in_silence() {
    let load = |from: &str, to: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(to);
        let name = path.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok(Loaded { name, text, format: Format::Kdl })
    };
    let (mut compiled, mut lost) = (0, Vec::new());
    for path in specs() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let name = path.to_string_lossy();
        let analysis = analyze(&tfjob_driver::Request::new(&name, &text).load(&load));
        let Some(plan) = &analysis.plan else { panic!("{name} has no plan") };
        for target in ALL {
            let found = analysis.compile(*target);
            let own = path.parent().is_some_and(|folder| folder.ends_with(target.name()));
            assert!(
                found.lowered.is_some() || !own,
                "{name}: {:#?}",
                (&analysis.diagnostics, &found.diagnostics)
            );
            let Some(lowered) = found.lowered else { continue };
            compiled += 1;
            let beyond =
                lowered.contract.as_ref().and_then(|(contract, _)| contract.first_unsupported_duty());
            assert_eq!(
                beyond,
                None,
                "{name}: the shim of this release refuses what {} was given",
                target.name()
            );
            let mut traces = lowered.traces();
            traces.extend(found.diagnostics.iter().map(tfjob_lang::diagnostic::Diagnostic::span));
            for (what, at) in said(plan, target.name()) {
                let left =
                    traces.iter().any(|trace| trace.contains(at) || at.contains(*trace) && !trace.is_empty());
                let words = analysis.sources.slice(at);
                if !left {
                    lost.push(format!("{}, {name}: `{words}` left no trace: {what}", target.name()));
                }
            }
        }
    }
    assert!(compiled > 0, "no spec compiled");
    assert!(lost.is_empty(), "{lost:#?}");
}

/// A reference never has an empty value. With one, `--out={checkpoints}/run1` would become `/run1`, a path in the container's own
/// file system.
#[test]
fn a_reference_is_never_empty() {
    let features = ["data-mount", "data-uri", "checkpoints-mount", "checkpoints-uri", "files", "scratch"];
    let allows: Vec<String> =
        features.iter().map(|feature| format!("allow \"{feature}\" because=\"it is there\"")).collect();
    let image = ["", "image \"ml/a:1\""];
    let (mut seen, mut empty) = (Vec::new(), Vec::new());
    for (uri, at, image, second) in
        ["pvc://d", "nfs://f/e", "hdfs://default/d", "file:///d", "https://h/d.zip", "git+https://h/d"]
            .iter()
            .flat_map(|uri| ["", "/d"].map(|at| (uri, at)))
            .flat_map(|(uri, at)| image.map(|image| (uri, at, image)))
            .flat_map(|(uri, at, image)| ["", "framework \"custom\""].map(|second| (uri, at, image, second)))
    {
        let place = |kind: &str, name: &str, end: &str| match at {
            "" => format!("{kind} {name} \"{uri}{end}\""),
            at => format!("{kind} {name} \"{uri}{end}\" at=\"{at}/{end}\""),
        };
        let framework = if second.is_empty() { "framework \"tensorflow\" version=\"2.15\"" } else { second };
        let text = format!(
            "job \"j\" {{\n{framework}\n{image}\n{}\n{}\n{}\n{}\nrole \"worker\" {{\nresources cpus=1 memory=\"1GiB\"\n\
             env {{ A \"{{checkpoints}}/run1\" }}\n\
             run \"train\" \"{{data.d}}/run1\" \"{{checkpoints}}/run1\" \"{{files.s}}/run1\" \"{{scratch}}/run1\"\n}}\n}}\n",
            allows.join("\n"),
            place("data", "\"d\"", "d"),
            place("checkpoints", "", "c"),
            place("files", "\"s\"", "s"),
        );
        let analysis = analyze(&request(&text));
        let plan = analysis.plan.as_ref().unwrap_or_else(|| panic!("{text}: {:?}", analysis.diagnostics));
        for target in ALL {
            let Some(view) = target.view(plan, 0, 0) else { continue };
            seen.push(target.name());
            let texts = view.argv.iter().chain(view.env.get("A"));
            if texts.clone().any(|text| text == "/run1") {
                empty.push(format!("{}: {:?}\n{text}", target.name(), texts.collect::<Vec<_>>()));
            }
        }
    }
    for target in ["yarn", "local"] {
        assert!(seen.contains(&target), "{target} takes one of these at least: {seen:?}");
    }
    assert_eq!(empty.join("\n"), "");
}
