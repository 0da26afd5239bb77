//! Runs `stage.sh` against a web server on this machine, once with each download client: directories and their redirects, brackets
//! in a path, a missing file, and compressed responses.
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/pod/stage.sh");
/// Programs that each image has in addition to the download client.
const TOOLS: [&str; 15] = [
    "sh", "rm", "mkdir", "dirname", "mv", "cp", "ls", "tar", "gzip", "unzip", "sed", "tail", "cat", "git",
    "chmod",
];
const CLIENTS: [&str; 3] = ["curl", "python3", "wget"];
const PAGE: &str = "<!DOCTYPE html><title>Index of /src</title>";

/// The answer to a request for a path: a file, a redirect, or nothing.
enum Answer {
    File(Vec<u8>),
    Redirect(&'static str),
}

fn serve(files: BTreeMap<&'static str, Answer>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            answer(&mut stream.expect("a connection"), &files);
        }
    });
    format!("http://{address}")
}

fn answer(stream: &mut TcpStream, files: &BTreeMap<&'static str, Answer>) {
    let mut reader = BufReader::new(stream.try_clone().expect("one connection"));
    let mut first = String::new();
    reader.read_line(&mut first).expect("a request");
    let mut line = String::new();
    while reader.read_line(&mut line).expect("a header") > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default();
    // wget percent-encodes braces and brackets, so they are decoded here.
    let path = path.replace("%7B", "{").replace("%7D", "}").replace("%5B", "[").replace("%5D", "]");
    let (status, more, body) = match files.get(path.as_str()) {
        Some(Answer::File(body)) => ("200 OK", String::new(), body.as_slice()),
        Some(Answer::Redirect(to)) => ("301 Moved Permanently", format!("Location: {to}\r\n"), &[][..]),
        None => ("404 Not Found", String::new(), &b"no such file"[..]),
    };
    let head =
        format!("HTTP/1.1 {status}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    // Errors are ignored, because a client may close the connection before the end.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found =
        std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    if program != "python3" {
        return Some(found);
    }
    // The first `python3` in PATH may be a script that needs other programs of this machine. So the test uses its real executable.
    let own = Command::new(found).args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(own.stdout).ok()?.trim()))
}

/// A directory of programs, like those of an image, with only one download client.
struct Image {
    folder: PathBuf,
    client: &'static str,
}

