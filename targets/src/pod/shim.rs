//! The ConfigMap with the shim. The jobs of a namespace share it, because it is large: about 750 KB as a file.
//!
//! The name of the ConfigMap contains the version of tfjob, and the ConfigMap is immutable. So a new version adds a ConfigMap, and
//! running jobs keep their shim.
use super::kustomization;
use tfjob_lang::lowered::{SHARED, SharedFile};

/// Name of the ConfigMap.
pub const NAME: &str = concat!("tfjob-shim-", env!("CARGO_PKG_VERSION"));
/// Key of the shim in the ConfigMap.
pub const KEY: &str = "tfjob-shim";

/// Returns the path of the file with the ConfigMap.
#[must_use]
pub fn path(namespace: &str) -> String {
    format!("{SHARED}/{namespace}/configmap.yaml")
}

/// Returns the ConfigMap with the shim, and its kustomization. The namespace is quoted, because YAML reads names such as `1` or
/// `true` as other types.
#[must_use]
pub fn files(namespace: &str) -> Vec<SharedFile> {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!(
        "# Written by tfjob {version}: its program tfjob-shim in base64. All jobs of the namespace share it.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {NAME}
  namespace: \"{namespace}\"
  annotations:
    # Argo CD keeps the ConfigMap for jobs that still run, also if its application is deleted, and does not copy it into an annotation.
    argocd.argoproj.io/sync-options: Prune=false,Delete=false,ServerSideApply=true
    # A kept ConfigMap of another version does not make its application OutOfSync.
    argocd.argoproj.io/compare-options: IgnoreExtraneous
  labels:
    app.kubernetes.io/managed-by: tfjob
    app.kubernetes.io/name: tfjob-shim
    app.kubernetes.io/version: {version}
immutable: true
binaryData:
  {KEY}: |
"
    );
    let list = format!("# Written by tfjob {version}.\n{}", kustomization::text(["configmap.yaml"]));
    let list_path = format!("{SHARED}/{namespace}/{}", kustomization::FILE);
    vec![
        SharedFile { path: path(namespace), text, shim: Some(4) },
        SharedFile { path: list_path, text: list, shim: None },
    ]
}
