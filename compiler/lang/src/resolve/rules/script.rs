//! Reports references in `shell` scripts. A script must use environment variables instead, because the shell interprets braces
//! itself.
use super::Job;
use super::environment::PREFIX;
use super::shell::{runs_other_text, unread};
use crate::at::At;
use crate::codes::{UNEXPANDED_SYNTAX, UNKNOWN_REFERENCE};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::Role;
use crate::references;
use crate::resolve::variables::Names;
use crate::sources::Span;
use crate::spec;
use crate::spec::values::Text;
use crate::syntax::literal::Places;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tfjob_contract::{RENDEZVOUS, variable};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let mut reported = BTreeSet::new();
    for (written, role) in job.roles() {
        if let Some(shell) = &written.shell {
            unreplaced(job, written, shell, &mut reported, out);
            variables(job, written, role, shell, out);
        }
    }
}

/// Reports references such as `{data.train}`, because they are not expanded in a script, and variables such as `$index`, because
/// they are not set.
fn unreplaced(
    job: &Job<'_>,
    role: &spec::Role,
    shell: &At<Text>,
    reported: &mut BTreeSet<Span>,
    out: &mut Vec<Diagnostic>,
) {
    let script = shell.value.as_str();
    let mut names = BTreeSet::new();
    let mut places = None;
    let set = |name: &str| role.env.0.iter().any(|(own, _)| own.value.as_str() == name);
    let unset =
        unset(script).into_iter().filter(|range| !set(script[range.clone()].trim_matches(['$', '{', '}'])));
    for range in written(script).into_iter().chain(unset) {
        let whole = &script[range.clone()];
        let body = whole.trim_matches(['$', '{', '}']);
        if !names.insert(whole) {
            continue;
        }
        let place = places
            .get_or_insert_with(|| job.sources.find(shell.span).map(|source| Places::of(source, shell.span)));
        let span = place.as_ref().map_or(shell.span, |places| places.at(range.clone()));
        // Several roles can inherit the `shell` of the job, so each reference in it is reported only once.
        if !reported.insert(span) {
            continue;
        }
        let path: Vec<&str> = body.splitn(2, '.').collect();
        let name = match path.as_slice() {
            ["env", name] => (*name).to_owned(),
            path => variable(path),
        };
        let joined = script[range.end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let with = if joined { format!("${{{name}}}") } else { format!("${name}") };
        let (fact, label) = match whole.starts_with('$') {
            true => (format!("`{whole}` is not set in the `shell` script"), "expands to an empty string"),
            false => {
                (format!("`{whole}` is not replaced in a `shell` script"), "passed to the shell literally")
            }
        };
        let found = Diagnostic::new(&UNEXPANDED_SYNTAX, span, fact).here(label);
        out.push(found.help(match path.as_slice() {
            [kind @ ("data" | "files" | "param"), name] if !declared(job, kind, name) => {
                format!("add `{kind} \"{name}\" …` to the job, and write `{with}`")
            }
            _ => format!("write `{with}`"),
        }));
    }
}

fn declared(job: &Job<'_>, kind: &str, name: &str) -> bool {
    let spec = job.spec;
    match kind {
        "data" => spec.data.0.iter().any(|(own, _)| own.value == name),
        "files" => spec.files.0.iter().any(|(own, _)| own.value == name),
        _ => spec.param.0.iter().any(|(own, _)| own.value == name),
    }
}

/// Returns the ranges of references in a script. Syntax of other languages is excluded: `${index}` of the shell, `{{index}}`
/// of templates, `f"{index}"` and `"{index}".format(…)` of Python, and quoted here-documents.
fn written(script: &str) -> Vec<Range<usize>> {
    let document = script.contains("<<'") || script.contains("<<\"");
    let format = script.rfind(".format(");
    let mut all = Vec::new();
    let mut last_quote = None;
    for (at, c) in script.char_indices() {
        if matches!(c, '"' | '\'') {
            last_quote = Some(at);
        }
        if c != '{' {
            continue;
        }
        let body = &script[at + 1..];
        let end = body.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')));
        let Some(end) = end.filter(|&end| body[end..].starts_with('}')) else { continue };
        if !references::ALL.iter().any(|reference| reference.is(&body[..end])) {
            continue;
        }
        let range = at..at + end + 2;
        let before = &script[..at];
        let named = body[..end].contains('.');
        let python = last_quote.is_some_and(|quote| script[..quote].ends_with(['f', 'F']))
            || format.is_some_and(|format| format > at);
        if before.ends_with('{') || !named && (document || python || before.ends_with('$')) {
            continue;
        }
        all.push(range);
    }
    all
}

/// Returns the ranges of variables such as `$index` and `${checkpoints}` that the script does not set. The shell expands them
/// to an empty string.
fn unset(script: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    // A here-document may contain another language, so a script with a here-document is not checked.
    if script.contains("<<") {
        return all;
    }
    let unread = unread(script);
    let mut unread = unread.iter().map(|(_, at)| at).peekable();
    let mut assigned = BTreeMap::new();
    for (at, _) in script.match_indices('$') {
        while unread.next_if(|quoted| quoted.end < at).is_some() {}
        let quoted = unread.peek().is_some_and(|quoted| quoted.start < at);
        let signs = script[..at].bytes().rev().take_while(|b| matches!(b, b'$' | b'\\')).take(2).count();
        let braced = script[at + 1..].starts_with('{');
        let start = at + 1 + usize::from(braced);
        let length = script[start..].bytes().take_while(u8::is_ascii_lowercase).count();
        let (name, rest) = script[start..].split_at(length);
        let whole = if braced {
            rest.starts_with('}')
        } else {
            !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        };
        if !quoted && signs == 0 && whole && references::ALL.iter().any(|reference| reference.is(name)) {
            let assigned = assigned.entry(name).or_insert_with(|| is_assigned(script, name));
            if !*assigned {
                all.push(at..start + length + usize::from(braced));
            }
        }
    }
    // `runs_other_text` is called last, because it scans the whole script.
    if !all.is_empty() && runs_other_text(script) { Vec::new() } else { all }
}

/// Returns whether a script may set a variable: with `${name:=…}`, or by its name without `$`, as in `name=`, `for name`,
/// and `read name`.
fn is_assigned(script: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    script.match_indices(name).any(|(at, _)| {
        let (before, after) = (&script[..at], &script[at + name.len()..]);
        let default = before.ends_with("${") && (after.starts_with('=') || after.starts_with(":="));
        default || !before.ends_with(['$', '{']) && !before.ends_with(part) && !after.starts_with(part)
    })
}

/// Reports variables such as `$TFJOB_DATA_TRIAN` that match no reference of the job.
fn variables(job: &Job<'_>, written: &spec::Role, role: &Role, shell: &At<Text>, out: &mut Vec<Diagnostic>) {
    let script = shell.value.as_str();
    let (read, assigned) = prefixed_names(script);
    let known = known(job, written, role);
    let unset = read.iter().filter(|(name, _)| !known.contains(**name) && !assigned.contains(*name));
    let mut places = None;
    for (name, at) in unset {
        let place = places
            .get_or_insert_with(|| job.sources.find(shell.span).map(|source| Places::of(source, shell.span)));
        let span = place.as_ref().map_or(shell.span, |places| places.at(*at..at + name.len()));
        // Each role and each helper has its own ports. All other variables stand for values of the whole job.
        let block = match (name.starts_with("TFJOB_PORT_"), role.kind.joins_rendezvous()) {
            (false, _) => "job",
            (true, true) => "role",
            (true, false) => "helper",
        };
        if block == "helper" && *name == variable(&["port", RENDEZVOUS]) {
            out.push(rendezvous_of_helper(&role.name.value, span));
            continue;
        }
        let fact = format!("tfjob does not set `{name}` for this {block}");
        let found = Diagnostic::new(&UNKNOWN_REFERENCE, span, fact);
        let found = found.here("expands to an empty string").from_absent(&["job"]);
        let found = blocks(name).fold(found, |found, block| found.from_absent(&["job", block]));
        let near = nearest(
            &name[PREFIX.len()..],
            known.iter().map(|known| known.get(PREFIX.len()..).unwrap_or_default()),
        );
        out.push(match near.map(|near| format!("{PREFIX}{near}")) {
            Some(near) => found.help(format!("did you mean `{near}`?")).suggest(Fix::edit(
                format!("write `{near}`"),
                span,
                near,
            )),
            None => {
                let all: Vec<_> = known.iter().map(|known| format!("`{known}`")).collect();
                found.help(format!("variables that tfjob sets for this {block}: {}", all.join(", ")))
            }
        });
    }
}

/// Returns two sets of `TFJOB_` names. The first has the names that a script reads, each with its first position. The
/// second has the names that the script sets itself, as in `NAME=`, `for NAME`, and `read NAME`. Names with a default
/// (`${NAME:-1}`) and quoted names are skipped.
pub(super) fn prefixed_names(script: &str) -> (BTreeMap<&str, usize>, BTreeSet<&str>) {
    let (mut read, mut assigned) = (BTreeMap::new(), BTreeSet::new());
    // A quoted here-document may be a script for another program, so a script with such a document is not checked.
    if script.contains("<<'") || script.contains("<<\"") {
        return (read, assigned);
    }
    for (at, _) in script.match_indices(PREFIX) {
        let (before, rest) = script.split_at(at);
        let name =
            &rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())];
        let braced = before.ends_with("${") || before.ends_with("${#");
        let defaulted = braced && rest[name.len()..].starts_with([':', '-', '+', '=']);
        let quoted = before.trim_end_matches(['$', '{', '#']).ends_with('\'');
        if !braced && !before.ends_with('$') {
            assigned.insert(name);
        } else if !defaulted && !quoted {
            read.entry(name).or_insert(at);
        }
    }
    (read, assigned)
}

