//! Users and credentials.
use super::Support;
use crate::local::mechanism::Mechanism;
use crate::local::schema::Setting;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Identity, Requirement};
use tfjob_lang::spec::User;

/// Returns the support of one requirement about users and credentials.
pub fn support(requirement: &requirement::Identity, plan: &Plan) -> Support {
    match requirement {
        requirement::Identity::PullSecret { .. } => {
            Support::Ignored("`pull-secret` is ignored, because a local run pulls no image".to_owned())
        }
        requirement::Identity::SecretEnv { role, env, from, key } => {
            secret(plan, *role, env, (from, key.as_deref()))
        }
        requirement::Identity::SecretFile { env, .. } => secret_file(env),
        requirement::Identity::User { user, .. } => self::user(user),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(principal, keytab),
    }
}

/// Returns the support of a secret in an environment variable. All roles share the environment of `tfjob run`. So two roles cannot
/// have different secrets in the same variable.
fn secret(plan: &Plan, role: RoleId, env: &str, (from, key): (&str, Option<&str>)) -> Support {
    let differs = |requirement: &Requirement| {
        // The first of two conflicting entries is accepted, so that the conflict is reported only once, at the later entry.
        if let Requirement::Identity(Identity::SecretEnv {
            role: first,
            env: other,
            from: secret,
            key: entry,
        }) = requirement
        {
            *first < role && other == env && (secret != from || entry.as_deref() != key)
        } else {
            false
        }
    };
    if plan.requirements.iter().any(|required| differs(&required.requirement)) {
        return Support::impossible(
            format!(
                "`{env}` is set to two different secrets, but `tfjob run` reads both from the same variable of its environment"
            ),
            "give the two variables different names",
            "environ(7): a variable has one value",
        );
    }
    let how = format!("the value is read from the variable `{env}` in the environment of `tfjob run`");
    Support::Emulated(Mechanism::Role(role, Setting::Secret(env.to_owned())), how)
}

/// Returns the support of a secret in a file.
fn secret_file(env: &str) -> Support {
    Support::unsupported(
        "secret files are not supported: the program does not get the file, because secrets are read from the environment of `tfjob run` and not written to disk",
        format!(
            "write this secret without `at`; the program then reads the secret from the environment variable `{env}`"
        ),
        "environ(7): programs inherit the environment of `tfjob run`",
    )
}

fn user(user: &User) -> Support {
    let name = match user {
        User::Name(name) => format!("`{name}`"),
        User::Number(number) => format!("the user with UID {number}"),
    };
    Support::unsupported(
        "tasks run as the user who starts `tfjob run`, even if this user is root",
        format!("remove `user`, and start `tfjob run` as {name}"),
        "source code of `tfjob run`: it never changes the user of a task",
    )
}

fn kerberos(principal: &str, keytab: &str) -> Support {
    // `kinit` reads keytabs only from local files.
    let path = keytab.strip_prefix("file://").filter(|path| path.starts_with('/')).unwrap_or("KEYTAB");
    // Hadoop expands `_HOST` in a principal, but `kinit` does not.
    let principal = principal.replace("/_HOST@", "/$(hostname -f)@");
    Support::unsupported(
        "`kerberos` is not supported: tasks use the ticket cache of the user who starts `tfjob run`",
        format!(
            "run `kinit -k -t {path} {principal}` first, and write `allow \"kerberos\" on=\"local\" because=\"…\"`"
        ),
        "kinit(1): the ticket cache belongs to the user who runs `kinit`",
    )
}
