//! Images in patches, for the check of their registries.
use super::value;
use serde_json::{Map, Value};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::{Job, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Image;

/// Maps that are not searched, because the user chooses their keys.
const SKIPPED: [&str; 11] = [
    "annotations",
    "configuration",
    "env",
    "environment",
    "labels",
    "limits",
    "matchLabels",
    "metadata",
    "nodeSelector",
    "requests",
    "volumeAttributes",
];

/// Returns the images that the patches of a target set, each with the span of its patch. A value that is not the name of an image is
/// reported elsewhere.
#[must_use]
pub fn images(plan: &Plan, target: &str) -> Vec<(Span, Image)> {
    let patches = plan.requirements.iter().filter_map(|required| match &required.requirement {
        Requirement::Job(Job::Patch { target: of, text, .. }) if of == target => Some((required.at, text)),
        _ => None,
    });
    let mut found = Vec::new();
    for (at, text) in patches {
        let mut names = Vec::new();
        search(&value(text), &mut names);
        found.extend(names.iter().filter_map(|name| Some((at, Image::parse(name).ok()?))));
    }
    found
}

fn search(patch: &Value, names: &mut Vec<String>) {
    match patch {
        Value::Object(map) => {
            names.extend(named(map).map(str::to_owned));
            let inner = map.iter().filter(|(key, _)| !SKIPPED.contains(&key.as_str()));
            inner.for_each(|(_, value)| search(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| search(item, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the image of an object: `image` of a container, `reference` of an image volume, or `id` of `image` (DC/OS) or `artifact`
/// (YARN).
fn named(object: &Map<String, Value>) -> Option<&str> {
    let image = object.get("image");
    let inner = image.and_then(|image| image.get("reference").or_else(|| image.get("id")));
    let artifact = object.get("artifact").and_then(|artifact| artifact.get("id"));
    inner.or(image).or(artifact)?.as_str()
}
