//! Spark's own settings, `conf { … }`: none that the job says itself, none misspelt, none with a value that its reader
//! does not take.
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
use tfjob_lang::references;
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::values::Text;
use tfjob_lang::target::{Target as _, concerns};

/// The longest argument that Linux passes to a process, with its closing NUL (`MAX_ARG_STRLEN`).
const LONGEST: usize = 131_072;

/// Every fault of the settings.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if context.options.conf.is_empty() {
        return;
    }
    let said = said(context);
    for (key, value) in &context.options.conf {
        if elsewhere(context, key, out) {
            continue;
        }
        match said.get(&key.value).filter(|_| owner(&key.value).is_none()) {
            Some((_, word, at)) => out.push(
                Diagnostic::new(
                    &SPARK_SETTING_RESERVED,
                    key.span,
                    format!("`{}` follows from `{word}`", key.value.escape_debug()),
                )
                .here("not to be set twice")
                .label(*at, "said here")
                .help("remove one of the two"),
            ),
            None => setting(context, key, value, out),
        }
    }
    // A volume is mounted by the setting of its path, a secret by the setting of its name.
    let path =
        |key: &str| key.ends_with(".mount.path") || key.starts_with("spark.kubernetes.executor.secrets.");
    let mounts = said.into_iter().filter(|(key, _)| path(key));
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

/// The settings that words of the job become, each with its value, its feature and its words.
fn said(context: &Context<'_>) -> BTreeMap<String, (String, &'static str, Span)> {
    let mut said = BTreeMap::new();
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
                let one = |(key, value)| (key, (value, feature, required.at));
                said.extend(settings.into_iter().map(one));
            }
            Support::Inherent { .. } | Support::Ignored(_) | Support::Unsupported(_) => {}
        }
    }
    said
}

/// A setting of another manager: Spark takes it, and never reads it.
fn elsewhere(context: &Context<'_>, key: &At<String>, out: &mut Vec<Diagnostic>) -> bool {
    let of = [("spark.yarn.", Manager::Yarn), ("spark.kubernetes.", Manager::Kubernetes)];
    let whose = of.into_iter().find(|(prefix, _)| key.value.starts_with(prefix)).map(|(_, manager)| manager);
    let Some(whose) = whose.filter(|manager| *manager != context.manager) else {
        out.extend(readers::overridden(context, key));
        let Some(fact) = readers::unread(context, &key.value) else { return false };
        out.push(super::stray(key.span, fact));
        return true;
    };
    let fact = format!(
        "`{}` is a setting of {}, and the master is {}",
        key.value.escape_debug(),
        whose.word(),
        context.master()
    );
    out.push(super::stray(key.span, fact));
    true
}

/// Whether a key is one of the metrics, of one instance or of all: `spark.metrics.conf.*.sink.console.class`.
fn metrics(key: &str) -> bool {
    let rest = key.strip_prefix("spark.metrics.conf.").and_then(|rest| rest.strip_prefix("*."));
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)))
}

/// Options of the target, of which settings follow.
const OPTIONS: [&str; 7] =
    ["master", "namespace", "priority", "python", "queue", "service-account", "upload"];

/// What to write instead of a setting that follows from `owner`.
fn instead(owner: &str) -> String {
    match owner.starts_with('`') {
        true if OPTIONS.contains(&owner.trim_matches('`')) => {
            format!("remove it, and write {owner} in `target \"spark\"`")
        }
        true => format!("remove it, and write {owner} of the job"),
        false => "remove it: a job cannot change it".to_owned(),
    }
}

/// One setting of Spark.
fn setting(context: &Context<'_>, key: &At<String>, value: &At<Text>, out: &mut Vec<Diagnostic>) {
    let word = key.value.as_str();
    let shown = word.escape_debug();
    if let Some(owner) = owner(word) {
        out.push(
            Diagnostic::new(&SPARK_SETTING_RESERVED, key.span, format!("`{shown}` follows from {owner}"))
                .here("not to be set twice")
                .help(instead(owner)),
        );
        return;
    }
    let unknown = |fact: String| Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact);
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'/'));
    // `*` stands for every instance (`MetricsConfig`).
    let plain = plain || metrics(word);
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
                    value_of(context, (word, if flag { Kind::Flag } else { Kind::Text }), value, out);
                }
            }
            return;
        }
        Known::Near(near) => {
            out.push(misspelt(key, near));
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
    value_of(context, (word, kind), value, out);
}

fn misspelt(key: &At<String>, near: &str) -> Diagnostic {
    let shown = key.value.escape_debug();
    let fact = format!("Spark has no setting `{shown}`, and takes it without a word");
    Diagnostic::new(&SPARK_SETTING_UNKNOWN, key.span, fact)
        .here("misspelt")
        .help(format!("did you mean `{near}`?"))
        .suggest(Fix::replace(key.span, format!("\"{near}\"")))
}

/// What is wrong with a name that the job gives to a member of a family (`true`), or with its value.
fn named(family: Family, key: &str, value: &str) -> Option<(String, bool)> {
    let (prefix, name) = split(family, key)?;
    let first = name.starts_with(|c: char| c.is_ascii_digit());
    let variable = !first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (shown, of) = (name.escape_debug(), prefix.trim_end_matches('.'));
    match family {
        Family::Any => None,
        Family::SecretKey if variable => {
            let entry = value.split_once(':').is_some_and(|(secret, entry)| {
                crate::names::is_subdomain(secret) && !entry.is_empty() && !entry.contains(':')
            });
            (!entry)
                .then(|| (format!("`{}` is no entry of a secret, `SECRET:KEY`", value.escape_debug()), false))
        }
        Family::Variable | Family::Container | Family::SecretKey => (!variable).then(|| {
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

/// The first reference of the language in a value, and the value with its parameters in their places.
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

fn value_of(context: &Context<'_>, (key, kind): (&str, Kind), value: &At<Text>, out: &mut Vec<Diagnostic>) {
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
    if let Some((reference, whole)) = referenced(context, word) {
        let fact = format!("`{reference}` reaches Spark as it stands: values of `conf` hold no references");
        let found = wrong(fact, format!("write `\"{whole}\"`"));
        let quoted = format!("\"{}\"", whole.escape_default());
        out.push(if whole == word {
            found.help("write the value itself")
        } else {
            found.suggest(Fix::replace(value.span, quoted))
        });
        return;
    }
    // YARN's client reads the size of a driver in its cluster, and writes `-Xmx` itself.
    let sized = match kind {
        Kind::Heap(least) if context.manager == Manager::Yarn && !context.client() => Kind::mebibytes(least),
        kind => kind,
    };
    if let Some(wanted) = sized.fault(word) {
        let found = wrong(format!("`{key}` cannot be `{}`", word.escape_debug()), format!("write {wanted}"));
        out.push(match near(word).filter(|_| kind == Kind::Zone) {
            Some(region) => found
                .help(format!("did you mean `{region}`?"))
                .suggest(Fix::replace(value.span, format!("\"{region}\""))),
            None => found,
        });
        return;
    }
    if kind == Kind::Zone && zone(word) == Zone::Unlisted {
        let fact = format!("`{}` is not among the time zones known here", word.escape_debug());
        let found = Diagnostic::new(&SPARK_SETTING_UNCHECKED, value.span, fact).here("not checked");
        out.push(found.help("compare it with the time zones of the cluster's Java"));
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
