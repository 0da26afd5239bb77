//! Types of settings, with the bounds that the code of Spark applies when it reads them.
use super::super::text;
use super::amount::{self, Size, Unit};
use super::zone::{Zone, zone};
use Kind::{
    Address, Addresses, Bytes, Classes, Coordinates, Cores, Exclusions, File, Flag, Heap, Host, Name, Number,
    Period, Place, PodPrefix, Port, Ratio, Share, Text, Time, Words,
};

/// Type of the value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// Integer, with minimum and maximum.
    Number(i32, i32),
    /// 0, or an unprivileged port (`Utils.startServiceOnPort`).
    Port,
    /// Number above 0.
    Ratio,
    /// Number from 0 to 1.
    Share,
    /// Size such as `512m`, or a number without a unit, from a minimum to a maximum in the default unit of the setting.
    Bytes(Size, i64, i64),
    /// Heap size, which Spark passes to Java as `-Xmx`. The number is the minimum in MiB.
    Heap(i64),
    /// Time such as `90s`, or a number without a unit, from a minimum to a maximum in the default unit of the setting.
    Time(Unit, i64, i64),
    /// One of these keywords in upper or lower case.
    Words(&'static [&'static str]),
    /// One of these keywords, which must be in lower case.
    Exact(&'static [&'static str]),
    /// One of these keywords, or a number of seconds.
    Period(&'static [&'static str]),
    /// Maven coordinates `group:artifact:version`, separated by commas.
    Coordinates,
    /// Maven modules `group:artifact`, separated by commas.
    Exclusions,
    /// Time zone, as Java parses it.
    Zone,
    /// Names of Java classes, separated by commas.
    Classes,
    /// Prefix of the names of executor pods.
    PodPrefix,
    /// Name of a Kubernetes object.
    Name,
    /// Kubernetes CPU quantity: `2`, `0.5`, `500m`.
    Cores,
    /// Host, as Java parses it in a URI (`RpcEndpointAddress`).
    Host,
    /// URI of a file that is not local to the nodes.
    Address,
    /// Absolute path or URI (`Utils.resolveURI`). A relative path is refused: it would be in the working directory of the driver,
    /// which is usually a new directory without files of the user.
    Place,
    /// Path or URI of a file, which Java must be able to parse.
    File,
    /// URIs of files, separated by commas.
    Addresses,
    /// Any string.
    Text,
}

/// Maximum heap in MiB: 16 TiB, which is more than the memory of a node. Java does not start if it cannot reserve the heap.
const MOST_HEAP: i64 = 16 << 20;

impl Kind {
    /// Returns the type of a size in MiB. `least`: the minimum.
    pub const fn mebibytes(least: i64) -> Self {
        Bytes(Size::Mebi, least, i32::MAX as i64)
    }

    /// Returns `None` if a value has this type. Otherwise returns a text that describes valid values.
    pub fn fault(self, value: &str) -> Option<String> {
        let number = |least: i32, most: i32| value.parse::<i32>().is_ok_and(|n| (least..=most).contains(&n));
        let real = value.parse::<f64>().ok().filter(|n| n.is_finite());
        let (good, wanted) = match self {
            Flag => (among(&["true", "false"], value), "`true` or `false`".to_owned()),
            Number(least, i32::MAX) => (number(least, i32::MAX), format!("an integer of at least {least}")),
            Number(least, most) => (number(least, most), format!("an integer from {least} to {most}")),
            Port => (number(0, 0) || number(1024, 65_535), "0, or a port from 1024 to 65535".to_owned()),
            Ratio => (real.is_some_and(|n| n > 0.0), "a number above 0, such as `0.1`".to_owned()),
            Share => (
                real.is_some_and(|n| (0.0..=1.0).contains(&n)),
                "a number from 0 to 1, such as `0.8`".to_owned(),
            ),
            Bytes(unit, least, most) => (
                unit.read(value).is_some_and(|n| (least..=most).contains(&n)),
                amount(("a size such as `512m` or `4g`", unit.word()), (least, most)),
            ),
            Heap(least) => (
                amount::heap(value).is_some_and(|n| (least..=MOST_HEAP).contains(&n)),
                format!("a size with a unit, such as `512m` or `4g`, from {least}m to 16384g"),
            ),
            Time(unit, least, most) => (
                unit.read(value).is_some_and(|n| (least..=most).contains(&n)),
                amount(("a time such as `90s` or `10min`", unit.word()), (least, most)),
            ),
            Words(words) => (among(words, value), format!("one of `{}`", words.join("`, `"))),
            Kind::Exact(words) => (words.contains(&value), format!("one of `{}`", words.join("`, `"))),
            Period(words) => (
                words.contains(&value) || number(1, i32::MAX),
                format!("`{}` or a number of seconds", words.join("`, `")),
            ),
            Kind::Zone => (
                zone(value) != Zone::Wrong,
                "a time zone such as `Europe/Berlin`, `UTC`, or `+02:00`".to_owned(),
            ),
            Coordinates | Exclusions | Classes | PodPrefix | Name | Cores | Host | Address | Addresses
            | Place | File | Text => return self.text_fault(value),
        };
        (!good).then_some(wanted)
    }

