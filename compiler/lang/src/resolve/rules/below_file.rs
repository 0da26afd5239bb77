//! Paths below what is staged as a file.
use super::Job;
use crate::codes::UNSUPPORTED_URI;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, DataRef, Part, Role, Template};
use crate::spec::values::{Archive, Class, Uri};
use std::collections::BTreeSet;

/// Suffixes of files that programs read packed.
const PACKED: [&str; 5] = [".jar", ".whl", ".egg", ".pex", ".pyz"];

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let mut told = BTreeSet::new();
    for role in &plan.roles {
        for (text, directory) in paths(role) {
            let (stage, span, below) = match text.parts.as_slice() {
                [Part::Data(DataRef::Stage(stage), span)] if directory => (stage, span, false),
                [Part::Data(DataRef::Stage(stage), span), Part::Text(rest), ..] if rest.starts_with('/') => {
                    (stage, span, true)
                }
                _ => continue,
            };
            let volume = &plan.storage.stage[*stage];
            if !is_file(&volume.uri.value) || !told.insert(*span) {
                continue;
            }
            let (file, name) = (volume.uri.value.name(), &volume.name.value);
            let fact = match below {
                true => format!("`{file}` is not unpacked: nothing lies below `{{files.{name}}}`"),
                false => format!("`{file}` is not unpacked: `{{files.{name}}}` is a file, and no directory"),
            };
            let help = format!(
                "repack it, for example as `{}`",
                Archive::repacked(&volume.uri.value, Archive::TarGz)
            );
            out.push(
                Diagnostic::new(&UNSUPPORTED_URI, *span, fact)
                    .here("a file")
                    .label(volume.uri.span, "staged as it is")
                    .help(help),
            );
        }
    }
}

/// The texts that are paths for sure, and whether each is that of a directory: a program reads others as it likes, as Python
/// reads `a.whl/sub`.
fn paths(role: &Role) -> impl Iterator<Item = (&Template, bool)> {
    let program = match &role.command {
        Command::Run(words) => words.first(),
        Command::Shell(_) => None,
    };
    let program = program.into_iter().map(|text| (text, false));
    program.chain(role.workdir.iter().map(|text| (text, true)))
}

/// Whether this is one file for sure: a name says so, or a web server, which sends no directories.
fn is_file(uri: &Uri) -> bool {
    let name = uri.name().to_ascii_lowercase();
    let repository = uri.path().trim_end_matches('/').ends_with(".git");
    let web = uri.scheme().class() == Class::Web && !repository;
    let packed = Archive::unread(uri).is_some() || PACKED.iter().any(|suffix| name.ends_with(suffix));
    Archive::of(uri).is_none() && (web || packed)
}
