//! Values of fields for placeholders: from the examples of the language, the defaults, and the descriptions of the grammars.
use crate::outline::{Node, Outline};
use tfjob_lang::shape::{Field, Grammar, Number, Place, Preset, Shape, example_of};

/// Examples of fields that have none in the language, or whose example has properties that some targets require.
const MORE: [(&str, &str); 12] = [
    ("allow", "allow \"gang\" because=\"tasks wait for their peers\""),
    ("dns-domain", "dns-domain \"example.org\""),
    ("extends", "extends \"base.tfjob.kdl\""),
    ("file", "ready file=\"/tmp/ready\""),
    ("hadoop", "hadoop home=\"/opt/hadoop\" java=\"/usr/lib/jvm/default-java\""),
    ("kerberos", "kerberos principal=\"ml@EXAMPLE.ORG\" keytab=\"file:///etc/security/ml.keytab\""),
    ("logs", "tensorboard logs=\"gs://bucket/logs\""),
    ("mounted", "mounted { \"nfs://filer/export\" \"/mnt/filer\"; }"),
    ("partition", "placement { partition \"gpu\"; }"),
    ("patch", "patch \"{}\""),
    ("secret", "secret \"TOKEN\" from=\"store\" key=\"token\""),
    ("tensorboard", "tensorboard logs=\"gs://bucket/logs\""),
];

/// The values of a field: an example, or those that a new entry replaces.
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its properties.
    pub properties: Vec<(String, String)>,
    /// For a property, its value.
    pub value: Option<String>,
    /// The nodes in its block, as KDL.
    pub block: Option<String>,
    /// Whether all of these values are written, because a new entry would otherwise lose them.
    pub is_complete: bool,
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
        let of = |text: &str| find(&Outline::of(text).nodes, name, is_property);
        let more = MORE.iter().filter(|(field, _)| *field == name).find_map(|(_, text)| of(text));
        if let Some(example) = more {
            return Self { is_complete: true, ..example };
        }
        example_of(name).and_then(of).unwrap_or_default()
    }

    /// Returns the value of a property of the example.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns an argument by its number, from 0.
    #[must_use]
    pub fn argument(&self, number: usize) -> Option<&str> {
        self.arguments.get(number).map(String::as_str)
    }
}

fn find(nodes: &[Node], name: &str, is_property: bool) -> Option<Example> {
    nodes.iter().find_map(|node| {
        let properties = node.entries.iter().filter_map(|entry| {
            Some((entry.name.as_ref()?.text.clone(), entry.value.as_ref()?.text.clone()))
        });
        let properties: Vec<(String, String)> = properties.collect();
        if is_property {
            let value = properties.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
            if value.is_some() {
                return Some(Example { value, ..Example::default() });
            }
        } else if node.name.text == name {
            let named = node.nodes().first().filter(|_| node.entries.is_empty());
            // Of a block with names and values, the first name and its value.
            let name = named.map(|first| first.name.text.clone());
            let arguments = named.unwrap_or(node).arguments().map(|word| word.text.clone());
            let arguments = name.into_iter().chain(arguments).collect();
            return Some(Example { arguments, properties, ..Example::default() });
        }
        find(node.nodes(), name, is_property)
    })
}

/// Returns a valid value for a placeholder: of this example, the default, or an example of the grammar. May be empty.
#[must_use]
pub fn value(field: Option<&Field>, shape: &Shape, example: Option<&str>) -> String {
    if let Some(example) = example {
        return example.to_owned();
    }
    let own = field.map(Example::of).unwrap_or_default();
    let is_better = own.is_complete;
    let own = own.value.or_else(|| own.arguments.into_iter().next_back());
    let default = field.and_then(|field| field.default).map(|preset| match preset {
        Preset::Flag(flag) => (!flag).to_string(),
        Preset::Whole(number) => number.to_string(),
        Preset::Text(text) => text.to_owned(),
    });
    let value = if is_better { own.or(default) } else { default.or(own) };
    if let Some(value) = value {
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
