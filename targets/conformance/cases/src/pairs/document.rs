//! Builds a spec from chosen levels: a small valid job of the target, the levels, and the properties that they need.
use super::factors::{self, ELEMENT, Factor, Part, ROLE};
use super::needs::{self, Need};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use tfjob_lang::shape::{Grammar, Object, Shape};
use tfjob_targets::SHAPE;

/// The level of each factor; `None` leaves the base as it is.
pub type Row = Vec<Option<usize>>;

/// Returns the spec in JSON.
pub fn of(target: &str, factors: &[Factor], row: &Row) -> Json {
    let mut document = base(target);
    let mut absent: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut names = Vec::new();
    for (factor, level) in factors.iter().zip(row) {
        let Some(level) = level else { continue };
        let value = &factor.levels[*level].0;
        match (factor.part, value) {
            // A path without a prefix gets the default prefix, and an entry without a name the default name.
            (Part::Prefix | Part::Name, None) => {}
            (Part::Whole | Part::Tail, None) => drop(absent.insert(factor.steps.clone())),
            (Part::Whole, Some(value)) => put(&mut document, &factor.steps, value.clone()),
            (Part::Prefix, Some(value)) => put(&mut document, &uri(factor, "prefix"), value.clone()),
            (Part::Tail, Some(value)) => put(&mut document, &uri(factor, "tail"), value.clone()),
            (Part::Name, Some(value)) => names.push((factor, value.as_str().unwrap_or_default())),
        }
    }
    for (factor, _) in &names {
        let entry = below(&factor.steps, factors::entry(&factor.steps));
        need(&mut document, &path(&["job"]), &entry, &factor.filler, &absent);
    }
    take_away(&mut document, &absent);
    roles(&mut document);
    for Need { has, wants, value } in needs::of(target) {
        let value = value.or_else(|| at(&document, &has).cloned()).unwrap_or_default();
        need(&mut document, &has, &wants, &value, &absent);
    }
    programs(&mut document, &absent);
    if let Some(shape) = SHAPE.object() {
        complete(&mut document, &mut Vec::new(), shape, &absent);
    }
    written("", &mut document);
    // Inner names first: after a rename, paths below the entry are no longer valid.
    names.sort_by_key(|(factor, _)| std::cmp::Reverse(factor.steps.len()));
    for (factor, name) in names {
        rename(&mut document, &factor.steps, name);
    }
    document
}

/// Returns a job that the target accepts unchanged.
fn base(target: &str) -> Json {
    let resources = json!({ "cpus": 1, "memory": "4GiB" });
    let mut job = json!({
        "name": "pairs",
        "framework": { "name": "tensorflow", "version": "2.15", "strategy": "custom" },
        "image": { "name": "ml/pairs:1.0" },
        "role": { ROLE: { "resources": resources } },
    });
    match target {
        "yarn" => job["target"] = json!({ "yarn": { "hadoop": "3.4", "dns-domain": "ycluster" } }),
        "dcos" => {
            let shim = json!({ "url": { "prefix": "https://files.example.com/", "tail": "tfjob-shim" } });
            job["target"] = json!({ "dcos": { "enterprise": true, "version": "2.1", "shim": shim } });
        }
        "spark" => {
            job["framework"]["strategy"] = json!("multi-worker-mirrored");
            job["image"] = Json::Null;
            job["target"] =
                json!({ "spark": { "spark": "3.5", "master": "yarn", "python": "/usr/bin/python3" } });
        }
        _ => {}
    }
    if job["image"].is_null() {
        job.as_object_mut().and_then(|job| job.shift_remove("image"));
    }
    json!({ "job": job })
}

/// The roles of the framework.
fn roles(document: &mut Json) {
    let framework = &document["job"]["framework"];
    let strategy =
        framework["strategy"].as_str().or(framework["name"].as_str()).unwrap_or_default().to_owned();
    let after = document["job"]["role"][ROLE]["after"].is_object() || document["job"]["after"].is_object();
    let roles: &[&str] = match strategy.as_str() {
        "parameter-server" | "estimator" => &["chief", "ps"],
        "mxnet" => &["scheduler", "server"],
        "custom" if after => &["chief"],
        _ => &[],
    };
    for role in roles {
        let resources = json!({ "cpus": 1, "memory": "4GiB" });
        put(document, &path(&["job", "role", role, "resources"]), resources);
    }
}

/// Adds a program to each role without one, unless the row makes it absent.
fn programs(document: &mut Json, absent: &BTreeSet<Vec<String>>) {
    let has = |block: &Json| block.get("run").is_some() || block.get("shell").is_some();
    if has(&document["job"]) {
        return;
    }
    let Some(roles) = document["job"]["role"].as_object_mut() else { return };
    for (name, role) in roles {
        if !has(role) && !is_absent(absent, &path(&["job", "role", name, "run"])) {
            role["run"] = json!(["python", "train.py"]);
        }
    }
}

fn need(document: &mut Json, has: &[String], wants: &[String], value: &Json, absent: &BTreeSet<Vec<String>>) {
    if at(document, has).is_some() && at(document, wants).is_none() && !is_absent(absent, wants) {
        put(document, wants, value.clone());
    }
}

