//! `submit.sh`: a script that calls spark-submit, with all arguments quoted for the shell.
use crate::shell::quote;
use handlebars::Handlebars;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tfjob_lang::origin::{Document, Traced};

const SCRIPT: &str = include_str!("../../../templates/spark-submit.sh.hbs");

/// Source code of the driver, which is the same for all jobs.
pub const DRIVER: &str = include_str!("../../../templates/driver.py");

/// Source code of the part of the driver that decides when tasks start and when the job ends. It is the same for all jobs.
pub const LEAD: &str = include_str!("../../../templates/tfjob_lead.py");

/// Source code of the program that each executor runs. It is the same for all jobs.
pub const NODE: &str = include_str!("../../../templates/tfjob_node.py");

/// Script that prints the GPUs of a container. Spark needs it on YARN, because YARN does not tell Spark the addresses of the GPUs.
pub const GPUS: &str = include_str!("../../../templates/gpus.sh");

/// Arguments of spark-submit.
#[derive(Debug, Serialize)]
pub struct Script {
    /// Master URL.
    pub master: Traced<String>,
    /// Deploy mode.
    pub deploy_mode: Traced<&'static str>,
    /// Name of the application.
    pub name: Traced<String>,
    /// Spark settings, sorted by key.
    pub settings: BTreeMap<String, Traced<String>>,
    /// Archives that spark-submit sends, each as `URI#DIRECTORY`.
    pub archives: Vec<Traced<String>>,
    /// Archives that steps create in the directory of the script, each as `PATH#DIRECTORY`.
    pub packed: Vec<Traced<String>>,
    /// Files of the job that spark-submit sends. Files that tfjob generates are in `own`.
    pub files: Vec<Traced<String>>,
    /// Archives and files that spark-submit sends and that the spec names by a relative path.
    pub beside: Vec<Traced<String>>,
    /// Names of the files that tfjob generates. They are in the directory of the script.
    pub own: Vec<&'static str>,
    /// The shim, if the job uses it.
    pub shim: Option<Shim>,
}

/// Where the script finds the shim.
#[derive(Debug, Serialize)]
pub struct Shim {
    /// Path on the submitting host, or URI. `None` if the shim is in the directory of the script.
    pub from: Option<Traced<String>>,
}

/// Largest value of a setting that is a 32-bit integer.
const UNLIMITED: &str = "2147483647";

/// The template of the script. It is parsed once per process.
static ENGINE: LazyLock<Handlebars> = LazyLock::new(|| {
    let mut engine = Handlebars::new();
    engine.set_strict_mode(true);
    engine.register_escape_fn(quote);
    engine.register_template_string("script", SCRIPT).expect("the template is ours");
    engine
});

/// Returns the input of the template for a setting: the argument of spark-submit, and the flags that select a comment. The text of
/// the comments is in the template, so that no text of the spec can become part of a comment. Some flags depend on the value,
/// because `conf` of the spec may set a value that differs from the one that tfjob sets.
fn setting(key: &str, value: &str) -> Value {
    let lost = matches!(key, "spark.executor.maxNumFailures" | "spark.yarn.max.executor.failures");
    json!({
        "word": format!("{key}={value}"),
        "heap": key == "spark.executor.memory",
        "overhead": key == "spark.executor.memoryOverhead",
        "unlimited": lost && value == UNLIMITED,
        "lost": lost && value != UNLIMITED,
        "once": (key, value) == ("spark.task.maxFailures", "1"),
        "attempt": (key, value) == ("spark.yarn.maxAppAttempts", "1"),
    })
}

impl Script {
    /// Returns the document with the span in the spec for each of its values, and the text of the script.
    ///
    /// # Panics
    /// Never panics: a test renders every branch of the template, and strict mode reports unknown names.
    pub fn write(&self) -> (Document, String) {
        let document = Document::new(self);
        let text = ENGINE.render("script", &self.context(&document.value)).expect("the template is ours");
        (document, text)
    }

    /// Returns the input of the template, which has a value for every name in the template.
    fn context(&self, value: &Value) -> Value {
        let joined = |key: &str| {
            let list = value[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            list.collect::<Vec<_>>().join(",")
        };
        let settings = self.settings.iter().map(|(key, value)| setting(key, &value.0));
        let packed = self.packed.iter().map(|Traced(word, _)| {
            json!({ "file": word.split_once('#').map_or(word.as_str(), |(file, _)| file), "word": word })
        });
        let packed: Vec<_> = packed.collect();
        let from = self.shim.as_ref().and_then(|shim| shim.from.as_ref()).map(|from| from.0.as_str());
        json!({
            "master": value["master"],
            "deploy_mode": value["deploy_mode"],
            "name": value["name"],
            "settings": settings.collect::<Vec<_>>(),
            "archives": joined("archives"),
            "packed": packed,
            "files": joined("files"),
            "beside": value["beside"],
            "own": self.own,
            "shim": self.shim.is_some(),
            "shim_beside": self.shim.is_some() && from.is_none(),
            "shim_local": from.is_some_and(|from| !from.contains("://")),
            "shim_from": from.unwrap_or_default(),
        })
    }
}
