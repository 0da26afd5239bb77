//! Values of fields for placeholders: from the examples of the language, the defaults, and the descriptions of the grammars.
use crate::outline::{Node, Outline, Word};
use tfjob_lang::shape::{Field, Grammar, Number, Place, Preset, Shape, example_of};

/// The example of a field.
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// Its arguments.
    pub arguments: Vec<Word>,
    /// Its properties.
    properties: Vec<(String, Word)>,
    /// For a property, its value.
    pub value: Option<Word>,
}

impl Example {
    /// Returns the example of a field. Empty if there is none.
    #[must_use]
    pub fn of(field: &Field) -> Self {
        Self::named(field.name, field.place == Place::Prop)
    }

    /// Returns the example of the node or property with this name.
    #[must_use]
    pub fn named(name: &str, is_property: bool) -> Self {
        let outline = example_of(name).map(Outline::of).unwrap_or_default();
        find(&outline.nodes, name, is_property).unwrap_or_default()
    }

    /// Returns the value of a property of the example.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Word> {
        self.properties.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
}

fn find(nodes: &[Node], name: &str, is_property: bool) -> Option<Example> {
    nodes.iter().find_map(|node| {
        let properties = node
            .entries
            .iter()
            .filter_map(|entry| Some((entry.name.as_ref()?.text.clone(), entry.value.clone()?)));
        let properties: Vec<(String, Word)> = properties.collect();
        if is_property {
            let value = properties.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
            if value.is_some() {
                return Some(Example { value, ..Example::default() });
            }
        } else if node.name.text == name {
            let arguments = node.arguments().cloned().collect();
            return Some(Example { arguments, properties, value: None });
        }
        find(node.nodes(), name, is_property)
    })
}

/// Returns a valid value for a placeholder: of this example, the default, or an example of the grammar. May be empty.
#[must_use]
pub fn value(field: Option<&Field>, shape: &Shape, example: Option<&Word>) -> String {
    if let Some(word) = example {
        return word.text.clone();
    }
    let own = field.map(Example::of);
    let own = own.and_then(|example| example.value.or_else(|| example.arguments.into_iter().next_back()));
    let default = field.and_then(|field| field.default).map(|preset| match preset {
        Preset::Flag(flag) => (!flag).to_string(),
        Preset::Whole(number) => number.to_string(),
        Preset::Text(text) => text.to_owned(),
    });
    if let Some(value) = default.or_else(|| own.map(|word| word.text)) {
        return value;
    }
    let of_doc = field.and_then(|field| such_as(field.doc));
    match shape {
        Shape::Words(choices) => choices.first().map(|choice| choice.word.to_owned()).unwrap_or_default(),
        Shape::Flag => "true".to_owned(),
        Shape::Number(number) | Shape::NumberOr(number, _) => least(*number),
        Shape::Text(grammar) => {
            let valid = of_doc.filter(|text| grammar.check(text).is_ok());
            // The example of the grammar may not be a version of the product that this field configures.
            let of_grammar = such_as(grammar.words()).filter(|_| *grammar != Grammar::Version);
            valid.or(of_grammar).unwrap_or_default().to_owned()
        }
        Shape::Scalar | Shape::Object(_) | Shape::Keyed(_) | Shape::List(_) | Shape::Any => String::new(),
    }
}

/// Returns the example in a description: of ``a size, such as `"16GiB"` ``, `16GiB`.
fn such_as(about: &str) -> Option<&str> {
    let (_, rest) = about.split_once("such as `")?;
    Some(rest.split_once('`')?.0.trim_matches('"'))
}

/// Returns the smallest positive number.
fn least(number: Number) -> String {
    match number {
        Number::Whole { min, .. } => min.max(1).to_string(),
        Number::Real { .. } => "1".to_owned(),
    }
}