    /// Does the same as `fault`, for types that are names, URIs, or other strings.
    fn text_fault(self, value: &str) -> Option<String> {
        let (good, wanted) = match self {
            Coordinates => {
                (value.split(',').all(coordinate), "`group:artifact:version`, separated by commas".to_owned())
            }
            Exclusions => {
                (value.split(',').all(exclusion), "`group:artifact`, separated by commas".to_owned())
            }
            Classes => (
                value.split(',').all(|name| class(name.trim())),
                "class names such as `org.example.Listener`, separated by commas".to_owned(),
            ),
            PodPrefix => (
                value.len() <= 47 && crate::names::host_fault(value).is_none(),
                "at most 47 characters: `a` to `z`, digits, and inner `-`".to_owned(),
            ),
            Name => (
                crate::names::is_subdomain(value),
                "a name with `a` to `z`, digits, and inner `-` and `.`".to_owned(),
            ),
            Cores => (cores(value), "a number of cores such as `2`, `0.5`, or `500m`".to_owned()),
            Host => (
                host(value),
                "a host name such as `gw.example.com` or an IP address, without a port".to_owned(),
            ),
            Address => (
                address(value) && !value.starts_with("local:"),
                "a URI such as `hdfs:///apps/spark.zip`, with percent-encoded spaces and brackets".to_owned(),
            ),
            Place => (
                if is_address(value) { address(value) } else { value.starts_with('/') },
                "an absolute path, or a URI such as `hdfs:///spark-logs` without spaces and brackets"
                    .to_owned(),
            ),
            File => (address(value), "a path or a URI without spaces and brackets".to_owned()),
            Addresses => (
                value.split(',').all(|one| one.trim().is_empty() || address(one.trim())),
                "URIs such as `hdfs:///jars/a.jar`, separated by commas, without spaces and brackets"
                    .to_owned(),
            ),
            Flag
            | Number(..)
            | Port
            | Ratio
            | Share
            | Bytes(..)
            | Heap(_)
            | Time(..)
            | Words(_)
            | Kind::Exact(_)
            | Period(_)
            | Kind::Zone
            | Text => (true, String::new()),
        };
        (!good).then_some(wanted)
    }
}

/// Returns a text that describes valid amounts, with their bounds.
fn amount((what, unit): (&str, &str), (least, most): (i64, i64)) -> String {
    let bounds = match (least > 0, most < i64::MAX) {
        (true, true) => format!(", from {least} to {most} {unit}"),
        (true, false) => format!(", at least {least} {unit}"),
        (false, true) => format!(", at most {most} {unit}"),
        (false, false) => String::new(),
    };
    format!("{what}{bounds}; a number without a unit is in {unit}")
}

