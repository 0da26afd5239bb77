//! Rules about launchers such as `torchrun` and `mpirun`. Such a launcher may expect to run once and start all tasks, but each task
//! of a job starts its own launcher.
mod flags;

use super::Job;
use super::exit_code::script;
use super::shell::{commands, program};
use crate::codes::LAUNCHER_PER_TASK;
use crate::diagnostic::Diagnostic;
use crate::sources::Span;
use crate::spec::{self, FrameworkName};
use flags::{Fault, Launcher, launcher_arguments};
use std::collections::BTreeSet;

/// Returns whether a role of the rendezvous runs a launcher that either starts the Horovod server, or is reported by another error.
pub(super) fn starts_server(job: &Job<'_>) -> bool {
    members(job).any(|(role, _)| {
        Started::find(role).is_some_and(|started| started.starts_remote || !started.faults.is_empty())
    })
}

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    // In frameworks with arbitrary role names, only the program defines how its tasks relate, so launchers are not checked.
    let has_peers = !framework.value.takes_any_role() && job.plan.rendezvous_tasks() > 1;
    if !has_peers {
        return;
    }
    let mut all: Vec<Started<'_>> = members(job).filter_map(|(role, _)| Started::find(role)).collect();
    let ranked = |started: &Started<'_>| started.faults.iter().any(|fault| matches!(fault, Fault::Rank(_)));
    // If only one role uses the task index as its rank, this is not reported: the ranks of the other roles may begin where the
    // ranks of this role end.
    if all.iter().filter(|started| ranked(started)).count() < 2 {
        all.iter_mut().for_each(|started| started.faults.retain(|fault| !matches!(fault, Fault::Rank(_))));
    }
    // Several roles can inherit the command of the job, so each launcher is reported only once.
    let mut reported = BTreeSet::new();
    for started in all.iter().filter(|started| reported.insert(started.span)) {
        out.extend(started.diagnostic(job).into_iter().map(|found| found.from_value(framework.span)));
    }
}

fn members<'a>(job: &Job<'a>) -> impl Iterator<Item = (&'a spec::Role, &'a crate::plan::Role)> {
    job.roles().filter(|(_, role)| role.kind.is_peer())
}

/// Returns the number of words before the program in `env A=1 program`.
fn assignments(words: &[&str]) -> usize {
    match words {
        [env, rest @ ..] if env.rsplit('/').next() == Some("env") => {
            1 + rest.iter().take_while(|word| !word.starts_with('-') && word.contains('=')).count()
        }
        _ => 0,
    }
}

/// A launcher that a role runs.
struct Started<'a> {
    launcher: Launcher,
    name: &'a str,
    span: Span,
    faults: Vec<Fault>,
    /// Whether the launcher starts tasks on other machines.
    starts_remote: bool,
    /// For `run`: the words that start the launcher, and the words after them.
    command: Option<(String, Vec<&'a str>)>,
}

impl<'a> Started<'a> {
    /// Returns the launcher that a role runs, if any.
    fn find(role: &'a spec::Role) -> Option<Self> {
        let mut variables: Vec<&str> = role.env.0.iter().map(|(name, _)| name.value.as_str()).collect();
        let Some((text, span)) = script(role) else { return Self::find_in_run(role, &variables) };
        let (launcher, words, set) = in_script(text)?;
        variables.extend(set);
        let rest = &words[name_length(words[0])..];
        let (faults, starts_remote) = (launcher.faults(rest, &variables), launcher.starts_remote(rest));
        Some(Self { launcher, name: words[0], span, faults, starts_remote, command: None })
    }

