//! Spark's own settings, `conf { … }`: none that the job says itself, none misspelt, none with a value that its reader
//! does not take.
use super::super::answer;
use super::super::answer::resources::{label_fault, reserved_label};
use super::super::means::Means;
use super::super::place::{Ground, Manager};
use super::super::settings::{Family, Kind, Known, known, milliseconds, owner};
use super::super::text;
use super::{nodes, readers};
use crate::codes::{
    SPARK_SETTING_OWNED, SPARK_SETTING_UNCHECKED, SPARK_SETTING_UNKNOWN, SPARK_SETTING_VALUE,
};
use std::collections::BTreeMap;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::feature::Feature;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;
use tfjob_lang::target::{Answer, concerns};

/// The longest argument that Linux passes to a process, with its closing NUL (`MAX_ARG_STRLEN`).
const LONGEST: usize = 131_072;

/// Every fault of the settings.
pub fn judge(ground: &Ground<'_>, out: &mut Vec<Diagnostic>) {
    if ground.options.conf.is_empty() {
        return;
    }
    let said = said(ground);
    for (key, value) in &ground.options.conf {
        if elsewhere(ground, key, out) {
            continue;
        }
        match said.get(&key.value).filter(|_| owner(&key.value).is_none()) {
            Some((word, at)) => out.push(
                Diagnostic::new(
                    &SPARK_SETTING_OWNED,
                    key.span,
                    format!("`{}` follows from `{word}`", key.value.escape_debug()),
                )
                .here("not to be set twice")
                .label(*at, "said here")
                .help("remove one of the two"),
            ),
            None => setting(ground.manager, key, value, out),
        }
    }
    silence(ground, out);
    secret(ground, out);
    encryption(ground, out);
}

/// `toBoolean` of Scala reads upper case too.
fn is_true(value: &At<Text>) -> bool {
    value.value.as_str().eq_ignore_ascii_case("true")
}

/// Encryption is of connections that have a secret (`SparkConf.validateSettings`).
fn encryption(ground: &Ground<'_>, out: &mut Vec<Diagnostic>) {
    let is_on = |name: &str| {
        let on = |(key, value): &&(At<String>, At<Text>)| key.value == name && is_true(value);
        ground.options.conf.iter().find(on).map(|(_, value)| value.span)
    };
    if is_on("spark.authenticate").is_some() {
        return;
    }
    for name in ["spark.network.crypto.enabled", "spark.authenticate.enableSaslEncryption"] {
        let fact = format!("Spark refuses `{name}` without `spark.authenticate`");
        out.extend(is_on(name).map(|at| {
            let found = Diagnostic::new(&SPARK_SETTING_VALUE, at, fact).here("needs a secret");
            found.help("add `\"spark.authenticate\" \"true\"` to `conf`")
        }));
    }
}

/// YARN and Kubernetes make a secret for each application; elsewhere Spark takes it from a setting
/// (`SecurityManager.initializeAuth`).
fn secret(ground: &Ground<'_>, out: &mut Vec<Diagnostic>) {
    let given =
        |name: &str| ground.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let Some(value) = given("spark.authenticate").filter(|value| is_true(value)) else {
        return;
    };
    if ground.manager != Manager::Standalone || given("spark.authenticate.secret").is_some() {
        return;
    }
    let fact = "a standalone master makes no secret: the driver refuses to start without `spark.authenticate.secret`";
    out.push(
        Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("needs a secret").help(
            "remove it, or use YARN or Kubernetes, which make a secret for each job: `master \"yarn\"`",
        ),
    );
}

/// The settings that words of the job become, each with its feature and its words.
fn said(ground: &Ground<'_>) -> BTreeMap<String, (&'static str, Span)> {
    let (mut said, case) = (BTreeMap::new(), answer::Case::new(*ground));
    for asked in ground.plan.asks.iter().filter(|asked| concerns(&asked.ask, "spark")) {
        match answer::answer(&asked.ask, &case) {
            Answer::Native(means) | Answer::Emulated(means, _) => {
                let settings = match means {
                    Means::Settings(settings)
                    | Means::Mounted(_, _, settings)
                    | Means::Secret { settings, .. } => settings,
                    Means::Name(_)
                    | Means::Tag(_)
                    | Means::Bind { .. }
                    | Means::Inherent(_)
                    | Means::Tasks(_)
                    | Means::Words
                    | Means::ShimWords
                    | Means::Cpus(_)
                    | Means::Memory(_)
                    | Means::Gpus(_)
                    | Means::Archive { .. }
                    | Means::At(..)
                    | Means::Restart(..)
                    | Means::Done(_)
                    | Means::StartAgain(..)
                    | Means::After(..)
                    | Means::Ready(..)
                    | Means::Hadoop { .. }
                    | Means::Wait(_)
                    | Means::Deadline(_)
                    | Means::Success(_)
                    | Means::Fresh { .. }
                    | Means::Kerberos { .. } => Vec::new(),
                };
                said.extend(
                    settings.into_iter().map(|(key, _)| (key, (Feature::from(&asked.ask).name(), asked.at))),
                );
            }
            Answer::Ignored(_) | Answer::Refused(_) => {}
        }
    }
    said
}

