//! TensorFlow's own rules by version and strategy, and the roles of each framework.
//!
//! What TensorFlow does with each of these was seen on 2.12, 2.15 and 2.21: it raises at once, or waits for an hour.
use crate::codes::{
    GONE_STRATEGY, MISSING_ROLE, MISSING_STRATEGY, PROTOCOL_NEEDS_BUILD, ROLE_OUTSIDE_STRATEGY,
    STRATEGY_ALONE, STRATEGY_ELSEWHERE, TOO_MANY_TASKS, UNKNOWN_ROLE,
};
use crate::diagnostic::{Diagnostic, Fix, nearest};
use crate::plan::{Plan, Role, RoleKind};
use crate::resolve::known_roles;
use crate::spec::{self, FrameworkName, Protocol, StrategyName};

pub(super) fn judge(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    known(plan, out);
    at_most_one(plan, out);
    match plan.framework.name.value {
        FrameworkName::Tensorflow => tensorflow(spec, plan, out),
        FrameworkName::Pytorch
        | FrameworkName::Xgboost
        | FrameworkName::Mxnet
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => elsewhere(spec, plan, out),
    }
    protocol(spec, plan, out);
}

fn known(plan: &Plan, out: &mut Vec<Diagnostic>) {
    let framework = plan.framework.name.value;
    let Some(known) = known_roles(framework) else { return };
    for role in plan.roles.iter().filter(|r| r.kind == RoleKind::Own) {
        let name = &role.name;
        let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        let listed = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let mut found = Diagnostic::new(
            &UNKNOWN_ROLE,
            name.span,
            format!("{} has no role `{}`", framework.word(), name.value),
        )
        .here("unknown role");
        let meant = if name.value == "master" && names.contains(&"chief") {
            Some("chief")
        } else {
            nearest(&name.value, names.iter().copied())
        };
        found = match meant {
            Some(meant) => found
                .help(format!("did you mean `{meant}`? Roles are {listed}; anything else is a `helper`"))
                .fix(Fix::replace(name.span, format!("\"{meant}\""))),
            None => found.help(format!("roles are {listed}; anything else is a `helper`")),
        };
        out.push(found);
    }
}

fn at_most_one(plan: &Plan, out: &mut Vec<Diagnostic>) {
    for role in &plan.roles {
        let single = match role.kind {
            RoleKind::Chief | RoleKind::Evaluator | RoleKind::Master | RoleKind::Scheduler => true,
            RoleKind::Worker | RoleKind::Ps | RoleKind::Server | RoleKind::Own | RoleKind::Helper => false,
        };
        if single && role.count.value > 1 {
            out.push(
                Diagnostic::new(
                    &TOO_MANY_TASKS,
                    role.count.span,
                    format!(
                        "a job has at most one `{}`, and this one has {}",
                        role.name.value, role.count.value
                    ),
                )
                .here("more than one")
                .help("remove `count`")
                .fix(Fix::replace(role.count.span, "1")),
            );
        }
    }
}

fn elsewhere(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    if let Some(strategy) = &spec.framework.value.strategy {
        let name = plan.framework.name.value.word();
        out.push(
            Diagnostic::new(
                &STRATEGY_ELSEWHERE,
                strategy.span,
                format!("`strategy` is TensorFlow's, not {name}'s"),
            )
            .here("no meaning here")
            .help(format!("remove it: {name} programs choose by themselves")),
        );
    }
    let need = match plan.framework.name.value {
        FrameworkName::Pytorch | FrameworkName::Xgboost => Some(RoleKind::Master),
        FrameworkName::Mxnet => Some(RoleKind::Scheduler),
        FrameworkName::Horovod => Some(RoleKind::Worker),
        FrameworkName::Tensorflow | FrameworkName::Caffe | FrameworkName::Custom => None,
    };
    if let Some(kind) = need.filter(|_| plan.rendezvous_tasks() > 1) {
        need_role(plan, kind, plan.framework.name.value.word(), out);
    }
}

/// Says that a role is missing, at the framework's name.
fn need_role(plan: &Plan, kind: RoleKind, who: &str, out: &mut Vec<Diagnostic>) {
    if plan.role_of(kind).is_some() {
        return;
    }
    let name = match kind {
        RoleKind::Chief => "chief",
        RoleKind::Worker => "worker",
        RoleKind::Ps => "ps",
        RoleKind::Evaluator => "evaluator",
        RoleKind::Master => "master",
        RoleKind::Scheduler => "scheduler",
        RoleKind::Server => "server",
        RoleKind::Own | RoleKind::Helper => return,
    };
    // A misspelt role is said at its own place.
    let misspelt = plan.roles.iter().any(|r| {
        r.kind == RoleKind::Own && (nearest(&r.name.value, [name]).is_some() || r.name.value == "master")
    });
    if !misspelt {
        out.push(
            Diagnostic::new(
                &MISSING_ROLE,
                plan.framework.name.span,
                format!("{who} needs a `{name}`, and there is none"),
            )
            .here(format!("no role \"{name}\" in this job"))
            .help(format!("add `role \"{name}\" {{ … }}`")),
        );
    }
}

