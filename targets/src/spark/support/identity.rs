//! Users and credentials. Secrets are those of Kubernetes, as variables or files of the pods.
use super::Answer;
use super::mount_paths::{covers, hidden};
use super::shared::alike;
use crate::spark::context::{Context, Manager};
use crate::spark::means::Means;
use crate::spark::text;
use tfjob_lang::ask::{self, Ask, Identity};
use tfjob_lang::plan::{Plan, Role, RoleId};

/// Answers one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, case: &Context<'_>) -> Answer {
    match ask {
        ask::Identity::PullSecret { role, name } => pull_secret(case, *role, name),
        ask::Identity::SecretEnv { role, env, from, key } => {
            secret(case, (*role, env), (from, key.as_deref()), None)
        }
        ask::Identity::SecretFile { role, env, from, key, at } => {
            secret(case, (*role, env), (from, key.as_deref()), Some(at))
        }
        ask::Identity::User { .. } => user(),
        ask::Identity::Kerberos { principal, keytab } => kerberos(case, principal, keytab),
    }
}

fn registry_secret(role: &Role) -> Option<&str> {
    role.image.as_ref()?.pull_secret.as_ref().map(|secret| secret.value.as_str())
}

/// The registry's credentials.
fn pull_secret(case: &Context<'_>, id: RoleId, name: &str) -> Answer {
    if case.differs(id, registry_secret).is_some() {
        return alike("the registry's credentials");
    }
    match case.manager {
        Manager::Kubernetes if !crate::names::is_subdomain(name) => Answer::impossible(
            format!("starts Pods, and no Secret is named `{name}`"),
            "`a` to `z`, digits, `-` and `.`, at most 253",
            "spark-dcos §2.3",
        ),
        Manager::Kubernetes => {
            let key = "spark.kubernetes.container.image.pullSecrets".to_owned();
            Answer::Native(Means::Settings(vec![(key, name.to_owned())]))
        }
        Manager::Yarn | Manager::Standalone => Answer::refused(
            format!("has no secrets on {}", case.manager.word()),
            "let the nodes log in to the registry, and remove `pull-secret`",
            "spark-dcos §2.3",
        ),
    }
}

/// A variable or a file that holds a secret.
fn secret(
    case: &Context<'_>,
    (role, env): (RoleId, &str),
    (from, key): (&str, Option<&str>),
    at: Option<&str>,
) -> Answer {
    if case.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("writes settings in clear text, and has no secrets on {}", case.manager.word()),
            "let the program fetch the secret with its own identity, or let Kubernetes hold it: `target \"spark\" { master \"k8s://…\" }`",
            "spark-dcos §2.4: settings are a ConfigMap or a log line",
        );
    }
    let Some(key) = key else {
        return Answer::refused("takes one entry of a secret", "add `key=\"…\"`", "spark-dcos §2.4");
    };
    if !crate::names::is_subdomain(from) || text::plain_fault(key).is_some() || key.contains([':', '/']) {
        return Answer::refused(
            format!("passes `{from}` and `{key}` to Kubernetes, where they name no entry of a secret"),
            "a secret is named in lower case, an entry with letters, digits, `-`, `_` and `.`",
            "spark-dcos §2.4",
        );
    }
    if at.is_none() && otherwise(case.plan, (role, env), (from, key)) {
        return alike(&format!("what the variable `{env}` holds"));
    }
    let (name, value) = match at {
        None => (format!("secretKeyRef.{env}"), format!("{from}:{key}")),
        Some(at) => {
            let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(refused) = unmountable(case, (from, key), at) {
                return refused;
            }
            if twice(case.plan, from, folder) {
                return alike("the folder of one secret");
            }
            (format!("secrets.{from}"), folder.to_owned())
        }
    };
    let setting = |pod: &str| (format!("spark.kubernetes.{pod}.{name}"), value.clone());
    let mut settings = vec![setting("executor")];
    if !case.client() {
        // The driver downloads the job's files, and opens and lists what it feeds (`SparkSubmit`, `DataSource`).
        settings.push(setting("driver"));
        settings.extend(at.map(|at| (format!("spark.kubernetes.driverEnv.{env}"), at.to_owned())));
    }
    let means = Means::Secret { role, env: env.to_owned(), path: at.map(str::to_owned), settings };
    if let Some(how) = only_submitter(case) {
        return Answer::Emulated(means, how.to_owned());
    }
    if case.plan.roles.len() == 1 {
        return Answer::Native(means);
    }
    let how = "every pod of the job has the secret; the program of another role does not see the variable";
    Answer::Emulated(means, how.to_owned())
}

