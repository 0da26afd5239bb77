//! The GPUs of this machine that a run can use.
use std::fmt;
use std::path::Path;
use tfjob_shim::{devices, numbered_devices};

/// Environment variable that lists the GPUs that a process can use. Batch systems set it.
pub const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// The GPUs that a process can use.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Usable {
    /// Names of the GPUs, as in [`VISIBLE`].
    pub names: Vec<String>,
    /// The invalid entry at which CUDA stops reading the list, and why it is invalid.
    end: Option<(String, End)>,
    /// Whether [`VISIBLE`] is set.
    named: bool,
}

/// Why CUDA stops reading the list at an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// A negative number, the usual end marker.
    Meant,
    /// A number for which the machine has too few GPUs.
    Beyond(u32),
    /// A duplicate of an earlier entry.
    Twice,
    /// Neither a number nor a GPU UUID.
    Unknown,
}

/// Returns the GPUs that this process can use: all GPUs of the machine if [`VISIBLE`] is unset.
pub fn usable() -> Usable {
    let named = std::env::var_os(VISIBLE).map(|named| named.to_string_lossy().into_owned());
    of(Path::new("/dev"), named.as_deref())
}

fn of(dev: &Path, named: Option<&str>) -> Usable {
    named.map_or_else(
        || Usable { names: (0..devices(dev)).map(|gpu| gpu.to_string()).collect(), ..Usable::default() },
        |named| listed(named, numbered_devices(dev)),
    )
}

/// Parses the list as CUDA does, up to the first invalid entry (CUDA Programming Guide, "CUDA_VISIBLE_DEVICES"). `there`: the
/// number of GPUs of the machine, if it is certain.
fn listed(named: &str, there: Option<u32>) -> Usable {
    let mut usable = Usable { named: true, ..Usable::default() };
    for name in named.split(',').map(str::trim) {
        if name.is_empty() {
            break;
        }
        if let Some(end) = end(name, &usable.names, there) {
            usable.end = Some((name.to_owned(), end));
            break;
        }
        usable.names.push(name.to_owned());
    }
    usable
}

fn end(name: &str, before: &[String], there: Option<u32>) -> Option<End> {
    let number = |name: &str| name.parse::<u32>().ok();
    // CUDA accepts a prefix of a UUID, so a UUID and its prefix name the same GPU.
    let same = |other: &String| match (number(name), number(other)) {
        (Some(number), Some(other)) => number == other,
        (None, None) => name.starts_with(other.as_str()) || other.starts_with(name),
        (Some(_), None) | (None, Some(_)) => false,
    };
    let begins = |with: &str| name.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    match (number(name), there) {
        (Some(number), Some(there)) if number >= there => Some(End::Beyond(there)),
        (None, _) if name.starts_with('-') => Some(End::Meant),
        (None, _) if !begins("GPU-") && !begins("MIG-") => Some(End::Unknown),
        (Some(_) | None, _) => before.iter().any(same).then_some(End::Twice),
    }
}

impl fmt::Display for Usable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = if self.named { VISIBLE } else { "this machine" };
        write!(f, "{has} has {}", self.names.len())?;
        match &self.end {
            None => Ok(()),
            Some((name, End::Meant)) => {
                write!(
                    f,
                    ": CUDA ends the list at the negative number `{name}`, and ignores this entry and all later entries"
                )
            }
            Some((name, End::Beyond(there))) => write!(
                f,
                ": CUDA ignores `{name}` and later entries, because this machine has {there} GPU{}, numbered from 0",
                if *there == 1 { "" } else { "s" }
            ),
            Some((name, End::Twice)) => {
                write!(f, ": `{name}` is a duplicate, which CUDA does not accept")
            }
            Some((name, End::Unknown)) => write!(
                f,
                ": CUDA ignores `{name}` and later entries, because `{name}` is neither a number nor a UUID that begins with `GPU-` or `MIG-`"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{listed, of};
    use std::fs;

    #[test]
    fn a_list_ends_where_cuda_stops_reading() {
        for (named, there, usable, said) in [
            ("3, 4,5", None, &["3", "4", "5"][..], None),
            ("3,4", Some(5), &["3", "4"], None),
            ("GPU-8932,MIG-1", Some(1), &["GPU-8932", "MIG-1"], None),
            ("MIG-GPU-8/1/0,MIG-GPU-8/2/0", Some(1), &["MIG-GPU-8/1/0", "MIG-GPU-8/2/0"], None),
            ("3,GPU-3", Some(4), &["3", "GPU-3"], None),
            ("", None, &[], None),
            ("0,-1,1", None, &["0"], Some("the negative number `-1`")),
            ("-1", None, &[], Some("the negative number `-1`")),
            (
                "5,6",
                Some(2),
                &[],
                Some("ignores `5` and later entries, because this machine has 2 GPUs, numbered from 0"),
            ),
            (
                "0,1",
                Some(1),
                &["0"],
                Some("ignores `1` and later entries, because this machine has 1 GPU, numbered from 0"),
            ),
            ("0,1,0", Some(2), &["0", "1"], Some("`0` is a duplicate")),
            ("1,01", None, &["1"], Some("`01` is a duplicate")),
            ("GPU-x,GPU-x", None, &["GPU-x"], Some("`GPU-x` is a duplicate")),
            ("GPU-89,GPU-8932", None, &["GPU-89"], Some("`GPU-8932` is a duplicate")),
            ("MIG-1,MIG-1", Some(4), &["MIG-1"], Some("`MIG-1` is a duplicate")),
            ("NoDevFiles", None, &[], Some("because `NoDevFiles` is neither")),
        ] {
            let list = listed(named, there);
            assert_eq!(list.names, usable, "{named}");
            let told = list.to_string();
            let begin = format!("CUDA_VISIBLE_DEVICES has {}", usable.len());
            assert!(told.starts_with(&begin), "{told}");
            assert!(said.map_or(told == begin, |said| told.contains(said)), "{named}: {told}");
        }
    }

    #[test]
    fn numbers_are_compared_with_how_many_devices_there_are() {
        let dev = std::env::temp_dir().join(format!("tfjob-gpus-{}", std::process::id()));
        fs::create_dir_all(dev.join("nvidia-caps")).unwrap();
        let names = |named: &str| of(&dev, Some(named)).names;
        assert_eq!((names("0,7"), of(&dev, None).names.len()), (vec!["0".into(), "7".into()], 0));
        // The device files of a container keep the numbers of the host, but CUDA counts the devices from 0.
        for name in ["nvidia4", "nvidia6", "nvidiactl", "nvidia-uvm", "nvidia-caps/nvidia-cap1"] {
            fs::write(dev.join(name), "").unwrap();
        }
        assert_eq!((names("0,1"), names("4,6")), (vec!["0".to_owned(), "1".to_owned()], vec![]));
        assert_eq!(of(&dev, None).names, ["0", "1"]);
        // MIG slices may have their own numbers.
        fs::write(dev.join("nvidia-caps/nvidia-cap12"), "").unwrap();
        assert_eq!(names("0,7").len(), 2);
        fs::remove_dir_all(dev).unwrap();
    }
}
