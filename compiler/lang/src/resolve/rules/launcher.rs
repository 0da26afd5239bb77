//! Programs that start the tasks of a job themselves, where each task starts one: `torchrun`, `mpirun` and the like.
mod flags;

use super::Job;
use super::exit_code::script;
use super::shell::{commands, program};
use crate::codes::LAUNCHER_PER_TASK;
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::spec::{self, FrameworkName};
use flags::{Fault, Launcher, own};
use std::collections::BTreeSet;

/// Whether a role of the rendezvous starts a launcher that starts Horovod's server too, or that is told itself.
pub(super) fn starts_server(job: &Job<'_>) -> bool {
    members(job).any(|(role, _)| Started::of(role).is_some_and(|one| one.others || !one.faults.is_empty()))
}

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    // Without names of its own the program decides what its tasks are to each other.
    let meets = !framework.value.takes_any_role() && job.plan.rendezvous_tasks() > 1;
    if !meets {
        return;
    }
    let mut all: Vec<Started<'_>> = members(job).filter_map(|(role, _)| Started::of(role)).collect();
    let ranked = |started: &Started<'_>| started.faults.iter().any(|fault| matches!(fault, Fault::Rank(_)));
    // The tasks of one role may count as they do there, if those of the others count on from it.
    if all.iter().filter(|started| ranked(started)).count() < 2 {
        all.iter_mut().for_each(|started| started.faults.retain(|fault| !matches!(fault, Fault::Rank(_))));
    }
    // A job's command belongs to each of its roles.
    let mut told = BTreeSet::new();
    for started in all.iter().filter(|one| told.insert(one.span)) {
        out.extend(started.diagnostic(job).into_iter().map(|found| found.from_value(framework.span)));
    }
}

fn members<'a>(job: &Job<'a>) -> impl Iterator<Item = (&'a spec::Role, &'a crate::plan::Role)> {
    job.roles().filter(|(_, role)| role.kind.is_peer())
}

/// How many words of `env A=1 program` stand before the program.
fn assignments(words: &[&str]) -> usize {
    match words {
        [env, rest @ ..] if env.rsplit('/').next() == Some("env") => {
            1 + rest.iter().take_while(|word| !word.starts_with('-') && word.contains('=')).count()
        }
        _ => 0,
    }
}

/// A launcher that a role starts.
struct Started<'a> {
    launcher: Launcher,
    name: &'a str,
    span: Span,
    faults: Vec<Fault>,
    /// Whether it starts tasks on other machines.
    others: bool,
    /// Of `run`: the words that start it, and those behind.
    command: Option<(String, Vec<&'a str>)>,
}

impl<'a> Started<'a> {
    fn of(role: &'a spec::Role) -> Option<Self> {
        let mut variables: Vec<&str> = role.env.0.iter().map(|(name, _)| name.value.as_str()).collect();
        let Some((text, span)) = script(role) else { return Self::of_words(role, &variables) };
        let (launcher, words, set) = in_script(text)?;
        variables.extend(set);
        let own = &words[behind(words[0])..];
        let (faults, others) = (launcher.faults(own, &variables), launcher.starts_others(own));
        Some(Self { launcher, name: words[0], span, faults, others, command: None })
    }

    /// Of a program that no shell starts.
    fn of_words(role: &'a spec::Role, variables: &[&str]) -> Option<Self> {
        let run = &role.run.as_ref()?.value.0;
        let words: Vec<&str> = run.iter().map(|word| word.value.as_str()).collect();
        let before = assignments(&words);
        let set = words[..before].iter().filter_map(|word| word.split_once('=')).map(|(name, _)| name);
        let variables: Vec<&str> = variables.iter().copied().chain(set).collect();
        let (launcher, at) = Launcher::of(&words[before..])?;
        let at = before + at;
        // Behind a program of another name the word is an argument.
        if at != program(&words) && words[at - 1] != "-m" {
            return None;
        }
        let (name, span) = (words[at], run[at].span);
        let start = at + behind(name);
        let own = &words[start..];
        let (faults, others) = (launcher.faults(own, &variables), launcher.starts_others(own));
        let command = Some((words[..start].join(" "), own.to_vec()));
        Some(Self { launcher, name, span, faults, others, command })
    }

