//! Nodes that do not come from a file, such as those in a help text.
use super::Reader;
use crate::shape::{Object, Shape};
use crate::sources::Source;
use crate::syntax::Kdl;
use crate::tree::Tree;

/// Converts nodes to a tree with the fields of `block`. `None` if the nodes do not match these fields.
pub fn within(kdl: &Kdl, source: &Source, block: &'static Object) -> Option<Tree> {
    let root = Shape::Object(block);
    let mut reader = Reader { kdl, source, root: &root, out: Vec::new(), targets: Vec::new() };
    let mut entries = Vec::new();
    reader.block(None, block, &kdl.nodes, &mut entries);
    reader.out.is_empty().then(|| Tree::map(source.span(), entries))
}
