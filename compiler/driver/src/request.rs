//! What is asked of one job description.
use crate::{ClusterFile, Loaded, Registry, Target, files};
use tfjob_lang::sources::Format;

/// Gives the text that `extends` names, seen from the text of the first name; an error says why not.
type Load<'a> = dyn Fn(&str, &str) -> Result<Loaded, String> + 'a;

/// One job description, and what to do with it.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    name: &'a str,
    text: &'a str,
    format: Format,
    settings: &'a [String],
    load: Option<&'a Load<'a>>,
    targets: &'a [Target],
    pub(crate) cluster: Option<&'a ClusterFile>,
    pub(crate) artifacts: bool,
}

impl<'a> Request<'a> {
    /// Checks a text of this name for the targets that it has blocks of. Its format is that of its name. It extends no
    /// other file.
    #[must_use]
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            text,
            format: files::format_in(name, text),
            settings: &[],
            load: None,
            targets: &[],
            cluster: None,
            artifacts: false,
        }
    }

    /// In this format, whatever the name.
    #[must_use]
    pub const fn format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// With `KEY=VALUE` of each `--set`, in order.
    #[must_use]
    pub const fn settings(self, settings: &'a [String]) -> Self {
        Self { settings, ..self }
    }

    /// With the files that it may extend: `load` gives the text that the text of the first name calls by the second; an
    /// error says why not.
    #[must_use]
    pub const fn load(self, load: &'a Load<'a>) -> Self {
        Self { load: Some(load), ..self }
    }

    /// For these targets. With none, for those that it has blocks of.
    #[must_use]
    pub const fn targets(self, targets: &'a [Target]) -> Self {
        Self { targets, ..self }
    }

    /// For a cluster.
    #[must_use]
    pub const fn cluster(self, cluster: Option<&'a ClusterFile>) -> Self {
        Self { cluster, ..self }
    }

    /// With artifacts, not findings alone.
    #[must_use]
    pub const fn artifacts(self, artifacts: bool) -> Self {
        Self { artifacts, ..self }
    }

    pub(crate) fn of(&self, registry: Registry) -> tfjob_lang::Request<'a> {
        let plain = tfjob_lang::Request::new(self.name, self.text, self.format, registry);
        tfjob_lang::Request {
            set: self.settings,
            load: self.load.unwrap_or(plain.load),
            targets: self.targets,
            cluster: self.cluster,
            ..plain
        }
    }
}
