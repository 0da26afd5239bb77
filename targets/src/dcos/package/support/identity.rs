//! Users and credentials.
use crate::dcos::context::Context;
use crate::dcos::package::Given;
use crate::dcos::package::lacks;
use crate::dcos::package::life;
use crate::dcos::package::tasks;
use tfjob_lang::ask;

/// What the package does with one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Identity::PullSecret { .. } => {
            lacks("cannot give the package's tasks a registry's credentials", "spark-dcos §3.2")
        }
        ask::Identity::SecretEnv { env, from, key, .. } => {
            life::secret(env, from, key.as_deref(), None, plan)
        }
        ask::Identity::SecretFile { env, from, key, at, .. } => {
            life::secret(env, from, key.as_deref(), Some(at), plan)
        }
        ask::Identity::User { role, user } => tasks::user(*role, user, plan),
        ask::Identity::Kerberos { principal, keytab } => life::kerberos(principal, keytab, plan, site),
    }
}
