//! Descriptions of shapes: accepted values, and forms of fields.
use super::{Field, Grammar, Number, Object, Place, Shape, keys};
use crate::sources::Format;

/// Joins names, each in backticks: `` `a`, `b`, or `c` ``. `last`: the word before the last name. Empty for no names.
#[must_use]
pub fn one_of<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let all: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    list(&all, last)
}

/// Joins texts: `a, b, or c`. `last`: the word before the last text. Empty for no texts.
pub(super) fn list(all: &[String], last: &str) -> String {
    match all.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, [first])) => format!("{first} {last} {end}"),
        Some((end, rest)) => format!("{}, {last} {end}", rest.join(", ")),
    }
}

impl Number {
    /// Returns the range, such as `1 to 10000`.
    #[must_use]
    pub fn range(&self) -> String {
        match *self {
            Self::Whole { min, max } if max >= i128::from(i64::MAX) => format!("at least {min}"),
            Self::Whole { min, max } => format!("{min} to {max}"),
            Self::Real { min: Some(min), max: Some(max), cores: true } => {
                format!("{min} to {max}, in increments of 0.1")
            }
            Self::Real { min: Some(min), max: Some(max), .. } => format!("{min} to {max}"),
            Self::Real { min: Some(min), max: None, .. } => format!("at least {min}"),
            Self::Real { min: None, max: Some(max), .. } => format!("at most {max}"),
            Self::Real { min: None, max: None, .. } => "any number".to_owned(),
        }
    }

    /// Describes the accepted numbers as a noun phrase, such as `an integer from 1 to 10000`.
    fn words(&self) -> String {
        let range = self.range();
        match *self {
            Self::Whole { max, .. } if max >= i128::from(i64::MAX) => format!("an integer of {range}"),
            Self::Whole { .. } => format!("an integer from {range}"),
            Self::Real { min: Some(_), max: Some(_), .. } => format!("a number from {range}"),
            Self::Real { min: None, max: None, .. } => "a number".to_owned(),
            Self::Real { .. } => format!("a number of {range}"),
        }
    }
}

impl Shape {
    /// Describes the accepted values as a noun phrase: ``an integer from 1 to 10000``, `` `task` or `job` ``.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Object(_) => "a block".to_owned(),
            Self::Keyed(_) => "named entries".to_owned(),
            Self::List(list) => match list.item {
                Self::Text(Grammar::Text) => "a list of strings".to_owned(),
                item => format!("a list; each item is {}", item.words()),
            },
            Self::Words(choices) => one_of(choices.iter().map(|choice| choice.word), "or"),
            Self::Number(number) => number.words(),
            Self::Flag => "`#true` or `#false`".to_owned(),
            Self::Text(grammar) => grammar.words().to_owned(),
            Self::NumberOr(number, other) => {
                format!("{}, or {}", number.words(), other.words())
            }
            Self::Scalar => "a string, a number, or a boolean".to_owned(),
            Self::Any => "any value".to_owned(),
        }
    }

    /// Returns the placeholder that stands for the value when the form of a field is shown: `NUMBER`, `MEMORY`, `"task"|"job"`.
    #[must_use]
    pub fn slot(&self) -> String {
        match self {
            Self::Object(_) | Self::Keyed(_) | Self::List(_) => "{ … }".to_owned(),
            Self::Words(choices) if choices.len() > 3 => "KEYWORD".to_owned(),
            Self::Words(choices) => {
                choices.iter().map(|choice| format!("\"{}\"", choice.word)).collect::<Vec<_>>().join("|")
            }
            Self::Number(_) => "NUMBER".to_owned(),
            Self::Flag => "#true".to_owned(),
            Self::Text(grammar) => grammar.slot(),
            Self::NumberOr(_, other) => format!("NUMBER|{}", other.slot()),
            Self::Scalar | Self::Any => "VALUE".to_owned(),
        }
    }
}

impl Object {
    /// Returns the form of an entry with these fields: its arguments, properties, and block. Optional parts are in brackets.
    fn form(&self) -> String {
        let mut out = String::new();
        for field in self.at(Place::Arg) {
            out.push_str(&optional(field, &field.shape.slot()));
        }
        for field in self.offered().filter(|field| field.place == Place::Prop) {
            out.push_str(&optional(field, &format!("{}={}", field.name, field.shape.slot())));
        }
        if self.nodes().next().is_some() {
            out.push_str(" { … }");
        }
        out
    }
}

fn optional(field: &Field, form: &str) -> String {
    if field.required { format!(" {form}") } else { format!(" [{form}]") }
}

impl Field {
    /// Returns the form of the field in a format: in KDL as [`Field::form`], in YAML `count: NUMBER`.
    #[must_use]
    pub fn form_in(&self, format: Format) -> String {
        match format {
            Format::Kdl | Format::Set => self.form(),
            Format::Json | Format::Yaml => keys::form(self, format),
        }
    }

    /// Returns the form of the field in KDL: `role NAME [count=NUMBER] [min=NUMBER] { … }`.
    #[must_use]
    pub fn form(&self) -> String {
        let name = &self.name;
        match (self.place, &self.shape) {
            (Place::Arg, shape) => shape.slot(),
            (Place::Prop, shape) => format!("{name}={}", shape.slot()),
            (Place::Args, Shape::List(list)) => format!("{name} {} …", list.item.slot()),
            (Place::Pairs, Shape::Keyed(keyed)) => {
                format!("{name} {{ {} {}; … }}", keyed.keys.slot(), keyed.item.slot())
            }
            (Place::Named, Shape::Keyed(keyed)) => {
                let item = match &keyed.item {
                    Shape::Object(object) => object.form(),
                    scalar => format!(" {}", scalar.slot()),
                };
                format!("{name} {}{item}", keyed.keys.slot())
            }
            (Place::List, Shape::List(list)) => match &list.item {
                Shape::Object(object) => format!("{name}{}", object.form()),
                scalar => format!("{name} {}", scalar.slot()),
            },
            (Place::Targets, _) => format!("{name} NAME {{ … }}"),
            (_, Shape::Object(object)) => format!("{name}{}", object.form()),
            (_, shape) => format!("{name} {}", shape.slot()),
        }
    }
}
