//! `kustomization.yaml`: the list of the files of a directory for Kustomize, and for the GitOps tools that use it.

/// Name of the file.
pub const FILE: &str = "kustomization.yaml";

/// Returns the kustomization of a directory with these files. It does not contain the version of tfjob, so that an upgrade changes no
/// directory of a job whose manifests stay the same.
#[must_use]
pub fn text<'f>(files: impl IntoIterator<Item = &'f str>) -> String {
    let files: String = files.into_iter().map(|file| format!("- {file}\n")).collect();
    format!(
        "apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
{files}"
    )
}
