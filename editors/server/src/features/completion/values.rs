//! Values of the argument, property, or key at the cursor.
use super::context::Context;
use super::example::Example;
use super::fields::{filter, is_free, separated};
use super::fit::Fit;
use super::insert::{Draft, Writer, string};
use super::item::{Item, Rank};
use super::names::{self, Name};
use super::strings;
use crate::cursor::Slot;
use lsp_types::CompletionItemKind;
use tfjob_lang::shape::{Choice, Field, Place, Shape, foreign_values};
use tfjob_lang::sources::Format;

/// What the language expects at the cursor.
#[derive(Clone, Copy)]
pub enum Expected {
    /// The name of an entry of this field, such as a role.
    Name(&'static Field),
    /// The name of an environment variable or label.
    Variable,
    /// A value of this shape. The field is set if the value is the only one of the field.
    Value(Option<&'static Field>, &'static Shape),
}

/// Returns the values that may be written at the cursor.
pub fn items(context: &Context<'_>) -> Vec<Item> {
    let mut items = of_expected(context);
    // The values of an argument are listed before the properties of its node.
    if let Slot::Entry(_) = context.cursor.slot {
        items.iter_mut().for_each(|item| item.rank = item.rank.first());
    }
    items
}

fn of_expected(context: &Context<'_>) -> Vec<Item> {
    match expected(context) {
        Some(Expected::Name(field)) => names(context, field),
        Some(Expected::Variable) => variables(context),
        Some(Expected::Value(..)) if !is_free(context) => Vec::new(),
        Some(Expected::Value(field, shape)) => {
            let items = of_shape(context, field, shape).into_iter().chain(object(context, field, shape));
            let data = context.located.is_some();
            items.map(|item| if data { separated(context, item) } else { item }).collect()
        }
        None => Vec::new(),
    }
}

/// Returns what the language expects at the cursor. `None` if that is a field, or unknown.
pub fn expected(context: &Context<'_>) -> Option<Expected> {
    let cursor = &context.cursor;
    let steps = cursor.steps();
    let is_key = context.located.as_ref().is_some_and(|located| located.key);
    let number = match &cursor.slot {
        Slot::Node => {
            let field = cursor.field(context.root)?;
            return (field.place == Place::Pairs).then_some(Expected::Variable);
        }
        Slot::Property(name) => {
            let field = cursor.object(context.root)?.field(name)?;
            return Some(Expected::Value(Some(field), &field.shape));
        }
        Slot::Argument(number) => *number,
        Slot::Entry(number) => {
            // The name of a property, and a place after the block, expect no value.
            let rest = context.document.text[cursor.word.end..].trim_start_matches([' ', '\t']);
            let chain = context.chain();
            let block = chain.last()?.block.as_ref();
            if rest.starts_with('=') || block.is_some_and(|block| context.byte >= block.bytes.end) {
                return None;
            }
            *number
        }
    };
    let Some(field) = cursor.field(context.root) else {
        // The value of a variable.
        let (_, above) = steps.split_last()?;
        let field = context.root.find(above).filter(|field| field.place == Place::Pairs)?;
        let keyed = field.shape.keyed().filter(|_| number == 0)?;
        return Some(Expected::Value(None, &keyed.item));
    };
    if is_key {
        return Some(Expected::Name(field));
    }
    of_argument(context, field, number)
}

/// Returns what the language expects as argument `number` (from 0) of a node.
fn of_argument(context: &Context<'_>, field: &'static Field, number: usize) -> Option<Expected> {
    let argument = |object: &'static tfjob_lang::shape::Object, number: usize| {
        let field = object.at(Place::Arg).nth(number)?;
        Some(Expected::Value(Some(field), &field.shape))
    };
    // Whether the cursor may be at the whole value of a field of JSON or YAML, instead of an argument.
    let named = context.located.as_ref().is_none_or(|located| located.named);
    let whole = !named && number == 0;
    let before = context.document.text[..context.cursor.word.start].trim_end();
    match (field.place, &field.shape) {
        // The value of a field that needs a list, not an item of it.
        (Place::Args | Place::List, shape) if whole && before.ends_with(':') => {
            Some(Expected::Value(Some(field), shape))
        }
        (Place::Named | Place::Targets, _) if whole => Some(Expected::Value(Some(field), &field.shape)),
        (Place::Named | Place::Targets, _) if number == 0 => Some(Expected::Name(field)),
        (Place::Named, Shape::Keyed(keyed)) => match keyed.item.object() {
            Some(object) => argument(object, number - 1),
            None => (number == 1).then_some(Expected::Value(None, &keyed.item)),
        },
        (Place::Args, Shape::List(list)) => Some(Expected::Value(Some(field), &list.item)),
        (Place::List, Shape::List(list)) => match list.item.object() {
            Some(object) if named || object.is_plain() => argument(object, number),
            Some(_) | None => Some(Expected::Value(Some(field), &list.item)),
        },
        (_, Shape::Object(object)) => argument(object, number)
            .filter(|_| !whole || object.is_plain())
            .or_else(|| whole.then_some(Expected::Value(Some(field), &field.shape))),
        (_, shape) => (number == 0).then_some(Expected::Value(Some(field), shape)),
    }
}

