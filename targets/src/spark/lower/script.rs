//! `submit.sh`: the call of spark-submit, with all arguments quoted for the shell.
use crate::shell::quote;
use handlebars::Handlebars;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tfjob_lang::origin::{Document, Traced};

const SCRIPT: &str = include_str!("../../../templates/spark-submit.sh.hbs");

/// Source of the driver, the same for all jobs.
pub const DRIVER: &str = include_str!("../../../templates/driver.py");

/// Source of the driver's decisions, the same for all jobs.
pub const LEAD: &str = include_str!("../../../templates/tfjob_lead.py");

/// Source of the code in each executor, the same for all jobs.
pub const NODE: &str = include_str!("../../../templates/tfjob_node.py");

/// Discovery script that prints the GPUs of a container, for YARN, which does not tell Spark their addresses.
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
    /// Settings, sorted.
    pub settings: BTreeMap<String, Traced<String>>,
    /// Archives, as `from#alias`.
    pub archives: Vec<Traced<String>>,
    /// Archives that steps create in the directory of the script, as `from#alias`.
    pub packed: Vec<Traced<String>>,
    /// Files of the job, without generated files.
    pub files: Vec<Traced<String>>,
    /// Archives and files with a path relative to the spec.
    pub beside: Vec<Traced<String>>,
    /// Generated files, in the directory of the script.
    pub own: Vec<&'static str>,
    /// The shim, if the job uses it.
    pub shim: Option<Shim>,
}

/// Location of the shim.
#[derive(Debug, Serialize)]
pub struct Shim {
    /// Path on the submitting host, or URI. `None`: the directory of the script.
    pub from: Option<Traced<String>>,
}

/// The template, parsed once per process.
static ENGINE: LazyLock<Handlebars> = LazyLock::new(|| {
    let mut engine = Handlebars::new();
    engine.set_strict_mode(true);
    engine.register_escape_fn(quote);
    engine.register_template_string("script", SCRIPT).expect("the template is ours");
    engine
});

impl Script {
    /// Returns the document with the origins of its values, and the text of the script.
    ///
    /// # Panics
    /// Never: a test renders every branch of the template, and strict mode reports unknown names.
    pub fn write(&self) -> (Document, String) {
        let document = Document::new(self);
        let text = ENGINE.render("script", &self.context(&document.value)).expect("the template is ours");
        (document, text)
    }

    /// Returns the input of the template, with a value for every name.
    fn context(&self, value: &Value) -> Value {
        let joined = |key: &str| {
            let list = value[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            list.collect::<Vec<_>>().join(",")
        };
        let settings = self.settings.iter().map(|(key, value)| format!("{key}={}", value.0));
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
