//! The traps of DC/OS: the package's options (spark-dcos-observed §4) and Marathon's apps (spark-dcos §3.6).
#![expect(clippy::unwrap_used, reason = "a test may")]

#[path = "dcos/marathon.rs"]
mod marathon;
#[path = "dcos/package.rs"]
mod package;

use super::{analysed, holds};
use serde_json::Value;
use tfjob_lang::lowered::Lowered;

/// A job of one worker on Marathon, with more words in the job and in the role.
fn marathon(job: &str, role: &str) -> String {
    format!(
        r#"job "mnist" {{
    framework "tensorflow" version="2.15"
    image "ml/mnist:1.0"
    {job}
    role "worker" {{
        run "python" "train.py"
        resources cpus=1 memory="1GiB"
        {role}
    }}
}}
"#
    )
}

/// Two workers in step on Marathon.
fn workers(job: &str, role: &str) -> String {
    marathon(job, role)
        .replace("version=\"2.15\"", "version=\"2.15\" strategy=\"multi-worker-mirrored\"")
        .replace("role \"worker\"", "role \"worker\" count=2")
}

/// A role after another, in a job whose roles end.
fn two(when: &str) -> String {
    format!(
        r#"job "steps" {{
    framework "custom"
    image "ml/steps:1.0"
    run "sh" "step.sh"
    role "first" {{
        resources cpus=1 memory="1GiB"
    }}
    role "second" {{
        resources cpus=1 memory="1GiB"
        after "first" {when}
    }}
}}
"#
    )
}

/// A worker of the package, with more words in the job, the role and the block.
fn package(job: &str, role: &str, block: &str) -> String {
    format!(
        r#"job "mnist" {{
    framework "tensorflow" version="1.5" strategy="custom"
    code "https://files.example.com/mnist.zip"
    {job}
    role "worker" {{
        run "python" "train.py"
        resources cpus=1 memory="1GiB"
        {role}
    }}
    target "dcos" {{
        module "train"
        {block}
    }}
}}
"#
    )
}

const REFUSED: &str = "feature-refused";
const TF1: &str = "version=\"1.5\"";

#[test]
fn no_job_falls_into_a_trap_of_the_package() {
    holds("dcos", &package::traps());
}

#[test]
fn no_job_falls_into_a_trap_of_marathon() {
    holds("dcos", &marathon::traps());
}

/// What a spec without errors becomes.
fn written(spec: &str) -> Lowered {
    let (errors, lowered) = super::compiled(&analysed(spec), "dcos");
    let told: Vec<_> = errors.iter().map(|d| &d.message).collect();
    lowered.unwrap_or_else(|| panic!("{told:#?}\n{spec}"))
}

/// The one artefact.
fn artefact(lowered: &Lowered) -> Value {
    serde_json::from_str(&lowered.artefacts[0].text).unwrap()
}

/// The apps of a job, in order.
fn apps(spec: &str) -> Vec<Value> {
    let lowered = written(spec);
    assert_eq!(lowered.artefacts[0].path, "marathon.json");
    artefact(&lowered)["apps"].as_array().unwrap().clone()
}

fn options(spec: &str) -> Value {
    let lowered = written(spec);
    assert_eq!(lowered.artefacts[0].path, "options.json");
    artefact(&lowered)
}

#[test]
fn a_uri_longer_than_marathon_takes_is_refused() {
    let code = |letters| marathon(&format!("code \"https://f.example.com/{}.zip\"", "x".repeat(letters)), "");
    assert_eq!(super::compiled(&analysed(&code(999)), "dcos").0.len(), 1);
    assert_eq!(apps(&code(998))[0]["fetch"][0]["uri"].as_str().unwrap().len(), 1024);
}

