//! Parses sizes and times as Spark does: an integer with a unit. A number without a unit is in the default unit of the setting
//! (`JavaUtils.byteStringAs`, `timeStringAs`).

/// Default unit of a setting that is a size (`ConfigBuilder.bytesConf`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Bytes.
    Byte,
    /// MiB.
    Mebi,
}

/// Default unit of a setting that is a time (`ConfigBuilder.timeConf`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds.
    Milli,
    /// Seconds.
    Second,
}

/// Suffixes of sizes, with their number of bytes (`JavaUtils.byteSuffixes`, Spark 3.5).
const SIZES: &[(&str, i128)] = &[
    ("b", 1),
    ("k", 1 << 10),
    ("kb", 1 << 10),
    ("m", 1 << 20),
    ("mb", 1 << 20),
    ("g", 1 << 30),
    ("gb", 1 << 30),
    ("t", 1 << 40),
    ("tb", 1 << 40),
    ("p", 1 << 50),
    ("pb", 1 << 50),
];
/// Suffixes of times, with their number of microseconds (`JavaUtils.timeSuffixes`).
const TIMES: &[(&str, i128)] = &[
    ("us", 1),
    ("ms", 1000),
    ("s", 1_000_000),
    ("m", 60_000_000),
    ("min", 60_000_000),
    ("h", 3_600_000_000),
    ("d", 86_400_000_000),
];
/// Suffixes of sizes that both Spark and Java (in `-Xmx`) accept.
const HEAP: &[(&str, i128)] = &[("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("t", 1 << 40)];

impl Size {
    /// Returns the number of bytes in one unit.
    const fn factor(self) -> i128 {
        match self {
            Self::Byte => 1,
            Self::Mebi => 1 << 20,
        }
    }

    /// Parses a size, and returns it in this unit. `None` if the value is not a size, or exceeds Java's signed 64-bit numbers.
    pub fn read(self, value: &str) -> Option<i64> {
        let bytes = measured(value, SIZES, Some(self.factor()))?;
        i64::try_from(bytes / self.factor()).ok()
    }

    /// Returns the name of the unit for messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Byte => "bytes",
            Self::Mebi => "MiB",
        }
    }
}

impl Unit {
    const fn factor(self) -> i128 {
        match self {
            Self::Milli => 1000,
            Self::Second => 1_000_000,
        }
    }

    /// Parses a time, and returns it in this unit. `None` if the value is not a time. A value that is too large becomes the
    /// maximum, as in `TimeUnit.convert`.
    pub fn read(self, value: &str) -> Option<i64> {
        let all = measured(value, TIMES, Some(self.factor()))? / self.factor();
        Some(i64::try_from(all).unwrap_or(i64::MAX))
    }

    /// Returns the name of the unit for messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Milli => "ms",
            Self::Second => "seconds",
        }
    }
}

/// Parses a heap size in the syntax of `-Xmx`, and returns it in MiB. `None` if the value has another syntax.
pub fn heap(value: &str) -> Option<i64> {
    i64::try_from(measured(value, HEAP, None)? >> 20).ok()
}

/// Parses an integer with a unit, and returns it in the smallest unit. `None` if the value has another form. `default`: the factor
/// for a number without a unit. If `default` is `None`, the unit is required.
fn measured(value: &str, units: &[(&str, i128)], default: Option<i128>) -> Option<i128> {
    let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = digits.split_at(end);
    let factor = match unit {
        "" => default?,
        unit => units.iter().find(|(word, _)| word.eq_ignore_ascii_case(unit))?.1,
    };
    Some(sign * i128::from(number.parse::<i64>().ok()?) * factor)
}
