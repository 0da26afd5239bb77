//! From the typed spec to the plan: counts, ports, references, and everything that the job asks.
mod asks;
mod order;
mod reference;
mod roles;
mod rules;

pub use roles::known as known_roles;

use crate::at::At;
use crate::diagnostic::Diagnostic;
use crate::plan::{Allowed, Framework, Plan, RoleKind, Storage, Volume};
use crate::sources::Sources;
use crate::spec::{self, StrategyName};
use crate::tree::Tree;
use roles::Shared;
use std::collections::BTreeMap;

/// The plan, and every fault of the job as a whole. `tree` is the merged tree that `job` was read from.
pub fn resolve(
    job: &At<spec::Job>,
    tree: &Tree,
    targets: &[&str],
    sources: &Sources,
) -> (Plan, Vec<Diagnostic>) {
    let mut out = Vec::new();
    let spec = &job.value;
    let shared = shared(spec, sources);
    let named = spec.role.0.iter().map(|(n, r)| (n, r, roles::kind(shared.framework, &n.value), "role"));
    let helpers = spec.helper.0.iter().map(|(n, r)| (n, r, RoleKind::Helper, "helper"));
    let roles: Vec<_> = named
        .chain(helpers)
        .map(|(name, role, kind, place)| {
            let tree = tree.get(place).and_then(|roles| roles.get(&name.value));
            roles::resolve(name, &role.value, kind, tree, &shared, &mut out)
        })
        .collect();
    let mut plan = Plan {
        name: At { span: spec.name.span, value: spec.name.value.to_string() },
        framework: framework(spec, shared.count),
        roles,
        storage: storage(spec),
        params: spec.param.0.iter().map(|(n, p)| (n.clone(), p.value.value.value.clone())).collect(),
        asks: Vec::new(),
        targets: roles::targets(tree),
        allows: spec.allow.iter().map(|a| allowed(&a.value)).collect(),
    };
    plan.asks = asks::draw(spec, &plan, &shared, &mut out);
    rules::judge(spec, &plan, targets, &mut out);
    order::judge(spec, &plan, &mut out);
    (plan, out)
}

fn shared<'a>(spec: &'a spec::Job, sources: &'a Sources) -> Shared<'a> {
    let count = |role: &At<spec::Role>| role.value.count.as_ref().map_or(1, |c| c.value.0);
    let all = spec.role.0.iter().chain(&spec.helper.0);
    Shared {
        sources,
        job: spec.name.value.as_str(),
        framework: spec.framework.value.name.value,
        count: spec.role.0.iter().map(|(_, r)| count(r)).sum(),
        roles: all.enumerate().map(|(i, (n, r))| (n.value.clone(), (i, count(r)))).collect(),
        params: spec
            .param
            .0
            .iter()
            .map(|(n, p)| (n.value.clone(), p.value.value.value.to_string()))
            .collect(),
        data: spec.data.0.iter().map(|(n, _)| n.value.clone()).collect(),
        stage: spec.stage.0.iter().map(|(n, _)| n.value.clone()).collect(),
        has_code: spec.code.is_some(),
        has_checkpoints: spec.checkpoints.is_some(),
    }
}

fn framework(spec: &spec::Job, tasks: u32) -> Framework {
    let framework = &spec.framework.value;
    let alone = framework.name.value == spec::FrameworkName::Tensorflow && tasks <= 1;
    let strategy = framework.strategy.as_ref().map(|s| s.value).or(alone.then_some(StrategyName::Single));
    Framework { name: framework.name, version: framework.version.clone(), strategy }
}

fn allowed(allow: &spec::Allow) -> Allowed {
    let text = |t: &At<spec::values::Text>| At { span: t.span, value: t.value.to_string() };
    Allowed { feature: text(&allow.feature), on: allow.on.as_ref().map(text), because: text(&allow.because) }
}

fn storage(spec: &spec::Job) -> Storage {
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
        }),
        stage: spec
            .stage
            .0
            .iter()
            .map(|(name, s)| Volume {
                name: name.clone(),
                uri: s.value.uri.clone(),
                at: path(&s.value.at),
                writable: false,
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
            })
            .collect(),
        checkpoints: spec.checkpoints.as_ref().map(|c| Volume {
            name: named("checkpoints", c.span),
            uri: c.value.uri.clone(),
            at: path(&c.value.at),
            writable: true,
        }),
    }
}

/// No ports: the scope outside any role.
pub(super) static NO_PORTS: BTreeMap<String, Option<u16>> = BTreeMap::new();
