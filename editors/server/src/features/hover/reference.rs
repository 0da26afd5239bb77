//! What a reference such as `{data.train}` expands to: for each target, as `tfjob show --task` prints it.
use super::Place;
use super::inherited::Origins;
use crate::cursor::Cursor;
use crate::features::environments::{grouped, shortened};
use std::ops::Range;
use tfjob_lang::lowered::TaskView;
use tfjob_lang::plan::{Command, Role, Template};
use tfjob_lang::references::{ALL, Reference};
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::syntax::literal::{self, json, text_of, yaml};

/// Returns the description and the values of the reference at the cursor; empty if there is none.
#[must_use]
pub fn parts(place: &Place<'_>, cursor: &Cursor) -> Vec<String> {
    let text = &place.document.text;
    let Some(body) = body_at(text, &cursor.word, place.byte) else { return Vec::new() };
    let inside = &text[body.start..body.end];
    let Some(reference) = ALL.iter().find(|one| one.is(inside)) else { return Vec::new() };
    let mut parts = vec![format!("```kdl\n{{{inside}}}\n```\n\n{}", reference.about)];
    parts.extend(declared(place, inside));
    parts.extend(values(place, cursor, &body, reference));
    parts
}

/// Returns the bytes between the braces around a byte of a word. `None` if the byte is not in a reference.
fn body_at(text: &str, word: &Range<usize>, byte: usize) -> Option<Range<usize>> {
    let byte = text.floor_char_boundary(byte);
    let before = text.get(word.start..byte)?;
    // With the cursor before the opening brace, the reference starts there.
    let open = match text[byte..word.end].starts_with('{') {
        true => byte,
        false => word.start + before.rfind('{')?,
    };
    // `{{` is a literal brace.
    let doubled = text[word.start..open].bytes().rev().take_while(|byte| *byte == b'{').count() % 2 == 1;
    let inside = text.get(open + 1..word.end)?;
    let length = inside.find(['}', '{', '"', '\n'])?;
    let ends = inside[length..].starts_with('}') && byte <= open + 1 + length + 1;
    (ends && !doubled).then_some(open + 1..open + 1 + length)
}

/// Returns the line that declares the name of a reference, such as that of `data "train"`, with a link: in each environment, if they
/// differ.
fn declared(place: &Place<'_>, inside: &str) -> Option<String> {
    let all = place.each().map(|(name, place)| (name, declaration(&place, inside)));
    match grouped(all.collect()).as_slice() {
        [] => None,
        // If there is only one environment, the link names the file.
        [(names, line)] if names.is_empty() || place.environments.len() == 1 => {
            Some(format!("Set to {line}"))
        }
        lines => {
            let lines: Vec<String> = lines.iter().map(|(names, line)| format!("- {names}: {line}")).collect();
            Some(format!("Set in each environment:\n\n{}", lines.join("\n")))
        }
    }
}

fn declaration(place: &Place<'_>, inside: &str) -> Option<String> {
    let job = place.checked.first()?.tree.as_ref()?.get("job")?;
    let Some((kind, name)) = inside.split_once('.') else {
        let is_field = ALL.iter().any(|one| one.of_field && one.is(inside));
        let field = job.get(inside).filter(|_| is_field)?;
        return Origins::of(place)?.shown(field.span);
    };
    // `{env.NAME}` is not the value that the job sets, but that of the image or the platform.
    if kind == "env" {
        return None;
    }
    let entry = job.get(kind)?.entries().iter().find(|entry| entry.key == name)?;
    let value = match kind {
        // The value of a parameter, which `--set` and overlays may replace.
        "param" => entry.tree.get("value").map_or(entry.tree.span, |value| value.span),
        _ => entry.tree.span,
    };
    Origins::of(place)?.shown(value)
}