impl Image {
    fn new(name: &str, client: &'static str) -> Option<Self> {
        find(client)?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("staging-{name}-{client}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("bin")).expect("a folder");
        for tool in TOOLS.iter().chain([&client]) {
            if let Some(file) = find(tool) {
                let script = format!("#!/bin/sh\nexec {} \"$@\"\n", file.display());
                let at = folder.join("bin").join(tool);
                std::fs::write(&at, script).expect("a program");
                let mode = PermissionsExt::from_mode(0o755);
                std::fs::set_permissions(&at, mode).expect("a program");
            }
        }
        Some(Self { folder, client })
    }

    /// Runs the script with these arguments. Returns its output, and the path that it creates.
    fn stage(&self, from: &str, source: &str, pack: &str) -> (Output, PathBuf) {
        let to = self.folder.join("to");
        let output = Command::new(find("sh").expect("a shell"))
            .args([SCRIPT, from, source, &to.display().to_string(), pack])
            .env_clear()
            .env("PATH", self.folder.join("bin"))
            .output()
            .expect("the script runs");
        (output, to)
    }
}

/// Runs a check with each download client that this machine has.
fn each(name: &str, check: impl Fn(&Image)) {
    let images: Vec<_> = CLIENTS.iter().filter_map(|client| Image::new(name, client)).collect();
    assert!(!images.is_empty(), "none of {CLIENTS:?} is here");
    images.iter().for_each(check);
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_file_gets_the_name_of_its_path_and_can_be_executed() {
    let host = serve(BTreeMap::from([("/a/t.py", Answer::File(b"pass".to_vec()))]));
    each("file", |image| {
        let (output, to) = image.stage("http", &format!("{host}/a/t.py?version=2"), "folder");
        assert!(output.status.success(), "{}: {}", image.client, said(&output));
        assert_eq!(std::fs::read(to.join("t.py")).expect("the file"), b"pass", "{}", image.client);
        let mode = std::fs::metadata(to.join("t.py")).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "{}", image.client);
    });
}

#[test]
fn brackets_are_no_pattern() {
    let host = serve(BTreeMap::from([
        ("/p[1-3].txt", Answer::File(b"all".to_vec())),
        ("/p1.txt", Answer::File(b"one".to_vec())),
        ("/{a,b}.txt", Answer::File(b"both".to_vec())),
    ]));
    each("brackets", |image| {
        for (path, text) in [("p[1-3].txt", "all"), ("{a,b}.txt", "both")] {
            let (output, to) = image.stage("http", &format!("{host}/{path}"), "plain");
            assert!(output.status.success(), "{}: {}", image.client, said(&output));
            assert_eq!(std::fs::read_to_string(to).expect("the file"), text, "{}", image.client);
        }
    });
}

#[test]
fn a_listing_is_no_program() {
    let page = || Answer::File(PAGE.as_bytes().to_vec());
    let host = serve(BTreeMap::from([
        ("/src", Answer::Redirect("/src/")),
        ("/src/", page()),
        ("/old.py", Answer::Redirect("/new.py")),
        ("/new.py", Answer::File(b"pass".to_vec())),
    ]));
    each("listing", |image| {
        let (output, _) = image.stage("http", &format!("{host}/src"), "folder");
        assert_eq!(output.status.code(), Some(71), "{}: {}", image.client, said(&output));
        assert!(said(&output).contains("it is a directory"), "{}: {}", image.client, said(&output));
        let (output, to) = image.stage("http", &format!("{host}/old.py"), "folder");
        assert!(output.status.success(), "{}: {}", image.client, said(&output));
        assert_eq!(std::fs::read(to.join("old.py")).expect("the file"), b"pass", "{}", image.client);
    });
}

#[test]
fn what_is_missing_is_said() {
    let host = serve(BTreeMap::new());
    each("missing", |image| {
        for pack in ["plain", "folder", "zip", "tar"] {
            let (output, to) = image.stage("http", &format!("{host}/nowhere.py"), pack);
            assert_eq!(output.status.code(), Some(71), "{}: {}", image.client, said(&output));
            assert!(said(&output).contains("cannot fetch"), "{}: {}", image.client, said(&output));
            assert!(!to.exists(), "{}", image.client);
        }
    });
}

#[test]
fn an_archive_is_unpacked_and_a_compressed_file_is_not() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("staging-made");
    std::fs::create_dir_all(made.join("src")).expect("a folder");
    std::fs::write(made.join("src/t.py"), "pass").expect("a file");
    let archive = made.join("src.tar.gz");
    let status =
        Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(made.join("src")).arg(".").status();
    assert!(status.expect("tar runs").success());
    let bytes = std::fs::read(&archive).expect("an archive");
    let host = serve(BTreeMap::from([
        ("/src.tar.gz", Answer::File(bytes.clone())),
        ("/words.txt.gz", Answer::File(bytes.clone())),
    ]));
    each("archive", |image| {
        let (output, to) = image.stage("http", &format!("{host}/src.tar.gz"), "tar");
        assert!(output.status.success(), "{}: {}", image.client, said(&output));
        assert_eq!(std::fs::read(to.join("t.py")).expect("the file"), b"pass", "{}", image.client);
        // After a restart, the init container downloads the file again, and replaces the old one.
        let (output, to) = image.stage("http", &format!("{host}/words.txt.gz"), "plain");
        assert!(output.status.success(), "{}: {}", image.client, said(&output));
        assert_eq!(std::fs::read(to).expect("the file"), bytes, "{}", image.client);
    });
}

/// Writes zip files as Windows and Python's append mode do, one with bytes before the archive, one that is cut off, and a complete
/// one.
const ZIPS: &str = r#"
import os, sys, zipfile
os.chdir(sys.argv[1])
def zip(name, *files, mode='w', system=3):
    with zipfile.ZipFile(name, mode) as z:
        for file, text in files:
            info = zipfile.ZipInfo('x'); info.filename = file; info.create_system = system
            z.writestr(info, text)
