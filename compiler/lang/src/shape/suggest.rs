//! Suggestions for unknown names: a similar name, the equivalent of a keyword in another system, or the place where the
//! name is valid.
mod arguments;
mod carry;
mod homonym;
mod in_block;
mod placement;
mod theirs;
mod translated;
mod whole;

use super::words::one_of;
use super::{Choice, Field, Object, Place, Shape};
use crate::diagnostic::{Diagnostic, Fix, kebab, nearest, only_near};
use crate::sources::Span;
use crate::spec::FrameworkName;
use crate::syntax::guard::MAX_TOLD;
use crate::syntax::{Node, Scalar};
pub(super) use arguments::{is_arguments, of_node, of_tree};
pub(super) use carry::{carry, carry_tree, for_example};
pub(super) use homonym::{
    as_option, block_of_that_name, instead_in_target, instead_of_block, is_option, line, of_the_job_itself,
    switch_and_option,
};
pub(super) use in_block::in_block;
use in_block::{is_any_name, is_inside};
#[cfg(test)]
pub(crate) use theirs::EXAMPLES;
pub(crate) use theirs::ours;
use theirs::unsupported;
pub(super) use theirs::{Carried, example, example_for};
use theirs::{RENAMED, VALUES, WORDS, folded, of_target};
pub use translated::{example_of, foreign_keywords, foreign_names, foreign_values, keyword_of};

/// Returns the keyword that an unknown value most likely means: the equivalent of a value in another system, or a similar
/// keyword.
pub(super) fn choice_meant<'c>(word: &str, choices: &'c [Choice]) -> Option<&'c str> {
    let words = || choices.iter().map(|choice| choice.word);
    // Normalizes names from libraries, such as `tf.distribute.MirroredStrategy` and `OnFailure`.
    let folded = kebab(word.rsplit('.').next().unwrap_or(word));
    let bare = folded.split("-strategy").next().unwrap_or_default();
    let theirs = VALUES.iter().find(|(theirs, _)| *theirs == bare).map(|(_, ours)| *ours);
    let same = words().find(|word| theirs == Some(*word));
    same.or_else(|| nearest(word, words())).or_else(|| nearest(bare, words()))
}

/// Returns whether `near` is the only keyword with a spelling similar to `word`. The equivalent of a keyword in another system
/// does not count.
pub(super) fn only_choice(word: &str, near: &str, choices: &[Choice]) -> bool {
    let folded = kebab(word.rsplit('.').next().unwrap_or(word));
    let bare = folded.split("-strategy").next().unwrap_or_default();
    let words = || choices.iter().map(|choice| choice.word);
    bare == near
        || [word, bare].iter().any(|word| nearest(word, [near]).is_some() && only_near(word, words()))
}

/// Returns whether any framework has a role with this name.
pub(super) fn is_role_word(word: &str) -> bool {
    FrameworkName::ALL.iter().any(|framework| framework.role_named(word).is_some())
}

/// Suggestion for an unknown name.
pub(super) struct Meant<'s> {
    /// The field of this block that was probably intended. This field is then not reported as missing.
    pub near: Option<&'s str>,
    help: Option<String>,
    /// The other place in which the name is valid: ``` `gpus` is a property of `resources` ```.
    place: Option<String>,
    /// Whether `near` is the only possible field, so that a fix can apply it.
    sure: bool,
    /// Whether the name is a misspelling of `near`, and not of another field.
    only: bool,
    /// Whether the name is quoted.
    pub quoted: bool,
    /// Whether `near` is already set in the block, so that renaming does not help.
    pub taken: bool,
    /// Whether the name is a keyword of another system, and `near` does not accept the same values.
    pub foreign: bool,
    /// Whether the name is an old name of `near`.
    renamed: bool,
    /// Whether the name is a field of another place, except the options of targets.
    pub elsewhere: bool,
}

