//! Suggestions for unknown keys of `--set`: keys elsewhere in the spec that end with the same name.
use super::Step;
use crate::codes::BAD_SETTING;
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::shape::{Field, Object, Place, Shape, ours};
use crate::sources::Span;
use crate::tree::Tree;

/// Maximum number of suggested keys.
const MANY: usize = 3;

/// The option of a target for settings of its program, whose names begin with the name of the program.
const SETTINGS: &str = "conf";

/// Adds suggestions to `told`, the error about an unknown name in a key of `--set`. The name is that of the first step in `steps`,
/// and `object` has no such field. The suggestions are keys below `object` that end with the name, such as `param.lr` for `lr`, or
/// `role.worker.count` for `worker`. `above`: the key of `object`.
pub fn tell(
    mut told: Diagnostic,
    object: &Object,
    tree: Option<&Tree>,
    steps: &[Step],
    above: &str,
) -> Box<Diagnostic> {
    let Some((step, rest)) = steps.split_first() else { return Box::new(told) };
    if let Some(key) = below_target(object, steps) {
        let whole = Span::new(step.at.start, steps.last().map_or(step.at.end, |last| last.at.end));
        let told = told.without_fixes().help(format!("did you mean `{key}`?"));
        return Box::new(told.fix(Fix::replace(whole, key).suggested()));
    }
    if let Some((help, fix)) = respelled(object, tree, steps, above) {
        let mut told = told.without_fixes().help(help);
        told.fixes.extend(fix);
        return Box::new(told);
    }
    let mut search = Search { last: rest.is_empty(), names: Vec::new(), found: Vec::new() };
    search.below(object, tree, "", &step.name);
    if search.found.is_empty() && told.fixes.is_empty() {
        let names = std::mem::take(&mut search.names);
        if let Some(near) = nearest(&step.name, names.iter().map(String::as_str)) {
            search.below(object, tree, "", near);
        }
    }
    if let Some((ours, same)) = ours(&step.name).filter(|_| search.found.is_empty() && told.fixes.is_empty())
    {
        if object.field(ours).is_some() {
            let fix = Fix::replace(step.at, ours).suggested();
            let told = told.help(format!("did you mean `{ours}`?"));
            return Box::new(if same { told.fix(fix) } else { told });
        }
        search.below(object, tree, "", ours);
    }
    if search.found.is_empty() {
        return Box::new(told);
    }
    told.fixes.clear();
    let whole = |key: &String| if above.is_empty() { format!("`{key}`") } else { format!("`{above}.{key}`") };
    let keys: Vec<String> = search.found.iter().take(MANY).map(whole).collect();
    let more = if search.found.len() > MANY { " or a similar key" } else { "" };
    let told = told.help(format!("did you mean {}{more}?", keys.join(" or ")));
    Box::new(match search.found.as_slice() {
        [only] => told.fix(Fix::replace(step.at, only)),
        _ => told,
    })
}

/// Returns the key that is meant by a key that begins with the name of a target: `target.site.queue` for `site.queue`, and
/// `target.site.conf."site.a.b"` for `site.a.b`. `None` for other keys.
fn below_target(object: &Object, steps: &[Step]) -> Option<String> {
    let ([target, option, ..], Some(targets)) = (steps, object.at(Place::Targets).next()) else {
        return None;
    };
    let options = targets.shape.object()?.field(&target.name)?.shape.object()?;
    if options.field(&option.name).is_some() {
        return Some(format!("{}.{}", targets.name, key(steps)));
    }
    let settings = options.at(Place::Pairs).find(|field| field.name == SETTINGS)?;
    let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    Some(format!("{}.{}.{}.{}", targets.name, target.name, settings.name, key_part(&names.join("."))))
}

