//! Help for a port number that is written where a port name is required.
use crate::diagnostic::Diagnostic;
use crate::resolve::RENDEZVOUS_PORT;
use crate::tree::{Entry, Tree, Value};
use tfjob_contract::RENDEZVOUS;

/// Names and numbers of the ports of the job and of the current role.
#[derive(Default)]
pub struct Ports(Vec<(String, i128)>);

impl Ports {
    /// Adds the ports of a block. Returns the number of ports before the addition.
    pub fn enter(&mut self, entries: &[Entry]) -> usize {
        let before = self.0.len();
        let ports = entries.iter().find(|entry| entry.key == "port").map(|entry| entry.tree.entries());
        for port in ports.unwrap_or_default() {
            let inside = || port.tree.entries().iter().find_map(|entry| integer(&entry.tree.value));
            let number = integer(&port.tree.value).or_else(inside);
            self.0.extend(number.map(|number| (port.key.clone(), number)));
        }
        before
    }

    /// Removes the ports of a block. `before`: the result of [`Ports::enter`] for the block.
    pub fn leave(&mut self, before: usize) {
        self.0.truncate(before);
    }

    fn named(&self, number: i128) -> Option<&str> {
        let own = self.0.iter().rev().find(|(_, known)| *known == number).map(|(name, _)| name.as_str());
        let is_set = self.0.iter().any(|(name, _)| name == RENDEZVOUS);
        own.or_else(|| (number == i128::from(RENDEZVOUS_PORT) && !is_set).then_some(RENDEZVOUS))
    }

    /// For a number where a port name is required: if a port has this number, sets a help with the name of the port. `has_path`:
    /// whether a path must follow the name.
    pub fn explain(&self, told: &mut Diagnostic, tree: &Tree, has_path: bool) {
        let number = integer(&tree.value).map(|number| number.to_string());
        let Some(text) = tree.text().map(str::to_owned).or(number) else { return };
        // In a URL such as `http://localhost:8080/ok`, the port number follows the host.
        let local = text.split_once("://").map_or(text.as_str(), |(_, rest)| {
            let host = rest.find('/').unwrap_or(rest.len());
            rest[..host].rfind(':').map_or(rest, |colon| &rest[colon + 1..])
        });
        let (number, path) = local.split_once('/').unwrap_or((local, ""));
        let Ok(number) = number.parse::<i128>() else { return };
        if let Some(name) = self.named(number) {
            let slash = if has_path || local.contains('/') { "/" } else { "" };
            told.help =
                Some(format!("write `\"{name}{slash}{path}\"`: `{name}` is the name of port {number}"));
        }
    }
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Null
        | Value::Bool(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::Hole => None,
    }
}
