//! Keywords and values of other systems, their equivalents in a spec, and examples.
use super::{placement, whole};
use crate::diagnostic::kebab;
use crate::shape::literal;
use crate::sources::Format;

/// Keywords of other systems in kebab case ([`crate::diagnostic::kebab`]), the equivalent field, and whether both accept the same
/// values. If not, the error has a help but no automatic fix.
pub(super) const WORDS: &[(&str, &str, bool)] = &[
    ("active-deadline-seconds", "deadline", false),
    ("affinity", "placement", false),
    ("amd.com/gpu", "device", false),
    ("archives", "files", false),
    ("args", "run", false),
    ("arguments", "run", false),
    ("artifact", "image", false),
    ("backoff-limit", "limit", true),
    ("checkpoint", "checkpoints", true),
    ("checkpoint-path", "checkpoints", true),
    ("clean-pod-policy", "keep", false),
    ("cmd", "run", true),
    ("command", "run", true),
    ("components", "role", false),
    ("conda", "files", false),
    ("constraints", "placement", false),
    ("container", "image", false),
    ("container-image", "image", true),
    ("containers", "role", false),
    ("cores", "cpus", true),
    ("cpu", "cpus", true),
    ("credential", "secret", false),
    ("credentials", "secret", false),
    ("dataset", "data", false),
    ("dependencies", "after", false),
    ("depends-on", "after", false),
    ("dns", "dns-domain", true),
    ("docker", "image", false),
    ("docker-image", "image", true),
    ("entrypoint", "run", true),
    ("env-from", "secret", false),
    ("env-vars", "env", true),
    ("environment", "env", true),
    ("executor-cores", "cpus", true),
    ("executor-memory", "memory", true),
    ("fetch", "files", false),
    ("fresh", "if-exists", false),
    ("git", "code", false),
    ("gpu", "gpus", true),
    ("gpu-type", "gpu-model", true),
    ("grace-period", "grace", true),
    ("health-checks", "ready", false),
    ("host-network", "network", false),
    ("hyperparameters", "param", true),
    ("image-name", "image", true),
    ("image-pull-policy", "pull", true),
    ("image-pull-secret", "pull-secret", true),
    ("image-pull-secrets", "pull-secret", true),
    ("import", "extends", true),
    ("include", "extends", true),
    ("init-containers", "files", false),
    ("input", "data", false),
    ("input-path", "data", false),
    ("instances", "count", true),
    ("label-expression", "placement", false),
    ("launch-cmd", "run", false),
    ("launch-command", "run", true),
    ("lifetime", "deadline", false),
    ("log-dir", "logs", true),
    ("logdir", "logs", true),
    ("max", "limit", true),
    ("max-restarts", "limit", true),
    ("max-retries", "limit", true),
    ("max-runtime", "deadline", true),
    ("mem", "memory", true),
    ("mount", "at", true),
    ("mount-path", "at", true),
    ("node-label", "placement", false),
    ("node-label-expression", "placement", false),
    ("node-labels", "placement", false),
    ("node-partition", "placement", false),
    ("node-selector", "placement", false),
    ("ns", "namespace", true),
    ("num-cpus", "cpus", true),
    ("num-executors", "count", true),
    ("num-gpus", "gpus", true),
    ("num-ps", "count", true),
    ("num-workers", "count", true),
    ("number", "count", true),
    ("number-of-containers", "count", true),
    ("nvidia.com/gpu", "gpus", true),
    ("parallelism", "count", true),
    ("parameter", "param", true),
    ("parameters", "param", true),
    ("params", "param", true),
    ("password", "secret", false),
    ("path", "at", false),
    ("place", "placement", true),
    ("ports", "port", true),
    ("priority-class-name", "priority", true),
    ("ps-docker-image", "image", true),
    ("ps-launch-cmd", "run", false),
    ("ps-resources", "resources", false),
    ("py-files", "files", false),
    ("pytorch-replica-specs", "role", false),
    ("queue-name", "queue", true),
    ("ram", "memory", true),
    ("read-write", "writable", true),
    ("readiness", "ready", true),
    ("readiness-probe", "ready", false),
    ("replica", "count", true),
    ("replica-specs", "role", false),
    ("replicas", "count", true),
    ("restart-policy", "restart", true),
    ("restarts", "limit", false),
    ("retries", "limit", true),
    ("run-as-user", "user", true),
    ("run-policy", "keep", false),
    ("script", "shell", false),
    ("secrets", "secret", true),
    ("security-context", "user", false),
    ("service-account-name", "service-account", true),
    ("shm", "shared-memory", true),
    ("shm-size", "shared-memory", true),
    ("source", "code", false),
    ("stage", "files", true),
    ("stalls", "no-progress-limit", true),
    ("task", "role", true),
    ("termination-grace-period-seconds", "grace", false),
    ("tf-replica-specs", "role", false),
    ("time-limit", "deadline", true),
    ("timeout", "deadline", true),
    ("tolerations", "toleration", false),
    ("total-executor-cores", "cpus", false),
    ("ttl", "for", false),
    ("ttl-seconds-after-finished", "for", false),
    ("uris", "files", false),
    ("variable", "param", false),
    ("vcores", "cpus", true),
    ("venv", "files", false),
    ("virtualenv", "files", false),
    ("volume", "data", false),
    ("volume-mounts", "data", false),
    ("volumes", "data", false),
    ("wall-time", "deadline", true),
    ("walltime", "deadline", true),
    ("worker-docker-image", "image", true),
    ("worker-launch-cmd", "run", false),
    ("worker-resources", "resources", false),
    ("workers", "role", false),
    ("working-dir", "workdir", true),
    ("working-directory", "workdir", true),
];

