//! Inlay hints: totals of a job, and what its roles inherit or get by default. At most one hint per line.
use super::environments::joined;
use super::hover::{Origins, Place, inherited_fields};
use crate::outline::Node;
use crate::session::Session;
use lsp_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind, Position, Range,
    Uri,
};
use std::collections::{BTreeMap, BTreeSet};
use tfjob_lang::plan::{Plan, Role};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::sources::{Format, Source};
use tfjob_lang::spec::RENDEZVOUS;
use tfjob_lang::tree::Tree;

/// Answers `textDocument/inlayHint`.
pub fn hints(session: &mut Session<'_>, uri: &Uri, range: Range) -> Option<Vec<InlayHint>> {
    let path = session.document(uri)?.path.clone();
    session.results(&path);
    let session = &*session;
    let document = session.document(uri)?;
    let checked = session.last(&path).map_or(&[][..], |results| results.checked.as_slice());
    let environments = session.environments(&path);
    let environments = environments.as_slice();
    let place = Place { session, document, checked, environments, root: session.shape(document), byte: 0 };
    if document.format() != Format::Kdl {
        return Some(Vec::new());
    }
    let all = place.each().map(|(name, place)| Some((name, of_place(&place, range)?)));
    Some(merged(&all.collect::<Option<Vec<_>>>()?))
}

/// Merges the hints of all environments.
fn merged(all: &[(&str, Vec<InlayHint>)]) -> Vec<InlayHint> {
    let mut places: BTreeMap<Position, (&InlayHint, Vec<Option<String>>)> = BTreeMap::new();
    for (number, (_, hints)) in all.iter().enumerate() {
        for hint in hints {
            let (_, texts) = places.entry(hint.position).or_insert_with(|| (hint, vec![None; all.len()]));
            texts[number] = match &hint.label {
                InlayHintLabel::String(text) => Some(text.clone()),
                InlayHintLabel::LabelParts(_) => None,
            };
        }
    }
    let joined = |(first, texts): (&InlayHint, Vec<Option<String>>)| {
        let text = joined(all.iter().map(|(name, _)| *name).zip(texts).collect());
        // An editor may cut a long hint.
        let whole = Some(text.replace("; ", "\n\n")).filter(|whole| *whole != text);
        let tooltip = first.tooltip.clone().or_else(|| whole.map(InlayHintTooltip::String));
        InlayHint { label: InlayHintLabel::String(text), tooltip, ..first.clone() }
    };
    places.into_values().map(joined).collect()
}

/// Returns the hints of one environment.
fn of_place(place: &Place<'_>, range: Range) -> Option<Vec<InlayHint>> {
    let document = place.document;
    // With errors, there is no plan, and hints of an older plan would be wrong.
    let outline = document.outline();
    let job = outline.nodes.iter().find(|node| node.name.text == "job" && !node.disabled);
    let (Some(plan), Some(source), Some(job)) = (place.plan(), place.source(), job) else {
        return Some(Vec::new());
    };
    let roles = || job.nodes().iter().filter(|node| !node.disabled);
    let facts = Facts::of((plan, source), roles());
    let wanted = document.bytes(range);
    // A hint is in the first line of its node.
    let touches = |node: &&Node| node.bytes.start <= wanted.end && wanted.start <= node.bytes.end;
    let mut all = vec![hint(place, job, &job_words(&facts), None)];
    let visible: Vec<&Node> = roles().filter(touches).collect();
    let tree = if visible.is_empty() { None } else { super::hover::with_defaults(place) };
    let trees = tree.as_ref().map(roles_of).unwrap_or_default();
    let origins = Origins::of(place)?;
    all.extend(visible.into_iter().map(|node| role_hint(&origins, &facts, &trees, node)));
    let is_in = |hint: &InlayHint| {
        let byte = document.byte(hint.position);
        wanted.start <= byte && byte <= wanted.end
    };
    Some(all.into_iter().flatten().filter(is_in).collect())
}

/// The blocks of roles, by kind and name.
type Trees<'t> = BTreeMap<(&'static str, &'t str), &'t Tree>;

/// Returns the roles and helpers of a spec.
fn roles_of(tree: &Tree) -> Trees<'_> {
    let job = tree.get("job");
    let of_kind = |kind: &'static str| {
        let all = job.and_then(|job| job.get(kind)).map_or(&[][..], Tree::entries);
        all.iter().map(move |entry| ((kind, entry.key.as_str()), &entry.tree))
    };
    ROLES.into_iter().flat_map(of_kind).collect()
}

/// The kinds of blocks that are roles of a plan.
const ROLES: [&str; 2] = ["role", "helper"];

/// Facts about all roles, read once per request.
struct Facts<'p> {
    plan: &'p Plan,
    /// The text of the document.
    source: &'p Source,
    ports: Ports,
    /// Index of each role.
    ids: BTreeMap<&'p str, usize>,
    /// Indexes of the roles that restart.
    restarting: BTreeSet<usize>,
}

/// Whether all roles have the same rendezvous port.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ports {
    Same,
    Differ,
}

