//! The request to check one spec.
use crate::{ClusterFile, Loaded, Registry, Target, files};
use tfjob_lang::sources::Format;

/// Loads a base file. The arguments are the name of the file that extends it, and the value of `extends` in that file. The error is
/// shown to the user.
type Load<'a> = dyn Fn(&str, &str) -> Result<Loaded, String> + 'a;

/// One spec, and the options of its check.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    name: &'a str,
    text: &'a str,
    format: Format,
    settings: &'a [String],
    project: Option<(&'a str, usize)>,
    settings_file: Option<&'a str>,
    load: Option<&'a Load<'a>>,
    targets: &'a [Target],
    pub(crate) cluster: Option<&'a ClusterFile>,
    pub(crate) artifacts: bool,
}

impl<'a> Request<'a> {
    /// Creates a request for a text: the format follows from `name`, the targets are those that the text configures, and base files
    /// cannot be loaded.
    #[must_use]
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            text,
            format: files::format_in(name, text),
            settings: &[],
            project: None,
            settings_file: None,
            load: None,
            targets: &[],
            cluster: None,
            artifacts: false,
        }
    }

    /// Sets the format.
    #[must_use]
    pub const fn format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// Sets the `KEY=VALUE` arguments of `--set`.
    #[must_use]
    pub const fn settings(self, settings: &'a [String]) -> Self {
        Self { settings, ..self }
    }

    /// Sets the name of the project file, and the number of settings that come from it. They are the first elements of `settings`.
    #[must_use]
    pub const fn project(self, project: Option<(&'a str, usize)>) -> Self {
        Self { project, ..self }
    }

    /// Sets the name of the file of the settings that do not come from the project file. They must then set different fields.
    #[must_use]
    pub const fn settings_file(self, settings_file: Option<&'a str>) -> Self {
        Self { settings_file, ..self }
    }

    /// Sets the function that loads a base file. Its arguments are the name of the file that extends the base, and the value of
    /// `extends` in that file.
    #[must_use]
    pub const fn load(self, load: &'a Load<'a>) -> Self {
        Self { load: Some(load), ..self }
    }

    /// Sets the targets. If empty, the job is checked for the target of the cluster file; without a cluster file, for the targets
    /// that the spec configures.
    #[must_use]
    pub const fn targets(self, targets: &'a [Target]) -> Self {
        Self { targets, ..self }
    }

    /// Sets the cluster file.
    #[must_use]
    pub const fn cluster(self, cluster: Option<&'a ClusterFile>) -> Self {
        Self { cluster, ..self }
    }

    /// Sets whether to build artifacts.
    #[must_use]
    pub const fn artifacts(self, artifacts: bool) -> Self {
        Self { artifacts, ..self }
    }

    pub(crate) fn of(&self, registry: Registry) -> tfjob_lang::Request<'a> {
        let plain = tfjob_lang::Request::new(self.name, self.text, self.format, registry);
        tfjob_lang::Request {
            set: self.settings,
            project: self.project,
            settings_file: self.settings_file,
            load: self.load.unwrap_or(plain.load),
            targets: self.targets,
            cluster: self.cluster,
            ..plain
        }
    }
}