/// Values of other systems in kebab case ([`crate::diagnostic::kebab`]), and the equivalent value.
pub(super) const VALUES: &[(&str, &str)] = &[
    ("active", "started"),
    ("available", "ready"),
    ("begun", "started"),
    ("complete", "done"),
    ("completed", "done"),
    ("created", "started"),
    ("each", "all"),
    ("ended", "done"),
    ("exited", "done"),
    ("failure", "failed"),
    ("finished", "done"),
    ("healthy", "ready"),
    ("if-not-present", "missing"),
    ("keras", "tensorflow"),
    ("lightning", "pytorch"),
    ("listening", "ready"),
    ("master", "chief"),
    ("mwms", "multi-worker-mirrored"),
    ("no", "never"),
    ("node", "host"),
    ("none", "never"),
    ("ps", "parameter-server"),
    ("pytorch-lightning", "pytorch"),
    ("running", "started"),
    ("succeeded", "done"),
    ("success", "done"),
    ("tensorflow2", "tensorflow"),
    ("terminated", "done"),
    ("tf", "tensorflow"),
    ("tf-keras", "tensorflow"),
    ("torch", "pytorch"),
    ("unless-stopped", "always"),
    ("up", "ready"),
    ("worker-0", "chief"),
    ("worker0", "chief"),
    ("worker:0", "chief"),
];

/// Fields of a spec, each with an example that can be typed as it is.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("after", "after \"ps\" when=\"ready\""),
    ("checkpoints", "checkpoints \"hdfs://default/checkpoints\""),
    ("code", "code \"./src/\""),
    ("count", "role \"worker\" count=4"),
    ("cpus", "resources cpus=4 memory=\"16GiB\""),
    ("data", "data \"train\" \"hdfs://default/train\""),
    ("deadline", "deadline \"1d\""),
    ("device", "resources cpus=4 memory=\"16GiB\" { device \"rdma/hca\" 1 }"),
    ("disk", "resources cpus=4 memory=\"16GiB\" disk=\"100GiB\""),
    ("env", "env { LOG_LEVEL \"info\" }"),
    ("files", "files \"venv\" \"https://files.example.com/venv.tar.gz\""),
    ("for", "keep \"failed\" for=\"1d\""),
    ("gpus", "resources cpus=4 memory=\"16GiB\" gpus=1"),
    ("grace", "stop grace=\"60s\""),
    ("if-exists", "checkpoints \"hdfs://default/checkpoints\" if-exists=\"fail\""),
    ("image", "image \"ml/mnist:1.0\""),
    ("keep", "keep \"failed\""),
    ("limit", "restart \"on-failure\" limit=3"),
    ("memory", "resources cpus=4 memory=\"16GiB\""),
    ("network", "network \"host\""),
    ("param", "param \"lr\" 0.001"),
    ("placement", "placement { node \"disktype\" \"ssd\" }"),
    ("port", "port \"web\" 8000"),
    ("pull", "image \"ml/mnist:1.0\" pull=\"always\""),
    ("pull-secret", "image \"ml/mnist:1.0\" pull-secret=\"registry\""),
    ("ready", "ready tcp=\"rendezvous\""),
    ("resources", "resources cpus=4 memory=\"16GiB\" gpus=1"),
    ("restart", "restart \"on-failure\""),
    ("role", "role \"worker\" count=4"),
    ("run", "run \"python\" \"train.py\""),
    ("secret", "secret \"TOKEN\" from=\"store\" key=\"token\""),
    ("shared-memory", "resources cpus=4 memory=\"16GiB\" shared-memory=\"1GiB\""),
    ("shell", "shell \"exec python train.py\""),
    ("user", "user 1000"),
    ("workdir", "workdir \"/srv\""),
];