/// Adds required properties to each existing block.
fn complete(here: &mut Json, steps: &mut Vec<String>, object: &Object, absent: &BTreeSet<Vec<String>>) {
    for field in object.fields {
        steps.push(field.name.to_owned());
        // A job without roles is not completed; roles with other names are complete.
        if field.required && here.get(field.name).is_none() && !is_absent(absent, steps) && steps.len() > 2 {
            here[field.name] = tame(field.name, &field.shape);
        }
        if let Some(value) = here.get_mut(field.name) {
            inner(value, steps, &field.shape, absent);
        }
        steps.pop();
    }
}

fn inner(value: &mut Json, steps: &mut Vec<String>, shape: &Shape, absent: &BTreeSet<Vec<String>>) {
    let (item, entries) = match shape {
        Shape::Object(object) if value.is_object() => return complete(value, steps, object, absent),
        Shape::Keyed(keyed) => (&keyed.item, value.as_object_mut()),
        Shape::List(list) => (&list.item, value.as_object_mut()),
        _ => return,
    };
    for (key, value) in entries.into_iter().flatten() {
        steps.push(key.clone());
        inner(value, steps, item, absent);
        steps.pop();
    }
}

/// A plain valid value.
pub fn tame(name: &str, shape: &Shape) -> Json {
    match (name, shape) {
        ("home", _) => json!("/opt/hadoop"),
        ("java", _) => json!("/opt/java"),
        ("principal", _) => json!("ml/_HOST@EXAMPLE.COM"),
        ("keytab", _) => json!("file:///etc/ml.keytab"),
        ("data", _) => json!("extra"),
        ("policy", Shape::Words(_)) => json!("on-failure"),
        ("driver", _) => json!("gcsfuse.csi.storage.gke.io"),
        (_, Shape::Words(words)) => json!(words[0].word),
        // A port that is valid on every platform.
        ("number", _) => json!(9000),
        (_, Shape::Number(_) | Shape::NumberOr(..)) => json!(1),
        (_, Shape::Scalar) => json!(1),
        (_, Shape::Text(Grammar::Memory)) => json!("4GiB"),
        (_, Shape::Text(Grammar::Duration | Grammar::PositiveDuration)) => json!("30s"),
        (_, Shape::Text(Grammar::Path)) => json!("/opt/x"),
        (_, Shape::Text(Grammar::Uri)) => {
            json!({ "prefix": "https://files.example.com/", "tail": "x/job.zip" })
        }
        _ => json!("ml"),
    }
}

/// Converts URIs and lists, which the factors assemble, to the format of the language.
fn written(name: &str, value: &mut Json) {
    let Some(map) = value.as_object_mut() else { return };
    map.iter_mut().for_each(|(key, inner)| written(if key == "uri" { name } else { key }, inner));
    let (prefix, tail) = (map.get("prefix"), map.get("tail"));
    if prefix.is_some() || tail.is_some() {
        let piece = |part: Option<&Json>, otherwise: &str| {
            part.map_or(otherwise.to_owned(), |text| text.as_str().unwrap_or_default().to_owned())
        };
        // Checkpoints need a directory, but this is the name of a file.
        let file = if name == "checkpoints" { "x/job" } else { "x/job.zip" };
        *value = json!(piece(prefix, "https://files.example.com/") + &piece(tail, file));
    } else if let Some(element) = map.get(ELEMENT) {
        *value = json!([element]);
    }
}

/// Removes properties that a row makes absent, and blocks that are then empty.
fn take_away(document: &mut Json, absent: &BTreeSet<Vec<String>>) {
    for steps in absent {
        for end in (2..=steps.len()).rev() {
            let (last, above) = (&steps[end - 1], &steps[..end - 1]);
            let holder = above.iter().try_fold(&mut *document, |here, step| here.get_mut(step));
            let Some(map) = holder.and_then(Json::as_object_mut) else { break };
            if end == steps.len()
                && map.get(last).is_some_and(|value| value.is_object() && last != "framework")
            {
                break;
            }
            if map.shift_remove(last).is_none() || !map.is_empty() {
                break;
            }
        }
    }
}

fn is_absent(absent: &BTreeSet<Vec<String>>, steps: &[String]) -> bool {
    absent.contains(steps)
}

fn uri(factor: &Factor, part: &str) -> Vec<String> {
    below(&factor.steps, part)
}

fn rename(document: &mut Json, steps: &[String], name: &str) {
    let Some(map) =
        steps.iter().try_fold(document, |here, step| here.get_mut(step)).and_then(Json::as_object_mut)
    else {
        return;
    };
    let all = std::mem::take(map);
    *map = all
        .into_iter()
        .map(|(key, value)| (if factors::is_entry(&key) { name.to_owned() } else { key }, value))
        .collect();
}

/// Sets a value at a path; objects are merged.
fn put(document: &mut Json, steps: &[String], value: Json) {
    let mut here = document;
    for step in steps {
        if !here.is_object() {
            *here = Json::Object(Map::new());
        }
        here = &mut here[step.as_str()];
    }
    match (here.as_object_mut(), value) {
        (Some(old), Json::Object(new)) if !steps.ends_with(&["framework".to_owned()]) => {
            for (key, value) in new {
                old.entry(key).or_insert(value);
            }
        }
        (_, value) => *here = value,
    }
}

fn at<'d>(document: &'d Json, steps: &[String]) -> Option<&'d Json> {
    steps.iter().try_fold(document, |here, step| here.get(step))
}

fn path(steps: &[&str]) -> Vec<String> {
    steps.iter().map(|step| (*step).to_owned()).collect()
}

fn below(steps: &[String], step: &str) -> Vec<String> {
    steps.iter().cloned().chain([step.to_owned()]).collect()
}
