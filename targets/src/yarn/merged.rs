//! A service with the user's patches in it: what the engine says of it as a whole, or does in silence.
use crate::patch::Merged;
use serde_json::Value;
use std::collections::BTreeSet;
use tfjob_lang::lowered::{Lowered, Phase, Word};
use tfjob_lang::plan::Plan;

/// Judges the service.
pub fn judge(plan: &Plan, lowered: &Lowered, merged: &mut Merged<'_>) {
    let posted = lowered
        .steps
        .iter()
        .any(|step| step.phase == Phase::Submit && step.argv.first() == Some(&Word::from("curl")));
    let mut files = BTreeSet::new();
    all_files("/configuration/files", &mut files, merged);
    for (at, component) in merged.items("/components") {
        let name = component["name"].as_str().unwrap_or_default();
        if name != "tensorboard" && !plan.roles.iter().any(|role| role.name.value == name) {
            merged.fault(&[&format!("{at}/name"), &at], &format!("`{name}` is no role of the job"));
        }
        let artifact = &component["artifact"];
        if artifact.is_object() && artifact["id"].as_str().is_none_or(|id| id.trim().is_empty()) {
            let places = [format!("{at}/artifact/id"), format!("{at}/artifact")];
            merged.fault(&[&places[0], &places[1]], &format!("the artifact of `{name}` has no id"));
        }
        all_files(&format!("{at}/configuration/files"), &mut files.clone(), merged);
        for (at, constraint) in merged.items(&format!("{at}/placement_policy/constraints")) {
            constrained(&at, constraint, name, posted, merged);
        }
    }
}

fn constrained(at: &str, constraint: &Value, name: &str, posted: bool, merged: &mut Merged<'_>) {
    if !posted {
        let fact = "a constraint would be launched, and the server refuses it: add `placement-constraints` and `place`";
        merged.fault(&[at], fact);
    }
    let tags = constraint["target_tags"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(tag) = tags.iter().filter_map(Value::as_str).find(|tag| *tag != name) {
        merged.fault(&[at], &format!("`{name}` is placed by `{tag}`: the engine knows its own tasks only"));
    }
}

/// Each file has a name of its own, and comes from somewhere.
fn all_files<'d>(place: &str, names: &mut BTreeSet<&'d str>, merged: &mut Merged<'d>) {
    for (at, file) in merged.items(place) {
        let name = file["dest_file"].as_str().unwrap_or_default();
        if !names.insert(name) {
            merged.fault(&[&at], &format!("two files are called `{name}`"));
        }
        let source = file["src_file"].as_str().is_some_and(|source| !source.is_empty());
        let content = file["properties"].as_object().is_some_and(|content| !content.is_empty());
        let kind = file["type"].as_str().unwrap_or_default();
        let copied = ["STATIC", "ARCHIVE"].contains(&kind);
        if copied && (!source || content) {
            merged.fault(&[&at], &format!("`{name}` is copied: it takes a `src_file` and no `properties`"));
        }
    }
}
