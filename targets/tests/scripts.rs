//! The scripts that go into Pods, run by this machine's `sh` as an init container runs them.
#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kubernetes").join(name)
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scripts-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder below target");
    path
}

fn run(name: &str, words: &[&str], env: &[(&str, &Path)]) -> Output {
    let mut command = Command::new("sh");
    command.arg(script(name)).args(words).envs(env.iter().copied());
    command.output().expect("there is a shell")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn staged(words: &[&str]) {
    let output = run("stage.sh", words, &[]);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// An archive of `bin/tool`, which is a program, and of a link to it.
fn archive(at: &Path) -> PathBuf {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let source = at.join("source/bin");
    fs::create_dir_all(&source).expect("writable");
    fs::write(source.join("tool"), "#!/bin/sh\n").expect("writable");
    fs::set_permissions(source.join("tool"), PermissionsExt::from_mode(0o755)).expect("ours");
    symlink("tool", source.join("link")).expect("writable");
    let archive = at.join("a b.tar.gz");
    let made =
        Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(at.join("source")).arg(".").status();
    assert!(made.expect("there is tar").success());
    archive
}

#[test]
fn an_archive_is_unpacked_with_its_programs_and_links_and_again_after_a_restart() {
    use std::os::unix::fs::PermissionsExt;
    let at = folder("archive");
    let (archive, to) = (archive(&at), at.join("out/co de"));
    for _ in 0..2 {
        staged(&["file", text(&archive), text(&to), "tar"]);
        let mode = fs::metadata(to.join("bin/tool")).expect("unpacked").permissions().mode();
        assert_eq!(mode & 0o111, 0o111);
        assert_eq!(fs::read_link(to.join("bin/link")).expect("a link"), Path::new("tool"));
        fs::write(to.join("stale"), "").expect("writable");
    }
    assert!(archive.exists() && !at.join("out/co de.got").exists());
}

#[test]
fn a_file_stays_a_file_and_code_is_always_a_folder() {
    let at = folder("plain");
    fs::write(at.join("train.py"), "pass").expect("writable");
    let source = at.join("train.py");
    staged(&["file", text(&source), text(&at.join("plain")), "plain"]);
    assert_eq!(fs::read_to_string(at.join("plain")).expect("a file"), "pass");
    let client = at.join("hadoop/bin");
    fs::create_dir_all(&client).expect("writable");
    fs::write(client.join("hdfs"), "#!/bin/sh\n[ \"$1 $2\" = 'dfs -get' ] && cp -R \"$3\" \"$4\"\n")
        .expect("writable");
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(client.join("hdfs"), PermissionsExt::from_mode(0o755)).expect("ours");
    let to = at.join("code");
    let words = ["hdfs", text(&source), text(&to), "folder"];
    let output = run("stage.sh", &words, &[("HADOOP_HOME", &at.join("hadoop"))]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(to.join("train.py")).expect("a file in a folder"), "pass");
}

#[test]
fn what_is_not_there_is_named() {
    let at = folder("missing");
    let output = run("stage.sh", &["file", "/no/such/code.zip", text(&at.join("code")), "zip"], &[]);
    assert_eq!(output.status.code(), Some(71));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "tfjob: cannot fetch /no/such/code.zip: there is no such file\n");
}

#[test]
fn a_fresh_job_starts_only_where_nothing_is() {
    let at = folder("fresh");
    let ends = |index: &str| run("fresh.sh", &[text(&at), index], &[]).status.success();
    assert!(ends("0"));
    fs::create_dir(at.join("lost+found")).expect("writable");
    assert!(ends("0"));
    for name in ["checkpoint", ".hidden", "a b"] {
        fs::write(at.join(name), "").expect("writable");
        assert!(!ends("0"), "{name}");
        assert!(ends("1"), "only the first task looks");
        fs::remove_file(at.join(name)).expect("ours");
    }
    assert!(ends("0"));
}
