//! Snippets in helps: parsed as entries of a spec and inserted at their position.
use super::Judged;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::shape::Object;
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::{Node, Scalar, read_kdl};
use tfjob_targets::SHAPE;

/// Suggestions that are right only for some jobs, as their help says: a part of the message, and the snippet.
pub const CONDITIONS: [(&str, &str); 7] = [
    ("a TFJob sets up TensorFlow only", "framework \"custom\""),
    ("a TFJob sets up TensorFlow only", "role \"chief\""),
    ("agents do not offer host port", "network \"dcos\""),
    ("Marathon apps ignore", "as \"package\""),
    ("no task of this job waits for another task", "deadline \"2h\""),
    ("TensorFlow tasks wait for all of them", "restart \"on-failure\""),
    ("the job succeeds only when", "success \"chief\""),
];

/// Returns the entry of `CONDITIONS` for a snippet of a help, if any.
fn condition(finding: &Diagnostic, snippet: &str) -> Option<&'static (&'static str, &'static str)> {
    CONDITIONS.iter().find(|(says, way)| finding.message.contains(says) && *way == snippet)
}

/// Returns the entries of `CONDITIONS` that match a diagnostic.
pub fn conditions(finding: &Diagnostic) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let help = finding.help.as_deref().unwrap_or_default();
    quoted(help).filter_map(|snippet| condition(finding, snippet))
}

/// Returns the texts between backticks.
fn quoted(help: &str) -> impl Iterator<Item = &str> {
    help.split('`').skip(1).step_by(2)
}

/// Returns the properties and entries that a help says to remove.
pub fn removed(help: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for verb in ["remove `"] {
        for (at, _) in help.match_indices(verb) {
            let list = &help[at + verb.len() - 1..];
            let ends = [";", ":", " or "].into_iter().filter_map(|word| list.find(word));
            // The list continues after " and " only if another text in backquotes follows.
            let and = list.match_indices(" and ").find(|(at, and)| !list[at + and.len()..].starts_with('`'));
            let end = ends.chain(and.map(|(at, _)| at)).min().unwrap_or(list.len());
            let words = quoted(&list[..end]);
            found.extend(words.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        }
    }
    found
}

/// Returns the KDL nodes of a text, and the offset of its source; `None` if the text is not valid KDL.
fn nodes(text: &str) -> Option<(Vec<Node>, u32)> {
    let mut sources = Sources::default();
    let number = sources.add("snippet", Format::Kdl, text);
    let (kdl, told) = read_kdl(sources.get(number));
    told.is_empty().then_some((kdl.nodes, sources.get(number).base()))
}

/// Returns whether a snippet can be inserted unchanged: it has no placeholder, and does not only name an entry of the spec.
/// `data` and `files` need a URI, so `data "train"` names an entry.
pub fn is_literal(snippet: &str) -> bool {
    let slot = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_name = ["data \"", "files \""].iter().any(|start| snippet.starts_with(start))
        && snippet.matches('"').count() == 2
        && snippet.ends_with('"');
    !is_name && !snippet.contains(['…', '|', '[']) && !snippet.split(|c: char| !c.is_alphanumeric()).any(slot)
}

/// A KDL node that contains the position of the diagnostic, with the fields that its block can have.
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

/// Returns the nodes that contain a position, the outermost first.
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

/// Returns each suggestion of a help with the resulting spec: one per snippet, and one without the entries that the help removes.
pub fn ways(judged: &Judged, finding: &Diagnostic) -> Vec<(String, String)> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return Vec::new() };
    let help = help.replace("because=\"…\"", "because=\"x\"");
    let typed_in =
        quoted(&help).filter(|snippet| is_literal(snippet) && condition(finding, snippet).is_none());
    let typed_in =
        typed_in.filter_map(|way| Some((way.to_owned(), typed(&judged.text, place.start, way, finding)?)));
    // All entries that the help says to remove are removed together.
    let mut text = judged.text.clone();
    for word in removed(&help) {
        text = without(&text, place.start, word).unwrap_or(text);
    }
    let left_out = (text != judged.text).then(|| (format!("without {}", removed(&help).join(", ")), text));
    typed_in.chain(left_out).collect()
}

/// Returns the text without a property or entry of the nodes around a position, or of a node in the job.
pub fn without(text: &str, at: usize, word: &str) -> Option<String> {
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

/// Returns suggestions that lead to another error whose help leads back to the first error.
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

/// Returns a message if a suggestion of a help does not fix its error. Skips helps that also say what to remove.
pub fn idle(judged: &Judged, finding: &Diagnostic, target: &str) -> Option<String> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return None };
    // Phrases of helps that also remove something, or whose suggestions are needed together.
    let ends = [
        "remove",
        "leave out",
        "without",
        "` and ",
        ", and no `",
        ", and set `",
        "; and write `",
        ", with `",
        "with `checkpoints",
    ];
    if !finding.is_error() || ends.iter().any(|word| help.contains(word)) {
        return None;
    }
    let filled = filled(help);
    // A block without content, such as `role "a"`, only names a position.
    let names_a_place = |way: &str| way.split(' ').count() == 2 && !way.contains('=') && way.ends_with('"');
    let own = |way: &&str| {
        is_literal(way)
            && condition(finding, way).is_none()
            && !["memory=\"x\"", "port \"x\""].iter().any(|slot| way.contains(slot))
    };
    let ways = quoted(&filled).filter(own).filter(|way| !names_a_place(way) || !way.starts_with(['r', 't']));
    let typed: Vec<_> =
        ways.filter_map(|way| Some((way, typed(&judged.text, place.start, way, finding)?))).collect();
    // A snippet that is inserted into one role does not fix the same error in another role.
    let same = |d: &&Diagnostic| d.message == finding.message && d.is_error();
    let before = judged.findings.iter().filter(same).count();
    let stays = |text: &str| Judged::of(text, target).findings.iter().filter(same).count() >= before;
    let (way, _) = typed.iter().find(|(_, text)| stays(text))?;
    Some(format!("{target}: {}: `{way}` leaves it: {help}", finding.message))
}

