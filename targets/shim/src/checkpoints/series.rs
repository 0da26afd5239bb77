//! The checkpoints of TensorFlow in one folder: which of them a program will go on from, and what is torn.
use super::Saved;
use super::bundle::{self, State};
use super::list::{Found, LONGEST, List, NAME};
use super::names::follows;
use crate::state::OURS;
use crate::whole;
use std::collections::BTreeSet;
use std::fs::{create_dir, rename};
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many checkpoints of a folder are looked at.
const MOST: usize = 1000;

/// A folder, and the names in it that belong to checkpoints.
#[derive(Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// Names of files of indexes and data.
    pub names: BTreeSet<String>,
    /// Whether there is a file `checkpoint`.
    pub listed: bool,
    /// Whether some files of checkpoints are symbolic links. What they lead to is not judged, and nothing is moved.
    pub linked: bool,
}

/// What there is.
#[derive(Debug, Default)]
pub struct Series {
    /// The newest that is whole.
    pub newest: Option<Saved>,
    /// What is torn, and how.
    pub torn: Vec<(String, String)>,
    /// What the list must say instead.
    list: Option<Next>,
    /// Whether the list was cut short.
    cut: bool,
    /// A complete checkpoint of another name, where the series has none left. A program that starts anew might write over
    /// it: everything is left as it is.
    other: Option<String>,
}

/// What is to be done with the list.
#[derive(Debug)]
enum Next {
    /// This is written.
    Write(Vec<u8>),
    /// Nothing that it names is left.
    Aside,
}

impl Folder {
    /// Whether the folder holds checkpoints from which TensorFlow goes on: those of a list, and what it has lost. Files
    /// of that form without a list are a model's, a cache's, or another program's affair.
    pub fn series(&self) -> Option<Series> {
        if !self.listed || self.linked {
            return None;
        }
        let (list, cut) = match self.list()? {
            Found::List(list) => (Some(list), false),
            Found::Cut(list) => (list, true),
        };
        let listed = match &list {
            // Of what else was in it nobody knows.
            Some(list) if cut => self.local(vec![list.newest()])?,
            Some(list) => self.local(list.all())?,
            None => Vec::new(),
        };
        let mut others = self.prefixes();
        if listed.is_empty() && others.is_empty() {
            return None;
        }
        let mut series = Series { cut, ..Series::default() };
        let mut gone = BTreeSet::new();
        for name in listed.iter().take(MOST) {
            if series.take(self, name) {
                break;
            }
            gone.insert(name.clone());
        }
        others.retain(|name| !listed.contains(name));
        let (of_series, rest): (Vec<String>, Vec<String>) = others.into_iter().partition(|name| {
            listed.first().is_none_or(|first| follows(name, first, series.newest.is_none()))
        });
        series.beyond(self, &of_series, listed.len());
        if series.newest.is_none() && !series.torn.is_empty() {
            series.other = rest.into_iter().take(MOST).find(|name| self.is_complete(name));
        }
        series.settle(list.as_ref(), gone);
        Some(series)
    }

    /// The files of a checkpoint as they are now.
    pub fn seen(&self, prefix: &str) -> (PathBuf, Vec<(String, u64, Option<SystemTime>)>) {
        let index = format!("{prefix}.index");
        let names = self.names.get(&index).into_iter().chain(self.data(prefix));
        let file = |name: &String| {
            let about = self.path.join(name).metadata().ok()?;
            Some((name.clone(), about.len(), about.modified().ok()))
        };
        (self.path.join(prefix), names.filter_map(file).collect())
    }

    /// What the list holds; `None` where it is too long for one, or something else.
    fn list(&self) -> Option<Found> {
        let mut bytes = Vec::new();
        let length = bundle::open(&self.path.join(NAME)).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Found::of(&bytes).filter(|_| u64::try_from(length) != Ok(LONGEST))
    }

    /// The names in this folder of those of a list; `None` where one of them lies elsewhere: such a list is left alone.
    fn local(&self, names: Vec<&str>) -> Option<Vec<String>> {
        let local = |name: &str| {
            let path = Path::new(name);
            let file = path.file_name()?.to_str()?.to_owned();
            let here = || Some(path.parent()?.canonicalize().ok()? == self.path.canonicalize().ok()?);
            (file == name || path.is_absolute() && here() == Some(true)).then_some(file)
        };
        names.into_iter().map(local).collect()
    }

    /// All prefixes with an index and data, the newest first. `variables` are a whole model's, for serving.
    fn prefixes(&self) -> Vec<String> {
        let prefix = |name: &String| Some(name.strip_suffix(".index")?.to_owned());
        let mut found = BTreeSet::new();
        for name in
            self.names.iter().filter_map(prefix).filter(|name| name != "variables" && self.has_data(name))
        {
            let written =
                self.path.join(format!("{name}.index")).metadata().and_then(|about| about.modified());
            found.insert((written.ok(), bundle::number(Path::new(&name)), name));
        }
        found.into_iter().rev().map(|(.., name)| name).collect()
    }

