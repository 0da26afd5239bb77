//! Tests of the validation of KDL: trees, diagnostics, and fixes.
mod repeated;

use super::*;
use crate::diagnostic::{Diagnostic, Fix};
use crate::merge::{give_defaults, merge, set};
use crate::sources::{Format, Sources};
use crate::spec::{File, PortNumber};
use crate::syntax::read_kdl;
use crate::tree::{Tree, decode};
use schemars::JsonSchema;
use std::sync::OnceLock;

/// Options of a made-up target, as a target declares them.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "read through its schema")]
struct JobOptions {
    /// The queue.
    queue: Option<crate::at::At<crate::spec::values::Text>>,
    /// Annotations of every task.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    annotations: crate::at::Named<crate::at::At<crate::spec::values::Text>>,
    /// A patch of the job.
    #[schemars(extend("x-inherited" = false))]
    patch: Option<crate::at::At<crate::spec::values::Text>>,
}

/// Options that a role has.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "read through its schema")]
struct RoleOptions {
    /// Annotations of its tasks.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    annotations: crate::at::Named<crate::at::At<crate::spec::values::Text>>,
    /// A patch of the role.
    patch: Option<crate::at::At<crate::spec::values::Text>>,
}

/// Returns the shape of a job with one target.
pub(crate) fn job() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    SHAPE.get_or_init(|| Shape::job(&[("site", job_options(), role_options())]).unwrap())
}

pub(super) fn job_options() -> serde_json::Value {
    Shape::schema_of::<JobOptions>()
}

pub(super) fn role_options() -> serde_json::Value {
    Shape::schema_of::<RoleOptions>()
}

/// Result of checking texts. [`Checked::told`] returns diagnostics as `text at the span | code: message`.
pub(crate) struct Checked {
    pub sources: Sources,
    pub tree: Tree,
    pub all: Vec<Diagnostic>,
}

pub(crate) fn check_all(texts: &[(&str, &str)]) -> Checked {
    let mut sources = Sources::default();
    let mut all = Vec::new();
    let mut merged: Option<Tree> = None;
    for (name, text) in texts {
        let format = if *name == "--set" { Format::Set } else { Format::Kdl };
        let number = sources.add(*name, format, *text);
        let source = sources.get(number).clone();
        if format == Format::Set {
            all.extend(set(merged.as_mut().unwrap(), job(), &source, &sources, None));
            continue;
        }
        let (kdl, told) = read_kdl(&source);
        all.extend(told);
        let (tree, told) = read(&kdl, &source, job());
        all.extend(told);
        all.extend(judge(&tree, job(), &sources));
        merged = Some(match merged {
            Some(base) => merge(base, tree, job()),
            None => tree,
        });
    }
    let mut tree = merged.unwrap();
    all.extend(require(&tree, job(), &sources));
    give_defaults(&mut tree, job()).unwrap();
    Checked { sources, tree, all }
}

impl Checked {
    pub fn told(&self) -> Vec<String> {
        let mut all: Vec<&Diagnostic> = self.all.iter().collect();
        all.sort_by_key(|d| d.span());
        all.iter()
            .map(|d| format!("{} | {}: {}", self.sources.slice(d.span()), d.code.name, d.message))
            .collect()
    }

    fn help(&self) -> &str {
        self.all[0].help.as_deref().unwrap_or_default()
    }

