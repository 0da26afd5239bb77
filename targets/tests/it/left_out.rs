//! If an `allow` accepts that a target does not support a secret, the artifacts do not contain the secret, and the report says so.
use crate::request::{analyze, request};
use tfjob_targets::ALL;

/// Forms of a secret, each with the variable of the program.
const SECRETS: [&str; 2] =
    ["secret \"TOKEN\" from=\"hf\" key=\"t\"", "secret \"TOKEN\" from=\"hf\" key=\"t\" at=\"/hf/t\""];

#[test]
fn an_accepted_secret_is_left_out_and_the_report_says_so() {
    let mut accepted = Vec::new();
    for secret in SECRETS {
        for target in ALL {
            let name = target.name();
            let options = match name {
                "yarn" => "target \"yarn\" { dns-domain \"example.com\"; }",
                "spark" => "target \"spark\" { master \"yarn\"; }",
                _ => "",
            };
            let text = format!(
                "job \"a\" {{ framework \"tensorflow\" version=\"2.15\"; image \"a/b:1\"; run \"python\" \"/a.py\"; role \"worker\"
                resources cpus=1 memory=\"1GiB\"; {secret}; {options}
                allow \"secret-env\" because=\"a\"; allow \"secret-file\" because=\"a\"; }}"
            );
            let found = analyze(&request(&text)).compile(*target);
            let told: Vec<_> =
                found.diagnostics.iter().filter(|d| d.code.name == "allowed-feature").collect();
            for told in &told {
                assert!(told.message.contains("the program does not get the "), "{name}: {}", told.message);
                assert_eq!(told.labels[0].text, "compiled without this secret", "{name}");
            }
            if told.is_empty() {
                continue;
            }
            accepted.push(name);
            let lowered = found.lowered.unwrap_or_else(|| panic!("{name}: {:?}", found.diagnostics));
            for artifact in &lowered.artifacts {
                assert!(!artifact.text.contains("TOKEN"), "{name}: {}", artifact.text);
            }
        }
    }
    assert_eq!(accepted, ["yarn", "spark", "yarn", "spark", "local"]);
}
