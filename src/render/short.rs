//! One line per finding: `file:line:column: error[code]: message`.
use super::{Finding, Report};
use crate::terminal::plain;
use std::io::{self, Write};

/// Writes the report.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    report.findings.iter().try_for_each(|finding| out.write_all(line(finding).as_bytes()))
}

/// Returns the line of a finding, with its line end.
pub fn line(finding: &Finding) -> String {
    let place = finding.main();
    format!(
        "{}:{}:{}: {}[{}]: {}\n",
        plain(&place.file.replace(['\n', '\r'], " ")),
        place.start.line,
        place.start.column,
        finding.severity().word(),
        finding.code(),
        plain(&finding.diagnostic.message.replace('\n', " ")),
    )
}

#[cfg(test)]
mod tests {
    use crate::render::Format;
    use crate::render::fixture::{batch, printed, two_files};

    #[test]
    fn a_finding_is_one_line() {
        let text = printed(&[batch(), two_files()], Format::Short);
        let lines = [
            "job.tfjob.kdl:2:10: error[unknown-role]: `wroker` is not a role\n",
            "job dir/job.tfjob.kdl:3:10: error[unknown-role]: `wroker` is not a role of {tensorflow}\n",
        ];
        assert_eq!(text, lines.concat());
    }
}
