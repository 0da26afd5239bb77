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
    /// As those, unless a flag says that it starts no task elsewhere (`deepspeed/launcher/runner.py`).
    DeepSpeed,
}

/// Why a launcher does not find the tasks of the other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A flag is missing, or names this machine.
    Lacks(&'static str),
    /// Its own rendezvous is on each machine, whatever else is said.
    Standalone,
    /// It starts the tasks of all machines itself.
    Ssh,
    /// This flag says that this machine is the only one.
    Local(&'static str),
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
                "horovodrun" | "mpirun" | "mpiexec" => Self::Ssh,
                "deepspeed" => Self::DeepSpeed,
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
            Self::DeepSpeed => match local(words) {
                Some(flag) => vec![Fault::Local(flag)],
                None => self.starts_others(words).then_some(Fault::Ssh).into_iter().collect(),
            },
            Self::Ssh => self.starts_others(words).then_some(Fault::Ssh).into_iter().collect(),
        }
    }

    /// Whether it starts tasks on other machines, by the words that follow its own.
    pub fn starts_others(self, words: &[&str]) -> bool {
        let words = own(words);
        match self {
            Self::Torch | Self::Accelerate => false,
            // One process is started where it is.
            Self::Ssh => !is_one(words) || words.iter().any(|word| is_hosts(word)),
            Self::DeepSpeed => value(words, "no_ssh").is_none() && local(words).is_none(),
        }
    }
}

/// Whether MPI is to start one process.
fn is_one(words: &[&str]) -> bool {
    words.windows(2).any(|pair| matches!(pair, ["-np" | "-n" | "--np" | "-c", "1"]))
}

/// Whether a flag of MPI's launchers names hosts.
fn is_hosts(word: &str) -> bool {
    word.trim_start_matches('-').to_lowercase().contains("host") || matches!(word, "-H" | "-f")
}

/// The flag by which DeepSpeed uses one machine.
fn local(words: &[&str]) -> Option<&'static str> {
    let is_here = |host: &str| LOCAL.iter().any(|local| is(host, local));
    if value(words, "include").is_some_and(|hosts| hosts.split('@').all(is_here)) {
        return Some("--include");
    }
    value(words, "num_nodes").is_some_and(|count| count == "1").then_some("--num_nodes")
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
