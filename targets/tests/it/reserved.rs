//! Compares the demand that a target reports for a job with the resources in its artifacts, and with the GPUs that programs see.
#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::request::{analyze, request};
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_driver::Analysis;
use tfjob_lang::cluster::ClusterFile;
use tfjob_lang::cluster::demand::{Demand, Resource, TaskGroup};
use tfjob_lang::lowered::Lowered;
use tfjob_targets::ALL;

/// Roles with different `resources`.
const ROLES: [&str; 6] = [
    r#"role "worker" count=3 { resources cpus=1 memory="2GiB" }"#,
    r#"role "worker" { resources cpus=1 memory="2GiB" }"#,
    r#"role "chief" { resources cpus=8 memory="2GiB" }; role "worker" count=4 { resources cpus=0.5 memory="60GiB" }"#,
    r#"role "chief" { resources cpus=2 memory="2GiB" }; role "worker" count=2 { resources cpus=1 memory="3GiB" gpus=2; port "rendezvous" 3333 }"#,
    r#"role "worker" count=2 { resources cpus=1 memory="2GiB" }; helper "view" { port "page" 8150; resources cpus=1 memory="1GiB" }; helper "a" { resources cpus=1 memory="1GiB" }; helper "b" count=2 { port "x" "auto"; resources cpus=1 memory="1GiB" }"#,
    r#"role "chief"{ resources cpus=1 memory="2GiB"}; role "ps" { resources cpus=2 memory="2GiB" }; role "worker" count=2 { resources cpus=1 memory="3GiB"; port "web" "auto" }; helper "view" { port "page" 8150; resources cpus=1 memory="1GiB" }"#,
];

