//! Links the static program without the tables of an unwinder: a release build aborts on a panic, and the shim, which is part
//! of this program, has no unwinder either (`targets/shim/src/unwound.rs`).

fn main() {
    println!("cargo::rerun-if-changed=targets/shim/unwound.ld");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo tells a build script its folder");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/targets/shim/unwound.ld");
    }
}
