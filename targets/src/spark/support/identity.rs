//! Users and credentials.
use super::Context;
use super::program;
use super::secret;
use crate::spark::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Identity::PullSecret { role, name } => program::pull_secret(ground, *role, name),
        ask::Identity::SecretEnv { role, env, from, key } => {
            secret::secret(ground, (*role, env), (from, key.as_deref()), None)
        }
        ask::Identity::SecretFile { role, env, from, key, at } => {
            secret::secret(ground, (*role, env), (from, key.as_deref()), Some(at))
        }
        ask::Identity::User { .. } => program::user(),
        ask::Identity::Kerberos { principal, keytab } => program::kerberos(ground, principal, keytab),
    }
}
