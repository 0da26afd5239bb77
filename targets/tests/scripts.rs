//! A script has every reference of its job as a variable, on every target.
use tfjob_lang::analysis::{Request, analyse};
use tfjob_lang::sources::Format;
use tfjob_targets::{ALL, SHAPE};

const SPEC: &str = r#"
job "mnist" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/mnist:1.0"
    code "https://host/code.zip"
    stage "words" "https://host/words.txt"
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
    target "yarn" { hadoop "3.3"; dns-domain "example.org"; shim "hdfs:///tfjob-shim"; }
    target "dcos" { shim "https://host/tfjob-shim"; }
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
    "GPUS",
    "INDEX",
    "JOB",
    "PARAM_LR",
    "PORT_WEB",
    "ROLE",
    "SCRATCH",
    "STAGE_WORDS",
];

#[test]
fn a_script_has_every_reference_as_a_variable() {
    for target in ALL.iter().filter(|target| target.name() != "spark") {
        // On one machine nothing is fetched, and two tasks cannot have one port.
        let here =
            SPEC.replace("https://host/", "./").replace("code.zip", "code").replace("12080", "\"auto\"");
        let text = if target.one_machine() { here.as_str() } else { SPEC };
        let analysis = analyse(&Request {
            name: "a.tfjob.kdl",
            text,
            format: Format::Kdl,
            set: &[],
            load: &|_, _| Err(String::new()),
            targets: ALL,
            shape: &SHAPE,
            cluster: None,
            one_machine: false,
        });
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
