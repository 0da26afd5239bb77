//! SARIF 2.1.0 report, for code scanning: codes as rules, findings as results with regions and fixes.
use super::gitlab::{fingerprints, relative};
use super::{Finding, Place, Report, gist, write_json};
use crate::texts;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use tfjob_lang::diagnostic::{Code, Edit, Fix, Severity};

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finished<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Words,
    full_description: Words,
    help: Words,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Words {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'static str>,
}

/// A SARIF result: one finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finished<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Words,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Change<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Words>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    description: Words,
    artifact_changes: Vec<ArtifactChange<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Content<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    text: &'a str,
}

/// The fingerprint that GitHub compares to recognize an alert of an earlier upload.
const FINGERPRINT: &str = "primaryLocationLineHash";

/// Writes the report.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let codes: BTreeMap<&str, &'static Code> =
        report.findings.iter().map(|f| (f.code(), f.diagnostic.code)).collect();
    let places: BTreeMap<&str, usize> = codes.keys().enumerate().map(|(i, name)| (*name, i)).collect();
    let results = report
        .findings
        .iter()
        .zip(fingerprints(report))
        .map(|(finding, fingerprint)| result(finding, places[finding.code()], fingerprint))
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let rules = codes.into_values().map(rule).collect();
    let driver = Driver { name: "tfjob", version, semantic_version: version, rules };
    let run = Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results };
    write_json(
        &Log {
            schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            version: "2.1.0",
            runs: [run],
        },
        out,
    )
}

fn rule(code: &'static Code) -> Rule {
    Rule {
        id: code.name,
        short_description: Words { text: gist(code), markdown: None },
        full_description: Words { text: gist(code), markdown: None },
        help: Words { text: texts::page(code).to_owned(), markdown: Some(texts::page(code)) },
        default_configuration: Configuration { level: level(code.severity) },
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result<'a>(finding: &Finding<'a>, rule_index: usize, fingerprint: String) -> Finished<'a> {
    let diagnostic = finding.diagnostic;
    let labels = diagnostic.labels.iter().enumerate();
    let mut locations = labels.map(|(i, label)| Location {
        id: (i > 0).then_some(i),
        physical_location: physical(finding.place(label.span)),
        message: (!label.text.is_empty()).then(|| message(&label.text)),
    });
    let main = Location { id: None, physical_location: physical(finding.main()), message: None };
    let main = locations.next().unwrap_or(main);
    let related_locations = locations.collect();
    let text = diagnostic
        .help
        .as_ref()
        .map_or_else(|| diagnostic.message.clone(), |help| format!("{}\nhelp: {help}", diagnostic.message));
    // Tools may apply these fixes, so suggestions are only part of the help. SARIF cannot express a fix without edits.
    let fixes = diagnostic.fixes.iter().filter(|fix| fix.is_automatic() && !fix.edits.is_empty());
    Finished {
        rule_id: finding.code(),
        rule_index,
        level: level(finding.severity()),
        message: message(&text),
        locations: [main],
        related_locations,
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint)]),
        fixes: fixes.map(|fix| change(finding, fix)).collect(),
    }
}

/// Returns a plain text message. A literal brace is doubled (SARIF 2.1.0, section 3.11.5).
fn message(text: &str) -> Words {
    Words { text: text.replace('{', "{{").replace('}', "}}"), markdown: None }
}

fn change<'a>(finding: &Finding<'a>, fix: &'a Fix) -> Change<'a> {
    let mut files: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        files.entry(finding.place(edit.span).file).or_default().push(edit);
    }
    let replacement = |edit: &'a Edit| Replacement {
        deleted_region: region(finding.place(edit.span)),
        inserted_content: Content { text: &edit.text },
    };
    let changes = files.into_iter().map(|(file, edits)| ArtifactChange {
        artifact_location: Artifact { uri: uri(file) },
        replacements: edits.into_iter().map(replacement).collect(),
    });
    Change { description: message(&fix.title), artifact_changes: changes.collect() }
}

fn physical(place: Place) -> Physical {
    Physical { artifact_location: Artifact { uri: uri(place.file) }, region: region(place) }
}

const fn region(place: Place) -> Region {
    Region {
        start_line: place.start.line,
        start_column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
    }
}

/// Returns a path as a URI reference (RFC 3986, RFC 8089). A path in the current directory becomes relative, because code scanning
/// accepts only paths in the repository. Another absolute path gets `file://`.
fn uri(path: &str) -> String {
    use std::fmt::Write;
    let path = relative(path);
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if drive {
        uri.push_str("file:///");
    }
    for byte in path.strip_prefix("./").unwrap_or(&path).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => write!(uri, "%{byte:02X}").expect("writing to a String does not fail"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Format;
    use crate::render::fixture::{batch, printed, two_files};
    use serde_json::{Value, json};

    fn log() -> Value {
        serde_json::from_str(&printed(&[batch(), two_files()], Format::Sarif)).unwrap()
    }

    /// Tests rules of the standard that the JSON Schema does not express, or that viewers enforce.
    #[test]
    fn a_log_keeps_the_rules_of_the_standard() {
        let log = log();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(!run["tool"]["driver"]["name"].as_str().unwrap().is_empty());
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let related = result["relatedLocations"].as_array().cloned().unwrap_or_default();
            let ids: Vec<_> = related.iter().map(|l| l["id"].as_u64().unwrap()).collect();
            assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>(), "ids are unique in a result");
            for location in result["locations"].as_array().unwrap().iter().chain(&related) {
                check_place(&location["physicalLocation"]);
            }
        }
        for rule in rules {
            assert!(rule["shortDescription"]["text"].is_string() && rule["help"]["markdown"].is_string());
        }
    }

    fn check_place(place: &Value) {
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.is_empty() && !uri.contains([' ', '\\']), "{uri}");
        let n = |key: &str| place["region"][key].as_u64().unwrap();
        assert!(n("startLine") >= 1 && n("startColumn") >= 1);
        assert!((n("startLine"), n("startColumn")) <= (n("endLine"), n("endColumn")));
    }

    #[test]
    fn a_fix_is_a_replacement() {
        let log = log();
        let fix = &log["runs"][0]["results"][0]["fixes"][0];
        let region = json!({"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 16});
        let replacement = json!({"deletedRegion": region, "insertedContent": {"text": "worker"}});
        let change = json!({"artifactLocation": {"uri": "job.tfjob.kdl"}, "replacements": [replacement]});
        assert_eq!(fix["artifactChanges"], json!([change]));
    }

    #[test]
    fn columns_are_code_points_and_braces_are_doubled() {
        let log = log();
        assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
        let second = &log["runs"][0]["results"][1];
        let job = &second["relatedLocations"][0];
        assert_eq!(job["physicalLocation"]["region"]["endColumn"], 10);
        assert_eq!(second["message"]["text"], "`wroker` is not a role of {{tensorflow}}");
        let base = &second["relatedLocations"][1]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(base, "base.tfjob.kdl");
    }

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("./a b/é.kdl"), "a%20b/%C3%A9.kdl");
        assert_eq!(uri("/a/b:c%d"), "file:///a/b%3Ac%25d");
        let drive = if cfg!(windows) { "file:///C%3A/a/b" } else { "C%3A%5Ca%5Cb" };
        assert_eq!(uri("C:\\a\\b"), drive);
    }
}
