//! Users and credentials.
use crate::dcos::context::Context;
use crate::dcos::marathon::Given;
use crate::dcos::marathon::Means;
use crate::dcos::marathon::task;
use tfjob_lang::ask;

/// What Marathon does with one requirement: users and credentials.
pub fn answer(ask: &ask::Identity, Context { plan, site }: &Context<'_>) -> Given {
    match ask {
        ask::Identity::PullSecret { role, name } => task::pull_secret(*role, name, plan, site),
        ask::Identity::SecretEnv { role, env, from, key } => task::secret_variable(*role, env, plan)
            .unwrap_or_else(|| {
                let means = |source| Means::SecretEnv { role: *role, env: env.clone(), source };
                task::secret(from, key.as_deref(), plan, site, means)
            }),
        ask::Identity::SecretFile { role, env, from, key, at } => task::secret_variable(*role, env, plan)
            .unwrap_or_else(|| task::secret_file(*role, (env, at), from, key.as_deref(), plan, site)),
        ask::Identity::User { role, user } => task::user(*role, user),
        ask::Identity::Kerberos { .. } => task::kerberos(),
    }
}
