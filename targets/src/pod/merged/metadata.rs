//! Checks of the annotations of a job and its Pods after the patches are merged.
use super::word;
use crate::patch::Merged;
use crate::pod::annotations::{self, MOST};
use serde_json::{Map, Value};

/// Checks the total size of the annotations of an object. `metadata`: JSON pointer to its metadata. `what`: name of the object in
/// messages.
pub fn sized(metadata: &str, what: &str, merged: &mut Merged<'_>) {
    let at = format!("{metadata}/annotations");
    let all = merged.at(&at).as_object().into_iter().flatten();
    let length: usize = all.map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    if length > MOST {
        let fact =
            format!("the annotations of {what} have {length} bytes; the API server accepts at most {MOST}");
        merged.fault(&[&at], &fact);
    }
}

/// Checks annotations that refer to a container, or that duplicate a field of the Pod.
pub fn pod(template: &str, merged: &mut Merged<'_>) {
    let at = format!("{template}/metadata/annotations");
    let none = Map::new();
    let all = merged.at(&at).as_object().unwrap_or(&none);
    let spec = merged.at(&format!("{template}/spec"));
    let lists = ["initContainers", "containers"].into_iter();
    let containers: Vec<&Value> =
        lists.flat_map(|list| spec[list].as_array().into_iter().flatten()).collect();
    let find = |name: &str| containers.iter().find(|container| word(container, "name") == name);
    for (key, value) in all {
        let value = value.as_str().unwrap_or_default();
        let fact = match annotations::container(key) {
            Some(name) if find(name).is_none() => {
                format!("`{key}` refers to a container that does not exist")
            }
            Some(name) => {
                let own = find(name).map(|c| &c["securityContext"]["appArmorProfile"]);
                let profile = own.filter(|own| !own.is_null());
                let profile = profile.unwrap_or(&spec["securityContext"]["appArmorProfile"]);
                match fits(profile, value) {
                    true => continue,
                    false => format!("`{key}` and `appArmorProfile` have different values"),
                }
            }
            None => {
                let profile = if key == annotations::SECCOMP[0] {
                    Some(&spec["securityContext"]["seccompProfile"])
                } else {
                    let name = key.strip_prefix(annotations::SECCOMP[1]);
                    name.and_then(find).map(|c| &c["securityContext"]["seccompProfile"])
                };
                match profile.is_none_or(|profile| fits(profile, value)) {
                    true => continue,
                    false => format!("`{key}` and `seccompProfile` have different values"),
                }
            }
        };
        let place = format!("{at}/{}", tfjob_lang::origin::pointer_step(key));
        merged.fault(&[&place, &format!("{template}/spec/securityContext")], &fact);
    }
}

/// Returns whether an annotation selects the same profile as `profile`, the value of a field in the security context.
fn fits(profile: &Value, annotation: &str) -> bool {
    match word(profile, "type") {
        "RuntimeDefault" => ["runtime/default", "docker/default"].contains(&annotation),
        "Unconfined" => annotation == "unconfined",
        "Localhost" => annotation.strip_prefix("localhost/") == profile["localhostProfile"].as_str(),
        _ => true,
    }
}
