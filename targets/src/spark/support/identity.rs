//! Users and credentials. Secrets are those of Kubernetes, as variables or files of the pods.
use super::Support;
use super::mount_paths::{covers, hidden};
use super::shared::alike;
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::text;
use tfjob_lang::plan::{Plan, Role, RoleId};
use tfjob_lang::requirement::{self, Identity, Requirement};

/// Answers one requirement: users and credentials.
pub fn support(requirement: &requirement::Identity, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Identity::PullSecret { role, name } => pull_secret(context, *role, name),
        requirement::Identity::SecretEnv { role, env, from, key } => {
            secret(context, (*role, env), (from, key.as_deref()), None)
        }
        requirement::Identity::SecretFile { role, env, from, key, at } => {
            secret(context, (*role, env), (from, key.as_deref()), Some(at))
        }
        requirement::Identity::User { .. } => user(),
        requirement::Identity::Kerberos { principal, keytab } => kerberos(context, principal, keytab),
    }
}

fn registry_secret(role: &Role) -> Option<&str> {
    role.image.as_ref()?.pull_secret.as_ref().map(|secret| secret.value.as_str())
}

/// The registry's credentials.
fn pull_secret(context: &Context<'_>, id: RoleId, name: &str) -> Support {
    if context.differs(id, registry_secret).is_some() {
        return alike("the registry's credentials");
    }
    match context.manager {
        Manager::Kubernetes if !crate::names::is_subdomain(name) => Support::impossible(
            format!("starts Pods, and no Secret is named `{name}`"),
            "`a` to `z`, digits, `-` and `.`, at most 253",
            "spark#secret-names",
        ),
        Manager::Kubernetes => {
            let key = "spark.kubernetes.container.image.pullSecrets".to_owned();
            Support::Native(Mechanism::Settings(vec![(key, name.to_owned())]))
        }
        Manager::Yarn | Manager::Standalone => Support::unsupported(
            format!("has no secrets on {}", context.manager.word()),
            "let the nodes log in to the registry, and remove `pull-secret`",
            "spark#secrets",
        ),
    }
}