impl<'s> Meant<'s> {
    /// Finds a suggestion for `word` among the fields of this block, and then in all other places of `root`. `told`: the
    /// number of problems so far. After hundreds of problems, there is no suggestion.
    pub fn find(root: &'s Shape, word: &str, here: &[&'s Field], told: usize) -> Self {
        if told >= MAX_TOLD {
            return Self::nothing();
        }
        if let Some(meant) = Self::in_tables(root, word, here) {
            return meant;
        }
        let folded = folded(word);
        let known = ours(word);
        let other = known.map(|(ours, _)| ours);
        if let Some(help) = kinds(other.unwrap_or(&folded), here) {
            return Self { help: Some(help), ..Self::nothing() };
        }
        let ours = other.and_then(|ours| here.iter().find(|field| field.name == ours));
        let names = || here.iter().map(|field| field.name);
        let option = of_targets(root, word);
        let misspelt = || {
            if option.is_some() {
                return None;
            }
            let theirs = nearest(&folded, WORDS.iter().map(|(theirs, ..)| *theirs).filter(|w| w.len() > 4))?;
            let ours = WORDS.iter().find(|(word, ..)| *word == theirs)?.1;
            here.iter().find(|field| field.name == ours).map(|field| field.name)
        };
        let elsewhere = elsewhere(root, word, here);
        let is_name = elsewhere.is_some() || option.is_some();
        // A name that is valid elsewhere is a misspelling only of a field with the same first letter: `node` is not one of `code`.
        let close = |near: &&str| !is_name || near.chars().next() == word.chars().next();
        let misspelled = || nearest(word, names()).filter(close);
        // If several fields match, `kinds` has already returned a list of them above, so the first match is used here.
        let longer = || here.iter().find(|field| is_kind(field.name, word)).map(|field| field.name);
        let near = ours.map(|field| field.name).or_else(misspelled).or_else(misspelt).or_else(longer);
        let shown = |field: &str| example_for(word, field).map(|shown| format!(", for example `{shown}`"));
        let translated = || {
            let ours = other?;
            let place = self::elsewhere(root, ours, here);
            place.map(|place| place + &shown(ours).unwrap_or_default()).or_else(|| of_targets(root, ours))
        };
        let inside = near.is_some_and(|near| is_inside(here, near, word));
        let elsewhere = elsewhere.filter(|_| !inside);
        let help = match (near, &elsewhere) {
            (Some(near), None) if known.is_some_and(|(_, same)| !same) && example(near).is_some() => {
                Some(format!("write `{}`", example_for(word, near).unwrap_or_default()))
            }
            (Some(near), None) => match &option {
                Some(option) => Some(format!("{option}; or did you mean `{near}`?")),
                None => Some(format!("did you mean `{near}`?")),
            },
            (Some(near), Some(place)) => Some(format!("did you mean `{near}`? {place}")),
            (None, Some(place)) => Some(place.clone()),
            (None, None) => translated().or(option).or_else(|| list(here)),
        };
        let foreign = known.is_some_and(|(_, same)| !same);
        let sure = near.is_some() && !foreign && (inside || !is_name && !is_any_name(root, word));
        let is_near = |near| !inside && nearest(word, [near]).is_some();
        let only = near.is_some_and(is_near) && only_near(word, names());
        let is_elsewhere = elsewhere.is_some();
        let place = elsewhere.filter(|_| near.is_some());
        Self { near, help, place, sure, only, foreign, elsewhere: is_elsewhere, ..Self::nothing() }
    }

    /// Finds a suggestion for an old name, one of another system without an equivalent, or one with another meaning in this block.
    fn in_tables(root: &'s Shape, word: &str, here: &[&'s Field]) -> Option<Self> {
        if let Some(why) = unsupported(word) {
            return Some(Self { help: Some(why.to_owned()), ..Self::nothing() });
        }
        if is_arguments(word) && (has(here, "run") || elsewhere(root, "run", here).is_some()) {
            // `args` is not treated as `run`, because the program is still missing.
            return Some(Self { help: Some(arguments::ADD.to_owned()), ..Self::nothing() });
        }
        let renamed = RENAMED.iter().find(|(old, _)| *old == word).map(|(_, new)| *new);
        if let Some(field) = here.iter().find(|field| renamed == Some(field.name)) {
            let help = Some(format!("did you mean `{}`?", field.name));
            let near = Some(field.name);
            return Some(Self { near, help, sure: true, only: true, renamed: true, ..Self::nothing() });
        }
        if let Some(field) = in_block(word, |name| has(here, name)) {
            let help = Some(format!("did you mean `{field}`?"));
            return Some(Self { near: Some(field), help, sure: true, ..Self::nothing() });
        }
        None
    }

    const fn nothing() -> Self {
        Self {
            near: None,
            help: None,
            place: None,
            sure: false,
            only: false,
            quoted: false,
            taken: false,
            foreign: false,
            renamed: false,
            elsewhere: false,
        }
    }

    /// Returns the sentence about another place in which the name is valid, with a space before it. Empty if there is none.
    pub fn other_place(&self) -> String {
        self.place.as_ref().map_or_else(String::new, |place| format!(" {place}"))
    }

    /// Returns whether the suggestion is certain, so that a fix can apply it.
    pub fn is_sure(&self) -> bool {
        self.sure && !self.taken
    }

    /// Returns whether the name is a misspelling of the suggested field and of no other field.
    pub fn is_only(&self) -> bool {
        self.only
    }

    /// Adds the help and the fix to a diagnostic. `at`: the span of the name.
    pub fn tell(&self, diagnostic: Diagnostic, at: Span) -> Diagnostic {
        let told = match (&self.help, self.near) {
            (Some(_), Some("run")) if self.taken => diagnostic.help(
                "`run` takes the program and all arguments, and is already set; append these arguments to it, or remove \
                 this line",
            ),
            (Some(_), Some(near)) if self.taken && self.renamed => {
                diagnostic.help(format!("`{near}` is already set here; remove this key"))
            }
            (Some(_), Some(near)) if self.taken && self.foreign => diagnostic
                .help(format!("the equivalent `{near}` is already set here; keep one of them")),
            (Some(help), Some(_)) if self.taken => {
                diagnostic.help(format!("{help} It is already set here; keep one of them"))
            }
            (Some(help), _) => diagnostic.help(help.clone()),
            (None, _) => diagnostic,
        };
        match self.near.filter(|_| !self.taken) {
            Some(near) if self.sure && self.quoted => {
                told.fix(Fix::replace(at, format!("\"{near}\"")).if_sure(self.only))
            }
            Some(near) if self.sure => told.fix(Fix::replace(at, near).if_sure(self.only)),
            _ => told,
        }
    }
}

