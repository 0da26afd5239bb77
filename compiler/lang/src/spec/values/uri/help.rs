//! What to write in place of a uri that is wrong.
use super::{FETCHED_WITHOUT, Scheme, Uri};

impl Uri {
    /// What to do instead of credentials in the address.
    pub(super) fn without_credentials(&self) -> String {
        if self.scheme.class().is_served() {
            return FETCHED_WITHOUT.to_owned();
        }
        "remove them: a spec holds no secrets. The program gets one of the platform as a variable, by `secret`".to_owned()
    }

    /// What is missing or wrong in a uri of this scheme.
    pub(super) fn lacks(&self) -> String {
        let such = format!("such as `{}`", self.scheme.example());
        if self.scheme == Scheme::Pvc && !self.host.is_empty() {
            return format!(
                "`{}` is not the name of a claim, which has lower case letters, digits, `-` and `.`: {such}",
                self.host.escape_debug()
            );
        }
        if self.scheme == Scheme::Nfs && !self.host.is_empty() {
            return format!("the path of the export is missing: {such}");
        }
        such
    }
}
