//! What is at an offset of a JSON or YAML text.
use super::{Cursor, Slot, Step};
use crate::data::{Data, Pair, Value};
use crate::outline::Word;
use std::ops::Range;
use tfjob_lang::shape::{Field, Keyed, Object, Place, Shape};
use tfjob_lang::sources::Format;

/// What is at an offset of a JSON or YAML text, with the text around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What is at the offset. Its path and slot are those of the KDL form.
    pub cursor: Cursor,
    /// Whether the word is a key: that of a field, or the name of an entry.
    pub key: bool,
    /// Whether `:` follows the key.
    pub colon: bool,
    /// The other keys of the object.
    pub siblings: Vec<String>,
    /// Offset of the first of the other keys.
    pub sibling: Option<usize>,
    /// Whether the word is the value of a key that is an argument or a property in KDL: `on-failure` in `restart: { policy: on-failure }`.
    pub named: bool,
    /// Whether the word is on lines that are structured by their indentation, as in YAML outside of brackets.
    pub is_block: bool,
}

/// Returns what is at an offset. `root`: the shape of the file. `None` in a comment, and where nothing can be written.
pub fn locate(text: &str, format: Format, root: &Shape, byte: usize) -> Option<Located> {
    if format == Format::Json && text.trim().is_empty() {
        // Keys of the object that an empty file is going to have.
        let found = locate(&format!("{{{text}}}"), format, root, byte + 1)?;
        let cursor = Cursor { word: byte..byte, ..found.cursor };
        return Some(Located { cursor, sibling: None, ..found });
    }
    let data = Data::of(text, format);
    if data.in_comment(byte) {
        return None;
    }
    let find = |text: &str, data: &Data, byte: usize| {
        let walk = Walk { text, byte, format };
        let value = data.root.as_ref()?;
        let found = match (value, root.object()) {
            (Value::Map(pairs), object) => walk.pairs(pairs, object, &[], 0),
            // A text of one word: the first key of the file, without its `:`.
            (Value::Scalar(word), _) if format != Format::Json && walk.touches(word) => {
                Some(walk.key(word, &[], Slot::Node, None, &[]))
            }
            (Value::Scalar(_) | Value::List(_), _) => None,
        }?;
        let in_flow = |flow: &Range<usize>| flow.start < byte && byte <= flow.end;
        Some(Located { is_block: format != Format::Json && !data.flows.iter().any(in_flow), ..found })
    };
    if let Some(found) = find(text, &data, byte) {
        return Some(found);
    }
    // There is no word at the offset. A word is inserted there, because its place is that of the word that the user will type.
    let before = text[..byte].chars().next_back();
    let gap = if format == Format::Yaml && matches!(before, Some(':' | '-')) { " " } else { "" };
    let with = format!("{}{gap}{WORD}{}", &text[..byte], &text[byte..]);
    let mut found = find(&with, &Data::of(&with, format), byte + gap.len() + 1)?;
    // The inserted word may have merged with the text next to it. Then no word can be written at the offset.
    if found.cursor.word.len() != WORD.len() {
        return None;
    }
    let original =
        |at: usize| if at <= byte { at } else { at.saturating_sub(gap.len() + WORD.len()).max(byte) };
    found.cursor.word = original(found.cursor.word.start)..original(found.cursor.word.end);
    found.sibling = found.sibling.map(original);
    for step in &mut found.cursor.path {
        step.key = step.key.take().filter(|key| key != WORD);
    }
    Some(found)
}

/// The inserted word.
const WORD: &str = "zQz";

#[derive(Clone, Copy)]
struct Walk<'t> {
    text: &'t str,
    byte: usize,
    format: Format,
}

