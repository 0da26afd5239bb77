//! Resolution of the typed spec to the plan: task counts, ports, references, and requirements.
mod length;
mod order;
mod reference;
mod requirements;
mod roles;
mod rules;
mod variables;

pub(crate) use reference::ranges as references_in;
pub(crate) use roles::RENDEZVOUS_PORT;
pub use rules::shell;

use crate::at::At;
use crate::cluster;
use crate::diagnostic::{Diagnostic, nearest};
use crate::digest::Digest;
use crate::plan::{Allowed, Framework, Plan, RoleKind, Storage, Volume};
use crate::recovery::Recovery;
use crate::requirement::Feature;
use crate::sources::Sources;
use crate::spec::{self, StrategyName};
use crate::tree::Tree;
use roles::Shared;
use std::collections::BTreeMap;

/// The targets and the cluster that the job may run on.
pub(crate) struct ResolveContext<'a> {
    /// Names of all targets: the valid values of `allow … on=`.
    pub targets: &'a [&'a str],
    /// Returns whether all targets of the job pass the checkpoint location to the program without a reference in the spec.
    pub passes_checkpoints: &'a dyn Fn(&Plan) -> bool,
    /// Returns whether all targets of the job provide the Hadoop client and its location.
    pub has_hadoop: &'a dyn Fn(&Plan) -> bool,
    /// Returns the target that a help uses as an example: the first one that runs tasks on several machines. It is a target of the
    /// job or, if none of them does so, of tfjob.
    pub example_target: &'a dyn Fn(&Plan) -> Option<&'static str>,
    /// Returns whether the job has targets, and all of them can mount an NFS export as the checkpoint directory.
    pub mounts_nfs: &'a dyn Fn(&Plan) -> bool,
    /// The cluster file, if there is one and it has no errors.
    pub cluster: Option<&'a cluster::Known>,
    /// Whether there is a cluster file with errors. Then rules that need the content of the file are skipped.
    pub faulty_cluster: bool,
}

/// Resolves a spec to a plan. Returns the plan and the findings about the job as a whole.
///
/// `tree` is the merged tree that `job` was decoded from. `recovery` is used only to decide which secrets become requirements. The
/// findings include those that depend on a guessed value. The caller drops these.
pub(crate) fn resolve(
    job: &At<spec::Job>,
    tree: &Tree,
    context: &ResolveContext<'_>,
    sources: &Sources,
    recovery: &Recovery,
) -> (Plan, Vec<Diagnostic>) {
    let mut out = Vec::new();
    let spec = &job.value;
    let shared = shared(spec, sources);
    let roles = spec.role.0.iter().map(|(n, r)| (n, r, roles::kind(shared.framework, &n.value), "role"));
    let helpers = spec.helper.0.iter().map(|(n, r)| (n, r, RoleKind::Helper, "helper"));
    let mut roles: Vec<_> = roles
        .chain(helpers)
        .map(|(name, role, kind, block)| {
            let tree = tree.get(block).and_then(|roles| roles.get(&name.value));
            roles::resolve(name, &role.value, kind, tree, &shared, &mut out)
        })
        .collect();
    length::bound_job(&mut roles, &shared.spent, &mut out);
    length::bound_roles(&mut roles, &mut out);
    let params: Vec<_> = spec.param.0.iter().map(|(n, p)| (n.clone(), p.value.value.value.clone())).collect();
    let mut plan = Plan {
        name: At { span: spec.name.span, value: spec.name.value.to_string() },
        framework: framework(spec, &shared),
        roles,
        storage: storage(spec, context),
        digest: Digest::of(tree, &params),
        params,
        requirements: Vec::new(),
        targets: roles::targets(tree),
        target_names: roles::target_names(tree),
        cluster: context.cluster.map(|known| known.span),
        allows: spec.allow.iter().map(|a| allowed(&a.value)).collect(),
        bytes: sources.iter().map(|source| source.text.len()).sum(),
    };
    plan.requirements = requirements::collect(spec, &plan, &shared, recovery, &mut out);
    rules::check(&rules::Job { spec, tree, plan: &plan, context, sources }, &mut out);
    order::check(spec, &mut plan, &mut out);
    (plan, out)
}

