//! `code` and `files`: what the engine copies must lie on the cluster's default file system, and be no folder.
use crate::contract_builder::Location;
use crate::pack;
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::schema::FileType;
use crate::yarn::support::Support;
use crate::yarn::variables::HOME;
use std::collections::BTreeMap;
use tfjob_lang::at::At;
use tfjob_lang::lowered::{Phase, Step, Word, encoded};
use tfjob_lang::plan::DataRef;
use tfjob_lang::spec::values::{Archive, Class, Scheme, Text, Uri};

/// Whether the node manager unpacks archives of that form (`FSDownload.unpack`).
pub const fn unpacks(form: Archive) -> bool {
    match form {
        Archive::Zip | Archive::Tar | Archive::TarGz => true,
        Archive::TarBz2 | Archive::TarXz => false,
    }
}

/// The folder of a job's own uploads, below its user's folder.
#[must_use]
pub fn folder(job: &str) -> String {
    format!("{FOLDER}/{job}")
}

/// The folder with those of all jobs.
pub const FOLDER: &str = ".tfjob";

/// A uri on the default file system, as `src_file` takes it.
#[must_use]
pub fn on_default(uri: &Uri) -> String {
    if file_system(uri).is_none() { uri.path().to_owned() } else { uri.to_string() }
}

/// The file system of a URI in one spelling; `None` where the URI means the default one of any cluster.
#[must_use]
pub fn file_system(uri: &Uri) -> Option<String> {
    (!uri.is_of_site()).then(|| root(&format!("{}://{}", uri.scheme().word(), uri.host())))
}

/// One spelling of a file system's root, as `FileSystem.checkPath` compares them: in lower case, without HDFS's port.
#[must_use]
pub fn root(text: &str) -> String {
    let root = text.trim_end_matches('/').to_ascii_lowercase();
    let plain = root.strip_suffix(":8020").filter(|_| root.starts_with("hdfs:"));
    plain.map_or_else(|| root.clone(), str::to_owned)
}

/// Whether a file system is the one that `default-fs` names.
fn is_default(context: &Context<'_>, file_system: &str) -> bool {
    context.site.job.default_fs.as_ref().is_some_and(|fs| root(&fs.value) == file_system)
}

/// One spelling for a place on the default file system, whatever the job calls it.
#[must_use]
pub fn canonical(context: &Context<'_>, uri: &Uri) -> String {
    match file_system(uri) {
        Some(root) if !is_default(context, &root) => format!("{root}{}", uri.path()),
        Some(_) | None => uri.path().to_owned(),
    }
}

/// The `code` and `files` that the engine copies: which is the first of its name, and the first of its file.
pub struct Copies {
    links: BTreeMap<String, DataRef>,
    files: BTreeMap<String, DataRef>,
}

impl Copies {
    /// Those of a job.
    #[must_use]
    pub fn of(context: &Context<'_>) -> Self {
        let all = &context.plan.storage;
        let code = all.code.iter().map(|volume| (DataRef::Code, volume));
        let stages = all.stage.iter().enumerate().map(|(index, volume)| (DataRef::Stage(index), volume));
        let (mut links, mut files) = (BTreeMap::new(), BTreeMap::new());
        for (place, volume) in code.chain(stages) {
            let (uri, at) = (&volume.uri.value, volume.at.as_ref().map(|at| at.value.as_str()));
            files.entry(canonical(context, uri)).or_insert(place);
            if context.node_path(uri).is_none() {
                links.entry(Wanted::new(context, place, uri, at).link()).or_insert(place);
            }
        }
        Self { links, files }
    }

    /// What has the name in the containers, unless it is the thing itself.
    #[must_use]
    pub fn named(&self, link: &str, own: DataRef) -> Option<DataRef> {
        self.links.get(link).copied().filter(|place| *place != own)
    }

    /// What is the same file, unless it is the thing itself.
    #[must_use]
    pub fn same_file(&self, canonical: &str, own: DataRef) -> Option<DataRef> {
        self.files.get(canonical).copied().filter(|place| *place != own)
    }
}

