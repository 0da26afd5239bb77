//! Compiled preview, and places in both directions.
use crate::editor::Editor;
use lsp_types::Position;
use serde_json::{Value, json};

const JOB: &str = "job \"é😀\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    resources cpus=1 memory=\"3GiB\"
    image \"registry/team/a:1\"
    env { API_TOKEN \"a1b2c3d4e5f6a7b8\"; }
    role \"worker\" count=2 { run \"python\" \"/a.py\"; }
    target \"kubernetes\" {}
}
";

fn job() -> String {
    JOB.replace("é😀", "a")
}

fn compiled(editor: &Editor, target: &str) -> Value {
    let params = json!({"uri": Editor::uri("a.tfjob.kdl"), "target": target});
    editor.request("tfjob/compiled", &params).expect("a preview")
}

#[test]
fn the_preview_follows_edits_and_masks_credentials() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", &job());
    let text = compiled(&editor, "kubernetes").to_string();
    assert!(text.contains("replicas: 2") && !text.contains("a1b2c3d4e5f6a7b8"), "{text}");
    editor.replace("a.tfjob.kdl", &job().replace("count=2", "count=5"));
    assert!(compiled(&editor, "kubernetes").to_string().contains("replicas: 5"));
    assert!(text.contains("submit.sh") && text.contains("submit\\n"), "{text}");
    assert_eq!(compiled(&editor, "kubernetes")["environments"], json!([]));
    // Another target than the configured one.
    assert!(!compiled(&editor, "local")["files"].as_array().expect("files").is_empty());
}

#[test]
fn a_refused_spec_has_errors_instead_of_files() {
    let editor = Editor::new(&[]);
    editor.open("a.tfjob.kdl", &job().replace("image \"registry/team/a:1\"", ""));
    let preview = compiled(&editor, "kubernetes");
    assert_eq!(preview["files"], json!([]));
    let errors = preview["errors"].to_string();
    assert!(errors.contains("image") && errors.contains("(a.tfjob.kdl:"), "{errors}");
    let report = preview["report"].as_str().expect("a text");
    assert!(report.starts_with("error: ") && report.contains("\n  help: "), "{report}");
    let unknown = json!({"uri": Editor::uri("a.tfjob.kdl"), "target": "kubernets"});
    let told = editor.request("tfjob/compiled", &unknown).expect_err("an error");
    assert_eq!(told, "unknown target `kubernets`; did you mean `kubernetes`?");
    let closed = json!({"uri": Editor::uri("b.tfjob.kdl"), "target": "kubernetes"});
    assert!(editor.request("tfjob/compiled", &closed).is_err());
}

#[test]
fn the_targets_are_listed_with_those_of_the_spec() {
    let base = "job {\n    target \"yarn\" { hadoop \"3.4\"; }\n}\n";
    let editor = Editor::new(&[("base.tfjob.kdl", base)]);
    let targets = |text: &str| {
        editor.open("a.tfjob.kdl", text);
        let params = json!({"uri": Editor::uri("a.tfjob.kdl")});
        let all = editor.request("tfjob/targets", &params).expect("targets");
        let all = all.as_array().expect("a list").clone();
        assert!(all.iter().all(|one| one["description"].as_str().is_some_and(|text| text.len() > 9)));
        let configured = all.iter().filter(|one| one["configured"] == true);
        let configured: Vec<String> =
            configured.filter_map(|one| Some(one["name"].as_str()?.to_owned())).collect();
        (all.len(), configured)
    };
    let count = tfjob_targets::REGISTRY.targets.len();
    assert_eq!(targets(&job()), (count, vec!["kubernetes".to_owned()]));
    let of_base = targets(&format!("extends \"base.tfjob.kdl\"\n{}", job()));
    assert_eq!(of_base, (count, vec!["yarn".to_owned(), "kubernetes".to_owned()]));
    // A text with errors.
    assert_eq!(targets("job \"a\" { target \"yarn\" { hadoop "), (count, vec!["yarn".to_owned()]));
    let closed = json!({"uri": Editor::uri("b.tfjob.kdl")});
    assert!(editor.request("tfjob/targets", &closed).is_err());
}

