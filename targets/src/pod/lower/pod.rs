//! Builder for the Pod of one role: each method applies one mechanism.
use super::{ROLE, flag, number, text};
use crate::pod::context::{Context, Kind};
use crate::pod::expand::{INDEX, escape};
use crate::pod::mechanism::{Mount, Storage};
use crate::pod::options::{RoleOptions, Toleration};
use crate::pod::schema::{
    ClaimSource, Container, ContainerPort, CsiSource, DnsPolicy, EmptyDir, EnvVar, EnvVarSource, ExecAction,
    HostPath, HttpGet, KeySelector, KeyToPath, LabelRequirement, LabelSelector, LocalReference, NfsSource,
    NodeSelector, NodeSelectorTerm, ObjectFieldSelector, Operator, PodAffinityTerm, PodSpec, PodTemplate,
    Probe, SecretSource, TcpSocket, Toleration as PodToleration, TolerationOperator, Volume, VolumeMount,
};
use tfjob_contract::SUBMISSION;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{Plan, Role, RoleId, RoleKind};
use tfjob_lang::requirement;
use tfjob_lang::sources::Span;

/// The Pod of one role while it is built: each mechanism adds its part.
#[derive(Clone)]
pub struct Pod<'p> {
    plan: &'p Plan,
    kind: &'static Kind,
    /// Name of the job's object.
    object: String,
    id: RoleId,
    /// Whether the role is a helper, which takes no part in the rendezvous.
    pub helper: bool,
    /// Pod template.
    pub template: PodTemplate,
    /// Container in which the program runs.
    pub container: Container,
    /// Span of the `restart` that the kubelet implements by restarting the container. `None` if the kubelet restarts nothing.
    pub restarted: Option<Span>,
    /// Arguments of `run`.
    pub words: Vec<Traced<String>>,
    /// Script of `shell`, with its span.
    pub shell: Option<(String, Span)>,
    /// Environment variables of the program, in the order of the spec.
    pub env: Vec<EnvVar>,
    /// Environment variables that contain secrets. Unlike `env`, the container has them even if the shim starts the program.
    pub secrets: Vec<EnvVar>,
    /// Whether an argument or an environment variable of the program refers to the index of its task.
    pub index: bool,
    /// Amount of ephemeral storage, with its span.
    pub disk: Option<(String, Span)>,
    /// Span of the first `{scratch}` reference.
    pub scratch: Option<Span>,
    /// Whether a patch adds a resource claim, which may be for GPUs.
    pub claims: bool,
    /// Checkpoint directory that must be empty, with its span.
    pub fresh: Option<(String, Span)>,
}

impl<'p> Pod<'p> {
    /// Returns the Pod of a role before any mechanism is applied.
    pub fn new(context: &Context<'p>, own: RoleOptions<'p>, id: RoleId) -> Self {
        let plan = context.plan;
        let role = &plan.roles[id];
        let name = role.name.span;
        let mut template = PodTemplate::default();
        for (key, value) in &own.annotations.0 {
            let value = Traced(value.value.to_string(), value.span);
            template.metadata.annotations.insert(key.value.clone(), value);
        }
        let spec = &mut template.spec;
        spec.priority_class_name = own.priority.and_then(|p| text(p.value.as_str(), p.span));
        spec.service_account_name = own.service_account.and_then(|a| text(a.value.as_str(), a.span));
        spec.tolerations = own.toleration.iter().map(|t| toleration(&t.value)).collect();
        if let Some(group) = context.options.fs_group {
            spec.security_context.fs_group = number(group.value, group.span);
        }
        Self {
            plan,
            kind: context.kind,
            object: context.object.clone(),
            id,
            helper: role.kind == RoleKind::Helper,
            template,
            container: Container { name: text(context.kind.container, name), ..Container::default() },
            restarted: None,
            words: Vec::new(),
            shell: None,
            env: Vec::new(),
            secrets: Vec::new(),
            index: false,
            disk: None,
            scratch: None,
            fresh: None,
            claims: false,
        }
    }

    /// Returns the span of the role name. Values that no entry of the spec sets have this span.
    pub fn name(&self) -> Span {
        self.plan.roles[self.id].name.span
    }

