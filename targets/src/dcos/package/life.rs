//! How the package's tasks listen, who they are to others, and how they end.
use super::{Given, Means, lacks};
use crate::dcos::group::group_path;
use crate::dcos::{Dcos, network};
use tfjob_lang::ask::{Ask, Identity};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::spec::{PortNumber, Protocol};
use tfjob_lang::target::{Answer, Site};

pub(super) fn port(role: RoleId, name: &str, number: PortNumber, plan: &Plan) -> Given {
    match (name, number) {
        ("cluster", PortNumber::Fixed(number)) => network::unoffered(number.0, plan)
            .unwrap_or_else(|| Answer::Native(Means::Port { role, number: number.0 })),
        ("cluster", PortNumber::Auto) => Answer::impossible(
            "needs the number of the package's ports beforehand",
            "write the number of the port",
            "spark-dcos §3.2",
        ),
        (_, PortNumber::Fixed(_) | PortNumber::Auto) => {
            lacks("gives the package's tasks one port each, for their server", "spark-dcos §3.2")
        }
    }
}

pub(super) fn protocol(protocol: Protocol) -> Given {
    match protocol {
        Protocol::Grpc => Answer::Native(Means::Inherent("the package's server speaks grpc")),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => {
            lacks("starts the package's servers with grpc itself", "spark-dcos §3.5")
        }
    }
}

/// The package keeps no record of success: its tasks end, its scheduler stays.
pub(super) fn success() -> Given {
    Answer::Emulated(
        Means::Inherent("the tasks end with their program"),
        "the package knows no success of a job: its tasks end, and its scheduler stays until the step after the end removes it".into(),
    )
}

pub(super) fn end() -> Given {
    Answer::Emulated(
        Means::Inherent("removing the service ends all its tasks"),
        "parameter servers run until the step after the end removes the service".into(),
    )
}

/// Only Kerberos' keytab can be a secret of the package's tasks.
pub(super) fn secret(env: &str, from: &str, key: Option<&str>, at: Option<&str>, plan: &Plan) -> Given {
    let names = |keytab: &String| keytab.strip_prefix("secret:") == Some(env);
    let keytab = plan
        .asks
        .iter()
        .any(|a| matches!(&a.ask, Ask::Identity(Identity::Kerberos { keytab, .. }) if names(keytab)));
    // The language asks for the path of a keytab.
    let Some(at) = at.filter(|_| keytab) else {
        return lacks("gives the package's tasks no secret but Kerberos' keytab", "spark-dcos §3.2");
    };
    if key.is_some() {
        return Answer::impossible(
            "keeps one value in a secret",
            format!("write the path of the secret: `from=\"{from}/…\"`, and no `key`"),
            "spark-dcos §3.2",
        );
    }
    Answer::Ignored(format!(
        "gives the keytab to the package's scheduler (`keytab_secret`) and puts no file at `{at}`: tasks find it where the package mounts it"
    ))
}

/// The package accepts Kerberos half filled in, so all of it must be there.
pub(super) fn kerberos(principal: &str, keytab: &str, plan: &Plan, site: &Site<Dcos>) -> Given {
    const PROOF: &str = "spark-dcos-observed §4";
    // The language has seen to it that there is a realm.
    let (primary, realm) = principal.split_once('@').unwrap_or((principal, ""));
    if primary.contains('/') {
        return Answer::impossible(
            "builds the principals of the package's tasks as NAME@REALM",
            "write `principal=\"NAME@REALM\"`, without a host",
            "spark-dcos §3.2",
        );
    }
    if site.job.kdc.is_none() {
        return Answer::impossible(
            "needs the key distribution centre, and renders an empty one without",
            "add `kdc \"HOST\"` to `target \"dcos\"`",
            PROOF,
        );
    }
    let path = keytab.strip_prefix("secret:").and_then(|name| {
        plan.asks.iter().find_map(|asked| {
            let Ask::Identity(
                Identity::SecretEnv { env, from, .. } | Identity::SecretFile { env, from, .. },
            ) = &asked.ask
            else {
                return None;
            };
            (env == name).then_some(from)
        })
    });
    let Some(path) = path else {
        return Answer::impossible(
            "reads the keytab from its secret store only",
            "write `keytab=\"secret:KEYTAB\"` and `secret \"KEYTAB\" from=\"PATH\" at=\"/keytab\"`",
            "spark-dcos §3.2",
        );
    };
    let service = group_path(plan, site);
    if let Some(refused) = crate::dcos::secrets::refused(path, None, &service, plan, &site.job) {
        return refused;
    }
    Answer::Native(Means::Kerberos {
        primary: primary.to_owned(),
        realm: realm.to_owned(),
        keytab: path.clone(),
    })
}
