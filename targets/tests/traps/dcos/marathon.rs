//! Trap by trap: Marathon's apps.
use super::{REFUSED, marathon, two, workers};
use crate::Trap;

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn traps() -> Vec<Trap> {
    vec![
        Trap {
            name: "the end of a path may not be a word of Marathon's API",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "").replace("\"mnist\" {", "\"tasks\" {"), &[(REFUSED, "\"tasks\"")]),
            stands: marathon("", ""),
        },
        Trap {
            name: "a folder of services is a path of labels",
            fact: "spark-dcos §3.6",
            falls: (marathon("target \"dcos\" { group \"/ML_1\" }", ""), &[("bad-option", "\"/ML_1\"")]),
            stands: marathon("target \"dcos\" { group \"/ml-1\" }", ""),
        },
        Trap {
            name: "a port that no agent offers is waited for without end",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "port \"web\" 8080"), &[(REFUSED, "8080")]),
            stands: marathon("", "port \"web\" 8090"),
        },
        Trap {
            name: "peers cannot know a port that Marathon picks",
            fact: "spark-dcos §3.6",
            falls: (workers("", "port \"cluster\" \"auto\""), &[(REFUSED, "\"auto\"")]),
            stands: workers("", "port \"cluster\" 2300"),
        },
        Trap {
            name: "UNIQUE counts the tasks of one app, and each task is its own",
            fact: "spark-dcos §3.6",
            falls: (workers("network \"dcos\"", "place { spread \"host\" }"), &[(REFUSED, "\"host\"")]),
            stands: workers("network \"host\"", "place { spread \"host\" }"),
        },
        Trap {
            name: "every archive is unpacked into the one sandbox",
            fact: "Mesos, launcher/fetcher.cpp",
            falls: (
                marathon(
                    "code \"https://f.example.com/a.zip\"\n stage \"venv\" \"https://f.example.com/b.zip\"",
                    "",
                ),
                &[(REFUSED, "\"https://f.example.com/b.zip\"")],
            ),
            stands: marathon(
                "code \"https://f.example.com/a.zip\"\n stage \"venv\" \"https://f.example.com/b.tgz\"",
                "",
            ),
        },
        Trap {
            name: "what has no known end is copied and not unpacked, in silence",
            fact: "Mesos, launcher/fetcher.cpp",
            falls: (
                marathon("code \"https://f.example.com/code\"", ""),
                &[(REFUSED, "\"https://f.example.com/code\"")],
            ),
            stands: marathon("code \"https://f.example.com/code.zip?version=3\"", ""),
        },
        Trap {
            name: "nothing is copied from the one who submits",
            fact: "spark-dcos §3.6",
            falls: (marathon("code \"./code.zip\"", ""), &[(REFUSED, "\"./code.zip\"")]),
            stands: marathon("code \"https://f.example.com/code.zip\"", ""),
        },
        Trap {
            name: "secrets are not in the open edition",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "secret \"TOKEN\" from=\"token\""), &[(REFUSED, "\"TOKEN\"")]),
            stands: marathon("target \"dcos\" { enterprise #true }", "secret \"TOKEN\" from=\"token\""),
        },
        Trap {
            name: "a secret's folder says which services may read it",
            fact: "spark-dcos §3.6",
            falls: (
                marathon("target \"dcos\" { enterprise #true }", "secret \"TOKEN\" from=\"ml/token\""),
                &[(REFUSED, "\"TOKEN\"")],
            ),
            stands: marathon(
                "target \"dcos\" { enterprise #true; group \"/ml\" }",
                "secret \"TOKEN\" from=\"ml/token\"",
            ),
        },
        Trap {
            name: "a secret holds one value",
            fact: "spark-dcos §3.6",
            falls: (
                marathon(
                    "target \"dcos\" { enterprise #true }",
                    "secret \"TOKEN\" from=\"store\" key=\"token\"",
                ),
                &[(REFUSED, "\"TOKEN\"")],
            ),
            stands: marathon(
                "target \"dcos\" { enterprise #true }",
                "secret \"TOKEN\" from=\"token\" at=\"/run/token\"",
            ),
        },
        Trap {
            name: "a user is looked up by name",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "user 1000"), &[(REFUSED, "1000")]),
            stands: marathon("", "user \"nobody\""),
        },
        Trap {
            name: "nothing counts restarts",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "restart \"on-failure\" limit=3"), &[("missing-option", "\"on-failure\"")]),
            stands: marathon(
                "target \"dcos\" { shim \"https://f.example.com/tfjob-shim\" }",
                "restart \"on-failure\" limit=3",
            ),
        },
        Trap {
            name: "an app whose first has ended is never started",
            fact: "spark-dcos §3.6",
            falls: (two("when=\"done\""), &[(REFUSED, "\"first\"")]),
            stands: two("when=\"started\""),
        },
        Trap {
            name: "the command of a health check passes through quotes",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "ready file=\"/tmp/a b\""), &[(REFUSED, "\"/tmp/a b\"")]),
            stands: marathon("", "ready file=\"/tmp/a_b\""),
        },
        Trap {
            name: "shared memory has a size only since 2.1",
            fact: "Marathon's changelog, 1.9.73",
            falls: (
                marathon("", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" shared-memory=\"1GiB\""),
                &[(REFUSED, "\"1GiB\"")],
            ),
            stands: marathon("target \"dcos\" { version \"2.1\" }", "")
                .replace("memory=\"1GiB\"", "memory=\"1GiB\" shared-memory=\"1GiB\""),
        },
        Trap {
            name: "no agent knows the model of its GPUs",
            fact: "spark-dcos §3.6",
            falls: (
                marathon("", "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1 gpu-model=\"a100\""),
                &[(REFUSED, "\"a100\"")],
            ),
            stands: marathon("target \"dcos\" { gpu-model-attribute \"gpu\" }", "")
                .replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1 gpu-model=\"a100\""),
        },
        Trap {
            name: "an attribute's value is a text of Mesos",
            fact: "spark-dcos §3.6",
            falls: (marathon("", "place { node \"rack\" \"r 1\" }"), &[(REFUSED, "\"r 1\"")]),
            stands: marathon("", "place { node \"rack\" \"r-1\" }"),
        },
        Trap {
            name: "a network's name is a label",
            fact: "spark-dcos §3.6",
            falls: (marathon("network \"Dcos_1\"", ""), &[(REFUSED, "\"Dcos_1\"")]),
            stands: marathon("network \"dcos\"", ""),
        },
        Trap {
            name: "an unknown key of a patch would be refused or lost",
            fact: "spark-dcos-observed §4",
            falls: (
                marathon("", "target \"dcos\" { patch \"restartPolicy: never\" }"),
                &[("bad-patch", "\"restartPolicy: never\"")],
            ),
            stands: marathon("", "target \"dcos\" { patch \"user: nobody\" }"),
        },
        Trap {
            name: "the words of a Kerberos job are lost",
            fact: "spark-dcos §3.6",
            falls: (
                marathon(
                    "kerberos principal=\"a@B\" keytab=\"secret:K\"\n target \"dcos\" { enterprise #true }",
                    "secret \"K\" from=\"k\" at=\"/k\"",
                ),
                &[(REFUSED, "kerberos principal=\"a@B\" keytab=\"secret:K\"")],
            ),
            stands: marathon("target \"dcos\" { enterprise #true }", "secret \"K\" from=\"k\" at=\"/k\""),
        },
    ]
}
