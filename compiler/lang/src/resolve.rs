//! From the typed spec to the plan: counts, ports, references, and everything that the job asks.
mod length;
mod order;
mod reference;
mod requirements;
mod roles;
mod rules;
mod variables;

pub use rules::shell;

use crate::at::At;
use crate::cluster;
use crate::diagnostic::{Diagnostic, nearest};
use crate::plan::{Allowed, Framework, Plan, RoleKind, Storage, Volume};
use crate::recovery::Recovery;
use crate::requirement::Feature;
use crate::sources::Sources;
use crate::spec::{self, StrategyName};
use crate::tree::Tree;
use roles::Shared;
use std::collections::BTreeMap;

/// Where the job may run.
pub(crate) struct ResolveContext<'a> {
    /// The names that `allow … on=` may take.
    pub targets: &'a [&'a str],
    /// Whether a target that the job is for passes the checkpoint location to the program itself.
    pub passes_checkpoints: &'a dyn Fn(&Plan) -> bool,
    /// Whether every target that the job is for says itself where Hadoop's client is.
    pub has_hadoop: &'a dyn Fn(&Plan) -> bool,
    /// The cluster, if it is known.
    pub cluster: Option<&'a cluster::Known>,
    /// Whether a cluster is named whose file has errors: what hangs on its facts is not said.
    pub faulty_cluster: bool,
}

/// The plan, and every fault of the job as a whole. `tree` is the merged tree that `job` was read from. `doubts` decide
/// which secrets the plan asks for, and no finding: the collector drops those that are concluded from a guess.
pub(crate) fn resolve(
    job: &At<spec::Job>,
    tree: &Tree,
    place: &ResolveContext<'_>,
    sources: &Sources,
    recovery: &Recovery,
) -> (Plan, Vec<Diagnostic>) {
    let mut out = Vec::new();
    let spec = &job.value;
    let shared = shared(spec, sources);
    let named = spec.role.0.iter().map(|(n, r)| (n, r, roles::kind(shared.framework, &n.value), "role"));
    let helpers = spec.helper.0.iter().map(|(n, r)| (n, r, RoleKind::Helper, "helper"));
    let mut roles: Vec<_> = named
        .chain(helpers)
        .map(|(name, role, kind, place)| {
            let tree = tree.get(place).and_then(|roles| roles.get(&name.value));
            roles::resolve(name, &role.value, kind, tree, &shared, &mut out)
        })
        .collect();
    length::bound_job(&mut roles, &shared.spent, &mut out);
    length::bound_roles(&mut roles, &mut out);
    let mut plan = Plan {
        name: At { span: spec.name.span, value: spec.name.value.to_string() },
        framework: framework(spec, &shared),
        roles,
        storage: storage(spec, place),
        params: spec.param.0.iter().map(|(n, p)| (n.clone(), p.value.value.value.clone())).collect(),
        requirements: Vec::new(),
        targets: roles::targets(tree),
        cluster: place.cluster.map(|known| known.span),
        allows: spec.allow.iter().map(|a| allowed(&a.value)).collect(),
        bytes: sources.iter().map(|source| source.text.len()).sum(),
    };
    plan.requirements = requirements::draw(spec, &plan, &shared, recovery, &mut out);
    rules::judge(&rules::Job { spec, tree, plan: &plan, place, sources }, &mut out);
    order::judge(spec, &mut plan, &mut out);
    (plan, out)
}

fn shared<'a>(spec: &'a spec::Job, sources: &'a Sources) -> Shared<'a> {
    let count = |role: &At<spec::Role>| role.value.count.as_ref().map_or(1, |c| c.value.0);
    let framework = spec.framework.value.name.value;
    let all = || spec.role.0.iter().chain(&spec.helper.0).enumerate();
    let mut roles: BTreeMap<_, _> = all().map(|(i, (n, r))| (n.value.clone(), (i, count(r)))).collect();
    for (i, (name, role)) in all().take(spec.role.0.len()) {
        if let Some(meant) = roles::meant(framework, &name.value) {
            roles.entry(meant.to_owned()).or_insert((i, count(role)));
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
        lengths: length::Lengths::of(spec),
        spent: length::Spent::default(),
    }
}

fn names<T>(things: &[(At<String>, T)]) -> impl Iterator<Item = String> {
    things.iter().map(|(name, _)| name.value.clone())
}

fn framework(spec: &spec::Job, shared: &Shared<'_>) -> Framework {
    let framework = &spec.framework.value;
    let name = At { span: framework.name.span, value: shared.framework };
    let alone = name.value == spec::FrameworkName::Tensorflow && shared.count <= 1;
    let strategy = framework.strategy.as_ref().map(|s| s.value).or(alone.then_some(StrategyName::Single));
    Framework { name, version: framework.version.clone(), strategy }
}

/// A misspelt feature counts as the one that was meant: its refusal is no second fault.
fn allowed(allow: &spec::Allow) -> Allowed {
    let text = |t: &At<spec::values::Text>| At { span: t.span, value: t.value.to_string() };
    let feature = text(&allow.feature);
    let meant = nearest(&feature.value, Feature::ALL.iter().map(|f| f.name())).map(str::to_owned);
    let feature = At { span: feature.span, value: meant.unwrap_or(feature.value) };
    Allowed { feature, on: allow.on.as_ref().map(text), because: text(&allow.because) }
}

fn storage(spec: &spec::Job, place: &ResolveContext<'_>) -> Storage {
    let shares = |uri| place.cluster.is_some_and(|known| cluster::shares(&known.cluster.value, uri));
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

/// No ports: the scope outside any role.
pub(super) static NO_PORTS: BTreeMap<String, Option<u16>> = BTreeMap::new();
