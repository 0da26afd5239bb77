//! Reports surplus arguments, and properties with names that need quotes. For each argument, suggests the property that the user
//! probably meant.
use super::{Reader, hole, put, scalar};
use crate::codes::{EXTRA_ARGUMENT, UNKNOWN_PROPERTY};
use crate::diagnostic::{Diagnostic, Fix};
use crate::shape::secret::SECRET;
use crate::shape::suggest::{self, Meant};
use crate::shape::{Field, Grammar, Object, Place, Shape, literal, repair};
use crate::sources::Format;
use crate::syntax::{Node, NodeEntry, Scalar};
use crate::tree::{Entry, Value};

/// The property that the user probably meant with an argument.
struct Guess<'a> {
    field: &'a Field,
    /// The property as text, such as `limit=3`.
    words: String,
    /// Whether no other property fits.
    sure: bool,
}

/// If an entry that takes one name has several, returns one line for each name: `after "a"` and `after "b"`.
fn one_line_each(field: &Field, node: &Node) -> Option<String> {
    let Shape::Keyed(keyed) = &field.shape else { return None };
    let line = |entry: &NodeEntry| {
        let value = scalar(entry);
        let text = value.text().filter(|text| entry.key.is_none() && keyed.keys.check(text).is_ok())?;
        Some(format!("`{} {}`", field.name, literal::text(Format::Kdl, text)))
    };
    let lines = node.entries.iter().map(line).collect::<Option<Vec<_>>>()?;
    Some(lines.join(" and "))
}