zip('whole.zip', ('t.py', 'pass'), ('pkg/mod.py', 'a'))
zip('windows.zip', ('t.py', 'pass'), ('pkg\mod.py', 'a'), ('pkg\sub\b.py', 'b'), system=0)
zip('twice.zip', ('t.py', 'old'), ('pkg/mod.py', 'a')); zip('twice.zip', ('t.py', 'pass'), mode='a')
bytes = open('whole.zip', 'rb').read()
open('before.zip', 'wb').write(b'#!/bin/sh\n' * 9 + bytes)
open('cut.zip', 'wb').write(bytes[:len(bytes) // 2])
"#;

/// A zip file is unpacked by Info-ZIP's `unzip`, or by Python if the image has no `unzip`.
#[test]
fn a_zip_with_a_warning_is_whole_and_one_with_a_fault_is_none() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("staging-zips");
    std::fs::create_dir_all(&made).expect("a folder");
    let python = find("python3").expect("Python makes the zips");
    let status = Command::new(python).args(["-W", "ignore", "-c", ZIPS]).arg(&made).status();
    assert!(status.expect("Python runs").success());
    for unzip in [true, false] {
        let image = Image::new(if unzip { "unzip" } else { "no-unzip" }, "python3").expect("Python is here");
        if !unzip {
            std::fs::remove_file(image.folder.join("bin/unzip")).expect("it was there");
        }
        for name in ["whole", "windows", "twice", "before"] {
            let source = made.join(format!("{name}.zip"));
            let (output, to) = image.stage("file", &source.display().to_string(), "zip");
            assert!(output.status.success(), "{name}, unzip {unzip}: {}", said(&output));
            assert_eq!(std::fs::read_to_string(to.join("t.py")).expect("the file"), "pass", "{name}");
            assert_eq!(std::fs::read_to_string(to.join("pkg/mod.py")).expect("the file"), "a", "{name}");
        }
        let (output, _) = image.stage("file", &made.join("cut.zip").display().to_string(), "zip");
        assert_eq!(output.status.code(), Some(71), "unzip {unzip}: {}", said(&output));
    }
}

/// Writes archives with names that lead out of the target directory: absolute paths, `..`, paths behind a link, and replaced
/// links.
const HOSTILE: &str = r#"
import os, sys, io, stat, tarfile, zipfile
outside = sys.argv[1] + '/outside'
os.makedirs(outside, exist_ok=True); open(outside + '/keep', 'w').write('kept')
os.chdir(sys.argv[1])
up = '../' * 20
names = {
    'root': [('file', outside + '/x')], 'up': [('file', '../outside/x')], 'far': [('file', up + outside + '/x')],
    'link-root': [('link', outside + '/l', 't.py')], 'link-up': [('link', '../outside/l', 't.py')],
    'link-over': [('link', '../outside/keep', 't.py')], 'link-over-root': [('link', outside + '/keep', 't.py')],
    'behind': [('link', 'a', outside), ('file', 'a/x')], 'over-link': [('link', 'a', outside + '/keep'), ('file', 'a')],
    'links': [('link', 'a', outside), ('link', 'a/l', 't.py')], 'over-behind': [('link', 'a', outside), ('link', 'a/keep', 't.py')],
    'chain': [('link', 'a', 'b'), ('link', 'b', '../outside'), ('file', 'a/x')],
    'directory': [('link', 'a', outside), ('directory', 'a/d')],
    'hard': [('hard', 'h', '../outside/keep'), ('file', 'h')], 'hard-root': [('hard', 'h', outside + '/keep'), ('file', 'h')],
    'hard-behind': [('link', 'a', outside), ('hard', 'h', 'a/keep'), ('file', 'h')],
}
for case, entries in names.items():
    with zipfile.ZipFile(case + '.zip', 'w') as z, tarfile.open(case + '.tar', 'w') as t:
        for kind, name, *to in [('file', 't.py'), *entries]:
            info = zipfile.ZipInfo('x'); info.filename = name + ('/' if kind == 'directory' else ''); info.create_system = 3
            modes = {'link': stat.S_IFLNK | 0o777, 'directory': stat.S_IFDIR | 0o755}
            info.external_attr = modes.get(kind, stat.S_IFREG | 0o644) << 16
            member = tarfile.TarInfo(name); member.size = 4 if kind == 'file' else 0; member.mode = 0o755
            member.type = {'link': tarfile.SYMTYPE, 'hard': tarfile.LNKTYPE, 'directory': tarfile.DIRTYPE, 'file': tarfile.REGTYPE}[kind]
            if to: member.linkname = to[0]
            t.addfile(member, io.BytesIO(b'pass'))
            if kind != 'hard': z.writestr(info, to[0] if to else 'pass')
    print(case)
"#;

#[test]
fn nothing_of_an_archive_leaves_its_directory() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("staging-hostile");
    let _ = std::fs::remove_dir_all(&made);
    std::fs::create_dir_all(&made).expect("a folder");
    let python = find("python3").expect("Python makes the archives");
    let output = Command::new(python).args(["-W", "ignore", "-c", HOSTILE]).arg(&made).output();
    let output = output.expect("Python runs");
    assert!(output.status.success(), "{}", said(&output));
    let cases = String::from_utf8(output.stdout).expect("names");
    assert!(cases.lines().count() > 10);
    let outside = made.join("outside");
    for own in [true, false] {
        let image =
            Image::new(if own { "hostile-own" } else { "hostile" }, "python3").expect("Python is here");
        if !own {
            for tool in ["unzip", "tar"] {
                std::fs::remove_file(image.folder.join("bin").join(tool)).expect("it was there");
            }
        }
        for case in cases.lines() {
            for pack in ["zip", "tar"] {
                let source = made.join(format!("{case}.{pack}"));
                let (output, _) = image.stage("file", &source.display().to_string(), pack);
                let seen = format!("{case}.{pack}, tools of its own {own}: {}", said(&output));
                assert!(matches!(output.status.code(), Some(0 | 71)), "{seen}");
                let names: Vec<_> = std::fs::read_dir(&outside).expect("a folder").flatten().collect();
                assert_eq!(names.len(), 1, "{seen}");
                let keep = std::fs::symlink_metadata(outside.join("keep")).expect(&seen);
                assert!(keep.is_file(), "{seen}");
                assert_eq!(std::fs::read_to_string(outside.join("keep")).expect(&seen), "kept", "{seen}");
            }
        }
    }
}

