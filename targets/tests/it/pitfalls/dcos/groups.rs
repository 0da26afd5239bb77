//! Patches of enforced roles, of network names, and of files that the command of each app needs.
use super::marathon;
use crate::pitfalls::{Pitfall, Row, Seen, rows};

const GROUP: Seen = Seen::In("Marathon 1.10, Group.scala: definingEnforcingRoleOnlyIfItsTopLevel");
const ROLES: Seen =
    Seen::In("Marathon 1.10, GroupNormalization.validRolesFor and AppValidation.validWithRoleEnforcement");
const NETWORK: Seen = Seen::In("Marathon 1.10, NetworkValidation and stringTypes.raml, NetworkName");
const HOST_PATH: Seen = Seen::In("Mesos, isolators/volume/host_path.cpp");
const FETCHER: Seen = Seen::In("Mesos, launcher/fetcher.cpp");

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn pitfalls() -> Vec<Pitfall> {
    let words = |falls: &str| -> &'static str { Box::leak(format!("\"{falls}\"").into_boxed_str()) };
    // A patch of the group; both specs have the same entries in the target block and in the role.
    let group = |name, seen, does, (block, role): (&str, &str), falls: &str, says, near: &str| -> Row {
        let spec = |text: &str| marathon(&format!("target \"dcos\" {{ version \"2.1\"\n {block}\n patch \"{text}\" }}"), role);
        (name, "", seen, does, spec(falls), words(falls), says, spec(near))
    };
    // A patch of the role; both specs have the same entries in the job.
    let app = |name, seen, does, job: &str, falls: &str, says, near: &str| -> Row {
        let (image, job) = job.strip_prefix("bare;").map_or(("image \"ml/mnist:1.0\"", job), |job| ("", job));
        let (block, job) = job.strip_prefix("enterprise;").map_or(("", job), |job| ("enterprise #true", job));
        let (version, job) = job.strip_prefix("old;").map_or(("2.1", job), |job| ("1.10", job));
        let spec = |text: &str| marathon(&format!("target \"dcos\" {{ version \"{version}\"; {block} }}\n {job}"), &format!("target \"dcos\" {{ patch \"{text}\" }}")).replace("image \"ml/mnist:1.0\"", image);
        (name, "", seen, does, spec(falls), words(falls), says, spec(near))
    };
    let role = |name: &str| format!("target \"dcos\" {{ patch \"role: {name}\" }}");
    let code = "code \"https://h/c.tgz\"\n files \"d\" \"https://h/d.tgz\"\n files \"v\" \"https://h/v.txt\"";
    let lab = "network \"lab\"";
    rows("bad-patch", vec![
        group("a patched enforceRole in a nested group", GROUP, "Marathon refuses the group: `enforceRole can only be set for top-level groups`",
            ("group \"/ml\"", ""), "enforceRole: true", "only a top-level group can set `enforceRole`, and `/ml/mnist` is inside `/ml`", "enforceRole: false"),
        group("a patched role that differs from the enforced role", ROLES, "Marathon refuses the app, because `enforceRole` allows only one role",
            ("", &role("ml")), "enforceRole: true", "gives each app the role `mnist`, so Marathon rejects `ml`", "enforceRole: false"),
        app("a patch with an invalid network name", NETWORK, "Marathon refuses the name, because it does not match the pattern in its schema",
            lab, "networks: [{mode: container, name: Lab}]", "Marathon rejects the network name `Lab`", "networks: [{mode: container, name: lab-2}]"),
        app("a patch that adds the host network twice", NETWORK, "Marathon refuses the app: `May specify a single host network`",
            "", "networks: [{mode: host}, {mode: host}]", "cannot use a second network", "networks: [{mode: host}]"),
        app("a patch that adds a container network to a bridge network", NETWORK, "Marathon refuses the app: `May specify a single host network, single bridge network`",
            lab, "networks: [{mode: container/bridge}, {mode: container, name: lab}]", "cannot use a second network", "networks: [{mode: container, name: lab}, {mode: container, name: lab-2}]"),
        app("a patched hostPort with several networks", NETWORK, "Marathon refuses the app: `networkNames must be a single item list when hostPort is specified`",
            lab, "{networks: [{mode: container, name: lab-2}], container: {portMappings: [{name: x, containerPort: 80, hostPort: 8090}]}}", "must name one of them in `networkNames`",
            "{networks: [{mode: container, name: lab-2}], container: {portMappings: [{name: x, containerPort: 80, hostPort: 8090, networkNames: [lab]}]}}"),
        app("a patch that uses a host port twice", Seen::In("Marathon 1.10, AppValidation.portDefinitionsValidator"), "Marathon refuses the app: `Ports must be unique.`",
            "", "portDefinitions: [{port: 2222, name: a}, {port: 2222, name: b}]", "the app uses host port 2222 twice", "portDefinitions: [{port: 0, name: a}, {port: 0, name: b}]"),
        app("a patched host port that no agent offers", Seen::In("DC/OS, MESOS_RESOURCES of its agents"), "no agent offers the port, so the app waits forever for an offer",
            "", "portDefinitions: [{port: 80, name: a}]", "agents do not offer host port 80 to tasks", "{portDefinitions: [{port: 80, name: a}], acceptedResourceRoles: [slave_public]}"),
        app("a patched port mapping with an unknown network", NETWORK, "Marathon refuses the app, because it does not use the network in `networkNames`",
            &format!("{lab}\n labels {{ a \"b\" }}"), "container: {portMappings: [{name: x, containerPort: 80, networkNames: [other]}]}", "the app does not use this network",
            "container: {portMappings: [{name: x, containerPort: 80, networkNames: [lab]}]}"),
        app("a patch that turns off the extraction of code", FETCHER, "the archive in the sandbox is not unpacked, so the program does not exist",
            code, "fetch: [{uri: 'https://h/c.tgz', extract: false}]", "a patch cannot set `extract` of `https://h/c.tgz`", "fetch: [{uri: 'https://h/c.tgz', cache: true}]"),
        app("a patch that extracts a second archive", FETCHER, "the fetcher unpacks both archives into the same directory, where their files overwrite each other",
            code, "fetch: [{uri: 'https://h/d.tgz', extract: true}]", "a patch cannot set `extract` of `https://h/d.tgz`", "fetch: [{uri: 'https://h/d.tgz', extract: false}]"),
        app("a patch that makes an archive executable", FETCHER, "the Mesos fetcher does not unpack a file with `executable: true`",
            code, "fetch: [{uri: 'https://h/c.tgz', executable: true}]", "a patch cannot set `executable` of `https://h/c.tgz`", "fetch: [{uri: 'https://h/c.tgz', executable: false}]"),
        app("a patch of destPath", FETCHER, "the command of the app unpacks the archive at its old path, where the file is missing",
            code, "fetch: [{uri: 'https://h/d.tgz', destPath: d.tgz}]", "a patch cannot set `destPath` of `https://h/d.tgz`", "fetch: [{uri: 'https://h/e.tgz', extract: false}]"),
        app("a patch that overwrites a file of the job", FETCHER, "the Mesos fetcher replaces the first file with the second at the same path",
            code, "fetch: [{uri: 'https://h/e.tgz', destPath: tfjob-files-d-d.tgz}]", "the path `tfjob-files-d-d.tgz` in the sandbox would hide `tfjob-files-d-d.tgz` of the job", "fetch: [{uri: 'https://h/e.tgz', destPath: e.tgz}]"),
        app("a patched profileName before DC/OS 1.11", Seen::In("Marathon 1.5.11, whose types have no `profileName`"), "Marathon ignores the profile, so the volume is placed on any disk",
            "old;", "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 10, profileName: fast}}]}, unreachableStrategy: disabled}", "`profileName` needs DC/OS 1.11",
            "{container: {volumes: [{containerPath: data, mode: RW, persistent: {size: 10}}]}, unreachableStrategy: disabled}"),
        app("a patched mount over system directories of the image", Seen::In("Mesos, filesystem/linux.cpp"), "the mounted directory hides the programs of the image",
            "", "container: {volumes: [{containerPath: /usr, hostPath: /srv/usr, mode: RO}]}", "a mount at `/usr` would hide a system directory of the container",
            "container: {volumes: [{containerPath: /opt/usr, hostPath: /usr, mode: RO}]}"),
        app("a patch that mounts programs of the agent over those of the image", HOST_PATH, "the mounted directory hides the programs of the image",
            "", "container: {volumes: [{containerPath: /usr/bin, hostPath: /usr/bin, mode: RO}]}", "a mount at `/usr/bin` would hide a system directory of the container",
            "container: {volumes: [{containerPath: /usr/bin/nvidia-smi, hostPath: /usr/bin/nvidia-smi, mode: RO}]}"),
        app("a patched mount above the sandbox", HOST_PATH, "the mount hides the sandbox, so the program finds neither its code nor the shim",
            "", "container: {volumes: [{containerPath: /mnt/mesos, hostPath: /mnt/mesos, mode: RW}]}", "a mount at `/mnt/mesos` would hide the sandbox",
            "container: {volumes: [{containerPath: /mnt/data, hostPath: /mnt/data, mode: RW}]}"),
        app("a patched mount over the data of the job", HOST_PATH, "the mount hides the data, so the program sees another directory",
            "data \"d\" \"file:///mnt/d\" at=\"/data/train\"", "container: {volumes: [{containerPath: /data, hostPath: /mnt/data, mode: RW}]}", "would hide the mount of the job at `/data/train`",
            "container: {volumes: [{containerPath: /data/test, hostPath: /mnt/data, mode: RW}]}"),
        app("a patched mount over system directories of the agent", HOST_PATH, "a task without an image sees the mounted directory in place of the programs of the agent",
            "bare;", "container: {volumes: [{containerPath: /usr, hostPath: /srv/usr, mode: RO}]}", "a mount at `/usr` would hide a system directory of the agent",
            "container: {volumes: [{containerPath: /usr, hostPath: /usr, mode: RO}]}"),
        app("a patched volume over the code", HOST_PATH, "the program sees an empty volume instead of its code",
            "code \"https://h/train.py\"", "{container: {volumes: [{containerPath: code, mode: RW, persistent: {size: 10}}]}, unreachableStrategy: disabled}", "the path `code` in the sandbox would hide `code/train.py` of the job",
            "{container: {volumes: [{containerPath: code-2, mode: RW, persistent: {size: 10}}]}, unreachableStrategy: disabled}"),
        app("a patched volume below a file", HOST_PATH, "the mount point cannot be created, so the container does not start",
            "code \"https://h/train.py\"", "container: {volumes: [{containerPath: code/train.py/x, hostPath: /srv/x, mode: RO}]}", "below `code/train.py`, which is a file of the job",
            "container: {volumes: [{containerPath: code/x, hostPath: /srv/x, mode: RO}]}"),
        app("a patched mount over the root of the sandbox", HOST_PATH, "the mount hides the sandbox, so the program finds neither its code nor the shim",
            "", "container: {volumes: [{containerPath: ., hostPath: /srv/x, mode: RO}]}", "a mount at `.` would hide the sandbox",
            "container: {volumes: [{containerPath: x, hostPath: /srv/x, mode: RO}]}"),
        app("a patched mount path with `..`", HOST_PATH, "the mounted directory hides the programs of the image",
            "", "container: {volumes: [{containerPath: /usr/local/../bin, hostPath: /srv/x, mode: RO}]}", "the path `/usr/local/../bin` contains `..`",
            "container: {volumes: [{containerPath: /usr/local/x, hostPath: /srv/x, mode: RO}]}"),
        app("a patched secret file at an absolute path without an image", Seen::In("Mesos, isolators/volume/secret.cpp"), "the task fails in Mesos: `Absolute container path does not exist`",
            "bare;enterprise;", "{container: {volumes: [{containerPath: /etc/key, secret: key}]}, secrets: {key: {source: key}}}",
            "without an image, Mesos cannot mount a secret file at the absolute path", "{container: {volumes: [{containerPath: key, secret: key}]}, secrets: {key: {source: key}}}"),
        app("a patched secret over /etc/passwd", Seen::In("Mesos, isolators/volume/secret.cpp"), "the secret replaces the list of users in the container",
            "enterprise;", "{container: {volumes: [{containerPath: /etc/passwd, secret: key}]}, secrets: {key: {source: key}}}",
            "a secret file cannot be mounted at `/etc/passwd`", "{container: {volumes: [{containerPath: /etc/key, secret: key}]}, secrets: {key: {source: key}}}"),
    ])
}
