//! Reports uses of a secret in a role or helper that does not get the secret. The environment variable of the secret is then empty.
mod script;

use super::{Job, exit_code, path_in};
use crate::at::At;
use crate::codes::MISSING_SECRET;
use crate::diagnostic::{Diagnostic, Fix};
use crate::plan::{Command, Part, Role, RoleKind, TaskRef, Template};
use crate::sources::{Format, Source, Span};
use crate::spec::{self, Secret};
use crate::syntax::literal::{Places, quote};
use std::collections::{BTreeMap, BTreeSet};

/// A secret of the job, with the indexes of the roles that get it.
struct Owned<'a> {
    name: &'a At<String>,
    secret: &'a Secret,
    roles: BTreeSet<usize>,
}

/// Maximum number of roles that the label of a secret lists. The list is short, because each role of a job may have such a label.
const MOST_NAMES: usize = 8;

/// A use of a variable: its name, the span of the text that contains the use, and the span of the use.
type Use<'a> = (&'a str, Span, Span);

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut all: BTreeMap<&str, Owned<'_>> = BTreeMap::new();
    let mut texts: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for (id, (written, role)) in job.roles().enumerate() {
        for (name, secret) in &written.secret.0 {
            let new = || Owned { name, secret: &secret.value, roles: BTreeSet::new() };
            all.entry(&name.value).or_insert_with(new).roles.insert(id);
        }
        let script = exit_code::script(written).map(|(_, span)| span);
        let spans = templates(role).map(|text| text.span).chain(script);
        spans.for_each(|span| texts.entry(span).or_default().push(id));
    }
    if all.is_empty() {
        return;
    }
    let mut reported = BTreeSet::new();
    let mut cached: BTreeMap<(Span, &str), bool> = BTreeMap::new();
    for (id, (written, role)) in job.roles().enumerate() {
        let set: BTreeSet<&str> = written.env.0.iter().map(|(own, _)| own.value.as_str()).collect();
        let absent =
            |name: &str| all.get(name).is_some_and(|owned| !owned.roles.contains(&id)) && !set.contains(name);
        let mut found = BTreeSet::new();
        for (name, text, at) in uses(job, written, role, absent) {
            // Several roles can inherit one text from the job. If one of them gets the secret, the use in the text is probably for
            // that role, so it is not reported.
            let is_shared = || texts[&text].iter().any(|id| all[name].roles.contains(id));
            let shared = *cached.entry((text, name)).or_insert_with(is_shared);
            // To correct all uses in a role, it is enough to add the secret to the role. So only the first use is reported.
            if !shared && found.insert(name) && reported.insert(at) {
                out.push(missing(job, role, &all[name], at));
            }
        }
    }
}

/// Returns the values of a role that can contain references.
pub(super) fn templates(role: &Role) -> impl Iterator<Item = &Template> {
    let argv = match &role.command {
        Command::Run(argv) => argv.as_slice(),
        Command::Shell(_) => &[],
    };
    argv.iter().chain(&role.workdir).chain(role.env.iter().map(|(_, value)| value))
}

/// Returns the entry with which a role or helper gets a secret.
pub(super) fn entry(name: &str, secret: &Secret) -> String {
    let mut entry = format!("secret {} from={}", quote(name), quote(secret.from.value.as_str()));
    if let Some(key) = &secret.key {
        entry.push_str(&format!(" key={}", quote(key.value.as_str())));
    }
    if let Some(path) = &secret.at {
        entry.push_str(&format!(" at={}", quote(path.value.as_str())));
    }
    entry
}

/// Returns where a role uses a variable for which `absent` returns true.
pub(super) fn uses<'a>(
    job: &Job<'_>,
    written: &'a spec::Role,
    role: &'a Role,
    absent: impl Fn(&str) -> bool,
) -> Vec<Use<'a>> {
    let mut all = Vec::new();
    for text in templates(role) {
        all.extend(text.parts.iter().filter_map(|part| match part {
            Part::Task(TaskRef::Env(name), at) if absent(name) => Some((name.as_str(), text.span, *at)),
            Part::Task(..) | Part::Text(_) | Part::Data(..) => None,
        }));
    }
    let Some((script, span)) = exit_code::script(written) else { return all };
    let reads = script::reads(script, absent);
    if reads.is_empty() {
        return all;
    }
    let places = job.sources.find(span).map(|source| Places::of(source, span));
    for (name, at) in reads {
        let at = places.as_ref().map_or(span, |places| places.at(at..at + name.len()));
        all.push((name, span, at));
    }
    all
}

fn missing(job: &Job<'_>, role: &Role, owned: &Owned<'_>, at: Span) -> Diagnostic {
    let (own, name) = (&role.name.value, &owned.name.value);
    let helper = role.kind == RoleKind::Helper;
    let kind = if helper { "helper" } else { "role" };
    let rule = if helper {
        "a helper gets only the secrets that its own block declares"
    } else {
        "another block declares it"
    };
    let fact = format!("{kind} `{own}` uses the secret `{name}`, but does not get it: {rule}");
    let entry = entry(name, owned.secret);
    let names = owned.roles.iter().take(MOST_NAMES);
    let names: Vec<String> = names.map(|id| format!("`{}`", job.plan.roles[*id].name.value)).collect();
    let more = match owned.roles.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let found = Diagnostic::new(&MISSING_SECRET, at, fact)
        .here("empty at run time")
        .label(owned.name.span, format!("only for {}{more}", names.join(", ")))
        .from_absent(&path_in(role, &["secret", name]))
        .help(format!("add `{entry}` to `{kind} \"{own}\"`"));
    let place = job.sources.find(role.name.span).and_then(|source| block_start(source, role.name.span));
    match place {
        Some(place) => {
            found.suggest(Fix::edit(format!("give `{own}` the secret"), place, format!(" {entry};")))
        }
        None => found,
    }
}

/// Returns the empty span after the opening brace of a role. `None` if the brace may be part of a comment, a string, or another
/// block. Also `None` in formats other than KDL, in which a block need not begin with a brace.
fn block_start(source: &Source, name: Span) -> Option<Span> {
    if source.format != Format::Kdl {
        return None;
    }
    let line = source.text[source.local(name).end..].lines().next()?;
    let brace = line.find('{')?;
    let before = &line[..brace];
    let closed = before.matches('"').count() % 2 == 0;
    if !closed || before.contains([';', '/', '\\', '}']) {
        return None;
    }
    let start = name.end + u32::try_from(brace).ok()? + 1;
    Some(Span::new(start, start))
}

#[cfg(test)]
mod tests {
    use super::block_start;
    use crate::sources::{Format, Sources, Span};

    #[test]
    fn the_block_starts_at_the_brace_after_arguments_and_properties() {
        let start = |text: &str, format| {
            let mut sources = Sources::default();
            let number = sources.add("a".to_owned(), format, text.to_owned());
            let source = sources.get(number);
            let name = Span::new(source.base() + 5, source.base() + 8);
            block_start(source, name).map(|span| span.start - source.base())
        };
        for (text, found) in [
            ("role \"p\" {", Some(10)),
            ("role \"p\" count=2 x=\"y\" {", Some(24)),
            ("role \"p\" // {x", None),
            ("role \"p\" x=\"{\" {", None),
            ("role \"p\"; role \"q\" {", None),
            ("role \"p\" /-{", None),
            ("role \"p\"\nrole \"q\" {", None),
            ("role \"p\" } y {", None),
        ] {
            assert_eq!(start(text, Format::Kdl), found, "{text}");
        }
        assert_eq!(start("role \"p\" {", Format::Yaml), None);
    }
}
