//! Tests of the warning about a file that a command starts from its working directory, although the job does not deliver the file.

use crate::request::{analyze, request};
use tfjob_targets::ALL;

/// A command in a job, and the file that it looks for in the working directory of the task, if any.
const COMMANDS: &[(&str, Option<&str>)] = &[
    // Interpreters of scripts.
    ("run \"python\" \"train.py\"", Some("train.py")),
    ("run \"/usr/bin/python3.11\" \"-u\" \"src/train.py\"", Some("src/train.py")),
    ("run \"python\" \"/app/train.py\" \"conf.py\"", None),
    ("run \"python\" \"-c\" \"import a\"", None),
    ("run \"python\" \"-m\" \"pkg.train\" \"x.py\"", None),
    ("run \"julia\" \"train.jl\"", Some("train.jl")),
    ("run \"java\" \"-Xmx1g\" \"-jar\" \"train.jar\"", Some("train.jar")),
    ("run \"java\" \"-cp\" \"/a.jar\" \"Main\"", None),
    ("run \"./train.sh\"", Some("./train.sh")),
    ("run \"bin/train\"", Some("bin/train")),
    ("run \"train\" \"x.py\"", None),
    // Programs that start other programs.
    ("run \"torchrun\" \"--standalone\" \"--nproc_per_node=4\" \"train.py\"", Some("train.py")),
    ("run \"torchrun\" \"--log_dir\" \"./logs\" \"train.py\"", Some("train.py")),
    ("run \"torchrun\" \"--log_dir\" \"./logs\" \"/app/train.py\"", None),
    ("run \"torchrun\" \"--log_dir=./logs\" \"--no-python\" \"./train\"", None),
    ("run \"torchrun\" \"--log_dir=./logs\" \"./train\"", Some("./train")),
    ("run \"torchrun\" \"--nproc-per-node\" \"4\" \"/app/train.py\" \"conf.py\"", None),
    ("run \"torchrun\" \"--nproc-per-node\" \"4\" \"-m\" \"pkg.train\" \"conf.py\"", None),
    ("run \"python\" \"-m\" \"torch.distributed.run\" \"--nproc_per_node=4\" \"train.py\"", Some("train.py")),
    ("run \"accelerate\" \"launch\" \"train.py\" \"--a=/b.py\"", Some("train.py")),
    ("run \"deepspeed\" \"--num_gpus=4\" \"train.py\"", Some("train.py")),
    ("run \"horovodrun\" \"-np\" \"4\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"mpirun\" \"-np\" \"4\" \"./train\"", Some("./train")),
    ("run \"torchrun\" \"--log_dir\" \"./logs\" \"train.py\"", Some("train.py")),
    ("run \"deepspeed\" \"--hostfile\" \"./hosts\" \"train.py\"", Some("train.py")),
    ("run \"nsys\" \"profile\" \"-o\" \"./report\" \"python\" \"t.py\"", Some("t.py")),
    ("run \"torchrun\" \"--standalone\" \"./train.py\"", Some("./train.py")),
    (
        "run \"torchrun\" \"--nnodes=1\" \"--no-python\" \"--log_dir=./logs\" \"bash\" \"./train\"",
        Some("./train"),
    ),
    ("run \"numactl\" \"--membind=0\" \"./train\"", Some("./train")),
    ("run \"tini\" \"--\" \"./train\"", Some("./train")),
    ("run \"env\" \"A=1\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"timeout\" \"1h\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"nice\" \"-n\" \"5\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"numactl\" \"--membind=0\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"tini\" \"--\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"nsys\" \"profile\" \"-o\" \"/out\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"sh\" \"-c\" \"./train.sh\"", Some("./train.sh")),
    ("run \"bash\" \"-ec\" \"export A=1; exec python train.py\"", Some("train.py")),
    ("run \"bash\" \"-c\" \"cd /app && python train.py\"", None),
    // Commands in `shell`.
    ("shell \"python train.py\"", Some("train.py")),
    ("shell \"torchrun --nproc_per_node=2 train.py\"", Some("train.py")),
    ("shell \"set -e; python train.py\"", Some("train.py")),
    ("shell \"nvidia-smi && python train.py\"", Some("train.py")),
    ("shell \"export OMP_NUM_THREADS=4\\npython train.py\"", Some("train.py")),
    ("shell \"A=1\\nexec python -u train.py\"", Some("train.py")),
    ("shell \"pip install a b\\npython train.py\"", Some("train.py")),
    ("shell \"pip install -r requirements.txt\\npython /app/train.py\"", Some("requirements.txt")),
    ("shell \"bash -c './train.sh'\"", Some("./train.sh")),
    // Commands that change the directory, or that may create the file.
    ("shell \"cd /app; python train.py\"", None),
    ("shell \"pushd /app && python train.py\"", None),
    ("shell \"set -e; cd /app\\npython train.py\"", None),
    ("shell \"wget https://a.b/train.py && python train.py\"", None),
    ("shell \"git clone https://a.b/c.git . && python train.py\"", None),
    ("shell \"echo 'print(1)' > train.py; python train.py\"", None),
    ("shell \"cp /app/*.py . ; python train.py\"", None),
    ("shell \"./fetch.sh; python train.py\"", Some("./fetch.sh")),
    ("shell \". /etc/profile; python train.py\"", None),
    ("shell \"python $DIR/train.py\"", None),
    ("shell \"python ~/train.py\"", None),
    ("shell \"for f in a b; do python train.py; done\"", None),
];

