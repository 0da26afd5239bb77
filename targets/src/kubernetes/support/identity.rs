//! Users and credentials.
use super::Context;
use super::task;
use crate::kubernetes::means::Means;
use tfjob_lang::ask;
use tfjob_lang::target::Answer;

/// What a TFJob does with one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, case: &Context<'_>) -> Answer<Means> {
    match ask {
        ask::Identity::PullSecret { role, name } => task::pull_secret(*role, name),
        ask::Identity::SecretEnv { role, env, from, key } => {
            task::secret_env(*role, env, from, key.as_deref())
        }
        ask::Identity::SecretFile { role, env, from, key, at } => {
            task::secret_file(case, *role, (env, from, key.as_deref()), at)
        }
        ask::Identity::User { role, user } => task::user(case, *role, user),
        ask::Identity::Kerberos { principal: _, keytab: _ } => task::kerberos(),
    }
}