    /// Returns the launcher that `run` starts without a shell, if any.
    fn find_in_run(role: &'a spec::Role, variables: &[&str]) -> Option<Self> {
        let run = &role.run.as_ref()?.value.0;
        let words: Vec<&str> = run.iter().map(|word| word.value.as_str()).collect();
        let before = assignments(&words);
        let set = words[..before].iter().filter_map(|word| word.split_once('=')).map(|(name, _)| name);
        let variables: Vec<&str> = variables.iter().copied().chain(set).collect();
        let (launcher, at) = Launcher::find(&words[before..])?;
        let at = before + at;
        // After another program, the name of the launcher is only an argument.
        if at != program(&words) && words[at - 1] != "-m" {
            return None;
        }
        let (name, span) = (words[at], run[at].span);
        let start = at + name_length(name);
        let rest = &words[start..];
        let (faults, starts_remote) = (launcher.faults(rest, &variables), launcher.starts_remote(rest));
        let command = Some((words[..start].join(" "), rest.to_vec()));
        Some(Self { launcher, name, span, faults, starts_remote, command })
    }

    fn diagnostic(&self, job: &Job<'_>) -> Option<Diagnostic> {
        let (name, tasks) = (self.name, job.plan.rendezvous_tasks());
        let missing: Vec<String> = self.missing().map(|flag| format!("`{flag}`")).collect();
        let fact = match self.faults.first()? {
            Fault::Ssh => format!(
                "`{name}` starts all tasks over SSH, but each of the {tasks} tasks runs it and would start a separate job"
            ),
            Fault::Standalone => single_machine(name, "--standalone", tasks),
            Fault::Local(flag) => single_machine(name, flag, tasks),
            Fault::Missing(_) => format!(
                "`{name}` cannot find the other tasks (missing: {}), so each of the {tasks} tasks trains separately or waits forever",
                listed(&missing)
            ),
            Fault::Rank(flag) => {
                format!("`{flag}` is not unique, because the task index starts at 0 in each role")
            }
            Fault::Port(flag) => {
                format!(
                    "`{flag}` takes one host without a port, but its value here expands to the `host:port` of each task of a role"
                )
            }
        };
        let help = self.help(job);
        Some(Diagnostic::new(&LAUNCHER_PER_TASK, self.span, fact).here("runs in each task").help(help))
    }

    fn missing(&self) -> impl Iterator<Item = &'static str> {
        self.faults.iter().filter_map(|fault| match fault {
            Fault::Missing(flag) => Some(*flag),
            Fault::Standalone | Fault::Ssh | Fault::Local(_) | Fault::Rank(_) | Fault::Port(_) => None,
        })
    }

    fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    fn help(&self, job: &Job<'_>) -> String {
        match (self.launcher, job.plan.framework.name.value) {
            (Launcher::Torch, FrameworkName::Pytorch) => self.with_flags(
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
            (Launcher::Accelerate, FrameworkName::Pytorch) => self.with_flags(
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
            ) => "if this is a PyTorch program, write `framework \"pytorch\"`".to_owned(),
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

    /// Returns the help that adds `flags` to the launcher, in place of the flags `old`.
    fn with_flags(&self, old: &[&str], flags: &str) -> String {
        let plain = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./=:,".contains(&b));
        if let Some((launcher, words)) = &self.command {
            let kept = kept(words, old);
            if kept.iter().all(plain) {
                return format!("write `shell \"exec {launcher} {flags} {}\"`", kept.join(" "));
            }
        }
        if self.has(Fault::Standalone) && self.missing().next().is_none() {
            return "remove `--standalone`".to_owned();
        }
        let first = match (self.has(Fault::Standalone), self.command.is_some()) {
            (true, true) => "use `shell \"…\"` instead of `run`, remove `--standalone`, and ",
            (true, false) => "remove `--standalone`, and ",
            (false, true) => "use `shell \"…\"` instead of `run`, and ",
            (false, false) => "",
        };
        let verb = if self.missing().next().is_some() { "add" } else { "write the flags as" };
        format!("{first}{verb} `{flags}`: the shell expands the variables")
    }
}

/// Returns the words of a launcher command without the flags in `old` and their values.
fn kept<'w>(words: &[&'w str], old: &[&str]) -> Vec<&'w str> {
    let is_old = |word: &str| {
        let name = word.strip_prefix("--").and_then(|flag| flag.split('=').next()).unwrap_or_default();
        old.contains(&name.replace('-', "_").as_str())
    };
    let (flags, program) = words.split_at(launcher_arguments(words).len());
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(word) = flags.next() {
        if !is_old(word) {
            kept.push(*word);
        } else if !word.contains('=') && *word != "--standalone" {
            // The value of the flag is the next word, so this word is skipped.
            flags.next();
        }
    }
    kept.extend(program);
    kept
}