fn shared<'a>(spec: &'a spec::Job, sources: &'a Sources) -> Shared<'a> {
    let count = |role: &At<spec::Role>| role.value.count.as_ref().map_or(1, |c| c.value.0);
    let framework = spec.framework.value.name.value;
    let all = || spec.role.0.iter().chain(&spec.helper.0).enumerate();
    let mut roles: BTreeMap<_, _> = all().map(|(i, (n, r))| (n.value.clone(), (i, count(r)))).collect();
    for (i, (name, role)) in all().take(spec.role.0.len()) {
        if let Some(corrected) = roles::corrected_name(framework, &name.value) {
            roles.entry(corrected.to_owned()).or_insert((i, count(role)));
        }
    }
    Shared {
        sources,
        job: spec.name.value.as_str(),
        framework,
        count: spec.role.0.iter().map(|(_, r)| count(r)).sum(),
        roles,
        helpers: names(&spec.helper.0).filter(|n| spec.role.get(n).is_none()).collect(),
        params: spec
            .param
            .0
            .iter()
            .map(|(n, p)| (n.value.clone(), p.value.value.value.to_string()))
            .collect(),
        data: names(&spec.data.0).collect(),
        stage: names(&spec.files.0).collect(),
        has_code: spec.code.is_some(),
        has_checkpoints: spec.checkpoints.is_some(),
        lengths: length::Lengths::new(spec),
        spent: length::Spent::default(),
    }
}

fn names<T>(blocks: &[(At<String>, T)]) -> impl Iterator<Item = String> {
    blocks.iter().map(|(name, _)| name.value.clone())
}

fn framework(spec: &spec::Job, shared: &Shared<'_>) -> Framework {
    let framework = &spec.framework.value;
    let name = At { span: framework.name.span, value: shared.framework };
    let single_task = name.value == spec::FrameworkName::Tensorflow && shared.count <= 1;
    let strategy =
        framework.strategy.as_ref().map(|s| s.value).or(single_task.then_some(StrategyName::Single));
    Framework { name, version: framework.version.clone(), strategy }
}

/// Resolves one `allow`. A misspelled feature counts as the nearest known feature. Otherwise, the target would report the
/// refusal of that feature as a second error.
fn allowed(allow: &spec::Allow) -> Allowed {
    let text = |t: &At<spec::values::Text>| At { span: t.span, value: t.value.to_string() };
    let feature = text(&allow.feature);
    let corrected = nearest(&feature.value, Feature::ALL.iter().map(|f| f.name())).map(str::to_owned);
    let feature = At { span: feature.span, value: corrected.unwrap_or(feature.value) };
    Allowed { feature, on: allow.on.as_ref().map(text), because: text(&allow.because) }
}

fn storage(spec: &spec::Job, context: &ResolveContext<'_>) -> Storage {
    let shares = |uri| context.cluster.is_some_and(|known| cluster::shares(&known.cluster.value, uri));
    let path = |at: &Option<At<spec::values::AbsolutePath>>| {
        at.as_ref().map(|p| At { span: p.span, value: p.value.to_string() })
    };
    let named = |name: &str, span| At { span, value: name.to_owned() };
    Storage {
        code: spec.code.as_ref().map(|c| Volume {
            name: named("code", c.span),
            uri: c.value.uri.clone(),
            at: path(&c.value.at),
            writable: false,
            shared: shares(&c.value.uri.value),
        }),
        stage: spec
            .files
            .0
            .iter()
            .map(|(name, s)| Volume {
                name: name.clone(),
                uri: s.value.uri.clone(),
                at: path(&s.value.at),
                writable: false,
                shared: shares(&s.value.uri.value),
            })
            .collect(),
        data: spec
            .data
            .0
            .iter()
            .map(|(name, d)| Volume {
                name: name.clone(),
                uri: d.value.uri.clone(),
                at: path(&d.value.at),
                writable: d.value.writable.as_ref().is_some_and(|w| w.value),
                shared: shares(&d.value.uri.value),
            })
            .collect(),
        checkpoints: spec.checkpoints.as_ref().map(|c| Volume {
            name: named("checkpoints", c.span),
            uri: c.value.uri.clone(),
            at: path(&c.value.at),
            writable: true,
            shared: shares(&c.value.uri.value),
        }),
    }
}

/// Empty set of ports, for references outside of any role.
pub(super) static NO_PORTS: BTreeMap<String, Option<u16>> = BTreeMap::new();
