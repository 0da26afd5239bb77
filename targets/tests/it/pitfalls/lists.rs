//! Patches of lists that contain entries of the job. If a patch removes such an entry, the help names the field by which items are
//! merged, and an item with this field is merged.
use crate::pitfalls::dcos::marathon;
use crate::pitfalls::found;
use crate::pitfalls::{analyzed, kubernetes, yarn};

/// Target, path of a list in a patch (of a role, or on YARN of the job), and an item that can be added to the list.
const LISTS: [(&str, &str, &str); 8] = [
    ("dcos", "fetch: ", "[{uri: 'https://h/own.bin'}]"),
    ("dcos", "container: {volumes: }", "[{containerPath: /own, hostPath: /own, mode: RO}]"),
    ("dcos", "portDefinitions: ", "[{name: own, port: 0}]"),
    ("yarn", "configuration: {files: }", "[{dest_file: own, type: STATIC, src_file: 'hdfs://nn/own'}]"),
    ("kubernetes", "template: {spec: {volumes: }}", "[{name: own, emptyDir: {}}]"),
    ("kubernetes", "template: {spec: {initContainers: }}", "[{name: own, image: 'own:1'}]"),
    (
        "kubernetes",
        "template: {spec: {containers: [{name: tensorflow, volumeMounts: }]}}",
        "[{mountPath: /own, name: tfjob-stage}]",
    ),
    ("kubernetes", "template: {spec: {containers: [{name: tensorflow, env: }]}}", "[{name: OWN, value: a}]"),
];

fn spec(target: &str, patch: &str) -> String {
    let stage = "files \"m\" \"https://h/m.bin\"; env { A \"b\" }";
    let block = format!("patch {patch:?}");
    let patch = format!("target \"{target}\" {{ {block} }}");
    match target {
        "dcos" => {
            marathon(&format!("{stage}; data \"d\" \"file:///m\" at=\"/m\"; port \"web\" \"auto\""), &patch)
        }
        "yarn" => yarn::bare("files \"m\" \"hdfs://nn/m.bin\"", "", &block),
        _ => kubernetes::specs::lone(stage, &patch),
    }
}

/// Returns the helps of diagnostics about entries that the patch removes.
fn helps(target: &str, patch: &str) -> Vec<String> {
    let (all, _) = found(&analyzed(&spec(target, patch)), target);
    let lost = all.into_iter().filter(|d| d.message.contains("removes entries of"));
    lost.map(|d| d.help.unwrap_or_default()).collect()
}

#[test]
fn each_list_is_merged_by_the_field_that_is_told() {
    for (target, list, item) in LISTS {
        let with = |value: &str| {
            let close = list.find(": }").map_or(list.len(), |at| at + 2);
            format!("{}{value}{}", &list[..close], &list[close..])
        };
        let key = &item[2..item.find(':').unwrap_or_default()];
        let told = helps(target, &with("[]"));
        assert_eq!(
            told,
            [format!("give each item a `{key}`, by which it is merged into the list")],
            "{target} {list}"
        );
        assert_eq!(helps(target, &with(item)), [] as [String; 0], "{target} {list}");
    }
    let mounts = "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS: '/a:/a:ro'}}";
    let patch = format!("target \"yarn\" {{ patch {mounts:?} }}");
    let text = yarn::one("data \"d\" \"file:///m\" at=\"/m\"", &patch, "");
    let (all, _) = found(&analyzed(&text), "yarn");
    let lost = all.into_iter().find(|d| d.message.contains("removes entries of")).and_then(|d| d.help);
    assert_eq!(
        lost.as_deref(),
        Some("the patch replaces the whole list: repeat the entries of the job in it")
    );
}
