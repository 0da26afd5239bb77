//! Compares a task with a group of identical nodes (a kind), and lists the requests that these nodes do not meet.
use super::Nodes;
use super::demand::{Resource, TaskGroup, Term, bytes};
use super::packing::{Kind, UNLIMITED};
use crate::at::At;
use crate::escape::Escaped;
use crate::sources::Span;

/// A `nodes` block with its name.
pub(super) type NodeKind = (At<String>, At<Nodes>);

/// An unmet request of a task on a kind of nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lack {
    /// The resource; `None` for a node property.
    pub resource: Option<Resource>,
    /// Place of the request in the spec.
    pub required: Span,
    /// The requested value, such as `16 GPUs`.
    pub fact: String,
    /// The value of the node, such as `8 GPUs`.
    pub has: String,
    /// The edit that makes the task fit, as an imperative clause.
    pub edit: String,
    /// Place of the value `has` in the cluster file; if it is unset, the name of the `nodes` block.
    pub at: Span,
    /// Fraction of the request that the node provides, from 0 to 1. The greater this fraction, the closer this kind of nodes is
    /// to the request.
    pub part: f64,
}

/// Returns the capacity of a node for a resource, and its place in the cluster file.
fn room((name, nodes): &NodeKind, resource: &Resource) -> (u64, Span) {
    let Nodes { count: _, cpus, memory, gpus, disk, device, .. } = &nodes.value;
    match resource {
        Resource::Cpus => (u64::from(cpus.value.millis()), cpus.span),
        Resource::Memory => (memory.value.bytes(), memory.span),
        Resource::Gpus => gpus.as_ref().map_or((0, name.span), |g| (u64::from(g.value), g.span)),
        Resource::Disk => disk.as_ref().map_or((UNLIMITED, name.span), |d| (d.value.bytes(), d.span)),
        Resource::Device(kind) => device
            .get(kind)
            .map_or((0, name.span), |d| (u64::from(d.value.count.value.0), d.value.count.span)),
        Resource::Apart(_) | Resource::Rack(_) | Resource::Port(_) => (1, name.span),
    }
}

/// Converts a `nodes` block to a vector of capacities, one per resource.
pub(super) fn kind(nodes: &NodeKind, resources: &[Resource]) -> Kind {
    let room = resources.iter().map(|resource| room(nodes, resource).0).collect();
    Kind { count: u64::from(nodes.1.value.count.value), room }
}

/// Returns the requests of a task that these nodes do not meet; empty if the task fits. `named`: returns whether any `nodes` block
/// sets the attribute with this key. An attribute that no block sets is unknown and always matches.
pub(super) fn lacks(nodes: &NodeKind, group: &TaskGroup, named: &dyn Fn(&str) -> bool) -> Vec<Lack> {
    let amounts = group.needs.iter().filter_map(|(resource, need, required)| {
        let (have, at) = room(nodes, resource);
        let has = if have == 0 { "none".to_owned() } else { resource.amount(u128::from(have)) };
        let fact = resource.amount(u128::from(*need));
        let edit = match have {
            0 => format!("remove the request for {fact}"),
            _ => format!("request at most {has}"),
        };
        (have < *need).then(|| Lack {
            resource: Some(resource.clone()),
            required: *required,
            fact,
            has,
            edit,
            at,
            part: have as f64 / *need as f64,
        })
    });
    amounts
        .chain(group.terms.iter().filter_map(|(term, required)| unmet(nodes, term, *required, named)))
        .collect()
}

fn text(text: &str) -> String {
    format!("`{}`", text.escaped())
}

/// An unmet node property: `fact`, `has`, `edit`, `at`, and `part` of a [`Lack`].
type Unmet = (String, String, String, Span, f64);

fn unmet(kind: &NodeKind, term: &Term, required: Span, named: &dyn Fn(&str) -> bool) -> Option<Lack> {
    let (name, nodes) = (&kind.0, &kind.1.value);
    let (fact, has, edit, at, part) = match term {
        Term::GpuModel(model, by) => {
            match nodes.gpu_model.as_ref().filter(|own| own.value.as_str() != model) {
                Some(own) => {
                    let own_model = text(own.value.as_str());
                    let [fact, has] =
                        [text(model), own_model.clone()].map(|model| format!("GPUs of model {model}"));
                    (fact, has, format!("request GPU model {own_model}"), own.span, 0.0)
                }
                None => by.as_ref().and_then(|(key, value)| attribute(kind, key, value, named))?,
            }
        }
        Term::GpuMemory(need) => {
            let less = nodes.gpu_memory.as_ref().filter(|m| m.value.bytes() < *need)?;
            less_than(*need, less.value.bytes(), "per GPU", less.span)
        }
        Term::SharedMemory(need) => {
            let less = nodes.shared_memory.as_ref().filter(|m| m.value.bytes() < *need)?;
            less_than(*need, less.value.bytes(), "of `/dev/shm`", less.span)
        }
        Term::Partition(wanted) => partition(kind, wanted)?,
        Term::Attribute(key, value) => attribute(kind, key, value, named)?,
        Term::OfPartition(wanted) => {
            let own = nodes.partition.as_ref();
            if own.map(|own| own.value.as_str()) == wanted.as_deref() {
                return None;
            }
            let describe = |name: Option<&str>| name.map_or_else(|| "no partition".to_owned(), text);
            let at = own.map_or(name.span, |own| own.span);
            let has = describe(own.map(|own| own.value.as_str()));
            (describe(wanted.as_deref()), has, "use a queue of this partition".to_owned(), at, 0.0)
        }
        Term::NoGpus => {
            let gpus = nodes.gpus.as_ref().filter(|gpus| gpus.value > 0)?;
            let has = Resource::Gpus.amount(u128::from(gpus.value));
            ("no GPUs".to_owned(), has, "request GPUs".to_owned(), gpus.span, 0.0)
        }
    };
    Some(Lack { resource: None, required, fact, has, edit, at, part })
}

fn less_than(need: u64, have: u64, unit: &str, at: Span) -> Unmet {
    let [fact, has] = [need, have].map(|amount| format!("{} {unit}", bytes(u128::from(amount))));
    let edit = format!("request at most {has}");
    (fact, has, edit, at, have as f64 / need as f64)
}

fn partition((name, nodes): &NodeKind, wanted: &str) -> Option<Unmet> {
    let fact = format!("partition {}", text(wanted));
    match &nodes.value.partition {
        Some(own) if own.value.as_str() == wanted => None,
        Some(own) => {
            let has = format!("partition {}", text(own.value.as_str()));
            let edit = format!("request {has}");
            Some((fact, has, edit, own.span, 0.0))
        }
        None => {
            let edit = format!("remove the request for {fact}");
            Some((fact, "no partition".to_owned(), edit, name.span, 0.0))
        }
    }
}

fn attribute(
    (name, nodes): &NodeKind,
    key: &str,
    value: &str,
    named: &dyn Fn(&str) -> bool,
) -> Option<Unmet> {
    let fact = format!("{} {}", text(key), text(value));
    match nodes.value.node.get(key).map(|own| &own.value.value) {
        Some(own) if own.value.as_str() == value => None,
        Some(own) => {
            let has = format!("{} {}", text(key), text(own.value.as_str()));
            let edit = format!("select nodes with {has}");
            Some((fact, has, edit, own.span, 0.0))
        }
        None if named(key) => {
            let edit = format!("remove the attribute {}", text(key));
            Some((fact, "no such attribute".to_owned(), edit, name.span, 0.0))
        }
        None => None,
    }
}
