//! GitHub Actions workflow commands, which GitHub shows as annotations of a pull request.
mod job_summary;

pub use job_summary::job_summary;

use super::{Finding, Report, short};
use std::io::{self, Write};
use tfjob_lang::diagnostic::Severity;

/// Number of annotations of one severity that GitHub shows for a step. GitHub drops all other annotations without a message.
const SHOWN: usize = 10;

/// Writes the report: commands for the findings that GitHub shows as annotations, errors first, and all others as lines of the log.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut others = Vec::new();
    for findings in by_severity(report) {
        let (shown, rest) = findings.split_at(findings.len().min(SHOWN));
        shown.iter().try_for_each(|finding| command(finding, out))?;
        others.extend_from_slice(rest);
    }
    if others.is_empty() {
        return Ok(());
    }
    let count = others.len();
    writeln!(out, "GitHub shows {SHOWN} annotations per severity; findings without an annotation: {count}")?;
    others.into_iter().try_for_each(|finding| out.write_all(inert(&short::line(finding)).as_bytes()))
}

/// Returns the findings of each severity, errors first.
fn by_severity<'a, 'r>(report: &'r Report<'a>) -> [Vec<&'r Finding<'a>>; 3] {
    let of = |severity| report.findings.iter().filter(|finding| finding.severity() == severity).collect();
    [of(Severity::Error), of(Severity::Warning), of(Severity::Note)]
}

/// Changes a line of the log that GitHub would run as a workflow command: `##[` anywhere, or `::` at the start. File names and
/// messages come from the checked repository, which is not trusted.
fn inert(line: &str) -> String {
    let line = line.replace("##[", "# #[");
    if line.trim_start().starts_with("::") { format!("./{line}") } else { line }
}

fn command(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let place = finding.main();
    let command = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut words = finding.diagnostic.message.clone();
    if let Some(help) = &finding.diagnostic.help {
        words.push_str("\nhelp: ");
        words.push_str(help);
    }
    let (start, end) = (place.start, place.end);
    write!(out, "::{command} file={},line={}", property(place.file), start.line)?;
    // GitHub accepts columns only for an annotation of a single line.
    if start.line == end.line {
        write!(out, ",col={},endLine={},endColumn={}", start.column, end.line, end.column)?;
    } else {
        write!(out, ",endLine={}", end.line)?;
    }
    writeln!(out, ",title={}::{}", property(finding.code()), data(&words))
}

/// Escapes the message of a workflow command: `%` and line ends.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command. `:` and `,` are escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::fixture::many;
    use crate::render::fixture::{batch, printed};
    use tfjob_driver::Batch;

    #[test]
    fn messages_and_properties_are_escaped() {
        assert_eq!(property("a,b:c\r\nd%"), "a%2Cb%3Ac%0D%0Ad%25");
        assert_eq!(data("x::y\n::error::z"), "x::y%0A::error::z");
    }

    #[test]
    fn lines_of_the_log_are_no_commands() {
        assert_eq!(inert("::error::x"), "./::error::x");
        assert_eq!(inert(" ::error::x"), "./ ::error::x");
        assert_eq!(inert("a:1: ##[add-mask]x ::"), "a:1: # #[add-mask]x ::");
    }

    #[test]
    fn findings_beyond_the_annotations_of_github_are_lines_after_them() {
        let text = printed(&[many(11, 12)], crate::render::Format::Github);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[..10].iter().all(|line| line.starts_with("::error file=job.tfjob.kdl,line=")),
            "{text}"
        );
        assert!(lines[10..20].iter().all(|line| line.starts_with("::warning ")), "{text}");
        assert_eq!(lines[20], "GitHub shows 10 annotations per severity; findings without an annotation: 3");
        assert_eq!(lines[21], "job.tfjob.kdl:23:1: error[unknown-role]: error 11");
        assert_eq!(lines[22], "job.tfjob.kdl:11:1: warning[lost-exit-code]: warning 11");
        assert_eq!(lines.len(), 24);
    }

    #[test]
    fn a_finding_is_one_line() {
        let batches: [Batch; 1] = [batch()];
        let text = printed(&batches, crate::render::Format::Github);
        assert_eq!(
            text,
            "::error file=job.tfjob.kdl,line=2,col=10,endLine=2,endColumn=16,title=unknown-role::\
             `wroker` is not a role%0Ahelp: roles are chief, worker, ps and evaluator\n"
        );
    }
}
