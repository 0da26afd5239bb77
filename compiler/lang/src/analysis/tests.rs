//! Tests that each mistake is reported once, hides no other error, and causes no further findings.
mod costs;
mod defaults;
mod edits;
mod settings;

use super::*;

mod job;
mod of_child;

/// Returns the source text and the code of each finding. The first of `texts` is the spec, the others are base files.
fn told_in(texts: &[(&str, &str)], set: &[&str]) -> Vec<String> {
    let load = |_: &str, wanted: &str| match texts.iter().find(|(name, _)| *name == wanted) {
        Some((name, text)) => {
            Ok(Loaded { name: (*name).to_owned(), text: (*text).to_owned(), format: Format::Kdl })
        }
        None => Err("it is not there".to_owned()),
    };
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let (name, text) = texts[0];
    let format = if name.ends_with("yaml") { Format::Yaml } else { Format::Kdl };
    let analysis = analyze(&Request { set: &set, load: &load, ..alone::request(name, text, format) });
    let words = |d: &Diagnostic| format!("{} | {}", analysis.sources.slice(d.span()), d.code.name);
    analysis.diagnostics.iter().map(words).collect()
}

/// Returns the findings of a job with these lines.
fn told(lines: &str) -> Vec<String> {
    told_in(&[("a", &format!("job \"a\" {{\n framework \"tensorflow\"\n image \"a:1\"\n{lines}\n}}\n"))], &[])
}

const RUN: &str = " run \"a\"\n resources cpus=1 memory=\"1GiB\"";

/// This test would take minutes if the literal were parsed once per reference.
#[test]
fn a_literal_with_thousands_of_references_is_read_once() {
    let said = told(&format!(
        " run \"a\" \"{}\"\n resources cpus=1 memory=\"1GiB\"\n role \"worker\"",
        "{index}".repeat(20_000)
    ));
    assert_eq!(said, [""; 0]);
}

#[test]
fn a_misspelled_entry_is_read_as_the_intended_one() {
    assert_eq!(
        told(&format!(
            "{RUN}\n dta \"x\" \"gs://b/x\" wirtable=#true\n rolle \"worker\" count=0 {{ env {{ X \"{{data.x}}\"; }}; }}"
        )),
        ["dta | unknown-node", "wirtable | unknown-property", "rolle | unknown-node", "0 | out-of-range"]
    );
}

#[test]
fn an_entry_that_does_not_fit_the_nearest_name_is_not_corrected() {
    assert_eq!(
        told(&format!("{RUN}\n state \"hdfs://b/x\" color=1\n role \"worker\"")),
        ["state | unknown-node"]
    );
}

#[test]
fn a_misspelled_property_is_read_as_the_intended_one() {
    assert_eq!(
        told(" run \"a\"\n role \"worker\" { resources cpus=1 memroy=\"1GB\" gpu=0 gpu-model=\"a100\"; }"),
        ["memroy | unknown-property", "gpu | unknown-property", "\"a100\" | gpus-without-count"]
    );
}

#[test]
fn references_to_the_correct_name_of_a_misspelled_role_are_valid() {
    assert_eq!(
        told(&format!(
            "{RUN}\n role \"wroker\" {{ env {{ X \"{{count.worker}}\"; }}; }}\n role \"evaluator\" {{ after \"worker\"; }}"
        )),
        ["\"wroker\" | unknown-role"]
    );
    assert_eq!(
        told(&format!("{RUN}\n role \"worker\"\n role \"evalautor\" count=2")),
        ["\"evalautor\" | unknown-role", "2 | too-many-tasks"]
    );
}

#[test]
fn a_reference_to_an_invalid_name_is_valid() {
    assert_eq!(
        told(&format!(
            "{RUN}\n data \"My_Data\" \"gs://b/x\"\n role \"worker\" {{ env {{ X \"{{data.My_Data}}\"; }}; }}"
        )),
        ["\"My_Data\" | bad-value"]
    );
}

