//! The service spec (Yarnfile), with the field names of the YARN services API. YARN drops unknown fields, or responds with 404.
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// Value of [`THRESHOLD`] with which no number of failures of a component ends the service.
pub const NO_LIMIT: &str = "2147483647";
/// Property with the number of failures of a component after which the service master stops the service.
pub const THRESHOLD: &str = "yarn.service.container-failure-per-component.threshold";
/// Property of the component that ends the service.
pub const DOMINANT: &str = "yarn.service.container-state-report-as-service-state";
/// Property with the maximum number of times that the NodeManager restarts a container in place.
pub const RETRIES: &str = "yarn.service.container-failure.retry.max";

/// A service: record `org.apache.hadoop.yarn.service.api.records.Service`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Name of the service, unique per user.
    pub name: Traced<String>,
    /// Any text; used by upgrades.
    pub version: String,
    /// Description for the web UI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Traced<String>>,
    /// Queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Traced<String>>,
    /// Maximum seconds from submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<Traced<u64>>,
    /// Kerberos identity of the service master.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kerberos_principal: Option<KerberosPrincipal>,
    /// URI of a Docker `config.json` with registry credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docker_client_config: Option<Traced<String>>,
    /// Other services that must be stable first. Set only by patches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// Links in the web UI, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub quicklinks: BTreeMap<String, Traced<String>>,
    /// Configuration of all components.
    pub configuration: Configuration,
    /// Components.
    pub components: Vec<Component>,
}

/// Kerberos identity of the service master: record `KerberosPrincipal`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KerberosPrincipal {
    /// Principal, as `name/host@REALM`.
    pub principal_name: Traced<String>,
    /// URI of the keytab.
    pub keytab: Traced<String>,
}

/// A group of identical instances: record `Component`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Name of the component.
    pub name: Traced<String>,
    /// Components that must be ready first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Traced<String>>,
    /// Readiness check of an instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readiness_check: Option<ReadinessCheck>,
    /// Image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// Command that bash runs.
    pub launch_command: Traced<String>,
    /// Resources of each instance.
    pub resource: Resource,
    /// Number of instances.
    pub number_of_containers: Traced<u32>,
    /// Restart policy of instances.
    pub restart_policy: Traced<RestartPolicy>,
    /// Instances that are skipped. Set only by patches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decommissioned_instances: Vec<String>,
    /// Whether the containers are privileged. Set only by patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_privileged_container: Option<bool>,
    /// Placement of instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement_policy: Option<PlacementPolicy>,
    /// Properties, variables, and files.
    #[serde(skip_serializing_if = "Configuration::is_empty")]
    pub configuration: Configuration,
}

/// Restart policy of instances: `Component.RestartPolicyEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RestartPolicy {
    /// Restart after failure and success.
    Always,
    /// Restart after failure.
    OnFailure,
    /// No restart.
    Never,
}

/// Image of a component: record `Artifact`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Kind of artifact.
    #[serde(rename = "type")]
    pub kind: ArtifactType,
    /// Image name.
    pub id: Traced<String>,
}

/// Kind of artifact: `Artifact.TypeEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "some variants are set only by patches")]
pub enum ArtifactType {
    /// Docker image.
    Docker,
    /// Archive on the cluster's file system.
    Tarball,
    /// Another service, whose components replace this one.
    Service,
}

/// Resources of an instance: record `Resource`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    /// Whole cores.
    pub cpus: Traced<u32>,
    /// Memory in MiB, as text without a unit: YARN refuses a unit at submission. A patch may set a number.
    #[schemars(extend("type" = ["string", "integer"]))]
    pub memory: Traced<String>,
    /// Additional resource types.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub additional: BTreeMap<String, Counted>,
}

/// Amount of an additional resource type: record `ResourceInformation`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// Amount.
    pub value: Traced<u32>,
    /// Unit such as `Gi`; empty for counts.
    pub unit: String,
}

/// Properties, variables, and files: record `Configuration`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Properties for the service master.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Traced<String>>,
    /// Environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Traced<String>>,
    /// Files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ConfigFile>,
}

