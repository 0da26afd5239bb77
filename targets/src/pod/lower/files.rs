//! The ConfigMap with the contract and the scripts, and the metadata of the objects that Pods need.
use super::{Draft, text};
use crate::pod::context::FILES_SUFFIX;
use crate::pod::mechanism::QUEUE;
use crate::pod::schema::{ConfigMap, Metadata, Words};
use crate::pod::shim;
use std::collections::BTreeMap;
use tfjob_contract::Contract;
use tfjob_lang::lowered::SharedFile;
use tfjob_lang::origin::{Document, Traced};

/// Annotation with the sync wave of an object in Argo CD.
pub const WAVE: &str = "argocd.argoproj.io/sync-wave";
/// Annotations of hooks of Argo CD: the phase, and when a hook is deleted.
pub const HOOK: &str = "argocd.argoproj.io/hook";
pub const HOOK_DELETE: &str = "argocd.argoproj.io/hook-delete-policy";
/// A hook is deleted before it is created again.
pub const HOOK_DELETED: &str = "BeforeHookCreation";

impl Draft<'_> {
    /// Returns the ConfigMap with `contract` and the scripts. `None` if the Pods need neither the contract nor a script, and Argo CD
    /// does not need the ConfigMap for the order of the objects.
    pub fn files(&self, contract: Option<&Contract>) -> Option<Document> {
        let wave = self.context.options.replaced_in_wave;
        if !self.needs_files() && wave.is_none() {
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
        let mut metadata = self.metadata(&self.files_name());
        let at = self.context.options.argocd.unwrap_or(name.span);
        let mut annotate = |key: &str, value: &str| {
            metadata.annotations.insert(key.to_owned(), Traced(value.to_owned(), at));
        };
        // A hook needs its ConfigMap in the same phase, before the job.
        if let Some((phase, _)) = self.context.options.hook {
            annotate(HOOK, phase);
            annotate(HOOK_DELETE, HOOK_DELETED);
        }
        if let Some(wave) = wave.or(self.context.options.hook.map(|(_, wave)| wave)) {
            // Argo CD deletes old objects in the opposite order of their waves. So it deletes the old job before it creates the new
            // one: the old job is in the same wave as the new ConfigMap.
            annotate(WAVE, &(i32::from(wave) - 1).to_string());
        }
        Some(Document::new(&ConfigMap {
            api_version: text("v1", name.span),
            kind: text("ConfigMap", name.span),
            metadata,
            data,
        }))
    }

    /// Returns the files that all jobs in an output directory share: the ConfigMap with the shim, and its kustomization. Empty if
    /// the Pods do not get the shim from this ConfigMap.
    pub fn shared(&self) -> Vec<SharedFile> {
        if self.carries_shim() { shim::files(self.context.options.namespace()) } else { Vec::new() }
    }

    /// Returns the name of the ConfigMap with the contract and the scripts.
    pub(super) fn files_name(&self) -> String {
        format!("{}{FILES_SUFFIX}", self.context.object)
    }

    /// Returns the metadata of an object that Pods need: the namespace and the labels of the job, except the Kueue label. With that
    /// label, Kueue would suspend the Deployment of TensorBoard.
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

/// Returns the contract as JSON with one value on each line, so that a change of the spec changes few lines.
fn indented(contract: &Contract) -> String {
    let value: serde_json::Value = serde_json::from_str(&contract.write()).unwrap_or_default();
    printable(&format!("{value:#}\n"))
}

/// Replaces all characters of a JSON text except printable ASCII and newlines by JSON escapes. A text with any other character
/// would not be written as a YAML block, and Kustomize refuses a text with the character DEL.
fn printable(json: &str) -> String {
    let mut text = String::new();
    for c in json.chars() {
        if matches!(c, '\n' | ' '..='~') {
            text.push(c);
        } else {
            let mut units = [0; 2];
            text.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escaped_json_has_the_same_value() {
        let value = serde_json::json!({ "a": "x\u{7f}\u{80}\u{fffe}é😀\n~" });
        let text = printable(&format!("{value:#}\n"));
        assert_eq!(text, "{\n  \"a\": \"x\\u007f\\u0080\\ufffe\\u00e9\\ud83d\\ude00\\n~\"\n}\n");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
