//! Where tasks may run.
use super::values::Text;
use crate::at::{At, Named};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where the tasks may run. All must hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Place {
    /// An attribute that the node must have.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "named", "propertyNames" = {"format": "filled-text"}))]
    pub node: Named<At<Attribute>>,
    /// A partition of the cluster.
    #[schemars(extend("format" = "filled-text"))]
    pub partition: Option<At<Text>>,
    /// Tasks of the role apart.
    pub spread: Option<At<Spread>>,
}

/// The value of a node's attribute.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attribute {
    /// The value; that of a label may be empty.
    #[schemars(extend("x-kdl" = "arg"))]
    pub value: At<Text>,
}

/// How far apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// No two on one host.
    Host,
    /// No two in one rack.
    Rack,
}
