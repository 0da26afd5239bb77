//! Checks of the option `conf { … }`: settings that tfjob generates, misspelled keys, and invalid values.
use super::super::Spark;
use super::super::context::{Context, Manager};
use super::super::mechanism::Mechanism;
use super::super::settings::{Family, Kind, Known, Zone, known, near, owner, zone};
use super::super::support::shared::{label_fault, reserved_label};
use super::super::text;
use super::{java, nodes, pairs, pod, readers};
use crate::codes::{
    SPARK_SETTING_RESERVED, SPARK_SETTING_UNCHECKED, SPARK_SETTING_UNKNOWN, SPARK_SETTING_VALUE,
};
use crate::spark::support::Support;
use std::collections::BTreeMap;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::escape::Escaped;
use tfjob_lang::references;
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;
use tfjob_lang::target::{Target as _, concerns};

/// Maximum length in bytes of an argument on Linux, including its closing NUL (`MAX_ARG_STRLEN`).
const LONGEST: usize = 131_072;

/// Adds the diagnostics of all settings in `conf`.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if context.options.conf.is_empty() {
        return;
    }
    let generated = generated(context);
    for (key, value) in &context.options.conf {
        if is_unread(context, key, out) {
            continue;
        }
        match generated.get(&key.value).filter(|_| owner(&key.value).is_none()) {
            Some((_, feature, at)) => out.push(
                Diagnostic::new(
                    &SPARK_SETTING_RESERVED,
                    key.span,
                    format!("`{}` is generated from `{feature}`", key.value.escaped()),
                )
                .here("set twice")
                .label(*at, "generated from this")
                .help("remove one of the two"),
            ),
            None => setting(context, key, value, out),
        }
    }
    // A setting that mounts a volume or a secret has the mount path as its value.
    let path =
        |key: &str| key.ends_with(".mount.path") || key.starts_with("spark.kubernetes.executor.secrets.");
    let mounts = generated.into_iter().filter(|(key, _)| path(key));
    let mounts = mounts.map(|(_, (path, _, at))| (path.trim_end_matches('/').to_owned(), at)).collect();
    pod::judge(context, &mounts, out);
    pairs::silence(context, out);
    pairs::secret(context, out);
    pairs::encryption(context, out);
    pairs::driver_cores(context, out);
    pairs::ports(context, out);
    pairs::shared(context, out);
    pairs::taken(context, out);
    pairs::events(context, out);
    pairs::java(context, out);
}

/// Returns the settings that tfjob generates from the job. Each has its value, the feature that needs it, and its span.
fn generated(context: &Context<'_>) -> BTreeMap<String, (String, &'static str, Span)> {
    let mut generated = BTreeMap::new();
    for required in
        context.plan.requirements.iter().filter(|required| concerns(&required.requirement, "spark"))
    {
        match Spark.support(&required.requirement, context) {
            Support::Native(mechanism) | Support::Emulated(mechanism, _) => {
                let settings = match mechanism {
                    Mechanism::Settings(settings)
                    | Mechanism::Mounted(_, _, settings)
                    | Mechanism::Secret { settings, .. } => settings,
                    Mechanism::Name(_)
                    | Mechanism::Tag(_)
                    | Mechanism::Bind { .. }
                    | Mechanism::Tasks(_)
                    | Mechanism::Words
                    | Mechanism::ShimWords
                    | Mechanism::Cpus(_)
                    | Mechanism::Memory(_)
                    | Mechanism::Gpus(_)
                    | Mechanism::Archive { .. }
                    | Mechanism::At(..)
                    | Mechanism::Restart(..)
                    | Mechanism::Done(_)
                    | Mechanism::StartAgain(..)
                    | Mechanism::After(..)
                    | Mechanism::Ready(..)
                    | Mechanism::Hadoop { .. }
                    | Mechanism::Wait { .. }
                    | Mechanism::Deadline(_)
                    | Mechanism::Success(_)
                    | Mechanism::Fresh { .. }
                    | Mechanism::Kerberos { .. } => Vec::new(),
                };
                let feature = Feature::from(&required.requirement).name();
                let entry = |(key, value)| (key, (value, feature, required.at));
                generated.extend(settings.into_iter().map(entry));
            }
            Support::Inherent { .. } | Support::Ignored(_) | Support::Unsupported(_) => {}
        }
    }
    generated
}

