//! Prints how a target supports each feature that a job uses, grouped by the kind of support.
use crate::terminal::plain;
use std::io::{self, Write};
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::Feature;
use tfjob_lang::sources::{Sources, Span};
use tfjob_lang::target::{AnyTarget, Verdict};

/// A feature in a group: its name, the reason if the support is not native, and the lines of the spec that use the feature.
struct Entry {
    feature: Feature,
    reason: String,
    /// Line number, and the name of the file if the line is not in the file of the job.
    places: Vec<(Option<String>, u32)>,
}

/// Prints the features that the job uses, grouped by their support on the target: unsupported, allowed, ignored, emulated, native.
/// Empty groups are omitted.
///
/// `spec`: path of the spec. `sources`: the spec, the files that it extends, and the cluster file.
///
/// # Errors
/// Returns an error if writing fails.
pub fn print(
    target: &dyn AnyTarget,
    plan: &Plan,
    (sources, spec): (&Sources, &str),
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut groups = [
        ("unsupported", Vec::new()),
        ("allowed", Vec::new()),
        ("ignored", Vec::new()),
        ("emulated", Vec::new()),
        ("native", Vec::new()),
    ];
    for (feature, at, verdict) in target.check(plan).verdicts {
        let (group, reason) = match verdict {
            Verdict::Unsupported(refusal) => match refusal.accepted(plan, target.name(), feature) {
                Some(because) => (1, format!("{} (accepted: \"{because}\")", refusal.why)),
                None => (0, refusal.why),
            },
            Verdict::Ignored(why) => (2, why),
            Verdict::Emulated(how) => (3, how),
            Verdict::Native => (4, String::new()),
        };
        add(&mut groups[group].1, feature, reason, place(sources, spec, at));
    }
    writeln!(out, "{} ({})", target.name(), plain(spec))?;
    for (name, entries) in groups.iter().filter(|(_, entries)| !entries.is_empty()) {
        writeln!(out, "  {name}:")?;
        for entry in entries {
            let reason =
                if entry.reason.is_empty() { String::new() } else { format!("{} ", plain(&entry.reason)) };
            writeln!(out, "    {:<18} {reason}({})", entry.feature.name(), plain(&lines(&entry.places)))?;
        }
    }
    Ok(())
}

/// Adds a requirement to a group. Equal requirements of several roles become one entry with all lines.
fn add(entries: &mut Vec<Entry>, feature: Feature, reason: String, place: (Option<String>, u32)) {
    match entries.iter_mut().find(|entry| entry.feature == feature && entry.reason == reason) {
        Some(entry) if entry.places.contains(&place) => {}
        Some(entry) => entry.places.push(place),
        None => entries.push(Entry { feature, reason, places: vec![place] }),
    }
}

fn place(sources: &Sources, spec: &str, at: Span) -> (Option<String>, u32) {
    let Some(source) = sources.find(at) else { return (None, 0) };
    let file = Some(source.name.clone()).filter(|name| spec != name);
    (file, source.position(at.start).line)
}

/// Returns the lines as text: `line 5`, `lines 16, 19`, or `base.tfjob.kdl:5` for a line of another file.
fn lines(places: &[(Option<String>, u32)]) -> String {
    let own: Vec<_> = places.iter().filter(|(file, _)| file.is_none()).map(|(_, n)| n.to_string()).collect();
    let other = places.iter().filter_map(|(file, line)| Some(format!("{}:{line}", file.as_ref()?)));
    let own = match own.as_slice() {
        [] => None,
        [line] => Some(format!("line {line}")),
        lines => Some(format!("lines {}", lines.join(", "))),
    };
    own.into_iter().chain(other).collect::<Vec<_>>().join(", ")
}
