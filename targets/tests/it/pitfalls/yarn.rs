//! Pitfalls of YARN. Each wrong spec is reported, and a similar correct spec compiles.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod construction;
mod files;
mod life;
mod merged;
mod options;
mod patches;
mod quoting;
mod table;
pub mod undone;
mod warnings;

use super::{Seen, analyzed, compiled, holds};
pub use construction::impossible;
use serde_json::Value;
pub use table::pitfalls;
use tfjob_lang::lowered::Lowered;

/// Observed on the ResourceManager, the NodeManager, the service master, and the client of this release.
const HADOOP: Seen = Seen::On("Hadoop 3.4.2");

#[test]
fn each_is_told_and_its_neighbour_compiles() {
    holds("yarn", &pitfalls());
}

/// Returns a spec of one worker with an image. The arguments are inserted into the job, the role, and the target block.
pub fn one(job: &str, role: &str, block: &str) -> String {
    format!(
        r#"job "mnist" {{
    framework "tensorflow" version="2.15"
    image "ml/mnist:1.0"
    {job}
    role "worker" {{
        run "python" "train.py"
        resources cpus=1 memory="4GiB"
        {role}
    }}
    target "yarn" {{
        {block}
    }}
}}
"#
    )
}

/// Returns a spec of one worker without an image.
pub fn bare(job: &str, role: &str, block: &str) -> String {
    one(job, role, block).replace("    image \"ml/mnist:1.0\"\n", "")
}

/// Returns a spec with a chief, two workers, and a parameter server; the target block sets `dns-domain`.
pub fn many(job: &str, worker: &str, block: &str) -> String {
    format!(
        r#"job "ctr" {{
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/ctr:1.0"
    network "overlay"
    run "python" "train.py"
    resources cpus=1 memory="4GiB"
    {job}
    role "chief"
    role "worker" count=2 {{
        {worker}
    }}
    role "ps"
    target "yarn" {{
        dns-domain "cluster"
        {block}
    }}
}}
"#
    )
}

/// Compiles a valid spec.
pub fn lowered(text: &str) -> Lowered {
    let (errors, lowered) = compiled(&analyzed(text), "yarn");
    lowered.unwrap_or_else(|| panic!("{errors:#?}\n{text}"))
}

/// Returns the Yarnfile of a valid spec.
pub fn yarnfile(text: &str) -> Value {
    serde_json::from_str(&lowered(text).artifacts[0].text).unwrap()
}

/// Returns the named component from the Yarnfile of a valid spec.
pub fn component(text: &str, name: &str) -> Value {
    let all = yarnfile(text);
    let found = all["components"].as_array().unwrap().iter().find(|c| c["name"] == name);
    found.unwrap_or_else(|| panic!("no component {name}: {all:#}")).clone()
}