/// Returns the names for an entry of a field.
fn names(context: &Context<'_>, field: &'static Field) -> Vec<Item> {
    if context.located.is_some() && !is_free(context) {
        return Vec::new();
    }
    let make = |(number, name): (usize, Name)| {
        let draft = match &context.located {
            Some(located) if located.key && !located.colon => {
                let mut writer = Writer::new(context.format(), located.is_block, Some(Fit::of(context)));
                writer.named(field, &name.text);
                writer.draft
            }
            Some(_) | None => Draft::of(string(context.format(), &name.text)),
        };
        let item = text_item(context, name, number, draft, CompletionItemKind::REFERENCE);
        separated(context, item)
    };
    names::entries(context, field).into_iter().enumerate().map(make).collect()
}

/// Returns the names of environment variables or labels that other blocks of the spec use.
fn variables(context: &Context<'_>) -> Vec<Item> {
    if context.located.is_some() && !is_free(context) {
        return Vec::new();
    }
    let has_more = context.node().is_some_and(|node| !node.entries.is_empty());
    let has_colon = context.located.as_ref().is_some_and(|located| located.colon);
    let make = |(number, name): (usize, Name)| {
        let mut draft = match context.format() {
            Format::Kdl | Format::Set => Draft::of(&name.text),
            Format::Json | Format::Yaml => Draft::of(string(context.format(), &name.text)),
        };
        if !has_more && !has_colon {
            draft.text(if context.located.is_some() { ": \"" } else { " \"" });
            draft.hole("");
            draft.text("\"");
        }
        let item = text_item(context, name, number, draft, CompletionItemKind::VARIABLE);
        separated(context, item)
    };
    names::variables(context).into_iter().enumerate().map(make).collect()
}

/// Returns an item for a text: the name of something, or a string.
pub fn text_item(
    context: &Context<'_>,
    name: Name,
    number: usize,
    draft: Draft,
    kind: CompletionItemKind,
) -> Item {
    let mut item = Item::new(&name.text, kind, context.range(), draft);
    item.rank = if name.is_guess { Rank::Guess(number) } else { Rank::Usual(number) };
    item.detail = Some(name.detail).filter(|detail| !detail.is_empty());
    item.documentation = name.about;
    item.filter = Some(filter(context, &name.text, std::iter::empty(), std::iter::empty()));
    item
}

fn of_shape(context: &Context<'_>, field: Option<&'static Field>, shape: &'static Shape) -> Vec<Item> {
    match shape {
        Shape::Words(choices) => words(context, field, choices),
        Shape::Flag => {
            let flag = |flag: bool| {
                if context.format() == Format::Kdl { format!("#{flag}") } else { flag.to_string() }
            };
            [true, false].map(|value| literal(context, field, &flag(value))).into()
        }
        Shape::Number(_) => default(context, field).or_else(|| example(context, field)).into_iter().collect(),
        Shape::NumberOr(_, other) => {
            let mut items = of_shape(context, None, other);
            items.extend(default(context, field));
            items
        }
        Shape::Text(grammar) => strings::items(context, field, *grammar),
        Shape::Scalar | Shape::Any => Vec::new(),
        Shape::Object(_) | Shape::Keyed(_) | Shape::List(_) => {
            whole(context, field, shape).into_iter().collect()
        }
    }
}

