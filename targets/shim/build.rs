//! Leaves the tables of an unwinder out of the static program: nobody unwinds there (`src/unwound.rs`).

fn main() {
    println!("cargo::rerun-if-changed=unwound.ld");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // Of all profiles those that are built for release abort on a panic.
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo tells a build script its folder");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/unwound.ld");
    }
}
