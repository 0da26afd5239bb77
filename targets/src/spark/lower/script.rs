//! `submit.sh`: the one call of spark-submit, every word quoted for the shell.
use crate::shell::quote;
use handlebars::Handlebars;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tfjob_lang::origin::{Document, Traced};

const SCRIPT: &str = include_str!("../../../templates/spark-submit.sh.hbs");

/// The driver: a text that holds nothing of any job.
pub const DRIVER: &str = include_str!("../../../templates/driver.py");

/// The decisions of the driver: a text that holds nothing of any job.
pub const LEAD: &str = include_str!("../../../templates/tfjob_lead.py");

/// What runs in each executor, beside the driver: it too holds nothing of any job.
pub const NODE: &str = include_str!("../../../templates/tfjob_node.py");

/// Prints the GPUs of a node as Spark wants them, on YARN, where nobody else says which a container has.
pub const GPUS: &str = include_str!("../../../templates/gpus.sh");

/// What the script says to spark-submit.
#[derive(Debug, Serialize)]
pub struct Script {
    /// Who hands out the executors.
    pub master: Traced<String>,
    /// Where the driver runs.
    pub deploy_mode: Traced<&'static str>,
    /// The application's name.
    pub name: Traced<String>,
    /// Settings, sorted.
    pub settings: BTreeMap<String, Traced<String>>,
    /// Archives, `from#alias`.
    pub archives: Vec<Traced<String>>,
    /// Archives that steps pack into the script's own directory, `from#alias`.
    pub packed: Vec<Traced<String>>,
    /// Files besides those of the compiler.
    pub files: Vec<Traced<String>>,
    /// Those of archives and files that lie beside the spec.
    pub beside: Vec<Traced<String>>,
    /// The compiler's own files, which lie beside the script.
    pub own: Vec<&'static str>,
    /// Whether the shim travels with the job, and where it is if that was said.
    pub shim: Option<Shim>,
}

/// Where the shim is.
#[derive(Debug, Serialize)]
pub struct Shim {
    /// A path of the host that submits, or a uri; beside the script where nothing is said.
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
    /// The document behind the script, and the script.
    ///
    /// # Panics
    /// Never: a test renders every branch of the template, and strict mode finds a name that is not there.
    pub fn write(&self) -> (Document, String) {
        let document = Document::new(self);
        let text = ENGINE.render("script", &self.context(&document.value)).expect("the template is ours");
        (document, text)
    }

    /// What the template sees: words, lists of words and flags, each there.
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
