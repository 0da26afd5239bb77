//! Secrets: entries of Kubernetes' own, as variables or files of the pods.
use super::super::means::Means;
use super::super::place::{Ground, Manager};
use super::super::text;
use super::hidden::{covers, hidden};
use super::resources::alike;
use tfjob_lang::ask::{Ask, Identity};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::target::Answer;

/// A variable or a file that holds a secret.
pub fn secret(
    ground: &Ground<'_>,
    (role, env): (RoleId, &str),
    (from, key): (&str, Option<&str>),
    at: Option<&str>,
) -> Answer<Means> {
    if ground.manager != Manager::Kubernetes {
        return Answer::refused(
            format!("writes settings in clear text, and has no secrets on {}", ground.manager.word()),
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
    if at.is_none() && otherwise(ground.plan, (role, env), (from, key)) {
        return alike(&format!("what the variable `{env}` holds"));
    }
    let (name, value) = match at {
        None => (format!("secretKeyRef.{env}"), format!("{from}:{key}")),
        Some(at) => {
            let folder = at.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(refused) = unmountable(ground, (from, key), at) {
                return refused;
            }
            if twice(ground.plan, from, folder) {
                return alike("the folder of one secret");
            }
            (format!("secrets.{from}"), folder.to_owned())
        }
    };
    let setting = |pod: &str| (format!("spark.kubernetes.{pod}.{name}"), value.clone());
    let mut settings = vec![setting("executor")];
    if !ground.client() {
        // The driver downloads the job's files, and opens and lists what it feeds (`SparkSubmit`, `DataSource`).
        settings.push(setting("driver"));
        settings.extend(at.map(|at| (format!("spark.kubernetes.driverEnv.{env}"), at.to_owned())));
    }
    let means = Means::Secret { role, env: env.to_owned(), path: at.map(str::to_owned), settings };
    if let Some(how) = only_submitter(ground) {
        return Answer::Emulated(means, how.to_owned());
    }
    if ground.plan.roles.len() == 1 {
        return Answer::Native(means);
    }
    let how = "every pod of the job has the secret; the program of another role does not see the variable";
    Answer::Emulated(means, how.to_owned())
}

/// What a driver on the host that submits needs of a secret.
fn only_submitter(ground: &Ground<'_>) -> Option<&'static str> {
    (ground.client() && ground.opens()).then_some(
        "every executor's pod has the secret; the driver on the host that submits opens the job's addresses with that host's own variables and files",
    )
}

/// Why a secret cannot be the file of that path: Spark mounts the whole of it as the folder.
fn unmountable(ground: &Ground<'_>, (from, key): (&str, &str), at: &str) -> Option<Answer<Means>> {
    const PROOF: &str = "Spark's MountSecretsFeatureStep";
    let (folder, name) = at.rsplit_once('/').unwrap_or(("", at));
    let help = format!("write `at=\"/var/secrets/{from}/{key}\"`");
    if name != key || folder.is_empty() || text::plain_fault(folder).is_some() {
        let why = format!("mounts a whole secret as a folder, where the entry is the file `{key}`");
        return Some(Answer::refused(why, help, "spark-dcos §2.3"));
    }
    let tmp = (folder == "/tmp").then_some("programs could not write there");
    let image = || covers(ground.plan, folder).then_some("it would hide the image's own files there");
    if let Some(why) = hidden(ground, folder).or(tmp).or_else(image) {
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
