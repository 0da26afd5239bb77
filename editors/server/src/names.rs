//! The names of several files: where each is declared and used.
//!
//! A spec, its base files, and the settings of its project are a chain. A name of a base file may be used in all specs that extend
//! it, and a setting applies to all specs of an environment.
mod settings;

use settings::ProjectText;
pub use settings::unreadable;

use crate::documents::{is_shared, uri_of};
use crate::position::{Encoding, Lines};
use crate::session::Session;
use lsp_types::{Location, Range};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tfjob_driver::Loaded;
use tfjob_driver::files::{format_of, is_cluster};
use tfjob_lang::mentions::{self, Kind, Mention, Written};
use tfjob_lang::sources::{Format, Source, Span};

/// Which files to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The file and its bases.
    Chain,
    /// All files that are connected by `extends`, or by a setting.
    Connected,
}

/// A file, and the names in it.
#[derive(Debug)]
pub struct FileNames {
    /// Path of the file.
    pub path: PathBuf,
    /// Text of the file, which all settings of a project file share.
    pub text: Rc<str>,
    /// Format of the text. For a setting of a project file, [`Format::Set`].
    pub format: Format,
    /// The names.
    pub mentions: Rc<Vec<Mention>>,
    lines: Rc<Lines>,
}

/// A name in a file.
#[derive(Debug, Clone, Copy)]
pub struct Place<'n> {
    /// The file.
    pub file: &'n FileNames,
    /// The name.
    pub mention: &'n Mention,
}

impl FileNames {
    /// Reads a spec: an open document, or a file on disk, which is read again, because an editor may not report each change. `None` if
    /// it cannot be read.
    fn of(session: &Session<'_>, path: PathBuf) -> Option<Rc<Self>> {
        if let Some(open) = session.documents.get(&path) {
            let (text, lines) = (open.text.as_str().into(), Rc::new(open.lines.clone()));
            let (format, mentions) = (open.format(), session.mentions(open));
            return Some(Rc::new(Self { path, format, mentions, lines, text }));
        }
        let name = path.to_string_lossy().into_owned();
        let loaded = Loaded { format: format_of(&name), name, text: session.host.text(&path)? };
        let mentions = Rc::new(mentions::read(&loaded, session.host.driver().registry()));
        let Loaded { text, format, .. } = loaded;
        let lines = Rc::new(Lines::of(&text));
        Some(Rc::new(Self { path, format, mentions, lines, text: text.into() }))
    }
}

/// A part of a chain: the path of a file; for a setting, the path of its project file and its text.
pub type Part = (PathBuf, Option<String>);

/// Returns the part that a source is. `None` for a cluster file, a project file, and a setting of the command line or without a name.
#[must_use]
pub fn part(source: &Source) -> Option<Part> {
    let path = PathBuf::from(&source.name);
    if source.format == Format::Set {
        let is_named = path.is_absolute() && mentions::may_mention(&source.text);
        return is_named.then(|| (path, Some(source.text.clone())));
    }
    (!is_shared(&path)).then_some((path, None))
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.mention, other.mention)
    }
}

impl Place<'_> {
    /// Returns the byte range that stands for the name.
    #[must_use]
    pub fn bytes(&self) -> std::ops::Range<usize> {
        local(self.mention.word.unwrap_or(self.mention.span))
    }

    /// Returns the location of the place.
    #[must_use]
    pub fn location(&self, encoding: Encoding) -> Option<Location> {
        Some(Location { uri: uri_of(&self.file.path)?, range: self.range(encoding) })
    }

    fn range(&self, encoding: Encoding) -> Range {
        self.file.lines.range(&self.file.text, self.bytes(), encoding)
    }
}