    fn repaired(&self) -> String {
        let mut text = self.sources.get(0).text.clone();
        let mut edits: Vec<_> =
            self.all.iter().flat_map(|d| &d.fixes).flat_map(|Fix { edits, .. }| edits).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
        for edit in edits {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        text
    }

    pub fn file(&self) -> File {
        assert_eq!(self.told(), Vec::<String>::new());
        decode(&self.tree, &self.sources).unwrap()
    }
}

pub(crate) fn check(text: &str) -> Checked {
    check_all(&[("a.tfjob.kdl", text)])
}

/// Checks a complete job that contains `inside`.
pub(crate) fn in_job(inside: &str) -> Checked {
    check(&format!("job \"a\" {{\n framework \"tensorflow\"\n{inside}\n}}\n"))
}

/// Returns the diagnostics of a complete job that contains `inside`.
pub(crate) fn told(inside: &str) -> Vec<String> {
    in_job(inside).told()
}

/// Asserts that the fixes convert `inside` to `to`, without further errors.
pub(crate) fn mends(inside: &str, to: &str) {
    let repaired = in_job(inside).repaired();
    assert_eq!(repaired, format!("job \"a\" {{\n framework \"tensorflow\"\n{to}\n}}\n"));
    assert_eq!(check(&repaired).told(), Vec::<String>::new());
}

/// A complete job with many kinds of entries.
pub(crate) const WHOLE: &str = r##"job "ctr" {
    framework "tensorflow" version="2.15" strategy="parameter-server"
    image "ml/ctr:2.15" pull-secret="registry-ads"
    code "hdfs://default/ads/ctr.zip"
    files "venv" "hdfs://default/ads/venv.tar.gz"
    data "clicks" "hdfs://default/ads/clicks"
    checkpoints "hdfs://default/ads/ctr" every="10m"
    hadoop home="/opt/hadoop" java="/opt/java"
    env { PYTHONPATH "{code}/lib:{env.PYTHONPATH}" }
    param "lr" 0.001
    secret "STORE_TOKEN" from="feature-store" key="token"

    run "{files.venv}/bin/python" "train.py" "{data.clicks}" "{checkpoints}" "--lr={param.lr}"
    restart "on-failure" limit=3 within="1h" backoff="10s" { codes 42 143 }

    role "chief" { resources cpus=4 memory="16GiB" }
    role "worker" count=8 { resources cpus=8 memory="32GiB" gpus=1 { device "rdma/hca" 1 } }
    role "ps" count=2 {
        resources cpus=4 memory="24GiB"
        placement { spread "host"; node "zone" "a" }
        port "debug" "auto" link="Debugger"
        after "chief" when="started"
        target "site" { annotations { "a.b/c" "d" } }
    }
    role "evaluator" {
        shell #"exec python eval.py "$TFJOB_CHECKPOINTS""#
        resources cpus=2 memory="8GiB"
        user 1000
    }
    tensorboard { resources cpus=1 memory="2GiB" }
    stop grace="60s"; deadline "2d"; keep "failed" for="1d"
    allow "gang" on="site" because="it is small"
    target "site" { queue "ads"; annotations { "a.b/c" "e"; x "y" }; patch "{}" }
}
"##;

#[test]
fn a_whole_job_is_read_with_its_spans() {
    let checked = check(WHOLE);
    let file = checked.file();
    let job = &file.job;
    assert_eq!(job.name.as_str(), "ctr");
    assert_eq!(checked.sources.slice(job.name.span), "\"ctr\"");
    assert_eq!(job.param.get("lr").unwrap().value.value.text, "0.001");
    let worker = &job.role.get("worker").unwrap().value;
    assert_eq!(worker.count.as_ref().unwrap().0, 8);
    let resources = worker.resources.as_ref().unwrap();
    assert_eq!(resources.memory.bytes(), 32 << 30);
    assert_eq!(checked.sources.slice(resources.memory.span), "\"32GiB\"");
    assert_eq!(worker.run.as_ref().unwrap().0.len(), 5);
    let ps = &job.role.get("ps").unwrap().value;
    assert_eq!(ps.port.get("debug").unwrap().number.value, PortNumber::Auto);
    assert_eq!(checked.sources.slice(job.role.0[2].0.span), "\"ps\"");
    let evaluator = &job.role.get("evaluator").unwrap().value;
    assert!(evaluator.run.is_none() && evaluator.shell.is_some());
    assert_eq!(evaluator.restart.as_ref().unwrap().codes.len(), 2);
}

