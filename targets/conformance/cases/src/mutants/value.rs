//! Values for a field: realistic ones, boundary values, and invalid ones.
use super::random::Random;
use super::site::Site;
use super::text;
use serde_json::{Map, Value as Json, json};
use tfjob_lang::shape::{Grammar, Number, Object, Shape};

/// Fields whose text may contain references.
const REFERENCES: &[&str] = &["run", "env", "workdir", "logs"];
/// Fields with any text that a platform only shows, or passes to the program.
const FREE: &[&str] = &["run", "env", "description", "param"];

/// Returns a valid value for a field; `None` if the field should not change.
pub fn good(random: &mut Random, site: &Site, document: &Json, odd: bool) -> Option<Json> {
    if let Some(found) = by_name(random, site, document) {
        return found;
    }
    if !site.is_targets() {
        if std::ptr::eq(site.shape, &raw const site.field.shape)
            && !(odd && random.once_in(2))
            && let Some(found) = likely(random, site, document)
        {
            return found;
        }
    } else if !odd && !is_plain(site.shape) {
        // Options of a target often have a meaning only on one cluster.
        return None;
    }
    if !site.field.required && random.once_in(12) {
        return Some(Json::Null);
    }
    any(random, site.name(), site.shape, odd)
}

/// Returns the only values that make sense in a field.
#[expect(clippy::option_option, reason = "no opinion, or the opinion to leave the place alone")]
fn by_name(random: &mut Random, site: &Site, document: &Json) -> Option<Option<Json>> {
    let strategy = document["job"]["framework"]["strategy"].as_str();
    Some(match site.name() {
        "role" if matches!(strategy, Some("parameter-server" | "estimator")) => {
            let resources = json!({ "cpus": 1, "memory": "2GiB" });
            Some(json!({ "evaluator": { "run": ["python", "eval.py"], "resources": resources } }))
        }
        "role" => None,
        "patch" => Some(json!(match site.target {
            "kubernetes" if site.role.is_none() =>
                r#"{"metadata":{"annotations":{"example.com/owner":"ml"}}}"#,
            "yarn" if site.role.is_none() => r#"{"configuration":{"properties":{"example.owner":"ml"}}}"#,
            "dcos" if site.role.is_some() => r#"{"labels":{"OWNER":"ml"}}"#,
            _ => return Some(None),
        })),
        // The program must exist; its arguments may be any text.
        "run" => Some(json!(["python", text::hostile(random, true), text::hostile(random, true)])),
        "env" if site.steps.last().is_some_and(|step| step == "env") && random.once_in(6) => {
            Some(json!({ "WORK": "{scratch}/work", "DONE": "{done}" }))
        }
        _ => return None,
    })
}

/// Returns a realistic value if the meaning of the field decides and not its grammar; `Some(None)`: no change.
#[expect(clippy::option_option, reason = "no opinion, or the opinion to leave the place alone")]
fn likely(random: &mut Random, site: &Site, document: &Json) -> Option<Option<Json>> {
    let job = &document["job"];
    let role = site.role.as_deref();
    let block = site.steps.len() == if role.is_some() { 4 } else { 2 };
    if !block {
        return likely_inside(random, site);
    }
    let others: Vec<&String> =
        job["role"].as_object()?.keys().filter(|name| Some(name.as_str()) != role).collect();
    Some(match site.name() {
        "name" => Some(json!(*random.pick(&["mnist", "a", "job-2", "x9"]))),
        "count" => match role {
            Some("worker") => Some(json!(1 + random.below(12))),
            Some("ps" | "server") => Some(json!(1 + random.below(4))),
            _ => None,
        },
        "min" => None,
        "code" => Some(code(random)),
        "start" => Some(json!({ "timeout": "20m", "gang": random.once_in(6) })),
        "files" => Some(json!({ "venv": { "uri": *random.pick(ARCHIVES) } })),
        "data" => Some(json!({ "extra": data(random) })),
        "checkpoints" => Some(checkpoints(random)),
        "hadoop" => Some(json!({ "home": "/opt/hadoop", "java": "/opt/java" })),
        "protocol" => Some(json!("grpc")),
        "param" => Some(json!({ "extra": { "value": any(random, "param", &Shape::Scalar, false)? } })),
        "success" => None,
        "kerberos" => Some(json!({ "principal": "ml/_HOST@EXAMPLE.COM", "keytab": "file:///etc/ml.keytab" })),
        "helper" => {
            Some(json!({ "side": { "run": ["sleep", "60"], "resources": { "cpus": 1, "memory": "1GiB" } } }))
        }
        "network" => Some(json!(*random.pick(&["host", "overlay", "dcos"]))),
        "shell" => None,
        // Working directories that `agreement` creates for engines that run the commands.
        "workdir" => Some(json!(*random.pick(&["/tmp", "/tmp/tfjob-work/it's", "/tmp/tfjob-work/a b"]))),
        "secret" => Some(json!({ "TOKEN": { "from": "store", "key": "token" } })),
        // The user is a number on Kubernetes, and a name if the agent looks it up.
        "user" => Some(if site.target == "kubernetes" { json!(1000) } else { json!("trainer") }),
        "port" => Some(json!({ "web": { "number": 8000 + random.below(1000) } })),
        "after" if others.is_empty() || role.is_none() => None,
        "after" => Some(json!({ (*random.pick(&others)).as_str(): { "when": "started" } })),
        "ready" => Some(json!({ "tcp": "rendezvous" })),
        "restart" if role != Some("worker") => None,
        "restart" => Some(restart(random)),
        "placement" => Some(json!({ "spread": "host" })),
        "image" if role.is_some() => None,
        "image" => {
            Some(json!({ "name": *random.pick(&["ml/mnist:1.0", "r.example.com:5000/ml/a:2", "tf:2.15"]) }))
        }
        "tensorboard" if job.get("checkpoints").is_none() => None,
        _ => return None,
    })
}

