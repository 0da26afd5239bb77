//! Programs that start the tasks of a job themselves, where each task starts one: `torchrun`, `mpirun` and the like.
mod commands;

use super::Job;
use super::exit_code::script;
use crate::codes::LAUNCHER_PER_TASK;
use crate::diagnostic::Diagnostic;
use crate::plan::RoleKind;
use crate::sources::Span;
use crate::spec::{self, FrameworkName};
use commands::{commands, program};
use std::collections::BTreeSet;

/// A launcher, by how it learns of the other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Launcher {
    /// By its flags, or variables that begin with `PET_` (`torch/distributed/run.py`; one machine unless `--nnodes`).
    Torch,
    /// By its flags, or a file (`accelerate/commands/launch.py`; one machine unless `--num_machines`).
    Accelerate,
    /// By a list of hosts, on which it starts the tasks over ssh.
    Ssh,
}

impl Launcher {
    /// The launcher of a command, and where its word stands among the command's.
    fn of(words: &[&str]) -> Option<(Self, usize)> {
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

    /// The flags without which it does not find the other machines, of those that its words and variables lack.
    fn lacks(self, words: &[&str], variables: &[&str]) -> Vec<&'static str> {
        let has = |flag: &str, wrong: &[&str]| {
            let variable = format!("PET_{}", flag.to_uppercase());
            let given = value(words, flag);
            given.is_some_and(|value| !wrong.iter().any(|wrong| is(value, wrong)))
                || variables.contains(&variable.as_str())
        };
        let local = ["localhost", "127.0.0.1"];
        let lacking = |all: &[(&'static str, &str, &[&str])]| {
            all.iter().filter(|(_, flag, wrong)| !has(flag, wrong)).map(|(shown, ..)| *shown).collect()
        };
        match self {
            // Its own rendezvous is on each machine, whatever else is said.
            Self::Torch if words.contains(&"--standalone") => {
                vec!["--nnodes", "--node-rank", "--master-addr"]
            }
            Self::Torch if has("rdzv_endpoint", &local) => lacking(&[("--nnodes", "nnodes", &["1", "1:1"])]),
            // Any other rendezvous than the static one reads no `--master-addr`.
            Self::Torch if has("rdzv_backend", &["static"]) => lacking(&[
                ("--nnodes", "nnodes", &["1", "1:1"]),
                ("--rdzv-endpoint", "rdzv_endpoint", &local),
            ]),
            Self::Torch => lacking(&[
                ("--nnodes", "nnodes", &["1", "1:1"]),
                ("--node-rank", "node_rank", &[]),
                ("--master-addr", "master_addr", &local),
            ]),
            Self::Accelerate if has("config_file", &[]) => Vec::new(),
            Self::Accelerate => lacking(&[
                ("--num_machines", "num_machines", &["1"]),
                ("--machine_rank", "machine_rank", &[]),
                ("--main_process_ip", "main_process_ip", &local),
            ]),
            Self::Ssh => lacking(&[("--no_ssh", "no_ssh", &[])]),
        }
    }
}

/// The value of a flag, which both `-` and `_` may join: behind `=`, or the next word.
fn value<'w>(words: &[&'w str], flag: &str) -> Option<&'w str> {
    words.iter().enumerate().find_map(|(at, word)| {
        let (name, value) =
            word.strip_prefix("--")?.split_once('=').map_or((&word[2..], None), |(n, v)| (n, Some(v)));
        (name.replace('-', "_") == flag)
            .then(|| value.unwrap_or_else(|| words.get(at + 1).copied().unwrap_or_default()))
    })
}

/// Whether a value is that one; of a host, also with a port.
fn is(value: &str, wrong: &str) -> bool {
    let number = wrong.bytes().all(|b| b.is_ascii_digit());
    value == wrong || !number && value.split_once(':').is_some_and(|(host, _)| host == wrong)
}

/// Whether a role of the rendezvous starts a launcher.
pub(super) fn is_started(job: &Job<'_>) -> bool {
    members(job).any(|(role, _)| Started::of(role).is_some())
}

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    let meets = match framework.value {
        // The program decides what its tasks are to each other.
        FrameworkName::Caffe | FrameworkName::Custom => false,
        FrameworkName::Tensorflow
        | FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod => job.plan.rendezvous_tasks() > 1,
    };
    if !meets || job.doubts.guessed(framework.span) {
        return;
    }
    // A job's command belongs to each of its roles.
    let mut told = BTreeSet::new();
    for (role, _) in members(job) {
        let Some(started) = Started::of(role).filter(|one| !one.lacks.is_empty() && told.insert(one.span))
        else {
            continue;
        };
        out.push(started.diagnostic(job));
    }
}

fn members<'a>(job: &Job<'a>) -> impl Iterator<Item = (&'a spec::Role, &'a crate::plan::Role)> {
    job.roles().filter(|(_, role)| !matches!(role.kind, RoleKind::Helper | RoleKind::Evaluator))
}