/// Something to copy into the containers.
pub struct Wanted<'w> {
    /// Which.
    pub place: DataRef,
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

impl<'w> Wanted<'w> {
    /// What a job wants of its `code` or of `files`; the commit is not known here.
    pub fn new(context: &Context<'_>, place: DataRef, uri: &'w Uri, at: Option<&'w str>) -> Self {
        let name = match place {
            DataRef::Stage(index) => format!("files-{}", context.plan.storage.stage[index].name.value),
            DataRef::Code | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => "code".to_owned(),
        };
        Self { place, name, uri, reference: None, at, archive: place == DataRef::Code }
    }

    /// The name by which the engine knows it: the last step of its path in the container.
    pub fn link(&self) -> String {
        if let Some(at) = self.at {
            return at.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        }
        let packed = match self.uri.scheme().class() {
            Class::Repository => true,
            Class::Spec => self.packs(),
            Class::Hadoop | Class::Bucket | Class::Web | Class::Volume | Class::Node => false,
        };
        let plain = !packed && Archive::of(self.uri).is_none();
        format!("{}{}", self.name, if plain { suffix(self.uri.name()) } else { "" })
    }

    /// Whether what lies beside the spec must be packed first: the code, and a directory.
    fn packs(&self) -> bool {
        (self.archive || !is_file(self.uri)) && Archive::of(self.uri).is_none()
    }
}

/// Whether a name is surely that of a file: it has an extension. Nothing is read when a spec is compiled.
pub fn is_file(uri: &Uri) -> bool {
    uri.name().trim_start_matches('.').contains('.')
}

/// Copies it through the default file system into each container.
pub fn localise(context: &Context<'_>, wanted: &Wanted<'_>) -> Support {
    let packs = wanted.uri.scheme().class() == Class::Spec && wanted.packs();
    if let Some(refused) = uncopied(wanted) {
        return refused;
    }
    let (source, steps) = match bring(context, wanted) {
        Ok(brought) => brought,
        Err(refused) => return *refused,
    };
    let packed = Archive::of_name(&source).is_some();
    let kind = if packed { FileType::Archive } else { FileType::Static };
    let (dest, location) = match wanted.at {
        Some(at) => (at.trim_end_matches('/').to_owned(), Location::from(at)),
        None => {
            let dest = wanted.link();
            let location = Location::under(HOME, format!("/{dest}"));
            (dest, location)
        }
    };
    let mechanism = Mechanism::Localise { place: wanted.place, kind, dest, source, location, steps };
    if packs { Support::Emulated(mechanism, pack::how(wanted.uri)) } else { Support::Native(mechanism) }
}

/// The longest name of a file that a node manager copies: the checksum file next to it, `.NAME.crc`, has 255 bytes.
pub const LONGEST: usize = 250;

/// Why the engine cannot copy something: it unpacks three forms of archives, and copies no directory.
fn uncopied(wanted: &Wanted<'_>) -> Option<Support> {
    let uri = wanted.uri;
    let (web, name) = (uri.scheme().class().is_served(), uri.path());
    if let Some(bad) = name.chars().find(|c| "$`\"\\:".contains(*c)).filter(|_| !web) {
        return Some(Support::impossible(
            format!("links `{uri}` in a launch script, which misreads a name with `{bad}`"),
            "rename the file: use letters, digits and `._-+@=%`",
            "ContainerLaunch of 3.4.2; HDFS takes no `:`",
        ));
    }
    let repacked = Archive::repacked(uri, Archive::TarGz);
    match Archive::of(uri) {
        Some(form) if unpacks(form) => None,
        Some(form) => Some(Support::impossible(
            format!("cannot unpack `{}` (`FSDownload` reads zip, tar and gzip only)", form.suffix()),
            format!("repack it as `{repacked}`"),
            "FSDownload of Hadoop 3.3.6 and 3.4.2",
        )),
        None if matches!(uri.scheme().class(), Class::Spec | Class::Repository) => None,
        None if wanted.archive => Some(Support::impossible(
            format!("unpacks an archive as the code, and `{uri}` is not one"),
            format!("pack the code, for example as `{repacked}`"),
            "yarn#source-files",
        )),
        // A query decides what the server answers with.
        None if !uri.name().is_empty() || web && uri.path().contains('?') => None,
        None => Some(Support::impossible(
            format!("copies files and archives, and `{uri}` is a directory, which it refuses as `src_file`"),
            format!("pack the directory, for example as `{repacked}`"),
            "yarn#source-files",
        )),
    }
}

