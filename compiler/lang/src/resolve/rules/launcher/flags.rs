//! Launchers, and their flags for finding other machines.

/// A launcher. Each variant says how the launcher finds the other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Launcher {
    /// Finds the other machines by flags, or by environment variables with the prefix `PET_` (`torch/distributed/run.py`).
    /// Without `--nnodes`, the launcher assumes one machine.
    Torch,
    /// Finds the other machines by flags or by a file (`accelerate/commands/launch.py`). Without `--num_machines`, the launcher
    /// assumes one machine.
    Accelerate,
    /// Reads a list of hosts, and starts the tasks on these hosts over SSH.
    Ssh,
    /// Behaves like `Ssh`, unless a flag restricts the launcher to its own machine (`deepspeed/launcher/runner.py`).
    DeepSpeed,
}

/// Why a launcher cannot work with tasks on other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// This flag is missing, or names only the local machine.
    Missing(&'static str),
    /// `--standalone` starts a separate rendezvous on each machine, regardless of other flags.
    Standalone,
    /// The launcher itself starts the tasks on all machines.
    Ssh,
    /// This flag restricts the launcher to one machine.
    Local(&'static str),
    /// This flag sets the rank to the index of the task in its role, which is not unique in the job.
    Rank(&'static str),
    /// This flag takes a host, but its value also contains a port.
    Port(&'static str),
}

/// A flag: its displayed form, its normalized name, and the values that name only the local machine.
type Flag = (&'static str, &'static str, &'static [&'static str]);

const LOCAL: &[&str] = &["localhost", "127.0.0.1"];
const STATIC: [Flag; 3] = [
    ("--nnodes", "nnodes", &["1", "1:1"]),
    ("--node-rank", "node_rank", &[]),
    ("--master-addr", "master_addr", LOCAL),
];
const ENDPOINT: [Flag; 2] =
    [("--nnodes", "nnodes", &["1", "1:1"]), ("--rdzv-endpoint", "rdzv_endpoint", LOCAL)];
const ACCELERATE: [Flag; 3] = [
    ("--num_machines", "num_machines", &["1"]),
    ("--machine_rank", "machine_rank", &[]),
    ("--main_process_ip", "main_process_ip", LOCAL),
];

impl Launcher {
    /// Returns the launcher in a command, and its index among the words.
    pub fn find(words: &[&str]) -> Option<(Self, usize)> {
        words.iter().enumerate().find_map(|(at, word)| {
            let name = word.rsplit('/').next().unwrap_or_default();
            let next = words.get(at + 1).copied().unwrap_or_default();
            let module = at > 0 && words[at - 1] == "-m";
            let launcher = match name {
                "torchrun" => Self::Torch,
                "torch.distributed.run" | "torch.distributed.launch" if module => Self::Torch,
                "accelerate" if next == "launch" => Self::Accelerate,
                "accelerate.commands.launch" if module => Self::Accelerate,
                "horovodrun" | "mpirun" | "mpiexec" => Self::Ssh,
                "deepspeed" => Self::DeepSpeed,
                _ => return None,
            };
            Some((launcher, at))
        })
    }

    /// Returns the faults in the words after the name of the launcher. `variables`: the names of the environment variables that
    /// are set for the launcher.
    pub fn faults(self, words: &[&str], variables: &[&str]) -> Vec<Fault> {
        let (words, rest) = words.split_at(launcher_arguments(words).len());
        // A variable (`$FLAGS`) or a file with arguments (`@FILE`) may contain any flag, so no fault is certain.
        if rest.first().is_some_and(|word| word.trim_matches('"').starts_with(['$', '@'])) {
            return Vec::new();
        }
        let has = |flag: &str, wrong: &[&str]| {
            let variable = format!("PET_{}", flag.to_uppercase());
            let given = value(words, flag);
            given.is_some_and(|value| !wrong.iter().any(|wrong| matches_value(value, wrong)))
                || variables.contains(&variable.as_str())
        };
        let check = |all: &[Flag]| {
            let missing = all.iter().filter(|(_, flag, wrong)| !has(flag, wrong));
            let mut faults: Vec<Fault> = missing.map(|(shown, ..)| Fault::Missing(shown)).collect();
            faults.extend(all.iter().filter_map(|(shown, flag, _)| invalid_value(words, shown, flag)));
            faults
        };
        match self {
            Self::Torch if words.contains(&"--standalone") => {
                let missing = STATIC.iter().filter(|(_, flag, wrong)| !has(flag, wrong));
                let missing = missing.map(|(shown, ..)| Fault::Missing(shown));
                std::iter::once(Fault::Standalone).chain(missing).collect()
            }
            Self::Torch if has("rdzv_endpoint", LOCAL) => check(&ENDPOINT[..1]),
            // A rendezvous backend other than `static` does not read `--master-addr`, so it needs `--rdzv-endpoint`.
            Self::Torch if has("rdzv_backend", &["static"]) => check(&ENDPOINT),
            Self::Torch => check(&STATIC),
            Self::Accelerate if has("config_file", &[]) => Vec::new(),
            Self::Accelerate => check(&ACCELERATE),
            Self::DeepSpeed => match local(words) {
                Some(flag) => vec![Fault::Local(flag)],
                None => self.starts_remote(words).then_some(Fault::Ssh).into_iter().collect(),
            },
            Self::Ssh => self.starts_remote(words).then_some(Fault::Ssh).into_iter().collect(),
        }
    }

    /// Returns whether the launcher starts tasks on other machines. `words`: the words after its name.
    pub fn starts_remote(self, words: &[&str]) -> bool {
        let words = launcher_arguments(words);
        match self {
            Self::Torch | Self::Accelerate => false,
            // If only one process is requested, MPI starts it on its own machine, unless a flag names hosts.
            Self::Ssh => !is_single(words) || words.iter().any(|word| is_hosts(word)),
            Self::DeepSpeed => value(words, "no_ssh").is_none() && local(words).is_none(),
        }
    }
}

/// Returns whether the arguments make MPI start only one process.
fn is_single(words: &[&str]) -> bool {
    words.windows(2).any(|pair| matches!(pair, ["-np" | "-n" | "--np" | "-c", "1"]))
}

/// Returns whether a flag of an MPI launcher names hosts.
fn is_hosts(word: &str) -> bool {
    word.trim_start_matches('-').to_lowercase().contains("host") || matches!(word, "-H" | "-f")
}

/// Returns the flag that restricts DeepSpeed to one machine.
fn local(words: &[&str]) -> Option<&'static str> {
    let is_here = |host: &str| LOCAL.iter().any(|local| matches_value(host, local));
    if value(words, "include").is_some_and(|hosts| hosts.split('@').all(is_here)) {
        return Some("--include");
    }
    value(words, "num_nodes").is_some_and(|count| count == "1").then_some("--num_nodes")
}

/// Returns the fault of a flag if its value is a tfjob reference or environment variable that the flag does not accept.
fn invalid_value(words: &[&str], shown: &'static str, flag: &str) -> Option<Fault> {
    let value = value(words, flag)?;
    // `{index}` and `$TFJOB_INDEX` are treated the same here, although `{index}` is not expanded in a script: another rule reports
    // this.
    let value = value.trim_matches(['$', '{', '}']);
    match flag {
        "node_rank" | "machine_rank" if matches!(value, "index" | "TFJOB_INDEX") => Some(Fault::Rank(shown)),
        "master_addr" | "main_process_ip" => {
            let name = value.strip_prefix("addresses.").or_else(|| value.strip_prefix("TFJOB_ADDRESSES_"))?;
            let whole = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
            whole.then_some(Fault::Port(shown))
        }
        _ => None,
    }
}

/// Returns the words before the program: the arguments of the launcher itself.
pub(super) fn launcher_arguments<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let program = words.iter().enumerate().position(|(at, word)| {
        let flagged =
            at.checked_sub(1).is_some_and(|at| words[at].starts_with('-') && !words[at].contains('='));
        word.ends_with(".py")
            || matches!(*word, "-m" | "--module" | "--")
            || !word.starts_with('-') && !flagged
    });
    &words[..program.unwrap_or(words.len())]
}

/// Returns the value of a flag: the part after `=`, or the next word. `-` and `_` in the name of a flag are equivalent.
fn value<'w>(words: &[&'w str], flag: &str) -> Option<&'w str> {
    words.iter().enumerate().find_map(|(at, word)| {
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let name = name.strip_prefix("--")?;
        (name.replace('-', "_") == flag)
            .then(|| value.unwrap_or_else(|| words.get(at + 1).copied().unwrap_or_default()))
    })
}

/// Returns whether two values are equal. If `wrong` is a host, a port after the host in `value` is ignored.
fn matches_value(value: &str, wrong: &str) -> bool {
    let number = wrong.bytes().all(|b| b.is_ascii_digit());
    value == wrong || !number && value.split_once(':').is_some_and(|(host, _)| host == wrong)
}
