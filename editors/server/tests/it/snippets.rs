//! Snippets of new entries: with the values of its placeholders, each one is valid.
use crate::completion::{accept, items};
use crate::editor::{Editor, ROOT};
use crate::memory::check;
use serde_json::{Value, json};
use std::path::Path;
use tfjob_server::Options;

/// A complete job. `@` stands for an entry of the job, `#` for an entry of its role.
const JOB: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    image \"registry/team/a:1\"
    run \"python\" \"/a.py\"
    resources cpus=1 memory=\"1GiB\"
    @
    role \"worker\" count=2 {
        #
    }
}
";

/// Findings that the values of placeholders may cause, each with the reason.
const EXPECTED: [(&str, &str); 5] = [
    ("framework missing-strategy", "only the program tells which strategy it uses"),
    ("helper/ready unknown-port", "a helper has no port until the user declares one"),
    ("after unknown-role-after", "a job with one role has no other role to wait for"),
    ("shell conflicting-commands", "`shell` replaces `run`, which the job has already"),
    ("unsupported-feature: yarn", "a target may need options that depend on the cluster"),
];

/// Returns the findings about a text, as `code: message`.
fn findings(text: &str) -> Vec<String> {
    let path = Path::new(ROOT).join("a.tfjob.kdl");
    let checked = check(&path, &Options::default(), &|other| (other == path).then(|| text.to_owned()));
    let all = checked.expect("a job").batch.diagnostics;
    all.iter().filter(|one| one.is_error()).map(|one| format!("{}: {}", one.code.name, one.message)).collect()
}

/// Returns the text after an item is accepted, with the mark `$0` at the end of its placeholders.
fn accepted(text: &str, item: &Value) -> String {
    let mut item = item.clone();
    let new = item["textEdit"]["newText"].as_str().unwrap_or_default().replace("$0", "\u{1}");
    item["textEdit"]["newText"] = json!(new);
    accept(text, &item).replace('\u{1}', "$0")
}

struct Snippets<'e> {
    editor: &'e Editor,
    accepted: usize,
    wrong: Vec<String>,
}

impl Snippets<'_> {
    /// Accepts each item at the mark of a text, and then each item in the block of its snippet.
    fn all(&mut self, marked: &str, path: &str, depth: usize, only: Option<&str>) {
        let text = marked.replacen("$0", "", 1);
        // A new document, because the results of an old text may contain other names.
        for item in items(self.editor, &format!("{}.tfjob.kdl", self.accepted), marked) {
            let label = item["label"].as_str().unwrap_or_default();
            if !is_field(&item) || only.is_some_and(|only| only != label) {
                continue;
            }
            let new = accepted(&text, &item);
            let path = format!("{path}/{label}");
            self.accepted += 1;
            for found in findings(&new.replace("$0", "")) {
                let found = format!("{path} {found}");
                let is_new = !self.wrong.contains(&found);
                if is_new && !EXPECTED.iter().any(|(known, _)| found.contains(known)) {
                    self.wrong.push(found);
                }
            }
            if depth > 0 && new.contains("$0") {
                self.all(&new, &path, depth - 1, None);
            }
        }
    }
}

/// Returns whether an item is a block (`Struct` of LSP) or a property.
fn is_field(item: &Value) -> bool {
    matches!(item["kind"].as_u64(), Some(22 | 10))
}

#[test]
fn each_snippet_is_valid_with_the_values_of_its_placeholders() {
    let editor = Editor::new(&[]);
    let mut snippets = Snippets { editor: &editor, accepted: 0, wrong: Vec::new() };
    assert_eq!(findings(&JOB.replace(['@', '#'], "")), [] as [&str; 0]);
    for (mark, other) in [('@', '#'), ('#', '@')] {
        let marked = JOB.replace(other, "").replace(mark, "$0");
        snippets.all(&marked, if mark == '@' { "job" } else { "role" }, 2, None);
        // The entries that the job has already.
        for name in ["image", "run", "resources", "framework"] {
            let without: Vec<&str> = marked.lines().filter(|line| !line.trim().starts_with(name)).collect();
            snippets.all(&without.join("\n"), "without", 0, Some(name));
        }
    }
    assert!(snippets.accepted > 100, "{}", snippets.accepted);
    assert!(
        snippets.wrong.is_empty(),
        "{} of {}:\n{}",
        snippets.wrong.len(),
        snippets.accepted,
        snippets.wrong.join("\n")
    );
}
