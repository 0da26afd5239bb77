//! Users and credentials.
use super::Answer;
use super::task;
use crate::yarn::context::Context;
use tfjob_lang::ask;

/// What YARN does with one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, case: &Context<'_>) -> Answer {
    match ask {
        ask::Identity::PullSecret { role: _, name } => task::pull_secret(case, name),
        ask::Identity::SecretEnv { role: _, env, from: _, key: _ } => task::secret_env(env),
        ask::Identity::SecretFile { role: _, env: _, from: _, key: _, at: _ } => task::secret_file(),
        ask::Identity::User { role: _, user } => task::user(user),
        ask::Identity::Kerberos { principal, keytab } => task::kerberos(case, principal, keytab),
    }
}
