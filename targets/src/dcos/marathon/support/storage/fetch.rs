//! How `code` and `files` come into a task: Mesos' fetcher puts files into the sandbox, and unpacks each archive into the
//! sandbox itself, one over the other (Mesos, `launcher/fetcher.cpp`). So it unpacks one; `tar` of the image the rest.
use crate::contract_builder::Location;
use crate::dcos::marathon::mechanism::{Fetched, Mount, Way};
use crate::dcos::marathon::support::mounts::{bare, taken};
use crate::libhdfs::address;
use tfjob_lang::plan::{Plan, Volume};
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// The variable that holds the sandbox's path, in an image and without one.
pub const SANDBOX: &str = "MESOS_SANDBOX";

/// The longest uri that Marathon takes (`stringTypes.raml`, `Uri`).
const LONGEST: usize = 1024;

/// Why something cannot come in, and what could.
pub struct Lost {
    pub why: String,
    pub help: String,
}

fn lost<T>(why: impl Into<String>, help: impl Into<String>) -> Result<T, Lost> {
    Err(Lost { why: why.into(), help: help.into() })
}

/// What the end of a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// For `tar` with this option.
    Tar(&'static str),
    Zip,
    File,
    /// No extension: nothing says that it is a file.
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

/// Whether nothing says that a uri is a file.
pub fn is_folder(uri: &Uri) -> bool {
    kind(uri) == Kind::Folder
}

/// The last step of the path, without query and fragment.
fn base(uri: &Uri) -> &str {
    let name = uri.name();
    &name[..name.find(['?', '#']).unwrap_or(name.len())]
}

/// The name under which Mesos' fetcher writes an archive: it unpacks by this suffix, and only by a lower-case one.
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

/// The first archive without a place of its own, which the fetcher unpacks: the code, or `files` by their number.
fn unpacked_by_mesos(plan: &Plan) -> Option<Option<usize>> {
    let stages = plan.storage.stage.iter().enumerate().map(|(index, volume)| (Some(index), volume));
    let archives = plan.storage.code.iter().map(|volume| (None, volume)).chain(stages);
    let of_ours = |v: &Volume| {
        let archive = || matches!(kind(&v.uri.value), Kind::Tar(_) | Kind::Zip);
        v.at.is_none() && v.uri.value.scheme().class() != Class::Spec && archive()
    };
    archives.into_iter().find(|(_, volume)| of_ours(volume)).map(|(number, _)| number)
}

/// The folder of the `code` or of `files`: none that `files` choose can be another's, or `{scratch}`.
pub fn folder(plan: &Plan, number: Option<usize>) -> String {
    number
        .map_or_else(|| "code".to_owned(), |index| format!("files-{}", plan.storage.stage[index].name.value))
}

/// The scratch folder of a task in its sandbox, into which the fetcher may unpack an archive of the job: one that has a folder
/// `scratch` is no rarity.
pub const SCRATCH: &str = "tfjob-scratch";

/// Folders of the sandbox into which the command of a task unpacks archives.
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

/// How one thing comes in, and a word of warning where that is not by Mesos alone. `name` is its folder's.
pub fn fetched(
    name: &str,
    uri: &Uri,
    at: Option<&str>,
    plan: &Plan,
) -> Result<(Fetched, Option<String>), Lost> {
    match uri.scheme().class() {
        Class::Web => download(name, uri, at, plan),
        Class::Hadoop | Class::Bucket => {
            let (fetched, how) = download(name, uri, at, plan)?;
            let client =
                "each agent fetches it with a Hadoop client of its own, which must be installed there"
                    .to_owned();
            Ok((fetched, Some(how.map_or(client.clone(), |how| format!("{client}; {how}")))))
        }
        Class::Node if kind(uri) == Kind::Folder => mounted(name, uri, at, plan).map(|f| (f, None)),
        Class::Node => download(name, uri, at, plan),
        Class::Repository => {
            lost("has no git client on its agents", "put an archive of that commit on a web server")
        }
        Class::Spec => lost(
            "cannot take files from beside the spec",
            "put it on a web server or into HDFS, and name it here",
        ),
        Class::Volume => lost(
            format!("mounts no {} into a task", uri.scheme().storage()),
            "put an archive on a web server, or name a folder that every agent has: `file:///…`",
        ),
    }
}

fn mounted(name: &str, uri: &Uri, at: Option<&str>, plan: &Plan) -> Result<Fetched, Lost> {
    let host = uri.path().to_owned();
    if let Some(why) = at.and_then(|at| taken(at, plan)) {
        return lost(why, "name another path with `at=\"/…\"`");
    }
    let at = match at {
        Some(at) if bare(plan) && at != host => {
            return lost(
                "mounts folders into images only",
                format!("name an `image`, or write `at=\"{host}\"`"),
            );
        }
        Some(at) => at.to_owned(),
        None if bare(plan) => host.clone(),
        None => format!("/tfjob/{name}"),
    };
    let mount = Mount { host, at: at.clone(), writable: false };
    Ok(Fetched { place: at.into(), way: Way::Mount(mount) })
}

/// Why nothing can be unpacked at a path, if nothing can: files of the agent or of the system are there.
fn overwritten(at: &str, plan: &Plan) -> Option<Lost> {
    let bare = plan.roles.iter().find(|role| role.image.is_none());
    if let Some(role) = bare {
        let role = &role.name.value;
        return Some(Lost {
            why: format!(
                "unpacks nothing at `{at}` for `{role}`, which has no image: it would be the agent's own `{at}`"
            ),
            help: "remove `at`, and use the reference; or give each role an image".to_owned(),
        });
    }
    crate::mounts::is_system(at).then(|| Lost {
        why: format!("cannot unpack at `{at}`: it would overwrite the container's own system"),
        help: "use another path, such as `at=\"/opt/data\"`; or remove `at`".to_owned(),
    })
}

/// Whether agents can fetch a uri as one file.
pub fn is_fetched(uri: &Uri) -> bool {
    let scheme = uri.scheme().class().is_opened() || uri.scheme().class() == Class::Node;
    scheme
        && uri.to_string().len() <= LONGEST
        && !uri.to_string().contains('\'')
        && crate::names::java_fault(&uri.to_string()).is_none()
}

fn download(name: &str, uri: &Uri, at: Option<&str>, plan: &Plan) -> Result<(Fetched, Option<String>), Lost> {
    let text = address(uri);
    if text.len() > LONGEST {
        return lost(
            format!("takes uris of at most {LONGEST} characters, and this one has {}", text.len()),
            "a shorter name",
        );
    }
    if text.contains(['\\', '\'']) {
        return lost("refuses uris with `\\` or `'`", "write them percent-encoded: `%5C`, `%27`");
    }
    if let Some(fault) = crate::names::java_fault(&text) {
        return lost(format!("reads addresses as Java does, which refuses `{uri}`"), fault);
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
            if let Some(lost) = at.and_then(|at| overwritten(at, plan)) {
                return Err(lost);
            }
            let place = at.map_or_else(|| under(format!("/{name}")), Location::from);
            let way = Way::Unpack { uri: text, file: format!("tfjob-{name}-{}", base(uri)), tar };
            Ok((Fetched { place, way }, Some("the task unpacks it with the `tar` of its image".to_owned())))
        }
        (Kind::Zip, Some(_)) => lost(
            "unpacks a zip into the sandbox only",
            "remove `at`: `{code}` and `{files.…}` say where it is; or pack it with tar",
        ),
        (Kind::Zip, None) => lost(
            "unpacks one archive into the sandbox, and a second one over it",
            "pack this one with tar: the task then unpacks it into a folder of its own",
        ),
        (Kind::File, None) => {
            let way = Way::Fetch { uri: text, file: format!("{name}/{}", base(uri)), extract: false };
            let inside = if name == "code" { String::new() } else { format!("/{}", base(uri)) };
            Ok((Fetched { place: under(format!("/{name}{inside}")), way }, None))
        }
        (Kind::File, Some(_)) => {
            lost("puts a file into the sandbox only", "remove `at`: a reference says where it is")
        }
        (Kind::Folder, _) => lost(
            "fetches files, and nothing says that this is one",
            "name an archive: `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.bz2` or `.tar.xz`",
        ),
    }
}