/// A target, and lines of the job that contain its `target` block.
const PLACES: [(&str, &str); 13] = [
    ("kubernetes", r#"target "kubernetes" { gang "volcano" }"#),
    ("kubernetes", r#"network "host"; target "kubernetes" { gang "volcano" }"#),
    ("dcos", r#"target "dcos" { version "2.1" }"#),
    ("dcos", r#"network "host"; target "dcos" { version "2.1" }"#),
    ("dcos", r#"network "dcos"; target "dcos" { version "2.1" }"#),
    ("dcos", r#"tensorboard; target "dcos" { version "2.1" }"#),
    ("spark", r#"target "spark" { master "yarn"; spark "3.5" }"#),
    ("spark", r#"target "spark" { master "spark://h:7077"; spark "3.5" }"#),
    ("spark", r#"target "spark" { master "k8s://https://h:6443"; spark "3.5"; upload "s3a://b/t" }"#),
    ("yarn", r#"target "yarn" { hadoop "3.3"; dns-domain "ml.example"; shim url="hdfs:///s" }"#),
    ("yarn", r#"tensorboard; target "yarn" { hadoop "3.3"; dns-domain "ml.example"; shim url="hdfs:///s" }"#),
    (
        "yarn",
        r#"target "yarn" { dns-domain "ml.example"; shim url="hdfs:///s"; patch "configuration: {properties: {yarn.service.am-resource.memory: '300'}}" }"#,
    ),
    (
        "yarn",
        r#"network "net"; target "yarn" { hadoop "3.3"; dns-domain "ml.example"; shim url="hdfs:///s" }"#,
    ),
];

/// Returns the value of a Spark setting in the script.
fn setting<'s>(script: &'s str, key: &str) -> Option<&'s str> {
    let (_, rest) = script.split_once(&format!("{key}="))?;
    rest.split(['\'', '"', ' ', '\n']).next()
}

/// Returns the fixed ports that Marathon apps need on agents, and how many tasks need each.
fn marathon(group: &Value) -> BTreeMap<u16, u64> {
    let mut ports = BTreeMap::new();
    let steps = group["groups"].as_array().into_iter().flatten().chain([group]);
    for app in steps.flat_map(|group| group["apps"].as_array().into_iter().flatten()) {
        let required = app["requirePorts"].as_bool().unwrap_or(false);
        for port in app["portDefinitions"].as_array().into_iter().flatten().filter(|_| required) {
            let number = port["port"].as_u64().and_then(|port| u16::try_from(port).ok()).unwrap();
            *ports.entry(number).or_default() += app["instances"].as_u64().unwrap_or(1);
        }
    }
    ports.remove(&0);
    ports
}

/// Returns the host ports that a TFJob needs, and how many Pods need each. The operator adds `tfjob-port` 2222 to a container
/// without a port of this name (`tensorflow_defaults.go` of 1.9.4). On the host network, each container port is a host port
/// (`defaultHostNetworkPorts` of the API server).
fn operator(job: &Value) -> BTreeMap<u16, u64> {
    let mut ports = BTreeMap::new();
    for replica in job["spec"]["tfReplicaSpecs"].as_object().unwrap().values() {
        let spec = &replica["template"]["spec"];
        let own = spec["containers"][0]["ports"].as_array().cloned().unwrap_or_default();
        let named = own.iter().any(|port| port["name"] == "tfjob-port");
        let all = own.iter().map(|port| port["containerPort"].as_u64().unwrap());
        for port in all.chain((!named).then_some(2222)).filter(|_| spec["hostNetwork"] == true) {
            *ports.entry(u16::try_from(port).unwrap()).or_default() += replica["replicas"].as_u64().unwrap();
        }
    }
    ports
}

/// Returns the host ports in the demand, and how many tasks need each.
fn ports(demand: &Demand) -> BTreeMap<u16, u64> {
    let mut ports = BTreeMap::new();
    for tasks in &demand.groups {
        for (resource, ..) in &tasks.needs {
            if let Resource::Port(number) = resource {
                *ports.entry(*number).or_default() += u64::from(tasks.count);
            }
        }
    }
    ports
}

/// Returns the size of each container of a role in the artifact: thousandths of a core, and MiB.
fn held(target: &str, lowered: &Lowered, role: &str) -> (u64, u64) {
    let text = |path: &str| &lowered.artifacts.iter().find(|a| a.path == path).unwrap().text;
    if target == "spark" {
        let script = text("submit.sh");
        let mebi = |key: &str| {
            setting(script, key).map_or(0, |value| value.trim_end_matches('m').parse::<u64>().unwrap())
        };
        let milli = setting(script, "spark.kubernetes.executor.request.cores")
            .map(|milli| milli.trim_end_matches('m').parse::<u64>().unwrap());
        let cores = || setting(script, "spark.executor.cores").unwrap().parse::<u64>().unwrap() * 1000;
        let memory = mebi("spark.executor.memory") + mebi("spark.executor.memoryOverhead");
        return (milli.unwrap_or_else(cores), memory);
    }
    let document = &lowered.artifacts.iter().find_map(|a| a.documents.first()).unwrap().value;
    let component = document["components"].as_array().unwrap().iter().find(|c| c["name"] == role).unwrap();
    let resource = &component["resource"];
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap();
    (number(&resource["cpus"]) * 1000, number(&resource["memory"]))
}

/// Returns the CPU request in thousandths of a core and the memory request in MiB per task.
fn mebi(tasks: &TaskGroup) -> (u64, u64) {
    let amount = |resource: &Resource| tasks.need(resource).map_or(0, |need| need.0);
    (amount(&Resource::Cpus), amount(&Resource::Memory) >> 20)
}

/// Returns the size of the service master's container (`ServiceClient.submitApp`, `YarnServiceConf` of Hadoop 3.3.6).
fn master(lowered: &Lowered) -> (u64, u64) {
    let service = &lowered.artifacts.iter().find_map(|a| a.documents.first()).unwrap().value;
    let stated = service["configuration"]["properties"]["yarn.service.am-resource.memory"].as_str();
    (1000, stated.map_or(1024, |mebi| mebi.parse().unwrap()))
}

fn analyzed(text: &str) -> Analysis {
    analyzed_at(text, None)
}

fn analyzed_at(text: &str, cluster: Option<&ClusterFile>) -> Analysis {
    analyze(&request(text).cluster(cluster))
}

/// Compares a queue with room for only the tasks, and a queue with room for the service master too.
#[test]
fn a_queue_has_room_for_the_service_master() {
    let told = |cpus: u32, memory: u32| {
        let text = format!(
            "cluster \"c\" target=\"yarn\" {{\n    nodes \"n\" count=3 cpus=4 memory=\"16GiB\"\n    dns-domain \"yc\"\n    \
             queue \"ml\" cpus={cpus} memory=\"{memory}GiB\"\n    yarn {{ hadoop \"3.3.6\"; queue \"ml\"; }}\n}}\n"
        );
        let cluster = crate::request::cluster(&text);
        let job = "job \"j\" {\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
                   role \"worker\" count=2 { resources cpus=4 memory=\"16GiB\"; }\n}\n";
        let analysis = analyzed_at(job, Some(&cluster));
        let errors = analysis.diagnostics.iter().filter(|d| d.is_error());
        errors.map(|d| format!("{} {:?}", d.message, d.help)).collect::<Vec<_>>()
    };
    assert_eq!(told(9, 33), [""; 0]);
    let full = told(8, 32);
    assert_eq!(full.len(), 2, "{full:#?}");
    assert!(full[0].contains("need 9 cores at the same time, including 1 core for YARN's"), "{full:#?}");
    assert!(
        full[1].contains("need 33GiB of memory at the same time, including 1GiB of memory for YARN"),
        "{full:#?}"
    );
}

/// A target, fields of a cluster file, resources of a task, and the codes that are reported.
const LARGEST: [(&str, &str, &str, &[&str]); 15] = [
    ("yarn", "", "cpus=4 memory=\"8GiB\"", &[]),
    ("yarn", "", "cpus=4.5 memory=\"8GiB\"", &["W 5 cores"]),
    ("yarn", "", "cpus=4 memory=\"8193MiB\"", &["W 8193MiB of memory"]),
    ("yarn", "", "cpus=4 memory=\"8GiB\" gpus=4", &[]),
    ("yarn", "limits task-cpus=16", "cpus=8 memory=\"16GiB\"", &["W 16GiB of memory"]),
    ("yarn", "limits task-cpus=6 task-memory=\"16GiB\"", "cpus=8 memory=\"16GiB\"", &["E 8 cores"]),
    // Hadoop 3.4.2 compares the requested amount with the limit, so it refuses 10001. It rounds memory up, but not above the
    // limit. This service ran.
    ("yarn", "limits task-cpus=4 task-memory=\"10000MiB\"", "cpus=1 memory=\"10000MiB\"", &[]),
    ("yarn", "limits task-gpus=1", "cpus=1 memory=\"1GiB\" gpus=2", &["E 2 GPUs"]),
    ("yarn", "limits task-gpus=1", "cpus=1 memory=\"1GiB\" { device \"yarn.io/gpu\" 2; }", &["E 2 GPUs"]),
    ("yarn", "queue \"ml\" task-cpus=8 task-memory=\"9GiB\"", "cpus=8 memory=\"9GiB\"", &[]),
    (
        "yarn",
        "queue \"ml\" task-cpus=8 task-gpus=0; limits task-cpus=6 task-gpus=1",
        "cpus=8 memory=\"9GiB\" gpus=1",
        &["E 1 GPU", "E 8 cores", "W 9GiB of memory"],
    ),
    (
        "yarn",
        "queue \"ml\"; queue \"b\" task-cpus=1 task-memory=\"1GiB\"",
        "cpus=5 memory=\"2GiB\"",
        &["W 5 cores"],
    ),
    ("spark", "", "cpus=8 memory=\"9GiB\"", &["W 8 cores", "W 9GiB of memory"]),
    ("kubernetes", "", "cpus=32 memory=\"64GiB\"", &[]),
    (
        "kubernetes",
        "limits task-cpus=2.5 task-memory=\"1GiB\"",
        "cpus=2.6 memory=\"2GiB\"",
        &["E 2.6 cores", "E 2GiB of memory"],
    ),
];

/// YARN's default limits of a container are 4 cores and 8 GiB (`yarn-default.xml` of 3.1.1 to 3.4.2). There is no limit of GPUs.
#[test]
fn a_task_is_no_larger_than_the_site_lets_it_be() {
    for (target, words, resources, expected) in LARGEST {
        let own = match target {
            "yarn" => "dns-domain \"yc\"\nyarn { hadoop \"3.3.6\"; queue \"ml\"; }",
            "spark" => "spark { master \"yarn\"; spark \"3.5\"; }",
            _ => "",
        };
        let text = format!(
            "cluster \"c\" target=\"{target}\" {{\nnodes \"n\" count=9 cpus=64 memory=\"256GiB\" gpus=8\n{words}\n{own}\n}}\n"
        );
        let cluster = crate::request::cluster(&text);
        assert!(cluster.diagnostics.is_empty(), "{words}: {:#?}", cluster.diagnostics);
        let job = format!(
            "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"multi-worker-mirrored\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
             role \"worker\" count=2 {{ resources {resources}; }}\n}}\n"
        );
        let analysis = analyzed_at(&job, Some(&cluster));
        let found = analysis.diagnostics.iter().filter_map(|d| {
            let asked = d.message.strip_prefix("a task of `worker` requests ")?.split(", but ").next()?;
            Some(format!("{} {asked}", if d.is_error() { "E" } else { "W" }))
        });
        let mut found: Vec<_> = found.collect();
        found.sort();
        assert_eq!(found, expected, "{target}: {words}: {resources}\n{:#?}", analysis.diagnostics);
    }
}

/// Returns the diagnostics of a check against a cluster file, for a job on Kubernetes with this role.
fn told_on_kubernetes(nodes: &str, role: &str) -> Vec<String> {
    let text = format!(
        "cluster \"c\" target=\"kubernetes\" {{\n{nodes}\nkubernetes {{ rack-label \"topology/rack\"; }}\n}}\n"
    );
    let cluster = crate::request::cluster(&text);
    let job = format!(
        "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
         resources cpus=4 memory=\"8GiB\"\nrole \"chief\"\n{role}\n}}\n"
    );
    let analysis = analyzed_at(&job, Some(&cluster));
    analysis.diagnostics.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect()
}

/// By `InterPodAffinity` of kube-scheduler, there is at most one Pod for each value of the `topologyKey`. Nodes without the label
/// have no limit.
#[test]
fn tasks_in_different_racks_have_racks_enough() {
    let in_rack = |name: &str, count: u32, rack: &str| {
        format!(
            "nodes \"{name}\" count={count} cpus=4 memory=\"16GiB\" {{ node \"topology/rack\" \"{rack}\"; }}"
        )
    };
    let bare = |count: u32| format!("nodes \"bare\" count={count} cpus=4 memory=\"16GiB\"");
    let two = [in_rack("a", 3, "r1"), in_rack("b", 3, "r2")].join("\n");
    let one = [in_rack("a", 3, "r1"), in_rack("b", 3, "r1")].join("\n");
    let workers = |count: u32| {
        format!("role \"ps\"\nrole \"worker\" count={count} {{ placement {{ spread \"rack\"; }} }}")
    };
    let no_room = |need: u32, racks: &str| {
        vec![format!(
            "insufficient-capacity: {need} tasks of `worker` need different racks at the same time, but their nodes are in only {racks}"
        )]
    };
    let open = "undetermined-placement: cannot determine whether the 2 tasks of `worker` can run in different racks: no node in the cluster file has the attribute `topology/rack`";
    for (nodes, role, told) in [
        (two.clone(), workers(2), vec![]),
        (two.clone(), workers(3), no_room(3, "2 racks")),
        (one.clone(), workers(1), vec![]),
        (one.clone(), workers(2), no_room(2, "1 rack")),
        // Two roles whose tasks do not share a node, in a cluster with at least two nodes in each rack.
        (
            two.clone(),
            workers(2).replace("\"ps\"", "\"ps\" count=2 { placement { spread \"rack\"; }; }"),
            vec![],
        ),
        ([one.clone(), bare(1)].join("\n"), workers(2), vec![]),
        ([in_rack("a", 1, "r1"), bare(3)].join("\n"), workers(2), vec![]),
        (bare(4), workers(2), vec![open.to_owned()]),
        (bare(3), workers(1), vec![]),
        (two, workers(2).replace("spread", "node \"topology/rack\" \"r1\"; spread"), no_room(2, "1 rack")),
    ] {
        assert_eq!(told_on_kubernetes(&nodes, &role), told, "{nodes}\n{role}");
    }
}

/// The check does not count values of a patch that a scheduler reads, and says so. Other values of a patch cause no diagnostic.
#[test]
fn a_patch_that_asks_for_nodes_is_told() {
    let pod = |spec: &str| format!("{{template: {{spec: {{{spec}}}}}}}");
    let job = |spec: &str| format!("{{spec: {{tfReplicaSpecs: {{Worker: {}}}}}}}", pod(spec));
    let sidecar = |requests: &str| {
        pod(&format!("initContainers: [{{name: s, image: 'x/y:1', restartPolicy: Always{requests}}}]"))
    };
    for (key, of_job, patch) in [
        ("nodeSelector", false, pod("nodeSelector: {pool: b}")),
        ("nodeSelector", true, job("nodeSelector: {pool: b}")),
        ("affinity", false, pod("affinity: {nodeAffinity: {}}")),
        ("resources", false, sidecar(", resources: {requests: {cpu: 2}}")),
        ("", false, sidecar("")),
        ("", false, "{template: {metadata: {annotations: {resources: many}}}}".to_owned()),
        ("", true, job("priorityClassName: high")),
    ] {
        let block = format!("target \"kubernetes\" {{ patch \"{patch}\"; }}");
        let role = format!("role \"ps\"\nrole \"worker\" {{ {} }}", if of_job { "" } else { &block });
        let role = if of_job { format!("{role}\n{block}") } else { role };
        let told = told_on_kubernetes("nodes \"n\" count=3 cpus=4 memory=\"16GiB\"", &role);
        let told: Vec<_> = told.iter().filter(|told| told.starts_with("undetermined-placement")).collect();
        let whose = if of_job { "the job" } else { "`worker`" };
        let expected = format!(
            "cannot determine whether {whose} fits, because the cluster check does not read `{key}` from patches"
        );
        assert_eq!(told.len(), usize::from(!key.is_empty()), "{patch}: {told:?}");
        assert!(told.iter().all(|told| told.ends_with(&expected)), "{patch}: {told:?}");
    }
}

/// An empty list hides every device (CUDA Programming Guide, `CUDA_VISIBLE_DEVICES`). So a role with GPUs never gets an empty
/// list, from the shim or from the platform.
#[test]
fn a_reserved_gpu_is_never_hidden() {
    let mut seen = BTreeMap::<&str, u32>::new();
    for (strategy, count) in [("single", 1), ("multi-worker-mirrored", 2)] {
        for (gpus, hidden) in [
            ("", true),
            ("gpus=1", false),
            ("{ device \"nvidia.com/gpu\" 4; }", false),
            ("{ device \"nvidia.com/mig-1g.5gb\" 1; }", false),
            ("{ device \"amd.com/gpu\" 1; }", false),
        ] {
            let text = format!(
                "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\nimage \"ml/a:1\"\nrun \"/a\"\n\
                 role \"worker\" count={count} {{ resources cpus=1 memory=\"1GiB\" {gpus}; }}\n\
                 target \"dcos\" {{ version \"2.1\"; }}\ntarget \"kubernetes\"\ntarget \"spark\" {{ master \"k8s://https://h:6443\"; upload \"s3a://b/t\"; }}\n\
                 target \"yarn\" {{ hadoop \"3.3\"; dns-domain \"ml.example\"; }}\n}}\n"
            );
            let analysis = analyzed(&text);
            let plan =
                analysis.plan.as_ref().unwrap_or_else(|| panic!("{:#?}\n{text}", analysis.diagnostics));
            for target in ALL {
                let Some(view) = target.view(plan, 0, 0) else { continue };
                let empty = view.env.get("CUDA_VISIBLE_DEVICES").is_some_and(String::is_empty);
                assert_eq!(empty, hidden, "{}: {gpus:?}\n{text}{:#?}", target.name(), view.env);
                *seen.entry(target.name()).or_default() += 1;
            }
        }
    }
    assert!(["dcos", "kubernetes", "spark", "yarn"].iter().all(|name| seen.get(name) > Some(&2)), "{seen:?}");
}

#[test]
fn what_a_job_reserves_is_what_its_artifacts_set_aside() {
    let mut seen = BTreeMap::<&str, u32>::new();
    for (name, place) in PLACES {
        let target = *ALL.iter().find(|target| target.name() == name).unwrap();
        for roles in ROLES {
            let image = if place.contains("spark://") { "" } else { "image \"ml/a:1\"" };
            let strategy =
                if roles.contains("\"ps\"") { "parameter-server" } else { "multi-worker-mirrored" };
            let text = format!(
                "job \"j\" {{\nframework \"tensorflow\" version=\"2.15\" strategy=\"{strategy}\"\n{image}\nrun \"a\"\ncheckpoints \"hdfs://n/c\"\n{place}\n{roles}\n}}\n"
            );
            let analysis = analyzed(&text);
            let compiled = analysis.compile(target);
            let Some(lowered) = compiled.lowered else { continue };
            *seen.entry(place).or_default() += 1;
            let plan = analysis.plan.as_ref().unwrap();
            let demand = target.reserves(plan);
            if name == "kubernetes" {
                let document = &lowered.artifacts.iter().find_map(|a| a.documents.first()).unwrap().value;
                assert_eq!(ports(&demand), operator(document), "{text}\n{document:#}");
                continue;
            }
            if name == "dcos" {
                let document = &lowered.artifacts.iter().find_map(|a| a.documents.first()).unwrap().value;
                assert_eq!(ports(&demand), marathon(document), "{text}\n{document:#}");
                continue;
            }
            for (role, tasks) in plan.roles.iter().zip(&demand.groups) {
                assert_eq!(mebi(tasks), held(name, &lowered, role.name.value.as_str()), "{text}");
            }
            if name == "yarn" {
                let known = plan.roles.len() + usize::from(place.contains("tensorboard"));
                let masters: Vec<_> =
                    demand.groups[known..].iter().map(|tasks| (tasks.count, mebi(tasks))).collect();
                assert_eq!(masters, [(1, master(&lowered))], "{text}");
            }
        }
    }
    assert!(PLACES.iter().all(|(_, place)| seen.get(place).is_some_and(|jobs| *jobs >= 2)), "{seen:?}");
}
