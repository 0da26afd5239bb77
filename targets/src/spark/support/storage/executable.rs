//! Archives that Spark itself unpacks, in Java: those of jobs on a standalone master and on Kubernetes. On YARN, a NodeManager
//! unpacks archives.
use crate::spark::context::{Context, Manager};
use crate::spark::python;
use crate::spark::support::Support;
use tfjob_contract::variable;
use tfjob_lang::plan::{Command, DataRef, Part, Plan, Role};
use tfjob_lang::spec::values::{Archive, Uri};

/// Evidence from an executor of Spark 3.5.9: it unpacked three archives of the same directory, which contained the executable file
/// `bin/python`.
const EVIDENCE: &str =
    "Utils.unpack of Spark 3.5.9 (SPARK-38632): mode 644 from `.tar` and `.zip`, 755 from `.tar.gz`";

/// Refuses an archive format in which Spark loses the executable bits of files, if the job starts a file of the archive.
pub fn lost(context: &Context<'_>, place: DataRef, (form, uri): (Archive, &Uri)) -> Option<Support> {
    let manager = match context.manager {
        Manager::Yarn => return None,
        Manager::Standalone | Manager::Kubernetes => context.manager.word(),
    };
    let fact = match form {
        Archive::Tar => format!(
            "files of a `.tar` archive lose their executable bits, and an entry `./` fails the job, because Spark on {manager} unpacks archives in Java"
        ),
        Archive::Zip if is_started(context, place) => format!(
            "the job starts a file of this `.zip` archive, but its files lose their executable bits, because Spark on {manager} unpacks archives in Java"
        ),
        Archive::Zip | Archive::TarGz | Archive::TarBz2 | Archive::TarXz => return None,
    };
    let help = format!("repack it as `{}`", Archive::repacked(uri, Archive::TarGz));
    Some(Support::impossible(fact, help, EVIDENCE))
}

/// Returns whether a role or Spark starts a file of an archive by its path.
fn is_started(context: &Context<'_>, place: DataRef) -> bool {
    let plan = context.plan;
    let named = context.options.python.as_ref().and_then(|option| python::named(plan, option));
    let python = named.or_else(|| python::of_job(context).ok().flatten());
    python.is_some_and(|python| python.place == Some(place))
        || plan.roles.iter().any(|role| starts(plan, role, place))
}

fn starts(plan: &Plan, role: &Role, place: DataRef) -> bool {
    // A relative path is in the working directory. The working directory is the code directory, unless the role sets another one.
    let here = role.workdir.as_ref().map_or(place == DataRef::Code, |path| {
        path.parts.first().is_some_and(|part| matches!(part, Part::Data(at, _) if *at == place))
    });
    match &role.command {
        Command::Run(words) => match words.first().map(|word| word.parts.as_slice()) {
            Some([Part::Data(at, _), ..]) => *at == place,
            Some([Part::Text(path), ..]) => here && path.contains('/') && !path.starts_with('/'),
            Some([Part::Task(..), ..] | []) | None => false,
        },
        Command::Shell(text) => {
            let name = match place {
                DataRef::Stage(index) => {
                    plan.storage.stage.get(index).map(|v| variable(&["files", &v.name.value]))
                }
                DataRef::Code => Some(variable(&["code"])),
                DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => None,
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
