//! A `shell` text has an environment variable for every reference, on every target.

use crate::request::{analyze, request};
use tfjob_driver::Analysis;
use tfjob_targets::ALL;

const SPEC: &str = r#"
job "mnist" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/mnist:1.0"
    code "https://host/code.zip"
    files "words" "https://host/words.txt"
    data "train-set" "gs://bucket/train"
    checkpoints "gs://bucket/models"
    param "lr" 0.1
    run "python" "train.py"
    resources cpus=1 memory="1GiB"
    role "chief"
    role "ps"
    role "worker" count=2 {
        shell "echo $TFJOB_SCRATCH"
        port "web" 12080
    }
    target "yarn" { hadoop "3.3"; dns-domain "example.org"; shim url="hdfs:///tfjob-shim"; }
    target "dcos" { shim url="https://host/tfjob-shim"; }
}
"#;

const VARIABLES: [&str; 18] = [
    "ADDRESS",
    "ADDRESSES_CHIEF",
    "ADDRESSES_PS",
    "ADDRESSES_WORKER",
    "CHECKPOINTS",
    "CODE",
    "COUNT",
    "COUNT_CHIEF",
    "COUNT_WORKER",
    "DATA_TRAIN_SET",
    "FILES_WORDS",
    "GPUS",
    "INDEX",
    "JOB",
    "PARAM_LR",
    "PORT_WEB",
    "ROLE",
    "SCRATCH",
];

/// References that the spec uses as arguments. The test compares them with the variables that contain the same value.
const REFERENCES: [&str; 15] = [
    "address",
    "addresses.worker",
    "checkpoints",
    "code",
    "count",
    "count.worker",
    "data.train-set",
    "files.words",
    "gpus",
    "index",
    "job",
    "param.lr",
    "port.rendezvous",
    "port.web",
    "role",
];

fn analyzed(text: &str) -> Analysis {
    analyze(&request(text))
}

#[test]
fn a_reference_is_the_text_of_its_variable() {
    let env: String =
        REFERENCES.iter().enumerate().map(|(n, name)| format!("R{n} \"{{{name}}}\"; ")).collect();
    let port = |port: &str| {
        let worker =
            format!("port \"web\" {port}\n env {{ {env} OWN \"{{address}}:{{port.rendezvous}}\"; }}");
        SPEC.replace("port \"web\" 12080", &worker)
    };
    for target in ALL {
        let text = match (target.name(), target.one_machine()) {
            (_, true) => port("\"auto\"").replace("https://host/", "./").replace("code.zip", "code"),
            // Spark supports no `shell` text, so the job has none.
            ("spark", _) => port("\"auto\"").replace("shell \"echo $TFJOB_SCRATCH\"", ""),
            (_, false) => port("12080"),
        };
        let analysis = analyzed(&text);
        assert!(analysis.accepted(), "{:?}", analysis.diagnostics);
        let plan = analysis.plan.as_ref().unwrap();
        let worker = plan.roles.iter().position(|role| role.name.value == "worker").unwrap();
        let told: Vec<_> = analysis.check(*target).diagnostics.into_iter().map(|d| d.message).collect();
        let view = target.view(plan, worker, 1);
        let env = view.unwrap_or_else(|| panic!("{}: {told:?}", target.name())).env;
        for (n, name) in REFERENCES.iter().enumerate() {
            let variable = format!("TFJOB_{}", name.to_uppercase().replace(['.', '-'], "_"));
            if target.name() == "spark" && !env.contains_key(&variable) {
                continue;
            }
            assert_eq!(env.get(&format!("R{n}")), env.get(&variable), "{}: {name}", target.name());
        }
        // The address of a task is the address that its peers have for it.
        let peers: Vec<&str> = env["R1"].split(',').collect();
        assert_eq!(env["OWN"], peers[1], "{}", target.name());
    }
}

#[test]
fn a_script_has_every_reference_as_a_variable() {
    for target in ALL.iter().filter(|target| target.name() != "spark") {
        // In a local run, nothing is downloaded, and two tasks cannot use the same port.
        let here =
            SPEC.replace("https://host/", "./").replace("code.zip", "code").replace("12080", "\"auto\"");
        let text = if target.one_machine() { here.as_str() } else { SPEC };
        let analysis = analyzed(text);
        assert!(analysis.accepted(), "{:?}", analysis.diagnostics);
        let plan = analysis.plan.as_ref().unwrap();
        let worker = plan.roles.iter().position(|role| role.name.value == "worker").unwrap();
        let refused: Vec<_> =
            analysis.check(*target).diagnostics.into_iter().filter(|d| d.is_error()).collect();
        let told: Vec<_> = refused.iter().map(|d| &d.message).collect();
        let view = target.view(plan, worker, 1);
        let env = view.unwrap_or_else(|| panic!("{}: {told:?}", target.name())).env;
        for name in VARIABLES {
            let name = format!("TFJOB_{name}");
            assert!(env.contains_key(&name), "{}: {name} is not in {env:?}", target.name());
        }
    }
}

/// A program that saves its state after SIGTERM has the whole grace period. TensorFlow gets SIGINT only after it.
#[test]
fn a_task_that_spark_s_driver_stops_has_its_whole_grace() {
    const PROGRAM: &str = r#"
import signal, sys, time
def save(*_):
    time.sleep(2.5)
    sys.exit(7)
signal.signal(signal.SIGTERM, save)
print("up", flush=True)
time.sleep(60)
"#;
    const NODE: &str = r#"
import subprocess, sys, threading
import tfjob_node
node = object.__new__(tfjob_node.Node)
node.role, node.fed, node.job = {"ready": None}, False, {"grace": 4}
node.stop, node.rows_end = threading.Event(), threading.Event()
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
node.stop.set()
print(node.supervise(child))
"#;
    let templates = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let done = std::process::Command::new("python3")
        .args(["-c", NODE, PROGRAM])
        .env("PYTHONPATH", templates)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 is there");
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(said.trim(), "7", "{}", String::from_utf8_lossy(&done.stderr));
}
