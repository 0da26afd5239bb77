//! The names in the settings of project files: their places in the file, and the files whose settings cannot be read.
use super::{FileNames, Names};
use crate::outline::{Node, Outline, Word};
use crate::session::Session;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tfjob_driver::Loaded;
use tfjob_driver::files::PROJECT;
use tfjob_lang::mentions::Mention;
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::syntax::literal::Places;

/// Moves the spans of mentions to the literal of their setting in a project file, which may have escapes. `text`: the project file.
/// `setting`: the setting without white space before it. `start`: its offset before any escape.
pub(super) fn place(text: &str, setting: &str, start: usize, mentions: &mut [Mention]) {
    let outline = Outline::of(text);
    let word = word_at(&outline.nodes, start).filter(|word| word.text.trim_start() == setting);
    let Some(word) = word else {
        // The file has changed since the check.
        mentions.iter_mut().for_each(|mention| mention.word = None);
        return;
    };
    let mut sources = Sources::default();
    let number = sources.add(PROJECT, Format::Kdl, text);
    let source = sources.get(number);
    let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let literal = Span::new(offset(word.bytes.start), offset(word.bytes.end));
    let places = Places::of(source, literal);
    let lead = word.text.len() - setting.len();
    let local = |span: Span| {
        let byte = |at: u32| at as usize - start + lead;
        Some(places.at(byte(span.start)..byte(span.end))).filter(|found| *found != literal)
    };
    for mention in mentions {
        mention.word = mention.word.and_then(local);
        mention.span = mention.word.or_else(|| local(mention.span)).unwrap_or(literal);
    }
}

/// Returns the argument at an offset.
fn word_at(nodes: &[Node], byte: usize) -> Option<&Word> {
    let node = nodes.iter().find(|node| node.bytes.contains(&byte))?;
    let own = node.arguments().find(|word| word.bytes.contains(&byte));
    own.or_else(|| word_at(node.nodes(), byte))
}

/// Returns the project file whose settings may contain a name but cannot be read, because the file has errors. `names`: the names of the
/// specs that are connected.
pub fn unreadable(session: &Session<'_>, names: &Names, name: &str) -> Option<PathBuf> {
    let specs = names.files.iter().filter(|file| file.format != Format::Set);
    let folders: BTreeSet<&Path> = specs.filter_map(|file: &Rc<FileNames>| file.path.parent()).collect();
    let mut known = BTreeSet::new();
    for path in folders.into_iter().flat_map(Path::ancestors).map(|folder| folder.join(PROJECT)) {
        if !known.insert(path.clone()) {
            continue;
        }
        let Some(text) = session.text(&path) else { continue };
        // An escape may stand for a letter of the name.
        if !text.contains(name) && !text.contains('\\') {
            continue;
        }
        let loaded = Loaded { name: path.to_string_lossy().into_owned(), text, format: Format::Kdl };
        if session.host.driver().project(&loaded).project.is_none() {
            return Some(path);
        }
    }
    None
}