/// Reports a setting that Spark accepts but does not read with this cluster manager or deploy mode. Returns whether it has
/// reported the setting.
fn is_unread(context: &Context<'_>, key: &At<String>, out: &mut Vec<Diagnostic>) -> bool {
    let of = [("spark.yarn.", Manager::Yarn), ("spark.kubernetes.", Manager::Kubernetes)];
    let other = of.into_iter().find(|(prefix, _)| key.value.starts_with(prefix)).map(|(_, manager)| manager);
    let Some(other) = other.filter(|manager| *manager != context.manager) else {
        out.extend(readers::overridden(context, key));
        let Some(fact) = readers::unread(context, &key.value) else { return false };
        out.push(super::unused_option(key.span, fact));
        return true;
    };
    let fact = format!(
        "`{}` applies only to {}, but the master is `{}`",
        key.value.escaped(),
        other.word(),
        context.master()
    );
    out.push(super::unused_option(key.span, fact));
    true
}

/// Returns whether a key, such as `spark.metrics.conf.*.sink.console.class`, configures the metrics of all Spark instances.
fn metrics(key: &str) -> bool {
    let rest = key.strip_prefix("spark.metrics.conf.").and_then(|rest| rest.strip_prefix("*."));
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)))
}

/// Options of the target from which tfjob generates settings.
const OPTIONS: [&str; 7] =
    ["master", "namespace", "priority", "python", "queue", "service-account", "upload"];

/// Returns the help for a setting that `conf` cannot set. `owner`: the field or option that sets it.
fn instead(owner: &str) -> String {
    match owner.starts_with('`') {
        true if OPTIONS.contains(&owner.trim_matches('`')) => {
            format!("remove it, and set {owner} in `target \"spark\"`")
        }
        true => format!("remove it, and set {owner} in the job"),
        false => "remove it: a job cannot change this setting".to_owned(),
    }
}

fn setting(context: &Context<'_>, key: &At<String>, value: &At<Text>, out: &mut Vec<Diagnostic>) {
    let word = key.value.as_str();
    let shown = word.escaped();
    if let Some(owner) = owner(word) {
        let fact = match owner.starts_with('`') {
            true => format!("`{shown}` is generated from {owner}"),
            false => format!("`{shown}` is set by {owner}"),
        };
        let found = Diagnostic::new(&SPARK_SETTING_RESERVED, key.span, fact).here("cannot be set here");
        out.push(found.help(instead(owner)));
        return;
    }
    let unknown = |fact: String| Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact);
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'/'));
    // In a metrics key, `*` stands for every instance (`MetricsConfig`).
    let plain = plain || metrics(word);
    if !word.starts_with("spark.") || !plain {
        let found = unknown(format!("`{shown}` is not a valid key of a Spark setting"))
            .here("ignored by spark-submit");
        out.push(
            found.help("keys of Spark settings begin with `spark.`, and keys of Hadoop settings begin with `spark.hadoop.`"),
        );
        return;
    }
    let kind = match known(word) {
        Known::Typed(kind) => kind,
        Known::Family(family) => {
            setting_of_family(context, family, (key, value), out);
            return;
        }
        Known::Near(near) => {
            out.push(misspelled(key, near));
            return;
        }
        Known::No => {
            out.push(
                Diagnostic::new(
                    &SPARK_SETTING_UNCHECKED,
                    key.span,
                    format!("tfjob does not know the setting `{shown}` and cannot check it"),
                )
                .here("not checked")
                .help(
                    "Spark ignores a misspelled key without a message: compare it with Spark's documentation",
                ),
            );
            Kind::Text
        }
    };
    value_of(context, (word, kind), value, out);
}

