//! Users and credentials.
use super::Context;
use super::Support;
use crate::pod::grammar::{is_key, is_subdomain};
use crate::pod::mechanism::Mechanism;
use crate::pod::places::{over_directory, unmountable_in};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::User;

/// Returns the support of one requirement about users and credentials.
pub fn support(requirement: &requirement::Identity, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { role, name } => pull_secret(*role, name),
        requirement::Identity::SecretEnv { role, env, from, key } => {
            secret_env(*role, env, from, key.as_deref())
        }
        requirement::Identity::SecretFile { role, env, from, key, at } => {
            secret_file(context, *role, (env, from, key.as_deref()), at)
        }
        requirement::Identity::User { role, user } => self::user(context, *role, user),
        requirement::Identity::Kerberos { principal: _, keytab: _ } => kerberos(),
    }
}

const EVIDENCE: &str = "kubernetes#secrets";

fn pull_secret(role: RoleId, name: &str) -> Support {
    if !is_subdomain(name) {
        return bad_name(name);
    }
    Support::Native(Mechanism::PullSecret { role, name: name.to_owned() })
}

fn bad_name(secret: &str) -> Support {
    let help = "use lowercase letters, digits, `-`, and `.`, at most 253 characters";
    Support::impossible(format!("`{secret}` is not a valid Secret name"), help, EVIDENCE)
}

/// Returns `key`, which selects an entry of the Secret `from`.
///
/// # Errors
/// Returns a refusal if `key` is missing, or if the name of the Secret or `key` is invalid.
fn entry(from: &str, key: Option<&str>) -> Result<String, Box<Support>> {
    if !is_subdomain(from) {
        return Err(Box::new(bad_name(from)));
    }
    let Some(key) = key else {
        let help = "add the key of the entry: `key=\"token\"`";
        return Err(Box::new(Support::impossible(
            format!("a reference must name one entry of Secret `{from}`, but `key` is not set"),
            help,
            EVIDENCE,
        )));
    };
    if !is_key(key) {
        let help = "use letters, digits, `-`, `_`, and `.`, at most 253 characters";
        return Err(Box::new(Support::impossible(
            format!("`{key}` is not a valid key of a Secret"),
            help,
            EVIDENCE,
        )));
    }
    Ok(key.to_owned())
}

fn secret_env(role: RoleId, env: &str, from: &str, key: Option<&str>) -> Support {
    match entry(from, key) {
        Ok(key) => {
            Support::Native(Mechanism::SecretEnv { role, env: env.to_owned(), from: from.to_owned(), key })
        }
        Err(refused) => *refused,
    }
}

fn secret_file(
    context: &Context<'_>,
    role: RoleId,
    (env, from, key): (&str, &str, Option<&str>),
    at: &str,
) -> Support {
    if let Some(why) = unmountable_in(context, at).or_else(|| over_directory(at)) {
        return Support::impossible(
            why,
            "use another path: `at=\"/secrets/token\"`",
            "kubernetes#mount-paths",
        );
    }
    match entry(from, key) {
        Ok(key) => Support::Native(Mechanism::SecretFile {
            role,
            env: env.to_owned(),
            from: from.to_owned(),
            key,
            at: at.to_owned(),
        }),
        Err(refused) => *refused,
    }
}

/// Returns the support of a user. `runAsUser` is a number, because Kubernetes does not read `/etc/passwd` of the image.
fn user(context: &Context<'_>, role: RoleId, user: &User) -> Support {
    match user {
        User::Number(0) if context.options.restricted() => Support::unsupported(
            "user 0 (root) is forbidden in a `restricted` namespace (Pod Security Standards)",
            "use another user ID: `user 1000`",
            "Pod Security Standards, restricted",
        ),
        User::Number(uid) => match i32::try_from(*uid) {
            Ok(_) => Support::Native(Mechanism::User { role, uid: *uid }),
            Err(_) => Support::impossible(
                format!("`runAsUser` is at most {}, not {uid}", i32::MAX),
                "use a smaller user ID: `user 1000`",
                "k8s.io/apimachinery validation, IsValidUserID",
            ),
        },
        User::Name(name) => Support::unsupported(
            format!("`runAsUser` takes a numeric user ID, not the user name `{name}`"),
            match name.as_str() {
                "root" if context.options.restricted() => {
                    "write another user ID, such as `user 1000`: a `restricted` namespace forbids `root`"
                        .to_owned()
                }
                "root" => "write `user 0`, the user ID of `root`".to_owned(),
                name => {
                    format!("write the number that `id -u {name}` prints in the image, such as `user 1000`")
                }
            },
            "Kubernetes API, PodSecurityContext: `runAsUser` is an integer",
        ),
    }
}

fn kerberos() -> Support {
    Support::unsupported(
        "`kerberos` is not supported: the kubelet does not request or renew Kerberos tickets",
        "remove `kerberos`, mount the keytab with `secret \"KEYTAB\" from=\"…\" key=\"…\" at=\"/keytab\"`, and run `kinit` in `shell`",
        "kubernetes#kerberos",
    )
}