/// Returns ``write `a-queue` (…) or `b-queue` (…)`` for a name such as `queue`, if the names of several fields of the block end
/// with this name.
fn kinds(word: &str, here: &[&Field]) -> Option<String> {
    let found: Vec<&&Field> = here.iter().filter(|field| is_kind(field.name, word)).collect();
    let about = |field: &&&Field| {
        let first = field.doc.split(['.', ';']).next().unwrap_or_default();
        format!("`{}` ({first})", field.name)
    };
    (found.len() > 1 && !has(here, word))
        .then(|| format!("write {}", found.iter().map(about).collect::<Vec<_>>().join(" or ")))
}

fn has(here: &[&Field], name: &str) -> bool {
    here.iter().any(|field| field.name == name)
}

fn list(here: &[&Field]) -> Option<String> {
    const MANY: usize = 16;
    // A long list shows these fields first.
    const COMMON: [&str; 8] = ["framework", "image", "run", "shell", "resources", "role", "target", "env"];
    let (common, others): (Vec<&Field>, Vec<&Field>) =
        here.iter().copied().partition(|field| here.len() > MANY && COMMON.contains(&field.name));
    let all = || common.iter().chain(&others).map(|field| field.name);
    match here.len() {
        0 => None,
        1..=MANY => Some(format!("available here: {}", one_of(all(), "and"))),
        _ => {
            let first: Vec<String> = all().take(MANY).map(|name| format!("`{name}`")).collect();
            Some(format!("available here: {}, …", first.join(", ")))
        }
    }
}

/// Returns a help such as ``` `gpus` is a property of `resources` ``` for a name that is valid in another place.
fn elsewhere(root: &Shape, word: &str, here: &[&Field]) -> Option<String> {
    let mut found: Vec<(&str, Place)> = Vec::new();
    collect(root, "", word, &mut found);
    found.retain(|(owner, _)| !owner.is_empty() && !here.iter().any(|field| field.name == word));
    let place = found.iter().find(|(_, place)| place.is_node()).or(found.first())?.1;
    let mut owners: Vec<&str> = Vec::new();
    for (owner, other) in &found {
        if other.is_node() == place.is_node() && !owners.contains(owner) {
            owners.push(owner);
        }
    }
    let kind = if place.is_node() { "an entry" } else { "a property" };
    Some(format!("`{word}` is {kind} of {}", one_of(owners, "and")))
}

/// Returns the help for an option outside of a `target` block, such as ``write `target "X" { queue "ml" }` ``. The help
/// also lists longer names in other targets, such as `local-queue`.
fn of_targets(root: &Shape, word: &str) -> Option<String> {
    let word = word.trim_start_matches('-');
    let targets = root.block(&[("job", None)])?.field("target")?;
    let Shape::Object(all) = &targets.shape else { return None };
    let known = |target: &'static Field| Some((target.name, target.shape.object()?.field(word)?));
    let found: Vec<(&str, &Field)> = all.fields.iter().filter_map(known).collect();
    let help = match found.as_slice() {
        [] => return None,
        [(target, field)] => {
            let form = of_target(word).map_or_else(|| field.form(), str::to_owned);
            format!("write `target \"{target}\" {{ {form} }}`")
        }
        many => {
            let names: Vec<String> = many.iter().map(|(target, _)| format!("target \"{target}\"")).collect();
            let names = one_of(names.iter().map(String::as_str), "or");
            match of_target(word) {
                Some(example) => format!("write `{example}` in {names}"),
                None => format!("`{word}` is an option of {names}"),
            }
        }
    };
    Some(help + &longer_options(root, word))
}

