//! Tests of the order and the text of items, and of results.
use super::{List, write};
use crate::commands::compile::documents::{Documents, Told};
use tfjob_lang::diagnostic::Severity;

const HEAD: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const CONFIG: &str = "functionConfig: {kind: TFJobSpec}\n";
const OBJECT: &str =
    "# Written.\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  b: |\n    c\n\n    d\n";

fn written(items: &str, documents: &Documents) -> String {
    let text = format!("{HEAD}{items}{CONFIG}");
    let mut out = Vec::new();
    write(&List::read(&text).unwrap(), &text, documents, Some("x"), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn documents(texts: &[&str]) -> Documents {
    Documents {
        findings: Vec::new(),
        texts: Some(texts.iter().map(|&text| text.to_owned()).collect()),
        job: None,
    }
}

#[test]
fn objects_follow_the_items_in_the_same_column() {
    let entry = "# Written.\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  data:\n    b: |\n      c\n\n      d\n";
    assert_eq!(written("items: []\n", &documents(&[OBJECT])), format!("{HEAD}items:\n{entry}"));
    let items = "items:\n- kind: Z # one\n  a: 0777\n";
    assert_eq!(written(items, &documents(&[OBJECT])), format!("{HEAD}{items}{entry}"));
    let items = "items:\n  - kind: Z\n";
    let moved: String = entry.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect();
    assert_eq!(written(items, &documents(&[OBJECT])), format!("{HEAD}{items}{moved}"));
    let items = "items: [{kind: Z,\na: 'b\n c'}]\n";
    let shown = "items:\n- {kind: Z,\n  a: 'b\n   c'}\n";
    assert_eq!(written(items, &documents(&[OBJECT])), format!("{HEAD}{shown}{entry}"));
}

#[test]
fn an_item_with_the_name_of_an_object_is_replaced_and_keeps_its_file() {
    let old = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n    annotations:\n      config.kubernetes.io/path: 'x\"y.yaml'\n      z: old\n";
    let other = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, namespace: ml}\n";
    let shown = written(&format!("items:\n{old}{other}"), &documents(&[OBJECT]));
    let new = "  metadata:\n    name: a\n    annotations:\n      config.kubernetes.io/path: \"x\\\"y.yaml\"\n  data:\n";
    assert!(shown.contains(new) && !shown.contains("old"), "{shown}");
    assert!(shown.ends_with(other), "{shown}");
    let annotated = OBJECT.replace("  name: a\n", "  name: a\n  annotations:\n    own: \"1\"\n");
    let shown = written(&format!("items:\n{old}"), &documents(&[&annotated]));
    assert!(
        shown.contains(
            "    annotations:\n      config.kubernetes.io/path: \"x\\\"y.yaml\"\n      own: \"1\"\n"
        ),
        "{shown}"
    );
    // Two objects of the same name do not replace one item.
    assert_eq!(
        written(&format!("items:\n{old}"), &documents(&[OBJECT, OBJECT])).matches("name: a\n").count(),
        2
    );
}

#[test]
fn with_errors_the_items_stay_and_the_results_have_the_findings() {
    let told =
        |severity, line: &str, file: &str| Told { severity, line: line.to_owned(), file: file.to_owned() };
    let findings = vec![
        told(Severity::Error, "a.kdl:1:1: error[x]: `\"` \u{1b}\\", "a.kdl"),
        told(Severity::Warning, "b", "functionConfig"),
    ];
    let items = "items:\n- kind: Z\n";
    let shown = written(items, &Documents { findings, texts: None, job: None });
    let of = "  resourceRef:\n    apiVersion: tfjob/v1alpha1\n    kind: TFJobSpec\n    name: \"x\"\n";
    let results = shown.strip_prefix(&format!("{HEAD}{items}results:\n")).unwrap();
    assert!(results.starts_with("- severity: error\n  message: \"a.kdl:1:1: error[x]: `\\\"` "), "{shown}");
    assert!(
        !results.contains('\u{1b}') && results.contains(&format!("{of}  file:\n    path: \"a.kdl\"\n")),
        "{shown}"
    );
    assert!(results.ends_with(&format!("- severity: warning\n  message: \"b\"\n{of}")), "{shown}");
}
