//! A role's replica spec put together: what its container starts, with which environment.
use super::pod::Pod;
use super::{Draft, FOLDER, number, text};
use crate::kubernetes::expand::{self, escape};
use crate::kubernetes::operator;
use crate::kubernetes::schema::{EmptyDir, EnvVar, ReplicaSpec, RestartPolicy};
use crate::patch;
use tfjob_contract::{KEPT, Piece, variable};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::RoleId;

/// The directory that stays between containers of one Pod.
const KEPT_AT: &str = "/tfjob/kept";
/// The name by which the operator finds the port of the rendezvous.
const PORT: &str = "tfjob-port";

impl Draft<'_> {
    pub(super) fn replica_spec(&self, id: RoleId, uses_folder: bool) -> ReplicaSpec {
        let mut pod = self.pods[id].clone();
        let start = if self.shim { self.shim_start(&pod) } else { self.own_start(&pod) };
        (pod.container.command, pod.container.env) = start;
        if self.shim {
            pod.container.working_dir = None;
        } else if pod.container.working_dir.is_none()
            && let Some(code) = &self.plan.storage.code
        {
            pod.container.working_dir = text(&self.places.code.path, code.name.span);
        }
        self.local_storage(&mut pod);
        if self.comes_back(&pod) {
            pod.empty("tfjob-kept", EmptyDir::default(), KEPT_AT, pod.policy.1);
        }
        self.host_ports(&mut pod);
        if uses_folder {
            self.folder(&mut pod);
        }
        self.init_containers(&mut pod);
        self.restrict(&mut pod);
        pod.template.spec.containers.push(pod.container);
        ReplicaSpec {
            replicas: number(pod.replicas.0, pod.replicas.1),
            restart_policy: Some(Traced(pod.policy.0, pod.policy.1)),
            template: pod.template,
        }
    }

    /// Whether the kubelet starts the container again, and its shim waits for peers: an `emptyDir` stays as long as the Pod, and
    /// shows the next shim that others may have finished. A Pod that has succeeded has no name in DNS.
    fn comes_back(&self, pod: &Pod<'_>) -> bool {
        self.shim && self.carry.waits() && pod.policy.0 != RestartPolicy::Never
    }

    /// The shim reads who it is from the Pod, everything else from the contract.
    fn shim_start(&self, pod: &Pod<'_>) -> (Vec<Traced<String>>, Vec<EnvVar>) {
        let at = pod.name();
        let shim = self.options.shim.as_ref();
        let program = shim.map_or_else(
            || Traced(format!("{FOLDER}/tfjob-shim"), at),
            |path| Traced(escape(path.value.as_str()), path.span),
        );
        let words = ["--contract".to_owned(), format!("{FOLDER}/contract.json")].map(|word| Traced(word, at));
        let mut env = vec![pod.role_variable(), pod.index_variable()];
        env.extend(self.carry.keeps(pod.id()).then(|| pod.submission_variable()));
        if self.comes_back(pod) {
            let at = pod.policy.1;
            env.push(EnvVar { name: text(KEPT, at), value: text(KEPT_AT, at), value_from: None });
        }
        env.extend(pod.secrets.iter().cloned());
        (std::iter::once(program).chain(words).collect(), env)
    }

    fn own_start(&self, pod: &Pod<'_>) -> (Vec<Traced<String>>, Vec<EnvVar>) {
        let at = pod.name();
        let mut env = Vec::new();
        if pod.index || pod.shell.is_some() {
            env.push(pod.index_variable());
        }
        let words = match &pod.shell {
            None => pod.words.clone(),
            Some((shell, at)) => {
                env.extend(self.shell_variables(pod));
                ["/bin/sh", "-ec", shell].map(|word| Traced(escape(word), *at)).to_vec()
            }
        };
        env.extend(pod.env.iter().cloned());
        env.extend(pod.secrets.iter().cloned());
        let resources = &pod.role().resources;
        if resources.gpus == 0 && !resources.other_devices && !pod.claims {
            // An empty list hides every device that the node's runtime would show.
            env.push(EnvVar {
                name: text("CUDA_VISIBLE_DEVICES", at),
                value: text("", at),
                value_from: None,
            });
        }
        (words, env)
    }

    /// A claim of a patch may be one of GPUs: then nothing hides devices from the program.
    pub(super) fn claims(&mut self, role: Option<RoleId>, text: &str) {
        let patch = patch::value(text);
        for id in 0..self.pods.len() {
            let key = operator::key(self.plan, id);
            let own = match role {
                Some(role) if role == id => &patch,
                Some(_) => continue,
                None => &patch["spec"]["tfReplicaSpecs"][key],
            };
            let containers = own["template"]["spec"]["containers"].as_array().into_iter().flatten();
            let mut own = containers.filter(|container| container["name"] == "tensorflow");
            if own.any(|container| {
                container["resources"]["claims"].as_array().is_some_and(|all| !all.is_empty())
            }) {
                self.pods[id].claims = true;
                let role = &mut self.carry.contract_mut().roles[id];
                role.gpus = role.gpus.filter(|gpus| *gpus > 0);
            }
        }
    }

    /// Every reference as a variable, as the shim sets them.
    fn shell_variables(&self, pod: &Pod<'_>) -> Vec<EnvVar> {
        let (plan, namespace, at) = (self.plan, self.options.namespace(), pod.name());
        let fixed = self.places.variables(plan, pod.id()).into_iter().map(|(name, value)| {
            let words = value.iter().map(|piece| match piece {
                Piece::Text(words) => words.as_str(),
                // Every place here is a path or a uri.
                Piece::Index
                | Piece::Address
                | Piece::Addresses(_)
                | Piece::Port(_)
                | Piece::Env(_)
                | Piece::Done => "",
            });
            (name, escape(&words.collect::<String>()))
        });
        let index = expand::index(plan, pod.id());
        let address = (variable(&["address"]), expand::host(plan, namespace, pod.id(), &index));
        let addresses = (0..plan.roles.len()).filter_map(|role| {
            let name = variable(&["addresses", &plan.roles[role].name.value]);
            let list = expand::addresses(plan, namespace, role)?;
            // The shim leaves out what no process can be given: Linux' MAX_ARG_STRLEN.
            (name.len() + 1 + list.len() < 131_072).then_some((name, list))
        });
        let ports = pod.role().ports.iter().filter_map(|port| {
            port.number.map(|number| (variable(&["port", &port.name.value]), number.to_string()))
        });
        let all = fixed.chain([address]).chain(addresses).chain(ports);
        all.map(|(name, value)| EnvVar { name: text(name, at), value: text(value, at), value_from: None })
            .collect()
    }

    /// The operator adds its port where no port of a replica has the name, to helpers too (`setDefaultPort` of 1.9.4).
    fn host_ports(&self, pod: &mut Pod<'_>) {
        if !pod.helper || pod.template.spec.host_network.is_none() {
            return;
        }
        let at = pod.name();
        match (operator::idle_port(self.plan, pod.id()), pod.container.ports.first_mut()) {
            (Some(port), _) => pod.port(PORT, port, at),
            (None, Some(first)) => first.name = text(PORT, at),
            (None, None) => {}
        }
    }

    fn local_storage(&self, pod: &mut Pod<'_>) {
        if let Some((quantity, at)) = pod.disk.clone() {
            pod.amount("ephemeral-storage", &quantity, at);
        }
        if let Some(at) = pod.scratch {
            let size_limit = pod.disk.as_ref().and_then(|(quantity, at)| text(quantity, *at));
            let path = self.places.scratch.path.clone();
            pod.empty("tfjob-scratch", EmptyDir { medium: None, size_limit }, &path, at);
        }
    }
}
