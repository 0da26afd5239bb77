//! Tests of the names that a text declares and uses, and of their places.
use super::*;
use crate::analysis::{alone, analyze};
use crate::shape::{Grammar, Object, Shape};
use crate::spec::DEFAULTS;

const KDL: &str = r#"job "mnist" {
    data "train-set" "gs://b/t"
    param lr 0.1
    checkpoints "gs://b/c"
    env { LEVEL "{param.lr}"; }
    port "web" 8080
    ready http="web/health"
    role "worker" count=2 {
        run "a" "{data.train-set}/x" "é😀{addresses.worker}" "{{data.no}" "{role}" "{env.LEVEL}"
        port "own" "auto"
        after "ps"
    }
    role "ps" { shell "echo $TFJOB_DATA_TRAIN_SET ${LEVEL} $TFJOB_CHECKPOINTS_X $TFJOB_COUNT \\$NO $TFJOB_ENV_LEVEL"; }
    allow "gang" on="site" because="x"
    target "site" {}
}
"#;

/// Returns the mentions as `KIND ROLE? NAME text`, with `+` for declarations.
fn shown(text: &str, format: Format) -> Vec<String> {
    let loaded = Loaded { name: "a".to_owned(), text: text.to_owned(), format };
    let mut all = read(&loaded, &alone::request("a", text, format).registry);
    all.sort_by_key(|one| one.span);
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    let show = |one: &Mention| {
        let sign = if one.declares { "+" } else { "" };
        let role = one.role.as_ref().map_or_else(String::new, |role| format!("{role}/"));
        let word = one.word.map_or("?", slice);
        format!("{sign}{:?} {role}{} {word} {}", one.kind, one.name, slice(one.span))
    };
    all.iter().map(show).collect()
}

#[test]
fn declarations_and_uses_have_exact_places() {
    let wanted = [
        "+Job mnist mnist \"mnist\"",
        "+Data train-set train-set \"train-set\"",
        "+Param lr lr lr",
        "+Checkpoints checkpoints ? checkpoints",
        "+Variable LEVEL LEVEL LEVEL",
        "Param lr lr {param.lr}",
        "+Port web web \"web\"",
        "Port web web web",
        "+Role worker worker \"worker\"",
        "Data train-set train-set {data.train-set}",
        "Role worker worker {addresses.worker}",
        "Role worker ? {role}",
        "Variable worker/LEVEL LEVEL {env.LEVEL}",
        "+Port worker/own own \"own\"",
        "Role ps ps \"ps\"",
        "+Role ps ps \"ps\"",
        "Data TRAIN_SET TFJOB_DATA_TRAIN_SET TFJOB_DATA_TRAIN_SET",
        "Variable ps/LEVEL LEVEL LEVEL",
        "Target site site \"site\"",
        "+Target site site \"site\"",
    ];
    assert_eq!(shown(KDL, Format::Kdl), wanted);
}

#[test]
fn json_and_yaml_have_the_same_mentions() {
    let json = r#"{"job": {"name": "a", "data": {"tr\u0061in": {"uri": "gs://b"}}, "role": {"worker": {"run": ["\u00e9{data.train}"]}}}}"#;
    let wanted = [
        "+Job a a \"a\"",
        "+Data train tr\\u0061in \"tr\\u0061in\"",
        "+Role worker worker \"worker\"",
        "Data train train {data.train}",
    ];
    assert_eq!(shown(json, Format::Json), wanted);
    let yaml = "job:\n  name: a\n  data: {train: {uri: 'gs://b'}}\n  role:\n    worker:\n      shell: |\n        x $TFJOB_DATA_TRAIN\n        y $TFJOB_DATA_TRAIN\n";
    let wanted = [
        "+Job a a a",
        "+Data train train train",
        "+Role worker worker worker",
        "Data TRAIN TFJOB_DATA_TRAIN TFJOB_DATA_TRAIN",
        "Data TRAIN TFJOB_DATA_TRAIN TFJOB_DATA_TRAIN",
    ];
    assert_eq!(shown(yaml, Format::Yaml), wanted);
}

/// `{env.PATH}` in the value of `PATH` is the variable of the image.
#[test]
fn a_variable_is_not_mentioned_in_its_own_value() {
    let text = "job \"a\" { env { PATH \"/x:{env.PATH}\"; B \"{env.PATH}\"; }; }";
    let wanted =
        ["+Job a a \"a\"", "+Variable PATH PATH PATH", "+Variable B B B", "Variable PATH PATH {env.PATH}"];
    assert_eq!(shown(text, Format::Kdl), wanted);
}

