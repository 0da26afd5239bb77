//! Tests of properties that are written on the parent of the block that has them.
use super::edits::{edited, edited_in};
use super::*;
use crate::shape::EXAMPLES;

/// Returns a job with this header and block of its only role.
fn job(header: &str, block: &str) -> String {
    format!(
        "job \"a\" {{\n    framework \"custom\"\n    image \"x:1\"\n    run \"/x\"\n    role \"w\" count=2{header}{block}\n}}\n"
    )
}

/// Moves each property of each example to the parent of its block. The fix moves it back.
#[test]
fn a_property_is_moved_from_the_parent_to_its_block() {
    let role = alone::request("a", "", Format::Kdl).registry.jobs.block(&[("job", None), ("role", None)]);
    let role = role.expect("roles");
    let mut moved = std::collections::BTreeSet::new();
    for (_, example) in EXAMPLES.iter().filter(|(_, example)| !example.contains('{')) {
        let Some(block) = role.field(example.split(' ').next().unwrap_or_default()) else { continue };
        for property in example.split(' ').filter(|word| word.contains('=')) {
            let name = property.split('=').next().unwrap_or_default();
            let inner = block.shape.object().filter(|_| block.place == crate::shape::Place::Child);
            if inner.is_none_or(|inner| inner.field(name).is_none()) || role.field(name).is_some() {
                continue;
            }
            let rest = example.replace(&format!(" {property}"), "");
            let text = job(&format!(" {property}"), &format!(" {{\n        user 1\n        {rest}\n    }}"));
            let (help, fix) = edited(&text, &format!("unknown property `{name}` in `role`"));
            let Some((fixed, is_sure)) = fix else { panic!("{property}: {help}") };
            assert_eq!(fixed, job("", &format!(" {{\n        user 1\n        {rest} {property}\n    }}")));
            assert!(is_sure && help.contains(&format!("write `{rest} {property}`")), "{help}");
            moved.insert(name);
        }
    }
    assert!(moved.len() > 6 && moved.contains("cpus"), "{moved:?}");
}

/// Without the block, one fix writes it with all values, and the block is not reported as missing.
#[test]
fn properties_become_the_block_that_they_lack() {
    let unknown = |name: &str| format!("unknown property `{name}` in `role`");
    let both = " cpus=8 memory=\"64GiB\"";
    let line = "resources cpus=8 memory=\"64GiB\"";
    for (text, wanted, is_sure) in [
        (job(both, ""), job("", &format!(" {{ {line} }}")), true),
        (job(" cpu=8 min=1 mem=\"64GiB\"", ""), job(" min=1", &format!(" {{ {line} }}")), true),
        (job(both, " { user 1; }"), job("", &format!(" {{ {line}; user 1; }}")), true),
        (
            job(both, " {\n        user 1\n    }"),
            job("", &format!(" {{\n        {line}\n        user 1\n    }}")),
            true,
        ),
        (job(" cpus=8 memory=\"64GB\"", ""), job("", " { resources cpus=8 memory=\"64GB\" }"), false),
        (job(" cpus=0 memory=\"64GiB\"", ""), job("", " { resources cpus=0 memory=\"64GiB\" }"), false),
    ] {
        let first = ["cpus", "cpu"].into_iter().find(|name| text.contains(&format!(" {name}=")));
        let (help, fix) = edited(&text, &unknown(first.expect("a name")));
        assert_eq!(fix, Some((wanted, is_sure)), "{help}");
        let analysis = analyze(&alone::request("a", &text, Format::Kdl));
        let lacks = |one: &&Diagnostic| one.message.contains("no `resources`");
        assert!(!analysis.diagnostics.iter().any(|one| lacks(&one)), "{text}");
    }
    // Nothing is overwritten, and no block that lacks another property or argument is written.
    for text in [
        job(" cpus=8", " { resources cpus=1 memory=\"1GiB\"; }"),
        job(" cpu=8 cpus=9", ""),
        job(" gpus=2", ""),
        job(" limit=3", " { resources cpus=1 memory=\"1GiB\"; }"),
    ] {
        let analysis = analyze(&alone::request("a", &text, Format::Kdl));
        let fixes: Vec<_> = analysis.diagnostics.iter().flat_map(|one| &one.fixes).collect();
        assert!(fixes.iter().all(|fix| !fix.title.contains("resources")), "{text}: {fixes:?}");
        assert!(fixes.iter().all(|fix| !fix.title.contains("restart")), "{text}: {fixes:?}");
    }
}

#[test]
fn keys_of_json_and_yaml_become_the_block_that_they_lack() {
    let yaml = |role: &str| {
        format!("job:\n  name: a\n  framework: custom\n  image: x:1\n  run: [/x]\n  role:\n    w:\n{role}")
    };
    let json = |role: &str| {
        format!(
            r#"{{ "job": {{ "name": "a", "framework": "custom", "image": "x:1", "run": ["/x"], "role": {{ "w": {role} }} }} }}"#
        )
    };
    for (format, text, wanted) in [
        (
            Format::Yaml,
            yaml("      count: 2\n      cpus: 8\n      memory: 64GiB\n      min: 1\n"),
            Some(yaml("      count: 2\n      resources: { cpus: 8, memory: 64GiB }\n      min: 1\n")),
        ),
        (
            Format::Json,
            json(r#"{ "cpus": 8, "memory": "64GiB", "count": 2 }"#),
            Some(json(r#"{ "resources": { "cpus": 8, "memory": "64GiB" }, "count": 2 }"#)),
        ),
        (Format::Yaml, yaml("      cpus: 8\n      count: 2\n      memory: 64GiB\n"), None),
        (Format::Yaml, yaml("      cpus: 8 # all\n      memory: 64GiB\n"), None),
    ] {
        let (help, fix) = edited_in(format, &text, "unknown key `cpus`");
        assert!(help.starts_with("`cpus` is a property of `resources`"), "{help}");
        assert_eq!(fix, wanted.map(|wanted| (wanted, true)), "{help}");
        let analysis = analyze(&alone::request("a", &text, format));
        assert!(!analysis.diagnostics.iter().any(|one| one.message.contains("no `resources`")), "{text}");
    }
}
