//! Tests of the comments of values in the artifacts.
use super::{PLAIN, WIDE, file, files};
use std::collections::BTreeSet;

/// Numbers and flags that need no comment: their keys, and their values.
const USUAL: &[(&str, &str)] = &[
    ("allowPrivilegeEscalation", "false"),
    ("automountServiceAccountToken", "false"),
    ("hostNetwork", "true"),
    ("readOnly", "true"),
    // The ports of TensorFlow and TensorBoard are well known.
    ("containerPort", "2222"),
    ("containerPort", "6006"),
    // The port of a helper on the host network; the comment is at its name.
    ("containerPort", "2223"),
    ("port", "2222"),
    ("port", "6006"),
    ("", "\"0.0.0.0\""),
    ("", "\"6006\""),
    // A role without `count`.
    ("replicas", "1"),
    // The index of the only task of a role.
    ("value", "\"0\""),
    // The interval of a readiness probe.
    ("periodSeconds", "5"),
    // The init container that copies the shim, and the default of TensorBoard.
    ("cpu", "100m"),
    ("memory", "64Mi"),
    ("cpu", "\"1\""),
    ("memory", "4Gi"),
];

/// Returns the words of a spec: its numbers, each with its unit. Manifests write `4GiB` as `4Gi`, and `60s` as `60`.
fn words(spec: &str) -> BTreeSet<&str> {
    let all = spec.split(|c: char| !(c.is_ascii_alphanumeric() || ".-_".contains(c)));
    all.flat_map(|word| [word, word.strip_suffix(['B', 's']).unwrap_or(word)]).collect()
}

/// Returns the lines of a YAML file with a number, a flag, or an empty value that is neither in the spec nor usual, and that have
/// no comment.
fn unexplained(spec: &str, yaml: &str) -> Vec<String> {
    let words = words(spec);
    let mut block = None;
    let mut out = Vec::new();
    for line in yaml.lines() {
        let indent = line.len() - line.trim_start().len();
        if line.trim().is_empty() || block.is_some_and(|outer| indent > outer) {
            continue;
        }
        block = line.ends_with(": |").then_some(indent);
        let entry = line.trim_start().trim_start_matches("- ");
        let (key, value) = entry.split_once(": ").unwrap_or(("", entry));
        let bare = value.trim_matches('"');
        let special = bare.is_empty()
            || bare.starts_with(|c: char| c.is_ascii_digit())
            || matches!(value, "true" | "false");
        let usual = USUAL.iter().any(|(name, usual)| *name == key && *usual == value);
        if special && !line.contains(" # ") && !usual && (bare.is_empty() || !words.contains(bare)) {
            out.push(line.to_owned());
        }
    }
    out
}

#[test]
fn a_number_that_is_not_in_the_spec_has_a_comment() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let names = ["cifar10", "dist-mnist", "evaluator", "gpu", "minimal", "restart", "start-order"];
    let mut specs: Vec<String> = names
        .iter()
        .map(|name| std::fs::read_to_string(format!("{examples}/{name}.tfjob.kdl")).expect("an example"))
        .collect();
    specs.push(WIDE.to_owned());
    specs.push(WIDE.replace("shim image=\"ml/tfjob-shim:1.0\"", ""));
    for spec in specs {
        for file in files(&spec, "kubernetes") {
            assert_eq!(unexplained(&spec, &file.text), [""; 0], "{}: {}", file.path, file.text);
        }
    }
    let planted = "  mode: 365\n  x: \"\"\n  data: |\n    y: 1\n  flag: true\n- 7\n  z: 365 # octal\n  readOnly: true\n";
    assert_eq!(unexplained("", planted), ["  mode: 365", "  x: \"\"", "  flag: true", "- 7"]);
    // A part of a number of the spec is another number, and so is another port.
    let planted = "  a: 30\n  b: 15\n  c: 300\n  d: 4Gi\n  port: 2223\n  replicas: 2\n";
    let spec = "version=\"2.15\"; stop grace=300; memory=\"4GiB\"";
    assert_eq!(unexplained(spec, planted), ["  a: 30", "  b: 15", "  port: 2223", "  replicas: 2"]);
}

/// Returns the settings of a call of spark-submit with a number that is neither in the spec nor a count, and that have no comment.
fn unexplained_settings(spec: &str, script: &str) -> Vec<String> {
    let counts = ["instances", "cores", "cpus", "amount", "max"];
    let words = words(spec);
    let one = |line: &str| {
        let setting = line.strip_prefix("set -- \"$@\" --conf '")?;
        let (key, value) = setting.split_once('=')?;
        let number = value.trim_end_matches('\'');
        let usual =
            counts.iter().any(|count| key.rsplit('.').next() == Some(count)) || words.contains(number);
        (number.starts_with(|c: char| c.is_ascii_digit()) && !usual && !line.contains(" # "))
            .then(|| line.to_owned())
    };
    script.lines().filter_map(one).collect()
}

