//! Checks of single Java options: their form, and whether all Java releases that Spark supports accept them.
use super::super::super::context::Context;
use super::super::super::settings::distance;
use super::TAKING;
use super::table::{BEGUN, ENDED, Kind, LASTING, LOCKED, REMOVED, WHOLE};
use tfjob_lang::escape::Escaped;

/// Minimum and maximum stack size of a thread in bytes for Java 17. The minimum of Java 8 and 11 is larger.
const STACK: (i64, i64) = (136 << 10, 1 << 30);
const IGNORE: &str = "-XX:+IgnoreUnrecognizedVMOptions";

/// A message about an option, and a help that says what to do.
type Fault = (String, String);

/// A fault of an option: Java does not start with it, or may fail to start.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// Java does not start with this option.
    Wrong(Fault),
    /// Java may fail to start with this option.
    Unchecked(Fault),
}

/// The first and the last Java release that the Spark version of the cluster supports. The last one is `u8::MAX` if it is not
/// known.
#[derive(Clone, Copy)]
struct Releases(u8, u8);

impl Releases {
    /// Returns the Java releases that the overview page of the cluster's Spark version lists.
    fn of(context: &Context<'_>) -> Self {
        match context.options.spark.as_ref().map(|spark| &spark.value) {
            Some(version) if version.at_least((4, 0)) => Self(17, u8::MAX),
            Some(version) if version.at_least((3, 3)) => Self(8, 17),
            Some(_) => Self(8, 11),
            None => Self(8, u8::MAX),
        }
    }
}

/// Returns the first option with which Java does not start, as message and help. `None` if Java starts with all options.
pub fn fault(context: &Context<'_>, words: &[String]) -> Option<Fault> {
    let wrong = |found| match found {
        Found::Wrong(fault) => Some(fault),
        Found::Unchecked(_) => None,
    };
    all(Releases::of(context), words).into_iter().find_map(wrong).or_else(|| pairs(words))
}

/// Returns a message and a help for each option with which Java may fail to start.
pub fn unchecked(context: &Context<'_>, words: &[String]) -> Vec<Fault> {
    let open = |found| match found {
        Found::Wrong(_) => None,
        Found::Unchecked(fault) => Some(fault),
    };
    all(Releases::of(context), words).into_iter().filter_map(open).collect()
}

fn all(releases: Releases, words: &[String]) -> Vec<Found> {
    // `-XX:+IgnoreUnrecognizedVMOptions` has an effect at any position, because Java reads it before all other options.
    let lenient = words.iter().any(|word| word == IGNORE);
    let mut rest = words.iter().enumerate();
    let mut out = Vec::new();
    while let Some((number, word)) = rest.next() {
        if TAKING.contains(&word.as_str()) {
            rest.next();
        } else if let Some(option) = word.strip_prefix("-XX:") {
            out.extend(extended(releases, lenient, option, &words[..number]));
        } else {
            out.extend(plain(releases, lenient, word));
        }
    }
    out
}

/// Checks an option that begins with `-XX:`. `lenient`: whether `-XX:+IgnoreUnrecognizedVMOptions` is set. `option`: the text after
/// the prefix `-XX:`. `before`: the arguments before the option.
fn extended(releases: Releases, lenient: bool, option: &str, before: &[String]) -> Option<Found> {
    let bare = option.trim_start_matches(['+', '-']);
    let name = bare.split('=').next().unwrap_or(bare);
    if starts_recorder(option) {
        return None;
    }
    if let Some((_, kind)) = LASTING.iter().find(|(known, _)| *known == name) {
        return malformed(*kind, option, name).map(Found::Wrong);
    }
    if let Some((_, kind, unlock)) = LOCKED.iter().find(|(known, ..)| *known == name) {
        let locked = || {
            let open = before.iter().any(|word| word == unlock);
            let fact = format!("Java accepts `-XX:{}` only after `{unlock}`", option.escaped());
            (!open).then(|| (fact, format!("write `{unlock}` before it")))
        };
        return malformed(*kind, option, name).or_else(locked).map(Found::Wrong);
    }
    if let Some((_, kind, last)) = REMOVED.iter().find(|(known, ..)| *known == name) {
        let ended = || ended(releases, lenient, &format!("-XX:{option}"), *last);
        return malformed(*kind, option, name).map(Found::Wrong).or_else(ended);
    }
    if lenient {
        return None;
    }
    let shown = option.escaped();
    if let Some(near) = near(name) {
        let fact = format!("`-XX:{shown}` is not an option of Java, which does not start with it");
        let meant = option.replacen(name, near, 1);
        return Some(Found::Wrong((fact, format!("did you mean `-XX:{}`?", meant.escaped()))));
    }
    Some(unknown(&format!("-XX:{option}")))
}

