//! A target does not report a value that the language has already refused. It still reports everything else in the spec.

mod properties;

use crate::request::analyze;
use std::ops::Range;
use std::path::Path;
use tfjob_driver::{Analysis, Loaded};
use tfjob_lang::diagnostic::{Diagnostic, Severity};
use tfjob_lang::sources::Format;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Scheme;
use tfjob_lang::target::{AnyTarget, Until};
use tfjob_targets::ALL;

fn analyzed(name: &str, text: &str) -> Analysis {
    let load = |from: &str, to: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(to);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok(Loaded { name: path.to_string_lossy().into_owned(), text, format: Format::Kdl })
    };
    analyze(&tfjob_driver::Request::new(name, text).load(&load))
}

/// Returns the marked text, the code, and the message of each diagnostic.
fn told(analysis: &Analysis, found: &[Diagnostic]) -> Vec<(String, &'static str, String)> {
    let one = |d: &Diagnostic| (analysis.sources.slice(d.span()).to_owned(), d.code.name, d.message.clone());
    found.iter().map(one).collect()
}

/// Returns a job that every target accepts, with additional lines.
fn job(lines: &str) -> String {
    format!(
        "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\"\n image \"ml/mnist:1.0\"\n run \"a\"\n \
         resources cpus=1 memory=\"1GiB\"\n role \"worker\"\n \
         target \"yarn\" {{ hadoop \"3.3.6\"; dns-domain \"example.org\" }}\n{lines}\n}}\n"
    )
}

/// Returns the marked text and the code of each diagnostic for a job with these lines, from the language and from the target.
fn said(target: &dyn AnyTarget, lines: &str) -> Vec<(String, &'static str)> {
    let analysis = analyzed("job.tfjob.kdl", &job(lines));
    let mut all = told(&analysis, &analysis.diagnostics);
    all.extend(told(&analysis, &analysis.check(target).diagnostics));
    let errors = all.into_iter().filter(|(_, code, _)| ["bad-value", "unsupported-feature"].contains(code));
    errors.map(|(words, code, _)| (words, code)).collect()
}

#[test]
fn a_wrong_uri_is_told_once_and_nothing_follows_from_it() {
    for target in ALL {
        for line in [
            "data \"a\" \"@\" at=\"/e\"",
            "data \"a\" \"@\"",
            "checkpoints \"@\" at=\"/ck\"",
            "code \"@\"",
            "code \"@\" ref=\"v1\"",
            "files \"a\" \"@\"",
            "files \"a\" \"@\" extract=#true",
        ] {
            for uri in ["foo://x/y", "hdfs//x", "/mnt/x"] {
                let line = line.replace('@', uri);
                let expected = [(format!("\"{uri}\""), "bad-value")];
                assert_eq!(said(*target, &line), expected, "{}: {line}", target.name());
            }
        }
    }
}

