//! Quantities: memory in bytes, durations in seconds, cores in tenths.
use super::{BINARY_OR, Wrong};
use crate::escape::Escaped;
use crate::shape::one_of;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;

/// An amount of memory or disk, at least 1 MiB, in whole units of 1024: `512MiB`, `16GiB`, `1TiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memory(u64);

/// Units of memory, the largest first.
const BINARY: [(&str, u64); 4] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
/// Minimum size in bytes, because schedulers count in MiB.
const MEMORY_MIN: u64 = 1 << 20;
/// Maximum size in bytes. A larger size is a typo. The limit also prevents an overflow when sizes are added.
const MEMORY_MAX: u64 = 1 << 50;

/// Splits a quantity into number and unit; `None` if the text begins with neither a digit nor a `.`.
fn split(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

impl Memory {
    /// Parses a size.
    ///
    /// # Errors
    /// Returns an error for a missing or ambiguous unit, a fraction, less than 1 MiB, or more than 1024 TiB.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let factor = BINARY.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
        let plain = !number.starts_with('0');
        match (number.parse::<u64>(), factor) {
            (Ok(number), Some(factor)) if plain => match number.checked_mul(factor) {
                Some(bytes) if bytes < MEMORY_MIN => {
                    Err(Wrong::new(format!("`{text}` is below the minimum of 1MiB"), "use at least `1MiB`"))
                }
                Some(bytes) if bytes <= MEMORY_MAX => Ok(Self(bytes)),
                _ => Err(Wrong::new(
                    format!("`{text}` exceeds the maximum of 1024TiB"),
                    "use at most `1024TiB`",
                )),
            },
            _ => Err(Self::explain(text)),
        }
    }

    fn explain(text: &str) -> Wrong {
        const HELP: &str = "write an integer and a unit (`KiB`, `MiB`, `GiB`, or `TiB`), such as `16GiB`";
        let shown = text.escaped();
        let fact = format!("invalid size `{shown}`");
        let Some((number, unit)) = split(text) else { return Wrong::new(fact, HELP) };
        if number.bytes().all(|b| matches!(b, b'0' | b'.')) {
            return Wrong::new(format!("size `{shown}` must be greater than 0"), HELP);
        }
        let unit = unit.to_ascii_uppercase();
        if unit.is_empty() || unit == "B" {
            return Self::unitless(number, unit.is_empty());
        }
        let Some((letter, rest)) = unit.split_at_checked(1) else { return Wrong::new(fact, HELP) };
        let Some((name, factor)) = BINARY.iter().find(|(name, _)| name.starts_with(letter)) else {
            return Wrong::new(fact, HELP);
        };
        match rest {
            "IB" | "I" => {
                let near =
                    number.parse::<f64>().ok().map(|n| n * *factor as f64).filter(|n| n.fract() == 0.0);
                let near = near.and_then(Self::from_whole_bytes).map_or_else(String::new, |m| m.to_string());
                Wrong::new(fact, HELP).instead(text, near, Self::parse)
            }
            "" | "B" => {
                let Ok(amount) = number.parse::<f64>() else { return Wrong::new(fact, HELP) };
                let (help, choices) = Self::readings(number, amount, (name, *factor));
                Wrong::new(format!("`{shown}` is ambiguous ({letter}B or {name}?)"), help)
                    .choose(choices, Self::parse)
            }
            _ => Wrong::new(fact, HELP),
        }
    }

    /// Returns the help for an ambiguous size and its valid readings: in units of 1024, and in units of 1000.
    fn readings(number: &str, amount: f64, (name, factor): (&str, u64)) -> (String, Vec<String>) {
        let power = BINARY.iter().rev().position(|(other, _)| *other == name).unwrap_or(0) as i32 + 1;
        let (binary, decimal) = (amount * factor as f64, amount * 1000_f64.powi(power));
        let valid = |text: &String| Self::parse(text).is_ok();
        let mebi = |bytes: f64| Some(format!("{}MiB", (bytes / f64::from(1 << 20)).ceil())).filter(valid);
        let is_large = binary >= MEMORY_MIN as f64;
        let written =
            Some(format!("{number}{name}")).filter(valid).or_else(|| mebi(binary)).filter(|_| is_large);
        let converted = mebi(decimal).filter(|_| is_large);
        let help = match (&written, &converted) {
            (Some(binary), Some(decimal)) if binary == decimal => format!("write `{binary}` (rounded up)"),
            (Some(binary), Some(decimal)) => {
                format!(
                    "write `{binary}`{BINARY_OR}`{decimal}` for {number} × 1000^{power} bytes (rounded up)"
                )
            }
            (None, Some(decimal)) => {
                format!("write `{decimal}` for {number} × 1000^{power} bytes (rounded up)")
            }
            (Some(_) | None, None) if is_large => "use at most `1024TiB`".to_owned(),
            (Some(_) | None, None) => "use at least `1MiB`".to_owned(),
        };
        let mut choices: Vec<String> = written.into_iter().chain(converted).collect();
        choices.dedup();
        (help, choices)
    }

    fn unitless(number: &str, bare: bool) -> Wrong {
        let fact = if bare {
            format!("`{number}` has no unit")
        } else {
            format!("`{number}B`: unit `B` is not supported")
        };
        let Ok(bytes) = number.parse::<u64>() else {
            return Wrong::new(fact, "write an integer and a unit, such as `16GiB`");
        };
        let mebi = bytes.checked_mul(1 << 20).filter(|b| *b <= MEMORY_MAX && bare).map(Self);
        let kibi = bytes.div_ceil(1024).checked_mul(1024);
        let kibi = kibi.filter(|b| (MEMORY_MIN..=MEMORY_MAX).contains(b)).map(Self);
        let help = match (mebi, kibi) {
            (Some(mebi), Some(kibi)) => {
                format!("write `{mebi}` if the number is in MiB, or `{kibi}` if it is in bytes (rounded up)")
            }
            (None, Some(kibi)) => format!("write `{kibi}` (rounded up)"),
            // A number below 1024 without a unit is more likely to be in GiB than in MiB.
            (Some(mebi), None) if bytes < 1024 => format!("write `{bytes}GiB` or `{mebi}`"),
            (Some(mebi), None) => format!("write `{mebi}` if the number is in MiB"),
            (None, None) => "write an integer and a unit, such as `16GiB`".to_owned(),
        };
        let gibi = (kibi.is_none() && bytes < 1024).then(|| format!("{bytes}GiB")).filter(|_| mebi.is_some());
        let choices = gibi.into_iter().chain([mebi, kibi].into_iter().flatten().map(|size| size.to_string()));
        Wrong::new(fact, help).choose(choices, Self::parse)
    }

    fn from_whole_bytes(bytes: f64) -> Option<Self> {
        let whole = bytes >= MEMORY_MIN as f64 && bytes <= MEMORY_MAX as f64 && bytes % 1024.0 == 0.0;
        whole.then_some(Self(bytes as u64))
    }

    /// Returns the largest amount of whole MiB that is not larger than this number of bytes.
    #[must_use]
    pub fn floor(bytes: u64) -> Self {
        Self::from_mebibytes(u32::try_from(bytes >> 20).unwrap_or(u32::MAX))
    }

    /// Returns a size of this number of MiB.
    #[must_use]
    pub const fn from_mebibytes(mebibytes: u32) -> Self {
        Self((mebibytes as u64) << 20)
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Returns the size in MiB, rounded up.
    #[must_use]
    pub const fn mebibytes(self) -> u64 {
        self.0.div_ceil(1 << 20)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = BINARY.iter().find(|(_, factor)| self.0.is_multiple_of(*factor));
        let (unit, factor) = fits.copied().unwrap_or(("KiB", 1 << 10));
        write!(f, "{}{unit}", self.0.div_ceil(factor))
    }
}

/// A duration in seconds: `90s`, `1h30m`, `2d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u32);

/// Units of time in seconds, the largest first.
const UNITS: [(char, u32); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];
/// Maximum duration in seconds: 100 years. It fits the duration fields of all platforms.
const DURATION_MAX: u64 = 36_500 * 86_400;

impl Duration {
    /// Parses a duration: units `d`, `h`, `m`, `s`, largest first, each at most once.
    ///
    /// # Errors
    /// Returns an error for a missing, unknown, or misplaced unit, or more than 100 years.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        Self::read(text).ok_or_else(|| Self::explain(text))
    }

    /// Parses a duration other than 0.
    ///
    /// # Errors
    /// Returns the errors of [`Duration::parse`], and an error for 0.
    pub fn parse_positive(text: &str) -> Result<Self, Wrong> {
        let read = Self::parse(text)?;
        if read.0 == 0 {
            return Err(Wrong::new(format!("duration `{text}` must be greater than 0"), "use at least `1s`"));
        }
        Ok(read)
    }

    fn read(text: &str) -> Option<Self> {
        let (mut rest, mut total, mut units) = (text, 0_u64, UNITS.iter());
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let number: u64 = rest[..digits].parse().ok()?;
            let unit = rest[digits..].chars().next()?;
            let (_, seconds) = units.find(|(name, _)| *name == unit)?;
            total = total.checked_add(number.checked_mul(u64::from(*seconds))?)?;
            rest = &rest[digits + unit.len_utf8()..];
        }
        let whole = u32::try_from(total).ok().filter(|_| total <= DURATION_MAX && !text.is_empty());
        whole.map(Self)
    }

    fn explain(text: &str) -> Wrong {
        const HELP: &str =
            "write numbers with the units `d`, `h`, `m`, or `s`, such as `90s`, `1h30m`, or `2d`";
        let fact = format!("invalid duration `{}`", text.escaped());
        let Some((number, unit)) = split(text.trim()) else { return Wrong::new(fact, HELP) };
        if unit.is_empty() && !number.contains('.') {
            let of_milli = number.strip_suffix("000").filter(|seconds| !seconds.is_empty());
            let of_milli = of_milli.map(|seconds| format!("; {number} milliseconds are `{seconds}s`"));
            let choices = ['s', 'm', 'h'].map(|unit| format!("{number}{unit}"));
            let valid = choices.iter().map(String::as_str).filter(|text| Self::parse(text).is_ok());
            let help = match one_of(valid, "or") {
                none if none.is_empty() => "write at most `36500d`".to_owned(),
                valid => format!("add a unit: {valid}{}", of_milli.unwrap_or_default()),
            };
            return Wrong::new(format!("`{number}` has no unit"), help).choose(choices, Self::parse);
        }
        let seconds = match unit.to_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3_600.0,
            "d" | "day" | "days" => 86_400.0,
            "w" | "week" | "weeks" => 604_800.0,
            "ms" => 0.001,
            _ => return Wrong::new(fact, HELP),
        };
        let Ok(amount) = number.parse::<f64>() else { return Wrong::new(fact, HELP) };
        let total = amount * seconds;
        if total > DURATION_MAX as f64 {
            return Wrong::new(
                format!("`{}` exceeds the maximum of 100 years", text.escaped()),
                "write at most `36500d`",
            );
        }
        if total > 0.0 && total < 1.0 {
            return Wrong::new(
                format!("`{}` is shorter than 1 second", text.escaped()),
                "write at least `1s`",
            );
        }
        if total.fract() != 0.0 {
            return Wrong::new(format!("`{}` is not a whole number of seconds", text.escaped()), HELP);
        }
        Wrong::new(fact, HELP).instead(text, Self(total as u32).to_string(), Self::parse)
    }

    /// Returns a duration of this number of seconds.
    #[must_use]
    pub const fn from_seconds(seconds: u32) -> Self {
        Self(seconds)
    }

    /// Returns the duration in seconds.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        self.0 as u64
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        for (unit, seconds) in UNITS {
            if rest >= seconds {
                write!(f, "{}{unit}", rest / seconds)?;
                rest %= seconds;
            }
        }
        if self.0 == 0 { f.write_str("0s") } else { Ok(()) }
    }
}