#[test]
fn an_unknown_word_is_told_once_with_what_was_meant() {
    assert_eq!(told(" iamge \"a\""), ["iamge | unknown-node: unknown entry `iamge` in `job`"]);
    mends(" iamge \"a\"", " image \"a\"");
    assert_eq!(
        told(" role \"w\" cuont=4 { resources cpus=1 mem=\"1GiB\"; }"),
        [
            "cuont | unknown-property: unknown property `cuont` in `role`",
            "mem | unknown-property: unknown property `mem` in `resources`",
        ]
    );
    mends(" role \"w\" replicas=4", " role \"w\" count=4");
    assert_eq!(in_job(" role \"w\" gpus=4").help(), "`gpus` is a property of `resources`");
    assert_eq!(
        told(" target \"sitee\" { queu \"a\" }"),
        ["\"sitee\" | unknown-target: unknown target `sitee`"]
    );
    mends(" target \"sit\" {}", " target \"site\" {}");
    assert_eq!(
        check("jop \"a\" { framework \"caffe\"; }").told(),
        ["jop | unknown-node: unknown entry `jop` in the file"]
    );
}

#[test]
fn arguments_and_blocks_are_counted() {
    assert_eq!(
        told(" deadline \"1h\" \"2h\" \"3h\""),
        ["\"2h\" \"3h\" | extra-argument: too many arguments for `deadline`"]
    );
    assert_eq!(told(" deadline"), ["deadline | missing-value: missing value for `deadline`"]);
    assert_eq!(told(" deadline \"1h\" { x 1 }"), ["x 1 | unexpected-block: `deadline` cannot have a block"]);
    assert_eq!(told(" role"), ["role | missing-value: missing name for `role`"]);
    assert_eq!(told(" run"), ["run | missing-value: `run` is empty"]);
    assert_eq!(
        told(" deadline every=\"1h\" \"2h\""),
        ["every | unknown-property: unknown property `every` in `deadline`"]
    );
}

#[test]
fn numbers_where_text_is_due_are_quoted_as_written() {
    let checked = in_job(" env { A 2.10; B 0x1F; C #true }");
    assert_eq!(
        checked.told(),
        [
            "2.10 | wrong-type: `A` must be a string, not a number",
            "0x1F | wrong-type: `B` must be a string, not a number",
            "#true | wrong-type: `C` must be a string, not a boolean",
        ]
    );
    mends(" env { A 2.10; B 0x1F; C #true }", " env { A \"2.10\"; B \"0x1F\"; C \"true\" }");
    mends(" run \"python\" \"x\" 5", " run \"python\" \"x\" \"5\"");
    let bad = check("job \"a\" { framework \"tensorflow\" version=2.10 }");
    assert_eq!(bad.told(), ["2.10 | wrong-type: `version` must be a string, not a number"]);
    assert_eq!(bad.help(), "quote it: `\"2.10\"`; without quotes, it is the number 2.1");
    assert_eq!(bad.repaired(), "job \"a\" { framework \"tensorflow\" version=\"2.10\" }");
    mends(" role \"w\" count=\"4\"", " role \"w\" count=4");
    mends(" start gang=\"true\"", " start gang=#true");
    let bare = in_job(" resources cpus=1 memory=16384");
    assert_eq!(bare.told(), ["16384 | bad-value: `16384` has no unit"]);
    assert!(bare.help().contains("`16GiB`"));
    assert_eq!(told(" deadline 10"), ["10 | bad-value: `10` has no unit"]);
    assert_eq!(told(" deadline #null"), ["#null | wrong-type: `deadline` must be a string, not null"]);
}