impl Configuration {
    fn is_empty(&self) -> bool {
        self.properties.is_empty() && self.env.is_empty() && self.files.is_empty()
    }
}

/// A file: record `ConfigFile`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// Type of the file.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// Path in the container.
    pub dest_file: Traced<String>,
    /// Source on the default file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub src_file: Option<Traced<String>>,
    /// Visibility of the local copy on a node. Set only by patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Entries of the file; `content` for a template.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
}

/// Visibility of the local copy of a file: `LocalResourceVisibility`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "the variants are set only by patches")]
pub enum Visibility {
    /// All users of the node.
    Public,
    /// All applications of the user.
    Private,
    /// The containers of the application.
    Application,
}

/// Type of a file: `ConfigFile.TypeEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FileType {
    /// Text with tokens that are replaced, in `conf`.
    Template,
    /// Hadoop XML of a flat map, in `conf`.
    Xml,
    /// Same as `Xml`.
    HadoopXml,
    /// Java properties of a flat map, in `conf`.
    Properties,
    /// JSON of a flat map, in `conf`.
    Json,
    /// YAML of a flat map, in `conf`.
    Yaml,
    /// Unchanged and executable.
    Static,
    /// Unpacked archive.
    Archive,
}

/// Readiness check of an instance: record `ReadinessCheck`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadinessCheck {
    /// Kind of check.
    #[serde(rename = "type")]
    pub kind: Check,
    /// `port` or `url` of the check.
    pub properties: BTreeMap<String, Traced<String>>,
}

/// Kind of readiness check: `ReadinessCheck.TypeEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Check {
    /// A port accepts connections.
    Port,
    /// A URL answers.
    Http,
    /// The service master knows an address of the instance.
    Default,
}

/// Placement of instances: record `PlacementPolicy`. All constraints must hold.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementPolicy {
    /// Constraints.
    pub constraints: Vec<Constraint>,
}

/// A placement constraint: record `PlacementConstraint`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Name. Set only by patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Affinity or anti-affinity to the targets.
    #[serde(rename = "type")]
    pub kind: Placement,
    /// Scope, in upper case: the REST API accepts no other spelling.
    pub scope: Traced<Scope>,
    /// Tags of the target tasks: the name of the component itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_tags: Vec<String>,
    /// Node attributes with their prefix, such as `nm.yarn.io/gpu`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub node_attributes: BTreeMap<String, Vec<Traced<String>>>,
    /// Node partitions. Set only by patches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_partitions: Vec<String>,
    /// Minimum of `AFFINITY_WITH_CARDINALITY`. Set only by patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_cardinality: Option<u32>,
    /// Maximum of `AFFINITY_WITH_CARDINALITY`. Set only by patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cardinality: Option<u32>,
}

impl Constraint {
    /// Creates a constraint on the tasks of the component itself: YARN supports no other component as target.
    #[must_use]
    pub fn tasks(kind: Placement, scope: Traced<Scope>, component: String) -> Self {
        Self { target_tags: vec![component], ..Self::empty(kind, scope) }
    }

    /// Creates a constraint on a node attribute.
    #[must_use]
    pub fn attribute(kind: Placement, scope: Traced<Scope>, key: String, value: Traced<String>) -> Self {
        Self { node_attributes: BTreeMap::from([(key, vec![value])]), ..Self::empty(kind, scope) }
    }

    const fn empty(kind: Placement, scope: Traced<Scope>) -> Self {
        Self {
            name: None,
            kind,
            scope,
            target_tags: Vec::new(),
            node_attributes: BTreeMap::new(),
            node_partitions: Vec::new(),
            min_cardinality: None,
            max_cardinality: None,
        }
    }
}

/// Type of a placement constraint: `PlacementType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Placement {
    /// Only on matching nodes or racks.
    Affinity,
    /// Never on matching nodes or racks.
    AntiAffinity,
    /// A limited number of tasks per scope.
    AffinityWithCardinality,
}

/// Scope of a placement constraint: `PlacementScope`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Scope {
    /// A node.
    Node,
    /// A rack.
    Rack,
}