    fn diagnostic(&self, job: &Job<'_>) -> Option<Diagnostic> {
        let (name, tasks) = (self.name, job.plan.rendezvous_tasks());
        let lacks: Vec<String> = self.lacks().map(|flag| format!("`{flag}`")).collect();
        let fact = match self.faults.first()? {
            Fault::Ssh => format!(
                "`{name}` starts a job's tasks over ssh, and each of the {tasks} tasks here would start a job of its own"
            ),
            Fault::Standalone => {
                format!(
                    "with `--standalone`, `{name}` trains on one machine: each of the {tasks} tasks alone"
                )
            }
            Fault::Local(flag) => {
                format!("with `{flag}`, `{name}` trains on one machine: each of the {tasks} tasks alone")
            }
            Fault::Lacks(_) => format!(
                "without {}, `{name}` does not find the others of the {tasks} tasks: each trains alone, or waits forever",
                listed(&lacks)
            ),
            Fault::Rank(flag) => format!(
                "`{flag}` is the same for tasks of different roles: each role counts its tasks from 0"
            ),
            Fault::Port(flag) => format!("`{flag}` takes a host, and this is `host:port` of each task"),
        };
        let help = self.help(job);
        Some(Diagnostic::new(&LAUNCHER_PER_TASK, self.span, fact).here("started in each task").help(help))
    }

    fn lacks(&self) -> impl Iterator<Item = &'static str> {
        self.faults.iter().filter_map(|fault| match fault {
            Fault::Lacks(flag) => Some(*flag),
            Fault::Standalone | Fault::Ssh | Fault::Local(_) | Fault::Rank(_) | Fault::Port(_) => None,
        })
    }

    fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
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
                Launcher::Ssh | Launcher::DeepSpeed,
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
        if let Some((launcher, words)) = &self.command {
            let kept = kept(words, old);
            if kept.iter().all(plain) {
                return format!("write `shell \"exec {launcher} {flags} {}\"`", kept.join(" "));
            }
        }
        let place = "in the text of `shell`, where these variables can be read";
        if self.has(Fault::Standalone) && self.lacks().next().is_none() {
            return "remove `--standalone`".to_owned();
        }
        let standalone = if self.has(Fault::Standalone) { "remove `--standalone`, and " } else { "" };
        // What is there and wrong is replaced.
        let (start, end) =
            if self.lacks().next().is_some() { ("add", "") } else { ("write", " for these flags") };
        format!("{standalone}{start} `{flags}` {place}{end}")
    }
}

/// The words of a launcher and its program without those of the launcher's flags that are given anew.
fn kept<'w>(words: &[&'w str], old: &[&str]) -> Vec<&'w str> {
    let is_old = |word: &str| {
        let name = word.strip_prefix("--").and_then(|flag| flag.split('=').next()).unwrap_or_default();
        old.contains(&name.replace('-', "_").as_str())
    };
    let (flags, program) = words.split_at(own(words).len());
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(word) = flags.next() {
        if !is_old(word) {
            kept.push(*word);
        } else if !word.contains('=') && *word != "--standalone" {
            // Its value is the next word.
            flags.next();
        }
    }
    kept.extend(program);
    kept
}

