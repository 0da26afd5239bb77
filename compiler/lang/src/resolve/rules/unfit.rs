//! Code whose name says that no program would be found in it, or does not say what a web server sends; web pages of
//! repositories.
use crate::codes::{AMBIGUOUS_ARCHIVE, UNSUPPORTED_URI};
use crate::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::spec::values::{Archive, Class, Page, Uri};

/// Suffixes of programs that a web server runs: their output has another name.
const SERVED: [&str; 8] = ["php", "cgi", "pl", "asp", "aspx", "ashx", "jsp", "do"];
/// Steps of GitHub's API that lead to an archive.
const BALLS: [&str; 2] = ["tarball", "zipball"];

/// What the name of a web address says about the code that the server sends.
#[derive(Debug, PartialEq, Eq)]
enum Name {
    /// An archive or a file, or a name that has a text of its own.
    Known,
    /// Neither: a file without a suffix, or an archive.
    Open,
    /// An archive under a name that says nothing, or no name at all.
    Hidden,
}

pub(super) fn judge(plan: &Plan, out: &mut Vec<Diagnostic>) {
    repositories(plan, out);
    let Some(code) = &plan.storage.code else { return };
    let uri = &code.uri.value;
    let repacked = Archive::repacked(uri, Archive::TarGz);
    if let Some(suffix) = Archive::unread(uri) {
        let fact = format!(
            "no target unpacks `{suffix}`: the task would find the packed file, not the program in it"
        );
        let help = format!("repack it, for example as `{repacked}`");
        out.push(Diagnostic::new(&UNSUPPORTED_URI, code.uri.span, fact).here("not for this").help(help));
    }
    let repacked = repacked.split(['?', '#']).next().unwrap_or_default();
    let (kind, fact, help) = match Name::of(uri) {
        Name::Known => return,
        Name::Open => (
            &AMBIGUOUS_ARCHIVE,
            format!(
                "`{}` has no archive suffix: if the server sends an archive, it stays packed",
                uri.name()
            ),
            format!("name an archive by its suffix, such as `{repacked}`; a single file is copied as it is"),
        ),
        Name::Hidden => (
            &UNSUPPORTED_URI,
            "`code` is a directory, and this URL names neither an archive nor a program".to_owned(),
            format!(
                "name an archive by its suffix (`.zip`, `.tar.gz`, …), such as `{repacked}`; or get the file as `files \"NAME\" \"{uri}\"`"
            ),
        ),
    };
    out.push(Diagnostic::new(kind, code.uri.span, fact).here("fetched as one file").help(help));
}

/// A repository at a web address is no archive of it.
fn repositories(plan: &Plan, out: &mut Vec<Diagnostic>) {
    for volume in plan.storage.code.iter().chain(&plan.storage.stage) {
        let uri = &volume.uri.value;
        let web = uri.scheme().class() == Class::Web;
        let (fact, help) = if web && uri.path().trim_end_matches('/').ends_with(".git") {
            let help = format!("a repository is `code \"git+{uri}\" ref=\"…\"`, with a tag or a commit")
                .replace("git+http:", "git+https:");
            ("a web server gives no archive under the name of a git repository", help)
        } else if let Some(Page { repository, reference, file }) = Page::of(uri) {
            let reference = reference.as_deref().unwrap_or("…");
            let help = format!(
                "a repository is `code \"{repository}\" ref=\"{reference}\"`, with a tag or a commit{}",
                file.map_or(String::new(), |file| format!("; this file alone is `{file}`"))
            );
            ("this is the address of a web page, which shows a git repository", help)
        } else {
            continue;
        };
        out.push(Diagnostic::new(&UNSUPPORTED_URI, volume.uri.span, fact).here("not for this").help(help));
    }
}

impl Name {
    /// Returns what the name of `uri` says.
    fn of(uri: &Uri) -> Self {
        let web = uri.scheme().class() == Class::Web;
        if !web || Page::of(uri).is_some() || Archive::of(uri).is_some() || Archive::unread(uri).is_some() {
            return Self::Known;
        }
        let (path, query) = uri.path().split_once('?').unwrap_or((uri.path(), ""));
        // A URL of a directory and one of a repository have their own texts.
        if query.is_empty() && (path.ends_with('/') || path.ends_with(".git")) {
            return Self::Known;
        }
        let suffix = suffix(uri.name());
        let served = suffix.is_none_or(|suffix| SERVED.contains(&&*suffix.to_ascii_lowercase()));
        let packed = served && Archive::of_name(query).is_some();
        let mut folders = path.rsplit('/').skip(1);
        if uri.name().is_empty() || packed || (suffix.is_none() && folders.any(is_archive)) {
            return Self::Hidden;
        }
        if suffix.is_none() { Self::Open } else { Self::Known }
    }
}

/// The suffix of a file: that of `v1.2` is none.
fn suffix(name: &str) -> Option<&str> {
    let (_, suffix) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let word = suffix.starts_with(|c: char| c.is_ascii_alphabetic())
        && suffix.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    word.then_some(suffix)
}

/// Whether a step of a path says that the server sends an archive: `tar.gz/refs/tags/v1.2`.
fn is_archive(step: &str) -> bool {
    Archive::of_name(&format!("a.{step}")).is_some() || BALLS.contains(&step)
}