/// Returns whether an option starts Java's flight recorder. Such an option also accepts values after `:`, and
/// `StartFlightRecording` needs no value.
fn starts_recorder(option: &str) -> bool {
    option == "StartFlightRecording"
        || ["StartFlightRecording", "FlightRecorderOptions"].iter().any(|name| {
            option.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', '=']) && rest.len() > 1)
        })
}

/// Returns what is wrong with the form of a known option, if anything.
fn malformed(kind: Kind, option: &str, name: &str) -> Option<Fault> {
    let shown = option.escaped();
    let signed = option.starts_with(['+', '-']);
    let value = option.split_once('=').map(|(_, value)| value);
    let fault = |why: &str, help: String| {
        Some((format!("Java does not start with `-XX:{shown}`: `{name}` {why}"), help))
    };
    let (good, form, example) = match kind {
        Kind::Flag if !signed && value.is_none() => {
            let help = format!("write `-XX:+{name}` or `-XX:-{name}`");
            return fault("needs `+` or `-`", help);
        }
        Kind::Flag if !signed || value.is_some() || option != format!("{}{name}", &option[..1]) => {
            let help = format!("write `-XX:+{name}` or `-XX:-{name}`");
            return fault("takes no value", help);
        }
        Kind::Flag => return None,
        Kind::Number(least, most) => {
            let good = value.and_then(number).is_some_and(|number| (least..=most).contains(&number));
            let form = match (least, most) {
                (_, i64::MAX) if is_size(name) => {
                    "a size in bytes, which may end in `k`, `m`, or `g`".to_owned()
                }
                (least, i64::MAX) => format!("a number of at least {least}, without a unit"),
                (least, most) => format!("a number from {least} to {most}"),
            };
            (good, form, least.max(1).to_string())
        }
        Kind::Percentage => {
            let part = value.and_then(|value| value.parse::<f64>().ok());
            let good = part.is_some_and(|part| (0.0..=100.0).contains(&part));
            (good, "a number from 0 to 100".to_owned(), "50.0".to_owned())
        }
        Kind::Text => (value.is_some(), "a string".to_owned(), "…".to_owned()),
    };
    let help = format!("write it as `-XX:{name}={example}`");
    if signed {
        return fault("takes a value instead of `+` or `-`", help);
    }
    if good { None } else { fault(&format!("takes {form}"), help) }
}

/// Returns whether the value of a known option is a number of bytes.
fn is_size(name: &str) -> bool {
    name.ends_with("Size") && !["StringTableSize", "ThreadStackSize", "VMThreadStackSize"].contains(&name)
}

/// Parses a number as Java does: decimal or hexadecimal, optionally with a unit such as `k`, `m`, or `g`. `None` if the text is not
/// such a number.
fn number(text: &str) -> Option<i64> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let last = text.chars().next_back()?;
    let shift = match last.to_ascii_lowercase() {
        'k' => 10,
        'm' => 20,
        'g' => 30,
        't' => 40,
        _ => 0,
    };
    let digits = if shift == 0 { text } else { &text[..text.len() - 1] };
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let plain = digits.starts_with(|c: char| c.is_ascii_digit());
    let number = match hex {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<i64>().ok().filter(|_| plain)?,
    };
    Some(sign * number.saturating_mul(1 << shift))
}

