//! What the value of a setting must be, by the bounds of the code of Spark that reads it.
use super::super::text;
use Kind::{
    Bytes, Classes, Coordinates, Cores, Exclusions, Flag, Heap, Name, Number, Or, Period, PodPrefix, Port,
    Ratio, Share, Text, Time, Words, Zone,
};

const MEBI: u64 = 1 << 20;

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second.
    Number(i32, i32),
    /// 0, or a port that needs no privilege (`Utils.startServiceOnPort`).
    Port,
    /// A number above 0.
    Ratio,
    /// A number from 0 to 1.
    Share,
    /// `512m`, `4g`: at least so many MiB, and no more than the reader counts.
    Bytes(u64, u64),
    /// As `Bytes`, but the Java machine takes no `b` after it: at least so many MiB.
    Heap(u64),
    /// `90s`, `10min`: at least so many milliseconds.
    Time(u64),
    /// One of these, in upper or lower case.
    Words(&'static [&'static str]),
    /// One of these, or a number of seconds.
    Period(&'static [&'static str]),
    /// Maven's `group:artifact:version`, several joined by commas.
    Coordinates,
    /// Maven's `group:artifact`, several joined by commas.
    Exclusions,
    /// A time zone as Java reads it.
    Zone,
    /// One more value, or what the kind takes.
    Or(&'static str, &'static Kind),
    /// Names of Java classes, joined by commas.
    Classes,
    /// The beginning of the names of executors' pods.
    PodPrefix,
    /// The name of something in Kubernetes.
    Name,
    /// Cores as Kubernetes counts them: `2`, `0.5`, `500m`.
    Cores,
    /// Any text.
    Text,
}

/// The most MiB that a reader of MiB counts.
pub const MOST_MEBIBYTES: u64 = i32::MAX as u64;
/// The most MiB that a reader of bytes counts.
pub const MOST_BYTES: u64 = i64::MAX as u64 / MEBI;
/// A Java machine with a larger heap does not start on any machine that there is.
const MOST_HEAP: u64 = 16 << 20;

impl Kind {
    /// What is wrong with a value.
    pub fn fault(self, value: &str) -> Option<String> {
        let number = |least: i32, most: i32| value.parse::<i32>().is_ok_and(|n| (least..=most).contains(&n));
        let real = value.parse::<f64>().ok().filter(|n| n.is_finite());
        let (good, wanted) = match self {
            Flag => (among(&["true", "false"], value), "`true` or `false`".to_owned()),
            Number(least, i32::MAX) => {
                (number(least, i32::MAX), format!("a whole number of at least {least}"))
            }
            Number(least, most) => (number(least, most), format!("a whole number from {least} to {most}")),
            Port => (number(0, 0) || number(1024, 65_535), "0, or a port from 1024 to 65535".to_owned()),
            Ratio => (real.is_some_and(|n| n > 0.0), "a number above 0, such as `0.1`".to_owned()),
            Share => (
                real.is_some_and(|n| (0.0..=1.0).contains(&n)),
                "a number from 0 to 1, such as `0.8`".to_owned(),
            ),
            Bytes(least, most) => (sized(value, least, most, BYTES), size(least, most)),
            Heap(least) => (sized(value, least, MOST_HEAP, HEAP), size(least, MOST_HEAP)),
            Time(least) => {
                let wanted = "a whole number with its unit, such as `90s` or `10min`";
                let wanted =
                    if least > 1 { format!("{wanted}, of at least {least} ms") } else { wanted.to_owned() };
                (milliseconds(value).is_some_and(|n| n >= least), wanted)
            }
            Words(words) => (among(words, value), format!("one of `{}`", words.join("`, `"))),
            Period(words) => (
                words.contains(&value) || number(1, i32::MAX),
                format!("`{}` or a number of seconds", words.join("`, `")),
            ),
            Coordinates => {
                (value.split(',').all(coordinate), "`group:artifact:version`, joined by commas".to_owned())
            }
            Exclusions => (value.split(',').all(exclusion), "`group:artifact`, joined by commas".to_owned()),
            Zone => (zone(value), "a time zone such as `Europe/Berlin`, `UTC` or `+02:00`".to_owned()),
            Or(other, kind) => {
                let wanted = kind.fault(value).filter(|_| value != other);
                (wanted.is_none(), format!("{}, or `{other}`", wanted.unwrap_or_default()))
            }
            Classes => (
                value.split(',').all(|name| class(name.trim())),
                "names of classes, such as `org.example.Listener`".to_owned(),
            ),
            PodPrefix => (
                value.len() <= 47 && crate::names::host_fault(value).is_none(),
                "at most 47 of `a` to `z`, digits and inner `-`".to_owned(),
            ),
            Name => (
                crate::names::host_fault(value).is_none(),
                "a name of `a` to `z`, digits and inner `-`".to_owned(),
            ),
            Cores => (cores(value), "cores such as `2`, `0.5` or `500m`".to_owned()),
            Text => (true, String::new()),
        };
        (!good).then_some(wanted)
    }
}

