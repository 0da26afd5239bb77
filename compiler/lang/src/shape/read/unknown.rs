//! Reports unknown entries and targets in KDL.
use super::{Reader, given, hole, owner_name, put, scalar};
use crate::codes::{MISPLACED_FIELD, UNKNOWN_NODE};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::shape::suggest::{self, Meant, is_role_word};
use crate::shape::{Field, Object, Place, Shape, judge, misplaced, misspelt, repair};
use crate::sources::{Format, Span};
use crate::syntax::guard::MAX_TOLD;
use crate::syntax::{Node, Scalar};
use crate::tree::Entry;

/// Returns whether a node is a role without the keyword `role`, as in `worker count=2`. A node with a string as its argument is
/// no role, because it may be an option of a target.
fn is_role(node: &Node) -> bool {
    let first = node.entries.iter().find(|entry| entry.key.is_none());
    is_role_word(&node.name) && !first.is_some_and(|entry| matches!(entry.value, Scalar::Text(_)))
}

impl<'a> Reader<'a> {
    /// Reports an unknown entry. `nodes`: all nodes of the same block.
    pub(super) fn unknown_node(
        &mut self,
        owner: Option<&Node>,
        object: &'a Object,
        (node, nodes): (&Node, &[Node]),
        entries: &mut Vec<Entry>,
    ) {
        if let Some(field) = object.field("role").filter(|_| is_role(node)) {
            return self.role_by_its_word(field, owner, (node, nodes), entries);
        }
        let value = suggest::ours(&node.name)
            .and_then(|(ours, _)| object.field(ours))
            .or_else(|| object.field(nearest(&node.name, object.offered().map(|field| field.name))?));
        if let Some(field) = value.filter(|field| !field.place.is_node()) {
            return self.node_as_value(owner, object, field, node, entries);
        }
        let here: Vec<&Field> = object.nodes().collect();
        let mut meant = Meant::find(self.root, &node.name, &here, self.out.len());
        let field = meant.near.and_then(|near| object.field(near));
        let is_again = field.is_some_and(|field| is_taken(field, node, nodes, entries));
        meant.taken = is_again;
        let fact = format!("unknown entry `{}` in {}", node.name, owner_name(owner));
        let told = Diagnostic::new(&UNKNOWN_NODE, node.name_span, fact).here("unknown entry");
        let mut told = meant.tell(told, node.name_span);
        // `restarts "on-failure"` is a misspelled `restart`, although `restarts 3` means `limit=3`.
        let own = |field: &Field| {
            suggest::ours(&node.name).is_some_and(|(ours, _)| ours != field.name)
                && first_text(node).is_some()
        };
        let read = |field: &Field| (!meant.foreign || own(field)) && misspelt::is(field, node);
        if let Some(field) = field.filter(|field| !is_again && !read(field)) {
            told.fixes.clear();
            let example = suggest::example_for(&node.name, field.name);
            told = told.help(match self.property_of(field, node).or(example.map(str::to_owned)) {
                Some(example) => format!("write `{example}`"),
                None => format!("did you mean `{}`?", field.form()) + &meant.other_place(),
            });
        } else if matches!(node.name.as_str(), "limits" | "requests") && object.field("cpus").is_some() {
            told = told.help(
                "set the amounts directly: `resources cpus=16 memory=\"64GiB\" gpus=2`; each is both the request and the limit",
            );
            // The unknown block may contain the amounts that `resources` seems to lack, so these are not reported as missing.
            put(entries, "", node.name_span, hole(node.span));
        }
        let told = self.with_form(told, &meant, (owner, object), (node, nodes));
        self.out.push(told);
        let Some(field) = field.filter(|_| !is_again) else { return };
        if read(field) {
            // Reads the node as the intended entry, so that the errors inside it are reported.
            let node = Node { name: field.name.to_owned(), ..node.clone() };
            self.node(field, &node, entries);
        } else {
            put(entries, field.name, node.name_span, hole(node.span));
        }
    }