fn words(context: &Context<'_>, field: Option<&Field>, choices: &'static [Choice]) -> Vec<Item> {
    let default = field.and_then(|field| field.default).map(|preset| preset.to_string());
    let used = match field.filter(|field| field.place == Place::Args) {
        // Each item of a list, such as a target of an environment, occurs once.
        Some(_) => {
            context.chain().last().map(|node| node.arguments().map(|word| word.text.as_str()).collect())
        }
        None => None,
    };
    let used: Vec<&str> = used.unwrap_or_default();
    let own = context.cursor_text();
    let free = choices.iter().filter(|choice| choice.word == own || !used.contains(&choice.word));
    let make = |(number, choice): (usize, &Choice)| {
        let draft = Draft::of(string(context.format(), choice.word));
        let mut item = Item::new(choice.word, CompletionItemKind::ENUM_MEMBER, context.range(), draft);
        item.rank = Rank::Usual(number);
        let is_default = default.as_deref() == Some(&format!("\"{}\"", choice.word));
        item.detail = is_default.then(|| "default".to_owned());
        item.documentation = choice.doc.to_owned();
        let all = choices.iter().map(|choice| choice.word);
        item.filter = Some(filter(context, choice.word, foreign_values(choice.word), all));
        item
    };
    free.enumerate().map(make).collect()
}

fn default(context: &Context<'_>, field: Option<&Field>) -> Option<Item> {
    let preset = field?.default?;
    Some(literal(context, field, preset.to_string().trim_matches('"')))
}

/// Returns an item for the number in the example of a field.
fn example(context: &Context<'_>, field: Option<&Field>) -> Option<Item> {
    let field = field?;
    let value = Example::of(field).value?;
    let item = literal(context, Some(field), &value);
    Some(Item { detail: Some("example".to_owned()), ..item })
}

/// Returns an item for a number or a boolean.
fn literal(context: &Context<'_>, field: Option<&Field>, text: &str) -> Item {
    let preset = field.and_then(|field| field.default).map(|preset| preset.to_string());
    let is_default =
        preset.is_some_and(|preset| preset.trim_start_matches('#') == text.trim_start_matches('#'));
    let mut item = Item::new(text, CompletionItemKind::VALUE, context.range(), Draft::of(text));
    item.detail = is_default.then(|| "default".to_owned());
    // Most editors do not count `#` as a part of a word, so `true` must also match `#true`.
    let filter = filter(context, text, std::iter::empty(), std::iter::empty());
    let bare = text.strip_prefix('#').map_or_else(String::new, |bare| format!(" {bare}"));
    item.filter = Some(filter + &bare);
    item
}

/// Returns an item for the object that can replace the plain value at the cursor, in JSON and YAML.
fn object(context: &Context<'_>, field: Option<&Field>, shape: &Shape) -> Option<Item> {
    context.located.as_ref().filter(|located| !located.key && !located.named)?;
    let whole = context.cursor.field(context.root)?;
    let object = whole.shape.object().filter(|object| shape.is_scalar() && object.plain() == field)?;
    let plain = field.filter(|_| object.fields.len() > 1)?;
    let (own, example) = (context.cursor_text(), Example::of(whole));
    // The value of the user stays as it is.
    let fit = own.is_empty().then(|| Fit::of(context));
    let mut writer = Writer::new(context.format(), false, fit);
    writer.open_object(plain, Some(own).filter(|own| !own.is_empty()).or(example.argument(0)));
    let mut item = Item::new("{ … }", CompletionItemKind::STRUCT, context.range(), writer.draft);
    item.rank = Rank::Guess(0);
    item.detail = Some(whole.form_in(context.format()));
    item.documentation = super::fields::documentation(whole);
    item.filter = Some(format!("{} …", context.word()));
    Some(item)
}

/// Returns an item for the object or list that a field of JSON or YAML needs.
fn whole(context: &Context<'_>, field: Option<&Field>, shape: &Shape) -> Option<Item> {
    let located = context.located.as_ref()?;
    let field = field?;
    let mut writer = Writer::new(context.format(), false, Some(Fit::of(context)));
    match (&field.shape, shape) {
        (Shape::List(_), Shape::Object(_)) => writer.item(None, shape, &Example::of(field), 0),
        (_, _) => writer.content(field, &names::of(context, field)),
    }
    let is_list = matches!(shape, Shape::List(_));
    let label = if is_list { "[ … ]" } else { "{ … }" };
    let mut item = Item::new(label, CompletionItemKind::STRUCT, context.range(), writer.draft);
    item.detail = Some(field.form_in(context.format()));
    item.documentation = super::fields::documentation(field);
    (!located.key).then_some(item)
}
