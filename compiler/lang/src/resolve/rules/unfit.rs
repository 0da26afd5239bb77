//! Reports `code` and `files` with a URL that does not lead to a usable archive or file.
use crate::codes::{AMBIGUOUS_ARCHIVE, UNSUPPORTED_URI};
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, Volume};
use crate::spec::values::{Archive, Class, Page, Uri};

/// Suffixes of programs that a web server runs. The URL of such a program does not contain the name of the
/// downloaded file.
const SERVER_SCRIPTS: [&str; 8] = ["php", "cgi", "pl", "asp", "aspx", "ashx", "jsp", "do"];
/// Path segments of GitHub's API that lead to an archive.
const GITHUB_ARCHIVES: [&str; 2] = ["tarball", "zipball"];

/// What the name in a URL tells about the downloaded file.
#[derive(Debug, PartialEq, Eq)]
enum Name {
    /// An archive, a file, or a URL that another rule reports.
    Known,
    /// A name without a suffix: a file or an archive.
    Ambiguous,
    /// An archive with a name that has no archive suffix.
    Hidden,
    /// The URL has no file name.
    Missing,
}

pub(super) fn check(plan: &Plan, out: &mut Vec<Diagnostic>) {
    repositories(plan, out);
    let Some(code) = &plan.storage.code else { return };
    let uri = &code.uri.value;
    let repacked = Archive::repacked(uri, Archive::TarGz);
    if let Some(suffix) = Archive::unread(uri) {
        let fact = format!("no target can unpack `{suffix}` archives, so the program would stay packed");
        let help = format!("repack it, for example as `{repacked}`");
        out.push(
            Diagnostic::new(&UNSUPPORTED_URI, code.uri.span, fact)
                .here("unsupported archive format")
                .help(help),
        );
    }
    let repacked = repacked.split(['?', '#']).next().unwrap_or_default();
    let (kind, fact, here, help) = match Name::classify(uri) {
        Name::Known => return,
        Name::Ambiguous => (
            &AMBIGUOUS_ARCHIVE,
            format!(
                "`{}` has no archive suffix, so it is copied without unpacking even if it is an archive",
                uri.name()
            ),
            "copied as a single file",
            format!("if it is an archive, use a URL with its suffix, such as `{repacked}`"),
        ),
        Name::Hidden => (
            &UNSUPPORTED_URI,
            format!(
                "this URL leads to an archive, but its name `{}` has no archive suffix, so it would stay packed",
                uri.name()
            ),
            "no archive suffix",
            format!(
                "use a URL with the archive suffix, such as `{repacked}`; or, to copy the archive without unpacking \
                 it, write `files \"NAME\" \"{uri}\"` instead of `code`"
            ),
        ),
        Name::Missing => (
            &UNSUPPORTED_URI,
            "this URL has no file name, so the type of the downloaded code is unknown".to_owned(),
            "no file name",
            format!(
                "if it is an archive, use a URL with its file name, such as `{repacked}`; if it is a single file, write `files \"NAME\" \"{uri}\"` instead of `code`"
            ),
        ),
    };
    out.push(Diagnostic::new(kind, code.uri.span, fact).here(here).help(help));
}

/// Reports web addresses of git repositories. A download of such an address does not return the files of the repository.
fn repositories(plan: &Plan, out: &mut Vec<Diagnostic>) {
    let code = plan.storage.code.iter().map(|volume| (volume, true));
    for (volume, is_code) in code.chain(plan.storage.stage.iter().map(|volume| (volume, false))) {
        let uri = &volume.uri.value;
        let web = uri.scheme().class() == Class::Web;
        let (fact, help) = if web && uri.path().trim_end_matches('/').ends_with(".git") {
            let repository = format!("git+{uri}").replace("git+http:", "git+https:");
            let help = if is_code {
                format!("to clone it, write `code \"{repository}\" ref=\"TAG\"` with a tag or commit")
            } else {
                cloned_files(volume, &repository)
            };
            let fact = format!(
                "`{}:` downloads a single file, but this URL is a git repository",
                uri.scheme().word()
            );
            (fact, help)
        } else if let Some(Page { repository, reference, file }) = Page::of(uri) {
            let cloned = match &reference {
                _ if !is_code => cloned_files(volume, &repository),
                Some(reference) => format!(
                    "to clone it, write `code \"{repository}\" ref=\"{reference}\"`; if `{reference}` is a branch, use a tag or commit instead"
                ),
                None => {
                    format!("to clone it, write `code \"{repository}\" ref=\"TAG\"` with a tag or commit")
                }
            };
            let help = format!(
                "{cloned}{}",
                file.map_or(String::new(), |file| format!("; to download only this file, use `{file}`"))
            );
            ("this URL is a web page of a git repository, not a download".to_owned(), help)
        } else {
            continue;
        };
        out.push(Diagnostic::new(&UNSUPPORTED_URI, volume.uri.span, fact).here("git repository").help(help));
    }
}

/// Returns the help to clone a repository with `files`, which has no `ref`.
fn cloned_files(volume: &Volume, repository: &str) -> String {
    let name = &volume.name.value;
    let entry = match &volume.at {
        Some(at) => format!("`files \"{name}\" \"{repository}\" at=\"{}\"`", at.value),
        None => format!("`files \"{name}\" \"{repository}\"`"),
    };
    format!("to clone its default branch, write {entry}; only `code` can clone a tag or commit (`ref`)")
}

impl Name {
    /// Classifies the name in `uri`.
    fn classify(uri: &Uri) -> Self {
        let web = uri.scheme().class() == Class::Web;
        if !web || Page::of(uri).is_some() || Archive::of(uri).is_some() || Archive::unread(uri).is_some() {
            return Self::Known;
        }
        let (path, query) = uri.path().split_once('?').unwrap_or((uri.path(), ""));
        // Other rules report URLs of directories and repositories, so these count as known.
        if query.is_empty() && (path.ends_with('/') || path.ends_with(".git")) {
            return Self::Known;
        }
        let suffix = suffix(uri.name());
        let served = suffix.is_none_or(|suffix| SERVER_SCRIPTS.contains(&&*suffix.to_ascii_lowercase()));
        let packed = served && Archive::of_name(query).is_some();
        let mut directories = path.rsplit('/').skip(1);
        if uri.name().is_empty() {
            return Self::Missing;
        }
        if packed || (suffix.is_none() && directories.any(is_archive)) {
            return Self::Hidden;
        }
        if suffix.is_none() { Self::Ambiguous } else { Self::Known }
    }
}

/// Returns the suffix of a file name; `v1.2` has none.
fn suffix(name: &str) -> Option<&str> {
    let (_, suffix) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let word = suffix.starts_with(|c: char| c.is_ascii_alphabetic())
        && suffix.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    word.then_some(suffix)
}

/// Returns whether a path segment shows that the server sends an archive, as in `tar.gz/refs/tags/v1.2`.
fn is_archive(step: &str) -> bool {
    Archive::of_name(&format!("a.{step}")).is_some() || GITHUB_ARCHIVES.contains(&step)
}
