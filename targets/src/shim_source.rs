//! Source of `tfjob-shim`: the option `shim path=… | url=… | image=…`, which has the same form in every target.
use crate::mounts::{is_directory, is_system};
use schemars::JsonSchema;
use serde::Deserialize;
use tfjob_lang::at::At;
use tfjob_lang::codes::BAD_OPTION;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::{AbsolutePath, Image, Uri};
use tfjob_lang::unpinned::unpinned;

// A help suggests only those properties of `shim` that the doc comment of the field `shim` names (`Object::offered`). So the doc
// comment of the field must name all properties that the target supports.
/// Source of the shim: one of `path`, `url`, and `image`. Each target accepts only some of them.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ShimSource {
    /// Path of `tfjob-shim`: in the image of every task for target `kubernetes`, on the submitting host for target `spark`. The other
    /// targets do not support `path`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub path: Option<At<AbsolutePath>>,
    /// URI from which the platform downloads `tfjob-shim`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub url: Option<At<Uri>>,
    /// Image that contains `tfjob-shim`. Each release of tfjob contains this image as a file; push it to your registry. Before a
    /// task starts, an init container with this image copies `tfjob-shim` into the pod. Only for target `kubernetes`.
    #[schemars(extend("x-kdl" = "prop"))]
    pub image: Option<At<Image>>,
}

impl ShimSource {
    /// Returns the path, if the option has one.
    #[must_use]
    pub fn path(option: Option<&At<Self>>) -> Option<&At<AbsolutePath>> {
        option?.value.path.as_ref()
    }

    /// Returns the image, if the option has one.
    #[must_use]
    pub fn image(option: Option<&At<Self>>) -> Option<&At<Image>> {
        option?.value.image.as_ref()
    }

    /// Returns the properties that the option has, with their spans.
    fn properties(&self) -> Vec<(Property, Span)> {
        let path = self.path.iter().map(|path| (Property::Path, path.span));
        let url = self.url.iter().map(|url| (Property::Url, url.span));
        let image = self.image.iter().map(|image| (Property::Image, image.span));
        path.chain(url).chain(image).collect()
    }

    /// Returns the path if the option has one, otherwise the URI. `None` if it has neither.
    #[must_use]
    pub fn location(option: Option<&At<Self>>) -> Option<At<String>> {
        let path =
            Self::path(option).map(|path| At { value: path.value.as_str().to_owned(), span: path.span });
        path.or_else(|| Self::url(option).map(|url| At { value: url.value.to_string(), span: url.span }))
    }

    /// Returns an error if the path or the URI cannot name a file, otherwise `None`. `in_image`: whether the path is in the image
    /// of the tasks, where the container runtime mounts some directories and files.
    fn file_fault(&self, in_image: bool) -> Option<Diagnostic> {
        let report = |at: Span, fact: String, help: &str| {
            Some(Diagnostic::new(&BAD_OPTION, at, fact).here("not a file of the shim").help(help))
        };
        let directory =
            |text: &str| format!("`{text}` is a directory, but `shim` needs the file `tfjob-shim`");
        if let Some(url) =
            self.url.as_ref().filter(|url| url.value.name().is_empty() && !url.value.path().contains('?'))
        {
            return report(
                url.span,
                directory(&url.value.to_string()),
                "add the file name at the end, such as `tfjob-shim`",
            );
        }
        let path = self.path.as_ref()?;
        let text = path.value.as_str();
        if text == "/" || in_image && (is_directory(text) || is_system(text) && !is_mounted(text)) {
            return report(
                path.span,
                directory(text),
                "add the file name at the end, such as `/opt/tfjob-shim`",
            );
        }
        if in_image && is_mounted(text) {
            let fact = format!(
                "`{text}` cannot be a file of the image, because the container runtime mounts its own files there"
            );
            return report(
                path.span,
                fact,
                "copy the shim to another path of the image, such as `/opt/tfjob-shim`",
            );
        }
        None
    }

    /// Returns the URI, if the option has one.
    #[must_use]
    pub fn url(option: Option<&At<Self>>) -> Option<&At<Uri>> {
        option?.value.url.as_ref()
    }
}

/// Returns whether the container runtime or the kubelet mounts its own file or directory over a path of the image.
fn is_mounted(path: &str) -> bool {
    let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    ["/proc", "/sys", "/dev", "/var/run/secrets/kubernetes.io/serviceaccount"].into_iter().any(below)
        || ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf"].contains(&path)
}

/// A property of the option `shim`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// `path`.
    Path,
    /// `url`.
    Url,
    /// `image`.
    Image,
}

impl Property {
    const fn keyword(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Url => "url",
            Self::Image => "image",
        }
    }
}

/// A property of `shim` that a target does not support.
#[derive(Debug, Clone, Copy)]
pub struct Missing {
    /// The property.
    pub property: Property,
    /// Why the target does not support the property. The message shows this text after `… is not supported:`.
    pub why: &'static str,
    /// Help of the error, which says what to write instead of this property.
    pub help: &'static str,
}

/// Why `image` is not supported by a target without pods.
pub const NO_PODS: &str = "only a pod has an init container, which could copy the shim from its image";

/// Reports an option `shim` without a property, with several properties, or with a property that the target does not support.
/// `in_image`: whether `path` is in the image of the tasks.
pub fn judge(
    target: &str,
    option: Option<&At<ShimSource>>,
    missing: &[Missing],
    in_image: bool,
    out: &mut Vec<Diagnostic>,
) {
    let Some(option) = option else { return };
    let source = &option.value;
    let bad = |at: Span, fact: String, help: &str| Diagnostic::new(&BAD_OPTION, at, fact).help(help);
    let properties = source.properties();
    for (property, at) in &properties {
        if let Some(missing) = missing.iter().find(|missing| missing.property == *property) {
            let fact =
                format!("{target}: `{}` of `shim` is not supported: {}", property.keyword(), missing.why);
            out.push(bad(*at, fact, missing.help).here("not supported"));
            return;
        }
    }
    out.extend(source.file_fault(in_image));
    out.extend(source.image.as_ref().and_then(unpinned));
    let example =
        missing.first().map_or("write `shim url=\"hdfs://default/apps/tfjob-shim\"`", |missing| missing.help);
    match properties.as_slice() {
        [] => {
            out.push(bad(option.span, "`shim` names no source".to_owned(), example).here("empty"));
        }
        [_] => {}
        [(first, first_at), (second, second_at), ..] => {
            let fact = format!("`shim` has both `{}` and `{}`", first.keyword(), second.keyword());
            out.push(
                bad(*second_at, fact, "keep one of them")
                    .here("second source")
                    .label(*first_at, "first source"),
            );
        }
    }
}