    /// Returns the position of the role in the plan.
    pub const fn id(&self) -> RoleId {
        self.id
    }

    /// Returns the role.
    pub fn role(&self) -> &'p Role {
        &self.plan.roles[self.id]
    }

    /// Adds a Secret that contains registry credentials.
    pub fn pull_secret(&mut self, name: &str, at: Span) {
        self.template.spec.image_pull_secrets.push(LocalReference { name: text(name, at) });
    }

    /// Sets the program and its arguments. `index`: whether they refer to the index of the task.
    pub fn run(&mut self, words: &[(String, Span)], index: bool) {
        self.words = words.iter().map(|(word, at)| Traced(word.clone(), *at)).collect();
        self.index |= index;
    }

    /// Adds an environment variable of the program. `index`: whether its value refers to the index of the task.
    pub fn variable(&mut self, name: &str, value: &(String, Span), at: Span, index: bool) {
        self.env.push(EnvVar { name: text(name, at), value: text(&value.0, value.1), value_from: None });
        self.index |= index;
    }

    /// Adds an environment variable that contains an entry of a Secret.
    pub fn secret(&mut self, env: &str, entry: (&str, &str), at: Span) {
        self.secrets.push(secret_variable(env, entry, at));
    }

    /// Adds a file that contains an entry of a Secret, and an environment variable that contains the path of the file.
    pub fn secret_file(&mut self, env: &str, entry: (&str, &str), path: &str, at: Span) {
        let mounts = (&mut self.template.spec, &mut self.container);
        self.secrets.push(secret_file(mounts, env, entry, path, at));
    }

    /// Sets the user ID.
    pub fn user(&mut self, uid: u32, at: Span) {
        self.template.spec.security_context.run_as_user = number(uid, at);
    }

    /// Sets the request and the limit of a resource to the same amount. Kubernetes requires this for extended resources.
    pub fn amount(&mut self, resource: &str, quantity: &str, at: Span) {
        let resources = &mut self.container.resources;
        for side in [&mut resources.requests, &mut resources.limits] {
            side.insert(resource.to_owned(), Traced(quantity.to_owned(), at));
        }
    }

    /// Sets the size of `/dev/shm`.
    pub fn shared_memory(&mut self, quantity: &str, at: Span) {
        let folder = EmptyDir { medium: text("Memory", at), size_limit: text(quantity, at) };
        self.empty("shared-memory", folder, "/dev/shm", at);
    }

    /// Adds an `emptyDir` volume, and mounts it at `path`.
    pub fn empty(&mut self, name: &str, folder: EmptyDir, path: &str, at: Span) {
        let volume = Volume { name: text(name, at), empty_dir: Some(folder), ..Volume::default() };
        self.template.spec.volumes.push(volume);
        self.container.volume_mounts.push(VolumeMount {
            name: text(name, at),
            mount_path: text(path, at),
            ..VolumeMount::default()
        });
    }

    /// Requires nodes with this value of a label. If two entries require different values of one label, no node matches, and the
    /// Pod stays Pending.
    pub fn node_label(&mut self, key: &str, value: &str, at: Span) {
        let selector = &mut self.template.spec.node_selector;
        if selector.get(key).is_some_and(|first| first.0 != value) {
            self.require(key, Operator::In, value, at);
        } else {
            selector.insert(key.to_owned(), Traced(value.to_owned(), at));
        }
    }

    /// Requires nodes on which the value of a label is greater than the number `than`.
    pub fn node_over(&mut self, key: &str, than: u64, at: Span) {
        self.require(key, Operator::Gt, &than.to_string(), at);
    }

    /// Adds an expression to the node affinity. All expressions are in one term, because a node must match all expressions of a
    /// term.
    fn require(&mut self, key: &str, operator: Operator, value: &str, at: Span) {
        let requirement = LabelRequirement {
            key: text(key, at),
            operator: Some(Traced(operator, at)),
            values: vec![Traced(value.to_owned(), at)],
        };
        let node = &mut self.template.spec.affinity.node_affinity;
        let selector = node
            .required_during_scheduling_ignored_during_execution
            .get_or_insert_with(|| NodeSelector { node_selector_terms: vec![NodeSelectorTerm::default()] });
        if let Some(term) = selector.node_selector_terms.first_mut() {
            term.match_expressions.push(requirement);
        }
    }

    /// Adds anti-affinity, so that two Pods of the role never share a topology domain such as a node.
    pub fn apart(&mut self, topology_key: &str, at: Span) {
        let label = |key: &str, value: &str| (key.to_owned(), Traced(value.to_owned(), at));
        let ([job, of], role) = (self.kind.labels, &self.plan.roles[self.id].name.value);
        let selector = LabelSelector { match_labels: [label(job, &self.object), label(of, role)].into() };
        let term = PodAffinityTerm { label_selector: Some(selector), topology_key: text(topology_key, at) };
        let apart = &mut self.template.spec.affinity.pod_anti_affinity;
        apart.required_during_scheduling_ignored_during_execution.push(term);
    }

    /// Adds a container port. Each port needs a name, because a Service with several ports requires names.
    pub fn port(&mut self, name: &str, port: u16, at: Span) {
        self.container.ports.push(ContainerPort { name: text(name, at), container_port: number(port, at) });
    }

    /// Sets the readiness probe.
    pub fn ready(&mut self, probe: &requirement::Probe, at: Span) {
        let ports = &self.plan.roles[self.id].ports;
        let port = |name: &str| {
            ports.iter().find(|p| p.name.value == name).and_then(|p| p.number).unwrap_or_default()
        };
        let period_seconds = number(5, at);
        self.container.readiness_probe = Some(match probe {
            requirement::Probe::Tcp(name) => {
                let tcp_socket = Some(TcpSocket { port: number(port(name), at) });
                Probe { tcp_socket, period_seconds, ..Probe::default() }
            }
            requirement::Probe::Http(name, path) => {
                let http_get = Some(HttpGet { path: text(path, at), port: number(port(name), at) });
                Probe { http_get, period_seconds, ..Probe::default() }
            }
            requirement::Probe::File(path) => {
                let words = ["/bin/sh", "-c", "test -e \"$0\"", path];
                let command = words.map(|word| Traced(word.to_owned(), at)).to_vec();
                Probe { exec: Some(ExecAction { command }), period_seconds, ..Probe::default() }
            }
        });
    }

    /// Adds a volume, and mounts it into the container of the program.
    pub fn mount(&mut self, mount: &Mount, at: Span) {
        self.template.spec.volumes.push(volume(mount, at));
        self.container.volume_mounts.push(mounted(mount, at));
    }

    /// Selects the host network. The Pod still uses the cluster DNS.
    pub fn host_network(&mut self, at: Span) {
        self.template.spec.host_network = flag(true, at);
        self.template.spec.dns_policy = Some(Traced(DnsPolicy::ClusterFirstWithHostNet, at));
    }

    /// Sets the grace period in seconds.
    pub fn grace(&mut self, seconds: i64, at: Span) {
        self.template.spec.termination_grace_period_seconds = number(seconds, at);
    }

    /// Returns the environment variable that contains the index of the task: from a Pod field, or `0` for a single task.
    pub fn index_variable(&self) -> EnvVar {
        let at = self.name();
        if self.role().count.value == 1 {
            return EnvVar { name: text(INDEX, at), value: text("0", at), value_from: None };
        }
        let field = ObjectFieldSelector { field_path: text(self.kind.index, at) };
        let source = EnvVarSource { field_ref: Some(field), ..EnvVarSource::default() };
        EnvVar { name: text(INDEX, at), value: None, value_from: Some(source) }
    }

    /// Returns the environment variable that contains the UID of the Pod. The UID identifies one submission of the job, because a
    /// Pod belongs to one submission. So the shim counts the restarts of each submission separately.
    pub fn submission_variable(&self) -> EnvVar {
        let at = self.name();
        let field = ObjectFieldSelector { field_path: text("metadata.uid", at) };
        let source = EnvVarSource { field_ref: Some(field), ..EnvVarSource::default() };
        EnvVar { name: text(SUBMISSION, at), value: None, value_from: Some(source) }
    }

    /// Returns the environment variable from which the shim reads the role of its task.
    pub fn role_variable(&self) -> EnvVar {
        let role = &self.plan.roles[self.id].name;
        EnvVar { name: text(ROLE, role.span), value: text(&role.value, role.span), value_from: None }
    }
}

