//! `--copy-to`: an init container copies the shim from its image into a volume. The image contains no program except the shim, so
//! the shim copies itself.
use crate::exit::Exit;
use std::fs::{File, Permissions, copy, remove_file, rename, set_permissions};
use std::io::Error;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Path of the executable of this process.
const OWN: &str = "/proc/self/exe";

/// Copies this program to `path`. Writes a temporary file first and renames it, so that a file at `path` is complete.
///
/// # Errors
/// [`Exit::Machine`] if the file cannot be written; a file that existed at `path` is unchanged.
pub fn to(path: &Path) -> Result<(), Exit> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".tfjob-{}", std::process::id()));
    let temporary = Path::new(&name);
    place(temporary, path).map_err(|fault| {
        let _ = remove_file(temporary);
        Exit::Machine(format!("cannot copy tfjob-shim to {}: {fault}", path.display()))
    })
}

fn place(temporary: &Path, path: &Path) -> Result<(), Error> {
    copy(OWN, temporary)?;
    // Every user can run the copy, whatever the umask.
    set_permissions(temporary, Permissions::from_mode(0o755))?;
    File::open(temporary)?.sync_all()?;
    rename(temporary, path)
}
