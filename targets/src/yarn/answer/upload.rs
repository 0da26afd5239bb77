//! Code and stages: what the engine copies must lie on the cluster's default file system, and be no folder.
use super::Answer;
use crate::carry::Spot;
use crate::pack;
use crate::yarn::case::Case;
use crate::yarn::means::Means;
use crate::yarn::shape::FileType;
use tfjob_lang::lowered::{Phase, Step};
use tfjob_lang::plan::Place;
use tfjob_lang::spec::values::{Scheme, Uri};

/// The variable with the container's own folder, which the master sets in each.
pub const HOME: &str = "WORK_DIR";
/// What the node manager unpacks, by the end of the name (`FSDownload`).
const ARCHIVES: [&str; 5] = [".zip", ".tar.gz", ".tgz", ".tar", ".jar"];

/// The folder of a job's own uploads, below its user's folder.
#[must_use]
pub fn folder(job: &str) -> String {
    format!(".tfjob/{job}")
}

/// A uri on the default file system, as `src_file` takes it.
#[must_use]
pub fn on_default(uri: &Uri) -> String {
    let own = uri.scheme() == Scheme::Hdfs && matches!(uri.host(), "" | "default");
    if own { uri.path().to_owned() } else { uri.to_string() }
}

/// One spelling for a place on the default file system, whatever the job calls it.
#[must_use]
pub fn canonical(case: &Case<'_>, uri: &Uri) -> String {
    let text = on_default(uri);
    let root = case.site.job.default_fs.as_ref().map_or("", |fs| fs.value.trim_end_matches('/'));
    let rest = text.strip_prefix(root).filter(|rest| !root.is_empty() && rest.starts_with('/'));
    rest.map_or_else(|| text.clone(), str::to_owned)
}

/// Something to copy into the containers.
pub struct Wanted<'w> {
    /// Which.
    pub place: Place,
    /// Its name among the container's files.
    pub name: String,
    /// From where.
    pub uri: &'w Uri,
    /// The commit, of a git uri.
    pub reference: Option<&'w str>,
    /// Where it must appear.
    pub at: Option<&'w str>,
    /// Whether it must be an archive.
    pub archive: bool,
}

impl Wanted<'_> {
    /// Whether what lies beside the spec must be packed first: the code, and a folder.
    fn packs(&self) -> bool {
        let path = self.uri.path();
        (self.archive || path.ends_with('/')) && !ARCHIVES.iter().any(|end| path.ends_with(end))
    }
}

/// Copies it through the default file system into each container.
pub fn localise(case: &Case<'_>, wanted: &Wanted<'_>) -> Answer {
    let packs = wanted.uri.scheme() == Scheme::Beside && wanted.packs();
    let (source, steps) = match bring(case, wanted) {
        Ok(brought) => brought,
        Err(refused) => return *refused,
    };
    let packed = ARCHIVES.iter().any(|end| source.ends_with(*end));
    let kind = if packed { FileType::Archive } else { FileType::Static };
    if !packed && wanted.archive {
        return Answer::impossible(
            format!("unpacks archives into the folder of the code, and `{}` is none", wanted.uri),
            format!("pack it: a name that ends in {}", ARCHIVES[..4].join(", ")),
            "yarn-observed §3",
        );
    }
    let (dest, spot) = match wanted.at {
        Some(at) => (at.to_owned(), Spot::from(at)),
        None => {
            let suffix = if packed { "" } else { suffix(&source) };
            let dest = format!("{}{suffix}", wanted.name);
            let spot = Spot::under(HOME, format!("/{dest}"));
            (dest, spot)
        }
    };
    let means = Means::Localise { place: wanted.place, kind, dest, source, spot, steps };
    if packs { Answer::Emulated(means, pack::how(wanted.uri)) } else { Answer::Native(means) }
}

/// `.txt` of `/a/b.txt`.
fn suffix(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at..])
}

type Brought = (String, Vec<Step>);

