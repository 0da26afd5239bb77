//! Users and credentials.
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

/// Answers one requirement: users and credentials.
pub fn support(requirement: &requirement::Identity, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { .. } => {
            lacks("cannot give the package's tasks a registry's credentials", "dcos#package-options")
        }
        requirement::Identity::SecretEnv { env, from, key, .. } => {
            secret(env, from, key.as_deref(), None, plan)
        }
        requirement::Identity::SecretFile { env, from, key, at, .. } => {
            secret(env, from, key.as_deref(), Some(at), plan)
        }
        requirement::Identity::User { role, user } => self::user(*role, user, plan),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(principal, keytab, plan, site),
    }
}

fn user(role: RoleId, user: &User, plan: &Plan) -> Support {
    let User::Name(name) = user else {
        return Support::impossible(
            "looks the package's user up by name on each agent",
            "write the name of an account that every agent has",
            "dcos#package-users",
        );
    };
    let all = |id: RoleId| {
        plan.requirements.iter().any(
            |a| matches!(&a.requirement, Requirement::Identity(Identity::User { role: other, user: theirs }) if *other == id && theirs == user),
        )
    };
    if (0..plan.roles.len()).any(|id| id != role && !all(id)) {
        return lacks("has one user for all the package's tasks", "dcos#package-users");
    }
    Support::Native(Mechanism::User(name.clone()))
}

/// Only Kerberos' keytab can be a secret of the package's tasks.
fn secret(env: &str, from: &str, key: Option<&str>, at: Option<&str>, plan: &Plan) -> Support {
    let names = |keytab: &String| keytab.strip_prefix("secret:") == Some(env);
    let keytab = plan
        .requirements
        .iter()
        .any(|a| matches!(&a.requirement, Requirement::Identity(Identity::Kerberos { keytab, .. }) if names(keytab)));
    // The language asks for the path of a keytab.
    let Some(at) = at.filter(|_| keytab) else {
        return lacks("gives the package's tasks no secret but Kerberos' keytab", "dcos#package-secrets");
    };
    if key.is_some() {
        return Support::impossible(
            "keeps one value in a secret",
            format!("write the path of the secret: `from=\"{from}/…\"`, and no `key`"),
            "dcos#secrets",
        );
    }
    Support::Ignored(format!(
        "gives the keytab to the package's scheduler (`keytab_secret`) and puts no file at `{at}`: tasks find it where the package mounts it"
    ))
}

/// The package accepts Kerberos half filled in, so all of it must be there.
fn kerberos(principal: &str, keytab: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    const PROOF: &str = "dcos#package-kerberos";
    // The language has seen to it that there is a realm.
    let (primary, realm) = principal.split_once('@').unwrap_or((principal, ""));
    if primary.contains('/') {
        return Support::impossible(
            "builds the principals of the package's tasks as NAME@REALM",
            "write `principal=\"NAME@REALM\"`, without a host",
            "dcos#package-kerberos",
        );
    }
    if site.job.kdc.is_none() {
        return Support::impossible(
            "needs the key distribution centre, and renders an empty one without",
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
            "reads the keytab from its secret store only",
            "write `keytab=\"secret:KEYTAB\"` and `secret \"KEYTAB\" from=\"PATH\" at=\"/keytab\"`",
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
