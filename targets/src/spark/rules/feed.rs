//! Checks of data that Spark feeds: Spark must be able to read it, and all roles that get rows must run at the same time.
use super::super::context::Context;
use super::super::options::Format;
use super::super::support::storage::FED_FROM;
use super::unused_option;
use crate::codes::SPARK_FEED;
use std::collections::BTreeSet;
use tfjob_lang::at::At;
use tfjob_lang::diagnostic::{Diagnostic, Fix, nearest, only_near};
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{RoleId, RoleKind, Volume};
use tfjob_lang::requirement::{Lifecycle, Requirement};
use tfjob_lang::sources::Span;
use tfjob_lang::spec::When;
use tfjob_lang::spec::values::{Archive, Text, Uri};

/// Adds the diagnostics of all checks in this module.
pub fn judge(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    if context.feeds() {
        order(context, out);
        serving(context, out);
    }
    data(context, out);
}

/// Reports workers that get rows but never read them, because they only run a TensorFlow server: `Server.join()` does not return.
fn serving(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let plan = context.plan;
    let Some(input) = &context.options.input else { return };
    let Some(strategy) = plan.framework.strategy.filter(|_| plan.framework.of_contract().serves_chief())
    else {
        return;
    };
    let Some(worker) = plan.roles.iter().find(|role| role.kind == RoleKind::Worker) else { return };
    let fact = format!(
        "Spark feeds rows to chief and workers, but with strategy `{}` the workers run a TensorFlow server and read no rows",
        strategy.keyword()
    );
    out.push(
        Diagnostic::new(&SPARK_FEED, input.span, fact)
            .here("the job would fail at the timeout of the feed")
            .label(worker.name.span, "runs a server until it is stopped")
            .help("remove `input` and `feed`, and let the chief read the data"),
    );
}

/// Checks that the job declares the data, and that Spark can read it.
fn data(context: &Context<'_>, out: &mut Vec<Diagnostic>) {
    let Some(feed) = context.options.feed.as_ref().filter(|_| context.feeds()) else { return };
    let (data, all) = (&feed.value.data, &context.plan.storage.data);
    if let Some(header) = feed.value.header.as_ref().filter(|_| feed.value.format.value != Format::Csv) {
        let format = feed.value.format.value.word();
        let fact = format!("`header` applies only to format `csv`, but the format is `{format}`");
        out.push(unused_option(header.span, fact));
    }
    if let Some(timeout) = feed.value.timeout.as_ref().filter(|time| time.value.seconds() == 0) {
        let fact = "with a timeout of 0 s, no task can read its rows in time, so the driver fails the job";
        let found = Diagnostic::new(&SPARK_FEED, timeout.span, fact).here("too short");
        out.push(found.help(
            "write the maximum time for one partition, such as `timeout=\"10m\"`, or remove `timeout`",
        ));
    }
    let Some(volume) = all.iter().find(|v| v.name.value == data.value.as_str()) else {
        out.push(undeclared(data, all.iter().map(|v| v.name.value.as_str())));
        return;
    };
    let scheme = volume.uri.value.scheme();
    let read = volume.at.is_none() && scheme.is_read_by_hadoop();
    if read {
        path(data, volume, out);
    }
    if !read {
        out.push(
            Diagnostic::new(
                &SPARK_FEED,
                data.span,
                "Spark cannot feed this data, because Spark reads fed rows by their URI, through a Hadoop file system",
            )
            .here("cannot be fed")
            .label(volume.uri.span, "the data")
            .help(if context.contained() {
                FED_FROM
            } else {
                "feed from `hdfs:`, `viewfs:`, `s3a:`, `gs:`, `abfs:`, or `file:`, without `at`"
            }),
        );
    }
}

