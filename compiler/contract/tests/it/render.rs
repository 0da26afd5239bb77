//! Tests rendering: values with references, ports, GPUs, Hadoop, and the limits of a process.
use crate::job::{but, env, helper, hosts, job, role, shown, task, tensorflow, text, value};
use std::collections::BTreeMap;
use tfjob_contract::{
    Address, Contract, Failure, FrameworkName, Hadoop, Machine, Peers, Piece, PlaceholderMachine, Rendered,
    Run, Source, StrategyName, render,
};

fn one(change: impl FnOnce(&mut Contract)) -> Contract {
    let mut contract = job(FrameworkName::Custom, None, vec![role("worker", 2)]);
    change(&mut contract);
    contract.check().unwrap();
    contract
}

fn with(contract: &Contract, pairs: &[(&str, &str)]) -> Result<Rendered, Failure> {
    render(contract, &task("worker", 1), &env(pairs), &mut PlaceholderMachine)
}

#[test]
fn every_hole_is_filled() {
    let contract = one(|c| {
        c.roles[0].ports = BTreeMap::from([("web".to_owned(), 8080), ("debug".to_owned(), 0)]);
        c.roles[0].workdir = Some(vec![Piece::Env("PWD".into()), Piece::Text("/code".into())]);
        c.roles[0].run = Run::Argv(vec![
            vec![Piece::Env("VENV".into()), Piece::Text("/bin/python".into())],
            vec![Piece::Text("--shard=".into()), Piece::Index],
            vec![Piece::Address, Piece::Text(":".into()), Piece::Port("rendezvous".into())],
            vec![Piece::Addresses("worker".into())],
            vec![Piece::Port("web".into()), Piece::Text(",".into()), Piece::Port("debug".into())],
            vec![Piece::Env("NOT_SET".into())],
            vec![],
            text("{{ $HOME `x` \"'\\ ü\n"),
        ]);
    });
    let rendered = with(&contract, &[("PWD", "/run/1"), ("VENV", "/venv")]).unwrap();
    let expected = [
        "/venv/bin/python",
        "--shard=1",
        "worker-1:2222",
        "worker-0:2222,worker-1:2222",
        "8080,<port debug>",
        "",
        "",
        "{{ $HOME `x` \"'\\ ü\n",
    ];
    assert_eq!(rendered.argv, expected);
    assert_eq!(rendered.workdir.as_deref(), Some("/run/1/code"));
}

#[test]
fn the_tasks_own_variables_stand_after_the_jobs() {
    let contract = one(|c| {
        c.roles[0].ports = BTreeMap::from([("web-ui".to_owned(), 8080)]);
        c.roles[0].env = vec![("TFJOB_JOB".to_owned(), text("job")), ("LEVEL".to_owned(), text("info"))];
        c.roles.push(helper("tensorboard"));
    });
    let expected = [
        "TFJOB_JOB=job",
        "LEVEL=info",
        "TFJOB_INDEX=1",
        "TFJOB_ADDRESS=worker-1",
        "TFJOB_ADDRESSES_WORKER=worker-0:2222,worker-1:2222",
        "TFJOB_PORT_RENDEZVOUS=2222",
        "TFJOB_PORT_WEB_UI=8080",
    ];
    assert_eq!(but(&with(&contract, &[]).unwrap(), &[]), expected);
}