fn tensorflow(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let tasks: u32 = members(plan).map(|r| r.count.value).sum();
    let Some(strategy) = plan.framework.strategy else {
        if tasks > 1 {
            out.push(
                Diagnostic::new(
                    &MISSING_STRATEGY,
                    plan.framework.name.span,
                    format!("{tasks} TensorFlow tasks work together, and `strategy` does not say how"),
                )
                .here("needs a strategy")
                .help("add `strategy=\"multi-worker-mirrored\"` (workers in step), `\"parameter-server\"`, `\"estimator\"` or `\"custom\"`"),
            );
        }
        return;
    };
    match strategy {
        StrategyName::Single | StrategyName::Mirrored => alone(spec, plan, strategy, out),
        StrategyName::MultiWorkerMirrored => outside(plan, RoleKind::Ps, MWMS_PS, out),
        StrategyName::ParameterServer => {
            for kind in [RoleKind::Chief, RoleKind::Worker, RoleKind::Ps] {
                need_role(plan, kind, "ParameterServerStrategy", out);
            }
        }
        StrategyName::Estimator => gone(spec, plan, out),
        StrategyName::Custom => {}
    }
    let trains = members(plan).any(|r| matches!(r.kind, RoleKind::Chief | RoleKind::Worker | RoleKind::Own));
    if !trains && strategy != StrategyName::ParameterServer {
        need_role(plan, RoleKind::Worker, "a TensorFlow job", out);
    }
}

const MWMS_PS: &str = "with a `ps` in TF_CONFIG, MultiWorkerMirroredStrategy waits for it for ever";

fn members(plan: &Plan) -> impl Iterator<Item = &Role> {
    plan.roles.iter().filter(|r| r.kind != RoleKind::Helper && r.kind != RoleKind::Evaluator)
}

fn alone(spec: &spec::Job, plan: &Plan, strategy: StrategyName, out: &mut Vec<Diagnostic>) {
    let tasks: u32 = members(plan).map(|r| r.count.value).sum();
    let Some(written) = spec.framework.value.strategy.as_ref().filter(|_| tasks > 1) else { return };
    let name = if strategy == StrategyName::Single { "single" } else { "mirrored" };
    let (place, label) = members(plan)
        .find(|r| r.count.value > 1)
        .or_else(|| members(plan).nth(1))
        .map_or((written.span, ""), |r| (r.count.span, "more than one task"));
    out.push(
        Diagnostic::new(
            &STRATEGY_ALONE,
            written.span,
            format!("`{name}` is one process, and this job has {tasks} tasks"),
        )
        .here("one process")
        .label(place, label)
        .help("write `\"multi-worker-mirrored\"` for workers in step, or keep one task"),
    );
}

fn outside(plan: &Plan, kind: RoleKind, why: &str, out: &mut Vec<Diagnostic>) {
    for role in plan.roles.iter().filter(|r| r.kind == kind) {
        out.push(
            Diagnostic::new(&ROLE_OUTSIDE_STRATEGY, role.name.span, why)
                .here("not part of this strategy")
                .label(plan.framework.name.span, "the strategy is chosen here")
                .help("remove the role, or write `strategy=\"parameter-server\"`"),
        );
    }
}

/// `tf.estimator` was removed after 2.15.
fn gone(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let Some(version) = plan.framework.version.as_ref().filter(|v| v.value.at_least((2, 16))) else { return };
    let strategy = spec.framework.value.strategy.as_ref().map_or(version.span, |s| s.span);
    out.push(
        Diagnostic::new(
            &GONE_STRATEGY,
            strategy,
            format!("TensorFlow {} has no `tf.estimator`", version.value),
        )
        .here("gone since 2.16")
        .label(version.span, "this version")
        .help("write `version=\"2.15\"` or older, or another strategy"),
    );
}

fn protocol(spec: &spec::Job, plan: &Plan, out: &mut Vec<Diagnostic>) {
    let Some(protocol) = &spec.protocol else { return };
    let custom = match protocol.value {
        Protocol::Grpc => false,
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => true,
    };
    let allowed = plan.allows.iter().any(|a| a.feature.value == "protocol");
    if custom && !allowed {
        out.push(
            Diagnostic::new(
                &PROTOCOL_NEEDS_BUILD,
                protocol.span,
                "stock TensorFlow has no server for this protocol and dies at start",
            )
            .here("needs a custom build")
            .help(
                "write `protocol \"grpc\"`; with a build that has it, add `allow \"protocol\" because=\"…\"`",
            )
            .fix(Fix::replace(protocol.span, "\"grpc\"")),
        );
    }
}
