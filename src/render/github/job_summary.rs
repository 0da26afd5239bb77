//! The job summary of GitHub Actions: a table of all findings in Markdown.
use super::{SHOWN, by_severity};
use crate::render::{Finding, Report};
use crate::terminal::plain;

/// Bytes that are kept free for the line about the findings that do not fit.
const TAIL: usize = 200;

/// Returns the table of all errors and warnings, errors first, in at most `room` bytes; `None` if GitHub shows all of them as
/// annotations, or if there is no room for a row. If findings do not fit, a line below the table says how many.
pub fn job_summary(report: &Report, room: usize) -> Option<String> {
    let [errors, warnings, _] = by_severity(report);
    if [&errors, &warnings].iter().all(|findings| findings.len() <= SHOWN) {
        return None;
    }
    let counts = [(errors.len(), "errors"), (warnings.len(), "warnings")];
    let counts: Vec<String> =
        counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{name}: {n}")).collect();
    let mut text =
        format!("### tfjob\n\n{}\n\n| severity | place | finding |\n|---|---|---|\n", counts.join(", "));
    let all = [errors, warnings].concat();
    let mut listed = 0;
    for row in all.iter().map(|finding| row(finding)) {
        if text.len() + row.len() + TAIL > room {
            break;
        }
        text.push_str(&row);
        listed += 1;
    }
    text.push('\n');
    if listed < all.len() {
        let rest = all.len() - listed;
        text.push_str(&format!(
            "Findings left out: {rest}, because GitHub accepts at most 1 MiB per step. The log lists all.\n\n"
        ));
    }
    (listed > 0).then_some(text)
}

/// Returns a row of the table, with its line end.
fn row(finding: &Finding) -> String {
    let place = finding.main();
    format!(
        "| {} | {}:{}:{} | `{}` {} |\n",
        finding.severity().word(),
        escaped(place.file),
        place.start.line,
        place.start.column,
        finding.code(),
        cell(&finding.diagnostic.message),
    )
}

/// Returns a message for a cell: text in backticks becomes code, if each backtick has a partner.
fn cell(message: &str) -> String {
    let parts: Vec<&str> = message.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(message);
    }
    let part = |(i, part): (usize, &&str)| match i % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Escapes the characters with which Markdown marks code, emphasis, links, images, HTML, formulas, and cells. GitHub still makes
/// links of addresses, such as `https://…` and `www.…`. File names and messages come from the checked repository, which is not
/// trusted.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '!' | '#' | '$' | '@' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::fixture::many;
    use crate::render::legible::Legible;

    fn summary(errors: u32, warnings: u32, room: usize) -> Option<String> {
        let batches = [many(errors, warnings)];
        Report::new(&Legible::of(&batches)).job_summary(room)
    }

    #[test]
    fn findings_that_github_shows_need_no_summary() {
        assert_eq!(summary(10, 10, 1 << 20), None);
    }

    #[test]
    fn all_findings_are_listed_errors_first() {
        let text = summary(1, 11, 1 << 20).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["### tfjob", "", "errors: 1, warnings: 11"]);
        assert_eq!(lines[6], "| error | job.tfjob.kdl:12:1 | `unknown-role` error 1 |");
        assert_eq!(lines[7], "| warning | job.tfjob.kdl:1:1 | `lost-exit-code` warning 1 |");
        assert_eq!(lines.len(), 6 + 12 + 1);
    }

    #[test]
    fn a_summary_with_20_000_findings_fits_and_says_how_many_are_left_out() {
        let text = summary(20_000, 11, 1 << 20).unwrap();
        assert!((1_048_000..=1 << 20).contains(&text.len()), "{}", text.len());
        let rows = text.lines().filter(|line| line.starts_with("| error")).count();
        let tail = format!("Findings left out: {}, because", 20_011 - rows);
        assert!(text.contains(&tail), "{rows} rows: {}", &text[text.len() - 200..]);
        assert_eq!(summary(20_000, 11, 100), None);
    }

    #[test]
    fn text_of_the_repository_has_no_markup() {
        assert_eq!(cell("`a|b` is <b>"), "<code>a\\|b</code> is \\<b\\>");
        assert_eq!(cell("odd ` ![](x)\n"), "odd \\` \\!\\[\\](x) ");
    }
}