/// Returns the value in the first task of each role that uses the text, for each target.
fn values(place: &Place<'_>, cursor: &Cursor, body: &Range<usize>, reference: &Reference) -> Option<String> {
    let source = place.source()?;
    let written = place.document.text.get(cursor.word.clone())?;
    let number = number_of(written, body.start - 1 - cursor.word.start);
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    // Whether an environment has another value than the others, or none, because it has errors. The value of the only environment may
    // differ from that in the spec.
    let is_only = place.environments.len() == 1;
    let mut differs = is_only;
    let registry = *place.session.host.driver().registry();
    let mut targets = place.configured();
    if targets.is_empty() {
        targets = registry.targets.iter().map(|target| (*target, place.each().collect())).collect();
    }
    for (target, environments) in targets {
        let of_environment = |environment: &Place<'_>| {
            let Some(plan) = environment.plan() else { return Vec::new() };
            let is_word = |span: Span| environment.local(span).is_some_and(|at| at == cursor.word);
            let of_role = |(id, role): (usize, &Role)| {
                let text = Used::of(role, &is_word)?.value(&target.view(plan, id, 0)?)?;
                let value = expanded(&decoded(source.format, written), &text, number)?;
                Some((value, format!("{}:0", role.name.value)))
            };
            plan.roles.iter().enumerate().filter_map(of_role).collect::<Vec<(String, String)>>()
        };
        let own: Vec<_> = environments.iter().map(|(name, place)| (*name, of_environment(place))).collect();
        let is_same = own.windows(2).all(|pair| pair[0].1 == pair[1].1);
        differs |= !is_same;
        let own = if is_same && !is_only {
            own.into_iter().take(1).map(|(_, values)| ("", values)).collect()
        } else {
            own
        };
        for (environment, values) in own {
            let of = target.name();
            let of = if environment.is_empty() { of.to_owned() } else { format!("{of} ({environment})") };
            add(&mut found, &of, values, is_of_task(reference));
        }
    }
    // A value that is the same everywhere needs no list, unless it depends on the task.
    if let ([(value, _)], false) = (found.as_slice(), is_of_task(reference) || differs) {
        return Some(format!("Value: `{value}`"));
    }
    let lines: Vec<String> =
        found.iter().map(|(value, of)| format!("- {}: `{value}`", shortened(of))).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Adds the values of tasks to a list of values and where they are used. `of`: the target.
fn add(found: &mut Vec<(String, Vec<String>)>, of: &str, values: Vec<(String, String)>, is_of_task: bool) {
    let is_same = values.windows(2).all(|pair| pair[0].0 == pair[1].0) && !is_of_task;
    for (value, task) in values {
        let of = if is_same { of.to_owned() } else { format!("{of} {task}") };
        match found.iter_mut().find(|(known, _)| *known == value) {
            Some((_, all)) if all.contains(&of) => {}
            Some((_, all)) => all.push(of),
            None => found.push((value, vec![of])),
        }
    }
}

/// Returns whether the value of a reference may differ between tasks.
fn is_of_task(reference: &Reference) -> bool {
    ["index", "address", "role"].contains(&reference.head)
}

/// The place of a text in a role.
enum Used<'p> {
    /// An argument: its number, and the number of arguments.
    Argument(usize, usize),
    /// The value of this variable.
    Variable(&'p str),
    /// The working directory.
    Workdir,
}

impl<'p> Used<'p> {
    fn of(role: &'p Role, is_word: &dyn Fn(Span) -> bool) -> Option<Self> {
        let arguments: &[Template] = match &role.command {
            Command::Run(words) => words,
            Command::Shell(_) => &[],
        };
        if let Some(at) = arguments.iter().position(|word| is_word(word.span)) {
            return Some(Self::Argument(at, arguments.len()));
        }
        if let Some((name, _)) = role.env.iter().find(|(_, value)| is_word(value.span)) {
            return Some(Self::Variable(&name.value));
        }
        role.workdir.as_ref().filter(|workdir| is_word(workdir.span)).map(|_| Self::Workdir)
    }

