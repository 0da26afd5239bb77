//! The service spec (Yarnfile), with the field names of the YARN services API. For an unknown field, YARN either ignores the field,
//! or refuses the service with status 404.
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use tfjob_lang::origin::Traced;

/// Value of the property [`THRESHOLD`] with which failures of a component never end the service.
pub const NO_LIMIT: &str = "2147483647";
/// Property with the number of failures of one component after which the service master stops the service.
pub const THRESHOLD: &str = "yarn.service.container-failure-per-component.threshold";
/// Property that marks a component so that the service ends when the component has finished.
pub const DOMINANT: &str = "yarn.service.container-state-report-as-service-state";
/// Property with the maximum number of times that the NodeManager restarts a container in place.
pub const RETRIES: &str = "yarn.service.container-failure.retry.max";

/// A service: record `org.apache.hadoop.yarn.service.api.records.Service`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Name of the service, unique per user.
    pub name: Traced<String>,
    /// Version of the service, which can be any text. YARN uses it only for upgrades.
    pub version: String,
    /// Description that the web UI shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Traced<String>>,
    /// Queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Traced<String>>,
    /// Maximum duration of the service in seconds, counted from its submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<Traced<u64>>,
    /// Kerberos identity of the service master.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kerberos_principal: Option<KerberosPrincipal>,
    /// URI of a Docker `config.json` that contains registry credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docker_client_config: Option<Traced<String>>,
    /// Other services that must be stable before this service starts. Only patches set it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// Links in the web UI, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub quicklinks: BTreeMap<String, Traced<String>>,
    /// Configuration that applies to all components.
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
    /// Components that must be ready before this component starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Traced<String>>,
    /// Check by which the service master decides whether an instance is ready.
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
    /// When the service master restarts an instance.
    pub restart_policy: Traced<RestartPolicy>,
    /// Names of instances that the service master does not start. Only patches set it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decommissioned_instances: Vec<String>,
    /// Whether the containers are privileged. Only patches set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_privileged_container: Option<bool>,
    /// Placement of instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement_policy: Option<PlacementPolicy>,
    /// Properties, environment variables, and files.
    #[serde(skip_serializing_if = "Configuration::is_empty")]
    pub configuration: Configuration,
}

/// When the service master restarts an instance: `Component.RestartPolicyEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RestartPolicy {
    /// After every exit, with failure or success.
    Always,
    /// Only after a failure.
    OnFailure,
    /// Never.
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
    /// Another service. Its components replace this component.
    Service,
}

/// Resources of an instance: record `Resource`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    /// Whole cores.
    pub cpus: Traced<u32>,
    /// Memory in MiB, as a string without a unit, because YARN refuses a unit at submission. A patch may set a number.
    #[schemars(extend("type" = ["string", "integer"]))]
    pub memory: Traced<String>,
    /// Additional resource types, such as `yarn.io/gpu`, with their amounts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub additional: BTreeMap<String, Counted>,
}

/// Amount of an additional resource type: record `ResourceInformation`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// Amount.
    pub value: Traced<u32>,
    /// Unit such as `Gi`. Empty if the amount is a count.
    pub unit: String,
}

/// Properties, environment variables, and files: record `Configuration`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Properties that the service master reads.
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
    /// URI of the source on the default file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub src_file: Option<Traced<String>>,
    /// Which applications of a node share the copy of the file. Only patches set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Entries of the file. For a template, the entry `content` is the whole text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
}

/// Which applications of a node share the copy of a file: `LocalResourceVisibility`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "the variants are set only by patches")]
pub enum Visibility {
    /// The applications of all users.
    Public,
    /// All applications of the user who submits the job.
    Private,
    /// Only the containers of one application.
    Application,
}

/// Type of a file: `ConfigFile.TypeEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FileType {
    /// A text in the directory `conf`. The service master replaces tokens in it.
    Template,
    /// A Hadoop XML file in the directory `conf`, with one property per entry.
    Xml,
    /// Same as `Xml`.
    HadoopXml,
    /// A Java properties file in the directory `conf`, with one line per entry.
    Properties,
    /// A JSON object in the directory `conf`, with one key per entry.
    Json,
    /// A YAML map in the directory `conf`, with one key per entry.
    Yaml,
    /// A file that is copied unchanged and made executable.
    Static,
    /// An archive that is unpacked.
    Archive,
}

/// Check by which the service master decides whether an instance is ready: record `ReadinessCheck`.
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
    /// A port must accept connections.
    Port,
    /// A URL must answer.
    Http,
    /// The service master must know an IP address of the instance.
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
    /// Name of the constraint. Only patches set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Affinity or anti-affinity to `target_tags` or `node_attributes`.
    #[serde(rename = "type")]
    pub kind: Placement,
    /// Scope, in upper case. The REST API accepts no other spelling.
    pub scope: Traced<Scope>,
    /// Tags of the tasks that the constraint refers to. This is always the name of the component itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_tags: Vec<String>,
    /// Node attributes with their prefix, such as `nm.yarn.io/gpu`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub node_attributes: BTreeMap<String, Vec<Traced<String>>>,
    /// Node partitions. Only patches set it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_partitions: Vec<String>,
    /// Minimum for `AFFINITY_WITH_CARDINALITY`. Only patches set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_cardinality: Option<u32>,
    /// Maximum for `AFFINITY_WITH_CARDINALITY`. Only patches set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cardinality: Option<u32>,
}

impl Constraint {
    /// Returns a constraint on the tasks of the component itself. YARN supports no other component as a target.
    #[must_use]
    pub fn tasks(kind: Placement, scope: Traced<Scope>, component: String) -> Self {
        Self { target_tags: vec![component], ..Self::empty(kind, scope) }
    }

    /// Returns a constraint on a node attribute.
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
    /// The tasks run only on nodes or racks that match.
    Affinity,
    /// The tasks never run on nodes or racks that match.
    AntiAffinity,
    /// A limited number of tasks run on each node or rack.
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
