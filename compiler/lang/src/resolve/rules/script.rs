//! The text of `shell`: its braces are the shell's own, and what references say is in variables there.
use super::Job;
use crate::at::At;
use crate::codes::{UNKNOWN_REFERENCE, UNREAD_WORD};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::{Role, RoleKind};
use crate::spec;
use crate::spec::values::Text;
use crate::syntax::literal::Places;
use std::collections::{BTreeMap, BTreeSet};
use tfjob_contract::variable;

/// What every variable of a reference begins with.
const OURS: &str = "TFJOB_";

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        if let Some(shell) = written.shell.as_ref().filter(|shell| !job.doubts.guessed(shell.span)) {
            references(job, shell, out);
            variables(job, written, role, shell, out);
        }
    }
}

/// `{data.train}` in a script: a brace is the shell's own there.
fn references(job: &Job<'_>, shell: &At<Text>, out: &mut Vec<Diagnostic>) {
    let spec = job.spec;
    let data = spec.data.0.iter().map(|(name, _)| ["data", &name.value]);
    let stage = spec.stage.0.iter().map(|(name, _)| ["stage", &name.value]);
    let param = spec.param.0.iter().map(|(name, _)| ["param", &name.value]);
    let script = shell.value.as_str();
    let said =
        data.chain(stage).chain(param).find(|[kind, name]| script.contains(&format!("{{{kind}.{name}}}")));
    if let Some([kind, name]) = said {
        let variable = variable(&[kind, name]);
        let fact = format!("`{{{kind}.{name}}}` is not replaced in the text of `shell`");
        let told = Diagnostic::new(&UNREAD_WORD, shell.span, fact).here("sent as it stands");
        out.push(told.help(format!("the shell knows it as `${variable}`")));
    }
}

/// `$TFJOB_DATA_TRIAN`: a name that only we give, and that stands for nothing.
fn variables(job: &Job<'_>, written: &spec::Role, role: &Role, shell: &At<Text>, out: &mut Vec<Diagnostic>) {
    let script = shell.value.as_str();
    let (read, own) = mentioned(script);
    let known = known(job, written, role);
    let strange = read.iter().filter(|(name, _)| !known.contains(**name) && !own.contains(*name));
    let mut places = None;
    for (name, at) in strange.filter(|(name, _)| !may_be_lost(job, name)) {
        let place = places
            .get_or_insert_with(|| job.sources.find(shell.span).map(|source| Places::of(source, shell.span)));
        let span = place.as_ref().map_or(shell.span, |places| places.at(*at..at + name.len()));
        let found =
            Diagnostic::new(&UNKNOWN_REFERENCE, span, format!("no reference of this job is `{name}`"));
        let found = found.here("never set");
        let near = nearest(
            &name[OURS.len()..],
            known.iter().map(|known| known.get(OURS.len()..).unwrap_or_default()),
        );
        out.push(match near.map(|near| format!("{OURS}{near}")) {
            Some(near) => {
                found.help(format!("did you mean `{near}`?")).fix(Fix::edit("write that", span, near))
            }
            None => {
                let all: Vec<_> = known.iter().map(|known| format!("`{known}`")).collect();
                found.help(format!("there is {}", all.join(", ")))
            }
        });
    }
}

/// The names of ours that a script reads, with the first place of each, and those that it makes itself: by `=`, `for`,
/// `read` and the like they stand without a `$`. What a script gives a default, `${NAME:-1}`, or quotes from the shell,
/// it need not have.
fn mentioned(script: &str) -> (BTreeMap<&str, usize>, BTreeSet<&str>) {
    let (mut read, mut own) = (BTreeMap::new(), BTreeSet::new());
    // What of a quoted here-document a shell reads, nobody can tell by sight.
    if script.contains("<<'") || script.contains("<<\"") {
        return (read, own);
    }
    for (at, _) in script.match_indices(OURS) {
        let (before, rest) = script.split_at(at);
        let name =
            &rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())];
        let braced = before.ends_with("${");
        let defaulted = braced && rest[name.len()..].starts_with([':', '-', '+', '=']);
        let quoted = before.trim_end_matches(['$', '{']).ends_with('\'');
        if !braced && !before.ends_with('$') {
            own.insert(name);
        } else if !defaulted && !quoted {
            read.entry(name).or_insert(at);
        }
    }
    (read, own)
}

/// Whether what a variable stands for may be in words that could not be read.
fn may_be_lost(job: &Job<'_>, name: &str) -> bool {
    let kinds = ["data", "stage", "param", "role", "helper", "checkpoints", "code"];
    kinds.iter().any(|kind| name.starts_with(&variable(&[kind])) && job.lost(&[kind])) || job.lost(&[])
}

/// The variables of the references that a role's script may read.
fn known(job: &Job<'_>, written: &spec::Role, role: &Role) -> BTreeSet<String> {
    let spec = job.spec;
    let mut all: BTreeSet<String> = ["job", "role", "gpus", "count", "index", "address", "scratch", "done"]
        .map(|word| variable(&[word]))
        .into();
    let mut each = |kind: &str, names: &mut dyn Iterator<Item = &String>| {
        all.extend(names.map(|name| variable(&[kind, name])));
    };
    each("data", &mut spec.data.0.iter().map(|(name, _)| &name.value));
    each("stage", &mut spec.stage.0.iter().map(|(name, _)| &name.value));
    each("param", &mut spec.param.0.iter().map(|(name, _)| &name.value));
    each("count", &mut job.plan.roles.iter().map(|role| &role.name.value));
    let members = job.plan.roles.iter().filter(|role| role.kind != RoleKind::Helper);
    each("addresses", &mut members.map(|role| &role.name.value));
    each("port", &mut role.ports.iter().map(|port| &port.name.value));
    all.insert(variable(&["port", "cluster"]));
    // Who sets one of ours is told of that.
    all.extend(written.env.0.iter().map(|(name, _)| name.value.to_string()));
    all.extend(written.secret.0.iter().map(|(name, _)| name.value.to_string()));
    all.extend(spec.code.iter().map(|_| variable(&["code"])));
    all.extend(spec.checkpoints.iter().map(|_| variable(&["checkpoints"])));
    all
}
