//! A help about the option `shim` suggests only properties that the target accepts.

use crate::request::{analyze, request};
use std::collections::BTreeSet;
use tfjob_driver::Request;
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_targets::ALL;

const PROPERTIES: [(&str, &str); 3] =
    [("path", "/opt/tfjob-shim"), ("url", "hdfs://default/apps/tfjob-shim"), ("image", "ml/shim:1.0")];

/// Values of the option in KDL, and the same in YAML. Each is wrong.
const WRONG: [(&str, &str); 9] = [
    ("\"/opt/tfjob-shim\"", "/opt/tfjob-shim"),
    ("\"hdfs://default/tfjob-shim\"", "hdfs://default/tfjob-shim"),
    ("\"ml/shim:1.0\"", "ml/shim:1.0"),
    ("pth=\"/opt/tfjob-shim\"", "{ pth: /opt/tfjob-shim }"),
    ("ulr=\"hdfs://default/tfjob-shim\"", "{ ulr: 'hdfs://default/tfjob-shim' }"),
    ("imgae=\"ml/shim:1.0\"", "{ imgae: 'ml/shim:1.0' }"),
    ("xyz=\"/opt/tfjob-shim\"", "{ xyz: /opt/tfjob-shim }"),
    ("3", "3"),
    ("", "{}"),
];

fn kdl(target: &str, shim: &str) -> String {
    let more = match target {
        "dcos" => "as \"marathon\";",
        "spark" => "master \"yarn\";",
        _ => "",
    };
    format!(
        "job \"a\" {{\n    framework \"tensorflow\" version=\"2.15\"\n    image \"a:1\"\n    run \"a\"\n    resources cpus=1 memory=\"1GiB\"\n    \
         role \"worker\"\n    target \"{target}\" {{ {more} shim {shim}; }}\n}}\n"
    )
}

fn yaml(target: &str, shim: &str) -> String {
    let more = match target {
        "dcos" => "as: marathon, ",
        "spark" => "master: yarn, ",
        _ => "",
    };
    format!(
        "job:\n  name: a\n  framework: {{ name: tensorflow, version: '2.15' }}\n  image: a:1\n  run: [a]\n  resources: {{ cpus: 1, memory: 1GiB }}\n  \
         role: {{ worker: {{}} }}\n  target: {{ {target}: {{ {more}shim: {shim} }} }}\n"
    )
}

/// Returns the findings of the language, and those of the target.
fn findings(request: &Request<'_>, target: &str) -> Vec<Diagnostic> {
    let analysis = analyze(request);
    let target = ALL.iter().find(|one| one.name() == target).expect("a target");
    let found = analysis.check(*target).diagnostics;
    analysis.diagnostics.iter().cloned().chain(found).collect()
}

#[test]
fn a_help_about_the_shim_suggests_only_what_the_target_accepts() {
    let mut wrong = Vec::new();
    for target in ["yarn", "kubernetes", "dcos", "spark"] {
        let refused: BTreeSet<&str> = PROPERTIES
            .iter()
            .filter(|(name, value)| {
                let text = kdl(target, &format!("{name}=\"{value}\""));
                let no = format!("`{name}` of `shim` is not supported");
                findings(&request(&text), target).iter().any(|found| found.message.contains(&no))
            })
            .map(|(name, _)| *name)
            .collect();
        assert!(!refused.is_empty() && refused.len() < 3, "{target}: {refused:?}");
        for (in_kdl, in_yaml) in WRONG {
            let texts = [("job.tfjob.kdl", kdl(target, in_kdl)), ("job.tfjob.yaml", yaml(target, in_yaml))];
            for (file, text) in texts {
                let found = findings(&Request::new(file, &text), target);
                assert!(!found.is_empty(), "{target}: {text}");
                for finding in found {
                    let fixes = finding.fixes.iter().map(|fix| fix.title.clone());
                    let told: Vec<String> = finding.help.clone().into_iter().chain(fixes).collect();
                    let told = told.join("\n");
                    let offers = |name: &&&str| {
                        [format!("`{name}`"), format!("{name}="), format!("{{ {name}:")]
                            .iter()
                            .any(|form| told.contains(form))
                    };
                    wrong.extend(
                        refused
                            .iter()
                            .find(offers)
                            .map(|name| format!("{target}: {file}: {in_kdl}: {name}: {told}")),
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} helps:\n{}", wrong.len(), wrong.join("\n"));
}
