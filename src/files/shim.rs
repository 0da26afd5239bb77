//! Where the static shim lies that printed steps read from the spec's folder.
use super::way;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file's name, in steps too.
pub const SHIM: &str = "tfjob-shim";
/// Where this program's own sources build it, seen from the folder of a program that was built beside it, for this machine
/// or as the static binary.
const BUILT: [&str; 2] = ["../x86_64-unknown-linux-musl/shim", "../shim"];
/// So much of a program is read.
const HEAD: u64 = 4096;

/// What has to be done before a step finds the shim in `home`.
#[derive(Debug, PartialEq, Eq)]
pub enum Shim {
    /// Nothing: it is there.
    Here,
    /// It is brought from there, as `home` sees it.
    At(PathBuf),
    /// Nobody knows where it is.
    Nowhere,
}

/// Looks for the shim: in the folder itself, beside this program, where cargo builds it.
#[must_use]
pub fn shim(home: &Path) -> Shim {
    find(home, std::env::current_exe().ok().as_deref().and_then(Path::parent))
}

fn find(home: &Path, program: Option<&Path>) -> Shim {
    if home.join(SHIM).is_file() {
        return Shim::Here;
    }
    let built = |folder: &Path| BUILT.map(|built| folder.join(built));
    let folders =
        program.into_iter().flat_map(|folder| [folder.to_path_buf()].into_iter().chain(built(folder)));
    let whole = folders.filter_map(|folder| std::fs::canonicalize(folder.join(SHIM)).ok());
    whole.into_iter().find(|path| is_static(path)).map_or(Shim::Nowhere, |path| Shim::At(way(home, &path)))
}

/// Whether a program needs nothing of the image that it is started in: an ELF file that names no interpreter.
fn is_static(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && has_interpreter(&head) == Some(false)
}

/// `None` where it is no ELF file of 64 bits, little end first, or its table of segments lies further on.
fn has_interpreter(head: &[u8]) -> Option<bool> {
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let number = |at: usize, bytes: usize| {
        let bytes = head.get(at..at.checked_add(bytes)?)?;
        Some(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    // Its offset, the size of an entry, and their number (elf(5), Elf64_Ehdr); PT_INTERP is 3.
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
    fn the_shim_is_found_here_beside_the_program_or_where_it_is_built() {
        let dir = tempfile::tempdir().unwrap();
        let (home, program) = (dir.path().join("jobs"), dir.path().join("target/release"));
        let built = dir.path().join("target/release").join(BUILT[0]);
        for folder in [&home, &program, &built] {
            fs::create_dir_all(folder).unwrap();
        }
        assert_eq!((find(&home, None), find(&home, Some(&program))), (Shim::Nowhere, Shim::Nowhere));
        let at = |folder: &std::path::Path| fs::write(folder.join(SHIM), elf(1)).unwrap();
        // One that needs the libraries of this machine would not start in an image.
        fs::write(program.join(SHIM), elf(3)).unwrap();
        at(&built);
        let Shim::At(path) = find(&home, Some(&program)) else { panic!("it is built") };
        assert!(path.ends_with("x86_64-unknown-linux-musl/shim/tfjob-shim"), "{}", path.display());
        at(&program);
        let Shim::At(path) = find(&home, Some(&program)) else { panic!("it lies beside the program") };
        assert!(path.ends_with("target/release/tfjob-shim"), "{}", path.display());
        at(&home);
        assert_eq!(find(&home, Some(&program)), Shim::Here);
    }

    /// The head of a program whose second segment is of that kind.
    fn elf(kind: u8) -> Vec<u8> {
        let mut head = vec![0; 64 + 2 * 56];
        head[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (head[32], head[54], head[56]) = (64, 56, 2);
        (head[64], head[64 + 56]) = (6, kind);
        head
    }

    #[test]
    fn what_names_an_interpreter_is_not_static() {
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