/// The language replaces an invalid URI with a known scheme by a placeholder of that scheme. A target reports only what is true of
/// every URI of the scheme, and never shows the placeholder.
#[test]
fn no_message_names_the_uri_that_stands_for_a_wrong_one() {
    let mut wrong = Vec::new();
    for target in ALL {
        for scheme in Scheme::ALL.iter().filter(|scheme| **scheme != Scheme::Beside) {
            for line in [
                "data \"a\" \"@\" at=\"/e\"",
                "data \"a\" \"@\"",
                "checkpoints \"@\" at=\"/e\"",
                "code \"@\"",
                "files \"a\" \"@\" at=\"/e\"",
            ] {
                let line = line.replace('@', &format!("{}:b d", scheme.word()));
                let analysis = analyzed("job.tfjob.kdl", &job(&line));
                assert!(!analysis.accepted(), "{line}");
                let found = told(&analysis, &analysis.check(*target).diagnostics);
                let (_, path) = scheme.example().split_once(':').unwrap_or_default();
                let names = |message: &str| message.contains(path.trim_start_matches('/'));
                wrong.extend(
                    found.into_iter().filter(|(_, _, message)| names(message)).map(|(.., message)| message),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_follows_for_a_board_from_logs_that_are_wrong() {
    for target in ALL {
        let board = said(*target, "tensorboard logs=\"/mnt/logs\"");
        for (lines, wrong) in [
            ("tensorboard logs=\"foo://x/y\"", "\"foo://x/y\""),
            ("tensorboard logs=\"pvc://My_C\"", "\"pvc://My_C\""),
            ("tensorboard\n checkpoints \"foo://x/y\"", "\"foo://x/y\""),
            ("tensorboard logs=\"{data.a}\"\n data \"a\" \"foo://x/y\" at=\"/e\"", "\"foo://x/y\""),
        ] {
            let mut found = said(*target, lines);
            found.retain(|(words, _)| words != wrong);
            // That a target runs no TensorBoard at all is true for any `logs`, so this diagnostic is not compared.
            let any = board.iter().filter(|(words, _)| words != "\"/mnt/logs\"");
            assert!(
                found.iter().all(|one| any.clone().any(|(_, code)| *code == one.1))
                    && found.len() <= any.count(),
                "{}: {lines}: {found:?}",
                target.name()
            );
        }
    }
}

#[test]
fn what_a_target_says_of_storage_is_told_when_its_uri_is_right() {
    for target in ALL {
        // The scheme is unknown, so targets do not check this data.
        let text = job("data \"a\" \"foo://x/y\" at=\"/proc\"");
        let compiled = analyzed("job.tfjob.kdl", &text).check(*target);
        assert_eq!(
            compiled.unchecked,
            Some(Until::Fixed(vec!["data \"a\"".to_owned()])),
            "{}",
            target.name()
        );
        assert!(compiled.diagnostics.is_empty(), "{}: {:?}", target.name(), compiled.diagnostics);
        // The scheme is known, so the data is checked as far as the scheme alone decides. Only checks that depend on the rest are
        // skipped.
        let text = job("data \"a\" \"pvc://My_C\" at=\"/e\"\n keep \"all\" for=\"1s\"");
        let compiled = analyzed("job.tfjob.kdl", &text).check(*target);
        let whole = analyzed("job.tfjob.kdl", &job("keep \"all\" for=\"1s\"")).check(*target);
        let codes = |all: &[Diagnostic]| all.iter().map(|d| d.code.name).collect::<Vec<_>>();
        assert_eq!(codes(&compiled.diagnostics), codes(&whole.diagnostics), "{}", target.name());
    }
}

/// Returns the marked text and the message of each error of a target.
fn errors(analysis: &Analysis, target: &dyn AnyTarget) -> Vec<(String, String)> {
    let found = analysis.check(target).diagnostics;
    let errors = found.iter().filter(|d| d.is_error());
    errors.map(|d| (analysis.sources.slice(d.span()).to_owned(), d.message.clone())).collect()
}

#[test]
fn what_is_refused_of_any_principal_is_refused_of_a_wrong_one() {
    let kerberos = |principal: &str| format!(" kerberos principal=\"{principal}\" keytab=\"file:///k\"");
    for spark in ["k8s://https://x", "yarn"] {
        let site =
            format!("target \"spark\" {{ master \"{spark}\"; spark \"3.5\"; upload \"s3a://b/u\" }}\n");
        let [good, wrong] =
            ["a/h@X", "a"].map(|name| analyzed("job.tfjob.kdl", &job(&(site.clone() + &kerberos(name)))));
        for target in ALL {
            let messages =
                |analysis| errors(analysis, *target).into_iter().map(|(_, said)| said).collect::<Vec<_>>();
            assert_eq!(messages(&good), messages(&wrong), "{} {spark}", target.name());
        }
    }
}

#[test]
fn what_a_target_says_does_not_depend_on_the_other_targets() {
    let lines = " checkpoints \"file:///t\" at=\"/d\"\n role \"chief\"";
    for target in ALL {
        let text = job(lines);
        let of = |targets: &[&'static dyn AnyTarget]| {
            errors(&analyze(&tfjob_driver::Request::new("job.tfjob.kdl", &text).targets(targets)), *target)
        };
        assert_eq!(of(&[*target]), of(ALL), "{}", target.name());
    }
}

#[test]
fn a_wrong_word_in_the_block_of_a_target_keeps_that_one_alone() {
    let other = " target \"kubernetes\" { namespace \"Bad_NS\" }\n";
    let whole = analyzed("job.tfjob.kdl", &job(other));
    for (lines, kept) in [
        ("target \"dcos\" { as \"pkg\" }", "dcos"),
        ("target \"spark\" { deploy-mode \"x\" }", "spark"),
        ("role \"chief\" { target \"yarn\" { gpus \"x\" } }", ""),
        // The unknown name `slurm` may be a misspelling of any target that has no block in the spec.
        ("target \"slurm\" { a \"b\" }", "dcos spark local"),
    ] {
        let analysis = analyzed("job.tfjob.kdl", &job(&format!("{other} {lines}")));
        for target in ALL {
            let compiled = analysis.check(*target);
            assert_eq!(
                compiled.unchecked.is_some(),
                kept.contains(target.name()),
                "{lines}: {}",
                target.name()
            );
        }
        let kubernetes = ALL.iter().find(|target| target.name() == "kubernetes").expect("a target");
        assert_eq!(errors(&whole, *kubernetes), errors(&analysis, *kubernetes), "{lines}");
    }
}

/// Returns the ranges of all quoted strings of a text, without the quotes, and of the schemes of its URIs.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut quotes = text.match_indices('"').map(|(at, _)| at);
    let mut found = Vec::new();
    while let (Some(start), Some(end)) = (quotes.next(), quotes.next()) {
        found.push(start + 1..end);
        found.extend(text[start..end].find("://").map(|at| start + 1..start + at));
    }
    found.retain(|word| !word.is_empty() && !text[word.clone()].contains('\n'));
    found
}

/// The file name and the text of a job in which many requirements depend on versions.
const OF_VERSIONS: (&str, &str) = (
    "versions.tfjob.kdl",
    "job \"mnist\" {\n framework \"tensorflow\" version=\"2.15\" strategy=\"estimator\"\n \
     image \"ml/mnist@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n run \"a\"\n \
     resources cpus=1 memory=\"1GiB\" shared-memory=\"1GiB\"\n stop grace=\"1m\"\n \
     role \"chief\" { port \"web\" 8080; ready tcp=\"web\" }\n role \"worker\" { after \"chief\" when=\"ready\" }\n \
     target \"yarn\" { hadoop \"3.4.1\"; dns-domain \"example.org\"; queue \"root.ml\" }\n \
     target \"dcos\" { version \"2.1.0\" }\n \
     target \"spark\" { spark \"3.5.1\"; master \"yarn\" }\n}\n",
);

/// Returns the example specs and the job [`OF_VERSIONS`], each with its file name.
fn specs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut all = vec![(OF_VERSIONS.0.to_owned(), OF_VERSIONS.1.to_owned())];
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let name = entry.path().to_string_lossy().into_owned();
        if name.ends_with(".tfjob.kdl") {
            all.push((name, std::fs::read_to_string(entry.path()).expect("readable")));
        }
    }
    all
}

/// Returns wrong texts to write instead of a word, none longer than the word: a meaningless one and, for a version, partial
/// versions.
fn wrong_forms(word: &str) -> Vec<String> {
    let mut forms = vec!["q".repeat(word.len())];
    let parts: Vec<&str> = word.split('.').collect();
    if parts.len() > 1 && parts.iter().all(|part| part.parse::<u32>().is_ok()) {
        for kept in 1..parts.len() {
            let kept = parts[..kept].join(".");
            forms.extend([".x", ".*", ".X", "+", "-"].map(|end| format!("{kept}{end}")));
        }
        forms.extend(["x", "*"].map(str::to_owned));
    }
    forms.retain(|form| form.len() <= word.len());
    forms
}

#[test]
fn no_target_says_more_of_an_example_for_a_wrong_word() {
    let (mut broken, mut wrongly) = (0, Vec::new());
    for (name, text) in specs() {
        let whole = analyzed(&name, &text);
        let known: Vec<_> = ALL.iter().map(|target| loud(&whole.check(*target).diagnostics)).collect();
        for word in words(&text) {
            for form in wrong_forms(&text[word.clone()]) {
                // Blanks keep the text as long as it was, so that all other words keep their positions.
                let close = if text[word.end..].starts_with('"') { "\"" } else { "" };
                let blanks = " ".repeat(word.len() - form.len());
                let rest = &text[word.end + close.len()..];
                let wrong = format!("{}{form}{close}{blanks}{rest}", &text[..word.start]);
                let analysis = analyzed(&name, &wrong);
                // If the language accepts the text, it is no wrong word but another job, which is not compared.
                let own = word.start..word.start + form.len();
                if analysis.accepted()
                    || analysis.diagnostics.iter().any(|d| d.is_error() && !at(&analysis, d, &own))
                {
                    continue;
                }
                broken += 1;
                for (target, known) in ALL.iter().zip(&known) {
                    let found = loud(&analysis.check(*target).diagnostics);
                    let more: Vec<_> = found.iter().filter(|one| !known.contains(one)).collect();
                    if !more.is_empty() {
                        let word = &text[word.clone()];
                        wrongly.push(format!("{name}, {}: `{word}` as `{form}`: {more:?}", target.name()));
                    }
                }
            }
        }
    }
    assert!(wrongly.is_empty(), "{}", wrongly.join("\n"));
    assert!(broken > 100, "{broken}");
}

/// A version that a target refuses does not count as an older version, so no other error follows from it.
#[test]
fn no_target_says_more_for_a_version_that_it_refuses() {
    let (name, text) = OF_VERSIONS;
    let whole = analyzed(name, text);
    for (target, right, wrong) in [
        ("yarn", "3.4.1", ["2.7", "3.0", "3.1.0", "3.1.1", "3.9", "4"]),
        ("dcos", "2.1.0", ["0.9", "1.2", "1.9", "2.9", "3", "9.1"]),
    ] {
        let target = ALL.iter().find(|known| known.name() == target).expect("a target");
        let messages = |analysis: &Analysis| -> Vec<String> {
            loud(&analysis.check(*target).diagnostics).into_iter().map(|(.., message)| message).collect()
        };
        let known = messages(&whole);
        for wrong in wrong {
            let wrong_version = format!("\"{wrong}\"");
            let analysis = analyzed(name, &text.replace(&format!("\"{right}\""), &wrong_version));
            let found = loud(&analysis.check(*target).diagnostics);
            let refused = |(at, ..): &&(Span, &str, String)| analysis.sources.slice(*at) == wrong_version;
            if found.iter().any(|one| refused(&one)) {
                let more: Vec<_> =
                    found.iter().filter(|one| !refused(one) && !known.contains(&one.2)).collect();
                assert!(more.is_empty(), "{} {wrong}: {more:?}", target.name());
            }
        }
    }
}

/// Returns the span, the code, and the message of each error and warning.
fn loud(found: &[Diagnostic]) -> Vec<(Span, &'static str, String)> {
    let loud = found.iter().filter(|d| d.code.severity != Severity::Note);
    loud.map(|d| (d.span(), d.code.name, d.message.clone())).collect()
}

/// Returns whether a diagnostic is about the word at this range of the checked text.
fn at(analysis: &Analysis, finding: &Diagnostic, word: &Range<usize>) -> bool {
    let Some(source) = analysis.sources.find(finding.span()) else { return false };
    let place = source.local(finding.span());
    source.base() == analysis.sources.get(0).base() && place.start <= word.start && word.end <= place.end
}

/// The logs are in a directory that no task has, as in many tutorials, or at the URI of mounted storage, which TensorFlow cannot
/// open.
#[test]
fn logs_that_stand_nowhere_are_no_place_for_a_board() {
    for target in ALL.iter().filter(|target| ["kubernetes", "yarn", "dcos"].contains(&target.name())) {
        for logs in [
            "logs",
            "./logs",
            "./",
            "../logs",
            "~/logs",
            "logs/run-1",
            "nfs://f/e",
            "pvc://c/logs",
            "file:///x",
        ] {
            let said = said(*target, &format!("tensorboard logs=\"{logs}\""));
            assert!(!said.is_empty(), "{}: {logs}", target.name());
        }
    }
}