fn local(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

/// The names of several files.
#[derive(Debug)]
pub struct Names {
    /// The files, the requested one first.
    pub files: Vec<Rc<FileNames>>,
    /// Indexes of the files of each chain.
    chains: Vec<BTreeSet<usize>>,
    /// Indexes of the chains of each file.
    chains_of: Vec<BTreeSet<usize>>,
    encoding: Encoding,
}

impl Names {
    /// Reads the names of a file and of other files. For a project file, [`Reach::Connected`] reads the names in its settings. `None` for
    /// a file without names, such as a cluster file.
    #[must_use]
    pub fn of(session: &mut Session<'_>, path: &Path, reach: Reach) -> Option<Self> {
        if is_cluster(path) {
            return None;
        }
        session.results(path)?;
        if reach != Reach::Chain {
            session.check_all();
        }
        Some(Self::read(session, path, reach))
    }

    fn read(session: &Session<'_>, path: &Path, reach: Reach) -> Self {
        let chains: Vec<(&Path, &BTreeSet<Part>)> =
            session.all_results().map(|(own, results)| (own.as_path(), &results.parts)).collect();
        let kept = match reach {
            Reach::Chain => {
                chains.iter().filter(|(own, _)| *own == path).flat_map(|(_, chain)| *chain).collect()
            }
            Reach::Connected => connected(path, &chains),
        };
        let specs = kept.iter().filter(|(_, setting)| setting.is_none()).map(|(path, _)| path.clone());
        let mut files: Vec<Rc<FileNames>> = specs.filter_map(|path| FileNames::of(session, path)).collect();
        files.sort_by_key(|file| path != file.path.as_path());
        let named = files.iter().enumerate().map(|(number, file)| ((file.path.clone(), None), number));
        let mut numbers: BTreeMap<Part, usize> = named.collect();
        // A project file may have thousands of settings, so each is read once.
        let mut projects: BTreeMap<&Path, ProjectText> = BTreeMap::new();
        for setting in kept {
            let (path, Some(text)) = setting else { continue };
            numbers.insert(setting.clone(), files.len());
            let project = projects.entry(path).or_insert_with(|| ProjectText::of(session, path));
            files.push(project.setting(session, path.clone(), text));
        }
        let number = |part: &Part| numbers.get(part).copied();
        let mut chains: Vec<BTreeSet<usize>> =
            chains.iter().map(|(_, chain)| chain.iter().filter_map(number).collect()).collect();
        chains.retain(|chain| !chain.is_empty());
        let mut chains_of: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); files.len()];
        for (number, chain) in chains.iter().enumerate() {
            for file in chain {
                chains_of[*file].insert(number);
            }
        }
        Self { files, chains, chains_of, encoding: session.client.encoding }
    }

    /// Returns the smallest name of the requested file that contains an offset, or touches it.
    #[must_use]
    pub fn at(&self, path: &Path, byte: usize) -> Option<Place<'_>> {
        // Each setting of a project file has its own names.
        let files = self.files.iter().filter(|file| file.path == path);
        let all = files.flat_map(|file| file.mentions.iter().map(move |mention| Place { file, mention }));
        let touches = |one: &Mention| one.span.start as usize <= byte && byte <= one.span.end as usize;
        // If one name ends at the cursor and another one begins there, the second is meant.
        let key = |one: &Mention| (one.span.len(), one.span.end as usize == byte);
        all.filter(|one| touches(one.mention)).min_by_key(|one| key(one.mention))
    }

    /// Returns the name as it is declared: a variable such as `TFJOB_DATA_TRAIN_SET` contains it only in another form.
    #[must_use]
    pub fn name_of(&self, place: Place<'_>) -> String {
        let is_full = |one: &Mention| match one.written {
            Written::Variable(_) => false,
            Written::Implied => one.kind != Kind::Job,
            Written::Alone | Written::Within => true,
        };
        if is_full(place.mention) {
            return place.mention.name.clone();
        }
        // The requested file is the first of `files`, so its names come first.
        let all = self.files.iter().flat_map(|file| file.mentions.iter());
        let mut named = all
            .filter(|one| one.kind == place.mention.kind && is_full(one) && place.mention.is_of(&one.name));
        let first = named.next();
        let declared = first.into_iter().chain(named).find(|one| one.declares).or(first);
        declared.map_or_else(|| place.mention.name.clone(), |one| one.name.clone())
    }

    /// Returns all places that mean the same thing as a place, the place itself included: in order of the files, and of their text.
    #[must_use]
    pub fn same<'n>(&'n self, place: Place<'n>) -> Vec<Place<'n>> {
        self.numbered(place).into_iter().map(|(_, place)| place).collect()
    }

    /// Returns the places of [`Names::same`], each with the index of its file.
    fn numbered<'n>(&'n self, place: Place<'n>) -> Vec<(usize, Place<'n>)> {
        let name = self.name_of(place);
        let of_name = |one: &&Mention| one.kind == place.mention.kind && one.is_of(&name);
        let of_file = |file: &'n Rc<FileNames>| {
            file.mentions.iter().filter(of_name).map(|mention| Place { file, mention }).collect()
        };
        let mut rest: Vec<Vec<Place<'_>>> = self.files.iter().map(of_file).collect();
        let start = rest.iter().position(|places| places.contains(&place));
        let mut next: Vec<(usize, Option<&str>)> =
            start.map(|file| (file, place.mention.role.as_deref())).into_iter().collect();
        let mut found = Vec::new();
        // In each chain, the places of each role are searched once: the specs that extend a base are many.
        let (mut searched, mut groups) = (BTreeSet::new(), BTreeSet::new());
        while let Some((file, role)) = next.pop() {
            for chain in &self.chains_of[file] {
                if !searched.insert((*chain, role)) {
                    continue;
                }
                for file in &self.chains[*chain] {
                    for one in rest[*file].extract_if(.., |one| shares_scope(role, one.mention)) {
                        let group = (*file, one.mention.role.as_deref());
                        if groups.insert(group) {
                            next.push(group);
                        }
                        found.push((*file, one));
                    }
                }
            }
        }
        found.sort_by_key(|(file, one)| (*file, one.mention.span.start));
        found
    }

    /// Returns the declarations of a name that a place means: in its own file, its bases, or the specs that extend it.
    #[must_use]
    pub fn declarations<'n>(&'n self, place: Place<'n>) -> Vec<Place<'n>> {
        let all = self.numbered(place);
        let own = all.iter().find(|(_, one)| *one == place).map(|(file, _)| &self.chains_of[*file]);
        let near = |file: usize| own.is_some_and(|own| !own.is_disjoint(&self.chains_of[file]));
        let declares = all.into_iter().filter(|(file, one)| one.mention.declares && near(*file));
        let mut all: Vec<Place<'_>> = declares.map(|(_, one)| one).collect();
        // A port of the role itself hides the port of the same name of the job.
        let of_role = |one: &Place<'_>| one.mention.role == place.mention.role;
        if all.iter().any(of_role) {
            all.retain(of_role);
        }
        all
    }

    /// Returns the name of the kind of a place that collides with a name: it is declared in a file that may use this place, or a place
    /// with the same meaning.
    #[must_use]
    pub fn declared(&self, place: Place<'_>, name: &str) -> Option<&str> {
        let near = self.numbered(place);
        let chains: BTreeSet<usize> =
            near.iter().flat_map(|(file, _)| &self.chains_of[*file]).copied().collect();
        let roles: BTreeSet<Option<&str>> = near.iter().map(|(_, one)| one.mention.role.as_deref()).collect();
        let kind = place.mention.kind;
        let scoped = |one: &Mention| roles.iter().any(|role| shares_scope(*role, one));
        // Names that give the same environment variable, such as `a-b` and `a_b`, collide.
        let folded = |text: &str| {
            let is_variable = kind == Kind::Variable;
            if is_variable { text.to_owned() } else { text.to_ascii_uppercase().replace(['-', '.'], "_") }
        };
        let wanted = folded(name);
        let reached = self.files.iter().zip(&self.chains_of).filter(|(_, own)| !own.is_disjoint(&chains));
        let mut all = reached.flat_map(|(file, _)| file.mentions.iter());
        let other =
            all.find(|one| one.kind == kind && one.declares && folded(&one.name) == wanted && scoped(one));
        other.map(|one| one.name.as_str())
    }

    /// Returns the location of a place.
    #[must_use]
    pub fn location(&self, place: Place<'_>) -> Option<Location> {
        place.location(self.encoding)
    }

    /// Returns the range of a place in its file.
    #[must_use]
    pub fn range(&self, place: Place<'_>) -> Range {
        place.range(self.encoding)
    }
}

