//! Reports paths below a `files` entry that is a single file.
use super::Job;
use crate::codes::UNSUPPORTED_URI;
use crate::diagnostic::Diagnostic;
use crate::plan::{Command, DataRef, Part, Role, Template};
use crate::spec::values::{Archive, Class, Uri};
use std::collections::BTreeSet;

/// Suffixes of files that programs read without unpacking.
const PACKED: [&str; 5] = [".jar", ".whl", ".egg", ".pex", ".pyz"];

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let mut reported = BTreeSet::new();
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
            if !is_file(&volume.uri.value) || !reported.insert(*span) {
                continue;
            }
            let (file, name) = (volume.uri.value.name(), &volume.name.value);
            let uri = &volume.uri.value;
            let archive = Archive::repacked(uri, Archive::TarGz);
            let (cause, help) = match Archive::unread(uri) {
                Some(suffix) => (
                    format!("`{suffix}` archives are not unpacked"),
                    format!("repack it, for example as `{archive}`"),
                ),
                None => (
                    format!("`{file}` is a single file"),
                    format!(
                        "to get a directory, put `{file}` or its unpacked files into an archive, for example `{archive}`"
                    ),
                ),
            };
            let fact = match below {
                true => format!("{cause}, so there is no path below `{{files.{name}}}`"),
                false => format!("{cause}, so `{{files.{name}}}` is not a directory"),
            };
            out.push(
                Diagnostic::new(&UNSUPPORTED_URI, *span, fact)
                    .here("a file, not a directory")
                    .label(volume.uri.span, "copied without unpacking")
                    .help(help),
            );
        }
    }
}

/// Returns the texts that are always paths, and for each whether the path must be a directory. Other texts are skipped,
/// because the program may interpret them itself, as Python does with `a.whl/sub`.
fn paths(role: &Role) -> impl Iterator<Item = (&Template, bool)> {
    let program = match &role.command {
        Command::Run(arguments) => arguments.first(),
        Command::Shell(_) => None,
    };
    let program = program.into_iter().map(|text| (text, false));
    program.chain(role.workdir.iter().map(|text| (text, true)))
}

/// Returns whether a URI is always a single file: because of its name, or because a web server sends no directories.
fn is_file(uri: &Uri) -> bool {
    let name = uri.name().to_ascii_lowercase();
    let repository = uri.path().trim_end_matches('/').ends_with(".git");
    let web = uri.scheme().class() == Class::Web && !repository;
    let packed = Archive::unread(uri).is_some() || PACKED.iter().any(|suffix| name.ends_with(suffix));
    Archive::of(uri).is_none() && (web || packed)
}
