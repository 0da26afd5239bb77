//! Compresses the pages of error codes, and the statements of `docs/evidence`, which `tfjob explain` prints. Links the static binary
//! without unwind tables: a release build aborts on a panic, and the shim, which is part of this binary, has no unwinder either
//! (`targets/shim/src/no_unwind.rs`).
use miniz_oxide::deflate::compress_to_vec;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Directories of the pages of error codes.
const PAGES: [&str; 2] = ["compiler/lang/errors", "targets/errors"];

/// Directory of the evidence.
const EVIDENCE: &str = "docs/evidence";

/// Why the pages can be read.
const COMPLETE: &str = "the repository, and each package of it, contains the pages";

fn main() {
    println!("cargo::rerun-if-changed=targets/shim/no_unwind.ld");
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo tells a build script its folder");
    let out = env::var("OUT_DIR").expect("cargo tells a build script where to write");
    let texts = texts(Path::new(&folder));
    fs::write(Path::new(&out).join("texts.deflate"), compress_to_vec(texts.as_bytes(), 10))
        .expect("the output directory is writable");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/targets/shim/no_unwind.ld");
    }
}

/// Returns the texts, in the format that `src/texts.rs` reads: for each text its name, U+001F, the text, and U+001E.
fn texts(root: &Path) -> String {
    let mut all = vec![("evidence".to_owned(), statements(&root.join(EVIDENCE)))];
    for folder in PAGES {
        println!("cargo::rerun-if-changed={folder}");
        all.extend(pages(&root.join(folder)));
    }
    println!("cargo::rerun-if-changed={EVIDENCE}");
    let mut names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(
        twice, None,
        "a text is found by its name, so an error code must not have the name of another text"
    );
    let record = |(name, text): &(String, String)| {
        assert!(!text.contains(['\u{1e}', '\u{1f}']), "{name} has a control character that separates texts");
        format!("{name}\u{1f}{text}\u{1e}")
    };
    all.iter().map(record).collect()
}

/// Returns the name and the text of each page of a directory, in the order of the names.
fn pages(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect(COMPLETE).map(|entry| entry.expect(COMPLETE).path()).collect();
    paths.sort();
    let name = |path: &Path| {
        path.file_stem().expect("an entry of a directory has a name").to_string_lossy().into_owned()
    };
    paths
        .iter()
        .map(|path| {
            (
                name(path),
                fs::read_to_string(path)
                    .expect("a page is a Markdown file in UTF-8, which the tests also read"),
            )
        })
        .collect()
}

/// Returns one line per section of the pages: `PAGE#ANCHOR`, a tab, and the first sentence. The whole pages are too large to be
/// embedded.
fn statements(folder: &Path) -> String {
    let mut lines = String::new();
    for (name, page) in pages(folder) {
        for (heading, body) in page.split("\n### ").skip(1).filter_map(|section| section.split_once("\n\n")) {
            let paragraph = body.lines().next().unwrap_or_default();
            let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
            lines += &format!("{name}#{}\t{}\n", slug(heading), &paragraph[..end]);
        }
    }
    lines
}

/// Returns the anchor that GitHub gives to a heading.
fn slug(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}
