//! Placement constraints.
use super::values::Text;
use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;

/// Placement constraints of the tasks; all must be met.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Placement {
    /// Node label or attribute that is required.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "filled-text"}))]
    pub node: Named<At<Attribute>>,
    /// Partition of the cluster.
    #[schemars(extend("format" = "filled-text"))]
    pub partition: Option<At<Text>>,
    /// Minimum separation of the tasks of a role.
    pub spread: Option<At<Spread>>,
}

/// The required value of a node label or attribute.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attribute {
    /// Value; the value of a node label may be empty.
    #[schemars(extend("x-kdl" = "arg"))]
    pub value: At<Text>,
}

/// Separation of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// At most one task per host.
    Host,
    /// At most one task per rack.
    Rack,
}
