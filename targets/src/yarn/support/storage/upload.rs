//! Support of `code` and `files`. YARN copies files and archives from the default file system of the cluster, but not directories.
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

/// Returns whether the NodeManager unpacks archives of this format (`FSDownload.unpack`).
pub const fn unpacks(form: Archive) -> bool {
    match form {
        Archive::Zip | Archive::Tar | Archive::TarGz => true,
        Archive::TarBz2 | Archive::TarXz => false,
    }
}

/// Returns the upload directory of a job, relative to the home directory of its user.
#[must_use]
pub fn folder(job: &str) -> String {
    format!("{FOLDER}/{job}")
}

/// Parent directory of the uploads of all jobs.
pub const FOLDER: &str = ".tfjob";

/// Returns a URI on the default file system in the form that `src_file` accepts.
#[must_use]
pub fn on_default(uri: &Uri) -> String {
    if file_system(uri).is_none() { uri.path().to_owned() } else { uri.to_string() }
}

/// Returns the normalized file system of a URI, or `None` for the default file system of the cluster.
#[must_use]
pub fn file_system(uri: &Uri) -> Option<String> {
    (!uri.is_of_site()).then(|| root(&format!("{}://{}", uri.scheme().word(), uri.host())))
}

/// Normalizes the root of a file system as `FileSystem.checkPath` compares it: lower case, without the default port of HDFS.
#[must_use]
pub fn root(text: &str) -> String {
    let root = text.trim_end_matches('/').to_ascii_lowercase();
    let plain = root.strip_suffix(":8020").filter(|_| root.starts_with("hdfs:"));
    plain.map_or_else(|| root.clone(), str::to_owned)
}

/// Returns whether a normalized file system is the one that the option `default-fs` names.
fn is_default(context: &Context<'_>, file_system: &str) -> bool {
    context.site.job.default_fs.as_ref().is_some_and(|fs| root(&fs.value) == file_system)
}

/// Returns the normalized URI of a file. For a file on the default file system, this is only the path.
#[must_use]
pub fn canonical(context: &Context<'_>, uri: &Uri) -> String {
    match file_system(uri) {
        Some(root) if !is_default(context, &root) => format!("{root}{}", uri.path()),
        Some(_) | None => uri.path().to_owned(),
    }
}

/// The first `code` or `files` entry with each link name, and with each source file. An entry on the nodes has no link name.
pub struct Copies {
    links: BTreeMap<String, DataRef>,
    files: BTreeMap<String, DataRef>,
}

impl Copies {
    /// Collects the entries of a job.
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

    /// Returns an entry other than `own` with the same link name in the containers, if any.
    #[must_use]
    pub fn named(&self, link: &str, own: DataRef) -> Option<DataRef> {
        self.links.get(link).copied().filter(|place| *place != own)
    }

    /// Returns an entry other than `own` with the same source file, if any.
    #[must_use]
    pub fn same_file(&self, canonical: &str, own: DataRef) -> Option<DataRef> {
        self.files.get(canonical).copied().filter(|place| *place != own)
    }
}

/// A file or an archive to copy into the containers.
pub struct Wanted<'w> {
    /// The entry of the spec.
    pub place: DataRef,
    /// File name of the upload, without its suffix.
    pub name: String,
    /// Source URI.
    pub uri: &'w Uri,
    /// Git reference, for a git URI.
    pub reference: Option<&'w str>,
    /// Absolute path in the container.
    pub at: Option<&'w str>,
    /// Whether the source must be an archive, as for `code`.
    pub archive: bool,
}

impl<'w> Wanted<'w> {
    /// Returns the file that a `code` or `files` entry requests, without its git reference.
    pub fn new(context: &Context<'_>, place: DataRef, uri: &'w Uri, at: Option<&'w str>) -> Self {
        let name = match place {
            DataRef::Stage(index) => format!("files-{}", context.plan.storage.stage[index].name.value),
            DataRef::Code | DataRef::Data(_) | DataRef::Checkpoints | DataRef::Scratch => "code".to_owned(),
        };
        Self { place, name, uri, reference: None, at, archive: place == DataRef::Code }
    }

    /// Returns the link name in the container: the last segment of the path.
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

    /// Returns whether a step must pack the source into an archive: a directory, or any `code` that is not an archive.
    fn packs(&self) -> bool {
        (self.archive || !is_file(self.uri)) && Archive::of(self.uri).is_none()
    }
}

/// Returns whether a URI certainly names a file, because its name has an extension. The compiler does not read the file.
pub fn is_file(uri: &Uri) -> bool {
    uri.name().trim_start_matches('.').contains('.')
}

