//! References in strings: `{data.train}`; in scripts, the environment variables with the same values: `$TFJOB_DATA_TRAIN`.
use super::context::Context;
use super::insert::Draft;
use super::item::{Item, Rank};
use super::names::{self, Name};
use super::values::{Expected, expected};
use lsp_types::CompletionItemKind;
use std::ops::Range;
use tfjob_lang::references::{ALL, FIELDS, Reference, variable};
use tfjob_lang::shape::{Grammar, Shape};
use tfjob_lang::tree::Tree;

/// Returns the references for the string at the cursor. `None` if other values may be written there. `whole`: whether to offer
/// references with their braces if the cursor is not after a `{`.
pub fn items(context: &Context<'_>, whole: bool) -> Option<Vec<Item>> {
    if !is_expanded(context) {
        return None;
    }
    let text = &context.document.text;
    let start = context.cursor.word.start.min(context.byte);
    let before = &text[start..context.byte];
    let after = &text[context.byte..];
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let open = before.rfind('{').filter(|at| before[at + 1..].chars().all(plain));
    let Some(open) = open else {
        let starts = before.ends_with(['"', '\'', '=', ':', ',', '/', ' ']) || before.is_empty();
        return (whole && starts).then(|| found(context, context.byte..context.byte, "{", "}"));
    };
    // `{{` is a literal brace.
    let braces = before[..=open].len() - before[..=open].trim_end_matches('{').len();
    if braces.is_multiple_of(2) {
        return Some(Vec::new());
    }
    let length = after.find(|c| !plain(c)).unwrap_or(after.len());
    let closing = if after[length..].starts_with('}') { "" } else { "}" };
    Some(found(context, start + open + 1..context.byte + length, "", closing))
}

/// Returns the environment variables of a task for a name after `$` in a script. `None` elsewhere.
pub fn in_script(context: &Context<'_>) -> Option<Vec<Item>> {
    context.cursor.path.last().filter(|step| step.name == "shell" && context.in_string())?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = context.before();
    let start = before.trim_end_matches(is_name).len();
    if !before[..start].trim_end_matches('{').ends_with('$') {
        return None;
    }
    let after = &context.document.text[context.byte..];
    let end = context.byte + after.find(|c| !is_name(c)).unwrap_or(after.len());
    let mut names: Vec<Name> = Vec::new();
    for reference in ALL.iter().filter(|reference| reference.head != "env") {
        for body in reference.forms.iter().flat_map(|form| bodies(context, reference, form)) {
            let words: Vec<&str> = body.text.splitn(2, '.').collect();
            let about = reference.about.to_owned();
            names.push(Name { about, ..Name::new(variable(&words), format!("{{{}}}", body.text)) });
        }
    }
    names.extend(["env", "secret"].into_iter().flat_map(|block| names::declared(context, block)));
    let item = |(number, name): (usize, Name)| {
        let mut item = Item::new(&name.text, CompletionItemKind::VARIABLE, start..end, Draft::of(&name.text));
        item.detail = Some(name.detail).filter(|detail| !detail.is_empty());
        item.documentation = name.about;
        item.rank = Rank::Usual(number);
        item
    };
    Some(names::distinct(names).into_iter().enumerate().map(item).collect())
}

/// Returns whether references are expanded in the string at the cursor.
pub fn is_expanded(context: &Context<'_>) -> bool {
    let in_field = context.cursor.path.iter().any(|step| FIELDS.contains(&step.name.as_str()));
    let is_text = || matches!(expected(context), Some(Expected::Value(_, Shape::Text(Grammar::Text))));
    in_field && context.in_string() && is_text()
}

fn found(context: &Context<'_>, range: Range<usize>, open: &str, close: &str) -> Vec<Item> {
    let mut items = Vec::new();
    for (number, reference) in ALL.iter().enumerate() {
        for form in reference.forms {
            for name in bodies(context, reference, form) {
                let draft = Draft::of(format!("{open}{}{close}", name.text));
                let label = format!("{open}{}{}", name.text, if open.is_empty() { "" } else { close });
                let mut item = Item::new(label, CompletionItemKind::VARIABLE, range.clone(), draft);
                item.detail = Some(name.detail).filter(|detail| !detail.is_empty());
                item.documentation = reference.about.to_owned();
                item.rank = Rank::Usual(number);
                items.push(quoted(context, item));
            }
        }
    }
    items
}

