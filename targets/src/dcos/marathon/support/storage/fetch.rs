//! Delivery of `code` and `files`. The Mesos fetcher writes files into the sandbox, and would unpack all archives into the same
//! directory (`launcher/fetcher.cpp`). So the fetcher unpacks only one archive, and `tar` of the image unpacks the others.
use crate::contract_builder::Location;
use crate::dcos::marathon::mechanism::{Fetched, Mount, Way};
use crate::dcos::marathon::support::mounts::{bare, taken};
use crate::libhdfs::address;
use tfjob_lang::plan::{Plan, Volume};
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// Environment variable with the path of the sandbox. It is set with and without an image.
pub const SANDBOX: &str = "MESOS_SANDBOX";

/// The longest URI that Marathon accepts, in bytes (`stringTypes.raml`, `Uri`).
const LONGEST: usize = 1024;

/// The reason why a file cannot be delivered, and a help that says what to do.
pub struct Refused {
    pub why: String,
    pub help: String,
}

fn refused<T>(why: impl Into<String>, help: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { why: why.into(), help: help.into() })
}

/// Format of a file by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A tar archive, with the options of `tar` that unpack it.
    Tar(&'static str),
    Zip,
    File,
    /// A directory, because the name has no extension.
    Folder,
}

fn kind(uri: &Uri) -> Kind {
    match Archive::of(uri) {
        Some(Archive::Zip) => Kind::Zip,
        Some(Archive::Tar) => Kind::Tar("-xf"),
        Some(Archive::TarGz) => Kind::Tar("-xzf"),
        Some(Archive::TarBz2) => Kind::Tar("-xjf"),
        Some(Archive::TarXz) => Kind::Tar("-xJf"),
        None if base(uri).trim_start_matches('.').contains('.') => Kind::File,
        None => Kind::Folder,
    }
}

/// Returns whether tfjob assumes that a URI names a directory: a name without an extension.
pub fn is_folder(uri: &Uri) -> bool {
    kind(uri) == Kind::Folder
}

/// Returns the last path segment of a URI, without query and fragment.
fn base(uri: &Uri) -> &str {
    let name = uri.name();
    &name[..name.find(['?', '#']).unwrap_or(name.len())]
}

/// Returns the file name of an archive, with its suffix in lower case. The fetcher recognizes no other spelling of the suffix, and
/// would not unpack the archive.
fn unpackable(uri: &Uri) -> String {
    let name = base(uri);
    let suffix = Archive::of_name(name).map_or(0, |form| {
        let all = Archive::SUFFIXES.iter().filter(|(_, other)| *other == form).map(|(suffix, _)| suffix);
        let lower = name.to_ascii_lowercase();
        all.filter(|suffix| lower.ends_with(**suffix)).map(|suffix| suffix.len()).max().unwrap_or(0)
    });
    let (stem, end) = name.split_at(name.len() - suffix);
    format!("{stem}{}", end.to_ascii_lowercase())
}

/// Returns the archive that the fetcher unpacks: the first archive without `at`. The inner value is `None` for `code`, or the index
/// of a `files` entry.
fn unpacked_by_mesos(plan: &Plan) -> Option<Option<usize>> {
    let stages = plan.storage.stage.iter().enumerate().map(|(index, volume)| (Some(index), volume));
    let archives = plan.storage.code.iter().map(|volume| (None, volume)).chain(stages);
    let unpacked = |v: &Volume| {
        let archive = || matches!(kind(&v.uri.value), Kind::Tar(_) | Kind::Zip);
        v.at.is_none() && v.uri.value.scheme().class() != Class::Spec && archive()
    };
    archives.into_iter().find(|(_, volume)| unpacked(volume)).map(|(number, _)| number)
}

/// Returns the directory name of `code`, or of the `files` entry with the index `number`. The names are unique.
pub fn folder(plan: &Plan, number: Option<usize>) -> String {
    number
        .map_or_else(|| "code".to_owned(), |index| format!("files-{}", plan.storage.stage[index].name.value))
}