/// Returns the support of a file that YARN copies into each container, from the default file system.
pub fn localise(context: &Context<'_>, wanted: &Wanted<'_>) -> Support {
    let packs = wanted.uri.scheme().class() == Class::Spec && wanted.packs();
    if let Some(refused) = uncopied(wanted) {
        return refused;
    }
    let (source, steps) = match upload(context, wanted) {
        Ok(upload) => upload,
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

/// Maximum length in bytes of the name of a copied file. The name of its checksum file, `.NAME.crc`, may have at most 255 bytes.
pub const LONGEST: usize = 250;

/// Refuses a source that YARN cannot copy or unpack.
fn uncopied(wanted: &Wanted<'_>) -> Option<Support> {
    let uri = wanted.uri;
    let (web, name) = (uri.scheme().class().is_served(), uri.path());
    if let Some(bad) = name.chars().find(|c| "$`\"\\:".contains(*c)).filter(|_| !web) {
        return Some(Support::impossible(
            format!("the launch script of the container breaks on the character `{bad}` in `{uri}`"),
            "rename the file with letters, digits, and `._-+@=%`",
            "ContainerLaunch, Hadoop 3.4.2; HDFS refuses `:`",
        ));
    }
    let repacked = Archive::repacked(uri, Archive::TarGz);
    match Archive::of(uri) {
        Some(form) if unpacks(form) => None,
        Some(form) => Some(Support::impossible(
            format!("the NodeManager cannot unpack `{}` (only zip, tar, and gzip)", form.suffix()),
            format!("repack it as `{repacked}`"),
            "FSDownload, Hadoop 3.3.6 and 3.4.2",
        )),
        None if matches!(uri.scheme().class(), Class::Spec | Class::Repository) => None,
        None if wanted.archive => Some(Support::impossible(
            format!(
                "`code` must be an archive that the NodeManager unpacks, but `{uri}` has no archive suffix"
            ),
            pack::as_archive(uri, &repacked),
            "yarn#source-files",
        )),
        // A URL with a query is accepted without a file name, because the query may name the file.
        None if !uri.name().is_empty() || web && uri.path().contains('?') => None,
        None => Some(Support::impossible(
            format!("`{uri}` is a directory, but YARN copies only files and archives (`src_file`)"),
            format!("pack the directory, for example as `{repacked}`"),
            "yarn#source-files",
        )),
    }
}

/// Returns the extension of a path with its dot, such as `.txt`.
fn suffix(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    let end = name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at..]);
    // An unusual extension is dropped, because the extension becomes part of a link name in the launch script.
    if end.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c)) { end } else { "" }
}

/// Returns the refusal of a file whose name is too long. Only a file that is already on the default file system keeps its name: a
/// file that a setup step uploads gets a new name.
fn name_too_long(uri: &Uri) -> Support {
    Support::impossible(
        format!(
            "the file name in `{uri}` is longer than {LONGEST} bytes, so the NodeManager cannot write the checksum file `.NAME.crc` of its copy"
        ),
        "rename the file: use at most 250 bytes",
        "`File name too long`: LocalFileSystem, Hadoop 3.3.6 and 3.4.2",
    )
}

/// A path on the default file system, and the setup steps that upload a file to this path.
type Upload = (String, Vec<Step>);

/// Returns the path on the default file system and the setup steps that upload the file, or a refusal.
fn upload(context: &Context<'_>, wanted: &Wanted<'_>) -> Result<Upload, Box<Support>> {
    let uri = wanted.uri;
    let stated = file_system(uri);
    let on_default_fs = stated.as_ref().is_some_and(|root| is_default(context, root));
    let keeps_name = on_default_fs || uri.is_of_site();
    if keeps_name && uri.name().len() > LONGEST {
        return Err(Box::new(name_too_long(uri)));
    }
    match uri.scheme().class() {
        Class::Hadoop if stated.is_none() => {
            match context.site.job.default_fs.as_ref().and_then(not_hadoop) {
                Some(default) => Err(Box::new(Support::impossible(
                    format!(
                        "`{uri}` is on the default file system, but the default file system of this cluster is not HDFS: `{default}`"
                    ),
                    format!("write `{default}{}`", uri.path()),
                    "FileSystem.checkPath, Hadoop 3.4.2",
                ))),
                None => Ok((on_default(uri), Vec::new())),
            }
        }
        Class::Hadoop | Class::Bucket if uri.scheme() == Scheme::S3 => {
            Ok(copied(context, wanted, &uri.to_string().replacen("s3:", "s3a:", 1)))
        }
        Class::Hadoop | Class::Bucket if on_default_fs => Ok((uri.to_string(), Vec::new())),
        Class::Hadoop | Class::Bucket => Ok(copied(context, wanted, &uri.to_string())),
        Class::Web => Ok(downloaded(context, wanted)),
        Class::Repository => Ok(cloned(context, wanted)),
        Class::Spec => Ok(local(context, wanted)),
        Class::Volume | Class::Node => Err(Box::new(Support::unsupported(
            format!(
                "`{uri}` cannot be copied into containers, because files are copied only from the default file system"
            ),
            "copy it to `hdfs:`, or put it next to the spec as `./…`",
            "yarn#source-files",
        ))),
    }
}

/// Returns `default-fs` if it is not HDFS, otherwise `None`. If it is, for example, an object store, `hdfs:///…` does not exist.
pub fn not_hadoop(default: &At<Text>) -> Option<&str> {
    let root = default.value.trim_end_matches('/');
    Scheme::of_address(root).is_none_or(|scheme| scheme.class() != Class::Hadoop).then_some(root)
}

