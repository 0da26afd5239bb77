//! Support of users and credentials.
use super::Support;
use super::storage::upload::{file_system, root};
use crate::yarn::context::Context;
use crate::yarn::mechanism::Mechanism;
use tfjob_lang::requirement;
use tfjob_lang::spec::User;
use tfjob_lang::spec::values::{Class, Uri};

/// Returns the support of one requirement about users and credentials.
pub fn support(requirement: &requirement::Identity, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { role: _, name } => pull_secret(context, name),
        requirement::Identity::SecretEnv { role: _, env, from: _, key: _ } => secret_env(env),
        requirement::Identity::SecretFile { role: _, env, from: _, key: _, at: _ } => {
            secret_file(context, env)
        }
        requirement::Identity::User { role: _, user } => self::user(user),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(context, principal, keytab),
    }
}

fn pull_secret(context: &Context<'_>, name: &str) -> Support {
    match &context.site.job.docker_config {
        Some(uri) => Support::inherent_but(
            "`docker-config` provides the registry credentials",
            format!(
                "registry credentials come from the file {} (`docker-config`); the secret `{name}` is not used",
                uri.value
            ),
        ),
        None => Support::unsupported(
            "the service reads registry credentials from a Docker `config.json` on the cluster's file system, but the URI of this file (`docker-config`) is not set",
            "set its URI: `target \"yarn\" { docker-config \"hdfs://default/docker/config.json\" }`",
            "yarn#registry-credentials",
        ),
    }
}

/// Help of the refusal of a secret.
const SECRET_FILE: &str = "remove `secret`, store the value in an HDFS file that only the submitting user can read, \
    add `files \"NAME\" \"hdfs://…\"`, and pass the path `{files.NAME}` to the program";

fn secret_env(env: &str) -> Support {
    Support::unsupported(
        format!(
            "a service cannot use secrets: the program does not get the variable `{env}`, because its value would be plain text in the service spec"
        ),
        SECRET_FILE,
        "yarn#secrets",
    )
}

fn secret_file(context: &Context<'_>, name: &str) -> Support {
    let is_keytab = context.requirements(|requirement| {
        matches!(requirement, requirement::Requirement::Identity(requirement::Identity::Kerberos { keytab, .. }) if keytab.strip_prefix("secret:") == Some(name))
    });
    Support::unsupported(
        "a service cannot use secrets: the program does not get the secret file, because its content would be plain text in the service spec",
        match is_keytab {
            true => {
                "remove `secret`, copy the keytab to HDFS, and write its URI in `kerberos`: `keytab=\"hdfs:///…\"`"
            }
            false => SECRET_FILE,
        },
        "yarn#secrets",
    )
}

fn user(user: &User) -> Support {
    let user = match user {
        User::Name(name) => format!("`{name}`"),
        User::Number(number) => format!("the user with UID {number}"),
    };
    Support::unsupported(
        format!(
            "containers run as the user who submits the service; a service spec cannot select another user, such as {user}"
        ),
        format!("remove `user`, and submit the job as {user}"),
        "yarn#container-user",
    )
}

/// Returns the support of Kerberos. The service master logs in with the keytab.
fn kerberos(context: &Context<'_>, principal: &str, keytab: &str) -> Support {
    let readable = |uri: &Uri| uri.scheme().is_read_by_hadoop();
    let known = Uri::parse(keytab).ok().filter(readable);
    if !principal.contains('/') {
        let (name, realm) = principal.split_once('@').unwrap_or((principal, "EXAMPLE.COM"));
        let keytab = match known {
            Some(_) => "",
            None => " and `keytab=\"hdfs:///keytabs/trainer.keytab\"`, because YARN reads keytabs from HDFS",
        };
        return Support::impossible(
            format!("the principal `{principal}` contains no host, so a secure cluster refuses the service"),
            format!(
                "write `principal=\"{name}/_HOST@{realm}\"`{keytab} (YARN replaces `_HOST` with the host of the service master); if the keytab belongs to one host, write the name of this host instead of `_HOST`"
            ),
            "yarn#kerberos-principal",
        )
        .depends_on_value();
    }
    let Some(uri) = known else {
        return Support::impossible(
            "the keytab is not at a supported location: YARN reads it from HDFS, or from a local file on every node",
            "write `keytab=\"hdfs:///keytabs/trainer.keytab\"`, or `keytab=\"file:///etc/security/trainer.keytab\"` if every node has this file",
            "yarn#keytab-location",
        );
    };
    let remote = file_system(&uri).filter(|_| uri.scheme().class() != Class::Node);
    let default = context.site.job.default_fs.as_ref().map(|fs| root(&fs.value));
    if let (Some(remote), Some(default)) = (remote, default)
        && remote != default
    {
        return Support::impossible(
            format!(
                "the keytab must be on the default file system `{default}`, but `{keytab}` is on another file system"
            ),
            format!("copy the keytab to `{default}{}`", uri.path()),
            "ServiceClient.addKeytabResourceIfSecure, Hadoop 3.4.2",
        );
    }
    // The URI needs a scheme, because the service client requires one. `hdfs:` without a host means the default file system.
    let keytab =
        if file_system(&uri).is_none() { format!("hdfs://{}", uri.path()) } else { keytab.to_owned() };
    Support::Native(Mechanism::Kerberos { principal: principal.to_owned(), keytab })
}