impl Walk<'_> {
    fn touches(self, word: &Word) -> bool {
        word.bytes.start <= self.byte && self.byte <= word.bytes.end
    }

    fn key(self, word: &Word, path: &[Step], slot: Slot, colon: Option<usize>, pairs: &[Pair]) -> Located {
        let others = pairs.iter().filter(|pair| pair.key.bytes != word.bytes);
        Located {
            sibling: others.clone().next().map(|pair| pair.key.bytes.start),
            is_block: false,
            cursor: self.cursor(path, slot, word.bytes.clone(), word.quoted),
            key: true,
            colon: colon.is_some(),
            siblings: others.map(|pair| pair.key.text.clone()).collect(),
            named: false,
        }
    }

    fn scalar(self, word: &Word, path: &[Step], slot: Slot) -> Option<Located> {
        let cursor = self.cursor(path, slot, word.bytes.clone(), word.quoted);
        let found = Located {
            cursor,
            key: false,
            colon: false,
            siblings: Vec::new(),
            sibling: None,
            named: false,
            is_block: false,
        };
        self.touches(word).then_some(found)
    }

    fn cursor(self, path: &[Step], slot: Slot, word: Range<usize>, quoted: bool) -> Cursor {
        Cursor { path: path.to_vec(), slot, word, quoted, format: self.format }
    }

    /// Finds the offset in the fields of an object. `object`: its shape, if known. `named`: the number of arguments before those of
    /// the object: 1 if its name is an argument in KDL.
    fn pairs(self, pairs: &[Pair], object: Option<&Object>, path: &[Step], named: usize) -> Option<Located> {
        pairs.iter().find_map(|pair| {
            if self.touches(&pair.key) {
                return Some(self.key(&pair.key, path, Slot::Node, pair.colon, pairs));
            }
            let name = pair.key.text.as_str();
            let field = object.and_then(|object| object.field(name));
            self.field(pair, field, object, path, named)
        })
    }

    /// Finds the offset in the value of a field.
    fn field(
        self,
        pair: &Pair,
        field: Option<&Field>,
        object: Option<&Object>,
        path: &[Step],
        named: usize,
    ) -> Option<Located> {
        let name = pair.key.text.as_str();
        let value = pair.value.as_ref()?;
        let place = field.map(|field| field.place);
        match (place, value, field.map(|field| &field.shape)) {
            (Some(Place::Prop), Value::Scalar(word), _) => {
                Some(Located { named: true, ..self.scalar(word, path, Slot::Property(name.to_owned()))? })
            }
            (Some(Place::Arg), Value::Scalar(word), _) => {
                let mut arguments = object.into_iter().flat_map(|object| object.at(Place::Arg));
                let number = arguments.position(|field| field.name == name).unwrap_or_default();
                Some(Located { named: true, ..self.scalar(word, path, Slot::Argument(number + named))? })
            }
            (Some(Place::Named), _, Some(Shape::Keyed(keyed))) => self.named(pair, keyed, path),
            (Some(Place::Targets), _, Some(Shape::Object(targets))) => self.targets(pair, targets, path),
            (_, _, shape) => {
                let block = field.and_then(|field| field.block(None));
                let step = Step { name: name.to_owned(), key: first(value, block) };
                self.value(value, shape, block, &[path, &[step]].concat(), 0, pair.colon)
            }
        }
    }

    /// Finds the offset in the named entries of a field, such as the roles of `role`.
    fn named(self, pair: &Pair, keyed: &Keyed, path: &[Step]) -> Option<Located> {
        let item = |_: &str| Some(keyed.item);
        self.entries(pair, &item, path)
    }

    fn targets(self, pair: &Pair, targets: &Object, path: &[Step]) -> Option<Located> {
        let item = |name: &str| targets.field(name).map(|field| field.shape);
        self.entries(pair, &item, path)
    }

    fn entries(self, of: &Pair, item: &dyn Fn(&str) -> Option<Shape>, path: &[Step]) -> Option<Located> {
        let step = |key: Option<&str>| {
            let step = Step { name: of.key.text.clone(), key: key.map(str::to_owned) };
            [path, &[step]].concat()
        };
        let pairs = match of.value.as_ref()? {
            Value::Map(pairs) => pairs,
            // A word on its own line is the first name.
            Value::Scalar(word) if self.touches(word) && self.is_below(word, of.colon) => {
                return Some(self.key(word, &step(None), Slot::Argument(0), None, &[]));
            }
            Value::Scalar(word) => return self.scalar(word, &step(None), Slot::Argument(0)),
            Value::List(_) => return None,
        };
        pairs.iter().find_map(|pair| {
            let name = pair.key.text.as_str();
            if self.touches(&pair.key) {
                return Some(self.key(&pair.key, &step(Some(name)), Slot::Argument(0), pair.colon, pairs));
            }
            let shape = item(name);
            let block = shape.and_then(|shape| shape.object());
            self.value(pair.value.as_ref()?, shape.as_ref(), block, &step(Some(name)), 1, pair.colon)
        })
    }

    /// Finds the offset in a value. `path`: the path with the step of its field. `number`: the number of the argument that a scalar
    /// stands for.
    fn value(
        self,
        value: &Value,
        shape: Option<&Shape>,
        block: Option<&Object>,
        path: &[Step],
        number: usize,
        colon: Option<usize>,
    ) -> Option<Located> {
        match value {
            Value::Map(pairs) => {
                let keyed = shape.and_then(Shape::keyed);
                if keyed.is_some_and(|keyed| keyed.item.object().is_none()) {
                    self.variables(pairs, path)
                } else {
                    self.pairs(pairs, block, path, number)
                }
            }
            Value::List(items) => items.iter().enumerate().find_map(|(index, item)| match (item, block) {
                (Value::Map(pairs), _) => self.pairs(pairs, block, path, 0),
                (Value::Scalar(word), Some(object))
                    if self.format != Format::Json && !object.is_plain() && self.touches(word) =>
                {
                    Some(self.key(word, path, Slot::Node, None, &[]))
                }
                (Value::Scalar(word), _) => self.scalar(word, path, Slot::Argument(index + number)),
                (Value::List(_), _) => None,
            }),
            Value::Scalar(word) => {
                let is_map = matches!(shape, Some(Shape::Object(_) | Shape::Keyed(_)));
                if is_map && self.touches(word) && self.is_below(word, colon) {
                    return Some(self.key(word, path, Slot::Node, None, &[]));
                }
                self.scalar(word, path, Slot::Argument(number))
            }
        }
    }

    /// Returns whether a scalar of YAML is on a later line than the `:` before it. It is then a key whose `:` is not typed yet.
    fn is_below(self, word: &Word, colon: Option<usize>) -> bool {
        let gap = colon.and_then(|colon| self.text.get(colon..word.bytes.start));
        self.format != Format::Json && gap.is_some_and(|gap| gap.contains('\n'))
    }

    /// Finds the offset in names and values, as in `env`. Each name is a node in KDL.
    fn variables(self, pairs: &[Pair], path: &[Step]) -> Option<Located> {
        pairs.iter().find_map(|pair| {
            if self.touches(&pair.key) {
                return Some(self.key(&pair.key, path, Slot::Node, pair.colon, pairs));
            }
            let step = Step { name: pair.key.text.clone(), key: None };
            let word = pair.value.as_ref()?.word()?;
            self.scalar(word, &[path, &[step]].concat(), Slot::Argument(0))
        })
    }
}

/// Returns the value of the first argument of a block, which is in the path of the KDL form too.
fn first(value: &Value, block: Option<&Object>) -> Option<String> {
    let argument = block?.at(Place::Arg).next()?;
    let word = match value {
        Value::Scalar(word) => Some(word),
        Value::Map(_) | Value::List(_) => value.get(argument.name)?.word(),
    };
    word.map(|word| word.text.clone())
}