/// A platform that allocates the ports may allocate one for each task, also of a helper.
#[test]
fn helpers_have_no_addresses_even_if_the_platform_lists_some() {
    let mut contract = one(|c| {
        c.peers = Peers::Given { env: "PEERS".to_owned(), pointer: String::new() };
        c.roles.push(helper("logs"));
    });
    let platform = [("PEERS", r#"{"worker": ["h:1", "h:2"], "logs": ["h:3"]}"#)];
    let rendered = with(&contract, &platform).unwrap();
    assert_eq!(value(&rendered, "TFJOB_ADDRESSES_WORKER"), Some("h:1,h:2"));
    assert_eq!(value(&rendered, "TFJOB_ADDRESSES_LOGS"), None);
    let seen = render(&contract, &task("logs", 0), &env(&platform), &mut PlaceholderMachine).unwrap();
    assert_eq!(value(&seen, "TFJOB_ADDRESSES_WORKER"), Some("h:1,h:2"));
    let fault = with(&contract, &[("PEERS", "[]")]).unwrap_err().to_string();
    assert_eq!(
        fault,
        "the JSON in environment variable PEERS is not an object with the addresses of each role"
    );
    contract.roles[0].run = Run::Argv(vec![vec![Piece::Addresses("logs".into())]]);
    let fault = contract.check().unwrap_err().to_string();
    assert!(fault.contains("uses the addresses of helper `logs`, but helpers have no addresses"), "{fault}");
}

#[test]
fn a_variable_sees_the_image_and_the_platform_never_an_earlier_one() {
    let contract = one(|c| {
        let path = vec![Piece::Text("/lib:".into()), Piece::Env("PYTHONPATH".into())];
        c.roles[0].env =
            vec![("PYTHONPATH".to_owned(), path), ("SEEN".to_owned(), vec![Piece::Env("PYTHONPATH".into())])];
    });
    let rendered = with(&contract, &[("PYTHONPATH", "/image")]).unwrap();
    assert_eq!(value(&rendered, "PYTHONPATH"), Some("/lib:/image"));
    assert_eq!(value(&rendered, "SEEN"), Some("/image"));
    assert_eq!(
        contract.variables().into_iter().collect::<Vec<_>>(),
        ["PYTHONPATH", "TFJOB_INDEX", "TFJOB_ROLE"]
    );
}

#[test]
fn shell_text_is_verbatim() {
    let script = "set -- {a} {{b}} $TFJOB_INDEX\nexec \"$@\" # ${x}\n";
    let contract = one(|c| c.roles[0].run = Run::Shell(script.to_owned()));
    assert_eq!(with(&contract, &[]).unwrap().argv, ["/bin/sh", "-ec", script]);
}

#[test]
fn without_gpus_none_is_visible_and_with_them_the_platform_says_which() {
    for (gpus, expected) in [(Some(0), Some("")), (Some(2), None), (None, None)] {
        let rendered = with(&one(|c| c.roles[0].gpus = gpus), &[("CUDA_VISIBLE_DEVICES", "0,1")]).unwrap();
        assert_eq!(value(&rendered, "CUDA_VISIBLE_DEVICES"), expected);
    }
}

#[test]
fn a_host_is_made_of_names_that_are_looked_up_at_the_start() {
    let contract = one(|c| {
        c.peers = Peers::Template(Address {
            host: "{{{role}}}-{index}.{JOB}.{USER}.{{x".to_owned(),
            names: BTreeMap::from([
                ("JOB".to_owned(), Source::Is("ctr".to_owned())),
                ("USER".to_owned(), Source::Env("SUBMITTER".to_owned())),
            ]),
            roles: BTreeMap::from([("worker".to_owned(), "w".to_owned())]),
        });
    });
    let rendered = with(&contract, &[("SUBMITTER", "ann{role}")]).unwrap();
    assert_eq!(value(&rendered, "TFJOB_ADDRESS"), Some("{w}}-1.ctr.ann{role}.{x"));
    let fault = with(&contract, &[]).unwrap_err();
    assert_eq!(
        fault,
        Failure::Platform("environment variable SUBMITTER is not set by the platform".to_owned())
    );
}

#[test]
fn what_would_be_empty_is_not_started() {
    let program = one(|c| c.roles[0].run = Run::Argv(vec![vec![Piece::Env("PYTHON".into())]]));
    assert_eq!(
        with(&program, &[]).unwrap_err().to_string(),
        "the program of role `worker` is an empty string, because environment variable PYTHON is unset or empty"
    );
    let folder = one(|c| c.roles[0].workdir = Some(vec![Piece::Env("CODE".into())]));
    assert_eq!(
        with(&folder, &[]).unwrap_err().to_string(),
        "the working directory of role `worker` is an empty string, because environment variable CODE is unset or empty"
    );
    let both = one(|c| c.roles[0].workdir = Some(vec![Piece::Env("A".into()), Piece::Env("B".into())]));
    let told = with(&both, &[("B", "")]).unwrap_err().to_string();
    assert!(told.ends_with(", because environment variables A and B are unset or empty"), "{told}");
    let plain = one(|c| c.roles[0].run = Run::Argv(vec![vec![]]));
    let told = with(&plain, &[]).unwrap_err().to_string();
    assert_eq!(told, "the program of role `worker` is an empty string");
}

#[test]
fn what_linux_cannot_pass_on_is_said_by_name() {
    let long = "x".repeat(131_071 - "BIG=".len());
    let contract = |value: String| one(|c| c.roles[0].env = vec![("BIG".to_owned(), text(&value))]);
    assert!(with(&contract(long.clone()), &[]).is_ok());
    let fault = with(&contract(long + "y"), &[]).unwrap_err().to_string();
    assert_eq!(fault, "the variable BIG would be 131072 bytes long; Linux allows at most 131071");
    let words = one(|c| c.roles[0].run = Run::Argv(vec![text("a"), text(&"x".repeat(131_072))]));
    let fault = with(&words, &[]).unwrap_err().to_string();
    assert_eq!(fault, "an argument would be 131072 bytes long; Linux allows at most 131071");
    let nul = one(|c| c.roles[0].run = Run::Shell("a\0b".to_owned()));
    assert_eq!(
        with(&nul, &[]).unwrap_err().to_string(),
        "the command, an environment variable, or the working directory of the program contains a NUL byte, which Linux does not allow"
    );
}

#[test]
fn ten_thousand_workers_are_refused_by_tf_config_but_not_by_a_list_that_nobody_asked_for() {
    let far =
        |contract| Contract { peers: hosts("{role}-{index}.a-rather-long-name.example.com"), ..contract };
    let custom = far(job(FrameworkName::Custom, None, vec![role("worker", 10_000)]));
    assert_eq!(value(&shown(&custom, "worker", 9_999), "TFJOB_ADDRESSES_WORKER"), None);
    let steps = far(tensorflow(StrategyName::MultiWorkerMirrored, vec![role("worker", 10_000)]));
    let fault = with(&steps, &[]).unwrap_err().to_string();
    assert!(fault.starts_with("the variable TF_CONFIG would be "), "{fault}");
}

fn hadoop(java: Option<&str>, conf: Option<&str>) -> Contract {
    one(|c| {
        c.hadoop = Some(Hadoop {
            home: "/opt/hadoop/".to_owned(),
            java: java.map(str::to_owned),
            conf: conf.map(str::to_owned),
            jars: vec!["share/common/lib".to_owned(), "/opt/extra".to_owned()],
        });
    })
}

#[test]
fn hadoop_is_found_by_its_folders() {
    let expected = [
        "HADOOP_HOME=/opt/hadoop",
        "HADOOP_HDFS_HOME=/opt/hadoop",
        "HADOOP_CONF_DIR=/etc/hadoop",
        "CLASSPATH=/etc/hadoop:/opt/hadoop/share/common/lib/*.jar:/opt/extra/*.jar",
        "LD_LIBRARY_PATH=/opt/java/lib/server:/opt/java/jre/lib/amd64/server:/opt/java/lib/amd64/server:/opt/hadoop/lib/native",
        "JAVA_HOME=/opt/java",
    ];
    let given = with(&hadoop(Some("/opt/java"), Some("/etc/hadoop")), &[("JAVA_HOME", "/image")]).unwrap();
    assert_eq!(but(&given, &["TFJOB_"]), expected);
    let found = [("JAVA_HOME", "/opt/java"), ("HADOOP_CONF_DIR", "/etc/hadoop")];
    assert_eq!(but(&with(&hadoop(None, None), &found).unwrap(), &["TFJOB_"]), expected);
    let default = with(&hadoop(Some("/opt/java"), None), &[]).unwrap();
    assert_eq!(value(&default, "HADOOP_CONF_DIR"), Some("/opt/hadoop/etc/hadoop"));
    let fault = with(&hadoop(None, None), &[]).unwrap_err().to_string();
    assert_eq!(
        fault,
        "libhdfs needs Java, but JAVA_HOME is set neither by `hadoop` of the job nor by the image"
    );
}

#[test]
fn paths_of_job_and_image_are_kept_beside_hadoops() {
    let contract = hadoop(Some("/j"), Some("/c"));
    let image = [("CLASSPATH", "/a.jar"), ("LD_LIBRARY_PATH", "/usr/local/cuda/lib64")];
    let rendered = with(&contract, &image).unwrap();
    assert!(value(&rendered, "CLASSPATH").unwrap().ends_with("/*.jar:/a.jar"));
    assert!(value(&rendered, "LD_LIBRARY_PATH").unwrap().starts_with("/usr/local/cuda/lib64:/j/lib/server:"));
    let mut own = contract;
    own.roles[0].env = vec![("LD_LIBRARY_PATH".to_owned(), text("/own")), ("CLASSPATH".to_owned(), text(""))];
    let rendered = with(&own, &image).unwrap();
    assert!(value(&rendered, "LD_LIBRARY_PATH").unwrap().starts_with("/own:/j/lib/server:"));
    assert!(
        value(&rendered, "CLASSPATH").unwrap().ends_with("/*.jar"),
        "an empty part means the working directory"
    );
    let names: Vec<&String> = rendered.env.iter().map(|(name, _)| name).collect();
    assert_eq!(names.iter().filter(|name| **name == "CLASSPATH").count(), 1);
}

/// A machine without free ports, jar files, and directories.
struct Bare;

impl Machine for Bare {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        Err(format!("no port for {name}"))
    }

    fn jars(&mut self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn has_folder(&mut self, _: &str) -> bool {
        false
    }

    fn done(&mut self) -> Result<String, String> {
        Err("no folder".to_owned())
    }
}

/// A machine with jar files, on which the directory that `HADOOP_CONF_DIR` names does not exist.
struct Elsewhere;

impl Machine for Elsewhere {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        Bare.free_port(name)
    }

    fn jars(&mut self, folder: &str) -> Vec<String> {
        vec![format!("{folder}/a.jar")]
    }

    fn has_folder(&mut self, path: &str) -> bool {
        Bare.has_folder(path)
    }

    fn done(&mut self) -> Result<String, String> {
        Bare.done()
    }
}

/// A NodeManager of YARN passes its own `HADOOP_CONF_DIR` to images that do not set it (`yarn.nodemanager.env-whitelist`).
#[test]
fn a_configuration_that_is_not_in_the_image_is_not_used() {
    let had = env(&[("HADOOP_CONF_DIR", "/etc/hadoop/of-the-node")]);
    let conf = |given: Option<&str>| {
        let contract = hadoop(Some("/j"), given);
        let rendered = render(&contract, &task("worker", 0), &had, &mut Elsewhere).unwrap();
        value(&rendered, "HADOOP_CONF_DIR").map(str::to_owned)
    };
    assert_eq!(conf(None).as_deref(), Some("/opt/hadoop/etc/hadoop"));
    assert_eq!(conf(Some("/given")).as_deref(), Some("/given"));
}

#[test]
fn what_the_machine_lacks_is_not_passed_over() {
    let bare = |contract: &Contract| render(contract, &task("worker", 0), &env(&[]), &mut Bare).unwrap_err();
    let jars = bare(&hadoop(Some("/j"), None));
    assert_eq!(
        jars,
        Failure::Machine(
            "no Hadoop jar files in /opt/hadoop; searched share/common/lib, /opt/extra".to_owned()
        )
    );
    let port = one(|c| c.roles[0].ports = BTreeMap::from([("web".to_owned(), 0)]));
    assert_eq!(bare(&port), Failure::Machine("no port for web".to_owned()));
}

#[test]
fn the_json_of_a_task_keeps_the_order() {
    let contract = one(|c| c.roles[0].env = vec![("Z".to_owned(), text("1")), ("A".to_owned(), text("2"))]);
    let contract = Contract { peers: Peers::Alone, ..contract };
    let expected = r#"{"env":{"Z":"1","A":"2","TFJOB_INDEX":"1","TFJOB_PORT_RENDEZVOUS":"2222"},"unset":["TF_CONFIG"],"argv":["train"],"workdir":null}"#;
    assert_eq!(with(&contract, &[]).unwrap().json(), expected);
}
