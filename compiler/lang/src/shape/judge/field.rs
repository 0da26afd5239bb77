//! Help texts for invalid values. They depend on the field that has the value.
use super::Judge;
use crate::codes::BAD_VALUE;
use crate::shape::{Field, Grammar, Shape};
use crate::spec::values;
use crate::tree::Tree;

impl Judge<'_> {
    /// Completes the help for an invalid value of this field. `before`: the number of diagnostics before the check of the
    /// value.
    pub(super) fn for_the_field(&mut self, field: &Field, tree: &Tree, before: usize) {
        let Some(told) = self.out.get_mut(before).filter(|told| told.code == &BAD_VALUE) else { return };
        let Shape::Text(grammar) = field.shape else { return };
        if grammar == Grammar::Version {
            let example = field.example().map(|text| format!("such as `{text}`"));
            let help = told.help.take().zip(example);
            told.help = help.map(|(help, example)| help.replace(values::VERSIONS, &example));
        } else if matches!(grammar, Grammar::PortName | Grammar::PortPath) {
            self.ports.explain(told, tree, grammar == Grammar::PortPath);
        } else if grammar == Grammar::Uri && field.name == "url" && told.message.contains("credentials") {
            told.help = Some("remove them, and provide the file at a URI that needs no password".to_owned());
        } else if let Some(path) =
            tree.text().filter(|path| field.name == "shared" && path.starts_with('/') && !path.contains(':'))
        {
            told.help = Some(format!("write `file://{path}`"));
        } else if grammar == Grammar::Memory && field.name == "gpu-memory" {
            // A GPU of 40 GB reports less memory than `40GiB`, so the value in units of 1000 is the likely one.
            told.help = told.help.take().map(decimal_first);
        }
    }
}

/// Changes the help for an ambiguous size: the reading in units of 1000 comes first.
fn decimal_first(help: String) -> String {
    let parts = help.strip_prefix("write ").and_then(|rest| rest.split_once(values::BINARY_OR));
    match parts {
        Some((binary, decimal)) => format!("write {decimal}, or {binary} for units of 1024"),
        None => help,
    }
}
