//! The names in the settings of project files: their places in the file, and the files whose settings cannot be read.
use super::{FileNames, Names};
use crate::outline::{Node, Outline, Word};
use crate::position::Lines;
use crate::session::Session;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tfjob_driver::Loaded;
use tfjob_driver::files::PROJECT;
use tfjob_lang::mentions::{self, Mention};
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::syntax::literal::Places;

/// A project file with settings.
pub(super) struct ProjectText {
    /// Its text.
    text: Rc<str>,
    lines: Rc<Lines>,
    outline: Outline,
    /// The text, for the places of literals.
    sources: Sources,
}

impl ProjectText {
    /// Reads a project file. A file that cannot be read is empty.
    pub(super) fn of(session: &Session<'_>, path: &Path) -> Self {
        let text = session.text(path).unwrap_or_default();
        let (lines, outline) = (Rc::new(Lines::of(&text)), Outline::of(&text));
        let mut sources = Sources::default();
        sources.add(PROJECT, Format::Kdl, text.as_str());
        Self { text: text.into(), lines, outline, sources }
    }

    /// Returns the names in a setting. The offset of its text is that in the file.
    pub(super) fn setting(&self, session: &Session<'_>, path: PathBuf, setting: &str) -> Rc<FileNames> {
        let mut mentions = mentions::of_setting(setting, session.host.driver().registry());
        let start = setting.len() - setting.trim_start().len();
        self.place(&setting[start..], start, &mut mentions);
        let (text, lines) = (Rc::clone(&self.text), Rc::clone(&self.lines));
        Rc::new(FileNames { path, format: Format::Set, mentions: Rc::new(mentions), lines, text })
    }

    /// Moves the spans of mentions to the literal of their setting in the file, which may have escapes. `setting`: the setting without
    /// white space before it. `start`: its offset before any escape.
    fn place(&self, setting: &str, start: usize, mentions: &mut [Mention]) {
        let word = word_at(&self.outline.nodes, start).filter(|word| word.text.trim_start() == setting);
        let (Some(word), Some(source)) = (word, self.sources.iter().next()) else {
            // The file has changed since the check.
            mentions.iter_mut().for_each(|mention| mention.word = None);
            return;
        };
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
