//! Code, data and checkpoints.
use super::Support;
use crate::dcos::Dcos;
use crate::dcos::context::Context;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::support::lacks;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement;
use tfjob_lang::spec::values::{Class, Scheme, Uri};
use tfjob_lang::target::Site;

/// Answers one requirement: code, data and checkpoints.
pub fn support(requirement: &requirement::Storage, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Storage::Code { uri, reference: _, at } => code(uri, at.as_deref(), site),
        requirement::Storage::Stage { .. } => {
            lacks("fetches the code and nothing else for the package's tasks", "dcos#package-options")
        }
        requirement::Storage::DataUri { uri, .. } => data(uri, plan, site),
        requirement::Storage::DataMount { .. } | requirement::Storage::CheckpointsMount { .. } => {
            lacks("mounts nothing into the package's tasks", "dcos#package-file-systems")
        }
        requirement::Storage::CheckpointsUri { uri } => checkpoints(uri, plan, site),
        requirement::Storage::CheckpointsEvery { .. } => Support::inherent("the program keeps this promise"),
        requirement::Storage::CheckpointsFresh { .. } => {
            lacks("looks at no checkpoint before the start", "dcos#package-lifecycle")
        }
        requirement::Storage::Scratch { .. } => {
            lacks("tells the package's tasks of no folder of their own", "dcos#package-module")
        }
    }
}

fn code(uri: &Uri, at: Option<&str>, site: &Site<Dcos>) -> Support {
    const KINDS: [&str; 4] = [".zip", ".tgz", ".tar.gz", ".py"];
    let module = site.job.module.as_ref().map_or("", |m| m.value.as_str());
    if uri.scheme().class() != Class::Web {
        return Support::impossible(
            "fetches the package's code from a web server only",
            "put it on a web server that every agent reaches, or write `as \"marathon\"`",
            "dcos#package-code",
        );
    }
    if at.is_some() {
        return lacks("unpacks the package's code where it chooses", "dcos#package-code");
    }
    // Without a query: the name is what the agent sees.
    if !KINDS.iter().any(|kind| uri.path().ends_with(kind)) {
        return Support::impossible(
            "unpacks the package's code by the end of its name",
            "a name that ends in `.zip`, `.tgz`, `.tar.gz` or `.py`",
            "dcos#package-code",
        );
    }
    let file = uri.path().rsplit('/').next().unwrap_or_default();
    if file.ends_with(".py") && file != format!("{}.py", module.trim_end_matches(".py")) {
        return Support::impossible(
            format!("would look for the module `{module}` beside `{file}`"),
            format!("name the module `{}`", file.trim_end_matches(".py")),
            "dcos#package-code",
        );
    }
    Support::Native(Mechanism::Code(uri.to_string()))
}

/// What a uri needs besides itself.
fn reach(uri: &Uri, site: &Site<Dcos>) -> Option<Support> {
    let configured = site.job.hdfs_config.is_some();
    let key = tfjob_lang::target::is_true(site.job.gcs_key_secret.as_ref());
    match uri.scheme().class() {
        Class::Hadoop if !configured => Some(Support::impossible(
            "does not tell the package's tasks where HDFS is",
            "add `hdfs-config \"http://…\"` to `target \"dcos\"`: the address that serves core-site.xml and hdfs-site.xml",
            "dcos#package-file-systems",
        )),
        Class::Bucket if uri.scheme() == Scheme::Gs && !key => Some(Support::impossible(
            "opens no bucket without the secret `gcs_key`",
            "create that secret, whose name cannot be chosen, and add `gcs-key-secret #true` to `target \"dcos\"`",
            "dcos#package-file-systems",
        )),
        Class::Volume | Class::Node | Class::Spec => {
            Some(lacks("mounts nothing into the package's tasks", "dcos#package-file-systems"))
        }
        Class::Hadoop | Class::Bucket | Class::Web | Class::Repository => None,
    }
}

fn data(uri: &Uri, plan: &Plan, site: &Site<Dcos>) -> Support {
    const WHY: &str = "the module opens this uri, which a word of `run` may name";
    reach(uri, site).unwrap_or_else(|| opened(uri, Support::inherent(WHY), plan))
}

/// The variables of Hadoop are those of the package's own image; an image of the job's own needs them too.
fn opened(uri: &Uri, support: Support, plan: &Plan) -> Support {
    if uri.scheme().class() == Class::Hadoop && plan.roles.iter().any(|role| role.image.is_some()) {
        return support.emulated(
            "the image must hold Hadoop's client and set `CLASSPATH` and `LD_LIBRARY_PATH` itself",
        );
    }
    support
}

fn checkpoints(uri: &Uri, plan: &Plan, site: &Site<Dcos>) -> Support {
    if let Some(refusal) = reach(uri, site) {
        return refusal;
    }
    // The package's own list: it configures these two file systems, and no others of their classes.
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
            "has HDFS and Google's buckets as shared file systems of the package",
            "use an `hdfs:` or `gs:` uri, or write `as \"marathon\"`",
            "dcos#package-file-systems",
        ),
    }
}
