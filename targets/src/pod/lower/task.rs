//! The Pod template of a role, with the command and the environment of its container.
use super::init::COPIED;
use super::pod::Pod;
use super::{Draft, FOLDER, text};
use crate::contract_builder::Places;
use crate::pod::expand::{self, escape};
use crate::pod::schema::{EmptyDir, EnvVar, PodTemplate};
use tfjob_contract::{KEPT, Piece, variable};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::RoleId;
use tfjob_lang::sources::Span;

/// Mount path of a directory that keeps its files when the kubelet restarts the container.
const KEPT_AT: &str = "/tfjob/kept";

impl Draft<'_> {
    pub(super) fn template(&self, id: RoleId) -> PodTemplate {
        let mut pod = self.pods[id].clone();
        let start = if self.shim { self.shim_start(&pod) } else { self.own_start(&pod) };
        (pod.container.command, pod.container.env) = start;
        if self.shim {
            pod.container.working_dir = None;
        } else if pod.container.working_dir.is_none()
            && let Some(code) = &self.context.plan.storage.code
        {
            pod.container.working_dir = text(&self.context.places.code.path, code.name.span);
        }
        self.local_storage(&mut pod);
        if let Some(at) = self.kept_directory(&pod) {
            pod.empty("tfjob-kept", EmptyDir::default(), KEPT_AT, at);
        }
        if self.needs_files() {
            self.folder(&mut pod);
        }
        self.init_containers(&mut pod);
        self.secure(&mut pod);
        pod.template.spec.containers.push(pod.container);
        pod.template
    }

    /// Returns the span that requires the directory at [`KEPT_AT`], if the Pod needs it. A Pod needs it if the kubelet restarts the
    /// container and the shim waits for peers. A file in this directory tells a restarted shim that peers may have finished. Such
    /// peers have no address, because a Pod that has succeeded has no DNS record.
    fn kept_directory(&self, pod: &Pod<'_>) -> Option<Span> {
        pod.restarted.filter(|_| self.shim && self.builder.waits())
    }

    /// Returns the command that starts the shim, and its environment. The shim reads role and index from the environment, and
    /// everything else from the contract.
    fn shim_start(&self, pod: &Pod<'_>) -> (Vec<Traced<String>>, Vec<EnvVar>) {
        let at = pod.name();
        let shim = self.context.options.shim;
        let program = match (shim, self.context.options.shim_image) {
            (Some(path), _) => Traced(escape(path.value.as_str()), path.span),
            (None, Some(image)) => Traced(COPIED.to_owned(), image.span),
            (None, None) => Traced(format!("{FOLDER}/tfjob-shim"), at),
        };
        let words = ["--contract".to_owned(), format!("{FOLDER}/contract.json")].map(|word| Traced(word, at));
        let mut env = vec![pod.role_variable(), pod.index_variable()];
        env.extend(self.builder.keeps(pod.id()).then(|| pod.submission_variable()));
        if let Some(at) = self.kept_directory(pod) {
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
            // A container runtime may make the GPUs of the node visible to a container that has requested none. With an empty
            // `CUDA_VISIBLE_DEVICES`, the program does not use them.
            env.push(EnvVar {
                name: text("CUDA_VISIBLE_DEVICES", at),
                value: text("", at),
                value_from: None,
            });
        }
        (words, env)
    }

    /// Returns an environment variable for every reference that a `shell` text may contain, with the value that the shim would set.
    fn shell_variables(&self, pod: &Pod<'_>) -> Vec<EnvVar> {
        let (context, plan, at) = (&self.context, self.context.plan, pod.name());
        let fixed = context.places.variables(plan, pod.id()).into_iter().map(|(name, value)| {
            let words = value.iter().map(|piece| match piece {
                Piece::Text(words) => words.as_str(),
                // `Places::variables` returns only pieces of text, so no other piece occurs here.
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
        let address = (variable(&["address"]), expand::host(context, pod.id(), &index));
        let addresses = (0..plan.roles.len()).filter_map(|role| {
            let name = variable(&["addresses", &plan.roles[role].name.value]);
            let list = expand::addresses(context, role)?;
            // A list of addresses that exceeds Linux's limit for a variable (`MAX_ARG_STRLEN`) is omitted, as by the shim.
            (name.len() + 1 + list.len() < 131_072).then_some((name, list))
        });
        let ports = pod.role().ports.iter().filter_map(|port| {
            port.number.map(|number| (variable(&["port", &port.name.value]), number.to_string()))
        });
        let all = fixed.chain([address]).chain(addresses).chain(ports);
        let variable = |(name, value): (String, String)| {
            let at = Places::origin_of(plan, &name).unwrap_or(at);
            EnvVar { name: text(name, at), value: text(value, at), value_from: None }
        };
        all.map(variable).collect()
    }

    fn local_storage(&self, pod: &mut Pod<'_>) {
        if let Some((quantity, at)) = pod.disk.clone() {
            pod.amount("ephemeral-storage", &quantity, at);
        }
        if let Some(at) = pod.scratch {
            let size_limit = pod.disk.as_ref().and_then(|(quantity, at)| text(quantity, *at));
            let path = self.context.places.scratch.path.clone();
            pod.empty("tfjob-scratch", EmptyDir { medium: None, size_limit }, &path, at);
        }
    }
}