/// Returns an environment variable that contains an entry of a Secret.
pub fn secret_variable(env: &str, (from, key): (&str, &str), at: Span) -> EnvVar {
    let entry = KeySelector { name: text(from, at), key: text(key, at) };
    let source = EnvVarSource { secret_key_ref: Some(entry), ..EnvVarSource::default() };
    EnvVar { name: text(env, at), value: None, value_from: Some(source) }
}

/// Mounts one entry of a Secret as a file, and returns the environment variable that contains its path. A mount of the whole
/// Secret would hide other files in the directory of this path.
pub fn secret_file(
    (pod, container): (&mut PodSpec, &mut Container),
    env: &str,
    (from, key): (&str, &str),
    path: &str,
    at: Span,
) -> EnvVar {
    let name = format!("secret-{}", pod.volumes.iter().filter(|v| v.secret.is_some()).count());
    let item = KeyToPath { key: text(key, at), path: text("value", at), mode: None };
    let secret = SecretSource { secret_name: text(from, at), items: vec![item] };
    pod.volumes.push(Volume { name: text(&name, at), secret: Some(secret), ..Volume::default() });
    container.volume_mounts.push(VolumeMount {
        name: text(&name, at),
        mount_path: text(path, at),
        sub_path: text("value", at),
        read_only: flag(true, at),
    });
    EnvVar { name: text(env, at), value: text(escape(path), at), value_from: None }
}

