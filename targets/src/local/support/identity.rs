//! Users and credentials.
use super::Support;
use crate::local::mechanism::Mechanism;
use crate::local::schema::Setting;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::{self, Identity, Requirement};
use tfjob_lang::spec::User;

/// Answers one requirement: users and credentials.
pub fn support(requirement: &requirement::Identity, plan: &Plan) -> Support {
    match requirement {
        requirement::Identity::PullSecret { .. } => Support::Ignored("asks no registry".to_owned()),
        requirement::Identity::SecretEnv { role, env, from, key } => {
            secret(plan, *role, env, (from, key.as_deref()))
        }
        requirement::Identity::SecretFile { env, .. } => secret_file(env),
        requirement::Identity::User { user, .. } => self::user(user),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(principal, keytab),
    }
}

/// A variable that holds a secret: there is one of that name, whatever the secret.
fn secret(plan: &Plan, role: RoleId, env: &str, (from, key): (&str, Option<&str>)) -> Support {
    let differs = |requirement: &Requirement| {
        // Said once, at the later of two.
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
            format!("takes `{env}` from who runs the job, for whom it cannot hold two secrets"),
            "give the two variables different names",
            "environ(7): a name has one value",
        );
    }
    let how = format!("the variable `{env}` of who runs the job");
    Support::Emulated(Mechanism::Role(role, Setting::Secret(env.to_owned())), how)
}

/// A file that holds a secret.
fn secret_file(env: &str) -> Support {
    Support::unsupported(
        "has no store of secrets, and writes none to the disk",
        format!("leave `at` out: then `{env}` holds the value that who runs the job has set"),
        "environ(7): a variable is all that a process is given",
    )
}

/// Who the program runs as.
fn user(user: &User) -> Support {
    let name = match user {
        User::Name(name) => format!("`{name}`"),
        User::Number(number) => format!("user {number}"),
    };
    Support::unsupported(
        format!("starts processes as who runs the job, and may not become {name}"),
        "remove `user`, and run the job as that user",
        "capabilities(7): setuid needs CAP_SETUID",
    )
}

/// The identity of the job.
fn kerberos(principal: &str, keytab: &str) -> Support {
    // kinit reads files of this machine alone.
    let path = keytab.strip_prefix("file://").filter(|path| path.starts_with('/')).unwrap_or("KEYTAB");
    // kinit replaces no `_HOST`: Hadoop's libraries do.
    let principal = principal.replace("/_HOST@", "/$(hostname -f)@");
    Support::unsupported(
        "gives tasks the ticket that who runs the job has, and gets no other",
        format!(
            "run `kinit -k -t {path} {principal}` first, and write `allow \"kerberos\" on=\"local\" because=\"…\"`"
        ),
        "kinit(1): a ticket lies in the cache of who asks for it",
    )
}