/// Quotes the string in which an item is inserted, if it has no quotes: `{` starts an object in YAML, but not in a string over several
/// lines.
fn quoted(context: &Context<'_>, mut item: Item) -> Item {
    if context.cursor.quoted || context.word().contains('\n') {
        return item;
    }
    let text = &context.document.text;
    let word = context.cursor.word.clone();
    let before = text.get(word.start..item.range.start).unwrap_or_default();
    let after = text.get(item.range.end..word.end).unwrap_or_default();
    let space = if text[..word.start].ends_with([':', '-']) { " " } else { "" };
    let literal = serde_json::Value::from(format!("{before}{}{after}", item.draft.plain)).to_string();
    item.filter = Some(format!("{before}{}", item.label));
    item.draft = Draft::of(format!("{space}{literal}"));
    item.range = word;
    item
}

/// Returns the texts in braces of one form of a reference, with the declared names.
fn bodies(context: &Context<'_>, reference: &Reference, form: &str) -> Vec<Name> {
    let body = form.trim_matches(['{', '}']);
    // TensorBoard is not part of a role.
    if reference.of_role && context.cursor.path.iter().any(|step| step.name == "tensorboard") {
        return Vec::new();
    }
    let Some((head, _)) = body.split_once('.') else {
        let is_set =
            || context.trees().any(|tree| tree.get("job").is_some_and(|job| job.get(body).is_some()));
        let is_valid = !reference.of_field || is_set();
        return if is_valid { vec![Name::new(body, "")] } else { Vec::new() };
    };
    let mut declared = match reference.head {
        "count" | "addresses" => {
            names::roles(context).into_iter().filter(|role| role.detail == "role").collect()
        }
        "env" => variables(context),
        "port" => {
            let mut ports = names::declared(context, "port");
            // A helper is not part of the rendezvous.
            let is_of_helper = reaches_helper(context);
            ports.extend(named("port").filter(|_| !is_of_helper).map(|name| Name::new(name, "")));
            names::distinct(ports)
        }
        head => names::declared(context, head),
    };
    declared.iter_mut().for_each(|name| name.text = format!("{head}.{}", name.text));
    declared
}

/// Returns whether the string at the cursor is used in a helper: in the helper itself, or as a default of the job.
fn reaches_helper(context: &Context<'_>) -> bool {
    if let Some((kind, _)) = context.role() {
        return kind == "helper";
    }
    let Some(step) = context.cursor.path.get(1) else { return false };
    let helpers = context.trees().filter_map(|tree| tree.get("job")?.get("helper"));
    // The variables of the job and of a helper are merged. Any other field of a helper replaces that of the job.
    let has_own = |helper: &Tree| step.name != "env" && helper.get(&step.name).is_some();
    helpers.flat_map(Tree::entries).any(|helper| !has_own(&helper.tree))
}

/// Returns the names of a reference that are part of the language, such as `rendezvous` of `{port.rendezvous}`.
pub fn named(head: &str) -> impl Iterator<Item = &'static str> {
    let reference = ALL.into_iter().find(|reference| reference.head == head);
    reference.into_iter().flat_map(|reference| reference.names).copied()
}

/// Returns the variables that a string may need: in `env`, the variable that is being set, so that it can be extended; and the
/// secrets. `{env.NAME}` is the value of the image or the platform, not that of another variable of the job.
fn variables(context: &Context<'_>) -> Vec<Name> {
    let path = &context.cursor.path;
    let in_env = path.len() > 1 && path[path.len() - 2].name == "env";
    let own = path.last().filter(|_| in_env).map(|step| Name::new(&step.name, "value in the image"));
    names::distinct(own.into_iter().chain(names::declared(context, "secret")).collect())
}
