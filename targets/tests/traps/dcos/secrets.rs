//! Files with secrets at paths of the container's own.
use super::{REFUSED, marathon};
use crate::{Row, Seen, Trap, rows};

const SECRET: Seen = Seen::In(
    "Mesos, isolators/volume/secret.cpp: it makes a file in the image and mounts the secret over it",
);
const CNI: Seen = Seen::In("Mesos, isolators/network/cni/cni.cpp: it mounts these files into the container");
const LINUX: Seen =
    Seen::In("Mesos, isolators/filesystem/linux.cpp: it mounts these after the image is made");

#[rustfmt::skip]
pub fn traps() -> Vec<Trap> {
    let row = |name, seen, does, at: &str, says| -> Row {
        let spec = |at: &str| marathon(&format!("target \"dcos\" {{ enterprise #true }}\n data \"d\" \"file:///mnt/d\" at=\"/d\"\n secret \"KEY\" from=\"mnist/key\" at=\"{at}\""), "");
        (name, "spark-dcos §3.6", seen, does, spec(at), "\"KEY\"", says, spec("/etc/mnist/key"))
    };
    rows(REFUSED, vec![
        row("a secret in the place of the users", SECRET, "the container's list of users is the secret: no program finds the name of its user",
            "/etc/passwd", "cannot mount a secret at `/etc/passwd`: programs of the image read this file"),
        row("a secret in the place of a shell", SECRET, "the secret stands where the command of the task is started",
            "/bin/sh", "cannot mount a secret at `/bin/sh`: programs of the image are there"),
        row("a secret in the place of the names of hosts", CNI, "one of two mounts hides the other: the secret, or the names of hosts",
            "/etc/resolv.conf", "cannot mount a secret at `/etc/resolv.conf`: Mesos mounts its own file there"),
        row("a secret in the place of a directory", SECRET, "the mount fails: it is no directory",
            "/tmp", "cannot mount a secret at `/tmp`, which is a directory of the image"),
        row("a secret in the place of the system", SECRET, "the mount fails: it is no directory",
            "/etc", "cannot mount at `/etc`: it would hide the container's own system"),
        row("a secret among processes", LINUX, "the mount point is below `/proc`, where no file can be made",
            "/proc/key", "cannot mount at `/proc/key`: it would hide the container's own system"),
        row("a secret among devices", LINUX, "the mount point is below `/dev`, which is another file system when the task starts",
            "/dev/shm/key", "cannot mount a secret at `/dev/shm/key`: Mesos mounts `/dev` itself"),
        row("a secret in the sandbox by its path", LINUX, "the file is made below the mount of the sandbox, which hides it",
            "/mnt/mesos/sandbox/key", "cannot mount a secret at `/mnt/mesos/sandbox/key`: Mesos mounts the sandbox at `/mnt/mesos/sandbox`"),
        row("a secret inside data", SECRET, "the file is made in the image, and the folder of the agent hides it",
            "/d/key", "cannot mount a secret at `/d/key`: a folder of the agent is mounted at `/d`"),
    ])
}

/// All that a secret needs is in one help: the ways of it, typed in, are accepted.
#[test]
fn the_help_of_a_secret_names_all_that_is_lacking() {
    let told = |block: &str, line: &str| {
        let analysis = crate::analysed(&marathon(
            &format!("target \"dcos\" {{ {block}; enterprise #false }}").replace("{ ; ", "{ "),
            line,
        ));
        crate::found(&analysis, "dcos").0.into_iter().filter(|d| d.is_error()).collect::<Vec<_>>()
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
        let left = crate::found(&crate::analysed(&spec), "dcos").0;
        assert!(left.iter().all(|d| !d.is_error()), "{help}\n{left:#?}");
    }
}
