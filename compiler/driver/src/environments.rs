//! Names of environments and specs in findings that only some of them have.
use tfjob_lang::shape::one_of;

/// Adds the names of environments to a finding that other environments of the same specs do not have. `of`: the environments that
/// have the finding. `others`: the other environments. `help`: the help of the finding, if its edit also applies to the others.
pub fn name(message: &mut String, help: Option<&mut String>, of: &[&str], others: &[&str]) {
    message.insert_str(0, &format!("in {}: ", named(of)));
    if let Some(help) = help {
        let (before, after) = if help.ends_with('?') { (" (", ")") } else { ("; ", "") };
        help.push_str(&format!("{before}an edit here also applies to {}{after}", named(others)));
    }
}

fn named(names: &[&str]) -> String {
    let noun = if names.len() == 1 { "environment" } else { "environments" };
    format!("{noun} {}", list(names.iter().copied()))
}

/// Returns a list such as `` `a`, `b`, and `c` ``. Of more than five names, the first four and the number of the others.
#[must_use]
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [a, b, c, d, _, others @ ..] if !others.is_empty() => {
            format!("`{a}`, `{b}`, `{c}`, `{d}`, and {} others", others.len() + 1)
        }
        few => one_of(few.iter().copied(), "and"),
    }
}

#[cfg(test)]
mod tests {
    use super::{list, name};

    #[test]
    fn the_environments_follow_the_mark_of_a_question() {
        let told = |help: &str| {
            let mut help = help.to_owned();
            name(&mut String::new(), Some(&mut help), &["a"], &["b"]);
            help
        };
        assert_eq!(told("remove it"), "remove it; an edit here also applies to environment `b`");
        assert_eq!(
            told("did you mean `x`?"),
            "did you mean `x`? (an edit here also applies to environment `b`)"
        );
    }

    #[test]
    fn a_long_list_is_cut() {
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b`, and `c`");
        assert_eq!(list(["a", "b", "c", "d", "e", "f"]), "`a`, `b`, `c`, `d`, and 2 others");
    }
}
