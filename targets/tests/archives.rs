//! One table of archive suffixes: every target unpacks an archive or refuses it at its URI, and nothing else is unpacked.
use tfjob_lang::analysis::{Request, analyse};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Format;
use tfjob_lang::spec::values::Archive;
use tfjob_targets::{ALL, SHAPE};

/// What a target does with one stage.
#[derive(Debug, PartialEq)]
enum Done {
    Unpacked,
    Copied,
    Refused,
}

/// A job that stages one file, in words that the target takes, and the URI of that file.
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
        "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    {image}\n    stage \"s\" \"{uri}\"\n    run \"python\" \"a.py\" \"{{stage.s}}\"\n    \
         role \"worker\" {{ resources cpus=1 memory=\"1GiB\" }}\n    {options}\n}}\n"
    );
    (text, uri)
}

fn done(target: &str, name: &str) -> Done {
    let (text, uri) = spec(target, name);
    let load = |_: &str, to: &str| Err(format!("`{to}` is not there"));
    let analysis = analyse(&Request {
        name: "a.tfjob.kdl",
        text: &text,
        format: Format::Kdl,
        set: &[],
        load: &load,
        targets: ALL,
        shape: &SHAPE,
        cluster: None,
        one_machine: target == "local",
    });
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
    let all: String = lowered.artefacts.iter().map(|a| a.text.as_str()).collect();
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

/// The first finding of the language about code by that URI: its code and its message.
fn unfit(uri: &str) -> Option<(&'static str, String)> {
    let (text, stage) = spec("kubernetes", "m");
    let text = text
        .replace(&format!("stage \"s\" \"{stage}\""), &format!("code \"{uri}\""))
        .replace("{stage.s}", "x");
    let load = |_: &str, to: &str| Err(format!("`{to}` is not there"));
    let analysis = analyse(&Request {
        name: "a.tfjob.kdl",
        text: &text,
        format: Format::Kdl,
        set: &[],
        load: &load,
        targets: ALL,
        shape: &SHAPE,
        cluster: None,
        one_machine: false,
    });
    let found = analysis.diagnostics.iter().find(|d| d.is_error() || d.code.name == "maybe-archive")?;
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
            code == "unfit-uri" && said.contains("neither an archive nor a program")
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
        assert_eq!(unfit(uri).map(|(code, _)| code), Some("maybe-archive"), "{uri}");
    }
    for uri in ["https://h/src.tar.zst", "https://h/src.gz?v=1"] {
        let packed =
            |(code, said): (&str, String)| code == "unfit-uri" && said.starts_with("no target unpacks");
        assert!(unfit(uri).is_some_and(packed), "{uri}");
    }
}
