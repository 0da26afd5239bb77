//! YAML comments that explain values of Pods, and of the objects that Pods need.
use crate::pod::mechanism::{SPEC_DIGEST, TASK_DIGEST};
use serde_json::{Map, Value};

/// Maps with keys that the user chooses.
const OF_USER: [&str; 7] =
    ["labels", "annotations", "matchLabels", "nodeSelector", "data", "stringData", "volumeAttributes"];

/// Returns the YAML comment of a value, or `None` if the value needs no comment. `parent`: key of `holder`, the map that contains
/// the value. A patch may have set the value, so the comment must be true for each value of the field.
#[must_use]
pub fn comment(parent: &str, holder: &Map<String, Value>, key: &str) -> Option<String> {
    let value = &holder[key];
    match key {
        SPEC_DIGEST if parent == "annotations" => Some("digest of the resolved spec".to_owned()),
        TASK_DIGEST if parent == "annotations" => Some("digest of what its tasks see".to_owned()),
        _ if OF_USER.contains(&parent) => None,
        "mode" | "defaultMode" => value.as_u64().map(|mode| format!("octal {mode:04o}")),
        "medium" if value == "Memory" => {
            Some("this memory counts against the limits of the containers".to_owned())
        }
        // Only the Deployment of TensorBoard has replicas and a selector.
        "replicas" if holder.contains_key("selector") => {
            Some("runs until you delete it, also after the job has finished".to_owned())
        }
        "value" if value == "" && holder.get("name").is_some_and(|name| name == "CUDA_VISIBLE_DEVICES") => {
            Some("the program sees no GPU".to_owned())
        }
        _ => value.as_u64().filter(|_| key.contains("Seconds")).and_then(duration),
    }
}

/// Returns seconds in days, hours, minutes, and seconds, such as `1h30m`. `None` for less than two minutes, which need no
/// conversion.
fn duration(seconds: u64) -> Option<String> {
    let units =
        [("d", seconds / 86_400), ("h", seconds / 3600 % 24), ("m", seconds / 60 % 60), ("s", seconds % 60)];
    let parts =
        units.into_iter().filter(|(_, count)| *count > 0).map(|(unit, count)| format!("{count}{unit}"));
    (seconds >= 120).then(|| parts.collect())
}

#[cfg(test)]
mod tests {
    use super::comment;
    use serde_json::json;

    #[test]
    fn a_comment_has_the_value_in_another_form() {
        let told = |key: &str, value: serde_json::Value| {
            comment("", json!({ key: value }).as_object().unwrap(), key)
        };
        assert_eq!(told("mode", json!(365)).as_deref(), Some("octal 0555"));
        assert_eq!(told("defaultMode", json!(420)).as_deref(), Some("octal 0644"));
        assert_eq!(told("activeDeadlineSeconds", json!(172_800)).as_deref(), Some("2d"));
        assert_eq!(told("ttlSecondsAfterFinished", json!(86_400)).as_deref(), Some("1d"));
        assert_eq!(told("graceSeconds", json!(90_061)).as_deref(), Some("1d1h1m1s"));
        assert_eq!(told("periodSeconds", json!(10)), None);
        assert_eq!(told("mode", json!("x")), None);
    }
}
