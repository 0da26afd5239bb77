//! Hostile strings in fields that accept any text: an accepted string must reach the process unchanged.
use crate::case::Case;
use crate::mutants::{HOSTILE, Random};
use crate::specs;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tfjob_lang::sources::Format;
use tfjob_lang::target::AnyTarget;

/// Number of strings per job: each as a variable, then each as an argument.
const TOGETHER: usize = 50;

/// Harmless pieces of a string.
const PLAIN: &[&str] = &["a", "B", "0", " ", ".", "/", "é", "漢", "x y", "train.py"];

/// Literals of a string in a spec.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Variable,
    Argument,
    Parameter,
    Description,
}

impl Field {
    const ALL: [Self; 4] = [Self::Variable, Self::Argument, Self::Parameter, Self::Description];
}

/// Returns cases with `count` strings, `TOGETHER` in each, and the number of refused strings by message.
///
/// # Errors
/// A string that is accepted alone is refused together with others, so the batches would be incomplete.
pub fn cases(
    target: &'static dyn AnyTarget,
    count: usize,
    seed: u64,
) -> Result<(Vec<Case>, BTreeMap<String, usize>), String> {
    let mut random = Random::new(seed);
    let mut refused = BTreeMap::new();
    let mut waiting: [Vec<String>; Field::ALL.len()] = Default::default();
    let mut cases = Vec::new();
    for _ in 0..count {
        let text = string(&mut random);
        // A job has one description, so each string needs a separate job.
        let number = if random.once_in(20) { 3 } else { random.below(3) };
        let field = Field::ALL[number];
        let alone = case("alone", target, field, std::slice::from_ref(&text));
        if let Some(why) = alone.refused.first() {
            *refused.entry(words(why)).or_insert(0) += 1;
            continue;
        }
        waiting[number].push(text);
        if waiting[number].len() == room(field) {
            cases.push(together(target, field, &std::mem::take(&mut waiting[number]), cases.len())?);
        }
    }
    for (number, texts) in waiting.iter().enumerate().filter(|(_, texts)| !texts.is_empty()) {
        cases.push(together(target, Field::ALL[number], texts, cases.len())?);
    }
    Ok((cases, refused))
}

/// Returns the number of strings of a field per job; a job has only one description.
const fn room(field: Field) -> usize {
    match field {
        Field::Variable | Field::Argument | Field::Parameter => TOGETHER,
        Field::Description => 1,
    }
}

fn together(
    target: &'static dyn AnyTarget,
    field: Field,
    texts: &[String],
    number: usize,
) -> Result<Case, String> {
    let case = case(&format!("strings-{number}"), target, field, texts);
    match case.refused.first() {
        None => Ok(case),
        Some(why) => Err(format!("{} strings that are carried one by one: {}", texts.len(), words(why))),
    }
}

/// Returns a job with one task and these texts in a field.
fn case(name: &str, target: &'static dyn AnyTarget, field: Field, texts: &[String]) -> Case {
    let mut role = json!({ "resources": { "cpus": 1, "memory": "1GiB" }, "run": ["python", "train.py"] });
    let mut job = json!({ "name": "strings", "framework": { "name": "tensorflow", "version": "2.15" },
        "image": { "name": "ml/strings:1.0" } });
    let braced = |text: &String| text.replace('{', "{{");
    let named = |text: &dyn Fn(&String) -> String| -> Map<String, Value> {
        texts.iter().enumerate().map(|(i, t)| (format!("BITES_{i}"), json!(text(t)))).collect()
    };
    let (mut env, mut argv) = (Map::new(), Vec::new());
    match field {
        Field::Variable => {
            role["env"] = Value::from(named(&braced));
            env = named(&String::clone);
        }
        Field::Argument => {
            role["run"] = json!(
                ["python", "train.py"]
                    .iter()
                    .map(|w| (*w).to_owned())
                    .chain(texts.iter().map(braced))
                    .collect::<Vec<_>>()
            );
            argv = texts.to_vec();
        }
        Field::Parameter => {
            job["param"] = texts
                .iter()
                .enumerate()
                .map(|(i, t)| (format!("p{i}"), json!({ "value": t })))
                .collect::<Map<_, _>>()
                .into();
            role["env"] = (0..texts.len())
                .map(|i| (format!("BITES_{i}"), json!(format!("{{param.p{i}}}"))))
                .collect::<Map<_, _>>()
                .into();
            env = named(&String::clone);
        }
        Field::Description => job["description"] = json!(texts[0]),
    }
    job["role"] = json!({ "worker": role });
    let text = json!({ "job": job }).to_string();
    let analysis = specs::analyzed(&format!("{name}.tfjob.json"), &text, Format::Json);
    let mut case = Case::of(name.to_owned(), "", &analysis, target);
    case.strings = Some(json!({ "env": env, "argv": argv, "count": texts.len() }));
    case
}

/// Returns a string of hostile and harmless pieces; rarely 100 KB of them.
fn string(random: &mut Random) -> String {
    let pieces = 1 + random.below(4);
    let mut text = String::new();
    for _ in 0..pieces {
        let from = if random.once_in(3) { PLAIN } else { HOSTILE };
        text.push_str(random.pick::<&str>(from));
    }
    match random.below(500) {
        0 => text.repeat(100_000 / text.len().max(1)),
        1 => format!("{text}\0"),
        _ => text,
    }
}

/// Returns why a string is refused, without its position and its text.
fn words(refusal: &str) -> String {
    let told = refusal.split_once(": ").map_or(refusal, |(_, told)| told);
    let mut quoted = false;
    let kept = |c: &char| {
        let keep = !quoted;
        quoted ^= *c == '`';
        keep
    };
    told.chars().filter(kept).take(120).collect()
}
