//! Help for invalid URIs.
use super::{FETCHED_WITHOUT, Scheme, Uri};
use crate::escape::Escaped;

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
