//! Strings: units, URIs, and names of other things.
use super::context::Context;
use super::example::{Example, value};
use super::files;
use super::fit::{Fit, is_name, name_of_file};
use super::insert::{Draft, string};
use super::item::{Item, Rank};
use super::names::{self, Name, distinct};
use super::settings;
use super::values::text_item;
use lsp_types::CompletionItemKind;
use tfjob_lang::shape::{Field, Grammar, Place, Shape};
use tfjob_lang::spec::is_downloaded;
use tfjob_lang::spec::values::{Class, Scheme};

/// Returns the strings that may be written at the cursor.
pub fn items(context: &Context<'_>, field: Option<&'static Field>, grammar: Grammar) -> Vec<Item> {
    let (texts, kind) = match grammar {
        Grammar::Memory | Grammar::Duration | Grammar::PositiveDuration => {
            return units(context, field, grammar);
        }
        Grammar::Uri => (uris(context, field), CompletionItemKind::VALUE),
        Grammar::PortName | Grammar::PortPath => (ports(context, grammar), CompletionItemKind::REFERENCE),
        Grammar::Image => (images(context), CompletionItemKind::VALUE),
        Grammar::Name
        | Grammar::Path
        | Grammar::EnvName
        | Grammar::Text
        | Grammar::Filled
        | Grammar::GitRef
        | Grammar::Version
        | Grammar::UserName
        | Grammar::ParamName => {
            let kind = if field.is_some_and(|field| field.paths().is_some()) {
                CompletionItemKind::FILE
            } else {
                CompletionItemKind::VALUE
            };
            (known(context, field), kind)
        }
    };
    let has_settings = field.is_some_and(Field::has_settings);
    let make = |(number, name): (usize, Name)| {
        let draft = Draft::of(string(context.format(), &name.text));
        if !has_settings {
            return text_item(context, name, number, draft, kind);
        }
        let (continues, text) = (name.text.ends_with(['.', '=']), name.text.clone());
        let item = text_item(context, name, number, draft, kind);
        settings::in_place(context, &text, Item { continues, ..item })
    };
    let mut texts = texts;
    texts.extend(guesses(context, field, grammar, &texts));
    distinct(texts).into_iter().enumerate().map(make).collect()
}

/// Returns the values of the same field elsewhere in the spec, and the example of the field. `texts`: the values before them.
fn guesses(context: &Context<'_>, field: Option<&Field>, grammar: Grammar, texts: &[Name]) -> Vec<Name> {
    let Some(field) = field else { return Vec::new() };
    // The values of an argument are found by the name of its node.
    let node = context.cursor.path.last().map(|step| step.name.as_str());
    let name = if field.place == Place::Arg { node.unwrap_or(field.name) } else { field.name };
    let is_free =
        matches!(name, "job" | "cluster" | "description" | "because" | "shell" | "run" | "on" | "allow");
    // A port must be declared, and the ports of the role are offered already.
    let is_port = matches!(grammar, Grammar::PortName | Grammar::PortPath);
    let is_known =
        field.paths().is_some() || field.has_settings() && !(texts.is_empty() && context.typed().is_empty());
    if is_known || is_free || is_port {
        return Vec::new();
    }
    let guess = |text: String, detail| Name { is_guess: true, ..Name::new(text, detail) };
    let mut guesses: Vec<Name> =
        context.used(name).into_iter().map(|text| guess(text, "used elsewhere")).collect();
    let example = Example::named(name, field.place == Place::Prop);
    let example = value(Some(field), &Shape::Text(grammar), example.arguments.last().map(String::as_str));
    let example = Fit::of(context).value(Some(field), example);
    let scheme = Scheme::of_address(&example).filter(|_| grammar == Grammar::Uri);
    let has_scheme = |one: &Name| scheme.is_some_and(|scheme| one.text == scheme.example());
    if !texts.iter().chain(&guesses).any(has_scheme) {
        guesses.push(guess(example, "example"));
    }
    guesses
}

/// Returns the typed number with each unit. Without a number, returns the example.
fn units(context: &Context<'_>, field: Option<&Field>, grammar: Grammar) -> Vec<Item> {
    let typed = context.typed();
    let digits = typed.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = digits.ends_with(|c: char| c.is_ascii_digit());
    let example = value(field, &Shape::Text(grammar), None);
    let item = |number: usize, text: String, detail: &str| {
        let draft = Draft::of(string(context.format(), &text));
        let mut item = text_item(context, Name::new(text, detail), number, draft, CompletionItemKind::UNIT);
        item.is_unit = true;
        item
    };
    if !is_number {
        let used = field.map(|field| context.used(field.name)).unwrap_or_default();
        let mut items: Vec<Item> =
            used.into_iter().enumerate().map(|(number, text)| item(number, text, "used elsewhere")).collect();
        if items.iter().all(|item| item.label != example) {
            items.push(Item { rank: Rank::Guess(0), ..item(0, example, "example") });
        }
        return items;
    }
    // The description of the grammar lists its units: "a size in `MiB` or `GiB`, such as `"16GiB"`".
    let (units, _) = grammar.words().split_once("such as").unwrap_or((grammar.words(), ""));
    let units: Vec<&str> = units.split('`').skip(1).step_by(2).collect();
    // A unit that is invalid after the typed text is left out: `2h30d` is not a duration.
    let units: Vec<&str> =
        units.into_iter().filter(|unit| grammar.check(&format!("{digits}{unit}")).is_ok()).collect();
    let usual = |unit: &&&str| example.ends_with(**unit);
    let first = units.iter().find(usual).copied();
    let make = |(number, unit): (usize, &&str)| {
        let number = if first == Some(*unit) { 0 } else { number + 1 };
        item(number, format!("{digits}{unit}"), "")
    };
    units.iter().enumerate().map(make).collect()
}