#[test]
fn no_finding_follows_from_an_unknown_value() {
    let lines = |framework: &str, more: &str| {
        format!("job \"a\" {{\n framework {framework}\n image \"a:1\"\n{RUN}\n{more}\n}}\n")
    };
    let all = |framework: &str, more: &str| told_in(&[("a", &lines(framework, more))], &[]);
    assert_eq!(
        all("\"theano\" strategy=\"single\"", " role \"driver\" count=2"),
        ["\"theano\" | unknown-value"]
    );
    assert_eq!(
        all("\"tensorflow\" strategy=\"zeppelin\"", " role \"worker\" count=2\n role \"ps\""),
        ["\"zeppelin\" | unknown-value"]
    );
    let alone = " role \"worker\" { ready tcp=\"rendezvous\"; }";
    let proxied = " env { https_proxy \"http://p:1\"; }\n role \"worker\" count=2";
    for lines in [alone, proxied] {
        let said = all("\"tensorflow\" strategy=\"zeppelin\"", lines);
        assert_eq!(said, ["\"zeppelin\" | unknown-value"], "{lines}");
    }
    assert_eq!(all("\"tensorflow\"", " role \"worker\" count=\"many\" min=3"), ["\"many\" | wrong-type"]);
    assert_eq!(
        all(
            "\"tensorflow\"",
            " code \"svn://x/y\" ref=\"1\"\n role \"worker\" { restart \"perhaps\" limit=3; }"
        ),
        ["\"svn://x/y\" | bad-value", "\"perhaps\" | unknown-value"]
    );
    let gpus = |count: &str| format!("{{ resources cpus=1 memory=\"1GiB\" gpus={count}; }}");
    assert_eq!(
        all(
            "\"tensorflow\" strategy=\"multi-worker-mirrored\"",
            &format!(" role \"chief\" {}\n role \"worker\" {}", gpus("4"), gpus("\"many\""))
        ),
        ["\"many\" | wrong-type"]
    );
    assert_eq!(
        all(
            "\"tensorflow\"",
            " data \"a\" \"gs://b/x\" at=5\n data \"b\" \"gs://b/y\" at=6\n role \"worker\""
        ),
        ["5 | wrong-type", "6 | wrong-type"]
    );
}

#[test]
fn a_skipped_line_may_contain_what_seems_to_be_missing() {
    let lines = " data \"x\" )\n checkpoints \"gs://b/c\"\n - \"y\"\n role \"worker\" { run \"{data.x}\" \"{param.z}\" \"{checkpoints}\"; }";
    assert_eq!(told(lines), [") | syntax", "- | dash-item"]);
}

#[test]
fn a_skipped_line_in_one_role_does_not_excuse_another_role() {
    let lines = " role \"worker\" {\n )\n }\n role \"evaluator\"";
    assert_eq!(
        told(lines),
        [") | syntax", "\"evaluator\" | missing-command", "\"evaluator\" | missing-resources"]
    );
}

#[test]
fn an_unreadable_base_may_contain_anything() {
    let near = "extends \"b\"\njob \"a\" {\n role \"worker\" { workdir \"{code}\"; ready tcp=\"web\"; after \"ps\"; }\n}";
    assert_eq!(told_in(&[("a", near)], &[]), ["\"b\" | unreadable-base"]);
    assert_eq!(
        told_in(&[("a", near), ("b", "job \"b\" { \"never closed\n }")], &[]),
        ["\"never closed | unclosed"]
    );
    assert_eq!(told_in(&[("a", "extends 5\njob \"a\" { role \"worker\"; }")], &[]), ["5 | wrong-type"]);
    assert_eq!(
        told_in(&[("a", "extends \"\"\njob \"a\" { role \"worker\"; }")], &[]),
        ["\"\" | unreadable-base"]
    );
}

