//! The ConfigMap with the contract and the scripts, and the metadata of the objects that Pods need.
use super::{Draft, text};
use crate::pod::mechanism::QUEUE;
use crate::pod::schema::{ConfigMap, Metadata, Words};
use crate::pod::shim;
use std::collections::BTreeMap;
use tfjob_contract::Contract;
use tfjob_lang::lowered::SharedFile;
use tfjob_lang::origin::{Document, Traced};

impl Draft<'_> {
    /// Returns the ConfigMap with the contract and the scripts; `None` if the Pods need neither.
    pub fn files(&self, contract: Option<&Contract>) -> Option<Document> {
        if !self.needs_files() {
            return None;
        }
        let name = &self.context.plan.name;
        let mut data = BTreeMap::new();
        if let Some(contract) = contract {
            data.insert("contract.json".to_owned(), Traced(indented(contract), name.span));
        }
        if let Some((_, at)) = self.fetches.first() {
            data.insert("stage.sh".to_owned(), Traced(include_str!("../stage.sh").to_owned(), *at));
        }
        if let Some((_, at)) = self.pods.iter().find_map(|pod| pod.fresh.as_ref()) {
            data.insert("fresh.sh".to_owned(), Traced(include_str!("../fresh.sh").to_owned(), *at));
        }
        Some(Document::new(&ConfigMap {
            api_version: text("v1", name.span),
            kind: text("ConfigMap", name.span),
            metadata: self.metadata(&self.files_name()),
            data,
        }))
    }

    /// Returns the files that the jobs of an output directory share.
    pub fn shared(&self) -> Vec<SharedFile> {
        if self.carries_shim() { shim::files(self.context.options.namespace()) } else { Vec::new() }
    }

    /// Returns the name of the ConfigMap with the contract and the scripts.
    pub(super) fn files_name(&self) -> String {
        format!("{}-tfjob", self.context.plan.name.value)
    }

    /// Returns metadata with the namespace and the labels of the job, except the Kueue label. With that label, Kueue would suspend
    /// the Deployment.
    pub(super) fn metadata(&self, name: &str) -> Metadata {
        let own = &self.context.plan.name;
        let namespace = self.context.options.namespace.map_or(own.span, |n| n.span);
        let labels = self.object_labels().into_iter().filter(|(key, _)| *key != QUEUE);
        Metadata {
            name: text(name, own.span),
            namespace: text(self.context.options.namespace(), namespace),
            labels: labels.collect(),
            annotations: BTreeMap::new(),
        }
    }

    /// Returns the labels of the objects of the job: those of the spec, and two by which people and tools find all objects of a
    /// job, for example to delete them. A label of the spec with the same key has priority.
    pub fn object_labels(&self) -> Words {
        let own = &self.context.plan.name;
        let mut labels = self.labels.clone();
        for (key, value) in [("managed-by", "tfjob"), ("part-of", own.value.as_str())] {
            let label = labels.entry(format!("app.kubernetes.io/{key}"));
            label.or_insert_with(|| Traced(value.to_owned(), own.span));
        }
        labels
    }
}

/// Returns the contract as JSON with one value on each line, so that a change of the spec changes few lines. The text is ASCII,
/// because only ASCII becomes a YAML block.
fn indented(contract: &Contract) -> String {
    let value: serde_json::Value = serde_json::from_str(&contract.write()).unwrap_or_default();
    let mut text = String::new();
    for c in format!("{value:#}\n").chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            let mut units = [0; 2];
            text.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}
