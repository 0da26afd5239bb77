//! Deployment and Service of TensorBoard.
use super::init::{container_security, secure_pod};
use super::pod::{mounted, secret_file, secret_variable, toleration, volume};
use super::{Draft, flag, number, text};
use crate::pod::mechanism::{Board, TENSORBOARD};
use crate::pod::schema::{
    Container, ContainerPort, Deployment, DeploymentSpec, EnvVar, LabelSelector, PodSpec, PodTemplate,
    Resources, Service, ServicePort, ServiceSpec, Words,
};
use crate::pod::support::tensorboard::SUFFIX;
use std::collections::BTreeMap;
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::sources::Span;

impl Draft<'_> {
    /// Returns the Deployment and the Service, or nothing if the job has no TensorBoard. `templates`: the Pod templates of the
    /// roles.
    pub fn board_documents(&self, templates: &[&PodTemplate]) -> Vec<Document> {
        let Some((board, at)) = &self.board else { return Vec::new() };
        let (at, name) = (*at, format!("{}{SUFFIX}", self.context.plan.name.value));
        // All Pods of the job have all labels of the job. To match only the Pod of TensorBoard, the selector uses a label that the
        // spec cannot set.
        let selector: Words =
            [(TENSORBOARD.to_owned(), Traced(self.context.plan.name.value.clone(), at))].into();
        let mut metadata = self.metadata(&name);
        for (key, value) in [("name", "tensorboard"), ("instance", &self.context.plan.name.value)] {
            let label = metadata.labels.entry(format!("app.kubernetes.io/{key}"));
            label.or_insert_with(|| Traced(value.to_owned(), at));
        }
        metadata.labels.extend(selector.clone());
        let deployment = Deployment {
            api_version: text("apps/v1", at),
            kind: text("Deployment", at),
            metadata: metadata.clone(),
            spec: DeploymentSpec {
                replicas: number(1, at),
                selector: Some(LabelSelector { match_labels: selector.clone() }),
                template: self.board_pod(board, &metadata.labels, at, templates),
            },
        };
        let port = ServicePort { name: text("http", at), port: number(board.port, at) };
        let service = Service {
            api_version: text("v1", at),
            kind: text("Service", at),
            metadata,
            spec: ServiceSpec { selector, ports: vec![port] },
        };
        vec![Document::new(&deployment), Document::new(&service)]
    }

    /// Returns the annotations of TensorBoard: those of the job, which webhooks of CSI drivers read to mount the logs. Annotations
    /// that apply to the container of the program, such as security profiles, are not included.
    fn board_annotations(&self) -> Words {
        let all = self.context.options.annotations.0.iter();
        all.filter(|(key, _)| !key.value.starts_with("container."))
            .map(|(key, value)| (key.value.clone(), Traced(value.value.to_string(), value.span)))
            .collect()
    }

    fn place_board(&self, spec: &mut PodSpec, board: &Board, first: Option<&PodTemplate>) {
        // TensorBoard tolerates the same taints as the job, because all nodes of the cluster may have these taints.
        spec.tolerations = self.context.options.toleration.iter().map(|t| toleration(&t.value)).collect();
        let priority = self.context.options.priority;
        spec.priority_class_name = priority.and_then(|class| text(class.value.as_str(), class.span));
        if let Some((key, value, at)) = &board.node {
            spec.node_selector.insert(key.clone(), Traced(value.clone(), *at));
            // TensorBoard must run on the node with the logs. So it gets the tolerations of the first role: this node may have
            // taints that only a role tolerates, and not the whole job.
            spec.tolerations = first.map(|template| template.spec.tolerations.clone()).unwrap_or_default();
        }
    }

    /// Returns the Pod template of TensorBoard. TensorBoard reads files of the job, so it runs with the user and the service
    /// account of the first role. It needs no token of this account: the right to read cloud storage depends only on the name of
    /// the account.
    fn board_pod(&self, board: &Board, labels: &Words, at: Span, templates: &[&PodTemplate]) -> PodTemplate {
        let mut template = PodTemplate::default();
        template.metadata.labels = labels.clone();
        template.metadata.annotations = self.board_annotations();
        let spec = &mut template.spec;
        let roles = || templates.iter().map(|template| &template.spec);
        // TensorBoard gets the pull policy and the pull secrets of a role with the same image. Without such a role, it gets the
        // pull secrets of the first role.
        let same = |c: &&Container| c.image.as_ref().is_some_and(|image| image.0 == board.image);
        let twin = roles().find_map(|role| Some((role, role.containers.iter().find(same)?)));
        let credentials = twin.map(|(role, _)| role).or_else(|| roles().next());
        spec.image_pull_secrets = credentials.map(|role| role.image_pull_secrets.clone()).unwrap_or_default();
        if let Some(first) = templates.first() {
            spec.security_context = first.spec.security_context.clone();
            spec.service_account_name = first.spec.service_account_name.clone();
        }
        let amounts = BTreeMap::from([
            ("cpu".to_owned(), Traced(board.cpu.clone(), at)),
            ("memory".to_owned(), Traced(board.memory.clone(), at)),
        ]);
        let variable = |(name, value, words): &(String, String, Option<Span>)| {
            let at = words.unwrap_or(at);
            EnvVar { name: text(name, at), value: text(value, at), value_from: None }
        };
        let mut container = Container {
            name: text("tensorboard", at),
            image: text(&board.image, at),
            image_pull_policy: twin.and_then(|(_, container)| container.image_pull_policy.clone()),
            command: board.command.iter().map(|word| Traced(word.clone(), at)).collect(),
            env: board.env.iter().map(variable).collect(),
            ports: vec![ContainerPort { name: text("http", at), container_port: number(board.port, at) }],
            resources: Resources { requests: amounts.clone(), limits: amounts },
            ..Container::default()
        };
        for (secret, key, at) in &board.secrets {
            let entry = (secret.from.as_str(), key.as_str());
            let variable = match &secret.at {
                None => secret_variable(&secret.env, entry, *at),
                Some(path) => secret_file((spec, &mut container), &secret.env, entry, path, *at),
            };
            container.env.push(variable);
        }
        self.place_board(spec, board, templates.first().copied());
        for mount in &board.mounts {
            spec.volumes.push(volume(mount, at));
            container.volume_mounts.push(mounted(mount, at));
        }
        secure_pod(spec, at, self.restricted());
        // Everybody who reaches the Service can use TensorBoard without a login, so the container of TensorBoard gets no token for
        // the API server.
        spec.automount_service_account_token = flag(false, at);
        container.security_context = container_security(at, self.restricted());
        spec.containers.push(container);
        template
    }
}
