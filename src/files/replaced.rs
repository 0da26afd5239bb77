//! Replaces the text of a file, and keeps its owner, permissions, and hard links.
use super::held::held;
use super::outputs::Output;
use super::temporary;
use crate::outcome::Failure;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// Replaces the text `old` of a file with `new`. Owner, permissions, and links are kept. Changes nothing and returns false if the
/// file no longer contains `old`, because another process has written the file.
///
/// # Errors
/// Returns an error if the file cannot be written. The file then still has the old text.
pub fn replace(path: &Path, old: &str, new: &str) -> Result<bool, Failure> {
    let swap = || -> io::Result<bool> {
        let real = fs::canonicalize(path)?;
        // Opening the file for writing fails if it is read-only. Such a file must not be replaced, even if its directory is
        // writable.
        let mut file = File::options().read(true).write(true).open(&real)?;
        let about = file.metadata()?;
        let folder = real.parent().unwrap_or_else(|| Path::new("/"));
        let output = Output { path: String::new(), bytes: new.as_bytes().to_vec(), executable: false };
        temporary::remove_stale(folder);
        let temp = temporary::create(folder, &output)?;
        temporary::sync(&[temp.as_file()])?;
        temp.as_file().set_permissions(about.permissions())?;
        let alike = is_alone(&about) && !has_attributes(&file) && owned(temp.as_file(), &about)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        if text != old.as_bytes() || !is_same(&real, &about) {
            return Ok(false);
        }
        if alike {
            temp.persist(&real).map_err(|error| error.error)?;
        } else {
            over(&mut file, new).inspect_err(|_| drop(over(&mut file, old)))?;
        }
        Ok(true)
    };
    held(swap).map_err(|error| Failure::at("cannot write", path, &error))
}

/// Returns whether the path still refers to the opened file. False if an editor has replaced the file by renaming another one.
#[cfg(unix)]
fn is_same(path: &Path, about: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn is_same(_: &Path, _: &Metadata) -> bool {
    true
}

/// Overwrites the file in place. The temporary file has shown that the disk has space for the text.
fn over(file: &mut File, text: &str) -> io::Result<()> {
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

/// Returns whether the file has no other hard link.
#[cfg(unix)]
fn is_alone(about: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(about) <= 1
}

#[cfg(not(unix))]
fn is_alone(_: &Metadata) -> bool {
    true
}

/// Returns whether the file has an ACL or other extended attributes, which a new file would not have. The SELinux label is ignored,
/// because the system also labels a new file.
#[cfg(target_os = "linux")]
fn has_attributes(file: &File) -> bool {
    use rustix::{fs::flistxattr, io::Errno};
    let mut names = [0; 4096];
    match flistxattr(file, &mut names[..]) {
        Ok(length) => names[..length]
            .split(|byte| *byte == 0)
            .any(|name| !name.is_empty() && name != b"security.selinux"),
        // `RANGE` means that the names do not fit into the buffer, so attributes exist. Any other error counts as no attributes.
        Err(error) => error == Errno::RANGE,
    }
}

#[cfg(not(target_os = "linux"))]
fn has_attributes(_: &File) -> bool {
    false
}

/// Gives a new file the owner of the old file. Returns whether the new file has this owner.
#[cfg(unix)]
fn owned(file: &File, about: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let has = |own: Metadata| (own.uid(), own.gid()) == (about.uid(), about.gid());
    if has(file.metadata()?) {
        return Ok(true);
    }
    let done = fchown(file, Some(about.uid()), Some(about.gid())).is_ok();
    // A change of the owner clears some permission bits, so they are set again.
    file.set_permissions(about.permissions())?;
    Ok(done)
}

#[cfg(not(unix))]
fn owned(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::replace;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    #[test]
    fn a_replaced_file_keeps_its_link_and_its_permissions() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        assert!(replace(&link, "old", "new").unwrap());
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_replaced_file_keeps_its_owner_and_all_its_names() {
        let dir = tempfile::tempdir().unwrap();
        let (file, other) = (dir.path().join("file"), dir.path().join("other"));
        for names in [1, 2] {
            fs::write(&file, "a longer old text").unwrap();
            // Only root may change the owner of a file, so this may fail.
            let given = chown(&file, Some(1234), Some(1234)).is_ok();
            if names == 2 {
                fs::hard_link(&file, &other).unwrap();
            }
            assert!(replace(&file, "a longer old text", "new").unwrap());
            let about = fs::metadata(&file).unwrap();
            assert!(!given || (about.uid(), about.gid()) == (1234, 1234));
            assert_eq!((about.nlink(), fs::read_to_string(&file).unwrap()), (names, "new".to_owned()));
        }
        assert_eq!(fs::read_to_string(&other).unwrap(), "new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_replaced_file_keeps_its_attributes() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "old").unwrap();
        // Some file systems have no extended attributes, so this may fail.
        let given = setxattr(&file, "user.note", b"kept", XattrFlags::empty()).is_ok();
        assert!(replace(&file, "old", "new").unwrap());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let mut value = [0; 4];
        assert!(!given || getxattr(&file, "user.note", &mut value[..]).is_ok_and(|bytes| bytes == 4));
    }

    #[test]
    fn a_file_that_somebody_has_saved_meanwhile_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        for text in ["saved", "old and more", ""] {
            fs::write(&file, text).unwrap();
            assert!(!replace(&file, "old", "new").unwrap(), "{text}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_may_not_be_written_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        // Root can write any file. For root, a test of the command line checks this in a user namespace.
        if fs::File::options().write(true).open(&file).is_err() {
            assert!(replace(&file, "old", "new").is_err());
            assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        }
    }
}
