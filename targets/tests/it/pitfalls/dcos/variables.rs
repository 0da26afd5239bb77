//! Environment variables that a patch sets in Marathon apps.
use super::marathon;
use crate::pitfalls::{Pitfall, Row, Seen, rows};

const SHELL: Seen = Seen::On("the shell sh");
const SOURCE: Seen = Seen::In("Marathon, TaskBuilder.commandInfo, which sets the variables of the app last");

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    // Both specs have the same entries in the job and in the role.
    let with = |name, seen, does, (job, role): (&str, &str), falls: &str, says, neighbour: &str| -> Row {
        let spec = |text: &str| marathon(job, &format!("{role}\n target \"dcos\" {{ patch \"{text}\" }}"));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    let code = "code \"https://h/c.tgz\"";
    let shim = "target \"dcos\" { shim url=\"https://h/tfjob-shim\" }\n deadline \"1h\"";
    rows("bad-patch", vec![
        with("a patch of MESOS_SANDBOX", SHELL, "variables of the app override those of the agent, so the command looks for the code in the wrong directory", (code, ""),
            "env: {MESOS_SANDBOX: /x}", "the agent sets `MESOS_SANDBOX`", "env: {MESOS: /x}"),
        with("a patch of PORT0", SHELL, "variables of the app override that of Marathon, so the task listens on another port than Marathon has selected", ("", "port \"m\" \"auto\""),
            "env: {PORT0: '9'}", "the agent sets `PORT0`", "env: {PORTS0: '9'}"),
        with("a patched environment variable that the command of the app sets", SHELL, "the command exports the value of the spec last, so the program does not see the patched value", (code, "env { PYTHONPATH \"{code}/lib\" }"),
            "env: {PYTHONPATH: /opt/lib}", "set the value in `env`", "env: {PYTHONHOME: /opt/lib}"),
        with("a patched environment variable that the shim sets", Seen::In("the shim, which sets the variables of its contract last"), "the shim sets the value of the spec last, so the program does not see the patched value", (shim, "env { A \"b\" }"),
            "env: {A: c}", "set the value in `env`", "env: {B: c}"),
        with("a patch of the job contract", SOURCE, "the shim reads the patched contract in place of the contract of the job, or fails", (shim, ""),
            "env: {TFJOB_CONTRACT_TEXT: c}", "`tfjob` sets `TFJOB_CONTRACT_TEXT`", "env: {TFJOBS: c}"),
        with("a patch of a variable that the shell sets", SHELL, "the shell that starts the program overwrites the variable, so the program does not see the patched value", ("", ""),
            "env: {PWD: /x}", "reads or replaces", "env: {LD_LIBRARY_PATH: /x}"),
        with("a patched variable that bash overwrites", Seen::In("bash(1), Shell Variables"), "bash, which starts the program, overwrites the variable, so the program does not see the patched value", ("", ""),
            "env: {SHLVL: '9'}", "the shell that starts the program overwrites", "env: {SHELL: /bin/sh}"),
        with("a patch of HADOOP_HOME", SHELL, "the command exports the value of the spec last, so the program does not see the patched value",
            ("hadoop home=\"/opt/hadoop\" java=\"/opt/java\"\n data \"d\" \"hdfs://default/d\"", "env { D \"{data.d}\" }"),
            "env: {HADOOP_HOME: /x}", "`hadoop` sets `HADOOP_HOME`", "env: {CLASSPATH: /x}"),
    ])
}
