//! What Spark feeds: data that its readers find, and roles that can take rows at the same time.
use super::super::context::Context;
use super::super::options::Format;
use super::super::support::storage::FED_FROM;
use super::stray;
use crate::codes::SPARK_FEED;
use std::collections::BTreeSet;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::{Diagnostic, Fix, nearest, only_near};
use tfjob_lang::plan::{RoleId, RoleKind, Volume};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;
use tfjob_lang::spec::values::{Archive, Text, Uri};

/// Every fault of what Spark feeds.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if context.feeds() {
        order(context, out);
        serving(context, out);
    }
    data(context, out);
}

/// Workers that only serve take no rows: `Server.join()` does not return, and Spark gives rows to every chief and worker.
fn serving(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let plan = context.plan;
    let Some(input) = &context.options.input else { return };
    let Some(strategy) = plan.framework.strategy.filter(|_| plan.framework.of_contract().serves_chief())
    else {
        return;
    };
    let Some(worker) = plan.roles.iter().find(|role| role.kind == RoleKind::Worker) else { return };
    let fact = format!(
        "Spark feeds rows to chief and workers, but under `{}` the workers only serve: their rows are never taken",
        strategy.keyword()
    );
    out.push(
        Diagnostic::new(&SPARK_FEED, input.span, fact)
            .here("the job would fail at the feed's timeout")
            .label(worker.name.span, "serves until it is stopped")
            .help("remove `input` and `feed`: the chief reads the data itself"),
    );
}

/// The data is declared, and Spark's readers find it.
fn data(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let Some(feed) = context.options.feed.as_ref().filter(|_| context.feeds()) else { return };
    let (data, all) = (&feed.value.data, &context.plan.storage.data);
    if let Some(header) = feed.value.header.as_ref().filter(|_| feed.value.format.value != Format::Csv) {
        out.push(stray(
            header.span,
            format!("`header` is a word of csv, not of {}", feed.value.format.value.word()),
        ));
    }
    if let Some(timeout) = feed.value.timeout.as_ref().filter(|time| time.value.seconds() == 0) {
        let fact = "no task takes the rows of a partition within 0 s: the driver ends the job";
        let found = Diagnostic::new(&SPARK_FEED, timeout.span, fact).here("no time to read");
        out.push(found.help("write how long a partition may take, such as `timeout=\"10m\"`, or remove it"));
    }
    let Some(volume) = all.iter().find(|v| v.name.value == data.value.as_str()) else {
        out.push(undeclared(data, all.iter().map(|v| v.name.value.as_str())));
        return;
    };
    let scheme = volume.uri.value.scheme();
    let read = volume.at.is_none() && scheme.is_read_by_hadoop();
    if read {
        named(data, volume, out);
    }
    if !read {
        out.push(
            Diagnostic::new(
                &SPARK_FEED,
                data.span,
                "Spark reads rows by their address, through Hadoop's file systems",
            )
            .here("not one of them")
            .label(volume.uri.span, "the data")
            .help(if context.contained() {
                FED_FROM
            } else {
                "feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:`, `abfs:` or `file:`, without `at`"
            }),
        );
    }
}

/// What Spark does not read as it is meant, by its name.
fn named(data: &At<Text>, volume: &Volume, out: &mut Vec<Diagnostic>) {
    let name = volume.uri.value.name();
    if let Some(why) = ignored(name) {
        let fact = format!("Spark reads no file whose name {why}: `{}`", name.escape_debug());
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("no row is fed")
            .label(volume.uri.span, "the data");
        out.push(found.help(format!(
            "rename the file; if it is a folder, write `/` at the end: `{}/`",
            name.escape_debug()
        )));
    }
    if listed(volume.uri.value.path()) {
        let fact = "Spark takes several addresses in one text for one path, which is not there";
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("the job fails: `PATH_NOT_FOUND`")
            .label(volume.uri.span, "the data");
        out.push(
            found.help(
                "name one directory of all files, or a pattern with `*`, such as `hdfs://default/rows/*`",
            ),
        );
        return;
    }
    if packed(&volume.uri.value) {
        let fact =
            format!("Spark unpacks no archive: the bytes of `{}` would be the rows", name.escape_debug());
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("feeds what nobody can read")
            .label(volume.uri.span, "the data");
        out.push(found.help(
            "unpack it, and name the folder of its files, which may end in `.gz` or `.bz2`; if it is a folder, write `/` at the end",
        ));
    }
    if let Some(sign) = pattern(volume.uri.value.path()) {
        let fact = format!("Spark takes the address of rows for a pattern, in which `{sign}` is a sign");
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("feeds what the pattern matches")
            .label(volume.uri.span, "the data");
        out.push(found.help(format!("name a directory without `{sign}`; `*` and `?` match any characters")));
    }
}