/// A variable or a file that holds a secret.
fn secret(
    context: &Context<'_>,
    (role, env): (RoleId, &str),
    (from, key): (&str, Option<&str>),
    at: Option<&str>,
) -> Support {
    if context.manager != Manager::Kubernetes {
        return Support::unsupported(
            format!("writes settings in clear text, and has no secrets on {}", context.manager.word()),
            "let the program fetch the secret with its own identity, or let Kubernetes hold it: `target \"spark\" { master \"k8s://…\" }`",
            "spark#settings-in-plain-text",
        );
    }
    let Some(key) = key else {
        return Support::unsupported(
            "takes one entry of a secret",
            "add `key=\"…\"`",
            "spark#secret-references",
        );
    };
    if !crate::names::is_subdomain(from) || text::plain_fault(key).is_some() || key.contains([':', '/']) {
        return Support::unsupported(
            format!("passes `{from}` and `{key}` to Kubernetes, where they name no entry of a secret"),
            "a secret is named in lower case, an entry with letters, digits, `-`, `_` and `.`",
            "spark#secret-references",
        );
    }
    if at.is_none() && otherwise(context.plan, (role, env), (from, key)) {
        return alike(&format!("what the variable `{env}` holds"));
    }
    let (name, value) = match at {
        None => (format!("secretKeyRef.{env}"), format!("{from}:{key}")),
        Some(at) => {
            let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(refused) = unmountable(context, (from, key), at) {
                return refused;
            }
            if twice(context.plan, from, folder) {
                return alike("the folder of one secret");
            }
            (format!("secrets.{from}"), folder.to_owned())
        }
    };
    let setting = |pod: &str| (format!("spark.kubernetes.{pod}.{name}"), value.clone());
    let mut settings = vec![setting("executor")];
    if !context.client() {
        // The driver downloads the job's files, and opens and lists what it feeds (`SparkSubmit`, `DataSource`).
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
    let how = "every pod of the job has the secret; the program of another role does not see the variable";
    Support::Emulated(mechanism, how.to_owned())
}

/// What a driver on the host that submits needs of a secret.
fn only_submitter(context: &Context<'_>) -> Option<&'static str> {
    (context.client() && context.opens()).then_some(
        "every executor's pod has the secret; the driver on the host that submits opens the job's addresses with that host's own variables and files",
    )
}

/// Why a secret cannot be the file of that path: Spark mounts the whole of it as the folder.
fn unmountable(context: &Context<'_>, (from, key): (&str, &str), at: &str) -> Option<Support> {
    const PROOF: &str = "Spark's MountSecretsFeatureStep";
    let (folder, name) = at.rsplit_once('/').unwrap_or(("", at));
    let help = format!("write `at=\"/var/secrets/{from}/{key}\"`");
    if name != key || folder.is_empty() || text::plain_fault(folder).is_some() {
        let why = format!("mounts a whole secret as a folder, where the entry is the file `{key}`");
        return Some(Support::unsupported(why, help, "spark#secret-files"));
    }
    let tmp = (folder == "/tmp").then_some("programs could not write there");
    let image = || covers(context.plan, folder).then_some("it would hide the image's own files there");
    if let Some(why) = hidden(context, folder).or(tmp).or_else(image) {
        let fact = format!("mounts a whole secret as the folder `{folder}`, and cannot mount there: {why}");
        return Some(Support::impossible(fact, help, PROOF));
    }
    // The pod's volume is `<secret>-volume`, a label of at most 63 characters.
    crate::names::label_fault(&format!("{from}-volume")).map(|_| {
        Support::impossible(
            format!(
                "names the volume `{from}-volume`, and Kubernetes takes no dots and at most 63 characters in it"
            ),
            "name a secret without dots, of at most 56 characters; or remove `at`, and read the variable",
            PROOF,
        )
    })
}

/// Whether a variable holds another entry in an earlier role: a pod has one variable of a name.
fn otherwise(plan: &Plan, (id, name): (RoleId, &str), (secret, entry): (&str, &str)) -> bool {
    plan.requirements.iter().any(|required| {
        let Requirement::Identity(Identity::SecretEnv { role, env, from, key }) = &required.requirement
        else {
            return false;
        };
        *role < id && env == name && (from != secret || key.as_deref() != Some(entry))
    })
}

/// Whether a secret is wanted in another folder too, or another secret in this folder.
fn twice(plan: &Plan, from: &str, folder: &str) -> bool {
    plan.requirements.iter().any(|required| {
        let Requirement::Identity(Identity::SecretFile { from: other, at, .. }) = &required.requirement
        else {
            return false;
        };
        let theirs = at.rsplit_once('/').map_or("", |(folder, _)| folder);
        (other == from) != (theirs == folder)
    })
}

/// Who the program runs as.
fn user() -> Support {
    Support::unsupported(
        "runs executors as the user that YARN, the worker or the image gives them",
        "remove `user`, and submit as that user",
        "spark#executor-user",
    )
}

/// The identity of the job.
fn kerberos(context: &Context<'_>, principal: &str, keytab: &str) -> Support {
    let path = keytab.strip_prefix("file://").or_else(|| keytab.starts_with("./").then_some(keytab));
    match (context.manager, path) {
        (Manager::Yarn, path) if principal.contains("/_HOST") => {
            let also = path.map_or("; and write `keytab=\"file:///etc/security/me.keytab\"`", |_| "");
            Support::unsupported(
                "logs in with the principal as it is written: spark-submit does not replace `_HOST`",
                format!(
                    "write the principal of a user, `trainer@EXAMPLE.COM`, or the name of the host that submits instead of `_HOST`{also}"
                ),
                "UserGroupInformation.loginUserFromKeytab of Hadoop 3.3.4; SecurityUtil.getServerPrincipal alone replaces `_HOST`",
            )
            .of_further()
        }
        (Manager::Yarn, Some(path)) => {
            let alias =
                path.contains('#').then_some("Spark takes what follows `#` for another name of the file");
            if let Some(fault) = text::value_fault(principal).or_else(|| text::value_fault(path)).or(alias) {
                return Support::unsupported(
                    format!("cannot pass it on: {fault}"),
                    "write plain ASCII without `#`",
                    "spark#setting-values",
                )
                .of_further();
            }
            Support::Native(Mechanism::Kerberos { principal: principal.to_owned(), keytab: path.to_owned() })
        }
        (Manager::Yarn, None) => Support::unsupported(
            "reads the keytab on the host that submits",
            "write `keytab=\"file:///etc/security/me.keytab\"`, a path of that host",
            "spark#keytab-of-the-submitting-host",
        )
        // With `_HOST` in the principal the refusal of that says it.
        .of_further(),
        (Manager::Kubernetes | Manager::Standalone, _) => Support::unsupported(
            format!(
                "gives tokens on {} to the Java machines alone, and no program sees them",
                context.manager.word()
            ),
            "write `target \"spark\" { master \"yarn\" }`: there every container has the tokens",
            "spark#kerberos-tokens",
        ),
    }
}
