//! Paths and URIs of code, files, data, and checkpoints, as tasks see them on a target. Also the values of references such as
//! `{code}`.
use tfjob_contract::{Piece, Value, variable};
use tfjob_lang::at::At;
use tfjob_lang::plan::{DataRef, Part, Plan, RoleId, TaskRef, Template, Volume};
use tfjob_lang::requirement::{Required, Requirement, Storage};
use tfjob_lang::sources::Span;

/// A path or URI, as a task sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// Name of the environment variable that contains the parent directory. `None` if the path or URI is known at compile time.
    pub under: Option<String>,
    /// Path or URI. If `under` is set, this path begins with `/` and is relative to the directory in the variable `under`.
    pub path: String,
}

impl Location {
    /// Returns a path below a directory. `variable`: environment variable of the platform with the path of this directory.
    #[must_use]
    pub fn under(variable: &str, path: impl Into<String>) -> Self {
        Self { under: Some(variable.to_owned()), path: path.into() }
    }

    /// Returns the path or URI as a value of the contract.
    #[must_use]
    pub fn value(&self) -> Value {
        let above = self.under.iter().map(|variable| Piece::Env(variable.clone()));
        above.chain([Piece::Text(self.path.clone())]).collect()
    }
}

impl<T: Into<String>> From<T> for Location {
    fn from(path: T) -> Self {
        Self { under: None, path: path.into() }
    }
}

/// Paths and URIs of code, files, data, and checkpoints on a target, as a task sees them.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Value of `{code}`.
    pub code: Location,
    /// Values of `{files.NAME}`, in the order of the `files` entries in the plan.
    pub stage: Vec<Location>,
    /// Values of `{data.NAME}`: the mount path, or the URI if the data is not mounted. In the order of the `data` entries in the
    /// plan.
    pub data: Vec<Location>,
    /// Value of `{checkpoints}`: the mount path, or the URI if the checkpoints are not mounted.
    pub checkpoints: Location,
    /// Value of `{scratch}`.
    pub scratch: Location,
}

/// Returns the mount path that the spec sets for a volume, or the URI of the volume if it has no mount path.
fn stated(volume: &Volume) -> Location {
    volume
        .at
        .as_ref()
        .map_or_else(|| Location::from(volume.uri.value.to_string()), |at| Location::from(at.value.as_str()))
}

static NOWHERE: Location = Location { under: None, path: String::new() };

impl Places {
    /// Returns the locations that the spec sets. A target then replaces the locations that it changes. If a target does not deliver
    /// the files, and the spec accepts this by `allow`, a reference such as `{code}` still has a value.
    #[must_use]
    pub fn stated(plan: &Plan, scratch: Location) -> Self {
        let storage = &plan.storage;
        Self {
            code: storage.code.as_ref().map(stated).unwrap_or_default(),
            stage: storage.stage.iter().map(stated).collect(),
            data: storage.data.iter().map(stated).collect(),
            checkpoints: storage.checkpoints.as_ref().map(stated).unwrap_or_default(),
            scratch,
        }
    }

    /// Returns the path or URI of a `code`, `files`, `data`, or `checkpoints` entry.
    #[must_use]
    pub fn of(&self, place: DataRef) -> &Location {
        match place {
            DataRef::Code => &self.code,
            DataRef::Stage(i) => self.stage.get(i).unwrap_or(&NOWHERE),
            DataRef::Data(i) => self.data.get(i).unwrap_or(&NOWHERE),
            DataRef::Checkpoints => &self.checkpoints,
            DataRef::Scratch => &self.scratch,
        }
    }

