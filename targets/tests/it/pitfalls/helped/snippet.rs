//! Snippets of helps: read as entries of a spec, and typed in the place that they are for.
use super::Judged;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::Object;
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::{Node, Scalar, read_kdl};
use tfjob_targets::SHAPE;

/// Ways that are right for some jobs only, as their help says: a part of the message, and the snippet.
pub const CONDITIONS: [(&str, &str); 7] = [
    ("a TFJob sets up TensorFlow only", "framework \"custom\""),
    ("a TFJob sets up TensorFlow only", "role \"chief\""),
    ("agents do not offer host port", "network \"dcos\""),
    ("Marathon apps ignore", "as \"package\""),
    ("no task of this job waits for another task", "deadline \"2h\""),
    ("TensorFlow tasks wait for all of them", "restart \"on-failure\""),
    ("the job succeeds only when", "success \"chief\""),
];

/// The condition of a snippet of a finding's help.
fn condition(finding: &Diagnostic, snippet: &str) -> Option<&'static (&'static str, &'static str)> {
    CONDITIONS.iter().find(|(says, way)| finding.message.contains(says) && *way == snippet)
}

/// Those that a finding meets.
pub fn conditions(finding: &Diagnostic) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let help = finding.help.as_deref().unwrap_or_default();
    quoted(help).filter_map(|snippet| condition(finding, snippet))
}

/// What stands in backquotes.
fn quoted(help: &str) -> impl Iterator<Item = &str> {
    help.split('`').skip(1).step_by(2)
}

/// The properties and entries that a help says to remove.
pub fn removed(help: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for verb in ["remove `"] {
        for (at, _) in help.match_indices(verb) {
            let list = &help[at + verb.len() - 1..];
            let ends = [";", ":", " or "].into_iter().filter_map(|word| list.find(word));
            // "`a` and `b`" is a list.
            let and = list.match_indices(" and ").find(|(at, and)| !list[at + and.len()..].starts_with('`'));
            let end = ends.chain(and.map(|(at, _)| at)).min().unwrap_or(list.len());
            let words = quoted(&list[..end]);
            found.extend(words.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        }
    }
    found
}

/// The nodes of a text without a fault.
fn nodes(text: &str) -> Option<(Vec<Node>, u32)> {
    let mut sources = Sources::default();
    let number = sources.add("snippet", Format::Kdl, text);
    let (kdl, told) = read_kdl(sources.get(number));
    told.is_empty().then_some((kdl.nodes, sources.get(number).base()))
}

/// Whether a snippet is one that may be typed as it stands.
fn is_literal(snippet: &str) -> bool {
    let slot = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    !snippet.contains(['…', '|', '[']) && !snippet.split(|c: char| !c.is_alphanumeric()).any(slot)
}

/// A node on the way to the finding, with the fields that may stand in its block.
struct Step {
    node: Node,
    fields: Option<&'static Object>,
}

fn name(node: &Node) -> Option<&str> {
    let first = node.entries.iter().find(|entry| entry.key.is_none())?;
    match &first.value {
        Scalar::Text(text) => Some(text),
        Scalar::Null | Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => None,
    }
}

/// The nodes around a place, the outermost first.
fn path(nodes: &[Node], at: u32) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = nodes;
    while let Some(node) = inside.iter().find(|node| node.span.start <= at && at <= node.span.end) {
        let above = steps.last().map_or_else(|| SHAPE.object(), |step| step.fields);
        let fields = above.and_then(|object| object.field(&node.name)).and_then(|f| f.block(name(node)));
        steps.push(Step { node: node.clone(), fields });
        inside = node.children.as_deref().unwrap_or_default();
    }
    steps
}

