//! Reports URIs that TensorFlow cannot open.
use crate::codes::UNSUPPORTED_FILE_SYSTEM;
use crate::diagnostic::Diagnostic;
use crate::plan::Volume;
use crate::resolve::rules::Job;
use crate::resolve::rules::unused::Uses;
use crate::spec::values::Scheme;
use tfjob_contract::FrameworkName;

/// A scheme that TensorFlow cannot open, and how to correct a URI with this scheme.
struct Unsupported {
    scheme: Scheme,
    /// Help for data and checkpoints.
    help: &'static str,
    /// Help for the log directory of TensorBoard.
    logs_help: &'static str,
}

/// Schemes of Hadoop that TensorFlow cannot open, with or without `tensorflow-io` (observed with TensorFlow 2.15.1 and
/// tensorflow-io 0.36).
const UNSUPPORTED_SCHEMES: [Unsupported; 2] = [
    Unsupported {
        scheme: Scheme::S3a,
        help: "`s3a:` is a Hadoop scheme; write `s3://`, and import `tensorflow_io` in the program",
        logs_help: "`s3a:` is a Hadoop scheme; write `s3://`, import `tensorflow_io` in the program that writes the logs, and run TensorBoard in an image that can read `s3:`",
    },
    Unsupported {
        scheme: Scheme::Abfs,
        help: "use storage that TensorFlow can open, such as `gs:`; or, if the target can mount this location with a CSI driver, add `at=\"/PATH\"`",
        logs_help: "use storage that TensorFlow can open, such as `gs:`",
    },
];

/// Reports URIs that TensorFlow cannot open. Data that a `target` block uses is excluded, because the platform reads it.
pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    if plan.framework.name.value != FrameworkName::Tensorflow {
        return;
    }
    let uses = Uses::new(job);
    let read = |volume: &&Volume| volume.at.is_none() && !uses.is_read_by_target(volume.name.value.as_str());
    for Unsupported { scheme, help, logs_help } in UNSUPPORTED_SCHEMES {
        let opened = plan.storage.data.iter().chain(&plan.storage.checkpoints).filter(read);
        let volumes =
            opened.filter(|volume| volume.uri.value.scheme() == scheme).map(|volume| (volume.uri.span, help));
        let logs = job.spec.tensorboard.iter().filter_map(|board| board.value.logs.as_ref());
        let logs = logs
            .filter(|logs| Scheme::of_address(logs.value.as_str()) == Some(scheme))
            .map(|logs| (logs.span, logs_help));
        for (at, help) in volumes.chain(logs) {
            let fact = format!("TensorFlow cannot open `{}:` URIs", scheme.word());
            out.push(
                Diagnostic::new(&UNSUPPORTED_FILE_SYSTEM, at, fact).here("unsupported scheme").help(help),
            );
        }
    }
}
