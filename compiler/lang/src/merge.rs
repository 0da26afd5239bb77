//! Merges a spec over its base file, and a role over the defaults of its job. If both sides set a value, the value of the spec or
//! role is used. This value is called the nearer value; the value of the base file or job is called the base value.
//!
//! The blocks in [`BY_CHILD`] are merged field by field. Maps such as `env`, and named entries such as roles, are merged by name.
//! Repeated entries are merged by the fields that identify them. All other entries are replaced. Every value keeps its span.
mod bound;
mod set;

pub(crate) use set::tree_of;
pub use set::{Next, next, set};

use crate::diagnostic::Diagnostic;
use crate::shape::{Field, Object, Place, Shape};
use crate::spec::is_default;
use crate::tree::{Entry, Tree, Value};
use std::collections::BTreeMap;

/// Blocks that are merged field by field.
pub(crate) const BY_CHILD: [&str; 4] = ["job", "role", "helper", "target"];

/// Fields that do not identify a repeated entry: the reason of `allow`, the duration of `toleration`.
pub const DETAILS: [&str; 2] = ["because", "seconds"];

/// Alternative fields, of which only one may be set. If the spec or role sets one, this field also replaces its alternative in the
/// base.
pub(crate) const EITHER: [&str; 2] = ["run", "shell"];

/// Blocks that set environment variables. A variable that the spec or role sets in one of these blocks replaces a variable of this
/// name in both blocks of the base.
pub(crate) const VARIABLES: [&str; 2] = ["env", "secret"];

/// Merges a spec over its base file, and keeps unknown fields. If the base could not be read (a hole), the job of the result
/// gets a hole, because the base may set any field.
#[must_use]
pub fn merge(base: Tree, near: Tree, shape: &Shape) -> Tree {
    let Some(object) = shape.object() else { return near };
    let lost = base.entries().iter().any(|entry| is_hole(&entry.tree));
    let unknown = is_hole(&base) || lost && base.get("job").is_none_or(is_hole);
    let mut merged = by_child(object, base, near);
    if let (true, Some(Entry { tree: Tree { span, value: Value::Map(fields) }, .. })) =
        (unknown, entry_mut(&mut merged, "job"))
    {
        let hole = Tree { span: *span, value: Value::Hole };
        fields.push(Entry { key: String::new(), key_span: *span, tree: hole });
    }
    if let Value::Map(entries) = &mut merged.value {
        entries.retain(|entry| entry.key != "extends");
    }
    merged
}

/// Merges each role and helper over the defaults of the job. `tree`: the whole spec.
///
/// A default `after "NAME"` does not apply to the role `NAME` itself. Of the options in `target` blocks of the job, a role gets
/// only those that it may set itself and that are declared as inherited.
///
/// # Errors
/// Returns an error if the expanded defaults exceed the limits of [`bound`]. Then the tree is unchanged.
pub fn give_defaults(tree: &mut Tree, shape: &Shape) -> Result<(), Box<Diagnostic>> {
    let Some(job_shape) = shape.block(&[("job", None)]) else { return Ok(()) };
    let Some(job) = entry_mut(tree, "job") else { return Ok(()) };
    bound::judge(job)?;
    let defaults: Vec<Entry> =
        job.tree.entries().iter().filter(|entry| is_default(&entry.key, "role")).cloned().collect();
    if defaults.is_empty() {
        return Ok(());
    }
    for kind in ["role", "helper"] {
        let Some(role_shape) = job_shape.field(kind).and_then(|field| field.block(None)) else { continue };
        let Some(Value::Map(roles)) = entry_mut(&mut job.tree, kind).map(|entry| &mut entry.tree.value)
        else {
            continue;
        };
        for role in roles {
            let given = defaults.iter().filter(|entry| is_default(&entry.key, kind));
            let base = given.map(|entry| default_for(entry, &role.key, job_shape, role_shape)).collect();
            let span = role.tree.span;
            let near = std::mem::replace(&mut role.tree, Tree { span, value: Value::Hole });
            role.tree = by_child(role_shape, Tree::map(span, base), near);
        }
    }
    Ok(())
}

/// Returns the part of a default of the job that applies to a role.
fn default_for(entry: &Entry, role: &str, job: &Object, roles: &Object) -> Entry {
    let mut entry = entry.clone();
    let Value::Map(things) = &mut entry.tree.value else { return entry };
    match entry.key.as_str() {
        "after" => things.retain(|other| other.key != role),
        "target" => {
            let (Some(job), Some(roles)) = (job.field("target"), roles.field("target")) else { return entry };
            for target in &mut *things {
                let (job, role) = (job.block(Some(&target.key)), roles.block(Some(&target.key)));
                if let Value::Map(options) = &mut target.tree.value {
                    options.retain(|option| passes_on(job, role, &option.key));
                }
            }
            things.retain(|target| !target.tree.entries().is_empty());
        }
        _ => {}
    }
    entry
}

fn passes_on(job: Option<&Object>, role: Option<&Object>, option: &str) -> bool {
    let known = role.is_some_and(|role| role.field(option).is_some());
    known && job.and_then(|job| job.field(option)).is_some_and(|field| field.inherited)
}

fn is_hole(tree: &Tree) -> bool {
    tree.value == Value::Hole
}

