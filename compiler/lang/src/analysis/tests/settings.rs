//! Tests of settings of the project file and the command line.
use super::*;

#[test]
fn an_environment_sets_a_field_once_and_the_last_setting_of_a_command_line_counts() {
    let spec = "job \"a\" { framework \"custom\"; image \"x\"; run \"x\"; env { A \"0\" }
        role \"w\" count=2 { resources cpus=1 memory=\"1GiB\" } }";
    for (set, of_project, twice) in [
        (["role.w.count=3", "role.w.count=4"], 2, Some("`role.w.count` is set twice")),
        (["role.w.count=3", "role.w.count=3"], 2, Some("`role.w.count` is set twice")),
        (["image=y", "image.name=z"], 2, Some("`image.name` is set twice")),
        (["env.B=1", "env.B=2"], 2, Some("`env.B` is set twice")),
        (["env.B=1", "env.\"B\"=2"], 2, Some("`env.B` is set twice")),
        (["labels.\"a.b/c\"=1", "labels.\"a.b\"/c=2"], 2, Some("`labels.a.b/c` is set twice")),
        (["labels.\"a.b\"=1", "labels.a=2"], 2, None),
        (["role.w.count=3", "role.w.count=4"], 0, None),
        (["env.A=1", "env.B=2"], 2, None),
        (["role.w.count=3", "role.w.count=4"], 1, None),
    ] {
        let set = set.map(str::to_owned);
        let project = Some(("tfjob.kdl", of_project));
        let request = Request { set: &set, project, ..alone::request("a", spec, Format::Kdl) };
        let analysis = analyze(&request);
        let found: Vec<_> = analysis.diagnostics.iter().filter(|d| d.is_error()).collect();
        let Some(twice) = twice else {
            assert!(found.is_empty(), "{set:?}: {found:?}");
            continue;
        };
        assert_eq!((found.len(), found[0].message.as_str()), (1, twice), "{set:?}");
        let marked =
            found[0].labels.iter().map(|label| analysis.sources.find(label.span).unwrap().text.as_str());
        assert_eq!(marked.collect::<Vec<_>>(), [&set[1], &set[0]]);
    }
}

/// A name that seems to be absent may be in the part of the spec that could not be read.
#[test]
fn a_setting_of_a_faulty_spec_has_no_unknown_name() {
    let whole = "job \"a\" { framework \"custom\"; image \"x\"; run \"x\" \"{param.lr}\"; param \"lr\" 1
        role \"w\" { resources cpus=1 memory=\"1GiB\" } }";
    let set = ["param.lr=2".to_owned(), "role.w.count=3".to_owned()];
    let told_in = |spec: &str, set: &[String], format| {
        let request =
            Request { set, project: Some(("tfjob.kdl", set.len())), ..alone::request("a", spec, format) };
        let found = analyze(&request).diagnostics.into_iter().filter(Diagnostic::is_error);
        found.map(|d| d.message).collect::<Vec<_>>()
    };
    let told = |spec: &str, set: &[String]| told_in(spec, set, Format::Kdl);
    for (role, param) in [
        ("[{name: w, count: 2}]", "{lr: 1}"),
        ("w", "{lr: 1}"),
        ("{w: {resources: {cpus: 1, memory: 1GiB}}}", "[lr, 1]"),
        ("{w: {resources: {cpus: 1, memory: 1GiB}}}", "lr"),
    ] {
        let text = format!(
            "job:\n  name: a\n  framework: {{name: custom}}\n  image: x\n  run: [x]\n  role: {role}\n  param: {param}\n"
        );
        let all = told_in(&text, &set, Format::Yaml);
        assert!(
            !all.is_empty() && all.iter().all(|message| !message.contains("` name `")),
            "{text}: {all:?}"
        );
    }
    assert_eq!(told(whole, &set), [""; 0]);
    for faulty in [
        whole.replace("param \"lr\" 1", "param \"lr\" = 1"),
        whole.replace("param \"lr\"", "param \"lr"),
        whole.replace("role \"w\"", "role \"w"),
        whole.replace("job \"a\"", "<<<<<<< HEAD\njob \"a\""),
        whole.replace("job \"a\" {", "job \"a\" extends"),
        format!(
            "extends \"b.tfjob.kdl\"\n{}",
            whole.replace("param \"lr\" 1", "").replace("role \"w\"", "// role")
        ),
    ] {
        let all = told(&faulty, &set);
        assert!(
            !all.is_empty() && all.iter().all(|message| !message.contains("` name `")),
            "{faulty}: {all:?}"
        );
    }
    assert_eq!(told(whole, &["param.rl=3".to_owned()]), ["unknown `param` name `rl`"]);
}
