//! Reports a block of names and values in which the name and the value are separate entries: `env { name "A"; value "b"; }`.
use crate::codes::UNEXPANDED_SYNTAX;
use crate::diagnostic::Diagnostic;
use crate::shape::{Keyed, literal};
use crate::sources::Format;
use crate::tree::{Entry, Value};

/// Returns the warning for a block whose only entries are `name` (or `key`) and `value`, as in lists of other systems. The block
/// then has two entries, but the user probably meant one entry with this name and this value. `field`: name of the block.
pub(super) fn name_and_value(keyed: &Keyed, entries: &[&Entry], field: &str) -> Option<Diagnostic> {
    let [first, second] = entries else { return None };
    let is_pair = ["name", "key"].contains(&first.key.as_str()) && second.key == "value";
    let (true, true, Value::Text(name)) = (is_pair, keyed.item.is_scalar(), &first.tree.value) else {
        return None;
    };
    if keyed.keys.check(name).is_err() {
        return None;
    }
    let value = match &second.tree.value {
        Value::Text(text) => literal::text(Format::Kdl, text),
        Value::Int(number) => number.to_string(),
        Value::Float(_) | Value::Bool(_) | Value::Null | Value::List(_) | Value::Map(_) | Value::Hole => {
            return None;
        }
    };
    let fact = format!("`{field}` has an entry `{}` and an entry `value`, not an entry `{name}`", first.key);
    let told = Diagnostic::new(&UNEXPANDED_SYNTAX, first.key_span, fact).here("the name of an entry");
    let name = literal::text(Format::Kdl, name);
    Some(
        told.label(second.key_span, "the name of another entry")
            .help(format!("write `{field} {{ {name} {value}; }}`")),
    )
}
