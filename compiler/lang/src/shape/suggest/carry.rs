//! Help for keywords of other systems, filled in with the value that the user wrote.
use super::theirs::{Carried, carried, of_target, ours, theirs_here};
use crate::shape::{Place, Shape, repair};
use crate::tree::{Tree, Value};

/// Returns `help` with the value of `word` inserted, such as `deadline "3600s"`. `None` if there is no equivalent field, or if
/// it does not accept the value.
pub fn carry(root: &Shape, help: &str, word: &str, value: &Carried<'_>) -> Option<String> {
    if let Some(help) = theirs_here(word, value) {
        return Some(help);
    }
    let ours = ours(word).map(|(ours, _)| ours).or_else(|| of_target(word).and(Some(word)))?;
    let shape = find(root, ours)?;
    let fits = |text: &str| {
        let number = text.parse().map(Value::Int);
        repair::fits(&Value::Text(text.to_owned()), shape) || number.is_ok_and(|n| repair::fits(&n, shape))
    };
    carried(help, ours, word, value, &fits)
}

/// Returns `help` reworded as an example, because the value of the user cannot be inserted. `None` if `help` does not have the
/// form ``write `…` ``.
pub fn for_example(help: &str, word: &str) -> Option<String> {
    let (ours, _) = ours(word)?;
    let shown = help.strip_prefix("write `")?.strip_suffix('`')?;
    shown.starts_with(ours).then(|| format!("use `{ours}` instead, for example `{shown}`"))
}

/// Like [`carry`], but for a key and its value in JSON or YAML. `written`: the value as the user wrote it, if it is a number.
pub fn carry_tree(root: &Shape, help: &str, word: &str, tree: &Tree, written: &str) -> Option<String> {
    let one = |tree: &Tree| match &tree.value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(_) => Some(written.to_owned()),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) | Value::Hole => None,
    };
    if let Value::Bool(flag) = tree.value {
        return carry(root, help, word, &Carried::Flag(flag));
    }
    if let Value::List(items) = &tree.value {
        let row = |item: &Tree| match &item.value {
            Value::List(words) => words.iter().map(one).collect(),
            _ => one(item).map(|word| vec![word]),
        };
        let rows: Option<Vec<Vec<String>>> = items.iter().map(row).collect();
        return carry(root, help, word, &Carried::Rows(rows?));
    }
    let Value::Map(entries) = &tree.value else {
        return carry(root, help, word, &Carried::One(&one(tree)?));
    };
    let pairs: Option<Vec<(&str, String)>> =
        entries.iter().map(|entry| Some((entry.key.as_str(), one(&entry.tree)?))).collect();
    let pairs = pairs?;
    let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
    carry(root, help, word, &Carried::Pairs(pairs))
}

/// Returns the shape of a field with this name, in any place.
fn find(shape: &Shape, name: &str) -> Option<&'static Shape> {
    match shape {
        Shape::Object(object) => {
            let own = object.fields.iter().find(|field| field.name == name).map(|field| match &field.shape {
                Shape::Object(inner) => inner.at(Place::Arg).next().map_or(&field.shape, |arg| &arg.shape),
                Shape::List(list) => match &list.item {
                    Shape::Object(inner) => inner.at(Place::Arg).next().map_or(&list.item, |arg| &arg.shape),
                    item => item,
                },
                shape => shape,
            });
            own.or_else(|| object.fields.iter().find_map(|field| find(&field.shape, name)))
        }
        Shape::Keyed(keyed) => find(&keyed.item, name),
        Shape::List(list) => find(&list.item, name),
        Shape::Flag
        | Shape::Words(_)
        | Shape::Number(_)
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => None,
    }
}
