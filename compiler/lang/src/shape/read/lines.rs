//! Reports lines in the wrong place, because a brace or line continuation is missing, or because `extends` is inside the job.
use super::super::entries::{hole, put};
use super::super::{Object, Place, Shape};
use super::Reader;
use crate::codes::{MISPLACED_FIELD, UNBALANCED_BRACES, UNKNOWN_NODE};
use crate::diagnostic::{Diagnostic, Edit, Fix, nearest};
use crate::sources::Span;
use crate::syntax::Node;
use crate::tree::Entry;

impl Reader<'_> {
    /// If `job "mnist"` has no block, reports this, and returns the nodes of the file with the lines after `job` as its block.
    /// `None` if `job` has a block, or the first line after it is not an entry that only a job has.
    pub(super) fn without_brace(&mut self, file: &Object) -> Option<Vec<Node>> {
        let nodes = &self.kdl.nodes;
        let at = nodes.iter().position(|node| {
            file.field(&node.name).is_some_and(|field| matches!(field.shape, Shape::Object(_)))
        })?;
        let (head, below) = (&nodes[at], &nodes[at + 1..]);
        let inner = file.field(&head.name).and_then(|field| field.block(None))?;
        let within = |node: &&Node| file.field(&node.name).is_none() && inner.field(&node.name).is_some();
        let count = below.iter().take_while(within).count();
        if head.children.is_some() || count == 0 {
            return None;
        }
        let (inside, after) = below.split_at(count);
        let end = inside[count - 1].span.end;
        let name = &head.name;
        let edits = vec![
            Edit { span: Span::new(head.span.end, head.span.end), text: " {".to_owned() },
            Edit { span: Span::new(end, end), text: "\n}".to_owned() },
        ];
        self.out.push(
            Diagnostic::new(&UNBALANCED_BRACES, head.span, format!("missing `{{` after `{name}`"))
                .here("expected `{` at the end of this line")
                .help(format!("add `{{` at the end of this line, and `}}` after the last line of `{name}`"))
                .suggest(Fix::of("add the braces", edits)),
        );
        let head =
            Node { children: Some(inside.to_vec()), span: Span::new(head.span.start, end), ..head.clone() };
        Some(nodes[..at].iter().cloned().chain([head]).chain(after.iter().cloned()).collect())
    }

    /// Reports a line that continues the arguments of the previous entry: `"--lr" "0.1"` after `run "python" "train.py"`. Returns
    /// `false` for other lines.
    ///
    /// `command`: index in `before` of the last node that does not continue another node. It is kept between calls, so that each
    /// node is checked only once.
    pub(super) fn continues(
        &mut self,
        object: &Object,
        before: &[Node],
        node: &Node,
        command: &mut Option<usize>,
    ) -> bool {
        // A line that begins with a quoted word is a new entry in two cases: it has a block or a property, or the word is similar
        // to a field name.
        let field = |name: &str| nearest(name, object.fields.iter().map(|field| field.name)).is_some();
        let plain = |node: &Node| {
            node.children.is_none()
                && node.entries.iter().all(|entry| entry.key.is_none())
                && !field(&node.name)
        };
        let argument = |node: &Node| {
            let quoted = self.source.slice(node.name_span).starts_with('"');
            node.name.starts_with('-') && node.children.is_none() || quoted && plain(node)
        };
        if object.field(&node.name).is_some() || !argument(node) {
            *command = Some(before.len());
            return false;
        }
        let Some(last) = before.last().filter(|last| last.children.is_none()) else { return false };
        let Some(command) = command.and_then(|number| before.get(number)) else { return false };
        let takes_all = object.field(&command.name).is_some_and(|field| field.place == Place::Args);
        if !takes_all || command.entries.is_empty() || command.children.is_some() {
            return false;
        }
        let end = Span::new(last.span.end, last.span.end);
        let fact =
            format!("`{}` is on a new line, so it is not an argument of `{}`", node.name, command.name);
        let told = Diagnostic::new(&UNKNOWN_NODE, node.name_span, fact).here("parsed as a new entry");
        let told = told.help("end the previous line with `\\` to continue it");
        let lines = self.source.slice(Span::new(last.span.end, node.name_span.start));
        // The fix is possible only if nothing but a newline separates the two nodes.
        let joined = lines.trim().is_empty() && lines.matches('\n').count() == 1;
        self.out.push(if joined {
            // This is only a suggestion, because the fix changes the command.
            told.suggest(Fix::edit("continue the previous line", end, " \\"))
        } else {
            told
        });
        true
    }

    /// Reports an `extends` inside a block. Missing fields of this block are not reported, because the base file may contain
    /// them. Returns `false` for other nodes.
    pub(super) fn extends_within(&mut self, node: &Node, entries: &mut Vec<Entry>) -> bool {
        if node.name != "extends" {
            return false;
        }
        let told = Diagnostic::new(
            &MISPLACED_FIELD,
            node.name_span,
            "`extends` must be before `job`, not inside it",
        );
        self.out
            .push(told.help("move the line to the top of the file, above `job`").blocks_targets("extends"));
        put(entries, "", node.name_span, hole(node.span));
        true
    }

    /// Reports `extends` below `job`.
    pub(super) fn extends_below(&mut self, node: &Node) {
        if node.name == "extends" {
            let told = Diagnostic::new(&MISPLACED_FIELD, node.name_span, "`extends` must be before `job`");
            self.out.push(told.here("below `job`").help("move the line to the top of the file, above `job`"));
        }
    }
}
