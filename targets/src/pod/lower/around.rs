//! Objects that Pods need in addition to the job: the ConfigMap with their files, and the objects of TensorBoard.
use super::{Draft, text};
use crate::pod::mechanism::QUEUE;
use crate::pod::schema::{ConfigMap, Metadata, PodTemplate};
use std::collections::BTreeMap;
use tfjob_contract::Contract;
use tfjob_lang::origin::{Document, Traced};

impl Draft<'_> {
    /// Returns the objects that Pods need. `templates`: Pod templates of the job. The Pod of TensorBoard gets the user and the
    /// service account of the first template.
    pub fn around(&self, contract: Option<&Contract>, templates: &[&PodTemplate]) -> Vec<Document> {
        let files = self.needs_files().then(|| Document::new(&self.files(contract)));
        files.into_iter().chain(self.board_documents(templates)).collect()
    }

    /// Returns the ConfigMap with the contract and the scripts.
    fn files(&self, contract: Option<&Contract>) -> ConfigMap {
        let name = &self.context.plan.name;
        let mut data = BTreeMap::new();
        if let Some(contract) = contract {
            data.insert("contract.json".to_owned(), Traced(contract.write(), name.span));
        }
        if let Some((_, at)) = self.fetches.first() {
            data.insert("stage.sh".to_owned(), Traced(include_str!("../stage.sh").to_owned(), *at));
        }
        if let Some((_, at)) = self.pods.iter().find_map(|pod| pod.fresh.as_ref()) {
            data.insert("fresh.sh".to_owned(), Traced(include_str!("../fresh.sh").to_owned(), *at));
        }
        ConfigMap {
            api_version: text("v1", name.span),
            kind: text("ConfigMap", name.span),
            metadata: self.metadata(&self.files_name()),
            data,
        }
    }

    /// Returns the name of the ConfigMap with the contract and the scripts.
    pub(super) fn files_name(&self) -> String {
        format!("{}-tfjob", self.context.plan.name.value)
    }

    /// Returns the name of the ConfigMap with the shim.
    pub(super) fn shim_name(&self) -> String {
        format!("{}-tfjob-shim", self.context.plan.name.value)
    }

    /// Returns metadata with the namespace and the labels of the job, except the Kueue label. With that label, Kueue would suspend
    /// the Deployment.
    pub(super) fn metadata(&self, name: &str) -> Metadata {
        let own = &self.context.plan.name;
        let namespace = self.context.options.namespace.map_or(own.span, |n| n.span);
        let labels = self.labels.iter().filter(|(key, _)| *key != QUEUE);
        Metadata {
            name: text(name, own.span),
            namespace: text(self.context.options.namespace(), namespace),
            labels: labels.map(|(key, value)| (key.clone(), value.clone())).collect(),
            annotations: BTreeMap::new(),
        }
    }
}
