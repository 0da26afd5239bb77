//! Support of code, data, and checkpoints.
use super::Support;
use crate::dcos::Dcos;
use crate::dcos::context::Context;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::support::lacks;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement;
use tfjob_lang::spec::values::{Class, Scheme, Uri};
use tfjob_lang::target::Site;

/// Returns the support of one requirement about code, data, and checkpoints.
pub fn support(requirement: &requirement::Storage, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Storage::Code { uri, reference: _, at } => code(uri, at.as_deref(), site),
        requirement::Storage::Stage { .. } => lacks(
            "agents download only the `code` of the TensorFlow package, no other files",
            "dcos#package-options",
        ),
        requirement::Storage::DataUri { uri, .. } => data(uri, plan, site),
        requirement::Storage::DataMount { .. } | requirement::Storage::CheckpointsMount { .. } => {
            lacks("the TensorFlow package cannot mount storage into its tasks", "dcos#package-file-systems")
        }
        requirement::Storage::CheckpointsUri { uri } => checkpoints(uri, plan, site),
        requirement::Storage::CheckpointsEvery { .. } => {
            Support::inherent("the program writes checkpoints at this interval")
        }
        requirement::Storage::CheckpointsFresh { .. } => lacks(
            "the TensorFlow package does not check for existing checkpoints before the program starts",
            "dcos#package-lifecycle",
        ),
        requirement::Storage::Scratch { .. } => lacks(
            "the TensorFlow package passes no path of a scratch directory to its tasks",
            "dcos#package-module",
        ),
    }
}

fn code(uri: &Uri, at: Option<&str>, site: &Site<Dcos>) -> Support {
    const KINDS: [&str; 4] = [".zip", ".tgz", ".tar.gz", ".py"];
    let module = site.job.module.as_ref().map_or("", |m| m.value.as_str());
    if uri.scheme().class() != Class::Web {
        return Support::impossible(
            "agents download the code of the TensorFlow package only from a web server",
            "put it on a web server that every agent can reach, or use `as \"marathon\"`",
            "dcos#package-code",
        );
    }
    if at.is_some() {
        return lacks(
            "the TensorFlow package chooses the directory where the code is unpacked, so `at` is not supported",
            "dcos#package-code",
        );
    }
    // The query of the URI is ignored, because the agent names the downloaded file by the path alone.
    if !KINDS.iter().any(|kind| uri.path().ends_with(kind)) {
        return Support::impossible(
            "agents recognize the format of the code by its file extension, and this extension is not supported",
            "use a file that ends in `.zip`, `.tgz`, `.tar.gz` or `.py`",
            "dcos#package-code",
        );
    }
    let file = uri.path().rsplit('/').next().unwrap_or_default();
    if file.ends_with(".py") && file != format!("{}.py", module.trim_end_matches(".py")) {
        return Support::impossible(
            format!(
                "`code` contains only the file `{file}`, but the TensorFlow package imports the module `{module}`"
            ),
            format!("set `module` to `{}`", file.trim_end_matches(".py")),
            "dcos#package-code",
        );
    }
    Support::Native(Mechanism::Code(uri.to_string()))
}

/// Refuses a URI that the package cannot open, or for which the spec lacks an option that the package needs.
fn unreachable(uri: &Uri, site: &Site<Dcos>) -> Option<Support> {
    let configured = site.job.hdfs_config.is_some();
    let key = tfjob_lang::target::is_true(site.job.gcs_key_secret.as_ref());
    match uri.scheme().class() {
        Class::Hadoop if !configured => Some(Support::impossible(
            "the TensorFlow package needs the URI of the HDFS configuration files, but `hdfs-config` is not set",
            "add `hdfs-config \"http://…\"` to `target \"dcos\"`: the URI that serves core-site.xml and hdfs-site.xml",
            "dcos#package-file-systems",
        )),
        Class::Bucket if uri.scheme() == Scheme::Gs && !key => Some(Support::impossible(
            "access to a `gs:` bucket needs the secret `gcs_key`, but `gcs-key-secret` is not set",
            "create a secret with the fixed name `gcs_key`, and add `gcs-key-secret #true` to `target \"dcos\"`",
            "dcos#package-file-systems",
        )),
        Class::Volume | Class::Node | Class::Spec => Some(lacks(
            "the TensorFlow package cannot mount storage into its tasks",
            "dcos#package-file-systems",
        )),
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => None,
    }
}

fn data(uri: &Uri, plan: &Plan, site: &Site<Dcos>) -> Support {
    const WHY: &str = "the module opens this URI, which an argument of `run` can pass";
    unreachable(uri, site).unwrap_or_else(|| opened(uri, Support::inherent(WHY), plan))
}

/// Returns `support`, with a note if the job has custom images: a custom image must set the environment variables of Hadoop, as the
/// package's own image does.
fn opened(uri: &Uri, support: Support, plan: &Plan) -> Support {
    if uri.scheme().class() == Class::Hadoop && plan.roles.iter().any(|role| role.image.is_some()) {
        return support.emulated(
            "the custom image must contain a Hadoop client and set `CLASSPATH` and `LD_LIBRARY_PATH`",
        );
    }
    support
}

fn checkpoints(uri: &Uri, plan: &Plan, site: &Site<Dcos>) -> Support {
    if let Some(refusal) = unreachable(uri, site) {
        return refusal;
    }
    // Each scheme is listed, because schemes of one class are supported differently: the package supports `hdfs:` but not
    // `viewfs:`, and `gs:` but not `s3:`.
    match uri.scheme() {
        Scheme::Hdfs | Scheme::Gs => opened(uri, Support::Native(Mechanism::Shared(uri.to_string())), plan),
        Scheme::Viewfs
        | Scheme::S3
        | Scheme::S3a
        | Scheme::Abfs
        | Scheme::Http
        | Scheme::Https
        | Scheme::GitHttps
        | Scheme::Nfs
        | Scheme::Pvc
        | Scheme::File
        | Scheme::Beside => Support::impossible(
            "the TensorFlow package supports only HDFS and Google Cloud Storage for checkpoints",
            "use an `hdfs:` or `gs:` URI, or `as \"marathon\"`",
            "dcos#package-file-systems",
        ),
    }
}
