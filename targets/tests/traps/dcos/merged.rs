//! Patches that fit word by word, and make an app that Marathon refuses.
use super::{SCHEMA, marathon};
use crate::{Seen, Trap, rows};

const SOURCE: Seen = Seen::In("Marathon, AppDefinition's validation");

#[rustfmt::skip]
pub fn traps() -> Vec<Trap> {
    let row = |name, seen, does, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| marathon("", &format!("target \"dcos\" {{ patch \"{text}\" }}"));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "spark-dcos §3.6", seen, does, spec(falls), words, says, spec(neighbour))
    };
    rows("bad-patch", vec![
        row("the id of another app", SOURCE, "the app takes the other's place, or lies outside its group",
            "id: /mnist/ps-0", "is not the app of its task", "labels: {a: b}"),
        row("an operator that does not exist", SCHEMA, "refused: constraints have seven operators",
            "constraints: [[a, IS_NOT, b]]", "`IS_NOT` is no operator", "constraints: [[a, UNLIKE, b]]"),
        row("a constraint of one word", SCHEMA, "refused: a constraint has two or three words",
            "constraints: [[hostname]]", "has no operator", "constraints: [[hostname, UNIQUE]]"),
        row("a likeness to nothing", SOURCE, "refused: LIKE takes a pattern",
            "constraints: [[rack, LIKE]]", "has no value", "constraints: [[rack, LIKE, 'r[12]']]"),
        row("a dependency on nobody", SOURCE, "the app waits for ever",
            "dependencies: [/nosuch]", "is what `after` says", "labels: {a: c}"),
        row("a secret that is not there", SOURCE, "refused: the secret is not defined",
            "env: {A: {secret: key}}", "no secret of the app", "{env: {A: {secret: key}}, secrets: {key: {source: ml/key}}}"),
        row("a name for the host's network", SOURCE, "refused: only a network of containers has a name",
            "networks: [{mode: host, name: a}]", "has no name", "networks: [{mode: host}]"),
        row("offers of no role", SOURCE, "refused: the list has at least one role",
            "acceptedResourceRoles: []", "at least one role", "acceptedResourceRoles: [slave_public, '*']"),
        row("more health than whole", SCHEMA, "refused: a share of the tasks is no more than all of them",
            "upgradeStrategy: {minimumHealthCapacity: 3}", "from 0 to 1", "upgradeStrategy: {minimumHealthCapacity: 1}"),
    ])
}
