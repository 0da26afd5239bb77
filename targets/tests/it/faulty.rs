//! A target does not judge what the language has refused: of a wrong word it says nothing, of the others all it has to.

use crate::request::analyse;
use std::path::Path;
use tfjob_driver::{Analysis, Loaded};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::Format;
use tfjob_lang::spec::values::Scheme;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::ALL;

fn analysed(name: &str, text: &str) -> Analysis {
    let load = |from: &str, to: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(to);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok(Loaded { name: path.to_string_lossy().into_owned(), text, format: Format::Kdl })
    };
    analyse(&tfjob_driver::Request::new(name, text).load(&load))
}

/// The words, the code and the message of each finding.
fn told(analysis: &Analysis, found: &[Diagnostic]) -> Vec<(String, &'static str, String)> {
    let one = |d: &Diagnostic| (analysis.sources.slice(d.span()).to_owned(), d.code.name, d.message.clone());
    found.iter().map(one).collect()
}

/// A job that every target takes, with these lines.
fn job(lines: &str) -> String {
    format!(
        "job \"mnist\" {{\n framework \"tensorflow\" version=\"2.15\"\n image \"ml/mnist:1.0\"\n run \"a\"\n \
         resources cpus=1 memory=\"1GiB\"\n role \"worker\"\n \
         target \"yarn\" {{ hadoop \"3.3.6\"; dns-domain \"example.org\" }}\n{lines}\n}}\n"
    )
}

/// What the language and the target say of a job with these lines: the words and the code.
fn said(target: &dyn AnyTarget, lines: &str) -> Vec<(String, &'static str)> {
    let analysis = analysed("job.tfjob.kdl", &job(lines));
    let mut all = told(&analysis, &analysis.diagnostics);
    all.extend(told(&analysis, &analysis.check(target).diagnostics));
    let errors = all.into_iter().filter(|(_, code, _)| ["bad-value", "feature-refused"].contains(code));
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
            "stage \"a\" \"@\"",
            "stage \"a\" \"@\" extract=#true",
        ] {
            for uri in ["foo://x/y", "hdfs//x", "/mnt/x"] {
                let line = line.replace('@', uri);
                let expected = [(format!("\"{uri}\""), "bad-value")];
                assert_eq!(said(*target, &line), expected, "{}: {line}", target.name());
            }
        }
    }
}

/// A uri that says its scheme is judged by the scheme: what is told is told of any uri of it, and of none that nobody wrote.
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
                "stage \"a\" \"@\" at=\"/e\"",
            ] {
                let line = line.replace('@', &format!("{}:b d", scheme.word()));
                let analysis = analysed("job.tfjob.kdl", &job(&line));
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
            // That a target starts no board at all is true of any logs.
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
fn what_is_wrong_whatever_the_uri_was_meant_to_be_is_told_beside_it() {
    for target in ["kubernetes", "dcos"] {
        let target = *ALL.iter().find(|t| t.name() == target).expect("a target of ours");
        let found = said(target, "data \"a\" \"foo://x/y\" at=\"/proc\"");
        let both = [("\"foo://x/y\"", "bad-value"), ("\"/proc\"", "feature-refused")];
        assert_eq!(found, both.map(|(words, code)| (words.to_owned(), code)), "{}", target.name());
    }
    for target in ["yarn", "dcos", "spark"] {
        let target = *ALL.iter().find(|t| t.name() == target).expect("a target of ours");
        let found = said(target, "data \"a\" \"pvc://My_C\" at=\"/e\"");
        let both = [("\"pvc://My_C\"", "bad-value"), ("\"/e\"", "feature-refused")];
        assert_eq!(found, both.map(|(words, code)| (words.to_owned(), code)), "{}", target.name());
    }
}

#[test]
fn no_target_says_more_of_an_example_for_a_wrong_uri() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut broken = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let (path, name) = (entry.path(), entry.path().to_string_lossy().into_owned());
        if !name.ends_with(".tfjob.kdl") {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("readable");
        let whole = analysed(&name, &text);
        for (at, _) in text.match_indices("://") {
            let start = text[..at].rfind('"').map_or(0, |quote| quote + 1);
            // As long as it was, so that each other word stays where it is.
            let wrong = format!("{}{}{}", &text[..start], "q".repeat(at - start), &text[at..]);
            let analysis = analysed(&name, &wrong);
            if analysis.accepted() {
                continue;
            }
            broken += 1;
            for target in ALL {
                let known = told(&whole, &whole.check(*target).diagnostics);
                let found = told(&analysis, &analysis.check(*target).diagnostics);
                let more: Vec<_> = found.iter().filter(|one| !known.contains(one)).collect();
                assert!(more.is_empty(), "{name}, {}: `{}`: {more:?}", target.name(), &wrong[start..at + 9]);
            }
        }
    }
    assert!(broken > 10, "{broken}");
}

/// A directory that no task has, in the words of most tutorials; and addresses of what is mounted, which TensorFlow does not open.
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
