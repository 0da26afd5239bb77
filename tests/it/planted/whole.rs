//! Planters of faults that concern the job as a whole.
use super::planter::File::{Base, Near};
use super::planter::{Edit, File, Planter, plant};

/// The line that decides which roles are valid, and its text.
const LINE: &str = "framework \"tensorflow\" version=\"2.15\" strategy=\"parameter-server\"";
const FRAMEWORK: (File, &str) = (Base, "\"tensorflow\"");
const STRATEGY: (File, &str) = (Base, "\"parameter-server\"");
const CHIEF: &str = "role \"chief\" {\n        resources cpus=4 memory=\"16GiB\"\n        /*b-chief*/\n    }";

pub const PLANTERS: &[Planter] = &[
    plant("unknown-role", &[Edit(Near, "role \"evaluator\"", "role «\"evalautor\"»")]).relying(&[FRAMEWORK]),
    plant("unknown-role", &[Edit(Base, "role \"chief\"", "role «\"master\"»")])
        .relying(&[FRAMEWORK])
        .keeping(),
    plant(
        "unknown-role",
        &[Edit(Near, "/*j-job-3*/", "role «\"driver\"» { run \"x\"; resources cpus=1 memory=\"1GiB\"; }")],
    )
    .relying(&[FRAMEWORK]),
    plant("too-many-tasks", &[Edit(Base, "\"chief\" {", "\"chief\" count=«2» {")]).relying(&[FRAMEWORK]),
    plant("too-many-tasks", &[Edit(Near, "\"evaluator\" {", "\"evaluator\" count=«3» {")])
        .relying(&[FRAMEWORK]),
    plant("missing-role", &[Edit(Base, CHIEF, ""), Edit(Base, "\"tensorflow\"", "«\"tensorflow\"»")])
        .relying(&[FRAMEWORK, STRATEGY])
        .lacking("job.role.chief"),
    plant("missing-strategy", &[Edit(Base, LINE, "framework «\"tensorflow\"» version=\"2.15\"")])
        .lacking("job.framework/strategy"),
    plant(
        "strategy-framework-mismatch",
        &[Edit(Base, LINE, "framework \"custom\" version=\"2.15\" strategy=«\"parameter-server\"»")],
    ),
    plant(
        "single-process-strategy",
        &[Edit(Base, "strategy=\"parameter-server\"", "strategy=«\"mirrored\"»")],
    )
    .relying(&[FRAMEWORK]),
    plant(
        "role-outside-strategy",
        &[
            Edit(Base, "\"parameter-server\"", "\"multi-worker-mirrored\""),
            Edit(Base, "role \"ps\"", "role «\"ps\"»"),
        ],
    )
    .relying(&[FRAMEWORK]),
    plant(
        "removed-strategy",
        &[Edit(
            Base,
            "version=\"2.15\" strategy=\"parameter-server\"",
            "version=\"2.16\" strategy=«\"estimator\"»",
        )],
    )
    .relying(&[FRAMEWORK]),
    plant("protocol-needs-build", &[Edit(Near, "\"grpc\"", "«\"grpc+verbs\"»")]).lacking("job.allow"),
    plant("duplicate-name", &[Edit(Near, "helper \"notebook\"", "helper «\"worker\"»")])
        .relying(&[(Near, "role \"worker\""), (Base, "role \"worker\"")]),
    plant("unexplained-allow", &[Edit(Near, "\"all nodes are alike\"", "«\"TODO: say why\"»")]).keeping(),
    plant("unknown-feature", &[Edit(Near, "allow \"gpu-model\"", "allow «\"gpu-modle\"»")]).keeping(),
    plant("conflicting-commands", &[Edit(Near, "/*j-notebook*/", "shell «\"jupyter lab\"»")]),
    plant("reserved-variable", &[Edit(Base, "/*b-env*/", "«TF_CONFIG» \"x\"")]),
    plant("reserved-variable", &[Edit(Near, "/*j-worker-env*/", "«TFJOB_INDEX» \"1\"")]),
    plant(
        "duplicate-variable",
        &[
            Edit(Base, "/*b-env*/", "STORE_TOKEN \"{index}\""),
            Edit(Base, "secret \"STORE_TOKEN\"", "secret «\"STORE_TOKEN\"»"),
        ],
    ),
    plant("shadowed-variable", &[Edit(Near, "/*j-env*/", "MARK \"«{env.LOG_LEVEL}»\"")]).keeping(),
    plant("proxied-peers", &[Edit(Near, "/*j-env*/", "«http_proxy» \"http://proxy:3128\"")])
        .relying(&[(Base, LINE)])
        .keeping(),
    plant("literal-secret", &[Edit(Near, "/*j-env*/", "DB_PASSWORD «\"correct-horse\"»")]).keeping(),
    plant("literal-secret", &[Edit(Near, "/*j-notebook-run*/", "\"--token\" «\"correct-horse\"»")]).keeping(),
    plant("missing-secret", &[Edit(Near, "/*j-notebook-run*/", "\"--keytab=«{env.KEYTAB}»\"")])
        .relying(&[(Base, "secret \"KEYTAB\"")])
        .lacking("job.helper.notebook.secret.KEYTAB"),
    plant("unknown-secret", &[Edit(Base, "\"secret:KEYTAB\"", "«\"secret:KEYTABB\"»")])
        // Any role may declare the secret.
        .lacking("job.role.worker.secret.KEYTABB"),
    plant("duplicate-path", &[Edit(Near, "\"/data/holidays\"", "«\"/data/vocabulary\"»")])
        .relying(&[(Base, "\"/data/vocabulary\"")]),
    plant("nested-path", &[Edit(Base, "\"/etc/ml.keytab\"", "«\"/data/holidays/keytab\"»")])
        .relying(&[(Near, "\"/data/holidays\"")]),
    plant("duplicate-path", &[Edit(Base, "\"/etc/ml.keytab\"", "«\"/ckpt\"»")])
        .relying(&[(Base, "\"/ckpt\"")]),
    plant(
        "missing-reference",
        &[Edit(
            Base,
            "code \"git+https://git.example.com/ctr\" ref=\"v1.4.2\"",
            "code «\"git+https://git.example.com/ctr\"»",
        )],
    )
    .lacking("job.code/ref"),
    plant(
        "unexpected-reference",
        &[Edit(
            Base,
            "\"git+https://git.example.com/ctr\" ref=\"v1.4.2\"",
            "\"https://files.example.com/ctr.zip\" ref=«\"v1.4.2\"»",
        )],
    ),
    plant("branch-reference", &[Edit(Base, "\"v1.4.2\"", "«\"main\"»")])
        .relying(&[(Base, "\"git+https://git.example.com/ctr\"")]),
    plant("unshared-checkpoints", &[Edit(Base, "\"nfs://filer.example.com/ctr\"", "«\"file:///mnt/ctr\"»")]),
    plant("unsupported-file-system", &[Edit(Base, "\"gs://ads/scores\"", "«\"s3a://ads/scores\"»")])
        .relying(&[FRAMEWORK]),
    plant(
        "hdfs-without-hadoop",
        &[
            Edit(Base, "hadoop home=\"/opt/hadoop\" java=\"/opt/java\"", ""),
            Edit(
                Base,
                "data \"clicks\" \"hdfs://default/ads/clicks\"",
                "data \"clicks\" «\"hdfs://default/ads/clicks\"»",
            ),
        ],
    )
    .lacking("job.hadoop"),
    plant(
        "missing-resources",
        &[
            Edit(Base, "resources cpus=4 memory=\"16GiB\"", ""),
            Edit(Base, "role \"chief\"", "role «\"chief\"»"),
        ],
    )
    .lacking("job.role.chief.resources"),
    plant("gpus-without-count", &[Edit(Near, "/*j-notebook-resources*/", "gpu-model=«\"a100\"»")])
        .lacking("job.helper.notebook.resources/gpus"),
    plant("min-exceeds-count", &[Edit(Near, "min=6", "min=«9»")]).relying(&[(Near, "count=8")]),
    plant("duplicate-port", &[Edit(Near, "\"web\" 8081", "«\"web\"» 2223")])
        .relying(&[(Base, "\"rendezvous\" 2223")]),
    plant("bad-probe", &[Edit(Base, "tcp=\"metrics\"", "tcp=\"metrics\" file=«\"/tmp/x\"»")]),
    plant("bad-probe", &[Edit(Base, "ready file=\"/tmp/ready\"", "«ready»")])
        .lacking("job.role.ps.ready/file"),
    plant("unknown-port", &[Edit(Near, "\"pages/ok\"", "«\"page/ok\"»")])
        .lacking("job.role.evaluator.port.page"),
    plant("unpinned-image", &[Edit(Near, "\"ml/notebook:1.2\"", "«\"ml/notebook\"»")]).keeping(),
    plant("unpinned-image", &[Edit(Base, "\"ml/ctr:2.15\"", "«\"ml/ctr:latest\"»")]).keeping(),
    plant("unused-setting", &[Edit(Near, "restart \"always\" /*j-restart*/", "restart \"never\" limit=«3»")]),
    plant("unused-setting", &[Edit(Base, "max-backoff=\"5m\"", "max-backoff=«\"5s\"»")])
        .relying(&[(Base, " backoff=\"10s\"")]),
    plant(
        "unwatched-progress",
        &[Edit(Base, " at=\"/ckpt\"", ""), Edit(Base, "no-progress-limit=3", "no-progress-limit=«3»")],
    )
    .lacking("job.checkpoints/at"),
    plant(
        "start-cycle",
        &[Edit(Base, "/*b-ps*/", "after \"worker\""), Edit(Base, "after \"ps\"", "after «\"ps\"»")],
    )
    .relying(&[(Near, "role \"worker\""), (Base, "role \"worker\""), (Base, "role \"ps\"")]),
    plant("unknown-role-after", &[Edit(Base, "/*b-chief*/", "after «\"pss\"»")]).lacking("job.role.pss"),
    plant("waits-forever", &[Edit(Base, "when=\"ready\"", "when=«\"done\"»")])
        .relying(&[(Base, "role \"ps\""), FRAMEWORK]),
    plant("bad-reference", &[Edit(Base, "{data.clicks}", "«{»data clicks}")]),
    plant("unknown-reference", &[Edit(Base, "{data.clicks}", "«{data.click}»")]).lacking("job.data.click"),
    plant("unknown-reference", &[Edit(Near, "{count.worker}", "«{count.workers}»")])
        .lacking("job.role.workers"),
    plant("unknown-reference", &[Edit(Near, "{port.web}", "«{port.wbe}»")])
        .lacking("job.helper.notebook.port.wbe"),
    plant("unknown-reference", &[Edit(Base, "{param.lr}", "«{param.rate}»")]).lacking("job.param.rate"),
    plant(
        "unsupported-uri",
        &[Edit(Base, "\"nfs://filer.example.com/ctr\"", "«\"https://files.example.com/ctr\"»")],
    ),
    plant(
        "unsupported-uri",
        &[Edit(Base, "\"nfs://filer.example.com/vocabulary\"", "«\"http://files.example.com/v\"»")],
    ),
    plant("waits-forever", &[Edit(Base, "success \"chief\"", "success «\"workers\"»")])
        .relying(&[FRAMEWORK, STRATEGY]),
    plant("unused-setting", &[Edit(Base, " backoff=\"10s\"", ""), Edit(Base, "\"5m\"", "«\"5m\"»")])
        .lacking("job.restart/backoff"),
    plant("unused-setting", &[Edit(Base, " limit=3", ""), Edit(Base, "\"1h\"", "«\"1h\"»")])
        .lacking("job.restart/limit"),
    plant("unused-setting", &[Edit(Base, "keep \"failed\" for=\"1d\"", "keep \"none\" for=«\"1d\"»")]),
    plant("bad-value", &[Edit(Base, "\"ml/_HOST@EXAMPLE.COM\"", "«\"ml/_HOST\"»")]),
    plant("bad-value", &[Edit(Base, "\"secret:KEYTAB\"", "«\"KEYTAB\"»")]),
    plant("bad-value", &[Edit(Base, "workdir \"{code}\"", "workdir «\"srv/code\"»")]),
    plant("bad-value", &[Edit(Base, "logs=\"{checkpoints}\"", "logs=«\"logs\"»")]),
    plant(
        "missing-field",
        &[Edit(
            Base,
            "\"KEYTAB\" from=\"kerberos\" key=\"keytab\" at=\"/etc/ml.keytab\"",
            "«\"KEYTAB\"» from=\"kerberos\" key=\"keytab\"",
        )],
    )
    .relying(&[(Base, "\"secret:KEYTAB\"")])
    .lacking("job.secret.KEYTAB/at"),
    plant("missing-command", &[Edit(Near, "\"jupyter\"", "«\"\"»")]),
    plant("missing-command", &[Edit(Near, "#\"exec python eval.py \"$TFJOB_CHECKPOINTS\"\"#", "«\" \"»")]),
    plant("duplicate-variable", &[Edit(Near, "/*j-job-1*/", "param «\"LR\"» 2")])
        .relying(&[(Base, "param \"lr\"")]),
    plant("unsplit-command", &[Edit(Near, "\"jupyter\"", "«\"jupyter --debug\"»")]).keeping(),
    plant("unexpanded-syntax", &[Edit(Near, "\"lab\"", "\"lab\" «\"&&\"»")]).keeping(),
    plant("unknown-reference", &[Edit(Near, "{addresses.worker}", "«{addresses.notebook}»")])
        .lacking("job.role.notebook")
        .relying(&[(Near, "helper \"notebook\"")]),
];
