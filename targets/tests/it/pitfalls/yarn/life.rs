//! Start and stop of tasks: signals, start order, and the code that they start with.
use super::{bare, component, lowered, many, one};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tfjob_lang::lowered::Phase;

/// Without an image, the NodeManager sends SIGTERM to the whole process group.
pub fn a_shell_with_a_grace_hears_of_its_end() {
    let shell =
        |text: String| text.replace("run \"python\" \"train.py\"", "shell \"python a.py\\npython b.py\"");
    let script = |text: String| {
        text.replace("run \"python\" \"train.py\"", "run \"/srv/entry.sh\" \"python\" \"train.py\"")
    };
    let grace = "stop grace=\"60s\"";
    for (text, shim) in [
        (shell(one(grace, "", "hadoop \"3.2\"; kill-delay \"60s\"")), true),
        (shell(bare(grace, "", "kill-delay \"60s\"")), false),
        (shell(one("", "", "")), false),
        (one(grace, "", "hadoop \"3.2\"; kill-delay \"60s\""), false),
        (script(one(grace, "", "hadoop \"3.2\"; kill-delay \"60s\"")), true),
        (script(bare(grace, "", "kill-delay \"60s\"")), false),
        (script(one("", "", "")), false),
    ] {
        let launch = component(&text, "worker")["launch_command"].to_string();
        assert_eq!(launch.contains("tfjob-shim"), shim, "{text}\n{launch}");
    }
}

/// Returns the dependencies of the components, and the start order in the contract of the shim, by the role that waits.
fn order(text: &str) -> Vec<(String, Value, Value)> {
    let contract = lowered(text).contract.unwrap().0;
    let contract: Value = serde_json::from_str(&contract.write()).unwrap();
    let roles = contract["roles"].as_array().unwrap().iter();
    let named =
        roles.map(|role| (role["name"].as_str().unwrap().to_owned(), role["duties"]["after"].clone()));
    named
        .map(|(name, after)| {
            let dependencies = component(text, &name)["dependencies"].clone();
            (name, dependencies, after)
        })
        .filter(|(_, dependencies, after)| dependencies[0].is_string() || after.is_array())
        .collect()
}

pub fn a_role_that_looks_for_names_holds_nobody_back() {
    let ready = |text: String| {
        text.replace("role \"ps\"", "role \"ps\" { port \"web\" 8080; ready http=\"web/ok\"; }")
    };
    let helper = |after: &str| format!("helper \"prepare\" {{ {after} }}");
    let job =
        |words: &str, first: &str| ready(many(words, &format!("after \"{first}\""), "hadoop \"3.4.2\""));
    let timeout = "start timeout=\"5m\"";
    let all = |order: Vec<(String, Value, Value)>| {
        let one = |(name, dependency, after): (String, Value, Value)| match &dependency[0] {
            Value::String(first) => format!("{name} depends on {first}"),
            _ => format!("{name} waits for {} {}", after[0]["role"], after[0]["when"]),
        };
        order.into_iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(all(order(&job("", "ps"))), ["worker depends on ps"]);
    let text = job(timeout, "ps");
    assert_eq!(all(order(&text)), ["worker waits for \"ps\" \"ready\""]);
    let contract = lowered(&text).contract.unwrap().0.write();
    assert!(contract.contains("/ok"), "the shim looks where the master would: {contract}");
    // A helper waits for no DNS names, unless it starts after a role that waits for the names of its peers.
    assert_eq!(
        all(order(&job(&format!("{timeout}; {}", helper("")), "prepare"))),
        ["worker depends on prepare"]
    );
    assert_eq!(
        all(order(&job(&format!("{timeout}; {}", helper("restart \"always\"; after \"ps\"")), "prepare"))),
        ["worker waits for \"prepare\" \"ready\"", "prepare waits for \"ps\" \"ready\""]
    );
}

fn run(program: &str, words: &[&str], within: &Path) -> Output {
    let done = Command::new(program).args(words).current_dir(within).output().unwrap();
    assert!(done.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&done.stderr));
    done
}

pub fn code_of_git_arrives_whole() {
    let folder = std::env::temp_dir().join(format!("tfjob-git-{}", std::process::id()));
    let source = folder.join("source");
    std::fs::create_dir_all(source.join("data")).unwrap();
    let program = "v = \"$Format:%H$\"\n";
    let attributes = "data export-ignore\ntrain.py export-subst\n";
    for (name, text) in [("train.py", program), ("data/a", "a"), (".gitattributes", attributes)] {
        std::fs::write(source.join(name), text).unwrap();
    }
    run("git", &["init", "--quiet"], &source);
    run("git", &["add", "."], &source);
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    run("git", &[&who[..], &["commit", "--quiet", "--message", "a"]].concat(), &source);
    let text = one("code \"git+https://h/a.git\" ref=\"HEAD\"", "", "");
    let mut packed = None;
    for step in lowered(&text).steps.into_iter().filter(|step| step.phase == Phase::Before) {
        let words = step.words(folder.to_str().unwrap(), "mnist.tfjob.kdl");
        let words: Vec<_> =
            words.iter().map(|word| word.replace("https://h/a.git", source.to_str().unwrap())).collect();
        if ["git", "sh"].contains(&words[0].as_str()) {
            run(&words[0], &words[1..].iter().map(String::as_str).collect::<Vec<_>>(), &folder);
            packed = Some(folder.join("tfjob-code.tar.gz"));
        }
    }
    let packed = packed.unwrap();
    let listed = run("tar", &["-tzf", packed.to_str().unwrap()], &folder).stdout;
    assert_eq!(String::from_utf8(listed).unwrap(), ".gitattributes\ndata/\ndata/a\ntrain.py\n");
    let train = run("tar", &["-xzOf", packed.to_str().unwrap(), "train.py"], &folder).stdout;
    assert_eq!(String::from_utf8(train).unwrap(), program);
    std::fs::remove_dir_all(folder).unwrap();
}
