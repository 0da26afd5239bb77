//! Pitfalls of files: names in a container, directories, archives, mount paths, and the default file system.
use super::{HADOOP, bare, component, one};
use crate::pitfalls::{In, Pitfall, rows};

const REFUSED: &str = "unsupported-feature";
const UTILS: &str = "ProviderUtils.java, handleStaticFilesForLocalization";
/// A file whose name has 251 bytes.
const LONG: &str = "\"hdfs:///sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss.txt\"";
const DOWNLOAD: &str = "FSDownload.java, unpack";

/// Returns all pitfalls of this file.
pub fn pitfalls() -> Vec<Pitfall> {
    [links(), sources(), paths(), roots(), unknown()].into_iter().flatten().collect()
}

fn job(text: &str) -> String {
    one(text, "", "")
}

fn stage(uri: &str) -> String {
    job(&format!("files \"s\" \"{uri}\""))
}

#[rustfmt::skip]
fn links() -> Vec<Pitfall> {
    let at = |at: &str| job(&format!("code \"hdfs:///c.tar.gz\"; files \"m\" \"hdfs:///m.txt\" at=\"{at}\""));
    let both = |first: &str, second: &str| job(&format!("files \"a\" \"hdfs:///a.txt\" at=\"{first}\"; files \"b\" \"hdfs:///b.txt\" at=\"{second}\""));
    rows(REFUSED, vec![
        ("a `files` entry with the link name of the code", "", HADOOP,
            "YARN links copied files by the last element of their path: code without `at` is linked as `code`, so one of two files is lost",
            at("/opt/code"), "\"hdfs:///m.txt\"", "two files would have the same name: a copied file is linked", at("/opt/model")),
        ("a `files` entry with the link name `tfjob-shim`", "", In(UTILS),
            "the shim replaces the files, or the files replace the shim, because both have the same link name",
            at("/opt/tfjob-shim"), "\"hdfs:///m.txt\"", "`tfjob-shim` is reserved", at("/opt/shim")),
        ("a `files` entry with the link name `conf`, a directory of YARN", "yarn#destination-names", In(UTILS),
            "YARN stores generated files in the directory `conf`, so a link with this name is created inside that directory",
            at("/opt/conf"), "\"hdfs:///m.txt\"", "a copied file is linked by the last element of its path, but the name", at("/opt/config")),
        ("a `files` entry with the default link name of another entry", "", In(UTILS),
            "files without `at` are linked as `files-NAME` with their extension, so two entries can get the same link name",
            both("/a/x", "/b/z").replace(" at=\"/a/x\"", "").replace("/b/z", "/b/files-a.txt"), "\"hdfs:///b.txt\"", "is already linked as `files-a.txt`",
            both("/a/x", "/b/files-a.txt")),
    ])
}

#[rustfmt::skip]
fn sources() -> Vec<Pitfall> {
    rows(REFUSED, vec![
        ("a `files` entry that is a directory", "", HADOOP,
            "YARN refuses the service at submission, because the source of a copied file (`src_file`) cannot be a directory",
            stage("hdfs:///models/m/"), "\"hdfs:///models/m/\"", "is a directory", stage("hdfs:///models/m.tar.gz")),
        ("a `files` entry with a long file name", "", HADOOP,
            "next to each copied file, the NodeManager writes a checksum file with a name that is 5 bytes longer: `File name too long`",
            job(&format!("files \"s\" {LONG}")), LONG, "longer than 250 bytes",
            stage(&format!("hdfs:///{}.txt", "s".repeat(246)))),
        ("a path that is a directory in HDFS, but a file on a web server", "", HADOOP,
            "a URI of HDFS that ends in `/` names a directory, which YARN refuses as a source at submission; a web URL with a query after the `/` returns a file",
            stage("hdfs:///get/"), "\"hdfs:///get/\"", "is a directory", stage("https://h/get/?f=a.txt")),
        ("a dollar sign in the file name of `code` or `files`", "ContainerLaunch, Hadoop 3.4.2; HDFS refuses `:`", HADOOP,
            "the launch script expands `$` and the name after it as a shell variable, so the link points to a file that does not exist",
            stage("hdfs:///a$b.txt"), "\"hdfs:///a$b.txt\"", "the launch script of the container breaks on the character `", stage("hdfs:///a-b.txt")),
        ("a backquote in the file name of `code` or `files`", "ContainerLaunch, Hadoop 3.4.2; HDFS refuses `:`", HADOOP,
            "the launch script has a syntax error, so no container starts",
            stage("hdfs:///a`b.txt"), "\"hdfs:///a`b.txt\"", "the launch script of the container breaks on the character `", stage("hdfs:///a_b.txt")),
        ("an archive that is not unpacked", "FSDownload of 3.4.2", HADOOP,
            "the NodeManager copies the archive without unpacking it, and only its log has a warning",
            stage("hdfs:///v.tar.xz"), "\"hdfs:///v.tar.xz\"", "cannot unpack `.tar.xz`", stage("hdfs:///v.TAR.GZ")),
        ("a bzip2 archive", "FSDownload of 3.4.2", In(DOWNLOAD),
            "the NodeManager copies the archive without unpacking it, and only its log has a warning",
            job("code \"https://h/v.tar.bz2\""), "\"https://h/v.tar.bz2\"", "cannot unpack `.tar.bz2`", job("code \"https://h/v.tgz\"")),
    ])
}

