//! Secret files at paths that the image or Mesos uses.
use super::{REFUSED, marathon};
use crate::pitfalls::{Pitfall, Row, Seen, rows};

const SECRET: Seen = Seen::In(
    "Mesos, isolators/volume/secret.cpp, which creates a file in the image and mounts the secret over it",
);
const CNI: Seen =
    Seen::In("Mesos, isolators/network/cni/cni.cpp, which mounts these files into the container");
const LINUX: Seen = Seen::In(
    "Mesos, isolators/filesystem/linux.cpp, which mounts these directories after the image is prepared",
);

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let row = |name, seen, does, at: &str, says| -> Row {
        let spec = |at: &str| marathon(&format!("target \"dcos\" {{ enterprise #true }}\n data \"d\" \"file:///mnt/d\" at=\"/d\"\n secret \"KEY\" from=\"mnist/key\" at=\"{at}\""), "");
        (name, "", seen, does, spec(at), "\"KEY\"", says, spec("/etc/mnist/key"))
    };
    rows(REFUSED, vec![
        row("a secret file at /etc/passwd", SECRET, "the secret replaces the list of users in the container, so programs cannot look up users",
            "/etc/passwd", "a secret file cannot be mounted at `/etc/passwd`: programs of the image read this file"),
        row("a secret file at /bin/sh", SECRET, "the secret replaces the shell that starts the command of the task",
            "/bin/sh", "a secret file cannot be mounted at `/bin/sh`: its directory contains programs of the image"),
        row("a secret file at /etc/resolv.conf", CNI, "Mesos mounts its own file at the same path, so either the secret or the configuration of host names is hidden",
            "/etc/resolv.conf", "a secret file cannot be mounted at `/etc/resolv.conf`: Mesos mounts its own file there"),
        row("a secret file at the path of a directory", SECRET, "the mount fails, because the path is a directory",
            "/tmp", "a secret file cannot be mounted at `/tmp`, which is a directory of the image"),
        row("a secret file at the path of a system directory", SECRET, "the mount fails, because the path is a directory",
            "/etc", "a secret file cannot be mounted at `/etc`, which is a directory of the image"),
        row("a secret file below /proc", LINUX, "the mount fails, because no file can be created below `/proc`",
            "/proc/key", "a secret file cannot be mounted at `/proc/key`: no file can be created below `/proc`"),
        row("a secret file below /dev", LINUX, "Mesos replaces `/dev` when the task starts, so the mount point of the secret no longer exists",
            "/dev/shm/key", "a secret file cannot be mounted at `/dev/shm/key`: Mesos mounts its own `/dev`"),
        row("a secret file in the sandbox directory", LINUX, "Mesos mounts the sandbox over the directory with the secret file, so the file is hidden",
            "/mnt/mesos/sandbox/key", "a secret file cannot be mounted at `/mnt/mesos/sandbox/key`: Mesos mounts the sandbox at `/mnt/mesos/sandbox`"),
        row("a secret file below a data mount", SECRET, "Mesos creates the file in the image, and the data directory of the agent is mounted over it, so the file is hidden",
            "/d/key", "a secret file cannot be mounted at `/d/key`: a directory of the agent is mounted at `/d`"),
    ])
}

/// The help for a secret contains all necessary edits: a spec with these edits is accepted.
#[test]
fn the_help_of_a_secret_names_all_that_is_lacking() {
    let told = |block: &str, line: &str| {
        let analysis = crate::pitfalls::analyzed(&marathon(
            &format!("target \"dcos\" {{ {block}; enterprise #false }}").replace("{ ; ", "{ "),
            line,
        ));
        crate::pitfalls::found(&analysis, "dcos").0.into_iter().filter(|d| d.is_error()).collect::<Vec<_>>()
    };
    for (block, key) in
        [("", ""), ("", "key=\"k\""), ("group \"/other\"", "key=\"k\""), ("group \"/other\"", "")]
    {
        let found = told(block, &format!("secret \"TOKEN\" from=\"seg/x\" {key}"));
        let [refused] = found.as_slice() else { panic!("{found:#?}") };
        let help = refused.help.as_deref().unwrap();
        let way = |begins: &str| help.split('`').find(|word| word.starts_with(begins)).map(str::to_owned);
        let from = way("from=").unwrap_or_else(|| "from=\"seg/x\"".to_owned());
        let (enterprise, group) = (way("enterprise").unwrap(), way("group").unwrap());
        let spec = marathon(
            &format!("target \"dcos\" {{ {enterprise}; {group} }}"),
            &format!("secret \"TOKEN\" {from}"),
        );
        let left = crate::pitfalls::found(&crate::pitfalls::analyzed(&spec), "dcos").0;
        assert!(left.iter().all(|d| !d.is_error()), "{help}\n{left:#?}");
    }
}

/// Paths of the secrets of a job, and whether services of one group can read all of them.
const SEVERAL: [(&[&str], bool); 9] = [
    (&["seg/x", "seg/y"], true),
    (&["seg/x", "seg/deep/y"], true),
    (&["seg/x", "ops/y"], false),
    (&["seg/x", "mnist/y"], false),
    (&["Seg/x"], false),
    (&["seg/x", "Ops/y"], false),
    (&["a//b"], false),
    (&["seg/"], false),
    (&["seg/x", "key"], true),
];

/// The helps for several secrets name the same group, or other paths if no group can read all secrets; both are accepted.
#[test]
fn the_helps_of_several_secrets_can_all_be_followed() {
    let refusals = |group: &str, paths: &[String], patch: bool| {
        let key = |number: usize| format!("K{number}");
        let lines: String = paths
            .iter()
            .enumerate()
            .map(|(n, from)| format!("secret \"{}\" from=\"{from}\"\n", key(n)))
            .collect();
        let items: Vec<_> =
            paths.iter().enumerate().map(|(n, from)| format!("{}: {{source: '{from}'}}", key(n))).collect();
        let patched = format!("target \"dcos\" {{ patch \"secrets: {{{}}}\" }}", items.join(", "));
        let (job, role) = if patch { (String::new(), patched) } else { (lines, String::new()) };
        let spec = marathon(&format!("target \"dcos\" {{ enterprise #true; {group} }}\n{job}"), &role);
        let found = crate::pitfalls::found(&crate::pitfalls::analyzed(&spec), "dcos").0;
        found
            .into_iter()
            .filter(|d| d.is_error())
            .map(|d| format!("{} {}", d.message, d.help.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let cases = SEVERAL.into_iter().flat_map(|case| ["", "group \"/other\""].map(|group| (case, group)));
    for (((paths, one), group), patch) in cases.flat_map(|case| [(case, false), (case, true)]) {
        let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
        let told = refusals(group, &paths, patch);
        assert!(!told.is_empty(), "{paths:?}");
        let mut ways: Vec<&str> = told
            .iter()
            .flat_map(|told| told.split('`').filter(|word| word.starts_with("group \"")))
            .collect();
        ways.dedup();
        assert_eq!(ways.len(), usize::from(one), "{paths:?}: {told:#?}");
        for way in ways {
            assert_eq!(refusals(way, &paths, patch), Vec::<String>::new(), "{paths:?}: {way}");
        }
        assert!(
            told.iter().all(|told| told.contains("at a path without `/`")
                || told.contains("is not a valid path of a secret")),
            "{told:#?}"
        );
        let outside: Vec<String> = paths.iter().map(|path| path.replace('/', "-")).collect();
        assert_eq!(refusals(group, &outside, patch), Vec::<String>::new(), "{outside:?}");
    }
}
