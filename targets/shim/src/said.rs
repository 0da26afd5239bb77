//! The file by which a program says that its work is done, in a folder that is this shim's alone.
use std::collections::hash_map::RandomState;
use std::fs::{DirBuilder, remove_dir, remove_file};
use std::hash::{BuildHasher, Hasher};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a program that has said so may take to end: it may still close what it has open.
pub const LAST: Duration = Duration::from_secs(30);
/// How often the file is looked for.
pub const LOOK: Duration = Duration::from_secs(1);

/// The place of the file; it goes with this value.
#[derive(Debug)]
pub struct Said(String);

impl Said {
    /// A new place, in the first folder that takes one: a container's own disk may be read-only.
    ///
    /// # Errors
    /// One sentence, where none does.
    pub fn new() -> Result<Self, String> {
        let chosen = std::env::var_os("TMPDIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
        let usual = ["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from);
        let folders = chosen.into_iter().chain(usual).chain(std::env::current_dir());
        folders.filter_map(|folder| within(&folder)).next().ok_or_else(|| {
            "there is no folder to write in for the file by which the program says that its work is done"
                .to_owned()
        })
    }

    /// The path, for the program.
    pub fn path(&self) -> &str {
        &self.0
    }

    /// Whether the program has said it. A folder that somebody has swept away is made again.
    pub fn heard(&self) -> bool {
        let path = Path::new(&self.0);
        if path.exists() {
            return true;
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
            let _ = own(folder);
        }
        false
    }

    /// Begins anew.
    pub fn forget(&self) {
        let _ = remove_file(&self.0);
    }
}

impl Drop for Said {
    fn drop(&mut self) {
        self.forget();
        if let Some(folder) = Path::new(&self.0).parent() {
            // What else a program left there is its own affair.
            let _ = remove_dir(folder);
        }
    }
}

fn within(folder: &Path) -> Option<Said> {
    let chance = RandomState::new().build_hasher().finish();
    let folder = folder.join(format!("tfjob-{chance:016x}"));
    let path = folder.join("done").into_os_string().into_string().ok()?;
    own(&folder).ok()?;
    Some(Said(path))
}

/// Nobody else's word counts.
fn own(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(test)]
mod tests {
    use super::{Said, within};
    use std::path::Path;

    #[test]
    fn the_place_is_new_and_goes_with_its_value() {
        let (one, two) = (Said::new().unwrap(), Said::new().unwrap());
        assert!(one.path() != two.path() && !one.heard());
        std::fs::write(one.path(), "").unwrap();
        assert!(one.heard() && !two.heard());
        one.forget();
        assert!(!one.heard());
        std::fs::remove_dir(Path::new(one.path()).parent().unwrap()).unwrap();
        assert!(!one.heard());
        std::fs::write(one.path(), "").unwrap();
        let folder = Path::new(one.path()).parent().unwrap().to_owned();
        drop(one);
        assert!(!folder.exists());
        assert!(within(Path::new("/proc")).is_none());
    }
}