fn before(argv: &[&str], why: impl Into<String>) -> Step {
    Step::new(Phase::Before, argv, why)
}

/// Returns the path of the upload on the default file system. `end`: suffix of the file name.
fn target(context: &Context<'_>, wanted: &Wanted<'_>, end: &str) -> String {
    format!("{}/{}{end}", folder(&context.plan.name.value), wanted.name)
}

/// Escapes a URI for the `hdfs dfs` shell, which expands glob patterns.
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

/// Returns the suffix of a file name. By the suffix, YARN decides whether to unpack the file.
fn ending(uri: &Uri) -> &str {
    match Archive::of(uri) {
        Some(form) => form.suffix(),
        None => suffix(uri.name()),
    }
}

fn put(from: Word, to: &str) -> Step {
    let put =
        before(&["hdfs", "dfs", "-put", "-f"], "uploads the file, which YARN copies into the containers");
    put.with([from, to.into()])
}

/// Returns the path of a local file that a step creates. It is in the output directory, so it overwrites no file of the user.
fn made(wanted: &Wanted<'_>, end: &str) -> String {
    format!("tfjob-{}{end}", wanted.name)
}

fn copied(context: &Context<'_>, wanted: &Wanted<'_>, from: &str) -> Upload {
    let to = target(context, wanted, ending(wanted.uri));
    let copy = before(
        &["hadoop", "fs", "-cp", "-f", &literal(from), &to],
        "copies the file to the default file system, the only one that YARN copies from; if the file is already on it, set `default-fs`",
    );
    (to, vec![copy])
}

fn downloaded(context: &Context<'_>, wanted: &Wanted<'_>) -> Upload {
    let end = ending(wanted.uri);
    let (local, to) = (made(wanted, end), target(context, wanted, end));
    let get = before(
        &["curl", "--fail", "--silent", "--show-error", "--location", "--globoff", "--output"],
        "downloads the file, because YARN cannot copy from a web server",
    );
    let get = get.with([Word::made(local.clone()), wanted.uri.to_string().into()]);
    let put = put(Word::Encoded { path: local }, &to);
    (to, vec![get, put])
}

/// Turns off the Git attributes `export-ignore` and `export-subst`. With them, the archive could differ from a checkout.
const SAME_AS_CHECKOUT: &str =
    r#"mkdir -p "$1/info" && echo "* -export-ignore -export-subst" > "$1/info/attributes""#;

fn cloned(context: &Context<'_>, wanted: &Wanted<'_>) -> Upload {
    let uri = wanted.uri.to_string();
    let remote = uri.strip_prefix("git+").unwrap_or(&uri);
    let (clone, local) = (made(wanted, ".git"), made(wanted, ".tar.gz"));
    let to = target(context, wanted, ".tar.gz");
    let reference = wanted.reference.unwrap_or("HEAD");
    // The path begins with `../`, because `git -C` resolves it relative to the clone, which is a subdirectory.
    let output = format!("../{local}");
    let clone = || Word::made(clone.clone());
    let put = put(Word::Encoded { path: local }, &to);
    let arguments = |argv: &[&str]| argv.iter().copied().map(Word::from).collect::<Vec<_>>();
    let steps = vec![
        before(
            &["git", "init", "--quiet", "--bare"],
            "creates a local repository, because YARN cannot clone Git repositories",
        )
        .with([clone()]),
        before(
            &["sh", "-c", SAME_AS_CHECKOUT, "sh"],
            "keeps files that `.gitattributes` excludes from archives",
        )
        .with([clone()]),
        before(&["git", "-C"], "fetches the commit without history")
            .with([clone()])
            .with(arguments(&["fetch", "--quiet", "--depth", "1", "--", remote, reference])),
        before(&["git", "-C"], "packs the commit into an archive, because YARN cannot copy directories")
            .with([clone()])
            .with(arguments(&["archive", "--format=tar.gz", "--output", &output, "FETCH_HEAD"])),
        put,
    ];
    (to, steps)
}

/// Returns the upload of a path relative to the spec. The steps run in the directory of the spec.
fn local(context: &Context<'_>, wanted: &Wanted<'_>) -> Upload {
    let path = wanted.uri.to_string();
    if !wanted.packs() {
        let to = target(context, wanted, ending(wanted.uri));
        let put = put(encoded(&path).into(), &to).in_spec_directory();
        // If the path may be a directory, a step checks it first. `-put` would copy a directory, which YARN then refuses.
        let is_certain = Archive::of(wanted.uri).is_some() || pack::is_file(wanted.uri.path());
        let why = format!("checks that `{path}` is a file; for a directory, write `{path}/` in the spec");
        let check = (!is_certain).then(|| before(&["test", "-f", &path], why).in_spec_directory());
        return (to, check.into_iter().chain([put]).collect());
    }
    let (local, to) = (pack::archive(&wanted.name), target(context, wanted, ".tar.gz"));
    let put = put(Word::Encoded { path: local.clone() }, &to);
    (to, vec![pack::step(wanted.uri, &local), put])
}