/// Name of the scratch directory in the sandbox. The prefix avoids conflicts, because many archives contain a directory `scratch`.
pub const SCRATCH: &str = "tfjob-scratch";

/// Returns the names of the directories in the sandbox into which the command of a task unpacks archives.
pub fn unpacked(plan: &Plan) -> Vec<String> {
    let stages = plan.storage.stage.iter().enumerate().map(|(index, volume)| (Some(index), volume));
    let archives = plan.storage.code.iter().map(|volume| (None, volume)).chain(stages);
    let unpacked = |(number, volume): (Option<usize>, &Volume)| {
        let name = folder(plan, number);
        let (fetched, _) = fetched(&name, &volume.uri.value, None, plan).ok()?;
        (volume.at.is_none() && matches!(fetched.way, Way::Unpack { .. })).then_some(name)
    };
    archives.filter_map(unpacked).collect()
}

/// Returns how `code` or a `files` entry is delivered. Also returns a note if the Mesos fetcher alone is not enough. `name`: name
/// of the directory in the task, if the entry becomes a directory.
///
/// # Errors
///
/// Returns why the URI cannot be delivered.
pub fn fetched(
    name: &str,
    uri: &Uri,
    at: Option<&str>,
    plan: &Plan,
) -> Result<(Fetched, Option<String>), Refused> {
    match uri.scheme().class() {
        Class::Web => download(name, uri, at, plan),
        Class::Hadoop | Class::Bucket => {
            let (fetched, how) = download(name, uri, at, plan)?;
            let client =
                "each agent downloads the file with its own Hadoop client, so the client must be installed on every agent"
                    .to_owned();
            Ok((fetched, Some(how.map_or(client.clone(), |how| format!("{client}; {how}")))))
        }
        Class::Node if kind(uri) == Kind::Folder => mounted(name, uri, at, plan).map(|f| (f, None)),
        Class::Node => download(name, uri, at, plan),
        Class::Repository => refused(
            "the Mesos fetcher cannot download from a git repository",
            "put an archive of this commit on a web server, and write the `https:` URI of the archive",
        ),
        Class::Spec => refused(
            "Marathon copies no files from the machine that submits the job",
            "upload it to a web server or HDFS, and use that URI",
        ),
        Class::Volume => refused(
            format!("{} cannot be mounted into a Marathon app", uri.scheme().storage()),
            "put an archive on a web server, or use a directory that exists on every agent: `file:///…`",
        ),
    }
}

fn mounted(name: &str, uri: &Uri, at: Option<&str>, plan: &Plan) -> Result<Fetched, Refused> {
    let host = uri.path().to_owned();
    if let Some(why) = at.and_then(|at| taken(at, plan)) {
        return refused(why, "use another path: `at=\"/…\"`");
    }
    let at = match at {
        Some(at) if bare(plan) && at != host => {
            return refused(
                format!(
                    "a task without an image sees a directory of the agent only at its own path, not at `{at}`"
                ),
                format!("set an `image`, or use `at=\"{host}\"`"),
            );
        }
        Some(at) => at.to_owned(),
        None if bare(plan) => host.clone(),
        None => format!("/tfjob/{name}"),
    };
    let mount = Mount { host, at: at.clone(), writable: false };
    Ok(Fetched { place: at.into(), way: Way::Mount(mount) })
}

/// Returns why no archive can be unpacked at a path: it would overwrite files of the agent or of the system. `None` if an archive
/// can be unpacked there.
fn overwritten(at: &str, plan: &Plan) -> Option<Refused> {
    let bare = plan.roles.iter().find(|role| role.image.is_none());
    if let Some(role) = bare {
        let role = &role.name.value;
        return Some(Refused {
            why: format!(
                "`{role}` has no image, so unpacking at `{at}` would write to the file system of the agent"
            ),
            help:
                "remove `at`, and use the reference `{code}` or `{files.NAME}`; or set an image for each role"
                    .to_owned(),
        });
    }
    crate::mounts::is_system(at).then(|| Refused {
        why: format!("unpacking at `{at}` would overwrite a system directory of the container"),
        help: "use another path, such as `at=\"/opt/data\"`; or remove `at`".to_owned(),
    })
}

