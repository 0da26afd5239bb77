//! Patches generated from the published types: every field of every type with values at and beyond its bounds, with the
//! verdict of tfjob and the artifact as it would be without its checks.
mod samples;
mod values;

use crate::case::{Case, File};
use crate::specs;
use serde_json::{Map, Value, json};
use tfjob_lang::sources::{Format, Span};
use tfjob_lang::target::AnyTarget;
use tfjob_targets::codes::PATCH_UNCHECKED;
use tfjob_targets::patch;
use tfjob_targets::patch::published::{Kind, Object};

/// A target with patches of published types.
struct Subject {
    root: &'static Object,
    spec: &'static str,
}

fn subject(target: &str) -> Result<Subject, String> {
    match target {
        "kubernetes" => Ok(Subject { root: &tfjob_targets::kubernetes::published::TF_JOB, spec: KUBERNETES }),
        other => Err(format!("{other} has no published types here")),
    }
}

const KUBERNETES: &str = r#"job "mnist" {
    framework "tensorflow" version="2.15"
    image "ml/mnist:1.0"
    run "python" "train.py"
    role "worker" {
        resources cpus=2 memory="4GiB"
    }
    target "kubernetes" {
        PATCH
    }
}
"#;

/// Returns every `every`-th patch, starting at index `first`.
///
/// # Errors
/// The target has no published types, or its base job does not compile.
pub fn cases(target: &'static dyn AnyTarget, every: usize, first: usize) -> Result<Vec<Case>, String> {
    let subject = subject(target.name())?;
    let base = Base::new(target, &subject)?;
    let mut cases = Vec::new();
    let mut number = 0;
    let mut see = |path: &str, patch: &Value| {
        if number % every == first % every {
            cases.push(base.case(number, path, patch));
        }
        number += 1;
    };
    Walk { see: &mut see }.object(subject.root, "", &|value| value);
    Ok(cases)
}

struct Walk<'s> {
    see: &'s mut dyn FnMut(&str, &Value),
}

impl Walk<'_> {
    /// Adds every field of an object; `build` wraps the object for its place in a patch.
    fn object(&mut self, object: &'static Object, at: &str, build: &dyn Fn(Value) -> Value) {
        for field in object.fields {
            let path = if at.is_empty() { field.name.to_owned() } else { format!("{at}.{}", field.name) };
            let around = |value: Value| {
                let mut map = samples::beside(object, field.name, &path);
                map.insert(field.name.to_owned(), value);
                build(Value::Object(map))
            };
            (self.see)(&path, &around(Value::Null));
            (self.see)(&path, &around(values::mistyped(field.kind)));
            self.kind(field.kind, field.name, &path, &around);
        }
    }

    fn kind(&mut self, kind: Kind, field: &str, path: &str, build: &dyn Fn(Value) -> Value) {
        match kind {
            Kind::Object(object) => {
                (self.see)(path, &build(json!({})));
                self.object(object, path, build);
            }
            Kind::List(list) => {
                (self.see)(path, &build(json!([])));
                self.kind(list.item, field, &format!("{path}[0]"), &|item| build(json!([item])));
            }
            Kind::Map(item) => {
                for key in values::keys(field) {
                    let below = format!("{path}.{key}");
                    self.kind(*item, field, &below, &|value| {
                        build(Value::Object(Map::from_iter([((*key).to_owned(), value)])))
                    });
                }
            }
            Kind::Words(_)
            | Kind::Text
            | Kind::Boolean
            | Kind::Int32
            | Kind::Int64
            | Kind::Quantity
            | Kind::IntOrText
            | Kind::Number
            | Kind::Any => {
                // An engine would create a Pod for each.
                let few =
                    |value: &Value| field != "replicas" || value.as_i64().is_some_and(|n| n.abs() < 1000);
                for value in values::values(kind).into_iter().filter(few) {
                    (self.see)(path, &build(value));
                }
            }
        }
    }
}

/// The job without a patch, and its artifacts.
struct Base {
    target: &'static dyn AnyTarget,
    spec: &'static str,
    artifacts: Vec<tfjob_lang::lowered::Artifact>,
}

impl Base {
    fn new(target: &'static dyn AnyTarget, subject: &Subject) -> Result<Self, String> {
        let text = subject.spec.replace("PATCH", "");
        let analysis = specs::analyzed("patches.tfjob.kdl", &text, Format::Kdl);
        let lowered = analysis.compile(target).lowered.ok_or("the base job does not compile")?;
        Ok(Self { target, spec: subject.spec, artifacts: lowered.artifacts })
    }

    /// Returns the artifact with the patch, also if tfjob refuses it, and the verdict of tfjob.
    fn case(&self, number: usize, path: &str, patch: &Value) -> Case {
        let text = patch.to_string();
        let spec = self.spec.replace("PATCH", &format!("patch ####\"{text}\"####"));
        let analysis = specs::analyzed("patches.tfjob.kdl", &spec, Format::Kdl);
        let compiled = analysis.compile(self.target);
        let found: Vec<_> = analysis.diagnostics.iter().chain(&compiled.diagnostics).collect();
        let fault = found.iter().find(|d| d.is_error());
        let unchecked = found.iter().find(|d| d.code == &PATCH_UNCHECKED);
        let (verdict, why) = match (fault, unchecked) {
            (Some(fault), _) => ("refused", fault.message.clone()),
            (None, Some(warning)) => ("unchecked", warning.message.clone()),
            (None, None) => ("silent", String::new()),
        };
        let mut case = Case::of(format!("patch-{number}"), "", &analysis, self.target);
        case.refused = Vec::new();
        case.tasks = Vec::new();
        case.artifacts = self.artifacts.iter().map(|artifact| self.patched(artifact, &text)).collect();
        case.mutant = Some(json!({ "path": path, "patch": text, "verdict": verdict, "why": why }));
        case
    }

    /// Patches are merged into the first artifact.
    fn patched(&self, artifact: &tfjob_lang::lowered::Artifact, patch: &str) -> File {
        let mut file = File {
            path: artifact.path.clone(),
            text: artifact.text.clone(),
            executable: artifact.executable,
        };
        if artifact.path == self.artifacts[0].path {
            let mut document = artifact.documents[0].clone();
            patch::apply(&mut document, "", patch, Span::default());
            file.text = document.value.to_string();
        }
        file
    }
}
