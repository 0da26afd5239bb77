//! Lowering of accepted mechanisms to artifacts: the script, the driver, its input, and the job contract of the shim.
pub mod contract;
mod draft;
mod file;
mod script;
mod settle;

use super::Spark;
use super::context::{Context, Manager};
use super::python::PYTHON;
use crate::application;
use crate::libhdfs;
use crate::shim_source::ShimSource;
use draft::Draft;
use script::{DRIVER, GPUS, LEAD, NODE, Script, Shim};
use tfjob_lang::lowered::{Artifact, Lowered, Phase, Step, TracedContract, Word};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::target::Accepted;

const SHIM: &str = "tfjob-shim";

/// Returns the artifacts, the job contract, and the steps.
pub fn lower(accepted: &Accepted<'_, Spark>) -> Lowered {
    let draft = draft(accepted);
    let contract = contract::of(&draft);
    let job = Document::new(&file::job(&draft, &contract));
    let text = serde_json::to_string_pretty(&job.value).expect("a JSON value is JSON") + "\n";
    let mut generated = vec!["job.json"];
    let mut artifacts = vec![
        plain("driver.py", DRIVER.to_owned()),
        plain("tfjob_lead.py", LEAD.to_owned()),
        plain("tfjob_node.py", NODE.to_owned()),
        Artifact { documents: vec![job], ..plain("job.json", text) },
    ];
    if draft.shim {
        generated.push("contract.json");
        artifacts.push(plain("contract.json", contract.0.write() + "\n"));
    }
    if draft.ships_gpus() {
        generated.push("gpus.sh");
        artifacts.push(Artifact { executable: true, ..plain("gpus.sh", GPUS.to_owned()) });
    }
    let (document, text) = script(&draft, generated).write();
    let script = Artifact { executable: true, documents: vec![document], ..plain("submit.sh", text) };
    artifacts.insert(0, script);
    let mut steps = steps(&draft, draft.shim && accepted.site.job.shim.is_none());
    steps.splice(..0, draft.steps.iter().cloned().chain(imports(&draft)));
    steps.extend(observations(&draft));
    let contract = draft.shim.then_some(contract);
    Lowered { artifacts, contract, steps, inherent: draft.inherent, ..Lowered::default() }
}

/// Returns the steps that submit the job. `shim`: whether the user must put the shim into the directory of the script.
fn steps(draft: &Draft<'_>, shim: bool) -> Vec<Step> {
    let copy = Step::new(Phase::Before, &["cp", SHIM], "copies the shim next to submit.sh, which uploads it");
    let why = if draft.context.client() {
        "submits the job with spark-submit, which runs the driver: the job stops with this command"
    } else {
        "submits the job with spark-submit"
    };
    let submit = Step::new(Phase::Submit, &[], why).with([Word::file("submit.sh")]);
    // `submit.sh` resolves relative paths of the spec in its working directory, so it runs in the directory of the spec.
    let copy = shim.then(|| copy.with([Word::file(SHIM)]));
    copy.into_iter().chain([submit]).map(Step::in_spec_directory).collect()
}

/// Returns the steps that show the state and the logs of the job, and that stop it. A standalone master has no command for any of
/// these: its web page shows state and logs, and `spark-submit --kill` stops only drivers that the master has started. The master
/// starts no drivers of Python programs.
fn observations(draft: &Draft<'_>) -> Vec<Step> {
    let name = draft.name.0.as_str();
    match draft.context.manager {
        Manager::Yarn => {
            application::steps(name, "SPARK").into_iter().chain([application::kill(name, "SPARK")]).collect()
        }
        Manager::Standalone => Vec::new(),
        Manager::Kubernetes => {
            let namespace =
                draft.settings.get("spark.kubernetes.namespace").map_or("default", |name| &name.0);
            let selector = format!("spark-app-name={}", label(name));
            let step = |phase, words: &[&str], why| {
                Step::new(phase, &[&["kubectl", "--namespace", namespace], words].concat(), why)
            };
            let logs = ["--prefix", "--all-containers", "--tail=-1", "--ignore-errors"];
            let pods = ["get", "pods", "--selector", &selector, "--output", "wide"];
            // `spark-submit --kill` is not used: it keeps the pod of a driver that has finished, and its name pattern also matches
            // drivers of other jobs.
            let delete = ["delete", "pods", "--selector", &selector];
            vec![
                step(
                    Phase::After,
                    &delete,
                    "stops the job if it still runs, and deletes its Pods; their logs are lost",
                ),
                step(Phase::Status, &pods, "shows the Pods of the driver and of the executors"),
                step(
                    Phase::Logs,
                    &[&["logs", "--selector", &selector][..], &logs].concat(),
                    "shows the output of all Pods of the job that still exist",
                ),
            ]
        }
    }
}

/// Returns the value of the label `spark-app-name` of a job: its name, without repeated hyphens (`KubernetesConf.getAppNameLabel`,
/// since Spark 3.3).
fn label(name: &str) -> String {
    name.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Returns the step that checks the Python installation of the submitting host. `None` if the driver does not run there.
fn imports(draft: &Draft<'_>) -> Option<Step> {
    let python = draft.settings.get("spark.pyspark.driver.python").map_or(PYTHON, |path| path.0.as_str());
    let step = Step::new(
        Phase::Before,
        &[python, "-c", "import tensorflowonspark"],
        "checks that TensorFlowOnSpark is installed: in client mode the driver runs on this host with this Python, which needs TensorFlow, TensorFlowOnSpark, and the same minor version as the Python of the executors",
    );
    draft.context.client().then(|| step.in_spec_directory())
}

/// Returns the job contract, or `None` if the job does not need the shim.
pub fn contract(accepted: &Accepted<'_, Spark>) -> Option<TracedContract> {
    let draft = draft(accepted);
    draft.shim.then(|| contract::of(&draft))
}

/// Returns a draft to which all mechanisms are applied, with the Spark settings that depend on several of them.
pub fn draft<'a>(accepted: &'a Accepted<'_, Spark>) -> Draft<'a> {
    let mut draft = Draft::new(Context::new(accepted.plan, &accepted.site.job));
    for (at, mechanism) in accepted.mechanisms() {
        draft.take(at, mechanism);
    }
    settle::settle(&mut draft);
    draft
}

fn plain(path: &str, text: String) -> Artifact {
    Artifact { path: path.to_owned(), text, executable: false, documents: Vec::new() }
}

fn script(draft: &Draft<'_>, generated: Vec<&'static str>) -> Script {
    let (plan, options) = (draft.context.plan, draft.context.options);
    let mode = if draft.context.client() { "client" } else { "cluster" };
    let shim = options.shim.as_ref();
    let url = ShimSource::url(shim).map(|url| Traced(libhdfs::address(&url.value), url.span));
    let from = url.or_else(|| ShimSource::path(shim).map(|path| Traced(path.value.to_string(), path.span)));
    Script {
        master: Traced(
            draft.context.master().to_owned(),
            options.master.as_ref().map_or(plan.name.span, |m| m.span),
        ),
        deploy_mode: Traced(mode, options.deploy_mode.as_ref().map_or(plan.name.span, |m| m.span)),
        name: draft.name.clone(),
        settings: draft.settings.clone(),
        archives: draft.archives.clone(),
        packed: draft.packed.clone(),
        files: draft.files.clone(),
        beside: draft.beside.clone(),
        own: generated,
        shim: draft.shim.then_some(Shim { from }),
    }
}