/// Returns the part of a help about longer names in other targets, such as ``; for X, `local-queue` in `target "X"` ``. Empty
/// if there are none.
fn longer_options(root: &Shape, word: &str) -> String {
    let targets = root.block(&[("job", None)]).and_then(|job| job.field("target"));
    let Some(Shape::Object(all)) = targets.map(|field| &field.shape) else { return String::new() };
    let longer = all.fields.iter().filter_map(|target| {
        let options = target.shape.object().filter(|options| options.field(word).is_none())?;
        let names: Vec<&str> =
            options.fields.iter().map(|field| field.name).filter(|name| is_kind(name, word)).collect();
        let target = target.name;
        (!names.is_empty())
            .then(|| format!("; for {target}, {} in `target \"{target}\"`", one_of(names, "or")))
    });
    longer.collect()
}

/// Returns the help for a block with the name of a target: ``write `target "X" { … }` ``.
pub(super) fn target_block(object: &Object, node: &Node) -> Option<String> {
    let targets = object.at(Place::Targets).next()?;
    let Shape::Object(all) = &targets.shape else { return None };
    all.field(&node.name)?;
    let block = if node.children.is_some() { " { … }" } else { "" };
    Some(format!("write `{} \"{}\"{block}`", targets.name, node.name))
}

/// Returns whether `name` is `word` with a prefix: `local-queue` for `queue`.
fn is_kind(name: &str, word: &str) -> bool {
    name.strip_suffix(word).is_some_and(|first| first.ends_with('-'))
}

/// Returns the help for an option of the job that is written in the `target` block of a role.
pub(super) fn of_the_job(root: &Shape, owner: &Node, word: &str) -> Option<String> {
    let first = owner.entries.iter().find(|entry| entry.key.is_none()).filter(|_| owner.name == "target")?;
    let Scalar::Text(target) = &first.value else { return None };
    root.block(&[("job", None), ("target", Some(target))])?.field(word)?;
    Some(format!("move `{word}` to `target \"{target}\"` of the job; it cannot be set per role"))
}

fn collect<'s>(shape: &'s Shape, owner: &'s str, word: &str, found: &mut Vec<(&'s str, Place)>) {
    match shape {
        Shape::Object(object) => {
            for field in object.fields {
                if field.name == word && field.place != Place::Arg {
                    found.push((owner, field.place));
                }
                // Options of targets are not suggested outside of `target` blocks.
                if field.place != Place::Targets {
                    collect(&field.shape, field.name, word, found);
                }
            }
        }
        Shape::Keyed(keyed) => collect(&keyed.item, owner, word, found),
        Shape::List(list) => collect(&list.item, owner, word, found),
        Shape::Words(_)
        | Shape::Number(_)
        | Shape::Flag
        | Shape::Text(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::tests::{job_options, role_options};

    #[derive(schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "read through its schema")]
    struct Queues {
        local_queue: Option<crate::at::At<crate::spec::values::Text>>,
        batch_queue: Option<crate::at::At<crate::spec::values::Text>>,
        queue_size: Option<u32>,
    }

    #[test]
    fn an_option_is_suggested_for_each_target_under_its_name_there() {
        let help = |names: &[&'static str]| {
            let one = |name: &&'static str| match *name {
                "k" => ("k", Shape::schema_of::<Queues>(), role_options()),
                name => (name, job_options(), role_options()),
            };
            let root = Shape::job(&names.iter().map(one).collect::<Vec<_>>()).unwrap();
            of_targets(&root, "queue")
        };
        let longer = "; for k, `local-queue` or `batch-queue` in `target \"k\"`";
        assert_eq!(help(&["k"]), None);
        assert_eq!(help(&["a"]).as_deref(), Some("write `target \"a\" { queue \"ml\" }`"));
        assert_eq!(help(&["a", "k"]), Some(format!("write `target \"a\" {{ queue \"ml\" }}`{longer}")));
        assert_eq!(
            help(&["a", "k", "b"]),
            Some(format!("write `queue \"ml\"` in `target \"a\"` or `target \"b\"`{longer}"))
        );
    }
}
