//! Compares the TF_CONFIG of the operator with observed values, and tests in which jobs the tasks can use it.
use super::tf_config;
use crate::REGISTRY;
use crate::contract_builder::{ContractBuilder, Places};
use crate::kubernetes::Kubernetes;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tfjob_contract::{Address, Peers, PlaceholderMachine, Source, TaskId, render};
use tfjob_driver::{Analysis, Driver, Request};
use tfjob_lang::target::AnyTarget;

fn job(name: &str, namespace: &str, roles: &[(&str, u32, Option<u16>)], dynamic: bool) -> Value {
    let spec = |(key, replicas, port): &(&str, u32, Option<u16>)| {
        let mut container = json!({ "name": "tensorflow" });
        if let Some(port) = port {
            container["ports"] = json!([{ "name": "web", "containerPort": 80 }, { "name": "tfjob-port", "containerPort": port }]);
        }
        (
            (*key).to_owned(),
            json!({ "replicas": replicas, "template": { "spec": { "containers": [container] } } }),
        )
    };
    let specs: serde_json::Map<String, Value> = roles.iter().map(spec).collect();
    json!({
        "metadata": { "name": name, "namespace": namespace },
        "spec": { "enableDynamicWorker": dynamic, "tfReplicaSpecs": specs }
    })
}

/// The expected values are observed outputs of the operator: kubernetes#tf_config.
#[test]
fn tf_config_equals_the_text_of_the_operator() {
    let all = [("Chief", 1, None), ("Evaluator", 1, None), ("PS", 1, None), ("Worker", 2, None)];
    let golden = [
        (
            job("j", "ns1", &all, false),
            "worker",
            1,
            r#"{"cluster":{"chief":["j-chief-0.ns1.svc:2222"],"evaluator":["j-evaluator-0.ns1.svc:2222"],"ps":["j-ps-0.ns1.svc:2222"],"worker":["j-worker-0.ns1.svc:2222","j-worker-1.ns1.svc:2222"]},"task":{"type":"worker","index":1},"environment":"cloud"}"#,
        ),
        (
            job("j", "ns1", &[("PS", 1, None), ("Worker", 2, Some(3333))], false),
            "ps",
            0,
            r#"{"cluster":{"ps":["j-ps-0.ns1.svc:2222"],"worker":["j-worker-0.ns1.svc:3333","j-worker-1.ns1.svc:3333"]},"task":{"type":"ps","index":0},"environment":"cloud"}"#,
        ),
        (
            job("plain", "default", &[("Worker", 2, None)], false),
            "worker",
            1,
            r#"{"cluster":{"worker":["plain-worker-0.default.svc:2222","plain-worker-1.default.svc:2222"]},"task":{"type":"worker","index":1},"environment":"cloud"}"#,
        ),
        (
            job("j", "ns1", &[("PS", 2, None), ("Worker", 3, None)], true),
            "worker",
            1,
            r#"{"cluster":{"worker":{"1":"j-worker-1.ns1.svc:2222"},"ps":["j-ps-0.ns1.svc:2222","j-ps-1.ns1.svc:2222"]},"task":{"type":"worker","index":1}}"#,
        ),
        (
            job("j", "ns1", &[("PS", 2, None), ("Worker", 3, None)], true),
            "ps",
            1,
            r#"{"cluster":{"worker":{},"ps":["j-ps-1.ns1.svc:2222"]},"task":{"type":"ps","index":1}}"#,
        ),
        (
            job("j", "ns1", &[("Chief", 1, None), ("Worker", 3, None)], true),
            "chief",
            0,
            r#"{"cluster":{"worker":{},"ps":[]},"task":{"type":"chief","index":0}}"#,
        ),
        (
            job("j", "ns1", &[("Worker", 3, None)], true),
            "worker",
            0,
            r#"{"cluster":{"worker":{"0":"j-worker-0.ns1.svc:2222"},"ps":null},"task":{"type":"worker","index":0}}"#,
        ),
    ];
    for (job, role, index, config) in golden {
        assert_eq!(tf_config(&job, role, index).as_deref(), Some(config));
    }
    assert_eq!(tf_config(&job("j", "ns1", &[("Worker", 1, None)], false), "worker", 0), None);
    assert_eq!(
        tf_config(&job("j", "ns1", &[("Worker", 1, None), ("notebook", 3, None)], false), "worker", 0),
        None
    );
}

fn analyzed(text: &str) -> Analysis {
    Driver::new(REGISTRY).analyze(&Request::new("a", text))
}

/// Returns a job with these roles, or `None` if the spec has errors.
fn composed(strategy: &str, roles: &[(&str, u32)], more: &str) -> Option<(Analysis, String)> {
    let role = |(name, count): &(&str, u32)| match *name {
        "notebook" => format!("helper \"notebook\" count={count}\n"),
        "chief" | "evaluator" => format!("role \"{name}\"\n"),
        _ => format!("role \"{name}\" count={count}\n"),
    };
    let text = format!(
        "job \"a\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\nimage \"i:1\"\nrun \"a\"\nresources cpus=1 memory=\"1GiB\"\n{more}\n{}}}\n",
        roles.iter().map(role).collect::<String>()
    );
    let analysis = analyzed(&text);
    analysis.accepted().then_some((analysis, text))
}

