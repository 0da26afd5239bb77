//! Patches with valid fields that result in a service that YARN refuses or misinterprets.
use super::{HADOOP, many, one};
use crate::pitfalls::{Pitfall, Seen, analyzed, compiled, rows};

const SOURCE: Seen = Seen::In("PlacementConstraint, target tags of other components");

/// Patches of a single worker; the spec sets its image and command.
#[rustfmt::skip]
pub fn settings() -> Vec<Pitfall> {
    let row = |name, seen, does, job: &str, falls: &str, says, neighbour: &str| {
        let spec = |text: &str| one(job, &format!("target \"yarn\" {{ patch \"{text}\" }}"), "");
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    let property = |key: &str, value: &str| format!("configuration: {{properties: {{{key}: '{value}'}}}}");
    let written = Seen::In("the launch command and the contract of the shim, which set environment variables last");
    let number = "the service master crashes with `NumberFormatException`";
    rows("bad-patch", vec![
        row("a patched failure threshold that is not a number", HADOOP, number, "", &property("yarn.service.container-failure-per-component.threshold", "abc"),
            "must be an integer", &property("yarn.service.container-failure-per-component.threshold", "10")),
        row("a patched failure validity interval that is not a number", Seen::In("AbstractProviderService.java of Hadoop 3.4.2"), number, "", &property("yarn.service.container-failure.validity-interval-ms", "abc"),
            "must be an integer", &property("yarn.service.container-failure.validity-interval-ms", "9000000000")),
        row("a patched container recovery timeout with a unit", HADOOP, number, "", &property("yarn.service.container-recovery.timeout.ms", "2m"),
            "must be an integer", &property("yarn.service.container-recovery.timeout.ms", "120000")),
        row("a patched container recovery timeout above the range of a Java Integer", HADOOP, number, "", &property("yarn.service.container-recovery.timeout.ms", "9999999999"),
            "must be an integer", &property("yarn.service.container-recovery.timeout.ms", "2147483647")),
        row("a patched health threshold with a percent sign", HADOOP, number, "", &property("yarn.service.container-health-threshold.percent", "90%"),
            "must be an integer", &property("yarn.service.container-health-threshold.percent", "90")),
        row("a patched readiness check interval with a unit", Seen::In("callers of YarnServiceConf.getLong in Hadoop 3.4.2"), number, "", &property("yarn.service.readiness-check-interval.seconds", "30s"),
            "must be an integer", &property("yarn.service.readiness-check-interval.seconds", "30")),
        row("a patched reset window of the failure count that is zero", Seen::In("ScheduledThreadPoolExecutor.scheduleAtFixedRate"), "the service master crashes with `IllegalArgumentException`", "", &property("yarn.service.failure-count-reset.window", "0"),
            "must be at least 1", &property("yarn.service.failure-count-reset.window", "60")),
        row("a patched port range of the service master that is not a number", HADOOP, "the service master crashes, because it cannot open a port", "", &property("yarn.service.am.client.port-range", "abc"),
            "must be a list of port ranges, such as `40000-40010`: the", &property("yarn.service.am.client.port-range", "40000-40010")),
        row("patched memory of the service master below 0", HADOOP, "YARN refuses the service with `Invalid resource request`", "", &property("yarn.service.am-resource.memory", "-1"),
            "must be at least 0", &property("yarn.service.am-resource.memory", "0")),
        row("a patched failure interval of the service master with a unit", HADOOP, "YARN refuses the service with `For input string: \"1h\"`", "", &property("yarn.service.am-failure.validity-interval-ms", "1h"),
            "must be an integer", &property("yarn.service.am-failure.validity-interval-ms", "-1")),
        row("a patched network name with a space", Seen::In("DockerLinuxContainerRuntime.java: the network must be in docker.allowed.container-networks"), "no container starts, because Docker has no network with this name", "",
            &property("docker.network", "a b"), "is not a valid Docker network name: use letters, digits, `_`,", &property("docker.network", "a-b")),
        row("a patched resource type with a space", Seen::In("ResourceUtils.java of Hadoop 3.4.2"), "the service master crashes, because the resource type is unknown", "",
            "resource: {additional: {'RDMA hca': {value: 1}}}", "contains an invalid resource type: the service master would crash", "resource: {additional: {rdma/hca: {value: 1}}}"),
        row("patched memory as an additional resource type", HADOOP, "YARN ignores the entry without a message", "",
            "resource: {additional: {memory-mb: {value: 1}}}", "is ignored as an additional resource: set `resource.memory` or", "resource: {additional: {example.com/nic: {value: 1}}}"),
        row("an image that a patched environment variable sets", HADOOP, "YARN overwrites the variable with the image in `artifact`", "",
            "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_IMAGE: a}}", "is set by YARN, or breaks its launcher: use `image` instead", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL: 'true'}}"),
        row("patched mounts that replace the job's mounts", Seen::In("DockerLinuxContainerRuntime.java: one list of mounts"), "the patched list replaces the whole list of mounts, so the data of the job are not mounted",
            "data \"d\" \"file:///m\" at=\"/m\"", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS: '/a:/a:ro'}}", "removes entries of `YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS`",
            "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL: 'true'}}"),
        row("a patched environment variable that the launch command overwrites", written, "the value of the spec is set last, so the program does not see the value of the patch",
            "env { A \"x{env.HOME}\"; }", "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
        row("a patched environment variable that the launch command overwrites with a value that contains `=`", written, "the value of the spec is set last, so the program does not see the value of the patch",
            "env { A \"a B=1 {env.HOME}\"; }", "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
        row("a network that a patched environment variable sets", HADOOP, "YARN overwrites the variable with the property `docker.network`",
            "network \"overlay\"", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK: foo}}", "`YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK` has no effect", "configuration: {env: {YARN_CONTAINER_RUNTIME_DOCKER_DELAYED_REMOVAL: 'true'}}"),
        row("a patched environment variable that the shim overwrites", written, "the value of the spec is set last, so the program does not see the value of the patch",
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
        row("a patch of the component name", "", HADOOP, "YARN refuses uppercase letters; with another valid name, peers cannot find the tasks of the component",
            "name: Boss", "is generated from the name of the job, and tasks find each", "run_privileged_container: false", ""),
        service("a patched dependency of the service on an unknown service", "YARN accepts the service, but its service master waits indefinitely for the other service",
            "dependencies: [nosuch]", "cannot be patched: YARN refuses", "lifetime: 60"),
        row("a patched image without a name", "", HADOOP, "YARN refuses the service, because the `id` of the artifact is empty",
            "artifact: {id: ''}", "the artifact of `", "artifact: {id: 'ml/a:2'}", ""),
        row("a patched placement constraint in `yarn app -launch`", "", HADOOP, "`yarn app -launch` sends the field `scope` of the constraint in lowercase, but the server accepts it only in uppercase",
            "placement_policy: {constraints: [{type: ANTI_AFFINITY, scope: NODE, target_tags: [worker]}]}", "`yarn app -launch` cannot send this constraint: instead of the patch", "run_privileged_container: false", ""),
        row("a patched placement constraint on another component", "", SOURCE, "if the constraint names the tag of another component, it matches no container, and YARN reports no error",
            "placement_policy: {constraints: [{type: AFFINITY, scope: NODE, target_tags: [nosuch]}]}", "` can refer only to its own tasks, not to `",
            "placement_policy: {constraints: [{type: ANTI_AFFINITY, scope: NODE, target_tags: [worker]}]}", posted),
        row("a patched file without a source", "", HADOOP, "YARN refuses the service: a file of type `STATIC` needs a source and cannot have properties",
            "configuration: {files: [{type: STATIC, dest_file: a}]}", "needs a `src_file`", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}]}", ""),
        row("a patched image with an invalid name", "", HADOOP, "YARN accepts the service, but Docker on the node refuses the name, so no container starts",
            "artifact: {id: UPPER/x y}", "not a valid image name", "artifact: {id: 'ml/a:2'}", ""),
        row("patched memory above the range of a Java Long", "", HADOOP, "YARN refuses the service at submission, because the number does not fit into a Java `Long`",
            "resource: {memory: '9223372036854775808'}", "must be an integer in MiB", "resource: {memory: 4096}", ""),
        row("a patch of PATH", "", HADOOP, "the launch script itself uses this `PATH`, and finds none of its programs there",
            "configuration: {env: {PATH: /x}}", "is set by YARN, or changes its launch script", "configuration: {env: {MYPATH: /x}}", ""),
        row("a patched variable that bash overwrites", "", HADOOP, "bash refuses to overwrite a readonly variable, so the launch script fails; variables that are not readonly get the value of bash",
            "configuration: {env: {UID: '7'}}", "is set by bash", "configuration: {env: {MY_UID: '7'}}", ""),
        row("a patch of the task index", "the shim's contract", Seen::In("the shim's contract: one value for all tasks"), "a patch gives all tasks of the role the same index, so each of them acts as the same task",
            "configuration: {env: {TFJOB_INDEX: '0'}}", "is generated per task", "configuration: {env: {TFJOB_ME: '0'}}", ""),
        row("a patched source that is a directory", "yarn#source-files", HADOOP, "YARN refuses the service at submission, because the source of a copied file (`src_file`) cannot be a directory",
            "configuration: {files: [{type: STATIC, dest_file: a, src_file: /m/}]}", "is a directory", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /m}]}", ""),
        row("a patched archive that is not unpacked", "FSDownload of 3.4.2", HADOOP, "the NodeManager copies an archive of an unknown format without unpacking it",
            "configuration: {files: [{type: ARCHIVE, dest_file: a, src_file: /v.tar.xz}]}", "would not be unpacked", "configuration: {files: [{type: ARCHIVE, dest_file: a, src_file: /V.ZIP}]}", ""),
        row("a patched file visibility before Hadoop 3.3", "ConfigFile of 3.1.4 and 3.2.1", Seen::In("ConfigFile.java of Hadoop 3.1.4 and 3.2.1"), "earlier Hadoop releases do not know the key: they drop it or refuse the request with HTTP 404",
            "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a, visibility: PUBLIC}]}", "`visibility` needs Hadoop 3.3", "configuration: {files: [{type: STATIC, dest_file: a, src_file: /a}]}", ""),
        service("a patch with invalid Java options", "YARN refuses the service at submission, because the options contain an invalid character", "configuration: {properties: {yarn.service.am.java.opts: '-Xmx1g; id'}}", "contains a character that YARN refuses in Java options", "configuration: {properties: {yarn.service.am.java.opts: '-Xmx1g'}}"),
        secure("a patched Kerberos principal without a host", "a cluster with Kerberos refuses the service", "kerberos_principal: {principal_name: a@X, keytab: 'hdfs:///k'}", "contains no host: a secure cluster requires `name/_HOST@REALM`", "kerberos_principal: {principal_name: a/_HOST@X, keytab: 'hdfs:///k'}"),
        secure("a patched keytab without a URI scheme", "a cluster with Kerberos refuses the service", "kerberos_principal: {principal_name: a/_HOST@X, keytab: k}", "must be a URI, such as `hdfs:///keytabs/a.keytab`", "kerberos_principal: {principal_name: a/_HOST@X, keytab: 'file:///k'}"),
        secure("a patched Docker configuration on a web server", "YARN refuses a file outside the default file system at submission: `Wrong FS`", "docker_client_config: 'https://h/config.json'", "must be on the default file system, such as", "docker_client_config: 'hdfs:///config.json'"),
        service("a patched component that is not a role", "YARN refuses the component, or runs it without a program", "components: [{name: boss}]", "` is not a role of the job", "components: [{name: worker, run_privileged_container: false}]"),
        service("a patched queue name with a space", "YARN refuses the service at submission, because the queue is unknown", "queue: a b", "must be a valid queue name", "queue: a.b"),
    ])
}

