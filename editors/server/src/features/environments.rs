//! Texts that may differ between the environments of a project.

/// Maximum number of names that are listed for one text.
const MOST: usize = 4;

/// Groups the texts of environments, in order: each text with the names of its environments. If all of several environments have the
/// same text, returns it without a name. `None`: the environment has no text.
#[must_use]
pub fn grouped(all: Vec<(&str, Option<String>)>) -> Vec<(String, String)> {
    let all_len = all.len();
    let is_complete = all.iter().all(|(_, text)| text.is_some());
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for (name, text) in all.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        match groups.iter_mut().find(|(_, known)| *known == text) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], text)),
        }
    }
    let is_same = all_len > 1 && is_complete && groups.len() == 1;
    let named = |names: Vec<&str>| if is_same { String::new() } else { shortened(&names) };
    groups.into_iter().map(|(names, text)| (named(names), text)).collect()
}

/// Joins the texts of environments in one line: `dev: 4 tasks; prod: 7 tasks`.
#[must_use]
pub fn joined(all: Vec<(&str, Option<String>)>) -> String {
    let one =
        |(names, text): (String, String)| if names.is_empty() { text } else { format!("{names}: {text}") };
    grouped(all).into_iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Joins the first names of a list.
#[must_use]
pub fn shortened(names: &[impl AsRef<str>]) -> String {
    let shown = names.iter().take(MOST).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown}, …") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn equal_texts_need_no_name() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(joined(vec![("", text("a"))]), "a");
        assert_eq!(joined(vec![("x", text("a"))]), "x: a");
        assert_eq!(joined(vec![("x", text("a")), ("y", text("a"))]), "a");
        assert_eq!(joined(vec![("x", text("a")), ("y", text("b")), ("z", text("a"))]), "x, z: a; y: b");
        assert_eq!(joined(vec![("x", text("a")), ("y", None)]), "x: a");
        assert_eq!(joined(vec![("x", None)]), "");
        let many: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        let mut all: Vec<_> = many.iter().map(|name| (name.as_str(), text("a"))).collect();
        all.push(("b", text("c")));
        assert_eq!(joined(all), "0, 1, 2, 3, …: a; b: c");
    }
}
