//! Checks of files that YARN reads from the default file system. They must be on that file system, and their paths must not be
//! directories.
use crate::codes::AMBIGUOUS_DIRECTORY;
use crate::shim_source::ShimSource;
use crate::yarn::context::Context;
use crate::yarn::support::storage::upload::{self, Wanted, file_system, is_file, not_hadoop};
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::DataRef;
use tfjob_lang::spec::values::{Archive, Uri};

/// Adds the diagnostics of all checks in this module.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    other_file_systems(context, out);
    directories(context, out);
}

/// Checks that the shim and the Docker configuration are on the default file system.
fn other_file_systems(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.site.job;
    let mut default = job.default_fs.as_ref().map(|fs| (upload::root(&fs.value), fs.span));
    for uri in [ShimSource::url(job.shim.as_ref()), job.docker_config.as_ref()].into_iter().flatten() {
        // If the path of the shim is a directory, `shim_source` reports it.
        let is_shim = Some(uri.span) == ShimSource::url(job.shim.as_ref()).map(|url| url.span);
        out.extend(bad_file_name(&uri.value).filter(|_| !is_shim || !uri.value.name().is_empty()).map(
            |(fact, here, help)| {
                Diagnostic::new(&BAD_OPTION, uri.span, format!("`{}` {fact}", uri.value))
                    .here(here)
                    .help(help)
            },
        ));
        match (file_system(&uri.value), &default) {
            (Some(stated), Some((root, at))) if stated != *root => out.push(
                Diagnostic::new(
                    &BAD_OPTION,
                    uri.span,
                    format!("`{}` is not on the default file system `{root}`", uri.value),
                )
                .here("the service master reads only the default file system (`Wrong FS`)")
                .label(*at, "the default file system")
                .help(format!("copy it to `{root}{}`", uri.value.path())),
            ),
            (Some(stated), None) => default = Some((stated, uri.span)),
            (None, _) => {
                if let Some(root) = job.default_fs.as_ref().and_then(not_hadoop) {
                    let fact = format!("`{}` is not on the default file system `{root}`", uri.value);
                    let here = "the service master reads only the default file system (`Wrong FS`)";
                    let help = format!("write `{root}{}`", uri.value.path());
                    out.push(Diagnostic::new(&BAD_OPTION, uri.span, fact).here(here).help(help));
                }
            }
            (Some(_), Some(_)) => {}
        }
    }
}

/// Returns why a file with this name cannot be the shim or the Docker configuration, as message, label, and help. `None` if it can.
fn bad_file_name(uri: &Uri) -> Option<(&'static str, &'static str, &'static str)> {
    if uri.path().contains(':') {
        return Some((
            "cannot exist: HDFS refuses a file name with `:`",
            "HDFS reports `is not a valid DFS filename`",
            "rename the file, without `:`",
        ));
    }
    if uri.name().is_empty() {
        return Some((
            "is a directory, not a file",
            "YARN reports `is a directory, which is not supported`",
            "add the file name, such as `config.json`",
        ));
    }
    (uri.name().len() > upload::LONGEST).then_some((
        "has a file name longer than 250 bytes",
        "the NodeManager cannot write the checksum file of its copy: `File name too long`",
        "rename the file: use at most 250 bytes",
    ))
}

/// Reports a file name without an extension. Such a path may be a directory, which YARN refuses.
fn directories(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (index, volume) in context.plan.storage.stage.iter().enumerate() {
        let uri = &volume.uri.value;
        let remote = uri.scheme().class().is_file_system();
        if !remote || uri.name().is_empty() || is_file(uri) || context.node_path(uri).is_some() {
            continue;
        }
        let packed = Archive::repacked(uri, Archive::TarGz);
        let name = Wanted::new(context, DataRef::Stage(index), uri, None).link();
        let help = format!(
            "if it is a directory, pack it as `{packed}`; YARN unpacks this archive into the directory `{name}` of each task"
        );
        let fact = format!(
            "yarn: `{uri}` may be a directory; YARN copies only files, so it refuses a directory when the job is submitted"
        );
        out.push(
            Diagnostic::new(&AMBIGUOUS_DIRECTORY, volume.uri.span, fact)
                .here("file name without an extension")
                .help(help),
        );
    }
}
