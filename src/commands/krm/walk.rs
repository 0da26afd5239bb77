//! Walks over the events of a YAML text, and keeps only what a list needs: a stack of open containers, the positions of items, and
//! the names of objects.
use super::list::{Item, MAX_ITEMS, Object, dash, line_start};
use granit_parser::{Event, Marker, Parser, StructureStyle};
use std::ops::Range;

/// Maximum number of anchors in a text, because the parser keeps the name of each.
const MAX_ANCHORS: usize = 10_000;

/// The part of a list that a container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The list.
    Root,
    /// The sequence `items`.
    Items,
    /// An item.
    Item,
    /// `metadata` of an item.
    Metadata,
    /// `metadata.annotations` of an item.
    Annotations,
    /// `metadata.labels` of an item.
    Labels,
    /// Any other container.
    Other,
}

/// An open container.
#[derive(Debug)]
struct Frame {
    role: Role,
    is_map: bool,
    is_block: bool,
    /// In a map: the key of the value that follows, empty if no part of a list is below it. `None` before a key.
    key: Option<String>,
}

/// A field of the list whose value is needed.
#[derive(Debug)]
struct Section {
    key: String,
    start: usize,
    is_block: bool,
}

/// The state of a walk, and what it has found.
#[derive(Debug)]
pub struct Walk<'a> {
    text: &'a str,
    /// Role of the outermost container.
    outermost: Role,
    open: Vec<Frame>,
    section: Option<Section>,
    /// Number of anchors so far, and before the current item.
    anchors: (usize, usize),
    object: Object,
    documents: usize,
    /// `apiVersion` of the list.
    pub version: Option<String>,
    /// `kind` of the list.
    pub kind: Option<String>,
    /// Position of `functionConfig`.
    pub config: Option<Range<usize>>,
    /// The items.
    pub items: Vec<Item>,
    /// Column of the dash of each item.
    pub indent: usize,
    has_items: bool,
}

type Step = Result<(), String>;

impl<'a> Walk<'a> {
    /// Creates the walk over a list.
    pub fn list(text: &'a str) -> Self {
        Self::new(text, Role::Root)
    }

    /// Creates the walk over one object.
    pub fn object(text: &'a str) -> Self {
        Self::new(text, Role::Item)
    }

    fn new(text: &'a str, outermost: Role) -> Self {
        Self {
            text,
            outermost,
            open: Vec::new(),
            section: None,
            anchors: (0, 0),
            object: Object::default(),
            documents: 0,
            version: None,
            kind: None,
            config: None,
            items: Vec::new(),
            indent: 0,
            has_items: false,
        }
    }

    /// Returns the name of the object that was read last. `None` if a part of it is missing.
    pub fn take_object(&mut self) -> Option<Object> {
        let object = std::mem::take(&mut self.object);
        let is_complete = ![&object.version, &object.kind, &object.name].iter().any(|part| part.is_empty());
        is_complete.then_some(object)
    }

    /// Walks over the whole text.
    ///
    /// # Errors
    /// Returns a message with the line and the column for a text that is no list.
    pub fn run(&mut self) -> Step {
        let options = granit_parser::options! { disallow_directives: true, emit_comments: false };
        for event in Parser::new_from_str_with_options(self.text, options) {
            match event {
                Ok((event, span)) => {
                    let (start, end) = (self.byte(&span.start), self.byte(&span.end));
                    self.event(event, start, end).map_err(|why| placed(&span.start, &why))?;
                }
                Err(error) => return Err(placed(error.marker(), &format!("invalid YAML: {}", error.info()))),
            }
        }
        Ok(())
    }

