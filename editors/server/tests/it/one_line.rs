//! Fixes in texts of one line, with comments: a text has no new syntax error after a fix.
use crate::editor::ROOT;
use crate::memory::check;
use std::path::Path;
use tfjob_driver::{Batch, Driver, Loaded};
use tfjob_lang::diagnostic::Fix;
use tfjob_lang::sources::Format;
use tfjob_server::Options;

/// Returns the findings of a project file, or of a spec.
fn found(text: &str) -> Batch {
    if text.starts_with("project") {
        let loaded = Loaded { name: "tfjob.kdl".to_owned(), text: text.to_owned(), format: Format::Kdl };
        let file = Driver::new(tfjob_targets::REGISTRY).project(&loaded);
        return Batch { sources: file.sources, diagnostics: file.diagnostics };
    }
    let path = Path::new(ROOT).join("a.tfjob.kdl");
    let read = |wanted: &Path| (wanted == path).then(|| text.to_owned());
    check(&path, &Options::default(), &read).expect("a result").batch
}

fn fixed(text: &str, batch: &Batch, fix: &Fix) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut text = text.to_owned();
    for edit in edits {
        let source = batch.sources.find(edit.span).expect("a text");
        text.replace_range(source.local(edit.span), &edit.text);
    }
    text
}

/// Texts with a fix that removes an entry; `@` stands for a comment, and `;` may follow it.
const TEXTS: [&str; 9] = [
    "project { specs \"jobs\"@; specs \"other\"@; environment \"s\" { target \"yarn\"; } }",
    "project { environment \"s\" { set \"role.worker.count=1\"@; set \"param.lr=0.2\"@; target \"yarn\"@; target \"spark\"@; } }",
    "project {\n    specs \"jobs\"@\n    specs \"other\"@\n    out \"x\"\n}\n",
    "job \"a\" { run \"x\"; env { A \"1\"; }@; env { B \"2\"; }@; deadline \"1d\"@; }",
    "job \"a\" {\n    run \"x\"\n    env { A \"1\"; }@\n    env { B \"2\"; }@\n    deadline \"1d\"@\n}\n",
    "job \"a\" { run \"x\"; start { gang #true@; timeout \"1m\"@; }@; deadline \"1d\"@; }",
    "job \"a\" { run \"x\"; data \"y\" \"gs://a/b\"@; files \"z\" \"gs://a/z.zip\"@; param \"lr\" 1@; }",
    "job \"a\" { run \"x\"; target \"yarn\" { queue \"a\"; }@; target \"yarn\" { am-memory \"1GiB\"; }@; deadline \"1d\"@; }",
    "job \"a\" { framework \"tensorflow\" strategy=\"multi-worker-mirrored\"; keep \"all\" for=\"1d\"@; run \"x\"@; role \"worker\" count=2@; target \"yarn\" {}@; }",
];

#[test]
fn a_fix_causes_no_syntax_error() {
    let syntax = |batch: &Batch| batch.diagnostics.iter().filter(|one| one.code.name == "syntax").count();
    let mut fixes = 0;
    for comment in ["", " ", " /* c */", " /* c */ ", "/* a /* b */ */ /* c */", " /* ; */", " /-\"d\""] {
        for text in TEXTS {
            let text = text.replace('@', comment);
            let batch = found(&text);
            // After a block, a disabled value is an error.
            if syntax(&batch) > 0 && comment.contains("/-") {
                continue;
            }
            assert_eq!(syntax(&batch), 0, "{text}");
            for fix in batch.diagnostics.iter().flat_map(|one| &one.fixes) {
                let new = fixed(&text, &batch, fix);
                assert_eq!(syntax(&found(&new)), 0, "{}:\n{text}\n{new}", fix.title);
                let comments = |text: &str| text.matches("/* c */").count();
                assert!(comments(&new) + 1 >= comments(&text), "comments are lost: {text}\n{new}");
                fixes += 1;
            }
        }
    }
    assert!(fixes > 50, "{fixes}");
}

/// A duplicate list is joined only if nothing is lost.
#[test]
fn a_joined_list_keeps_all_its_parts() {
    let titles = |sets: &str| {
        let text = format!("project {{ environment \"s\" {{ {sets} }} }}\n");
        let batch = found(&text);
        let fixes: Vec<Fix> = batch.diagnostics.iter().flat_map(|one| one.fixes.clone()).collect();
        fixes.iter().map(|fix| (fix.title.clone(), fixed(&text, &batch, fix))).collect::<Vec<_>>()
    };
    let of = |fixes: &[(String, String)]| fixes.iter().filter(|(title, _)| title.contains("set")).count();
    assert_eq!(of(&titles("set \"a=1\"; set \"env.X=2\" { a \"b\"; }")), 0);
    assert_eq!(of(&titles("set \"a=1\"; set x=\"env.X=2\"")), 0);
    let typed = titles("set \"a=1\"; set (t)\"env.X=2\"");
    assert!(typed.iter().all(|(_, text)| !text.contains(" t)")), "{typed:?}");
    let disabled = titles("set \"a=1\"; set /-\"env.X=1\" \"env.Y=2\"");
    assert!(
        disabled.iter().any(|(_, text)| text.contains("set \"a=1\" /-\"env.X=1\" \"env.Y=2\"")),
        "{disabled:?}"
    );
    let three = titles("set \"a=1\"; set \"a=2\"; set \"a=3\"");
    assert!(of(&three) == 1 && three[0].1.contains("set \"a=1\" \"a=2\""), "{three:?}");
    let lines = titles("set \"a=1\"; set \"b=2\" \\ // three\n \"c=3\"");
    assert!(of(&lines) == 1 && lines.iter().all(|(title, _)| !title.contains('\n')), "{lines:?}");
}

/// Fixes that move all entries out of a block also remove its braces, and keep its comments.
#[test]
fn an_emptied_block_is_removed() {
    for text in [
        "job \"a\" {\n    start {\n        gang #true // c\n        timeout \"1m\" /* d */\n    }\n    run \"x\"\n}\n",
        "job \"a\" { start { gang #true; timeout \"1m\"; /* d */ /* c */ }; run \"x\"; }\n",
        "job \"a\" {\n    start {\n        gang #true\n    }\n    run \"x\"\n}\n",
    ] {
        let mut new = text.to_owned();
        for _ in 0..4 {
            let name = "/project/a.tfjob.kdl";
            let (mut changed, _) = tfjob_driver::fixes::apply(&[found(&new)], &|file| file == name);
            let Some((_, next)) = changed.remove(name) else { break };
            new = next;
        }
        let codes: Vec<&str> = found(&new).diagnostics.iter().map(|one| one.code.name).collect();
        assert!(!codes.contains(&"unexpected-block") && !codes.contains(&"syntax"), "{new}{codes:?}");
        assert!(
            ["start gang=#true", " c", " d "].iter().all(|part| new.contains(part) || !text.contains(part)),
            "{new}"
        );
    }
}
