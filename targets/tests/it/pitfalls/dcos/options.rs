//! Patches of the package options.
use super::{COSMOS, package};
use crate::pitfalls::{Pitfall, Row, Seen, rows};

const PARSER: Seen = Seen::In("dcos-commons, MarathonConstraintParser");
const AGENTS: Seen = Seen::In("DC/OS, MESOS_RESOURCES of its agents");

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    // Both specs have the same entries in the job and in the target block.
    let with = |name, seen, does, (job, block): (&str, &str), falls: &str, says, neighbour: &str| -> Row {
        let spec = |text: &str| package(job, "", &format!("{block}\n patch \"{text}\""));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    let row = |name, seen, does, falls: &str, says, neighbour: &str| with(name, seen, does, ("", ""), falls, says, neighbour);
    let version = ("", "version \"1.11\"");
    rows("bad-patch", vec![
        row("a patch with an unknown disk type", COSMOS, "the package manager refuses `root`, because only `ROOT` and `MOUNT` are valid",
            "worker: {disk_type: root}", "cannot be \"root\"", "worker: {disk_type: ROOT}"),
        row("a patched package port that no agent offers", AGENTS, "no agent offers the port, so the tasks wait forever for an offer",
            "worker: {port: 80}", "do not offer host port 80 to tasks", "worker: {port: 8050}"),
        row("a patched TensorBoard port that no agent offers", AGENTS, "no agent offers the port, so TensorBoard waits forever for an offer",
            "{tensorboard: {port: 80}, service: {use_tensorboard: true}}", "do not offer host port 80 to tasks",
            "{tensorboard: {port: 80}, service: {use_tensorboard: true, virtual_network_enabled: true}}"),
        with("a patch of the package options with an invalid network name", Seen::In("stringTypes.raml of Marathon 1.7, NetworkName"), "Marathon refuses the name of the network", version,
            "service: {virtual_network_enabled: true, virtual_network_name: 'x y'}", "Marathon rejects the network name `x y`",
            "service: {virtual_network_enabled: true, virtual_network_name: x_y}"),
        row("a patch that enables Kerberos without a KDC", COSMOS, "the package manager accepts the options, but sets empty strings as realm, KDC, and keytab",
            "service: {security: {kerberos: {enabled: true}}}", "Kerberos is enabled without `kdc.hostname`", "service: {security: {kerberos: {enabled: false}}}"),
        row("a patch with an empty job_url", COSMOS, "the package manager accepts the options, but the package runs its bundled examples",
            "service: {job_url: ''}", "would run its bundled examples", "service: {job_url: 'https://h/other.zip'}"),
        row("a patched package secret without DC/OS Enterprise", Seen::In("the DC/OS page on secrets and spaces"), "only the Enterprise edition has a secret store; without it, the scheduler of the package does not start",
            "service: {service_account: a, service_account_secret: s}", "only DC/OS Enterprise has a secret store", "service: {service_account: a}"),
        row("a patched job_path outside the code", COSMOS, "the package looks for the module in this directory and does not find it",
            "service: {job_path: ../../etc}", "`../../etc` is not a relative path inside the code", "service: {job_path: examples/mnist}"),
        row("a patched region constraint before DC/OS 1.11", COSMOS, "before DC/OS 1.11, the package does not use regions for placement",
            "service: {region: eu}", "regions need DC/OS 1.11 or later", "service: {region: ''}"),
        row("a patch of the package options with an empty image name", COSMOS, "the tasks cannot start, because the name of their image is empty",
            "service: {tf_image: ''}", "`service.tf_image` is empty", "service: {tf_image: ml/tf}"),
        row("a patched package constraint with a wrong number of parts", PARSER, "the scheduler of the package does not start: `Invalid number of entries in rule`",
            "worker: {placement_constraint: nonsense}", "must be a list of attribute, operator, and optional value", "worker: {placement_constraint: 'rack:CLUSTER:r1'}"),
        row("a patched constraint operator that the package does not support", PARSER, "the scheduler of the package does not start: `Unsupported operator`",
            "worker: {placement_constraint: 'rack:IS:r1'}", "has the invalid operator `IS`", "worker: {placement_constraint: 'hostname:UNIQUE'}"),
        row("a patched package constraint without a value", PARSER, "the scheduler of the package does not start: `Missing required parameter`",
            "worker: {placement_constraint: 'rack:LIKE'}", "needs a value after `LIKE`", "worker: {placement_constraint: 'rack:LIKE:r[12]'}"),
        row("a patched package constraint with a value that is not an integer", PARSER, "the scheduler of the package does not start: `Unable to parse max parameter as integer`",
            "worker: {placement_constraint: 'rack:MAX_PER:two'}", "needs an integer after `MAX_PER`", "worker: {placement_constraint: 'rack:MAX_PER:2'}"),
    ])
}

