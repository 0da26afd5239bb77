//! What to write in place of a uri that is wrong.
use super::{FETCHED_WITHOUT, Scheme, Uri};

impl Uri {
    /// What to do instead of credentials in the address.
    pub(super) fn without_credentials(&self) -> String {
        match self.scheme {
            Scheme::GitHttps | Scheme::Http | Scheme::Https => {
                FETCHED_WITHOUT
            }
            Scheme::Hdfs
            | Scheme::Viewfs
            | Scheme::S3
            | Scheme::S3a
            | Scheme::Gs
            | Scheme::Abfs
            | Scheme::Nfs
            | Scheme::Pvc
            | Scheme::File
            | Scheme::Beside => {
                "remove them: a spec holds no secrets. The program gets one of the platform as a variable, by `secret`"
            }
        }
        .to_owned()
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
