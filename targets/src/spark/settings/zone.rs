//! Parses time zones as Spark does: `DateTimeUtils.getZoneId`, then Java's `ZoneId.of` with `SHORT_IDS`.

/// Regions of Java 17 (tzdb 2025): first the names without an area, then the names by area.
const REGIONS: &str = include_str!("zones.txt");

/// Areas to which new regions may be added. All other areas contain only legacy names.
const GROWING: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

/// Result of parsing a text as a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// An offset from UTC, or a region in `zones.txt`.
    Known,
    /// Possibly a region that was added after `zones.txt` was written.
    Unlisted,
    /// Not a time zone.
    Wrong,
}

/// Parses a time zone.
pub fn zone(value: &str) -> Zone {
    let prefix = ["UTC", "GMT", "UT", ""].iter().find_map(|start| value.strip_prefix(start));
    if let Some(rest) = prefix.filter(|rest| rest.starts_with(['+', '-'])) {
        return if offset(rest).is_some_and(|seconds| seconds <= 18 * 3600) {
            Zone::Known
        } else {
            Zone::Wrong
        };
    }
    if matches!(value, "UTC" | "GMT" | "UT" | "Z") || regions().any(|region| region == value) {
        return Zone::Known;
    }
    let form = |(area, place): (&str, &str)| {
        GROWING.contains(&area)
            && place.starts_with(|c: char| c.is_ascii_uppercase())
            && place.bytes().all(|b| b.is_ascii_alphanumeric() || b"/_+-".contains(&b))
    };
    match value.split_once('/').is_some_and(form) && near(value).is_none() {
        true => Zone::Unlisted,
        false => Zone::Wrong,
    }
}

/// Returns the region with the name that is most similar to an unknown name, or `None` if no name is similar.
pub fn near(value: &str) -> Option<String> {
    let differs = |region: &String| super::distance(value, region);
    let close = regions().filter(|region| region.contains('/') && differs(region) <= 2);
    close.min_by_key(differs).filter(|_| value.contains('/'))
}

/// Returns the full names of all regions.
fn regions() -> impl Iterator<Item = String> {
    REGIONS.lines().flat_map(|line| {
        let (area, names) = line.split_once(": ").unwrap_or(("", line));
        let whole = move |name| if area.is_empty() { str::to_owned(name) } else { format!("{area}/{name}") };
        names.split(' ').map(whole)
    })
}

/// Returns an offset in seconds, without its sign. `None` if the text is not an offset. Spark adds the missing zeros to `h:` and
/// `hh:m`. Java accepts `h`, `hh`, `hhmm`, `hhmmss`, `hh:mm`, and `hh:mm:ss`.
fn offset(text: &str) -> Option<u32> {
    let digits = text.get(1..)?;
    let filled = match digits.as_bytes() {
        [hour, b':', ..] if hour.is_ascii_digit() => format!("0{digits}"),
        [hour] if hour.is_ascii_digit() => format!("0{digits}"),
        _ => digits.to_owned(),
    };
    let filled = match filled.as_bytes() {
        [_, _, b':', minute] => format!("{}:0{}", &filled[..2], char::from(*minute)),
        _ => filled,
    };
    let parts: Vec<&str> = match filled.len() {
        2 => vec![&filled],
        4 => vec![filled.get(..2)?, filled.get(2..)?],
        6 if !filled.contains(':') => vec![filled.get(..2)?, filled.get(2..4)?, filled.get(4..)?],
        5 | 8 => filled.split(':').collect(),
        _ => return None,
    };
    let mut seconds = 0;
    for (i, part) in parts.iter().enumerate() {
        let two = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        let number = part.parse::<u32>().ok().filter(|n| two && (i == 0 || *n < 60))?;
        seconds += number * [3600, 60, 1].get(i)?;
    }
    Some(seconds)
}