/// Returns the finding about `$TFJOB_PORT_RENDEZVOUS` in a helper, which has no rendezvous port. Some targets allocate the port
/// nevertheless, but peers never get its number.
fn rendezvous_of_helper(helper: &str, span: Span) -> Diagnostic {
    let fact = format!("helper `{helper}` has no port `{RENDEZVOUS}`: helpers do not join the rendezvous");
    Diagnostic::new(&UNKNOWN_REFERENCE, span, fact)
        .from_absent(&["job", "helper", helper, "port", RENDEZVOUS])
        .here("not declared")
        .help("add a port with another name to the helper, such as `port \"web\" 8000`, and write `$TFJOB_PORT_WEB`")
}

/// Returns the blocks that may declare the value of this environment variable, such as `param` for `TFJOB_PARAM_LR`.
fn blocks(name: &str) -> impl Iterator<Item = &'static str> {
    let kinds = ["data", "files", "param", "role", "helper", "checkpoints", "code"];
    kinds.into_iter().filter(|kind| name.starts_with(&variable(&[kind])))
}

/// Returns the environment variables that the script of a role can read.
fn known(job: &Job<'_>, written: &spec::Role, role: &Role) -> BTreeSet<String> {
    let references = Names::new(job.spec, job.plan, role).variables();
    let mut all: BTreeSet<String> = references.into_keys().collect();
    // Another rule reports `TFJOB_` variables that the job sets, so they count as known here.
    all.extend(written.env.0.iter().map(|(name, _)| name.value.to_string()));
    all.extend(written.secret.0.iter().map(|(name, _)| name.value.to_string()));
    all
}

