//! Support of users and credentials.
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

/// Returns the support of one requirement about users and credentials.
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

/// Refuses an environment variable that contains a secret or its path, if the shell of the app's command uses or replaces the
/// variable.
fn secret_variable(role: RoleId, name: &str, plan: &Plan) -> Option<Support> {
    variable(role, name, plan).or_else(|| {
        is_for_the_program(name).then(|| {
            Support::impossible(
                format!("the secret would not reach the program: the shell that starts the program, or a tool of this shell, uses or replaces `{name}`"),
                format!("rename the variable, for example to `APP_{name}`"),
                "dash(1) and bash(1), Shell Variables",
            )
        })
    })
}

fn pull_secret(role: RoleId, name: &str, plan: &Plan, site: &Site<Dcos>) -> Support {
    secret(name, None, plan, site, |source| Mechanism::PullSecret { role, source })
}

/// Returns the support of a secret in the secret store of DC/OS. `key`: key of the entry in the secret, if the spec sets one.
/// `mechanism`: function that creates the mechanism from the path of the secret.
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

/// Returns the support of a secret in a file. Mesos mounts it at an absolute path only if the role has an image
/// (`isolators/volume/secret.cpp`).
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
            format!("without an image, Mesos cannot mount a secret file at the absolute path `{at}`"),
            format!("set an `image`; or remove `at`, so that the variable `{env}` contains the secret"),
            "Mesos, isolators/volume/secret.cpp",
        );
    }
    if let Some(why) = secret_fault(at, plan) {
        return Support::impossible(
            why,
            "use another path, such as `at=\"/run/secrets/key\"`",
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
            format!(
                "Mesos looks up the user by name on the agent, so the numeric ID `{number}` is not supported"
            ),
            "set the name of an account that exists on every agent, such as `user \"nobody\"`",
            "dcos#users",
        ),
    }
}

fn kerberos() -> Support {
    Support::unsupported(
        "a Marathon app has no field for Kerberos, so its tasks start without a ticket",
        "mount the keytab by a `secret` with `at`, run `kinit` in `shell` before the program, and remove `kerberos`; or, with TensorFlow 1, use the DC/OS package for TensorFlow, which supports `kerberos` (option `as \"package\"`)",
        "dcos#kerberos-of-apps",
    )
}
