//! Users and credentials.
use super::Support;
use super::storage::upload::{file_system, root};
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use tfjob_lang::requirement;
use tfjob_lang::spec::User;
use tfjob_lang::spec::values::{Class, Uri};

/// Answers one requirement: users and credentials.
pub fn support(requirement: &requirement::Identity, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { role: _, name } => pull_secret(context, name),
        requirement::Identity::SecretEnv { role: _, env, from: _, key: _ } => secret_env(env),
        requirement::Identity::SecretFile { role: _, env: _, from: _, key: _, at: _ } => secret_file(),
        requirement::Identity::User { role: _, user } => self::user(user),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(context, principal, keytab),
    }
}

/// Credentials are a file of Docker's on the cluster's file system.
fn pull_secret(context: &Context<'_>, name: &str) -> Support {
    match &context.site.job.docker_config {
        Some(uri) => Support::inherent_but(
            "`docker-config` has the credentials",
            format!("`{name}` is what stands in the Docker configuration {}", uri.value),
        ),
        None => Support::unsupported(
            "has no secrets: a registry's credentials are a `config.json` on the cluster's file system",
            "say where it is: `target \"yarn\" { docker-config \"hdfs://default/…/config.json\" }`",
            "yarn#registry-credentials",
        ),
    }
}

/// A file that is not listed anywhere takes the place of the whole entry.
const KEPT: &str = "remove the whole `secret`: keep the value in a file on the cluster's file system that only its user may \
    read, add `files \"NAME\" \"hdfs://…\"`, and give the program its path, `{files.NAME}`";

fn secret_env(env: &str) -> Support {
    Support::unsupported(
        format!("has no secrets: `{env}` would stand in the clear in the service's file and on its page"),
        KEPT,
        "yarn#secrets",
    )
}

fn secret_file() -> Support {
    Support::unsupported("has no secrets that could become a file", KEPT, "yarn#secrets")
}

fn user(user: &User) -> Support {
    let who = match user {
        User::Name(name) => name.clone(),
        User::Number(number) => number.to_string(),
    };
    Support::unsupported(
        format!("runs a program as who submits the job, and no container chooses `{who}`"),
        "remove `user`, and submit the job as that user",
        "yarn#container-user",
    )
}

/// The engine logs the master in. On a secure cluster the name must hold a host.
fn kerberos(context: &Context<'_>, principal: &str, keytab: &str) -> Support {
    if !principal.contains('/') {
        return Support::impossible(
            format!("refuses the principal `{principal}` on a secure cluster: it names no host"),
            "write `name/_HOST@REALM`, or `name/host@REALM`",
            "yarn#kerberos-principal",
        )
        .of_further();
    }
    let readable = |uri: &Uri| uri.scheme().is_read_by_hadoop();
    let known = Uri::parse(keytab).ok().filter(readable);
    let Some(uri) = known else {
        return Support::impossible(
            "reads a keytab from the cluster's file system or from every node, and has no secrets",
            "write `hdfs:///…` or `viewfs://…`, or `file:///…` where every node has it",
            "yarn#keytab-location",
        );
    };
    let elsewhere = file_system(&uri).filter(|_| uri.scheme().class() != Class::Node);
    let default = context.site.job.default_fs.as_ref().map(|fs| root(&fs.value));
    if let (Some(own), Some(default)) = (elsewhere, default)
        && own != default
    {
        return Support::impossible(
            format!("reads a keytab from the default file system `{default}`, and `{keytab}` is elsewhere"),
            format!("copy it to `{default}{}`", uri.path()),
            "ServiceClient.addKeytabResourceIfSecure of 3.4.2",
        );
    }
    // The engine asks for a scheme; without a host it is the default file system's.
    let keytab =
        if file_system(&uri).is_none() { format!("hdfs://{}", uri.path()) } else { keytab.to_owned() };
    Support::Native(Mechanism::Kerberos { principal: principal.to_owned(), keytab })
}
