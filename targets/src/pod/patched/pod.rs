//! Values of a Pod as a whole, and of its metadata.
use super::{Place, Rule, between, filled, label, labels, qualified, subdomain, text};
use crate::pod::annotations;
use crate::pod::grammar::{is_label, is_qualified, is_subdomain};
use serde_json::Value;

/// The verdict, or `None` where another area has the field.
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
        ("PodDNSConfig", "searches") => text(value, is_search, "a domain to search"),
        ("PodDNSConfigOption", "name") => filled(value),
        ("PodDNSConfigOption", "value") => Rule::Fits,
        ("PodOS", "name") => {
            text(value, |name| name == "linux", "`linux`, which the job's programs are built for")
        }
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
        return Rule::Fault("is not the key of an annotation, such as `example.com/name`".to_owned());
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
            text(value, |name| name.is_empty() || is_subdomain(name), "the name of a service account")
        }
        "hostname" | "subdomain" => text(value, |name| name.is_empty() || is_label(name), "a DNS label"),
        "hostnameOverride" => {
            text(value, |name| name.len() <= 64 && is_subdomain(name), "a host name of at most 64 characters")
        }
        "automountServiceAccountToken"
        | "dnsPolicy"
        | "enableServiceLinks"
        | "hostIPC"
        | "hostNetwork"
        | "hostPID"
        | "hostUsers"
        | "setHostnameAsFQDN"
        | "shareProcessNamespace" => Rule::Fits,
        "schedulerName" => text(value, |name| !name.contains(char::is_whitespace), "the name of a scheduler"),
        // Admission plugins and feature gates of the cluster decide these.
        "overhead" | "preemptionPolicy" => Rule::Unchecked,
        _ => return None,
    })
}

/// An IP address as the API server reads it: no leading zeros.
fn address(value: &Value) -> Rule {
    text(value, |text| text.parse::<std::net::IpAddr>().is_ok(), "an IP address")
}

fn is_search(name: &str) -> bool {
    let plain = name.strip_suffix('.').unwrap_or(name).replace('_', "-");
    name == "." || is_subdomain(&plain)
}
