//! The user's own value in the help for a word of another system.
use super::Reader;
use crate::shape::suggest::{Carried, carried, ours};
use crate::shape::{Place, Shape, mend};
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::Value;

impl Reader<'_> {
    /// `help` with the value of `node` in it, where that is a value of ours: `deadline "3600s"`.
    pub(super) fn carried(&self, help: &str, node: &Node) -> Option<String> {
        let (ours, _) = ours(&node.name)?;
        let shape = find(self.root, ours)?;
        let words = |entry: &NodeEntry| match &entry.value {
            Scalar::Text(text) => Some(text.clone()),
            Scalar::Int(_) | Scalar::Float(_) => Some(self.source.slice(entry.span).to_owned()),
            Scalar::Null | Scalar::Bool(_) => None,
        };
        let one = |node: &Node| match node.entries.as_slice() {
            [only] if only.key.is_none() => words(only),
            _ => None,
        };
        let fits = |text: &str| {
            let number = text.parse().map(Value::Int);
            mend::fits(&Value::Text(text.to_owned()), shape) || number.is_ok_and(|n| mend::fits(&n, shape))
        };
        let children = node.children.as_deref().unwrap_or_default();
        if children.is_empty() {
            return carried(help, ours, &node.name, &Carried::One(&one(node)?), &fits);
        }
        let pairs: Option<Vec<(&str, String)>> =
            children.iter().map(|child| Some((child.name.as_str(), one(child)?))).collect();
        let pairs = pairs?;
        let pairs = Carried::Pairs(pairs.iter().map(|(name, value)| (*name, value.as_str())).collect());
        carried(help, ours, &node.name, &pairs, &fits)
    }
}

/// The shape of the value of a field of that name, wherever it stands.
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

#[cfg(test)]
mod tests {
    use crate::shape::tests::in_job;

    #[test]
    fn the_help_for_a_word_of_another_system_has_the_value_of_the_user() {
        for (line, wanted) in [
            ("activeDeadlineSeconds 3600", "deadline \"3600s\""),
            ("timeout \"2h\"", ""),
            (
                "nodeSelector { gpu \"true\"; zone \"b\" }",
                "place { node \"gpu\" \"true\"; node \"zone\" \"b\" }",
            ),
            ("executor_memory \"4g\"", "memory=\"4GiB\""),
            ("source \"./train\"", "code \"./train\""),
            ("affinity \"x\"", "place { node \"disktype\" \"ssd\" }"),
            ("livenessProbe { exec \"x\" }", "liveness probes are unsupported"),
        ] {
            let job = in_job(&format!(" {line}"));
            let help = job.all.iter().find_map(|d| d.help.clone()).unwrap_or_default();
            assert!(help.contains(wanted), "{line}: {help}");
        }
    }
}