#[test]
fn a_file_that_nothing_delivers_is_told_whatever_starts_it() {
    let yarn = ALL.iter().find(|target| target.name() == "yarn").copied().unwrap_or(ALL[0]);
    for (command, expected) in COMMANDS {
        for (image, role) in [("image \"ml/a:1\"", ""), ("", ""), ("image \"ml/a:1\"", "workdir \"/app\"")] {
            let text = format!(
                "job \"j\" {{\nframework \"custom\"\n{image}\n\
                 role \"worker\" {{ {command}\n{role}\nresources cpus=1 memory=\"1GiB\"; }}\ntarget \"yarn\" {{ hadoop \"3.3.6\"; }}\n}}\n"
            );
            let analysis = analyze(&request(&text));
            let checked = analysis.check(yarn);
            let all: Vec<_> = analysis.diagnostics.iter().chain(&checked.diagnostics).collect();
            let errors: Vec<_> = all.iter().filter(|d| d.is_error()).map(|d| &d.message).collect();
            assert!(errors.is_empty(), "{text}{errors:#?}");
            let told = all.iter().filter(|d| d.code.name == "undelivered-file");
            let told: Vec<_> = told.map(|d| d.message.split('`').nth(1).unwrap_or_default()).collect();
            let expected: Vec<&str> = expected.iter().copied().filter(|_| role.is_empty()).collect();
            assert_eq!(told, expected, "{text}");
        }
    }
}

/// A name without a slash is looked up in the `PATH`. An image may contain the script there; without an image, nothing does.
#[test]
fn a_script_as_the_program_is_told_without_an_image() {
    for (command, more, is_told) in [
        ("run \"train.py\" \"--epochs\" \"10\"", "", true),
        ("run \"env\" \"A=1\" \"train.py\"", "", true),
        ("shell \"exec train.py --epochs 10\"", "", true),
        ("run \"train.py\"", "files \"train.py\" \"hdfs://default/train.py\"", false),
        ("run \"train.py\"", "code \"hdfs://default/job.zip\"", false),
        ("run \"train.py\"", "image \"ml/a:1\"", false),
        ("run \"train.py\"", "workdir \"/app\"", false),
        ("run \"train.pyz\"", "", false),
        ("run \"/app/train.py\"", "", false),
        ("run \"train\" \"x.py\"", "", false),
    ] {
        let text = format!(
            "job \"j\" {{\nframework \"custom\"\n{more}\n\
             role \"worker\" {{ {command}\nresources cpus=1 memory=\"1GiB\"; }}\ntarget \"yarn\" {{ hadoop \"3.3.6\"; }}\n}}\n"
        );
        let told = told_of("yarn", &text);
        assert_eq!(told.len(), usize::from(is_told), "{text}{told:?}");
        assert!(told.iter().all(|told| told.contains("`train.py`")), "{told:?}");
    }
}