/// Returns the help, and the fix, for a key that begins with `job.`, or that has slashes in place of dots. There is no fix if the
/// corrected key cannot be set: it would lead to the next error.
fn respelled(
    object: &Object,
    tree: Option<&Tree>,
    steps: &[Step],
    above: &str,
) -> Option<(String, Option<Fix>)> {
    let (step, rest) = steps.split_first()?;
    let is_job = step.name == "job" && !rest.is_empty();
    let parts = (!is_job).then(|| step.name.split('/')).into_iter().flatten();
    let names: Vec<&str> = parts.chain(rest.iter().map(|step| step.name.as_str())).collect();
    if !is_job && names.len() == steps.len() {
        return None;
    }
    let written = |names: &[&str]| names.iter().map(|name| key_part(name)).collect::<Vec<_>>().join(".");
    let whole = |names: &[&str]| match above {
        "" => written(names),
        above => format!("{above}.{}", written(names)),
    };
    let Some(known) = corrected(object, tree, &names) else {
        if is_job {
            return Some((
                "remove `job.`: a key begins with the name of a field of the job".to_owned(),
                None,
            ));
        }
        object.field(names.first()?)?;
        return Some((format!("separate the names with dots: `{}`", whole(&names)), None));
    };
    let fix = match rest.first() {
        Some(next) if is_job && known == names => {
            Fix::edit("remove `job.`", Span::new(step.at.start, next.at.start), "")
        }
        Some(_) | None => Fix::replace(Span::new(step.at.start, steps.last()?.at.end), written(&known)),
    };
    Some((format!("did you mean `{}`?", whole(&known)), Some(fix)))
}

/// Returns the names of a key below an object, each misspelled name corrected. `None` if a name is unknown, or the key cannot be set.
fn corrected<'n>(object: &'n Object, tree: Option<&'n Tree>, names: &[&'n str]) -> Option<Vec<&'n str>> {
    let Some((name, rest)) = names.split_first() else {
        return object.at(Place::Arg).next().map(|_| Vec::new());
    };
    let known = || object.fields.iter().map(|field| field.name);
    let field = object.field(name).or_else(|| object.field(nearest(name, known())?))?;
    let there = tree.and_then(|tree| tree.get(field.name));
    let below = match &field.shape {
        Shape::Object(inner) => corrected(inner, there, rest)?,
        Shape::Keyed(keyed) => {
            let (name, rest) = rest.split_first()?;
            let entries = there.map_or(&[][..], Tree::entries);
            let find = |name: &str| entries.iter().find(|entry| entry.key == name);
            match keyed.item.object() {
                Some(inner) => {
                    let near = || nearest(name, entries.iter().map(|entry| entry.key.as_str()));
                    let entry = find(name).or_else(|| find(near()?))?;
                    let below = corrected(inner, Some(&entry.tree), rest)?;
                    std::iter::once(entry.key.as_str()).chain(below).collect()
                }
                None => rest.is_empty().then(|| vec![*name])?,
            }
        }
        shape => (shape.is_scalar() && rest.is_empty()).then(Vec::new)?,
    };
    Some(std::iter::once(field.name).chain(below).collect())
}

/// Returns the key that consists of these steps, with quotes around names that need them.
pub fn key(steps: &[Step]) -> String {
    steps.iter().map(|step| key_part(&step.name)).collect::<Vec<_>>().join(".")
}

/// Returns a name as a part of a key: in quotes if it contains a dot or `=`.
pub fn key_part(name: &str) -> String {
    if name.contains(['.', '=']) { format!("\"{name}\"") } else { name.to_owned() }
}

/// Returns the error for a block that each role and helper sets, but not the job. The setting would create a default that no role
/// uses.
pub fn of_roles(object: &Object, job: Option<&Tree>, steps: &[Step]) -> Option<Diagnostic> {
    let [block, _, ..] = steps else { return None };
    let owners: Vec<String> = owners(object, job, &block.name)?
        .iter()
        .map(|(group, member)| format!("`{group}.{member}.{}`", key(steps)))
        .take(MANY)
        .collect();
    let fact = format!("the job has no `{}`: each of its roles sets its own", block.name);
    let told = Diagnostic::new(&BAD_SETTING, block.at, fact).here("not set in `job`");
    Some(told.help(format!("did you mean {}?", owners.join(" or "))))
}

