//! Extracts the statements of `docs/evidence`, which `tfjob explain` prints. Links the static binary without unwind tables: a release
//! build aborts on a panic, and the shim, which is part of this binary, has no unwinder either
//! (`targets/shim/src/no_unwind.rs`).
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=targets/shim/no_unwind.ld");
    println!("cargo::rerun-if-changed=docs/evidence");
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo tells a build script its folder");
    let out = env::var("OUT_DIR").expect("cargo tells a build script where to write");
    fs::write(Path::new(&out).join("evidence.txt"), statements(&Path::new(&folder).join("docs/evidence")))
        .expect("the output directory is writable");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/targets/shim/no_unwind.ld");
    }
}

/// Returns one line per section of the pages: `PAGE#ANCHOR`, a tab, and the first sentence. The whole pages are too large to be
/// embedded.
fn statements(folder: &Path) -> String {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the pages").map(|entry| entry.expect("a page").path()).collect();
    paths.sort();
    let mut lines = String::new();
    for path in paths {
        let name = path.file_stem().expect("a page has a name").to_string_lossy().into_owned();
        let page = fs::read_to_string(&path).expect("a page is UTF-8");
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
