//! YAML comments that explain values of a TFJob.
use crate::kubernetes::operator;
use crate::pod::lower::comments;
use serde_json::{Map, Value};

/// Returns the YAML comment of a value, or `None` if the value needs no comment. `parent`: key of `holder`, the map that contains
/// the value. A patch may have set the value, so the comment must be true for each value of the field.
#[must_use]
pub fn comment(parent: &str, holder: &Map<String, Value>, key: &str) -> Option<String> {
    let value = &holder[key];
    let text = match key {
        "cleanPodPolicy" if parent == "runPolicy" && value == "None" => {
            "pods that still run when the job ends continue to run"
        }
        "enableDynamicWorker" if parent == "spec" && value == true => "the operator recreates lost workers",
        "minAvailable" if parent == "schedulingPolicy" => {
            "the pods start only when this many can start together"
        }
        "name" if parent == "ports" && value == operator::PODS.rendezvous => {
            "without a port of this name, the operator adds port 2222"
        }
        _ => return comments::comment(parent, holder, key),
    };
    Some(text.to_owned())
}
