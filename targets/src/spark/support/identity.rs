//! Support of users and credentials. Secrets are supported only on Kubernetes, as environment variables or files of the pods.
use super::Support;
use super::mount_paths::{covers, hidden};
use super::shared::must_be_uniform;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::escape::Escaped;
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::requirement::{self, Identity, Requirement};
use tfjob_lang::spec::User;

/// Returns the support of one requirement about users and credentials.
pub fn support(requirement: &requirement::Identity, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { role, name } => pull_secret(context, *role, name),
        requirement::Identity::SecretEnv { role, env, from, key } => {
            secret(context, (*role, env), (from, key.as_deref()), None)
        }
        requirement::Identity::SecretFile { role, env, from, key, at } => {
            secret(context, (*role, env), (from, key.as_deref()), Some(at))
        }
        requirement::Identity::User { user, .. } => self::user(context, user),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(context, principal, keytab),
    }
}

fn registry_secret(role: &Role) -> Option<&str> {
    role.image.as_ref()?.pull_secret.as_ref().map(|secret| secret.value.as_str())
}

fn pull_secret(context: &Context<'_>, id: RoleId, name: &str) -> Support {
    if context.differs(id, registry_secret).is_some() {
        return must_be_uniform("`pull-secret`");
    }
    match context.manager {
        Manager::Kubernetes if !crate::names::is_subdomain(name) => invalid_secret_name(name),
        Manager::Kubernetes => {
            let key = "spark.kubernetes.container.image.pullSecrets".to_owned();
            Support::Native(Mechanism::Settings(vec![(key, name.to_owned())]))
        }
        Manager::Yarn | Manager::Standalone => Support::unsupported(
            format!(
                "`pull-secret` works only on Kubernetes: on {}, a job cannot pass registry credentials to the nodes",
                context.manager.word()
            ),
            "remove `pull-secret`, and log in to the registry on each node; or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`",
            "spark#secrets",
        ),
    }
}

fn invalid_secret_name(name: &str) -> Support {
    Support::impossible(
        format!("`{name}` is not a valid name of a Kubernetes Secret"),
        "use `a` to `z`, digits, `-`, and `.`, at most 253 characters",
        "spark#secret-names",
    )
}

/// Returns the refusal of a secret on a cluster manager that does not support secrets.
fn no_secrets(manager: Manager, env: &str, at: Option<&str>) -> Support {
    let manager = manager.word();
    let why = match at {
        None => format!(
            "Spark on {manager} does not support secrets: the program does not get the variable `{env}`, because its value would be plain text in the settings of the job"
        ),
        Some(_) => format!(
            "Spark on {manager} does not support secrets: the program does not get the secret file, because its content would be plain text in the settings of the job"
        ),
    };
    Support::unsupported(
        why,
        "remove `secret`, and let the program fetch the value itself; or run on Kubernetes: `target \"spark\" { master \"k8s://…\" }`",
        "spark#settings-in-plain-text",
    )
}

