//! Packs what lies beside the spec, for platforms that carry archives only: a folder as it is, a file by its folder.
use tfjob_lang::lowered::{Phase, Step};
use tfjob_lang::spec::values::Uri;

/// The endings of programs and of what they read.
const FILES: &[&str] = &[
    "bash", "bin", "bz2", "cfg", "conf", "csv", "egg", "gin", "gz", "h5", "ini", "ipynb", "jar", "json",
    "jsonl", "keras", "keytab", "log", "md", "npy", "npz", "onnx", "parquet", "pb", "pbtxt", "pkl", "pt",
    "pth", "py", "sh", "so", "tbz2", "tfrecord", "toml", "tsv", "txt", "txz", "whl", "xml", "xz", "yaml",
    "yml", "zst",
];

/// Whether a name is a file's. Nothing is read when a spec is compiled, so the ending decides.
#[must_use]
pub fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && FILES.iter().any(|known| end.eq_ignore_ascii_case(known))
    })
}

/// How a file or a folder beside the spec is taken, in words.
#[must_use]
pub fn how(uri: &Uri) -> String {
    if is_file(uri.path()) {
        format!("a step packs the file `{uri}`: its name ends as a file's does, a folder's would end in `/`")
    } else {
        format!("a step packs the folder `{uri}`")
    }
}

/// The step that packs it into `local`, run where the spec lies.
#[must_use]
pub fn step(uri: &Uri, local: &str) -> Step {
    let path = uri.to_string();
    let (folder, what) = match path.rsplit_once('/').filter(|_| is_file(uri.path())) {
        Some((folder, name)) => (folder.to_owned(), format!("./{name}")),
        None => (path.clone(), ".".to_owned()),
    };
    let mut argv = vec!["tar", "-czf", local];
    // Else the folder would hold the archive that is being written.
    let own = format!("--exclude=./{local}");
    if folder.trim_end_matches('/') == "." && what == "." {
        argv.push(&own);
    }
    argv.extend(["-C", &folder, &what]);
    let why =
        if what == "." { "no folder is copied" } else { "the file alone, so that `{code}` is a folder" };
    Step::new(Phase::Before, &argv, why)
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
            Word::Spec => "the spec",
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_ending_says_what_is_a_file() {
        for file in ["t.py", "a/t.sh", "a.b/mnist_distributed.py", "x.conf", "lib.jar", "T.PY"] {
            assert!(is_file(file), "{file}");
        }
        for folder in ["train", "a/train", "t.py/", "code-1.2", ".hidden", "a/.venv", "", "a.", "../a"] {
            assert!(!is_file(folder), "{folder}");
        }
    }

    #[test]
    fn a_file_is_packed_by_its_folder() {
        assert_eq!(words("./train"), "tar -czf code.tar.gz -C ./train .");
        assert_eq!(words("./t.py/"), "tar -czf code.tar.gz -C ./t.py/ .");
        assert_eq!(words("./t.py"), "tar -czf code.tar.gz -C . ./t.py");
        assert_eq!(words("./a/-t.py"), "tar -czf code.tar.gz -C ./a ./-t.py");
        assert_eq!(words("./"), "tar -czf code.tar.gz --exclude=./code.tar.gz -C ./ .");
    }
}
