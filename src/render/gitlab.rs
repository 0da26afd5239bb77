//! GitLab Code Quality report, which GitLab shows in a merge request.
use super::{Report, write_json};
use crate::hash::fnv1a;
use serde::Serialize;
use std::collections::BTreeMap;
use std::env;
use std::io::{self, Write};
use std::sync::LazyLock;
use tfjob_lang::diagnostic::Severity;

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// Writes the report.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let fingerprints = fingerprints(report);
    let issues: Vec<_> = report
        .findings
        .iter()
        .zip(fingerprints)
        .map(|(finding, fingerprint)| Issue {
            description: &finding.diagnostic.message,
            check_name: finding.code(),
            fingerprint,
            severity: match finding.severity() {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Location {
                path: relative(finding.main().file),
                lines: Lines { begin: finding.main().start.line },
            },
        })
        .collect();
    write_json(&issues, out)
}

/// The current directory.
static HERE: LazyLock<String> =
    LazyLock::new(|| env::current_dir().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default());

/// Makes a path in the current directory relative to this directory. Removes `./` at the start of any path. Review tools find only
/// files with such relative paths.
pub(super) fn relative(path: &str) -> &str {
    let path = match path.strip_prefix(HERE.as_str()) {
        Some(rest) if rest.starts_with('/') && !HERE.is_empty() => rest.trim_start_matches('/'),
        Some(_) | None => path,
    };
    path.trim_start_matches("./")
}

/// Returns one fingerprint per finding, in order: a hash of file, code, and message. The hash does not include the line, so that
/// edits above the finding do not change the fingerprint. A number distinguishes findings that are otherwise equal.
pub(super) fn fingerprints(report: &Report) -> Vec<String> {
    let mut counts = BTreeMap::new();
    let mut one = |finding: &super::Finding| {
        let key =
            format!("{}\0{}\0{}", relative(finding.main().file), finding.code(), finding.diagnostic.message);
        let count: &mut u32 = counts.entry(key.clone()).or_default();
        *count += 1;
        format!("{:016x}", fnv1a(format!("{key}\0{count}").as_bytes()))
    };
    report.findings.iter().map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use super::relative;
    use crate::render::Format;
    use crate::render::fixture::{batch, printed};

    #[test]
    fn equal_findings_have_different_fingerprints() {
        let mut one = batch();
        let mut again = one.diagnostics[0].clone();
        again.labels[0].span.start += 1;
        one.diagnostics.push(again);
        let batches = [one];
        let issues: serde_json::Value = serde_json::from_str(&printed(&batches, Format::Gitlab)).unwrap();
        assert_eq!(issues[0]["check_name"], "unknown-role");
        assert_eq!(issues[0]["severity"], "major");
        assert_eq!(
            issues[0]["location"],
            serde_json::json!({"path": "job.tfjob.kdl", "lines": {"begin": 2}})
        );
        assert_ne!(issues[0]["fingerprint"], issues[1]["fingerprint"]);
    }

    #[test]
    fn a_path_in_the_current_directory_is_relative() {
        let here = std::env::current_dir().expect("a current directory");
        let at = |name: &str| here.join(name).to_string_lossy().into_owned();
        assert_eq!(relative(&at("jobs/a.tfjob.kdl")), "jobs/a.tfjob.kdl");
        assert_eq!(relative("./a.tfjob.kdl"), "a.tfjob.kdl");
        for outside in
            [format!("{}x/a.kdl", here.display()), "/elsewhere/a.kdl".to_owned(), "../a.kdl".to_owned()]
        {
            assert_eq!(relative(&outside), outside);
        }
    }
}
