//! Reads a spec and its chain of base files. Each text is checked separately. Then all are merged, from the end of the chain to the
//! spec.
use super::twice::deduplicate;
use super::{Loaded, Nodes, Request, pasted};
use crate::codes::{AMBIGUOUS_SCALAR, EXTENDS_CYCLE, UNKNOWN_KEY, UNREADABLE_BASE};
use crate::diagnostic::Diagnostic;
use crate::escape::Escaped;
use crate::merge;
use crate::shape::{self, Shape};
use crate::sources::{Format, Sources, Span};
use crate::syntax::{read_json, read_kdl, read_yaml};
use crate::target::AnyTarget;
use crate::tree::{Entry, Tree, Value};

/// Maximum number of files in a chain of `extends`.
const MAX_FILES: usize = 16;

/// Reads the spec and its base files, and returns the merged tree. Keeps the nodes of the spec in `nodes`.
pub(super) fn read(
    request: &Request<'_>,
    sources: &mut Sources,
    nodes: &Nodes,
    out: &mut Vec<Diagnostic>,
) -> Tree {
    let shape = request.registry.jobs;
    let mut chain: Vec<(Tree, String)> = Vec::new();
    let mut links: Vec<Span> = Vec::new();
    let mut lost = None;
    let mut next =
        Some(Loaded { name: request.name.to_owned(), text: request.text.to_owned(), format: request.format });
    while let Some(text) = next.take() {
        let mut tree = match foreign_format(&text, request.registry.targets, sources, out) {
            Some(nothing) => nothing,
            None => read_one(&text, shape, sources, nodes, out),
        };
        let extends = tree.get("extends").map(|t| (t.span, t.text().map(str::to_owned)));
        if extends.is_some() {
            remove_holes(&mut tree);
        }
        chain.push((tree, text.name.clone()));
        let Some((at, path)) = extends else { break };
        let Some(path) = path else {
            lost = Some(at);
            break;
        };
        links.push(at);
        match (request.load)(&text.name, &path) {
            Err(why) => {
                lost = Some(at);
                out.push(unreadable(at, &path, &why));
            }
            Ok(base) => match chain.iter().position(|(_, name)| *name == base.name) {
                Some(first) => out.push(cycle(&chain, &links, first)),
                None if chain.len() >= MAX_FILES => {
                    lost = Some(at);
                    out.push(too_long(at));
                }
                None => next = Some(base),
            },
        }
    }
    let mut trees = chain.into_iter().rev().map(|(tree, _)| tree);
    let far = trees.next().unwrap_or(Tree { span: Span::default(), value: Value::Map(Vec::new()) });
    let mut merged = trees.fold(far, |base, near| merge::merge(base, near, shape));
    if let (Some(span), Value::Map(entries)) = (lost, &mut merged.value) {
        // The base file that could not be read may contain any entry, so missing entries are not reported.
        entries.push(hole(span));
    }
    merged
}

/// Reports a text in the format of another system, and returns a tree with unknown content, so that no entry counts as missing.
/// Returns `None` if the text may be a spec.
fn foreign_format(
    text: &Loaded,
    targets: &[&dyn AnyTarget],
    sources: &mut Sources,
    out: &mut Vec<Diagnostic>,
) -> Option<Tree> {
    let found = pasted::find(text, targets)?;
    let number = sources.add(text.name.as_str(), text.format, text.text.as_str());
    let source = sources.get(number);
    out.push(found.diagnostic(source));
    Some(Tree::map(source.span(), vec![hole(source.span())]))
}

/// Removes the holes (unreadable parts) at the top level of a file that extends another one.
fn remove_holes(tree: &mut Tree) {
    if let Value::Map(entries) = &mut tree.value {
        entries.retain(|entry| !entry.key.is_empty());
    }
}

/// Returns an entry for an unreadable part, which may contain anything.
const fn hole(span: Span) -> Entry {
    Entry { key: String::new(), key_span: span, tree: Tree { span, value: Value::Hole } }
}

fn unreadable(at: Span, path: &str, why: &str) -> Diagnostic {
    let fact = match path {
        "" => "`extends` is empty".to_owned(),
        _ => format!("cannot read `{}`: {why}", path.escaped()),
    };
    Diagnostic::new(&UNREADABLE_BASE, at, fact)
        .blocks_targets("extends")
        .here("path of the base file")
        .help("check the path: it is relative to the file with this `extends`, and must be inside the project directory (the Git repository)")
}

