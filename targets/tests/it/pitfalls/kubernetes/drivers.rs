//! Requirements of CSI drivers: pod annotations, volume attributes, and owners of files.
use crate::pitfalls::{analyzed, compiled};

#[test]
fn a_patch_of_one_role_gives_no_other_role_its_annotation() {
    let patch = "patch \"template: {metadata: {annotations: {gke-gcsfuse/volumes: 'true'}}}\"";
    let text = |job: &str, worker: &str| {
        let csi =
            "csi \"gs\" driver=\"gcsfuse.csi.storage.gke.io\" { attributes { bucketName \"{host}\"; }; }";
        let role = "run \"a\"; resources cpus=1 memory=\"1GiB\"";
        format!(
            "job \"m\" {{
    framework \"tensorflow\" version=\"2.15\"
    image \"ml/a:1\"
    data \"d\" \"gs://b/x\" at=\"/d\"
    role \"worker\" {{ {role}; target \"kubernetes\" {{ {worker}; }}; }}
    helper \"h\" {{ {role}; {job}; }}
    target \"kubernetes\" {{ {csi}; }}
}}"
        )
    };
    let told = |text: &str| {
        let (errors, _) = compiled(&analyzed(text), "kubernetes");
        errors.into_iter().map(|d| d.message).collect::<Vec<_>>()
    };
    let of_helper = format!("target \"kubernetes\" {{ {patch}; }}");
    assert_eq!(told(&text(&of_helper, patch)), Vec::<String>::new());
    let one = told(&text("workdir \"/\"", patch));
    assert!(one.len() == 1 && one[0].contains("which the pods of `h` do not have"), "{one:#?}");
}

/// User of the worker, `mountOptions`, other entries of the job, entries of the worker, and whether the worker can write to the
/// bucket. `NodePublishVolume` of the driver: by default, files belong to root, with mode 644, and directories have mode 755.
/// `fsGroup` sets `gid` and the modes 664 and 775. `mountOptions` override each of these values.
const OWNERS: &[(&str, &str, &str, &str, bool)] = &[
    ("", "implicit-dirs", "", "", true),
    ("user 0", "implicit-dirs", "", "", true),
    ("user 1000", "implicit-dirs", "", "", false),
    ("user 1000", "uid=1000", "", "", true),
    ("user 1000", "implicit-dirs, uid=1000,gid=1000", "", "", true),
    ("user 1000", "file-system:uid:1000", "", "", true),
    ("user 1000", "uid=0", "", "", false),
    ("user 1000", "uid=2000", "", "", false),
    ("user 1000", "uid=1000,file-mode=0444", "", "", false),
    ("user 1000", "gid=1000", "", "", false),
    ("user 1000", "gid=1000,file-mode=664,dir-mode=775", "", "", true),
    ("user 1000", "file-mode=0644", "", "", false),
    ("user 1000", "file-mode=0666", "", "", false),
    ("user 1000", "file-mode=0666,dir-mode=0777", "", "", true),
    ("user 1000", "file-mode=0644,dir-mode=0755", "", "", false),
    ("user 1000", "implicit-dirs", "fs-group 1000;", "", true),
    ("user 1000", "file-mode=0644", "fs-group 1000;", "", false),
    (
        "user 1000",
        "implicit-dirs",
        "patch \"spec: {tfReplicaSpecs: {Worker: {template: {spec: {securityContext: {fsGroup: 1000}}}}}}\";",
        "",
        true,
    ),
    (
        "user 1000",
        "implicit-dirs",
        "patch \"spec: {tfReplicaSpecs: {h: {template: {spec: {securityContext: {fsGroup: 1000}}}}}}\";",
        "",
        false,
    ),
    (
        "user 1000",
        "implicit-dirs",
        "",
        "patch \"template: {spec: {securityContext: {fsGroup: 1000}}}\";",
        true,
    ),
    (
        "user 1000",
        "implicit-dirs",
        "",
        "patch \"template: {metadata: {annotations: {note: fsGroup}}}\";",
        false,
    ),
    (
        "user 1000",
        "implicit-dirs",
        "fs-group 1000;",
        "patch \"template: {spec: {securityContext: {fsGroup: null}}}\";",
        false,
    ),
];

#[test]
fn a_bucket_is_written_by_whom_its_owner_and_modes_let() {
    for (user, options, of_job, of_worker, writes) in OWNERS {
        let text = format!(
            "job \"m\" {{
    framework \"tensorflow\" version=\"2.15\"
    image \"ml/a:1\"
    checkpoints \"gs://b/x\" at=\"/ck\"
    role \"worker\" {{ run \"a\"; resources cpus=1 memory=\"1GiB\"; {user}; target \"kubernetes\" {{ {of_worker} }}; }}
    helper \"h\" {{ run \"a\"; resources cpus=1 memory=\"1GiB\"; user 2000; }}
    target \"kubernetes\" {{
        annotations {{ \"gke-gcsfuse/volumes\" \"true\"; }}
        csi \"gs\" driver=\"gcsfuse.csi.storage.gke.io\" {{ attributes {{ bucketName \"{{host}}\"; mountOptions \"{options}\"; }}; }}
        {of_job}
    }}
}}"
        );
        let (errors, _) = compiled(&analyzed(&text), "kubernetes");
        let told: Vec<_> = errors.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(!told.iter().any(|fact| fact.contains("cannot write")), *writes, "{text}{told:#?}");
    }
}