    fn is_complete(&self, name: &str) -> bool {
        matches!(bundle::judge(&self.path.join(name), self.has_data(name)), State::Complete(_))
    }

    fn has_data(&self, prefix: &str) -> bool {
        self.data(prefix).next().is_some()
    }

    fn data(&self, prefix: &str) -> impl Iterator<Item = &String> {
        let begin = format!("{prefix}.data-");
        self.names.range(begin.clone()..).take_while(move |name| name.starts_with(&begin))
    }

    /// Puts a torn checkpoint where no program looks, its index first.
    fn set_aside(&self, prefix: &str) -> Result<String, Error> {
        let index = format!("{prefix}.index");
        let to = self.new_folder(prefix)?;
        for name in self.names.get(&index).into_iter().chain(self.data(prefix)) {
            rename(self.path.join(name), to.join(name))?;
        }
        Ok(to.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }

    fn new_folder(&self, what: &str) -> Result<PathBuf, Error> {
        let mut again = 1;
        loop {
            let end = if again == 1 { String::new() } else { format!("-{again}") };
            let path = self.path.join(format!("{OURS}torn-{what}{end}"));
            match create_dir(&path) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists && again < MOST => again += 1,
                Err(e) => return Err(e),
                Ok(()) => return Ok(path),
            }
        }
    }
}

impl Series {
    /// Looks at one; whether it is what a program can go on from.
    fn take(&mut self, folder: &Folder, name: &str) -> bool {
        let prefix = folder.path.join(name);
        let step = match bundle::judge(&prefix, folder.has_data(name)) {
            State::Complete(step) => step,
            State::Unknown => None,
            State::Torn(how) => {
                self.torn.push((name.to_owned(), how));
                return false;
            }
            State::Absent => return false,
        };
        let index = folder.path.join(format!("{name}.index"));
        let written = index.metadata().or_else(|_| prefix.metadata()).and_then(|about| about.modified());
        let (name, folder) = (name.to_owned(), folder.path.clone());
        self.newest = Some(Saved { format: "TensorFlow", name, folder, step, written: written.ok() });
        true
    }

    /// Those that no list names. Where the list has one to go on from, they are only looked at for torn ones.
    fn beyond(&mut self, folder: &Folder, others: &[String], listed: usize) {
        let known = self.newest.take();
        for name in others.iter().take(MOST.saturating_sub(listed)) {
            if self.take(folder, name) {
                break;
            }
        }
        self.newest = known.or_else(|| self.newest.take());
    }

    /// What the list must become.
    fn settle(&mut self, list: Option<&List>, gone: BTreeSet<String>) {
        if self.other.is_some() {
            return;
        }
        self.list = match (&self.newest, list) {
            (Some(newest), None) if self.cut => Some(Next::Write(List::of(&newest.name).text())),
            (Some(newest), Some(list)) if !gone.is_empty() || self.cut => {
                let path = |name: &str| list.path_like(name);
                let mut paths = BTreeSet::new();
                for name in &gone {
                    paths.insert(path(name));
                }
                Some(Next::Write(list.without(&paths, &path(&newest.name)).text()))
            }
            (None, Some(_)) if !self.torn.is_empty() => Some(Next::Aside),
            (Some(_) | None, Some(_) | None) => None,
        };
    }

    /// Whether it cannot be told what a program goes on from.
    pub const fn is_undecided(&self) -> bool {
        self.other.is_some()
    }

    /// Whether the list must become another.
    pub const fn is_stale(&self) -> bool {
        self.list.is_some()
    }

    /// Makes it so: the list first, since a program reads no further than it leads. Says what was done.
    pub fn mend(&self, folder: &Folder) -> Vec<String> {
        let mut said = Vec::new();
        let path = folder.path.join(NAME);
        if let Some(other) = &self.other {
            let left = |(name, how): &(String, String)| {
                format!(
                    "{name} is incomplete ({how}); it is left there, since {other} is complete and has another name"
                )
            };
            return self.torn.iter().map(left).collect();
        }
        let listed = match &self.list {
            Some(Next::Write(text)) => {
                whole::write(&path, &folder.path.join(format!("{OURS}{NAME}.new")), text)
            }
            Some(Next::Aside) => folder.new_folder(NAME).and_then(|to| rename(&path, to.join(NAME))),
            None => Ok(()),
        };
        if let Err(e) = listed {
            return vec![format!("{} cannot be repaired: {e}", path.display())];
        }
        for (name, how) in &self.torn {
            said.push(match folder.set_aside(name) {
                Ok(to) => format!("{name} is incomplete ({how}); moved to {to}"),
                Err(e) => format!("{name} is incomplete ({how}) and cannot be moved: {e}"),
            });
        }
        if self.torn.is_empty() && self.list.is_some() {
            let what = if self.cut { "was incomplete" } else { "named a checkpoint that is not there" };
            said.push(format!("{} {what}; repaired", path.display()));
        }
        said
    }
}
