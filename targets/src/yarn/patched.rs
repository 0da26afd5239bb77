//! What the engine asks of a patch's values beyond their types: it takes each of these in silence, and fails later.
use serde_json::Value;

/// Units of a resource (`UnitsConversionUtil`): any other kills the master.
const UNITS: [&str; 15] = ["", "p", "n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi"];

/// What is wrong with a value at a path.
#[must_use]
pub fn fits(path: &str, value: &Value) -> Option<&'static str> {
    let key = path.rsplit('.').next().unwrap_or_default();
    let text = value.as_str().unwrap_or_default();
    let none = value.as_u64() == Some(0);
    if path.starts_with("dependencies") {
        return Some("is what `after` says: the engine waits for ever for a name that is not there");
    }
    if path == "components" && value.is_array() {
        return Some("cannot be empty: the engine takes no service without components");
    }
    if value.is_null() {
        return None;
    }
    if let Some((_, name)) = path.split_once("configuration.env.") {
        return variable(name, text);
    }
    match key {
        "number_of_containers" => Some("is the role's `count`: the peers of its tasks are told the same"),
        "restart_policy" => Some("is what `restart` says: how the service ends hangs on it"),
        "queue" if path == "queue" => (!is_queue(text)).then_some("is no name of a queue"),
        "version" if text.is_empty() => Some("cannot be empty: the engine refuses it"),
        "launch_command" => Some("is what `run` or `shell` says, quoted for the engine's two shells"),
        "name" if path == "name" => Some("is the spec's own: tasks are found by it"),
        "memory" if path.ends_with("resource.memory") => {
            let whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && text.parse() != Ok(0);
            (!whole)
                .then_some("takes whole mebibytes as text, such as \"4096\"; a unit is refused at submission")
        }
        "cpus" | "lifetime" if none => Some("is at least 1"),
        "unit" if path.contains("additional.") => {
            (!UNITS.contains(&text)).then_some("is no unit of a resource: the master would die of it")
        }
        "dest_file" => {
            let plain =
                !text.is_empty() && !text.contains(['/', '$']) && !["conf", ".", ".."].contains(&text);
            (!plain).then_some("takes one name, which is not `conf` and holds no `/` or `$`")
        }
        _ => None,
    }
}

fn is_queue(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// The launch script holds names and values as they are.
fn variable(name: &str, text: &str) -> Option<&'static str> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name == "TF_CONFIG" {
        return Some("is each task's own: one text for all would give them one place in the job");
    }
    if !name.bytes().all(word) || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Some("is no name of a variable, and the launch script would run what it says");
    }
    let shell =
        text.contains(['$', '`', '"', '\\']) || ["{{", "}}", "<"].iter().any(|mark| text.contains(mark));
    shell.then_some("is shell text where it stands: write the variable in `env`, which quotes it")
}
