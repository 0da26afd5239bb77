//! Tests with a misspelled name next to the correct name. Only the misspelling is reported, and no fix creates a duplicate.
use super::tests::{Checked, WHOLE, check, job};
use super::{Place, Shape, judge, read};
use crate::diagnostic::Diagnostic;
use crate::sources::{Format, Source, Sources, Span};
use crate::syntax::{Node, read_json, read_kdl, read_yaml};
use serde_json::{Map, Value as Json};
use std::ops::Range;

/// Applies all automatic fixes.
fn fixed(text: &str, found: &[Diagnostic]) -> String {
    let fixes = found.iter().flat_map(|d| &d.fixes).filter(|fix| fix.is_automatic());
    let mut edits: Vec<_> = fixes.flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

/// Collects each node, property, and target of a text: its span, and the span of its name.
fn named(nodes: &[Node], found: &mut Vec<(Span, Span)>) {
    for node in nodes {
        found.push((node.span, node.name_span));
        let key = |entry: &crate::syntax::NodeEntry| Some((entry.key.as_ref()?.1, entry.span));
        found.extend(node.entries.iter().filter_map(key).map(|(key, value)| (key.to(value), key)));
        if node.name == "target" {
            let at = node.entries[0].span;
            found.push((node.span, Span::new(at.start + 1, at.end - 1)));
        }
        named(node.children.as_deref().unwrap_or_default(), found);
    }
}

/// Returns two misspellings of a name.
fn misspelled(name: &str) -> [String; 2] {
    let last = name.chars().next_back().unwrap();
    [name[..name.len() - 1].to_owned(), format!("{name}{last}")]
}

/// Returns `words` with the name at the range `name` replaced by `to`.
fn renamed(words: &str, name: &Range<usize>, to: &str) -> String {
    format!("{}{to}{}", &words[..name.start], &words[name.end..])
}

/// Returns an error if the misspelling is not the only finding, or if a fix creates a duplicate.
fn is_settled(text: &str, checked: &Checked, misspelled: &[&str]) -> Result<(), String> {
    let slice = |d: &Diagnostic| checked.sources.slice(d.span()).trim_matches('"').to_owned();
    let others: Vec<_> = checked.all.iter().filter(|d| !misspelled.contains(&slice(d).as_str())).collect();
    let repeated = |all: &[Diagnostic]| all.iter().any(|d| d.code.name.starts_with("repeated"));
    let after = fixed(text, &checked.all);
    if !others.is_empty() || repeated(&checked.all) {
        return Err(format!("{misspelled:?}: {:?}", checked.told()));
    }
    if repeated(&check(&after).all) {
        return Err(format!("{misspelled:?}: fixed {:?}", check(&after).told()));
    }
    Ok(())
}

#[test]
fn a_misspelled_name_next_to_the_right_one_stands_alone_and_is_not_fixed() {
    let mut sources = Sources::default();
    let number = sources.add("a", Format::Kdl, WHOLE);
    let (kdl, _) = read_kdl(sources.get(number));
    let mut all = Vec::new();
    named(&kdl.nodes, &mut all);
    let (mut tried, mut wrong) = (0, Vec::new());
    for (whole, name) in all {
        let whole = whole.start as usize..whole.end as usize;
        let words = &WHOLE[whole.clone()];
        let own = name.start as usize - whole.start..name.end as usize - whole.start;
        let forms = misspelled(&words[own.clone()]);
        let [one, other] = forms.each_ref().map(|to| renamed(words, &own, to));
        let property = words[own.end..].starts_with('=');
        let joint = if property { " " } else { "; " };
        let put = |texts: &[&str]| renamed(WHOLE, &whole, &texts.join(joint));
        let alone = check(&put(&[&one]));
        let automatic = alone.all.iter().any(|d| d.fixes.iter().any(|fix| fix.is_automatic()));
        if alone.all.len() != 1 || !automatic {
            continue;
        }
        tried += 1;
        for texts in [vec![&*one, words], vec![words, &one], vec![&one, &other], vec![&one, words, &other]] {
            let text = put(&texts);
            let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
            wrong.extend(is_settled(&text, &check(&text), &forms).err());
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 40, "{tried}");
}

/// Returns the diagnostics of a JSON or YAML text.
fn told_of(text: &str, format: Format) -> Vec<Diagnostic> {
    let mut sources = Sources::default();
    let number = sources.add("a", format, text);
    let source: &Source = sources.get(number);
    let (tree, mut found) = if format == Format::Json { read_json(source) } else { read_yaml(source) };
    found.extend(tree.iter().flat_map(|tree| judge(tree, job(), &sources)));
    found
}

/// Collects variants of a document in which one key below `json` is repeated with a misspelling. `put`: returns the document with a
/// new value in place of `json`.
fn doubled(json: &Json, put: &dyn Fn(Json) -> Json, out: &mut Vec<(Vec<String>, Json)>) {
    let Json::Object(map) = json else { return };
    for (key, value) in map {
        let [one, other] = misspelled(key);
        // A key must not be empty, so an empty misspelling is skipped.
        let forms = if one.is_empty() {
            vec![vec![&other]]
        } else {
            vec![vec![&one], vec![&other], vec![&one, &other]]
        };
        for forms in forms {
            let new = forms.iter().map(|form| ((**form).clone(), value.clone()));
            let all: Map<_, _> = map.clone().into_iter().chain(new).collect();
            out.push((forms.into_iter().cloned().collect(), put(Json::Object(all))));
        }
        let within = |inner: Json| {
            let mut all = map.clone();
            all.insert(key.clone(), inner);
            put(Json::Object(all))
        };
        doubled(value, &within, out);
    }
}

#[test]
fn a_misspelled_key_next_to_the_right_one_stands_alone_and_is_not_fixed() {
    let mut sources = Sources::default();
    let number = sources.add("a", Format::Kdl, WHOLE);
    let source = sources.get(number);
    let (tree, _) = read(&read_kdl(source).0, source, job());
    let (mut all, mut tried, mut wrong) = (Vec::new(), 0, Vec::new());
    doubled(&super::oracle::json(&tree), &|whole| whole, &mut all);
    for (misspelled, json) in all {
        let text = serde_json::to_string_pretty(&json).unwrap();
        let found = told_of(&text, Format::Json);
        if found.is_empty() {
            continue;
        }
        tried += 1;
        let after = told_of(&fixed(&text, &found), Format::Json);
        let repeated = after.iter().any(|d| d.code.name.starts_with("repeated"));
        if found.len() != misspelled.len() || repeated || found.iter().any(|d| d.help.is_none()) {
            let told = |all: &[Diagnostic]| all.iter().map(|d| d.message.clone()).collect::<Vec<_>>();
            wrong.push(format!("{misspelled:?}: {:?}, fixed {:?}", told(&found), told(&after)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_field_that_is_already_set_is_named() {
    let help = |inside: &str| {
        let checked = super::tests::in_job(inside);
        let [told] = checked.all.as_slice() else { panic!("{inside}: {:?}", checked.told()) };
        assert!(told.fixes.is_empty(), "{inside}");
        told.help.clone().unwrap_or_default()
    };
    for (inside, near) in [
        (" dedline \"1h\"\n deadline \"2h\"", "deadline"),
        (" deadline \"2h\"\n dedline \"1h\"", "deadline"),
        (" target \"site\" { queu \"a\"; queue \"b\"; }", "queue"),
        (" target \"sit\" { queue \"a\"; }\n target \"site\" { queue \"b\"; }", "site"),
        (" rol \"worker\" { user 1; }\n role \"worker\"", "role"),
        (" dat \"a\" \"hdfs://a/b\"\n data \"a\" \"hdfs://a/c\"", "data"),
    ] {
        let expected = format!("did you mean `{near}`? It is already set here; keep one of them");
        assert_eq!(help(inside), expected, "{inside}");
    }
    assert_eq!(
        help(" worker count=2\n role \"worker\""),
        "write `role \"worker\"`. It is already set here; keep one of them"
    );
    let text = "job:\n  name: a\n  roles: {}\n  role: {}\n";
    let told = told_of(text, Format::Yaml);
    assert_eq!(told.len(), 1);
    assert!(told[0].fixes.is_empty());
}

/// A field that may occur several times keeps the fix of its misspelled name, because the renamed field is not a duplicate.
#[test]
fn what_may_be_given_again_is_fixed() {
    let Shape::Object(file) = job() else { panic!() };
    let allow = file.field("job").and_then(|field| field.block(None)?.field("allow")).unwrap();
    assert_eq!(allow.place, Place::List);
    super::tests::mends(
        " allow \"gang\" because=\"a\"\n alow \"user\" because=\"b\"",
        " allow \"gang\" because=\"a\"\n allow \"user\" because=\"b\"",
    );
}