fn too_long(at: Span) -> Diagnostic {
    Diagnostic::new(&UNREADABLE_BASE, at, format!("`extends` chains more than {MAX_FILES} files"))
        .blocks_targets("extends")
        .here("first file beyond the limit")
        .help("merge some of these files")
}

fn cycle(chain: &[(Tree, String)], links: &[Span], first: usize) -> Diagnostic {
    let names: Vec<&str> = chain[first..].iter().map(|(_, name)| name.as_str()).collect();
    let last = links.last().copied().unwrap_or_default();
    let path = names.iter().chain([&names[0]]).copied().collect::<Vec<_>>().join(" → ");
    let mut found = Diagnostic::new(&EXTENDS_CYCLE, last, format!("`extends` forms a cycle: {path}"))
        .blocks_targets("extends")
        .here(format!("extends `{}` again", names[0]));
    for (at, name) in links[first..links.len().saturating_sub(1)].iter().zip(names.iter().skip(1)) {
        found = found.label(*at, format!("extends `{name}`"));
    }
    found.help(match &links[first..] {
        [_] => "remove this `extends` line",
        _ => "remove one of these `extends` lines",
    })
}

/// Reads one text: returns its tree, and reports its syntax errors and invalid fields. Keeps its nodes in `nodes` if it is the first
/// text in KDL.
pub(crate) fn read_one(
    text: &Loaded,
    shape: &Shape,
    sources: &mut Sources,
    nodes: &Nodes,
    out: &mut Vec<Diagnostic>,
) -> Tree {
    let number = sources.add(text.name.as_str(), text.format, text.text.as_str());
    let source = sources.get(number);
    let mut tree = match text.format {
        Format::Kdl | Format::Set => {
            let (kdl, common_mistakes) = read_kdl(source);
            let (mut tree, mut found) = shape::read(&kdl, source, shape);
            found.extend(shape::judge(&tree, shape, sources));
            out.extend(deduplicate(source, common_mistakes, found));
            let base = kdl.broken.iter().any(|lost| source.slice(*lost).contains("extend"));
            let block = tree.get("job").or_else(|| tree.get("cluster"));
            if block.is_some() && !base {
                remove_holes(&mut tree);
            }
            nodes.keep(source, kdl.nodes);
            tree
        }
        Format::Json | Format::Yaml => {
            let (tree, found) =
                if text.format == Format::Json { read_json(source) } else { read_yaml(source) };
            // An empty YAML document counts as a file without fields, as an empty KDL document does.
            let empty = text.format == Format::Yaml
                && found.is_empty()
                && tree.as_ref().is_none_or(|tree| tree.value == Value::Null);
            out.extend(found);
            let fields = if empty { Vec::new() } else { vec![hole(source.span())] };
            let nothing = || Tree::map(source.span(), fields);
            tree.filter(|_| !empty).unwrap_or_else(nothing)
        }
    };
    if matches!(text.format, Format::Json | Format::Yaml) {
        shape::normalize(&mut tree, shape);
        let found = shape::judge(&tree, shape, sources);
        // If a key is unknown, advice to quote this key is useless, so that advice is dropped.
        let unknown = |at: Span| found.iter().any(|d| d.code == &UNKNOWN_KEY && d.span() == at);
        out.retain(|d| d.code != &AMBIGUOUS_SCALAR || !unknown(d.span()));
        out.extend(found);
        shape::fill(&mut tree, shape);
    }
    tree
}

/// Returns the display name of a setting: that of its file, or `--set`. If there are several `--set`, each name contains the number
/// of the `--set`. `position`: index of the setting in `set` of the request.
pub(super) fn setting_name(request: &Request<'_>, position: usize) -> String {
    let first = request.project.map_or(0, |(_, count)| count);
    if let Some(file) = request.settings_file.filter(|_| position >= first) {
        return file.to_owned();
    }
    match request.project {
        Some((name, count)) if position < count => name.to_owned(),
        Some(_) | None if request.set.len() > first + 1 => format!("--set ({})", position - first + 1),
        Some(_) | None => "--set".to_owned(),
    }
}