/// Compressed files for which Hadoop has no codec (`META-INF/services/org.apache.hadoop.io.compress.CompressionCodec` of
/// hadoop-client-api 3.3.4).
const UNREAD: [&str; 6] = ["br", "lzma", "lzo", "rz", "xz", "z"];

/// Whether a name is that of an archive, or of a file that is compressed otherwise. Spark reads single files that a codec of Hadoop unpacks, such as `.gz`.
fn packed(uri: &Uri) -> bool {
    let unread =
        Archive::unread(uri).filter(|form| form.starts_with(".t") || matches!(*form, ".7z" | ".rar"));
    let compressed =
        uri.name().rsplit_once('.').is_some_and(|(_, form)| UNREAD.contains(&&*form.to_ascii_lowercase()));
    Archive::of(uri).is_some() || unread.is_some() || compressed
}

/// Whether a path goes on with another address or absolute path behind a comma: Spark's `load` cuts no text at commas
/// (pyspark 3.5.9, each format).
fn listed(path: &str) -> bool {
    path.split(',').skip(1).any(|next| {
        let scheme = next.trim_start().split_once(":/").map(|(scheme, _)| scheme);
        let named = |scheme: &str| !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric());
        next.trim_start().starts_with('/') || scheme.is_some_and(named)
    })
}

/// The first sign of a pattern beyond `*` and `?`, which nobody writes into a name (`SparkHadoopUtil.isGlobPath`).
fn pattern(path: &str) -> Option<char> {
    path.chars().find(|c| matches!(c, '[' | ']' | '{' | '}' | '\\'))
}

fn undeclared<'n>(data: &At<Text>, names: impl Iterator<Item = &'n str> + Clone) -> Diagnostic {
    let found = Diagnostic::new(&SPARK_FEED, data.span, format!("this job has no data `{}`", data.value))
        .here("not declared");
    match nearest(data.value.as_str(), names.clone()) {
        Some(near) => found.help(format!("did you mean `{near}`?")).fix(
            Fix::replace(data.span, format!("\"{near}\"")).if_sure(only_near(data.value.as_str(), names)),
        ),
        None => found.help("name a `data` of the job"),
    }
}

/// Why Spark passes over a file of this name (`HadoopFSUtils.shouldFilterOutPathName`). The name of a folder does not matter:
/// a name without an extension may be one.
fn ignored(name: &str) -> Option<&'static str> {
    let extension = name.trim_start_matches(['.', '_']).contains('.');
    match name {
        "_metadata" | "_common_metadata" => None,
        name if name.ends_with("._COPYING_") => Some("ends in `._COPYING_`"),
        name if extension && name.starts_with('.') => Some("begins with `.`"),
        name if extension && name.starts_with('_') && !name.contains('=') => Some("begins with `_`"),
        _ => None,
    }
}

/// Spark spreads the rows over the executors of all fed roles, and waits until each partition is taken.
fn order(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let plan = context.plan;
    let afters: Vec<(RoleId, RoleId, When, Span)> = plan
        .requirements
        .iter()
        .filter_map(|required| {
            let Requirement::Lifecycle(Lifecycle::After { role, first, when }) = &required.requirement else {
                return None;
            };
            Some((*role, *first, *when, required.at))
        })
        .collect();
    let is_fed = |role: RoleId| Context::is_fed(plan.roles[role].kind);
    for (late, first, _, at) in
        afters.iter().filter(|(_, first, when, _)| *when == When::Done && is_fed(*first))
    {
        // The role itself and every role that starts after it.
        let mut held = BTreeSet::from([*late]);
        while let Some((next, ..)) =
            afters.iter().find(|(role, of, ..)| held.contains(of) && !held.contains(role))
        {
            held.insert(*next);
        }
        let Some(fed) = held.into_iter().find(|role| is_fed(*role)) else { continue };
        let (name, first) = (&plan.roles[fed].name.value, &plan.roles[*first].name.value);
        let fact = format!(
            "Spark feeds `{name}` and `{first}` at the same time, but `{name}` starts only after `{first}` is done: its rows are never taken"
        );
        out.push(
            Diagnostic::new(&SPARK_FEED, *at, fact)
                .here("waits for a fed role to end")
                .help("write `when=\"started\"`, or `input \"tensorflow\"` without `feed`"),
        );
    }
}
