//! Tests of the edits that findings offer.
use super::*;

/// Returns the help of a finding of this text, and the text after its first fix, with whether `--fix` applies it.
pub(super) fn edited(text: &str, message: &str) -> (String, Option<(String, bool)>) {
    edited_in(Format::Kdl, text, message)
}

pub(super) fn edited_in(format: Format, text: &str, message: &str) -> (String, Option<(String, bool)>) {
    let analysis = analyze(&alone::request("a", text, format));
    let found = analysis.diagnostics.iter().find(|found| found.message.contains(message));
    let Some(found) = found else { panic!("{message}: {:?}", analysis.diagnostics) };
    let fixed = found.fixes.first().map(|fix| (applied(&analysis.sources, text, fix), fix.is_automatic()));
    (found.help.clone().unwrap_or_default(), fixed)
}

/// Returns the text after a fix.
fn applied(sources: &crate::sources::Sources, text: &str, fix: &crate::diagnostic::Fix) -> String {
    let mut text = text.to_owned();
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.span.start);
    for edit in edits.iter().rev() {
        text.replace_range(sources.find(edit.span).unwrap().local(edit.span), &edit.text);
    }
    text
}

/// Returns a job with these lines, and with resources that end with `resources`.
fn job(lines: &str, resources: &str) -> String {
    format!(
        "job \"a\" {{\n    framework \"custom\"\n    image \"x:1\"\n    run \"/x\"\n    {lines}\n    role \"w\" {{\n        {resources}\n    }}\n}}\n"
    )
}

#[test]
fn a_similar_name_or_value_is_offered_as_an_edit() {
    let amounts = "resources cpus=1 memory=\"1GiB\"";
    let right = job("", amounts);
    let gpus = "resources cpus=1 memory=\"1GiB\" gpus=1 ";
    let bucket = |uri: &str| job(&format!("checkpoints \"{uri}\""), amounts);
    let logs = |reference: &str| {
        job(&format!("checkpoints \"gs://b/x\"\n    tensorboard logs=\"{reference}\""), amounts)
    };
    for (wrong, message, help, fixed, is_sure) in [
        (
            right.replace("resources", "resource"),
            "`resource`",
            "did you mean `resources`?",
            right.clone(),
            true,
        ),
        (
            job("", &format!("{gpus}gpu-type=\"a100\"")),
            "`gpu-type`",
            "did you mean `gpu-model`?",
            job("", &format!("{gpus}gpu-model=\"a100\"")),
            false,
        ),
        (bucket("gs:/b/x"), "`gs:/b/x`", "write `gs://b/x`", bucket("gs://b/x"), true),
        (logs("{checkpoints.dir}"), "takes no name", "write `{checkpoints}` (", logs("{checkpoints}"), false),
    ] {
        let (told, edit) = edited(&wrong, message);
        assert!(told.starts_with(help), "{told}");
        assert_eq!(edit, Some((fixed, is_sure)), "{message}: {told}");
    }
}

#[test]
fn a_credential_in_a_variable_is_replaced_by_a_secret() {
    let amounts = "resources cpus=1 memory=\"1GiB\"";
    let message = "the value of `AWS_SECRET_ACCESS_KEY`";
    let value = "wJalrXUtnFEMIK7MDENGbPxRfiCYzk3jdfkjs83j";
    let secret = "secret \"AWS_SECRET_ACCESS_KEY\" from=\"name\" key=\"key\"";
    let variables = |more: &str| {
        format!("{more}env {{\n        A \"1\"\n        AWS_SECRET_ACCESS_KEY \"{value}\"\n    }}")
    };
    let of_role = job("", &format!("{amounts}\n        {}", variables("")));
    let fixed = edited(&of_role, message).1.unwrap();
    assert!(!fixed.0.contains(value) && !fixed.1, "{}", fixed.0);
    let role = fixed.0.split_once("role").unwrap().1;
    assert!(
        role.contains(&format!("{{\n        {secret}\n        resources")) && role.contains("A \"1\""),
        "{role}"
    );
    let of_job = edited(&job(&variables(""), amounts), message).1.unwrap().0;
    assert!(of_job.contains(&format!("    {secret}\n    framework")), "{of_job}");
}