/// Returns the number of words in the name of a launcher: `accelerate launch` has two.
fn name_length(name: &str) -> usize {
    if name.ends_with("accelerate") { 2 } else { 1 }
}

/// Returns the first launcher in a script, the words of its command, and the environment variables that are set before the
/// launcher.
fn in_script(text: &str) -> Option<(Launcher, Vec<&str>, Vec<&str>)> {
    let mut set = Vec::new();
    for command in commands(text) {
        let named = program(&command);
        set.extend(command[..named].iter().filter_map(|word| Some(word.split_once('=')?.0)));
        let words = &command[named..];
        let found = Launcher::find(words).filter(|(_, at)| *at == 0 || words[at - 1] == "-m");
        if let Some((launcher, at)) = found {
            return Some((launcher, words[at..].to_vec(), set));
        }
    }
    None
}

const SSH: &str = "start the program directly, such as `run \"python\" \"train.py\"`; for details, run `tfjob explain launcher-per-task`";

fn single_machine(name: &str, flag: &str, tasks: u32) -> String {
    format!("with `{flag}`, `{name}` uses only one machine, so each of the {tasks} tasks trains separately")
}

/// Returns `a`, `a and b`, or `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Launcher, in_script, name_length};

    /// Returns the launcher of a command line and its faults.
    fn read(line: &str) -> Option<(Launcher, Vec<Fault>)> {
        let words: Vec<&str> = line.split(' ').collect();
        let (launcher, at) = Launcher::find(&words)?;
        Some((launcher, launcher.faults(&words[at + name_length(words[at])..], &[])))
    }

    #[test]
    fn launchers_are_found_by_program_and_by_module() {
        let (torch, accelerate, ssh) = (Launcher::Torch, Launcher::Accelerate, Launcher::Ssh);
        let all = &["--nnodes", "--node-rank", "--master-addr"] as &[&str];
        for (line, launcher, missing) in [
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
            // The variable (`$ARGS`) or the argument file (`@args.txt`) may contain the flags that are missing here.
            ("torchrun $ARGS t.py", torch, &[]),
            ("torchrun --nnodes=2 ${TORCH_ARGS} t.py", torch, &[]),
            ("torchrun --nproc-per-node $GPUS t.py", torch, all),
            ("torchrun @args.txt t.py", torch, &[]),
            ("accelerate launch $ARGS t.py", accelerate, &[]),
        ] {
            let missing = missing.iter().map(|flag| Fault::Missing(flag)).collect();
            assert_eq!(read(line), Some((launcher, missing)), "{line}");
        }
        for line in ["python t.py", "accelerate config", "python torch.distributed.run", "cat mpirun.log", ""]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn launchers_that_start_remote_tasks_are_reported() {
        let (ssh, deepspeed) = (Launcher::Ssh, Launcher::DeepSpeed);
        for (line, launcher, faults) in [
            ("horovodrun -np 4 python t.py", ssh, &[Fault::Ssh] as &[Fault]),
            ("mpirun -H a,b python t.py", ssh, &[Fault::Ssh]),
            ("mpirun -np 1 -H a python t.py", ssh, &[Fault::Ssh]),
            // `mpirun` does not support this flag of `deepspeed`.
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
    fn invalid_ranks_and_addresses_are_reported() {
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
