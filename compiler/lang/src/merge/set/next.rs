//! What may follow the beginning of a setting, for completion.
use super::meant::{self, key_part};
use super::{Step, Walk, split, whole};
use crate::shape::{Field, Object, Place, Shape};
use crate::sources::{Format, Sources};
use crate::tree::Tree;

/// A possible continuation of a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// The next name of the key, in quotes if it contains a dot.
    Name {
        /// The name.
        name: String,
        /// Description; may be empty.
        about: &'static str,
        /// Whether a value may follow: `image=…`.
        has_value: bool,
        /// Whether another name may follow: `image.…`.
        has_names: bool,
    },
    /// A value of this shape.
    Value {
        /// Shape of the value.
        shape: Shape,
        /// The value of the spec.
        current: Option<Tree>,
    },
}

/// Returns what may follow the beginning of a setting of a spec: after `role.worker.`, the fields of a role; after
/// `role.worker.count=`, a number. An incomplete name at the end is ignored. Empty if the key is invalid.
#[must_use]
pub fn next(tree: &Tree, shape: &Shape, text: &str) -> Vec<Next> {
    let mut sources = Sources::default();
    let has_value = names(text).any(|(_, c)| c == '=');
    let end = names(text).filter(|(_, c)| *c == '.').last().map_or(0, |(at, c)| at + c.len_utf8());
    let key = if has_value { text.to_owned() } else { format!("{}=", &text[..end]) };
    let number = sources.add("set", Format::Set, key);
    let source = sources.get(number);
    let (Ok((steps, value)), Some(job)) = (split(source), shape.find(&[("job", None)])) else {
        return Vec::new();
    };
    let Some(object) = job.shape.object() else { return Vec::new() };
    let path = vec![Step { name: "job".to_owned(), at: whole(source) }];
    let asked = Some(Asked { has_value, found: Vec::new() });
    let mut walk = Walk { root: object, source, value, path, asked };
    // Without a value, the last name is empty, so the walk ends there with an error.
    let _ = walk.object(object, tree.get("job"), &steps);
    walk.asked.map(|asked| asked.found).unwrap_or_default()
}

/// Returns the characters of a setting outside of quotes, each with its offset.
fn names(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quoted = false;
    text.char_indices().filter(move |(_, c)| {
        quoted ^= *c == '"';
        !quoted
    })
}

/// The continuations that a walk collects.
pub(super) struct Asked {
    /// Whether the value is asked for, and not the last name.
    has_value: bool,
    found: Vec<Next>,
}

impl Asked {
    /// Collects the value of a key.
    pub fn value(&mut self, shape: &Shape, current: Option<&Tree>) {
        if self.has_value {
            self.found.push(Next::Value { shape: *shape, current: current.cloned() });
        }
    }

    /// Collects the fields that `steps`, the rest of a key, may begin with.
    pub fn fields(&mut self, object: &Object, tree: Option<&Tree>, steps: &[Step]) {
        if self.is_last(steps) {
            let fields = object.fields.iter().filter(|field| !meant::is_of_roles(object, tree, field.name));
            let tree = |field: &Field| tree.and_then(|tree| tree.get(field.name));
            self.found.extend(fields.filter_map(|field| of_field(field, tree(field))));
        }
    }

    /// Collects the entries that `steps`, the rest of a key, may begin with.
    pub fn entries(&mut self, item: &Shape, tree: Option<&Tree>, steps: &[Step]) {
        if self.is_last(steps) {
            let entries = tree.map_or(&[][..], Tree::entries).iter();
            self.found.extend(entries.filter_map(|entry| of_shape(&entry.key, "", item, Some(&entry.tree))));
        }
    }

    const fn is_last(&self, steps: &[Step]) -> bool {
        !self.has_value && steps.len() == 1
    }
}

fn of_field(field: &Field, tree: Option<&Tree>) -> Option<Next> {
    // The name of the job is set by its own key.
    of_shape(field.name, field.doc, &field.shape, tree).filter(|next| match (field.place, next) {
        (Place::Targets, _) => true,
        (_, Next::Name { has_value, has_names, .. }) => *has_value || *has_names,
        (_, Next::Value { .. }) => false,
    })
}