/// Checks a setting whose key ends in a name that the user chooses, such as that of an environment variable.
fn setting_of_family(
    context: &Context<'_>,
    family: Family,
    (key, value): (&At<String>, &At<Text>),
    out: &mut Vec<Diagnostic>,
) {
    let word = key.value.as_str();
    match named(family, word, value.value.as_str()) {
        Some((fact, true)) => {
            let found = Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact);
            out.push(found.here("invalid name").help("change the last part of the key"));
        }
        Some((fact, false)) => {
            let found = Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact);
            out.push(found.here("invalid value").help("use a value that Kubernetes accepts"));
        }
        None => {
            let flag = word.starts_with("spark.ssl.") && word.ends_with(".enabled");
            value_of(context, (word, if flag { Kind::Flag } else { Kind::Text }), value, out);
        }
    }
}

fn misspelled(key: &At<String>, near: &str) -> Diagnostic {
    let shown = key.value.escaped();
    let fact = format!("`{shown}` is not a setting of Spark, which ignores it without a message");
    Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact)
        .here("misspelled")
        .help(format!("did you mean `{near}`?"))
        .suggest(Fix::replace(key.span, format!("\"{near}\"")))
}

/// Returns the fault of a setting that belongs to a family, if any. The boolean is `true` if the name in the key is invalid, and
/// `false` if the value is invalid.
fn named(family: Family, key: &str, value: &str) -> Option<(String, bool)> {
    let (prefix, name) = split(family, key)?;
    let first = name.starts_with(|c: char| c.is_ascii_digit());
    let variable = !first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (shown, of) = (name.escaped(), prefix.trim_end_matches('.'));
    match family {
        Family::Any => None,
        Family::SecretKey if variable => {
            let entry = value.split_once(':').is_some_and(|(secret, entry)| {
                crate::names::is_subdomain(secret) && !entry.is_empty() && !entry.contains(':')
            });
            (!entry).then(|| {
                let fact = format!("`{}` is not a reference to an entry of a Secret, `SECRET:KEY`", value.escaped());
                (fact, false)
            })
        }
        Family::Variable | Family::Container | Family::SecretKey => (!variable).then(|| {
            let fact = format!(
                "`{shown}` is not a valid variable name: use letters, digits, and `_`, without a digit at the beginning"
            );
            (fact, true)
        }),
        Family::Label | Family::Selector => {
            if let Some(fault) = reserved_label(name).filter(|_| family == Family::Label) {
                return Some((fault, true));
            }
            match (label_fault(name, ""), label_fault(name, value)) {
                (Some(fault), _) => Some((format!("`{of}` sets labels, and {fault}"), true)),
                (None, fault) => fault.map(|fault| (fault, false)),
            }
        }
        Family::Annotation => {
            label_fault(name, "").map(|_| (format!("`{shown}` is not a valid key of a Kubernetes annotation"), true))
        }
    }
}

/// Splits a key into the prefix of its family and the name after it. `None` if the key has no such prefix.
fn split(family: Family, key: &str) -> Option<(&str, &str)> {
    let prefixes: &[&str] = match family {
        Family::Any => &[],
        Family::Variable => &["spark.kubernetes.driverEnv.", "spark.executorEnv."],
        Family::Container => &["spark.yarn.appMasterEnv."],
        Family::Label => &["spark.kubernetes.driver.label.", "spark.kubernetes.executor.label."],
        Family::SecretKey => &["spark.kubernetes.driver.secretKeyRef."],
        Family::Selector => &["spark.kubernetes.driver.node.selector.", "spark.kubernetes.node.selector."],
        Family::Annotation => {
            &["spark.kubernetes.driver.annotation.", "spark.kubernetes.executor.annotation."]
        }
    };
    prefixes
        .iter()
        .find_map(|prefix| key.strip_prefix(prefix))
        .map(|name| (&key[..key.len() - name.len()], name))
}

