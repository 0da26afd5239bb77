//! Checks of single values of a patch by the rules of Kubernetes. [`crate::patch`] checks the types of the values.
//!
//! The API server accepts a job that breaks such a rule, and then refuses its Pods or Services at every attempt. Source:
//! `k8s.io/kubernetes/pkg/apis/core/validation`.
mod container;
mod placement;
mod pod;
mod security;
mod volume;

use crate::patch::{Place, Rule};
use crate::pod::grammar::{is_key, is_label, is_label_value, is_qualified, is_subdomain};
use crate::pod::mechanism::{OURS, QUEUE};
use crate::pod::quantity::Quantity;
use serde_json::Value;

/// Rules that a kind of job adds to those of Pods.
pub struct Own {
    /// Returns why a patch cannot set a value, or `None` if it can. For example, another property of the spec sets it, or the
    /// controller overwrites it.
    pub owned: fn(&Place<'_>) -> Option<&'static str>,
    /// Fields that a patch cannot remove, each as a type name and a field name.
    pub needed: &'static [(&'static str, &'static str)],
    /// Returns whether a patch may set a value. `None` if the kind of job has no rule for it.
    pub rule: fn(&Place<'_>, &Value) -> Option<Rule>,
}

/// Returns whether a patch of a role or a job may set a value.
pub fn rule(own: &Own, place: &Place<'_>, value: &Value) -> Rule {
    let owned = (own.owned)(place).or_else(|| owned(place));
    if is_reserved(place) {
        return Rule::Fault(format!("is reserved: tfjob writes the annotations with the prefix `{OURS}`"));
    }
    if value.is_null() || value.as_array().is_some_and(Vec::is_empty) {
        return gone(own.needed, owned, place, value);
    }
    if place.key.is_none() && (value.is_array() || value.is_object()) {
        let rest = if volume::is_of_drivers(place) { Rule::Unchecked } else { Rule::Fits };
        return owned.map_or(rest, |why| Rule::Fault(why.to_owned()));
    }
    if let Some(why) = owned {
        return Rule::Fault(why.to_owned());
    }
    (own.rule)(place, value)
        .or_else(|| pod::rule(place, value))
        .or_else(|| container::rule(place, value))
        .or_else(|| volume::rule(place, value))
        .or_else(|| security::rule(place, value))
        .or_else(|| placement::rule(place, value))
        .unwrap_or(Rule::Unchecked)
}

/// Returns whether a value is an annotation of tfjob, which a patch may neither set nor remove.
fn is_reserved(place: &Place<'_>) -> bool {
    let ours = place.key.is_some_and(|key| key.starts_with(OURS));
    ours && place.field == "annotations" && matches!(place.owner, "TemplateMeta" | "JobMeta")
}

/// Returns why no patch can set a field of a Pod, whatever its value. `None` if a patch may set the field.
fn owned(place: &Place<'_>) -> Option<&'static str> {
    Some(match (place.owner, place.field) {
        ("PodSpec", "ephemeralContainers") => "cannot be set when a Pod is created",
        ("PodSpec", "priority") => "is computed from `priorityClassName`; use `priority` of the target block",
        ("PodSpec", "serviceAccount") => {
            "is the deprecated name of `serviceAccountName`, which takes precedence"
        }
        (_, "windowsOptions") => "applies to Windows pods, but the programs of the job run on Linux",
        ("TemplateMeta", "name" | "namespace" | "finalizers")
            if place.path.contains("volumeClaimTemplate") =>
        {
            "is not allowed in the metadata of a claim template"
        }
        _ => return None,
    })
}

/// Returns whether a patch may remove a value by `null`, or set an empty list. `owned`: why a patch cannot set the field, if it
/// cannot.
fn gone(own: &[(&str, &str)], owned: Option<&str>, place: &Place<'_>, value: &Value) -> Rule {
    // The API server refuses `finalizers` in the metadata of a claim template, even as an empty list.
    if let Some(why) = owned.filter(|_| value.is_array() && place.field == "finalizers") {
        return Rule::Fault(why.to_owned());
    }
    let needed = [
        ("PodTemplateSpec", "spec"),
        ("PodSpec", "containers"),
        ("Container", "image"),
        ("NodeSelector", "nodeSelectorTerms"),
    ];
    let field = (place.owner, place.field);
    if needed.contains(&field) || own.contains(&field) {
        return Rule::Fault("cannot be removed".to_owned());
    }
    if volume::is_of_drivers(place) {
        return Rule::Unchecked;
    }
    let exec = field == ("ExecAction", "command") && value.is_array();
    if exec { Rule::Fault("needs at least one argument".to_owned()) } else { Rule::Fits }
}

/// Checks a string. `good` accepts valid strings, and `what` describes them in a message.
pub fn text(value: &Value, good: impl Fn(&str) -> bool, what: &str) -> Rule {
    let good = value.as_str().is_some_and(good);
    if good { Rule::Fits } else { Rule::Fault(format!("must be {what}")) }
}

/// Checks an integer. It must be at least `least` and at most `most`.
pub fn between(value: &Value, least: i64, most: i64) -> Rule {
    let fits = value.as_i64().is_some_and(|number| (least..=most).contains(&number));
    let range = match most {
        i64::MAX if least == 0 => "cannot be negative".to_owned(),
        i64::MAX => format!("must be at least {least}"),
        _ => format!("must be from {least} to {most}"),
    };
    if fits { Rule::Fits } else { Rule::Fault(range) }
}

fn label(value: &Value) -> Rule {
    text(value, is_label, "a DNS label: lowercase letters, digits, and inner `-`, at most 63 characters")
}

/// Checks the name of an object.
pub fn subdomain(value: &Value) -> Rule {
    text(
        value,
        is_subdomain,
        "an object name: lowercase letters, digits, `-`, and `.`, at most 253 characters",
    )
}

fn qualified(value: &Value) -> Rule {
    text(value, is_qualified, "a qualified name, such as `example.com/name`")
}

fn filled(value: &Value) -> Rule {
    text(value, |text| !text.is_empty(), "set; it cannot be empty")
}

/// Checks that a value is one of `words`.
pub fn word(value: &Value, words: &[&str]) -> Rule {
    let shown = |word: &&str| if word.is_empty() { "`\"\"`".to_owned() } else { format!("`{word}`") };
    let known: Vec<String> = words.iter().map(shown).collect();
    text(value, |text| words.contains(&text), &format!("one of {}", known.join(", ")))
}

/// Checks the port of a probe: a port number or a port name.
fn port(value: &Value) -> Rule {
    if value.is_string() {
        return text(
            value,
            crate::pod::grammar::is_port_name,
            "a port number from 1 to 65535 or a port name",
        );
    }
    between(value, 1, 65_535)
}

fn labels(place: &Place<'_>, value: &Value) -> Rule {
    let key = place.key.unwrap_or_default();
    let claim = place.path.contains("volumeClaimTemplate");
    if key.starts_with(OURS) && !claim {
        return Rule::Fault("is set by tfjob, which selects its objects by this label".to_owned());
    }
    if key == QUEUE && !claim {
        return Rule::Fault("is set by `local-queue`".to_owned());
    }
    selector(key, value)
}

/// Checks an entry of a label selector.
fn selector(key: &str, value: &Value) -> Rule {
    if is_qualified(key) && value.as_str().is_some_and(is_label_value) {
        return Rule::Fits;
    }
    Rule::Fault("must be a valid label: letters, digits, `-`, `_`, and `.`, at most 63 characters".to_owned())
}

/// Returns whether a path is relative and stays inside its volume.
fn inner(path: &str) -> bool {
    !path.starts_with('/') && !path.split('/').any(|step| step == "..")
}

/// Returns whether a path can be a file in a volume. The kubelet reserves names that begin with `..`.
fn file(path: &str) -> bool {
    !path.is_empty() && inner(path) && !path.starts_with("..")
}

fn mode(value: &Value) -> Rule {
    if value.as_i64().is_some_and(|mode| (0..=0o777).contains(&mode)) {
        return Rule::Fits;
    }
    Rule::Fault("must be a file mode from 0 to 511 (0777 in octal)".to_owned())
}

/// Checks an entry of `limits` or `requests` of a container.
fn amount(name: &str, value: &Value) -> Rule {
    let fault = |why: &str| Rule::Fault(why.to_owned());
    let Some(amount) = Quantity::of(value) else {
        return fault("must be a quantity, such as `1500m` or `16Gi`");
    };
    if amount.is_negative() {
        return fault("cannot be negative");
    }
    if ["cpu", "memory", "ephemeral-storage"].contains(&name) {
        return if amount.is_milli() {
            Rule::Fits
        } else {
            fault("is finer than thousandths, to which the API server rounds it")
        };
    }
    if let Some(page) = name.strip_prefix("hugepages-") {
        let page = Quantity::parse(page).filter(|page| !page.is_negative() && !page.is_zero());
        return match page {
            None => fault(
                "is not a valid resource name; huge pages are named with their size, such as `hugepages-2Mi`",
            ),
            Some(page) if amount.is_multiple_of(page) && amount.is_whole() => Rule::Fits,
            Some(_) => fault("must be a multiple of the page size"),
        };
    }
    if name.split_once('/').is_some_and(|(domain, _)| domain.ends_with("kubernetes.io")) && is_qualified(name)
    {
        return Rule::Unchecked;
    }
    if !crate::pod::grammar::is_extended_resource(name) {
        return fault(
            "is not a valid resource name of a container; use `cpu`, `memory`, `ephemeral-storage`, `hugepages-SIZE`, or an extended resource such as `nvidia.com/gpu`",
        );
    }
    if amount.is_whole() { Rule::Fits } else { fault("must be an integer") }
}

/// Returns whether all supported Kubernetes releases accept the name of an environment variable.
fn is_variable(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
    !name.is_empty()
        && name.bytes().all(plain)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name != "."
        && !name.starts_with("..")
}

/// Checks a key of a Secret or a ConfigMap.
fn entry(value: &Value) -> Rule {
    text(value, is_key, "a valid key: letters, digits, `-`, `_`, and `.`, at most 253 characters")
}
