//! A program gets the path of a directory of the node that no target mounts, and not its `file:` URI. Python's
//! `os.makedirs("file:///srv/ck")` would create a directory named `file:` in the working directory.

use crate::request::{analyze, request};
use tfjob_targets::ALL;

#[test]
fn a_program_of_any_framework_is_told_the_path_of_a_directory_of_the_node() {
    let frameworks = [
        ("tensorflow\" version=\"2.15\" strategy=\"single", "worker"),
        ("pytorch", "master"),
        ("horovod", "worker"),
        ("xgboost", "master"),
        ("custom", "worker"),
        ("caffe", "worker"),
    ];
    for (framework, role) in frameworks {
        for target in ALL.iter().filter(|target| ["local", "yarn", "dcos"].contains(&target.name())) {
            for command in [
                "run \"./a\" \"{checkpoints}\" \"{data.d}\"",
                "shell \"./a $TFJOB_CHECKPOINTS $TFJOB_DATA_D\"",
            ] {
                let text = format!(
                    "job \"a\" {{
framework \"{framework}\"
checkpoints \"file:///srv/ck\"
data \"d\" \"file:///srv/d\"
role \"{role}\" {{ {command}; resources cpus=1 memory=\"1GiB\"; }}
target \"yarn\" {{ hadoop \"3.3.6\"; }}
}}
"
                );
                let compiled = analyze(&request(&text)).compile(*target);
                let Some(lowered) = compiled.lowered else {
                    panic!("{} {text}{:#?}", target.name(), compiled.diagnostics)
                };
                let contract = lowered.contract.as_ref().map(|(contract, _)| contract.write());
                let written: String = lowered
                    .artifacts
                    .iter()
                    .map(|artifact| artifact.text.as_str())
                    .chain(contract.as_deref())
                    .collect();
                for path in ["/srv/ck", "/srv/d"] {
                    let told = (written.contains(&format!("file://{path}")), written.contains(path));
                    assert_eq!(told, (false, true), "{} {path} {text}{written}", target.name());
                }
            }
        }
    }
}