/// Options of targets, each with an example that can be typed as it is.
const OF_TARGETS: &[(&str, &str)] = &[
    ("namespace", "namespace \"ml\""),
    ("queue", "queue \"ml\""),
    ("service-account", "service-account \"trainer\""),
    ("toleration", "toleration \"nvidia.com/gpu\""),
];

/// Keywords of other systems for features that a spec does not support, each with a help.
const UNSUPPORTED: &[(&str, &str)] = &[
    (
        "tpus",
        "`resources` has no property for TPUs; request them as a device: `resources cpus=4 memory=\"16GiB\" { device \"google.com/tpu\" 8 }`",
    ),
    ("readonly", "data is read-only by default; remove this property"),
    ("read-only", "data is read-only by default; remove this property"),
    (
        "liveness-probe",
        "liveness probes are not supported; a task fails when its program exits; use `ready` for a readiness probe",
    ),
    (
        "startup-probe",
        "startup probes are not supported; use `ready` for a readiness probe, and `start timeout=\"20m\"` for the maximum startup time",
    ),
];

/// Returns the help for a keyword of another system, if a spec does not support the feature.
pub fn unsupported(word: &str) -> Option<&'static str> {
    let folded = folded(word);
    UNSUPPORTED.iter().find(|(theirs, _)| *theirs == folded).map(|(_, why)| *why)
}

/// Returns `help` with the value of the user in its example of the field `ours`: `deadline "3600s"`. `None` if the field does
/// not accept the value. `word`: the keyword of the other system. `fits`: whether the field accepts a value.
pub fn carried(
    help: &str,
    ours: &str,
    word: &str,
    value: &Carried<'_>,
    fits: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let shown = example_for(word, ours).or_else(|| of_target(ours)).filter(|shown| help.contains(shown))?;
    let quoted = |text: &str| literal::text(Format::Kdl, text);
    if let Some(told) = value.entry(word) {
        return Some(told.map_or_else(|nothing| nothing, |entry| help.replacen(shown, &entry, 1)));
    }
    let filled = match value {
        Carried::Flag(_) => return None,
        Carried::Pairs(pairs) if ours == "placement" => {
            let nodes: Vec<String> = pairs
                .iter()
                .map(|(name, value)| format!("node {} {}", quoted(name), quoted(value)))
                .collect();
            format!("placement {{ {} }}", nodes.join("; "))
        }
        Carried::Pairs(_) | Carried::Rows(_) => return None,
        Carried::One(line) if ["run", "shell"].contains(&ours) => whole::command(line),
        Carried::One(text) if ours == "role" => {
            let count: u32 = text.parse().ok()?;
            shown.replacen("count=4", &format!("count={count}"), 1)
        }
        Carried::One(text) => {
            let word = folded(word);
            let seconds = (word.contains("seconds") || word == "lifetime").then(|| format!("{text}s"));
            let size = text.strip_suffix(['g', 'G']).map(|n| format!("{n}GiB"));
            let size = size.or_else(|| text.strip_suffix(['m', 'M']).map(|n| format!("{n}MiB")));
            let plain = || (*text).to_owned();
            let text = seconds.into_iter().chain([plain()]).chain(size).find(|text| fits(text))?;
            let key = format!("{ours}=");
            let at = match shown.find(&key) {
                Some(at) => at + key.len(),
                None => shown.strip_prefix(ours)?.starts_with(' ').then_some(ours.len() + 1)?,
            };
            let old = shown[at..].split(' ').next().unwrap_or_default();
            let new = if old.starts_with('"') { quoted(&text) } else { text };
            format!("{}{new}{}", &shown[..at], &shown[at + old.len()..])
        }
    };
    Some(help.replacen(shown, &filled, 1))
}