/// The single file of `code`, a command, and the file that the warning names, if there is a warning.
const ALONE: &[(&str, &str, Option<&str>)] = &[
    ("train.py", "run \"python3\" \"train.py\"", None),
    ("train.py", "run \"python3\" \"-u\" \"./train.py\"", None),
    ("train.py", "run \"python3\" \"{code}/train.py\"", None),
    ("train.py", "run \"python3\" \"/app/main.py\"", None),
    ("train.py", "run \"python3\" \"-m\" \"train\"", None),
    ("train.py", "run \"python3\" \"-m\" \"torch.distributed.run\" \"train.py\"", None),
    ("train.py", "run \"python3\" \"-m\" \"runner\" \"--user-module\" \"train\"", None),
    ("train.py", "run \"torchrun\" \"--standalone\" \"train.py\"", None),
    ("train.sh", "shell \"chmod +x train.sh; ./train.sh\"", None),
    ("train.sh", "run \"./train.sh\"", None),
    ("train.py", "shell \"cp /app/main.py . ; python3 main.py\"", None),
    ("train.py", "shell \"cd /app; python3 main.py\"", None),
    ("conf.yaml", "run \"python3\" \"-m\" \"pkg.main\"", None),
    ("train.zip", "run \"python3\" \"main.py\"", None),
    ("train.tar.gz", "run \"python3\" \"src/main.py\"", None),
    ("train", "run \"python3\" \"main.py\"", None),
    ("train.v2", "run \"python3\" \"main.py\"", None),
    ("train.py", "run \"python3\" \"main.py\"; workdir \"/app\"", None),
    ("train.py", "run \"python3\" \"../main.py\"", None),
    ("train.py", "run \"python3\" \"main.py\"", Some("main.py")),
    ("train.py", "run \"python3\" \"src/main.py\"", Some("src/main.py")),
    ("train.py", "run \"python3\" \"src/train.py\"", Some("src/train.py")),
    ("train.py", "run \"python3\" \"{code}/main.py\"", Some("{code}/main.py")),
    ("train.py", "run \"python3\" \"{code}/main.py\"; workdir \"/app\"", Some("{code}/main.py")),
    ("train.py", "run \"python3\" \"-m\" \"pkg.main\"", Some("-m pkg.main")),
    ("train.py", "shell \"exec python3 -u -m pkg.main\"", Some("-m pkg.main")),
    ("train.py", "shell \"python3 main.py\"", Some("main.py")),
    (
        "train.py",
        "shell \"set -e; pip install -r requirements.txt && python3 train.py\"",
        Some("requirements.txt"),
    ),
    ("train.py", "run \"torchrun\" \"--standalone\" \"main.py\"", Some("main.py")),
    ("train.sh", "run \"./main.sh\"", Some("./main.sh")),
    ("conf.yaml", "run \"python3\" \"main.py\"", Some("main.py")),
];

/// Targets that copy `code` to the tasks: the target, the parent directory of the code, and options of the target.
const COPIED: &[(&str, &str, &str)] = &[
    ("yarn", "hdfs://default/ml/", "hadoop \"3.3.6\""),
    ("yarn", "./", "hadoop \"3.3.6\""),
    ("kubernetes", "https://files.example.com/ml/", ""),
    ("kubernetes", "hdfs://nn:8020/ml/", ""),
    ("dcos", "https://files.example.com/ml/", ""),
    ("spark", "hdfs://default/ml/", "spark \"3.5\""),
    ("spark", "./", "master \"k8s://https://h:6443\"; upload \"s3a://b/t\""),
];