/// In these YAML strings, the positions of the characters are unknown. `$L` must not be found at the start of the longer name
/// `$LA`.
#[test]
fn names_in_strings_of_several_lines_have_places() {
    let places = |scalar: &str| -> Vec<(usize, String)> {
        let text = format!("job:\n  name: a\n  shell: {scalar}\n");
        let loaded = Loaded { name: "a".to_owned(), text: text.clone(), format: Format::Yaml };
        let mut all = read(&loaded, &alone::request("a", &text, Format::Yaml).registry);
        all.retain(|one| one.kind == Kind::Variable);
        let word = |one: &Mention| {
            one.word.map_or((0, "?".to_owned()), |span| {
                let bytes = span.start as usize..span.end as usize;
                (text[..bytes.start].matches('\n').count(), text[bytes].to_owned())
            })
        };
        all.iter().map(word).collect()
    };
    let found = |lines: [usize; 3]| {
        let names = ["LA", "L", "L"].into_iter().map(str::to_owned);
        lines.into_iter().zip(names).collect::<Vec<_>>()
    };
    assert_eq!(places("|2-  # $L\n      é $LA\n\n      $L ${L}\n"), found([3, 5, 5]));
    assert_eq!(places(">\n    é $LA\n    $L\n\n    ${L}\n"), found([3, 4, 6]));
    assert_eq!(places("\"é $LA\n    $L\n    ${L}\""), found([2, 3, 4]));
    assert_eq!(places("é $LA\n    $L ${L}"), found([2, 3, 3]));
    // In a string with escapes, a name has a place only if it occurs as often in the literal as in its value.
    assert_eq!(places("\"\\xe9 $LA\n    $M\""), [(2, "LA".to_owned()), (3, "M".to_owned())]);
    assert_eq!(places("\"\\x24M\n    $M\"").len(), 2);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the test measures time; the reader does not")]
fn a_long_script_is_read_in_one_pass() {
    let begun = std::time::Instant::now();
    let lines = |first: &str, last: &str| -> String {
        (0..30_000)
            .map(|number| format!("        x $A{number}{first}\n"))
            .chain([format!("        {last}")])
            .collect()
    };
    for scalar in [format!("|\n{}", lines("", "")), format!("\"\n{}", lines(" \\x41", "\""))] {
        let text = format!("job:\n  name: a\n  shell: {scalar}\n");
        let loaded = Loaded { name: "a".to_owned(), text: text.clone(), format: Format::Yaml };
        assert_eq!(read(&loaded, &alone::request("a", &text, Format::Yaml).registry).len(), 30_001);
    }
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_text_with_errors_has_mentions() {
    let text = "job \"a\" {\n  data \"train\" \"gs://b\"\n  rloe \"x\" {\n  role \"worker\" cont= {\n run \"{data.train}\" \"{data.\n";
    let all = shown(text, Format::Kdl);
    assert!(all.contains(&"+Data train train \"train\"".to_owned()), "{all:?}");
}

#[test]
fn a_setting_mentions_the_names_of_its_key_and_its_value() {
    let registry = alone::request("a", "", Format::Kdl).registry;
    let shown = |text: &str| {
        let show = |one: &Mention| {
            let word = one.word.map(|word| &text[word.start as usize..word.end as usize]);
            let role = one.role.as_ref().map_or_else(String::new, |role| format!("{role}/"));
            assert!(!one.declares, "{one:?}");
            format!("{:?} {role}{} {}", one.kind, one.name, word.unwrap_or("?"))
        };
        of_setting(text, &registry).iter().map(show).collect::<Vec<_>>()
    };
    assert_eq!(shown("\n\n  role.worker.count=8"), ["Role worker worker"]);
    assert_eq!(shown("role.\"worker\".count=8"), ["Role worker worker"]);
    assert_eq!(shown("param.\"lr\"=2"), ["Param lr lr"]);
    assert_eq!(shown("env.Z={param.lr}"), ["Variable Z Z", "Param lr lr"]);
    let all = ["Role worker worker", "Variable worker/Z Z", "Param lr lr", "Variable worker/LEVEL LEVEL"];
    assert_eq!(shown("role.worker.env.Z=={param.lr}$LEVEL"), all);
    assert_eq!(shown("ready.tcp=web"), ["Port web web"]);
    assert_eq!(shown("workdir={data.train}/x"), ["Data train train"]);
    for text in ["deadline=2d", "framework.version=2.15", "param.lr", "description={param.lr}"] {
        assert_eq!(shown(text), [] as [&str; 0], "{text}");
    }
}

/// Each map of the spec whose keys have the grammar of a name is in [`DECLARING`] or [`NAMING`]. The keys of all other maps are
/// names of other systems.
#[test]
fn the_tables_have_all_fields_with_names() {
    let root = alone::request("a", "", Format::Kdl).registry.jobs;
    let job = root.block(&[("job", None)]).expect("a job");
    let role = root.block(&[("job", None), ("role", None)]).expect("a role");
    let block = |object: &Object, owner: &str| {
        for field in object.fields {
            if let Shape::Keyed(keyed) = &field.shape {
                let names = matches!(keyed.keys, Grammar::Name | Grammar::ParamName | Grammar::EnvName);
                let known = DECLARING.iter().any(|(name, _)| *name == field.name)
                    || NAMING.iter().any(|(name, ..)| *name == field.name);
                assert_eq!(names, known && field.name != "target", "{owner} {}", field.name);
            }
            for inner in field.block(None).map_or(&[][..], |block| block.fields) {
                let port = matches!(inner.shape, Shape::Text(Grammar::PortName | Grammar::PortPath));
                let known = NAMING.contains(&(field.name, inner.name, Kind::Port));
                assert_eq!(port, known, "{owner} {} {}", field.name, inner.name);
                let variables =
                    matches!(&inner.shape, Shape::List(list) if list.item == Shape::Text(Grammar::EnvName));
                let known = NAMING.contains(&(field.name, inner.name, Kind::Variable));
                assert!(known || !variables, "{owner} {} {}", field.name, inner.name);
            }
        }
    };
    block(job, "job");
    block(role, "role");
    for (field, kind) in DECLARING.into_iter().filter(|(field, _)| *field != "target") {
        let is_role = role.field(field).is_some();
        assert_eq!(is_role, kind.is_per_role(), "{field}");
        assert!(!is_role || DEFAULTS.contains(&field), "{field}");
    }
}

/// An unknown name in each of these fields is an error, which shows that the field holds a name.
#[test]
fn an_unknown_name_is_an_error() {
    let told = |lines: &str| -> Vec<String> {
        let text = format!(
            "job \"a\" {{\n framework \"tensorflow\" version=\"2.15\"\n image \"a:1\"\n resources cpus=1 memory=\"1GiB\"\n {lines}\n}}\n"
        );
        let found = analyze(&alone::request("a", &text, Format::Kdl)).diagnostics;
        found.iter().map(|one| one.code.name.to_owned()).collect()
    };
    for (block, field, lines) in [
        ("after", "", "role \"worker\" { run \"x\"; after \"nope\"; }"),
        ("ready", "tcp", "role \"worker\" { run \"x\"; ready tcp=\"nope\"; }"),
        ("ready", "http", "role \"worker\" { run \"x\"; ready http=\"nope/x\"; }"),
        ("allow", "on", "role \"worker\" { run \"x\"; }\n allow \"gang\" on=\"nope\" because=\"y\""),
        (
            "kerberos",
            "keytab",
            "role \"worker\" { run \"x\"; }\n kerberos principal=\"a@B\" keytab=\"secret:NOPE\"",
        ),
        (
            "tensorboard",
            "secrets",
            "role \"worker\" { run \"x\"; }\n checkpoints \"hdfs://a/b\"\n tensorboard { secrets \"NOPE\"; }",
        ),
    ] {
        assert!(NAMING.iter().any(|(b, f, _)| (*b, *f) == (block, field)));
        let codes = told(lines);
        assert!(codes.iter().any(|code| code.starts_with("unknown-")), "{block} {field}: {codes:?}");
    }
    for (block, field) in TEXTS {
        let lines = match (block, field) {
            ("", "run") => "role \"worker\" { run \"x\" \"{data.nope}\"; }",
            ("", "shell") => "role \"worker\" { shell \"x $TFJOB_DATA_NOPE\"; }",
            ("", "workdir") => "role \"worker\" { run \"x\"; workdir \"{data.nope}\"; }",
            ("", "env") => "role \"worker\" { run \"x\"; env { A \"{data.nope}\"; }; }",
            ("tensorboard", "logs") => {
                "role \"worker\" { run \"x\"; }\n tensorboard logs=\"{data.nope}\" { resources cpus=1 memory=\"1GiB\"; }"
            }
            other => panic!("no text with {other:?}"),
        };
        let codes = told(lines);
        assert!(codes.contains(&"unknown-reference".to_owned()), "{block} {field}: {codes:?}");
    }
}

/// In `shell`, references are environment variables.
#[test]
fn the_fields_with_references_are_the_texts_without_scripts() {
    let texts = TEXTS.into_iter().map(|(block, field)| if block.is_empty() { field } else { block });
    let texts: Vec<&str> = texts.filter(|field| *field != "shell").collect();
    assert_eq!(texts, references::FIELDS);
}

/// Each reference with a name has a kind in [`kind_of`].
#[test]
fn every_reference_with_a_name_has_a_kind() {
    for reference in references::ALL {
        let named = reference.forms.iter().any(|form| form.contains('.'));
        assert!(!named || kind_of(&reference).is_some(), "{}", reference.head);
    }
}
