//! Files in memory, and the checks of `tfjob check` on them.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tfjob_driver::{Checked, Driver, Loaded, Request as Check, Target, files};
use tfjob_lang::sources::{Format, Sources};
use tfjob_lang::syntax::{Scalar, read_kdl};
use tfjob_server::{Host, Options, Outcome, Run, Specs, Unsaved};

/// Directory of all files.
pub const ROOT: &str = "/project";

/// Files in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The texts on disk.
    pub files: Arc<Mutex<BTreeMap<PathBuf, String>>>,
    /// How often the server has dropped cached projects.
    pub forgotten: Arc<AtomicUsize>,
}

impl Memory {
    fn current(&self, path: &Path, unsaved: &Unsaved) -> Option<String> {
        unsaved.get(path).map(|text| text.to_string()).or_else(|| self.text(path))
    }
}

/// Returns the result of `tfjob check`, with bases from the same directory, and all settings of the project.
pub fn check(path: &Path, options: &Options, read: &dyn Fn(&Path) -> Option<String>) -> Option<Checked> {
    check_in(path, options, read, &(0..usize::MAX))
}

/// Returns the result of `tfjob check` with the settings in a byte range of the project file.
fn check_in(
    path: &Path,
    options: &Options,
    read: &dyn Fn(&Path) -> Option<String>,
    within: &Range<usize>,
) -> Option<Checked> {
    let driver = Driver::new(tfjob_targets::REGISTRY);
    let name = path.to_string_lossy();
    let text = read(path)?;
    if files::is_cluster(path) {
        let file = driver.cluster(&Loaded { format: files::format_of(&name), name: name.into_owned(), text });
        let batch =
            tfjob_driver::Batch { sources: file.sources.clone(), diagnostics: file.diagnostics.clone() };
        return Some(Checked { batch, ..Checked::default() });
    }
    let load = |from: &str, wanted: &str| {
        let path = Path::new(from).parent().unwrap_or_else(|| Path::new("/")).join(wanted);
        let name = path.to_string_lossy().into_owned();
        let text = read(&path).ok_or("no such file")?;
        Ok(Loaded { format: files::format_of(&name), name, text })
    };
    // The cluster of all specs in a directory.
    let cluster = path.with_file_name("all.cluster.kdl");
    let cluster = read(&cluster).map(|text| {
        let name = cluster.to_string_lossy().into_owned();
        driver.cluster(&Loaded { format: files::format_of(&name), name, text })
    });
    let request = Check::new(&name, &text).load(&load).targets(&options.targets).artifacts(options.artifacts);
    let project = path.with_file_name("tfjob.kdl");
    let settings = read(&project).map(|text| settings(&text, within)).unwrap_or_default();
    let project = project.to_string_lossy().into_owned();
    let request = request.cluster(cluster.as_ref()).settings(&settings);
    let mut checked = driver.check(&request.project(Some((&project, settings.len()))));
    if cluster.is_none() {
        driver.summarize(&name, &mut checked);
    }
    Some(checked)
}

/// An environment of a project file: `environment "NAME" { target "TARGET"; specs "FILE"; }`.
struct Environment {
    name: String,
    targets: Vec<Target>,
    /// Name of its only spec.
    spec: Option<String>,
    /// Bytes of its block.
    bytes: Range<usize>,
}

/// Returns the environments of a project file that contain a spec.
fn environments(text: &str, path: &Path) -> Vec<Environment> {
    let starts: Vec<usize> = text.match_indices("environment \"").map(|(at, _)| at).collect();
    let of = |(number, start): (usize, &usize)| {
        let bytes = *start..starts.get(number + 1).copied().unwrap_or(text.len());
        let quoted = |mark: &str| text[bytes.clone()].split_once(mark)?.1.split('"').next();
        let target = quoted("target \"").and_then(|name| tfjob_targets::REGISTRY.target(name));
        let name = quoted("environment \"").unwrap_or_default().to_owned();
        let spec = quoted("specs \"").map(str::to_owned);
        Environment { name, targets: target.into_iter().collect(), spec, bytes }
    };
    let has_spec = |one: &Environment| {
        one.spec.as_deref().is_none_or(|name| path.file_name().is_some_and(|own| own == name))
    };
    starts.iter().enumerate().map(of).filter(has_spec).collect()
}