type Units = &'static [(&'static str, u64)];

/// Units and their KiB (`JavaUtils.byteSuffixes`).
const BYTES: Units = &[
    ("k", 1),
    ("kb", 1),
    ("m", 1 << 10),
    ("mb", 1 << 10),
    ("g", 1 << 20),
    ("gb", 1 << 20),
    ("t", 1 << 30),
    ("tb", 1 << 30),
];
const HEAP: Units = &[("m", 1 << 10), ("g", 1 << 20)];
/// Units and their microseconds (`JavaUtils.timeSuffixes`).
const TIMES: Units = &[
    ("us", 1),
    ("ms", 1000),
    ("s", 1_000_000),
    ("m", 60_000_000),
    ("min", 60_000_000),
    ("h", 3_600_000_000),
    ("d", 86_400_000_000),
];

/// A whole number and its unit, in the least unit.
fn measured(value: &str, units: Units) -> Option<u64> {
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = value.split_at(digits);
    let (_, factor) = units.iter().find(|(word, _)| word.eq_ignore_ascii_case(unit))?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

fn sized(value: &str, least: u64, most: u64, units: Units) -> bool {
    measured(value, units).is_some_and(|kib| kib >= least << 10 && kib >> 10 <= most)
}

fn size(least: u64, most: u64) -> String {
    let wanted = "a whole number with its unit, such as `512m` or `4g`";
    let least = if least > 0 { format!(", of at least {least}m") } else { String::new() };
    let most = if most == MOST_HEAP { " and at most 16384g" } else { "" };
    format!("{wanted}{least}{most}")
}

/// A time in milliseconds. A reader counts in signed microseconds or coarser.
pub fn milliseconds(value: &str) -> Option<u64> {
    measured(value, TIMES).filter(|n| i64::try_from(*n).is_ok()).map(|n| n / 1000)
}

fn among(words: &[&str], value: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// `SparkSubmitUtils.extractMavenCoordinates`.
fn coordinate(value: &str) -> bool {
    let parts: Vec<&str> = value.split(':').collect();
    parts.len() == 3
        && parts.iter().all(|part| text::plain_fault(part).is_none() && !part.contains(['/', '@', '=']))
}

/// The same without a version, which Spark adds as `*`.
fn exclusion(value: &str) -> bool {
    coordinate(&format!("{value}:1"))
}

/// Zones without an area that `ZoneId.of` takes, those of `SHORT_IDS` included.
#[rustfmt::skip]
const ZONES: &[&str] = &[
    "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "EST", "HST",
    "IET", "IST", "JST", "MIT", "MST", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST", "UTC", "GMT",
    "UT", "Z", "EET", "CET", "WET", "MET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "Cuba", "Egypt",
    "Eire", "GB", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "NZ",
    "Navajo", "PRC", "Poland", "Portugal", "ROK", "Singapore", "Turkey", "UCT", "Universal", "W-SU", "Zulu",
    "GB-Eire", "GMT0", "Greenwich", "NZ-CHAT",
];

/// The forms of `ZoneId.of` with `SHORT_IDS`: an offset, or a region. Regions are not listed: they change each year.
fn zone(value: &str) -> bool {
    let offset = ["UTC", "GMT", "UT", ""].iter().find_map(|start| {
        let rest = value.strip_prefix(start)?;
        rest.strip_prefix(['+', '-'])
    });
    if let Some(offset) = offset {
        let parts: Vec<&str> = offset.split(':').collect();
        let (hours, rest) = (parts.first().copied().unwrap_or_default(), parts.get(1..).unwrap_or_default());
        let two = |text: &str, most: u8| text.len() == 2 && text.parse::<u8>().is_ok_and(|n| n <= most);
        let hour = hours.len() <= 2 && hours.parse::<u8>().is_ok_and(|n| n <= 18);
        return hour && rest.len() <= 2 && rest.iter().all(|part| two(part, 59));
    }
    let region = |(area, place): (&str, &str)| {
        area.starts_with(|c: char| c.is_ascii_uppercase())
            && place.starts_with(|c: char| c.is_ascii_alphanumeric())
            && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"/_+-".contains(&b))
    };
    ZONES.contains(&value) || value.split_once('/').is_some_and(region)
}

fn class(value: &str) -> bool {
    let word = |part: &str| {
        let inner = part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
        !part.is_empty() && inner && !part.starts_with(|c: char| c.is_ascii_digit())
    };
    value.split('.').all(word)
}

fn cores(value: &str) -> bool {
    let whole = |text: &str| !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    let some = value.bytes().any(|b| matches!(b, b'1'..=b'9'));
    let plain = match (value.strip_suffix('m'), value.split_once('.')) {
        (Some(milli), _) => whole(milli),
        (None, Some((before, after))) => whole(before) && whole(after) && after.len() <= 3,
        (None, None) => whole(value),
    };
    some && plain
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use crate::spark::settings::table::KNOWN;

    #[test]
    fn a_value_is_what_its_reader_takes() {
        let wrong = |kind: Kind, value: &str| kind.fault(value).is_some();
        let (heap, bytes) = (Kind::Heap(512), Kind::Bytes(1, super::MOST_BYTES));
        assert!(!wrong(heap, "4g") && !wrong(heap, "4G") && wrong(heap, "4GB") && wrong(heap, "1024"));
        assert!(!wrong(bytes, "128MB") && !wrong(Kind::Time(1), "600S") && !wrong(Kind::Flag, "TRUE"));
        assert!(!wrong(Kind::Classes, "a.B, c.D"));
        assert!(
            wrong(heap, "0g") && wrong(heap, "511m") && !wrong(heap, "512m") && wrong(heap, "99999999999g")
        );
        assert!(!wrong(bytes, "4gb") && wrong(bytes, "1Gi") && wrong(bytes, "1.5g"));
        assert!(wrong(bytes, "99999999999999g") && wrong(bytes, "99999999999999999999g"));
        let time = Kind::Time(1);
        assert!(!wrong(time, "2min") && wrong(time, "2 minutes") && wrong(time, "90") && wrong(time, "0s"));
        assert!(wrong(time, "999999999999999d"));
        assert!(
            !wrong(Kind::Number(1, 9), "1")
                && wrong(Kind::Number(1, 9), "0")
                && wrong(Kind::Number(0, 9), "-1")
        );
        assert!(wrong(Kind::Number(1, 2047), "5000") && wrong(Kind::Number(1, i32::MAX), "2147483648"));
        assert!(!wrong(Kind::Flag, "true") && wrong(Kind::Flag, "yes"));
        assert!(wrong(Kind::Ratio, "half") && wrong(Kind::Ratio, "-1") && wrong(Kind::Ratio, "0"));
        assert!(!wrong(Kind::Share, "0.8") && wrong(Kind::Share, "1.1") && wrong(Kind::Share, "NaN"));
        assert!(
            !wrong(Kind::Port, "0")
                && !wrong(Kind::Port, "4040")
                && wrong(Kind::Port, "80")
                && wrong(Kind::Port, "99999")
        );
    }

    #[test]
    fn words_for_no_limit_are_values() {
        let known = |name: &str| KNOWN.iter().find(|(known, _)| *known == name).expect("a setting").1;
        for (name, value) in [
            ("spark.driver.maxResultSize", "0"),
            ("spark.sql.autoBroadcastJoinThreshold", "-1"),
            ("spark.sql.execution.arrow.maxRecordsPerBatch", "-1"),
            ("spark.executor.logs.rolling.maxRetainedFiles", "-1"),
            ("spark.port.maxRetries", "0"),
            ("spark.locality.wait", "0s"),
        ] {
            assert_eq!(known(name).fault(value), None, "{name}");
        }
        assert!(
            known("spark.driver.maxResultSize").fault("-1").is_some_and(|wanted| wanted.ends_with("or `0`"))
        );
    }

    #[test]
    fn zones_are_those_of_java() {
        for zone in
            ["UTC", "Europe/Berlin", "Etc/GMT+3", "+02:00", "GMT+2", "-3", "PST", "America/Argentina/Salta"]
        {
            assert_eq!(Kind::Zone.fault(zone), None, "{zone}");
        }
        for zone in ["Berlin", "", "+25:00", "europe/berlin", "UTC+", "+2:0", "Europe/", "+02:60"] {
            assert!(Kind::Zone.fault(zone).is_some(), "{zone}");
        }
    }

    #[test]
    fn names_and_lists_are_read_as_spark_reads_them() {
        let wrong = |kind: Kind, value: &str| kind.fault(value).is_some();
        assert!(!wrong(Kind::Words(&["WARN"]), "warn") && wrong(Kind::Words(&["WARN"]), "loud"));
        assert!(!wrong(Kind::Coordinates, "a.b:c:1.0,d:e_2.12:2") && wrong(Kind::Coordinates, "a,b"));
        assert!(wrong(Kind::Coordinates, "a:b") && wrong(Kind::Coordinates, "a:b:1,"));
        assert!(!wrong(Kind::PodPrefix, "mnist-1") && wrong(Kind::PodPrefix, "Bad_Name"));
        assert!(wrong(Kind::PodPrefix, &"a".repeat(48)));
        assert!(
            !wrong(Kind::Cores, "500m")
                && !wrong(Kind::Cores, "0.5")
                && wrong(Kind::Cores, "half")
                && wrong(Kind::Cores, "0")
        );
        assert!(
            !wrong(Kind::Classes, "a.B$C,d.E") && wrong(Kind::Classes, "a b") && wrong(Kind::Classes, "")
        );
        assert!(!wrong(Kind::Period(&["daily"]), "60") && wrong(Kind::Period(&["daily"]), "weekly"));
    }
}
