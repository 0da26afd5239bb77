//! Warns of an image whose tag can change. Targets call this for the images in their options.
use crate::at::At;
use crate::codes::UNPINNED_IMAGE;
use crate::diagnostic::Diagnostic;
use crate::spec::values::Image;

/// Returns a warning if the tag of an image is missing or `latest`, so that the image can change.
#[must_use]
pub fn unpinned(image: &At<Image>) -> Option<Diagnostic> {
    let (fact, label) = if image.value.is_latest() {
        (format!("`{}` can change between runs", image.value), "`latest` is not a fixed version")
    } else if image.value.has_tag() {
        return None;
    } else {
        (
            format!("`{}` has no tag, so `latest` is used, which can change between runs", image.value),
            "no tag",
        )
    };
    Some(
        Diagnostic::new(&UNPINNED_IMAGE, image.span, fact)
            .here(label)
            .help("use a version tag, such as `:1.4.2`, or a digest"),
    )
}
