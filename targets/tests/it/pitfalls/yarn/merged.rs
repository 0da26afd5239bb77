//! Patches that fit word by word, and make a service that the engine refuses or misreads.
use super::{HADOOP, many, one};
use crate::pitfalls::{Pitfall, Seen, analyzed, compiled, rows};

const SOURCE: Seen = Seen::In("PlacementConstraint, target tags of other components");

/// Patches of one worker whose image and command the spec sets.
#[rustfmt::skip]
pub fn settings() -> Vec<Pitfall> {
    let row = |name, seen, does, job: &str, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| one(job, &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    let property = |key: &str, value: &str| format!("configuration: {{properties: {{{key}: '{value}'}}}}");
    let written = Seen::In("the launch command and the shim's contract, which set variables last");
    let number = "the master dies: NumberFormatException";
    rows("bad-patch", vec![
        row("a patched threshold that is not a number", HADOOP, number, "", &property("yarn.service.container-failure-per-component.threshold", "abc"),
            "is not an integer", &property("yarn.service.container-failure-per-component.threshold", "10")),
        row("a patched validity interval that is not a number", Seen::In("AbstractProviderService.java of Hadoop 3.4.2"), number, "", &property("yarn.service.container-failure.validity-interval-ms", "abc"),
            "is not an integer", &property("yarn.service.container-failure.validity-interval-ms", "9000000000")),
        row("a patch's timeout with a unit", HADOOP, number, "", &property("yarn.service.container-recovery.timeout.ms", "2m"),
            "is not an integer", &property("yarn.service.container-recovery.timeout.ms", "120000")),
        row("a patch's timeout beyond an Integer", HADOOP, number, "", &property("yarn.service.container-recovery.timeout.ms", "9999999999"),
            "is not an integer", &property("yarn.service.container-recovery.timeout.ms", "2147483647")),
        row("a patched health threshold with a percent sign", HADOOP, number, "", &property("yarn.service.container-health-threshold.percent", "90%"),
            "is not an integer", &property("yarn.service.container-health-threshold.percent", "90")),
        row("a patch's period with a unit", Seen::In("callers of YarnServiceConf.getLong in Hadoop 3.4.2"), number, "", &property("yarn.service.readiness-check-interval.seconds", "30s"),
            "is not an integer", &property("yarn.service.readiness-check-interval.seconds", "30")),
        row("a patched period of zero", Seen::In("ScheduledThreadPoolExecutor.scheduleAtFixedRate"), "the master dies: IllegalArgumentException", "", &property("yarn.service.failure-count-reset.window", "0"),
            "must be at least 1", &property("yarn.service.failure-count-reset.window", "60")),
        row("a patched port range that is not a number", HADOOP, "the master dies: it opens no port", "", &property("yarn.service.am.client.port-range", "abc"),
            "must be a list of port ranges, such as `40000-40010`: the", &property("yarn.service.am.client.port-range", "40000-40010")),
        row("a patch's memory of the master below 0", HADOOP, "refused: Invalid resource request", "", &property("yarn.service.am-resource.memory", "-1"),
            "must be at least 0", &property("yarn.service.am-resource.memory", "0")),
        row("a patch's interval of the master with a unit", HADOOP, "refused: For input string: \"1h\"", "", &property("yarn.service.am-failure.validity-interval-ms", "1h"),
            "is not an integer", &property("yarn.service.am-failure.validity-interval-ms", "-1")),
        row("a patched network name with a space", Seen::In("DockerLinuxContainerRuntime: the network is in docker.allowed.container-networks"), "no container starts: Docker has no network of that name", "",
            &property("docker.network", "a b"), "is not a valid Docker network name: use letters, digits, `_`,", &property("docker.network", "a-b")),
        row("a patched resource type with a space", Seen::In("ResourceUtils.java of Hadoop 3.4.2"), "the master dies of an unknown type", "",
            "resource: {additional: {'RDMA hca': {value: 1}}}", "is not a valid resource type: the service master would crash", "resource: {additional: {rdma/hca: {value: 1}}}"),
        row("patched memory as an additional resource type", HADOOP, "the engine ignores it in silence", "",
            "resource: {additional: {memory-mb: {value: 1}}}", "is ignored as an additional resource: set `resource.memory` or", "resource: {additional: {example.com/nic: {value: 1}}}"),
        row("an image patched by a variable", HADOOP, "the engine sets it again from `artifact`", "",
            "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_IMAGE: a}}", "is set by YARN, or breaks its launcher: use `image` instead", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL: 'true'}}"),
        row("patched mounts that replace the job's mounts", Seen::In("DockerLinuxContainerRuntime: one list of mounts"), "the job's data are not mounted",
            "data \"d\" \"file:///m\" at=\"/m\"", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS: '/a:/a:ro'}}", "removes entries of `YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS`",
            "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL: 'true'}}"),
        row("a variable that the command sets again", written, "the program sees the spec's value",
            "env { A \"x{env.HOME}\"; }", "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
        row("a variable in the value of another variable", written, "the program sees the spec's value",
            "env { A \"a B=1 {env.HOME}\"; }", "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
        row("a network patched by a variable", HADOOP, "the engine sets the variable from the property `docker.network`",
            "network \"overlay\"", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK: foo}}", "`YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK` has no effect", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL: 'true'}}"),
        row("a variable that the shim sets again", written, "the program sees the spec's value",
            "env { A \"{index}\"; }\nrestart \"on-failure\" limit=3 within=\"1h\" no-progress-limit=2\ncheckpoints \"file:///c\" at=\"/c\"", "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
    ])
}