/// How many words are a launcher's own: `accelerate launch` has two.
fn behind(name: &str) -> usize {
    if name.ends_with("accelerate") { 2 } else { 1 }
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
    use super::{Fault, Launcher, behind, in_script};

    /// The launcher of a command line, and what is wrong with it.
    fn read(line: &str) -> Option<(Launcher, Vec<Fault>)> {
        let words: Vec<&str> = line.split(' ').collect();
        let (launcher, at) = Launcher::of(&words)?;
        Some((launcher, launcher.faults(&words[at + behind(words[at])..], &[])))
    }

    #[test]
    fn launchers_are_known_by_program_and_by_module() {
        let (torch, accelerate, ssh) = (Launcher::Torch, Launcher::Accelerate, Launcher::Ssh);
        let all = &["--nnodes", "--node-rank", "--master-addr"] as &[&str];
        for (line, launcher, lacks) in [
            ("torchrun --nproc-per-node=4 t.py", torch, all),
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
            ("torchrun --nnodes=2 --node-rank=1 --master-addr=a t.py --standalone --nnodes=1", torch, &[]),
            ("torchrun --nnodes=2 --node-rank=1 --master-addr=a -m t --standalone", torch, &[]),
            ("torchrun t.py --nnodes=2 --node-rank=1 --master-addr=a", torch, all),
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
            ("deepspeed --no_ssh --node_rank=0 t.py", Launcher::DeepSpeed, &[]),
            ("mpirun -np 1 hostname", ssh, &[]),
            ("mpirun $ARGS python t.py", ssh, &[]),
            // What stands there may be flags.
            ("torchrun $ARGS t.py", torch, &[]),
            ("torchrun --nnodes=2 ${TORCH_ARGS} t.py", torch, &[]),
            ("torchrun --nproc-per-node $GPUS t.py", torch, all),
            ("torchrun @args.txt t.py", torch, &[]),
            ("accelerate launch $ARGS t.py", accelerate, &[]),
        ] {
            let lacks = lacks.iter().map(|flag| Fault::Lacks(flag)).collect();
            assert_eq!(read(line), Some((launcher, lacks)), "{line}");
        }
        for line in ["python t.py", "accelerate config", "python torch.distributed.run", "cat mpirun.log", ""]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn only_what_starts_tasks_elsewhere_is_said_to_do_so() {
        let (ssh, deepspeed) = (Launcher::Ssh, Launcher::DeepSpeed);
        for (line, launcher, faults) in [
            ("horovodrun -np 4 python t.py", ssh, &[Fault::Ssh] as &[Fault]),
            ("mpirun -H a,b python t.py", ssh, &[Fault::Ssh]),
            ("mpirun -np 1 -H a python t.py", ssh, &[Fault::Ssh]),
            // It has no such flag.
            ("mpirun --no_ssh python t.py", ssh, &[Fault::Ssh]),
            ("mpiexec -n 1 python t.py", ssh, &[]),
            ("deepspeed t.py", deepspeed, &[Fault::Ssh]),
            ("deepspeed --include a:0@b:1 t.py", deepspeed, &[Fault::Ssh]),
            ("deepspeed --include localhost:0,1 t.py", deepspeed, &[Fault::Local("--include")]),
            ("deepspeed --num_nodes=1 t.py", deepspeed, &[Fault::Local("--num_nodes")]),
        ] {
            assert_eq!(read(line), Some((launcher, faults.to_vec())), "{line}");
        }
    }

    #[test]
    fn values_that_mislead_a_launcher_are_known() {
        use Fault::{Port, Rank, Standalone};
        let (rank, host) = ("--node-rank", "--master-addr");
        for (flags, faults) in [
            ("--node-rank={index} --master-addr={addresses.master}", &[Rank(rank), Port(host)] as &[Fault]),
            ("--node_rank $TFJOB_INDEX --master_addr ${TFJOB_ADDRESSES_MASTER}", &[Rank(rank), Port(host)]),
            ("--node-rank=1{index} --master-addr=${TFJOB_ADDRESSES_MASTER%%:*}", &[]),
            ("--node-rank=$RANK --master-addr=$MASTER_ADDR", &[]),
            ("--standalone --node-rank=$RANK --master-addr=$MASTER_ADDR", &[Standalone]),
        ] {
            let line = format!("torchrun --nnodes=2 {flags} t.py");
            assert_eq!(read(&line), Some((Launcher::Torch, faults.to_vec())), "{line}");
        }
        let line =
            "accelerate launch --num_machines 2 --machine_rank {index} --main_process_ip {addresses.a} t.py";
        let faults = vec![Rank("--machine_rank"), Port("--main_process_ip")];
        assert_eq!(read(line), Some((Launcher::Accelerate, faults)));
    }

    #[test]
    fn the_launcher_of_a_script_is_found() {
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
            ("timeout 3600 deepspeed t.py", Some(Launcher::DeepSpeed)),
        ] {
            let found = in_script(script);
            assert_eq!(found.map(|(launcher, ..)| launcher), launcher, "{script}");
        }
    }
}
