//! The description of a field, and of the keyword at the cursor.
use super::Place;
use crate::cursor::{Cursor, Slot};
use std::fmt::Write;
use tfjob_lang::requirement::Feature;
use tfjob_lang::shape::{Choice, Field, Object, Place as Written, Shape};
use tfjob_lang::sources::Format;
use tfjob_lang::spec::FrameworkName;

/// Maximum number of keywords that are listed with their descriptions.
const MAX_CHOICES: usize = 12;

/// What the cursor is at.
pub enum Subject<'s> {
    /// The name of a field.
    Name(&'s Field),
    /// A value of a field.
    Value(&'s Field),
    /// The name of an entry, such as a role or a target.
    Key(&'s Field),
}

impl<'s> Subject<'s> {
    /// Returns what the cursor is at. `None` where nothing is written, or for an unknown name.
    #[must_use]
    pub fn of(cursor: &Cursor, root: &'s Shape, word: &str) -> Option<Self> {
        if cursor.word.is_empty() {
            return None;
        }
        match &cursor.slot {
            Slot::Node => match cursor.object(root).and_then(|object| object.field(word)) {
                Some(field) => Some(Self::Name(field)),
                // A name of the user in `env`, `labels`, and other names with values.
                None => pairs(cursor, root).map(Self::Key),
            },
            Slot::Property(name) => Some(Self::Value(property(cursor, root, name)?)),
            Slot::Entry(number) | Slot::Argument(number) => {
                match property(cursor, root, word).filter(|_| !cursor.quoted) {
                    Some(field) => Some(Self::Name(field)),
                    None => argument(cursor, root, *number),
                }
            }
        }
    }
}

/// Returns the field of the node at the cursor, if the children of the node are pairs of names and values.
fn pairs<'s>(cursor: &Cursor, root: &'s Shape) -> Option<&'s Field> {
    cursor.field(root).filter(|field| field.place == Written::Pairs)
}

fn property<'s>(cursor: &Cursor, root: &'s Shape, name: &str) -> Option<&'s Field> {
    let field = cursor.object(root)?.field(name)?;
    (!field.place.is_node()).then_some(field)
}

/// Returns the subject of an argument. `number` starts at 0, and the name of a named entry counts as an argument.
fn argument<'s>(cursor: &Cursor, root: &'s Shape, number: usize) -> Option<Subject<'s>> {
    let Some(field) = cursor.field(root) else {
        // The value of a name in `env`.
        let steps = cursor.steps();
        let (_, above) = steps.split_last()?;
        return root.find(above).filter(|field| field.place == Written::Pairs).map(Subject::Value);
    };
    let arguments =
        |object: &'s Object, number: usize| object.at(Written::Arg).nth(number).map(Subject::Value);
    match field.place {
        Written::Named | Written::Targets if number == 0 => Some(Subject::Key(field)),
        Written::Named => match field.block(None) {
            Some(object) => arguments(object, number - 1),
            None => Some(Subject::Value(field)),
        },
        Written::Args => Some(Subject::Value(field)),
        Written::Child | Written::List => match field.block(None) {
            Some(object) => arguments(object, number),
            None => Some(Subject::Value(field)),
        },
        Written::Arg | Written::Prop | Written::Pairs | Written::Targets => None,
    }
}

/// Returns the description, in Markdown.
#[must_use]
pub fn parts(place: &Place<'_>, cursor: &Cursor) -> Vec<String> {
    let text = place.document.text.get(cursor.word.clone()).unwrap_or_default();
    let word = text.trim_matches(['"', '\'', '#']);
    let format = place.document.format();
    match Subject::of(cursor, place.root, word) {
        Some(Subject::Name(field)) => vec![described(format, field, None)],
        Some(Subject::Value(field)) => {
            let mut all = vec![described(format, field, Some(word))];
            all.extend(feature(field, word));
            all
        }
        Some(Subject::Key(field)) => vec![key(place, field, word)],
        None => Vec::new(),
    }
}

