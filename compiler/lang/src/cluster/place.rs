//! Whether a task fits on a kind of nodes, and what each kind lacks.
use super::Nodes;
use super::demand::{Crew, Resource, Term, bytes};
use super::packing::{ENDLESS, Kind};
use crate::at::At;
use crate::sources::Span;

/// Nodes with their name.
pub(super) type NodeKind = (At<String>, At<Nodes>);

/// What keeps a task from a kind of nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lack {
    /// What is counted; none for a term.
    pub resource: Option<Resource>,
    /// The words that ask for it.
    pub required: Span,
    /// The fact: `16 GPUs, and it has 8`.
    pub fact: String,
    /// What the node has instead.
    pub has: String,
    /// Where the cluster file says so: the kind's name where it says nothing.
    pub at: Span,
    /// How much of what is asked is there, of 1: to find the nearest kind.
    pub part: f64,
}

/// What such a node has of a resource, and where that is said.
fn room((name, nodes): &NodeKind, resource: &Resource) -> (u64, Span) {
    let Nodes { count: _, cpus, memory, gpus, disk, device, .. } = &nodes.value;
    match resource {
        Resource::Cpus => (u64::from(cpus.value.millis()), cpus.span),
        Resource::Memory => (memory.value.bytes(), memory.span),
        Resource::Gpus => gpus.as_ref().map_or((0, name.span), |g| (u64::from(g.value), g.span)),
        Resource::Disk => disk.as_ref().map_or((ENDLESS, name.span), |d| (d.value.bytes(), d.span)),
        Resource::Device(kind) => device
            .get(kind)
            .map_or((0, name.span), |d| (u64::from(d.value.count.value.0), d.value.count.span)),
        Resource::Apart(_) | Resource::Rack(_) | Resource::Port(_) => (1, name.span),
    }
}

/// The nodes of a kind by these resources.
pub(super) fn kind(nodes: &NodeKind, resources: &[Resource]) -> Kind {
    let room = resources.iter().map(|resource| room(nodes, resource).0).collect();
    Kind { count: u64::from(nodes.1.value.count.value), room }
}

/// What keeps a task of the crew from that kind; nothing where it fits. `named`: the attributes that the file names at
/// any kind, since of others it says nothing.
pub(super) fn lacks(nodes: &NodeKind, crew: &Crew, named: &dyn Fn(&str) -> bool) -> Vec<Lack> {
    let amounts = crew.needs.iter().filter_map(|(resource, need, required)| {
        let (have, at) = room(nodes, resource);
        let has = if have == 0 { "none".to_owned() } else { resource.amount(u128::from(have)) };
        (have < *need).then(|| Lack {
            resource: Some(resource.clone()),
            required: *required,
            fact: resource.amount(u128::from(*need)),
            has,
            at,
            part: have as f64 / *need as f64,
        })
    });
    amounts
        .chain(crew.terms.iter().filter_map(|(term, required)| unmet(nodes, term, *required, named)))
        .collect()
}

fn text(text: &str) -> String {
    format!("`{}`", text.escape_debug())
}

fn unmet(
    (name, nodes): &NodeKind,
    term: &Term,
    required: Span,
    named: &dyn Fn(&str) -> bool,
) -> Option<Lack> {
    let nodes = &nodes.value;
    let lack = |fact: String, has: String, at: Span, part: f64| {
        Some(Lack { resource: None, required, fact, has, at, part })
    };
    let attribute = |key: &str, value: &str| match nodes.node.get(key) {
        Some(own) if own.value.value.value.as_str() == value => None,
        Some(own) => {
            let own = &own.value.value;
            lack(format!("{} {}", text(key), text(value)), text(own.value.as_str()), own.span, 0.0)
        }
        None if named(key) => {
            lack(format!("{} {}", text(key), text(value)), "no such attribute".to_owned(), name.span, 0.0)
        }
        None => None,
    };
    match term {
        Term::GpuModel(model, by) => {
            if let Some(other) = nodes.gpu_model.as_ref().filter(|m| m.value.as_str() != model) {
                return lack(
                    format!("GPUs of model {}", text(model)),
                    text(other.value.as_str()),
                    other.span,
                    0.0,
                );
            }
            let (key, value) = by.as_ref()?;
            attribute(key, value)
        }
        Term::GpuMemory(need) => {
            let less = nodes.gpu_memory.as_ref().filter(|m| m.value.bytes() < *need)?;
            let (need, have) = (u128::from(*need), u128::from(less.value.bytes()));
            lack(format!("{} a GPU", bytes(need)), bytes(have), less.span, have as f64 / need as f64)
        }
        Term::SharedMemory(need) => {
            let less = nodes.shared_memory.as_ref().filter(|m| m.value.bytes() < *need)?;
            let (need, have) = (u128::from(*need), u128::from(less.value.bytes()));
            lack(format!("{} of `/dev/shm`", bytes(need)), bytes(have), less.span, have as f64 / need as f64)
        }
        Term::Partition(wanted) => match &nodes.partition {
            Some(own) if own.value.as_str() == wanted => None,
            Some(own) => lack(format!("partition {}", text(wanted)), text(own.value.as_str()), own.span, 0.0),
            None => lack(format!("partition {}", text(wanted)), "no partition".to_owned(), name.span, 0.0),
        },
        Term::Attribute(key, value) => attribute(key, value),
        Term::OfPartition(wanted) => {
            let own = nodes.partition.as_ref();
            if own.map(|own| own.value.as_str()) == wanted.as_deref() {
                return None;
            }
            let words = |name: Option<&str>| name.map_or_else(|| "no partition".to_owned(), text);
            let at = own.map_or(name.span, |own| own.span);
            lack(words(wanted.as_deref()), words(own.map(|own| own.value.as_str())), at, 0.0)
        }
        Term::NoGpus => {
            let gpus = nodes.gpus.as_ref().filter(|gpus| gpus.value > 0)?;
            lack("no GPUs".to_owned(), Resource::Gpus.amount(u128::from(gpus.value)), gpus.span, 0.0)
        }
    }
}
