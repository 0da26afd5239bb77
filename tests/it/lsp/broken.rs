//! Specs with errors, as users write them: in KDL, JSON, and YAML, with bases, cluster files, and projects.

/// Files of a directory.
pub struct Case {
    /// Name of the directory.
    pub name: &'static str,
    /// Names and texts of the files.
    pub files: &'static [(&'static str, &'static str)],
    /// The file that the user opens.
    pub open: &'static str,
}

const fn one(name: &'static str, files: &'static [(&'static str, &'static str)]) -> Case {
    Case { name, files, open: files[0].0 }
}

const BASE: (&str, &str) = (
    "base.tfjob.kdl",
    r#"job {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "registry/a:1"
    resources cpus=1 memory="1GiB"
    env { LEVEL "info"; }
    data "train" "gs://bucket/train"
    param "lr" 0.1
    restart "on-failure" limit=3 { codes 1 300; }
}
"#,
);

const CLUSTER: (&str, &str) = (
    "small.cluster.kdl",
    r#"cluster "small" target="kubernetes" {
    nodes "a" count=1 cpus=2 memory="4GiB"
    max-gpus 0
}
"#,
);

const JOB: &str = r#"job "a" {
    framework "custom"
    image "registry/a:1"
    run "train"
    resources cpus=4 memory="8GiB" gpus=1
    role "worker" count=2
    target "kubernetes" {}
}
"#;

