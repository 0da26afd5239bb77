//! Tests of lists that are read, refused, or damaged.
use super::{List, MAX_ITEMS, Object};

/// Returns a list with these lines after `kind`.
fn list(rest: &str) -> String {
    format!("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n{rest}")
}

const CONFIG: &str = "functionConfig:\n  kind: TFJobSpec\n";

/// Returns the texts of the items.
fn items(text: &str) -> Vec<&str> {
    let list = List::read(text).unwrap();
    list.items.into_iter().map(|item| &text[item.range]).collect()
}

fn refused(text: &str) -> String {
    List::read(text).unwrap_err()
}

#[test]
fn an_item_has_its_comments_anchors_and_scalars() {
    let first = "- kind: A # one\n  # two\n  mode: 0777\n  on: !!str yes\n\n";
    let second = "- # three\n  a: &x [1]\n  b: *x\n";
    let third = "-\n  a: |2\n       - not an item\n  # last\n";
    let text = list(&format!("items:\n{first}{second}{third}{CONFIG}"));
    assert_eq!(items(&text), [first, second, third]);
    let indented = list(&format!("{CONFIG}items:\n{}", first.replace("  ", "    ").replace("- ", "  - ")));
    assert_eq!((items(&indented).len(), List::read(&indented).unwrap().indent), (1, 2));
}

#[test]
fn items_may_be_written_in_brackets() {
    let text = list(&format!("items: [{{kind: A}},\n {{a: '}}', b: [c]}} ]\n{CONFIG}"));
    assert_eq!(items(&text), ["{kind: A}", "{a: '}', b: [c]}"]);
    let json = "{\"apiVersion\":\"config.kubernetes.io/v1beta1\",\"kind\":\"ResourceList\",\"functionConfig\":{\"a\":\n1},\n\"items\":[{\"a\":\"\\u00e9\\ud83d\\ude00\"}]}";
    let read = List::read(json).unwrap();
    assert_eq!(
        (read.version.as_str(), items(json)),
        ("config.kubernetes.io/v1beta1", vec!["{\"a\":\"\\u00e9\\ud83d\\ude00\"}"])
    );
    assert_eq!(read.config.trim_start(), "{\"a\":\n1}");
    for empty in ["items: []\n", "items:\n", "items: null\n", ""] {
        assert!(items(&list(&format!("{empty}{CONFIG}"))).is_empty(), "{empty}");
    }
}

#[test]
fn the_configuration_keeps_its_lines_and_columns() {
    let text = list("functionConfig: # one\n  a: |\n    b\n  c: 1\nitems: []\n");
    assert_eq!(List::read(&text).unwrap().config, "  a: |\n    b\n  c: 1\n");
    let text = list("items: []\nfunctionConfig:\n    a: 1");
    assert_eq!(List::read(&text).unwrap().config, "    a: 1");
    let text = list("items: []\nfunctionConfig: {a: 1,\n b: 2} # one\n");
    assert_eq!(List::read(&text).unwrap().config, "                {a: 1,\n b: 2}");
}

