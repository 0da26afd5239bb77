//! Properties that another property needs: a reference needs its port, `within` needs `limit`, a mount needs mountable storage.
use super::factors::ROLE;
use serde_json::{Value as Json, json};

/// A property, another that it needs, and a value for that one; `None`: the value of the first.
pub struct Need {
    /// The property that is there.
    pub has: Vec<String>,
    /// The property that it needs.
    pub wants: Vec<String>,
    /// Its value.
    pub value: Option<Json>,
}

/// Of the job; paths are written with dots.
const JOB: &[(&str, &str, &str)] = &[
    ("code.ref", "code.uri.prefix", "git+https://git.example.com/"),
    ("data.extra.at", "data.extra.uri.prefix", "nfs://filer.example.com/export/"),
    ("data.extra", "data.extra.uri.prefix", "s3a://bucket/"),
    ("checkpoints.at", "checkpoints.uri.prefix", "nfs://filer.example.com/export/"),
    ("checkpoints", "checkpoints.uri.prefix", "s3a://bucket/"),
    ("tensorboard", "checkpoints.uri.prefix", "s3a://bucket/"),
];

/// Of the job or of a role.
const HOLDER: &[(&str, &str, &str)] = &[
    ("ready.tcp", "port.extra.number", "9000"),
    ("ready.http", "port.extra.number", "9000"),
    ("resources.gpu-model", "resources.gpus", "1"),
    ("resources.gpu-memory", "resources.gpus", "1"),
    ("restart.within", "restart.limit", "3"),
    ("restart.max-backoff", "restart.backoff", "\"1s\""),
];

/// Of one target.
const TARGETS: &[(&str, &str, &str, &str)] = &[
    ("yarn", "stop.grace", "target.yarn.kill-delay", "same"),
    ("yarn", "keep.for", "target.yarn.keep-delay", "same"),
    ("yarn", "keep", "target.yarn.keep-delay", "30d"),
    ("yarn", "placement.node", "target.yarn.placement-constraints", "true"),
    ("yarn", "placement.spread", "target.yarn.placement-constraints", "true"),
    ("yarn", "role.worker.placement.node", "target.yarn.placement-constraints", "true"),
    ("yarn", "role.worker.placement.spread", "target.yarn.placement-constraints", "true"),
    ("yarn", "target.yarn.placement-constraints", "target.yarn.resource-manager", "http://rm:8088"),
    ("yarn", "target.yarn.placement-constraints", "target.yarn.user", "trainer"),
    ("yarn", "target.yarn.shim.url", "target.yarn.shim.url.prefix", "hdfs://default/"),
    ("yarn", "target.yarn.docker-config", "target.yarn.docker-config.prefix", "hdfs://default/"),
    ("yarn", "image.pull-secret", "target.yarn.docker-config.prefix", "hdfs://default/"),
    ("yarn", "role.worker.image.pull-secret", "target.yarn.docker-config.prefix", "hdfs://default/"),
    ("kubernetes", "start.gang", "target.kubernetes.gang", "volcano"),
    ("kubernetes", "target.kubernetes.volcano-queue", "target.kubernetes.gang", "volcano"),
    ("dcos", "target.dcos.region", "target.dcos.module", "train"),
    ("spark", "placement.node", "target.spark.spark", "\"3.5\""),
    ("spark", "role.worker.placement.node", "target.spark.spark", "\"3.5\""),
    ("spark", "target.spark.feed", "target.spark.input", "spark"),
    ("spark", "target.spark.feed.data", "data.extra.uri.prefix", "hdfs://default/"),
];

/// Returns the needs that apply to a target.
pub fn of(target: &str) -> Vec<Need> {
    let path = |text: &str| -> Vec<String> {
        ["job"].into_iter().chain(text.split('.')).map(str::to_owned).collect()
    };
    let need = |(has, wants, value): (&str, &str, &str)| Need {
        has: path(has),
        wants: path(wants),
        value: (value != "same").then(|| serde_json::from_str(value).unwrap_or_else(|_| json!(value))),
    };
    let mut found: Vec<Need> = Vec::new();
    let own = TARGETS.iter().filter(|(name, ..)| *name == target);
    found.extend(own.map(|(_, has, wants, value)| need((has, wants, value))));
    found.extend(JOB.iter().map(|(has, wants, value)| need((has, wants, value))));
    for (has, wants, value) in HOLDER {
        found.push(need((has, wants, value)));
        found.push(need((&format!("role.{ROLE}.{has}"), &format!("role.{ROLE}.{wants}"), value)));
    }
    for holder in ["", "role.worker."] {
        let stalls = format!("{holder}restart.no-progress-limit");
        found.push(need((&stalls, "checkpoints.at", "/checkpoints")));
        found.push(need((&stalls, "checkpoints.uri.prefix", "nfs://filer.example.com/export/")));
    }
    let min = format!("role.{ROLE}.min");
    found.push(need((&min, &format!("role.{ROLE}.count"), "same")));
    if target == "yarn" {
        let mounted = json!({ "nfs://filer.example.com/export": "/mnt/filer" });
        for uri in ["data.extra.uri", "checkpoints.uri"] {
            found.push(Need {
                has: path(uri),
                wants: path("target.yarn.mounted"),
                value: Some(mounted.clone()),
            });
        }
    }
    found
}
