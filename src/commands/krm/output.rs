//! Writes the `ResourceList`: the items of the input unchanged, the objects of the job, and the results.
use super::config::{KIND, NAME, VERSION};
use super::list::{Item, List, Object};
use crate::commands::compile::documents::{Documents, Told};
use crate::terminal::plain;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, Write};
use tfjob_driver::difference;
use tfjob_lang::diagnostic::Severity;

/// Writes the list. An item with the same name as an object of the job is replaced, and so is another version of such an object:
/// `kustomize fn run` passes the objects that the command has generated before. `name`: `metadata.name` of the configuration.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn write(
    list: &List,
    text: &str,
    documents: &Documents,
    name: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let texts = documents.texts.as_deref().unwrap_or_default();
    let mut generated: Vec<(Option<Object>, Option<&str>)> =
        texts.iter().map(|text| (Object::of(text), Some(text.as_str()))).collect();
    let obsolete = obsolete(list, documents);
    writeln!(out, "apiVersion: {}\nkind: {}", list.version, super::list::KIND)?;
    writeln!(out, "items:{}", if list.items.is_empty() && texts.is_empty() { " []" } else { "" })?;
    for (number, item) in list.items.iter().enumerate() {
        let is_obsolete = obsolete.contains(&number);
        let object = item.object.as_deref();
        let fits = |new: &Object| {
            let is_other = |old: &Object| is_obsolete && old.kind == new.kind && !list.has(new);
            object.is_some_and(|old| old.is(new) || is_other(old))
        };
        let mut free = generated.iter_mut().filter(|(_, text)| text.is_some());
        let new = free.find(|(new, _)| new.as_ref().is_some_and(fits)).and_then(|(_, text)| text.take());
        match new {
            Some(new) => {
                let file = object.map(Object::file).unwrap_or_default();
                entry(&annotated(new, &file), list.indent, out)?;
            }
            None if is_obsolete => {}
            None => pass(item, text, list.indent, out)?,
        }
    }
    for (_, text) in &generated {
        text.iter().try_for_each(|text| entry(text, list.indent, out))?;
    }
    results(&documents.findings, name, out)
}

/// Returns the indexes of the items that an earlier version of the job had. If they stayed, a tool would run both versions.
fn obsolete(list: &List, documents: &Documents) -> BTreeSet<usize> {
    let Some(job) = &documents.job else { return BTreeSet::new() };
    let value = |item: &Item| item.object.as_ref().map_or(Value::Null, |object| object.value());
    let items: Vec<Value> = list.items.iter().map(value).collect();
    difference::obsolete(&job.target.updates(), (&job.name, &job.lowered), &items).into_iter().collect()
}

/// Writes an item of the input unchanged.
fn pass(item: &Item, text: &str, indent: usize, out: &mut dyn Write) -> io::Result<()> {
    let own = &text[item.range.clone()];
    if item.is_block {
        out.write_all(own.as_bytes())?;
        return if own.ends_with('\n') { Ok(()) } else { writeln!(out) };
    }
    // In brackets, white space at the start of a line has no meaning.
    let blank = " ".repeat(indent + 2);
    writeln!(out, "{}- {}", " ".repeat(indent), own.replace('\n', &format!("\n{blank}")))
}

/// Writes a document as an item. Comments before the document are written before the item.
fn entry(document: &str, indent: usize, out: &mut dyn Write) -> io::Result<()> {
    let blank = " ".repeat(indent);
    let mut lead = "- ";
    for line in document.lines() {
        match (line, lead) {
            ("", _) => writeln!(out)?,
            (line, "- ") if line.starts_with('#') => writeln!(out, "{blank}{line}")?,
            (line, _) => {
                writeln!(out, "{blank}{lead}{line}")?;
                lead = "  ";
            }
        }
    }
    Ok(())
}

/// Returns a document with these annotations, which tell the file of the object.
fn annotated(document: &str, annotations: &[(String, String)]) -> String {
    let lines = annotations.iter().map(|(key, value)| format!("    {key}: {}\n", quoted(value)));
    let lines: String = lines.collect();
    let (mut out, mut rest) = (String::new(), lines.as_str());
    let mut in_metadata = false;
    for line in document.split_inclusive('\n') {
        let ends = in_metadata && !line.starts_with([' ', '#']);
        if ends && !rest.is_empty() {
            out.push_str("  annotations:\n");
            out.push_str(std::mem::take(&mut rest));
        }
        in_metadata = line.trim_end() == "metadata:" || in_metadata && !ends;
        out.push_str(line);
        if in_metadata && line.trim_end() == "  annotations:" {
            out.push_str(std::mem::take(&mut rest));
        }
    }
    if !rest.is_empty() {
        out.push_str("  annotations:\n");
        out.push_str(rest);
    }
    out
}

/// Writes `results`; nothing if there is no finding.
fn results(findings: &[Told], name: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "results:")?;
    for told in findings {
        let severity = match told.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "info",
        };
        writeln!(out, "- severity: {severity}\n  message: {}", quoted(&told.line))?;
        if let Some(name) = name {
            let name = quoted(name);
            writeln!(out, "  resourceRef:\n    apiVersion: {VERSION}\n    kind: {KIND}\n    name: {name}")?;
        }
        if ![NAME, super::job::INLINE, ""].contains(&told.file.as_str()) {
            writeln!(out, "  file:\n    path: {}", quoted(&told.file))?;
        }
    }
    Ok(())
}

/// Returns a text as a YAML string in double quotes. JSON escapes are also those of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(plain(text).as_ref()).to_string()
}

#[cfg(test)]
mod tests;
