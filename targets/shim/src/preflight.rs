//! What must hold before the first start, as far as it can be seen from here: a fault that would show hours later.
//!
//! A false refusal is worse than none, so what is not sure is only said.
use crate::exit::Exit;
use crate::spoken;
use crate::state::OURS;
use crate::sys::{self, Room};
use std::collections::hash_map::RandomState;
use std::fs::{File, create_dir_all, read_dir, remove_file};
use std::hash::{BuildHasher, Hasher};
use std::io::{Error, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

/// Less than this is worth a word, as is less than a hundredth.
const LITTLE: u64 = 64 << 20;
/// What is written to see whether writing works.
const PROBE: [u8; 4096] = [0; 4096];

/// Whether checkpoints can be written into a folder. One that is not there is made, as TensorFlow and Orbax would do.
///
/// # Errors
/// Where nothing can be written there. What is only worth a word comes back as it.
pub fn folder(path: &Path) -> Result<Option<String>, Exit> {
    let shown = path.display();
    let made = !path.exists();
    let refused = |e: Error| match e.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Exit::Full(format!("there is no room for checkpoints in {shown}: {e}"))
        }
        _ => Exit::Locked(format!("checkpoints cannot be written into {shown}: {e}")),
    };
    let left = create_dir_all(path).and_then(|()| write(path)).map_err(refused)?;
    let little = sys::room(path).and_then(little);
    let made = made.then(|| "it was not there and has been made".to_owned());
    let said: Vec<String> = made.into_iter().chain(little).chain(left).collect();
    Ok((!said.is_empty()).then(|| format!("{shown}: {}", said.join("; "))))
}

/// Writes a file of a name that no other task takes, and removes it. What stays is worth a word: files may be made there
/// and not removed, and a program that only adds some gets on.
fn write(folder: &Path) -> Result<Option<String>, Error> {
    let chance = RandomState::new().build_hasher().finish();
    let path = folder.join(format!("{OURS}probe-{chance:016x}"));
    let mut file = File::create_new(&path)?;
    let done = file.write_all(&PROBE).and_then(|()| match file.sync_all() {
        // What knows no such call has written all the same.
        Err(e) if !matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => Ok(()),
        done => done,
    });
    drop(file);
    let left = remove_file(&path);
    done?;
    Ok(left.err().map(|e| format!("{} cannot be removed: {e}", path.display())))
}

fn little(room: Room) -> Option<String> {
    // Some file systems of networks give no numbers.
    let little = room.whole > 0 && (room.left < LITTLE || room.left < room.whole / 100);
    little.then(|| {
        let (left, whole) = (spoken::bytes(room.left), spoken::bytes(room.whole));
        format!("only {left} of {whole} are free")
    })
}

/// Whether the container has the GPUs that the job was promised. `dev` is `/dev`, `visible` what the container's
/// runtime was asked for in `NVIDIA_VISIBLE_DEVICES`.
///
/// # Errors
/// Where the driver is there and shows fewer. Other makers' devices, parts of a GPU and a driver of another kind have
/// other names: there nothing is refused, and what is strange comes back as a word.
pub fn gpus(dev: &Path, visible: Option<&str>, promised: u32) -> Result<Option<String>, Exit> {
    let there = names(dev);
    let found = devices(dev);
    let whole = !has_parts(dev) && !visible.is_some_and(|visible| visible.contains("MIG"));
    let missing = found < promised;
    let has = |name: &str| there.iter().any(|there| there == name);
    match (missing, has("nvidiactl")) {
        (true, true) if whole => Err(Exit::Gpus(format!(
            "the job was promised {promised} GPUs for this task, and the container has {found}"
        ))),
        (true, false) if found == 0 && !has("kfd") && !has("dxg") && !has("accel") => Ok(Some(format!(
            "the job was promised {promised} GPUs for this task, and no device of the usual names is there"
        ))),
        (true | false, _) => Ok(None),
    }
}

/// How many of NVIDIA's GPUs there are: their driver makes `nvidia0` and so on in `dev`, which is `/dev`.
#[must_use]
pub fn devices(dev: &Path) -> u32 {
    let found = names(dev).iter().filter(|name| number(name, "nvidia").is_some()).count();
    u32::try_from(found).unwrap_or(u32::MAX)
}

/// How many GPUs CUDA numbers, from 0; `None` where that is not sure: the driver has not made its devices yet, is of another
/// kind, or shows parts of a GPU.
#[must_use]
pub fn numbered_devices(dev: &Path) -> Option<u32> {
    let found = devices(dev);
    (found > 0 && dev.join("nvidiactl").exists() && !has_parts(dev)).then_some(found)
}

/// Whether a GPU is divided (MIG). The first two stand for all of the driver; a part has later ones.
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

/// Whether data of the node is there that the program reads.
///
/// # Errors
/// Where it is not. A folder without anything in it comes back as a word.
pub fn data(path: &str) -> Result<Option<String>, Exit> {
    match std::fs::metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            Err(Exit::Machine(format!("the data {path} is not there: this node does not have it")))
        }
        // Whatever else is strange shows when the program looks itself.
        Err(_) => Ok(None),
        Ok(about) => {
            let empty = about.is_dir() && read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            Ok(empty.then(|| format!("the data {path} is an empty folder")))
        }
    }
}