/// Returns the forms of URIs, the shared directories of the cluster, and the files next to the spec.
fn uris(context: &Context<'_>, field: Option<&Field>) -> Vec<Name> {
    let mut texts = names::clusters(context, "shared");
    if field.is_some_and(|field| field.name == "shared") {
        return known(context, field);
    }
    texts.extend(files::beside(context));
    let is_downloaded = context.cursor.path.last().is_some_and(|step| is_downloaded(&step.name));
    let schemes = Scheme::ALL.iter().filter(|scheme| is_downloaded || !scheme.class().is_served());
    let mut schemes: Vec<&Scheme> = schemes.collect();
    // A program needs a Hadoop client to read HDFS.
    let has_hdfs = Fit::of(context).has_hdfs;
    schemes.sort_by_key(|scheme| !has_hdfs && scheme.class() == Class::Hadoop);
    texts.extend(
        schemes.into_iter().map(|scheme| Name {
            about: scheme.about().to_owned(),
            ..Name::new(scheme.example(), "example")
        }),
    );
    distinct(texts)
}

/// Returns the ports of the role, and the port at which tasks connect to each other.
pub fn ports(context: &Context<'_>, grammar: Grammar) -> Vec<Name> {
    let mut ports = names::declared(context, "port");
    // A helper is not part of the rendezvous.
    let is_helper = context.role().is_some_and(|(kind, _)| kind == "helper");
    let rendezvous = super::references::named("port").filter(|_| !is_helper);
    ports.extend(rendezvous.map(|name| Name::new(name, "port of the rendezvous")));
    ports = distinct(ports);
    if grammar == Grammar::PortPath {
        ports.iter_mut().for_each(|port| port.text.push('/'));
    }
    ports
}

fn images(context: &Context<'_>) -> Vec<Name> {
    let registries = names::clusters(context, "registry").into_iter();
    registries.map(|name| Name { text: format!("{}/", name.text.trim_end_matches('/')), ..name }).collect()
}

/// Returns the names that a string in this field may refer to, such as features or targets.
pub fn known(context: &Context<'_>, field: Option<&Field>) -> Vec<Name> {
    let Some(field) = field else { return Vec::new() };
    if let Shape::Text(grammar @ (Grammar::PortName | Grammar::PortPath)) = field.shape {
        return ports(context, grammar);
    }
    let block = context.cursor.path.last();
    match field.name {
        // `shared` of a cluster file accepts only directories of the nodes.
        "shared" => vec![Name::new(Scheme::File.example(), "example")],
        "feature" => names::features(context),
        _ if is_name(field) => vec![Name::new(name_of_file(context), "name of the file")],
        "on" | "target" => names::targets(context),
        "gpu-model" | "partition" => names::clusters(context, field.name),
        "value" if block.is_some_and(|step| step.name == "node") => attributes(context),
        "keytab" => {
            let secrets = names::declared(context, "secret").into_iter();
            secrets.map(|name| Name::new(format!("secret:{}", name.text), "secret of this job")).collect()
        }
        "secrets" => names::secrets_of_roles(context),
        name if name == "queue" || name.ends_with("-queue") => {
            let trees = context.clusters.iter().filter_map(|tree| tree.get("cluster")?.get("queue"));
            let queues = trees.flat_map(|queues| queues.entries());
            queues.map(|queue| Name::new(&queue.key, "queue of the cluster")).collect()
        }
        _ if field.paths().is_some() => files::paths(context, field),
        _ if field.has_settings() => settings::names(context),
        _ => Vec::new(),
    }
}

/// Returns the values of the node attribute at the cursor in the cluster file.
fn attributes(context: &Context<'_>) -> Vec<Name> {
    let Some(key) = context.cursor.path.last().and_then(|step| step.key.as_deref()) else {
        return Vec::new();
    };
    let mut values = Vec::new();
    let nodes = context.clusters.iter().filter_map(|tree| tree.get("cluster")?.get("nodes"));
    for group in nodes.flat_map(|nodes| nodes.entries()) {
        let value = group.tree.get("node").and_then(|node| node.get(key)?.get("value")?.text());
        values.extend(value.map(|value| Name::new(value, format!("nodes {}", group.key))));
    }
    distinct(values)
}