pub const BROKEN: &[Case] = &[
    one("empty", &[("a.tfjob.kdl", "")]),
    one("no-job", &[("a.tfjob.kdl", "// only a comment\n")]),
    one("open-string", &[("a.tfjob.kdl", "job \"a {\n    framework \"custom\"\n    image \"x\"\n}\n")]),
    one(
        "open-brace",
        &[("a.tfjob.kdl", "job \"a\" {\n    framework \"custom\"\n    role \"w\" {\n        run \"x\"\n")],
    ),
    one("closing-brace", &[("a.tfjob.kdl", "job \"a\" {\n    framework \"custom\"\n}\n}\n")]),
    one(
        "equals",
        &[("a.tfjob.kdl", "job \"a\" {\n    framework = \"custom\"\n    image = registry/a:1\n}\n")],
    ),
    one("yaml-habits", &[("a.tfjob.kdl", "job:\n  name: a\n  image: x\n")]),
    one(
        "unknown-fields",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framwork \"custom\"\n    image \"x:1\"\n    role \"w\" coutn=2 { rum \"x\"; replicas 3; }\n}\n",
        )],
    ),
    one(
        "wrong-values",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    run \"x\"\n    deadline \"5 min\"\n    resources cpus=\"two\" memory=\"32GB\" gpus=-1\n    role \"w\" count=0\n    target \"kubernetes\" {}\n}\n",
        )],
    ),
    one(
        "wrong-types",
        &[(
            "a.tfjob.kdl",
            "job 5 {\n    framework #true\n    image 7\n    role \"w\" count=\"2\" { run 1 2; }\n    env { A #null; B 1; }\n}\n",
        )],
    ),
    one(
        "twice",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    image \"y:1\"\n    role \"w\" { run \"x\"; }\n    role \"w\" { run \"x\"; }\n}\n",
        )],
    ),
    one(
        "references",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    param \"lr\" 0.1\n    data \"train\" \"gs://b/é\"\n    role \"w\" { run \"é\" \"{param.rl}\" \"{data.trian}\" \"{nothing}\" \"{param.lr\"; }\n    target \"kubernetes\" {}\n}\n",
        )],
    ),
    one(
        "start-order",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    role \"a\" { after \"b\"; }\n    role \"b\" { after \"a\"; }\n    role \"c\" { after \"d\"; }\n    target \"yarn\" {}\n}\n",
        )],
    ),
    one(
        "framework-roles",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"tensorflow\" version=\"2.15\" strategy=\"single\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    role \"worker\" count=2\n    role \"ps\"\n    role \"master\"\n    target \"kubernetes\" {}\n}\n",
        )],
    ),
    one(
        "refusals",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    role \"w\" count=2 { restart \"on-failure\" limit=3; ready http=\"web/\"; port \"web\" 80; nice 5; }\n    target \"kubernetes\" {}\n    target \"yarn\" {}\n    target \"dcos\" {}\n    target \"spark\" {}\n}\n",
        )],
    ),
    one(
        "allow",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    role \"w\" count=2 { restart \"on-failure\" limit=3; }\n    target \"kubernetes\" {}\n    target \"yarn\" {}\n    allow \"restart\" on=\"kubernetes\" because=\"it may\"\n    allow \"gpus\" on=\"yarn\" because=\"unused\"\n    allow \"no-such\" on=\"mesos\"\n}\n",
        )],
    ),
    one(
        "unused",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    param \"lr\" 0.1\n    data \"train\" \"gs://b/t\"\n    secret \"TOKEN\" \"s\" key=\"k\"\n    files \"f\" \"gs://b/f\"\n    role \"w\" { run \"x\"; }\n    target \"kubernetes\" {}\n}\n",
        )],
    ),
    one(
        "credentials",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    env { AWS_SECRET_ACCESS_KEY \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\"; DB_PASSWORD \"hunter2hunter2\"; }\n    role \"w\" { run \"x\" \"--token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\" \"{wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}\"; }\n    target \"kubernetes\" {}\n}\n",
        )],
    ),
    one(
        "target-options",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    run \"x\"\n    role \"w\"\n    target \"kubernets\" {}\n    target \"kubernetes\" { namespace \"Not Valid\"; queue \"q\"; }\n    target \"yarn\" { hadoop \"2.x\"; }\n}\n",
        )],
    ),
    one(
        "checkpoints",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"custom\"\n    image \"x:1\"\n    resources cpus=1 memory=\"1GiB\"\n    checkpoints \"file:/c\" every=\"10m\"\n    run \"x\"\n    role \"w\" count=3\n    target \"kubernetes\" {}\n    target \"yarn\" {}\n}\n",
        )],
    ),
    one(
        "carriage-returns",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\r\n    framework \"custom\"\r\n    imag \"x:1\"\r\n    role \"é\" { run \"x\" }\r\n}\r\n",
        )],
    ),
    one(
        "pasted",
        &[(
            "a.tfjob.yaml",
            "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata:\n  name: a\nspec:\n  tfReplicaSpecs:\n    Worker:\n      replicas: 2\n",
        )],
    ),
    one("yaml-syntax", &[("a.tfjob.yaml", "job:\n  name: a\n   framework: custom\n  image: x\n")]),
    one("yaml-tab", &[("a.tfjob.yaml", "job:\n\tname: a\n")]),
    one(
        "yaml-fields",
        &[(
            "a.tfjob.yaml",
            "job:\n  name: a\n  framework: custom\n  image: x:1\n  resource: {cpus: 1}\n  role:\n    w:\n      count: two\n      run: x\n      env: [A, B]\n  target:\n    kubernetes: {namespace: Not Valid}\n",
        )],
    ),
    one(
        "yaml-references",
        &[(
            "a.tfjob.yaml",
            "job:\n  name: é\n  framework: custom\n  image: x:1\n  resources: {cpus: 1, memory: 1GiB}\n  param: {lr: 0.1}\n  role:\n    w:\n      run: [x, '{param.rl}', \"{data.a}\"]\n  target: {yarn: {}}\n  allow:\n    - {feature: restart, on: yarn}\n",
        )],
    ),
    one("yaml-anchors", &[("a.tfjob.yaml", "job: &a\n  name: a\n  framework: custom\n  <<: *b\n")]),
    one(
        "yaml-booleans",
        &[(
            "a.tfjob.yaml",
            "job:\n  name: no\n  framework: custom\n  image: x:1\n  run: [x]\n  resources: {cpus: 1, memory: 1GiB}\n  env: {A: yes, B: 1, C: null}\n  role: {w: {}}\n  target: {kubernetes: {}}\n",
        )],
    ),
    one("json-syntax", &[("a.tfjob.json", "{\"job\": {\"name\": \"a\", \"framework\": \"custom\",}}\n")]),
    one("json-open", &[("a.tfjob.json", "{\"job\": {\"name\": \"a\", \"framework\": \"custom\"\n")]),
    one(
        "json-fields",
        &[(
            "a.tfjob.json",
            "{\"job\": {\"name\": \"a\", \"framework\": {\"name\": \"tensorflow\", \"version\": 2.15}, \"image\": null, \"role\": {\"worker\": {\"count\": 1.5, \"run\": []}, \"ps\": []}}}\n",
        )],
    ),
    one(
        "json-twice",
        &[(
            "a.tfjob.json",
            "{\"job\": {\"name\": \"a\", \"name\": \"b\", \"framework\": \"custom\", \"image\": \"x:1\", \"run\": [\"x\"], \"role\": {\"w\": {\"replicas\": 2}}}}\n",
        )],
    ),
    one(
        "base-and-overlay",
        &[
            (
                "a.tfjob.kdl",
                "extends \"base.tfjob.kdl\"\njob \"a\" {\n    role \"worker\" count=2 { run \"x\" \"{param.rl}\"; env { LEVEL 1; }; }\n    role \"extra\" { run \"x\"; }\n    target \"kubernetes\" {}\n}\n",
            ),
            BASE,
        ],
    ),
    one(
        "no-base",
        &[(
            "a.tfjob.kdl",
            "extends \"no-such.tfjob.kdl\"\njob \"a\" {\n    role \"worker\" { run \"x\"; }\n}\n",
        )],
    ),
    one(
        "base-of-itself",
        &[("a.tfjob.kdl", "extends \"a.tfjob.kdl\"\njob \"a\" {\n    role \"worker\" { run \"x\"; }\n}\n")],
    ),
    one(
        "yaml-overlay",
        &[
            (
                "a.tfjob.yaml",
                "extends: base.tfjob.kdl\njob:\n  name: a\n  role:\n    worker: {count: -2, run: [x, '{data.nothing}']}\n  target: {yarn: {}}\n",
            ),
            BASE,
        ],
    ),
    one(
        "cluster-file",
        &[(
            "a.cluster.kdl",
            "cluster \"a\" target=\"kubernets\" {\n    nodes \"x\" count=-1 cpus=8 memory=\"32GB\"\n    queue \"q\"\n}\n",
        )],
    ),
    Case {
        name: "project",
        files: &[
            (
                "tfjob.kdl",
                "project {\n    specs \"jobs\"\n    environment \"small\" {\n        cluster \"small.cluster.kdl\"\n        set \"role.worker.cuont=1\"\n    }\n}\n",
            ),
            CLUSTER,
            ("jobs/a.tfjob.kdl", JOB),
        ],
        open: "jobs/a.tfjob.kdl",
    },
    Case {
        name: "project-cluster",
        files: &[
            (
                "tfjob.kdl",
                "project {\n    specs \"jobs\"\n    environment \"small\" { cluster \"small.cluster.kdl\"; }\n}\n",
            ),
            (
                "small.cluster.kdl",
                "cluster \"small\" target=\"kubernetes\" {\n    nodes \"a\" count=1 cpus=2 memory=\"4GiB\"\n}\n",
            ),
            ("jobs/a.tfjob.kdl", JOB),
        ],
        open: "jobs/a.tfjob.kdl",
    },
    Case {
        name: "project-environments",
        files: &[
            (
                "tfjob.kdl",
                "project {\n    specs \"jobs\"\n    environment \"one\" { set \"role.worker.count=0\"; }\n    environment \"two\" { target \"yarn\" \"spark\"; }\n}\n",
            ),
            ("jobs/a.tfjob.kdl", JOB),
        ],
        open: "jobs/a.tfjob.kdl",
    },
    one(
        "no-target",
        &[(
            "a.tfjob.kdl",
            "job \"a\" {\n    framework \"tensorflow\" version=\"2.15\"\n    image \"registry/a:1\"\n    resources cpus=1 memory=\"1GiB\"\n    checkpoints \"pvc://claim\" at=\"/state\" every=\"10m\"\n    restart \"on-failure\" limit=3 backoff=\"10s\"\n    role \"worker\" { run \"x\"; }\n}\n",
        )],
    ),
    Case {
        name: "project-file",
        files: &[(
            "tfjob.kdl",
            "project {\n    spec \"jobs\"\n    environment \"one\" { cluster \"no-such.cluster.kdl\"; target \"mesos\"; }\n    environment \"one\" {}\n}\n",
        )],
        open: "tfjob.kdl",
    },
    // The spec needs the settings and the target of the environment.
    Case {
        name: "project-open-brace",
        files: &[
            ("jobs/a.tfjob.kdl", WITHOUT_VALUE),
            (
                "tfjob.kdl",
                "project {\n    specs \"jobs\"\n    environment \"one\" {\n        target \"kubernetes\"\n        set \"param.lr=0.1\"\n",
            ),
        ],
        open: "jobs/a.tfjob.kdl",
    },
    Case {
        name: "project-unknown-target",
        files: &[
            ("jobs/a.tfjob.kdl", WITHOUT_VALUE),
            (
                "tfjob.kdl",
                "project {\n    specs \"jobs\"\n    environment \"one\" {\n        target \"kubernetse\"\n        set \"param.lr=0.1\"\n    }\n}\n",
            ),
        ],
        open: "jobs/a.tfjob.kdl",
    },
];

const WITHOUT_VALUE: &str = "job \"a\" {\n    framework \"custom\"\n    image \"registry/a:1\"\n    param \"lr\"\n    \
                             resources cpus=1 memory=\"1GiB\"\n    role \"worker\" { run \"x\" \"{param.lr}\"; }\n}\n";
