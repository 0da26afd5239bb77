//! Code of a web server by a name that does not say what the server sends.
use crate::codes::UNFIT_URI;
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::spec::values::{Archive, Scheme, Uri};

pub(super) fn judge(plan: &Plan, out: &mut Vec<Diagnostic>) {
    let Some(code) = plan.storage.code.as_ref().filter(|code| unnamed(&code.uri.value)) else { return };
    let uri = &code.uri.value;
    let repacked = Archive::repacked(uri, Archive::TarGz);
    let repacked = repacked.split(['?', '#']).next().unwrap_or_default();
    let fact = "`code` is a directory, and this URL names neither an archive nor a program";
    let help = format!(
        "name an archive by its suffix (`.zip`, `.tar.gz`, …), such as `{repacked}`; or get the file as `stage \"NAME\" \"{uri}\"`"
    );
    out.push(Diagnostic::new(&UNFIT_URI, code.uri.span, fact).here("fetched as one file").help(help));
}

/// Whether the name of a web address has no suffix of a file: `tar.gz/refs/tags/v1.2` and `download?file=a.zip` say nothing
/// about what the server sends.
fn unnamed(uri: &Uri) -> bool {
    if !matches!(uri.scheme(), Scheme::Http | Scheme::Https) || Archive::of(uri).is_some() {
        return false;
    }
    let (path, query) = uri.path().split_once('?').unwrap_or((uri.path(), ""));
    // A URL of a directory and one of a repository have their own texts.
    if query.is_empty() && (path.ends_with('/') || path.ends_with(".git")) {
        return false;
    }
    let suffix = uri.name().rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, end)| end);
    let file = suffix.starts_with(|c: char| c.is_ascii_alphabetic())
        && suffix.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    !file || Archive::of_name(query).is_some()
}
