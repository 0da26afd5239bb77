//! Checks of Java options in Spark settings: quoting, the form of each option, and heap sizes that Spark or Java refuses.
mod flags;
pub mod ports;
mod table;

use super::super::context::Context;
use super::super::settings::heap as size;
use tfjob_lang::escape::Escaped;

/// Java options that set the initial heap size.
const BEGIN: &[&str] = &["-Xms", "-XX:InitialHeapSize=", "-XX:MinHeapSize="];
/// Java options whose value is the next argument, unless `=` follows the option.
const TAKING: &[&str] = &[
    "--add-exports",
    "--add-modules",
    "--add-opens",
    "--add-reads",
    "--enable-native-access",
    "--limit-modules",
    "--module-path",
    "--patch-module",
    "--upgrade-module-path",
    "-p",
];
/// Java options that set the class path, without their hyphens.
const CLASS_PATH: &[&str] = &["class-path", "classpath", "cp"];
/// Java options that run another program, or that print information and exit. They are listed without their hyphens.
const OTHER: &[&str] = &[
    "?",
    "X",
    "d",
    "describe-module",
    "dry-run",
    "fullversion",
    "full-version",
    "h",
    "help",
    "help-extra",
    "jar",
    "list-modules",
    "m",
    "module",
    "source",
    "validate-modules",
    "version",
];
/// Default heap of the driver in MiB. `MASTER` is the default heap of YARN's application master in MiB.
const DRIVER: i64 = 1024;
const MASTER: i64 = 512;

/// Returns the first fault in the Java options of a setting, as message and help. `None` if the options have no fault.
pub fn fault(context: &Context<'_>, key: &str, options: &str) -> Option<(String, String)> {
    let Some(words) = shlex::split(options) else {
        let fact = "unclosed quote in the Java options";
        return Some((
            fact.to_owned(),
            "close the quote: the options are split like a shell command".to_owned(),
        ));
    };
    let sized = "write `spark.driver.memory \"4g\"` for the driver, and `resources memory` for the executors";
    if words.iter().any(|w| w.contains("-Xmx")) {
        let fact = "Spark refuses `-Xmx` in Java options, because it sets the maximum heap itself";
        return Some((fact.to_owned(), sized.to_owned()));
    }
    if words.iter().any(|w| w.starts_with("-Dspark.")) {
        let fact = "Spark refuses its settings (`-Dspark.…`) in Java options";
        return Some((fact.to_owned(), "write the setting as an entry of `conf`".to_owned()));
    }
    if words.iter().any(|w| w.starts_with("-XX:MaxHeapSize=")) {
        let fact =
            "`-XX:MaxHeapSize` overrides the heap size that Spark counts toward the memory of the container";
        return Some((fact.to_owned(), sized.to_owned()));
    }
    launcher(&words)
        .or_else(|| collectors(&words))
        .or_else(|| begins(context, key, &words))
        .or_else(|| flags::fault(context, &words))
}

/// Returns a message and a help for each option that Java may refuse.
pub fn unchecked(context: &Context<'_>, options: &str) -> Vec<(String, String)> {
    shlex::split(options).map_or_else(Vec::new, |words| flags::unchecked(context, &words))
}

/// Returns the first fault in the arguments before the class name, by the rules of Java's launcher (`libjli/java.c`, Java 8 to 25).
/// `None` if the arguments have no fault.
fn launcher(words: &[String]) -> Option<(String, String)> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let shown = word.escaped();
        let name = word.split('=').next().unwrap_or(word).trim_start_matches('-');
        let is = |known: &[&str]| word.starts_with('-') && known.contains(&name);
        if !word.starts_with(['-', '@']) {
            let fact =
                format!("Java reads `{shown}` as the name of a class, because it does not begin with `-`");
            return Some((fact, "quote an option that contains spaces with `'`".to_owned()));
        }
        if is(CLASS_PATH) {
            let fact = format!("`{shown}` replaces the class path of Spark");
            let help = "use `spark.driver.extraClassPath` or `spark.executor.extraClassPath`";
            return Some((fact, help.to_owned()));
        }
        if is(OTHER) {
            let fact = format!("with `{shown}`, Java does not run Spark's class");
            return Some((fact, format!("remove `{shown}`")));
        }
        let takes = TAKING.contains(&word.as_str());
        if takes && rest.next().is_none_or(|value| value.starts_with('-')) {
            let fact =
                format!("`{shown}` has no value, so Java would use the next argument of Spark as the value");
            return Some((
                fact,
                format!("add the value to `{shown}`, such as `--add-opens java.base/java.nio=ALL-UNNAMED`"),
            ));
        }
    }
    None
}