/// Returns the support of a secret in an environment variable, or in a file at the path `at`.
fn secret(
    context: &Context<'_>,
    (role, env): (RoleId, &str),
    (from, key): (&str, Option<&str>),
    at: Option<&str>,
) -> Support {
    if context.manager != Manager::Kubernetes {
        return no_secrets(context.manager, env, at);
    }
    let Some(key) = key else {
        return Support::unsupported(
            format!("the Secret `{from}` can have several entries, but `key` does not select one of them"),
            "add `key=\"…\"`",
            "spark#secret-references",
        );
    };
    if !crate::names::is_subdomain(from) {
        return invalid_secret_name(from);
    }
    if text::plain_fault(key).is_some() || key.contains([':', '/']) {
        return Support::unsupported(
            format!("`{key}` is not a valid key of a Kubernetes Secret"),
            "use letters, digits, `-`, `_`, and `.`",
            "spark#secret-references",
        );
    }
    if at.is_none() && is_other_entry(context.plan, (role, env), (from, key)) {
        return must_be_uniform(&format!("the secret of the variable `{env}`"));
    }
    let (name, value) = match at {
        None => (format!("secretKeyRef.{env}"), format!("{from}:{key}")),
        Some(at) => {
            let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(refused) = unmountable(context, (from, key), at) {
                return refused;
            }
            if let Some(refused) = mounted_twice(context.plan, from, folder) {
                return refused;
            }
            (format!("secrets.{from}"), folder.to_owned())
        }
    };
    let setting = |pod: &str| (format!("spark.kubernetes.{pod}.{name}"), value.clone());
    let mut settings = vec![setting("executor")];
    if !context.client() {
        // Not only the executors but also the driver needs the secret: it downloads files of the job, and lists and opens the data
        // that it feeds (`SparkSubmit`, `DataSource`).
        settings.push(setting("driver"));
        settings.extend(at.map(|at| (format!("spark.kubernetes.driverEnv.{env}"), at.to_owned())));
    }
    let mechanism = Mechanism::Secret { role, env: env.to_owned(), path: at.map(str::to_owned), settings };
    if let Some(how) = only_submitter(context) {
        return Support::Emulated(mechanism, how.to_owned());
    }
    if context.plan.roles.len() == 1 {
        return Support::Native(mechanism);
    }
    let how = "every pod of the job gets the secret, because all executors are identical; programs of other roles do not see the variable";
    Support::Emulated(mechanism, how.to_owned())
}

