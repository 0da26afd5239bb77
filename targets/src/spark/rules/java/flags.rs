//! The options of Java's machine one by one: their form, and the releases of Java that start with them.
use super::super::super::context::Context;
use super::super::super::settings::distance;
use super::TAKING;
use super::table::{BEGUN, ENDED, Kind, LASTING, LOCKED, REMOVED, WHOLE};

/// The smallest stack of a thread, in bytes, that Java 17 starts with (8 and 11 want more), and the largest.
const STACK: (i64, i64) = (136 << 10, 1 << 30);
const IGNORE: &str = "-XX:+IgnoreUnrecognizedVMOptions";

/// What is said of an option, and what helps.
type Said = (String, String);

/// What is wrong, or what nobody knows.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// Java does not start.
    Wrong(Said),
    /// Java may not start.
    Unchecked(Said),
}

/// The releases of Java that this Spark runs in, from the first to the last; `u8::MAX` where there is no last.
#[derive(Clone, Copy)]
struct Releases(u8, u8);

impl Releases {
    /// By Spark's overview page of each version.
    fn of(context: &Context<'_>) -> Self {
        match context.options.spark.as_ref().map(|said| &said.value) {
            Some(version) if version.at_least((4, 0)) => Self(17, u8::MAX),
            Some(version) if version.at_least((3, 3)) => Self(8, 17),
            Some(_) => Self(8, 11),
            None => Self(8, u8::MAX),
        }
    }
}

/// The first option that Java does not start with, and what helps.
pub fn fault(context: &Context<'_>, words: &[String]) -> Option<Said> {
    let wrong = |found| match found {
        Found::Wrong(said) => Some(said),
        Found::Unchecked(_) => None,
    };
    all(Releases::of(context), words).into_iter().find_map(wrong).or_else(|| pairs(words))
}

/// The options that Java may not start with, and what helps.
pub fn unchecked(context: &Context<'_>, words: &[String]) -> Vec<Said> {
    let open = |found| match found {
        Found::Wrong(_) => None,
        Found::Unchecked(said) => Some(said),
    };
    all(Releases::of(context), words).into_iter().filter_map(open).collect()
}

fn all(releases: Releases, words: &[String]) -> Vec<Found> {
    // Java looks for it first, wherever it stands.
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

/// An option behind `-XX:`. `before` are the words that come first.
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
            let fact = format!("Java reads `-XX:{}` only behind `{unlock}`", option.escape_debug());
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
    let shown = option.escape_debug();
    if let Some(near) = near(name) {
        let fact = format!("Java has no option `-XX:{shown}`, and does not start with it");
        let meant = option.replacen(name, near, 1);
        return Some(Found::Wrong((fact, format!("did you mean `-XX:{}`?", meant.escape_debug()))));
    }
    Some(unknown(&format!("-XX:{option}")))
}

/// Whether an option is one of the flight recorder's, whose values may stand behind `:`; only one of both needs none.
fn starts_recorder(option: &str) -> bool {
    option == "StartFlightRecording"
        || ["StartFlightRecording", "FlightRecorderOptions"].iter().any(|name| {
            option.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', '=']) && rest.len() > 1)
        })
}

/// What is wrong with the form of an option that Java knows.
fn malformed(kind: Kind, option: &str, name: &str) -> Option<Said> {
    let shown = option.escape_debug();
    let signed = option.starts_with(['+', '-']);
    let value = option.split_once('=').map(|(_, value)| value);
    let fault = |why: &str, help: String| {
        Some((format!("Java does not start with `-XX:{shown}`: `{name}` {why}"), help))
    };
    let (good, form, example) = match kind {
        Kind::Flag if !signed && value.is_none() => {
            let help = format!("write `-XX:+{name}` or `-XX:-{name}`");
            return fault("is switched by `+` or `-`", help);
        }
        Kind::Flag if !signed || value.is_some() || option != format!("{}{name}", &option[..1]) => {
            let help = format!("write `-XX:+{name}` or `-XX:-{name}`");
            return fault("takes no value", help);
        }
        Kind::Flag => return None,
        Kind::Number(least, most) => {
            let good = value.and_then(number).is_some_and(|number| (least..=most).contains(&number));
            let form = match (least, most) {
                (_, i64::MAX) => "a number, with `k`, `m` or `g` behind it if it counts bytes".to_owned(),
                (least, most) => format!("a number from {least} to {most}"),
            };
            (good, form, least.max(1).to_string())
        }
        Kind::Percentage => {
            let part = value.and_then(|value| value.parse::<f64>().ok());
            let good = part.is_some_and(|part| (0.0..=100.0).contains(&part));
            (good, "a number from 0 to 100".to_owned(), "50.0".to_owned())
        }
        Kind::Text => (value.is_some(), "a text".to_owned(), "…".to_owned()),
    };
    let help = format!("write it as `-XX:{name}={example}`");
    if signed {
        return fault("takes a value, and no `+` or `-`", help);
    }
    if good { None } else { fault(&format!("takes {form}"), help) }
}