/// `.txt` of `/a/b.txt`.
fn suffix(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    let end = name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at..]);
    // It becomes part of a link's name in a launch script.
    if end.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c)) { end } else { "" }
}

/// The node manager keeps the name of a file on the default file system; any other file is uploaded under a name of ours.
fn long(uri: &Uri) -> Support {
    Support::impossible(
        format!(
            "writes the checksum file `.NAME.crc` next to its copy of a file, and the name in `{uri}` is longer than {LONGEST} bytes"
        ),
        "rename the file, with at most 250 bytes",
        "`File name too long`: LocalFileSystem of Hadoop 3.3.6 and 3.4.2",
    )
}

type Brought = (String, Vec<Step>);

/// Where it lies on the default file system, and what brings it there.
fn bring(context: &Context<'_>, wanted: &Wanted<'_>) -> Result<Brought, Box<Support>> {
    let uri = wanted.uri;
    let other = file_system(uri);
    let own = other.as_ref().is_some_and(|root| is_default(context, root));
    let kept = own || uri.is_of_site();
    if kept && uri.name().len() > LONGEST {
        return Err(Box::new(long(uri)));
    }
    match uri.scheme().class() {
        Class::Hadoop if other.is_none() => match context.site.job.default_fs.as_ref().and_then(not_hadoop) {
            Some(default) => Err(Box::new(Support::impossible(
                format!("reads `{uri}` from the default file system, and `default-fs` is `{default}`"),
                format!("write `{default}{}`", uri.path()),
                "FileSystem.checkPath of Hadoop 3.4.2",
            ))),
            None => Ok((on_default(uri), Vec::new())),
        },
        Class::Hadoop | Class::Bucket if uri.scheme() == Scheme::S3 => {
            Ok(copied(context, wanted, &uri.to_string().replacen("s3:", "s3a:", 1)))
        }
        Class::Hadoop | Class::Bucket if own => Ok((uri.to_string(), Vec::new())),
        Class::Hadoop | Class::Bucket => Ok(copied(context, wanted, &uri.to_string())),
        Class::Web => Ok(downloaded(context, wanted)),
        Class::Repository => Ok(cloned(context, wanted)),
        Class::Spec => Ok(beside(context, wanted)),
        Class::Volume | Class::Node => Err(Box::new(Support::unsupported(
            format!("copies into a container from its default file system, and `{uri}` is elsewhere"),
            "put it on `hdfs:`, or beside the spec as `./…`",
            "yarn#source-files",
        ))),
    }
}

/// The default file system, where it is an object store: there `hdfs:///…` names nothing.
#[must_use]
pub fn not_hadoop(default: &At<Text>) -> Option<&str> {
    let root = default.value.trim_end_matches('/');
    Scheme::of_address(root).is_none_or(|scheme| scheme.class() != Class::Hadoop).then_some(root)
}

fn before(argv: &[&str], why: impl Into<String>) -> Step {
    Step::new(Phase::Before, argv, why)
}

/// The name of the upload: the container's name with the ending of what it is.
fn target(context: &Context<'_>, wanted: &Wanted<'_>, end: &str) -> String {
    format!("{}/{}{end}", folder(&context.plan.name.value), wanted.name)
}

