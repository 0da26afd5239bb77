//! If a target needs an option that is not set, the finding marks the block of the target, where the option belongs.
use crate::request::{analyze, request};
use tfjob_targets::REGISTRY;

/// Parts of a job that need the domain of the registry DNS.
const NEEDS: [&str; 3] = [
    "role \"worker\" count=2",
    "role \"worker\"; port \"web\" 80 link=\"Web\"",
    "role \"worker\" { env { A \"{address}\"; }; }",
];

#[test]
fn a_missing_option_is_reported_at_the_block_of_its_target() {
    let yarn = REGISTRY.target("yarn").unwrap();
    for part in NEEDS {
        let job = |block: &str| {
            format!(
                "job \"a\" {{ framework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"; image \"a/b:1\"; run \"python\" \"/a.py\"
                resources cpus=1 memory=\"1GiB\"; {part}; {block} }}"
            )
        };
        let found = |block: &str| {
            let text = job(block);
            let analysis = analyze(&request(&text));
            let all = analysis.compile(yarn).diagnostics;
            let mut needing = all.iter().filter(|found| found.message.contains("`dns-domain`"));
            let Some(found) = needing.next() else { panic!("{part}: {:?} {all:?}", analysis.diagnostics) };
            let marked = found.labels.iter().map(|label| analysis.sources.slice(label.span).to_owned());
            (marked.collect::<Vec<_>>(), found.fixes.len())
        };
        let (marked, fixes) = found("target \"yarn\"");
        assert_eq!((marked[0].as_str(), marked.len(), fixes), ("\"yarn\"", 2, 1), "{part}");
        // Without a block, the finding marks the line that needs the option.
        assert_eq!(found("").0, marked[1..], "{part}");
    }
}
