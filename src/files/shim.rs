//! Finds the static shim: for the steps that read it from the directory of the spec, and for manifests that contain it.
use super::relative_path;
use crate::outcome::Failure;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// File name of the shim.
pub const SHIM: &str = "tfjob-shim";
/// Directories in which cargo builds the shim, relative to the directory of `tfjob`. The first directory is for a host build of
/// `tfjob`, the second for a static build.
const BUILT: [&str; 2] = ["../x86_64-unknown-linux-musl/shim", "../shim"];
/// Number of bytes that are read from the start of a program, to find its ELF program headers.
const HEAD: u64 = 4096;

/// Location of the shim, for steps that read it in the directory of the spec.
#[derive(Debug, PartialEq, Eq)]
pub enum Shim {
    /// In the directory of the spec.
    Here,
    /// At this path, relative to the directory of the spec.
    At(PathBuf),
    /// Not found.
    Nowhere,
}

/// Environment variable with the path of the shim.
const VARIABLE: &str = "TFJOB_SHIM";

/// Searches for the shim in `home`, then at the path in `TFJOB_SHIM`. Without this variable, searches next to this program, and in
/// the build directories of cargo.
#[must_use]
pub fn shim(home: &Path) -> Shim {
    match configured() {
        Some(path) if !home.join(SHIM).is_file() => {
            let path = std::path::absolute(&path).unwrap_or(path);
            Shim::At(relative_path(home, &path))
        }
        Some(_) | None => find(home, std::env::current_exe().ok().as_deref().and_then(Path::parent)),
    }
}

/// Returns the path in `TFJOB_SHIM`.
fn configured() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Maximum size of the data of a ConfigMap in bytes (`MaxSecretSize` of Kubernetes).
const LARGEST: usize = 1 << 20;

/// Returns the bytes of the shim: of the file in `TFJOB_SHIM`, or of the shim next to this program or in the build directories of
/// cargo. A file next to a spec is not used, so that a repository of specs cannot replace the program that the pods run.
///
/// # Errors
/// Returns an error if the shim is not found, cannot be read, is not a static program, or is too large for a ConfigMap.
pub fn shim_bytes() -> Result<Vec<u8>, Failure> {
    let program = std::env::current_exe().ok();
    let found = configured().or_else(|| next_to(program.as_deref()?.parent()?));
    let Some(path) = found else {
        return Err(Failure::new(format!(
            "the program `{SHIM}`, which the pods mount, is missing: install a release of tfjob, which contains it, or set \
             `{VARIABLE}` to its path; or write `shim image=\"…\"` in `target \"kubernetes\"`; to build it, run `cargo build \
             --profile shim -p {SHIM} --target x86_64-unknown-linux-musl`"
        )));
    };
    let bytes = std::fs::read(&path).map_err(|error| Failure::at("cannot read", &path, &error))?;
    let fault = if !is_static_program(&bytes) {
        "is not a static Linux program".to_owned()
    } else if bytes.len() > LARGEST {
        format!("has {} bytes, but a ConfigMap has at most {LARGEST}", bytes.len())
    } else {
        return Ok(bytes);
    };
    Err(Failure::new(format!("`{}` cannot be the shim: it {fault}", path.display())))
}

fn find(home: &Path, program: Option<&Path>) -> Shim {
    if home.join(SHIM).is_file() {
        return Shim::Here;
    }
    program.and_then(next_to).map_or(Shim::Nowhere, |path| Shim::At(relative_path(home, &path)))
}

/// Returns the path of the shim in the directory of this program, or in the build directories of cargo.
fn next_to(program: &Path) -> Option<PathBuf> {
    let folders = std::iter::once(program.to_path_buf()).chain(BUILT.map(|built| program.join(built)));
    let mut whole = folders.filter_map(|folder| std::fs::canonicalize(folder.join(SHIM)).ok());
    whole.find(|path| is_static(path))
}

/// Returns whether these bytes are a statically linked program: an ELF file without an interpreter.
#[must_use]
pub fn is_static_program(bytes: &[u8]) -> bool {
    has_interpreter(&bytes[..bytes.len().min(HEAD as usize)]) == Some(false)
}

/// Returns whether a program is statically linked: an ELF file without an interpreter.
fn is_static(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && has_interpreter(&head) == Some(false)
}

/// Returns whether an ELF file names an interpreter. `None` if the file is not a 64-bit little-endian ELF file, or if `head` does
/// not contain its program headers.
fn has_interpreter(head: &[u8]) -> Option<bool> {
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let number = |at: usize, bytes: usize| {
        let bytes = head.get(at..at.checked_add(bytes)?)?;
        Some(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    // e_phoff, e_phentsize, and e_phnum (elf(5), Elf64_Ehdr); PT_INTERP is 3.
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let kinds = (0..count).map(|segment| number(table.checked_add(segment * size)?, 4));
    let kinds: Vec<usize> = kinds.collect::<Option<_>>()?;
    Some(kinds.contains(&3))
}

#[cfg(test)]
mod tests {
    use super::{BUILT, SHIM, Shim, find, has_interpreter};
    use std::fs;

    #[test]
    fn the_shim_is_found_in_home_next_to_the_program_or_in_the_build_directory() {
        let dir = tempfile::tempdir().unwrap();
        let (home, program) = (dir.path().join("jobs"), dir.path().join("target/release"));
        let built = dir.path().join("target/release").join(BUILT[0]);
        for folder in [&home, &program, &built] {
            fs::create_dir_all(folder).unwrap();
        }
        assert_eq!((find(&home, None), find(&home, Some(&program))), (Shim::Nowhere, Shim::Nowhere));
        let at = |folder: &std::path::Path| fs::write(folder.join(SHIM), elf(1)).unwrap();
        // A dynamically linked shim would not start in an image, so it is skipped.
        fs::write(program.join(SHIM), elf(3)).unwrap();
        at(&built);
        let Shim::At(path) = find(&home, Some(&program)) else { panic!("the shim is built") };
        assert!(path.ends_with("x86_64-unknown-linux-musl/shim/tfjob-shim"), "{}", path.display());
        at(&program);
        let Shim::At(path) = find(&home, Some(&program)) else { panic!("the shim is next to the program") };
        assert!(path.ends_with("target/release/tfjob-shim"), "{}", path.display());
        at(&home);
        assert_eq!(find(&home, Some(&program)), Shim::Here);
    }

    /// Returns the start of an ELF file with two segments, of which the second has this type.
    fn elf(kind: u8) -> Vec<u8> {
        let mut head = vec![0; 64 + 2 * 56];
        head[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (head[32], head[54], head[56]) = (64, 56, 2);
        (head[64], head[64 + 56]) = (6, kind);
        head
    }

    #[test]
    fn a_program_with_an_interpreter_is_not_static() {
        assert_eq!((has_interpreter(&elf(1)), has_interpreter(&elf(3))), (Some(false), Some(true)));
        assert_eq!(
            (has_interpreter(b""), has_interpreter(b"#!/bin/sh"), has_interpreter(&elf(3)[..120])),
            (None, None, None)
        );
        let mut endless = elf(1);
        endless[32..40].fill(0xff);
        assert_eq!(has_interpreter(&endless), None);
    }
}