/// Value of a keyword of another system, as the user wrote it.
pub enum Carried<'a> {
    /// One value.
    One(&'a str),
    /// `#true` or `#false`.
    Flag(bool),
    /// A block of names and values.
    Pairs(Vec<(&'a str, &'a str)>),
    /// Rows of values: the arguments of a KDL node are one row; in JSON and YAML, each list item is a row.
    Rows(Vec<Vec<String>>),
}

impl Carried<'_> {
    /// Returns the equivalent entry for this value, or a help if there is none. `None` for unknown keywords and values.
    fn entry(&self, word: &str) -> Option<Result<String, String>> {
        match self {
            Carried::One(text) => {
                whole::entry(word, text).or_else(|| placement::entry(word, &[vec![(*text).to_owned()]]))
            }
            Carried::Rows(rows) => placement::entry(word, rows),
            Carried::Flag(flag) => whole::entry(word, if *flag { "true" } else { "false" }),
            Carried::Pairs(pairs) => pairs.iter().find_map(|(name, value)| whole::entry(name, value)),
        }
    }
}

/// Returns the help for a field that has another meaning in other systems, if its value shows this meaning.
pub fn theirs_here(word: &str, value: &Carried<'_>) -> Option<String> {
    let Carried::One(text) = value else { return None };
    (folded(word) == "labels").then(|| placement::of_label(text))
}

/// Returns an example of an option of targets.
pub fn of_target(option: &str) -> Option<&'static str> {
    OF_TARGETS.iter().find(|(name, _)| *name == option).map(|(_, example)| *example)
}

/// Renamed keys: the old name and the new name. Both accept the same values.
pub(super) const RENAMED: &[(&str, &str)] = &[("on", "policy")];

/// Returns the equivalent field for a keyword or command-line flag of another system, and whether both accept the same
/// values.
pub fn ours(word: &str) -> Option<(&'static str, bool)> {
    let folded = folded(word);
    let renamed = RENAMED.iter().map(|(old, new)| (old, new, &true));
    let mut words = WORDS.iter().map(|(theirs, ours, same)| (theirs, ours, same)).chain(renamed);
    words.find(|(theirs, ..)| **theirs == folded).map(|(_, ours, same)| (*ours, *same))
}

/// Returns a keyword in kebab case, without the dashes of a command-line flag, for table lookups.
pub(super) fn folded(word: &str) -> String {
    kebab(word.trim_start_matches('-'))
}

/// Returns an example of the equivalent field for a keyword of another system.
pub fn example_for(word: &str, ours: &str) -> Option<&'static str> {
    whole::example(&folded(word)).or_else(|| example(ours))
}

/// Returns an example of a field.
pub fn example(field: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|(name, _)| *name == field).map(|(_, example)| *example)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order_and_each_is_there_once() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(EXAMPLES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(ours("--num_workers"), Some(("count", true)));
        assert_eq!(ours("imagePullPolicy"), Some(("pull", true)));
    }

    #[test]
    fn each_example_is_accepted_in_a_job_or_a_role() {
        use crate::shape::tests::in_job;
        for (field, example) in EXAMPLES {
            let job = in_job(&format!(" {example}")).told();
            let role = in_job(&format!(" role \"x\" {{ {example} }}")).told();
            assert!(job.is_empty() || role.is_empty(), "{field}: {job:?} {role:?}");
        }
    }
}