/// Returns whether a place can mean the same name as one in a role, or in the job: both are in one role, or one of them is in the job.
fn shares_scope(role: Option<&str>, other: &Mention) -> bool {
    role.is_none() || other.role.is_none() || role == other.role.as_deref()
}

/// Returns all parts that are connected to a file by chains.
fn connected<'p>(path: &Path, chains: &[(&Path, &'p BTreeSet<Part>)]) -> BTreeSet<&'p Part> {
    let mut rest: Vec<&BTreeSet<Part>> = chains.iter().map(|(_, chain)| *chain).collect();
    let is_own = |chain: &&BTreeSet<Part>| chain.iter().any(|(own, _)| own == path);
    let (own, others): (Vec<_>, Vec<_>) = rest.drain(..).partition(is_own);
    let mut all: BTreeSet<&Part> = own.into_iter().flatten().collect();
    rest = others;
    loop {
        let before = all.len();
        rest.retain(|chain| {
            let touches = chain.iter().any(|one| all.contains(one));
            if touches {
                all.extend(*chain);
            }
            !touches
        });
        if all.len() == before {
            return all;
        }
    }
}

/// Calls a function with the names of each spec of the workspace, until it returns false.
pub fn each_of_workspace(session: &mut Session<'_>, call: &mut dyn FnMut(&Session<'_>, &FileNames) -> bool) {
    session.check_all();
    let session = &*session;
    let parts = session.all_results().flat_map(|(_, results)| &results.parts);
    let specs: BTreeSet<&PathBuf> = parts.filter(|(_, text)| text.is_none()).map(|(path, _)| path).collect();
    // One file after the other, because the names of all files may need much memory.
    let mut files = specs.into_iter().filter_map(|path| FileNames::of(session, path.clone()));
    while files.next().is_some_and(|file| call(session, &file)) {}
}