fn entry_mut<'t>(tree: &'t mut Tree, key: &str) -> Option<&'t mut Entry> {
    match &mut tree.value {
        Value::Map(entries) => entries.iter_mut().find(|entry| entry.key == key),
        Value::Null
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Hole => None,
    }
}

/// Merges two blocks of the same type field by field.
fn by_child(object: &Object, base: Tree, near: Tree) -> Tree {
    maps(base, near, |mut base, near| {
        let set: Vec<&str> =
            EITHER.into_iter().filter(|field| near.iter().any(|e| e.key == *field)).collect();
        base.retain(|entry| set.is_empty() || !EITHER.contains(&&*entry.key) || set.contains(&&*entry.key));
        yield_variables(&mut base, &near);
        over(base, near, |key, base, near| match object.field(key) {
            Some(field) => field_over(field, base, near),
            None => near,
        })
    })
}

/// Removes from `env` of the base each environment variable that `secret` in `near` sets. Also removes from `secret` of the base
/// each one that `env` in `near` sets.
fn yield_variables(base: &mut [Entry], near: &[Entry]) {
    for (from, by) in [(VARIABLES[0], VARIABLES[1]), (VARIABLES[1], VARIABLES[0])] {
        let Some(set) = near.iter().find(|entry| entry.key == by).map(|entry| entry.tree.entries()) else {
            continue;
        };
        for block in base.iter_mut().filter(|entry| entry.key == from) {
            if let Value::Map(variables) = &mut block.tree.value {
                variables.retain(|variable| !set.iter().any(|entry| entry.key == variable.key));
            }
        }
    }
}

/// Merges the entries of two maps by `merge`. If `base` or `near` is not a map, returns `near`.
fn maps(base: Tree, near: Tree, merge: impl FnOnce(Vec<Entry>, Vec<Entry>) -> Vec<Entry>) -> Tree {
    match (base.value, near.value) {
        (Value::Map(base), Value::Map(entries)) => Tree::map(near.span, merge(base, entries)),
        (_, value) => Tree { span: near.span, value },
    }
}

/// Returns the entries of both maps, those of the base first. `combine` merges two entries with the same key.
fn over(base: Vec<Entry>, near: Vec<Entry>, combine: impl Fn(&str, Tree, Tree) -> Tree) -> Vec<Entry> {
    let mut out = base;
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (i, entry) in out.iter().enumerate() {
        known.entry(entry.key.clone()).or_insert(i);
    }
    for entry in near {
        match known.get(&entry.key).map(|i| &mut out[*i]) {
            Some(slot) => {
                let below =
                    std::mem::replace(&mut slot.tree, Tree { span: entry.key_span, value: Value::Hole });
                slot.tree = combine(&entry.key, below, entry.tree);
                slot.key_span = entry.key_span;
            }
            None => {
                known.insert(entry.key.clone(), out.len());
                out.push(entry);
            }
        }
    }
    out
}

/// Returns whether the fields of a block with this name are merged with those of the base one by one.
#[must_use]
pub fn merges_fields(block: &str) -> bool {
    BY_CHILD.contains(&block)
}

/// Returns whether an entry of this field entirely replaces that of the base.
#[must_use]
pub fn is_replaced(field: &Field) -> bool {
    match field.place {
        Place::Named | Place::Targets | Place::Pairs | Place::List => false,
        Place::Child => !merges_fields(field.name),
        Place::Arg | Place::Prop | Place::Args => true,
    }
}

/// Merges a field over the same field of the base.
fn field_over(field: &Field, base: Tree, near: Tree) -> Tree {
    let deep = merges_fields(field.name);
    match (field.place, &field.shape) {
        (Place::Named | Place::Targets, _) => maps(base, near, |base, near| {
            over(base, near, |key, base, near| match field.block(Some(key)) {
                Some(object) if deep => by_child(object, base, near),
                _ => near,
            })
        }),
        (Place::Pairs, _) => maps(base, near, |base, near| over(base, near, |_, _, near| near)),
        (Place::List, _) => lists(base, near),
        (Place::Child, Shape::Object(object)) if !is_replaced(field) => by_child(object, base, near),
        (Place::Arg | Place::Prop | Place::Args | Place::Child, _) => near,
    }
}

/// Merges two lists of repeated entries: first the entries of `base` that no entry of `near` replaces, then all entries of `near`.
fn lists(base: Tree, near: Tree) -> Tree {
    match (base.value, near.value) {
        (Value::List(mut all), Value::List(own)) => {
            all.retain(|tree| !tree.entries().is_empty() && !own.iter().any(|near| is_same(tree, near)));
            all.extend(own);
            Tree { span: near.span, value: Value::List(all) }
        }
        (_, value) => Tree { span: near.span, value },
    }
}

/// Returns whether two repeated entries are equal apart from [`DETAILS`], so that one replaces the other.
fn is_same(one: &Tree, other: &Tree) -> bool {
    let about = |tree: &Tree| -> BTreeMap<String, Value> {
        let about = tree.entries().iter().filter(|entry| !DETAILS.contains(&entry.key.as_str()));
        about.map(|entry| (entry.key.clone(), entry.tree.value.clone())).collect()
    };
    about(one) == about(other)
}

#[cfg(test)]
mod tests;
