//! Options of `target "local" { … }`: none.
use schemars::JsonSchema;
use serde::Deserialize;

/// Options of the local target: none.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {}

/// Options of a role on the local target: none.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoleOptions {}
