//! Users and credentials.
use super::Context;
use super::Support;
use crate::pod::grammar::{is_key, is_subdomain};
use crate::pod::mechanism::Mechanism;
use crate::pod::places::{over_directory, unmountable_in};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement;
use tfjob_lang::spec::User;

/// Answers one requirement: users and credentials.
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

/// Where the proof of what is said of Secrets stands.
const PROOF: &str = "kubernetes#secrets";

fn pull_secret(role: RoleId, name: &str) -> Support {
    if !is_subdomain(name) {
        return unnamed(name);
    }
    Support::Native(Mechanism::PullSecret { role, name: name.to_owned() })
}

fn unnamed(secret: &str) -> Support {
    let help = "`a` to `z`, digits, `-` and `.`, at most 253";
    Support::impossible(format!("cannot have a Secret named `{secret}`"), help, PROOF)
}

/// The entry of a Secret, or why there is none.
fn entry(from: &str, key: Option<&str>) -> Result<String, Box<Support>> {
    if !is_subdomain(from) {
        return Err(Box::new(unnamed(from)));
    }
    let Some(key) = key else {
        let help = "say which entry: `key=\"token\"`";
        return Err(Box::new(Support::impossible(
            format!("keeps several entries in a Secret such as `{from}`"),
            help,
            PROOF,
        )));
    };
    if !is_key(key) {
        let help = "letters, digits, `-`, `_` and `.`, at most 253";
        return Err(Box::new(Support::impossible(
            format!("cannot have an entry `{key}` in a Secret"),
            help,
            PROOF,
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
        return Support::impossible(why, "another path", "kubernetes#mount-paths");
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

/// A container has no list of users that Kubernetes could read: only numbers.
fn user(context: &Context<'_>, role: RoleId, user: &User) -> Support {
    match user {
        User::Number(0) if context.options.restricted() => Support::unsupported(
            "does not let root run where the namespace is `restricted`",
            "a number other than 0",
            "Pod Security Standards, restricted",
        ),
        User::Number(uid) => match i32::try_from(*uid) {
            Ok(_) => Support::Native(Mechanism::User { role, uid: *uid }),
            Err(_) => Support::impossible(
                format!("takes no user above {}", i32::MAX),
                "a smaller number",
                "k8s.io/apimachinery validation, IsValidUserID",
            ),
        },
        User::Name(name) => Support::unsupported(
            format!("runs a container as a number, and cannot look up `{name}` in the image"),
            "the user's number, as `id -u` says it in the image",
            "PodSecurityContext, runAsUser",
        ),
    }
}

fn kerberos() -> Support {
    Support::unsupported(
        "has no Kerberos: nothing in a Pod gets a ticket or renews it",
        "mount the keytab by `secret … at=` and call `kinit` in `shell`",
        "kubernetes#kerberos",
    )
}