/// Checks an option that does not begin with `-XX:`. `lenient`: whether `-XX:+IgnoreUnrecognizedVMOptions` is set.
fn plain(releases: Releases, lenient: bool, word: &str) -> Option<Found> {
    let sized = |option: &str| word.strip_prefix(option).map(|value| (number(value), value));
    let wrong = |why: &str, help: &str| {
        let fact = format!("Java does not start with `{}`: {why}", word.escaped());
        Some(Found::Wrong((fact, help.to_owned())))
    };
    if let Some((size, _)) = sized("-Xss") {
        return match size {
            None => wrong("the stack size is not a valid size", "write a size such as `-Xss4m`"),
            Some(0) => None,
            Some(size) if (STACK.0..=STACK.1).contains(&size) => None,
            Some(_) => wrong(
                "the stack size must be from 136k to 1g",
                "write a size in this range, such as `-Xss4m`",
            ),
        };
    }
    if let Some((size, _)) = sized("-Xmn")
        && size.is_none_or(|size| size < 1)
    {
        return wrong(
            "the size of the young generation is not a valid size",
            "write a size such as `-Xmn256m`",
        );
    }
    if let Some((_, last)) = ENDED.iter().find(|(known, _)| *known == word) {
        return ended(releases, lenient, word, *last);
    }
    let known = WHOLE.contains(&word) || BEGUN.iter().any(|start| word.starts_with(start));
    (!known && !lenient).then(|| unknown(word))
}

/// Checks an option that was removed from Java. `last` is the last release that supports it. `lenient`: whether
/// `-XX:+IgnoreUnrecognizedVMOptions` is set.
fn ended(Releases(first, newest): Releases, lenient: bool, option: &str, last: u8) -> Option<Found> {
    if lenient || newest <= last {
        return None;
    }
    let shown = option.escaped();
    let remove = format!("remove it; or add `{IGNORE}`, so that Java ignores unknown options");
    Some(if first > last {
        let fact = format!(
            "`{shown}` exists only up to Java {last}, but this Spark version needs Java {first} or later, which does not start with it"
        );
        Found::Wrong((fact, remove))
    } else {
        let fact = format!("Java {} and later do not start with `{shown}`", last + 1);
        Found::Unchecked((fact, remove))
    })
}

fn unknown(option: &str) -> Found {
    let fact = format!("tfjob does not know the Java option `{}` and cannot check it", option.escaped());
    let help = format!(
        "Java does not start with an unknown option: compare it with `java -XX:+PrintFlagsFinal -version` on the cluster, or add `{IGNORE}`"
    );
    Found::Unchecked((fact, help))
}

/// Returns the known option whose name is most similar to an unknown one, if it is similar enough.
fn near(name: &str) -> Option<&'static str> {
    let lasting = LASTING.iter().map(|(known, _)| *known);
    let others = REMOVED.iter().map(|(known, ..)| *known).chain(LOCKED.iter().map(|(known, ..)| *known));
    let mistake = |known: &str| distance(name, known) <= if known.len() < 9 { 1 } else { 2 };
    lasting.chain(others).filter(|known| mistake(known)).min_by_key(|known| distance(name, known))
}

/// Pairs of options, each with its default. The default is `None` if it depends on the machine. The value of the first option must
/// not exceed that of the second.
const ORDERED: &[(&str, Option<i64>, &str, Option<i64>)] = &[
    ("MinHeapFreeRatio", Some(40), "MaxHeapFreeRatio", Some(70)),
    ("ConcGCThreads", None, "ParallelGCThreads", None),
];

