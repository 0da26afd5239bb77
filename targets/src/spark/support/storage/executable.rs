//! Archives that Spark's own Java unpacks: on a standalone master and in Kubernetes, where no node manager does.
use crate::spark::context::{Context, Manager};
use crate::spark::python;
use crate::spark::support::Answer;
use tfjob_contract::variable;
use tfjob_lang::plan::{Command, Part, Place, Plan, Role};
use tfjob_lang::spec::values::{Archive, Uri};

/// Addresses of three archives of one directory, whose `bin/python` is executable, as an executor of 3.5.9 sees it.
const PROOF: &str =
    "Utils.unpack of Spark 3.5.9 (SPARK-38632): mode 644 from `.tar` and `.zip`, 755 from `.tar.gz`";

/// Why an archive cannot be unpacked as the job needs it.
pub fn lost(case: &Context<'_>, place: Place, (form, uri): (Archive, &Uri)) -> Option<Answer> {
    let whose = match case.manager {
        Manager::Yarn => return None,
        Manager::Standalone | Manager::Kubernetes => case.manager.word(),
    };
    let fact = match form {
        Archive::Tar => format!(
            "unpacks `.tar` with Java on {whose}: files lose their executable bits, and an entry `./` ends the job"
        ),
        Archive::Zip if is_started(case, place) => format!(
            "unpacks `.zip` with Java on {whose}: files lose their executable bits, and the job starts one of them"
        ),
        Archive::Zip | Archive::TarGz | Archive::TarBz2 | Archive::TarXz => return None,
    };
    let help = format!("repack it as `{}`", Archive::repacked(uri, Archive::TarGz));
    Some(Answer::impossible(fact, help, PROOF))
}

/// Whether a role or Spark itself starts a file of an archive by its path.
fn is_started(case: &Context<'_>, place: Place) -> bool {
    let plan = case.plan;
    let named = case.options.python.as_ref().and_then(|option| python::named(plan, option));
    let python = named.or_else(|| python::of_job(case).ok().flatten());
    python.is_some_and(|python| python.place == Some(place))
        || plan.roles.iter().any(|role| starts(plan, role, place))
}

fn starts(plan: &Plan, role: &Role, place: Place) -> bool {
    // A program starts in the code, unless the job names another directory.
    let here = role.workdir.as_ref().map_or(place == Place::Code, |path| {
        path.parts.first().is_some_and(|part| matches!(part, Part::Place(at, _) if *at == place))
    });
    match &role.command {
        Command::Run(words) => match words.first().map(|word| word.parts.as_slice()) {
            Some([Part::Place(at, _), ..]) => *at == place,
            Some([Part::Text(path), ..]) => here && path.contains('/') && !path.starts_with('/'),
            Some([Part::Own(..), ..] | []) | None => false,
        },
        Command::Shell(text) => {
            let name = match place {
                Place::Stage(index) => {
                    plan.storage.stage.get(index).map(|v| variable(&["stage", &v.name.value]))
                }
                Place::Code => Some(variable(&["code"])),
                Place::Data(_) | Place::Checkpoints | Place::Scratch => None,
            };
            let forms = name.into_iter().flat_map(|name| [format!("${name}/"), format!("${{{name}}}/")]);
            let mut forms = forms.chain(here.then(|| "./".to_owned()));
            forms.any(|form| {
                let found = text.value.match_indices(form.as_str());
                { found }.any(|(at, _)| python::begins_command(&text.value[..at]))
            })
        }
    }
}
