//! Users and credentials.
use super::Answer;
use super::Context;
use crate::pod::grammar::{is_key, is_subdomain};
use crate::pod::means::Means;
use crate::pod::places::{over_directory, unmountable_in};
use tfjob_lang::ask;
use tfjob_lang::plan::RoleId;
use tfjob_lang::spec::User;

/// Answers one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, case: &Context<'_>) -> Answer {
    match ask {
        ask::Identity::PullSecret { role, name } => pull_secret(*role, name),
        ask::Identity::SecretEnv { role, env, from, key } => secret_env(*role, env, from, key.as_deref()),
        ask::Identity::SecretFile { role, env, from, key, at } => {
            secret_file(case, *role, (env, from, key.as_deref()), at)
        }
        ask::Identity::User { role, user } => self::user(case, *role, user),
        ask::Identity::Kerberos { principal: _, keytab: _ } => kerberos(),
    }
}

/// Where the proof of what is said of Secrets stands.
const PROOF: &str = "kubernetes §2, secrets";

fn pull_secret(role: RoleId, name: &str) -> Answer {
    if !is_subdomain(name) {
        return unnamed(name);
    }
    Answer::Native(Means::PullSecret { role, name: name.to_owned() })
}

fn unnamed(secret: &str) -> Answer {
    let help = "`a` to `z`, digits, `-` and `.`, at most 253";
    Answer::impossible(format!("cannot have a Secret named `{secret}`"), help, PROOF)
}

/// The entry of a Secret, or why there is none.
fn entry(from: &str, key: Option<&str>) -> Result<String, Box<Answer>> {
    if !is_subdomain(from) {
        return Err(Box::new(unnamed(from)));
    }
    let Some(key) = key else {
        let help = "say which entry: `key=\"token\"`";
        return Err(Box::new(Answer::impossible(
            format!("keeps several entries in a Secret such as `{from}`"),
            help,
            PROOF,
        )));
    };
    if !is_key(key) {
        let help = "letters, digits, `-`, `_` and `.`, at most 253";
        return Err(Box::new(Answer::impossible(
            format!("cannot have an entry `{key}` in a Secret"),
            help,
            PROOF,
        )));
    }
    Ok(key.to_owned())
}

fn secret_env(role: RoleId, env: &str, from: &str, key: Option<&str>) -> Answer {
    match entry(from, key) {
        Ok(key) => Answer::Native(Means::SecretEnv { role, env: env.to_owned(), from: from.to_owned(), key }),
        Err(refused) => *refused,
    }
}

fn secret_file(
    case: &Context<'_>,
    role: RoleId,
    (env, from, key): (&str, &str, Option<&str>),
    at: &str,
) -> Answer {
    if let Some(why) = unmountable_in(case, at).or_else(|| over_directory(at)) {
        return Answer::impossible(why, "another path", "kubernetes-observed §4");
    }
    match entry(from, key) {
        Ok(key) => Answer::Native(Means::SecretFile {
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
fn user(case: &Context<'_>, role: RoleId, user: &User) -> Answer {
    match user {
        User::Number(0) if case.options.restricted() => Answer::refused(
            "does not let root run where the namespace is `restricted`",
            "a number other than 0",
            "Pod Security Standards, restricted",
        ),
        User::Number(uid) => match i32::try_from(*uid) {
            Ok(_) => Answer::Native(Means::User { role, uid: *uid }),
            Err(_) => Answer::impossible(
                format!("takes no user above {}", i32::MAX),
                "a smaller number",
                "k8s.io/apimachinery validation, IsValidUserID",
            ),
        },
        User::Name(name) => Answer::refused(
            format!("runs a container as a number, and cannot look up `{name}` in the image"),
            "the user's number, as `id -u` says it in the image",
            "PodSecurityContext, runAsUser",
        ),
    }
}

fn kerberos() -> Answer {
    Answer::refused(
        "has no Kerberos: nothing in a Pod gets a ticket or renews it",
        "mount the keytab by `secret … at=` and call `kinit` in `shell`",
        "kubernetes §2, HDFS",
    )
}
