//! Preflight checks before the first start, for faults that would otherwise appear hours later.
//!
//! Rejecting a task that could run is worse than missing a fault, so uncertain findings are only reported as events.
use crate::exit::Exit;
use crate::humanize;
use crate::state::OURS;
use crate::sys::{self, Space};
use std::collections::hash_map::RandomState;
use std::fs::{File, create_dir_all, read_dir, remove_file};
use std::hash::{BuildHasher, Hasher};
use std::io::{Error, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

/// Free space below this, or below 1% of the file system, is reported.
const LOW_SPACE: u64 = 64 << 20;
/// Content of the probe file.
const PROBE: [u8; 4096] = [0; 4096];

/// Checks whether checkpoints can be written to a directory. Creates a missing directory, as TensorFlow and Orbax do. Returns a
/// note if the directory was created, space is low, or the probe file stays.
///
/// # Errors
/// The directory is not writable or full.
pub fn check_directory(path: &Path) -> Result<Option<String>, Exit> {
    let shown = path.display();
    let made = !path.exists();
    let refused = |e: Error| match e.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Exit::NoSpace(format!("no space left for checkpoints in {shown}: {e}"))
        }
        _ => Exit::NotWritable(format!("cannot write checkpoints to {shown}: {e}")),
    };
    let left = create_dir_all(path).and_then(|()| write(path)).map_err(refused)?;
    let low = sys::space(path).and_then(low_space);
    let made = made.then(|| "the checkpoint directory did not exist and was created".to_owned());
    let said: Vec<String> = made.into_iter().chain(low).chain(left).collect();
    Ok((!said.is_empty()).then(|| format!("{shown}: {}", said.join("; "))))
}

/// Writes and removes a probe file. Returns a note if the file cannot be removed: a program that only adds files can still run.
fn write(folder: &Path) -> Result<Option<String>, Error> {
    let chance = RandomState::new().build_hasher().finish();
    let path = folder.join(format!("{OURS}probe-{chance:016x}"));
    let mut file = File::create_new(&path)?;
    let done = file.write_all(&PROBE).and_then(|()| match file.sync_all() {
        // The data was written; this error only means that the file system does not support fsync.
        Err(e) if !matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => Ok(()),
        done => done,
    });
    drop(file);
    let left = remove_file(&path);
    done?;
    Ok(left.err().map(|e| {
        format!(
            "cannot remove {}, with which tfjob-shim tested whether checkpoints can be written: {e}",
            path.display()
        )
    }))
}

fn low_space(space: Space) -> Option<String> {
    // Some network file systems report a total size of 0.
    let low = space.total > 0 && (space.available < LOW_SPACE || space.available < space.total / 100);
    low.then(|| {
        let (left, whole) = (humanize::bytes(space.available), humanize::bytes(space.total));
        format!("only {left} of {whole} free")
    })
}

/// Checks whether the container has the GPUs that the task requests. `dev` is `/dev`; `visible` is the value of
/// `NVIDIA_VISIBLE_DEVICES`. Returns a note if the number of GPUs is uncertain.
///
/// # Errors
/// The NVIDIA driver shows fewer GPUs. GPUs of other vendors, MIG slices, and other drivers have other device names, and are never
/// an error.
pub fn check_gpus(dev: &Path, visible: Option<&str>, promised: u32) -> Result<Option<String>, Exit> {
    let there = names(dev);
    let found = devices(dev);
    let whole = !has_parts(dev) && !visible.is_some_and(|visible| visible.contains("MIG"));
    let missing = found < promised;
    let has = |name: &str| there.iter().any(|there| there == name);
    match (missing, has("nvidiactl")) {
        (true, true) if whole => {
            Err(Exit::Gpus(format!("this task requests {}, but the container has {found}", gpus(promised))))
        }
        (true, false) if found == 0 && !has("kfd") && !has("dxg") && !has("accel") => Ok(Some(format!(
            "this task requests {}, but /dev contains no known GPU device; the program is started anyway",
            gpus(promised)
        ))),
        (true | false, _) => Ok(None),
    }
}

/// Returns a number of GPUs as text: `1 GPU`, `2 GPUs`.
fn gpus(count: u32) -> String {
    format!("{count} GPU{}", if count == 1 { "" } else { "s" })
}

/// Returns the number of NVIDIA GPUs. The driver creates `nvidia0`, `nvidia1`, and so on in `dev`, which is `/dev`.
#[must_use]
pub fn devices(dev: &Path) -> u32 {
    let found = names(dev).iter().filter(|name| number(name, "nvidia").is_some()).count();
    u32::try_from(found).unwrap_or(u32::MAX)
}

/// Returns the number of GPUs if CUDA numbers them from 0. `None` if that is uncertain: no device files yet, another driver, or MIG
/// slices.
#[must_use]
pub fn numbered_devices(dev: &Path) -> Option<u32> {
    let found = devices(dev);
    (found > 0 && dev.join("nvidiactl").exists() && !has_parts(dev)).then_some(found)
}

/// Whether a GPU is divided (MIG). The first two capability files belong to the driver; slices have higher numbers.
fn has_parts(dev: &Path) -> bool {
    names(&dev.join("nvidia-caps")).iter().any(|name| number(name, "nvidia-cap") > Some(2))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

fn number(name: &str, begin: &str) -> Option<u32> {
    name.strip_prefix(begin)?.parse().ok()
}

/// Checks whether a data path on the node exists. Returns a note if the path is an empty directory.
///
/// # Errors
/// The path does not exist.
pub fn check_data(path: &str) -> Result<Option<String>, Exit> {
    match std::fs::metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            Err(Exit::Machine(format!("data path {path} of the job does not exist on this node")))
        }
        // Other errors are not reported here: the program reports them.
        Err(_) => Ok(None),
        Ok(about) => {
            let empty = about.is_dir() && read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            Ok(empty.then(|| format!("data directory {path} is empty; the program is started anyway")))
        }
    }
}

