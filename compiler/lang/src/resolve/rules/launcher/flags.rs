//! Launchers, and what their flags say of the other machines.

/// A launcher, by how it learns of the other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Launcher {
    /// By its flags, or variables that begin with `PET_` (`torch/distributed/run.py`; one machine unless `--nnodes`).
    Torch,
    /// By its flags, or a file (`accelerate/commands/launch.py`; one machine unless `--num_machines`).
    Accelerate,
    /// By a list of hosts, on which it starts the tasks over ssh.
    Ssh,
}

/// Why a launcher does not find the tasks of the other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A flag is missing, or names this machine.
    Lacks(&'static str),
    /// Its own rendezvous is on each machine, whatever else is said.
    Standalone,
    /// The rank is the task's number in its role.
    Rank(&'static str),
    /// The host has a port.
    Port(&'static str),
}

/// A flag, the form that is shown, and the values that name this machine alone.
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
const SSH: [Flag; 1] = [("--no_ssh", "no_ssh", &[])];

impl Launcher {
    /// The launcher of a command, and where its word stands among the command's.
    pub fn of(words: &[&str]) -> Option<(Self, usize)> {
        words.iter().enumerate().find_map(|(at, word)| {
            let name = word.rsplit('/').next().unwrap_or_default();
            let next = words.get(at + 1).copied().unwrap_or_default();
            let module = at > 0 && words[at - 1] == "-m";
            let launcher = match name {
                "torchrun" => Self::Torch,
                "torch.distributed.run" | "torch.distributed.launch" if module => Self::Torch,
                "accelerate" if next == "launch" => Self::Accelerate,
                "accelerate.commands.launch" if module => Self::Accelerate,
                "horovodrun" | "mpirun" | "mpiexec" | "deepspeed" => Self::Ssh,
                _ => return None,
            };
            Some((launcher, at))
        })
    }

    /// What is wrong with the words that follow the launcher's own, and the variables that are set for it.
    pub fn faults(self, words: &[&str], variables: &[&str]) -> Vec<Fault> {
        let (words, rest) = words.split_at(own(words).len());
        // A variable, or a file of arguments, may hold any flag.
        if rest.first().is_some_and(|word| word.trim_matches('"').starts_with(['$', '@'])) {
            return Vec::new();
        }
        let has = |flag: &str, wrong: &[&str]| {
            let variable = format!("PET_{}", flag.to_uppercase());
            let given = value(words, flag);
            given.is_some_and(|value| !wrong.iter().any(|wrong| is(value, wrong)))
                || variables.contains(&variable.as_str())
        };
        let judged = |all: &[Flag]| {
            let lacking = all.iter().filter(|(_, flag, wrong)| !has(flag, wrong));
            let mut faults: Vec<Fault> = lacking.map(|(shown, ..)| Fault::Lacks(shown)).collect();
            faults.extend(all.iter().filter_map(|(shown, flag, _)| misled(words, shown, flag)));
            faults
        };
        match self {
            Self::Torch if words.contains(&"--standalone") => {
                let lacking = STATIC.iter().filter(|(_, flag, wrong)| !has(flag, wrong));
                let lacking = lacking.map(|(shown, ..)| Fault::Lacks(shown));
                std::iter::once(Fault::Standalone).chain(lacking).collect()
            }
            Self::Torch if has("rdzv_endpoint", LOCAL) => judged(&ENDPOINT[..1]),
            // Any other rendezvous than the static one reads no `--master-addr`.
            Self::Torch if has("rdzv_backend", &["static"]) => judged(&ENDPOINT),
            Self::Torch => judged(&STATIC),
            Self::Accelerate if has("config_file", &[]) => Vec::new(),
            Self::Accelerate => judged(&ACCELERATE),
            Self::Ssh => judged(&SSH),
        }
    }
}

/// What a value of ours says that the flag does not take.
fn misled(words: &[&str], shown: &'static str, flag: &str) -> Option<Fault> {
    let value = value(words, flag)?;
    // In a script a brace is a fault of its own.
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

/// The launcher's own words: those before the program, which has words of its own.
pub(super) fn own<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let program = words.iter().enumerate().position(|(at, word)| {
        let flagged =
            at.checked_sub(1).is_some_and(|at| words[at].starts_with('-') && !words[at].contains('='));
        word.ends_with(".py")
            || matches!(*word, "-m" | "--module" | "--")
            || !word.starts_with('-') && !flagged
    });
    &words[..program.unwrap_or(words.len())]
}

/// The value of a flag, which both `-` and `_` may join: behind `=`, or the next word.
fn value<'w>(words: &[&'w str], flag: &str) -> Option<&'w str> {
    words.iter().enumerate().find_map(|(at, word)| {
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let name = name.strip_prefix("--")?;
        (name.replace('-', "_") == flag)
            .then(|| value.unwrap_or_else(|| words.get(at + 1).copied().unwrap_or_default()))
    })
}

/// Whether a value is that one; of a host, also with a port.
fn is(value: &str, wrong: &str) -> bool {
    let number = wrong.bytes().all(|b| b.is_ascii_digit());
    value == wrong || !number && value.split_once(':').is_some_and(|(host, _)| host == wrong)
}
