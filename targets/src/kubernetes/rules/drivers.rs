//! What a driver of volumes needs of each Pod that has one.
use super::bad;
use crate::kubernetes::Kubernetes;
use crate::kubernetes::grammar::{LABEL, is_subdomain};
use crate::kubernetes::options::RoleOptions;
use tfjob_lang::ask::Ask;
use tfjob_lang::at::{At, Named};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Plan, RoleId, RoleKind};
use tfjob_lang::spec::User;
use tfjob_lang::spec::values::{Scheme, Text, Uri};
use tfjob_lang::target::{Site, Target};

/// Drivers that serve files from a container which a webhook adds, and the annotation by which it adds it: without it every
/// Pod stays in `ContainerCreating` (docs/known-issues.md of GoogleCloudPlatform/gcs-fuse-csi-driver).
const SIDECARS: [(&str, &str); 1] = [("gcsfuse.csi.storage.gke.io", "gke-gcsfuse/volumes")];
/// The attribute without which that driver refuses every volume (`NodePublishVolume`).
const BUCKET: (&str, &str) = ("gcsfuse.csi.storage.gke.io", "bucketName");
/// Options of `mountOptions` that give files to another user than root, who owns them with 0644 otherwise ("Permission
/// denied" in docs/troubleshooting.md of gcs-fuse-csi-driver). A `fsGroup` gives them to that group.
const OWNERS: [&str; 4] = ["uid=", "gid=", "file-mode=", "dir-mode="];
/// What the name of a driver may be.
const DRIVER: &str = "`a` to `z`, digits, `-` and `.`, at most 63, such as `gcsfuse.csi.storage.gke.io`";

/// Judges the schemes that have drivers, and the names of the drivers.
pub fn names(site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let driven = || Scheme::ALL.iter().filter(|scheme| scheme.class().is_file_system());
    for (scheme, csi) in &site.job.csi.0 {
        if !driven().any(|known| known.word() == scheme.value.as_str()) {
            let fact = format!("no driver is needed for `{}`", scheme.value);
            let words: Vec<String> = driven().map(|scheme| format!("`{}`", scheme.word())).collect();
            let help = format!("schemes with a driver: {}", words.join(", "));
            out.push(bad(scheme.span, &fact, &help));
        }
        let driver = &csi.value.driver;
        if !is_subdomain(&driver.value.to_lowercase()) || driver.value.len() > LABEL {
            out.push(bad(driver.span, &format!("`{}` is not the name of a driver", driver.value), DRIVER));
        }
    }
    out
}

/// Judges each driver that some Pod uses.
pub fn judge(plan: &Plan, site: &Site<Kubernetes>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    // A patch of the job reaches the Pods of each role, one of a role those of its own.
    let patched = |role: RoleId, key: &str| {
        plan.asks.iter().any(|asked| {
            let Ask::Patch { target, role: of, text } = &asked.ask else { return false };
            target == Kubernetes::NAME && of.is_none_or(|of| of == role) && text.contains(key)
        })
    };
    for (scheme, csi) in &site.job.csi.0 {
        if !plan
            .asks
            .iter()
            .any(|asked| mounted(&asked.ask).is_some_and(|uri| uri.scheme().word() == scheme.value))
        {
            continue;
        }
        let driver = &csi.value.driver;
        let of_driver = |(known, _): &&(&str, &str)| *known == driver.value.as_str();
        if of_driver(&&BUCKET) && csi.value.attributes.get(BUCKET.1).is_none() {
            let fact = format!("`{}` mounts no volume without `bucketName`", driver.value);
            out.push(bad(driver.span, &fact, "add `attributes { bucketName \"{host}\"; }`"));
        }
        if of_driver(&&BUCKET) {
            out.extend(unwritable(plan, site, scheme, csi.value.attributes.get("mountOptions")));
        }
        let Some((_, key)) = SIDECARS.iter().find(of_driver) else { continue };
        let has = |all: &Named<At<Text>>| all.get(key).is_some_and(|value| value.value.as_str() == "true");
        let lacking = |(id, role): (RoleId, &RoleOptions)| !has(&role.annotations) && !patched(id, key);
        if let Some(role) = site.roles.iter().enumerate().position(lacking) {
            let name = &plan.roles[role].name;
            let fact = format!(
                "`{}` mounts volumes only in Pods with the annotation `{key}: \"true\"`, and those of `{}` have none",
                driver.value, name.value
            );
            let help =
                format!("add `annotations {{ \"{key}\" \"true\"; }}` to `target \"kubernetes\"` of the job");
            out.push(bad(driver.span, &fact, &help).label(name.span, "its Pods would not start"));
        }
    }
    out
}

/// A folder that a role writes, of which all files are root's, though the role has another user.
fn unwritable(
    plan: &Plan,
    site: &Site<Kubernetes>,
    scheme: &At<String>,
    options: Option<&At<Text>>,
) -> Option<Diagnostic> {
    let owned = options.is_some_and(|text| OWNERS.iter().any(|word| text.value.as_str().contains(word)));
    let patched = plan.asks.iter().any(
        |asked| matches!(&asked.ask, Ask::Patch { target, text, .. } if target == Kubernetes::NAME && text.contains("fsGroup")),
    );
    if owned || patched || site.job.fs_group.is_some() {
        return None;
    }
    let is_written = |ask: &Ask| {
        matches!(ask, Ask::CheckpointsMount { .. } | Ask::DataMount { writable: true, .. })
            && mounted(ask).is_some_and(|uri| uri.scheme().word() == scheme.value)
    };
    let written = plan.asks.iter().find(|asked| is_written(&asked.ask))?;
    let (number, user) = plan.asks.iter().find_map(|asked| match asked.ask {
        // A helper may only read them.
        Ask::User { user: User::Number(number @ 1..), role } if plan.roles[role].kind != RoleKind::Helper => {
            Some((number, asked.at))
        }
        _ => None,
    })?;
    let fact = format!("files of this volume belong to root, and user {number} cannot write them");
    let help = format!("add `fs-group {number}` to `target \"kubernetes\"` of the job");
    Some(bad(written.at, &fact, &help).label(user, "another user than root"))
}

/// What a driver of its scheme would mount.
fn mounted(ask: &Ask) -> Option<&Uri> {
    if let Ask::Code { uri, .. }
    | Ask::Stage { uri, .. }
    | Ask::DataMount { uri, .. }
    | Ask::CheckpointsMount { uri, .. } = ask
    {
        return Some(uri);
    }
    None
}