/// What a driver on the host that submits needs of a secret.
fn only_submitter(case: &Context<'_>) -> Option<&'static str> {
    (case.client() && case.opens()).then_some(
        "every executor's pod has the secret; the driver on the host that submits opens the job's addresses with that host's own variables and files",
    )
}

/// Why a secret cannot be the file of that path: Spark mounts the whole of it as the folder.
fn unmountable(case: &Context<'_>, (from, key): (&str, &str), at: &str) -> Option<Answer> {
    const PROOF: &str = "Spark's MountSecretsFeatureStep";
    let (folder, name) = at.rsplit_once('/').unwrap_or(("", at));
    let help = format!("write `at=\"/var/secrets/{from}/{key}\"`");
    if name != key || folder.is_empty() || text::plain_fault(folder).is_some() {
        let why = format!("mounts a whole secret as a folder, where the entry is the file `{key}`");
        return Some(Answer::refused(why, help, "spark-dcos §2.3"));
    }
    let tmp = (folder == "/tmp").then_some("programs could not write there");
    let image = || covers(case.plan, folder).then_some("it would hide the image's own files there");
    if let Some(why) = hidden(case, folder).or(tmp).or_else(image) {
        let fact = format!("mounts a whole secret as the folder `{folder}`, and cannot mount there: {why}");
        return Some(Answer::impossible(fact, help, PROOF));
    }
    // The pod's volume is `<secret>-volume`, a label of at most 63 characters.
    crate::names::label_fault(&format!("{from}-volume")).map(|_| {
        Answer::impossible(
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
    plan.asks.iter().any(|asked| {
        let Ask::Identity(Identity::SecretEnv { role, env, from, key }) = &asked.ask else { return false };
        *role < id && env == name && (from != secret || key.as_deref() != Some(entry))
    })
}

/// Whether a secret is wanted in another folder too, or another secret in this folder.
fn twice(plan: &Plan, from: &str, folder: &str) -> bool {
    plan.asks.iter().any(|asked| {
        let Ask::Identity(Identity::SecretFile { from: other, at, .. }) = &asked.ask else { return false };
        let theirs = at.rsplit_once('/').map_or("", |(folder, _)| folder);
        (other == from) != (theirs == folder)
    })
}

/// Who the program runs as.
fn user() -> Answer {
    Answer::refused(
        "runs executors as the user that YARN, the worker or the image gives them",
        "remove `user`, and submit as that user",
        "spark-dcos §2.3",
    )
}

/// The identity of the job.
fn kerberos(case: &Context<'_>, principal: &str, keytab: &str) -> Answer {
    let path = keytab.strip_prefix("file://").or_else(|| keytab.starts_with("./").then_some(keytab));
    match (case.manager, path) {
        (Manager::Yarn, path) if principal.contains("/_HOST") => {
            let also = path.map_or("; and write `keytab=\"file:///etc/security/me.keytab\"`", |_| "");
            Answer::refused(
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
                return Answer::refused(
                    format!("cannot pass it on: {fault}"),
                    "write plain ASCII without `#`",
                    "spark-dcos-observed §2",
                )
                .of_further();
            }
            Answer::Native(Means::Kerberos { principal: principal.to_owned(), keytab: path.to_owned() })
        }
        (Manager::Yarn, None) => Answer::refused(
            "reads the keytab on the host that submits",
            "write `keytab=\"file:///etc/security/me.keytab\"`, a path of that host",
            "spark-dcos-observed §2",
        )
        // With `_HOST` in the principal the refusal of that says it.
        .of_further(),
        (Manager::Kubernetes | Manager::Standalone, _) => Answer::refused(
            format!(
                "gives tokens on {} to the Java machines alone, and no program sees them",
                case.manager.word()
            ),
            "write `target \"spark\" { master \"yarn\" }`: there every container has the tokens",
            "spark-dcos §2.3",
        ),
    }
}
