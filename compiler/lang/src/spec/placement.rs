//! Placement constraints.
use super::values::Text;
use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;

/// Placement constraints of the tasks. All of them must be met.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Placement {
    /// Label or attribute that a node must have to run the tasks, with the required value.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "filled-text"}))]
    pub node: Named<At<Attribute>>,
    /// Partition of the cluster in which the tasks run: a named group of nodes.
    #[schemars(extend("format" = "filled-text"))]
    pub partition: Option<At<Text>>,
    /// How far the tasks of a role are separated: on different hosts, or on different racks.
    pub spread: Option<At<Spread>>,
}

/// Name and value of a node label or attribute.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attribute {
    /// Value of the label or attribute. The value of a node label may be empty.
    #[schemars(extend("x-kdl" = "arg"))]
    pub value: At<Text>,
}

/// How far the tasks of a role are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// At most one task of the role per host.
    Host,
    /// At most one task of the role per rack.
    Rack,
}
