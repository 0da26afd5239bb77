//! The shim in a shared file: why the file differs, and whether a command replaces the shim in a ConfigMap that may exist in the
//! cluster.
mod base64;

use super::provenance;
use crate::files;

/// Message for a shared file that contains another build of the shim than this command would write.
pub const OTHER_BUILD: &str = "it contains another build of the shim; the version of tfjob is the same";

/// Help for another build of the shim. Its ConfigMap would get the name of the old ConfigMap, because the name contains only the
/// version of tfjob.
pub const KEEP: &str = "set `TFJOB_SHIM` to the build of the shim that is in the file, and run the command again: the ConfigMap is \
                        immutable, so the API server refuses another build under the same name while the old ConfigMap exists";

/// The line that replaces the shim in the text of a shared file.
const FOLDED: &str = "    (the shim in base64, not shown)\n";

/// A shared file: its text, and the shim in it.
struct Shared {
    /// Text of the file, with one line in the place of the shim.
    text: String,
    /// The program in the file. `None` if the file has none, or if its base64 cannot be decoded.
    shim: Option<Vec<u8>>,
}

impl Shared {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let is_start = |pair: &[&str]| pair[0] == "binaryData:\n" && pair[1].ends_with(": |\n");
        let Some(start) = lines.windows(2).position(is_start).map(|at| at + 2) else {
            return Self { text: text.into_owned(), shim: None };
        };
        let digits: Vec<&str> = lines[start..].iter().map_while(|line| base64::digits(line)).collect();
        let shim = base64::decoded(&digits.concat());
        let (before, after) = (&lines[..start], &lines[start + digits.len()..]);
        let folded = if digits.is_empty() { "" } else { FOLDED };
        Self { text: [&before.concat(), folded, &after.concat()].concat(), shim }
    }

    /// Returns whether the file contains a program that may be a shim.
    fn has_program(&self) -> bool {
        self.shim.as_deref().is_some_and(files::is_static_program)
    }

    /// Returns whether `new` has the same text, except for the version of tfjob.
    fn is_other_version_of(&self, new: &Self) -> bool {
        let versions = [self, new].map(|file| provenance::version(&file.text));
        let [Some(old), Some(current)] = versions else { return false };
        old != current && self.text.replace(old, current) == new.text
    }

    /// Returns the name of the object.
    fn name(&self) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix("  name: "))
    }
}

/// Returns the texts of a shared file, each with one line in the place of the shim.
pub fn texts(files: [&[u8]; 2]) -> [String; 2] {
    files.map(|bytes| Shared::of(bytes).text)
}

/// Returns why a shared file differs, if its text does not show this: the version of tfjob, or the shim.
pub fn cause(old: &[u8], new: &[u8]) -> Option<&'static str> {
    let (old, new) = (Shared::of(old), Shared::of(new));
    let (same_text, same_shim) = (old.text == new.text, old.shim == new.shim);
    if !same_shim && !old.has_program() {
        return Some("the shim in it is missing or is not a static Linux program");
    }
    match (same_text, same_shim, old.is_other_version_of(&new)) {
        (true, true, _) => Some("only the line breaks of the shim in base64 differ"),
        (true, false, _) => Some(OTHER_BUILD),
        (false, true, true) if new.shim.is_none() => Some("it was written by another version of tfjob"),
        (false, true, true) => Some("it was written by another version of tfjob, with the same shim"),
        (false, false, true) => Some("it was written by another version of tfjob, with another shim"),
        (false, true, false) => None,
        (false, false, false) => Some("the shim in it differs too"),
    }
}

/// Returns the name of the ConfigMap if both texts are ConfigMaps of this name, but contain different shims.
pub fn replaced(old: &[u8], new: &[u8]) -> Option<String> {
    let (old, new) = (Shared::of(old), Shared::of(new));
    let same = new.name().filter(|name| old.name() == Some(*name));
    same.filter(|_| old.shim != new.shim).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{OTHER_BUILD, cause, replaced, texts};

    /// Returns a shared file. `shim`: the last byte of the program in it.
    fn file(version: &str, shim: u8) -> String {
        let mut program = b"\x7fELF\x02\x01".to_vec();
        program.resize(64, 0);
        program.push(shim);
        let digits = tfjob_contract::base64(&program);
        let (first, second) = digits.split_at(76);
        format!(
            "# Written by tfjob {version}: its program tfjob-shim in base64.\n  name: shim-{version}\nbinaryData:\n  tfjob-shim: \
             |\n    {first}\n    {second}\n"
        )
    }

    fn told(old: &str) -> Option<&'static str> {
        cause(old.as_bytes(), file("1.0.0", 1).as_bytes())
    }

    #[test]
    fn a_version_or_a_build_is_the_cause_only_if_nothing_else_differs() {
        assert_eq!(told(&file("1.0.0", 2)), Some(OTHER_BUILD));
        let version = "it was written by another version of tfjob";
        assert_eq!(told(&file("0.9.0", 1)), Some(format!("{version}, with the same shim").as_str()));
        assert_eq!(told(&file("0.9.0", 2)), Some(format!("{version}, with another shim").as_str()));
        let list =
            |version, more| format!("# Written by tfjob {version}.\nresources:\n- configmap.yaml\n{more}");
        let told_list = |old: String| cause(old.as_bytes(), list("1.0.0", "").as_bytes());
        assert_eq!(told_list(list("0.9.0", "")), Some(version));
        for old in [list("1.0.0", "- https://example.com\n"), list("0.9.0", "- https://example.com\n")] {
            assert_eq!(told_list(old), None);
        }
        let pod = "---\nkind: Pod\n";
        for (version, shim) in [("1.0.0", 1), ("0.9.0", 1)] {
            assert_eq!(told(&(file(version, shim) + pod)), None, "{version}");
        }
        assert_eq!(told(&(file("1.0.0", 2) + pod)), Some("the shim in it differs too"));
    }

    #[test]
    fn data_that_is_no_program_is_not_another_build() {
        let missing = Some("the shim in it is missing or is not a static Linux program");
        let good = file("1.0.0", 1);
        for old in [
            good.replace("    f0VM", "    AAAA"),
            good.replace("    f0VM", "    f0V"),
            good.replace("    f0VM", "    # f0VM"),
            good.replace("binaryData:", "data:"),
            String::new(),
        ] {
            assert_eq!(told(&old), missing, "{old}");
        }
        let wrapped = good.replace("    f0VM", "    f0V\n    M");
        assert_eq!(told(&wrapped), Some("only the line breaks of the shim in base64 differ"));
    }

    #[test]
    fn only_the_shim_is_left_out_of_the_text() {
        let old = file("1.0.0", 1).replace("    f0VM", "    # echo\n    f0VM")
            + "    \n---\na: |\n    AAAA\n    BBBB\n";
        let [old, new] = texts([old.as_bytes(), file("1.0.0", 2).as_bytes()]);
        assert!(new.ends_with("\n  tfjob-shim: |\n    (the shim in base64, not shown)\n"), "{new}");
        for line in ["    # echo\n", "    f0VM", "    \n---\n", "    AAAA\n    BBBB\n"] {
            assert!(old.contains(line), "{old}");
        }
    }

    #[test]
    fn a_shim_is_replaced_only_under_the_same_name() {
        let told = |old: String| replaced(old.as_bytes(), file("1.0.0", 1).as_bytes());
        assert_eq!(told(file("1.0.0", 2)).as_deref(), Some("shim-1.0.0"));
        assert_eq!((told(file("1.0.0", 1) + "---\nkind: Pod\n"), told(file("0.9.0", 2))), (None, None));
    }
}
