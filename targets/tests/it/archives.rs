//! Tests with one table of archive suffixes. Every target unpacks an archive or refuses it at its URI. It unpacks no other file.

use crate::request::{analyze, request};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::spec::values::Archive;
use tfjob_targets::{ALL, REGISTRY};

/// What a target does with one `files` entry.
#[derive(Debug, PartialEq)]
enum Done {
    Unpacked,
    Copied,
    Refused,
}

/// Returns a job that copies one file from a source that the target supports, and the URI of that file.
fn spec(target: &str, name: &str) -> (String, String) {
    let uri =
        if target == "local" { format!("./{name}") } else { format!("https://files.example.com/{name}") };
    let options = match target {
        "spark" => "target \"spark\" { master \"yarn\" }",
        "yarn" => "target \"yarn\" { hadoop \"3.3\" }",
        _ => "",
    };
    let image = if matches!(target, "spark" | "local") { "" } else { "image \"ml/a:1\"" };
    let text = format!(
        "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    {image}\n    files \"s\" \"{uri}\"\n    run \"python\" \"a.py\" \"{{files.s}}\"\n    \
         role \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\n    {options}\n}}\n"
    );
    (text, uri)
}

fn done(target: &str, name: &str) -> Done {
    let (text, uri) = spec(target, name);
    let analysis = analyze(&request(&text).targets(&[REGISTRY.target(target).expect("a target")]));
    let plan =
        analysis.plan.as_ref().unwrap_or_else(|| panic!("{target}, {name}: {:?}", analysis.diagnostics));
    let compiled = ALL.iter().find(|t| t.name() == target).expect("a target").compile(plan);
    let errors: Vec<&Diagnostic> = compiled.diagnostics.iter().filter(|d| d.is_error()).collect();
    if let [error] = errors[..] {
        let span = error.span();
        let words = analysis.sources.slice(span);
        assert!(words.contains(&uri), "{target}, {name}: told at `{words}`: {}", error.message);
        return Done::Refused;
    }
    assert!(errors.is_empty(), "{target}, {name}: {errors:?}");
    let lowered = compiled.lowered.expect("nothing was refused");
    let all: String = lowered.artifacts.iter().map(|a| a.text.as_str()).collect();
    let marks: &[&str] = match target {
        "yarn" => &["\"type\": \"ARCHIVE\""],
        "kubernetes" => &["- zip\n", "- tar\n"],
        "dcos" => &["\"extract\": true", "tar -x"],
        "spark" => &["--archives"],
        _ => &[],
    };
    if marks.iter().any(|mark| all.contains(mark)) { Done::Unpacked } else { Done::Copied }
}

#[test]
fn every_target_unpacks_an_archive_or_refuses_it() {
    for target in ALL.iter().map(|target| target.name()) {
        for (suffix, form) in Archive::SUFFIXES {
            let lower = done(target, &format!("m{suffix}"));
            assert_ne!(lower, Done::Copied, "{target} copies m{suffix} ({form:?})");
            let upper = done(target, &format!("M{}", suffix.to_uppercase()));
            assert_eq!(upper, lower, "{target}: {suffix} in upper case");
        }
    }
}

#[test]
fn no_target_unpacks_anything_else() {
    for target in ALL.iter().map(|target| target.name()) {
        for name in ["m.jar", "m.whl", "m.egg", "m.gz", "m.tar.zst", "m.7z", "m.txt", "M.JAR"] {
            assert_eq!(done(target, name), Done::Copied, "{target}, {name}");
        }
    }
}

/// Returns the code and the message of the first diagnostic of the language about code at this URI.
fn unfit(uri: &str) -> Option<(&'static str, String)> {
    let (text, stage) = spec("kubernetes", "m");
    let text = text
        .replace(&format!("files \"s\" \"{stage}\""), &format!("code \"{uri}\""))
        .replace("{files.s}", "x");
    let analysis = analyze(&request(&text));
    let found = analysis.diagnostics.iter().find(|d| d.is_error() || d.code.name == "ambiguous-archive")?;
    assert_eq!(analysis.sources.slice(found.span()), format!("\"{uri}\""));
    Some((found.code.name, found.message.clone()))
}

#[test]
fn code_of_a_web_server_has_a_name_that_says_what_it_is() {
    for (suffix, _) in Archive::SUFFIXES {
        assert_eq!(unfit(&format!("https://h/src{suffix}?v=1")), None, "{suffix}");
    }
    for uri in [
        "./src",
        "./src-1.2",
        "hdfs://default/src",
        "https://h/t.py?v=1",
        "https://h/t.R",
        "https://h/a.zip?x=y.7z",
        "https://h/run.py?download=a.zip",
        "https://h/tools/zip/run.py",
    ] {
        assert_eq!(unfit(uri), None, "{uri}");
    }
    for uri in [
        "https://codeload.github.com/org/repo/tar.gz/refs/tags/v1",
        "https://codeload.github.com/org/repo/tar.gz/refs/tags/v1.2",
        "https://codeload.github.com/org/repo/zip/v1.2-rc1",
        "https://codeload.github.com/org/repo/legacy.tar.gz/refs/tags/v1",
        "https://api.github.com/repos/org/repo/tarball/v1.2",
        "https://h/get.PHP?file=a.zip",
        "https://h/get?file=a.zip",
        "https://h/get.php?file=a.tar.gz",
        "https://h/x/?f=x",
    ] {
        let hidden = |(code, said): (&str, String)| {
            code == "unsupported-uri"
                && (said.contains("so it would stay packed") || said.contains("this URL has no file name"))
        };
        assert!(unfit(uri).is_some_and(hidden), "{uri}");
    }
    for uri in [
        "https://files.example.com/bin/train",
        "http://h/train?v=1",
        "https://h/train-1.2",
        "https://h/zip",
        "https://h/get?file=run.py",
    ] {
        assert_eq!(unfit(uri).map(|(code, _)| code), Some("ambiguous-archive"), "{uri}");
    }
    for uri in ["https://h/src.tar.zst", "https://h/src.gz?v=1"] {
        let packed = |(code, said): (&str, String)| {
            code == "unsupported-uri" && said.starts_with("no target can unpack")
        };
        assert!(unfit(uri).is_some_and(packed), "{uri}");
    }
}

