//! Names that the spec, its base files, the cluster file, or the language declare.
use super::context::Context;
use super::inherited;
use super::insert::string;
use super::strings;
use crate::features::environments::joined;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tfjob_driver::Checked;
use tfjob_lang::codes::UNSUPPORTED_FEATURE;
use tfjob_lang::references;
use tfjob_lang::requirement::Feature;
use tfjob_lang::secrets;
use tfjob_lang::shape::{Field, Place, Shape};
use tfjob_lang::spec::{FrameworkName, StrategyName};
use tfjob_lang::tree::{Entry, Tree, Value};

/// A name or a string, with its description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Short description.
    pub detail: String,
    /// Description in Markdown.
    pub about: String,
    /// Whether the text is only an example, or is used elsewhere for something else.
    pub is_guess: bool,
}

impl Name {
    /// Creates a name with a short description.
    #[must_use]
    pub fn new(text: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { text: text.into(), detail: detail.into(), ..Self::default() }
    }
}

/// Maximum number of values in a placeholder.
const MAX_VALUES: usize = 8;

/// Returns the names of a field for a new entry, without those that are there already. Empty if the user chooses any name.
pub fn of(context: &Context<'_>, field: &Field) -> Vec<String> {
    let is_scalar = match &field.shape {
        Shape::List(list) => list.item.is_scalar(),
        shape => shape.is_scalar(),
    };
    if is_scalar {
        // A placeholder shows no descriptions, without which features and targets are hard to choose.
        let is_open = matches!(field.name, "feature" | "on");
        let names = strings::known(context, Some(field)).into_iter().filter(|_| !is_open);
        return names.map(|name| name.text).take(MAX_VALUES).collect();
    }
    let present: BTreeSet<String> = declared_here(context, field.name).into_iter().collect();
    let of_bases = of_bases(context, field);
    let is_free = |name: &Name| of_bases.contains(name) || !present.contains(&name.text);
    known(context, field).into_iter().filter(is_free).map(|name| name.text).collect()
}

/// Returns whether a new entry of a field may override one of a base file.
pub fn overrides(context: &Context<'_>, field: &Field) -> bool {
    !of_bases(context, field).is_empty()
}

/// Returns the roles or helpers of base files, which the document may override.
fn of_bases(context: &Context<'_>, field: &Field) -> Vec<Name> {
    match field.name {
        "role" | "helper" if field.place == Place::Named => inherited::names(context, field.name),
        _ => Vec::new(),
    }
}

/// Returns the names for an entry of a field, without those that other entries have.
pub fn entries(context: &Context<'_>, field: &Field) -> Vec<Name> {
    let own = context.cursor_text();
    let siblings: BTreeSet<String> = match &context.located {
        Some(located) => located.siblings.iter().cloned().collect(),
        None => {
            let chain = context.chain();
            let nodes = match chain.len() {
                0 | 1 => context.outline.nodes.as_slice(),
                depth => chain[depth - 2].nodes(),
            };
            let same = nodes.iter().filter(|node| node.name.text == field.name);
            let others = same
                .filter(|node| node.arguments().next().is_none_or(|word| word.bytes != context.cursor.word));
            others.filter_map(|node| node.key().map(str::to_owned)).collect()
        }
    };
    let free = |name: &Name| name.text == own || !siblings.contains(&name.text);
    known(context, field).into_iter().filter(free).collect()
}

/// Returns the names of the entries that the block at the cursor has already.
fn declared_here(context: &Context<'_>, field: &str) -> Vec<String> {
    context.here().iter().filter_map(|tree| tree.get(field)).flat_map(keys).collect()
}

fn keys(tree: &Tree) -> impl Iterator<Item = String> + use<'_> {
    tree.entries().iter().map(|entry| entry.key.clone())
}

/// Returns the names that an entry of a field probably has.
fn known(context: &Context<'_>, field: &Field) -> Vec<Name> {
    distinct(of_bases(context, field).into_iter().chain(of_language(context, field)).collect())
}

