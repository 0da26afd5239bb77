//! Patches of the service or of a component that override an entry of the spec: tfjob reports each of them.
use crate::pitfalls::patch_is_told;

/// Entries of the job and of the role, the patch of the component, and the patch of the service.
type Row = (&'static str, &'static str, &'static str, &'static str);

const NETWORK: &str = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK";

#[rustfmt::skip]
const UNDONE: [Row; 19] = [
    // Networks without an address that other nodes can reach.
    ("", "", "", "configuration: {properties: {docker.network: bridge}}"),
    ("", "", "configuration: {properties: {docker.network: none}}", ""),
    ("", "", "configuration: {env: {NETWORK: bridge}}", ""),
    ("", "", "", "configuration: {env: {NETWORK: none}}"),
    ("network \"hadoop\"", "", "configuration: {properties: {docker.network: bridge}}", ""),
    // Values of the service that each component overrides.
    ("network \"hadoop\"", "", "", "configuration: {properties: {docker.network: other}}"),
    ("data \"d\" \"file:///m\" at=\"/m\"", "", "", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS: '/a:/a:ro'}}"),
    ("", "SHARED", "", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS: '/x'}}"),
    ("restart \"on-failure\" limit=3", "", "", "configuration: {properties: {yarn.service.container-failure.retry.max: '0'}}"),
    // A value of a component that overrides the value of the service.
    ("restart \"on-failure\"", "", "configuration: {properties: {yarn.service.container-failure-per-component.threshold: '1'}}", ""),
    // The component that decides when the service ends.
    ("success \"workers\"\nhelper \"nb\" { HELPER }", "", "", "components: [{name: nb, configuration: {properties: {yarn.service.container-state-report-as-service-state: 'true'}}}]"),
    // Another value of a field that the spec sets.
    ("data \"d\" \"file:///m\" at=\"/m\"", "", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS: '/a:/a:ro'}}", ""),
    ("", "SHARED", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS: '/x'}}", ""),
    ("", "", "", "configuration: {properties: {yarn.service.container-failure-per-component.threshold: '1'}}"),
    ("deadline \"1h\"", "", "", "lifetime: 10"),
    ("", "", "restart_policy: NEVER", ""),
    ("", "", "artifact: {id: 'ml/b:1'}", ""),
    ("", "env { A \"b\"; }", "configuration: {env: {A: c}}", ""),
    ("", "", "number_of_containers: 3", ""),
];

/// Parts of the expected messages for some rows.
pub fn arms() -> Vec<(&'static str, String)> {
    [
        (5, "` of the service has no effect: each component overrides it"),
        (9, "`, which overrides the value of the service"),
        (10, "` finishes, which contradicts `success`"),
    ]
    .map(|(row, says)| (says, written(UNDONE[row])))
    .to_vec()
}

fn written((job, role, own, whole): Row) -> String {
    let patch = |text: &str| {
        if text.is_empty() {
            String::new()
        } else {
            format!("patch \"{}\"", text.replace("NETWORK", NETWORK))
        }
    };
    let resources = "resources cpus=1 memory=\"1GiB\"";
    let helper = format!("run \"jupyter\"; {resources}; port \"web\" 8888");
    let shared = if role == "SHARED" { " shared-memory=\"128MiB\"" } else { "" };
    format!(
        r#"job "a" {{
framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
image "ml/a:1"
{}
role "worker" count=2 {{
run "python" "a.py"
{resources}{shared}
{}
target "yarn" {{ {} }}
}}
target "yarn" {{ hadoop "3.3.6"; dns-domain "cluster"; {} }}
}}
"#,
        job.replace("HELPER", &helper),
        role.replace("SHARED", ""),
        patch(own),
        patch(whole)
    )
}

#[test]
fn no_patch_undoes_a_line_of_the_spec_in_silence() {
    let silent: Vec<_> = UNDONE.into_iter().filter(|row| !patch_is_told("yarn", &written(*row))).collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn a_patch_that_undoes_nothing_is_not_told() {
    #[rustfmt::skip]
    let rows: [Row; 5] = [
        ("", "", "configuration: {properties: {docker.network: hadoop}}", ""),
        ("", "", "", "configuration: {properties: {docker.network: hadoop}}"),
        ("", "", "", "configuration: {env: {TZ: UTC}}"),
        ("", "", "configuration: {env: {TZ: UTC}}", "configuration: {env: {TZ: CET}}"),
        ("", "", "configuration: {properties: {yarn.service.container-failure.validity-interval-ms: '9'}}", ""),
    ];
    let told: Vec<_> = rows.into_iter().filter(|row| patch_is_told("yarn", &written(*row))).collect();
    assert!(told.is_empty(), "{told:#?}");
}
