//! `tfjob init`: creates a starter spec for a strategy, without errors.
use crate::args::Init;
use crate::files;
use crate::outcome::{Failure, Outcome};
use crate::terminal::plain;
use std::io::Write;
use std::path::Path;
use tfjob_lang::spec::{StrategyName, job_name};
use tfjob_targets::shell;

/// File name extension of a spec.
const ENDING: &str = ".tfjob.kdl";

/// Runs the command.
///
/// # Errors
/// Returns an error if the file exists or cannot be written.
pub fn run(args: &Init, quiet: bool, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut path = args.name.clone();
    if args.name.extension().is_some_and(|end| end == "kdl") && !args.name.to_string_lossy().ends_with(ENDING)
    {
        path.set_extension("");
    }
    let mut path = path.into_os_string();
    let other = [".json", ".yaml", ".yml"].iter().any(|end| args.name.to_string_lossy().ends_with(end));
    if args.name.file_name().is_none() || args.name.is_dir() || other {
        let name = args.name.to_string_lossy();
        return Err(Failure::new(format!(
            "`{}` is not a valid spec name: use a name such as `mnist`; `init` writes KDL (`mnist.tfjob.kdl`)",
            plain(&name)
        )));
    }
    if !args.name.to_string_lossy().ends_with(ENDING) {
        path.push(ENDING);
    }
    let path = Path::new(&path);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(Failure::new(format!("directory `{}` does not exist", plain(&folder.to_string_lossy()))));
    }
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let shown = path.to_string_lossy();
    files::create(path, &spec(&job_name(stem.trim_end_matches(ENDING)), args.strategy))?;
    // A path that starts with a dash would be parsed as an option.
    let named = if shown.starts_with('-') { format!("./{shown}") } else { shown.to_string() };
    let next = shell::join(["tfjob", "check", &named]);
    if !quiet {
        writeln!(err, "created {}; next: {}", plain(&shown), plain(&next))?;
    }
    Ok(Outcome::Clean)
}

/// Returns the text of the spec. Comment lines that start with a lower-case letter are valid entries if uncommented.
fn spec(name: &str, strategy: StrategyName) -> String {
    let word = strategy.keyword();
    let said = about(strategy);
    let roles = roles(strategy);
    format!(
        r#"// `tfjob check` reports errors; `tfjob compile --target kubernetes` writes the manifests.
// `tfjob explain TOPIC` explains a keyword, such as `role`.
job "{name}" {{
    // {said}
    framework "tensorflow" version="2.15" strategy="{word}"
    image "ml/{name}:1.0"

    // Without `code`, the program must be in the image. `code` is copied into every task; {{code}} is its directory.
    // code "https://host/{name}.zip"
    run "python" "train.py"
    // Pass the location of the data by reference: run "python" "train.py" "--data" "{{data.train}}"
    // data "train" "gs://bucket/data/{name}"
    // Training resumes from the checkpoints in this directory; {{checkpoints}} expands to it.
    // checkpoints "gs://bucket/models/{name}"
    // tensorboard logs="gs://bucket/models/{name}"
    // deadline "12h"
    // Options of one target:
    // target "yarn" {{ hadoop "3.3"; dns-domain "example.org"; user "ml"; }}

{roles}}}
"#
    )
}

/// Returns the description of a strategy, for the comment above `framework`.
const fn about(strategy: StrategyName) -> &'static str {
    match strategy {
        StrategyName::Single => "One process with one device.",
        StrategyName::Mirrored => "One process with all visible GPUs: `tf.distribute.MirroredStrategy`.",
        StrategyName::MultiWorkerMirrored => {
            "Synchronous training on several workers: `tf.distribute.MultiWorkerMirroredStrategy`."
        }
        StrategyName::ParameterServer => {
            "A chief, workers, and parameter servers: `tf.distribute.ParameterServerStrategy`."
        }
        StrategyName::Estimator => "`tf.estimator`, available up to TensorFlow 2.15.",
        StrategyName::Custom => "The program evaluates `TF_CONFIG` itself; `TF_CONFIG` contains all roles.",
    }
}

/// Returns the roles of a strategy.
fn roles(strategy: StrategyName) -> String {
    let role = |name: &str, count: &str, resources: &str| {
        format!("    role \"{name}\"{count} {{\n        resources {resources}\n    }}\n")
    };
    let (one, two, small) = ("", " count=2", "cpus=2 memory=\"4GiB\"");
    let asks_gpu = "        // resources cpus=4 memory=\"16GiB\" gpus=1\n    }\n";
    let gpu = |role: String| format!("{}{asks_gpu}", role.strip_suffix("    }\n").unwrap_or(&role));
    let worker = |count| gpu(role("worker", count, small));
    match strategy {
        StrategyName::Single => worker(one),
        StrategyName::Mirrored => role("worker", one, "cpus=8 memory=\"32GiB\" gpus=2"),
        StrategyName::MultiWorkerMirrored | StrategyName::Custom => worker(two),
        StrategyName::ParameterServer => {
            [role("chief", one, small), worker(two), role("ps", one, small)].join("\n")
        }
        StrategyName::Estimator => {
            [role("chief", one, small), worker(two), role("ps", one, small), role("evaluator", one, small)]
                .join("\n")
        }
    }
}