/// Returns a note that the driver does not get the secret, because it runs on the submitting host. `None` if the driver runs in a
/// pod, or opens neither data nor checkpoints.
fn only_submitter(context: &Context<'_>) -> Option<&'static str> {
    (context.client() && context.opens()).then_some(
        "executor pods get the secret, but the driver does not: it runs on the submitting host and opens the job's storage with the credentials of that host",
    )
}

/// Refuses a path at which the file of a secret cannot be mounted. Spark mounts the whole Secret as a directory.
fn unmountable(context: &Context<'_>, (from, key): (&str, &str), at: &str) -> Option<Support> {
    const STEP: &str = "Spark's MountSecretsFeatureStep";
    let (folder, name) = at.rsplit_once('/').unwrap_or(("", at));
    let help = format!("write `at=\"/var/secrets/{from}/{key}\"`");
    let fault = if name != key {
        Some(format!("the file of the entry `{key}` is always named `{key}`"))
    } else if folder.is_empty() {
        Some("the root directory cannot be replaced".to_owned())
    } else {
        text::plain_fault(folder).map(|fault| format!("`{folder}` is not a valid mount path: {fault}"))
    };
    if let Some(fault) = fault {
        let why =
            format!("the path cannot be `{at}`, because a whole Secret is mounted as a directory: {fault}");
        return Some(Support::unsupported(why, help, "spark#secret-files"));
    }
    let tmp = (folder == "/tmp").then_some("programs could no longer write to `/tmp`");
    let image = || covers(context.plan, folder).then_some("a mount there would hide files of the image");
    if let Some(why) = hidden(context, folder).or(tmp).or_else(image) {
        let fact = format!(
            "Spark mounts a whole Secret as a directory, but no directory can be mounted at `{folder}`: {why}"
        );
        return Some(Support::impossible(fact, help, STEP));
    }
    // Spark names the pod volume `<secret>-volume`. The name of a volume is a DNS label of at most 63 characters.
    crate::names::label_fault(&format!("{from}-volume")).map(|_| {
        Support::impossible(
            format!(
                "the volume of the Secret would be named `{from}-volume`, but Kubernetes allows at most 63 characters and no dots"
            ),
            "use a Secret with a name of at most 56 characters without dots; or remove `at`, and read the variable",
            STEP,
        )
    })
}

/// Returns whether an earlier role fills the same environment variable from another Secret, or from another entry of the same
/// Secret. The variable cannot have both values, because all executor pods have the same environment variables.
fn is_other_entry(plan: &Plan, (id, name): (RoleId, &str), (secret, entry): (&str, &str)) -> bool {
    plan.requirements.iter().any(|required| {
        let Requirement::Identity(Identity::SecretEnv { role, env, from, key }) = &required.requirement
        else {
            return false;
        };
        *role < id && env == name && (from != secret || key.as_deref() != Some(entry))
    })
}

/// Refuses to mount one Secret in two directories, or two Secrets in one directory.
fn mounted_twice(plan: &Plan, from: &str, folder: &str) -> Option<Support> {
    plan.requirements.iter().find_map(|required| {
        let Requirement::Identity(Identity::SecretFile { from: other, at, .. }) = &required.requirement
        else {
            return None;
        };
        let directory = at.rsplit_once('/').map_or("", |(folder, _)| folder);
        let why = match (other == from, directory == folder) {
            (true, false) => {
                format!(
                    "a Secret can be mounted at only one path, but `{from}` is requested at both `{folder}` and `{directory}`"
                )
            }
            (false, true) => {
                format!("the Secrets `{from}` and `{other}` cannot both be mounted at `{folder}`")
            }
            (true, true) | (false, false) => return None,
        };
        let help = "use one directory per Secret, such as `at=\"/var/secrets/SECRET/KEY\"`";
        Some(Support::unsupported(why, help, "spark#secret-files"))
    })
}

fn user(context: &Context<'_>, user: &User) -> Support {
    let (why, help) = match context.manager {
        Manager::Yarn => (
            "executors on YARN run as the user who submits the job",
            match user {
                User::Name(name) => format!("remove `user`, and submit the job as `{name}`"),
                User::Number(number) => {
                    format!("remove `user`, and submit the job as the user with UID {number}")
                }
            },
        ),
        Manager::Standalone => (
            "executors run as the user of the standalone worker that starts them",
            "remove `user`".to_owned(),
        ),
        Manager::Kubernetes => (
            "executors on Kubernetes run as the user of the image, and no Spark setting changes the user",
            "remove `user`, and set the user in the image (`USER` of the Dockerfile)".to_owned(),
        ),
    };
    Support::unsupported(why, help, "spark#executor-user")
}

fn kerberos(context: &Context<'_>, principal: &str, keytab: &str) -> Support {
    let path = keytab.strip_prefix("file://").or_else(|| keytab.starts_with("./").then_some(keytab));
    match (context.manager, path) {
        (Manager::Yarn, path) if principal.contains("/_HOST") => {
            let also = path.map_or("; and write `keytab=\"file:///etc/security/me.keytab\"`", |_| "");
            Support::unsupported(
                "the login would fail, because spark-submit uses the principal as written and does not replace `_HOST`",
                format!(
                    "use the principal of a user, such as `trainer@EXAMPLE.COM`, or write the name of the submitting host instead of `_HOST`{also}"
                ),
                "UserGroupInformation.loginUserFromKeytab, Hadoop 3.3.4; only SecurityUtil.getServerPrincipal replaces `_HOST`",
            )
            .depends_on_value()
        }
        (Manager::Yarn, Some(path)) => {
            let alias =
                path.contains('#').then_some("Spark reads the text after `#` as an alias of the file");
            let of_path = || text::value_fault(path).or(alias).map(|fault| (path, fault));
            let fault = text::value_fault(principal).map(|fault| (principal, fault)).or_else(of_path);
            if let Some((value, fault)) = fault {
                return Support::unsupported(
                    format!("`{}` cannot be passed to Spark: {fault}", value.escaped()),
                    "use printable ASCII characters, without `#` and `${`",
                    "spark#setting-values",
                )
                .depends_on_value();
            }
            Support::Native(Mechanism::Kerberos { principal: principal.to_owned(), keytab: path.to_owned() })
        }
        (Manager::Yarn, None) => Support::unsupported(
            "spark-submit can read a keytab only from a local file on the submitting host",
            "write `keytab=\"file:///etc/security/me.keytab\"`, with the path on the submitting host",
            "spark#keytab-of-the-submitting-host",
        )
        // If the principal contains `_HOST`, only the refusal of the principal is reported.
        .depends_on_value(),
        (Manager::Kubernetes | Manager::Standalone, _) => Support::unsupported(
            format!(
                "programs would get no Kerberos tokens: on {}, only the Java processes of Spark get them",
                context.manager.word()
            ),
            "run on YARN, where every container gets the tokens: `target \"spark\" { master \"yarn\" }`",
            "spark#kerberos-tokens",
        ),
    }
}