impl<'p> Facts<'p> {
    fn of<'n>((plan, source): (&'p Plan, &'p Source), mut roles: impl Iterator<Item = &'n Node>) -> Self {
        // If no role sets its port, all have the same one, which is shown only in the hint of the job.
        let ports = if roles.any(sets_port) { Ports::Differ } else { Ports::Same };
        let ids = plan.roles.iter().enumerate().map(|(id, role)| (role.name.value.as_str(), id)).collect();
        let restarting = plan.requirements.iter().filter_map(|required| {
            let Requirement::Lifecycle(Lifecycle::Restart { role, .. }) = &required.requirement else {
                return None;
            };
            Some(*role)
        });
        Self { plan, source, ports, ids, restarting: restarting.collect() }
    }
}

/// Returns whether a role sets its rendezvous port.
fn sets_port(role: &Node) -> bool {
    role.nodes().iter().any(|node| node.name.text == "port" && node.key() == Some(RENDEZVOUS))
}

/// Returns the totals of a job: `3 tasks, 8 GPUs`. Empty for a job with one task without GPUs.
fn job_words(facts: &Facts<'_>) -> String {
    let plan = facts.plan;
    let (tasks, gpus) =
        (plan.tasks(), plan.roles.iter().map(|role| role.resources.gpus * role.count.value).sum::<u32>());
    let mut words = Vec::new();
    if tasks > 1 {
        words.push(format!("{tasks} tasks"));
    }
    if gpus > 0 && (tasks > 1 || plan.roles.len() > 1) {
        words.push(format!("{gpus} GPU{}", if gpus == 1 { "" } else { "s" }));
    }
    let first = plan.roles.iter().find(|role| role.kind.joins_rendezvous());
    if plan.meets() && facts.ports == Ports::Same {
        words.extend(first.and_then(port));
    }
    if tasks > 1 && facts.restarting.is_empty() {
        words.push("restart never".to_owned());
    }
    words.join(", ")
}

/// Returns what a role inherits or gets by default: its resources, its port, and its restart policy. `None` if the
/// node is not a role of the plan.
fn role_hint(origins: &Origins<'_>, facts: &Facts<'_>, trees: &Trees<'_>, node: &Node) -> Option<InlayHint> {
    let kind = ROLES.into_iter().find(|kind| node.name.text == *kind)?;
    let name = node.key()?;
    let id = *facts.ids.get(name)?;
    let (plan, ports) = (facts.plan, facts.ports);
    let role = &plan.roles[id];
    let tree = trees.get(&(kind, name)).copied();
    let object = origins.place.root.block(&[("job", None), (kind, None)]);
    let inherited =
        tree.map(|tree| inherited_fields(object, facts.source, tree, &node.bytes)).unwrap_or_default();
    let mut words = Vec::new();
    let source = inherited.iter().find(|(field, _)| field == "resources").map(|(_, span)| *span);
    if source.is_some() {
        words.push(resources(role));
    }
    if role.kind.joins_rendezvous() && plan.meets() && ports == Ports::Differ && !sets_port(node) {
        words.extend(port(role));
    }
    // If no role restarts, only the hint of the job says so.
    let some = !facts.restarting.is_empty();
    if some && role.kind.trains() && !facts.restarting.contains(&id) {
        words.push("restart never".to_owned());
    }
    let tooltip = source.and_then(|span| Some(format!("Inherited: {}", origins.shown(span)?)));
    hint(origins.place, node, &words.join(", "), tooltip)
}

fn resources(role: &Role) -> String {
    let one = &role.resources;
    let cpus = f64::from(one.cpus.value) / 1000.0;
    let mut words =
        format!("{cpus} CPU{}, {}", if one.cpus.value == 1000 { "" } else { "s" }, size(one.memory.value));
    if one.gpus > 0 {
        words.push_str(&format!(", {} GPU{}", one.gpus, if one.gpus == 1 { "" } else { "s" }));
    }
    words
}

/// Returns a number of bytes in the largest unit without a remainder, such as `16GiB`.
fn size(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|(bits, _)| bytes.is_multiple_of(1 << bits) && bytes >= 1 << bits);
    unit.map_or_else(|| format!("{bytes}B"), |(bits, unit)| format!("{}{unit}", bytes >> bits))
}

fn port(role: &Role) -> Option<String> {
    let port = role.ports.iter().find(|port| port.name.value == RENDEZVOUS)?;
    Some(port.number.map_or_else(|| "port auto".to_owned(), |number| format!("port {number}")))
}

/// Returns a hint at the end of the first line of a node, after its `{`. `None` without a text.
fn hint(place: &Place<'_>, node: &Node, words: &str, tooltip: Option<String>) -> Option<InlayHint> {
    if words.is_empty() {
        return None;
    }
    let end = end_of_head(&place.document.text, node);
    let markdown = place.session.client.markdown;
    let tooltip = tooltip.map(|text| match markdown {
        true => InlayHintTooltip::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text }),
        false => InlayHintTooltip::String(super::hover::plain(&text)),
    });
    Some(InlayHint {
        position: place.document.position(end),
        label: InlayHintLabel::String(words.to_owned()),
        kind: None::<InlayHintKind>,
        text_edits: None,
        tooltip,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    })
}

/// Returns the offset after the first line of a node, with a comment at its end. For a node that is entirely in one line, the end of the
/// node, because other nodes may follow in that line.
fn end_of_head(text: &str, node: &Node) -> usize {
    let whole = text.get(node.bytes.clone()).unwrap_or_default();
    // Only a node over several lines is read: many nodes may be in one line.
    match whole.find('\n') {
        Some(length) => node.bytes.start + whole[..length].trim_end().len(),
        None => node.bytes.end,
    }
}
