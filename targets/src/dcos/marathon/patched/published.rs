//! Types that a patch of Marathon's apps may use, as Marathon 1.10 publishes them (`api/v2/types/*.raml`).
//!
//! `schemas/marathon.keys.txt` holds the keys of the JSON schema that Marathon 1.7 published; a test checks that the types here
//! have the same keys.
#[cfg(test)]
mod tests;

use crate::patch::published::Kind::{Any, Boolean, Int32, Int64, Number, Text};
use crate::patch::published::{Field, Kind, List, Object, Words};

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: false }
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: true }
}

const TEXTS: Kind = Kind::List(&List { item: Text, keys: &[] });
const LABELS: Kind = Kind::Map(&Text);
const SCHEMES: Kind = Kind::Words(&Words(&["HTTP", "HTTPS"]));
const PROTOCOLS: Kind = Kind::Words(&Words(&["tcp", "udp", "udp,tcp"]));

/// `group.raml`, `GroupUpdate`.
pub static GROUP: Object = Object {
    name: "Group",
    fields: &[
        required("id", Text),
        field("apps", Kind::List(&List { item: Kind::Object(&APP), keys: &[] })),
        field("dependencies", TEXTS),
        field("enforceRole", Boolean),
        field("groups", Kind::List(&List { item: Any, keys: &[] })),
        field("scaleBy", Number),
        field("version", Text),
    ],
};

/// `app.raml`, `App`.
pub static APP: Object = Object {
    name: "App",
    fields: &[
        required("id", Text),
        field("acceptedResourceRoles", TEXTS),
        field("args", TEXTS),
        field("backoffFactor", Number),
        field("backoffSeconds", Int32),
        field("check", Kind::Object(&CHECK)),
        field("cmd", Text),
        field("constraints", Kind::List(&List { item: TEXTS, keys: &[] })),
        field("container", Kind::Object(&CONTAINER)),
        field("cpus", Number),
        field("dependencies", TEXTS),
        field("disk", Number),
        field("env", Kind::Map(&Any)),
        field("executor", Text),
        field("executorResources", Kind::Object(&EXECUTOR_RESOURCES)),
        field("fetch", Kind::List(&List { item: Kind::Object(&ARTIFACT), keys: &["uri", "destPath"] })),
        field("gpus", Int32),
        field("healthChecks", Kind::List(&List { item: Kind::Object(&HEALTH_CHECK), keys: &[] })),
        field("instances", Int32),
        field("ipAddress", Any),
        field("killSelection", Kind::Words(&Words(&["YOUNGEST_FIRST", "OLDEST_FIRST"]))),
        field("labels", LABELS),
        field("maxLaunchDelaySeconds", Int32),
        field("mem", Number),
        field("networks", Kind::List(&List { item: Kind::Object(&NETWORK), keys: &["name"] })),
        field("portDefinitions", Kind::List(&List { item: Kind::Object(&PORT_DEFINITION), keys: &["name"] })),
        field("ports", Kind::List(&List { item: Int32, keys: &[] })),
        field("readinessChecks", Kind::List(&List { item: Kind::Object(&READINESS_CHECK), keys: &["name"] })),
        field("requirePorts", Boolean),
        field("residency", Kind::Object(&RESIDENCY)),
        field("resourceLimits", Kind::Object(&RESOURCE_LIMITS)),
        field("role", Text),
        field("secrets", Kind::Map(&Kind::Object(&SECRET))),
        field("taskKillGracePeriodSeconds", Int32),
        field("tty", Boolean),
        field("unreachableStrategy", Any),
        field("upgradeStrategy", Kind::Object(&UPGRADE_STRATEGY)),
        field("uris", TEXTS),
        field("user", Text),
        field("version", Text),
        field("versionInfo", Any),
    ],
};

/// `appContainer.raml`, `Container`; `appc` as in Marathon 1.8 and earlier.
static CONTAINER: Object = Object {
    name: "Container",
    fields: &[
        field("appc", Any),
        field("docker", Kind::Object(&DOCKER)),
        field("linuxInfo", Kind::Object(&LINUX_INFO)),
        field("portMappings", Kind::List(&List { item: Kind::Object(&PORT_MAPPING), keys: &["name"] })),
        field("type", Kind::Words(&Words(&["MESOS", "DOCKER"]))),
        field("volumes", Kind::List(&List { item: Kind::Object(&VOLUME), keys: &["containerPath"] })),
    ],
};