#[cfg(test)]
mod tests {
    use super::{prefixed_names, references, unset, written};

    fn found(script: &str) -> Vec<&str> {
        written(script).into_iter().map(|range| &script[range]).collect()
    }

    #[test]
    fn every_form_of_every_reference_is_found() {
        for form in references::ALL.iter().flat_map(|reference| reference.forms) {
            let form = form.replace("NAME", "train-set").replace("ROLE", "ps");
            for script in [
                format!("python train.py --x {form}"),
                format!("python train.py \"{form}\" | tee log"),
                format!("a\nb '{form}x'"),
            ] {
                assert_eq!(found(&script), [form.as_str()], "{script}");
            }
        }
        assert_eq!(found("a ${param.lr} {index} {data.x}"), ["{param.lr}", "{index}", "{data.x}"]);
    }

    #[test]
    fn unset_variables_with_names_of_references_are_found() {
        for (script, found) in [
            ("python t.py ${checkpoints} \"${index}\"", &["${checkpoints}", "${index}"] as &[&str]),
            ("checkpoints=/c; python t.py ${checkpoints}", &[]),
            ("for index in 1 2; do echo ${index}; done", &[]),
            ("read -r index < f; echo ${index}", &[]),
            ("echo '${index}' $${index} \\${index} ${index:-1} ${indexes} ${TFJOB_INDEX}", &[]),
            ("cat <<END\n${index}\nEND", &[]),
            ("python t.py --i $index \"$checkpoints/x\" $indexes $index_of", &["$index", "$checkpoints"]),
            ("# don't\npython -c 'print(\"${index}\")'", &[]),
            ("echo \"it's\"; t.py ${checkpoints}", &["${checkpoints}"]),
            (": ${index:=0}; t.py ${index} ${count=2} $count", &[]),
            ("set -a; . ./vars.sh; t.py ${index}", &[]),
            ("eval \"$SETUP\"; t.py $index", &[]),
            ("find . -name x; t.py $index", &["$index"]),
        ] {
            let ranges = unset(script).into_iter();
            assert_eq!(ranges.map(|range| &script[range]).collect::<Vec<_>>(), found, "{script}");
        }
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the test measures time; the rule does not")]
    fn long_scripts_take_linear_time() {
        let (script, begun) = ("${index} ".repeat(100_000), std::time::Instant::now());
        assert_eq!(unset(&script).len(), 100_000);
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    /// The shell expands these variables to an empty string without an error, so this rule must find all of them.
    #[test]
    fn variables_of_references_are_found() {
        for (script, found) in [
            ("t.py $TFJOB_A \"$TFJOB_B\" ${TFJOB_C} \"${TFJOB_D}/x\"", "ABCD"),
            ("t.py ${TFJOB_A%/*} ${TFJOB_B##*/} ${#TFJOB_C} x${TFJOB_D}y", "ABCD"),
            ("cat <<E\n$TFJOB_A\nE", "A"),
            ("export X=$TFJOB_A:$X; [ $TFJOB_B = 1 ] && y=`cat $TFJOB_C` z=$(cat $TFJOB_D)", "ABCD"),
            (". $TFJOB_A/bin/activate; exec python $TFJOB_B", "AB"),
            ("t.py ${TFJOB_A:-1} ${TFJOB_B-} ${TFJOB_C:+x} ${TFJOB_D:=1}", ""),
        ] {
            let (read, assigned) = prefixed_names(script);
            let names = read.keys().filter(|name| !assigned.contains(*name));
            assert_eq!(names.map(|name| &name["TFJOB_".len()..]).collect::<String>(), found, "{script}");
        }
    }

    #[test]
    fn braces_of_other_languages_are_skipped() {
        for script in [
            "echo ${index}",
            "echo {{index}}",
            "echo {a,b} {1..3} {} {index,role}",
            "python -c 'print(f\"worker {index}\")'",
            "python -c 'print(\"{index} of {count}\".format(index=1, count=2))'",
            "python - <<'END'\nprint(f'{x} {index}')\nEND",
            "awk '{print $1}' a; find . -exec cat {} ;",
            "echo {data} {param.} {INDEX}",
        ] {
            assert_eq!(found(script), [""; 0], "{script}");
        }
    }
}
