//! Users and credentials.
use super::Support;
use crate::dcos::context::Context;
use crate::dcos::group::group_path;
use crate::dcos::marathon::mechanism::Mechanism;
use crate::dcos::marathon::support::mounts::secret_fault;
use crate::dcos::marathon::support::variables::{is_for_the_program, variable};
use crate::dcos::{Dcos, secrets};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::spec::User;
use tfjob_lang::target::Site;

/// Answers one requirement: users and credentials.
pub fn support(requirement: &requirement::Identity, Context { plan, site }: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { role, name } => pull_secret(*role, name, plan, site),
        requirement::Identity::SecretEnv { role, env, from, key } => secret_variable(*role, env, plan)
            .unwrap_or_else(|| {
                let mechanism = |source| Mechanism::SecretEnv { role: *role, env: env.clone(), source };
                secret(from, key.as_deref(), plan, site, mechanism)
            }),
        requirement::Identity::SecretFile { role, env, from, key, at } => secret_variable(*role, env, plan)
            .unwrap_or_else(|| secret_file(*role, (env, at), from, key.as_deref(), plan, site)),
        requirement::Identity::User { role, user } => self::user(*role, user),
        requirement::Identity::Kerberos { .. } => kerberos(),
    }
}

/// A variable that holds a secret or its path: the app has it, and not the command behind the shell.
fn secret_variable(role: RoleId, name: &str, plan: &Plan) -> Option<Support> {
    variable(role, name, plan).or_else(|| {
        is_for_the_program(name).then(|| {
            Support::impossible(
                format!("gives a secret to the shell that starts the program, and `{name}` is the shell's own variable or steers it"),
                "another name",
                "dash(1) and bash(1), Shell Variables",
            )
        })
    })
}

fn pull_secret(role: RoleId, name: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    secret(name, None, plan, site, |source| Mechanism::PullSecret { role, source })
}

/// The path of a secret says who may read it: a folder opens it to the services below that folder only.
fn secret(
    from: &str,
    key: Option<&str>,
    plan: &Plan,
    site: &Site<Dcos>,
    mechanism: impl FnOnce(String) -> Mechanism,
) -> Support {
    let service = group_path(plan, site);
    if let Some(refused) = secrets::refused(from, key, &service, plan, &site.job) {
        return refused;
    }
    let path = from.trim_start_matches('/');
    Support::Native(mechanism(path.to_owned()))
}

/// At an absolute path only inside an image (Mesos, `isolators/volume/secret.cpp`).
fn secret_file(
    role: RoleId,
    (env, at): (&str, &str),
    from: &str,
    key: Option<&str>,
    plan: &Plan,
    site: &Site<Dcos>,
) -> Support {
    if plan.roles[role].image.is_none() {
        return Support::impossible(
            "puts a secret at a path of its own only inside an image",
            "name an `image`, or leave `at` out: then the variable holds the value",
            "Mesos, isolators/volume/secret.cpp",
        );
    }
    if let Some(why) = secret_fault(at, plan) {
        return Support::impossible(
            why,
            "another path, such as `at=\"/run/secrets/key\"`",
            "Mesos, isolators/volume/secret.cpp",
        );
    }
    secret(from, key, plan, site, |source| Mechanism::SecretFile {
        role,
        env: env.to_owned(),
        source,
        at: at.to_owned(),
    })
}

fn user(role: RoleId, user: &User) -> Support {
    match user {
        User::Name(name) => Support::Native(Mechanism::User { role, name: name.clone() }),
        User::Number(number) => Support::impossible(
            format!("looks a user up by name on the agent, and `{number}` is a number"),
            "write the name of an account that every agent has",
            "dcos#users",
        ),
    }
}

fn kerberos() -> Support {
    Support::unsupported(
        "gives Marathon's apps no Kerberos ticket",
        "let the program run `kinit` with a keytab from `secret`, or use the package",
        "dcos#kerberos-of-apps",
    )
}