    /// Returns the byte offset of a marker.
    fn byte(&self, marker: &Marker) -> usize {
        let index = || self.text.char_indices().nth(marker.index()).map(|(byte, _)| byte);
        marker.byte_offset().or_else(index).unwrap_or(self.text.len()).min(self.text.len())
    }

    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Step {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err("more than one YAML document: expected one ResourceList".to_owned());
                }
                Ok(())
            }
            Event::Alias(anchor) => {
                if !self.open.is_empty() && anchor <= self.anchors.1 {
                    return Err("an alias must refer to an anchor of the same item".to_owned());
                }
                self.scalar(None, start)
            }
            Event::Scalar(text, _, anchor, _) => {
                self.anchor(anchor)?;
                self.scalar(Some(&text), start)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let is_marked = anchor != 0 || tag.is_some();
                self.anchor(anchor)?;
                self.opened((false, style == StructureStyle::Block), is_marked, start)
            }
            Event::MappingStart(style, anchor, tag) => {
                let is_marked = anchor != 0 || tag.is_some();
                // The anchor of an item is a part of the item.
                let of_item = self.open.last().is_some_and(|frame| frame.role == Role::Items);
                if of_item {
                    self.anchors.1 = self.anchors.0;
                }
                self.anchor(anchor)?;
                self.opened((true, style == StructureStyle::Block), is_marked, start)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.closed(start, end);
                Ok(())
            }
            // The other events have no value.
            _ => Ok(()),
        }
    }

    fn anchor(&mut self, anchor: usize) -> Step {
        self.anchors.0 = self.anchors.0.max(anchor);
        if self.anchors.0 > MAX_ANCHORS {
            return Err(format!("more than {MAX_ANCHORS} anchors"));
        }
        Ok(())
    }

    /// Handles a scalar: a key, or a value. `text`: `None` for an alias.
    fn scalar(&mut self, text: Option<&str>, at: usize) -> Step {
        let Some(frame) = self.open.last_mut() else {
            return Err("expected an object".to_owned());
        };
        let role = frame.role;
        if frame.is_map && frame.key.is_none() {
            let kept = role != Role::Other;
            frame.key = Some(if kept { text.unwrap_or_default().to_owned() } else { String::new() });
            return if role == Role::Root { self.section(text.unwrap_or_default(), at) } else { Ok(()) };
        }
        let key = frame.key.take().unwrap_or_default();
        if text.is_none() && role == Role::Root && matches!(key.as_str(), "items" | "functionConfig") {
            return Err(format!("`{key}` must not be an alias"));
        }
        let text = text.unwrap_or_default();
        let field = match (role, key.as_str()) {
            (Role::Root, "apiVersion") => self.version.insert(String::new()),
            (Role::Root, "kind") => self.kind.insert(String::new()),
            // Without a value, a field is null.
            (Role::Root, "items" | "functionConfig") if matches!(text, "" | "null" | "~") => return Ok(()),
            (Role::Root, "items") => return Err("`items` must be a list".to_owned()),
            (Role::Root, "functionConfig") => return Err("`functionConfig` must be an object".to_owned()),
            (Role::Items, _) => return Err("an item must be an object".to_owned()),
            (Role::Item, "apiVersion") => &mut self.object.version,
            (Role::Item, "kind") => &mut self.object.kind,
            (Role::Metadata, "name") => &mut self.object.name,
            (Role::Metadata, "namespace") => &mut self.object.namespace,
            (Role::Annotations, key) => {
                self.object.annotations.push((key.to_owned(), text.to_owned()));
                return Ok(());
            }
            (Role::Labels, key) => {
                self.object.labels.push((key.to_owned(), text.to_owned()));
                return Ok(());
            }
            (Role::Root | Role::Item | Role::Metadata | Role::Other, _) => return Ok(()),
        };
        text.clone_into(field);
        Ok(())
    }

    /// Starts a field of the list.
    fn section(&mut self, key: &str, at: usize) -> Step {
        self.end_section(line_start(self.text, at));
        let repeated = match key {
            "items" => std::mem::replace(&mut self.has_items, true),
            "functionConfig" => self.config.is_some(),
            _ => false,
        };
        if repeated { Err(format!("`{key}` occurs more than once")) } else { Ok(()) }
    }

    /// Handles the start of a list or map. `is_marked`: whether an anchor or a tag precedes it.
    fn opened(&mut self, (is_map, is_block): (bool, bool), is_marked: bool, start: usize) -> Step {
        let (parent, key) = match self.open.last_mut() {
            None => (None, String::new()),
            // A key that is a list or a map: its value is no part of a list.
            Some(frame) if frame.is_map && frame.key.is_none() => {
                if frame.role == Role::Root {
                    return Err("the name of a field must be a string".to_owned());
                }
                frame.key = Some(String::new());
                self.open.push(Frame { role: Role::Other, is_map, is_block, key: None });
                // The value of this key follows its end.
                return Ok(());
            }
            Some(frame) => (Some(frame.role), frame.key.take().unwrap_or_default()),
        };
        let role = match (parent, key.as_str()) {
            (None, _) => self.outermost,
            (Some(Role::Root), "items") => Role::Items,
            (Some(Role::Items), _) => Role::Item,
            (Some(Role::Item), "metadata") => Role::Metadata,
            (Some(Role::Metadata), "annotations") => Role::Annotations,
            (Some(Role::Metadata), "labels") => Role::Labels,
            (Some(_), _) => Role::Other,
        };
        match role {
            Role::Root if !is_map => return Err("expected an object".to_owned()),
            Role::Items if is_map => return Err("`items` must be a list".to_owned()),
            Role::Item if !is_map => return Err("an item must be an object".to_owned()),
            Role::Item if parent == Some(Role::Items) => self.item(is_marked, start)?,
            Role::Other if parent == Some(Role::Root) && key == "functionConfig" => {
                if !is_map {
                    return Err("`functionConfig` must be an object".to_owned());
                }
                self.section = Some(Section { key, start, is_block });
            }
            Role::Items => self.section = Some(Section { key, start, is_block }),
            Role::Root | Role::Item | Role::Metadata | Role::Annotations | Role::Labels | Role::Other => {}
        }
        self.open.push(Frame { role, is_map, is_block, key: None });
        Ok(())
    }

    /// Starts an item.
    fn item(&mut self, is_marked: bool, start: usize) -> Step {
        if self.items.len() >= MAX_ITEMS {
            return Err(format!("more than {MAX_ITEMS} items"));
        }
        self.object = Object::default();
        let is_block = self.open.last().is_some_and(|items| items.is_block);
        let start = if is_block {
            let (line, column) =
                dash(self.text, start).ok_or("`items` must be a list of entries with `- `")?;
            self.end_item(line);
            self.indent = column;
            line
        } else if is_marked {
            return Err("an anchor or a tag before an item in brackets is not supported".to_owned());
        } else {
            start
        };
        self.items.push(Item { range: start..start, is_block, object: None });
        Ok(())
    }

    /// Sets the end of the last item, if it is an entry of a block sequence.
    fn end_item(&mut self, end: usize) {
        if let Some(item) = self.items.last_mut().filter(|item| item.is_block) {
            item.range.end = end;
        }
    }

    /// Handles the end of a list or map.
    fn closed(&mut self, start: usize, end: usize) {
        let Some(frame) = self.open.pop() else { return };
        let of_list = self.open.last().map(|parent| parent.role);
        match (frame.role, of_list) {
            (Role::Item, Some(Role::Items)) => {
                let object = self.take_object().map(Box::new);
                if let Some(item) = self.items.last_mut() {
                    item.object = object;
                    item.range.end = if item.is_block { item.range.end } else { end };
                }
            }
            (Role::Root, _) if frame.is_block => {
                let last = self.text.len();
                self.end_section(if start >= last { last } else { line_start(self.text, start) });
            }
            (Role::Items | Role::Other, Some(Role::Root)) => {
                let is_flow = self.section.as_ref().is_some_and(|section| !section.is_block);
                if is_flow {
                    self.end_section(end);
                }
            }
            (
                Role::Root
                | Role::Items
                | Role::Item
                | Role::Metadata
                | Role::Annotations
                | Role::Labels
                | Role::Other,
                _,
            ) => {}
        }
    }

    /// Ends a field of the list.
    fn end_section(&mut self, end: usize) {
        let Some(section) = self.section.take() else { return };
        if section.key == "items" {
            self.end_item(end);
        } else {
            self.config = Some(section.start..end.max(section.start));
        }
    }
}

/// Adds a position to a message. The text of the message is not part of the list.
fn placed(marker: &Marker, why: &str) -> String {
    format!("line {}, column {}: {why}", marker.line(), marker.col() + 1)
}