/// Returns the names of a field that the language, the job, or the cluster declares.
fn of_language(context: &Context<'_>, field: &Field) -> Vec<Name> {
    match field.name {
        "role" => roles_of_framework(context),
        "after" => others(context),
        "target" => with_options(context, field),
        "device" => clusters(context, "device"),
        "node" => clusters(context, "node"),
        "queue" | "helper" | "nodes" | "environment" => Vec::new(),
        "secret" => variables_without_value(context),
        name => undeclared(context, name),
    }
}

/// Returns the role names of the framework that the job may have besides its other roles; those of all frameworks if the job has
/// none.
fn roles_of_framework(context: &Context<'_>) -> Vec<Name> {
    let field =
        |name: &str| context.trees().find_map(|tree| tree.get("job")?.get("framework")?.get(name)?.text());
    let own = FrameworkName::ALL.into_iter().find(|framework| Some(framework.keyword()) == field("name"));
    let strategy =
        StrategyName::ALL.into_iter().find(|strategy| Some(strategy.keyword()) == field("strategy"));
    // Not those of the last check, which may contain a part of the name at the cursor.
    let roles = context.trees().next().and_then(|own| own.get("job")?.get("role"));
    let others = roles
        .into_iter()
        .flat_map(keys)
        .filter(|name| Some(name.as_str()) != context.role().map(|(_, own)| own));
    let others: Vec<String> =
        others.chain(inherited::names(context, "role").into_iter().map(|name| name.text)).collect();
    let mut names: Vec<Name> = Vec::new();
    for name in own.map_or_else(|| FrameworkName::ALL.to_vec(), |own| vec![own]) {
        let others: Vec<_> = others.iter().map(|other| name.kind_of(other)).collect();
        for kind in name.accepted_roles(strategy, &others) {
            names.push(Name::new(kind.keyword(), kind.about()));
        }
    }
    distinct(names)
}

/// Returns the roles and helpers of the job, without the one around the cursor.
pub fn others(context: &Context<'_>) -> Vec<Name> {
    let own = context.role().map(|(_, name)| name);
    roles(context).into_iter().filter(|name| Some(name.text.as_str()) != own).collect()
}

/// Returns the roles and helpers of the job.
pub fn roles(context: &Context<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    for job in context.trees().filter_map(|tree| tree.get("job")) {
        for block in ["role", "helper"] {
            names.extend(job.get(block).into_iter().flat_map(keys).map(|name| Name::new(name, block)));
        }
    }
    distinct(names)
}

/// Returns the targets: first those that the job configures.
pub fn targets(context: &Context<'_>) -> Vec<Name> {
    let registry = *context.session.host.driver().registry();
    let of_job = |name: &str| {
        let job = |tree: &Tree| tree.get("job")?.get("target")?.get(name).map(|_| ());
        let cluster =
            |tree: &Tree| tree.get("cluster")?.get("target")?.text().filter(|own| *own == name).map(|_| ());
        context.trees().any(|tree| job(tree).is_some())
            || context.clusters.iter().any(|tree| cluster(tree).is_some())
    };
    let mut names: Vec<Name> =
        registry.targets.iter().map(|target| Name::new(target.name(), target.about())).collect();
    names.sort_by_key(|name| !of_job(&name.text));
    names
}

/// Returns the features: first those that a target does not support in this job.
pub fn features(context: &Context<'_>) -> Vec<Name> {
    let results = context.session.last(&context.document.path);
    let mut refused = results.map_or_else(Vec::new, |results| refused(&results.checked));
    if refused.is_empty() && !context.cursor.word.is_empty() {
        refused = self::refused(&with_a_feature(context));
    }
    let (mut first, rest): (Vec<Feature>, Vec<Feature>) =
        Feature::ALL.iter().partition(|feature| refused.contains(feature));
    first.extend(rest);
    first.into_iter().map(|feature| Name::new(feature.name(), feature.doc())).collect()
}

/// Returns the features that a target refuses.
fn refused(checked: &[Checked]) -> Vec<Feature> {
    let found = checked.iter().flat_map(|checked| &checked.batch.diagnostics);
    found.filter(|one| one.code == &UNSUPPORTED_FEATURE).filter_map(|one| one.feature).collect()
}

