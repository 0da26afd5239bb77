//! Boundary values of a property, from its declared type: both ends, just beyond them, empty, long, unusual characters.
use super::document::tame;
use super::vocabulary as words;
use serde_json::{Value as Json, json};
use tfjob_lang::shape::{Field, Grammar, Number, Shape};

/// Maximum number of tasks per role in a spec for the engine, and in the language.
const TASKS: i64 = 12;
const MANY: i64 = 10_000;

/// A value of a factor; `None`: the property is absent.
pub struct Level(pub Option<Json>);

impl Level {
    /// The value as text.
    pub fn words(&self) -> String {
        let Some(value) = &self.0 else { return "absent".to_owned() };
        let text = value.to_string();
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
            None => text,
        }
    }
}

fn levels(values: impl IntoIterator<Item = Json>) -> Vec<Level> {
    [None].into_iter().chain(values.into_iter().map(Some)).map(Level).collect()
}

fn texts<'t>(values: impl IntoIterator<Item = &'t &'t str>) -> Vec<Level> {
    levels(values.into_iter().map(|text| json!(text)))
}

/// The frameworks and strategies, each with the roles that it needs.
pub fn frameworks() -> Vec<Level> {
    let tensorflow = |version: &str, strategy: &str| json!({ "name": "tensorflow", "version": version, "strategy": strategy });
    let strategies =
        ["single", "mirrored", "multi-worker-mirrored", "parameter-server", "estimator", "custom"];
    let others = ["pytorch", "mxnet", "xgboost", "horovod", "caffe", "custom"];
    let all = strategies.iter().map(|strategy| tensorflow("2.15", strategy));
    levels(
        all.chain([tensorflow("1.15", "estimator"), tensorflow("2.17", "multi-worker-mirrored")])
            .chain(others.iter().map(|name| json!({ "name": name })))
            .chain([json!({ "name": "nonsense" })]),
    )
}

/// Helpers: plain, with a port, and with a name that is used elsewhere.
pub fn helpers() -> Vec<Level> {
    let helper = json!({ "run": ["sleep", "60"], "resources": { "cpus": 1, "memory": "1GiB" } });
    let mut listens = helper.clone();
    listens["port"] = json!({ "web": { "number": 8888, "link": "Notebook" } });
    let long = "h".repeat(63);
    levels([
        json!({ "side": helper }),
        json!({ "side": listens }),
        json!({ "tensorboard": helper }),
        json!({ "worker": helper }),
        json!({ long: helper }),
    ])
}

/// A block with only optional properties.
pub fn block() -> Vec<Level> {
    levels([json!({})])
}

/// The names of an entry.
pub fn names(field: &str, keys: Grammar) -> Vec<Level> {
    let named: &[&str] = match field {
        "after" => &["chief", "ps", "worker", "nobody"],
        "csi" => &["hdfs", "s3a", "gs", "abfs", "nfs"],
        "annotations" | "labels" => words::LABELS,
        "conf" => words::SETTINGS,
        "mounted" => &["nfs://filer.example.com/export", "nfs://filer.example.com/", "pvc://claim", "x"],
        "device" => &["rdma/hca", "nvidia.com/gpu", "cpu", "yarn.io/fpga", "a b", ""],
        _ => return grammar(keys),
    };
    texts(named)
}

/// Prefixes of URIs.
pub fn prefixes() -> Vec<Level> {
    texts(words::PREFIXES)
}

/// Paths of URIs below separate directories, so that only their last segments are equal.
pub fn tails(steps: &[String]) -> Vec<Level> {
    let own = steps[1..].iter().find(|step| !["target", "yarn", "dcos", "spark"].contains(&step.as_str()));
    let own = own.map_or("x", String::as_str);
    let long = "l".repeat(253);
    let all = words::TAILS.iter().copied().chain([long.as_str()]);
    if own != "checkpoints" {
        return levels(all.map(|tail| json!(format!("{own}/{tail}"))));
    }
    // A directory: the engines create a file if the name has a file extension.
    let mut kept: Vec<String> = Vec::new();
    for tail in all.map(|tail| tail.trim_end_matches(".zip")) {
        if (!tail.contains('.') || tail.starts_with("..")) && kept.iter().all(|one| one != tail) {
            kept.push(tail.to_owned());
        }
    }
    levels(kept.into_iter().map(|tail| json!(format!("{own}/{tail}"))))
}

/// Lists with one value.
pub fn lists(field: &Field, item: &Shape) -> Vec<Level> {
    match (field.name, item) {
        ("run", _) => levels(words::TEXTS.iter().map(|text| json!(["python", text])).chain([
            json!([]),
            json!(["python train.py"]),
            json!([""]),
            json!(["$PYTHON", "a"]),
            json!(["./x", "{done}"]),
        ])),
        (_, Shape::Number(number)) => {
            let mut all: Vec<Json> = numbers(*number).into_iter().map(|one| json!([one])).collect();
            all.extend([json!([]), json!([42, 143]), json!([42, 42])]);
            levels(all)
        }
        _ => levels([json!([]), json!(["a"]), json!(["a", "a"])]),
    }
}