fn told_of(target: &str, text: &str) -> Vec<String> {
    let found = ALL.iter().find(|known| known.name() == target).copied().unwrap_or(ALL[0]);
    let analysis = analyze(&request(text));
    let checked = analysis.check(found);
    let all = analysis.diagnostics.iter().chain(&checked.diagnostics);
    let told = all.filter(|d| d.code.name == "undelivered-file");
    told.map(|d| d.message.clone()).collect()
}

#[test]
fn code_that_is_one_file_delivers_no_other() {
    for (target, from, options) in COPIED {
        for (file, command, expected) in ALONE {
            let spec = |code: &str, more: &str| {
                format!(
                    "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\"\nimage \"ml/a:1\"\n{code}\n{more}\n\
                     role \"worker\" {{ {command}\nresources cpus=1 memory=\"1GiB\"; }}\ntarget \"{target}\" {{ {options}; }}\n}}\n"
                )
            };
            let one = format!("code \"{from}{file}\"");
            let told = told_of(target, &spec(&one, ""));
            let wanted = expected
                .map(|path| format!("`code` is the single file `{file}`, so `{path}` is not delivered"));
            assert_eq!(told, Vec::from_iter(wanted), "{}", spec(&one, ""));
            // There is no warning with a `files` entry, with a directory as `code`, or with a path in the image: each may contain
            // the file.
            for (code, more) in [
                (one.as_str(), "files \"main\" \"hdfs://default/ml/main.py\"".to_owned()),
                (&format!("code \"{from}src/\""), String::new()),
                (&format!("{one} at=\"/opt/x\""), String::new()),
            ] {
                assert_eq!(told_of(target, &spec(code, &more)), [""; 0], "{}", spec(code, &more));
            }
        }
    }
    // If the file is on this machine or on a disk, `{code}` is the directory that contains it. The other files of the directory
    // exist too.
    for (target, from) in [("local", "./"), ("kubernetes", "nfs://h/ml/"), ("yarn", "file:///mnt/ml/")] {
        let text = format!(
            "job \"j\" {{\nframework \"custom\"\nimage \"ml/a:1\"\ncode \"{from}train.py\"\n\
             role \"worker\" {{ run \"python3\" \"main.py\"\nresources cpus=1 memory=\"1GiB\"; }}\ntarget \"{target}\" {{}}\n}}\n"
        );
        assert_eq!(told_of(target, &text), [""; 0], "{text}");
    }
}

/// The help suggests a helper that replaces TensorBoard. It contains the log directory that the job's TensorBoard reads.
#[test]
fn the_help_of_a_tensorboard_of_the_node_can_be_typed() {
    for (logs, written) in [
        ("", "{checkpoints}"),
        (" logs=\"gs://b/logs\"", "gs://b/logs"),
        (" logs=\"{checkpoints}/tb\"", "{checkpoints}/tb"),
    ] {
        let text = format!(
            "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\"\nfiles \"venv\" \"https://example.com/v.tgz\"\n\
             checkpoints \"gs://b/ck\"\ntensorboard{logs}\n\
             role \"worker\" {{ run \"{{files.venv}}/bin/python\" \"/a.py\"\nresources cpus=1 memory=\"1GiB\"; }}\ntarget \"dcos\" {{}}\n}}\n"
        );
        let dcos = ALL.iter().find(|known| known.name() == "dcos").unwrap();
        let found = analyze(&request(&text)).check(*dcos).diagnostics;
        let told =
            format!("{:?}", found.iter().find(|d| d.message.contains("`tensorboard` comes from the node")));
        let wanted = format!(r#""--bind_all" "--logdir" "{written}"; resources"#);
        assert!(told.contains(&format!("{wanted:?}").trim_matches('"').to_owned()), "{wanted}: {told}");
    }
}