#[rustfmt::skip]
fn paths() -> Vec<Pitfall> {
    let code = |at: &str| job(&format!("code \"hdfs:///c.zip\" at=\"{at}\""));
    rows(REFUSED, vec![
        ("a colon in the mount path of code", "", HADOOP, "Docker mounts are a list with colons, so the NodeManager misreads the path and refuses the container",
            code("/opt/a:b"), "\"hdfs:///c.zip\"", "` cannot be mounted: Docker mounts are a list separated by `,` and", code("/opt/a-b")),
        ("a comma in the mount path of code", "", HADOOP, "Docker mounts are a list with commas, so the NodeManager misreads the path and refuses the container",
            code("/opt/a,b"), "\"hdfs:///c.zip\"", "` cannot be mounted: Docker mounts are a list separated by `,` and", code("/opt/a.b")),
        ("a token of YARN in the mount path of code", "", In("ContainerLaunch.java, the links of a launch script"),
            "the launch script quotes the link name only with double quotes, so bash expands a `$` in it",
            code("/opt/${USER}"), "\"hdfs:///c.zip\"", "`/opt/${USER}` cannot be mounted: YARN writes this path into shell commands", code("/opt/USER")),
        ("code mounted over a system directory", "docker run", In("docker run: invalid mount config"),
            "the container does not start, or starts without the processes or devices that belong in the directory",
            code("/proc/code"), "\"hdfs:///c.zip\"", "which is a system directory of the container", code("/procs/code")),
        ("code mounted at /dev/shm", "docker run", In("docker run: mounts and tmpfs"),
            "the code and the tmpfs at `/dev/shm` are mounted over each other, so one hides the other",
            code("/dev/shm/c").replace("memory=\"4GiB\"", "memory=\"4GiB\" shared-memory=\"1GiB\"").replace("target \"yarn\" {", "target \"yarn\" {\nhadoop \"3.3\""),
            "\"hdfs:///c.zip\"", "`shared-memory` mounts a tmpfs at `/dev/shm`", code("/dev/shm/c")),
    ])
}

#[rustfmt::skip]
fn roots() -> Vec<Pitfall> {
    let block = |text: &str| one("", "", text);
    let bucket = |uri: &str| one(&format!("files \"s\" \"{uri}\""), "", "default-fs \"s3a://b\"");
    let mut all = rows("bad-option", vec![
        ("a shim on another nameservice", "", HADOOP,
            "YARN refuses a source outside the cluster's default file system at submission: `Wrong FS`",
            block("default-fs \"hdfs://nn1\"; shim url=\"hdfs://nn2/tfjob-shim\""), "\"hdfs://nn2/tfjob-shim\"", "is not on the default file system `hdfs://nn1`",
            block("default-fs \"hdfs://nn1:8020/\"; shim url=\"hdfs://NN1/tfjob-shim\"")),
        ("a shim and a Docker configuration on different file systems", "", In("SliderFileSystem.java"),
            "YARN reads the shim and the Docker configuration from the default file system, and a cluster has only one",
            block("docker-config \"hdfs://nn1/config.json\"; shim url=\"viewfs://c/tfjob-shim\""), "\"hdfs://nn1/config.json\"", "is not on the default file system `viewfs://c`",
            block("docker-config \"viewfs://c/config.json\"; shim url=\"viewfs://c/tfjob-shim\"")),
        ("a shim on HDFS, although the default file system is a bucket", "", In("SliderFileSystem.java"),
            "YARN reads a path without a host from the default file system, here from the bucket", block("default-fs \"s3a://b\"; shim url=\"hdfs:///tfjob-shim\""), "\"hdfs:///tfjob-shim\"",
            "is not on the default file system `s3a://b`", block("default-fs \"s3a://b\"; shim url=\"s3a://b/tfjob-shim\"")),
    ]);
    all.extend(rows(REFUSED, vec![
        ("a `files` entry on HDFS, although the default file system is a bucket", "", In("SliderFileSystem.java"),
            "YARN reads a path without a host from the default file system, here from the bucket", bucket("hdfs:///a.txt"), "\"hdfs:///a.txt\"", "` is on the default file system, but the default file system of this", bucket("s3a://b/a.txt")),
    ]));
    all
}