#[test]
fn the_targets_of_each_environment_and_the_strategies_are_listed() {
    let project = "project {\n    environment \"staging\" { target \"kubernetes\"; }\n    environment \"prod\" { target \"yarn\"; }\n}\n";
    let editor = Editor::new(&[("tfjob.kdl", project)]);
    editor.open("a.tfjob.kdl", &job());
    let params = json!({"uri": Editor::uri("a.tfjob.kdl")});
    let all = editor.request("tfjob/targets", &params).expect("targets");
    let of = |name: &str| {
        let all = all.as_array().expect("a list");
        all.iter().find(|one| one["name"] == name).expect(name)["environments"].clone()
    };
    assert_eq!((of("kubernetes"), of("yarn"), of("spark")), (json!(["staging"]), json!(["prod"]), json!([])));
    let strategies = editor.request("tfjob/strategies", &json!({})).expect("strategies");
    let names: Vec<&str> =
        strategies.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    let known: Vec<&str> = tfjob_lang::spec::StrategyName::ALL.iter().map(|one| one.keyword()).collect();
    assert_eq!(names, known);
}

/// Returns the text at a range of an artifact.
fn slice(text: &str, range: &Value) -> String {
    let at = |end: &str, what: &str| range[end][what].as_u64().expect("a number") as usize;
    let lines: Vec<&str> = text.split('\n').collect();
    let (from, to) = (at("start", "line"), at("end", "line"));
    if from == to {
        return lines[from][at("start", "character")..at("end", "character")].to_owned();
    }
    lines[from..=to].join("\n")
}

#[test]
fn places_lead_from_the_spec_to_the_artifact_and_back() {
    let editor = Editor::new(&[]);
    for (marked, wanted) in [
        ("count=$02", "replicas: 2"),
        ("coun$0t=2", "replicas: 2"),
        ("image \"registry/$0team/a:1\"", "image: registry/team/a:1"),
        ("memory=\"3G$0iB\"", "memory: "),
        ("API_TOKEN \"a1b2$0", "***"),
    ] {
        let text = marked.replace("$0", "");
        let text = job().replacen(&text, marked, 1);
        assert!(text.contains("$0"), "{marked}");
        let position = editor.open("a.tfjob.kdl", &text);
        let uri = Editor::uri("a.tfjob.kdl");
        let params = json!({"uri": uri, "target": "kubernetes", "position": position});
        let places = editor.request("tfjob/locate", &params).expect("places");
        let files = compiled(&editor, "kubernetes")["files"].clone();
        let content = |path: &Value| {
            let mut files = files.as_array().expect("files").iter();
            files
                .find(|file| file["path"] == *path)
                .and_then(|file| file["text"].as_str())
                .expect("a file")
                .to_owned()
        };
        let found: Vec<String> = places
            .as_array()
            .expect("places")
            .iter()
            .map(|place| slice(&content(&place["path"]), &place["range"]))
            .collect();
        assert!(found.iter().any(|one| one.contains(wanted)), "{marked}: {found:?}");
        let first = &places[0];
        let back = json!({"uri": uri, "target": "kubernetes", "path": first["path"], "position": first["range"]["start"]});
        let back = editor.request("tfjob/locate", &back).expect("a place");
        assert_eq!(back[0]["range"]["start"]["line"], json!(position.line), "{marked}: {back}");
    }
    // Comments and empty lines mean nothing.
    editor.open("a.tfjob.kdl", &format!("\n{}", job()));
    let params =
        json!({"uri": Editor::uri("a.tfjob.kdl"), "target": "kubernetes", "position": Position::new(0, 0)});
    assert_eq!(editor.request("tfjob/locate", &params), Ok(json!([])));
}