#[test]
fn an_extra_brace_after_the_job_excuses_nothing() {
    let job = "job \"a\" { framework \"tensorflow\"; image \"a:1\"; role \"worker\" { run \"a\"; }; }\n}";
    assert_eq!(told_in(&[("a", job)], &[]), ["\"worker\" | missing-resources", "} | unbalanced-braces"]);
}

#[test]
fn a_block_without_a_name_may_be_the_referenced_one() {
    assert_eq!(
        told(&format!("{RUN}\n data\n role \"worker\" {{ workdir \"{{data.x}}\"; }}")),
        ["data | missing-value"]
    );
    assert_eq!(told(&format!("{RUN}\n role count=2 {{}}")), ["role | missing-value"]);
}

#[test]
fn a_missing_field_does_not_hide_other_errors_of_its_block() {
    assert_eq!(
        told(&format!("{RUN}\n secret \"TF_CONFIG\" key=\"x\"\n role \"worker\"")),
        ["\"TF_CONFIG\" | missing-field", "\"TF_CONFIG\" | reserved-variable"]
    );
}

#[test]
fn a_value_with_a_syntax_error_is_checked_too() {
    assert_eq!(
        told(&format!("{RUN}\n role \"worker\" {{ image a:latest; ready tcp=web; }}")),
        ["a:latest | bare-text", "a:latest | unpinned-image", "web | bare-text", "web | unknown-port"]
    );
}

#[test]
fn an_error_in_a_default_is_reported_once_for_all_roles() {
    let lines = " run \"a\" \"{data.x}\"\n resources cpus=1 memory=\"1GiB\" gpu-model=\"a\"\n ready tcp=\"web\"\n role \"worker\"\n role \"evaluator\"";
    assert_eq!(
        told(lines),
        ["{data.x} | unknown-reference", "\"a\" | gpus-without-count", "\"web\" | unknown-port"]
    );
}

#[test]
fn a_property_without_a_value_does_not_affect_the_next_one() {
    assert_eq!(told(&format!("{RUN}\n start timeout= gang=#true\n role \"worker\"")), ["timeout= | syntax"]);
}

#[test]
fn credentials_are_detected_by_name_and_value() {
    let run = |words: &str| {
        told(&format!(" resources cpus=1 memory=\"1GiB\"\n role \"worker\" {{ run \"a\" {words}; }}"))
    };
    for plain in [
        "\"--tokenizer\" \"bert-base\"",
        "\"--eos-token=<|endoftext|>\"",
        "\"--max-token\" \"1000000\"",
        "\"--token=/run/secrets/x\"",
        "\"--use-token\" \"--verbose\"",
        "\"--token-file\" \"secrets.txt\"",
    ] {
        assert_eq!(run(plain), [""; 0], "{plain}");
    }
    for open in [
        "\"--token=abcdef1\"",
        "\"--db-password\" \"hunter22\"",
        "\"--aws-access-key=abcdef\"",
        "\"ghp_16C7e42F292c\"",
    ] {
        assert_eq!(run(open).len(), 1, "{open}");
    }
}

#[test]
fn a_misspelled_feature_allows_the_intended_one() {
    let lines = format!(
        "{RUN}\n protocol \"grpc+verbs\"\n allow \"protcol\" because=\"own build\"\n role \"worker\""
    );
    assert_eq!(told(&lines), ["\"protcol\" | unknown-feature"]);
}

#[test]
fn a_job_without_its_brace_is_reported_once() {
    let lines = format!("framework \"custom\"\n image \"a:1\"\n{RUN}\n role \"worker\"\n");
    assert_eq!(told_in(&[("a", &format!("job \"a\"\n {lines}"))], &[]), ["job \"a\" | unbalanced-braces"]);
    assert_eq!(
        told_in(&[("a", &format!("extends \"b\"\njob \"a\"\n {lines}")), ("b", "job \"a\"")], &[]),
        ["job \"a\" | unbalanced-braces"]
    );
    // `extends` belongs at the top level of the file, before `job`. It is not parsed as an entry of a job whose opening brace is
    // missing.
    assert_eq!(
        told_in(&[("a", "job \"a\"\nextends \"b\"\n"), ("b", &format!("job \"a\" {{\n {lines}}}"))], &[]),
        ["extends | misplaced-field"]
    );
}