/// An executor must be heard more often than it is given up (`SparkConf.validateSettings`). Spark reads the longer time in
/// whole seconds.
fn silence(ground: &Ground<'_>, out: &mut Vec<Diagnostic>) {
    const TIMEOUT: (&str, u64) = ("spark.network.timeout", 120_000);
    const BEAT: (&str, u64) = ("spark.executor.heartbeatInterval", 10_000);
    let given =
        |name: &str| ground.options.conf.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
    let (timeout, beat) = (given(TIMEOUT.0), given(BEAT.0));
    let read = |value: Option<&At<Text>>, default| {
        value.map_or(Some(default), |value| milliseconds(value.value.as_str()))
    };
    let (Some(longest), Some(between)) = (read(timeout, TIMEOUT.1), read(beat, BEAT.1)) else { return };
    if longest / 1000 * 1000 > between {
        return;
    }
    let Some(at) = beat.or(timeout) else { return };
    let mut found = Diagnostic::new(
        &SPARK_SETTING_VALUE,
        at.span,
        "Spark gives an executor up after `spark.network.timeout`, and hears it only each `spark.executor.heartbeatInterval`",
    )
    .here("the longer of the two must be the timeout")
    .help("unless given, the timeout is `120s` and the heartbeat `10s`");
    if let (Some(_), Some(timeout)) = (beat, timeout) {
        found = found.label(timeout.span, "the timeout");
    }
    out.push(found);
}

/// A setting of another manager: Spark takes it, and never reads it.
fn elsewhere(ground: &Ground<'_>, key: &At<String>, out: &mut Vec<Diagnostic>) -> bool {
    let of = [("spark.yarn.", Manager::Yarn), ("spark.kubernetes.", Manager::Kubernetes)];
    let whose = of.into_iter().find(|(prefix, _)| key.value.starts_with(prefix)).map(|(_, manager)| manager);
    let Some(whose) = whose.filter(|manager| *manager != ground.manager) else {
        out.extend(readers::overridden(ground, key));
        let Some(fact) = readers::unread(ground, &key.value) else { return false };
        out.push(super::stray(key.span, fact));
        return true;
    };
    let fact = format!(
        "`{}` is a setting of {}, and the master is {}",
        key.value.escape_debug(),
        whose.word(),
        ground.master()
    );
    out.push(super::stray(key.span, fact));
    true
}

/// One setting of Spark.
fn setting(manager: Manager, key: &At<String>, value: &At<Text>, out: &mut Vec<Diagnostic>) {
    let word = key.value.as_str();
    let shown = word.escape_debug();
    if let Some(owner) = owner(word) {
        out.push(
            Diagnostic::new(&SPARK_SETTING_OWNED, key.span, format!("`{shown}` follows from {owner}"))
                .here("not to be set twice")
                .help(format!("remove it, and say it with {owner}")),
        );
        return;
    }
    let unknown = |fact: String| Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact);
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'/'));
    if !word.starts_with("spark.") || !plain {
        let found = unknown(format!("`{shown}` is no setting of Spark")).here("left out by spark-submit");
        out.push(found.help("settings begin with `spark.`; Hadoop's with `spark.hadoop.`"));
        return;
    }
    let kind = match known(word) {
        Known::Typed(kind) => kind,
        Known::Family(family) => {
            match named(family, word, value.value.as_str()) {
                Some((fact, true)) => {
                    let found = Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact);
                    out.push(found.here("not a name there").help("write a name that its reader takes"));
                }
                Some((fact, false)) => {
                    let found = Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact);
                    out.push(found.here("not a value of it").help("write a value that Kubernetes takes"));
                }
                None => {
                    let flag = word.starts_with("spark.ssl.") && word.ends_with(".enabled");
                    value_of(manager, (word, if flag { Kind::Flag } else { Kind::Text }), value, out);
                }
            }
            return;
        }
        Known::Near(near) => {
            let found = unknown(format!("Spark has no setting `{shown}`, and takes it without a word"));
            out.push(
                found
                    .here("misspelt")
                    .help(format!("did you mean `{near}`?"))
                    .suggest(Fix::replace(key.span, format!("\"{near}\""))),
            );
            return;
        }
        Known::No => {
            out.push(
                Diagnostic::new(
                    &SPARK_SETTING_UNCHECKED,
                    key.span,
                    format!("`{shown}` is not among the settings known here"),
                )
                .here("not checked")
                .help("Spark takes a misspelt key without a word: compare it with Spark's own documentation"),
            );
            Kind::Text
        }
    };
    value_of(manager, (word, kind), value, out);
}