/// CPU cores: a positive multiple of 0.1, written as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cores(u32);

/// Maximum number of cores, in tenths of a core.
const TENTHS_MAX: f64 = 100_000.0;

impl Cores {
    /// Converts a number.
    ///
    /// # Errors
    /// Returns an error unless the number is a multiple of 0.1 from 0.1 to 10000.
    pub fn from_number(number: f64) -> Result<Self, Wrong> {
        let tenths = (number * 10.0).round();
        if !(1.0..=TENTHS_MAX).contains(&tenths) {
            return Err(Wrong::new(
                format!("invalid number of cores `{number}`"),
                "use 0.1 to 10000, in increments of 0.1",
            ));
        }
        let read = Self(tenths as u32);
        if (number - tenths / 10.0).abs() > 1e-9 {
            let near = Self((number * 10.0).ceil() as u32);
            let help = format!("use a multiple of 0.1, such as `{near}`");
            return Err(Wrong::new(format!("`{number}` cores is not a multiple of 0.1"), help));
        }
        Ok(read)
    }

    /// Returns an amount of this number of tenths of a core.
    #[must_use]
    pub const fn from_tenths(tenths: u32) -> Self {
        Self(tenths)
    }

    /// Returns the amount in tenths of a core.
    #[must_use]
    pub const fn tenths(self) -> u32 {
        self.0
    }

    /// Returns the amount in thousandths of a core.
    #[must_use]
    pub const fn millis(self) -> u32 {
        self.0 * 100
    }

    /// Returns the amount in cores, rounded up.
    #[must_use]
    pub const fn whole(self) -> u32 {
        self.0.div_ceil(10)
    }

    /// Returns whether the amount is an integer number of cores.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.0.is_multiple_of(10)
    }
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 10, self.0 % 10) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, tenth) => write!(f, "{whole}.{tenth}"),
        }
    }
}

impl<'de> Deserialize<'de> for Cores {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::from_number(number).map_err(|wrong| de::Error::custom(wrong.message))
    }
}

impl JsonSchema for Cores {
    fn schema_name() -> Cow<'static, str> {
        "Cores".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "number", "format": "cores", "minimum": 0.1, "maximum": 10_000 })
    }
}