#[rustfmt::skip]
fn unknown() -> Vec<Pitfall> {
    rows("ambiguous-directory", vec![
        ("a `files` entry that may be a directory", "", In(UTILS), "YARN refuses the service at submission, because the source of a copied file (`src_file`) cannot be a directory",
            stage("hdfs:///models/m"), "\"hdfs:///models/m\"", "` may be a directory; YARN copies only files", stage("hdfs:///models/m.pb")),
    ])
}

/// The shim checks the checkpoint directory inside the container, after Docker has created all mounts.
#[rustfmt::skip]
pub fn emptied() -> Vec<Pitfall> {
    let block = "hadoop \"3.3\"; mounted { \"nfs://f\" \"/mnt/f\"; }";
    let spec = |folder: &str, more: &str| one(&format!("checkpoints \"nfs://f/ck\" at=\"{folder}\" if-exists=\"fail\"\n{more}"), "", block);
    let row = |name, more: &str, words, says, neighbour: &str| {
        (name, "the shim's contract", In("a run of the shim in a private mount namespace with the mounts of docker run"),
            "the checkpoint directory contains other data of the job, so it is never empty and the job never starts", spec("/ck", more), words, says, spec("/ck", neighbour))
    };
    rows("duplicate-path", vec![
        row("data mounted inside a checkpoint directory that must be empty", "data \"d\" \"nfs://f/d\" at=\"/ck/d\"", "\"/ck/d\"", "inside the checkpoint directory `/ck`", "data \"d\" \"nfs://f/d\" at=\"/ckd\""),
        row("code mounted inside a checkpoint directory that must be empty", "code \"hdfs:///a.zip\" at=\"/ck/a/code\"", "\"/ck/a/code\"", "inside the checkpoint directory `/ck`", "code \"hdfs:///a.zip\" at=\"/code\""),
        row("a file mounted inside a checkpoint directory that must be empty", "files \"s\" \"hdfs:///a.txt\" at=\"/ck/a.txt\"", "\"/ck/a.txt\"", "inside the checkpoint directory `/ck`", "files \"s\" \"hdfs:///a.txt\" at=\"/a.txt\""),
        row("data stored inside an NFS checkpoint directory that must be empty", "data \"d\" \"nfs://f/ck/d\" at=\"/d\"", "\"nfs://f/ck/d\"", "inside the checkpoint directory `nfs://f/ck`", "data \"d\" \"nfs://f/ck2\" at=\"/d\""),
    ]).into_iter().chain(rows("bad-patch", vec![
        ("a patched tmpfs inside a checkpoint directory that must be empty", "the shim's contract", In("docker run, which creates mount points"),
            "the mount point is inside the checkpoint directory, so this directory is never empty and the job never starts",
            spec("/ck", "").replace("train.py\"", "train.py\"; target \"yarn\" { patch \"configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS: /ck/w}}\"; }"),
            "\"configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS: /ck/w}}\"", "the tmpfs `/ck/w` is in the checkpoint directory `/ck`",
            spec("/ck", "").replace("train.py\"", "train.py\"; target \"yarn\" { patch \"configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS: /w}}\"; }")),
    ])).collect()
}

pub fn a_script_of_each_node_is_code_by_its_directory() {
    let begins = |text: &str, folder: &str| {
        let command = component(text, "worker")["launch_command"].to_string();
        assert!(
            command.contains(&format!("cd {folder} ")) && !command.contains("cd /opt/a/train.py"),
            "{command}"
        );
    };
    begins(&bare("code \"file:///opt/a/train.py\"", "", ""), "/opt/a");
    begins(&one("code \"file:///opt/a/train.py\"", "", ""), "/tfjob/code");
}
