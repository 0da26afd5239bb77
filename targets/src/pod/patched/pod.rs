//! Checks of patched values that concern a Pod as a whole, and of its metadata.
use super::{Place, Rule, between, filled, label, labels, qualified, subdomain, text};
use crate::pod::annotations;
use crate::pod::grammar::{is_label, is_qualified, is_subdomain};
use serde_json::Value;

/// Returns whether a patch may set a value. `None` if another module checks the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        ("PodTemplateSpec", _) => Rule::Fits,
        ("TemplateMeta" | "JobMeta", "labels") => labels(place, value),
        ("TemplateMeta" | "JobMeta", "annotations") => annotation(place, value),
        ("PodSpec", field) => pod(field, place, value)?,
        ("LocalObjectReference", "name")
            if place.path.contains("mage") || place.path.contains("nodePublish") =>
        {
            subdomain(value)
        }
        ("HostAlias", "ip") => address(value),
        ("HostAlias", "hostnames") => subdomain(value),
        ("PodDNSConfig", "nameservers") => address(value),
        ("PodDNSConfig", "searches") => text(value, is_search, "a valid search domain"),
        ("PodDNSConfigOption", "name") => filled(value),
        ("PodDNSConfigOption", "value") => Rule::Fits,
        ("PodOS", "name") => text(value, |name| name == "linux", "`linux`, the system of the job's programs"),
        ("PodReadinessGate", "conditionType") | ("PodSchedulingGate", "name") => qualified(value),
        ("PodResourceClaim", "name") => label(value),
        ("PodResourceClaim", _) => subdomain(value),
        ("ResourceClaim", "name") => filled(value),
        ("ResourceClaim", "request") => Rule::Unchecked,
        _ => return None,
    })
}

fn annotation(place: &Place<'_>, value: &Value) -> Rule {
    let key = place.key.unwrap_or_default();
    if !is_qualified(&key.to_lowercase()) {
        return Rule::Fault("must be a valid annotation key, such as `example.com/name`".to_owned());
    }
    let pod = place.owner == "TemplateMeta" && !place.path.contains("volumeClaimTemplate");
    let fault = annotations::fault(key, value.as_str().unwrap_or_default()).filter(|_| pod);
    fault.map_or(Rule::Fits, |why| Rule::Fault(why.to_owned()))
}

fn pod(field: &str, place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match field {
        "activeDeadlineSeconds" => between(value, 1, i64::from(i32::MAX)),
        "terminationGracePeriodSeconds" => between(value, 0, i64::MAX),
        "nodeSelector" => match place.key {
            Some(key) => super::selector(key, value),
            None => Rule::Fits,
        },
        "nodeName" | "priorityClassName" | "runtimeClassName" => subdomain(value),
        "serviceAccountName" => {
            text(value, |name| name.is_empty() || is_subdomain(name), "a valid service account name")
        }
        "hostname" | "subdomain" => text(value, |name| name.is_empty() || is_label(name), "a DNS label"),
        "hostnameOverride" => text(
            value,
            |name| name.len() <= 64 && is_subdomain(name),
            "a valid host name of at most 64 characters",
        ),
        "automountServiceAccountToken"
        | "dnsPolicy"
        | "enableServiceLinks"
        | "hostIPC"
        | "hostNetwork"
        | "hostPID"
        | "hostUsers"
        | "setHostnameAsFQDN"
        | "shareProcessNamespace" => Rule::Fits,
        "schedulerName" => text(value, |name| !name.contains(char::is_whitespace), "a valid scheduler name"),
        // Admission plugins and feature gates of the cluster decide whether values of `overhead` and `preemptionPolicy` are valid.
        "overhead" | "preemptionPolicy" => Rule::Unchecked,
        _ => return None,
    })
}

/// Checks an IP address. Numbers with leading zeros are invalid, as in the API server.
fn address(value: &Value) -> Rule {
    text(value, |text| text.parse::<std::net::IpAddr>().is_ok(), "a valid IP address")
}

fn is_search(name: &str) -> bool {
    let plain = name.strip_suffix('.').unwrap_or(name).replace('_', "-");
    name == "." || is_subdomain(&plain)
}