/// Returns the first reference in a value, such as `{code}`, and the whole value, with each `{param.NAME}` replaced by the value
/// of the parameter. `None` if the value contains no reference.
fn referenced<'v>(context: &Context<'_>, value: &'v str) -> Option<(&'v str, String)> {
    let known = |body: &str| references::ALL.iter().any(|one| one.is(body));
    let starts = value.match_indices('{').map(|(at, _)| at);
    let first = starts
        .filter(|at| !value[..*at].ends_with(['$', '{']))
        .filter_map(|at| Some(&value[at..=at + value[at..].find('}')?]))
        .find(|word| known(&word[1..word.len() - 1]))?;
    let params = context.plan.params.iter();
    let whole = params.fold(value.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{param.{}}}", name.value), &value.to_string())
    });
    Some((first, whole))
}

/// Returns the help for a value that is not plain text.
fn plain_help(word: &str) -> &'static str {
    match word.contains("${") {
        true => "write the value that `${…}` stands for, instead of the reference",
        false => "use only printable ASCII characters",
    }
}

fn value_of(context: &Context<'_>, (key, kind): (&str, Kind), value: &At<Text>, out: &mut Vec<Diagnostic>) {
    let word = value.value.as_str();
    let wrong = |fact: String, help: String| {
        Diagnostic::new(&SPARK_SETTING_VALUE, value.span, fact).here("invalid value").help(help)
    };
    if key.len() + word.len() + 1 >= LONGEST {
        let fact = format!(
            "the setting is longer than {LONGEST} bytes, the limit of Linux for an argument of spark-submit"
        );
        out.push(wrong(fact, "shorten the value, or move it into a file on the submitting host".to_owned()));
        return;
    }
    if let Some(fault) = text::value_fault(word) {
        out.push(wrong(fault.to_owned(), plain_help(word).to_owned()));
        return;
    }
    if let Some((reference, whole)) = referenced(context, word) {
        let fact = format!("`{reference}` is not expanded: values of `conf` cannot contain references");
        let found = wrong(fact, format!("write `\"{whole}\"`"));
        let quoted = format!("\"{}\"", whole.escape_default());
        out.push(if whole == word {
            found.help("write the literal value")
        } else {
            found.suggest(Fix::replace(value.span, quoted))
        });
        return;
    }
    // On YARN in cluster mode, Spark parses the memory of the driver and writes `-Xmx` in MiB, so all size suffixes of Spark are
    // valid.
    let sized = match kind {
        Kind::Heap(least) if context.manager == Manager::Yarn && !context.client() => Kind::mebibytes(least),
        kind => kind,
    };
    if let Some(wanted) = sized.fault(word) {
        let found =
            wrong(format!("invalid value `{}` for `{key}`", word.escaped()), format!("write {wanted}"));
        out.push(match near(word).filter(|_| kind == Kind::Zone) {
            Some(region) => found
                .help(format!("did you mean `{region}`?"))
                .suggest(Fix::replace(value.span, format!("\"{region}\""))),
            None => found,
        });
        return;
    }
    if kind == Kind::Zone && zone(word) == Zone::Unlisted {
        let fact = format!("tfjob does not know the time zone `{}` and cannot check it", word.escaped());
        let found = Diagnostic::new(&SPARK_SETTING_UNCHECKED, value.span, fact).here("not checked");
        out.push(found.help("compare it with the time zones of Java on the cluster"));
    }
    if let Some((fact, help)) = nodes::fault(context.manager, key, word) {
        out.push(wrong(fact, help.to_owned()));
        return;
    }
    if !key.ends_with("JavaOptions") {
        return;
    }
    if let Some((fact, help)) = java::fault(context, key, word) {
        out.push(wrong(fact, help));
        return;
    }
    out.extend(java::unchecked(context, word).into_iter().map(|(fact, help)| {
        Diagnostic::new(&SPARK_SETTING_UNCHECKED, value.span, fact).here("not checked").help(help)
    }));
}
