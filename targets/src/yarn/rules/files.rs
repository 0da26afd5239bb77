//! Files that the engine reads from the default file system: whether they lie there, and whether they can be files.
use crate::codes::AMBIGUOUS_DIRECTORY;
use crate::shim_source::ShimSource;
use crate::yarn::context::Context;
use crate::yarn::support::storage::upload::{self, Wanted, file_system, is_file, not_hadoop};
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::plan::DataRef;
use tfjob_lang::spec::values::{Archive, Uri};

/// Every fault.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    elsewhere(context, out);
    directories(context, out);
}

/// The shim and Docker's configuration lie on the default file system; two file systems cannot both be that one.
fn elsewhere(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let job = &context.site.job;
    let mut default = job.default_fs.as_ref().map(|fs| (upload::root(&fs.value), fs.span));
    for uri in [ShimSource::url(job.shim.as_ref()), job.docker_config.as_ref()].into_iter().flatten() {
        out.extend(unnamed(&uri.value).map(|(fact, here, help)| {
            Diagnostic::new(&BAD_OPTION, uri.span, format!("`{}` {fact}", uri.value)).here(here).help(help)
        }));
        match (file_system(&uri.value), &default) {
            (Some(own), Some((root, at))) if own != *root => out.push(
                Diagnostic::new(
                    &BAD_OPTION,
                    uri.span,
                    format!("`{}` is not on the default file system `{root}`", uri.value),
                )
                .here("the service master reads only the default file system (`Wrong FS`)")
                .label(*at, "the default file system")
                .help(format!("copy it to `{root}{}`", uri.value.path())),
            ),
            (Some(own), None) => default = Some((own, uri.span)),
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

/// Why no file of this name can be the shim or Docker's configuration: the fact, what the engine says, and what helps.
fn unnamed(uri: &Uri) -> Option<(&'static str, &'static str, &'static str)> {
    if uri.path().contains(':') {
        return Some((
            "cannot exist: HDFS refuses a file name with `:`",
            "HDFS: `is not a valid DFS filename`",
            "rename the file, without `:`",
        ));
    }
    if uri.name().is_empty() {
        return Some((
            "is a directory, not a file",
            "the services' validator: `is a directory, which is not supported`",
            "add the name of the file, such as `tfjob-shim`",
        ));
    }
    (uri.name().len() > upload::LONGEST).then_some((
        "has a file name longer than 250 bytes",
        "the node manager writes a checksum file next to its copy: `File name too long`",
        "rename the file, with at most 250 bytes",
    ))
}

/// The engine refuses a directory, and a name without an extension is as often a directory's as a file's.
fn directories(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    for (index, volume) in context.plan.storage.stage.iter().enumerate() {
        let uri = &volume.uri.value;
        let remote = uri.scheme().class().is_file_system();
        if !remote || uri.name().is_empty() || is_file(uri) || context.node_path(uri).is_some() {
            continue;
        }
        let packed = Archive::repacked(uri, Archive::TarGz);
        let name = Wanted::new(context, DataRef::Stage(index), uri, None).link();
        let help = format!("if it is a directory, pack it: `{packed}` is unpacked as `{name}`");
        let fact = format!("yarn: `{uri}` must be a file: the engine refuses a directory at submission");
        out.push(
            Diagnostic::new(&AMBIGUOUS_DIRECTORY, volume.uri.span, fact).here("has no extension").help(help),
        );
    }
}
