//! How code and stages come into a task: Mesos' fetcher puts files into the sandbox, and unpacks each archive into the
//! sandbox itself, one over the other (Mesos, `launcher/fetcher.cpp`). So it unpacks one; `tar` of the image the rest.
use super::Mount;
use crate::carry::Spot;
use crate::libhdfs::address;
use tfjob_lang::ask::{Ask, Resources, Storage};
use tfjob_lang::plan::{Plan, Volume};
use tfjob_lang::spec::values::{Archive, Class, Uri};

/// The variable that holds the sandbox's path, in an image and without one.
pub(super) const SANDBOX: &str = "MESOS_SANDBOX";
/// The longest uri that Marathon takes (`stringTypes.raml`, `Uri`).
const LONGEST: usize = 1024;

/// What brings one thing into the task, and where it then is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it is.
    pub place: Spot,
    /// How it comes there.
    pub way: Way,
}

/// How something comes into a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The fetcher writes it under that name, and unpacks it or not.
    Fetch {
        /// Whence.
        uri: String,
        /// Its name in the sandbox.
        file: String,
        /// Whether the fetcher unpacks it into the sandbox.
        extract: bool,
    },
    /// The fetcher writes it, the task unpacks it.
    Unpack {
        /// Whence.
        uri: String,
        /// Its name in the sandbox.
        file: String,
        /// The option of `tar`.
        tar: &'static str,
    },
    /// It is a folder of the agent.
    Mount(Mount),
}

