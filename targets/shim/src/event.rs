//! What happens, as one line of JSON an event on standard error, for machines; people read the last line.
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// Who speaks.
#[derive(Debug)]
pub struct Events {
    /// `worker-1`; `None`: nothing is said but the last line.
    task: Option<String>,
}

/// Where a task stands when something happens.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// How often the program has been started.
    pub attempt: u32,
    /// How often it still may be; `None`: any number.
    pub left: Option<u32>,
    /// The step of the newest whole checkpoint, where it is known.
    pub step: Option<u64>,
}

impl Events {
    /// The events of this task; of none where there is no contract.
    pub const fn of(task: Option<String>) -> Self {
        Self { task }
    }

    /// Says one event, and where the task stood.
    pub fn say(&self, event: &str, reason: &str, at: Standing) {
        let Some(task) = &self.task else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let left = at.left.map_or_else(|| "null".to_owned(), |left| left.to_string());
        let mut line = format!(
            "{{\"ts\":\"{}.{:03}Z\",\"task\":{},\"event\":\"{event}\",\"reason\":{}",
            date(now.as_secs()),
            now.subsec_millis(),
            quoted(task),
            quoted(reason)
        );
        line.push_str(&format!(",\"attempt\":{},\"budget_left\":{left}", at.attempt));
        if let Some(step) = at.step {
            line.push_str(&format!(",\"step\":{step}"));
        }
        line.push_str("}\n");
        // A closed standard error leaves nobody to tell.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// `2026-01-31T23:59:59` of seconds since 1970, by Howard Hinnant's `civil_from_days`.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

/// A JSON text.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::{date, quoted};

    #[test]
    fn seconds_are_a_date() {
        assert_eq!(date(0), "1970-01-01T00:00:00");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00");
    }

    #[test]
    fn a_text_is_json_whatever_it_holds() {
        let text = "a\"\\\n\u{1}\u{7f}ü";
        assert_eq!(serde_json::from_str::<String>(&quoted(text)).unwrap(), text);
    }
}
