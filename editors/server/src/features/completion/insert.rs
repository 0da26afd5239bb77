//! The text of a new field with placeholders, in each format.
pub use super::draft::Draft;
use super::example::{Example, value};
use super::fit::Fit;
use tfjob_lang::shape::{Field, Grammar, Keyed, Object, Place, Shape};
use tfjob_lang::sources::Format;
use tfjob_lang::syntax::literal::quote;
use tfjob_lang::syntax::yaml::is_plain_text;

/// Names that the user probably wants for a new entry, such as roles of the framework. The first is the best.
pub type Candidates<'a> = &'a [String];

/// Returns a string as a literal of a format: without quotes only in YAML.
#[must_use]
pub fn string(format: Format, text: &str) -> String {
    match format {
        Format::Kdl | Format::Set => quote(text),
        Format::Yaml if is_plain_text(text) => text.to_owned(),
        Format::Json | Format::Yaml => serde_json::Value::from(text).to_string(),
    }
}

/// Writes fields in one format.
pub struct Writer {
    format: Format,
    /// Whether a block of YAML may have lines of its own.
    lines: bool,
    /// What the values of examples depend on. `None`: all values stay as they are.
    fit: Option<Fit>,
    /// The values that the new entry replaces, which are then written instead of those of the example.
    pub inherited: Option<Example>,
    /// Whether the new entry may override an entry of the same name, whose properties stay as they are.
    pub overrides: bool,
    /// The text.
    pub draft: Draft,
}

impl Writer {
    /// Creates a writer. `lines`: whether a block of YAML may have lines of its own.
    #[must_use]
    pub fn new(format: Format, lines: bool, fit: Option<Fit>) -> Self {
        Self { format, lines, fit, inherited: None, overrides: false, draft: Draft::default() }
    }

    /// Writes a placeholder for a value.
    pub fn value(&mut self, field: Option<&Field>, shape: &Shape, example: Option<&str>) {
        let text = value(field, shape, example);
        let text = match &self.fit {
            Some(fit) if self.inherited.is_none() => fit.value(field, text),
            Some(_) | None => text,
        };
        match shape {
            Shape::Words(choices) => {
                let others = choices.iter().map(|choice| choice.word).filter(|word| *word != text);
                let words: Vec<&str> = std::iter::once(text.as_str()).chain(others).collect();
                let bare = self.format == Format::Yaml && words.iter().all(|word| is_plain_text(word));
                self.quoted(!bare, |draft| draft.choice(&words));
            }
            Shape::Flag if self.format == Format::Kdl => self.draft.hole(&format!("#{text}")),
            Shape::Flag | Shape::Number(_) => self.draft.hole(&text),
            Shape::NumberOr(..) | Shape::Scalar if text.parse::<f64>().is_ok() => self.draft.hole(&text),
            Shape::NumberOr(..) | Shape::Scalar | Shape::Text(_) => self.string(&text),
            Shape::Object(_) | Shape::Keyed(_) | Shape::List(_) | Shape::Any => self.string(&text),
        }
    }

    /// Returns the values for the placeholders of a field.
    fn values(&self, field: &Field) -> Example {
        self.inherited.clone().unwrap_or_else(|| Example::of(field))
    }

    fn string(&mut self, text: &str) {
        let bare = self.format == Format::Yaml && is_plain_text(text);
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        self.quoted(!bare, |draft| draft.hole(&text));
    }

    fn quoted(&mut self, quoted: bool, write: impl FnOnce(&mut Draft)) {
        let mark = if quoted { "\"" } else { "" };
        self.draft.text(mark);
        write(&mut self.draft);
        self.draft.text(mark);
    }

    /// Writes a node of KDL.
    pub fn node(&mut self, field: &Field, names: Candidates<'_>) {
        self.draft.text(field.name);
        let example = self.values(field);
        match (field.place, &field.shape) {
            (Place::Args, Shape::List(list)) => {
                let count = example.arguments.len().max(1);
                for number in 0..count {
                    self.draft.text(" ");
                    self.value(None, &list.item, example.argument(number));
                }
            }
            (Place::Pairs, Shape::Keyed(keyed)) => {
                let name = example.argument(0).unwrap_or_else(|| key(keyed));
                let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                self.block(|own| {
                    if is_word {
                        own.draft.hole(name)
                    } else {
                        own.string(name)
                    }
                    own.draft.text(" ");
                    own.value(None, &keyed.item, example.argument(1));
                });
            }
            (Place::Named | Place::Targets, shape) => {
                self.draft.text(" ");
                let named = example.arguments.first().cloned();
                self.name(names, named);
                match shape.keyed().map(|keyed| (keyed.item, keyed.item.object())) {
                    Some((_, Some(object))) => self.entries(object, &example, 1),
                    Some((item, None)) => {
                        self.draft.text(" ");
                        self.value(None, &item, example.argument(1));
                    }
                    None => self.block(|own| own.draft.end()),
                }
            }
            (_, shape) => {
                let list = match shape {
                    Shape::List(list) => &list.item,
                    other => other,
                };
                match list.object() {
                    Some(object) => self.entries(object, &example, 0),
                    None => {
                        self.draft.text(" ");
                        self.scalar(field, list, names, example.argument(0));
                    }
                }
            }
        }
    }

