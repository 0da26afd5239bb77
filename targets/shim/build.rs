//! Links the static binary without unwind tables, because nothing unwinds (`src/no_unwind.rs`).

fn main() {
    println!("cargo::rerun-if-changed=no_unwind.ld");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // Release profiles abort on a panic.
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets this variable");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/no_unwind.ld");
        // One segment without RELRO, and data right after text: the binary starts before each task, and each segment costs a mapping.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,noseparate-code,-z,norelro,-z,common-page-size=64");
    }
}
