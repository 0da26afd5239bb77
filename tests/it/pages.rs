//! The page of each code shows its own problem: the `^^^` lines in its specs are the assertions. `shared/page.rs` describes the
//! format.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::page::{Block, CLUSTER, MAIN, Note, SET, blocks};
use std::collections::{BTreeMap, BTreeSet};
use tfjob_driver::files::format_of;
use tfjob_driver::{ClusterFile, Driver, Loaded, Request};
use tfjob_lang::diagnostic::{Code, Diagnostic};
use tfjob_lang::sources::{Format, Sources};
use tfjob_targets::{ALL, REGISTRY};

/// Codes that a page cannot show: the spec would be too long, or contain invalid characters, or depend on the release of the shim, or on output files.
const NOT_TO_BE_SHOWN: [&str; 4] =
    ["too-large", "forbidden-character", "unsupported-by-shim", "outdated-output"];

/// Returns the findings as notes.
fn notes(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<Note> {
    diagnostics.iter().map(|d| found(sources, d)).collect()
}

/// Returns whether a help offers the same alternative twice.
fn offers_one_thing_twice(help: &str) -> bool {
    let parts: Vec<&str> = help.split('`').collect();
    parts.windows(3).any(|part| [" or ", ", or ", "; or "].contains(&part[1]) && part[0] == part[2])
}

fn found(sources: &Sources, diagnostic: &Diagnostic) -> Note {
    let help = diagnostic.help.as_deref().unwrap_or_default();
    assert!(!offers_one_thing_twice(help), "{}: {help}", diagnostic.code.name);
    let span = diagnostic.span();
    let source = sources.find(span).unwrap();
    let start = source.position(span.start);
    let first_line = source.slice(span).lines().next().unwrap_or_default();
    Note {
        file: source.name.clone(),
        line: start.line as usize,
        column: start.column as usize,
        width: first_line.chars().count().max(1),
        words: format!(
            "{}[{}]: {}",
            diagnostic.code.severity.word(),
            diagnostic.code.name,
            diagnostic.message
        ),
    }
}

/// Function that checks a block, together with other files by name.
type Check<'a> = &'a dyn Fn(&BTreeMap<String, String>, &Block) -> Vec<Note>;

/// Returns the faults of a page: expected findings that are missing, and unexpected findings.
fn faults(name: &str, page: &str, check: Check) -> Vec<String> {
    let mut faults = Vec::new();
    if page.lines().next() != Some(&format!("# {name}")) {
        faults.push(format!("does not start with `# {name}`"));
    }
    if !page.lines().skip(1).any(|line| line.starts_with(char::is_alphabetic)) {
        faults.push("has no explanation".to_owned());
    }
    let blocks = match blocks(page) {
        Ok(blocks) => blocks,
        Err(fault) => return vec![fault],
    };
    let own = format!("[{name}]: ");
    if !NOT_TO_BE_SHOWN.contains(&name) {
        if !blocks.iter().flat_map(|block| &block.notes).any(|note| note.words.contains(&own)) {
            faults.push("has no spec with this problem".to_owned());
        }
        if !blocks.iter().any(|block| !block.beside && block.notes.is_empty()) {
            faults.push("has no spec without this problem".to_owned());
        }
    }
    let mut beside = BTreeMap::new();
    let mut expected_beside: Vec<Note> = Vec::new();
    for mut block in blocks {
        if block.beside {
            expected_beside.retain(|note| note.file != block.name);
            beside.insert(block.name, block.text);
            expected_beside.extend(block.notes);
            continue;
        }
        let mut expected = std::mem::take(&mut block.notes);
        expected.extend(expected_beside.iter().cloned());
        faults.extend(differences(expected, check(&beside, &block)));
        // A setting applies to one file; an additional file may be used by several.
        for once in [SET, CLUSTER] {
            beside.remove(once);
            expected_beside.retain(|note| note.file != once);
        }
    }
    faults
}

/// Compares expected and actual findings. Notes count only if the page expects notes.
fn differences(mut expected: Vec<Note>, mut found: Vec<Note>) -> Vec<String> {
    let mut faults = Vec::new();
    let is_note = |note: &Note| note.words.starts_with("note[");
    if !expected.iter().any(is_note) {
        found.retain(|note| !is_note(note));
    }
    expected.retain(|note| match found.iter().position(|other| other == note) {
        Some(same) => {
            found.remove(same);
            false
        }
        None => true,
    });
    faults.extend(expected.iter().map(|note| format!("not found:  {note}")));
    faults.extend(found.iter().map(|note| format!("unexpected: {note}")));
    faults
}

/// Returns the page of a code, in Markdown.
pub fn of(code: &Code) -> &'static str {
    let mut pages = [tfjob_lang::codes::PAGES, tfjob_targets::codes::PAGES].into_iter().flatten();
    pages.find(|(name, _)| *name == code.name).map(|(_, page)| *page).expect("each code has a page")
}

