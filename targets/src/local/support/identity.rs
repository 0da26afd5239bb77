//! Users and credentials.
use super::program;
use crate::local::means::Means;
use tfjob_lang::ask;
use tfjob_lang::plan::Plan;
use tfjob_lang::target::Answer;

/// What this machine does with one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, plan: &Plan) -> Answer<Means> {
    match ask {
        ask::Identity::PullSecret { .. } => Answer::Ignored("asks no registry".to_owned()),
        ask::Identity::SecretEnv { role, env, from, key } => {
            program::secret(plan, *role, env, (from, key.as_deref()))
        }
        ask::Identity::SecretFile { env, .. } => program::secret_file(env),
        ask::Identity::User { user, .. } => program::user(user),
        ask::Identity::Kerberos { principal, keytab } => program::kerberos(principal, keytab),
    }
}