#[test]
fn a_continuation_line_is_reported_as_such() {
    let role = " resources cpus=1 memory=\"1GiB\"\n role \"worker\"";
    assert_eq!(told(&format!(" run \"a\"\n  \"--lr\" \"0.1\"\n{role}")), ["\"--lr\" | unknown-node"]);
    assert_eq!(
        told(&format!(" run \"a\"\n  --lr 1\n  \"x\"\n{role}")),
        ["--lr | unknown-node", "\"x\" | unknown-node"]
    );
    assert_eq!(told(&format!(" run \"a\" \\\n  \"--lr\" \"0.1\"\n{role}")), [""; 0]);
}

#[test]
fn a_quoted_entry_is_not_an_argument_of_the_previous_line() {
    let role = " resources cpus=1 memory=\"1GiB\"\n role \"worker\"";
    for node in ["\"enviroment\" { LR \"0.1\"; }", "\"resource\" cpus=1", "\"imag\" \"a\"", "\"other\" { }"] {
        let said = told(&format!(" run \"a\"\n {node}\n{role}"));
        let name = node.split(' ').next().unwrap_or_default();
        assert_eq!(
            said.first().map(String::as_str),
            Some(format!("{name} | unknown-node").as_str()),
            "{node}"
        );
        let mut all = Sources::default();
        let text = format!("job \"a\" {{\n framework \"custom\"\n run \"a\"\n {node}\n{role}\n}}\n");
        let loaded = Loaded { name: "a".to_owned(), text, format: Format::Kdl };
        let mut out = Vec::new();
        super::text(&loaded, &shape_of(&[]), &mut all, &Nodes::default(), &mut out);
        let joins =
            |d: &Diagnostic| d.fixes.iter().any(|fix| fix.edits.iter().any(|edit| edit.text.contains('\\')));
        assert!(!out.iter().any(joins), "{node}");
    }
}

/// The only entry of the block must be a property of `resources`. The fix writes this property, corrects `=`, and removes the
/// block.
#[test]
fn the_equals_sign_after_an_only_child_is_removed_with_its_block() {
    let text = "job \"a\" {\n framework \"custom\"\n run \"a\"\n resources cpus=1 {\n  memory = \"4GiB\"\n }\n role \"w\"\n}\n";
    let loaded = Loaded { name: "a".to_owned(), text: text.to_owned(), format: Format::Kdl };
    let mut out = Vec::new();
    super::text(&loaded, &shape_of(&[]), &mut Sources::default(), &Nodes::default(), &mut out);
    let fixes: Vec<&str> =
        out.iter().flat_map(|d| &d.fixes).flat_map(|fix| &fix.edits).map(|e| e.text.as_str()).collect();
    assert_eq!(fixes, [" memory=\"4GiB\""]);
}

#[test]
fn a_misspelled_key_is_not_reported_as_missing_in_yaml() {
    let job = "job:\n  name: a\n  framework: {name: tensorflow}\n  image: {name: \"a:1\"}\n  run: [a]\n";
    let text = format!("{job}  resources: {{cpus: 1, memory: 1GiB}}\n  roles: {{worker: {{}}}}\n");
    assert_eq!(told_in(&[("a.yaml", &text)], &[]), ["roles | unknown-key"]);
    let text = format!("{job}  resources: {{cpu: 1, memory: 1GiB}}\n  role: {{worker: {{}}}}\n");
    assert_eq!(told_in(&[("a.yaml", &text)], &[]), ["cpu | unknown-key"]);
}