#[test]
fn added_roles_have_the_order_of_the_framework() {
    let job = |roles: &str| {
        format!(
            "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\n    image \"x:1\"\n    run \"/x\"\n    resources cpus=1 memory=\"1GiB\"{roles}\n    target \"t\"\n}}\n"
        )
    };
    let role = |name: &str| format!("\n    role \"{name}\"");
    for order in [["chief", "worker", "ps"], ["ps", "worker", "chief"], ["worker", "ps", "chief"]] {
        let mut text = job("");
        for name in order {
            text = edited(&text, &format!("needs a `{name}` role")).1.unwrap().0;
        }
        assert_eq!(text, job(&["chief", "worker", "ps"].map(role).concat()), "{order:?}");
    }
    // A comment stays at its role, and an own block stays whole.
    let worker = "\n    role \"worker\" count=2 {\n        env { A \"1\"; }\n    } // trains";
    let fixed = edited(&job(worker), "needs a `ps` role").1.unwrap().0;
    assert_eq!(fixed, job(&format!("{worker}{}", role("ps"))));
    let line = "job \"a\" { framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"; image \"x:1\"; run \"/x\"; resources cpus=1 memory=\"1GiB\"; role \"chief\"; role \"ps\"; }";
    let fixed = edited(line, "needs a `worker` role").1.unwrap().0;
    assert_eq!(fixed, line.replace("role \"ps\"", "role \"worker\"; role \"ps\""));
}

/// The help of an entry in the short form shows the object, because a key next to or below the entry is another error.
#[test]
fn a_property_of_a_short_form_is_added_in_an_object() {
    let yaml = |framework: &str| {
        format!(
            "job:\n  name: a\n  framework: {framework}\n  image: x:1\n  run: [/x]\n  role: {{ worker: {{ count: 4, resources: {{ cpus: 1, memory: 1GiB }} }} }}\n"
        )
    };
    let json = |framework: &str| {
        format!(
            r#"{{ "job": {{ "name": "a", "framework": {framework}, "image": "x:1", "run": ["/x"], "role": {{ "worker": {{ "count": 4, "resources": {{ "cpus": 1, "memory": "1GiB" }} }} }} }} }}"#
        )
    };
    let object = r#"{ "name": "tensorflow", "strategy": "multi-worker-mirrored" }"#;
    for (format, short, help, fixed) in [
        (
            Format::Yaml,
            yaml("tensorflow # 2.15"),
            "write `framework: { name: tensorflow, strategy: multi-worker-mirrored }` (synchronous training), `parameter-server`, `estimator`, or `custom`".to_owned(),
            yaml("{ name: tensorflow, strategy: multi-worker-mirrored } # 2.15"),
        ),
        (
            Format::Json,
            json("\"tensorflow\""),
            format!("write `\"framework\": {object}` (synchronous training), `\"parameter-server\"`, `\"estimator\"`, or `\"custom\"`"),
            json(object),
        ),
    ] {
        let told = edited_in(format, &short, "needs a `strategy`");
        assert_eq!(told, (help, Some((fixed.clone(), false))));
        let again = analyze(&alone::request("a", &fixed, format));
        assert!(again.accepted(), "{:?}", again.diagnostics);
    }
    let object = yaml("{ name: tensorflow }");
    let (help, fixed) = edited_in(Format::Yaml, &object, "needs a `strategy`");
    assert!(help.starts_with("add `strategy: multi-worker-mirrored`") && fixed.is_none(), "{help}");
}