/// Values that only the shim reads are in the job contract, and parameters of a script are variables.
#[test]
fn values_of_the_job_contract_have_places() {
    let spec = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"
    resources cpus=1 memory=\"3GiB\"
    image \"registry/team/a:1\"
    param \"lr\" 0.1
    shell \"exec python a.py\"
    role \"chief\" { after \"worker\" when=\"ready\"; }
    role \"worker\" count=2
    role \"ps\"
    target \"kubernetes\" {}
    target \"local\"
}
";
    let editor = Editor::new(&[]);
    for target in ["kubernetes", "local"] {
        for (marked, wanted) in [
            ("a$0fter \"worker\" when=\"ready\"", "\"when\""),
            ("after \"wor$0ker\" when=\"ready\"", "\"when\""),
            ("after \"worker\" when=\"re$0ady\"", "\"when\""),
            ("para$0m \"lr\" 0.1", "TFJOB_PARAM_LR"),
            ("param \"l$0r\" 0.1", "TFJOB_PARAM_LR"),
            ("param \"lr\" 0.$01", "TFJOB_PARAM_LR"),
        ] {
            let position = editor.open("a.tfjob.kdl", &spec.replacen(&marked.replace("$0", ""), marked, 1));
            let uri = Editor::uri("a.tfjob.kdl");
            let params = json!({"uri": uri, "target": target, "position": position});
            let places = editor.request("tfjob/locate", &params).expect("places");
            let all = compiled(&editor, target)["files"].clone();
            let all = all.as_array().expect("files");
            let text =
                |path: &Value| all.iter().find(|file| file["path"] == *path).map(|file| file["text"].clone());
            let place = |place: &Value| slice(text(&place["path"])?.as_str()?, &place["range"]).into();
            let found: Vec<String> = places.as_array().expect("places").iter().filter_map(place).collect();
            assert!(found.iter().any(|one| one.contains(wanted)), "{target} {marked}: {found:?}");
        }
    }
}

/// Short values are found by the keys of their arguments, and a value is not found in the key of another one.
#[test]
fn the_arguments_of_a_script_lead_to_their_options() {
    let spec = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    image \"r/a:1\"
    run \"/opt/x.py\"
    role \"worker\" count=2 { resources cpus=4 memory=\"3GiB\"; }
    target \"spark\" { master \"yarn\"; queue \"q2\"; conf { \"spark.x.y\" \"z\"; }; }
}
";
    let editor = Editor::new(&[]);
    for (word, wanted) in [
        ("\"yarn\"", "--master yarn"),
        ("\"q2\"", "spark.yarn.queue=q2"),
        ("\"z\"", "spark.x.y=z"),
        ("4 memory", "spark.executor.cores=4"),
    ] {
        let marked = spec.replacen(word, &format!("{}$0{}", &word[..1], &word[1..]), 1);
        let position = editor.open("a.tfjob.kdl", &marked);
        let uri = Editor::uri("a.tfjob.kdl");
        let params = json!({"uri": uri, "target": "spark", "position": position});
        let places = editor.request("tfjob/locate", &params).expect("places");
        let files = compiled(&editor, "spark")["files"].clone();
        let script = files.as_array().and_then(|all| all.iter().find(|file| file["path"] == "submit.sh"));
        let script = script.and_then(|file| file["text"].as_str()).expect("the script");
        let own = places.as_array().expect("places").iter().filter(|place| place["path"] == "submit.sh");
        let found: Vec<String> = own.clone().map(|place| slice(script, &place["range"])).collect();
        assert!(found.iter().any(|one| one == wanted), "{word}: {found:?}");
        assert!(word != "\"yarn\"" || found.len() == 1, "{found:?}");
        for place in own {
            let back = json!({"uri": uri, "target": "spark", "path": "submit.sh", "position": place["range"]["start"]});
            let back = editor.request("tfjob/locate", &back).expect("a place");
            assert_eq!(back[0]["range"]["start"]["line"], json!(position.line), "{word}: {back}");
        }
    }
}

