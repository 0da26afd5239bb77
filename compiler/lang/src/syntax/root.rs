//! Recognizes job, cluster, and project files by their top-level block. `fmt` and `check --fix` do not change other files.
use super::{Node, read_json, read_kdl, read_yaml};
use crate::sources::{Format, Source};
use crate::tree::Tree;

/// Fields of `job` or `cluster` that no other tool uses.
const OURS: [&str; 3] = ["framework", "role", "target"];

/// Returns whether the text has a top-level block `word` with a name, such as `job "mnist"`, or `job: {name: mnist}` in
/// YAML. A block without a name counts if it contains a field that only this tool uses.
///
/// Files of other tools have no such block and must not be changed.
#[must_use]
pub fn has_root(source: &Source, word: &str) -> bool {
    let named = |tree: Option<Tree>| match tree {
        Some(tree) => {
            let ours = |root: &Tree| OURS.iter().chain(&["name"]).any(|field| root.get(field).is_some());
            tree.get(word).is_some_and(ours)
        }
        // A text with syntax errors has no tree. Other tools also have the key `name`.
        None => has_key(&source.text, word) && OURS.iter().any(|field| has_key(&source.text, field)),
    };
    match source.format {
        Format::Kdl => {
            let (kdl, _) = read_kdl(source);
            let ours =
                |node: &Node| node.children.iter().flatten().any(|node| OURS.contains(&node.name.as_str()));
            kdl.nodes.iter().any(|node| node.name == word && (!node.entries.is_empty() || ours(node)))
        }
        Format::Yaml => named(read_yaml(source).0),
        Format::Json => named(read_json(source).0),
        Format::Set => false,
    }
}

/// Returns whether a JSON or YAML text has a key of this name anywhere, such as `job:` or `"job":`.
fn has_key(text: &str, key: &str) -> bool {
    text.match_indices(key).any(|(at, _)| {
        let is_start = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
        let after = text[at + key.len()..].trim_start_matches(['"', '\'']);
        is_start && after.trim_start_matches(' ').starts_with(':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Sources;

    #[test]
    fn a_job_has_a_name() {
        let is = |format, text: &str| {
            let mut all = Sources::default();
            let number = all.add("a", format, text);
            has_root(all.get(number), "job")
        };
        for text in [
            "job \"a\" {\n}\n",
            "extends \"b.tfjob.kdl\"\njob a {\n  x = 1\n",
            "// c\njob 'a'",
            "job { framework x; }",
        ] {
            assert!(is(Format::Kdl, text), "{text}");
        }
        for text in
            ["", "jobs \"a\" { }", "job { script \"x\" }", "import os\nprint('job')\n", "x { job \"a\" { } }"]
        {
            assert!(!is(Format::Kdl, text), "{text}");
        }
        assert!(is(Format::Yaml, "job:\n  name: a\n  image: b\n"));
        assert!(is(Format::Yaml, "job:\n  framework: {name: custom}\n"));
        assert!(!is(Format::Yaml, "job:\n  script: [make]\n"));
        assert!(!is(Format::Yaml, "apiVersion: v1\nkind: Pod\nmetadata:\n  name: job\n"));
        assert!(is(Format::Json, "{\"job\": {\"name\": \"a\"}}"));
        assert!(!is(Format::Json, "{\"name\": \"job\", \"version\": \"1.0.0\"}"));
        // With syntax errors.
        assert!(is(Format::Json, "{\"job\": {'framework': \"a\", \"deadline\": .5}}"));
        assert!(is(Format::Yaml, "job:\n  framework: \"a\n"));
        assert!(!is(Format::Json, "{\"job\": {'name': \"a\", \"steps\": .5}}"));
        assert!(!is(Format::Json, "{\"name\": \"job\", 'version': \"1.0.0\"}"));
        assert!(!is(Format::Yaml, "job:\n  script: [make\n"));
    }
}
