//! Options of the Java machines: split like a shell line, each an option, and no heap among them that Spark or Java refuses.
use super::super::place::Ground;
use super::super::settings::heap as size;

/// Options that say with how much heap a Java machine begins.
const BEGIN: &[&str] = &["-Xms", "-XX:InitialHeapSize=", "-XX:MinHeapSize="];
/// What a driver and YARN's application master have unless `conf` sizes them, in MiB.
const DRIVER: i64 = 1024;
const MASTER: i64 = 512;

/// What is wrong with the options, and what helps.
pub fn fault(ground: &Ground<'_>, key: &str, options: &str) -> Option<(String, String)> {
    let Some(words) = shlex::split(options) else {
        let fact = "an option whose quotes do not close";
        return Some((fact.to_owned(), "options are split like a shell line".to_owned()));
    };
    let sized = "write `spark.driver.memory \"4g\"`; the executors' heap follows from `resources memory`";
    if words.iter().any(|w| w.contains("-Xmx") || w.starts_with("-Dspark.")) {
        let fact = "Spark refuses its heap and its settings among Java's options";
        return Some((fact.to_owned(), sized.to_owned()));
    }
    if words.iter().any(|w| w.starts_with("-XX:MaxHeapSize=")) {
        let fact = "`-XX:MaxHeapSize` replaces the heap that Spark counts against the container's memory";
        return Some((fact.to_owned(), sized.to_owned()));
    }
    if let Some(word) = words.iter().find(|w| !w.starts_with(['-', '@'])) {
        let fact = format!(
            "Java takes `{}` for the class of a program: an option begins with `-`",
            word.escape_debug()
        );
        return Some((fact, "quote an option that has blanks with `'`".to_owned()));
    }
    collectors(&words).or_else(|| begins(ground, key, &words))
}

/// A Java machine has one collector of garbage.
fn collectors(words: &[String]) -> Option<(String, String)> {
    let known = ["Serial", "Parallel", "G1", "Z", "Shenandoah", "ConcMarkSweep"]
        .map(|name| format!("-XX:+Use{name}GC"));
    let mut given = words.iter().filter(|word| known.contains(word));
    let first = given.next()?;
    let second = given.find(|word| *word != first)?;
    Some((format!("Java does not start with both `{first}` and `{second}`"), "write one of them".to_owned()))
}

/// A Java machine does not start where its heap begins larger than it may grow.
fn begins(ground: &Ground<'_>, key: &str, words: &[String]) -> Option<(String, String)> {
    let given = |name: &str| {
        let found = ground.options.conf.iter().find(|(key, _)| key.value == name);
        found.and_then(|(_, value)| size(value.value.as_str()))
    };
    let (name, most) = match key.split('.').nth(1)? {
        "executor" => ("spark.executor.memory", i64::try_from(ground.heap()).unwrap_or(i64::MAX)),
        "driver" => ("spark.driver.memory", given("spark.driver.memory").unwrap_or(DRIVER)),
        _ => ("spark.yarn.am.memory", given("spark.yarn.am.memory").unwrap_or(MASTER)),
    };
    let (option, value) = words
        .iter()
        .rev()
        .find_map(|w| BEGIN.iter().find_map(|o| w.strip_prefix(o).map(|rest| (*o, rest))))?;
    // A number alone counts bytes.
    let begin = size(value).or_else(|| Some(value.parse::<i64>().ok()? >> 20));
    let option = option.trim_end_matches('=');
    match begin {
        Some(begin) if begin <= most => None,
        Some(begin) => Some((
            format!("Java does not start: the heap would begin with {begin} MiB, and `{name}` is {most} MiB"),
            match name {
                "spark.executor.memory" => {
                    format!("remove `{option}`: the executors' heap follows from `resources memory`")
                }
                name => format!("remove `{option}`, or write `{name} \"{begin}m\"`"),
            },
        )),
        None => Some((
            format!("`{option}` takes a size such as `512m`"),
            "write a size such as `-Xms256m`".to_owned(),
        )),
    }
}
