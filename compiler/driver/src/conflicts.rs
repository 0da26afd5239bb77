//! Finds specs whose artifacts would be written to the same directory.
use crate::{Batch, Checked};
use std::collections::BTreeMap;
use tfjob_lang::codes::DUPLICATE_NAME;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::{Format, Source, Span};

/// The first job that is compiled to an output directory.
struct First {
    /// Index of the spec.
    number: usize,
    /// Path of the spec.
    spec: String,
    /// The text that contains the name of the job: the spec, a base file, or a `--set` argument.
    source: Source,
    /// Span of the name.
    name: Span,
}

/// Reports each job whose name and target are those of an earlier spec: the artifacts of both would be written to the same
/// directory. `specs`: the paths and the results of the specs of one environment. The error is at the name of the later job.
pub fn report<'a>(specs: impl Iterator<Item = (&'a str, &'a mut Checked)>) {
    let mut met: BTreeMap<String, First> = BTreeMap::new();
    for (number, (own, spec)) in specs.enumerate() {
        let Checked { batch, plan: Some(plan), compiled, .. } = spec else { continue };
        let (name, span) = (plan.name.value.to_string(), plan.name.span);
        let mut reported: Vec<usize> = Vec::new();
        for (target, _) in compiled.iter() {
            let directory = format!("{name}/{}", target.name());
            if let Some(first) = met.get(&directory) {
                if !reported.contains(&first.number) {
                    reported.push(first.number);
                    add(batch, own, (&name, span), first, &directory);
                }
            } else if let Some(source) = batch.sources.find(span) {
                let spec = own.to_owned();
                met.insert(directory, First { number, spec, source: source.clone(), name: span });
            }
        }
    }
}

fn add(batch: &mut Batch, own: &str, (name, span): (&str, Span), first: &First, directory: &str) {
    // The help is in the format of the spec. The batch also contains the base files and the cluster file, so the spec is found by
    // its name.
    let format = batch.sources.iter().find(|source| source.name == own).map(|source| source.format);
    let (Some(format), Some(source)) = (format, batch.sources.find(span)) else { return };
    let fact = format!(
        "`{}` and `{}` have the job name `{name}`, so `tfjob compile` would write both to the same directory `{directory}`",
        first.spec, own
    );
    let found = Diagnostic::new(&DUPLICATE_NAME, span, fact).help(match source.format {
        Format::Set => "remove the setting of `name`, so that each job has the name in its spec".to_owned(),
        Format::Kdl | Format::Json | Format::Yaml => {
            format!("in `{own}`, write another name, such as `{}`", entry(format, &format!("{name}-2")))
        }
    });
    let at = first.source.local(first.name);
    let found = if (&first.source.name, &at) == (&source.name, &source.local(span)) {
        found.here("both jobs get this name")
    } else {
        // The label marks the name of the first job, so the text with this name is added to this batch.
        let number =
            batch.sources.add(first.source.name.clone(), first.source.format, first.source.text.clone());
        let base = batch.sources.get(number).base();
        let other = Span::new(base + at.start as u32, base + at.end as u32);
        found.here("second job with this name").label(other, "first job with this name")
    };
    batch.diagnostics.push(found);
}

/// Returns the entry that gives a job this name, in the format of the spec. The name begins with a letter and ends with `-2`, so
/// YAML cannot read it as a keyword or a number, and it needs no quotes.
fn entry(format: Format, name: &str) -> String {
    match format {
        Format::Json => format!("\"job\": {{ \"name\": \"{name}\" }}"),
        Format::Yaml => format!("job: {{ name: {name} }}"),
        Format::Kdl | Format::Set => format!("job \"{name}\""),
    }
}