impl<'a> Reader<'a> {
    pub(super) fn surplus<'n>(
        &mut self,
        name: &str,
        form: &str,
        mut entries: impl Iterator<Item = &'n NodeEntry>,
    ) {
        let Some(first) = entries.next() else { return };
        let at = entries.fold(first.span, |at, entry| at.to(entry.span));
        let told = Diagnostic::new(&EXTRA_ARGUMENT, at, format!("too many arguments for `{name}`"));
        self.out.push(told.here("unexpected argument").help(match name {
            "extends" => "write one base; to use several, let this base `extends` the next one".to_owned(),
            _ => format!("expected `{form}`"),
        }));
    }

    /// Reports surplus arguments that may be meant as properties, as in `restart "on-failure" 3`.
    pub(super) fn surplus_of(
        &mut self,
        (field, object): (&Field, &'a Object),
        node: &Node,
        mut surplus: Vec<&NodeEntry>,
        entries: &mut Vec<Entry>,
    ) {
        if field.name == SECRET {
            return self.secret_value(object, node, &surplus, entries);
        }
        surplus.retain(|entry| !self.odd_property(object, node, entry));
        let is_free = |field: &&Field| field.place == Place::Prop && node.property(field.name).is_none();
        let mut free: Vec<&Field> = object.offered().filter(is_free).collect();
        let guesses = self.named_before(&surplus, &free).or_else(|| {
            let guesses = surplus.iter().map(|entry| {
                let guess = self.guess(entry, &free)?;
                free.retain(|field| field.name != guess.field.name);
                Some(guess)
            });
            guesses.collect::<Option<Vec<Guess<'_>>>>()
        });
        self.surplus(field.name, &field.form(), surplus.iter().copied());
        if let (Some(help), Some(told)) =
            (suggest::instead_in_target(self.root, field, node), self.out.last_mut())
        {
            told.help = Some(help);
            return put(entries, "", node.name_span, hole(node.span));
        }
        if guesses.is_none()
            && node.children.is_none()
            && object.at(Place::Arg).next().is_none()
            && let (Some(lines), Some(told)) = (one_line_each(field, node), self.out.last_mut())
        {
            told.help = Some(format!("write one line for each: {lines}"));
        }
        let (Some(guesses), Some(told)) = (guesses, self.out.last_mut()) else {
            // The arguments may be the values of the missing fields, so these fields are not reported as missing.
            return put(entries, "", node.name_span, hole(node.span));
        };
        let words: Vec<&str> = guesses.iter().map(|guess| guess.words.as_str()).collect();
        if words.is_empty() {
            return;
        }
        told.help = Some(format!("did you mean `{}`?", words.join(" ")));
        if guesses.iter().all(|guess| guess.sure) {
            // If the field is an option of a target, the target may refuse one of the properties, so the fix is only a suggestion.
            let fix = Fix::replace(told.labels[0].span, words.join(" "));
            told.fixes.push(fix.if_sure(!suggest::is_option(self.root, field)));
        }
        for (guess, entry) in guesses.iter().zip(surplus) {
            put(entries, guess.field.name, entry.span, hole(entry.span));
        }
    }

    /// Returns the properties for arguments that alternate between name and value, as in `ready "tcp" "web"`.
    fn named_before(&self, surplus: &[&NodeEntry], free: &[&'a Field]) -> Option<Vec<Guess<'a>>> {
        let pairs = surplus.chunks(2).map(|pair| {
            let [name, value] = pair else { return None };
            let Scalar::Text(name) = &name.value else { return None };
            let field = *free.iter().find(|field| field.name == name)?;
            let words = format!("{}={}", field.name, self.source.slice(value.span));
            repair::fits(&scalar(value).value, &field.shape).then_some(Guess { field, words, sure: true })
        });
        let guesses = pairs.collect::<Option<Vec<_>>>()?;
        let mut names: Vec<&str> = guesses.iter().map(|guess| guess.field.name).collect();
        names.sort_unstable();
        names.dedup();
        (names.len() == guesses.len()).then_some(guesses)
    }

    /// Returns the property that accepts the value. Properties with keywords have priority. Properties that accept any string are
    /// skipped. The result is not `sure` if the property accepts nearly any string.
    fn guess(&self, entry: &NodeEntry, free: &[&'a Field]) -> Option<Guess<'a>> {
        let value = scalar(entry).value;
        let quoted = |text: &str| literal::text(Format::Kdl, text);
        let takes = |value: &Value| -> Vec<&'a Field> {
            let takes = |field: &&&Field| {
                field.shape != Shape::Text(Grammar::Text) && repair::fits(value, &field.shape)
            };
            free.iter().filter(takes).copied().collect()
        };
        let (words, fields) = match (&value, takes(&value)) {
            (Value::Text(text), fields) => (quoted(text), fields),
            (Value::Int(_) | Value::Float(_), fields) if fields.is_empty() => {
                // No property accepts a number. The number may be a version without quotes, so it is tried as a string.
                let words = self.source.slice(entry.span).to_owned();
                (quoted(&words), takes(&Value::Text(words)))
            }
            (_, fields) => (self.source.slice(entry.span).to_owned(), fields),
        };
        let word = fields.iter().find(|field| matches!(field.shape, Shape::Words(_)));
        let field = word.or(fields.first())?;
        // A grammar that accepts any word is no evidence for the property. For example, `"logs"` is a valid image, but hardly means
        // one.
        let any = |field: &Field| match field.shape {
            Shape::Text(grammar) => grammar.check("logs").is_ok(),
            Shape::Object(_)
            | Shape::Keyed(_)
            | Shape::List(_)
            | Shape::Words(_)
            | Shape::Number(_)
            | Shape::Flag
            | Shape::NumberOr(..)
            | Shape::Scalar
            | Shape::Any => false,
        };
        let sure = match fields.as_slice() {
            [only] => !any(only),
            many => many.iter().filter(|field| !any(field)).count() == 1 && word.is_some(),
        };
        Some(Guess { field, words: format!("{}={words}", field.name), sure })
    }

    /// Reports an argument that looks like a property with a name that KDL does not allow, such as `nvidia.com/gpu=1`.
    /// Returns `false` for other arguments.
    fn odd_property(&mut self, object: &'a Object, node: &Node, entry: &NodeEntry) -> bool {
        let Some((name, value)) = self.unexpected(entry) else { return false };
        let here: Vec<&Field> = object.offered().filter(|field| field.place == Place::Prop).collect();
        let meant = Meant::find(self.root, name, &here, self.out.len());
        let fact = format!("unknown property `{name}` in `{}`", node.name);
        let told = Diagnostic::new(&UNKNOWN_PROPERTY, entry.span, fact).here("unknown property");
        let counted = object.field("device").is_some() && name.contains('/');
        let number = value.parse::<u32>().is_ok();
        self.out.push(match meant.near {
            Some(near) if number && meant.is_sure() && node.property(near).is_none() => told
                .help(format!("did you mean `{near}`?"))
                .fix(Fix::replace(entry.span, format!("{near}={value}")).if_sure(meant.is_only())),
            None if counted => {
                let count = if number { value } else { "1" };
                told.help(format!(
                    "request an extended resource in the block: `{{ device \"{name}\" {count} }}`"
                ))
            }
            Some(_) | None => meant.tell(told, entry.span).without_fixes(),
        });
        true
    }

    /// Returns the name and value of an unquoted argument such as `a.b/c=d`.
    pub(super) fn unexpected<'e>(&self, entry: &'e NodeEntry) -> Option<(&'e str, &'e str)> {
        let Scalar::Text(text) = &entry.value else { return None };
        let quoted = self.source.slice(entry.span).starts_with(['"', '#']);
        text.split_once('=').filter(|_| !quoted && entry.key.is_none())
    }
}