#[test]
fn fields_that_are_missing_because_of_another_error_are_not_reported() {
    let role = " role \"worker\"";
    for (lines, found) in [
        (
            " tensorboard \"s3://a/b\"\n run \"a\"\n resources cpus=1 memory=\"1GiB\"",
            "\"s3://a/b\" | extra-argument",
        ),
        (
            " kerberos \"a\" \"b\"\n run \"a\"\n resources cpus=1 memory=\"1GiB\"",
            "\"a\" \"b\" | extra-argument",
        ),
        (" run \"a\"\n resources { limits { cpu \"2\"; }; }", "limits | unknown-node"),
        (" extends \"b\"\n run \"a\"", "extends | misplaced-field"),
    ] {
        assert_eq!(told(&format!("{lines}\n{role}")), [found]);
    }
}

#[test]
fn role_names_of_other_systems_are_known() {
    let job = |framework: &str, role: &str| {
        let text = format!(
            "job \"a\" {{\n framework \"{framework}\" strategy=\"parameter-server\"\n image \"a:1\"\n{RUN}\n role \"{role}\"\n role \"worker\"\n}}"
        );
        told_in(&[("a", &text)], &[])
    };
    assert!(
        job("tensorflow", "parameter-server").contains(&"\"parameter-server\" | unknown-role".to_owned())
    );
    assert_eq!(job("tensorflow", "parameter-server").len(), job("tensorflow", "ps").len() + 1);
}

#[test]
fn secrets_of_different_roles_do_not_conflict() {
    let secret = |name: &str, at: &str| format!("secret \"{name}\" from=\"s\" key=\"k\" at=\"{at}\"");
    let told = |job: &str, a: &str, b: &str| {
        let roles = format!(" role \"chief\" {{ {a}; }}\n role \"worker\" {{ {b}; }}");
        let job = format!(
            "job \"a\" {{\n framework \"tensorflow\" strategy=\"estimator\"\n image \"a:1\"\n{RUN}\n {job}\n{roles}\n}}\n"
        );
        told_in(&[("a", &job)], &[]).into_iter().filter(|told| told.contains("-path")).collect::<Vec<_>>()
    };
    let (file, below, same) = (secret("A", "/x/t"), secret("B", "/x/t/k"), secret("B", "/x/t"));
    assert_eq!(told("", &file, &below), [""; 0]);
    assert_eq!(told("", &file, &same), [""; 0]);
    let both = |one: &str, other: &str| format!("{one}; {other}");
    assert_eq!(told("", "", &both(&file, &below)), ["\"/x/t/k\" | duplicate-path"]);
    assert_eq!(told("", &both(&file, &same), ""), ["\"/x/t\" | duplicate-path"]);
    assert_eq!(told(&file, &below, ""), ["\"/x/t/k\" | duplicate-path"]);
    assert_eq!(told(&file, &below, &secret("C", "/x/t/l")).len(), 2);
    let data = "data \"d\" \"nfs://h/d\" at=\"/x/t/d\"";
    assert_eq!(told(data, &file, ""), ["\"/x/t/d\" | duplicate-path"]);
    assert_eq!(told("data \"d\" \"nfs://h/d\" at=\"/x/t\"", "", &file), ["\"/x/t\" | duplicate-path"]);
}

#[test]
fn a_url_that_ends_in_a_slash_is_a_directory_unless_a_query_decides() {
    let stage = |uri: &str| told(&format!("{RUN}\n files \"s\" \"{uri}\" at=\"/s\"\n role \"worker\""));
    assert_eq!(stage("https://h/get/?f=model.bin"), [""; 0]);
    for uri in ["https://h/get/", "https://h/get/#x", "http://h/a/b/"] {
        assert_eq!(stage(uri), [format!("\"{uri}\" | unsupported-uri")], "{uri}");
    }
}

#[test]
fn unclosed_substitutions_take_linear_time() {
    let text = "$(a".repeat(300_000);
    assert_eq!(
        told(&format!(" run \"python\" \"{text}\"\n resources cpus=1 memory=\"1GiB\"\n role \"worker\"")),
        [""; 0]
    );
}
