//! Help for invalid URIs.
use super::{FETCHED_WITHOUT, Scheme, Uri, Wrong};
use crate::escape::Escaped;

impl Scheme {
    /// Returns the error for a URI with too few `/` after the scheme. `rest`: the text after the scheme and its colon. If the scheme
    /// needs a host, the first name is the host: `gs:/bucket/x`. `nfs:/srv/x` is a path, of which the server is missing.
    pub(super) fn with_slashes(self, fact: String, text: &str, rest: &str) -> Wrong {
        let path = rest.strip_prefix('/');
        let local = path.map(|path| format!("{}:///{path}", self.word()));
        let with_host = format!("{}://{}", self.word(), path.unwrap_or(rest));
        let is_valid = |uri: &String| Uri::parse(uri).is_ok();
        // Without a `/`, the first name may also be part of a path if the scheme needs no host.
        let needs_host = !is_valid(&format!("{}:///x/y", self.word()));
        let begins_with_host = needs_host && (self != Self::Nfs || path.is_none());
        let meant = local
            .filter(is_valid)
            .or_else(|| Some(with_host).filter(|uri| begins_with_host && is_valid(uri)));
        let form = format!("write it in the form `{}`", self.example());
        match meant {
            Some(meant) => Wrong::new(fact, format!("write `{meant}`")).instead(text, meant, Uri::parse),
            None => Wrong::new(fact, form),
        }
    }
}

impl Uri {
    /// Returns the help for a URI with credentials.
    pub(super) fn without_credentials(&self) -> String {
        if self.scheme.class().is_served() {
            return FETCHED_WITHOUT.to_owned();
        }
        "remove them; pass credentials to the program with `secret \"TOKEN\" from=\"NAME\" key=\"token\"`"
            .to_owned()
    }

    /// Returns the help for a URI that violates the form of its scheme.
    pub(super) fn form_help(&self) -> String {
        let form = format!("write it in the form `{}`", self.scheme.example());
        if self.scheme == Scheme::Pvc && !self.host.is_empty() {
            return format!(
                "`{}` is not a valid claim name (lower-case letters, digits, `-`, and `.`); {form}",
                self.host.escaped()
            );
        }
        if self.scheme == Scheme::Nfs && !self.host.is_empty() {
            return format!("the path of the export is missing; {form}");
        }
        form
    }
}