/// Whether every value that the shape accepts makes sense.
const fn is_plain(shape: &Shape) -> bool {
    match shape {
        Shape::Words(_) | Shape::Number(_) | Shape::Flag => true,
        Shape::Text(grammar) => {
            matches!(grammar, Grammar::Duration | Grammar::PositiveDuration | Grammar::Memory)
        }
        Shape::Object(_)
        | Shape::Keyed(_)
        | Shape::List(_)
        | Shape::NumberOr(..)
        | Shape::Scalar
        | Shape::Any => false,
    }
}

/// Whether the same holds inside of blocks.
#[expect(clippy::option_option, reason = "no opinion, or the opinion to leave the place alone")]
fn likely_inside(random: &mut Random, site: &Site) -> Option<Option<Json>> {
    let within = site.steps.iter().rev().nth(1).map(String::as_str);
    Some(match (site.name(), within) {
        ("uri", _) => None,
        ("at", _) => Some(json!(*random.pick(&["/mnt/x", "/data/two words", "/a-b.c"]))),
        ("ref" | "key" | "from" | "because" | "principal" | "keytab", _) => None,
        ("tcp" | "http" | "file", _) => None,
        ("count" | "min", _) => None,
        ("image" | "logs", _) => None,
        ("writable", _) => None,
        ("within" | "max-backoff" | "no-progress-limit", _) => None,
        ("name", Some("image")) => Some(json!("ml/mnist:2.0")),
        _ => return None,
    })
}

const ARCHIVES: &[&str] = &[
    "hdfs://default/jobs/venv.tar.gz",
    "https://files.example.com/venv.tar.gz",
    "https://files.example.com/a/venv.zip",
    "s3a://bucket/venv.zip",
];

fn code(random: &mut Random) -> Json {
    match random.below(4) {
        0 => json!({ "uri": "git+https://git.example.com/vision", "ref": "v1.4.2" }),
        1 => json!({ "uri": "hdfs://default/jobs/code.zip" }),
        2 => json!({ "uri": "https://files.example.com/code.tar.gz" }),
        _ => json!({ "uri": "https://files.example.com/code.zip", "at": "/srv/code" }),
    }
}

fn data(random: &mut Random) -> Json {
    if random.once_in(4) {
        let uri = *random.pick(&["nfs://filer.example.com/d", "pvc://claim/d", "file:///mnt/d"]);
        return json!({ "uri": uri, "at": "/data/extra" });
    }
    let uri = *random.pick(&["hdfs://default/d", "s3a://b/d", "gs://b/d", "hdfs://default/it's"]);
    json!({ "uri": uri })
}

fn checkpoints(random: &mut Random) -> Json {
    if random.once_in(4) {
        return json!({ "uri": "nfs://filer.example.com/c", "at": "/ckpt", "if-exists": if random.once_in(2) { "fail" } else { "resume" } });
    }
    let uri = *random.pick(&["hdfs://default/c", "s3a://b/c", "gs://b/c"]);
    if random.once_in(2) { json!({ "uri": uri, "every": "10m" }) } else { json!({ "uri": uri }) }
}

fn restart(random: &mut Random) -> Json {
    let mut terms = json!({ "policy": *random.pick(&["never", "on-failure"]) });
    if terms["policy"] != "never" && random.once_in(2) {
        terms["limit"] = json!(1 + random.below(5));
    }
    terms
}