/// Returns a message and a help if options select two garbage collectors. Java does not start with more than one.
fn collectors(words: &[String]) -> Option<(String, String)> {
    let known = ["Serial", "Parallel", "G1", "Z", "Shenandoah", "ConcMarkSweep"]
        .map(|name| format!("-XX:+Use{name}GC"));
    let mut given = words.iter().filter(|word| known.contains(word));
    let first = given.next()?;
    let second = given.find(|word| *word != first)?;
    Some((
        format!("Java does not start with two garbage collectors: `{first}` and `{second}`"),
        "remove one of them".to_owned(),
    ))
}

/// Returns a message and a help if the initial heap is larger than the maximum heap. Java does not start with such a heap.
fn begins(context: &Context<'_>, key: &str, words: &[String]) -> Option<(String, String)> {
    let given = |name: &str| {
        let found = context.options.conf.iter().find(|(key, _)| key.value == name);
        found.and_then(|(_, value)| size(value.value.as_str()))
    };
    let (name, most) = match key.split('.').nth(1)? {
        "executor" => ("spark.executor.memory", i64::try_from(context.heap()).unwrap_or(i64::MAX)),
        "driver" => ("spark.driver.memory", given("spark.driver.memory").unwrap_or(DRIVER)),
        _ => ("spark.yarn.am.memory", given("spark.yarn.am.memory").unwrap_or(MASTER)),
    };
    let (option, value) = words
        .iter()
        .rev()
        .find_map(|w| BEGIN.iter().find_map(|o| w.strip_prefix(o).map(|rest| (*o, rest))))?;
    // A number without a unit is a number of bytes.
    let begin = size(value).or_else(|| Some(value.parse::<i64>().ok()? >> 20));
    let option = option.trim_end_matches('=');
    match begin {
        Some(begin) if begin <= most => None,
        Some(begin) => Some((
            format!(
                "Java does not start: the initial heap of {begin} MiB is larger than `{name}` of {most} MiB"
            ),
            match name {
                "spark.executor.memory" => {
                    format!("remove `{option}`: the heap of executors is derived from `resources memory`")
                }
                name => format!("remove `{option}`, or write `{name} \"{begin}m\"`"),
            },
        )),
        None => Some((
            format!("the value of `{option}` is not a valid size"),
            "write a size such as `-Xms256m`".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::launcher;

    /// The expected results were observed: `java` of OpenJDK 17 was called with each of these texts before the name of a class.
    #[test]
    fn values_of_options_are_not_read_as_classes() {
        let fault = |options: &str| launcher(&shlex::split(options).expect("words"));
        for good in [
            "--add-opens java.base/sun.nio.ch=ALL-UNNAMED --add-modules java.sql",
            "--add-opens=java.base/java.nio=ALL-UNNAMED -Da='b c' -showversion",
            "--add-exports java.base/sun.nio.ch=ALL-UNNAMED --add-reads java.sql=ALL-UNNAMED",
            "-p /opt/mods --patch-module java.sql=/tmp --enable-native-access ALL-UNNAMED",
            "-ea -agentlib:jdwp=transport=dt_socket @/etc/java.opts -verbose:gc -Xlog:gc --enable-preview",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in [
            "-ea x",
            "--add-opens",
            "--add-opens -ea",
            "-cp /a.jar",
            "-classpath /a.jar",
            "--class-path=/a.jar",
            "-jar a.jar",
            "-m a/b",
            "--module=a",
            "--source 17",
            "-version",
            "--version",
            "-X",
            "-?",
            "--dry-run",
            "--list-modules",
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