/// Each way in which a target takes files: name of the row, target, whether the job has an image, and options of the target.
const WAYS: [(&str, &str, bool, &str); 9] = [
    ("local", "local", false, ""),
    ("kubernetes", "kubernetes", true, ""),
    ("dcos", "dcos", false, ""),
    ("dcos with an image", "dcos", true, ""),
    ("yarn", "yarn", false, "hadoop \"3.3\"; mounted { \"nfs://filer\" \"/mnt\"; \"pvc://c\" \"/mnt\" }"),
    (
        "yarn with an image",
        "yarn",
        true,
        "hadoop \"3.3\"; mounted { \"nfs://filer\" \"/mnt\"; \"pvc://c\" \"/mnt\" }",
    ),
    ("spark on yarn", "spark", false, "master \"yarn\"; spark \"3.5\""),
    ("spark standalone", "spark", false, "master \"spark://m:7077\"; spark \"3.5\""),
    ("spark on kubernetes", "spark", true, "master \"k8s://https://m:6443\"; spark \"3.5\""),
];
const FROM: [&str; 8] = [
    "./src/",
    "file:///srv/",
    "nfs://filer/srv/",
    "pvc://c/srv/",
    "https://h/srv/",
    "http://h/srv/",
    "hdfs://default/srv/",
    "s3a://b/srv/",
];

/// Returns the text of all artifacts, or `None` if the target refuses the job.
fn artifacts((name, target, image, options): (&str, &str, bool, &str), words: &str) -> Option<String> {
    let image = if image { "image \"ml/a:1\"" } else { "" };
    let text = format!(
        "job \"a\" {{\n framework \"tensorflow\" version=\"2.15\"\n {image}\n {words}\n role \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\n \
         target \"{target}\" {{ {options} }}\n}}\n"
    );
    let analysis = analyze(&request(&text).targets(&[REGISTRY.target(target).expect("a target")]));
    let plan =
        analysis.plan.as_ref().unwrap_or_else(|| panic!("{name}: {words}: {:?}", analysis.diagnostics));
    let compiled = ALL.iter().find(|t| t.name() == target).expect("a target").compile(plan);
    let lowered = compiled.lowered.filter(|_| !compiled.diagnostics.iter().any(Diagnostic::is_error))?;
    Some(lowered.artifacts.iter().map(|a| a.text.as_str()).collect())
}

/// Returns whether the task gets the file itself as the directory of the code, or the archive itself as the unpacked directory.
fn told(text: &str, file: &str) -> bool {
    text.split("SEEN=").skip(1).any(|rest| {
        let end = rest.find(|c: char| "\"' \n,;".contains(c)).unwrap_or(rest.len());
        rest[..end].trim_end_matches('\\').ends_with(file)
    })
}

#[test]
fn no_archive_is_used_packed_and_no_script_is_taken_as_a_directory() {
    let (mut packed, mut script, mut taken) = (Vec::new(), Vec::new(), 0);
    for way in WAYS {
        for from in FROM {
            for (file, place) in
                [("m.zip", "code"), ("m.tar.gz", "code"), ("m.zip", "files"), ("m.tgz", "files")]
            {
                let (words, seen) = match place {
                    "code" => (format!("code \"{from}{file}\""), "{code}"),
                    _ => (format!("files \"s\" \"{from}{file}\""), "{files.s}"),
                };
                let text = artifacts(way, &format!("{words}\n run \"python\" \"a.py\" \"SEEN={seen}\""));
                taken += usize::from(text.is_some());
                if text.is_some_and(|text| told(&text, file)) {
                    packed.push(format!("{}: {words}", way.0));
                }
            }
            let words = format!("code \"{from}m.py\"\n run \"python\" \"m.py\" \"SEEN={{code}}\"");
            let text = artifacts(way, &words);
            taken += usize::from(text.is_some());
            if text.is_some_and(|text| told(&text, "m.py")) {
                script.push(format!("{}: {from}m.py", way.0));
            }
        }
    }
    assert!(packed.is_empty() && script.is_empty(), "packed: {packed:#?}\nas a directory: {script:#?}");
    assert!(taken > 80, "{taken} were compiled");
}

#[test]
fn a_script_of_every_node_is_code_wherever_a_node_s_directory_is() {
    for way in WAYS {
        let code =
            |path: &str| artifacts(way, &format!("code \"file:///srv/{path}\"\n run \"python\" \"m.py\""));
        assert!(code("m.py").is_some() || code("m/").is_none(), "{}", way.0);
    }
}

#[test]
fn mesos_makes_a_file_executable_and_no_archive() {
    let way = ("dcos", "dcos", true, "");
    let executable = |words: &str| {
        let text = artifacts(way, &format!("{words}\n run \"./go.sh\"")).expect("a job that dcos takes");
        text.contains("\"executable\": true")
    };
    assert!(executable("code \"http://h/go.sh\""), "code");
    assert!(executable("files \"tool\" \"http://h/go.sh\""), "files");
    for archive in ["zip", "tar", "tgz"] {
        assert!(!executable(&format!("code \"http://h/m.{archive}\"")), "{archive}");
    }
}
