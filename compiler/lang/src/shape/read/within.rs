//! Nodes without a file around them, such as those of a help.
use super::Reader;
use crate::shape::{Object, Shape};
use crate::sources::Source;
use crate::syntax::Kdl;
use crate::tree::Tree;

/// The tree of nodes that stand in a block of these fields; `None` where they do not fit there.
pub fn within(kdl: &Kdl, source: &Source, block: &'static Object) -> Option<Tree> {
    let root = Shape::Object(block);
    let mut reader = Reader { kdl, source, root: &root, out: Vec::new(), targets: Vec::new() };
    let mut entries = Vec::new();
    reader.block(None, block, &kdl.nodes, &mut entries);
    reader.out.is_empty().then(|| Tree::map(source.span(), entries))
}