/// Whether another process listens on this address and port without `SO_REUSEPORT`. A listener with `SO_REUSEPORT` does not count,
/// because several such listeners can share a port.
#[must_use]
pub fn is_taken(address: Ipv4Addr, port: u16) -> bool {
    let in_use = |e: Error| e.kind() == ErrorKind::AddrInUse;
    TcpListener::bind((address, port)).is_err_and(in_use)
        && sys::connect::share(address, port).is_err_and(in_use)
}

/// Checks whether the rendezvous port, to which the peers of this task connect, is free.
///
/// # Errors
/// Another process listens on it.
pub fn check_port(port: u16) -> Result<(), Exit> {
    match TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)) {
        Err(e) if e.kind() == ErrorKind::AddrInUse => Err(Exit::PortInUse(format!(
            "port {port} (`rendezvous`), to which the peers of this task connect, is already in use on this host"
        ))),
        // Other errors are not reported here: the program reports them.
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{check_data, check_directory, check_gpus, check_port, low_space};
    use crate::exit::Exit;
    use crate::sys::Space;
    use std::fs::{create_dir_all, remove_dir_all, write};
    use std::net::TcpListener;

    #[test]
    fn a_missing_directory_is_created_and_left_empty() {
        let path = std::env::temp_dir().join(format!("tfjob-preflight-{}/a/b", std::process::id()));
        let said = check_directory(&path).unwrap().unwrap();
        assert!(said.contains(": the checkpoint directory did not exist and was created"), "{said}");
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
        write(path.join("file"), "").unwrap();
        let Err(Exit::NotWritable(why)) = check_directory(&path.join("file")) else {
            panic!("a file is no folder")
        };
        assert!(why.starts_with("cannot write checkpoints to "), "{why}");
        remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
    }

    #[test]
    fn low_space_is_reported_below_64_mib_and_below_one_percent() {
        let said = |whole, left| low_space(Space { total: whole, available: left });
        assert_eq!(said(1 << 40, 1 << 33).as_deref(), Some("only 8 GiB of 1024 GiB free"));
        assert_eq!(said(1 << 30, 1 << 25).as_deref(), Some("only 32 MiB of 1 GiB free"));
        assert_eq!((said(1 << 30, 1 << 27), said(0, 0)), (None, None));
    }

    #[test]
    fn missing_gpus_are_an_error_only_if_certain() {
        let dev = std::env::temp_dir().join(format!("tfjob-dev-{}", std::process::id()));
        create_dir_all(dev.join("nvidia-caps")).unwrap();
        let put = |name: &str| write(dev.join(name), "").unwrap();
        let strange =
            "this task requests 2 GPUs, but /dev contains no known GPU device; the program is started anyway";
        assert_eq!(check_gpus(&dev, None, 2), Ok(Some(strange.to_owned())));
        for name in
            ["nvidia0", "nvidia-uvm", "nvidia-modeset", "nvidia-caps/nvidia-cap1", "nvidia-caps/nvidia-cap2"]
        {
            put(name);
        }
        assert_eq!(check_gpus(&dev, None, 2), Ok(None));
        put("nvidiactl");
        let words = "this task requests 2 GPUs, but the container has 1";
        assert_eq!(check_gpus(&dev, Some("all"), 2), Err(Exit::Gpus(words.to_owned())));
        assert_eq!((check_gpus(&dev, None, 1), check_gpus(&dev, Some("MIG-5c1"), 2)), (Ok(None), Ok(None)));
        put("nvidia-caps/nvidia-cap21");
        assert_eq!(check_gpus(&dev, None, 2), Ok(None));
        remove_dir_all(&dev).unwrap();
        create_dir_all(&dev).unwrap();
        put("kfd");
        assert_eq!(check_gpus(&dev, None, 2), Ok(None));
        remove_dir_all(dev).unwrap();
    }

    #[test]
    fn a_port_in_use_is_an_error() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let number = taken.local_addr().unwrap().port();
        let words = format!(
            "port {number} (`rendezvous`), to which the peers of this task connect, is already in use on this host"
        );
        assert_eq!(check_port(number), Err(Exit::PortInUse(words)));
        drop(taken);
        assert_eq!(check_port(number), Ok(()));
    }

    #[test]
    fn missing_data_is_an_error_and_an_empty_directory_a_note() {
        let path = std::env::temp_dir().join(format!("tfjob-data-{}", std::process::id()));
        let text = path.to_str().unwrap();
        let words = format!("data path {text} of the job does not exist on this node");
        assert_eq!(check_data(text), Err(Exit::Machine(words)));
        create_dir_all(&path).unwrap();
        assert_eq!(
            check_data(text),
            Ok(Some(format!("data directory {text} is empty; the program is started anyway")))
        );
        write(path.join("a"), "").unwrap();
        assert_eq!((check_data(text), check_data(&format!("{text}/a"))), (Ok(None), Ok(None)));
        remove_dir_all(path).unwrap();
    }

    #[test]
    fn several_faults_are_one_error() {
        assert_eq!(Exit::all(Vec::new()), None);
        let faults =
            vec![Exit::Gpus("a".to_owned()), Exit::PortInUse("b".to_owned()), Exit::NoSpace("c".to_owned())];
        assert_eq!(Exit::all(faults), Some(Exit::Gpus("a; b; c".to_owned())));
    }
}