#[rustfmt::skip]
pub fn pitfalls() -> Vec<Pitfall> {
    let row = |name, fact, seen, does, falls: &str, says, neighbour: &str, block: &str| {
        let spec = |text: &str| one("", &format!("placement {{ spread \"rack\" }}\ntarget \"yarn\" {{ patch \"{text}\" }}"), block)
            .replace(if block.is_empty() { "placement { spread \"rack\" }" } else { "\0" }, "");
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, fact, seen, does, spec(falls), words, says, spec(neighbour))
    };
    let service = |name, does, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| one("", "", &format!("patch \"{text}\""));
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", HADOOP, does, spec(falls), words, says, spec(neighbour))
    };
    let secure = |name, does, falls: &str, says, neighbour: &str| {
        let (name, fact, _, does, falls, words, says, neighbour) = service(name, does, falls, says, neighbour);
        (name, fact, Seen::In("ServiceApiUtil.java and ServiceClient.java of Hadoop 3.4.2"), does, falls, words, says, neighbour)
    };
    let posted = "placement-constraints #true; resource-manager \"http://rm:8088\"; user \"ada\"";
    rows("bad-patch", vec![
        row("a renamed component", "", HADOOP, "a capital is refused, and by another name nobody finds its tasks",
            "name: Boss", "is generated from the name of the job, and tasks find each", "run_privileged_container: false", ""),
        row("a dependency on an unknown component", "", HADOOP, "refused: does not exist as a component; between services the master waits for ever",
            "dependencies: [nosuch]", "is generated from `after`", "run_privileged_container: false", ""),
        row("an image without a name", "", HADOOP, "refused: the artifact's id is empty",
            "artifact: {id: ''}", "the artifact of `", "artifact: {id: 'ml/a:2'}", ""),
        row("a patched placement constraint in `yarn app -launch`", "", HADOOP, "the client writes the scope so that the server refuses it",
            "placement_policy: {constraints: [{type: ANTI_AFFINITY, scope: NODE, target_tags: [worker]}]}", "`yarn app -launch` cannot send this constraint: set", "run_privileged_container: false", ""),
        row("a placement constraint on another component", "", SOURCE, "tags of another component name nothing, and nothing says so",
            "placement_policy: {constraints: [{type: AFFINITY, scope: NODE, target_tags: [nosuch]}]}", "` can refer only to its own tasks, not to `",
            "placement_policy: {constraints: [{type: ANTI_AFFINITY, scope: NODE, target_tags: [worker]}]}", posted),
        row("a file without a source", "", HADOOP, "refused: a file that is copied has a source, and no properties",
            "configuration: {files: [{type: STATIC, dest_file: a}]}", "needs a `src_file`", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}]}", ""),
        row("an invalid image name", "", HADOOP, "accepted; the node's Docker runtime refuses the name, and no container starts",
            "artifact: {id: UPPER/x y}", "not a valid image name", "artifact: {id: 'ml/a:2'}", ""),
        row("a patch's memory above a Long", "", HADOOP, "refused at submission: the number is no `Long`",
            "resource: {memory: '9223372036854775808'}", "must be an integer in MiB", "resource: {memory: 4096}", ""),
        row("a patch's PATH", "", HADOOP, "the launch script itself finds no program there",
            "configuration: {env: {PATH: /x}}", "is set by YARN, or changes its launch script", "configuration: {env: {MYPATH: /x}}", ""),
        row("a patched variable that bash overwrites", "", HADOOP, "the launch script fails: readonly variable; others have the value of bash in the program",
            "configuration: {env: {UID: '7'}}", "is set by bash", "configuration: {env: {MY_UID: '7'}}", ""),
        row("a patch's task number", "the shim's contract", Seen::In("the shim's contract: one number for all"), "all tasks of the role would be task 0",
            "configuration: {env: {TFJOB_INDEX: '0'}}", "is generated per task", "configuration: {env: {TFJOB_ME: '0'}}", ""),
        row("a patch's directory", "yarn#source-files", HADOOP, "refused at submission: a source that is a directory is not supported",
            "configuration: {files: [{type: STATIC, dest_file: a, src_file: /m/}]}", "is a directory", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /m}]}", ""),
        row("a patched archive that is not unpacked", "FSDownload of 3.4.2", HADOOP, "the node manager copies an archive of another form as it is",
            "configuration: {files: [{type: ARCHIVE, dest_file: a, src_file: /v.tar.xz}]}", "would not be unpacked", "configuration: {files: [{type: ARCHIVE, dest_file: a, src_file: /V.ZIP}]}", ""),
        row("a patch's visibility on an old cluster", "ConfigFile of 3.1.4 and 3.2.1", Seen::In("ConfigFile.java of Hadoop 3.1.4 and 3.2.1"), "the key is not known: it is dropped, or answered with 404",
            "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a, visibility: PUBLIC}]}", "`visibility` needs Hadoop 3.3", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}]}", ""),
        service("patched Java options", "refused at submission: an invalid character", "configuration: {properties: {yarn.service.am.java.opts: '-Xmx1g; id'}}", "contains a character that YARN refuses in Java options", "configuration: {properties: {yarn.service.am.java.opts: '-Xmx1g'}}"),
        secure("a patch's principal without a host", "refused on a secure cluster", "kerberos_principal: {principal_name: a@X, keytab: 'hdfs:///k'}", "contains no host: a secure cluster requires `name/_HOST@REALM`", "kerberos_principal: {principal_name: a/_HOST@X, keytab: 'hdfs:///k'}"),
        secure("a patch's keytab without a scheme", "refused on a secure cluster", "kerberos_principal: {principal_name: a/_HOST@X, keytab: k}", "must be a URI, such as `hdfs:///keytabs/a.keytab`", "kerberos_principal: {principal_name: a/_HOST@X, keytab: 'file:///k'}"),
        secure("a patch's Docker configuration on the web", "refused at submission: `Wrong FS`", "docker_client_config: 'https://h/config.json'", "must be on the default file system, such as", "docker_client_config: 'hdfs:///config.json'"),
        service("a component that is not a role", "refused, or run without a program", "components: [{name: boss}]", "` is not a role of the job", "components: [{name: worker, run_privileged_container: false}]"),
        service("a patched queue name with a space", "refused at submission: an unknown queue", "queue: a b", "is not a valid queue name", "queue: a.b"),
    ])
}

