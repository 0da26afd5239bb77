//! Reports helpers that use a secret of the roles: in a command that they inherit from the job, or by the file of the secret. A
//! helper gets only the secrets of its own block.
use super::secrets::{entry, templates, uses};
use super::{Job, exit_code, path_in};
use crate::at::At;
use crate::codes::MISSING_SECRET;
use crate::diagnostic::Diagnostic;
use crate::plan::{Part, Role, RoleKind};
use crate::sources::Span;
use crate::spec::{self, Secret};
use crate::syntax::literal::Places;
use std::collections::{BTreeMap, BTreeSet};

/// The secrets of the roles, and the texts that may use them. Helpers are not included.
#[derive(Default)]
struct Known<'a> {
    /// Declaration of each secret, by its environment variable.
    secrets: BTreeMap<&'a str, (&'a At<String>, &'a Secret)>,
    /// Environment variable of each secret that is a file, by the path of the file.
    files: BTreeMap<&'a str, &'a str>,
    /// Environment variables of the secrets that each role gets.
    given: BTreeMap<usize, BTreeSet<&'a str>>,
    /// The roles that have a text, by the span of the text.
    texts: BTreeMap<Span, Vec<usize>>,
    /// Cache of [`Known::is_shared`], by the span of the text and the environment variable of the secret.
    shared: BTreeMap<(Span, &'a str), bool>,
}

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut known = Known::of(job);
    if known.secrets.is_empty() {
        return;
    }
    let mut reported = BTreeSet::new();
    for (written, role) in job.roles().filter(|(_, role)| role.kind == RoleKind::Helper) {
        let own: BTreeSet<&str> = written.secret.0.iter().map(|(name, _)| name.value.as_str()).collect();
        let set: BTreeSet<&str> = written.env.0.iter().map(|(name, _)| name.value.as_str()).collect();
        // Variables that the helper inherits from `env` of the job are meant for the roles. The helper need not read them, so they
        // are not reported.
        let spans = role.env.iter().map(|(_, value)| value.span);
        let defaults: BTreeSet<Span> = spans.filter(|span| known.texts.contains_key(span)).collect();
        let mut found = BTreeSet::new();
        let absent =
            |name: &str| known.secrets.contains_key(name) && !own.contains(name) && !set.contains(name);
        for (name, text, at) in uses(job, written, role, absent) {
            if !defaults.contains(&text)
                && known.is_shared(text, name)
                && found.insert(name)
                && reported.insert(at)
            {
                let fact = format!("helper `{}` inherits a use of the secret `{name}`", role.name.value);
                out.push(known.missing((written, role), name, (text, at), (&fact, "empty")));
            }
        }
        for (path, text, at) in paths(job, written, role) {
            if defaults.contains(&text) {
                continue;
            }
            let Some(name) = known.files.get(path.as_str()).copied() else { continue };
            let mounted = || written.secret.0.iter().filter_map(|(_, secret)| secret.value.at.as_ref());
            if mounted().any(|at| at.value.as_str() == path) || !found.insert(name) || !reported.insert(at) {
                continue;
            }
            let fact = format!("helper `{}` uses the file `{path}` of the secret `{name}`", role.name.value);
            out.push(known.missing((written, role), name, (text, at), (&fact, "missing")));
        }
    }
}

impl<'a> Known<'a> {
    fn of(job: &Job<'a>) -> Self {
        let mut known = Self::default();
        for (id, (written, role)) in job.roles().enumerate() {
            if role.kind == RoleKind::Helper {
                continue;
            }
            for (name, secret) in &written.secret.0 {
                known.secrets.entry(&name.value).or_insert((name, &secret.value));
                known.given.entry(id).or_default().insert(&name.value);
                if let Some(at) = &secret.value.at {
                    known.files.entry(at.value.as_str()).or_insert(&name.value);
                }
            }
            let script = exit_code::script(written).map(|(_, span)| span);
            let spans = templates(role).map(|text| text.span).chain(script);
            spans.for_each(|span| known.texts.entry(span).or_default().push(id));
        }
        known
    }

    /// Returns whether the helper and a role that gets the secret have the same text, because both inherit the text from the job.
    /// This rule reports only such uses of a variable; another rule reports all other uses.
    fn is_shared(&mut self, text: Span, name: &'a str) -> bool {
        let (given, texts) = (&self.given, &self.texts);
        let gets = |id: &usize| given.get(id).is_some_and(|names| names.contains(name));
        let any = || texts.get(&text).is_some_and(|roles| roles.iter().any(gets));
        *self.shared.entry((text, name)).or_insert_with(any)
    }