    /// Writes a placeholder for the value of a field, with the values that it probably has.
    fn scalar(&mut self, field: &Field, shape: &Shape, names: Candidates<'_>, example: Option<&str>) {
        match names {
            _ if self.inherited.is_some() => self.value(Some(field), shape, example),
            [] => self.value(Some(field), shape, example),
            // A placeholder without a list would be selected, and Enter would replace the only value with a line break.
            [only] => self.draft.text(&string(self.format, only)),
            names => self.name(names, None),
        }
    }

    fn name(&mut self, names: Candidates<'_>, example: Option<String>) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let bare = self.format == Format::Yaml && names.iter().all(|name| is_plain_text(name));
        match (names.as_slice(), example) {
            ([], None) => self.string("name"),
            ([], Some(example)) => self.string(&example),
            (names, _) => self.quoted(!bare, |draft| draft.choice(names)),
        }
    }

    /// Returns the first property of an object without required fields, because an empty entry says nothing. Without ports, not the name
    /// of one.
    fn first<'o>(&self, object: &'o Object) -> Option<&'o Field> {
        let has_ports = self.fit.as_ref().is_none_or(|fit| !fit.ports.is_empty());
        let mut all = object.offered().filter(|field| field.place == Place::Prop);
        all.find(|field| has_ports || !is_port(field))
    }

    /// Writes the required arguments and properties of a node, those that it replaces, and its block.
    fn entries(&mut self, object: &Object, example: &Example, named: usize) {
        let replaced = if example.is_complete { example.arguments.len() } else { 0 };
        let is_written = |(number, field): &(usize, &Field)| field.required || number + named < replaced;
        for (number, field) in object.at(Place::Arg).enumerate().filter(is_written) {
            self.draft.text(" ");
            self.value(Some(field), &field.shape, example.argument(number + named));
        }
        let is_usual = |field: &Field| example.is_complete || field.default.is_some() && !self.overrides;
        let is_shown = |field: &&Field| is_usual(field) && example.property(field.name).is_some();
        let properties = object.at(Place::Prop).filter(|field| field.required || is_shown(field));
        let mut fields: Vec<&Field> = properties.collect();
        if fields.is_empty() && object.at(Place::Arg).next().is_none() && !has_block(object) {
            fields.extend(self.first(object));
        }
        for field in fields {
            self.draft.text(&format!(" {}=", field.name));
            let is_value = |_: &&str| example.is_complete || field.default.is_none();
            let shown = example.property(field.name).filter(is_value);
            self.value(Some(field), &field.shape, shown);
        }
        if let Some(block) = &example.block {
            self.block(|own| own.draft.text(&block.trim_end().replace('\n', "\n    ")));
        } else if has_block(object) {
            self.block(|own| own.draft.end());
        } else if !self.draft.has_holes() {
            // Without placeholders, the cursor is placed after the name.
            self.draft.snippet.push(' ');
            self.draft.end();
        }
    }

    /// Writes the block of a node on lines of its own; without placeholders, as an empty block.
    fn block(&mut self, content: impl FnOnce(&mut Self)) {
        let plain = self.draft.plain.clone();
        self.draft.text(" {\n    ");
        content(self);
        self.draft.text("\n}");
        self.draft.plain = plain + " {}";
    }

    /// Writes the entry of a property in KDL: `count=4`.
    pub fn property(&mut self, field: &Field, names: Candidates<'_>) {
        self.draft.text(&format!("{}=", field.name));
        self.scalar(field, &field.shape, names, None);
    }

    /// Writes a key and its value in JSON or YAML. `example`: the value of the example of the block, if the field is an argument in
    /// KDL.
    pub fn pair(&mut self, field: &Field, names: Candidates<'_>, example: Option<&str>) {
        self.key(field.name);
        match example {
            Some(example) => self.value(Some(field), &field.shape, Some(example)),
            None => self.content(field, names),
        }
    }

    /// Writes an entry with this name in JSON or YAML.
    pub fn named(&mut self, field: &Field, name: &str) {
        self.key(name);
        match field.shape.keyed() {
            Some(keyed) => self.item(None, &keyed.item, &Example::of(field), 1),
            None => self.brackets(|own| own.draft.end()),
        }
    }

    /// Writes an object with one field, and the cursor after it.
    pub fn open_object(&mut self, field: &Field, value: Option<&str>) {
        self.draft.text("{ ");
        self.key(field.name);
        self.value(Some(field), &field.shape, value);
        self.draft.text(" ");
        self.draft.end();
        self.draft.text("}");
    }

    fn key(&mut self, name: &str) {
        self.draft.text(&string(self.format, name));
        self.draft.text(": ");
    }

    /// Writes the value of a field in JSON or YAML.
    pub fn content(&mut self, field: &Field, names: Candidates<'_>) {
        let example = self.values(field);
        match (field.place, &field.shape) {
            (Place::Named | Place::Targets, shape) => {
                let named = example.arguments.first().cloned();
                let item = shape.keyed().map(|keyed| keyed.item);
                self.brackets(|own| {
                    own.name(names, named);
                    own.draft.text(": ");
                    match item {
                        Some(item) => own.item(None, &item, &example, 1),
                        None => own.brackets(|own| own.draft.end()),
                    }
                });
            }
            (_, Shape::Keyed(keyed)) => self.brackets(|own| {
                own.string(example.argument(0).unwrap_or_else(|| key(keyed)));
                own.draft.text(": ");
                own.value(None, &keyed.item, example.argument(1));
            }),
            (_, Shape::List(list)) => {
                self.draft.text("[");
                for number in 0..example.arguments.len().max(1) {
                    if number > 0 {
                        self.draft.text(", ");
                    }
                    self.item(None, &list.item, &example, number);
                }
                self.draft.text("]");
            }
            (_, shape) if shape.is_scalar() => self.scalar(field, shape, names, example.argument(0)),
            (_, shape) => self.item(Some(field), shape, &example, 0),
        }
    }

    /// Writes a value: a scalar, or an object with its required fields.
    pub fn item(&mut self, field: Option<&Field>, shape: &Shape, example: &Example, number: usize) {
        let Some(object) = shape.object() else {
            return self.value(field, shape, example.argument(number));
        };
        let is_replaced = |field: &Field| example.is_complete && example.property(field.name).is_some();
        let is_plain = object.is_plain() && !object.fields.iter().any(is_replaced);
        if let Some(plain) = object.plain().filter(|_| is_plain && !has_block(object)) {
            return self.value(Some(plain), &plain.shape, example.argument(number));
        }
        let is_written = |field: &&Field| field.required || is_replaced(field);
        let required: Vec<&Field> = object.fields.iter().filter(is_written).collect();
        let required = if required.is_empty() { self.first(object).into_iter().collect() } else { required };
        if required.is_empty() || has_block(object) {
            return self.brackets(|own| own.draft.end());
        }
        self.draft.text("{ ");
        let arguments: Vec<&str> = object.at(Place::Arg).map(|field| field.name).collect();
        for (position, field) in required.iter().enumerate() {
            if position > 0 {
                self.draft.text(", ");
            }
            self.key(field.name);
            let argument = arguments.iter().position(|name| *name == field.name);
            let shown = argument.and_then(|at| example.argument(at + number));
            let shown = shown.or_else(|| example.property(field.name));
            if field.shape.is_scalar() {
                self.value(Some(field), &field.shape, shown);
            } else {
                self.content(field, &[]);
            }
        }
        self.draft.text(" }");
    }

    /// Writes an object: in YAML, on lines of its own if possible.
    fn brackets(&mut self, content: impl FnOnce(&mut Self)) {
        let plain = self.draft.plain.clone();
        if self.format == Format::Yaml && self.lines {
            let before = self.draft.snippet.trim_end().len();
            self.draft.snippet.truncate(before);
            let old = std::mem::take(&mut self.draft.snippet);
            content(self);
            let inner = std::mem::take(&mut self.draft.snippet).replace('\n', "\n  ");
            self.draft.snippet = format!("{old}\n  {inner}");
        } else {
            self.draft.text("{ ");
            content(self);
            self.draft.text(" }");
        }
        self.draft.plain = plain + "{}";
    }
}

/// Returns a placeholder for a name that the user chooses.
fn key(keyed: &Keyed) -> &'static str {
    if keyed.keys == Grammar::EnvName { "NAME" } else { "name" }
}

/// Returns whether a field is the name of a port, which must be declared.
const fn is_port(field: &Field) -> bool {
    matches!(field.shape, Shape::Text(Grammar::PortName | Grammar::PortPath))
}

/// Returns whether a node is usually written with a block: it has more fields in its block than arguments and properties.
fn has_block(object: &Object) -> bool {
    let nodes = object.nodes().count();
    let required = object.nodes().any(|field| field.required);
    nodes > 0 && (required || nodes > object.fields.len() - nodes)
}