/// Why something cannot come in, and what could.
pub(super) struct Lost {
    pub(super) why: String,
    pub(super) help: String,
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

/// The first archive without a place of its own, which the fetcher unpacks: the code, or a stage by its number.
fn unpacked_by_mesos(plan: &Plan) -> Option<Option<usize>> {
    let stages = plan.storage.stage.iter().enumerate().map(|(index, volume)| (Some(index), volume));
    let archives = plan.storage.code.iter().map(|volume| (None, volume)).chain(stages);
    let of_ours = |v: &Volume| {
        let archive = || matches!(kind(&v.uri.value), Kind::Tar(_) | Kind::Zip);
        v.at.is_none() && v.uri.value.scheme().class() != Class::Spec && archive()
    };
    archives.into_iter().find(|(_, volume)| of_ours(volume)).map(|(number, _)| number)
}

/// The folder of the code or of a stage: none of a stage's own choice can be another's, or `{scratch}`.
pub(super) fn folder(plan: &Plan, number: Option<usize>) -> String {
    number
        .map_or_else(|| "code".to_owned(), |index| format!("stage-{}", plan.storage.stage[index].name.value))
}

/// The scratch folder of a task in its sandbox, into which the fetcher may unpack an archive of the job: one that has a folder
/// `scratch` is no rarity.
pub(in crate::dcos) const SCRATCH: &str = "tfjob-scratch";

/// Folders of the sandbox into which the command of a task unpacks archives.
pub(in crate::dcos) fn unpacked(plan: &Plan) -> Vec<String> {
    let stages = plan.storage.stage.iter().enumerate().map(|(index, volume)| (Some(index), volume));
    let archives = plan.storage.code.iter().map(|volume| (None, volume)).chain(stages);
    let unpacked = |(number, volume): (Option<usize>, &Volume)| {
        let name = folder(plan, number);
        let (fetched, _) = fetched(&name, &volume.uri.value, None, plan).ok()?;
        (volume.at.is_none() && matches!(fetched.way, Way::Unpack { .. })).then_some(name)
    };
    archives.filter_map(unpacked).collect()
}

/// The sandbox inside an image, unless the operator of the agents says otherwise (`--sandbox_directory` of Mesos).
const SANDBOX_FOLDER: &str = "/mnt/mesos/sandbox";

/// Folders of each agent that a task without an image runs from: DC/OS' own programs, and the sandboxes (`MESOS_WORK_DIR`).
const AGENT_FOLDERS: [&str; 2] = ["/opt/mesosphere", "/var/lib/mesos/slave"];

/// Whether a path is a folder or above it.
fn over(at: &str, folder: &str) -> bool {
    format!("{folder}/").starts_with(&format!("{}/", at.trim_end_matches('/')))
}

/// Why nothing can be mounted at a path, if nothing can.
pub(in crate::dcos) fn taken(at: &str, plan: &Plan) -> Option<String> {
    let images = plan.roles.iter().any(|role| role.image.is_some());
    if images { hides(at, plan) } else { shared(at, plan) }
}

/// Why nothing can be mounted at a path inside an image, if nothing can.
pub(in crate::dcos) fn hides(at: &str, plan: &Plan) -> Option<String> {
    if crate::mounts::is_system(at) {
        return Some(format!("cannot mount at `{at}`: it would hide the container's own system"));
    }
    if over(at, SANDBOX_FOLDER) {
        return Some(format!(
            "cannot mount at `{at}`: it would hide the sandbox, which Mesos mounts at `{SANDBOX_FOLDER}` of the container"
        ));
    }
    shared(at, plan)
}

fn shared(at: &str, plan: &Plan) -> Option<String> {
    let shared =
        plan.asks.iter().any(|asked| matches!(asked.ask, Ask::Resources(Resources::SharedMemory { .. })));
    (shared && at == "/dev/shm").then(|| format!("cannot mount at `{at}`: `shared-memory` is there"))
}

/// Why another folder cannot be mounted at a path of the agent for a task without an image, if it cannot.
pub(in crate::dcos) fn hides_agent(at: &str) -> Option<String> {
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let own = AGENT_FOLDERS.iter().any(|folder| over(at, folder) || below(folder));
    (own || crate::mounts::is_system(at)).then(|| {
        format!("cannot mount at `{at}`: it would hide the agent's own system from a task without an image")
    })
}

/// The path below the sandbox, where a path of a container is one.
pub(in crate::dcos) fn sandboxed(path: &str, image: bool) -> Option<&str> {
    if !path.starts_with('/') {
        return Some(path);
    }
    path.strip_prefix(SANDBOX_FOLDER).and_then(|rest| rest.strip_prefix('/')).filter(|_| image)
}

/// Files that Mesos mounts into each container with a network of its own.
const NETWORK_FILES: [&str; 3] = ["/etc/hostname", "/etc/hosts", "/etc/resolv.conf"];

/// Why no secret can be mounted as the file of a path, if none can.
pub(in crate::dcos) fn secret_fault(at: &str, plan: &Plan) -> Option<String> {
    let below = |folder: &str| at.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let mounted = |ask: &Ask| match ask {
        Ask::Storage(Storage::DataMount { at, .. } | Storage::CheckpointsMount { at, .. }) => {
            below(at).then(|| at.clone())
        }
        Ask::Storage(Storage::Code { uri, at, .. } | Storage::Stage { uri, at, .. })
            if kind(uri) == Kind::Folder =>
        {
            at.clone().filter(|at| below(at))
        }
        _ => None,
    };
    let why = if NETWORK_FILES.contains(&at) {
        "Mesos mounts its own file there".to_owned()
    } else if below("/dev") {
        "Mesos mounts `/dev` itself".to_owned()
    } else if below(SANDBOX_FOLDER) {
        format!("Mesos mounts the sandbox at `{SANDBOX_FOLDER}`")
    } else if let Some(folder) = plan.asks.iter().find_map(|asked| mounted(&asked.ask)) {
        format!("a folder of the agent is mounted at `{folder}`")
    } else if let Some(why) = crate::mounts::replaced(at) {
        why.to_owned()
    } else if crate::mounts::is_directory(at) {
        return Some(format!("cannot mount a secret at `{at}`, which is a directory of the image"));
    } else {
        return hides(at, plan);
    };
    Some(format!("cannot mount a secret at `{at}`: {why}"))
}

/// How one thing comes in, and a word of warning where that is not by Mesos alone. `name` is its folder's.
pub(super) fn fetched(
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

/// Whether a task of the job runs without image: there a folder of the agent is at its own path and nowhere else.
pub(super) fn bare(plan: &Plan) -> bool {
    plan.roles.iter().any(|role| role.image.is_none())
}

/// Whether agents can fetch a uri as one file.
pub(in crate::dcos) fn is_fetched(uri: &Uri) -> bool {
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
    let under = |path: String| Spot::under(SANDBOX, path);
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
            let place = at.map_or_else(|| under(format!("/{name}")), Spot::from);
            let way = Way::Unpack { uri: text, file: format!("tfjob-{name}-{}", base(uri)), tar };
            Ok((Fetched { place, way }, Some("the task unpacks it with the `tar` of its image".to_owned())))
        }
        (Kind::Zip, Some(_)) => lost(
            "unpacks a zip into the sandbox only",
            "remove `at`: `{code}` and `{stage.…}` say where it is; or pack it with tar",
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