    /// Returns the text of a compiled task. A platform may put arguments in front of those of the spec.
    fn value(&self, view: &TaskView) -> Option<String> {
        match self {
            Self::Argument(at, count) => view.argv.get(view.argv.len().checked_sub(*count)? + at).cloned(),
            Self::Variable(name) => view.env.get(*name).cloned(),
            Self::Workdir => view.workdir.clone(),
        }
    }
}

/// Returns the value of a literal.
fn decoded(format: Format, written: &str) -> String {
    let units = match format {
        Format::Kdl => literal::kdl::units(written).ok(),
        Format::Json => json::units(written).ok(),
        Format::Yaml => yaml::units(written),
        Format::Set => None,
    };
    units.map_or_else(|| written.trim_matches('"').to_owned(), |units| text_of(&units))
}

/// A part of a text: literal text, or a reference.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Reference,
}

/// Splits a text at its references.
fn pieces(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        plain.push_str(&rest[..open]);
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            plain.push('{');
            rest = after;
            continue;
        }
        let end = rest.find('}').filter(|end| ALL.iter().any(|one| one.is(&rest[..*end])));
        let Some(end) = end else {
            plain.push('{');
            continue;
        };
        if !plain.is_empty() {
            out.push(Piece::Text(std::mem::take(&mut plain)));
        }
        out.push(Piece::Reference);
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        out.push(Piece::Text(plain));
    }
    out
}

/// Returns the number of the reference that starts at a byte of a text, among the references of the text.
fn number_of(text: &str, byte: usize) -> usize {
    let before = pieces(text.get(..byte).unwrap_or_default());
    before.iter().filter(|piece| **piece == Piece::Reference).count()
}

/// Returns the value of a reference: the part of the expanded text between the literal parts around the reference. If another
/// reference follows directly, the values cannot be told apart, so the expanded text is returned.
fn expanded(written: &str, expanded: &str, number: usize) -> Option<String> {
    let pieces = pieces(written);
    let mut rest = expanded;
    let mut count = 0;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => rest = rest.strip_prefix(text.as_str())?,
            Piece::Reference => {
                let end = match pieces.get(at + 1) {
                    Some(Piece::Text(next)) => rest.find(next.as_str())?,
                    Some(Piece::Reference) => return Some(expanded.to_owned()),
                    None => rest.len(),
                };
                if count == number {
                    return Some(rest[..end].to_owned());
                }
                count += 1;
                rest = &rest[end..];
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_at_the_cursor_is_found() {
        for (marked, wanted) in [
            ("\"--a={data.tr$0ain}/x\"", Some("data.train")),
            ("\"--a=$0{index}\"", Some("index")),
            ("\"--a={index}$0\"", Some("index")),
            ("\"--a={index}/$0\"", None),
            ("\"{{ind$0ex}\"", None),
            ("\"{a}{b$0}\"", Some("b")),
            ("\"{ind$0ex\"", None),
            ("\"é{jo$0b}\"", Some("job")),
        ] {
            let byte = marked.find("$0").expect("a mark");
            let text = marked.replace("$0", "");
            let body = body_at(&text, &(0..text.len()), byte);
            assert_eq!(body.map(|body| &text[body]), wanted, "{marked}");
        }
    }

    #[test]
    fn the_value_is_between_the_literal_parts() {
        let written = "--a={data.x}/b/{index}{{c}";
        assert_eq!(expanded(written, "--a=hdfs://n/d/b/7{c}", 0).as_deref(), Some("hdfs://n/d"));
        assert_eq!(expanded(written, "--a=hdfs://n/d/b/7{c}", 1).as_deref(), Some("7"));
        assert_eq!(expanded("{job}{index}", "a0", 1).as_deref(), Some("a0"));
        assert_eq!(expanded("x{job}", "y", 0), None);
        assert_eq!(number_of("\"{job} {index}\"", 7), 1);
    }
}
