//! The Yarnfile, by the engine's own names: what it does not know it drops, or answers with 404.
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// Failures of a component after which the master gives the service up: none counts.
pub const NO_LIMIT: &str = "2147483647";
/// The property that sets it.
pub const THRESHOLD: &str = "yarn.service.container-failure-per-component.threshold";
/// The property of a component whose end is the service's.
pub const DOMINANT: &str = "yarn.service.container-state-report-as-service-state";
/// How often a node manager starts a container again where it was.
pub const RETRIES: &str = "yarn.service.container-failure.retry.max";

/// A service: record `org.apache.hadoop.yarn.service.api.records.Service`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// The service's name, unique among its user's.
    pub name: Traced<String>,
    /// Any text; asked for by an upgrade.
    pub version: String,
    /// Words for the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Traced<String>>,
    /// The queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Traced<String>>,
    /// Seconds from the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<Traced<u64>>,
    /// Who the master logs in as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kerberos_principal: Option<KerberosPrincipal>,
    /// Docker's `config.json`, with the registry's credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docker_client_config: Option<Traced<String>>,
    /// Other services that must be stable before. Only a patch says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// Links of the page, by their words.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub quicklinks: BTreeMap<String, Traced<String>>,
    /// What every component has.
    pub configuration: Configuration,
    /// The components.
    pub components: Vec<Component>,
}

/// Who the master logs in as: record `KerberosPrincipal`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KerberosPrincipal {
    /// `name/host@REALM`.
    pub principal_name: Traced<String>,
    /// A uri.
    pub keytab: Traced<String>,
}

/// Instances that do the same: record `Component`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name.
    pub name: Traced<String>,
    /// Components that must be ready before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Traced<String>>,
    /// When an instance is ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readiness_check: Option<ReadinessCheck>,
    /// The image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// What bash starts.
    pub launch_command: Traced<String>,
    /// What each instance gets.
    pub resource: Resource,
    /// How many instances.
    pub number_of_containers: Traced<u32>,
    /// What happens when an instance ends.
    pub restart_policy: Traced<RestartPolicy>,
    /// Instances that are not made. Only a patch says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decommissioned_instances: Vec<String>,
    /// Whether the container may do everything. Only a patch says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_privileged_container: Option<bool>,
    /// Where instances may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement_policy: Option<PlacementPolicy>,
    /// Properties, variables and files.
    #[serde(skip_serializing_if = "Configuration::is_empty")]
    pub configuration: Configuration,
}

/// What happens when an instance ends: `Component.RestartPolicyEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RestartPolicy {
    /// Started again whenever it ends.
    Always,
    /// Started again when it fails.
    OnFailure,
    /// Not started again.
    Never,
}

/// An image: record `Artifact`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// What kind.
    #[serde(rename = "type")]
    pub kind: ArtifactType,
    /// The image.
    pub id: Traced<String>,
}

/// What kind of artifact: `Artifact.TypeEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "a patch may say what we never write")]
pub enum ArtifactType {
    /// A Docker image.
    Docker,
    /// An archive on the cluster's file system.
    Tarball,
    /// Another service, whose components take this one's place.
    Service,
}

/// What each instance gets: record `Resource`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    /// Whole cores.
    pub cpus: Traced<u32>,
    /// MiB, as text: a unit is accepted and refused only at submission. A patch may say a number.
    #[schemars(extend("type" = ["string", "integer"]))]
    pub memory: Traced<String>,
    /// Other counted kinds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub additional: BTreeMap<String, Counted>,
}

/// Another counted kind: record `ResourceInformation`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// How many.
    pub value: Traced<u32>,
    /// A prefix such as `Gi`; empty for plain counts.
    pub unit: String,
}

/// Properties, variables and files: record `Configuration`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Words to the master.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Traced<String>>,
    /// Variables.
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
    /// What becomes of it.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// Where it appears.
    pub dest_file: Traced<String>,
    /// Where it lies, on the default file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub src_file: Option<Traced<String>>,
    /// Who shares the local copy on a node. Only a patch says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// `content`, for a template.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
}

/// Who shares the local copy of a file: `LocalResourceVisibility`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "a patch may say what we never write")]
pub enum Visibility {
    /// All users of the node.
    Public,
    /// All applications of the user.
    Private,
    /// The containers of the application.
    Application,
}

/// What becomes of a file: `ConfigFile.TypeEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FileType {
    /// Its tokens are replaced; it appears in `conf`.
    Template,
    /// A flat map as XML of Hadoop, in `conf`.
    Xml,
    /// The same.
    HadoopXml,
    /// A flat map as Java properties, in `conf`.
    Properties,
    /// A flat map as JSON, in `conf`.
    Json,
    /// A flat map as YAML, in `conf`.
    Yaml,
    /// As it is, and executable.
    Static,
    /// Unpacked.
    Archive,
}

/// When an instance is ready: record `ReadinessCheck`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadinessCheck {
    /// How it is looked at.
    #[serde(rename = "type")]
    pub kind: Check,
    /// `port` or `url`.
    pub properties: BTreeMap<String, Traced<String>>,
}

/// How readiness is looked at: `ReadinessCheck.TypeEnum`. The master has an address of the instance: that is `DEFAULT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Check {
    /// A port accepts connections.
    Port,
    /// A page answers.
    Http,
    /// The master knows an address of the instance.
    Default,
}

/// Where instances may run: record `PlacementPolicy`. All constraints must hold.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementPolicy {
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

/// One constraint: record `PlacementConstraint`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Its name. Only a patch gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Towards or away from what is named.
    #[serde(rename = "type")]
    pub kind: Placement,
    /// In upper case: the resource manager reads no other.
    pub scope: Traced<Scope>,
    /// The component's own name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_tags: Vec<String>,
    /// Attributes with their prefix, such as `nm.yarn.io/gpu`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub node_attributes: BTreeMap<String, Vec<Traced<String>>>,
    /// Partitions of the nodes. Only a patch names some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_partitions: Vec<String>,
    /// The least of `AFFINITY_WITH_CARDINALITY`. Only a patch sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_cardinality: Option<u32>,
    /// The most of `AFFINITY_WITH_CARDINALITY`. Only a patch sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cardinality: Option<u32>,
}

impl Constraint {
    /// About the tasks of a component: the one that it stands in, since the engine takes no other.
    #[must_use]
    pub fn tasks(kind: Placement, scope: Traced<Scope>, own: String) -> Self {
        Self { target_tags: vec![own], ..Self::empty(kind, scope) }
    }

    /// About an attribute of the nodes.
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

/// Towards or away from what is named: `PlacementType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Placement {
    /// Only there.
    Affinity,
    /// Never there.
    AntiAffinity,
    /// So many there.
    AffinityWithCardinality,
}

/// How far a constraint reaches: `PlacementScope`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Scope {
    /// One node.
    Node,
    /// One rack.
    Rack,
}