/// Returns the values of a property with one value.
pub fn of(steps: &[String], field: &Field, shape: &Shape) -> Vec<Level> {
    let block = steps.iter().any(|step| step == "target");
    let is_text = matches!(shape, Shape::Text(Grammar::Text | Grammar::Filled));
    if let Some(known) = is_text.then(|| words::known(field.name, block)).flatten() {
        return texts(known);
    }
    let mut found = by_shape(shape);
    if ["count", "min"].contains(&field.name) {
        // The maximum number of tasks is tested by the benchmarks: each task is a Pod or an app here.
        found.retain(|level| {
            level.0.as_ref().and_then(Json::as_i64).is_none_or(|tasks| !(3..=MANY).contains(&tasks))
        });
        found.push(Level(Some(json!(TASKS))));
    }
    if field.name == "number" {
        found.push(Level(Some(tame(field.name, shape))));
    }
    if words::LONG.contains(&field.name) {
        found.push(Level(Some(json!("x".repeat(256 * 1024)))));
    }
    found
}

fn by_shape(shape: &Shape) -> Vec<Level> {
    match shape {
        Shape::Words(words) => {
            levels(words.iter().map(|choice| json!(choice.word)).chain([json!("nonsense")]))
        }
        Shape::Number(number) => levels(numbers(*number)),
        Shape::Flag => levels([json!(true), json!(false), json!("yes")]),
        Shape::Text(kind) => grammar(*kind),
        Shape::NumberOr(number, other) => {
            let mut all = levels(numbers(*number));
            all.extend(by_shape(other).into_iter().filter(|level| level.0.is_some()));
            all
        }
        Shape::Scalar => levels(
            [json!(1), json!(0.001), json!(true), json!(i64::MAX), json!("")]
                .into_iter()
                .chain(words::TEXTS.iter().map(|text| json!(text))),
        ),
        Shape::Object(_) | Shape::Keyed(_) | Shape::List(_) | Shape::Any => Vec::new(),
    }
}

/// Both ends of a range, the values beyond, the ends of int32, and values that are not integers.
fn numbers(number: Number) -> Vec<Json> {
    match number {
        Number::Whole { min, max } => {
            let int32 = i128::from(i32::MAX);
            let all = [min, min + 1, int32, int32 + 1, max, min - 1, max + 1, i128::from(i64::MAX)];
            let mut kept: Vec<i128> = Vec::new();
            for one in all.into_iter().filter(|one| (min - 1..=max + 1).contains(one) || *one > int32) {
                if !kept.contains(&one) {
                    kept.push(one);
                }
            }
            let fits = kept.into_iter().filter_map(|one| i64::try_from(one).ok()).map(|one| json!(one));
            fits.chain([json!(1.5)]).collect()
        }
        Number::Real { min, max, cores } => {
            let mut all = vec![json!(1), json!(2.5)];
            all.extend(min.iter().flat_map(|min| [json!(min), json!(0)]));
            all.extend(max.iter().flat_map(|max| [json!(max), json!(max + 0.1)]));
            all.extend(cores.then(|| json!(0.15)));
            all
        }
    }
}

fn grammar(kind: Grammar) -> Vec<Level> {
    let long = |lengths: &[usize]| lengths.iter().map(|n| "a".repeat(*n)).collect::<Vec<_>>();
    let (known, long): (&[&str], Vec<String>) = match kind {
        Grammar::Name => (&["ml", "a", "team-1", "", "A", "a_b", "1a", "a.b", "é"], long(&[63, 64])),
        Grammar::Memory => (words::MEMORY, Vec::new()),
        Grammar::Duration | Grammar::PositiveDuration => (words::DURATIONS, Vec::new()),
        Grammar::Image => (words::IMAGES, long(&[255, 256])),
        Grammar::Path => (words::PATHS, vec![format!("/{}", "p".repeat(254)), "/p".repeat(2048)]),
        Grammar::EnvName => (words::VARIABLES, long(&[254])),
        Grammar::Text => (words::TEXTS, long(&[63, 64, 253, 254])),
        Grammar::Filled => (words::FILLED, long(&[63, 64, 253, 254])),
        Grammar::GitRef => (&["v1.4.2", "main", "a/b", "-x", "a b", "a..b", "a;b", ""], long(&[40])),
        Grammar::PortName => (&["extra", "rendezvous", "nothing", "A", ""], Vec::new()),
        Grammar::PortPath => (
            &["extra/ok", "extra", "rendezvous/", "extra/a b", "extra/%zz", "extra/?a=$b", "nothing/x"],
            Vec::new(),
        ),
        Grammar::Uri => (&["https://files.example.com/job.zip"], Vec::new()),
        Grammar::Version => {
            (&["2.15", "3.4", "3.1.1", "1", "0", "99.99", "4294967295", "4294967296", "v2", ""], Vec::new())
        }
        Grammar::UserName => (&["trainer", "root", "a-b", "A", "a b", "1a", "nobody"], long(&[32, 33])),
        Grammar::ParamName => (&["lr", "batch-size", "a", "A", "a_b", "1", ""], long(&[64])),
    };
    texts(known.iter().chain(long.iter().map(String::as_str).collect::<Vec<_>>().iter()))
}
