//! Values that Marathon adds to a submitted app or group, or omits: defaults and state.
//!
//! Not observed: Marathon does not run in the tests. Only the schema of its apps was available. tfjob always writes the fields that the table does not contain, such as `instances`.
use tfjob_lang::target::{Known, KnownValue};

/// Values that Marathon adds.
pub const ADDED: &[KnownValue] = &[
    any("group ", "/version"),
    json("group ", "/dependencies", "[]"),
    json("group ", "/groups", "[]"),
    json("group ", "/pods", "[]"),
    json("group ", "/enforceRole", "false"),
    any("group ", "/apps/*/version"),
    any("group ", "/apps/*/versionInfo"),
    any("group ", "/apps/*/tasksStaged"),
    any("group ", "/apps/*/tasksRunning"),
    any("group ", "/apps/*/tasksHealthy"),
    any("group ", "/apps/*/tasksUnhealthy"),
    any("group ", "/apps/*/deployments"),
    any("group ", "/apps/*/tasks"),
    any("group ", "/apps/*/lastTaskFailure"),
    json("group ", "/apps/*/acceptedResourceRoles", "[\"*\"]"),
    json("group ", "/apps/*/role", "\"*\""),
    json("group ", "/apps/*/disk", "0"),
    json("group ", "/apps/*/gpus", "0"),
    json("group ", "/apps/*/executor", "\"\""),
    json("group ", "/apps/*/killSelection", "\"YOUNGEST_FIRST\""),
    json("group ", "/apps/*/requirePorts", "false"),
    json("group ", "/apps/*/tty", "false"),
    json("group ", "/apps/*/constraints", "[]"),
    json("group ", "/apps/*/dependencies", "[]"),
    json("group ", "/apps/*/fetch", "[]"),
    json("group ", "/apps/*/healthChecks", "[]"),
    json("group ", "/apps/*/labels", "{}"),
    json("group ", "/apps/*/readinessChecks", "[]"),
    json("group ", "/apps/*/secrets", "{}"),
    json("group ", "/apps/*/container/volumes", "[]"),
    json("group ", "/apps/*/container/docker/forcePullImage", "false"),
    json("group ", "/apps/*/portDefinitions/*/labels", "{}"),
    json("group ", "/apps/*/portDefinitions/*/protocol", "\"tcp\""),
    json("group ", "/apps/*/fetch/*/cache", "false"),
    json("group ", "/apps/*/healthChecks/*/ipProtocol", "\"IPv4\""),
];

/// Values that Marathon omits.
pub const OMITTED: &[KnownValue] = &[];

const fn any(object: &'static str, pointer: &'static str) -> KnownValue {
    KnownValue { object, pointer, value: Known::Any }
}

const fn json(object: &'static str, pointer: &'static str, value: &'static str) -> KnownValue {
    KnownValue { object, pointer, value: Known::Json(value) }
}