/// Checks the document with a feature at the cursor: with another name there, such as `""`, targets are not checked.
fn with_a_feature(context: &Context<'_>) -> Vec<Checked> {
    let Some(feature) = Feature::ALL.first() else { return Vec::new() };
    let mut text = context.document.text.clone();
    text.replace_range(context.cursor.word.clone(), &string(context.format(), feature.name()));
    let mut unsaved = context.session.unsaved();
    Arc::make_mut(&mut unsaved).insert(context.document.path.clone(), text.into());
    context.session.checked_with(&context.document.path, &unsaved)
}

/// Returns the names that a field such as `data` or `port` declares: in the job, and in the role around the cursor. The description is
/// the value: in each environment, if they differ.
pub fn declared(context: &Context<'_>, field: &str) -> Vec<Name> {
    let mut names = Vec::new();
    for scope in context.scopes() {
        names.extend(scope.get(field).into_iter().flat_map(keys).map(|key| Name::new(key, "")));
    }
    let mut names = distinct(names);
    let own = context.trees().next().map(|tree| values(context, tree, field)).unwrap_or_default();
    let environments = context.session.environments(&context.document.path);
    let checked =
        context.session.last(&context.document.path).into_iter().flat_map(|results| &results.checked);
    let checked = checked.filter_map(|checked| Some(values(context, checked.tree.as_ref()?, field)));
    let checked: Vec<BTreeMap<&str, String>> = checked.collect();
    for name in &mut names {
        let all = checked.iter().enumerate().map(|(number, values)| {
            let environment = environments.get(number).map_or("", String::as_str);
            (environment, values.get(name.text.as_str()).cloned())
        });
        let all: Vec<_> = all.collect();
        // A name that was typed after the last check.
        let is_new = all.iter().all(|(_, value)| value.is_none());
        let new = || own.get(name.text.as_str()).cloned().unwrap_or_default();
        name.detail = if is_new { new() } else { joined(all) };
    }
    names
}

/// Returns the short values of the entries of a field, by name.
fn values<'t>(context: &Context<'_>, tree: &'t Tree, field: &str) -> BTreeMap<&'t str, String> {
    let scopes = context.scopes_in(tree).into_iter();
    let entries = scopes.filter_map(|scope| scope.get(field)).flat_map(Tree::entries);
    let value = |entry: &'t Entry| {
        let value = shown(&entry.tree);
        let is_safe = secrets::in_value(&entry.key, &value).is_empty();
        (entry.key.as_str(), if is_safe { value } else { String::new() })
    };
    entries.map(value).collect()
}

/// Returns the value of an entry as a short description.
fn shown(tree: &Tree) -> String {
    let is_value = |first: &&Entry| first.is_plain() || first.key == "value";
    let value = tree.entries().first().filter(is_value).map_or(tree, |first| &first.tree);
    match &value.value {
        Value::Text(text) if text.len() <= 80 => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Text(_) | Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => String::new(),
    }
}

/// Returns the names in other blocks of the same field, such as `env` or `labels`, and the settings that the target knows, without those
/// of the block at the cursor.
pub fn variables(context: &Context<'_>) -> Vec<Name> {
    let Some((block, above)) = context.cursor.path.split_last() else { return Vec::new() };
    let mut names = used_in(context, &block.name);
    let target = above.last().filter(|step| step.name == "target").and_then(|step| step.key.as_deref());
    let registry = *context.session.host.driver().registry();
    if let Some(target) = target.and_then(|name| registry.target(name)) {
        let present = context.present();
        let is_free = |key: &&str| !present.contains(key);
        let settings = target.settings(&block.name).into_iter().filter(is_free);
        names.extend(settings.map(|key| Name::new(key, format!("setting of {}", target.name()))));
    }
    distinct(names)
}

fn used_in(context: &Context<'_>, block: &str) -> Vec<Name> {
    let mut names = Vec::new();
    for tree in context.trees() {
        maps(tree, block, &mut |map| names.extend(keys(map).map(|key| Name::new(key, "used elsewhere"))));
    }
    let present: BTreeSet<&str> = context.present().into_iter().collect();
    names.retain(|name| !present.contains(name.text.as_str()) && name.text != context.cursor_text());
    distinct(names)
}