/// Whether somebody listens on a port of this address whom the program could not join: several listen on one port where each says
/// that it may be shared (`SO_REUSEPORT`).
#[must_use]
pub fn is_taken(address: Ipv4Addr, port: u16) -> bool {
    let in_use = |e: Error| e.kind() == ErrorKind::AddrInUse;
    TcpListener::bind((address, port)).is_err_and(in_use)
        && sys::connect::share(address, port).is_err_and(in_use)
}

/// Whether the port is free on which the program will listen.
///
/// # Errors
/// Where somebody else listens there.
pub fn port(port: u16) -> Result<(), Exit> {
    match TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)) {
        Err(e) if e.kind() == ErrorKind::AddrInUse => Err(Exit::Taken(format!(
            "port {port}, the rendezvous port of this task, is already in use on this host"
        ))),
        // Whatever else is strange shows when the program listens itself.
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{data, folder, gpus, little, port};
    use crate::exit::Exit;
    use crate::sys::Room;
    use std::fs::{create_dir_all, remove_dir_all, write};
    use std::net::TcpListener;

    #[test]
    fn a_folder_is_made_and_left_empty() {
        let path = std::env::temp_dir().join(format!("tfjob-preflight-{}/a/b", std::process::id()));
        let said = folder(&path).unwrap().unwrap();
        assert!(said.contains(": it was not there and has been made"), "{said}");
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
        write(path.join("file"), "").unwrap();
        let Err(Exit::Locked(why)) = folder(&path.join("file")) else { panic!("a file is no folder") };
        assert!(why.starts_with("checkpoints cannot be written into "), "{why}");
        remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
    }

    #[test]
    fn little_room_is_said_in_bytes_and_in_parts() {
        let said = |whole, left| little(Room { whole, left });
        assert_eq!(said(1 << 40, 1 << 33).as_deref(), Some("only 8 GiB of 1024 GiB are free"));
        assert_eq!(said(1 << 30, 1 << 25).as_deref(), Some("only 32 MiB of 1 GiB are free"));
        assert_eq!((said(1 << 30, 1 << 27), said(0, 0)), (None, None));
    }

    #[test]
    fn fewer_gpus_are_refused_only_where_that_is_sure() {
        let dev = std::env::temp_dir().join(format!("tfjob-dev-{}", std::process::id()));
        create_dir_all(dev.join("nvidia-caps")).unwrap();
        let put = |name: &str| write(dev.join(name), "").unwrap();
        let strange = "the job was promised 2 GPUs for this task, and no device of the usual names is there";
        assert_eq!(gpus(&dev, None, 2), Ok(Some(strange.to_owned())));
        for name in
            ["nvidia0", "nvidia-uvm", "nvidia-modeset", "nvidia-caps/nvidia-cap1", "nvidia-caps/nvidia-cap2"]
        {
            put(name);
        }
        assert_eq!(gpus(&dev, None, 2), Ok(None));
        put("nvidiactl");
        let words = "the job was promised 2 GPUs for this task, and the container has 1";
        assert_eq!(gpus(&dev, Some("all"), 2), Err(Exit::Gpus(words.to_owned())));
        assert_eq!((gpus(&dev, None, 1), gpus(&dev, Some("MIG-5c1"), 2)), (Ok(None), Ok(None)));
        put("nvidia-caps/nvidia-cap21");
        assert_eq!(gpus(&dev, None, 2), Ok(None));
        remove_dir_all(&dev).unwrap();
        create_dir_all(&dev).unwrap();
        put("kfd");
        assert_eq!(gpus(&dev, None, 2), Ok(None));
        remove_dir_all(dev).unwrap();
    }

    #[test]
    fn a_taken_port_is_named() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let number = taken.local_addr().unwrap().port();
        let words =
            format!("port {number}, the rendezvous port of this task, is already in use on this host");
        assert_eq!(port(number), Err(Exit::Taken(words)));
        drop(taken);
        assert_eq!(port(number), Ok(()));
    }

    #[test]
    fn data_is_missed_only_where_it_is_not() {
        let path = std::env::temp_dir().join(format!("tfjob-data-{}", std::process::id()));
        let text = path.to_str().unwrap();
        let words = format!("the data {text} is not there: this node does not have it");
        assert_eq!(data(text), Err(Exit::Machine(words)));
        create_dir_all(&path).unwrap();
        assert_eq!(data(text), Ok(Some(format!("the data {text} is an empty folder"))));
        write(path.join("a"), "").unwrap();
        assert_eq!((data(text), data(&format!("{text}/a"))), (Ok(None), Ok(None)));
        remove_dir_all(path).unwrap();
    }

    #[test]
    fn all_faults_are_one_end() {
        assert_eq!(Exit::all(Vec::new()), None);
        let faults =
            vec![Exit::Gpus("a".to_owned()), Exit::Taken("b".to_owned()), Exit::Full("c".to_owned())];
        assert_eq!(Exit::all(faults), Some(Exit::Gpus("a; b; c".to_owned())));
    }
}
