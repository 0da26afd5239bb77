//! Reads specs the way the command line does, for tests.
use std::path::{Path, PathBuf};
use tfjob_lang::analysis::{Analysis, Loaded, Request, analyse};
use tfjob_lang::sources::Format;
use tfjob_targets::ALL;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every example, sorted, as a path below the root.
pub fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".tfjob.kdl") {
                found.push(path.strip_prefix(root()).expect("below the root").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// `examples/overlays/base.tfjob.kdl` is `base`.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    name.trim_end_matches(".tfjob.kdl").to_owned()
}

/// A spec of the repository.
pub fn read(path: &Path) -> Analysis {
    let text = std::fs::read_to_string(root().join(path)).expect("readable");
    text_at(&path.to_string_lossy(), &text)
}

/// A spec under a name; `extends` is read relative to it.
pub fn text_at(name: &str, text: &str) -> Analysis {
    let load = |from: &str, to: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(to);
        std::fs::read_to_string(root().join(&path))
            .map(|text| Loaded { name: path.to_string_lossy().into_owned(), text, format: Format::Kdl })
            .map_err(|e| e.to_string())
    };
    analyse(&Request { name, text, format: Format::Kdl, set: &[], load: &load, targets: ALL })
}
