//! File systems that are mounted inside a directory. Emptying the directory would delete their files.
use crate::outcome::Failure;
use rustix::fs::{Mode, OFlags, open};
use std::ffi::OsString;
use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use tfjob_targets::shell;

/// The mount table of this process.
const LIST: &str = "/proc/self/mountinfo";

/// A line of the mount table: a file system, or a part of one, that is mounted at a directory.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    id: u64,
    /// Device number, as `MAJOR:MINOR`.
    device: Vec<u8>,
    /// Directory that the mount shows, as a path inside its file system.
    root: PathBuf,
    at: PathBuf,
    /// File system type, such as `fuse.sshfs`.
    kind: String,
}

/// Returns whether a path is a symbolic link or a mount point, so that its files are outside of its parent directory.
pub fn leads_elsewhere(path: &Path) -> bool {
    let mounted = || {
        let at = fs::canonicalize(path).ok()?;
        let text = fs::read(LIST).ok()?;
        Some(mounts(&text).any(|mount| mount.at == at))
    };
    path.is_symlink() || mounted().unwrap_or(false)
}

/// Checks that nothing is mounted inside a directory: a killed program may have left a mount there. Reads the mount table, because
/// device numbers do not show a bind mount of the same file system.
///
/// # Errors
/// Returns a message that lists the mounts, or an error if the mount table cannot be read.
pub fn none_below(path: &Path) -> Result<(), Failure> {
    // A symbolic link at `path` is removed, not followed, so only the parent of `path` is resolved.
    let Some((parent, name)) = path.parent().zip(path.file_name()) else { return Ok(()) };
    let Ok(parent) = fs::canonicalize(parent) else { return Ok(()) };
    let text = fs::read(LIST).map_err(|e| Failure::at("cannot read", Path::new(LIST), &e))?;
    let below = parent.join(name);
    let faults = mounts(&text).filter(|mount| mount.at.starts_with(&below)).map(|mount| {
        let at = mount.at.display();
        let program = if mount.kind.starts_with("fuse") { "fusermount -u" } else { "umount" };
        let unmount = format!("{program} {}", shell::quote(&at.to_string()));
        Failure::new(format!(
            "cannot empty `{}`: a file system ({}) is mounted at `{at}`, and its files would be deleted; run `{unmount}`",
            path.display(),
            mount.kind
        ))
    });
    Failure::all(faults.collect()).map_or(Ok(()), Err)
}

/// The location of files, independent of mounts: a directory and a bind mount of it have the same location.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    device: Vec<u8>,
    path: PathBuf,
}

impl Place {
    /// Returns the location of a path without symbolic links and `..`. `None` if unknown.
    pub fn of(path: &Path) -> Option<Self> {
        let there = path.ancestors().find(|above| above.exists())?;
        let file = open(there, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let about = fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).ok()?;
        let id: u64 = about.lines().find_map(|line| line.strip_prefix("mnt_id:"))?.trim().parse().ok()?;
        let text = fs::read(LIST).ok()?;
        let mount = mounts(&text).find(|mount| mount.id == id)?;
        let path = path.strip_prefix(&mount.at).ok()?;
        Some(Self { device: mount.device, path: mount.root.join(path) })
    }

    /// Returns whether this location is inside `other`, or the same.
    pub fn is_within(&self, other: &Self) -> bool {
        self.device == other.device && self.path.starts_with(&other.path)
    }
}

/// Parses `/proc/self/mountinfo`.
fn mounts(text: &[u8]) -> impl Iterator<Item = Mount> {
    text.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut fields = line.split(|byte| *byte == b' ');
        let id = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
        let device = fields.nth(1)?.to_vec();
        let root = PathBuf::from(OsString::from_vec(unescaped(fields.next()?)));
        let at = PathBuf::from(OsString::from_vec(unescaped(fields.next()?)));
        // A field `-` ends the optional fields of a line; the file system type follows.
        let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
        Some(Mount { id, device, root, at, kind: String::from_utf8_lossy(kind).into_owned() })
    })
}

/// Decodes the octal escapes of space, tab, line feed, and backslash.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|_| *first == b'\\').and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 8).ok()
        });
        out.push(octal.unwrap_or(*first));
        rest = if octal.is_some() { after.get(3..).unwrap_or_default() } else { after };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Mount, mounts};

    #[test]
    fn places_and_types_are_read_as_the_kernel_writes_them() {
        let text = b"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
            98 22 0:45 /b\\040c /a\\040b/c\\134d rw,nosuid shared:3 master:1 - fuse.sshfs me@host:/x rw\n\n";
        let mount = |id, device: &str, root: &str, at: &str, kind: &str| Mount {
            id,
            device: device.into(),
            root: root.into(),
            at: at.into(),
            kind: kind.to_owned(),
        };
        let expected =
            [mount(22, "8:1", "/", "/", "ext4"), mount(98, "0:45", "/b c", "/a b/c\\d", "fuse.sshfs")];
        assert_eq!(mounts(text).collect::<Vec<_>>(), expected);
    }
}