/// Returns the values of each `set` in a byte range of a project file, each at its place, as the program does.
fn settings(text: &str, within: &Range<usize>) -> Vec<String> {
    let mut sources = Sources::default();
    let number = sources.add("tfjob.kdl", Format::Kdl, text);
    let source = sources.get(number);
    let mut found = Vec::new();
    let nodes = read_kdl(source).0.nodes;
    let blocks = nodes.iter().flat_map(|node| node.children.iter().flatten());
    let sets = blocks.flat_map(|block| block.children.iter().flatten()).filter(|node| node.name == "set");
    for entry in sets.flat_map(|node| &node.entries) {
        let Scalar::Text(value) = &entry.value else { continue };
        let quotes = source.slice(entry.span).find(value.as_str()).unwrap_or(1);
        let start = source.local(entry.span).start + quotes;
        let blank = |c: char| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) };
        let before: String = text[..start].chars().map(blank).collect();
        found.extend(within.contains(&start).then(|| format!("{before}{value}")));
    }
    found
}

impl Host for Memory {
    fn driver(&self) -> Driver {
        Driver::new(tfjob_targets::REGISTRY)
    }

    fn check(&self, path: &Path, options: &Options, unsaved: &Unsaved) -> Option<Outcome> {
        let read = |path: &Path| self.current(path, unsaved);
        let project = read(&path.with_file_name("tfjob.kdl")).unwrap_or_default();
        let each = environments(&project, path);
        if each.is_empty() {
            return check(path, options, &read).map(|checked| Ok(vec![checked]));
        }
        let checked = each.into_iter().map(|Environment { targets, bytes, .. }| {
            let targets = if options.targets.is_empty() { targets } else { options.targets.clone() };
            check_in(path, &Options { targets, ..options.clone() }, &read, &bytes)
        });
        checked.collect::<Option<Vec<_>>>().map(Ok)
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.files.lock().expect("no panic").get(path).cloned()
    }

    fn runs(&self, path: &Path, unsaved: &Unsaved) -> Vec<Run> {
        let project = self.current(&path.with_file_name("tfjob.kdl"), unsaved).unwrap_or_default();
        let run = |environment| Run { out: path.with_file_name("out"), environment };
        let mut runs: Vec<Run> =
            environments(&project, path).into_iter().map(|one| run(Some(one.name))).collect();
        if runs.is_empty() {
            runs.push(run(None));
        }
        runs
    }

    fn scripts(&self, _: &Path, compiled: &Checked, _: Option<&str>) -> Vec<(String, String)> {
        let has_files = compiled.compiled.iter().any(|(_, lowered)| lowered.is_some());
        let script = ("submit.sh".to_owned(), "API_TOKEN=a1b2c3d4e5f6a7b8 submit\n".to_owned());
        has_files.then_some(script).into_iter().collect()
    }

    fn explain(&self, topic: &str) -> Result<String, String> {
        let known = tfjob_lang::codes::PAGES.iter().find(|(name, _)| *name == topic);
        // `resources.memory` is a field of a block.
        let field = topic.split_once('.').map(|(block, field)| format!("# {field}\n\nIn `{block}`.\n"));
        known.map(|(_, page)| (*page).to_owned()).or(field).ok_or_else(|| format!("unknown topic `{topic}`"))
    }

    fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
    }

    fn contains(&self, directory: &Path, path: &Path) -> bool {
        path.starts_with(directory) && self.files.lock().expect("no panic").contains_key(path)
    }

    fn entries(&self, directory: &Path, below: &str) -> Vec<String> {
        let files = self.files.lock().expect("no panic");
        let inner = files.keys().filter_map(|path| path.strip_prefix(directory.join(below)).ok()?.to_str());
        let names = inner.map(|path| path.find('/').map_or(path, |end| &path[..=end]).to_owned());
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn specs(&self, directory: &Path) -> Specs {
        let files = self.files.lock().expect("no panic");
        let is_spec = |path: &&PathBuf| files::is_spec(&path.to_string_lossy()) || files::is_cluster(path);
        let paths = files.keys().filter(is_spec).filter(|path| path.starts_with(directory));
        Specs { paths: paths.cloned().collect(), is_complete: true }
    }
}