/// Patches of a role whose tasks meet: their names hold what only the cluster knows, such as who submits.
#[rustfmt::skip]
pub fn meeting() -> Vec<Pitfall> {
    let spec = |text: &str| many("env { A \"z\"; }", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "hadoop \"3.3.6\"");
    let row = |name, seen, does, falls: &str, says, neighbour: &str| {
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    let written = Seen::In("the shim's contract, which sets variables last");
    let instances = Seen::In("Component.createOneCompInstance of Hadoop 3.3.6");
    rows("bad-patch", vec![
        row("a variable of a task with peers", written, "the program sees the spec's value",
            "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
        row("a patch's list of devices", written, "the program sees an empty list: it is set again from `gpus`",
            "configuration: {env: {CUDA_VISIBLE_DEVICES: '7'}}", "`CUDA_VISIBLE_DEVICES` has no effect", "configuration: {env: {CUDA_DEVICE_ORDER: PCI_BUS_ID}}"),
        row("a patch's Docker bridge", Seen::In("DockerContainers of Hadoop, networking; dockerd: a bridge is a node's own"), "each container has an address that only its own node reaches",
            "configuration: {properties: {docker.network: bridge}}", "` network have no address that other nodes can reach", "configuration: {properties: {docker.network: overlay-2}}"),
        row("a patch's GPUs without `gpus`", written, "four GPUs a container are reserved, and the program sees none",
            "resource: {additional: {yarn.io/gpu: {value: 4}}}", "(CUDA_VISIBLE_DEVICES is empty): write `resources gpus=4` instead", "resource: {additional: {nvidia.com/hostdev: {value: 4}}}"),
        row("a patch's GPUs of the pluggable device framework", written, "four GPUs a container are reserved, and the program sees none",
            "resource: {additional: {nvidia.com/gpu: {value: 4}}}", "(CUDA_VISIBLE_DEVICES is empty): write `resources { device \"nvidia.com/gpu\" 4 }` instead", "resource: {additional: {nvidia.com/hostdev: {value: 4}}}"),
        row("a task that is never created", instances, "the others get numbers up to `count`, which are no tasks of the job",
            "decommissioned_instances: [worker-0]", "` an index beyond `count`, which its peers do not know", "decommissioned_instances: [worker-7]"),
    ])
}

/// The engine takes the network of a container from the component's properties, then the service's, then a variable: what a
/// patch makes of it is judged as `network` is.
#[test]
fn a_patched_network_reaches_the_other_nodes() {
    const NAME: &str = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK";
    let property = |network: &str| format!("configuration: {{properties: {{docker.network: {network}}}}}");
    let variable = |network: &str| format!("configuration: {{env: {{{NAME}: {network}}}}}");
    let faults = |stated: &str, patch: &str, of_role: bool| {
        let block = format!("patch \"{patch}\"");
        let text = match of_role {
            true => many("", &format!("target \"yarn\" {{ {block}; }}"), "hadoop \"3.3.6\""),
            false => many("", "", &format!("hadoop \"3.3.6\"; {block}")),
        };
        let text = text.replace("network \"overlay\"", stated);
        let (all, _) = compiled(&analyzed(&text), "yarn");
        all.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    for of_role in [true, false] {
        for lonely in ["bridge", "none"] {
            for patch in [property(lonely), variable(lonely)] {
                let all = faults("", &patch, of_role);
                assert!(
                    all.iter().any(|m| m.contains("` network have no address that other nodes can reach")),
                    "{patch}, {of_role}: {all:?}"
                );
            }
        }
        for patch in [property("overlay"), variable("overlay"), property("host")] {
            assert_eq!(faults("", &patch, of_role), [""; 0], "{patch}");
        }
        let all = faults("", &variable("'a b'"), of_role);
        assert!(
            all.iter().any(|m| m.contains("is not a valid Docker network name: use letters, digits, `_`,")),
            "{all:?}"
        );
    }
    let all = faults("network \"overlay\"", &property("bridge"), true);
    assert!(
        all.iter().any(|m| m.contains("` network have no address that other nodes can reach")),
        "{all:?}"
    );
    let alone = one("", "", &format!("patch \"{}\"", property("bridge")));
    assert!(compiled(&analyzed(&alone), "yarn").0.is_empty());
}

/// The type of an artifact has no line of its own: the image is set there.
#[test]
fn a_patch_of_another_type_than_the_images_is_named() {
    let warned = |artifact: &str| {
        let text = one("", &format!("target \"yarn\" {{ patch \"artifact: {artifact}\"; }}"), "");
        let (all, _) = crate::pitfalls::found(&analyzed(&text), "yarn");
        all.iter().any(|d| d.code.name == "patch-overrides" && d.message.contains("`type`"))
    };
    assert!(warned("{id: 'hdfs://n/x.tgz', type: TARBALL}"));
    assert!(!warned("{id: 'ml/b:1', type: DOCKER}"));
    assert!(!warned("{id: 'ml/b:1'}"));
}

/// What stands in other parts of the document is not what set a scalar, and at the root nothing is set together.
#[test]
fn a_scalar_of_tfjob_is_not_set_by_a_line_of_another_part() {
    let text = one("", "target \"yarn\" { patch \"version: '2'\"; }", "");
    let (all, _) = crate::pitfalls::found(&analyzed(&text), "yarn");
    assert!(!all.iter().any(|d| d.code.name == "patch-overrides"), "{all:?}");
}

/// A variable that is not there has the origin of the map that a patch made.
#[test]
fn a_patch_of_another_variable_is_none_of_the_networks() {
    let name = "YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK";
    for network in ["", "network \"overlay\"", "network \"host\""] {
        for component in [false, true] {
            let text = |env: &str| {
                let patch = format!("patch \"configuration: {{env: {{{env}: UTC}}}}\"");
                if component {
                    one(network, &format!("target \"yarn\" {{ {patch} }}"), "")
                } else {
                    one(network, "", &patch)
                }
            };
            assert!(compiled(&analyzed(&text("TZ")), "yarn").1.is_some(), "{}", text("TZ"));
            assert_eq!(
                compiled(&analyzed(&text(name)), "yarn").1.is_none(),
                !network.is_empty(),
                "{}",
                text(name)
            );
        }
    }
}