/// The origin of a variable is its name.
#[test]
fn the_value_of_an_entry_in_one_line_leads_to_this_entry() {
    let kdl = "job \"a\" {
    framework \"custom\"
    resources cpus=1 memory=\"3GiB\"
    image \"registry/team/a:1\"
    run \"/x\"
    labels { team \"ads\"; cost \"42\"; }
    role \"worker\" { env { AA \"first\"; BB \"second\"; }; after \"x\"; }
    target \"yarn\"
    target \"kubernetes\"
}
";
    let yaml = "job:\n  name: a\n  framework: custom\n  resources: {cpus: 1, memory: 3GiB}\n  image: registry/team/a:1\n  run: [/x]\n  labels: {team: ads, cost: \"42\"}\n  role: {worker: {env: {AA: first, BB: second}}}\n  target: {yarn: {}, kubernetes: {}}\n";
    let kdl = kdl.replace(" after \"x\";", "");
    let editor = Editor::new(&[]);
    for (name, spec) in [("a.tfjob.kdl", kdl.as_str()), ("a.tfjob.yaml", yaml)] {
        for target in ["kubernetes", "yarn"] {
            for (word, wanted) in
                [("first", "first"), ("second", "second"), ("ads", "ads"), ("AA", "AA"), ("cost", "42")]
            {
                if target == "yarn" && matches!(wanted, "ads" | "42") {
                    continue;
                }
                let position =
                    editor.open(name, &spec.replacen(word, &format!("{}$0{}", &word[..1], &word[1..]), 1));
                let params = json!({"uri": Editor::uri(name), "target": target, "position": position});
                let places = editor.request("tfjob/locate", &params).expect("places");
                let of_target = json!({"uri": Editor::uri(name), "target": target});
                let all = editor.request("tfjob/compiled", &of_target).expect("a preview")["files"].clone();
                let text = |path: &Value| {
                    all.as_array()?.iter().find(|file| file["path"] == *path)?["text"]
                        .as_str()
                        .map(str::to_owned)
                };
                let first = &places[0];
                let lines =
                    text(&first["path"]).map(|text| slice(&text, &first["range"])).unwrap_or_default();
                assert!(lines.contains(wanted), "{name} {target} {word}: {lines}");
            }
        }
    }
}

/// Editors scroll to the first place.
#[test]
fn a_value_of_the_platform_is_found_there_and_not_in_the_contract() {
    let spec = "job \"a\" {
    framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"
    run \"python\" \"a.py\"
    role \"worker\" count=4$0 { resources cpus=2 memory=\"3GiB\"; }
    target \"yarn\" { dns-domain \"y\"; }
}
";
    let editor = Editor::new(&[]);
    let position = editor.open("a.tfjob.kdl", spec);
    let params = json!({"uri": Editor::uri("a.tfjob.kdl"), "target": "yarn", "position": position});
    let places = editor.request("tfjob/locate", &params).expect("places");
    let all = compiled(&editor, "yarn")["files"].clone();
    let text = |path: &Value| {
        all.as_array()?.iter().find(|file| file["path"] == *path)?["text"].as_str().map(str::to_owned)
    };
    let found: Vec<String> = places
        .as_array()
        .expect("places")
        .iter()
        .filter_map(|place| Some(slice(&text(&place["path"])?, &place["range"])))
        .collect();
    assert!(found[0].starts_with("\"number_of_containers\": 4"), "{found:?}");
    assert!(!found.iter().any(|one| one.contains("framework")), "the contract: {found:?}");
}

#[test]
fn a_report_has_short_lines_and_whole_edits() {
    let editor = Editor::new(&[]);
    let limited = "    restart \"on-failure\" limit=3 within=\"1h30m\"\n    image";
    editor.open("a.tfjob.kdl", &job().replacen("    image", limited, 1));
    let preview = compiled(&editor, "kubernetes");
    let report = preview["report"].as_str().expect("a text");
    assert!(report.lines().count() > 4, "{report}");
    for line in report.lines() {
        assert!(line.len() <= 76 || line.contains('`'), "{line}");
        assert!(line.matches('`').count() % 2 == 0, "{line}");
    }
}