/// BusyBox's `unzip` has only one exit code for failures. So this code never counts as a warning.
#[test]
fn the_failure_of_another_unzip_is_no_warning() {
    let image = Image::new("busybox", "curl").or_else(|| Image::new("busybox", "wget")).expect("a client");
    let fake = "#!/bin/sh\necho 'BusyBox v1.36.1 multi-call binary.' >&2\nexit 1\n";
    std::fs::write(image.folder.join("bin/unzip"), fake).expect("a program");
    std::fs::write(image.folder.join("a.zip"), "no zip").expect("a file");
    let (output, _) = image.stage("file", &image.folder.join("a.zip").display().to_string(), "zip");
    assert_eq!(output.status.code(), Some(71), "{}", said(&output));
}

/// A mounted file is read-only. The script copies it, and does not change the original.
#[test]
fn a_file_of_mounted_storage_is_copied() {
    each("mounted", |image| {
        let source = image.folder.join("source/a?b#c.py");
        std::fs::create_dir_all(image.folder.join("source")).expect("a folder");
        std::fs::write(&source, "pass").expect("a file");
        let (output, to) = image.stage("file", &source.display().to_string(), "folder");
        assert!(output.status.success(), "{}: {}", image.client, said(&output));
        assert_eq!(std::fs::read(to.join("a?b#c.py")).expect("the file"), b"pass", "{}", image.client);
        assert!(source.exists(), "{}", image.client);
    });
}