/// Returns the volume that a mount needs.
pub fn volume(mount: &Mount, at: Span) -> Volume {
    let mut volume = Volume { name: text(&mount.name, at), ..Volume::default() };
    match &mount.storage {
        Storage::Claim { claim, folder: _ } => {
            volume.persistent_volume_claim = Some(ClaimSource { claim_name: text(claim, at) });
        }
        Storage::Nfs { server, path, file: _ } => {
            volume.nfs = Some(NfsSource { server: text(server, at), path: text(path, at) });
        }
        Storage::Host { path } => volume.host_path = Some(HostPath { path: text(path, at) }),
        Storage::Driver { driver, attributes, folder: _ } => {
            let words = attributes.iter().map(|(key, (value, at))| (key.clone(), Traced(value.clone(), *at)));
            volume.csi = Some(CsiSource {
                driver: text(&driver.0, driver.1),
                read_only: (!mount.writable).then_some(Traced(true, at)),
                volume_attributes: words.collect(),
            });
        }
    }
    volume
}

/// Returns the entry of `volumeMounts` for a mount.
pub fn mounted(mount: &Mount, at: Span) -> VolumeMount {
    let folder = match &mount.storage {
        Storage::Claim { claim: _, folder }
        | Storage::Driver { driver: _, attributes: _, folder }
        | Storage::Nfs { server: _, path: _, file: folder }
            if !folder.is_empty() =>
        {
            text(folder, at)
        }
        Storage::Claim { .. } | Storage::Driver { .. } | Storage::Nfs { .. } | Storage::Host { .. } => None,
    };
    VolumeMount {
        name: text(&mount.name, at),
        mount_path: text(&mount.at, at),
        sub_path: folder,
        read_only: (!mount.writable).then_some(Traced(true, at)),
    }
}

/// Converts the option `toleration` to a toleration of a Pod.
pub fn toleration(required: &Toleration) -> PodToleration {
    let operator =
        if required.value.is_some() { TolerationOperator::Equal } else { TolerationOperator::Exists };
    PodToleration {
        key: text(required.key.value.as_str(), required.key.span),
        operator: Some(Traced(operator, required.key.span)),
        value: required.value.as_ref().and_then(|v| text(v.value.as_str(), v.span)),
        effect: required.effect.as_ref().map(|e| Traced(e.value, e.span)),
        toleration_seconds: required.seconds.as_ref().and_then(|s| number(s.value, s.span)),
    }
}