    /// Returns a template as a value of the contract. The shim later replaces the references that depend on the task.
    #[must_use]
    pub fn value(&self, template: &Template, plan: &Plan) -> Value {
        let mut pieces: Value = Vec::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => push(&mut pieces, Piece::Text(text.clone())),
                Part::Data(place, _) => {
                    self.of(*place).value().into_iter().for_each(|p| push(&mut pieces, p))
                }
                Part::Task(own, _) => push(
                    &mut pieces,
                    match own {
                        TaskRef::Index => Piece::Index,
                        TaskRef::Address => Piece::Address,
                        TaskRef::Addresses(role) => Piece::Addresses(plan.roles[*role].name.value.clone()),
                        TaskRef::Port(name) => Piece::Port(name.clone()),
                        TaskRef::Env(name) => Piece::Env(name.clone()),
                        TaskRef::Done => Piece::Done,
                    },
                ),
            }
        }
        pieces
    }

    /// Returns the text of a template. `None` if the template refers to values that depend on the task, or to a path below a
    /// directory that is known only at run time.
    #[must_use]
    pub fn fixed(&self, template: &Template) -> Option<String> {
        let mut text = String::new();
        for part in &template.parts {
            match part {
                Part::Text(words) => text.push_str(words),
                Part::Data(place, _) => match self.of(*place) {
                    Location { under: None, path } => text.push_str(path),
                    Location { under: Some(_), path: _ } => return None,
                },
                Part::Task(..) => return None,
            }
        }
        Some(text)
    }

    /// Returns the span of the parameter that sets a variable of [`Places::variables`]. `None` for another variable.
    #[must_use]
    pub fn origin_of(plan: &Plan, name: &str) -> Option<Span> {
        let is_own = |param: &&At<String>| variable(&["param", &param.value]) == name;
        plan.params.iter().map(|(param, _)| param).find(is_own).map(|param| param.span)
    }

    /// Returns an environment variable for each reference that has the same value in all tasks of a role. A `shell` text uses these
    /// variables instead of references. Example: `TFJOB_DATA_TRAIN` for `{data.train}`.
    #[must_use]
    pub fn variables(&self, plan: &Plan, role: RoleId) -> Vec<(String, Value)> {
        let storage = &plan.storage;
        let text = |words: String| vec![Piece::Text(words)];
        let mut out = vec![
            (variable(&["job"]), text(plan.name.value.clone())),
            (variable(&["role"]), text(plan.roles[role].name.value.clone())),
            (variable(&["gpus"]), text(plan.roles[role].resources.gpus.to_string())),
            (variable(&["count"]), text(plan.rendezvous_tasks().to_string())),
        ];
        out.extend(
            plan.roles.iter().map(|r| (variable(&["count", &r.name.value]), text(r.count.value.to_string()))),
        );
        out.extend(storage.code.iter().map(|_| (variable(&["code"]), self.code.value())));
        out.extend(
            storage.checkpoints.iter().map(|_| (variable(&["checkpoints"]), self.checkpoints.value())),
        );
        out.extend(
            plan.params
                .iter()
                .map(|(name, word)| (variable(&["param", &name.value]), text(word.to_string()))),
        );
        let scratch = |required: &Required| matches!(required.requirement, Requirement::Storage(Storage::Scratch { role: requirements }) if requirements == role);
        if plan.requirements.iter().any(scratch) {
            out.push((variable(&["scratch"]), self.scratch.value()));
        }
        for (i, volume) in storage.data.iter().enumerate() {
            out.push((variable(&["data", &volume.name.value]), self.of(DataRef::Data(i)).value()));
        }
        for (i, volume) in storage.stage.iter().enumerate() {
            out.push((variable(&["files", &volume.name.value]), self.of(DataRef::Stage(i)).value()));
        }
        out
    }
}

/// Returns the name of the environment variable to which a piece of a value refers. The image or the platform sets this variable.
/// `None` if the piece does not refer to a variable.
#[must_use]
pub fn variable_of(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Env(name) => Some(name),
        Piece::Text(_)
        | Piece::Index
        | Piece::Address
        | Piece::Addresses(_)
        | Piece::Port(_)
        | Piece::Done => None,
    }
}

/// Returns the text of a piece, or `None` if the piece is a reference.
#[must_use]
pub fn plain(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Text(text) => Some(text),
        Piece::Index
        | Piece::Address
        | Piece::Addresses(_)
        | Piece::Port(_)
        | Piece::Env(_)
        | Piece::Done => None,
    }
}

/// Appends a piece to a value, and merges the piece with the last one if both are text.
fn push(pieces: &mut Value, piece: Piece) {
    match (pieces.last_mut(), piece) {
        (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
        (_, piece) => pieces.push(piece),
    }
}
