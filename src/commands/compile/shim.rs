//! The shim in a shared file: why the file differs, and whether a command replaces the shim in a ConfigMap that may exist in the
//! cluster.

/// Message for a shared file that contains another build of the shim than this command would write.
pub const OTHER_BUILD: &str = "it contains another build of the shim; the version of tfjob is the same";

/// Help for another build of the shim. Its ConfigMap would get the name of the old ConfigMap, because the name contains only the
/// version of tfjob.
pub const KEEP: &str = "set `TFJOB_SHIM` to the build of the shim that is in the file, and run the command again: the ConfigMap is \
                        immutable, so the API server refuses another build under the same name while the old ConfigMap exists";

/// Returns why a shared file differs: the shim in it, or the text around it, which depends only on the version of tfjob.
pub fn cause(old: &[u8], new: &[u8]) -> &'static str {
    let (old, new) = (parts(old), parts(new));
    match (old.0 == new.0, old.1 == new.1) {
        (true, _) => OTHER_BUILD,
        (false, true) => "it was written by another version of tfjob, with the same shim",
        (false, false) => "it was written by another version of tfjob, with another shim",
    }
}

/// Returns the name of the ConfigMap if both texts are ConfigMaps of this name, but contain different shims.
pub fn replaced(old: &[u8], new: &[u8]) -> Option<String> {
    let (old, new) = (parts(old), parts(new));
    let name = |text: &str| text.lines().find_map(|line| line.strip_prefix("  name: ")).map(str::to_owned);
    let same = name(&new.0).filter(|new| name(&old.0).as_ref() == Some(new));
    same.filter(|_| old.1 != new.1)
}

/// Returns the text around the shim, and the shim.
fn parts(bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.split_once("\nbinaryData:")
        .map(|(around, shim)| (around.to_owned(), shim.to_owned()))
        .unwrap_or((text, String::new()))
}

#[cfg(test)]
mod tests {
    use super::{cause, replaced};

    fn file(version: u8, shim: &str) -> Vec<u8> {
        format!("version: {version}\n  name: shim-{version}\nbinaryData:\n  shim: {shim}\n").into_bytes()
    }

    #[test]
    fn a_shared_file_differs_in_its_shim_or_in_the_text_around_it() {
        let told = |version, shim| cause(&file(version, shim), &file(1, "a"));
        assert!(told(1, "b").contains("another build of the shim; the version of tfjob is the same"));
        assert!(told(0, "a").ends_with("another version of tfjob, with the same shim"));
        assert!(told(0, "b").ends_with("another version of tfjob, with another shim"));
        assert!(
            cause(b"resources: []\n", b"resources:\n")
                .ends_with("another version of tfjob, with the same shim")
        );
    }

    #[test]
    fn a_shim_is_replaced_only_under_the_same_name() {
        let told = |version, shim| replaced(&file(version, shim), &file(1, "a"));
        assert_eq!((told(1, "b").as_deref(), told(1, "a"), told(0, "b")), (Some("shim-1"), None, None));
    }
}
