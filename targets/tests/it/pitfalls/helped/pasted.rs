//! Pasted documents and command lines of other systems: tfjob reports each once, whatever the name of the file.
use crate::request::analyze;
use tfjob_lang::sources::Format;
use tfjob_targets::ALL;

/// A pasted text, and how the diagnostic describes it.
const PASTED: [(&str, &str); 17] = [
    (
        "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata:\n  name: a\nspec:\n  tfReplicaSpecs:\n    Worker:\n      replicas: 2\n",
        "a Kubernetes manifest (TFJob)",
    ),
    ("# words\n---\napiVersion: kubeflow.org/v1\nkind: PyTorchJob\n", "a Kubernetes manifest (PyTorchJob)"),
    ("{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Pod\"\n}\n", "a Kubernetes manifest (Pod)"),
    ("kubectl apply -f - <<EOF\napiVersion: v1\nkind: Pod\nEOF\n", "a kubectl command line"),
    (
        "{\n  \"name\": \"a\", \"version\": \"1\",\n  \"components\": [{ \"name\": \"worker\", \"number_of_containers\": 2 }]\n}\n",
        "a YARN service definition",
    ),
    (
        "<?xml version=\"1.0\"?>\n<configuration>\n  <property>\n    <name>tony.worker.instances</name>\n    <value>4</value>\n  </property>\n</configuration>\n",
        "a Hadoop configuration file, such as TonY's",
    ),
    (
        "yarn jar submarine-all.jar job run --name a \\\n --num_workers 2 --worker_resources memory=8G,vcores=2\n",
        "a YARN command line",
    ),
    ("$ /opt/hadoop/bin/yarn jar tony-cli.jar --executes train.py\n", "a YARN command line"),
    ("{ \"id\": \"/a\", \"cmd\": \"python train.py\", \"instances\": 2 }\n", "a Marathon app definition"),
    ("{\n  \"id\": \"/a\",\n  \"container\": { \"type\": \"MESOS\" }\n}\n", "a Marathon app definition"),
    ("{ \"id\": \"/a\", \"instances\": 2 }\n", "a Marathon app definition"),
    ("{ \"id\": \"/a\", \"apps\": [] }\n", "a Marathon group definition"),
    (
        "{ \"service\": { \"job_url\": \"https://h/a.zip\" }, \"worker\": { \"count\": 2 } }\n",
        "the options of the DC/OS package",
    ),
    ("dcos package install beta-tensorflow\n", "a DC/OS command line"),
    (
        "#!/bin/bash\nset -e\nspark-submit \\\n  --master yarn \\\n  --num-executors 4 \\\n  train.py\n",
        "a spark-submit command line",
    ),
    ("\u{feff}python train.py --epochs 3\n", "a command line"),
    ("docker run --gpus all -v /data:/data tensorflow/tensorflow python train.py\n", "a command line"),
];

fn told(name: &str, format: Format, text: &str) -> Vec<String> {
    let analysis = analyze(&tfjob_driver::Request::new(name, text).format(format));
    analysis
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| format!("{}: {}", d.code.name, d.message))
        .collect()
}

#[test]
fn what_is_pasted_is_told_once_whatever_the_file_is_called() {
    let names =
        [("a.tfjob.kdl", Format::Kdl), ("a.tfjob.json", Format::Json), ("a.tfjob.yaml", Format::Yaml)];
    let mut wrong = Vec::new();
    for (text, what) in PASTED {
        for (name, format) in names {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                let found = told(name, format, &text);
                if found != [format!("unsupported-format: this is {what}, not a job spec")] {
                    wrong.push(format!("{name}: {what}: {found:#?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_kind_of_document_is_tried() {
    let known = ALL.iter().flat_map(|target| target.pasted());
    let lacking: Vec<_> =
        known.map(|p| p.what).filter(|what| !PASTED.iter().any(|(_, w)| w.starts_with(what))).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn what_stands_for_a_field_is_accepted_in_a_job_or_a_role() {
    let spec = |job: &str, role: &str| {
        format!("job \"a\" {{\nframework \"custom\"\n{job}\nrole \"x\" {{\n{role}\n}}\n}}\n")
    };
    let mut wrong = Vec::new();
    for (theirs, ours) in ALL.iter().flat_map(|target| target.pasted()).flat_map(|pasted| pasted.fields) {
        let all =
            "image \"a:1\"\nrun \"a\"\nresources cpus=1 memory=\"1GiB\"\nhadoop home=\"/h\" java=\"/j\"\n";
        let own = ours.split(' ').next().unwrap_or_default();
        let other = if own == "shell" { "run" } else { own };
        let rest: String =
            all.lines().filter(|line| !line.starts_with(other)).map(|line| format!("{line}\n")).collect();
        let mut found = told("a.tfjob.kdl", Format::Kdl, &spec(&format!("{rest}{ours}"), ""));
        // The program of this job uses no references, so entries that only references use are unused.
        found.retain(|fault| !fault.starts_with("unused-declaration"));
        if !found.is_empty() {
            wrong.push(format!("{theirs}: {ours}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