/// Returns the names of environment variables that a secret may set: a role gets the variables and the secrets of the job, and may
/// have each name only once.
fn variables_without_value(context: &Context<'_>) -> Vec<Name> {
    if context.role().is_none() {
        return Vec::new();
    }
    let taken: BTreeSet<String> =
        context.scopes().into_iter().filter_map(|scope| scope.get("env")).flat_map(keys).collect();
    used_in(context, "env").into_iter().filter(|name| !taken.contains(&name.text)).collect()
}

/// Returns the targets that may have a block in a field: in a role, only those that have options for roles.
fn with_options(context: &Context<'_>, field: &Field) -> Vec<Name> {
    let in_role = context.role().is_some();
    let has_options = |options: &Field| !options.shape.object().is_some_and(|all| all.fields.is_empty());
    let is_valid = |name: &Name| {
        field
            .shape
            .object()
            .is_none_or(|all| all.field(&name.text).is_some_and(|own| !in_role || has_options(own)))
    };
    targets(context).into_iter().filter(is_valid).collect()
}

/// Returns the secrets of all roles, which TensorBoard may get.
pub fn secrets_of_roles(context: &Context<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    for tree in context.trees() {
        maps(tree, "secret", &mut |map| {
            names.extend(keys(map).map(|key| Name::new(key, "secret of this job")))
        });
    }
    distinct(names)
}

/// Calls `found` for each map with this key.
fn maps(tree: &Tree, key: &str, found: &mut dyn FnMut(&Tree)) {
    for entry in tree.entries() {
        if entry.key == key {
            found(&entry.tree);
        }
        maps(&entry.tree, key, found);
    }
}

/// Returns the names in references to entries of this field that are not declared: of `{data.train}`, `train`.
fn undeclared(context: &Context<'_>, field: &str) -> Vec<Name> {
    if !references::ALL.iter().any(|reference| reference.head == field) {
        return Vec::new();
    }
    let declared: BTreeSet<String> = declared(context, field).into_iter().map(|name| name.text).collect();
    let mut names = Vec::new();
    let mark = format!("{{{field}.");
    for tree in context.trees() {
        texts(tree, &mut |text| {
            for (at, _) in text.match_indices(&mark) {
                let rest = &text[at + mark.len()..];
                let name = rest.split('}').next().filter(|name| name.len() < rest.len() && !name.is_empty());
                let new = name.filter(|name| !declared.contains(*name));
                names.extend(new.map(|name| Name::new(name, format!("used by `{mark}{name}}}`"))));
            }
        });
    }
    distinct(names)
}

/// Calls `found` for each string of a tree.
fn texts(tree: &Tree, found: &mut dyn FnMut(&str)) {
    match &tree.value {
        Value::Text(text) => found(text),
        Value::List(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Map(entries) => entries.iter().for_each(|entry| texts(&entry.tree, found)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {}
    }
}

/// Returns the names or values of a field of the cluster file: in its `nodes` and `queue` blocks, or directly in `cluster`.
pub fn clusters(context: &Context<'_>, field: &str) -> Vec<Name> {
    let mut names = Vec::new();
    let own = context.trees();
    for cluster in context.clusters.iter().chain(own).filter_map(|tree| tree.get("cluster")) {
        let about = cluster.get("name").and_then(Tree::text).unwrap_or("the cluster").to_owned();
        let detail = format!("of cluster {about}");
        let groups = ["nodes", "queue"].iter().filter_map(|block| cluster.get(block));
        let groups = groups.flat_map(Tree::entries).map(|entry| &entry.tree);
        for value in std::iter::once(cluster).chain(groups).filter_map(|tree| tree.get(field)) {
            match &value.value {
                Value::Text(text) => names.push(Name::new(text, &detail)),
                Value::Map(entries) => {
                    names.extend(entries.iter().map(|entry| Name::new(&entry.key, &detail)));
                }
                Value::List(items) => {
                    let texts = items
                        .iter()
                        .filter_map(|item| item.text().or_else(|| item.entries().first()?.tree.text()));
                    names.extend(texts.map(|text| Name::new(text, &detail)));
                }
                Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Hole => {}
            }
        }
    }
    distinct(names)
}

/// Returns the first of the names with the same text, in order. Removes empty names.
pub fn distinct(mut names: Vec<Name>) -> Vec<Name> {
    let mut known = BTreeSet::new();
    names.retain(|name| !name.text.is_empty() && known.insert(name.text.clone()));
    names
}