/// Returns the TF_CONFIG that the contract of the shim renders for a task, if any.
fn wanted(analysis: &Analysis, role: &str, index: u32) -> Option<String> {
    let plan = analysis.plan.as_ref().expect("accepted");
    let host = "a-{role}-{index}.default.svc".to_owned();
    let peers = Peers::Template(Address { host, names: BTreeMap::new(), roles: BTreeMap::new() });
    let unknown = Source::Is(String::new());
    let (contract, _) =
        ContractBuilder::new(plan, &Places::default(), unknown.clone(), unknown, peers).done();
    let task = TaskId { role: role.to_owned(), index };
    let rendered =
        render(&contract, &task, &BTreeMap::new(), &mut PlaceholderMachine).expect("a task of the job");
    rendered.env.into_iter().find(|(name, _)| name == "TF_CONFIG").map(|(_, value)| value)
}

/// Parses a TF_CONFIG, and returns its fields `cluster` and `task`, which TensorFlow reads. `None` if there is no TF_CONFIG.
fn read(config: Option<String>) -> Option<(Value, Value)> {
    let value: Value = serde_json::from_str(&config?).expect("JSON");
    Some((value["cluster"].clone(), value["task"].clone()))
}

/// Returns whether the TF_CONFIG of the operator equals the one that each task of the rendezvous needs.
fn fits(analysis: &Analysis, job: &Value) -> bool {
    let plan = analysis.plan.as_ref().expect("accepted");
    let members = plan.roles.iter().filter(|role| role.kind.joins_rendezvous());
    let mut tasks =
        members.flat_map(|role| (0..role.count.value).map(|index| (role.name.value.as_str(), index)));
    tasks.all(|(role, index)| read(wanted(analysis, role, index)) == read(tf_config(job, role, index)))
}

#[test]
fn the_shim_is_used_exactly_if_the_tf_config_of_the_operator_does_not_fit() {
    let sets: [&[(&str, u32)]; 10] = [
        &[("worker", 1)],
        &[("worker", 2)],
        &[("worker", 1), ("evaluator", 1)],
        &[("worker", 2), ("evaluator", 1)],
        &[("worker", 1), ("notebook", 2)],
        &[("worker", 2), ("notebook", 1)],
        &[("chief", 1), ("worker", 1)],
        &[("chief", 1), ("worker", 2), ("ps", 1)],
        &[("chief", 1), ("worker", 2), ("ps", 2), ("evaluator", 1)],
        &[("chief", 1), ("worker", 1), ("ps", 1), ("notebook", 1)],
    ];
    let (mut with, mut without) = (0, 0);
    for strategy in ["mirrored", "multi-worker-mirrored", "parameter-server", "estimator", "custom"] {
        for roles in sets {
            for more in ["", "restart \"on-failure\"\nallow \"restart\" because=\"x\""] {
                // The test sets `success "chief"`. With another value of `success`, a job may need the shim even if its tasks can
                // use the TF_CONFIG of the operator.
                let more = format!("success \"chief\"\n{more}");
                let Some((analysis, text)) = composed(strategy, roles, &more) else { continue };
                let Some(lowered) = analysis.compile(&Kubernetes as &dyn AnyTarget).lowered else { continue };
                let fits = fits(&analysis, &lowered.artifacts[0].documents[0].value);
                assert_eq!(lowered.contract.is_none(), fits, "{text}");
                if fits { without += 1 } else { with += 1 }
            }
        }
    }
    assert!(with >= 20 && without >= 10, "{with} with the shim, {without} without");
}

#[test]
fn a_variable_from_another_source_has_its_value_or_names_its_source() {
    let container =
        json!({ "name": "tensorflow", "resources": { "limits": { "cpu": "1500m", "memory": "2Gi" } } });
    let template = json!({
        "metadata": { "labels": { "team": "ml" } },
        "spec": { "serviceAccountName": "runner", "containers": [container] }
    });
    let tfjob = json!({
        "metadata": { "name": "a", "namespace": "ml" },
        "spec": { "tfReplicaSpecs": { "Worker": { "template": template } } }
    });
    let (analysis, _) = composed("multi-worker-mirrored", &[("worker", 2)], "").expect("accepted");
    let who = super::who(analysis.plan.as_ref().expect("accepted"), &tfjob, 0, 1);
    let field = |path: &str| json!({ "fieldRef": { "fieldPath": path } });
    let resource =
        |name: &str, divisor: &str| json!({ "resourceFieldRef": { "resource": name, "divisor": divisor } });
    for (source, value) in [
        (field("metadata.labels['training.kubeflow.org/replica-index']"), "1"),
        (field("metadata.name"), "a-worker-1"),
        (field("metadata.namespace"), "ml"),
        (field("metadata.labels['team']"), "ml"),
        (field("spec.serviceAccountName"), "runner"),
        (field("status.hostIP"), "<field status.hostIP>"),
        (field("metadata.uid"), "<field metadata.uid>"),
        (resource("limits.cpu", "1"), "2"),
        (resource("limits.cpu", "3m"), "500"),
        (resource("limits.memory", "1Mi"), "2048"),
        (resource("requests.memory", "1"), "<resource requests.memory>"),
        (json!({ "secretKeyRef": { "name": "s", "key": "k" } }), "<secret s k>"),
        (json!({ "configMapKeyRef": { "name": "m", "key": "k" } }), "<configmap m k>"),
        (json!({ "fileKeyRef": { "path": "f", "key": "k" } }), "<file f k>"),
    ] {
        assert_eq!(who.value(&source, &container), value, "{source}");
    }
}
