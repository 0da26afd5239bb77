//! A file that a command starts from its own directory is delivered, or a warning names it: whichever program starts it.
#[path = "shared/request.rs"]
mod request;

use request::request;
use tfjob_lang::analysis::analyse;
use tfjob_targets::ALL;

/// A command as the job has it, and the file that it looks for in the task's directory.
const COMMANDS: &[(&str, Option<&str>)] = &[
    // Interpreters.
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
    // Programs that start others.
    ("run \"torchrun\" \"--standalone\" \"--nproc_per_node=4\" \"train.py\"", Some("train.py")),
    ("run \"torchrun\" \"--nproc-per-node\" \"4\" \"/app/train.py\" \"conf.py\"", None),
    ("run \"torchrun\" \"--nproc-per-node\" \"4\" \"-m\" \"pkg.train\" \"conf.py\"", None),
    ("run \"python\" \"-m\" \"torch.distributed.run\" \"--nproc_per_node=4\" \"train.py\"", Some("train.py")),
    ("run \"accelerate\" \"launch\" \"train.py\" \"--a=/b.py\"", Some("train.py")),
    ("run \"deepspeed\" \"--num_gpus=4\" \"train.py\"", Some("train.py")),
    ("run \"horovodrun\" \"-np\" \"4\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"mpirun\" \"-np\" \"4\" \"./train\"", Some("./train")),
    ("run \"env\" \"A=1\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"timeout\" \"1h\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"nice\" \"-n\" \"5\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"numactl\" \"--membind=0\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"tini\" \"--\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"nsys\" \"profile\" \"-o\" \"/out\" \"python\" \"train.py\"", Some("train.py")),
    ("run \"sh\" \"-c\" \"./train.sh\"", Some("./train.sh")),
    ("run \"bash\" \"-ec\" \"export A=1; exec python train.py\"", Some("train.py")),
    ("run \"bash\" \"-c\" \"cd /app && python train.py\"", None),
    // Scripts.
    ("shell \"python train.py\"", Some("train.py")),
    ("shell \"torchrun --nproc_per_node=2 train.py\"", Some("train.py")),
    ("shell \"set -e; python train.py\"", Some("train.py")),
    ("shell \"nvidia-smi && python train.py\"", Some("train.py")),
    ("shell \"export OMP_NUM_THREADS=4\\npython train.py\"", Some("train.py")),
    ("shell \"A=1\\nexec python -u train.py\"", Some("train.py")),
    ("shell \"pip install a b\\npython train.py\"", Some("train.py")),
    ("shell \"pip install -r requirements.txt\\npython /app/train.py\"", Some("requirements.txt")),
    ("shell \"bash -c './train.sh'\"", Some("./train.sh")),
    // What goes elsewhere, or may make the file.
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
            let analysis = analyse(&request(&text));
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
