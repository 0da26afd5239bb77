//! Workflow commands: GitHub shows each on the line of the change that it names.
use super::{Finding, Report};
use std::io::{self, Write};
use tfjob_lang::diagnostic::Severity;

/// Writes the report.
///
/// # Errors
/// Those of `out`.
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
    // GitHub takes columns only within one line.
    if start.line == end.line {
        write!(out, ",col={},endLine={},endColumn={}", start.column, end.line, end.column)?;
    } else {
        write!(out, ",endLine={}", end.line)?;
    }
    writeln!(out, ",title={}::{}", property(finding.code()), data(&words))
}

/// What stands after `::`: a line's end and the escape itself are written as codes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands in a property: also without the marks that end one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::fixture::{batch, printed};
    use tfjob_driver::Batch;

    #[test]
    fn words_cannot_end_a_command_or_a_property() {
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