/// Patches of a role with peers: their addresses contain values that only the cluster knows, such as the submitting user.
#[rustfmt::skip]
pub fn meeting() -> Vec<Pitfall> {
    let spec = |text: &str| many("env { A \"z\"; }", &format!("target \"yarn\" {{ patch \"{text}\" }}"), "hadoop \"3.3.6\"");
    let row = |name, seen, does, falls: &str, says, neighbour: &str| {
        let words: &'static str = Box::leak(format!("\"{falls}\"").into_boxed_str());
        (name, "", seen, does, spec(falls), words, says, spec(neighbour))
    };
    let written = Seen::In("the contract of the shim, which sets environment variables last");
    let instances = Seen::In("Component.createOneCompInstance of Hadoop 3.3.6");
    rows("bad-patch", vec![
        row("a patched environment variable that the shim of a task with peers overwrites", written, "the value of the spec is set last, so the program does not see the value of the patch",
            "configuration: {env: {A: b}}", "`A` has no effect", "configuration: {env: {B: b}}"),
        row("a patch of CUDA_VISIBLE_DEVICES", written, "the shim sets the variable again from `gpus`, so the program sees an empty list of devices",
            "configuration: {env: {CUDA_VISIBLE_DEVICES: '7'}}", "`CUDA_VISIBLE_DEVICES` has no effect", "configuration: {env: {CUDA_DEVICE_ORDER: PCI_BUS_ID}}"),
        row("a patched Docker bridge network", Seen::In("the Hadoop page DockerContainers, section on networking, and dockerd, where a bridge belongs to one node"), "only its own node can reach the address of each container",
            "configuration: {properties: {docker.network: bridge}}", "` network have no address that other nodes can reach", "configuration: {properties: {docker.network: overlay-2}}"),
        row("a patch that requests GPUs without the property gpus", written, "YARN reserves the GPUs of the patch, but the program sees none, because the shim sets an empty CUDA_VISIBLE_DEVICES",
            "resource: {additional: {yarn.io/gpu: {value: 4}}}", "(CUDA_VISIBLE_DEVICES is empty): write `resources gpus=4` instead", "resource: {additional: {nvidia.com/hostdev: {value: 4}}}"),
        row("a patch that requests GPUs of the pluggable device framework without a device", written, "YARN reserves the GPUs of the patch, but the program sees none, because the shim sets an empty CUDA_VISIBLE_DEVICES",
            "resource: {additional: {nvidia.com/gpu: {value: 4}}}", "(CUDA_VISIBLE_DEVICES is empty): write `resources { device \"nvidia.com/gpu\" 4 }` instead", "resource: {additional: {nvidia.com/hostdev: {value: 4}}}"),
        row("a patch that decommissions an instance", instances, "if `worker-0` is decommissioned, YARN starts the instances 1 to `count` instead of 0 to `count` - 1; the job has no task with the index `count`",
            "decommissioned_instances: [worker-0]", "` an index beyond `count`, which its peers do not know", "decommissioned_instances: [worker-7]"),
    ])
}

/// YARN takes the network of a container from the properties of the component, then of the service, then from an environment
/// variable. A network that a patch sets follows the rules of `network`.
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

/// No entry of the spec sets the `type` of an artifact, so the warning points to the image.
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

/// A patched field at the root overrides no entry of the spec, even if other parts of the artifact have one.
#[test]
fn a_scalar_of_tfjob_is_not_set_by_a_line_of_another_part() {
    let text = one("", "target \"yarn\" { patch \"version: '2'\"; }", "");
    let (all, _) = crate::pitfalls::found(&analyzed(&text), "yarn");
    assert!(!all.iter().any(|d| d.code.name == "patch-overrides"), "{all:?}");
}

/// A patch that creates the map `env` does not count as a patch of the network variable, unless it sets this variable.
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
