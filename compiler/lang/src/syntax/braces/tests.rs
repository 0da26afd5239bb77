//! Tests of unbalanced braces.
use crate::sources::{Format, Sources};
use crate::syntax::{Node, read_kdl};

/// Returns the diagnostics with their lines and labels, the nested names of the nodes, and the text after the first fix.
fn told(text: &str) -> (Vec<String>, String, Option<String>) {
    let mut all = Sources::default();
    let number = all.add("a", Format::Kdl, text);
    let source = all.get(number);
    let (read, diagnostics) = read_kdl(source);
    let line = |offset| source.position(offset).line;
    let words = diagnostics.iter().map(|d| {
        let labels: Vec<_> =
            d.labels[1..].iter().map(|l| format!("{}: {}", line(l.span.start), l.text)).collect();
        format!("{} {}: {} ({})", d.code.name, line(d.span().start), d.message, labels.join(", "))
    });
    let words = words.collect();
    let fix = diagnostics.first().and_then(|d| d.fixes.first()).map(|fix| {
        let mut text = source.text.clone();
        text.replace_range(source.local(fix.edits[0].span), &fix.edits[0].text);
        text
    });
    (words, names(&read.nodes), fix)
}

fn names(nodes: &[Node]) -> String {
    let name = |node: &Node| match &node.children {
        Some(children) => format!("{}({})", node.name, names(children)),
        None => node.name.clone(),
    };
    nodes.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_block_that_is_not_closed_ends_where_its_layout_does() {
    let (words, names, fix) =
        told("job {\n    role {\n        x\n    // c\n    role {\n        y\n    }\n}\n");
    assert_eq!(words, ["unbalanced-braces 2: unclosed block (5: expected `}` before this line)"]);
    assert_eq!(names, "job(role(x) role(y))");
    let wanted = "job {\n    role {\n        x\n    }\n    // c\n    role {\n        y\n    }\n}\n";
    assert_eq!(fix.as_deref(), Some(wanted));

    let (words, names, fix) = told("job {\n    role { x\n    y\n}\n");
    assert_eq!(words, ["unbalanced-braces 2: unclosed block (3: expected `}` before this line)"]);
    assert_eq!(names, "job(role(x) y)");
    assert_eq!(fix.as_deref(), Some("job {\n    role { x }\n    y\n}\n"));

    let (words, names, _) = told("job {\n    role {\n        x\n    }\n");
    assert_eq!(words, ["unbalanced-braces 1: unclosed block (4: the file ends here)"]);
    assert_eq!(names, "job(role(x))");

    let flat = told("job {\nrole {\nx\n}\n");
    assert_eq!(flat.0, ["unbalanced-braces 1: unclosed block (4: the file ends here)"]);
}

#[test]
fn a_brace_that_closes_nothing_is_told_beside_the_block_before_it() {
    let (words, names, _) = told("job {\n    role {\n        x\n    }\n    }\n    y\n}\n");
    let wanted = "unbalanced-braces 5: unmatched `}` (2: the previous block begins here, 4: and ends here)";
    assert_eq!(words, [wanted]);
    assert_eq!(names, "job(role(x) y)");
    assert_eq!(told("a { b }\n}\nc\n").1, "a(b) c");
}

#[test]
fn a_forgotten_opening_is_found_by_the_layout() {
    let (words, names, fix) = told("job {\n    role \"a\"\n        x\n    }\n    y\n}\n");
    assert_eq!(words, ["unbalanced-braces 4: unmatched `}` (2: a `{` may be missing here)"]);
    assert_eq!(names, "job(role(x) y)");
    assert_eq!(fix.as_deref(), Some("job {\n    role \"a\" {\n        x\n    }\n    y\n}\n"));
}

#[test]
fn an_empty_block_whose_entries_follow_is_closed_early() {
    for (empty, mended) in
        [("role \"a\" n=4 {}", "role \"a\" n=4 {"), ("role { }", "role {"), ("role {} // c", "role { // c")]
    {
        let (words, names, fix) = told(&format!("job {{\n    {empty}\n        x\n    }}\n    y\n}}\n"));
        let wanted = "unbalanced-braces 2: `{}` closes the block of `role` here, but its entries follow (4: the block ends here)";
        assert_eq!(words, [wanted], "{empty}");
        assert_eq!(names, "job(role(x) y)", "{empty}");
        let wanted = format!("job {{\n    {mended}\n        x\n    }}\n    y\n}}\n");
        assert_eq!(fix, Some(wanted));
    }
    let (words, names, _) = told("job {}\n    a {}\n        x\n    }\n    y\n}\n");
    assert_eq!((words.len(), names.as_str()), (2, "job(a(x) y)"), "{words:?}");
    // Without indentation, the lines after the empty block are not its entries.
    let (words, ..) = told("job {\n    role {}\n    x\n    }\n    y\n}\n");
    assert!(words[0].contains("unmatched"), "{words:?}");
}

#[test]
fn a_block_that_ends_before_its_last_entries_is_closed_early() {
    for (closed, mended) in [
        ("job {\n    a {\n    }\n}\n    y\n}\n", "job {\n    a {\n    }\n    y\n}\n"),
        ("job { a; }\n    y\n}\n", "job { a; \n    y\n}\n"),
    ] {
        let (words, names, fix) = told(closed);
        assert_eq!((words.len(), names.replace("()", "")), (1, "job(a y)".to_owned()), "{closed}: {words:?}");
        assert!(words[0].contains("`}` closes the block here, but its entries follow"), "{words:?}");
        assert_eq!(fix.as_deref(), Some(mended));
    }
}

#[test]
fn a_brace_at_the_end_of_a_line_does_not_close_the_block_of_the_next_lines() {
    for (closed, mended) in [
        ("job {\n    a 1 }\n    b {\n        x\n    }\n    y\n}\n", "job(a b(x) y)"),
        ("job {\n    b {\n        x 1 } // c\n\n        // c\n        y\n    }\n    z\n}\n", "job(b(x y) z)"),
        ("job {\n    b {\n        x { k } }\n        y\n    }\n    z\n}\n", "job(b(x(k) y) z)"),
        ("job {\n    b {\n        x 1 } }\n    y\n}\n", "job(b(x) y)"),
    ] {
        let (words, names, fix) = told(closed);
        assert_eq!((words.len(), names.as_str()), (1, mended), "{closed}: {words:?}");
        assert!(words[0].contains("`}` closes the block here, but its entries follow"), "{words:?}");
        let fixed = fix.expect("the finding has a fix");
        assert_eq!(told(&fixed).0, Vec::<String>::new(), "{fixed}");
    }
    for two in [
        "job {\n    b {\n        x 1 } }\n    }\n    y\n}\n",
        "job {\n    b {\n        x 1 } }\n        z\n    }\n    y\n}\n",
    ] {
        let (words, names, _) = told(two);
        assert!(words.len() == 2 && words.iter().all(|word| word.contains("unbalanced-braces")), "{words:?}");
        assert!(names.starts_with("job(b(x") && names.ends_with(" y)"), "{names}");
    }
    // These blocks end with their last entry.
    let (words, names, _) = told("job {\n    b {\n        x 1 }\n    y }\n}\nz\n");
    assert_eq!((words.len(), names.as_str()), (1, "job(b(x) y) z"), "{words:?}");
}

#[test]
fn what_swallows_the_rest_is_the_only_fault() {
    let (words, names, _) = told("job {\n    shell \"\"\"\n        x {\n}\n");
    assert_eq!(words, ["unclosed 2: unterminated string ()"]);
    assert_eq!(names, "job(shell)");
}

#[test]
fn a_brace_and_a_quote_after_a_string_close_no_block() {
    let job = |end: &str| {
        format!(
            "job {{\n    run \"a\" \"{{x}}\"{end}\n    role {{\n        y \"{{z}}\"{end}\n    }}\n    role {{ y }}\n}}\n"
        )
    };
    let right = told(&job(""));
    assert!(right.0.is_empty() && right.1 == "job(run role(y) role(y))", "{right:?}");
    let (words, names, fix) = told(&job("}\""));
    let fact = "`}\"` after the end of the string ()";
    assert_eq!(words, [format!("unbalanced-braces 2: {fact}"), format!("unbalanced-braces 4: {fact}")]);
    assert_eq!(names, right.1);
    assert_eq!(fix, Some(job("}\"").replacen("}\"\n", "\n", 1)));
    // The block of the line ends here, and only the quote is too much.
    let (words, names, _) = told("job {\n    role { y \"z\"}\"\n    x\n}\n");
    assert!(
        words.iter().all(|word| !word.contains("unbalanced")) && names.starts_with("job(role"),
        "{words:?} {names}"
    );
}