/// Where it lies on the default file system, and what brings it there.
fn bring(case: &Case<'_>, wanted: &Wanted<'_>) -> Result<Brought, Box<Answer>> {
    let uri = wanted.uri;
    let root = format!("{}://{}", uri.scheme().word(), uri.host());
    let own = case.site.job.default_fs.as_ref().is_some_and(|fs| fs.value.trim_end_matches('/') == root);
    match uri.scheme() {
        Scheme::Hdfs if matches!(uri.host(), "" | "default") => Ok((on_default(uri), Vec::new())),
        Scheme::Hdfs | Scheme::Viewfs | Scheme::S3a | Scheme::Gs | Scheme::Abfs if own => {
            Ok((uri.to_string(), Vec::new()))
        }
        Scheme::Hdfs | Scheme::Viewfs | Scheme::S3a | Scheme::Gs | Scheme::Abfs => {
            Ok(copied(case, wanted, &uri.to_string()))
        }
        Scheme::S3 => Ok(copied(case, wanted, &uri.to_string().replacen("s3:", "s3a:", 1))),
        Scheme::Http | Scheme::Https => Ok(downloaded(case, wanted)),
        Scheme::GitHttps => Ok(cloned(case, wanted)),
        Scheme::Beside => Ok(beside(case, wanted)),
        Scheme::Nfs | Scheme::Pvc | Scheme::File => Err(Box::new(Answer::refused(
            format!("copies into a container from its default file system, and `{uri}` is elsewhere"),
            "put it on `hdfs:`, or beside the spec as `./…`",
            "yarn-observed §3",
        ))),
    }
}

fn before(argv: &[&str], why: impl Into<String>) -> Step {
    Step::new(Phase::Before, argv, why)
}

/// The name of the upload: the container's name with the ending of what it is.
fn target(case: &Case<'_>, wanted: &Wanted<'_>, end: &str) -> String {
    format!("{}/{}{end}", folder(&case.plan.name.value), wanted.name)
}

/// The ending that decides whether it is unpacked.
fn ending(path: &str) -> &str {
    ARCHIVES.into_iter().find(|end| path.ends_with(end)).unwrap_or_else(|| suffix(path))
}

fn mkdir(case: &Case<'_>) -> Step {
    before(&["hdfs", "dfs", "-mkdir", "-p", &folder(&case.plan.name.value)], "a folder for the job's uploads")
}

fn put(case: &Case<'_>, from: &str, to: &str) -> [Step; 2] {
    [
        mkdir(case),
        before(&["hdfs", "dfs", "-put", "-f", from, to], "the engine copies from there into the containers"),
    ]
}

fn copied(case: &Case<'_>, wanted: &Wanted<'_>, from: &str) -> Brought {
    let to = target(case, wanted, ending(wanted.uri.path()));
    let copy = before(
        &["hadoop", "fs", "-cp", "-f", from, &to],
        "the engine reads its own file system only; `default-fs` says which it is",
    );
    (to, vec![mkdir(case), copy])
}

fn downloaded(case: &Case<'_>, wanted: &Wanted<'_>) -> Brought {
    let end = ending(wanted.uri.path());
    let (local, to) = (format!("{}{end}", wanted.name), target(case, wanted, end));
    let get = before(
        &[
            "curl",
            "--fail",
            "--silent",
            "--show-error",
            "--location",
            "--output",
            &local,
            &wanted.uri.to_string(),
        ],
        "the engine does not download",
    );
    let [mkdir, put] = put(case, &local, &to);
    (to, vec![get, mkdir, put])
}

fn cloned(case: &Case<'_>, wanted: &Wanted<'_>) -> Brought {
    let uri = wanted.uri.to_string();
    let remote = uri.strip_prefix("git+").unwrap_or(&uri);
    let (clone, local) = (format!("{}.git", wanted.name), format!("{}.tar.gz", wanted.name));
    let to = target(case, wanted, ".tar.gz");
    let reference = wanted.reference.unwrap_or("HEAD");
    let [mkdir, put] = put(case, &local, &to);
    let steps = vec![
        before(&["git", "init", "--quiet", "--bare", &clone], "the engine does not clone"),
        before(
            &["git", "-C", &clone, "fetch", "--quiet", "--depth", "1", "--", remote, reference],
            "the commit alone",
        ),
        before(
            &[
                "git",
                "-C",
                &clone,
                "archive",
                "--format=tar.gz",
                "--output",
                &format!("../{local}"),
                "FETCH_HEAD",
            ],
            "packed, since the engine copies no folder",
        ),
        mkdir,
        put,
    ];
    (to, steps)
}

/// The path is the spec's own, and steps are run where the spec lies.
fn beside(case: &Case<'_>, wanted: &Wanted<'_>) -> Brought {
    let path = wanted.uri.to_string();
    if !wanted.packs() {
        let to = target(case, wanted, ending(&path));
        let [mkdir, put] = put(case, &path, &to);
        return (to, vec![mkdir, put]);
    }
    let (local, to) = (format!("{}.tar.gz", wanted.name), target(case, wanted, ".tar.gz"));
    let [mkdir, put] = put(case, &local, &to);
    (to, vec![pack::step(wanted.uri, &local), mkdir, put])
}
