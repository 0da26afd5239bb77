//! Programs that start the tasks of a job themselves, where each task starts one: `torchrun`, `mpirun` and the like.
use super::Job;
use crate::codes::LAUNCHER_PER_TASK;
use crate::diagnostic::Diagnostic;
use crate::plan::RoleKind;
use crate::sources::Span;
use crate::spec::{self, FrameworkName};
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

    /// Whether a word tells it of the other machines, or makes it start none of them.
    fn is_told(self, word: &str) -> bool {
        let flags: &[&str] = match self {
            Self::Torch => &["--nnodes", "PET_NNODES"],
            Self::Accelerate => &["--num_machines", "--num-machines", "--config_file", "--config-file"],
            Self::Ssh => &["--no_ssh"],
        };
        flags.iter().any(|flag| word.starts_with(flag))
    }
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
        let Some(started) = Started::of(role).filter(|one| !one.told && told.insert(one.span)) else {
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
    told: bool,
}

impl<'a> Started<'a> {
    fn of(role: &'a spec::Role) -> Option<Self> {
        let variable = role.env.0.iter().map(|(name, _)| name.value.as_str());
        if let Some(run) = &role.run {
            let words: Vec<&str> = run.value.0.iter().map(|word| word.value.as_str()).collect();
            let (launcher, at) = Launcher::of(&words)?;
            // Behind a program of another name the word is an argument.
            let first = at == 0 || words[at - 1] == "-m";
            let told = words.into_iter().chain(variable).any(|word| launcher.is_told(word));
            let word = &run.value.0[at];
            return first.then(|| Self { launcher, name: word.value.as_str(), span: word.span, told });
        }
        let shell = role.shell.as_ref()?;
        let words: Vec<&str> =
            shell.value.as_str().split(|c: char| c.is_whitespace() || "\"';&|()".contains(c)).collect();
        let (launcher, at) = Launcher::of(&words)?;
        let told = words.iter().copied().chain(variable).any(|word| launcher.is_told(word));
        Some(Self { launcher, name: words[at], span: shell.span, told })
    }

    fn diagnostic(&self, job: &Job<'_>) -> Diagnostic {
        let (name, tasks) = (self.name, job.plan.rendezvous_tasks());
        let (fact, help) = match self.launcher {
            Launcher::Torch => (
                format!("without `--nnodes`, `{name}` starts one machine's processes: each of the {tasks} tasks trains alone"),
                match job.plan.framework.name.value {
                    FrameworkName::Pytorch => {
                        "write `shell \"exec torchrun --nnodes=$WORLD_SIZE --node-rank=$RANK --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT train.py\"`".to_owned()
                    }
                    FrameworkName::Tensorflow
                    | FrameworkName::Mxnet
                    | FrameworkName::Xgboost
                    | FrameworkName::Horovod
                    | FrameworkName::Caffe
                    | FrameworkName::Custom => "write `framework \"pytorch\"` if the program is PyTorch's".to_owned(),
                },
            ),
            Launcher::Accelerate => (
                format!("without `--num_machines`, `{name}` starts one machine's processes: each of the {tasks} tasks trains alone"),
                "add `--num_machines`, `--machine_rank`, `--main_process_ip` and `--main_process_port`; PyTorch's tasks have them in `WORLD_SIZE`, `RANK`, `MASTER_ADDR` and `MASTER_PORT`, which `shell` can read".to_owned(),
            ),
            Launcher::Ssh => (
                format!("`{name}` starts a job's tasks over ssh, and each of the {tasks} tasks here would start a job of its own"),
                "start the program itself, such as `run \"python\" \"train.py\"`: `tfjob explain launcher-per-task`".to_owned(),
            ),
        };
        Diagnostic::new(&LAUNCHER_PER_TASK, self.span, fact).here("started in each task").help(help)
    }
}

#[cfg(test)]
mod tests {
    use super::Launcher;

    /// The launcher of a command line, and whether the line tells it of the other machines.
    fn read(line: &str) -> Option<(Launcher, bool)> {
        let words: Vec<&str> = line.split(' ').collect();
        let (launcher, _) = Launcher::of(&words)?;
        Some((launcher, words.iter().any(|word| launcher.is_told(word))))
    }

    #[test]
    fn launchers_are_known_by_program_and_by_module() {
        for (line, launcher, told) in [
            ("torchrun --nproc-per-node=4 t.py", Launcher::Torch, false),
            ("/opt/conda/bin/torchrun --nnodes 2 t.py", Launcher::Torch, true),
            ("python3 -m torch.distributed.run --nnodes=2 t.py", Launcher::Torch, true),
            ("python -m torch.distributed.launch --nproc_per_node 4 t.py", Launcher::Torch, false),
            ("torchrun --rdzv-backend=c10d --rdzv-endpoint=a:1 t.py", Launcher::Torch, false),
            ("PET_NNODES=2 torchrun t.py", Launcher::Torch, true),
            ("accelerate launch t.py", Launcher::Accelerate, false),
            ("accelerate launch --config_file a.yaml t.py", Launcher::Accelerate, true),
            ("python -m accelerate.commands.launch --num_machines=2 t.py", Launcher::Accelerate, true),
            ("horovodrun -np 4 python t.py", Launcher::Ssh, false),
            ("mpirun -H a,b python t.py", Launcher::Ssh, false),
            ("deepspeed --no_ssh --node_rank=0 t.py", Launcher::Ssh, true),
        ] {
            assert_eq!(read(line), Some((launcher, told)), "{line}");
        }
        for line in ["python t.py", "accelerate config", "python torch.distributed.run", "cat mpirun.log", ""]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