#[test]
fn an_object_has_its_name_and_its_file() {
    let text = list(&format!(
        "items:\n- metadata:\n    annotations: {{config.kubernetes.io/path: 'a.yaml', x: y}}\n    name: n\n    namespace: ml\n    labels: {{name: z}}\n  kind: K\n  apiVersion: v1\n  spec:\n    metadata: {{name: other}}\n- kind: K\n{CONFIG}"
    ));
    let found = List::read(&text).unwrap().items.into_iter().map(|item| item.object);
    let file = ("config.kubernetes.io/path".to_owned(), "a.yaml".to_owned());
    let object = Object {
        version: "v1".to_owned(),
        kind: "K".to_owned(),
        name: "n".to_owned(),
        namespace: "ml".to_owned(),
        labels: vec![("name".to_owned(), "z".to_owned())],
        annotations: vec![file.clone(), ("x".to_owned(), "y".to_owned())],
    };
    assert!(object.has_annotation("x") && !object.has_annotation("y"));
    assert_eq!(object.file(), [file]);
    assert_eq!(found.collect::<Vec<_>>(), [Some(Box::new(object.clone())), None]);
    let own =
        Object::of("# one\napiVersion: v1\nkind: K\nmetadata:\n  name: n\n  namespace: \"ml\"\n").unwrap();
    assert!(own.is(&object) && own != object);
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    for (text, why) in [
        (String::new(), "not a ResourceList: expected an object"),
        ("a: 1\n".to_owned(), "not a ResourceList"),
        ("- a\n".to_owned(), "line 1, column 1: expected an object"),
        ("a".to_owned(), "line 1, column 1: expected an object"),
        (list(CONFIG).replace("/v1", "/v2"), "not a ResourceList"),
        (list("items: []\r"), "a carriage return without a line feed"),
        (list("items: []\n"), "`functionConfig` is missing"),
        (list("functionConfig: null\n"), "`functionConfig` is missing"),
        (list("functionConfig: [a]\n"), "line 3, column 17: `functionConfig` must be an object"),
        (list("functionConfig: a\n"), "`functionConfig` must be an object"),
        (list(&format!("{CONFIG}{CONFIG}")), "line 5, column 1: `functionConfig` occurs more than once"),
        (list(&format!("items: []\nitems: []\n{CONFIG}")), "`items` occurs more than once"),
        (list(&format!("items: {{}}\n{CONFIG}")), "`items` must be a list"),
        (list(&format!("items: a\n{CONFIG}")), "`items` must be a list"),
        (list(&format!("items: [a]\n{CONFIG}")), "an item must be an object"),
        (list(&format!("items:\n- [a]\n{CONFIG}")), "line 4, column 3: an item must be an object"),
        (list(&format!("items:\n-\n{CONFIG}")), "an item must be an object"),
        (list(&format!("items: [&a {{b: c}}]\n{CONFIG}")), "an anchor or a tag before an item in brackets"),
        (
            list(&format!("x: &a b\nitems:\n- c: *a\n{CONFIG}")),
            "an alias must refer to an anchor of the same item",
        ),
        (list(&format!("items:\n- b: &a c\n- d: *a\n{CONFIG}")), "line 5, column 6: an alias must refer"),
        (list(&format!("items:\n- *a\n{CONFIG}")), "invalid YAML"),
        (list(&format!("x: &a [{{b: c}}]\nitems: *a\n{CONFIG}")), "`items` must not be an alias"),
        (list(&format!("items:\n- a: b\n? [x]\n: y\n{CONFIG}")), "the name of a field must be a string"),
        (list(&format!("{CONFIG}---\na: 1\n")), "more than one YAML document"),
        (format!("%YAML 1.1\n---\n{}", list(CONFIG)), "invalid YAML"),
        (list(&format!("items:\n- a: [\n{CONFIG}")), "invalid YAML"),
        (list(&format!("items: {}\n", "[".repeat(10_000))), "recursion limit"),
        (list(&format!("items: [{}]\n{CONFIG}", "{},".repeat(MAX_ITEMS + 1))), "more than 100000 items"),
    ] {
        let shown: String = text.chars().take(200).collect();
        assert!(refused(&text).contains(why), "{shown}: {}", refused(&text));
    }
    let anchors: String = (0..20_000).map(|n| format!("&a{n} b,")).collect();
    assert!(refused(&list(&format!("items:\n- a: [{anchors}]\n"))).contains("more than 10000 anchors"));
}

/// Each text that differs from a valid list in a few bytes is read or refused, and the positions are those of characters.
#[test]
fn no_text_causes_a_panic() {
    let good = list(&format!(
        "items:\n- kind: é\n  a: &x {{b: \"c\"}}\n  d: *x\n-\n  e: |\n   f\n- {{g: [h]}}\n{CONFIG}"
    ));
    let marks = [
        "\n", " ", "-", ":", "?", "{", "}", "[", "]", "\"", "'", "&", "*", "!", "#", "|", "é", "\t", "%",
        "\r", "...\n", "---\n",
    ];
    let mut read = 0;
    for (at, _) in good.char_indices() {
        for mark in marks {
            let inserted = format!("{}{mark}{}", &good[..at], &good[at..]);
            let replaced = format!("{}{mark}{}", &good[..at], good[at..].chars().skip(1).collect::<String>());
            for text in [inserted, replaced, good[..at].to_owned()] {
                let Ok(list) = List::read(&text) else { continue };
                read += 1;
                for item in list.items {
                    assert!(
                        !item.is_block || text[item.range.clone()].trim_start().starts_with('-'),
                        "{text}"
                    );
                }
            }
        }
    }
    assert!(read > 1_000, "{read}");
}
