//! Finds specs whose artifacts would be written to the same directory.
use crate::{Checked, Target};
use std::collections::BTreeMap;
use std::ops::Range;
use tfjob_lang::codes::DUPLICATE_NAME;
use tfjob_lang::diagnostic::{Code, Diagnostic};
use tfjob_lang::sources::{Format, Span};

/// The job of a spec, and the targets that it is compiled for. Does not contain the text of the spec, so that a caller can keep the
/// outputs of many specs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Path of the spec, as messages show it.
    spec: String,
    /// Format of the spec.
    format: Format,
    /// Name of the job.
    name: String,
    /// Names of the targets.
    targets: Vec<&'static str>,
    /// The text that contains the name: the spec, a base file, or a setting.
    file: String,
    /// Format of this text.
    file_format: Format,
    /// Bytes of the name in this text.
    place: Range<usize>,
}

impl Output {
    /// Returns the output of a spec. `own`: name of the spec among its sources. `shown`: its path in messages. `None` if the spec has
    /// errors.
    #[must_use]
    pub fn of(own: &str, shown: &str, checked: &Checked) -> Option<Self> {
        let (name, sources) = (&checked.plan.as_ref()?.name, &checked.batch.sources);
        let source = sources.find(name.span)?;
        Some(Self {
            spec: shown.to_owned(),
            // The batch also contains the base files and the cluster file, so the spec is found by its name.
            format: sources.iter().find(|source| source.name == own)?.format,
            name: name.value.to_string(),
            targets: checked.compiled.iter().map(|(target, _): &(Target, _)| target.name()).collect(),
            file: source.name.clone(),
            file_format: source.format,
            place: source.local(name.span),
        })
    }

    /// Returns the conflict with the output of an earlier spec for this target.
    fn with(&self, first: &Self, target: &str, numbers: (usize, usize)) -> Conflict {
        let (first_spec, own, name) = (&first.spec, &self.spec, &self.name);
        let is_shared = (&first.file, &first.place) == (&self.file, &self.place);
        Conflict {
            first: numbers.0,
            second: numbers.1,
            message: format!(
                "`{first_spec}` and `{own}` have the job name `{name}`, so `tfjob compile` would write both to the same directory \
                 `{name}/{target}`"
            ),
            help: match self.file_format {
                Format::Set => {
                    "remove the setting of `name`, so that each job has the name in its spec".to_owned()
                }
                Format::Kdl | Format::Json | Format::Yaml => {
                    // The help is in the format of the spec.
                    let entry = entry(self.format, &format!("{name}-2"));
                    format!("in `{own}`, write another name, such as `{entry}`")
                }
            },
            here: if is_shared { "both jobs get this name" } else { "second job with this name" },
            other: (!is_shared).then_some("first job with this name"),
        }
    }
}

/// Two jobs whose artifacts would be written to the same directory.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// Number of the first spec.
    pub first: usize,
    /// Number of the second spec. The error is at the name of its job.
    pub second: usize,
    /// Message.
    pub message: String,
    /// Help.
    pub help: String,
    /// Label of the second name.
    pub here: &'static str,
    /// Label of the first name; `None` if both names are at the same place.
    pub other: Option<&'static str>,
}

impl Conflict {
    /// The code of all conflicts.
    pub const CODE: &Code = &DUPLICATE_NAME;
}

/// Returns a conflict for each job whose name and target are those of an earlier spec. `outputs`: the specs of one environment, each
/// with its number.
#[must_use]
pub fn find<'o>(outputs: impl IntoIterator<Item = (usize, &'o Output)>) -> Vec<Conflict> {
    let mut met: BTreeMap<(&str, &str), (usize, &Output)> = BTreeMap::new();
    let mut found: Vec<Conflict> = Vec::new();
    for (number, output) in outputs {
        let before = found.len();
        for target in &output.targets {
            let (first, earlier) = *met.entry((&output.name, target)).or_insert((number, output));
            if first != number && !found.iter().skip(before).any(|one| one.first == first) {
                found.push(output.with(earlier, target, (first, number)));
            }
        }
    }
    found
}

/// Reports the conflicts among the specs of one environment. `specs`: the paths and the results.
pub fn report<'a>(specs: impl Iterator<Item = (&'a str, &'a mut Checked)>) {
    let mut specs: Vec<(&str, &mut Checked)> = specs.collect();
    let outputs: Vec<Option<Output>> = specs.iter().map(|(own, spec)| Output::of(own, own, spec)).collect();
    let known = outputs.iter().enumerate().filter_map(|(number, output)| Some((number, output.as_ref()?)));
    for conflict in find(known) {
        let span = |(_, spec): &(&str, &mut Checked)| Some(spec.plan.as_ref()?.name.span);
        let Some(second) = specs.get(conflict.second).and_then(span) else { continue };
        let first = specs.get(conflict.first).and_then(|first| {
            let span = span(first)?;
            let source = first.1.batch.sources.find(span)?;
            Some((source.clone(), source.local(span)))
        });
        let found =
            Diagnostic::new(Conflict::CODE, second, conflict.message).help(conflict.help).here(conflict.here);
        let Some((_, spec)) = specs.get_mut(conflict.second) else { continue };
        let found = match (conflict.other, first) {
            (Some(label), Some((source, at))) => {
                // The label marks the name of the first job, so the text with this name is added to this batch.
                let sources = &mut spec.batch.sources;
                let number = sources.add(source.name, source.format, source.text);
                let base = sources.get(number).base();
                found.label(Span::new(base + at.start as u32, base + at.end as u32), label)
            }
            (Some(_) | None, _) => found,
        };
        spec.batch.diagnostics.push(found);
    }
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