/// The default image of the package contains Hadoop. A job that also has another target needs `hadoop`; for a job with its own
/// image, a note says what the image must contain.
#[test]
fn the_package_itself_has_hadoop() {
    let hdfs = "data \"d\" \"hdfs://default/d\"\n checkpoints \"hdfs://default/c\"";
    let spec = |job: &str| super::package(job, "", "hdfs-config \"http://hdfs.example.com/conf\"");
    let told = |spec: &str, code: &str, says: &str| {
        let all = crate::pitfalls::found(&crate::pitfalls::analyzed(spec), "dcos").0;
        assert!(all.iter().all(|d| !d.is_error()), "{all:#?}");
        all.iter().filter(|d| d.code.name == code && d.message.contains(says)).count()
    };
    let own = spec(hdfs);
    assert_eq!(told(&own, "hdfs-without-hadoop", ""), 0);
    let both =
        own.replace("    target \"dcos\"", "    target \"yarn\" { hadoop \"3.3\" }\n    target \"dcos\"");
    assert_eq!(told(&both, "hdfs-without-hadoop", ""), 1);
    let image = spec(&format!("image \"ml/mnist:1.0\"\n {hdfs}"));
    assert_eq!(told(&image, "hdfs-without-hadoop", ""), 0);
    assert_eq!(
        told(
            &image,
            "emulated-feature",
            "the custom image must contain a Hadoop client and set `CLASSPATH` and `LD_LIBRARY_PATH`"
        ),
        2
    );
    let named = spec(&format!("{hdfs}\n hadoop home=\"/opt/hadoop\" java=\"/opt/java\""));
    assert_eq!(told(&named, "ignored-feature", "the `hadoop` paths are ignored"), 1);
}

/// All tasks of a job have different host names, whatever the names of the roles are.
#[test]
fn tasks_of_a_job_have_names_of_their_own() {
    let names = ["a", "a-1", "a-1-0", "a-0", "a-mnist", "a-0-mnist", "mnist"];
    let roles: String = names.iter().map(|name| format!("role \"{name}\" count=12\n")).collect();
    let spec = super::marathon("target \"dcos\" { group \"/mnist-a\" }", "")
        .replace("\"tensorflow\" version=\"2.15\"", "\"custom\"")
        .replace("    role \"worker\" {\n        run \"python\" \"train.py\"\n        resources cpus=1 memory=\"1GiB\"\n", "")
        .replace("        \n    }\n}", &format!("run \"a\"\nresources cpus=1 memory=\"1GiB\"\n{roles}}}"));
    let analysis = crate::pitfalls::analyzed(&spec);
    let told: Vec<_> = analysis.diagnostics.iter().map(|d| &d.message).collect();
    let plan = analysis.plan.as_ref().unwrap_or_else(|| panic!("{told:#?}\n{spec}"));
    let dcos = tfjob_targets::ALL.iter().find(|target| target.name() == "dcos").unwrap();
    let hosts = dcos.hosts(plan);
    let distinct: std::collections::BTreeSet<_> = hosts.iter().collect();
    assert_eq!((hosts.len(), distinct.len()), (names.len() * 12, names.len() * 12));
}
