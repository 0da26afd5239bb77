//! Cases from specs on disk, and from the examples with artifacts in `snapshots/`.
use crate::case::{Case, File};
use std::path::{Path, PathBuf};
use tfjob_driver::{Analysis, Driver, Loaded, Request};
use tfjob_lang::sources::Format;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::REGISTRY;

/// Analyzes for every target.
pub static DRIVER: Driver = Driver::new(REGISTRY);

const ENDING: &str = ".tfjob.kdl";

/// Returns the cases of these specs, and of all specs below these directories.
///
/// # Errors
/// A file cannot be read.
pub fn cases(target: &'static dyn AnyTarget, paths: &[&str]) -> Result<Vec<Case>, String> {
    let mut found = Vec::new();
    for path in paths {
        walk(Path::new(path), &mut found)?;
    }
    found.iter().map(|path| case(stem(path), path, target)).collect()
}

/// Returns the cases of all snapshots of a target with artifacts.
///
/// # Errors
/// A snapshot differs from the output of the compiler, or a file cannot be read.
pub fn snapshots(target: &'static dyn AnyTarget) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut folders: Vec<_> = list(Path::new("snapshots"))?;
    folders.retain(|folder| folder.join(format!("{}.snap", target.name())).is_file());
    for folder in folders {
        let path = folder.join(format!("{}.snap", target.name()));
        let snapshot = read(&path)?;
        let spec = snapshot.lines().find_map(|line| line.strip_prefix("description: "));
        let spec = spec.ok_or_else(|| format!("{} names no spec", path.display()))?;
        let case = case(stem(&folder), Path::new(spec), target)?;
        let written: String = case.artifacts.iter().map(section).collect();
        if !snapshot.ends_with(&written) {
            return Err(format!("{} is stale: run `.ci/update`", path.display()));
        }
        if !case.artifacts.is_empty() {
            cases.push(case);
        }
    }
    Ok(cases)
}

/// An artifact as a snapshot shows it.
fn section(file: &File) -> String {
    let mark = if file.executable { " (executable)" } else { "" };
    let end = if file.text.ends_with('\n') { "" } else { "\n" };
    format!("--- {}{mark}\n{}{end}", file.path, file.text)
}

fn case(name: String, path: &Path, target: &'static dyn AnyTarget) -> Result<Case, String> {
    Ok(Case::of(name, &path.to_string_lossy(), &of_file(path)?, target))
}

/// Reads a spec from disk.
///
/// # Errors
/// A file cannot be read.
pub fn of_file(path: &Path) -> Result<Analysis, String> {
    Ok(analyzed(&path.to_string_lossy(), &read(path)?, Format::Kdl))
}

/// Returns all specs below a directory, sorted.
///
/// # Errors
/// A file cannot be read.
pub fn found(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    walk(folder, &mut found)?;
    Ok(found)
}

/// Analyzes a text as the command line does.
pub fn analyzed(name: &str, text: &str, format: Format) -> Analysis {
    let load = |from: &str, to: &str| {
        let path = Path::new(from).with_file_name(to);
        let name = path.to_string_lossy().into_owned();
        read(&path).map(|text| Loaded { name, text, format: Format::Kdl })
    };
    DRIVER.analyze(&Request::new(name, text).format(format).load(&load))
}

fn walk(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    // The specs of a project need its settings, and the base files are no jobs.
    if path.join("tfjob.kdl").exists() {
        return Ok(());
    }
    for below in list(path)? {
        if below.is_dir() || below.to_string_lossy().ends_with(ENDING) {
            walk(&below, found)?;
        }
    }
    Ok(())
}

/// Returns the entries of a directory, sorted.
fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Returns the name of a spec or a directory.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(ENDING).unwrap_or(&name).to_owned()
}
