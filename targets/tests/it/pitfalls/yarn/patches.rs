//! Pitfalls of patches of the service or of a component.
use super::{HADOOP, one};
use crate::pitfalls::{Pitfall, rows};

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let patch = |text: &str| one("", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
    let service = |text: &str| one("", "", &format!("patch \"{text}\""));
    rows("bad-patch", vec![
        ("a patch with a misspelled key", "", HADOOP,
            "`yarn app -launch` ignores an unknown key without an error: with a misspelled `restartPolicy`, the policy is ALWAYS",
            patch("restartPolicy: NEVER"), "\"restartPolicy: NEVER\"", "restartPolicy", patch("run_privileged_container: false")),
        ("a patched restart policy in lowercase", "", HADOOP,
            "YARN accepts restart policies only in uppercase, and reads a number as an index into their list: 0 is ALWAYS",
            patch("restart_policy: never"), "\"restart_policy: never\"", "never", patch("run_privileged_container: false")),
        ("patched environment variables as a list", "", HADOOP,
            "the JSON parser of YARN refuses the list, because `env` is a map",
            patch("configuration: {env: [{name: A}]}"), "\"configuration: {env: [{name: A}]}\"", "env", patch("configuration: {env: {A: b}}")),
        ("a patched component with 0 containers", "", HADOOP,
            "YARN accepts 0 containers, but the service then runs indefinitely",
            patch("number_of_containers: 0"), "\"number_of_containers: 0\"", "is generated from `count`", patch("run_privileged_container: false")),
        ("a patched component with a negative number of containers", "", HADOOP,
            "YARN refuses the service at submission",
            patch("number_of_containers: -1"), "\"number_of_containers: -1\"", "cannot be -1", patch("run_privileged_container: false")),
        ("patched memory with a unit", "", HADOOP,
            "YARN saves the definition of the service before it reads the size `8G`: the submission fails, but the name of the service stays in use",
            patch("resource: {memory: 8G}"), "\"resource: {memory: 8G}\"", "must be an integer in MiB without a unit, such as 4096", patch("resource: {memory: '8192'}")),
        ("a patch with negative memory", "", HADOOP,
            "YARN accepts the value, but the service runs indefinitely without a container",
            patch("resource: {memory: '-1'}"), "\"resource: {memory: '-1'}\"", "must be an integer in MiB without a unit, such as 4096", patch("resource: {memory: '1'}")),
        ("patched memory with a fraction", "", HADOOP,
            "the JSON parser of YARN converts the number to the string `1024.7`, and the submission fails, because this string is not an integer",
            patch("resource: {memory: 1024.7}"), "\"resource: {memory: 1024.7}\"", "takes a string", patch("resource: {memory: '1025'}")),
        ("a patched component with 0 cores", "", HADOOP,
            "YARN refuses 0 cores at submission; if the value is missing, YARN uses 1",
            patch("resource: {cpus: 0}"), "\"resource: {cpus: 0}\"", "at least 1", patch("resource: {cpus: 1}")),
        ("a patched service lifetime of 0", "", HADOOP,
            "YARN accepts 0 and negative values, but then nothing ends the service",
            service("lifetime: 0"), "\"lifetime: 0\"", "at least 1", service("lifetime: 60")),
        ("a patched service lifetime that is a string", "", HADOOP,
            "the JSON parser of YARN refuses the string, because `lifetime` is a number",
            service("lifetime: 1h"), "\"lifetime: 1h\"", "takes an integer", service("lifetime: 3600")),
        ("a patched resource with an unknown unit", "", HADOOP,
            "YARN accepts the unit, but the service master crashes in each attempt",
            patch("resource: {additional: {yarn.io/fpga: {value: 1, unit: fpgas}}}"), "\"resource: {additional: {yarn.io/fpga: {value: 1, unit: fpgas}}}\"", "must be a valid unit of a resource, or empty: the service master would", patch("resource: {additional: {yarn.io/fpga: {value: 1, unit: ''}}}")),
        ("a patched environment variable with shell code in its name", "", HADOOP,
            "the launch script contains the name unescaped, so bash executes the text after a semicolon as a command",
            patch("configuration: {env: {'A;touch x': b}}"), "\"configuration: {env: {'A;touch x': b}}\"", "is not a valid variable name", patch("configuration: {env: {A: b}}")),
        ("a patched variable with shell code", "", HADOOP,
            "the launch script contains the value unescaped, so bash expands variables in it and executes commands",
            patch("configuration: {env: {A: $(id)}}"), "\"configuration: {env: {A: $(id)}}\"", "would be expanded by the shell of the launch script: use `env`,", patch("configuration: {env: {A: id}}")),
        ("a patched restart policy that is a number", "", HADOOP,
            "YARN reads a number as an index into the list of policies: 0 is ALWAYS",
            patch("restart_policy: 0"), "\"restart_policy: 0\"", "restart_policy", patch("run_privileged_container: false")),
        ("a patched file in a subdirectory", "", HADOOP,
            "YARN refuses the service at submission if `dest_file` contains `/`, even as `./a`",
            patch("configuration: {files: [{type: STATIC, dest_file: ./a, src_file: 'hdfs:///a'}]}"), "\"configuration: {files: [{type: STATIC, dest_file: ./a, src_file: 'hdfs:///a'}]}\"", "must be a single file name other than `conf`, without `/` and", patch("configuration: {files: [{type: STATIC, dest_file: a, src_file: 'hdfs:///a'}]}")),
        ("a patched file type from older documentation", "", HADOOP,
            "the JSON parser of YARN refuses the unknown type `ENV`",
            patch("configuration: {files: [{type: ENV, dest_file: a}]}"), "\"configuration: {files: [{type: ENV, dest_file: a}]}\"", "cannot be", patch("configuration: {files: [{type: JSON, dest_file: a}]}")),
        ("a patch of the launch command", "", HADOOP,
            "YARN replaces its tokens in the command; if the patch contains several commands, YARN redirects only the output of the last one, so the log is incomplete",
            patch("launch_command: a && b"), "\"launch_command: a && b\"", "is generated from `run` or `shell` with the quoting that YARN", patch("run_privileged_container: false")),
    ])
}

#[rustfmt::skip]
pub fn fixed() -> Vec<Pitfall> {
    let patch = |text: &str| one("", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
    let service = |text: &str| one("", "", &format!("patch \"{text}\""));
    rows("bad-patch", vec![
        ("a patched restart policy", "", HADOOP,
            "a component with policy ALWAYS never ends, so its service never ends",
            patch("restart_policy: ALWAYS"), "\"restart_policy: ALWAYS\"", "is generated from `restart`, and the end of the service depends", patch("run_privileged_container: false")),
        ("a patched dependency on an unknown component", "", HADOOP,
            "YARN refuses the service at submission: `nosuch does not exist as a component`",
            patch("dependencies: [nosuch]"), "\"dependencies: [nosuch]\"", "cannot be patched: YARN refuses", patch("run_privileged_container: false")),
        ("a patch that removes all components", "", HADOOP,
            "YARN refuses the service at submission, because a service needs at least one component",
            service("components: []"), "\"components: []\"", "cannot be empty", service("lifetime: 60")),
    ])
}
