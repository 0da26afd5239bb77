//! Patched mounts follow the rules of mounts in the spec: at system directories and in the sandbox, with and without an image.
use super::marathon;
use crate::pitfalls::{analyzed, compiled};

/// The directories of `SYSTEM` in `targets/src/mounts.rs`, those of the kernel, and the sandbox (`--sandbox_directory` of the Mesos
/// agent), each with directories inside or above it. At the end: directories where a mount hides nothing.
const FOLDERS: [&str; 24] = [
    "/",
    "/bin",
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/sbin",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/sbin",
    "/proc",
    "/proc/x",
    "/sys",
    "/sys/fs/cgroup",
    "/mnt",
    "/mnt/mesos",
    "/mnt/mesos/sandbox",
    "/data",
    "/opt/tools",
    "/usr/local",
    "/usr/bin/tool",
    "/mnt/d",
];

/// Directories of an agent that contain programs and sandboxes of tasks without an image.
const OF_THE_AGENT: [&str; 6] = [
    "/opt",
    "/opt/mesosphere",
    "/opt/mesosphere/bin",
    "/var",
    "/var/lib/mesos",
    "/var/lib/mesos/slave/slaves",
];

fn errors(spec: &str) -> Vec<String> {
    compiled(&analyzed(spec), "dcos").0.into_iter().map(|d| d.message).collect()
}

fn of_image(image: bool, spec: String) -> String {
    if image { spec } else { spec.replace("    image \"ml/mnist:1.0\"\n", "") }
}

fn patched(image: bool, volume: &str) -> Vec<String> {
    let patch = format!("target \"dcos\" {{ patch \"container: {{volumes: [{{{volume}, mode: RO}}]}}\" }}");
    errors(&of_image(image, marathon("", &patch)))
}

#[test]
fn a_folder_of_the_agent_at_its_own_path_is_judged_as_in_the_spec() {
    for (at, image) in FOLDERS.into_iter().flat_map(|at| [(at, true), (at, false)]) {
        let spec = of_image(image, marathon(&format!("data \"d\" \"file://{at}\" at=\"{at}\""), ""));
        if !analyzed(&spec).accepted() {
            continue;
        }
        let (spec, patch) = (errors(&spec), patched(image, &format!("containerPath: {at}, hostPath: {at}")));
        assert_eq!(spec.is_empty(), patch.is_empty(), "{at}, image: {image}\n{spec:#?}\n{patch:#?}");
        let slash = patched(image, &format!("containerPath: {at}/, hostPath: {at}"));
        assert_eq!(patch.is_empty(), slash.is_empty(), "{at}/, image: {image}\n{patch:#?}\n{slash:#?}");
    }
}

#[test]
fn another_folder_hides_the_system_with_an_image_and_without() {
    for at in FOLDERS {
        let with = patched(true, &format!("containerPath: {at}, hostPath: /srv/x"));
        let without = patched(false, &format!("containerPath: {at}, hostPath: /srv/x"));
        let hides = |told: &[String]| told.iter().any(|d| d.contains("would hide"));
        assert_eq!(hides(&with), hides(&without) || at.starts_with("/mnt/mesos") || at == "/mnt", "{at}");
        let free = ["/data", "/opt/tools", "/usr/local", "/usr/bin/tool", "/mnt/d"].contains(&at);
        assert_eq!(hides(&with), !free, "{at}");
    }
    for at in OF_THE_AGENT {
        let volume = format!("containerPath: {at}, hostPath: /srv/x");
        assert_eq!(patched(true, &volume), Vec::<String>::new(), "{at}");
        assert!(
            patched(false, &volume).concat().contains("would hide a system directory of the agent"),
            "{at}"
        );
        assert_eq!(patched(false, &format!("containerPath: {at}, hostPath: {at}")), Vec::<String>::new());
    }
}

/// A job with files in the sandbox, and (below) paths that collide with these files.
const JOB: &str = "code \"https://h/train.py\"\n files \"d\" \"https://h/d.tgz\"\n files \"e\" \"https://h/e.tgz\"\n \
                   files \"v\" \"https://h/v.txt\"\n start timeout=\"5m\"\n target \"dcos\" { version \"2.1\"; enterprise #true; shim url=\"https://h/tfjob-shim\" }";
const OURS: [&str; 9] = [
    "code",
    "./code/",
    "code/train.py",
    "files-e",
    "files-v",
    "tfjob-scratch",
    "tfjob-shim",
    "tfjob-files-e-e.tgz",
    "tfjob-shim/x",
];

#[test]
fn nothing_of_a_patch_takes_the_place_of_what_the_job_has_in_the_sandbox() {
    let errors = |patch: &str| {
        let role = format!(
            "env {{ S \"{{scratch}}\" }}\n target \"dcos\" {{ patch \"{{{patch}, unreachableStrategy: disabled}}\" }}"
        );
        errors(&marathon(JOB, &role))
    };
    let volumes = |name: &str| {
        let plain = (!name.contains('/'))
            .then(|| format!("containerPath: {name}, mode: RW, persistent: {{size: 10}}"));
        let all = [
            format!("containerPath: {name}, mode: RW, hostPath: /srv/x"),
            format!("containerPath: /mnt/mesos/sandbox/{name}, mode: RW, hostPath: /srv/x"),
            format!(
                "containerPath: {name}, mode: RW, external: {{name: a, provider: dvdi, options: {{dvdi/driver: rexray}}}}"
            ),
        ];
        let all =
            all.into_iter().chain(plain).map(|volume| format!("container: {{volumes: [{{{volume}}}]}}"));
        let secret = format!(
            "container: {{volumes: [{{containerPath: {name}, secret: k}}]}}, secrets: {{k: {{source: k}}}}"
        );
        all.chain([secret]).collect::<Vec<_>>()
    };
    let says = |name: &str| match name {
        "tfjob-shim/x" => "below `tfjob-shim`, which is a file of the job",
        _ => "of the job",
    };
    for name in OURS {
        for patch in volumes(name) {
            let told = errors(&patch);
            assert!(told.concat().contains(says(name)), "{name}: {patch}\n{told:#?}");
        }
        let told = errors(&format!("fetch: [{{uri: 'https://h/x', destPath: {name}}}]"));
        assert!(told.concat().contains(says(name)), "{name}\n{told:#?}");
    }
    for name in ["data", "code-2", "files"] {
        for patch in volumes(name).into_iter().filter(|patch| !patch.contains("/mnt/mesos")) {
            assert_eq!(errors(&patch), Vec::<String>::new(), "{patch}");
        }
        assert_eq!(
            errors(&format!("fetch: [{{uri: 'https://h/x', destPath: {name}}}]")),
            Vec::<String>::new()
        );
    }
    for name in ["data", "code/more", "files-e/more"] {
        assert_eq!(
            errors(&format!(
                "container: {{volumes: [{{containerPath: {name}, mode: RW, hostPath: /srv/x}}]}}"
            )),
            Vec::<String>::new()
        );
    }
}