/// A list of the form that other tools use becomes the object that it means.
#[test]
fn a_list_of_pairs_becomes_an_object() {
    let yaml = |env: &str| {
        format!(
            "job:\n  name: a\n  framework: custom\n  image: x:1\n  run: [/x]\n  role: {{ w: {{ resources: {{ cpus: 1, memory: 1GiB }} }} }}\n  env:{env}\n"
        )
    };
    let json = |role: &str| {
        format!(
            r#"{{ "job": {{ "name": "a", "framework": "custom", "image": "x:1", "run": ["/x"], "resources": {{ "cpus": 1, "memory": "1GiB" }}, "role": {role} }} }}"#
        )
    };
    for (format, text, message, fixed) in [
        (Format::Yaml, yaml(" [A=1, B=x y]"), "`env` must be", Some(yaml(" { A: \"1\", B: \"x y\" }"))),
        (
            Format::Yaml,
            yaml("\n    - name: A\n      value: x\n    - { name: B, value: z }"),
            "`env` must be",
            Some(yaml("\n    { A: x, B: z }")),
        ),
        (Format::Yaml, yaml("\n    - name: A # why\n      value: x"), "`env` must be", None),
        (Format::Yaml, yaml(" [A]"), "`env` must be", None),
        (
            Format::Json,
            json(r#"[{ "name": "w", "count": 2 }]"#),
            "`role` must be",
            Some(json(r#"{ "w": { "count": 2 } }"#)),
        ),
        (Format::Json, json(r#"[{ "name": "w", "resources": {} }]"#), "`role` must be", None),
    ] {
        let (help, found) = edited_in(format, &text, message);
        assert_eq!(found, fixed.clone().map(|fixed| (fixed, false)), "{text}: {help}");
        let is_accepted = |fixed: &String| analyze(&alone::request("a", fixed, format)).accepted();
        assert!(fixed.iter().all(is_accepted), "{fixed:?}");
    }
}

/// A forbidden character is removed before the text is read, but the spans are those of the text.
#[test]
fn an_edit_never_divides_a_character() {
    let text = "job \"a\" {\n    framework \"custom\"\n    param \"steps\" 1\n    run \"x\" \"--a={param.steps}\" '{param.stps}' /* c */\n    \
                role \"w\" cuont=2 { resources cpus=1 memory=\"1GB\"; }\n}\n";
    let mut seen = 0;
    for (at, _) in text.char_indices() {
        for inserted in ["\u{202e}", "\u{202e}x", "\u{7f}}"] {
            let mut text = text.to_owned();
            text.insert_str(at, inserted);
            let analysis = analyze(&alone::request("a", &text, Format::Kdl));
            for edit in analysis.diagnostics.iter().flat_map(|one| &one.fixes).flat_map(|fix| &fix.edits) {
                let Some(source) = analysis.sources.find(edit.span) else { continue };
                let bytes = source.local(edit.span);
                assert!(source.text.get(bytes.clone()).is_some(), "{text}: {bytes:?} {edit:?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen}");
}

/// At the start of a plain scalar of YAML, a brace would begin a map.
#[test]
fn a_reference_in_place_of_a_shell_variable_is_quoted_in_yaml() {
    let yaml = |value: &str, workdir: &str| {
        format!(
            "job:\n  name: a\n  framework: custom\n  image: x:1\n  run: [/x]\n  workdir: {workdir}\n  env:\n    X: {value} # why\n  role:\n    w:\n      resources: {{ cpus: 1, memory: 1GiB }}\n"
        )
    };
    for (written, fixed) in [
        ("${HOME}/bin", "\"{env.HOME}/bin\""),
        ("/a:${HOME}/bin", "/a:{env.HOME}/bin"),
        ("\"${HOME}/bin\"", "\"{env.HOME}/bin\""),
        ("'${HOME}'", "'{env.HOME}'"),
    ] {
        for (wrong, right) in
            [(yaml(written, "/w"), yaml(fixed, "/w")), (yaml("1", written), yaml("1", fixed))]
        {
            let (_, edit) = edited_in(Format::Yaml, &wrong, "`{HOME}` is not a reference");
            assert_eq!(edit, Some((right, false)), "{written}");
        }
    }
}

/// An editor applies a single fix. The other findings stay, and no other one appears.
#[test]
fn each_automatic_fix_alone_causes_no_new_finding() {
    let amounts = "resources cpus=1 memory=\"1GiB\"";
    let in_role = [
        "resources { \"cpus\": 4, \"memory\": \"4GiB\" }",
        "resources { cpus = 4, memory = \"4GiB\" }",
        "resources { cpus: 4; memory: \"4GiB\" }",
        "resources: { \"cpus\": 4, \"memory\": \"4GiB\" }",
        "resources: { cpus: 4,\n memory: \"4GiB\" }",
    ];
    let in_job = [
        "image: { name: \"x:1\", pull: \"always\" }",
        "env [\"A=1\", \"B=2\"]",
        "env = [\"A=1\"]",
        "labels: [\"a=x\"]",
        "env: { A: \"1\", B: \"2\" }",
        "env { A=\"1\", B=\"2\" }",
        "labels { a: \"x\"; b: \"y\" }",
    ];
    let texts = in_role.map(|line| job("", line)).into_iter().chain(in_job.map(|line| job(line, amounts)));
    let mut count = 0;
    for text in texts {
        let before = analyze(&alone::request("a", &text, Format::Kdl));
        let told: Vec<&str> = before.diagnostics.iter().map(|one| one.message.as_str()).collect();
        for fix in before.diagnostics.iter().flat_map(|one| &one.fixes).filter(|fix| fix.is_automatic()) {
            let fixed = applied(&before.sources, &text, fix);
            let after = analyze(&alone::request("a", &fixed, Format::Kdl));
            let mut after: Vec<&str> = after.diagnostics.iter().map(|one| one.message.as_str()).collect();
            after.retain(|message| !told.contains(message));
            assert!(after.is_empty(), "{text}\n{fixed}\n{after:?}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
