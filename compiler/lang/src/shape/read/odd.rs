//! A property whose name KDL has not, `nvidia.com/gpu=1`, where no argument is due: quoting it would mend nothing.
use super::Reader;
use crate::codes::UNKNOWN_PROPERTY;
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::suggest::Meant;
use crate::shape::{Field, Object, Place};
use crate::syntax::{Node, NodeEntry, Scalar};

impl<'a> Reader<'a> {
    /// Tells of a surplus argument that was written as a property; `false` where it was not.
    pub(super) fn odd_property(&mut self, object: &'a Object, node: &Node, entry: &NodeEntry) -> bool {
        let (Scalar::Text(text), words) = (&entry.value, self.source.slice(entry.span)) else { return false };
        let Some((name, value)) = text.split_once('=').filter(|_| !words.starts_with(['"', '#'])) else {
            return false;
        };
        let here: Vec<&Field> = object.at(Place::Prop).collect();
        let meant = Meant::find(self.root, name, &here, self.out.len());
        let fact = format!("`{name}` is not a property of `{}`", node.name);
        let told = Diagnostic::new(&UNKNOWN_PROPERTY, entry.span, fact).here("unknown here");
        let counted = object.field("device").is_some() && name.contains('/');
        let number = value.parse::<u32>().is_ok();
        self.out.push(match meant.near {
            Some(near) if number && meant.is_sure() && node.property(near).is_none() => told
                .help(format!("did you mean `{near}`?"))
                .fix(Fix::replace(entry.span, format!("{near}={value}"))),
            None if counted => {
                let count = if number { value } else { "1" };
                told.help(format!(
                    "another counted kind stands in the block: `{{ device \"{name}\" {count} }}`"
                ))
            }
            Some(_) | None => meant.tell(told, entry.span).without_fixes(),
        });
        true
    }
}