/// Returns any value that the shape accepts.
fn any(random: &mut Random, name: &str, shape: &Shape, odd: bool) -> Option<Json> {
    Some(match shape {
        Shape::Object(object) => Json::Object(fields(random, object, odd)?),
        Shape::Keyed(keyed) => {
            let key = match keyed.keys {
                Grammar::EnvName => "EXTRA".to_owned(),
                _ if name == "device" => "rdma/hca".to_owned(),
                _ => "extra".to_owned(),
            };
            json!({ key: any(random, name, &keyed.item, odd)? })
        }
        Shape::List(list) => {
            let number = list.min + random.below(3);
            (0..number).map(|_| any(random, name, &list.item, odd)).collect::<Option<_>>()?
        }
        Shape::Words(words) => json!(random.pick(words).word),
        Shape::Number(number) => in_range(random, *number),
        Shape::Flag => json!(random.once_in(2)),
        Shape::Text(grammar) => json!(fitting(random, name, *grammar, odd)?),
        Shape::NumberOr(number, other) if random.once_in(2) => {
            let _ = other;
            in_range(random, *number)
        }
        Shape::NumberOr(_, other) => any(random, name, other, odd)?,
        Shape::Scalar => match random.below(4) {
            0 => json!(random.below(100)),
            1 => json!(0.001),
            2 => json!(true),
            _ => json!(text::hostile(random, REFERENCES.contains(&name))),
        },
        Shape::Any => return None,
    })
}

fn fields(random: &mut Random, object: &Object, odd: bool) -> Option<Map<String, Json>> {
    let mut map = Map::new();
    for field in object.fields {
        if field.required || random.once_in(3) {
            map.insert(field.name.to_owned(), any(random, field.name, &field.shape, odd)?);
        }
    }
    Some(map)
}

fn in_range(random: &mut Random, number: Number) -> Json {
    match number {
        Number::Whole { min, max } => {
            let low = i64::try_from(min).unwrap_or(0);
            let span = usize::try_from(max - min).unwrap_or(usize::MAX - 1).min(16);
            json!(low + i64::try_from(random.below(span + 1)).unwrap_or(0))
        }
        Number::Real { min, .. } => {
            json!(min.unwrap_or(0.0).max(1.0) + [0.0, 0.5, 1.0, 3.0][random.below(4)])
        }
    }
}

fn fitting(random: &mut Random, name: &str, grammar: Grammar, odd: bool) -> Option<String> {
    if grammar == Grammar::Text {
        let free = FREE.contains(&name);
        return Some(if free || odd {
            text::hostile(random, REFERENCES.contains(&name))
        } else {
            (*random.pick(text::TAME)).to_owned()
        });
    }
    let likely: &[&str] = match grammar {
        _ if odd => return text::edge(random, grammar, true),
        Grammar::Memory => &["1GiB", "512MiB", "1536MiB", "3GiB"],
        Grammar::Duration | Grammar::PositiveDuration => &["30s", "90s", "5m", "1h30m", "1d"],
        _ => return text::edge(random, grammar, true),
    };
    Some((*random.pick(likely)).to_owned())
}

/// Returns an invalid value or a boundary value.
pub fn bad(random: &mut Random, site: &Site) -> Option<Json> {
    if random.once_in(8) {
        return Some(if site.field.required { Json::Null } else { json!({ "surplus": 1 }) });
    }
    Some(wrong(random, site.shape))
}

fn wrong(random: &mut Random, shape: &Shape) -> Json {
    match shape {
        Shape::Object(object) => {
            let field = random.pick(object.fields);
            json!({ field.name: wrong(random, &field.shape) })
        }
        Shape::Keyed(keyed) => {
            let key = text::edge(random, keyed.keys, false).unwrap_or_default();
            json!({ key: "x" })
        }
        Shape::List(list) => json!([wrong(random, &list.item)]),
        Shape::Words(words) => {
            let word = random.pick(words).word.to_uppercase();
            random.pick(&[json!(word), json!("nonsense"), json!(7), json!(""), json!(null)]).clone()
        }
        Shape::Number(number) | Shape::NumberOr(number, _) => out_of_range(random, *number),
        Shape::Flag => random.pick(&[json!("true"), json!(1), json!("yes")]).clone(),
        Shape::Text(grammar) => {
            text::edge(random, *grammar, false).map_or_else(|| json!("a\u{0}b"), |text| json!(text))
        }
        Shape::Scalar => json!("a\u{0}b"),
        Shape::Any => json!("{"),
    }
}

fn out_of_range(random: &mut Random, number: Number) -> Json {
    let all = match number {
        Number::Whole { min, max } => {
            let near = |n: i128| i64::try_from(n).map_or_else(|_| json!(1e300), |n| json!(n));
            vec![
                near(min - 1),
                near(max + 1),
                json!(-1),
                json!(1.5),
                json!("4"),
                json!(1e300),
                json!(u64::MAX),
            ]
        }
        Number::Real { .. } => vec![json!(-1), json!(0), json!(0.05), json!(1e300), json!("2"), json!(0.123)],
    };
    random.pick(&all).clone()
}
