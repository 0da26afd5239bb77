//! Values that Marathon adds to a submitted app or group, or omits: defaults and state.
//!
//! Not observed: Marathon does not run in the tests. Source: Marathon 1.11, its RAML types (`api/v2/types/*.raml`), and the code that
//! writes them (`AppConversion.scala`, `ContainerConversion.scala`, `ObjectVisitor.scala`): an answer omits a field only if it is unset
//! and has no default, or if it is empty and has `omitEmpty`. tfjob always writes the fields that the table does not contain, such as
//! `instances`.
use tfjob_lang::target::KnownValue;

/// Values that Marathon adds.
pub const ADDED: &[KnownValue] = &[
    KnownValue::any("group ", "/version"),
    KnownValue::json("group ", "/dependencies", "[]"),
    KnownValue::json("group ", "/groups", "[]"),
    KnownValue::json("group ", "/pods", "[]"),
    KnownValue::json("group ", "/enforceRole", "false"),
    KnownValue::any("group ", "/apps/*/version"),
    KnownValue::any("group ", "/apps/*/versionInfo"),
    KnownValue::any("group ", "/apps/*/tasksStaged"),
    KnownValue::any("group ", "/apps/*/tasksRunning"),
    KnownValue::any("group ", "/apps/*/tasksHealthy"),
    KnownValue::any("group ", "/apps/*/tasksUnhealthy"),
    KnownValue::any("group ", "/apps/*/deployments"),
    KnownValue::any("group ", "/apps/*/tasks"),
    KnownValue::any("group ", "/apps/*/lastTaskFailure"),
    KnownValue::json("group ", "/apps/*/acceptedResourceRoles", "[\"*\"]"),
    KnownValue::json("group ", "/apps/*/role", "\"*\""),
    KnownValue::json("group ", "/apps/*/disk", "0"),
    KnownValue::json("group ", "/apps/*/gpus", "0"),
    KnownValue::json("group ", "/apps/*/executor", "\"\""),
    KnownValue::json("group ", "/apps/*/killSelection", "\"YOUNGEST_FIRST\""),
    KnownValue::json("group ", "/apps/*/requirePorts", "false"),
    KnownValue::json("group ", "/apps/*/tty", "false"),
    KnownValue::json("group ", "/apps/*/constraints", "[]"),
    KnownValue::json("group ", "/apps/*/dependencies", "[]"),
    KnownValue::json("group ", "/apps/*/fetch", "[]"),
    KnownValue::json("group ", "/apps/*/healthChecks", "[]"),
    KnownValue::json("group ", "/apps/*/labels", "{}"),
    KnownValue::json("group ", "/apps/*/readinessChecks", "[]"),
    KnownValue::json("group ", "/apps/*/secrets", "{}"),
    KnownValue::json("group ", "/apps/*/container/volumes", "[]"),
    KnownValue::json("group ", "/apps/*/container/docker/forcePullImage", "false"),
    // Of the type `DockerContainer`, to which Marathon also converts a container of the type `MESOS` with an image.
    KnownValue::json("group ", "/apps/*/container/docker/parameters", "[]"),
    KnownValue::json("group ", "/apps/*/container/docker/privileged", "false"),
    // Of an app on a container network.
    KnownValue::json("group ", "/apps/*/portDefinitions", "[]"),
    KnownValue::json("group ", "/apps/*/portDefinitions/*/labels", "{}"),
    KnownValue::json("group ", "/apps/*/portDefinitions/*/protocol", "\"tcp\""),
    KnownValue::json("group ", "/apps/*/container/portMappings/*/hostPort", "0"),
    KnownValue::json("group ", "/apps/*/container/portMappings/*/labels", "{}"),
    KnownValue::json("group ", "/apps/*/container/portMappings/*/protocol", "\"tcp\""),
    // Marathon chooses a port for its load balancers.
    KnownValue::any("group ", "/apps/*/container/portMappings/*/servicePort"),
    KnownValue::json("group ", "/apps/*/fetch/*/cache", "false"),
    KnownValue::json("group ", "/apps/*/healthChecks/*/ipProtocol", "\"IPv4\""),
];

/// Values that Marathon omits.
pub const OMITTED: &[KnownValue] = &[];
