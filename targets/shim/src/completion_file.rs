//! The completion file (`{done}`): the program creates it to report that its work is done. Only the user that runs the shim can
//! write to the directory of this file.
use std::collections::hash_map::RandomState;
use std::fs::{DirBuilder, remove_dir, remove_file};
use std::hash::{BuildHasher, Hasher};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a program may take to exit after it reported completion.
pub const EXIT_TIMEOUT: Duration = Duration::from_secs(30);
/// Interval at which the shim checks for the completion file.
pub const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Path of the completion file. Its directory is removed when this value is dropped.
#[derive(Debug)]
pub struct CompletionFile(String);

impl CompletionFile {
    /// Creates a new directory for the file in the first writable location, because the root file system of a container may be
    /// read-only.
    ///
    /// # Errors
    /// A message, if no location is writable.
    pub fn new() -> Result<Self, String> {
        let chosen = std::env::var_os("TMPDIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
        let usual = ["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from);
        let folders = chosen.into_iter().chain(usual).chain(std::env::current_dir());
        folders.filter_map(|folder| within(&folder)).next().ok_or_else(|| {
            "no writable directory for the completion file (`{done}`); tried TMPDIR, /tmp, /var/tmp, /dev/shm, and the working directory"
                .to_owned()
        })
    }

    /// Returns the path.
    pub fn path(&self) -> &str {
        &self.0
    }

    /// Whether the file exists. Creates its directory again if a cleanup of temporary files has removed the directory.
    pub fn exists(&self) -> bool {
        let path = Path::new(&self.0);
        if path.exists() {
            return true;
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
            let _ = create_private(folder);
        }
        false
    }

    /// Deletes the file.
    pub fn reset(&self) {
        let _ = remove_file(&self.0);
    }
}

impl Drop for CompletionFile {
    fn drop(&mut self) {
        self.reset();
        if let Some(folder) = Path::new(&self.0).parent() {
            // The directory stays if the program left other files in it.
            let _ = remove_dir(folder);
        }
    }
}

fn within(folder: &Path) -> Option<CompletionFile> {
    let chance = RandomState::new().build_hasher().finish();
    let folder = folder.join(format!("tfjob-{chance:016x}"));
    let path = folder.join("done").into_os_string().into_string().ok()?;
    create_private(&folder).ok()?;
    Some(CompletionFile(path))
}

/// Creates a directory that only this user can write to.
fn create_private(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(test)]
mod tests {
    use super::{CompletionFile, within};
    use std::path::Path;

    #[test]
    fn the_place_is_new_and_goes_with_its_value() {
        let (one, two) = (CompletionFile::new().unwrap(), CompletionFile::new().unwrap());
        assert!(one.path() != two.path() && !one.exists());
        std::fs::write(one.path(), "").unwrap();
        assert!(one.exists() && !two.exists());
        one.reset();
        assert!(!one.exists());
        std::fs::remove_dir(Path::new(one.path()).parent().unwrap()).unwrap();
        assert!(!one.exists());
        std::fs::write(one.path(), "").unwrap();
        let folder = Path::new(one.path()).parent().unwrap().to_owned();
        drop(one);
        assert!(!folder.exists());
        assert!(within(Path::new("/proc")).is_none());
    }
}
