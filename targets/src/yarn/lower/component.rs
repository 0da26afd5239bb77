//! One component while it is drawn up.
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

/// One component.
pub struct Draft {
    /// Its name.
    pub name: Traced<String>,
    /// Number of instances.
    pub count: Traced<u32>,
    /// The image.
    pub image: Option<Traced<String>>,
    /// Whole cores.
    pub cores: Traced<u32>,
    /// MiB.
    pub memory: Traced<u64>,
    /// Other counted kinds.
    pub counted: BTreeMap<String, Counted>,
    /// What it starts.
    pub command: Command,
    /// The words of the command.
    pub command_at: Span,
    /// What happens when an instance ends.
    pub policy: Traced<RestartPolicy>,
    /// Words to the master.
    pub properties: BTreeMap<String, Traced<String>>,
    /// Variables of the program, as it must see them.
    pub env: BTreeMap<String, Traced<String>>,
    /// Variables that the engine reads, as it must get them.
    pub runtime: BTreeMap<String, Traced<String>>,
    /// `source:at:mode`.
    pub mounts: Vec<Traced<String>>,
    /// Components that must be ready before.
    pub dependencies: Vec<Traced<String>>,
    /// When an instance is ready.
    pub check: Option<ReadinessCheck>,
    /// Where instances may run.
    pub constraints: Vec<Constraint>,
}

impl Draft {
    /// A component that is not started again.
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

    /// A property for the master.
    pub fn property(&mut self, name: &str, value: impl ToString, at: Span) {
        self.properties.insert(name.to_owned(), Traced(value.to_string(), at));
    }

    /// Whether its containers are started again in the directory that they had (`ContainerRelaunch`).
    pub fn starts_in_place(&self) -> bool {
        self.properties.get(RETRIES).is_some_and(|tries| tries.0 != "0")
    }

    /// A variable of the program: the engine's where it leaves it alone, else the command's.
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

    /// A variable whose text the engine reads: a token to replace, a word about the container.
    pub fn runtime(&mut self, name: &str, value: &str, at: Span) {
        self.runtime.insert(name.to_owned(), Traced(value.to_owned(), at));
    }

    /// The component as it stands in the Yarnfile.
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