/// A launcher that a role starts.
struct Started<'a> {
    launcher: Launcher,
    name: &'a str,
    span: Span,
    lacks: Vec<&'static str>,
    /// Of `run`: the words that start it, and those behind.
    command: Option<(String, Vec<&'a str>)>,
}

impl<'a> Started<'a> {
    fn of(role: &'a spec::Role) -> Option<Self> {
        let mut variables: Vec<&str> = role.env.0.iter().map(|(name, _)| name.value.as_str()).collect();
        let Some((text, span)) = script(role) else { return Self::of_words(role, &variables) };
        let (launcher, words, set) = in_script(text)?;
        variables.extend(set);
        let lacks = launcher.lacks(&words[1..], &variables);
        Some(Self { launcher, name: words[0], span, lacks, command: None })
    }

    /// Of a program that no shell starts.
    fn of_words(role: &'a spec::Role, variables: &[&str]) -> Option<Self> {
        let run = &role.run.as_ref()?.value.0;
        let words: Vec<&str> = run.iter().map(|word| word.value.as_str()).collect();
        let (launcher, at) = Launcher::of(&words)?;
        // Behind a program of another name the word is an argument.
        if at > 0 && words[at - 1] != "-m" {
            return None;
        }
        let (name, span) = (words[at], run[at].span);
        let lacks = launcher.lacks(&words, variables);
        let own = at + 1 + usize::from(name.ends_with("accelerate"));
        let command = Some((words[..own].join(" "), words[own..].to_vec()));
        Some(Self { launcher, name, span, lacks, command })
    }

    fn diagnostic(&self, job: &Job<'_>) -> Diagnostic {
        let (name, tasks) = (self.name, job.plan.rendezvous_tasks());
        let lacks: Vec<String> = self.lacks.iter().map(|flag| format!("`{flag}`")).collect();
        let fact = match self.launcher {
            Launcher::Torch | Launcher::Accelerate => format!(
                "without {}, `{name}` does not find the others of the {tasks} tasks: each trains alone, or waits forever",
                listed(&lacks)
            ),
            Launcher::Ssh => format!(
                "`{name}` starts a job's tasks over ssh, and each of the {tasks} tasks here would start a job of its own"
            ),
        };
        Diagnostic::new(&LAUNCHER_PER_TASK, self.span, fact).here("started in each task").help(self.help(job))
    }

    fn help(&self, job: &Job<'_>) -> String {
        match (self.launcher, job.plan.framework.name.value) {
            (Launcher::Torch, FrameworkName::Pytorch) => self.told(
                &[
                    "nnodes",
                    "node_rank",
                    "master_addr",
                    "master_port",
                    "standalone",
                    "rdzv_backend",
                    "rdzv_endpoint",
                    "rdzv_id",
                    "rdzv_conf",
                ],
                "--nnodes=$WORLD_SIZE --node-rank=$RANK --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT",
            ),
            (Launcher::Accelerate, FrameworkName::Pytorch) => self.told(
                &["num_machines", "machine_rank", "main_process_ip", "main_process_port"],
                "--num_machines=$WORLD_SIZE --machine_rank=$RANK --main_process_ip=$MASTER_ADDR --main_process_port=$MASTER_PORT",
            ),
            (
                Launcher::Torch | Launcher::Accelerate,
                FrameworkName::Tensorflow
                | FrameworkName::Mxnet
                | FrameworkName::Xgboost
                | FrameworkName::Horovod
                | FrameworkName::Caffe
                | FrameworkName::Custom,
            ) => "write `framework \"pytorch\"` if the program is PyTorch's".to_owned(),
            (
                Launcher::Ssh,
                FrameworkName::Tensorflow
                | FrameworkName::Pytorch
                | FrameworkName::Mxnet
                | FrameworkName::Xgboost
                | FrameworkName::Horovod
                | FrameworkName::Caffe
                | FrameworkName::Custom,
            ) => SSH.to_owned(),
        }
    }

    /// The command with these flags in the place of those that it has of the same names.
    fn told(&self, old: &[&str], flags: &str) -> String {
        let plain = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./=:,".contains(&b));
        let command = self.command.as_ref().filter(|(_, words)| words.iter().all(plain));
        let Some((launcher, words)) = command else {
            return format!("add `{flags}` in the text of `shell`, where these variables can be read");
        };
        let is_old = |word: &str| {
            let name = word.strip_prefix("--").and_then(|flag| flag.split('=').next()).unwrap_or_default();
            old.contains(&name.replace('-', "_").as_str())
        };
        let mut kept = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !is_old(word) {
                kept.push(*word);
            } else if !word.contains('=') && *word != "--standalone" {
                // Its value is the next word.
                words.next();
            }
        }
        format!("write `shell \"exec {launcher} {flags} {}\"`", kept.join(" "))
    }
}