/// Returns a help with an example value in place of each placeholder.
pub fn filled(help: &str) -> String {
    let slot = |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase());
    let parts = help.replace("https://…", "https://h/x").replace('…', "x");
    let parts = parts.split('"').map(|part| if slot(part) { "x" } else { part });
    parts.collect::<Vec<_>>().join("\"")
}

/// Returns the faults of the snippets in a help: an inserted snippet causes more errors or leads to another refusal.
pub fn faults(judged: &Judged, finding: &Diagnostic, target: &str) -> Vec<String> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return Vec::new() };
    // If the framework itself is refused, other errors are not reported before the fix.
    if finding.labels[0].text == "this use of feature `framework` is not supported" {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    let help = &help.replace("network \"…\"", "network \"x\"");
    for snippet in quoted(help).filter(|snippet| is_literal(snippet) && condition(finding, snippet).is_none())
    {
        let Some(text) = typed(&judged.text, place.start, snippet, finding) else { continue };
        let again = Judged::of(&text, target);
        // Snippets that are needed together are inserted one by one here.
        let one_of_several = [format!("`{snippet}` and `"), format!("` and `{snippet}`")]
            .iter()
            .any(|list| help.contains(list));
        // For example: "a port in it, with `when="ready"`".
        let part_of_another = help.contains(&format!(", with `{snippet}`"));
        // As in "both of these edits: `port "rendezvous" 2223`; `placement { spread "host"; }`". `together.rs` types all of them.
        let part_of_several = help.contains("make these ")
            || help
                .split_once(" of these edits: ")
                .is_some_and(|(_, all)| all.contains(&format!("`{snippet}`")));
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

/// The lines `checkpoints "…"` of a finding's help that the target refuses. A directory of the nodes may need the cluster file.
pub fn refused_checkpoints(judged: &Judged, finding: &Diagnostic, target: &str) -> Vec<String> {
    let (Some(help), Some(place)) = (&finding.help, judged.place(finding)) else { return Vec::new() };
    let mut wrong = Vec::new();
    for line in quoted(help).filter(|snippet| snippet.starts_with("checkpoints \"")) {
        let slots =
            [("BUCKET", "b"), ("PATH", "p"), ("HOST", "h"), ("EXPORT", "e"), ("CLAIM", "c"), ("…", "x")];
        let filled = slots.iter().fold(line.to_owned(), |line, (slot, value)| line.replace(slot, value));
        let Some(text) = typed(&judged.text, place.start, &filled, finding) else { continue };
        let again = Judged::of(&text, target);
        let of_line = |d: &&Diagnostic| {
            let line = |range: std::ops::Range<usize>| {
                let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
                text[start..].trim_start().starts_with("checkpoints")
            };
            d.is_error() && again.place(d).is_some_and(line)
        };
        let known = |d: &&Diagnostic| judged.findings.iter().any(|old| old.message == d.message);
        let declared =
            |d: &&Diagnostic| d.code.name == "unshared-checkpoints" && help.contains("shared mount");
        let next = again.findings.iter().filter(of_line).find(|d| !known(d) && !declared(d));
        wrong.extend(next.map(|d| format!("{target}: {}: `{line}` leads to {}", finding.message, d.message)));
    }
    wrong
}

/// Returns the text with the snippet inserted; `None` if it is not an entry of a spec, or fits nowhere around the diagnostic.
pub fn typed(text: &str, at: usize, snippet: &str, finding: &Diagnostic) -> Option<String> {
    let mut sources = Sources::default();
    let number = sources.add("spec", Format::Kdl, text);
    let (kdl, _) = read_kdl(sources.get(number));
    let steps = path(&kdl.nodes, at as u32);
    // The help suggests to make the role a helper: `helper "ps-helper"` stands for `role "ps"`.
    if let Some(name) = snippet.strip_prefix("helper ").map(|name| name.trim_matches('"'))
        && let roles = [name, name.split('-').next().unwrap_or(name)].map(|name| format!("role \"{name}\""))
        && let Some(role) = roles.iter().find(|role| text.contains(role.as_str()))
    {
        return Some(text.replacen(role, snippet, 1));
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

/// Replaces the node of the same name, or adds the node to the block.
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

/// Sets properties on the nearest node that supports them.
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
