//! Steps that pack files next to the spec into an archive, for platforms that cannot copy directories.
use tfjob_lang::lowered::{Phase, Step, Word};
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// File name extensions of programs, and of files that programs read.
const FILES: &[&str] = &[
    "bash", "bin", "bz2", "cfg", "conf", "csv", "egg", "gin", "gz", "h5", "ini", "ipynb", "jar", "json",
    "jsonl", "keras", "keytab", "log", "md", "npy", "npz", "onnx", "parquet", "pb", "pbtxt", "pkl", "pt",
    "pth", "py", "sh", "so", "tbz2", "tfrecord", "toml", "tsv", "txt", "txz", "whl", "xml", "xz", "yaml",
    "yml", "zst",
];

/// Returns whether a path counts as a file. This depends on the extension, because the compiler does not read the file system.
#[must_use]
pub fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && FILES.iter().any(|known| end.eq_ignore_ascii_case(known))
    })
}

/// Returns the parent directory of a path, or `None` if the path counts as a directory.
#[must_use]
pub fn directory_of(path: &str) -> Option<&str> {
    let (directory, _) = path.rsplit_once('/').filter(|_| is_file(path))?;
    Some(if directory.is_empty() { "/" } else { directory })
}

/// Returns the URI of an archive without its suffix. This is the URI of the directory into which the archive is unpacked.
#[must_use]
pub fn unpacked(uri: &Uri) -> String {
    let text = Archive::repacked(uri, Archive::Zip);
    text.trim_end_matches(Archive::Zip.suffix()).to_owned()
}

/// Returns a text that says how a step packs a file or a directory next to the spec.
#[must_use]
pub fn how(uri: &Uri) -> String {
    if is_file(uri.path()) {
        format!(
            "a setup step packs `{uri}` as a file, because it has a file extension; if it is a directory, end its name with `/`"
        )
    } else {
        format!("a setup step packs the directory `{uri}`")
    }
}

/// Returns the path of an archive that a step creates. The archive is in the output directory of the target, so it cannot
/// overwrite a file of the user.
#[must_use]
pub fn archive(name: &str) -> String {
    format!("tfjob-{name}.tar.gz")
}

/// Returns the step that packs the file or directory at `uri` into the archive `local`, which is in the output directory of the
/// target. The step runs in the directory of the spec.
#[must_use]
pub fn step(uri: &Uri, local: &str) -> Step {
    let path = uri.to_string();
    let (folder, what) = match path.rsplit_once('/').filter(|_| is_file(uri.path())) {
        Some((folder, name)) => (folder.to_owned(), format!("./{name}")),
        None => (path.clone(), ".".to_owned()),
    };
    // The directory that is packed may contain the output directory, and thus the archive. `tar` does not recognize the compressed
    // archive as its own output, so `--exclude` omits the archive.
    let own = (what == ".").then(|| format!("--exclude={local}"));
    let rest = own.into_iter().chain(["-C".to_owned(), folder, what.clone()]).map(Word::from);
    let why = if what == "." && !path.ends_with('/') {
        "packs the directory; if the path is a file, give the file an extension such as `.txt`"
    } else if what == "." {
        "packs the directory; the platform copies single files only"
    } else {
        "packs the file, so that `{code}` is a directory"
    };
    let words = [Word::made(local.to_owned())].into_iter().chain(rest);
    Step::new(Phase::Before, &["tar", "-czf"], why).with(words).in_spec_directory()
}

/// Returns the help for code that is not an archive. `archive`: the URI of the code with the suffix of an archive. The
/// help names this URI only if a Hadoop client or a web server can read it.
pub fn as_archive(uri: &Uri, archive: &str) -> String {
    if uri.scheme().has_hadoop_client() || uri.scheme().class() == Class::Web {
        return format!("pack the code into an archive, for example `{archive}`");
    }
    "pack the code, and copy the archive to HDFS: `code \"hdfs://default/PATH.tar.gz\"`".to_owned()
}

#[cfg(test)]
mod tests {
    use super::{is_file, step};
    use tfjob_lang::lowered::Word;
    use tfjob_lang::spec::values::Uri;

    fn words(uri: &str) -> String {
        let step = step(&Uri::parse(uri).expect("a uri"), "code.tar.gz");
        let words = step.argv.iter().map(|word| match word {
            Word::Plain(text) => text.as_str(),
            Word::File { path, .. } => path,
            Word::Encoded { path } | Word::Shared { path } => path,
            Word::Spec => "the spec",
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_extension_decides_what_is_a_file() {
        for file in ["t.py", "a/t.sh", "a.b/mnist_distributed.py", "x.conf", "lib.jar", "T.PY"] {
            assert!(is_file(file), "{file}");
        }
        for folder in ["train", "a/train", "t.py/", "code-1.2", ".hidden", "a/.venv", "", "a.", "../a"] {
            assert!(!is_file(folder), "{folder}");
        }
    }

    #[test]
    fn a_file_is_packed_from_its_directory() {
        for (uri, rest) in [
            ("./train", "--exclude=code.tar.gz -C ./train ."),
            ("./t.py/", "--exclude=code.tar.gz -C ./t.py/ ."),
            ("./t.py", "-C . ./t.py"),
            ("./a/-t.py", "-C ./a ./-t.py"),
            ("./", "--exclude=code.tar.gz -C ./ ."),
        ] {
            assert_eq!(words(uri), format!("tar -czf code.tar.gz {rest}"));
        }
    }

    #[test]
    fn the_archive_is_in_the_output_directory() {
        let step = step(&Uri::parse("./train").expect("a uri"), "code.tar.gz");
        let words = step.words("out/mnist/spark", "mnist.tfjob.kdl");
        assert_eq!(words[2], "out/mnist/spark/code.tar.gz");
        for (out, path) in [("run-12:30/mnist", "./run-12:30/mnist"), ("a/b:c", "a/b:c"), ("/a:b", "/a:b")] {
            assert_eq!(step.words(out, "mnist.tfjob.kdl")[2], format!("{path}/code.tar.gz"));
        }
    }
}
