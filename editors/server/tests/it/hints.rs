//! Inlay hints and links.
use crate::editor::Editor;
use serde_json::json;

const JOB: &str = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    resources cpus=1 memory=\"1536MiB\"
    image \"registry/team/a:1\"
    run \"python\" \"/a.py\"
    role \"chief\" {
        restart \"on-failure\"
    }
    role \"worker\" count=3 {
        resources cpus=2.5 memory=\"4GiB\" gpus=2
        port \"rendezvous\" 5000
    }
    role \"ps\" count=2
    target \"kubernetes\" {}
}
";

/// Returns the hints of lines, each with its line number.
fn hints(editor: &Editor, text: &str, first: u32, last: u32) -> Vec<String> {
    editor.open("a.tfjob.kdl", text);
    let params = json!({
        "textDocument": {"uri": Editor::uri("a.tfjob.kdl")},
        "range": {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}},
    });
    let found = editor.request("textDocument/inlayHint", &params).expect("hints");
    let shown = |hint: &serde_json::Value| {
        let at = &hint["position"];
        format!("{}:{} {}", at["line"], at["character"], hint["label"].as_str().unwrap_or_default())
    };
    found.as_array().expect("a list").iter().map(shown).collect()
}

#[test]
fn hints_say_what_is_inherited_or_default() {
    let editor = Editor::new(&[]);
    assert_eq!(
        hints(&editor, JOB, 0, 99),
        [
            "0:9 6 tasks, 6 GPUs",
            "5:18 1 CPU, 1536MiB, port 2222",
            "8:27 restart never",
            "12:21 1 CPU, 1536MiB, port 2222",
        ]
    );
    assert_eq!(hints(&editor, JOB, 8, 9), ["8:27 restart never"]);
    let same = JOB.replace("        port \"rendezvous\" 5000\n", "");
    assert_eq!(hints(&editor, &same, 0, 6), ["0:9 6 tasks, 6 GPUs, port 2222", "5:18 1 CPU, 1536MiB"]);
    let never = JOB.replace("        restart \"on-failure\"\n", "");
    assert_eq!(hints(&editor, &never, 0, 1), ["0:9 6 tasks, 6 GPUs, restart never"]);
    // After a comment, and after a node in one line.
    let text =
        never.replace("\"a\" {", "\"a\" { // é {  ").replace("count=2", "count=2 { env { A \"1\"; }; }");
    assert_eq!(hints(&editor, &text, 0, 1), ["0:16 6 tasks, 6 GPUs, restart never"]);
    assert_eq!(hints(&editor, &text, 11, 12), ["11:41 1 CPU, 1536MiB, port 2222"]);
    assert_eq!(hints(&editor, &JOB.replace("count=3", "count="), 0, 99), [] as [&str; 0]);
}

/// The time depends on the visible lines, and not on the square of the number of roles.
#[test]
fn a_job_with_many_roles_has_hints() {
    let editor = Editor::new(&[]);
    let roles: String =
        (0..1_000).map(|number| format!("    role \"r{number}\" {{ run \"x\"; }}\n")).collect();
    let job =
        format!("job \"a\" {{\n    framework \"custom\"\n    resources cpus=1 memory=\"1GiB\"\n{roles}}}\n");
    let all = hints(&editor, &job, 0, 9_999);
    assert_eq!(all.len(), 1_001);
    let begun = std::time::Instant::now();
    for line in 0..20 {
        let params = json!({
            "textDocument": {"uri": Editor::uri("a.tfjob.kdl")},
            "range": {"start": {"line": 500 + line, "character": 0}, "end": {"line": 501 + line, "character": 0}},
        });
        let found = editor.request("textDocument/inlayHint", &params).expect("hints");
        assert_eq!(found.as_array().map(Vec::len), Some(1));
    }
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[test]
fn paths_are_links() {
    let editor = Editor::new(&[]);
    let links = |name: &str, text: &str| -> Vec<String> {
        editor.open(name, text);
        let params = json!({"textDocument": {"uri": Editor::uri(name)}});
        let found = editor.request("textDocument/documentLink", &params).expect("links");
        let shown = |link: &serde_json::Value| {
            let range = &link["range"];
            let target = link["target"].as_str().unwrap_or_default();
            format!(
                "{}:{}-{} {target}",
                range["start"]["line"], range["start"]["character"], range["end"]["character"]
            )
        };
        found.as_array().expect("a list").iter().map(shown).collect()
    };
    let job = "extends \"../base/é.tfjob.kdl\"\njob \"a\" {\n    code \"./src\"\n    data \"d\" \"./x y\"\n    files \"f\" \"gs://b/c\"\n    run \"./{param.x}\"\n}\n";
    assert_eq!(
        links("jobs/a.tfjob.kdl", job),
        ["0:9-28 file:///project/base/%C3%A9.tfjob.kdl", "2:10-15 file:///project/jobs/src",]
    );
    let project =
        "project {\n    environment \"x\" {\n        cluster \"clusters/east.cluster.kdl\"\n    }\n}\n";
    assert_eq!(links("tfjob.kdl", project), ["2:17-42 file:///project/clusters/east.cluster.kdl"]);
    let project =
        "project {\n    environment \"x\" {\n        specs \"a.tfjob.kdl\" \"!b.tfjob.kdl\"\n    }\n}\n";
    assert_eq!(
        links("tfjob.kdl", project),
        ["2:15-26 file:///project/a.tfjob.kdl", "2:29-41 file:///project/b.tfjob.kdl"]
    );
    let named = "job \"c\" {\n    env { cluster \"prod\"; extends \"x\"; }\n}\n";
    assert_eq!(links("c.tfjob.kdl", named), [] as [&str; 0], "names of variables");
    let named = "job: {name: d, env: {cluster: prod}}\n";
    assert_eq!(links("d.tfjob.yaml", named), [] as [&str; 0], "names of variables");
    assert_eq!(links("east.cluster.kdl", "cluster \"east\" target=\"yarn\" {\n}\n"), [] as [&str; 0]);
    assert_eq!(
        links("b.tfjob.yaml", "extends: \"a.tfjob.kdl\"\njob: {code: ./src}\n"),
        ["0:10-21 file:///project/a.tfjob.kdl", "1:12-17 file:///project/src",]
    );
    // Unfinished texts.
    assert_eq!(links("c.tfjob.kdl", "extends \"a.tf").len(), 1);
    assert_eq!(links("c.tfjob.kdl", "extends \"\"\nextends").len(), 0);
}
