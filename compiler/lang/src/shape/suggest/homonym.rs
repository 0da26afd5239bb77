//! Names with two meanings: an option of a target, and a field of the job.
use super::{longer_options, of_target};
use crate::shape::entries::scalar;
use crate::shape::words::one_of;
use crate::shape::{Field, Object, Place, Shape, keys, literal, misspelt, repair};
use crate::sources::{Format, Source, Span};
use crate::syntax::Node;
use crate::tree::Value;

/// Returns the text of an entry, if a help can quote it: one line without backticks.
pub fn line(source: &Source, span: Span) -> Option<&str> {
    let text = source.slice(span).trim_end_matches([';', ' ']);
    (!text.contains(['\n', '`'])).then_some(text)
}

fn job(root: &Shape) -> Option<&Object> {
    root.block(&[("job", None)])
}

/// Returns the options of this name, each with its target.
fn options<'s>(root: &'s Shape, name: &str) -> Vec<(&'s str, &'s Field)> {
    let targets = job(root).and_then(|job| job.field("target")).map(|field| &field.shape);
    let Some(Shape::Object(targets)) = targets else { return Vec::new() };
    let option = |target: &'s Field| Some((target.name, target.shape.object()?.field(name)?));
    targets.fields.iter().filter_map(option).collect()
}

/// Returns whether the field is an option of a target.
pub fn is_option(root: &Shape, field: &Field) -> bool {
    options(root, field.name).iter().any(|(_, option)| *option == field)
}

/// Returns whether the entry is valid for the field. Checks the form, the required properties, and, if the field takes a single
/// value, the value.
fn takes(field: &Field, node: &Node) -> bool {
    let required = field.shape.object().into_iter().flat_map(|object| object.at(Place::Prop));
    misspelt::is(field, node)
        && required
            .filter(|property| property.required)
            .all(|property| node.property(property.name).is_some())
        && match node.entries.as_slice() {
            [only] if field.shape.is_scalar() => repair::fits(&scalar(only).value, &field.shape),
            _ => true,
        }
}

/// Returns the help for an entry of the job that only a target accepts as an option, with the line of the user:
/// ``write `target "X" { queue "ml" }` ``.
pub fn as_option(root: &Shape, source: &Source, node: &Node) -> Option<String> {
    let words = line(source, node.span)?;
    if node.children.is_some() || node.entries.is_empty() {
        return None;
    }
    let found = options(root, &node.name).into_iter().filter(|(_, field)| takes(field, node));
    let names: Vec<&str> = found.map(|(target, _)| target).collect();
    let help = match names.as_slice() {
        [] => None,
        [only] => Some(format!("write `target \"{only}\" {{ {words} }}`")),
        many => {
            let names: Vec<String> = many.iter().map(|name| format!("target \"{name}\"")).collect();
            let names = one_of(names.iter().map(String::as_str), "or");
            Some(format!("write `{words}` in {names}"))
        }
    };
    Some(help? + &longer_options(root, &node.name))
}

/// Returns the help for a name that is both a boolean property of an entry of the job and an option of a target:
/// ``write `start gang=#true` and `target "X" { gang "y" }` ``. `value`: the value of the user.
pub fn switch_and_option(root: &Shape, name: &str, value: Option<&Value>) -> Option<String> {
    let switch = job(root)?.fields.iter().find(|field| {
        let own = field.shape.object().and_then(|object| object.field(name));
        own.is_some_and(|own| own.place == Place::Prop && own.shape == Shape::Flag)
    })?;
    let (target, option) = options(root, name).into_iter().find(|(_, field)| field.shape.is_scalar())?;
    let text = match (value, &option.shape) {
        (Some(Value::Text(text)), shape) if repair::fits(&Value::Text(text.clone()), shape) => text.as_str(),
        (_, Shape::Words(choices)) => choices.first()?.word,
        _ => return None,
    };
    let text = literal::text(Format::Kdl, text);
    let switch = [switch.name, " ", name, "=#true"].concat();
    Some(format!("write `{switch}` and `target \"{target}\" {{ {name} {text} }}`"))
}

