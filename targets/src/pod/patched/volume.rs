//! Checks of patched values in volumes.
use super::{Place, Quantity, Rule, between, entry, file, label, mode, subdomain, text};
use crate::pod::grammar::{is_label, is_qualified, is_subdomain};
use serde_json::Value;

/// Volume sources with strings that the API server does not check. Their drivers were removed from Kubernetes, or depend on the
/// cluster.
const LEGACY: [&str; 19] = [
    "AWSElasticBlockStoreVolumeSource",
    "AzureDiskVolumeSource",
    "AzureFileVolumeSource",
    "CephFSVolumeSource",
    "CinderVolumeSource",
    "FCVolumeSource",
    "FlexVolumeSource",
    "FlockerVolumeSource",
    "GCEPersistentDiskVolumeSource",
    "GitRepoVolumeSource",
    "GlusterfsVolumeSource",
    "ISCSIVolumeSource",
    "PhotonPersistentDiskVolumeSource",
    "PortworxVolumeSource",
    "QuobyteVolumeSource",
    "RBDVolumeSource",
    "ScaleIOVolumeSource",
    "StorageOSVolumeSource",
    "VsphereVirtualDiskVolumeSource",
];

/// Returns whether only a driver of the cluster can check this volume source, or this field of a volume source.
pub fn is_of_drivers(place: &Place<'_>) -> bool {
    let known = [
        "name",
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "hostPath",
        "image",
        "nfs",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ];
    let (owner, field) = (place.owner, place.field);
    LEGACY.contains(&owner) || owner == "Volume" && !known.contains(&field)
}

/// Returns whether a patch may set a value. `None` if another module checks the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    if LEGACY.contains(&place.owner) {
        return Some(Rule::Unchecked);
    }
    Some(match (place.owner, place.field) {
        ("Volume", "name") => label(value),
        ("SecretVolumeSource", "secretName")
        | ("ConfigMapVolumeSource" | "SecretProjection" | "ConfigMapProjection", "name") => subdomain(value),
        ("PersistentVolumeClaimVolumeSource", "claimName") => subdomain(value),
        (_, "defaultMode" | "mode") => mode(value),
        ("KeyToPath", "key") => entry(value),
        ("KeyToPath" | "DownwardAPIVolumeFile" | "ServiceAccountTokenProjection", "path") => {
            text(value, file, "a relative path without `..`")
        }
        (
            "SecretVolumeSource"
            | "ConfigMapVolumeSource"
            | "SecretProjection"
            | "ConfigMapProjection"
            | "PersistentVolumeClaimVolumeSource"
            | "NFSVolumeSource",
            "optional" | "readOnly",
        ) => Rule::Fits,
        ("EmptyDirVolumeSource", "medium") => text(value, is_medium, "``, `Memory`, or `HugePages-SIZE`"),
        ("EmptyDirVolumeSource", "sizeLimit") => size(value, false),
        ("HostPathVolumeSource", "path") => text(
            value,
            |path| path.starts_with('/') && !path.split('/').any(|s| s == ".."),
            "an absolute path without `..`",
        ),
        ("HostPathVolumeSource", "type") => Rule::Fits,
        ("NFSVolumeSource", "path") => text(value, |path| path.starts_with('/'), "an absolute path"),
        ("NFSVolumeSource", "server") => text(value, |host| !host.is_empty(), "a host name"),
        ("CSIVolumeSource", "driver") => text(
            value,
            |name| name.len() <= 63 && is_subdomain(&name.to_lowercase()),
            "a valid driver name of at most 63 characters",
        ),
        ("CSIVolumeSource", "fsType" | "readOnly" | "volumeAttributes") => Rule::Fits,
        ("ImageVolumeSource", "reference") => text(
            value,
            |image| !image.is_empty() && !image.contains(char::is_whitespace),
            "a valid image name",
        ),
        ("ImageVolumeSource", "pullPolicy") => Rule::Fits,
        ("ServiceAccountTokenProjection", "expirationSeconds") => between(value, 600, 1 << 32),
        ("ServiceAccountTokenProjection", "audience") => Rule::Fits,
        ("PersistentVolumeClaimSpec", field) => claim(field, place, value),
        ("VolumeResourceRequirements", "requests") => match place.key {
            Some("storage") => size(value, true),
            Some(_) => Rule::Fault("is not a valid resource of a claim; use `storage`".to_owned()),
            None => Rule::Fits,
        },
        ("LabelSelector" | "LabelSelectorRequirement", _) => return label_selector(place, value),
        _ => return None,
    })
}

/// Checks the label selector of a claim. Returns `None` for a field that does not belong to a label selector.
fn label_selector(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        ("LabelSelector", "matchLabels") => match place.key {
            Some(key) => super::selector(key, value),
            None => Rule::Fits,
        },
        ("LabelSelectorRequirement", "key") => text(value, is_qualified, "a valid label key"),
        ("LabelSelectorRequirement", "operator") => {
            super::word(value, &["In", "NotIn", "Exists", "DoesNotExist"])
        }
        ("LabelSelectorRequirement", "values") => text(value, super::is_label_value, "a valid label value"),
        _ => return None,
    })
}

fn claim(field: &str, place: &Place<'_>, value: &Value) -> Rule {
    match field {
        "storageClassName" | "volumeAttributesClassName" => {
            text(value, |name| name.is_empty() || is_subdomain(name), "a valid storage class name")
        }
        "accessModes" | "volumeMode" => Rule::Fits,
        _ if place.key.is_none() && value.is_object() => Rule::Fits,
        _ => Rule::Unchecked,
    }
}

fn size(value: &Value, positive: bool) -> Rule {
    match Quantity::of(value) {
        Some(size) if size.is_negative() || positive && size.is_zero() => {
            Rule::Fault("is too small".to_owned())
        }
        Some(_) => Rule::Fits,
        None => Rule::Fault("must be a quantity, such as `16Gi`".to_owned()),
    }
}

fn is_medium(text: &str) -> bool {
    let page = text.strip_prefix("HugePages-").map(|page| Quantity::parse(page).is_some());
    ["", "Memory", "HugePages"].contains(&text) || page.unwrap_or_default() && is_label(&text.to_lowercase())
}
