//! Tests of the evidence of refusals: each citation names an existing section of `docs/evidence`, and each section is cited.
use crate::specs;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 5] = ["dcos", "kubernetes", "spark", "tensorflow", "yarn"];

fn page(name: &str) -> String {
    let path = specs::root().join(format!("docs/evidence/{name}.md"));
    std::fs::read_to_string(path).expect("the evidence page is readable")
}

/// Returns the tracked and untracked files that may contain citations.
fn files() -> Vec<(PathBuf, String)> {
    let list = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "compiler",
        "docs",
        "src",
        "targets",
    ];
    let listed = Command::new("git").args(list).current_dir(specs::root()).output().expect("git starts");
    let listed = String::from_utf8(listed.stdout).expect("file names are UTF-8");
    let names: BTreeSet<&str> = listed.split('\0').collect();
    let cites = |name: &&str| [".rs", ".md", ".toml"].iter().any(|end| name.ends_with(end));
    let read =
        |name: &str| Some((PathBuf::from(name), std::fs::read_to_string(specs::root().join(name)).ok()?));
    names.into_iter().filter(cites).filter_map(read).collect()
}

/// Returns the anchor that GitHub generates for a heading.
fn slug(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns `PAGE#ANCHOR` of all sections.
fn sections() -> Vec<String> {
    let all = PAGES.iter().flat_map(|name| {
        let page = page(name);
        let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
        headings.map(|heading| format!("{name}#{}", slug(heading))).collect::<Vec<_>>()
    });
    all.collect()
}

/// Returns the citations of a text: `PAGE#ANCHOR`, or a path that ends in `PAGE.md#ANCHOR`. `OWNER/PAGE#1` is an issue, not a
/// citation.
fn citations(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for name in PAGES {
        for (at, _) in text.match_indices(name) {
            let before = text[..at].chars().next_back();
            let rest = &text[at + name.len()..];
            let anchor = match (rest.strip_prefix('#'), rest.strip_prefix(".md#")) {
                (Some(anchor), _) if before.is_none_or(|c| matches!(c, '"' | '(' | ' ')) => anchor,
                (_, Some(anchor)) if before == Some('/') => anchor,
                _ => continue,
            };
            let end = anchor.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
            all.insert(format!("{name}#{}", &anchor[..end.unwrap_or(anchor.len())]));
        }
    }
    all
}

fn is_evidence(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("docs/evidence"))
}

#[test]
fn each_citation_names_a_section_and_each_section_is_cited() {
    let sections = sections();
    let known: BTreeSet<&String> = sections.iter().collect();
    assert!(!known.is_empty(), "the pages have sections");
    assert_eq!(known.len(), sections.len(), "two sections of a page have the same anchor");
    let mut cited: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (path, text) in files() {
        let links = citations(&text);
        let lost: Vec<_> = links.iter().filter(|link| !known.contains(link)).collect();
        assert!(lost.is_empty(), "{}: docs/evidence has no section {lost:?}", path.display());
        if !is_evidence(&path) {
            cited.extend(links.into_iter().map(|link| (link, path.clone())));
        }
    }
    let idle: Vec<_> = sections.iter().filter(|section| !cited.contains_key(*section)).collect();
    assert!(idle.is_empty(), "never cited: {idle:?}");
}

/// Citations must not refer to pages outside the repository. A citation with a section number (`§`) does.
#[test]
fn no_citation_is_of_a_page_that_readers_do_not_have() {
    for (path, text) in files() {
        if path.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        for line in text.lines() {
            for (at, _) in line.match_indices('§') {
                let before = &line[line.floor_char_boundary(at.saturating_sub(20))..at];
                let standard = ["RFC ", "POSIX"].iter().any(|name| before.contains(name));
                let is_posix = line[at..].starts_with("§3.11.5");
                assert!(
                    standard || is_posix,
                    "{}: `{}` cites no section of docs/evidence",
                    path.display(),
                    line.trim()
                );
            }
        }
    }
}

/// Pitfalls that a section names are rows of docs/pitfalls.md.
#[test]
fn each_pitfall_of_the_evidence_is_a_row() {
    let pitfalls = std::fs::read_to_string(specs::root().join("docs/pitfalls.md"))
        .expect("docs/pitfalls.md is readable");
    let rows: BTreeSet<&str> =
        pitfalls.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    for name in PAGES {
        for paragraph in page(name).split("\n\n") {
            let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            let Some((_, named)) = words.split_once("Pitfall") else { continue };
            for title in named.split('*').skip(1).step_by(2) {
                assert!(rows.contains(title), "{name}.md: docs/pitfalls.md has no row `{title}`");
            }
        }
    }
}