/// Returns the help for an entry in a `target` block with the form of an entry of the job: ``write `hadoop home="/h" java="/j"` in
/// `job` ``. `None` if the entry has the form of the target option, or the job has no such entry.
pub fn of_the_job_itself(root: &Shape, source: &Source, option: &Field, node: &Node) -> Option<String> {
    let field = job(root)?.field(&node.name)?;
    if !option.shape.is_scalar() || field == option || misspelt::is(option, node) || !takes(field, node) {
        return None;
    }
    let (shown, option) = line(source, node.span).zip(option.example_line())?;
    Some(format!("write `{shown}` in `job`, outside of `target`; the option of the target is `{option}`"))
}

/// Returns the help for an entry of the job with a string that is valid only for the target option of the same name.
pub fn instead_in_target(root: &Shape, field: &Field, node: &Node) -> Option<String> {
    let [only] = node.entries.as_slice() else { return None };
    value_in_target(root, (field.name, &field.form()), &scalar(only).value)
}

/// Returns the help for a string in place of the block of a field of the job, if the string is valid for the target option of the
/// same name.
pub fn instead_of_block(
    root: &Shape,
    (name, shape): (&str, &Shape),
    value: &Value,
    format: Format,
) -> Option<String> {
    let field = job(root)?.field(name).filter(|field| field.shape == *shape && shape.object().is_some())?;
    let form = match format {
        Format::Json | Format::Yaml => keys::form(field, format),
        Format::Kdl | Format::Set => field.form(),
    };
    value_in_target(root, (name, &form), value)
}

/// Returns the help for a string that is valid for the target option `name`. `form`: the form of the field of the job with this
/// name. `None` if no target accepts the string.
fn value_in_target(root: &Shape, (name, form): (&str, &str), value: &Value) -> Option<String> {
    let Value::Text(text) = value else { return None };
    let mut options = options(root, name).into_iter();
    let (target, _) = options.find(|(_, option)| repair::fits(value, &option.shape))?;
    let text = literal::text(Format::Kdl, text);
    Some(format!(
        "to set the option of the target, write `target \"{target}\" {{ {name} {text} }}`; in `job`, the form is `{form}`"
    ))
}

/// Returns the help for `target "X" { … }` in an object that has a block with the name `X`: ``write `X { … }` instead of
/// `target` ``.
pub fn block_of_that_name(object: &Object, source: &Source, node: &Node) -> Option<String> {
    let ([name], Some(children)) = (node.entries.as_slice(), &node.children) else { return None };
    let Value::Text(name) = scalar(name).value else { return None };
    object.field(&name).filter(|field| field.shape.object().is_some())?;
    let ends = children.first().zip(children.last());
    Some(match ends.and_then(|(first, last)| line(source, first.span.to(last.span))) {
        Some(inside) => format!("write `{name} {{ {inside} }}` instead of `target`"),
        None => format!("write `{name}` instead of `target \"{name}\"`"),
    })
}

impl Field {
    /// Returns the first example in the description that the field accepts, such as `3.3.6` in "version, such as `3.3.6`".
    #[must_use]
    pub fn example(&self) -> Option<&'static str> {
        let accepts = |text: &&str| repair::fits(&Value::Text((*text).to_owned()), &self.shape);
        let after = self.doc.split("such as `").skip(1);
        after.filter_map(|rest| rest.split('`').next()).find(accepts)
    }

    /// Returns a line with an example value, such as `hadoop "3.3.6"`.
    fn example_line(&self) -> Option<String> {
        let own = || self.example().map(|text| format!("{} {}", self.name, literal::text(Format::Kdl, text)));
        of_target(self.name).map(str::to_owned).or_else(own)
    }

    /// Describes the accepted values as [`Shape::words`] does, with an example of this field.
    #[must_use]
    pub fn accepted(&self) -> String {
        match (&self.shape, self.example()) {
            (Shape::Text(crate::shape::Grammar::Version), Some(example)) => {
                format!("a version, such as `\"{example}\"`")
            }
            (shape, _) => shape.words(),
        }
    }
}