/// The texts that follow each way of a finding's help: each snippet typed in, and each word left out that it says to.
pub fn ways(judged: &Judged, finding: &Diagnostic) -> Vec<(String, String)> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return Vec::new() };
    let help = help.replace("because=\"…\"", "because=\"x\"");
    let typed_in =
        quoted(&help).filter(|snippet| is_literal(snippet) && condition(finding, snippet).is_none());
    let typed_in =
        typed_in.filter_map(|way| Some((way.to_owned(), typed(&judged.text, place.start, way, finding)?)));
    // All that it says to leave out, at once.
    let mut text = judged.text.clone();
    for word in removed(&help) {
        text = without(&text, place.start, word).unwrap_or(text);
    }
    let left_out = (text != judged.text).then(|| (format!("without {}", removed(&help).join(", ")), text));
    typed_in.chain(left_out).collect()
}

/// The text without a property or an entry of the nodes around a place, or of one in the job.
fn without(text: &str, at: usize, word: &str) -> Option<String> {
    let mut sources = Sources::default();
    let number = sources.add("spec", Format::Kdl, text);
    let (kdl, _) = read_kdl(sources.get(number));
    let steps = path(&kdl.nodes, at as u32);
    let children = |node: &Node| node.children.clone().unwrap_or_default();
    let near = steps.iter().rev().map(|step| step.node.clone());
    let all: Vec<Node> = near.chain(steps.first().into_iter().flat_map(|job| children(&job.node))).collect();
    let place = all.iter().find_map(|node| {
        let property = node.property(word).and_then(|old| Some((old.key.as_ref()?.1.start, old.span.end)));
        let child = || children(node).into_iter().find(|child| child.name == word);
        property.or_else(|| child().map(|child| (child.span.start, child.span.end)))
    });
    let (start, end) = place?;
    Some(format!("{}{}", &text[..start as usize], &text[end as usize..]))
}

/// A way of a help that leads to another error, whose help leads back.
pub fn circles(judged: &Judged, target: &str) -> Vec<String> {
    let known = |findings: &[Diagnostic], wanted: &Diagnostic| {
        findings.iter().any(|d| d.is_error() && d.message == wanted.message)
    };
    let mut found = Vec::new();
    for one in judged.findings.iter().filter(|d| d.is_error()) {
        for (way, text) in ways(judged, one) {
            let then = Judged::of(&text, target);
            if known(&then.findings, one) {
                continue;
            }
            let new = then.findings.iter().filter(|d| d.is_error() && !known(&judged.findings, d));
            for (other, (back, text)) in new.flat_map(|d| ways(then, d).into_iter().map(move |way| (d, way)))
            {
                let last = Judged::of(&text, target);
                if known(&last.findings, one) && !known(&last.findings, other) {
                    found.push(format!(
                        "{target}: {}: `{way}` leads to {}: `{back}` leads back",
                        one.message, other.message
                    ));
                }
            }
        }
    }
    found
}

/// A help whose ways leave its error as it is, and that does not say what to remove besides.
pub fn idle(judged: &Judged, finding: &Diagnostic, target: &str) -> Option<String> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return None };
    // Says what goes; or its ways are all needed.
    let ends = [
        "remove",
        "leave out",
        "without",
        "` and ",
        ", and no `",
        "; and write `",
        ", with `",
        "with `checkpoints",
    ];
    if !finding.is_error() || ends.iter().any(|word| help.contains(word)) {
        return None;
    }
    let filled = filled(help);
    // A block by its name alone says where something stands.
    let names_a_place = |way: &str| way.split(' ').count() == 2 && !way.contains('=') && way.ends_with('"');
    let own = |way: &&str| {
        is_literal(way)
            && condition(finding, way).is_none()
            && !["memory=\"x\"", "port \"x\""].iter().any(|slot| way.contains(slot))
    };
    let ways = quoted(&filled).filter(own).filter(|way| !names_a_place(way) || !way.starts_with(['r', 't']));
    let typed: Vec<_> =
        ways.filter_map(|way| Some((way, typed(&judged.text, place.start, way, finding)?))).collect();
    // A way that is typed for one role leaves the error of another.
    let same = |d: &&Diagnostic| d.message == finding.message && d.is_error();
    let before = judged.findings.iter().filter(same).count();
    let stays = |text: &str| Judged::of(text, target).findings.iter().filter(same).count() >= before;
    let (way, _) = typed.iter().find(|(_, text)| stays(text))?;
    Some(format!("{target}: {}: `{way}` leaves it: {help}", finding.message))
}

