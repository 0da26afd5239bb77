//! The text of `shell`: its braces are the shell's own, and what references say is in variables there.
use super::Job;
use crate::at::At;
use crate::codes::{UNKNOWN_REFERENCE, UNREAD_WORD};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::{Role, RoleKind};
use crate::spec::values::Text;
use crate::syntax::literal::Places;
use std::collections::BTreeSet;
use tfjob_contract::variable;

/// What every variable of a reference begins with.
const OURS: &str = "TFJOB_";

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for (written, role) in job.roles() {
        if let Some(shell) = written.shell.as_ref().filter(|shell| !job.doubts.guessed(shell.span)) {
            references(job, shell, out);
            variables(job, role, shell, out);
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
fn variables(job: &Job<'_>, role: &Role, shell: &At<Text>, out: &mut Vec<Diagnostic>) {
    let known = known(job, role);
    let script = shell.value.as_str();
    let mut places = None;
    let mut told = BTreeSet::new();
    for (at, _) in script.match_indices(OURS) {
        let name = &script
            [at..at + script[at..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()];
        let read = script[..at].ends_with('$') || script[..at].ends_with("${");
        let made =
            script.contains(&format!("{name}=")) || script[at + name.len()..].starts_with([':', '-', '+']);
        if !read || made || known.contains(name) || may_be_lost(job, name) || !told.insert(name) {
            continue;
        }
        let place = places
            .get_or_insert_with(|| job.sources.find(shell.span).map(|source| Places::of(source, shell.span)));
        let span = place.as_ref().map_or(shell.span, |places| places.at(at..at + name.len()));
        let found =
            Diagnostic::new(&UNKNOWN_REFERENCE, span, format!("no reference of this job is `{name}`"))
                .here("never set");
        out.push(match nearest(&name[OURS.len()..], known.iter().map(|known| &known[OURS.len()..])) {
            Some(near) => {
                let near = format!("{OURS}{near}");
                found.help(format!("did you mean `{near}`?")).fix(Fix::edit("write that", span, near))
            }
            None => found.help(format!(
                "there is {}",
                known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")
            )),
        });
    }
}

/// Whether what a variable stands for may be in words that could not be read.
fn may_be_lost(job: &Job<'_>, name: &str) -> bool {
    let kinds = ["data", "stage", "param", "role", "helper", "checkpoints", "code"];
    kinds.iter().any(|kind| name.starts_with(&variable(&[kind])) && job.lost(&[kind])) || job.lost(&[])
}

/// The variables of the references that a role's script may read.
fn known(job: &Job<'_>, role: &Role) -> BTreeSet<String> {
    let spec = job.spec;
    let mut all: BTreeSet<String> =
        ["job", "role", "gpus", "count", "index", "address", "scratch"].map(|word| variable(&[word])).into();
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
    all.extend(spec.code.iter().map(|_| variable(&["code"])));
    all.extend(spec.checkpoints.iter().map(|_| variable(&["checkpoints"])));
    all
}