    /// Returns the error about a use of a secret. `text`: the span of the text that contains the use. `at`: the span of the use.
    /// `effect`: what the helper gets instead of the secret.
    fn missing(
        &self,
        (written, role): (&spec::Role, &Role),
        name: &str,
        (text, at): (Span, Span),
        (fact, effect): (&str, &str),
    ) -> Diagnostic {
        let helper = &role.name.value;
        let (declared, secret) = self.secrets[name];
        let fact = format!(
            "{fact}, but does not get it: a helper gets only the secrets that its own block declares"
        );
        let mut help = format!("add `{}` to `helper \"{helper}\"`", entry(name, secret));
        let inherited = self.texts.contains_key(&text);
        if inherited {
            let keyword = if written.shell.is_some() { "shell" } else { "run" };
            help.push_str(&format!(", or add a `{keyword}` of its own to this helper"));
        }
        let found = Diagnostic::new(&MISSING_SECRET, at, fact)
            .here(format!("{effect} in `{helper}` at run time"))
            .label(declared.span, "not for helpers")
            .from_absent(&path_in(role, &["secret", name]))
            .from_absent(&path_in(role, &["run"]))
            .from_absent(&path_in(role, &["shell"]));
        let found = if inherited { found.label(role.name.span, "inherits this from the job") } else { found };
        found.help(help)
    }
}

/// Returns the absolute paths in the texts of a role, each with the span of the text and the span of the path. Paths that a script
/// tests or writes are skipped.
fn paths(job: &Job<'_>, written: &spec::Role, role: &Role) -> Vec<(String, Span, Span)> {
    let mut all = Vec::new();
    let script = exit_code::script(written);
    for text in templates(role).filter(|text| script.is_none_or(|(_, span)| span != text.span)) {
        for part in &text.parts {
            let Part::Text(words) = part else { continue };
            all.extend(in_text(words).into_iter().map(|(_, path)| (path.to_owned(), text.span, text.span)));
        }
    }
    if let Some((script, span)) = script {
        let places = job.sources.find(span).map(|source| Places::of(source, span));
        for (at, path) in in_text(script) {
            let place = places.as_ref().map_or(span, |places| places.at(at..at + path.len()));
            all.push((path.to_owned(), span, place));
        }
    }
    all
}

fn in_text(text: &str) -> Vec<(usize, &str)> {
    let ends = |c: char| c.is_whitespace() || "\"'`\\;&|()<>,:=$".contains(c);
    let part = |c: char| c.is_alphanumeric() || "_-./}~*".contains(c);
    let (mut all, mut handled, mut next) = (Vec::new(), BTreeSet::new(), 0);
    for (at, _) in text.match_indices('/') {
        if at < next || text[..at].ends_with(part) {
            continue;
        }
        let path = &text[at..];
        let path = &path[..path.find(ends).unwrap_or(path.len())];
        next = at + path.len();
        let before = text[..at].trim_end_matches(['"', '\'', '\\']);
        let before = before.strip_suffix(' ').unwrap_or(before);
        if before.ends_with('>') || ["-f", "-e", "-s", "-r"].iter().any(|test| before.ends_with(test)) {
            handled.insert(path);
        }
        all.push((at, path));
    }
    all.retain(|(_, path)| !handled.contains(path));
    all
}

#[cfg(test)]
mod tests {
    use super::in_text;

    #[test]
    fn a_path_is_complete_and_neither_tested_nor_written() {
        for text in
            ["/etc/f", "cat /etc/f; a", "--key=/etc/f", "a '/etc/f'", "curl -d @/etc/f h", "a </etc/f"]
        {
            assert!(
                in_text(text).iter().any(|(at, path)| *path == "/etc/f" && text[*at..].starts_with(path)),
                "{text}"
            );
        }
        for text in [
            "/etc/f2",
            "/etc/f/g",
            "x/etc/f",
            "[ -f /etc/f ] && cat /etc/f",
            "a > /etc/f; cat /etc/f",
            "gs://b/etc/f",
        ] {
            assert!(!in_text(text).iter().any(|(_, path)| *path == "/etc/f"), "{text}");
        }
    }
}