/// A help with something typed for each slot of its values.
fn filled(help: &str) -> String {
    let slot = |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase());
    let parts = help.replace("https://…", "https://h/x").replace('…', "x");
    let parts = parts.split('"').map(|part| if slot(part) { "x" } else { part });
    parts.collect::<Vec<_>>().join("\"")
}

/// What is wrong with the snippets of a finding's help: typed in, they make more errors than there were.
pub fn faults(judged: &Judged, finding: &Diagnostic, target: &str) -> Vec<String> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return Vec::new() };
    // Where the framework itself is refused, nothing else is told.
    if finding.labels[0].text == "`framework` is not supported" {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    let help = &help.replace("network \"…\"", "network \"x\"");
    for snippet in quoted(help).filter(|snippet| is_literal(snippet) && condition(finding, snippet).is_none())
    {
        let Some(text) = typed(&judged.text, place.start, snippet, finding) else { continue };
        let again = Judged::of(&text, target);
        // Ways that are all needed are typed one by one.
        let one_of_several = [format!("`{snippet}` and `"), format!("` and `{snippet}`")]
            .iter()
            .any(|list| help.contains(list));
        // As in "a port in it, with `when="ready"`".
        let part_of_another = help.contains(&format!(", with `{snippet}`"));
        // As in "`placement { spread "host"; }` (this also needs …)".
        let part_of_several = help.contains("; and ")
            || help.split(&format!("`{snippet}`")).skip(1).any(|rest| {
                rest.starts_with(" (this also needs")
                    || rest.starts_with(" in `role") && rest.contains(" (this also needs")
            });
        let next = again.findings.iter().find(|d| {
            d.code == finding.code
                && d.code.name == "unsupported-feature"
                && d.labels[0].text == finding.labels[0].text
                && !judged.findings.iter().any(|old| old.message == d.message)
        });
        if let Some(next) = next.filter(|_| !one_of_several && !part_of_another) {
            wrong.push(format!("{target}: {}: `{snippet}` leads to {}", finding.message, next.message));
        }
        if again.errors() > judged.errors() && !part_of_several {
            let known = |d: &&Diagnostic| !judged.findings.iter().any(|old| old.message == d.message);
            let new = again.findings.iter().filter(|d| d.is_error()).find(known);
            let new = new.map(|d| format!("{}: {}", d.code.name, d.message)).unwrap_or_default();
            wrong.push(format!("{target}: {}: `{snippet}` brings {new}", finding.message));
        }
    }
    wrong
}

/// The text with the snippet in its place; `None` where it is no entry of a spec, or has no place around the finding.
fn typed(text: &str, at: usize, snippet: &str, finding: &Diagnostic) -> Option<String> {
    let mut sources = Sources::default();
    let number = sources.add("spec", Format::Kdl, text);
    let (kdl, _) = read_kdl(sources.get(number));
    let steps = path(&kdl.nodes, at as u32);
    // "Make it a helper".
    if let Some(role) = snippet.strip_prefix("helper ").map(|name| format!("role {name}"))
        && text.contains(&role)
    {
        return Some(text.replacen(&role, snippet, 1));
    }
    if let Some((parsed, _)) = nodes(snippet)
        && let [node] = parsed.as_slice()
        && snippet.starts_with(|c: char| c.is_ascii_lowercase())
        && !(node.entries.is_empty() && node.children.is_none())
    {
        return entry(text, &steps, node, snippet, finding);
    }
    property(text, &steps, snippet)
}

