//! Patches that fit word by word, and make a service that the engine refuses or misreads.
use super::{HADOOP, one};
use crate::{Seen, Trap, rows};

const SOURCE: Seen = Seen::In("PlacementConstraint, target tags of other components");

#[rustfmt::skip]
pub fn traps() -> Vec<Trap> {
    let row = |name, fact, seen, does, falls: &str, says, neighbour: &str, block: &str| {
        let spec = |text: &str| one("", &format!("place {{ spread \"rack\" }}\ntarget \"yarn\" {{ patch \"{text}\" }}"), block)
            .replace(if block.is_empty() { "place { spread \"rack\" }" } else { "\0" }, "");
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, fact, seen, does, spec(falls), words, says, spec(neighbour))
    };
    let service = |name, does, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| one("", "", &format!("patch \"{text}\""));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "yarn-observed §3", HADOOP, does, spec(falls), words, says, spec(neighbour))
    };
    let posted = "placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"";
    rows("bad-patch", vec![
        row("a component's other name", "yarn-observed §3", HADOOP, "a capital is refused, and by another name nobody finds its tasks",
            "name: Boss", "the spec's own", "run_privileged_container: false", ""),
        row("a dependency on nobody", "yarn-observed §3", HADOOP, "refused: does not exist as a component; between services the master waits for ever",
            "dependencies: [nosuch]", "is what `after` says", "run_privileged_container: false", ""),
        row("an image without a name", "yarn-observed §3", HADOOP, "refused: the artifact's id is empty",
            "artifact: {id: ''}", "has no id", "artifact: {id: 'ml/a:2'}", ""),
        row("a constraint that is launched after all", "yarn-observed §1", HADOOP, "the client writes the scope so that the server refuses it",
            "placement_policy: {constraints: [{type: ANTI_AFFINITY, scope: NODE, target_tags: [worker]}]}", "would be launched", "run_privileged_container: false", ""),
        row("a place beside another component", "§5, trap 18", SOURCE, "tags of another component name nothing, and nothing says so",
            "placement_policy: {constraints: [{type: AFFINITY, scope: NODE, target_tags: [nosuch]}]}", "its own tasks only",
            "placement_policy: {constraints: [{type: ANTI_AFFINITY, scope: NODE, target_tags: [worker]}]}", posted),
        row("a file from nowhere", "yarn-observed §3", HADOOP, "refused: a file that is copied has a source, and no properties",
            "configuration: {files: [{type: STATIC, dest_file: a}]}", "takes a `src_file`", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}]}", ""),
        service("a component that is no role", "refused, or run without a program", "components: [{name: boss}]", "no role of the job", "components: [{name: worker, run_privileged_container: false}]"),
        service("a patch's queue with a blank", "refused at submission: an unknown queue", "queue: a b", "no name of a queue", "queue: a.b"),
    ])
}
