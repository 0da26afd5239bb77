//! Traps of a patch of the service or of a component.
use super::{HADOOP, one};
use crate::pitfalls::{Pitfall, rows};

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let patch = |text: &str| one("", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
    let service = |text: &str| one("", "", &format!("patch \"{text}\""));
    rows("bad-patch", vec![
        ("a misspelled key that is dropped", "", HADOOP,
            "`yarn app -launch` drops an unknown key and goes on without it: `restartPolicy` becomes ALWAYS",
            patch("restartPolicy: NEVER"), "\"restartPolicy: NEVER\"", "restartPolicy", patch("run_privileged_container: false")),
        ("a restart policy in lower case", "", HADOOP,
            "enumerations are in upper case, and a number is taken for a place in the list: 0 is ALWAYS",
            patch("restart_policy: never"), "\"restart_policy: never\"", "never", patch("run_privileged_container: false")),
        ("a list of variables", "", HADOOP,
            "refused by the parser: variables are a map",
            patch("configuration: {env: [{name: A}]}"), "\"configuration: {env: [{name: A}]}\"", "env", patch("configuration: {env: {A: b}}")),
        ("a component without containers", "", HADOOP,
            "accepted; with no containers the service runs for ever",
            patch("number_of_containers: 0"), "\"number_of_containers: 0\"", "is generated from `count`", patch("run_privileged_container: false")),
        ("a component with a negative number of containers", "", HADOOP,
            "refused at submission",
            patch("number_of_containers: -1"), "\"number_of_containers: -1\"", "cannot be -1", patch("run_privileged_container: false")),
        ("a patch's memory with a unit", "", HADOOP,
            "passes the checks, fails at submission, and what was saved blocks the name",
            patch("resource: {memory: 8G}"), "\"resource: {memory: 8G}\"", "must be an integer in MiB without a unit, such as 4096", patch("resource: {memory: '8192'}")),
        ("a patch's negative memory", "", HADOOP,
            "accepted; the service runs for ever without a container",
            patch("resource: {memory: '-1'}"), "\"resource: {memory: '-1'}\"", "must be an integer in MiB without a unit, such as 4096", patch("resource: {memory: '1'}")),
        ("a patch's memory as a number with a fraction", "", HADOOP,
            "becomes text, passes the checks and fails at submission",
            patch("resource: {memory: 1024.7}"), "\"resource: {memory: 1024.7}\"", "takes a string", patch("resource: {memory: '1025'}")),
        ("zero cores", "", HADOOP,
            "refused at submission; a missing value is 1",
            patch("resource: {cpus: 0}"), "\"resource: {cpus: 0}\"", "at least 1", patch("resource: {cpus: 1}")),
        ("a lifetime of zero", "", HADOOP,
            "0 and less are accepted, and nothing ends the service",
            service("lifetime: 0"), "\"lifetime: 0\"", "at least 1", service("lifetime: 60")),
        ("a lifetime as a string", "", HADOOP,
            "refused by the parser",
            service("lifetime: 1h"), "\"lifetime: 1h\"", "takes an integer", service("lifetime: 3600")),
        ("an unknown unit of a resource", "", HADOOP,
            "accepted; the master dies in each attempt",
            patch("resource: {additional: {yarn.io/fpga: {value: 1, unit: fpgas}}}"), "\"resource: {additional: {yarn.io/fpga: {value: 1, unit: fpgas}}}\"", "is not a valid unit of a resource: the service master would", patch("resource: {additional: {yarn.io/fpga: {value: 1, unit: ''}}}")),
        ("a variable name with shell code", "", HADOOP,
            "the launch script holds it as it is: what follows a semicolon is a command",
            patch("configuration: {env: {'A;touch x': b}}"), "\"configuration: {env: {'A;touch x': b}}\"", "is not a valid variable name", patch("configuration: {env: {A: b}}")),
        ("a patched variable with shell code", "", HADOOP,
            "the launch script expands and executes it",
            patch("configuration: {env: {A: $(id)}}"), "\"configuration: {env: {A: $(id)}}\"", "would be expanded by the shell of the launch script: use `env`,", patch("configuration: {env: {A: id}}")),
        ("a restart policy as a number", "", HADOOP,
            "a number is taken for a place in the list: 0 is ALWAYS",
            patch("restart_policy: 0"), "\"restart_policy: 0\"", "restart_policy", patch("run_privileged_container: false")),
        ("a file in a subdirectory", "", HADOOP,
            "refused at submission, `./a` too",
            patch("configuration: {files: [{type: STATIC, dest_file: ./a, src_file: 'hdfs:///a'}]}"), "\"configuration: {files: [{type: STATIC, dest_file: ./a, src_file: 'hdfs:///a'}]}\"", "must be a single file name other than `conf`, without `/` and", patch("configuration: {files: [{type: STATIC, dest_file: a, src_file: 'hdfs:///a'}]}")),
        ("a file type of older documentation", "", HADOOP,
            "refused by the parser",
            patch("configuration: {files: [{type: ENV, dest_file: a}]}"), "\"configuration: {files: [{type: ENV, dest_file: a}]}\"", "cannot be", patch("configuration: {files: [{type: JSON, dest_file: a}]}")),
        ("a patched launch command", "", HADOOP,
            "unescaped, its log is lost, its last part alone is redirected, and tokens are replaced",
            patch("launch_command: a && b"), "\"launch_command: a && b\"", "is generated from `run` or `shell` with the quoting that YARN", patch("run_privileged_container: false")),
    ])
}

#[rustfmt::skip]
pub fn fixed() -> Vec<Pitfall> {
    let patch = |text: &str| one("", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
    let service = |text: &str| one("", "", &format!("patch \"{text}\""));
    rows("bad-patch", vec![
        ("a patched restart policy", "", HADOOP,
            "a component with policy ALWAYS never ends, and neither does its service",
            patch("restart_policy: ALWAYS"), "\"restart_policy: ALWAYS\"", "is generated from `restart`, and the end of the service depends", patch("run_privileged_container: false")),
        ("a patched dependency on an unknown component", "", HADOOP,
            "a component of the service that is not there is refused, another service that is not there is waited for without an end",
            patch("dependencies: [nosuch]"), "\"dependencies: [nosuch]\"", "is generated from `after`", patch("run_privileged_container: false")),
        ("a service without components", "", HADOOP,
            "refused at submission: a service has at least one component",
            service("components: []"), "\"components: []\"", "cannot be empty", service("lifetime: 60")),
    ])
}
