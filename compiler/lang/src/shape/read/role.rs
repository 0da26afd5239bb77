//! Reports roles without the keyword `role`: `worker count=2 { … }`.
use super::unknown::is_named;
use super::{Reader, owner_name};
use crate::codes::UNKNOWN_NODE;
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::Field;
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::Entry;

impl<'a> Reader<'a> {
    /// Reports a role without the keyword `role`, as in `worker count=2 { … }`.
    pub(super) fn role_by_its_word(
        &mut self,
        field: &'a Field,
        owner: Option<&Node>,
        (node, nodes): (&Node, &[Node]),
        entries: &mut Vec<Entry>,
    ) {
        let fact = format!("unknown entry `{}` in {}", node.name, owner_name(owner));
        let named = format!("role \"{}\"", node.name);
        let told = Diagnostic::new(&UNKNOWN_NODE, node.name_span, fact).here("role name");
        if is_named(field, &node.name, nodes, entries) {
            let help = format!("write `{named}`. It is already set here; keep one of them");
            return self.out.push(told.help(help));
        }
        let told = told.help(format!("write `{named}`"));
        let mut rest = node.entries.clone();
        self.out.push(match rest.first_mut() {
            // In `ps 2`, the argument is the number of tasks.
            Some(NodeEntry { key: key @ None, value: Scalar::Int(count), span, .. }) => {
                *key = Some(("count".to_owned(), *span));
                told.fix(Fix::replace(node.name_span.to(*span), format!("{named} count={count}")))
            }
            _ => told.fix(Fix::replace(node.name_span, named)),
        });
        let value = Scalar::Text(node.name.clone());
        let name = NodeEntry { key: None, value, span: node.name_span, bare: true };
        let all = std::iter::once(name).chain(rest).collect();
        self.node(field, &Node { name: field.name.to_owned(), entries: all, ..node.clone() }, entries);
    }
}