/// What is wrong with a name that the job gives to a member of a family (`true`), or with its value.
fn named(family: Family, key: &str, value: &str) -> Option<(String, bool)> {
    let (prefix, name) = split(family, key)?;
    let first = name.starts_with(|c: char| c.is_ascii_digit());
    let variable = !first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (shown, of) = (name.escape_debug(), prefix.trim_end_matches('.'));
    match family {
        Family::Any => None,
        Family::Variable | Family::Container => (!variable).then(|| {
            (format!("`{shown}` is no name of a variable: letters, digits and `_`, no digit first"), true)
        }),
        Family::Label | Family::Selector => {
            if let Some(fault) = reserved_label(name).filter(|_| family == Family::Label) {
                return Some((fault, true));
            }
            match (label_fault(name, ""), label_fault(name, value)) {
                (Some(fault), _) => Some((format!("`{of}` is for labels: {fault}"), true)),
                (None, fault) => fault.map(|fault| (fault, false)),
            }
        }
        Family::Annotation => {
            label_fault(name, "").map(|_| (format!("`{shown}` is no key of an annotation"), true))
        }
    }
}

/// The family's own part of a key, and the rest.
fn split(family: Family, key: &str) -> Option<(&str, &str)> {
    let prefixes: &[&str] = match family {
        Family::Any => &[],
        Family::Variable => &["spark.kubernetes.driverEnv."],
        Family::Container => &["spark.yarn.appMasterEnv."],
        Family::Label => &["spark.kubernetes.driver.label.", "spark.kubernetes.executor.label."],
        Family::Selector => &["spark.kubernetes.driver.node.selector."],
        Family::Annotation => {
            &["spark.kubernetes.driver.annotation.", "spark.kubernetes.executor.annotation."]
        }
    };
    prefixes
        .iter()
        .find_map(|prefix| key.strip_prefix(prefix))
        .map(|name| (&key[..key.len() - name.len()], name))
}

fn value_of(manager: Manager, (key, kind): (&str, Kind), value: &At<Text>, out: &mut Vec<Diagnostic>) {
    let word = value.value.as_str();
    let wrong = |fact: String, help: String| {
        Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("not a value of it").help(help)
    };
    if key.len() + word.len() + 1 >= LONGEST {
        let fact = format!("Linux passes at most {LONGEST} bytes in an argument to spark-submit");
        out.push(wrong(fact, "write it into a file that the host of the submitter has".to_owned()));
        return;
    }
    if let Some(fault) = text::value_fault(word) {
        out.push(wrong(fault.to_owned(), "write the value itself, in printable ASCII".to_owned()));
        return;
    }
    if let Some(wanted) = kind.fault(word) {
        out.push(wrong(format!("`{key}` is no `{}`", word.escape_debug()), format!("write {wanted}")));
        return;
    }
    if let Some((fact, help)) = nodes::fault(manager, key, word) {
        out.push(wrong(fact, help.to_owned()));
        return;
    }
    if key.ends_with("JavaOptions") {
        java_options(word, &wrong, out);
    }
}

/// `spark.driver.extraJavaOptions` and the like: split like a shell line, and no heap among them.
fn java_options(word: &str, wrong: &dyn Fn(String, String) -> Diagnostic, out: &mut Vec<Diagnostic>) {
    match shlex::split(word) {
        None => out.push(wrong(
            "an option whose quotes do not close".to_owned(),
            "options are split like a shell line".to_owned(),
        )),
        Some(words) if words.iter().any(|w| w.contains("-Xmx") || w.starts_with("-Dspark.")) => {
            out.push(wrong(
                "Spark refuses its heap and its settings among Java's options".to_owned(),
                "write `spark.driver.memory \"4g\"`; the executors' heap follows from `resources memory`"
                    .to_owned(),
            ))
        }
        Some(_) => {}
    }
}