/// Describes a field: form, description, accepted values, default, and the fields of a block. `value`: the value at the cursor.
fn described(format: Format, field: &Field, value: Option<&str>) -> String {
    let shown = choices(&field.shape).iter().filter(|choice| !choice.doc.is_empty()).take(MAX_CHOICES);
    let items: Vec<String> = shown
        .map(|choice| {
            let bold = if value == Some(choice.word) { "**" } else { "" };
            format!("- {bold}`\"{}\"`{bold}: {}", choice.word, choice.doc)
        })
        .collect();
    let mut out = format!("{}\n\n{}", fenced(format, &field.form_in(format)), field.doc);
    match field.block(None) {
        Some(block) if !block.fields.is_empty() => {
            let names: Vec<String> = block.fields.iter().map(|field| format!("`{}`", field.name)).collect();
            let _ = write!(out, "\n\nFields: {}", names.join(", "));
        }
        Some(_) => {}
        None if field.place == Written::Targets => {}
        // All accepted values are keywords, which are listed with their descriptions, so the line `Accepted` is omitted.
        None if items.len() == choices(&field.shape).len() && !items.is_empty() => {}
        None => {
            let accepted = match (&field.shape, value) {
                // A value in a block of names and values, such as `env`.
                (Shape::Keyed(keyed), Some(_)) => keyed.item.words(),
                (_, _) => field.accepted(),
            };
            let _ = write!(out, "\n\nAccepted: {accepted}");
        }
    }
    match (&field.default, field.required) {
        (Some(default), _) => {
            let _ = write!(out, "\n\nDefault: `{default}`");
        }
        (None, true) => out.push_str("\n\nRequired"),
        (None, false) => {}
    }
    if !items.is_empty() {
        let _ = write!(out, "\n\n{}", items.join("\n"));
    }
    out
}

/// Returns a code block of Markdown.
fn fenced(format: Format, text: &str) -> String {
    let language = match format {
        Format::Kdl | Format::Set => "kdl",
        Format::Json => "json",
        Format::Yaml => "yaml",
    };
    format!("```{language}\n{text}\n```")
}

/// Returns the keywords that a shape accepts.
fn choices(shape: &Shape) -> &'static [Choice] {
    match shape {
        Shape::Words(choices) => choices,
        Shape::NumberOr(_, other) => choices(other),
        Shape::List(list) => choices(&list.item),
        Shape::Object(_)
        | Shape::Keyed(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::Scalar
        | Shape::Any => &[],
    }
}

/// Describes the feature that `allow` names.
fn feature(field: &Field, word: &str) -> Option<String> {
    let feature = Feature::named(word).filter(|_| field.name == "feature")?;
    Some(format!("`{}`: {}", feature.name(), feature.doc()))
}

/// Describes a name of the user: a role, a target, or another entry.
fn key(place: &Place<'_>, field: &Field, word: &str) -> String {
    let registry = *place.session.host.driver().registry();
    let format = place.document.format();
    if field.place == Written::Targets
        && let Some(target) = registry.target(word)
    {
        let form = match format {
            Format::Kdl | Format::Set => format!("{} \"{word}\"", field.name),
            Format::Json => format!("\"{}\": {{ \"{word}\": {{ … }} }}", field.name),
            Format::Yaml => format!("{}: {{ {word}: {{ … }} }}", field.name),
        };
        return format!("{}\n\n{}", fenced(format, &form), target.about());
    }
    let mut out = format!("{}\n\n{}.", fenced(format, &field.form_in(format)), field.brief());
    if field.name == "role"
        && let Some(about) = framework(place).and_then(|framework| about(framework, word))
    {
        let _ = write!(out, "\n\n{about}");
    }
    out
}

/// Returns the framework of the job, also of a job with errors.
fn framework(place: &Place<'_>) -> Option<FrameworkName> {
    let tree = place.checked.first()?.tree.as_ref()?;
    let name = tree.get("job")?.get("framework")?.get("name")?.text()?;
    FrameworkName::ALL.iter().copied().find(|framework| framework.keyword() == name)
}

/// Describes a role of a framework.
fn about(framework: FrameworkName, role: &str) -> Option<String> {
    let kind = framework.roles().iter().find(|kind| kind.keyword() == role)?;
    Some(format!("`{role}` of {}: {}", framework.keyword(), kind.about()))
}