/// A URI for Hadoop's FsShell, which reads it as a pattern of names.
#[must_use]
pub fn literal(uri: &str) -> String {
    let mut out = String::with_capacity(uri.len());
    for c in uri.chars() {
        if "*?[]{}".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The suffix that decides whether it is unpacked.
fn ending(uri: &Uri) -> &str {
    match Archive::of(uri) {
        Some(form) => form.suffix(),
        None => suffix(uri.name()),
    }
}

fn put(from: Word, to: &str) -> Step {
    let put = before(&["hdfs", "dfs", "-put", "-f"], "the engine copies from there into the containers");
    put.with([from, to.into()])
}

/// What a step makes in the target's own directory, so that it replaces no file of the user's.
fn made(wanted: &Wanted<'_>, end: &str) -> String {
    format!("tfjob-{}{end}", wanted.name)
}

fn copied(context: &Context<'_>, wanted: &Wanted<'_>, from: &str) -> Brought {
    let to = target(context, wanted, ending(wanted.uri));
    let copy = before(
        &["hadoop", "fs", "-cp", "-f", &literal(from), &to],
        "the engine reads its own file system only; `default-fs` says which it is",
    );
    (to, vec![copy])
}

fn downloaded(context: &Context<'_>, wanted: &Wanted<'_>) -> Brought {
    let end = ending(wanted.uri);
    let (local, to) = (made(wanted, end), target(context, wanted, end));
    let get = before(
        &["curl", "--fail", "--silent", "--show-error", "--location", "--globoff", "--output"],
        "the engine does not download",
    );
    let get = get.with([Word::made(local.clone()), wanted.uri.to_string().into()]);
    let put = put(Word::Encoded { path: local }, &to);
    (to, vec![get, put])
}

/// `git archive` leaves out files with `export-ignore` and expands `export-subst`; a checkout does neither.
const WHOLE: &str = r#"mkdir -p "$1/info" && echo "* -export-ignore -export-subst" > "$1/info/attributes""#;

fn cloned(context: &Context<'_>, wanted: &Wanted<'_>) -> Brought {
    let uri = wanted.uri.to_string();
    let remote = uri.strip_prefix("git+").unwrap_or(&uri);
    let (clone, local) = (made(wanted, ".git"), made(wanted, ".tar.gz"));
    let to = target(context, wanted, ".tar.gz");
    let reference = wanted.reference.unwrap_or("HEAD");
    // git writes its output from the clone on, which lies in the same directory.
    let output = format!("../{local}");
    let clone = || Word::made(clone.clone());
    let put = put(Word::Encoded { path: local }, &to);
    let words = |words: &[&str]| words.iter().copied().map(Word::from).collect::<Vec<_>>();
    let steps =
        vec![
            before(&["git", "init", "--quiet", "--bare"], "the engine does not clone").with([clone()]),
            before(&["sh", "-c", WHOLE, "sh"], "`.gitattributes` of the commit would leave out files")
                .with([clone()]),
            before(&["git", "-C"], "the commit alone")
                .with([clone()])
                .with(words(&["fetch", "--quiet", "--depth", "1", "--", remote, reference])),
            before(&["git", "-C"], "packed, since the engine copies no folder")
                .with([clone()])
                .with(words(&["archive", "--format=tar.gz", "--output", &output, "FETCH_HEAD"])),
            put,
        ];
    (to, steps)
}

/// The path is the spec's own, and steps are run where the spec lies.
fn beside(context: &Context<'_>, wanted: &Wanted<'_>) -> Brought {
    let path = wanted.uri.to_string();
    if !wanted.packs() {
        let to = target(context, wanted, ending(wanted.uri));
        let put = put(encoded(&path).into(), &to);
        // `-put` copies a directory too, and the engine then refuses it.
        let sure = Archive::of(wanted.uri).is_some() || pack::is_file(wanted.uri.path());
        let why = format!("`{path}` must be a file: for a directory, write `{path}/` in the spec");
        let check = (!sure).then(|| before(&["test", "-f", &path], why));
        return (to, check.into_iter().chain([put]).collect());
    }
    let (local, to) = (pack::archive(&wanted.name), target(context, wanted, ".tar.gz"));
    let put = put(Word::Encoded { path: local.clone() }, &to);
    (to, vec![pack::step(wanted.uri, &local), put])
}
