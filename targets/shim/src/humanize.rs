//! Human-readable values for messages: `38 min`, `4 GiB`, `1,200`, `SIGTERM`.
use std::time::Duration;

/// Formats a duration, such as `1.7 s` or `38 min`.
pub fn duration(time: Duration) -> String {
    let (seconds, tenths) = (time.as_secs(), time.subsec_millis() / 100);
    match seconds {
        0..10 if tenths > 0 => format!("{seconds}.{tenths} s"),
        0..120 => format!("{seconds} s"),
        120..7_200 => two(seconds / 60, "min", seconds % 60, "s", seconds < 600),
        7_200..172_800 => two(seconds / 3600, "h", seconds / 60 % 60, "min", true),
        _ => two(seconds / 86_400, "d", seconds / 3600 % 24, "h", true),
    }
}

fn two(large: u64, unit: &str, small: u64, part: &str, both: bool) -> String {
    if both && small > 0 { format!("{large} {unit} {small} {part}") } else { format!("{large} {unit}") }
}

/// Formats a size in bytes, such as `4 GiB`.
pub fn bytes(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let Some((shift, unit)) = units.into_iter().find(|(shift, _)| bytes >> shift > 0) else {
        return format!("{bytes} bytes");
    };
    let (whole, tenths) = (bytes >> shift, ((bytes >> (shift - 10) & 1023) * 10) >> 10);
    if tenths > 0 { format!("{whole}.{tenths} {unit}") } else { format!("{whole} {unit}") }
}

/// Formats a number with thousands separators.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Names of common signals.
const SIGNALS: [(i32, &str); 19] = [
    (libc::SIGHUP, "SIGHUP"),
    (libc::SIGINT, "SIGINT"),
    (libc::SIGQUIT, "SIGQUIT"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGKILL, "SIGKILL"),
    (libc::SIGUSR1, "SIGUSR1"),
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGUSR2, "SIGUSR2"),
    (libc::SIGPIPE, "SIGPIPE"),
    (libc::SIGALRM, "SIGALRM"),
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGXCPU, "SIGXCPU"),
    (libc::SIGXFSZ, "SIGXFSZ"),
    (libc::SIGSYS, "SIGSYS"),
    (libc::SIGPWR, "SIGPWR"),
];

/// Returns the name of a signal, such as `SIGTERM`, or `signal 34` for a signal without a common name.
#[must_use]
pub fn signal(number: i32) -> String {
    let known = SIGNALS.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}

/// Returns the number of a signal that has a name, such as 15 for `SIGTERM`.
#[must_use]
pub fn signal_number(name: &str) -> Option<i32> {
    SIGNALS.iter().find(|(_, known)| *known == name).map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, duration};
    use std::time::Duration;

    #[test]
    fn times_have_the_units_of_people() {
        let said = [
            (0, "0 s"),
            (60, "0 s"),
            (1_000, "1 s"),
            (3_270, "3.2 s"),
            (20_900, "20 s"),
            (119_999, "119 s"),
            (135_000, "2 min 15 s"),
            (2_280_000, "38 min"),
            (7_200_000, "2 h"),
            (18_720_000, "5 h 12 min"),
            (266_400_000, "3 d 2 h"),
        ];
        for (millis, expected) in said {
            assert_eq!(duration(Duration::from_millis(millis)), expected);
        }
    }

    #[test]
    fn sizes_and_counts_are_read_at_a_glance() {
        let said = [
            (0, "0 bytes"),
            (1 << 32, "4 GiB"),
            (3 << 29, "1.5 GiB"),
            (64 << 20, "64 MiB"),
            (1023, "1023 bytes"),
        ];
        for (number, expected) in said {
            assert_eq!(bytes(number), expected);
        }
        for (number, expected) in [(0, "0"), (999, "999"), (1_200, "1,200"), (1_234_567, "1,234,567")] {
            assert_eq!(count(number), expected);
        }
    }
}