/// `appContainer.raml`, `DockerContainer`.
static DOCKER: Object = Object {
    name: "DockerContainer",
    fields: &[
        field("credential", Any),
        field("forcePullImage", Boolean),
        required("image", Text),
        field("network", Text),
        field("parameters", Kind::List(&List { item: Any, keys: &[] })),
        field("portMappings", Kind::List(&List { item: Any, keys: &[] })),
        field("privileged", Boolean),
        field("pullConfig", Kind::Object(&PULL_CONFIG)),
    ],
};

/// `docker.raml`, `DockerPullConfig`.
static PULL_CONFIG: Object = Object { name: "DockerPullConfig", fields: &[required("secret", Text)] };

/// `linux.raml`, `LinuxInfo`.
static LINUX_INFO: Object = Object {
    name: "LinuxInfo",
    fields: &[field("ipcInfo", Kind::Object(&IPC_INFO)), field("seccomp", Kind::Object(&SECCOMP))],
};

/// `linux.raml`, `IPCInfo`.
static IPC_INFO: Object = Object {
    name: "IPCInfo",
    fields: &[required("mode", Kind::Words(&Words(&["PRIVATE", "SHARE_PARENT"]))), field("shmSize", Int32)],
};

/// `linux.raml`, `Seccomp`.
static SECCOMP: Object =
    Object { name: "Seccomp", fields: &[field("profileName", Text), field("unconfined", Boolean)] };

/// `appContainer.raml`, `ContainerPortMapping`.
static PORT_MAPPING: Object = Object {
    name: "ContainerPortMapping",
    fields: &[
        field("containerPort", Int32),
        field("hostPort", Int32),
        field("labels", LABELS),
        field("name", Text),
        field("networkNames", TEXTS),
        field("protocol", PROTOCOLS),
        field("servicePort", Int32),
    ],
};

/// `volumes.raml`: the fields of `AppHostVolume`, `AppPersistentVolume`, `AppExternalVolume`, and `AppSecretVolume` together.
static VOLUME: Object = Object {
    name: "AppVolume",
    fields: &[
        required("containerPath", Text),
        field("external", Kind::Object(&EXTERNAL)),
        field("hostPath", Text),
        field("mode", Kind::Words(&Words(&["RO", "RW"]))),
        field("persistent", Kind::Object(&PERSISTENT)),
        field("secret", Text),
    ],
};

/// `volumes.raml`, `PersistentVolumeInfo`.
static PERSISTENT: Object = Object {
    name: "PersistentVolumeInfo",
    fields: &[
        field("constraints", Kind::List(&List { item: TEXTS, keys: &[] })),
        field("maxSize", Int64),
        field("profileName", Text),
        required("size", Int64),
        field("type", Kind::Words(&Words(&["root", "path", "mount"]))),
    ],
};

/// `volumes.raml`, `DVDIExternalVolumeInfo` and `CSIExternalVolumeInfo`.
static EXTERNAL: Object = Object {
    name: "ExternalVolumeInfo",
    fields: &[
        field("name", Text),
        field("options", Kind::Map(&Any)),
        field("provider", Text),
        field("shared", Boolean),
        field("size", Int64),
    ],
};

/// `network.raml`, `Network`.
static NETWORK: Object = Object {
    name: "Network",
    fields: &[
        field("labels", LABELS),
        field("mode", Kind::Words(&Words(&["container", "container/bridge", "host"]))),
        field("name", Text),
    ],
};

/// `network.raml`, `PortDefinition`.
static PORT_DEFINITION: Object = Object {
    name: "PortDefinition",
    fields: &[
        field("labels", LABELS),
        field("name", Text),
        field("port", Int32),
        field("protocol", PROTOCOLS),
    ],
};