/// Reports a path whose files Spark would skip or misread.
fn path(data: &At<Text>, volume: &Volume, out: &mut Vec<Diagnostic>) {
    let name = volume.uri.value.name();
    if let Some(why) = ignored(name) {
        let fact = format!("Spark skips a file with a name that {why}: `{}`", name.escaped());
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("feeds no rows")
            .label(volume.uri.span, "the data");
        out.push(
            found.help(format!("rename the file; if it is a directory, add `/`: `{}/`", name.escaped())),
        );
    }
    if listed(volume.uri.value.path()) {
        let fact = "Spark does not split a list of paths at commas: it reads the whole text as one path, which does not exist";
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("the job fails: `PATH_NOT_FOUND`")
            .label(volume.uri.span, "the data");
        out.push(found.help(
            "use one directory with all files, or a glob pattern with `*`, such as `hdfs://default/rows/*`",
        ));
        return;
    }
    if packed(&volume.uri.value) {
        let fact = format!(
            "Spark does not unpack `{}`: it would feed the bytes of the archive as rows",
            name.escaped()
        );
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("feeds unreadable rows")
            .label(volume.uri.span, "the data");
        out.push(found.help(
            "unpack it, and use the directory of its files, which may end in `.gz` or `.bz2`; if it is a directory, add `/`",
        ));
    }
    if let Some(character) = glob_character(volume.uri.value.path()) {
        let fact =
            format!("Spark reads the path of fed data as a glob pattern, in which `{character}` is special");
        let found = Diagnostic::new(&SPARK_FEED, data.span, fact)
            .here("feeds the files that the pattern matches")
            .label(volume.uri.span, "the data");
        out.push(found.help(format!(
            "use a directory without `{character}` in its path; `*` and `?` match any characters"
        )));
    }
}

/// File extensions of compression formats for which Hadoop has no codec
/// (`META-INF/services/org.apache.hadoop.io.compress.CompressionCodec`, hadoop-client-api 3.3.4).
const UNREAD: [&str; 6] = ["br", "lzma", "lzo", "rz", "xz", "z"];

/// Returns whether Spark cannot read a file, because it is an archive or is compressed in a format without a Hadoop codec. A codec
/// decompresses formats such as `.gz`.
fn packed(uri: &Uri) -> bool {
    let unread =
        Archive::unread(uri).filter(|form| form.starts_with(".t") || matches!(*form, ".7z" | ".rar"));
    let compressed =
        uri.name().rsplit_once('.').is_some_and(|(_, form)| UNREAD.contains(&&*form.to_ascii_lowercase()));
    Archive::of(uri).is_some() || unread.is_some() || compressed
}

/// Returns whether a path contains a comma followed by another URI or by an absolute path. Spark's `load` does not split a path at
/// commas (pyspark 3.5.9, each format).
fn listed(path: &str) -> bool {
    path.split(',').skip(1).any(|next| {
        let scheme = next.trim_start().split_once(":/").map(|(scheme, _)| scheme);
        let named = |scheme: &str| !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric());
        next.trim_start().starts_with('/') || scheme.is_some_and(named)
    })
}

/// Returns the first glob character in a path, if any, except `*` and `?`, which are assumed to be intended
/// (`SparkHadoopUtil.isGlobPath`).
fn glob_character(path: &str) -> Option<char> {
    path.chars().find(|c| matches!(c, '[' | ']' | '{' | '}' | '\\'))
}

fn undeclared<'n>(data: &At<Text>, names: impl Iterator<Item = &'n str> + Clone) -> Diagnostic {
    let fact = format!("`feed` refers to data `{}`, which the job does not declare", data.value);
    let found = Diagnostic::new(&SPARK_FEED, data.span, fact).here("not declared");
    match nearest(data.value.as_str(), names.clone()) {
        Some(near) => found.help(format!("did you mean `{near}`?")).fix(
            Fix::replace(data.span, format!("\"{near}\"")).if_sure(only_near(data.value.as_str(), names)),
        ),
        None => found.help("use the name of a `data` block of the job"),
    }
}

/// Returns why Spark skips a file with this name, or `None` if Spark reads it (`HadoopFSUtils.shouldFilterOutPathName`). A name
/// without an extension may be a directory, and Spark does not skip a directory.
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

/// Reports a role that gets rows, but starts only after another role that gets rows has succeeded. Spark distributes rows to both
/// roles, and waits until all rows are read. But the late role reads no rows before the first role has succeeded, so neither role
/// would finish.
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
        // The set `held` contains the role that starts late, and all roles that start after it.
        let mut held = BTreeSet::from([*late]);
        while let Some((next, ..)) =
            afters.iter().find(|(role, of, ..)| held.contains(of) && !held.contains(role))
        {
            held.insert(*next);
        }
        let Some(fed) = held.into_iter().find(|role| is_fed(*role)) else { continue };
        let (name, first) = (&plan.roles[fed].name.value, &plan.roles[*first].name.value);
        let fact = format!(
            "Spark feeds `{name}` and `{first}` at the same time, but `{name}` starts only after `{first}` is done and cannot read its rows"
        );
        out.push(
            Diagnostic::new(&SPARK_FEED, *at, fact)
                .here("waits until a fed role is done")
                .help("write `when=\"started\"`, or `input \"tensorflow\"` without `feed`"),
        );
    }
}
