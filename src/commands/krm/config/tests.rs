//! Tests of the fields of a configuration, and of the report of each mistake.
use super::{Config, Job, MAX_TOLD, Shim, decode};

/// Returns a configuration with this `spec`.
fn spec(spec: &str) -> String {
    format!("apiVersion: tfjob/v1alpha1\nkind: TFJobSpec\nmetadata: {{name: x}}\nspec: {spec}\n")
}

fn config(text: &str) -> Config {
    let (config, batch) = decode(text.to_owned());
    assert!(batch.diagnostics.is_empty(), "{:?}", batch.diagnostics);
    config.unwrap()
}

/// Returns the messages and helps of a configuration with errors.
fn told(text: &str) -> Vec<String> {
    let (config, batch) = decode(text.to_owned());
    assert!(config.is_none() && !batch.diagnostics.is_empty(), "{text}");
    let told = batch.diagnostics.iter();
    told.map(|told| format!("{}: {}", told.message, told.help.as_deref().unwrap_or_default())).collect()
}

#[test]
fn each_field_is_decoded() {
    let all = config(&spec(
        "{path: a.kdl, environment: prod, set: {role.worker.count: 8, env.A: \"x=y\", restart.limit: 1.50, 'env.\"B=C\"': true}, shim: omit}",
    ));
    assert!(matches!(&all.job, Job::Path(path) if path.value == "a.kdl"));
    assert_eq!(all.environment.map(|at| at.value).as_deref(), Some("prod"));
    let sets: Vec<&str> = all.sets.iter().map(|set| set.trim_start()).collect();
    assert_eq!(sets, ["role.worker.count=8", "env.A=x=y", "restart.limit=1.50", "env.\"B=C\"=true"]);
    assert_eq!((all.name.as_deref(), all.shim, all.cluster), (Some("x"), Shim::Omit, None));
    let inline = config(&spec("\n  inline: |\n    job \"a\" {\n    \tb\n    }\n  cluster: a.cluster.kdl"));
    assert!(matches!(&inline.job, Job::Inline(text) if text.value == "job \"a\" {\n\tb\n}\n"));
    assert_eq!(
        (inline.cluster.map(|at| at.value).as_deref(), inline.shim),
        (Some("a.cluster.kdl"), Shim::Include)
    );
}

/// Mistakes in `spec`, and the start of the message.
const IN_SPEC: [(&str, &str); 22] = [
    ("[path]", "`spec` must be an object, not a list: write `path` (the path of a spec) or `inline`"),
    ("", "`spec` must be an object, not null"),
    ("{}", "`spec` has neither `path` nor `inline`: add `path: FILE`"),
    ("{path: a, inline: b}", "`spec` has both `path` and `inline`: remove one of them"),
    ("{path: a, inline: 3}", "`spec` has both `path` and `inline`"),
    (
        "{paht: a}",
        "`paht` is not a field of `spec`: did you mean `path`? the fields are `path`, `inline`, `environment`, `cluster`, `set`, and `shim`",
    ),
    ("{path: a, target: yarn}", "`target` is not a field of `spec`: the fields are"),
    (
        "{path: [a]}",
        "`spec.path` must be a string, not a list: expected the path of a spec, such as `mnist.tfjob.kdl`",
    ),
    ("{path: '  '}", "`spec.path` is empty: expected the path of a spec"),
    (
        "{inline: {job: x}}",
        "`spec.inline` must be a string, not an object: expected the text of a spec in KDL",
    ),
    ("{path: a, environment: true}", "`spec.environment` must be a string, not a boolean: expected the name"),
    (
        "{path: a, cluster: 3}",
        "`spec.cluster` must be a string, not a number: expected the path of a cluster file",
    ),
    (
        "{path: a, cluster: b, environment: c}",
        "`spec.cluster` cannot be used with `spec.environment`: remove `cluster`",
    ),
    ("{path: a, set: [b=1]}", "`spec.set` must be an object, not a list: write `KEY: VALUE` below `set`"),
    (
        "{path: a, set: {role: {worker: {count: 1}}}}",
        "`role` in `spec.set` must be a string, a number, or a boolean, not an object: a key is the whole path",
    ),
    ("{path: a, set: {b: null}}", "`b` in `spec.set` must be a string, a number, or a boolean, not null"),
    ("{path: a, set: {b=1: 2}}", "`b=1` is not the path of a field of the job: write `KEY: VALUE`"),
    ("{path: a, shim: no}", "`no` is ambiguous in YAML"),
    ("{path: a, shim: false}", "`spec.shim` must be `include` or `omit`: `omit` if another generator"),
    ("{path: a, path: b}", "duplicate key `path`"),
    ("{path: &a b}", "YAML anchors and aliases are not supported"),
    ("{path: a", "invalid YAML"),
];

#[test]
fn each_mistake_in_spec_is_reported_with_what_is_accepted() {
    for (text, expected) in IN_SPEC {
        let told = told(&spec(text));
        assert!(told.iter().any(|told| told.starts_with(expected)), "{text}: {told:?}");
    }
}

#[test]
fn each_mistake_outside_of_spec_is_reported_with_what_is_accepted() {
    for (text, expected) in [
        (
            "kind: TFJobSpec\n".to_owned(),
            "`apiVersion` of `functionConfig` is missing: write `apiVersion: tfjob/v1alpha1`",
        ),
        (
            spec("{path: a}").replace("v1alpha1", "v1"),
            "`apiVersion` of `functionConfig` must be `tfjob/v1alpha1`: write",
        ),
        (
            spec("{path: a}").replace("kind: TFJobSpec", "kind: ConfigMap"),
            "`kind` of `functionConfig` must be `TFJobSpec`: write",
        ),
        (
            spec("{path: a}").replace("kind: TFJobSpec", "kind: [TFJobSpec]"),
            "`kind` of `functionConfig` must be `TFJobSpec`",
        ),
        (
            spec("{path: a}").replace("{name: x}", "3"),
            "`metadata` must be an object, not a number: write `metadata: {name: NAME}`",
        ),
        (
            spec("{path: a}") + "status: {}\n",
            "`status` is not a field of `TFJobSpec`: the fields are `apiVersion`, `kind`, `metadata`, and `spec`",
        ),
        (spec("{path: a}") + "cluster: b\n", "`cluster` is not a field of `TFJobSpec`: move it into `spec`"),
        (spec("{path: a}").replace("spec:", "spce:"), "`spec` is missing: add `spec` with `path`"),
    ] {
        let told = told(&text);
        assert!(told.iter().any(|told| told.starts_with(expected)), "{text}: {told:?}");
    }
}

#[test]
fn all_mistakes_are_reported_in_one_run() {
    let text = spec("{paht: a, set: 1, shim: x, environment: 5}");
    assert_eq!(told(&text).len(), 5, "{:?}", told(&text));
    let many: String = (0..2_000).map(|n| format!("k{n}: a\n")).collect();
    assert_eq!(told(&(spec("{path: a}") + &many)).len(), MAX_TOLD);
    // The fields of another kind are not those of a TFJobSpec.
    assert_eq!(told("apiVersion: v1\nkind: ConfigMap\ndata: {}\n").len(), 2);
}
