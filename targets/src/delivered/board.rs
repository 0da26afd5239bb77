//! Warns if the job delivers the Python environment of its tasks, but TensorBoard does not come from this environment.
use crate::codes::UNDELIVERED_FILE;
use crate::helper_environment;
use tfjob_contract::variable;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role, Template};
use tfjob_lang::requirement::{Feature, Job, Requirement};

/// Which files of the job are in the container of TensorBoard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// The same files as each task, so that TensorBoard can use a `PATH` that all roles share.
    Same,
    /// No files.
    None,
}

/// Warns if TensorBoard comes from the `PATH` of the node or of the roles' image, although the job delivers a Python environment
/// for its tasks. TensorBoard is then probably in that environment, and not on the node or in the image.
pub fn board(target: &str, plan: &Plan, files: Files) -> Option<Diagnostic> {
    let image = |role: &Role| role.image.as_ref().map(|used| used.image.value.clone());
    let (image, at, logs) = plan.requirements.iter().find_map(|required| {
        let Requirement::Job(Job::Tensorboard(board)) = &required.requirement else { return None };
        let same = board.image.is_none() || plan.roles.iter().any(|role| image(role) == board.image);
        same.then_some((board.image.as_ref(), required.at, &board.logs))
    })?;
    let place = plan.roles.iter().find_map(|role| brought(plan, role))?;
    let of_all = helper_environment::variables(plan).into_iter().find(|(name, ..)| *name == "PATH");
    if files == Files::Same && of_all.is_some_and(|(_, path, _)| shipped(path).is_some()) {
        return None;
    }
    let name = reference(plan, place);
    let whose = if image.is_some() { "image" } else { "node" };
    let fact = format!(
        "{target}: TensorBoard may not start, because `tensorboard` comes from the {whose}, not from `{name}`, the Python environment of the tasks"
    );
    let help = match (files, image) {
        (Files::Same, _) => format!(
            "write `env {{ PATH \"{name}/bin:{{env.PATH}}\" }}` in the job, not in a role: TensorBoard gets only the variables that all roles share"
        ),
        (Files::None, Some(_)) => {
            "set an image with TensorBoard, such as `tensorboard image=\"tensorflow/tensorflow:2.15.0\"`"
                .to_owned()
        }
        (Files::None, None) => format!(
            "run TensorBoard as a helper, because helpers have `{name}`: `helper \"board\" {{ run \"{name}/bin/python\" \"-m\" \"tensorboard.main\" \"--bind_all\" \"--logdir\" \"{}\"; resources cpus=1 memory=\"4GiB\"; }}`",
            written(plan, logs)
        ),
    };
    let help = format!(
        "{help}; if the {whose} has TensorBoard, add `allow \"tensorboard\" on=\"{target}\" because=\"…\"`"
    );
    let found = Diagnostic::new(&UNDELIVERED_FILE, at, fact).here("not from the Python of the tasks");
    Some(found.help(help).acceptable(Feature::Tensorboard))
}

/// Returns the reference to an entry, such as `{code}`.
fn reference(plan: &Plan, place: DataRef) -> String {
    match place {
        DataRef::Code => "{code}".to_owned(),
        DataRef::Stage(number) => format!("{{files.{}}}", plan.storage.stage[number].name.value),
        DataRef::Data(number) => format!("{{data.{}}}", plan.storage.data[number].name.value),
        DataRef::Checkpoints => "{checkpoints}".to_owned(),
        DataRef::Scratch => "{scratch}".to_owned(),
    }
}

/// Returns the log directory in the notation of the spec. The directory cannot refer to a value that depends on the task.
fn written(plan: &Plan, logs: &Template) -> String {
    let part = |part: &Part| match part {
        Part::Data(place, _) => reference(plan, *place),
        Part::Text(text) => text.clone(),
        Part::Task(..) => String::new(),
    };
    logs.parts.iter().map(part).collect()
}

/// Returns the `code` or `files` entry that contains the Python environment of a role: the entry whose `bin` directory contains the
/// program of the role or, if there is none, the entry to which `PATH` of the role refers.
fn brought(plan: &Plan, role: &Role) -> Option<DataRef> {
    let path = role.env.iter().rev().find(|(name, _)| name.value == "PATH");
    let named = match &role.command {
        Command::Run(words) => words.first().filter(|word| ends_in_program(word)).and_then(shipped),
        Command::Shell(text) => in_text(plan, &text.value),
    };
    named.or_else(|| path.and_then(|(_, path)| shipped(path)))
}

/// Returns the first `code` or `files` entry to which a template refers, if any.
fn shipped(text: &Template) -> Option<DataRef> {
    text.parts.iter().find_map(|part| match part {
        Part::Data(place @ (DataRef::Code | DataRef::Stage(_)), _) => Some(*place),
        Part::Data(DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch, _)
        | Part::Text(_)
        | Part::Task(..) => None,
    })
}

fn ends_in_program(word: &Template) -> bool {
    matches!(word.parts.last(), Some(Part::Text(path)) if path.starts_with('/') && path.contains("/bin/"))
}

/// Returns the entry to which a `shell` text refers by a path that contains `bin`, such as `$TFJOB_CODE/bin/python`. If the text
/// refers to several entries in this way, the first `files` entry takes precedence, and `code` comes last. `None` if it refers to
/// none.
fn in_text(plan: &Plan, text: &str) -> Option<DataRef> {
    let stages = plan.storage.stage.iter().enumerate();
    let stages =
        stages.map(|(number, stage)| (DataRef::Stage(number), variable(&["files", &stage.name.value])));
    let code = plan.storage.code.iter().map(|_| (DataRef::Code, variable(&["code"])));
    let has_bin = |name: &str| {
        let forms = [format!("${name}"), format!("${{{name}}}")];
        let found = forms.iter().flat_map(|form| text.match_indices(form.as_str()));
        found.map(|(at, form)| text[at + form.len()..].trim_start_matches('"')).any(|rest| {
            let path =
                rest.split(|c: char| c.is_whitespace() || "\"';|&():".contains(c)).next().unwrap_or_default();
            path.starts_with('/') && path.split('/').any(|part| part == "bin")
        })
    };
    stages.chain(code).find(|(_, name)| has_bin(name)).map(|(place, _)| place)
}