/// `artifact.raml`, `Artifact`.
static ARTIFACT: Object = Object {
    name: "Artifact",
    fields: &[
        field("cache", Boolean),
        field("destPath", Text),
        field("executable", Boolean),
        field("extract", Boolean),
        required("uri", Text),
    ],
};

/// `secrets.raml`, `SecretDef`.
static SECRET: Object = Object { name: "SecretDef", fields: &[required("source", Text)] };

/// `healthCheck.raml`, `AppHealthCheck`.
static HEALTH_CHECK: Object = Object {
    name: "AppHealthCheck",
    fields: &[
        field("command", Kind::Object(&COMMAND)),
        field("delaySeconds", Int32),
        field("gracePeriodSeconds", Int32),
        field("ignoreHttp1xx", Boolean),
        field("intervalSeconds", Int32),
        field("ipProtocol", Kind::Words(&Words(&["IPv4", "IPv6"]))),
        field("maxConsecutiveFailures", Int32),
        field("path", Text),
        field("port", Int32),
        field("portIndex", Int32),
        field(
            "protocol",
            Kind::Words(&Words(&[
                "HTTP",
                "HTTPS",
                "TCP",
                "COMMAND",
                "MESOS_HTTP",
                "MESOS_HTTPS",
                "MESOS_TCP",
            ])),
        ),
        field("timeoutSeconds", Int32),
    ],
};

/// `healthCheck.raml`, `AppCommandCheck`.
static COMMAND: Object = Object { name: "AppCommandCheck", fields: &[required("value", Text)] };

/// `check.raml`, `AppCheck`.
static CHECK: Object = Object {
    name: "AppCheck",
    fields: &[
        field("delaySeconds", Int32),
        field("exec", Kind::Object(&EXEC)),
        field("http", Kind::Object(&HTTP_CHECK)),
        field("intervalSeconds", Int32),
        field("tcp", Kind::Object(&TCP_CHECK)),
        field("timeoutSeconds", Int32),
    ],
};

/// `check.raml`, `CommandCheck`: the command is `{shell: TEXT}` or `{argv: [ARGUMENT]}`.
static EXEC: Object = Object { name: "CommandCheck", fields: &[required("command", Kind::Map(&Any))] };

/// `check.raml`, `AppHttpCheck`.
static HTTP_CHECK: Object = Object {
    name: "AppHttpCheck",
    fields: &[field("path", Text), field("port", Int32), field("portIndex", Int32), field("scheme", SCHEMES)],
};

/// `check.raml`, `AppTcpCheck`.
static TCP_CHECK: Object =
    Object { name: "AppTcpCheck", fields: &[field("port", Int32), field("portIndex", Int32)] };

/// `readinessCheck.raml`, `ReadinessCheck`.
static READINESS_CHECK: Object = Object {
    name: "ReadinessCheck",
    fields: &[
        field("httpStatusCodesForReady", Kind::List(&List { item: Int32, keys: &[""] })),
        field("intervalSeconds", Int32),
        field("name", Text),
        field("path", Text),
        field("portName", Text),
        field("preserveLastResponse", Boolean),
        field("protocol", SCHEMES),
        field("timeoutSeconds", Int32),
    ],
};

/// `app.raml`, `AppResidency`.
static RESIDENCY: Object = Object {
    name: "AppResidency",
    fields: &[
        field("relaunchEscalationTimeoutSeconds", Int64),
        field("taskLostBehavior", Kind::Words(&Words(&["WAIT_FOREVER", "RELAUNCH_AFTER_TIMEOUT"]))),
    ],
};

/// `resources.raml`, `ExecutorResources`.
static EXECUTOR_RESOURCES: Object = Object {
    name: "ExecutorResources",
    fields: &[field("cpus", Number), field("disk", Number), field("mem", Number)],
};

/// `resources.raml`, `ResourceLimits`: each limit is a number or `unlimited`.
static RESOURCE_LIMITS: Object =
    Object { name: "ResourceLimits", fields: &[field("cpus", Any), field("mem", Any)] };

/// `app.raml`, `UpgradeStrategy`.
static UPGRADE_STRATEGY: Object = Object {
    name: "UpgradeStrategy",
    fields: &[field("maximumOverCapacity", Number), field("minimumHealthCapacity", Number)],
};