/// Puts a node in the place of one of the same name, or beside the others of its block.
fn entry(text: &str, steps: &[Step], node: &Node, snippet: &str, finding: &Diagnostic) -> Option<String> {
    let bytes = |start: u32, end: u32| start as usize..end as usize;
    let put = |range: std::ops::Range<usize>, with: &str| {
        Some(format!("{}{with}{}", &text[..range.start], &text[range.end..]))
    };
    let commands = |one: &str, other: &str| one == "run" && other == "shell";
    let named = |other: &Node| {
        (other.name == node.name || commands(&node.name, &other.name))
            && (!matches!(node.name.as_str(), "role" | "target" | "helper" | "allow" | "port")
                || name(other) == name(node))
    };
    let fits = |step: &&Step| {
        let knows = |child: &Node| step.fields.is_some_and(|fields| fields.field(&child.name).is_some());
        named(&step.node) && (node.name != "target" || node.children.iter().flatten().all(knows))
    };
    if let Some(step) = steps.iter().rev().find(fits) {
        let old = &step.node;
        let header = old.entries.iter().map(|entry| entry.span.end).max().unwrap_or(old.name_span.end);
        return match (&node.children, &old.children) {
            (Some(children), Some(_)) if node.name == "target" => {
                let inner = &snippet[snippet.find('{')? + 1..snippet.rfind('}')?];
                let known =
                    children.iter().all(|child| old.children.iter().flatten().all(|o| o.name != child.name));
                known
                    .then(|| put(bytes(old.span.end - 1, old.span.end - 1), &format!("; {inner} ")))
                    .flatten()
            }
            (None, Some(_)) => put(bytes(old.name_span.start, header), snippet),
            (_, _) => put(bytes(old.name_span.start, old.span.end), snippet),
        };
    }
    let unknown = steps.last().filter(|step| step.fields.is_none() && step.node.name_span == finding.span());
    let holds = |step: &&Step| {
        let field = step.fields.and_then(|fields| fields.field(&node.name));
        field.is_some_and(|field| {
            let block = field.block(name(node));
            let knows = |child: &Node| block.is_some_and(|fields| fields.field(&child.name).is_some());
            field.place.is_node() && (node.name != "target" || node.children.iter().flatten().all(knows))
        })
    };
    let step = steps.iter().rev().find(holds)?;
    let siblings = step.node.children.as_deref().unwrap_or_default();
    if let Some(old) = siblings.iter().find(|other| named(other)) {
        if node.children.is_some() || unknown.is_some() {
            return None;
        }
        let header = old.entries.iter().map(|entry| entry.span.end).max().unwrap_or(old.name_span.end);
        return put(bytes(old.name_span.start, header), snippet);
    }
    match unknown {
        Some(unknown) if siblings.iter().any(|other| other.span == unknown.node.span) => {
            put(bytes(unknown.node.name_span.start, unknown.node.span.end), snippet)
        }
        _ if step.node.children.is_some() => {
            put(bytes(step.node.span.end - 1, step.node.span.end - 1), &format!("\n{snippet}\n"))
        }
        _ => put(bytes(step.node.span.end, step.node.span.end), &format!(" {{ {snippet} }}")),
    }
}

/// Puts properties on the line of the nearest node that has them.
fn property(text: &str, steps: &[Step], snippet: &str) -> Option<String> {
    let (parsed, _) = nodes(&format!("x {snippet}"))?;
    let [node] = parsed.as_slice() else { return None };
    if node.children.is_some() || node.entries.is_empty() || node.entries.iter().any(|e| e.key.is_none()) {
        return None;
    }
    let keys: Vec<&str> =
        node.entries.iter().filter_map(|e| e.key.as_ref()).map(|(key, _)| key.as_str()).collect();
    let has = |step: &&Step| {
        step.fields
            .is_some_and(|f| keys.iter().all(|key| f.field(key).is_some_and(|field| !field.place.is_node())))
    };
    let step = steps.iter().rev().find(has)?;
    let [key] = keys.as_slice() else { return None };
    let old = step.node.property(key);
    let mut text = text.to_owned();
    match old.and_then(|old| Some((old.key.as_ref()?.1.start, old.span.end))) {
        Some((start, end)) => text.replace_range(start as usize..end as usize, snippet),
        None => {
            let entries = step.node.entries.iter();
            let end = entries.map(|entry| entry.span.end).max().unwrap_or(step.node.name_span.end) as usize;
            text.insert_str(end, &format!(" {snippet}"));
        }
    }
    Some(text)
}
