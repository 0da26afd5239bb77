//! Git repositories in the notations of git, ssh, and hosting sites.
use super::{Class, Uri};

/// Hosting sites for repositories.
const SITES: [&str; 4] = ["bitbucket.org", "github.com", "gitlab.com", "www.github.com"];
/// Path segments of hosting sites that precede the name of a branch, tag, or commit.
const VIEWS: [&str; 3] = ["blob", "src", "tree"];

/// Returns the `git+https:` URI of a repository that is written in another notation: `git@github.com:team/code.git`,
/// `ssh://git@host/team/code.git`, `git://…`, `github.com/team/code`.
pub(super) fn of_address(text: &str) -> Option<String> {
    let remote = ["git+ssh://", "ssh://", "git://", "git+git://", "git+http://"];
    let (host, path) = match remote.iter().find_map(|scheme| text.strip_prefix(scheme)) {
        Some(rest) => rest.split_once('/')?,
        None => match text.split_once(':') {
            // Notation of scp: `git@host:path`.
            Some((login, path)) => {
                login.split_once('@').filter(|_| !login.contains('/') && !path.starts_with('/'))?;
                (login, path)
            }
            None => text.split_once('/').filter(|(host, path)| SITES.contains(host) && path.contains('/'))?,
        },
    };
    let host = host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let found = format!("git+https://{host}/{path}");
    Uri::parse(&found).is_ok().then_some(found)
}

/// A web page of a repository on a hosting site.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// `git+https:` URI of the repository.
    pub repository: String,
    /// Branch, tag, or commit that the page shows.
    pub reference: Option<String>,
    /// Download URL of the file that the page shows, if any.
    pub file: Option<String>,
}

impl Page {
    /// Returns the page that a web URI leads to, if the host is a known hosting site.
    #[must_use]
    pub fn of(uri: &Uri) -> Option<Self> {
        let web = uri.scheme().class() == Class::Web;
        let path = uri.path().split(['?', '#']).next().unwrap_or_default();
        let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
        if !web || !SITES.contains(&uri.host()) || path.ends_with(".git") {
            return None;
        }
        let host = uri.host();
        let repository = |steps: &[&str]| format!("git+https://{host}/{}", steps.join("/"));
        let (own, rest) = steps.split_at_checked(2)?;
        // In GitLab URLs, a segment `-` precedes `blob` or `tree`.
        let shown = if rest.first() == Some(&"-") { &rest[1..] } else { rest };
        match shown {
            [] => Some(Self { repository: repository(own), reference: None, file: None }),
            [view, reference, path @ ..] if VIEWS.contains(view) => {
                let raw = format!("https://raw.githubusercontent.com/{}/{reference}/", own.join("/"));
                let file = *view == "blob" && host.ends_with("github.com") && !path.is_empty();
                Some(Self {
                    repository: repository(own),
                    reference: Some((*reference).to_owned()),
                    file: file.then(|| raw + &path.join("/")),
                })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_repository_are_one_uri() {
        for text in [
            "git@github.com:acme/code.git",
            "ssh://git@github.com/acme/code.git",
            "ssh://git@github.com:22/acme/code.git",
            "git+ssh://git@github.com/acme/code.git",
            "git://github.com/acme/code.git",
            "github.com/acme/code.git",
        ] {
            assert_eq!(of_address(text).as_deref(), Some("git+https://github.com/acme/code.git"), "{text}");
        }
        for text in ["sftp://h/x", "user@host:/abs", "C:x", "host/a/b", "a:b", "github.com/acme"] {
            assert_eq!(of_address(text), None, "{text}");
        }
    }

    #[test]
    fn a_page_of_a_site_is_none_of_its_files() {
        let page = |text: &str| Page::of(&Uri::parse(text).expect("a uri"));
        let found = page("https://github.com/acme/code/blob/main/src/train.py").expect("a page");
        assert_eq!(found.repository, "git+https://github.com/acme/code");
        assert_eq!(found.reference.as_deref(), Some("main"));
        assert_eq!(
            found.file.as_deref(),
            Some("https://raw.githubusercontent.com/acme/code/main/src/train.py")
        );
        assert!(page("https://gitlab.com/acme/code/-/tree/main").is_some_and(|page| page.file.is_none()));
        assert!(page("https://github.com/acme/code/").is_some());
        for text in [
            "https://github.com/acme/code/archive/refs/tags/v1.zip",
            "https://github.com/acme/code/raw/main/train.py",
            "https://github.com/acme/code/releases/download/v1/a.tar.gz",
            "https://github.com/acme/code.git",
            "https://files.example.com/acme/code",
        ] {
            assert_eq!(page(text), None, "{text}");
        }
    }
}