/// The launcher that a script starts first, its command from its own name on, and the variables that are set before it.
fn in_script(text: &str) -> Option<(Launcher, Vec<&str>, Vec<&str>)> {
    let mut set = Vec::new();
    for command in commands(text) {
        let named = program(&command);
        set.extend(command[..named].iter().filter_map(|word| Some(word.split_once('=')?.0)));
        let words = &command[named..];
        let found = Launcher::of(words).filter(|(_, at)| *at == 0 || words[at - 1] == "-m");
        if let Some((launcher, at)) = found {
            return Some((launcher, words[at..].to_vec(), set));
        }
    }
    None
}

const SSH: &str =
    "start the program itself, such as `run \"python\" \"train.py\"`: `tfjob explain launcher-per-task`";

/// `a`, `a` and `b`, or `a`, `b` and `c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Launcher, in_script};

    /// The launcher of a command line, and what it lacks.
    fn read(line: &str) -> Option<(Launcher, Vec<&'static str>)> {
        let words: Vec<&str> = line.split(' ').collect();
        let (launcher, _) = Launcher::of(&words)?;
        Some((launcher, launcher.lacks(&words, &[])))
    }

    #[test]
    fn launchers_are_known_by_program_and_by_module() {
        let (torch, accelerate, ssh) = (Launcher::Torch, Launcher::Accelerate, Launcher::Ssh);
        let all = &["--nnodes", "--node-rank", "--master-addr"] as &[&str];
        for (line, launcher, lacks) in [
            ("torchrun --nproc-per-node=4 t.py", torch, all),
            ("torchrun --standalone --nnodes=1 t.py", torch, all),
            ("/opt/conda/bin/torchrun --nnodes 2 t.py", torch, &all[1..]),
            ("torchrun --nnodes=2 --node_rank=0 --master_addr=127.0.0.1 t.py", torch, &all[2..]),
            ("python3 -m torch.distributed.run --nnodes=2 --node-rank=1 --master-addr=a t.py", torch, &[]),
            ("python -m torch.distributed.launch --nproc_per_node 4 t.py", torch, all),
            ("torchrun --rdzv-backend=c10d --rdzv-endpoint=a:1 t.py", torch, &all[..1]),
            ("torchrun --nnodes=1:4 --rdzv_endpoint a:1 t.py", torch, &[]),
            (
                "torchrun --nnodes=2 --rdzv-backend=c10d --node-rank=1 --master-addr=a t.py",
                torch,
                &["--rdzv-endpoint"],
            ),
            ("torchrun --nnodes=4 --rdzv_endpoint=localhost:29500 t.py", torch, &all[1..]),
            ("torchrun --standalone --nnodes=2 --node-rank=1 --master-addr=a t.py", torch, all),
            (
                "accelerate launch t.py",
                accelerate,
                &["--num_machines", "--machine_rank", "--main_process_ip"],
            ),
            ("accelerate launch --config_file a.yaml t.py", accelerate, &[]),
            (
                "python -m accelerate.commands.launch --num_machines=2 --machine-rank 1 t.py",
                accelerate,
                &["--main_process_ip"],
            ),
            ("horovodrun -np 4 python t.py", ssh, &["--no_ssh"]),
            ("mpirun -H a,b python t.py", ssh, &["--no_ssh"]),
            ("deepspeed --no_ssh --node_rank=0 t.py", ssh, &[]),
        ] {
            assert_eq!(read(line), Some((launcher, lacks.to_vec())), "{line}");
        }
        for (script, launcher) in [
            ("cd /x && exec torchrun t.py", Some(Launcher::Torch)),
            ("export A=1\nNCCL_DEBUG=INFO python -m torch.distributed.run \\\n t.py", Some(Launcher::Torch)),
            ("pip install deepspeed && exec python t.py --strategy deepspeed", None),
            ("cd /opt/deepspeed\npython t.py", None),
            ("which mpirun; python t.py", None),
            ("# torchrun t.py\npython t.py", None),
            ("# x; torchrun y (see mpirun)\npython t.py", None),
            ("python t.py # or: ; torchrun t.py", None),
            ("for i in 1 2; do torchrun t.py; done", Some(Launcher::Torch)),
            ("if ! torchrun t.py; then exit 1; fi", Some(Launcher::Torch)),
            ("if true; then a; else exec mpirun t.py; fi", Some(Launcher::Ssh)),
            ("sudo -E env A=1 /usr/bin/timeout -k 5 2h torchrun t.py", Some(Launcher::Torch)),
            ("timeout 3600 deepspeed t.py", Some(Launcher::Ssh)),
        ] {
            let found = in_script(script);
            assert_eq!(found.map(|(launcher, ..)| launcher), launcher, "{script}");
        }
        for line in ["python t.py", "accelerate config", "python torch.distributed.run", "cat mpirun.log", ""]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