/// Returns why agents cannot download a URI as one file, or `None` if they can.
pub fn fetch_fault(uri: &Uri) -> Option<String> {
    let (text, class) = (uri.to_string(), uri.scheme().class());
    if !class.is_opened() && class != Class::Node {
        return Some(format!("the Mesos fetcher does not support {}", uri.scheme().storage()));
    }
    if text.len() > LONGEST {
        return Some(format!("a URI has at most {LONGEST} characters, and this one has {}", text.len()));
    }
    if text.contains('\'') {
        return Some("the Mesos fetcher rejects URIs with `'`, which can be written as `%27`".to_owned());
    }
    crate::names::java_fault(&text)
}

fn download(
    name: &str,
    uri: &Uri,
    at: Option<&str>,
    plan: &Plan,
) -> Result<(Fetched, Option<String>), Refused> {
    let text = address(uri);
    if text.len() > LONGEST {
        return refused(
            format!("Marathon accepts URIs of at most {LONGEST} characters, and this one has {}", text.len()),
            "use a shorter URI",
        );
    }
    if text.contains(['\\', '\'']) {
        return refused(
            "the Mesos fetcher rejects URIs with `\\` or `'`",
            "percent-encode these characters: `%5C`, `%27`",
        );
    }
    if let Some(fault) = crate::names::java_fault(&text) {
        return refused(format!("Marathon parses URIs with Java, which rejects `{uri}`"), fault);
    }
    let first = || unpacked_by_mesos(plan).is_some_and(|number| name == folder(plan, number));
    let under = |path: String| Location::under(SANDBOX, path);
    match (kind(uri), at) {
        (Kind::Tar(_) | Kind::Zip, None) if first() => {
            let file = format!("tfjob-{}", unpackable(uri));
            let way = Way::Fetch { uri: text, file, extract: true };
            Ok((Fetched { place: under(String::new()), way }, None))
        }
        (Kind::Tar(tar), at) => {
            if let Some(refused) = at.and_then(|at| overwritten(at, plan)) {
                return Err(refused);
            }
            let place = at.map_or_else(|| under(format!("/{name}")), Location::from);
            let way = Way::Unpack { uri: text, file: format!("tfjob-{name}-{}", base(uri)), tar };
            Ok((Fetched { place, way }, Some("the Mesos fetcher unpacks only one archive, and only into the sandbox, so the task unpacks this one with the `tar` of its image".to_owned())))
        }
        (Kind::Zip, Some(at)) => refused(
            format!("the Mesos fetcher unpacks a zip archive only into the sandbox, not at `{at}`"),
            "remove `at`, and use the reference `{code}` or `{files.NAME}`; or use a tar archive",
        ),
        (Kind::Zip, None) => refused(
            "the Mesos fetcher unpacks all archives into the same directory, and another archive is unpacked there",
            "use a tar archive, which the task unpacks into a separate directory",
        ),
        (Kind::File, None) => {
            let way = Way::Fetch { uri: text, file: format!("{name}/{}", base(uri)), extract: false };
            let inside = if name == "code" { String::new() } else { format!("/{}", base(uri)) };
            Ok((Fetched { place: under(format!("/{name}{inside}")), way }, None))
        }
        (Kind::File, Some(at)) => refused(
            format!("the Mesos fetcher writes files only into the sandbox, not to `{at}`"),
            "remove `at`, and use the reference `{code}` or `{files.NAME}`",
        ),
        (Kind::Folder, _) => refused(
            "the Mesos fetcher cannot download a directory, and this URI names a directory because it has no file extension",
            "use an archive: `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2` or `.tar.xz`",
        ),
    }
}
