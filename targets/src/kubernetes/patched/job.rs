//! Values of a TFJob, its policies, and the Pod as a whole.
use super::{Place, Quantity, Rule, between, filled, label, labels, qualified, subdomain, text, word};
use crate::pod::annotations;
use crate::pod::grammar::{is_label, is_qualified, is_subdomain};
use serde_json::Value;

/// The verdict, or `None` where another area has the field.
pub fn rule(place: &Place<'_>, value: &Value) -> Option<Rule> {
    Some(match (place.owner, place.field) {
        ("TFJobSpec", "successPolicy") => word(value, &["", "AllWorkers"]),
        ("TFJob" | "TFJobSpec" | "ReplicaSpec" | "PodTemplateSpec", _) => Rule::Fits,
        ("RunPolicy" | "SchedulingPolicy", _) => policy(place, value),
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

fn policy(place: &Place<'_>, value: &Value) -> Rule {
    match place.field {
        "activeDeadlineSeconds" | "backoffLimit" if value.as_i64() == Some(0) => {
            Rule::Fault("fails the job before anything runs: it is at least 1".to_owned())
        }
        "cleanPodPolicy" => word(value, &["Running", "All", "None"]),
        "managedBy" => word(value, &["kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"]),
        "priorityClass" | "queue" => subdomain(value),
        "minResources" if place.key.is_some() => match Quantity::of(value) {
            Some(amount) if !amount.is_negative() => Rule::Fits,
            _ => Rule::Fault("is not a quantity, such as `1500m` or `16Gi`".to_owned()),
        },
        "suspend" => Rule::Fits,
        _ if value.is_number() => between(value, 0, i64::MAX),
        _ => Rule::Fits,
    }
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
