//! A base file may have no role yet. The checks of every target must work for it, also with its other fields and patches.
use crate::specs;
use std::path::PathBuf;
use tfjob_driver::TargetSummary;
use tfjob_targets::{ALL, specimens};

/// Removes the blocks of a job that begin with one of these keywords. Each line of the text has at most one entry.
fn without(text: &str, keywords: &[&str]) -> String {
    let (mut depth, mut removed, mut kept) = (0, false, String::new());
    for line in text.lines() {
        let starts = |word: &&str| line.trim_start().starts_with(&format!("{word} "));
        removed |= depth == 1 && keywords.iter().any(starts);
        depth += line.matches('{').count();
        depth -= line.matches('}').count();
        if !removed {
            kept.push_str(line);
            kept.push('\n');
        }
        removed &= depth > 1;
    }
    kept
}

/// Checks and compiles a text for each target. Returns how many targets were checked.
fn survives(name: &str, text: &str) -> usize {
    let analysis = specs::text_at(name, text);
    let Some(plan) = &analysis.plan else { return 0 };
    let summary = TargetSummary::of(name, plan, specs::DRIVER.registry());
    drop((summary.to_string(), summary.refusal(plan)));
    let one = |target: &&dyn tfjob_lang::target::AnyTarget| {
        drop((target.hosts(plan), target.reserves(plan), target.compile(plan), target.check(plan)));
        assert!(!plan.roles.is_empty() || analysis.compile(*target).lowered.is_none(), "{name}");
    };
    ALL.iter().inspect(|target| one(target)).count()
}

/// The examples, and one job with all fields of the language.
fn examples() -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("docs/everything.tfjob.kdl")];
    for folder in ["examples", "examples/overlays"] {
        let entries = std::fs::read_dir(specs::root().join(folder)).expect("the directory is readable");
        let paths = entries.flatten().map(|entry| PathBuf::from(folder).join(entry.file_name()));
        found.extend(paths.filter(|path| path.to_string_lossy().ends_with(".tfjob.kdl")));
    }
    found
}

#[test]
fn an_example_without_its_roles_is_checked_on_every_target() {
    let mut checked = 0;
    for path in examples() {
        let text = std::fs::read_to_string(specs::root().join(&path)).expect("readable");
        for keywords in [&["role"][..], &["helper"], &["role", "helper"]] {
            let text = without(&text, keywords);
            assert!(!keywords.contains(&"role") || !text.contains("\n    role "), "{text}");
            checked += survives(&path.to_string_lossy(), &text);
        }
    }
    assert!(checked > 200, "only {checked} checks");
}

#[test]
fn an_option_of_a_job_without_roles_is_checked_on_every_target() {
    let mut checked = 0;
    for specimen in specimens::all() {
        for target in ALL {
            let text = without(&specimens::text(&specimen, target.name()), &["role"]);
            checked += survives(&format!("{} {}", specimen.feature, specimen.words), &text);
        }
    }
    assert!(checked > 200, "only {checked} checks");
}

#[test]
fn a_patch_of_a_job_without_roles_is_checked_on_every_target() {
    for patch in ["{}", r#"{"metadata":{"labels":{"team":"ads"}}}"#, r#"{"spec":{}}"#, "[]", "a: 1"] {
        for target in ALL {
            let name = target.name();
            let text = format!(
                "job \"base\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"mirrored\"\n    image \"r.example.com/s:1.2\"\n    \
                 run \"python\" \"/a.py\"\n    tensorboard logdir=\"s3://bucket/logs\"\n    target \"{name}\" {{ patch #\"{patch}\"#; }}\n}}\n"
            );
            assert_eq!(survives(&format!("{name} {patch}"), &text), ALL.len(), "{name} {patch}");
        }
    }
}