#[test]
fn values_keep_their_range_choice_and_grammar() {
    assert_eq!(told(" role \"w\" count=0"), ["0 | out-of-range: `count` is out of range: 0"]);
    assert_eq!(
        told(" role \"w\" count=1.5"),
        ["1.5 | wrong-type: `count` must be an integer from 1 to 10000, not a decimal number"]
    );
    assert_eq!(
        told(" success \"cheif\""),
        ["\"cheif\" | unknown-value: invalid value `cheif` for `success`"]
    );
    mends(" success \"cheif\"", " success \"chief\"");
    assert_eq!(told(" deadline \"0s\""), ["\"0s\" | bad-value: duration `0s` must be greater than 0"]);
    mends(" resources cpus=1 memory=\"16Gi\"", " resources cpus=1 memory=\"16GiB\"");
    assert_eq!(
        told(" resources cpus=0.25 memory=\"1GiB\""),
        ["0.25 | bad-value: `0.25` cores is not a multiple of 0.1"]
    );
    assert_eq!(told(" resources cpus=0 memory=\"1GiB\""), ["0 | out-of-range: `cpus` is out of range: 0"]);
    assert_eq!(told(" port \"x\" 0"), ["0 | out-of-range: `port` is out of range: 0"]);
    mends(" port \"x\" \"8080\"", " port \"x\" 8080");
    assert_eq!(told(" port \"x\" \"aut\""), ["\"aut\" | unknown-value: invalid value `aut` for `port`"]);
    assert_eq!(told(" user \"Bob\""), ["\"Bob\" | bad-value: invalid user name `Bob`"]);
}

#[test]
fn names_have_the_grammar_of_their_place() {
    mends(" role \"My_Worker\"", " role \"my-worker\"");
    mends(" env { MY-VAR \"x\" }", " env { MY_VAR \"x\" }");
    mends(" labels { \"a.b/c\" \"x\" }", " labels { \"a.b/c\" \"x\" }");
    assert_eq!(told(" role 5"), ["5 | bad-value: invalid name `5`"]);
    mends(" param \"learning_rate\" 0.1", " param \"learning_rate\" 0.1");
}

#[test]
fn what_is_missing_is_told_once_at_the_name() {
    assert_eq!(check("job \"a\"").told(), ["job | missing-field: missing `framework` in `job`"]);
    assert_eq!(
        check("job { framework \"tensorflow\" }").told(),
        ["job | missing-field: missing name in `job`"]
    );
    assert_eq!(check("").told(), [" | missing-field: missing `job` in the file"]);
    let checked = in_job(" resources cpus=1\n role \"w\"\n role \"v\"");
    assert_eq!(checked.told(), ["resources | missing-field: missing `memory` in `resources`"]);
    assert_eq!(checked.help(), "add `memory`, such as `memory=\"16GiB\"`");
    assert_eq!(
        told(" allow \"x\"; allow \"y\" because=\"z\"; allow \"z\""),
        [
            "allow | missing-field: missing `because` in `allow`",
            "allow | missing-field: missing `because` in `allow`",
        ]
    );
    let checked = in_job(" resources cpus=1\n role \"w\"\n role \"v\"");
    assert_eq!(require(&checked.tree, job(), &checked.sources).len(), 1);
    assert_eq!(told(" data \"x\""), ["\"x\" | missing-field: missing URI in `data \"x\"`"]);
}

#[test]
fn what_a_fault_hides_is_not_missing() {
    assert_eq!(check("job \"a\" { framwork \"tensorflow\" }").told().len(), 1);
    assert_eq!(check("job \"a\" {\n framework = \"tensorflow\"\n}").told().len(), 1);
    assert_eq!(
        check("job \"a\" {\n framework \"tensorflow\"\n resources cpus=1 memory=16GiB\n}").told().len(),
        1
    );
    assert_eq!(told(" resources cpus=1 { memory \"1GiB\" }").len(), 1);
}

#[test]
fn argv_keeps_a_property_as_a_word() {
    let checked = in_job(" run \"python\" steps=9");
    assert_eq!(checked.told(), ["steps=9 | unknown-property: unknown property `steps` in `run`"]);
    mends(" run \"python\" steps=9", " run \"python\" \"steps=9\"");
}