/// Texts that their format does not allow.
const INVALID: &[(Format, &str, &[&str])] = &[
    (
        Format::Kdl,
        "KDL",
        &["job \"a\" {\n    role \"w\"\n    {\n    }\n}\n", "job \"a\\q\"\n", "job 1e999\n"],
    ),
    (
        Format::Json,
        "JSON",
        &[
            "{ \"job\": [ }",
            "{ \"job\": \"\\q\" }",
            "{ \"job\": 01 }",
            "{ \"job\": \"\\u0000\" }",
            "{ \"job\": \"a }",
            "{}\u{202e}",
        ],
    ),
    (
        Format::Yaml,
        "YAML",
        &[
            "job:\n  a: x\n    b: 2\n",
            "job: &a 1\n",
            "job: \"\\0\"\n",
            "job: 1111111111111111111111111111111111111111\n",
            "job: 0x1\n",
        ],
    ),
];

#[test]
fn a_page_that_names_formats_names_that_of_the_text() {
    let mut wrong = Vec::new();
    for (format, name, texts) in INVALID {
        for text in *texts {
            let analysis = Driver::new(REGISTRY).analyze(&Request::new("job", text).format(*format));
            assert!(!analysis.diagnostics.is_empty(), "{text}");
            for found in &analysis.diagnostics {
                let words = of(found.code).split("```").next().unwrap_or_default();
                let names = ["KDL", "JSON", "YAML"].iter().filter(|name| words.contains(*name)).count();
                if names > 0 && !words.contains(name) {
                    wrong.push(format!("{}: {text}", found.code.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn codes() -> Vec<&'static Code> {
    [tfjob_lang::codes::ALL, tfjob_targets::codes::ALL].concat()
}

/// Checks a block with the driver.
fn analyzed(beside: &BTreeMap<String, String>, block: &Block) -> Vec<Note> {
    let driver = Driver::new(REGISTRY);
    let named = |wanted: &str| if wanted == block.name { Some(&block.text) } else { beside.get(wanted) };
    let load = |_: &str, wanted: &str| match named(wanted) {
        Some(text) => Ok(Loaded { name: wanted.to_owned(), text: text.clone(), format: format_of(wanted) }),
        None => Err("no such file".to_owned()),
    };
    let site = |text: &String| Loaded { name: CLUSTER.to_owned(), text: text.clone(), format: Format::Kdl };
    let read = |text| driver.cluster(&site(text));
    if block.name == CLUSTER {
        let file = read(&block.text);
        return notes(&file.sources, &file.diagnostics);
    }
    let file = beside.get(CLUSTER).map(read);
    let settings: Vec<String> = beside.get(SET).iter().map(|text| text.trim_end().to_owned()).collect();
    let request = Request::new(&block.name, &block.text).settings(&settings).load(&load);
    let analysis = driver.analyze(&request.cluster(file.as_ref()));
    let mut found = notes(&analysis.sources, &analysis.diagnostics);
    found.extend(file.iter().flat_map(|file| notes(&file.sources, &file.diagnostics)));
    let named = block.target.as_deref();
    if let Some(name) = named.or_else(|| file.as_ref().and_then(ClusterFile::target)) {
        match ALL.iter().find(|target| target.name() == name) {
            Some(target) => found.extend(notes(&analysis.sources, &analysis.compile(*target).diagnostics)),
            None => panic!("no target `{name}`"),
        }
    }
    found
}

#[test]
fn every_page_shows_exactly_its_own_code() {
    let mut all = Vec::new();
    for code in codes() {
        all.extend(
            faults(code.name, of(code), &analyzed).into_iter().map(|fault| format!("{}: {fault}", code.name)),
        );
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn a_code_is_used() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.rs"])
        .current_dir(root)
        .output()
        .unwrap();
    let names = String::from_utf8(listed.stdout).unwrap();
    let text = |name: &str| std::fs::read_to_string(root.join(name)).unwrap_or_default();
    let (declared, others): (Vec<_>, Vec<_>) = names
        .lines()
        .filter(|name| !name.contains("/tests/"))
        .partition(|name| name.ends_with("src/codes.rs"));
    let words = |text: String| {
        let split = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        split.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let used: BTreeSet<String> = others.into_iter().flat_map(|name| words(text(name))).collect();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let severity = words.next()?;
        ["Error", "Warning", "Note"].contains(&severity).then(|| words.next().map(str::to_owned))?
    };
    let idents: Vec<String> = declared
        .into_iter()
        .flat_map(|name| text(name).lines().filter_map(line).collect::<Vec<_>>())
        .collect();
    assert_eq!(idents.len(), codes().len());
    let unused: Vec<_> = idents.into_iter().filter(|ident| !used.contains(ident)).collect();
    assert!(unused.is_empty(), "no rule reports {unused:?}");
}

#[test]
fn a_code_has_one_name_in_kebab_case() {
    let mut names = BTreeSet::new();
    for code in codes() {
        let name = code.name;
        assert!(names.insert(name), "`{name}` is declared twice");
        let kebab = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        assert!(name.split('-').all(kebab), "`{name}` is not kebab-case");
    }
}

mod the_harness {
    use super::*;

    const PAGE: &str = "# odd-word\n\nWhat it means.\n\n```kdl\njob \"é\" {\n    odd 1\n//  ^^^ error[odd-word]: `odd` is odd\n    fine\n}\n```\n\n```kdl\njob \"b\"\n```\n";

    /// Returns a finding for each `odd` in the texts.
    fn unexpected(beside: &BTreeMap<String, String>, block: &Block) -> Vec<Note> {
        let mut notes = Vec::new();
        for (file, text) in beside.iter().chain([(&block.name, &block.text)]) {
            for (i, line) in text.lines().enumerate() {
                if let Some(at) = line.find("odd") {
                    let target = block.target.as_deref().unwrap_or_default();
                    let words = format!("error[odd-word]: `odd` is odd{target}");
                    notes.push(Note { file: file.clone(), line: i + 1, column: at + 1, width: 3, words });
                }
            }
        }
        notes
    }

    fn faults_of(page: &str) -> Vec<String> {
        faults("odd-word", page, &unexpected)
    }

    #[test]
    fn accepts_a_correct_page() {
        assert_eq!(faults_of(PAGE), [""; 0]);
    }

    #[test]
    fn fails_on_missing_extra_or_misplaced_carets() {
        for wrong in [" ^^  error", " ^^^^ error", "^^^ error"] {
            let page = PAGE.replace(" ^^^ error", wrong);
            assert_eq!(faults_of(&page).len(), 2, "{page}");
        }
    }

    #[test]
    fn fails_on_another_message_or_severity() {
        assert_eq!(faults_of(&PAGE.replace("is odd", "is even")).len(), 2);
        assert_eq!(faults_of(&PAGE.replace("error[", "warning[")).len(), 2);
    }

    #[test]
    fn fails_on_a_problem_that_no_caret_marks() {
        assert_eq!(faults_of(&PAGE.replace("    fine", "    odd")).len(), 1);
        assert_eq!(faults_of(&PAGE.replace("\"b\"", "\"odd\"")).len(), 1);
    }

    #[test]
    fn fails_on_a_page_without_faulty_or_valid_spec() {
        let bad_only = PAGE.split("```kdl\njob \"b\"").next().unwrap();
        assert_eq!(faults_of(bad_only), ["has no spec without this problem"]);
        let good_only = "# odd-word\n\nWords.\n\n```kdl\njob \"b\"\n```\n";
        assert_eq!(faults_of(good_only), ["has no spec with this problem"]);
        assert_eq!(faults_of("# odd-word\n").len(), 3);
    }

    #[test]
    fn fails_on_a_wrong_title_and_unknown_attributes() {
        assert_eq!(faults_of(&PAGE.replace("# odd-word", "# odd")), ["does not start with `# odd-word`"]);
        assert_eq!(faults_of(&PAGE.replacen("```kdl", "```kdl targte=x", 1)).len(), 1);
        assert_eq!(faults_of(PAGE.trim_end().trim_end_matches('`')).len(), 1);
    }

    #[test]
    fn runs_the_gate_of_the_target_that_a_block_names() {
        let page = PAGE.replacen("```kdl", "```kdl target=x", 1);
        assert_eq!(faults_of(&page).len(), 2);
        assert_eq!(faults_of(&page.replace("is odd\n", "is oddx\n")), [""; 0]);
    }

    #[test]
    fn offers_files_to_the_blocks_below_and_a_setting_to_the_next() {
        let beside = "```kdl file=b\nodd\n^^^ error[odd-word]: `odd` is odd\n```\n\n";
        let both = PAGE.replace(
            "```kdl\njob \"b\"",
            "```yaml spec\na: odd\n#  ^^^ error[odd-word]: `odd` is odd\n```\n\n```yaml\nodd",
        );
        let clean = "```kdl\n```\n";
        assert_eq!(faults_of(&both), ["has no spec without this problem"]);
        assert_eq!(faults_of(&format!("{PAGE}{beside}{clean}")), [""; 0]);
        let setting = beside.replace("kdl file=b", "set");
        assert_eq!(faults_of(&format!("{PAGE}{setting}{clean}{clean}")), [""; 0]);
        assert_eq!(faults_of(&format!("{PAGE}{beside}{}", clean.replace("\n```", "\nodd\n```"))).len(), 1);
    }

    #[test]
    fn counts_columns_in_characters_and_takes_the_first_line_of_a_span() {
        let mut sources = Sources::default();
        sources.add(MAIN, Format::Kdl, "é odd {\n  x\n}");
        let span = tfjob_lang::sources::Span::new(3, 14);
        let diagnostic = Diagnostic::new(&tfjob_lang::codes::SYNTAX, span, "odd");
        let note = found(&sources, &diagnostic);
        assert_eq!(note.to_string(), "job.tfjob.kdl:1:3 ^^^^^ error[syntax]: odd");
    }
}
