//! Links the static program small: without the tables of an unwinder, since nobody unwinds there (`src/no_unwind.rs`).

fn main() {
    println!("cargo::rerun-if-changed=no_unwind.ld");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // Of all profiles those that are built for release abort on a panic.
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo tells a build script its folder");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/no_unwind.ld");
        // In one piece, and nothing to protect after relocations that a fixed address does not need: it stands in front of
        // each task, and every piece is mapped first. The data follow the text in the file too, without a gap to the next page.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,noseparate-code,-z,norelro,-z,common-page-size=64");
    }
}
