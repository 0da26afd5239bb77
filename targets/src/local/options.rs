//! The words of `target "local" { … }`: there are none, since this machine is as it is.
use schemars::JsonSchema;
use serde::Deserialize;

/// Processes on this machine.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {}

/// A role has no words of its own either.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {}