/// Returns whether each role and helper sets a block, but not the job, so that [`of_roles`] refuses a setting of it.
pub fn is_of_roles(object: &Object, job: Option<&Tree>, block: &str) -> bool {
    owners(object, job, block).is_some()
}

/// Returns the roles and helpers, with their kinds, if each of them sets a block, but not the job.
fn owners<'t>(object: &Object, job: Option<&'t Tree>, block: &str) -> Option<Vec<(&'static str, &'t str)>> {
    let is_replaced = |field: &Field| field.shape.object().is_some() && field.place != Place::Targets;
    let job = job.filter(|job| job.get(block).is_none())?;
    object.field(block).filter(|field| is_replaced(field))?;
    let mut owners = Vec::new();
    for group in ["role", "helper"] {
        for member in job.get(group).map_or(&[][..], Tree::entries) {
            member.tree.get(block)?;
            owners.push((group, member.key.as_str()));
        }
    }
    (!owners.is_empty()).then_some(owners)
}

struct Search {
    /// Whether the searched name is the last name in the key of `--set`. If so, only a field with a single value matches; otherwise, only
    /// a block.
    last: bool,
    /// Names of all named entries that the search passed, for a second search with a similar name.
    names: Vec<String>,
    /// Keys that end with the searched name.
    found: Vec<String>,
}

impl Search {
    fn below(&mut self, object: &Object, tree: Option<&Tree>, above: &str, name: &str) {
        for field in object.fields {
            let there = tree.and_then(|tree| tree.get(field.name));
            let key = format!("{above}{}", field.name);
            if field.name == name && !above.is_empty() && field.shape.is_scalar() == self.last {
                self.found.push(key.clone());
            }
            match (&field.shape, there) {
                (Shape::Object(targets), there) if field.place == Place::Targets => {
                    self.in_targets(targets, there, &key, name);
                }
                (Shape::Object(inner), Some(there)) => {
                    self.below(inner, Some(there), &format!("{key}."), name);
                }
                (Shape::Keyed(keyed), Some(there)) => self.in_named(&keyed.item, there, &key, name),
                (_, _) => {}
            }
        }
    }

    /// Adds the keys of the options with this name in the targets that the spec configures. If no such target has the option, adds
    /// the keys for all targets.
    fn in_targets(&mut self, targets: &Object, there: Option<&Tree>, key: &str, name: &str) {
        let own = |target: &Field| there.is_some_and(|there| there.get(target.name).is_some());
        let last = self.last;
        let knows = |target: &&Field| {
            let option = target.shape.object().and_then(|options| options.field(name));
            option.is_some_and(|option| option.shape.is_scalar() == last)
        };
        let all: Vec<&Field> = targets.fields.iter().filter(knows).collect();
        let some = all.iter().any(|target| own(target));
        let meant = all.iter().filter(|target| !some || own(target));
        self.found.extend(meant.map(|target| format!("{key}.{}.{name}", target.name)));
    }

    fn in_named(&mut self, item: &Shape, there: &Tree, key: &str, name: &str) {
        for entry in there.entries().iter().filter(|entry| !entry.key.is_empty()) {
            let own = match entry.key.contains(['.', '=']) {
                true => format!("{key}.\"{}\"", entry.key),
                false => format!("{key}.{}", entry.key),
            };
            self.names.push(entry.key.clone());
            if entry.key == name {
                // A role has no argument, so `role.worker=8` most likely means its count.
                let counted = item.object().filter(|item| item.at(Place::Arg).next().is_none());
                let count = counted.filter(|item| self.last && item.field("count").is_some());
                self.found.push(if count.is_some() { format!("{own}.count") } else { own.clone() });
            }
            if let Shape::Object(inner) = item {
                self.below(inner, Some(&entry.tree), &format!("{own}."), name);
            }
        }
    }
}
