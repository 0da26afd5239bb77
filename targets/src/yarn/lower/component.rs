//! Builds one component of the YARN service.
use super::command::Command;
use crate::yarn::schema::{
    Artifact, ArtifactType, Component, Configuration, Constraint, Counted, PlacementPolicy, RETRIES,
    ReadinessCheck, Resource, RestartPolicy,
};
use crate::yarn::text;
use crate::yarn::variables::exported;
use std::collections::BTreeMap;
use tfjob_contract::{Piece, Value};
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;

/// A component, to which the mechanisms are applied.
pub struct Draft {
    /// Name of the component.
    pub name: Traced<String>,
    /// Number of instances.
    pub count: Traced<u32>,
    /// Image.
    pub image: Option<Traced<String>>,
    /// Whole cores.
    pub cores: Traced<u32>,
    /// Memory in MiB.
    pub memory: Traced<u64>,
    /// Additional resource types.
    pub counted: BTreeMap<String, Counted>,
    /// Launch command.
    pub command: Command,
    /// Span of the command in the spec.
    pub command_at: Span,
    /// Restart policy.
    pub policy: Traced<RestartPolicy>,
    /// Properties that the service master reads.
    pub properties: BTreeMap<String, Traced<String>>,
    /// Environment variables of the program. Their values are escaped later.
    pub env: BTreeMap<String, Traced<String>>,
    /// Environment variables that YARN reads. Their values are written without escaping.
    pub runtime: BTreeMap<String, Traced<String>>,
    /// Docker mounts, each as `PATH-ON-NODE:PATH-IN-CONTAINER:MODE`.
    pub mounts: Vec<Traced<String>>,
    /// Names of the components that must be ready before this component starts.
    pub dependencies: Vec<Traced<String>>,
    /// Readiness check.
    pub check: Option<ReadinessCheck>,
    /// Placement constraints.
    pub constraints: Vec<Constraint>,
}

impl Draft {
    /// Returns a component with restart policy `NEVER`.
    pub fn new(name: &str, at: Span) -> Self {
        Self {
            name: Traced(name.to_owned(), at),
            count: Traced(1, at),
            image: None,
            cores: Traced(1, at),
            memory: Traced(0, at),
            counted: BTreeMap::new(),
            command: Command::default(),
            command_at: at,
            policy: Traced(RestartPolicy::Never, at),
            properties: BTreeMap::new(),
            env: BTreeMap::new(),
            runtime: BTreeMap::new(),
            mounts: Vec::new(),
            dependencies: Vec::new(),
            check: None,
            constraints: Vec::new(),
        }
    }

    /// Sets a property that the service master reads.
    pub fn property(&mut self, name: &str, value: impl ToString, at: Span) {
        self.properties.insert(name.to_owned(), Traced(value.to_string(), at));
    }

    /// Returns whether the NodeManager restarts a process of the component in the same container directory (`ContainerRelaunch`).
    pub fn starts_in_place(&self) -> bool {
        self.properties.get(RETRIES).is_some_and(|tries| tries.0 != "0")
    }

    /// Sets an environment variable of the program. If the value is plain text and the variable reaches the program unchanged, it
    /// is set in `env` of the component. Otherwise, the launch command sets it.
    pub fn variable(&mut self, name: &str, value: Value, at: Span) {
        let fixed = match value.as_slice() {
            [] => Some(String::new()),
            [Piece::Text(text)] => Some(text.clone()),
            _ => None,
        };
        match fixed.filter(|_| !exported(name)) {
            Some(text) => {
                self.env.insert(name.to_owned(), Traced(text, at));
            }
            None => {
                self.command.exports.retain(|(known, _)| known != name);
                self.command.exports.push((name.to_owned(), value));
            }
        }
    }

    /// Sets an environment variable that YARN reads, such as a token or a setting of the container.
    pub fn runtime(&mut self, name: &str, value: &str, at: Span) {
        self.runtime.insert(name.to_owned(), Traced(value.to_owned(), at));
    }

    /// Returns the component in the form of the Yarnfile.
    pub fn done(mut self) -> Component {
        if let Some(Traced(_, at)) = self.mounts.first() {
            let list = self.mounts.iter().map(|m| m.0.as_str()).collect::<Vec<_>>().join(",");
            let at = *at;
            self.runtime("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", &list, at);
        }
        let constraints = self.constraints;
        let quoted = |Traced(text, at): Traced<String>| Traced(text::in_double_quotes(&text), at);
        let mut env: BTreeMap<_, _> =
            self.env.into_iter().map(|(name, value)| (name, quoted(value))).collect();
        env.extend(self.runtime);
        Component {
            name: self.name,
            dependencies: self.dependencies,
            readiness_check: self.check,
            artifact: self.image.map(|id| Artifact { kind: ArtifactType::Docker, id }),
            launch_command: Traced(self.command.launch(), self.command_at),
            resource: Resource {
                cpus: self.cores,
                memory: Traced(self.memory.0.to_string(), self.memory.1),
                additional: self.counted,
            },
            number_of_containers: self.count,
            restart_policy: self.policy,
            decommissioned_instances: Vec::new(),
            run_privileged_container: None,
            placement_policy: (!constraints.is_empty()).then_some(PlacementPolicy { constraints }),
            configuration: Configuration { properties: self.properties, env, files: Vec::new() },
        }
    }
}
