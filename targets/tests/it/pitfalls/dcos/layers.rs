//! Marathon deploys the apps of a group in steps: each step starts after all apps of the earlier steps are healthy.
use super::{REFUSED, apps, workers};
use crate::pitfalls::{Built, Pitfall, Seen, built};
use serde_json::Value;

const LAYERS: Seen =
    Seen::In("Marathon 1.10, DeploymentPlan.runSpecsGroupedByLongestPath, DeploymentActor.performStep");
const CHIEF: &str = "run \"c\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 8888";
const SHIM: &str = "target \"dcos\" { shim url=\"https://f.example.com/shim\"; }";

/// Returns the pitfalls that tfjob reports.
pub fn pitfalls() -> Vec<Pitfall> {
    let spec = |ready: &str| {
        workers(
            &format!("start timeout=\"5m\"\n role \"chief\" {{ {CHIEF}; ready {ready} }}\n {SHIM}"),
            "after \"chief\"",
        )
    };
    vec![Pitfall {
        name: "a health check of an app that waits for apps in a later deployment step",
        fact: "",
        seen: LAYERS,
        does: "Marathon starts the workers only after the health check of the chief has passed, but the chief waits for the addresses of the workers",
        falls: spec("http=\"web/up\""),
        code: REFUSED,
        words: "\"5m\"",
        says: "Marathon starts `worker` only when `chief` is ready, but the shim of `chief` waits for the addresses of `worker`",
        neighbour: spec("tcp=\"rendezvous\""),
    }]
}

/// Returns the pitfalls that no spec can contain.
#[rustfmt::skip]
pub fn impossible() -> Vec<Built> {
    built(vec![
        ("a health check of an app that no role waits for", "", LAYERS, "Marathon starts an app only when all apps of earlier deployment steps are healthy, even those that it does not depend on",
            "an app that no role waits for gets a health check only if it is in the last deployment step", no_check_holds_back_those_that_do_not_wait),
        ("a health check that passes while the shim still waits", "", Seen::On("the shim, which accepts connections on the rendezvous port while it waits"), "the shim accepts connections on the rendezvous port while it waits, so a check of this port passes before the program starts",
            "the shim of a dependent app waits until the program itself listens", a_shim_waits_for_the_program_that_marathon_takes_for_ready),
    ])
}

fn no_check_holds_back_those_that_do_not_wait() {
    let helper = "helper \"nb\" { run \"nb\"; resources cpus=1 memory=\"1GiB\"; port \"web\" 8890; ready http=\"web/up\" }";
    let checked = |worker: &str| -> Vec<String> {
        let job = format!("role \"chief\" {{ {CHIEF} }}\n {helper}");
        let apps = apps(&workers(&job, worker));
        let with =
            apps.iter().filter(|app| app["healthChecks"].as_array().is_some_and(|all| !all.is_empty()));
        with.map(|app| app["id"].to_string()).collect()
    };
    assert_eq!(checked(""), ["\"/mnist/nb-0\""]);
    assert_eq!(checked("after \"chief\""), [""; 0]);
    assert_eq!(checked("after \"chief\"; after \"nb\""), ["\"/mnist/nb-0\""]);
}

fn a_shim_waits_for_the_program_that_marathon_takes_for_ready() {
    let waits = |ready: &str, start: &str| -> Value {
        let job = format!("{start}\n deadline \"1h\"\n role \"chief\" {{ {CHIEF}; {ready} }}\n {SHIM}");
        let text = apps(&workers(&job, "after \"chief\""))[0]["env"]["TFJOB_CONTRACT_TEXT"].clone();
        let contract = tfjob_contract::Contract::read_encoded(text.as_str().unwrap_or_default());
        let contract = serde_json::to_value(contract.unwrap_or_else(|e| panic!("{e:?}"))).unwrap_or_default();
        let roles = contract["roles"].as_array().into_iter().flatten();
        let worker = roles.into_iter().find(|role| role["name"] == "worker").cloned().unwrap_or_default();
        worker["duties"]["after"][0]["when"].clone()
    };
    let start = "start timeout=\"5m\"";
    assert_eq!(waits("ready tcp=\"rendezvous\"", start), "ready");
    assert_eq!(waits("", start), "started");
    assert_eq!(waits("ready tcp=\"rendezvous\"", ""), Value::Null);
}

/// A shim answers on the checked port while it waits for apps of the same or a later step, so that its app becomes healthy.
#[test]
fn a_checked_port_is_open_while_its_shim_waits() {
    let open = |second: &str| {
        let job = format!("run \"sh\" \"step.sh\"\n start timeout=\"5m\"\n {SHIM}");
        let spec = super::two("when=\"started\"").replace("run \"sh\" \"step.sh\"", &job);
        let (contract, _) =
            super::written(&spec.replace("after \"first\"", &format!("{second}; after \"first\"")))
                .contract
                .unwrap();
        [0, 1].map(|id| contract.notice(&contract.roles[id]) != tfjob_contract::Notice::Never)
    };
    let check = "target \"dcos\" { patch \"{healthChecks: [{protocol: TCP, portIndex: 0}]}\" }";
    assert_eq!(open("user \"nobody\""), [true, false]);
    assert_eq!(open("ready tcp=\"rendezvous\""), [true, true]);
    assert_eq!(open(check), [true, true]);
}