/// A number as Java reads it: decimal or of base 16, with a unit of bytes or none.
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

/// An option without `-XX:`.
fn plain(releases: Releases, lenient: bool, word: &str) -> Option<Found> {
    let sized = |option: &str| word.strip_prefix(option).map(|value| (number(value), value));
    let wrong = |why: &str, help: &str| {
        let fact = format!("Java does not start with `{}`: {why}", word.escape_debug());
        Some(Found::Wrong((fact, help.to_owned())))
    };
    if let Some((size, _)) = sized("-Xss") {
        return match size {
            None => wrong("the stack of a thread is a size", "write a size such as `-Xss4m`"),
            Some(0) => None,
            Some(size) if (STACK.0..=STACK.1).contains(&size) => None,
            Some(_) => {
                wrong("the stack of a thread is from 136k to 1g", "write a size within it, such as `-Xss4m`")
            }
        };
    }
    if let Some((size, _)) = sized("-Xmn")
        && size.is_none_or(|size| size < 1)
    {
        return wrong("the young generation is a size", "write a size such as `-Xmn256m`");
    }
    if let Some((_, last)) = ENDED.iter().find(|(known, _)| *known == word) {
        return ended(releases, lenient, word, *last);
    }
    let known = WHOLE.contains(&word) || BEGUN.iter().any(|start| word.starts_with(start));
    (!known && !lenient).then(|| unknown(word))
}

/// An option that no later release than `last` knows.
fn ended(Releases(first, newest): Releases, lenient: bool, option: &str, last: u8) -> Option<Found> {
    if lenient || newest <= last {
        return None;
    }
    let shown = option.escape_debug();
    let remove = format!("remove it; or add `{IGNORE}`, and Java passes over what it does not know");
    Some(if first > last {
        let fact = format!(
            "Java {first}, the oldest that this Spark runs in, does not start with `{shown}`: it is of Java {last} and older"
        );
        Found::Wrong((fact, remove))
    } else {
        let fact = format!("Java {} and newer do not start with `{shown}`", last + 1);
        Found::Unchecked((fact, remove))
    })
}

fn unknown(option: &str) -> Found {
    let fact = format!("`{}` is not among the options of Java known here", option.escape_debug());
    let help = format!(
        "Java does not start with an option that it does not know: compare it with `java -XX:+PrintFlagsFinal -version` of the cluster's Java, or add `{IGNORE}`"
    );
    Found::Unchecked((fact, help))
}

/// The option that was meant, where a finger slipped.
fn near(name: &str) -> Option<&'static str> {
    let lasting = LASTING.iter().map(|(known, _)| *known);
    let others = REMOVED.iter().map(|(known, ..)| *known).chain(LOCKED.iter().map(|(known, ..)| *known));
    let mistake = |known: &str| distance(name, known) <= if known.len() < 9 { 1 } else { 2 };
    lasting.chain(others).filter(|known| mistake(known)).min_by_key(|known| distance(name, known))
}

/// Options that must agree: the first is at most the second, and what each is if it is not written.
const ORDERED: &[(&str, Option<i64>, &str, Option<i64>)] = &[
    ("MinHeapFreeRatio", Some(40), "MaxHeapFreeRatio", Some(70)),
    ("ConcGCThreads", None, "ParallelGCThreads", None),
];

fn pairs(words: &[String]) -> Option<Said> {
    // The later of two is taken.
    let given = |name: &str| {
        let value = |word: &String| number(word.strip_prefix("-XX:")?.strip_prefix(name)?.strip_prefix('=')?);
        words.iter().rev().find_map(value)
    };
    ORDERED.iter().find_map(|(low, least, high, most)| {
        let (low_value, high_value) = (given(low).or(*least)?, given(high).or(*most)?);
        (low_value > high_value).then(|| {
            let fact = format!("Java does not start: `{low}` is {low_value}, and `{high}` is {high_value}");
            (fact, format!("write a `-XX:{high}` that is at least as large as `{low}`"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Found, Releases, all, pairs};

    fn words(options: &str) -> Vec<String> {
        options.split(' ').map(str::to_owned).collect()
    }

    /// OpenJDK 17 starts with each.
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

    /// Each was given to `java` of OpenJDK 17, which starts with the first and not with the second.
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
    fn an_option_of_older_releases_is_an_error_where_no_java_of_this_spark_knows_it() {
        let found = |first, last| all(Releases(first, last), &words("-XX:+UseConcMarkSweepGC"));
        assert!(matches!(found(17, u8::MAX)[..], [Found::Wrong(_)]));
        assert!(matches!(found(8, 17)[..], [Found::Unchecked(_)]));
        assert!(matches!(found(8, u8::MAX)[..], [Found::Unchecked(_)]));
        assert_eq!(found(8, 11), []);
    }
}