/// Returns a name whose value has a shape. `None` if nothing below the name can be set.
fn of_shape(name: &str, about: &'static str, shape: &Shape, tree: Option<&Tree>) -> Option<Next> {
    let (has_value, has_names) = match shape {
        Shape::Object(object) => {
            let arguments = object.at(Place::Arg).count();
            (arguments > 0, object.fields.len() > arguments.min(1))
        }
        // Only entries of the spec can be set, except variables and labels.
        Shape::Keyed(keyed) => {
            let is_free = keyed.item.object().is_none();
            (false, is_free || tree.is_some_and(|tree| !tree.entries().is_empty()))
        }
        Shape::List(_) | Shape::Any => (false, false),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar => (true, false),
    };
    let next = Next::Name { name: key_part(name), about, has_value, has_names };
    (has_value || has_names).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::{Next, next};
    use crate::shape::read;
    use crate::shape::tests::{WHOLE, check_all, job};
    use crate::sources::{Format, Sources};
    use crate::syntax::read_kdl;
    use crate::tree::Tree;

    /// Returns the tree of a job before its roles get the defaults, as settings change it.
    fn whole() -> Tree {
        let mut sources = Sources::default();
        let number = sources.add("a.tfjob.kdl", Format::Kdl, WHOLE);
        let source = sources.get(number);
        read(&read_kdl(source).0, source, job()).0
    }

    fn shown(text: &str) -> Vec<String> {
        let all = next(&whole(), job(), text);
        let one = |next: &Next| match next {
            Next::Name { name, has_value, has_names, .. } => {
                let marks = [(*has_value, '='), (*has_names, '.')];
                let marks = marks.into_iter().filter_map(|(has, mark)| has.then_some(mark));
                format!("{name}{}", marks.collect::<String>())
            }
            Next::Value { shape, .. } => format!("={}", shape.words()),
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn names_and_values_follow_the_beginning_of_a_setting() {
        let of_job = shown("");
        for wanted in ["role.", "image=.", "env.", "description="] {
            assert!(of_job.contains(&wanted.to_owned()), "{wanted}: {of_job:?}");
        }
        // An entry of a list and a command cannot be set.
        assert!(
            !of_job.iter().any(|name| name.starts_with("allow") || name.starts_with("run")),
            "{of_job:?}"
        );
        assert_eq!(shown("ro"), of_job);
        assert!(shown("role.").contains(&"worker.".to_owned()), "{:?}", shown("role."));
        assert!(shown("role.worker.").contains(&"count=".to_owned()), "{:?}", shown("role.worker."));
        assert!(shown("target.").contains(&"site.".to_owned()), "{:?}", shown("target."));
        assert_eq!(shown("role.worker.count=").len(), 1);
        assert_eq!(shown("role.worker.count=8"), shown("role.worker.count="));
        assert_eq!(shown("env.ANY=").len(), 1);
        for wrong in ["nothing.", "role.nobody.", "nothing=", "role.worker=", "allow."] {
            assert_eq!(shown(wrong), [""; 0], "{wrong}");
        }
    }

    /// Each offered key is accepted, or only its value is wrong.
    #[test]
    fn each_offered_key_is_known() {
        let mut keys = vec![String::new()];
        let mut leaves = 0;
        while let Some(key) = keys.pop() {
            for name in shown(&key) {
                let bare = name.trim_end_matches(['=', '.']);
                if name[bare.len()..].contains('.') {
                    keys.push(format!("{key}{bare}."));
                }
                if name[bare.len()..].contains('=') {
                    let setting = format!("{key}{bare}=1");
                    let told = check_all(&[("a", WHOLE), ("--set", &setting)]).told();
                    let is_unknown = told.iter().any(|told| {
                        ["unknown-key", "unknown-target", "bad-setting"]
                            .iter()
                            .any(|code| told.contains(code))
                    });
                    assert!(!is_unknown, "{setting}: {told:?}");
                    assert_eq!(shown(&format!("{key}{bare}=")).len(), 1, "{setting}");
                    leaves += 1;
                }
            }
        }
        assert!(leaves > 50, "{leaves}");
    }
}
