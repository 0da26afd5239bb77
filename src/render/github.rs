//! GitHub Actions workflow commands, which GitHub shows as annotations of a pull request.
use super::{Finding, Report};
use std::io::{self, Write};
use tfjob_lang::diagnostic::Severity;

/// Writes the report.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    report.findings.iter().try_for_each(|finding| line(finding, out))
}

fn line(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
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
    use crate::render::fixture::{batch, printed};
    use tfjob_driver::Batch;

    #[test]
    fn messages_and_properties_are_escaped() {
        assert_eq!(property("a,b:c\r\nd%"), "a%2Cb%3Ac%0D%0Ad%25");
        assert_eq!(data("x::y\n::error::z"), "x::y%0A::error::z");
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
