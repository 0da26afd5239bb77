//! Support of users and credentials.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::group::group_path;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::support::lacks;
use crate::dcos::{Dcos, secrets};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Identity, Requirement};
use tfjob_lang::spec::User;
use tfjob_lang::target::Site;

/// Returns the support of one requirement about users and credentials.
pub fn support(requirement: &requirement::Identity, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { .. } => lacks(
            "the TensorFlow package has no option for credentials of an image registry",
            "dcos#package-options",
        ),
        requirement::Identity::SecretEnv { env, from, key, .. } => {
            secret(env, from, key.as_deref(), None, plan, site)
        }
        requirement::Identity::SecretFile { env, from, key, at, .. } => {
            secret(env, from, key.as_deref(), Some(at), plan, site)
        }
        requirement::Identity::User { role, user } => self::user(*role, user, plan),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(principal, keytab, plan, site),
    }
}

fn user(role: RoleId, user: &User, plan: &Plan) -> Support {
    let User::Name(name) = user else {
        return Support::impossible(
            "Mesos looks up the user by name on each agent, so a numeric ID is not supported",
            "set the name of an account that exists on every agent, such as `user \"nobody\"`",
            "dcos#package-users",
        );
    };
    let all = |id: RoleId| {
        plan.requirements.iter().any(
            |a| matches!(&a.requirement, Requirement::Identity(Identity::User { role: other, user: theirs }) if *other == id && theirs == user),
        )
    };
    if (0..plan.roles.len()).any(|id| id != role && !all(id)) {
        return lacks(
            "the TensorFlow package runs all tasks as one user (`service.user`), but the roles of this job have different users",
            "dcos#package-users",
        );
    }
    Support::Native(Mechanism::User(name.clone()))
}

/// Returns the support of a secret. The package passes only two secrets to its tasks: the Kerberos keytab and `gcs_key`. `key`: key
/// of the entry in the secret. `at`: path of the secret file.
fn secret(
    env: &str,
    from: &str,
    key: Option<&str>,
    at: Option<&str>,
    plan: &Plan,
    site: &Site<Dcos>,
) -> Support {
    let names = |keytab: &String| keytab.strip_prefix("secret:") == Some(env);
    let keytab = plan
        .requirements
        .iter()
        .any(|a| matches!(&a.requirement, Requirement::Identity(Identity::Kerberos { keytab, .. }) if names(keytab)));
    // The keytab always has a path, because the language requires one. So only other secrets are refused here.
    let Some(at) = at.filter(|_| keytab) else {
        return lacks(
            "the TensorFlow package passes no secret to its tasks except the Kerberos keytab and `gcs_key`",
            "dcos#package-secrets",
        );
    };
    if key.is_some()
        && let Some(refused) = secrets::refused(from, key, &group_path(plan, site), plan, &site.job)
    {
        return refused;
    }
    Support::Ignored(format!(
        "`at=\"{at}\"` is ignored: the TensorFlow package mounts the keytab (`keytab_secret`) at its own path"
    ))
}

/// Returns the support of Kerberos. The package accepts incomplete Kerberos options, so tfjob checks here that they are complete.
fn kerberos(principal: &str, keytab: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    const PROOF: &str = "dcos#package-kerberos";
    // The principal always has a realm, because the language requires one.
    let (primary, realm) = principal.split_once('@').unwrap_or((principal, ""));
    if primary.contains('/') {
        return Support::impossible(
            "the TensorFlow package forms principals as `NAME@REALM`, without a host",
            "use `principal=\"NAME@REALM\"`, without a host",
            "dcos#package-kerberos",
        );
    }
    if site.job.kdc.is_none() {
        return Support::impossible(
            "Kerberos needs a key distribution center (KDC), but `kdc` is not set",
            "add `kdc \"HOST\"` to `target \"dcos\"`",
            PROOF,
        );
    }
    let path = keytab.strip_prefix("secret:").and_then(|name| {
        plan.requirements.iter().find_map(|required| {
            let Requirement::Identity(
                Identity::SecretEnv { env, from, .. } | Identity::SecretFile { env, from, .. },
            ) = &required.requirement
            else {
                return None;
            };
            (env == name).then_some(from)
        })
    });
    let Some(path) = path else {
        return Support::impossible(
            "the TensorFlow package reads the keytab only from the DC/OS secret store",
            "use `keytab=\"secret:KEYTAB\"` and `secret \"KEYTAB\" from=\"PATH\" at=\"/keytab\"`",
            "dcos#package-kerberos",
        );
    };
    let service = group_path(plan, site);
    if let Some(refused) = secrets::refused(path, None, &service, plan, &site.job) {
        return refused;
    }
    Support::Native(Mechanism::Kerberos {
        primary: primary.to_owned(),
        realm: realm.to_owned(),
        keytab: path.clone(),
    })
}
