//! Completion of settings: strings with escapes, the rest of a setting, and the specs of an environment.
use crate::completion::{accept, items, labels};
use crate::editor::Editor;

const SPEC: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    image \"ml/a:1\"
    run \"python\" \"/a.py\"
    param \"lr\" 0.1
    role \"worker\" count=4 { resources cpus=1 memory=\"1GiB\"; }
    target \"kubernetes\" { annotations { \"example.com/x\" \"y\"; }; }
}
";

fn project(marked: &str) -> String {
    format!("project {{\n    environment \"prod\" {{ {marked}; }}\n}}\n")
}

/// Each part that the server inserts can be completed further, until the setting has its value.
#[test]
fn the_completed_part_of_each_setting_can_be_completed() {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC)]);
    let mut open: Vec<String> = [
        "set \"$0\"",
        "set \"target.kubernetes.$0\"",
        "set \"target.kubernetes.annotations.$0\"",
        "set \"target.kubernetes.annotations.\\\"exa$0\"",
        "set \"role.wor\\u{6b}er.$0\"",
        "set #\"target.kubernetes.annotations.$0\"#",
        "set #\"role.worker.co$0\"#",
    ]
    .map(project)
    .into();
    let (mut seen, starts) = (0, open.clone());
    while !open.is_empty() {
        let marked = open.remove(0);
        let all = items(&editor, "tfjob.kdl", &marked);
        // Names of a map, such as annotations, and texts are free, so a part that was completed may have no items.
        assert!(!all.is_empty() || !starts.contains(&marked), "{marked}");
        for item in all {
            let edit = &item["textEdit"];
            let start = edit["range"]["start"]["character"].as_u64().expect("a column") as usize;
            let line = marked.lines().nth(2).unwrap_or_default();
            let line = if line.contains("$0") { line } else { marked.lines().nth(1).unwrap_or_default() };
            let typed = &line[start..line.find("$0").expect("a mark")];
            let filter = item["filterText"].as_str().or(item["label"].as_str()).unwrap_or_default();
            let decoded = typed.trim_start_matches(['#', '"']).replace("\\\"", "\"").replace("\\u{6b}", "k");
            let is_meant = item["label"].as_str().is_some_and(|label| label.starts_with(&decoded));
            assert!(!is_meant || filter.starts_with(typed), "{typed}: {item}\n{marked}");
            if item["data"]["continues"] == true && seen < 200 && marked.contains("target.kubernetes") {
                let text = accept(&marked.replace("$0", ""), &item);
                let end = text.find("\"; }").or_else(|| text.find("\"#; }")).expect("the end");
                open.push(format!("{}$0{}", &text[..end], &text[end..]));
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn the_rest_of_a_setting_stays() {
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC)]);
    let after = |marked: &str, label: &str| {
        let all = items(&editor, "tfjob.kdl", &project(marked));
        let item = all.iter().find(|item| item["label"] == label);
        let item = item.unwrap_or_else(|| panic!("{label}: {:?}", labels(&all)));
        accept(&project(marked).replace("$0", ""), item)
    };
    assert_eq!(after("set \"ro$0le.worker.count=4\"", "role."), project("set \"role.worker.count=4\""));
    assert_eq!(after("set \"role.wo$0r.count=4\"", "role.worker."), project("set \"role.worker.count=4\""));
    assert_eq!(
        after("set \"role.worker.co$0unt=1\"", "role.worker.count="),
        project("set \"role.worker.count=1\"")
    );
    assert_eq!(after("set \"restart=$0never\"", "restart=on-failure"), project("set \"restart=on-failure\""));
}

#[test]
fn only_names_of_the_specs_of_the_environment_are_offered() {
    let other = SPEC.replace("\"lr\"", "\"beta\"");
    let editor = Editor::new(&[("a.tfjob.kdl", SPEC), ("b.tfjob.kdl", &other)]);
    let of = |first: &str, second: &str| {
        let text = format!(
            "project {{\n    environment \"s\" {{ specs \"a.tfjob.kdl\"; {first} }}\n    environment \"t\" {{ specs \"b.tfjob.kdl\"; {second} }}\n    environment \"u\" {{ target \"kubernetes\"; }}\n}}\n"
        );
        labels(&items(&editor, "tfjob.kdl", &text))
    };
    assert_eq!(of("set \"param.$0\";", ""), ["param.lr="]);
    assert_eq!(of("", "set \"param.$0\";"), ["param.beta="]);
    assert_eq!(labels(&items(&editor, "tfjob.kdl", &project("set \"param.$0\""))).len(), 2);
}

/// A name with a dot is in quotes, which have a backslash in a string that is not raw.
#[test]
fn a_quoted_name_has_values() {
    let editor = Editor::new(&[(
        "a.tfjob.kdl",
        &SPEC.replace("    param", "    labels { \"example.com/o\" \"own\"; }\n    param"),
    )]);
    for (marked, wanted) in [
        (
            r#"set "target.kubernetes.annotations.\"example.com/x\"=$0""#,
            "target.kubernetes.annotations.\"example.com/x\"=y",
        ),
        (
            r#"set "target.kubernetes.annotations.\"example.com/x\"=""#,
            "target.kubernetes.annotations.\"example.com/x\"=y",
        ),
        (
            r##"set #"target.kubernetes.annotations."example.com/x"=$0"#"##,
            "target.kubernetes.annotations.\"example.com/x\"=y",
        ),
        (r#"set "labels.\"example.com/o\"=$0""#, "labels.\"example.com/o\"=own"),
    ] {
        let marked =
            if marked.contains("$0") { marked.to_owned() } else { marked.replacen("=\"", "=$0\"", 1) };
        let all = items(&editor, "tfjob.kdl", &project(&marked));
        assert!(labels(&all).contains(&wanted.to_owned()), "{marked}: {:?}", labels(&all));
    }
}
