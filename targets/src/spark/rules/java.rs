//! Options of the Java machines: split like a shell line, each an option, and no heap among them that Spark or Java refuses.
mod flags;
pub mod ports;
mod table;

use super::super::context::Context;
use super::super::settings::heap as size;

/// Options that say with how much heap a Java machine begins.
const BEGIN: &[&str] = &["-Xms", "-XX:InitialHeapSize=", "-XX:MinHeapSize="];
/// Options whose value is the next word, unless `=` follows.
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
/// Options that name where classes are, without the hyphens.
const CLASS_PATH: &[&str] = &["class-path", "classpath", "cp"];
/// Options that run another program, or say something and end, without the hyphens.
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
/// What a driver and YARN's application master have unless `conf` sizes them, in MiB.
const DRIVER: i64 = 1024;
const MASTER: i64 = 512;

/// What is wrong with the options, and what helps.
pub fn fault(context: &Context<'_>, key: &str, options: &str) -> Option<(String, String)> {
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
    launcher(&words)
        .or_else(|| collectors(&words))
        .or_else(|| begins(context, key, &words))
        .or_else(|| flags::fault(context, &words))
}

/// The options that Java may not start with, and what helps.
pub fn unchecked(context: &Context<'_>, options: &str) -> Vec<(String, String)> {
    shlex::split(options).map_or_else(Vec::new, |words| flags::unchecked(context, &words))
}

/// What the launcher of Java (`libjli/java.c`, 8 to 25) makes of the words before the class that Spark names.
fn launcher(words: &[String]) -> Option<(String, String)> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let shown = word.escape_debug();
        let name = word.split('=').next().unwrap_or(word).trim_start_matches('-');
        let is = |known: &[&str]| word.starts_with('-') && known.contains(&name);
        if !word.starts_with(['-', '@']) {
            let fact = format!("Java takes `{shown}` for the class of a program: an option begins with `-`");
            return Some((fact, "quote an option that has blanks with `'`".to_owned()));
        }
        if is(CLASS_PATH) {
            let fact = format!("`{shown}` replaces Spark's own class path");
            let help = "write `spark.driver.extraClassPath` or `spark.executor.extraClassPath`";
            return Some((fact, help.to_owned()));
        }
        if is(OTHER) {
            let fact = format!("with `{shown}` Java does not run Spark's class");
            return Some((fact, format!("remove `{shown}`")));
        }
        let takes = TAKING.contains(&word.as_str());
        if takes && rest.next().is_none_or(|value| value.starts_with('-')) {
            let fact = format!("`{shown}` takes a value, and Java would take Spark's next argument for it");
            return Some((
                fact,
                format!(
                    "write `{shown}` with its value, such as `--add-opens java.base/java.nio=ALL-UNNAMED`"
                ),
            ));
        }
    }
    None
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

#[cfg(test)]
mod tests {
    use super::launcher;

    /// Each was given to `java` of OpenJDK 17 before the name of a class.
    #[test]
    fn options_with_their_values_are_no_classes() {
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