#[test]
fn every_count_of_the_package_is_said_for_its_own_are_two_and_three() {
    let found = options(&package("", "", ""));
    assert_eq!(found["worker"]["count"], 1);
    assert_eq!(found["parameter_server"]["count"], 0);
    assert_eq!(found["gpu_worker"]["count"], 0);
    let gpu = options(&package("", "", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=2"));
    assert_eq!((&gpu["worker"]["count"], &gpu["gpu_worker"]["count"]), (&0.into(), &1.into()));
    assert_eq!((&gpu["gpu_worker"]["gpus"], &gpu["worker"]["port"]), (&2.into(), &2222.into()));
}

#[test]
fn numbers_of_the_package_are_numbers_and_small_ones_have_three_decimals() {
    let found = options(&package("", "", "").replace("cpus=1", "cpus=0.1"));
    assert_eq!(found["worker"]["cpus"].to_string(), "0.1");
    assert_eq!(found["worker"]["mem"].to_string(), "1024");
}

#[test]
fn a_key_of_a_bucket_has_no_way_into_the_options() {
    let text = options(&package("checkpoints \"gs://b/ckpt\"", "", "gcs-key-secret #true")).to_string();
    assert!(text.contains("\"use_gcs_key_secret\":true") && !text.contains("\"gcs_key\""), "{text}");
}

/// Strings that break naive quoting.
const HOSTILE: [&str; 14] = [
    "",
    " both ends ",
    "it's",
    "\"double\"",
    "back\\slash",
    "$HOME ${HOME} $(id) `id`",
    "{{mustache}} }} %7B",
    "a\nb\tc\rd",
    "!history # ; & | > < * ? [x] ~",
    "--flag=\u{e9}\u{6f22}\u{1f600}",
    "{\"json\": [1, \"x\"]}",
    "\u{1}\u{7f}",
    "<b>&amp;</b>",
    "-",
];

/// A text as a literal of the spec; braces are doubled where they are no reference.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '{' => out.push_str("{{"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

#[test]
fn hostile_texts_reach_the_package_as_json_in_a_text() {
    for text in HOSTILE.into_iter().filter(|text| serde_json::from_str::<Value>(text).is_err()) {
        let word = literal(&format!("--word={text}"));
        let found = options(&package("", "", "").replace("\"train.py\"", &format!("\"train.py\" {word}")));
        let context = found["service"]["job_context"].as_str().unwrap();
        let context: Value = serde_json::from_str(context).unwrap();
        assert_eq!(context["word"], text);
    }
    let typed = "param \"a\" 1\n param \"b\" 0.10\n param \"c\" \"007\"\n param \"d\" #false";
    let words = "\"train.py\" \"--a={param.a}\" \"--b={param.b}\" \"--c={param.c}\" \"--d={param.d}\"";
    let found = options(&package(typed, "", "").replace("\"train.py\"", words));
    assert_eq!(found["service"]["job_context"], r#"{"a":1,"b":0.1,"c":"007","d":false}"#);
}

/// What the command of an app does before it stays, run by this machine's own shell.
#[cfg(unix)]
fn run(app: &Value, more: &[(&str, &str)]) -> Vec<String> {
    let command = app["cmd"].as_str().unwrap();
    let (command, stays) = command.rsplit_once('\n').unwrap();
    assert_eq!(stays, "while :; do sleep 3600 & wait $!; done");
    let env = app["env"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(k, v)| (k.as_str(), v.as_str().unwrap_or("secret")));
    let done = std::process::Command::new("/bin/sh")
        .args(["-c", command])
        .env("MESOS_SANDBOX", std::env::temp_dir())
        .envs(env)
        .envs(more.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.ends_with(" ended with code 0\n"), "{said}\n{command}");
    String::from_utf8(done.stdout).unwrap().split('\0').map(str::to_owned).collect()
}

/// Prints its words and a variable, each with a NUL behind it.
const ECHO: &str =
    r##""sh" "-c" "for w in \"$@\"; do printf '%s\\000' \"$w\"; done; printf '%s\\000' \"$LATE\"" "sh""##;

#[cfg(unix)]
#[test]
fn hostile_texts_reach_a_task_as_they_were_written() {
    let words: Vec<String> = HOSTILE.iter().map(|text| literal(text)).collect();
    for text in HOSTILE {
        let job = format!("env {{\n PLAIN {0}\n LATE \"{{env.OLD}}|\"\n OLD {0}\n}}", literal(text));
        let spec =
            marathon(&job, "").replace("\"python\" \"train.py\"", &format!("{ECHO} {}", words.join(" ")));
        let app = &apps(&spec)[0];
        assert_eq!(app["env"]["PLAIN"], text);
        let mut expected: Vec<String> = HOSTILE.map(str::to_owned).into();
        // The image's own value, not that which the job gives.
        expected.extend(["image|".to_owned(), String::new()]);
        let mut image = app.clone();
        image["env"].as_object_mut().unwrap().remove("OLD");
        assert_eq!(run(&image, &[("OLD", "image")]), expected, "{text:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_may_be_called_as_the_shell_calls_its_own() {
    for name in ["if", "exec", "a=b", "cd", "test"] {
        let spec = marathon("", "").replace("\"python\" \"train.py\"", &format!("\"{name}\" \"-d\" \"/\""));
        let command = apps(&spec)[0]["cmd"].as_str().unwrap().to_owned();
        let (command, _) = command.rsplit_once('\n').unwrap();
        let done = std::process::Command::new("/bin/sh").args(["-c", command]).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        let code = if name == "test" { "code 0\n" } else { "code 127\n" };
        assert!(said.ends_with(code), "{name}: {said}");
    }
}

#[test]
fn an_app_has_a_command_of_its_own_and_never_the_image_s() {
    for app in apps(&marathon("", "")).iter().chain(&apps(&workers("", ""))) {
        assert!(app["cmd"].as_str().unwrap().contains("exec \"$@\""));
        assert_eq!((app.get("args"), &app["instances"]), (None, &1.into()));
    }
}

#[test]
fn gpus_come_with_the_runtime_that_has_them() {
    let app = &apps(&marathon("", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=2"))[0];
    assert_eq!((&app["gpus"], &app["container"]["type"]), (&2.into(), &"MESOS".into()));
}

#[test]
fn a_task_that_nobody_wants_again_stays_and_is_not_started_elsewhere() {
    let app = &apps(&marathon("", ""))[0];
    assert!(app["cmd"].as_str().unwrap().ends_with("while :; do sleep 3600 & wait $!; done"));
    assert_eq!(
        (&app["backoffSeconds"], &app["unreachableStrategy"]),
        (&31_536_000.into(), &"disabled".into())
    );
}

#[test]
fn a_restart_without_end_is_marathon_s_own() {
    let app =
        &apps(&marathon("", "restart \"on-failure\" backoff=\"10s\" max-backoff=\"1m\" { codes 42 143 }"))[0];
    let command = app["cmd"].as_str().unwrap();
    assert!(command.contains("case $code in 42|143) exit \"$code\";; esac\nwhile"), "{command}");
    assert_eq!((&app["backoffSeconds"], &app["backoffFactor"]), (&10.into(), &2.into()));
    assert_eq!(app["maxLaunchDelaySeconds"], 60);
    assert_eq!(app["unreachableStrategy"]["inactiveAfterSeconds"], 0);
    let app = &apps(&marathon("", "restart \"always\""))[0];
    assert!(app["cmd"].as_str().unwrap().ends_with("\nexec \"$@\""));
}

#[test]
fn a_health_check_never_kills_a_task_that_has_stopped_to_listen() {
    let app = &apps(&workers("", "ready tcp=\"cluster\""))[0];
    let check = &app["healthChecks"][0];
    assert_eq!((&check["protocol"], &check["port"]), (&"MESOS_TCP".into(), &2222.into()));
    assert_eq!(check["maxConsecutiveFailures"], i32::MAX);
}

#[test]
fn an_evaluator_stands_in_its_own_tf_config_only() {
    let role = |name: &str| {
        format!("role \"{name}\" {{\n run \"python\" \"t.py\"\n resources cpus=1 memory=\"1GiB\"\n }}\n")
    };
    let roles = ["chief", "ps", "evaluator"].map(role).join("");
    let spec =
        marathon(&roles, "").replace("version=\"2.15\"", "version=\"2.15\" strategy=\"parameter-server\"");
    for app in apps(&spec) {
        let config: Value = serde_json::from_str(app["env"]["TF_CONFIG"].as_str().unwrap()).unwrap();
        let id = app["id"].as_str().unwrap();
        assert_eq!(config["cluster"].get("evaluator").is_some(), id == "/mnist/evaluator-0", "{id}");
        let host = format!("{}.mnist.marathon.autoip.dcos.thisdcos.directory", &id["/mnist/".len()..]);
        assert_eq!(app["env"]["TFJOB_ADDRESS"], host);
    }
}

#[test]
fn tasks_on_the_host_s_network_hold_the_very_port() {
    for app in apps(&workers("", "")) {
        assert_eq!((&app["requirePorts"], &app["portDefinitions"][0]["port"]), (&true.into(), &2222.into()));
    }
    for app in apps(&workers("network \"dcos\"", "")) {
        assert_eq!((app.get("portDefinitions"), app.get("requirePorts")), (None, None));
        let mapping = &app["container"]["portMappings"][0];
        assert_eq!((&mapping["containerPort"], mapping.get("hostPort")), (&2222.into(), None));
    }
}

#[test]
fn a_duty_comes_with_the_shim_and_its_contract() {
    let spec = workers("start timeout=\"5m\"\n target \"dcos\" { shim \"https://f.example.com/shim\" }", "");
    let lowered = written(&spec);
    let (contract, _) = lowered.contract.as_ref().unwrap();
    for (index, app) in artefact(&lowered)["apps"].as_array().unwrap().iter().enumerate() {
        let fetch = app["fetch"].as_array().unwrap().last().unwrap();
        assert_eq!((&fetch["executable"], &fetch["destPath"]), (&true.into(), &"tfjob-shim".into()));
        assert_eq!(app["env"]["TFJOB_CONTRACT_TEXT"], contract.write_carried());
        assert_eq!(app["env"]["TFJOB_INDEX"], index.to_string());
        assert!(app["cmd"].as_str().unwrap().contains("/tfjob-shim --contract-env TFJOB_CONTRACT_TEXT"));
    }
    assert!(written(&workers("", "")).contract.is_none());
}

#[test]
fn an_option_leaves_a_trace() {
    let specs = [
        marathon("target \"dcos\" { as \"marathon\"; version \"2.1\"; enterprise #true; group \"/ml\"; shim \"https://f.example.com/s\"; gpu-model-attribute \"gpu\"; patch \"id: /ml/mnist\" }", "target \"dcos\" { patch \"user: nobody\" }"),
        package(
            "kerberos principal=\"tf@EXAMPLE.COM\" keytab=\"secret:KEYTAB\"\n secret \"KEYTAB\" from=\"keytab\" at=\"/keytab\"",
            "target \"dcos\" { disk-type \"MOUNT\"; patch \"port: 2224\" }",
            "as \"package\"; version \"1.11\"; enterprise #true; job-path \"a/b\"; hdfs-config \"http://h.example.com/c\"; gcs-key-secret #true; region \"r\"; service-account \"a\" secret=\"s\"; kdc \"k.example.com\" port=88; patch \"service: { log_level: DEBUG }\"",
        ).replace("; patch \"service: { log_level: DEBUG }\"", "; patch \"service: { user: tf }\""),
    ];
    for spec in specs {
        let lowered = written(&spec);
        let traces = lowered.traces();
        let analysis = analysed(&spec);
        let plan = analysis.plan.as_ref().unwrap();
        let blocks = plan
            .targets
            .get("dcos")
            .into_iter()
            .chain(plan.roles.iter().filter_map(|r| r.targets.get("dcos")));
        for leaf in blocks.flat_map(tfjob_lang::target::leaves) {
            assert!(traces.contains(&leaf), "{} left nothing", analysis.sources.slice(leaf));
        }
    }
}

#[test]
fn a_port_that_marathon_picks_is_told_by_marathon() {
    let spec = marathon("", "port \"web\" \"auto\"\n ready tcp=\"web\"")
        .replace("\"train.py\"", "\"train.py\" \"--web={port.web}\"");
    let app = &apps(&spec)[0];
    let command = app["cmd"].as_str().unwrap();
    assert!(command.contains("set -- python train.py '--web='\"${PORT0-}\"\n"), "{command}");
    assert!(command.contains("export TFJOB_PORT_WEB=\"${PORT0-}\"\n"), "{command}");
    assert_eq!(app["env"].get("TFJOB_PORT_WEB"), None);
    assert_eq!(
        (&app["portDefinitions"][0]["port"], &app["healthChecks"][0]["portIndex"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn a_group_does_not_grow_with_the_square_of_its_tasks() {
    let many = |tasks: u32| {
        let spec = workers("target \"dcos\" { shim \"https://f.example.com/shim\" }", "");
        written(&spec.replace("count=2", &format!("count={tasks}"))).artefacts[0].text.len()
    };
    let (few, more) = (many(300), many(600));
    assert!(more < few * 21 / 10, "{few} bytes for 300 tasks, {more} for 600");
    let without = workers("", "").replace("count=2", "count=257");
    let found = super::compiled(&analysed(&without), "dcos").0;
    assert_eq!(found.iter().map(|d| d.code.name).collect::<Vec<_>>(), ["missing-option"]);
}