    /// Replaces the help by the first of these that applies: an option of the job, arguments of `run`, the block of a target, the
    /// line of another entry, an option of a target, the form of the field with the value of the user. If none applies, or after
    /// hundreds of problems, keeps the help.
    fn with_form(
        &self,
        mut told: Diagnostic,
        meant: &Meant<'_>,
        (owner, object): (Option<&Node>, &'a Object),
        (node, nodes): (&Node, &[Node]),
    ) -> Diagnostic {
        if self.out.len() >= MAX_TOLD {
            return told;
        }
        let field = meant.near.and_then(|near| object.field(near));
        let outside = owner.is_some_and(|owner| owner.name != "target");
        let unknown = outside && field.is_none();
        // A name can be both a keyword of another system and an option of a target: `input` may mean `data` or the option `input`.
        let option = outside && (unknown || meant.foreign);
        let arguments = suggest::is_arguments(&node.name) && object.field("run").is_some();
        let block = suggest::target_block(object, node).filter(|_| unknown);
        if block.is_some() {
            told = told.suggest(Fix::replace(node.name_span, format!("target \"{}\"", node.name)));
        }
        let carried = |help: &String| self.carried(help, node);
        // `role { worker { … } }` is the form of YAML.
        let nameless = owner.is_some_and(|owner| owner.name == "role" && owner.entries.is_empty());
        let role = (nameless && is_role(node)).then(|| format!("write `role \"{}\" {{ … }}`", node.name));
        let help = role
            .or_else(|| owner.and_then(|owner| suggest::of_the_job(self.root, owner, &node.name)))
            .or_else(|| arguments.then(|| suggest::of_node(node, |span| self.source.slice(span))))
            .or(block)
            .or_else(|| unknown.then(|| self.in_the_line(object, node, nodes)).flatten())
            .or_else(|| option.then(|| self.with_the_value(node, meant.elsewhere)).flatten())
            .or_else(|| told.help.as_ref().and_then(carried));
        told.help = help.or(told.help);
        told
    }

    /// Returns an entry with the value of the user as a property: `restart "on-failure" limit=3` for `restarts 3`.
    fn property_of(&self, field: &Field, node: &Node) -> Option<String> {
        let property = field.shape.object()?.field(suggest::ours(&node.name)?.0)?;
        let ([only], None) = (node.entries.as_slice(), &node.children) else { return None };
        let fits = only.key.is_none()
            && property.place == Place::Prop
            && repair::fits(&scalar(only).value, &property.shape);
        let value = self.source.slice(only.span);
        fits.then(|| Some(format!("{} {}={value}", suggest::example(field.name)?, property.name))).flatten()
    }

    /// Returns the help for an entry that should be a property of another entry in the same block. Shows the corrected line of the
    /// other entry: ``write `framework "a" version="1"` ``.
    fn in_the_line(&self, object: &Object, node: &Node, nodes: &[Node]) -> Option<String> {
        let ([only], None) = (node.entries.as_slice(), &node.children) else { return None };
        if only.key.is_some() {
            return None;
        }
        let line = |node: &Node| {
            let header = Span::new(node.name_span.start, misplaced::header_end(node));
            suggest::line(self.source, header)
        };
        let value = suggest::line(self.source, only.span)?;
        let own = |other: &&Node| {
            let property =
                object.field(&other.name).and_then(|field| field.shape.object()?.field(&node.name));
            property.is_some_and(|property| property.place == Place::Prop)
                && other.children.is_none()
                && other.property(&node.name).is_none()
        };
        let other = nodes.iter().find(own)?;
        Some(format!("write `{} {}={value}`", line(other)?, node.name))
    }

    /// Returns the help for an option of a target, or for a property of another entry, with the value of the user.
    /// `elsewhere`: whether the name is also a field outside of `target` blocks.
    fn with_the_value(&self, node: &Node, elsewhere: bool) -> Option<String> {
        let value = match node.entries.as_slice() {
            [only] if node.children.is_none() && only.key.is_none() => Some(scalar(only).value),
            _ => None,
        };
        let both = suggest::switch_and_option(self.root, &node.name, value.as_ref());
        both.or_else(|| suggest::as_option(self.root, self.source, node).filter(|_| !elsewhere))
    }

    /// Reports an entry in a `target` block that has the form of an entry of `job`: `hadoop home="/h" java="/j"`. The option of the
    /// target with the same name has another form: `hadoop "3.3.6"`. Returns `false` for other entries.
    pub(super) fn report_job_entry(
        &mut self,
        owner: Option<&Node>,
        field: &Field,
        node: &Node,
        entries: &mut Vec<Entry>,
    ) -> bool {
        let help = owner
            .filter(|owner| owner.name == "target" && !node.entries.is_empty())
            .and_then(|_| suggest::of_the_job_itself(self.root, self.source, field, node));
        let Some(help) = help else { return false };
        let fact = format!("this form of `{}` is an entry of `job`, not of `target`", node.name);
        let told = Diagnostic::new(&MISPLACED_FIELD, node.name_span, fact);
        self.out.push(told.here("not an option of the target").help(help));
        put(entries, field.name, node.name_span, hole(node.span));
        true
    }

    /// Reports an unknown target. `things`: the target blocks before this one.
    pub(super) fn unknown_target(&mut self, targets: &Object, key: &str, at: Span, things: &[Entry]) {
        let known: Vec<&str> = targets.fields.iter().map(|target| target.name).collect();
        let others = things.iter().map(|thing| thing.key.as_str()).chain(self.targets.iter().copied());
        self.out.push(judge::unknown_target(Format::Kdl, &known, key, at, others));
    }
}

/// Returns the first argument of a node, if it is a string.
fn first_text(node: &Node) -> Option<&str> {
    match &node.entries.iter().find(|entry| entry.key.is_none())?.value {
        Scalar::Text(text) => Some(text),
        Scalar::Null | Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => None,
    }
}

/// Returns the targets with a block among these nodes.
pub(super) fn targets_of(object: &Object, nodes: &[Node]) -> Vec<&'static str> {
    let Some(field) = object.at(Place::Targets).next() else { return Vec::new() };
    let Shape::Object(targets) = &field.shape else { return Vec::new() };
    let blocks = nodes.iter().filter(|node| node.name == field.name);
    blocks.filter_map(|node| targets.field(first_text(node)?)).map(|target| target.name).collect()
}

/// Returns whether the field may occur only once, and an earlier entry or a later node of the block already sets it.
pub(super) fn is_taken(field: &Field, node: &Node, nodes: &[Node], entries: &[Entry]) -> bool {
    match field.place {
        Place::List => false,
        Place::Named | Place::Targets => {
            first_text(node).is_some_and(|key| is_named(field, key, nodes, entries))
        }
        Place::Arg | Place::Prop | Place::Args | Place::Child | Place::Pairs => {
            nodes.iter().any(|other| other.name == field.name) || given(entries, field.name).is_some()
        }
    }
}

/// Returns whether another named node of the block, such as `role "worker"`, has this name.
pub(super) fn is_named(field: &Field, key: &str, nodes: &[Node], entries: &[Entry]) -> bool {
    let read = entries.iter().find(|entry| entry.key == field.name).map(|entry| entry.tree.entries());
    read.is_some_and(|things| given(things, key).is_some())
        || nodes.iter().any(|other| other.name == field.name && first_text(other) == Some(key))
}