#[test]
fn a_number_of_spark_submit_that_is_not_in_the_spec_has_a_comment() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    for (name, commented) in
        [("gpu", Some("'spark.executor.memory=512m' # heap of the JVM\n")), ("tfos-mnist", None)]
    {
        let spec = std::fs::read_to_string(format!("{examples}/{name}.tfjob.kdl")).expect("an example");
        let script =
            files(&spec, "spark").into_iter().find(|file| file.path == "submit.sh").expect("a script").text;
        assert_eq!(unexplained_settings(&spec, &script), [""; 0], "{name}: {script}");
        assert!(commented.is_none_or(|line| script.contains(line)), "{name}: {script}");
        let long: Vec<&str> =
            script.lines().filter(|line| line.contains("' # ") && line.len() > 132).collect();
        assert_eq!(long, [""; 0]);
    }
    let planted = "set -- \"$@\" --conf 'spark.a=7'\nset -- \"$@\" --conf 'spark.b=7' # seven\n";
    assert_eq!(unexplained_settings("", planted).len(), 1);
}

/// Values with a comment that is not the value in another form.
const FACTS: [(&str, &str); 9] = [
    ("replicas: 1", "runs until you delete it, also after the job has finished"),
    ("name: tfjob-port", "without a port of this name, the operator adds port 2222"),
    ("minAvailable: 9", "the pods start only when this many can start together"),
    ("medium: Memory", "this memory counts against the limits of the containers"),
    ("cleanPodPolicy: None", "pods that still run when the job ends continue to run"),
    ("enableDynamicWorker: true", "the operator recreates lost workers"),
    ("value: \"\"", "the program sees no GPU"),
    ("tfjob/spec-digest: sha256:", "digest of the resolved spec"),
    ("tfjob/task-digest: sha256:", "digest of what its tasks see"),
];

/// Returns the seconds of a duration such as `1d12h`. `None` if the text is no duration.
fn seconds(text: &str) -> Option<u64> {
    let (mut sum, mut rest) = (0, text);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let unit = after.chars().next()?;
        let factor =
            [('d', 86_400), ('h', 3600), ('m', 60), ('s', 1)].into_iter().find(|(name, _)| *name == unit)?.1;
        sum += number.parse::<u64>().ok()? * factor;
        rest = &after[unit.len_utf8()..];
    }
    Some(sum)
}

/// Returns whether the comment of a line is true: the value in another form, or one of [`FACTS`].
fn is_true(line: &str) -> bool {
    let Some((entry, comment)) = line.trim_start().trim_start_matches("- ").split_once(" # ") else {
        return false;
    };
    let number: Option<u64> = entry.split_once(": ").and_then(|(_, value)| value.parse().ok());
    let octal = comment.strip_prefix("octal 0").and_then(|digits| u64::from_str_radix(digits, 8).ok());
    let fact = FACTS.iter().any(|(value, fact)| *fact == comment && entry.starts_with(value));
    fact || number.is_some() && (octal == number || seconds(comment) == number)
}

#[test]
fn a_comment_is_true_and_short() {
    let mut all: String = files(WIDE, "kubernetes").into_iter().map(|file| file.text).collect();
    all += &file(&WIDE.replace("shim image=\"ml/tfjob-shim:1.0\"", ""), "tfjob.yaml");
    all += &file(PLAIN, "tfjob.yaml");
    let endless = PLAIN.replace("count=8 {", "count=8 { restart \"on-failure\";");
    all += &file(&endless.replace("param ", "keep \"all\"; param "), "tfjob.yaml");
    let commented: Vec<&str> =
        all.lines().filter(|line| !line.trim_start().starts_with('#') && line.contains(" # ")).collect();
    for expected in [
        "mode: 365 # octal 0555",
        "defaultMode: 420 # octal 0644",
        "activeDeadlineSeconds: 172800 # 2d",
        "ttlSecondsAfterFinished: 86400 # 1d",
        "terminationGracePeriodSeconds: 300 # 5m",
        "tolerationSeconds: 300 # 5m",
    ] {
        assert!(commented.iter().any(|line| line.ends_with(expected)), "{expected}: {commented:#?}");
    }
    for (_, fact) in FACTS {
        assert!(commented.iter().any(|line| line.ends_with(fact)), "{fact}: {all}");
    }
    let wrong: Vec<&&str> = commented.iter().filter(|line| !is_true(line) || line.len() > 132).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for planted in
        ["mode: 365 # octal 0644", "graceSeconds: 300 # 5h", "port: 300 # 5 minutes", "replicas: 2 # runs"]
    {
        assert!(!is_true(planted), "{planted}");
    }
}

#[test]
fn labels_and_annotations_of_the_user_have_no_comments() {
    let keys = r#"{"minAvailable": "x", "medium": "Memory", "cleanPodPolicy": "None", "replicas": "1", "selector": "x"}"#;
    let all = format!(
        r##"patch #"{{"metadata": {{"labels": {keys}, "annotations": {keys}}}, "spec": {{"tfReplicaSpecs": {{"Worker": {{"template": {{"spec": {{"nodeSelector": {keys}}}}}}}}}}}}}"#"##
    );
    let text = file(&PLAIN.replace("namespace \"ml\"", &all), "tfjob.yaml");
    for (key, count) in [("minAvailable: x", 3), ("medium: Memory", 3), ("cleanPodPolicy: None", 3)] {
        let lines: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with(key)).collect();
        assert_eq!(
            lines.iter().map(|line| line.trim_start()).collect::<Vec<_>>(),
            vec![key; count],
            "{text}"
        );
    }
    assert!(!text.contains("runs until you delete it"), "{text}");
}
