//! Pitfalls of the DC/OS version and of the attributes of agents.
use super::{REFUSED, apps, marathon, package};
use crate::pitfalls::{Built, Pitfall, Row, Seen, built, rows};
use serde_json::{Value, json};

const TYPES: Seen = Seen::In("Marathon 1.4.9, app.raml and api/v2/json/Formats.scala");
const GPUS: Seen = Seen::In("Marathon, ResourceMatcher.checkGpuSchedulingBehaviour");
const VALUES: Seen = Seen::In("Mesos 1.9, values::parse; Marathon, Constraints.getValueString");

/// Returns the pitfalls that tfjob reports.
pub fn pitfalls() -> Vec<Pitfall> {
    let version = |number: &str| marathon(&format!("target \"dcos\" {{ version \"{number}\"; }}"), "");
    let does = "Marathon drops the unknown field `networks`, so the tasks run on the host network without their ports";
    let too_old = |name, falls: &str, words, near: String, packaged: bool| -> Row {
        let falls = if packaged { package("", "", &format!("version \"{falls}\"")) } else { version(falls) };
        (name, "", TYPES, does, falls, words, "DC/OS before 1.10 is not supported", near)
    };
    let old = rows(
        "bad-option",
        vec![
            too_old("a cluster with DC/OS 1.9", "1.9", "\"1.9\"", version("1.10"), false),
            too_old(
                "DC/OS version 1.1 in place of 1.11",
                "1.1",
                "\"1.1\"",
                package("", "", "version \"1.11\""),
                true,
            ),
        ],
    );
    let place = |value: &str| marathon("", &format!("placement {{ node \"rack\" \"{value}\" }}"));
    let number: Row = (
        "an attribute value that Mesos parses as an invalid number",
        "",
        VALUES,
        "an agent with this value does not start, so no agent has the value and the app waits forever",
        place("nan"),
        "\"nan\"",
        "Mesos parses the attribute value `nan` as a number and rejects it",
        place("nano"),
    );
    old.into_iter()
        .chain(rows(REFUSED, vec![number]))
        .chain(rows("undetermined-placement", beside_gpus()))
        .collect()
}

/// Tasks without GPUs on the agent of a task with GPUs.
fn beside_gpus() -> Vec<Row> {
    let does = "Marathon declines the offers of an agent with a free GPU (`DeclinedScarceResources`), so the deployment never ends";
    let open = "labels { GPU_SCHEDULING_BEHAVIOR \"unrestricted\"; }";
    let gpus = |job: &str| {
        let place = "placement { node \"hostname\" \"10.0.0.7\"; }";
        let job = format!("checkpoints \"file:///mnt/ck\" at=\"/ckpt\"; {place}\n {job}");
        marathon(&job, "").replace("memory=\"1GiB\"", "memory=\"1GiB\" gpus=1")
    };
    let board = "tensorboard { resources cpus=1 memory=\"2GiB\"; }";
    let helper = "helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"2GiB\"; }";
    let patched = |word: &str| {
        let patch =
            format!("target \"dcos\" {{ patch \"{{labels: {{GPU_SCHEDULING_BEHAVIOR: {word}}}}}\"; }}");
        helper.replace("run \"nb\";", &format!("run \"nb\"; {patch};"))
    };
    let row = |name, words, says, beside: &str| -> Row {
        (name, "", GPUS, does, gpus(beside), words, says, gpus(&format!("{open}\n {beside}")))
    };
    vec![
        row(
            "TensorBoard on the agent of a task with GPUs",
            board,
            "TensorBoard does not start on `10.0.0.7`",
            board,
        ),
        row(
            "a helper on the agent of a task with GPUs",
            "\"nb\"",
            "`nb` does not start on `10.0.0.7`",
            helper,
        ),
        (
            "a helper with the wrong GPU scheduling label",
            "",
            GPUS,
            does,
            gpus(&patched("restricted")),
            "\"nb\"",
            "`nb` does not start on `10.0.0.7`",
            gpus(&patched("unrestricted")),
        ),
    ]
}

/// Returns the pitfalls that no spec can contain.
pub fn impossible() -> Vec<Built> {
    built(vec![(
        "an attribute value that looks like a number",
        "",
        VALUES,
        "the agent reads `01` as the number 1, so a constraint on the text `01` matches no offer",
        "the constraint contains the number in the form that Marathon writes",
        a_number_is_written_as_marathon_compares_it,
    )])
}

fn a_number_is_written_as_marathon_compares_it() {
    let constraint = |version: &str, key: &str, value: &str| -> Value {
        let job = format!("target \"dcos\" {{ version \"{version}\"; gpu-model-attribute \"gpu\"; }}");
        let app = apps(&marathon(&job, &format!("placement {{ node \"{key}\" \"{value}\" }}"))).remove(0);
        app["constraints"][0].clone()
    };
    for version in ["1.10", "1.11", "2.1"] {
        assert_eq!(constraint(version, "rack", "01"), json!(["rack", "CLUSTER", "1"]));
        assert_eq!(constraint(version, "rack", "r01"), json!(["rack", "CLUSTER", "r01"]));
        assert_eq!(constraint(version, "cuda", "12.0"), json!(["cuda", "CLUSTER", "12"]));
        assert_eq!(constraint(version, "hostname", "01"), json!(["hostname", "CLUSTER", "01"]));
    }
    assert_eq!(constraint("1.11", "year", "2021.10"), json!(["year", "CLUSTER", "2021.1"]));
    // Older Marathon releases format numbers for their locale, such as `2,021.1`.
    assert_eq!(constraint("1.10", "year", "2021.10"), json!(["year", "LIKE", "2\\D?021\\D1"]));
}