fn pairs(words: &[String]) -> Option<Fault> {
    // If an option occurs several times, the last one applies.
    let given = |name: &str| {
        let value = |word: &String| number(word.strip_prefix("-XX:")?.strip_prefix(name)?.strip_prefix('=')?);
        words.iter().rev().find_map(value)
    };
    ORDERED.iter().find_map(|(low, least, high, most)| {
        let (low_value, high_value) = (given(low).or(*least)?, given(high).or(*most)?);
        (low_value > high_value).then(|| {
            let fact =
                format!("Java does not start: `{low}` ({low_value}) is larger than `{high}` ({high_value})");
            (fact, format!("set `-XX:{high}` to at least the value of `{low}`"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Found, Releases, all, pairs};

    fn words(options: &str) -> Vec<String> {
        options.split(' ').map(str::to_owned).collect()
    }

    /// Options with which OpenJDK 17 starts.
    const GOOD: &[&str] = &[
        "-XX:+UseG1GC -XX:MaxGCPauseMillis=200 -XX:InitiatingHeapOccupancyPercent=35 -XX:G1HeapRegionSize=16m",
        "-XX:ParallelGCThreads=4k -XX:ParallelGCThreads=0x4 -XX:ActiveProcessorCount=-1",
        "-XX:+ExitOnOutOfMemoryError -XX:OnOutOfMemoryError=kill -XX:HeapDumpPath=/tmp -XX:ErrorFile=/tmp/x",
        "-XX:MaxRAMPercentage=50 -XX:NewRatio=0 -XX:MaxNewSize=8m -XX:+PrintGCDetails",
        "-XX:+UnlockExperimentalVMOptions -XX:G1NewSizePercent=10",
        "-XX:StartFlightRecording -XX:StartFlightRecording:filename=/tmp/a.jfr -XX:FlightRecorderOptions:stackdepth=64",
        "-XX:+UseG1GCC -XX:+UseConcMarkSweepGC -d64 -Xfoo -XX:+IgnoreUnrecognizedVMOptions",
        "-Xss0 -Xss136k -Xss1g -Xmn100m -Xlog:gc* -Xloggc:/tmp/gc.log -Xshare:off -Xcheck:jni",
        "-ea -ea:a.b... -verbose:gc -noverify -agentlib:jdwp=transport=dt_socket -javaagent:/a.jar @/etc/o",
        "--add-opens java.base/java.nio=ALL-UNNAMED -Da=-XX:Foo --add-opens=java.base/java.nio=ALL-UNNAMED",
        "-XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20",
    ];

    /// The expected results were observed: `java` of OpenJDK 17 starts with each good option, and does not start with the bad
    /// ones.
    #[test]
    fn java_17_starts_or_does_not() {
        let found = |options: &str| all(Releases(17, u8::MAX), &words(options));
        for good in GOOD {
            assert_eq!((found(good), pairs(&words(good))), (vec![], None), "{good}");
        }
        for bad in [
            "-XX:UseG1GC",
            "-XX:+UseG1GC=true",
            "-XX:UseSerialGC=1",
            "-XX:+UseG1GCC",
            "-XX:+useG1GC",
            "-XX:+MaxGCPauseMillis=200",
            "-XX:MaxGCPauseMillis=200ms",
            "-XX:MaxGCPauseMillis",
            "-XX:MaxGCPauseMillis=1.5",
            "-XX:MaxGCPauseMillis=0",
            "-XX:MaxGCPauseMillis=-1",
            "-XX:MaxDirectMemorySize=1gb",
            "-XX:InitiatingHeapOccupancyPercent=135",
            "-XX:MaxTenuringThreshold=17",
            "-XX:SurvivorRatio=0",
            "-XX:HeapDumpPath",
            "-XX:+HeapDumpPath=/a",
            "-XX:G1NewSizePercent=10",
            "-XX:+IgnoreUnrecognizedVMOptions -XX:G1NewSizePercent=10",
            "-XX:+IgnoreUnrecognizedVMOptions -XX:UseG1GC",
            "-XX:+UseConcMarkSweepGC",
            "-XX:+CMSClassUnloadingEnabled",
            "-XX:MaxPermSize=512m",
            "-XX:+PrintGCDateStamps",
            "-XX:+AggressiveOpts",
            "-XX:GCLogFileSize=1M",
            "-d64",
            "-Xincgc",
            "-Xss100k",
            "-Xss512",
            "-Xss1q",
            "-Xss1025m",
            "-Xmn1x",
            "-Xmn0",
            "-Xmn",
        ] {
            assert!(matches!(found(bad)[..], [Found::Wrong(_)]), "{bad}: {:?}", found(bad));
        }
        for bad in [
            "-XX:MinHeapFreeRatio=90 -XX:MaxHeapFreeRatio=10",
            "-XX:MinHeapFreeRatio=90",
            "-XX:ConcGCThreads=3 -XX:ParallelGCThreads=2",
        ] {
            assert!(pairs(&words(bad)).is_some(), "{bad}");
        }
        for open in
            ["-XX:+LogVMOutput", "-XX:Foo=1", "-Xfoo", "-Xshare:foo", "-XX", "-foo", "-XX:+UseBiasedLocking"]
        {
            assert!(matches!(found(open)[..], [Found::Unchecked(_)]), "{open}: {:?}", found(open));
        }
    }

    #[test]
    fn an_option_that_no_supported_java_has_is_an_error() {
        let found = |first, last| all(Releases(first, last), &words("-XX:+UseConcMarkSweepGC"));
        assert!(matches!(found(17, u8::MAX)[..], [Found::Wrong(_)]));
        assert!(matches!(found(8, 17)[..], [Found::Unchecked(_)]));
        assert!(matches!(found(8, u8::MAX)[..], [Found::Unchecked(_)]));
        assert_eq!(found(8, 11), []);
    }
}