/// Returns whether `java.net.URI` accepts a host: an IP address, or labels of letters, digits, and inner `-`. If there are several
/// labels, the last one must begin with a letter.
pub fn host(value: &str) -> bool {
    if let Some(address) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let label = |label: &str| {
        let edges = |c: char| c.is_ascii_alphanumeric();
        label.starts_with(edges)
            && label.ends_with(edges)
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let name = value.strip_suffix('.').unwrap_or(value);
    let named =
        name.rsplit_once('.').is_none_or(|(_, last)| last.starts_with(|c: char| c.is_ascii_alphabetic()));
    name.split('.').all(label) && (named || value.parse::<std::net::Ipv4Addr>().is_ok())
}

/// Returns whether a text begins with a URI scheme.
fn is_address(value: &str) -> bool {
    let scheme = value.split_once(':').map_or("", |(scheme, _)| scheme);
    !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// Returns whether Java and Hadoop's `Path` accept a URI. It may contain `*` for glob patterns.
fn address(value: &str) -> bool {
    !value.is_empty() && crate::names::java_fault(value).is_none()
}

fn among(words: &[&str], value: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Returns whether a text has the form of Maven coordinates (`SparkSubmitUtils.extractMavenCoordinates`).
fn coordinate(value: &str) -> bool {
    let parts: Vec<&str> = value.split(':').collect();
    parts.len() == 3
        && parts.iter().all(|part| text::plain_fault(part).is_none() && !part.contains(['/', '@', '=']))
}

/// Returns whether a text has the form of a Maven module. Spark adds the version `*` to it.
fn exclusion(value: &str) -> bool {
    coordinate(&format!("{value}:1"))
}

fn class(value: &str) -> bool {
    let word = |part: &str| {
        let inner = part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
        !part.is_empty() && inner && !part.starts_with(|c: char| c.is_ascii_digit())
    };
    value.split('.').all(word)
}

/// Parses a Kubernetes CPU quantity, and returns it in thousandths of a core. `None` if the value is not such a quantity.
pub fn millicores(value: &str) -> Option<u64> {
    match value.strip_suffix('m') {
        Some(milli) => milli.parse().ok(),
        None => {
            let (whole, part) = value.split_once('.').unwrap_or((value, ""));
            let part = format!("{part:0<3}");
            Some(whole.parse::<u64>().ok()? * 1000 + part.parse::<u64>().ok()?)
        }
    }
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
    use super::super::amount::{Size, Unit};
    use super::Kind;

    fn wrong(kind: Kind, value: &str) -> bool {
        kind.fault(value).is_some()
    }

    #[test]
    fn the_heap_is_read_by_the_java_machine() {
        for good in ["4g", "4G", "512m", "524288k", "1t"] {
            assert!(!wrong(Kind::Heap(512), good), "{good}");
        }
        for bad in ["4GB", "4gb", "1024", "0g", "511m", "99999999999g", "", "m", "1.5g"] {
            assert!(wrong(Kind::Heap(512), bad), "{bad}");
        }
    }

    /// Another test compares the accepted values with `entries.json`. This test checks the bounds that tfjob adds.
    #[test]
    fn amounts_have_bounds_in_their_own_units() {
        let size = Kind::Bytes(Size::Mebi, 128, 2048);
        assert!(!wrong(size, "128") && !wrong(size, "2g") && wrong(size, "127m") && wrong(size, "2049"));
        let time = Kind::Time(Unit::Second, 1, 3600);
        assert!(!wrong(time, "1000ms") && wrong(time, "999ms") && !wrong(time, "1h") && wrong(time, "3601"));
        assert_eq!(
            time.fault("2 minutes").as_deref(),
            Some(
                "a time such as `90s` or `10min`, from 1 to 3600 seconds; a number without a unit is in seconds"
            )
        );
    }

    #[test]
    fn hosts_and_addresses_are_those_that_java_reads() {
        for good in ["h", "gw.example.com.", "10.0.0.1", "1node", "1.node-1.a", "[::1]"] {
            assert!(!wrong(Kind::Host, good), "{good}");
        }
        for bad in ["", "my_host", "http://gw", "gw:7078", "a..b", "-x", "x-", "n.1", "256.1.1.1", "::1"] {
            assert!(wrong(Kind::Host, bad), "{bad}");
        }
        for bad in ["", "local:/opt/spark.zip", "hdfs:///a b.zip"] {
            assert!(wrong(Kind::Address, bad), "{bad}");
        }
        assert!(!wrong(Kind::Address, "hdfs:///apps/spark.zip"));
        for bad in ["hdfs:///a b.jar", "hdfs:///jars/[a.jar", "http://h/a|b.jar"] {
            assert!(wrong(Kind::Addresses, bad), "{bad}");
        }
        assert!(!wrong(Kind::Addresses, "hdfs:///jars/*.jar, local:/opt/a.jar,./b.jar"));
    }

    #[test]
    fn numbers_and_words_have_bounds() {
        assert!(!wrong(Kind::Flag, "true") && !wrong(Kind::Flag, "TRUE") && wrong(Kind::Flag, "yes"));
        assert!(!wrong(Kind::Number(1, 9), "1") && wrong(Kind::Number(1, 9), "0"));
        assert!(wrong(Kind::Number(0, 9), "-1") && wrong(Kind::Number(1, i32::MAX), "2147483648"));
        assert!(wrong(Kind::Ratio, "half") && wrong(Kind::Ratio, "-1") && wrong(Kind::Ratio, "0"));
        assert!(!wrong(Kind::Share, "0.8") && wrong(Kind::Share, "1.1") && wrong(Kind::Share, "NaN"));
        assert!(!wrong(Kind::Port, "0") && !wrong(Kind::Port, "4040"));
        assert!(wrong(Kind::Port, "80") && wrong(Kind::Port, "99999"));
    }

    #[test]
    fn names_and_lists_are_read_as_spark_reads_them() {
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
