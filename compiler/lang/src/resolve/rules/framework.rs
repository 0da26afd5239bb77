//! TensorFlow's own rules by version and strategy, and the roles of each framework.
//!
//! What TensorFlow does with each of these was seen on 2.12, 2.15 and 2.21: it raises at once, or waits for an hour.
use super::{Job, equal_gpus, given, launcher};
use crate::at::At;
use crate::codes::{
    MISSING_ROLE, MISSING_STRATEGY, NO_RENDEZVOUS_SERVER, REMOVED_STRATEGY, ROLE_OUTSIDE_STRATEGY,
    SINGLE_PROCESS_STRATEGY, STRATEGY_FRAMEWORK_MISMATCH, TOO_MANY_TASKS, UNKNOWN_ROLE,
};
use crate::diagnostic::{Diagnostic, Edit, Fix, Premise, only_near};
use crate::plan::{Plan, Role, RoleKind};
use crate::resolve::roles;
use crate::spec::{FrameworkName, StrategyName};

pub(super) fn judge(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    protocol(job, out);
    any(job, out);
    known(job, out);
    at_most_one(job, out);
    match job.plan.framework.name.value {
        FrameworkName::Tensorflow => {
            let strategy = job.spec.framework.value.strategy.as_ref().map(|s| Premise::Value(s.span));
            let premises: Vec<_> =
                strategy.into_iter().chain([Premise::whole(&["job", "framework"])]).collect();
            // How many tasks there are follows from each role. What is missing is missing whatever the others are.
            let before = out.len();
            given(&premises, out, |out| tensorflow(job, out));
            let names = || job.plan.roles.iter().map(|role| Premise::Role(role.name.span));
            let counts = |found: &&mut Diagnostic| found.reports.is_none();
            out[before..].iter_mut().filter(counts).for_each(|found| found.premises.extend(names()));
        }
        FrameworkName::Pytorch
        | FrameworkName::Xgboost
        | FrameworkName::Mxnet
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => elsewhere(job, out),
    }
}

/// A job without roles starts nothing. What TensorFlow needs by its strategy is said below.
fn any(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let has_role = plan.roles.iter().any(|role| role.kind.joins_rendezvous());
    if has_role || plan.framework.name.value == FrameworkName::Tensorflow {
        return;
    }
    let example = plan.framework.name.value.roles().first().map_or("worker", |kind| kind.keyword());
    out.push(
        Diagnostic::new(&MISSING_ROLE, plan.name.span, "the job has no role, so it starts no task")
            .reports_missing(&["job", "role"])
            .here("no `role` in this job")
            .help(format!("add `role \"{example}\" {{ … }}`")),
    );
}

fn known(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let framework = plan.framework.name.value;
    if framework.takes_any_role() {
        return;
    }
    let names = || framework.roles().iter().map(|kind| kind.keyword());
    let listed = names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let others =
        "a program that runs next to them is a `helper`; one that must finish first is a job of its own";
    let members = || plan.roles.iter().filter(|role| role.kind.joins_rendezvous());
    for name in members().map(|role| &role.name).filter(|name| names().all(|known| known != name.value)) {
        let fact = format!("{} has no role `{}`", framework.keyword(), name.value);
        let mut found = Diagnostic::new(&UNKNOWN_ROLE, name.span, fact)
            .from_value(plan.framework.name.span)
            .blocks_targets(format!("role {:?}", name.value))
            .here("unknown role");
        found = match roles::meant(framework, &name.value) {
            Some(meant) => {
                let taken = members().any(|role| role.name.value == meant);
                let found = if taken { found.reports_misspelled(name.span) } else { found };
                let found = found.help(format!("did you mean `{meant}`? Roles are {listed}; {others}"));
                let rename = rename(job, name, meant).filter(|_| !taken);
                let rename = rename.map(|fix| fix.if_sure(only_near(&name.value, names())));
                rename.into_iter().fold(found, Diagnostic::fix)
            }
            None => found.help(format!("roles are {listed}; {others}")),
        };
        out.push(found);
    }
}

/// Another name for a role, wherever the job says the old one; none where a text says it too.
fn rename(job: &Job<'_>, name: &At<String>, meant: &str) -> Option<Fix> {
    let said = format!(".{}}}", name.value);
    let variable = format!("_{}", name.value.to_uppercase().replace('-', "_"));
    let mut places = std::collections::BTreeSet::from([name.span]);
    for (role, _) in job.roles() {
        let words = role.run.iter().flat_map(|run| &run.value.0).chain(&role.workdir);
        let in_text =
            words.chain(role.env.0.iter().map(|(_, text)| text)).any(|text| text.value.contains(&said));
        if in_text || role.shell.as_ref().is_some_and(|shell| shell.value.contains(&variable)) {
            return None;
        }
        places
            .extend(role.after.0.iter().filter(|(first, _)| first.value == name.value).map(|(f, _)| f.span));
    }
    let text = format!("\"{meant}\"");
    let title = format!("replace with `{text}`");
    let edits = places.into_iter().map(|span| Edit { span, text: text.clone() }).collect();
    Some(Fix::of(title, edits))
}

fn at_most_one(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for role in job.plan.roles.iter().filter(|role| role.kind.is_single() && role.count.value > 1) {
        // One of them, or another role for all: nobody knows, so there is no fix.
        let help = match role.kind.leads() {
            true => "remove `count`; the others are `role \"worker\" count=…`",
            false => "remove `count`",
        };
        let fact =
            format!("a job has at most one `{}`, and this one has {}", role.name.value, role.count.value);
        out.push(Diagnostic::new(&TOO_MANY_TASKS, role.count.span, fact).here("more than one").help(help));
    }
}

fn elsewhere(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    if let Some(strategy) = &job.spec.framework.value.strategy {
        let name = plan.framework.name.value.keyword();
        out.push(
            Diagnostic::new(
                &STRATEGY_FRAMEWORK_MISMATCH,
                strategy.span,
                format!("`strategy` is TensorFlow's, not {name}'s"),
            )
            .from_value(plan.framework.name.span)
            .here("no meaning here")
            .help(format!("remove it: {name} programs choose by themselves")),
        );
    }
    // The task of rank 0 is the one that the others call.
    let need = plan.framework.name.value.roles().first();
    if let Some(kind) = need.filter(|_| plan.rendezvous_tasks() > 1) {
        need_role(job, *kind, plan.framework.name.value.keyword(), out);
    }
    horovod(job, out);
    // ps-lite's workers wait for DMLC_NUM_SERVER servers, and a key of a distributed store is kept by one.
    if plan.framework.name.value == FrameworkName::Mxnet && plan.rendezvous_tasks() > 1 {
        need_role(job, RoleKind::Server, "mxnet", out);
    }
}

/// Horovod's tasks ask a server for each other's addresses, and only its launchers start one
/// (`horovod/runner/gloo_run.py` of 0.28.1).
fn horovod(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    let alone = job.plan.rendezvous_tasks() < 2;
    if framework.value != FrameworkName::Horovod || alone || launcher::starts_server(job) {
        return;
    }
    let fact = "Horovod's tasks meet at a rendezvous server, which its launcher starts, and this job has no launcher";
    out.push(
        Diagnostic::new(&NO_RENDEZVOUS_SERVER, framework.span, fact)
            .here("no rendezvous server")
            .help("start one in the program of worker 0, before `hvd.init()`: `tfjob explain no-rendezvous-server` shows how"),
    );
}

/// Says that a role is missing, at the framework's name.
fn need_role(job: &Job<'_>, kind: RoleKind, who: &str, out: &mut Vec<Diagnostic>) {
    let name = kind.keyword();
    if job.plan.role_of(kind).is_some() {
        return;
    }
    let fact = format!("{who} needs a `{name}`, and there is none");
    let old = job.plan.framework.version.as_ref().is_some_and(|v| !v.value.at_least((2, 0)));
    let mut help = format!("add `role \"{name}\" {{ … }}`");
    // Before there was a coordinator, a program started its own servers and worker 0 led.
    if old && kind == RoleKind::Chief && job.plan.framework.strategy == Some(StrategyName::ParameterServer) {
        help += "; a program of TensorFlow 1 whose first worker leads has none: write `strategy=\"custom\"`";
    }
    out.push(
        Diagnostic::new(&MISSING_ROLE, job.plan.framework.name.span, fact)
            .reports_missing(&["job", "role", name])
            .here(format!("no role \"{name}\" in this job"))
            .help(help),
    );
}

fn tensorflow(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
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
                .help(
                    "add `strategy=\"multi-worker-mirrored\"` (synchronous training), `\"parameter-server\"`, \
                     `\"estimator\"` or `\"custom\"`",
                ),
            );
        }
        return;
    };
    match strategy {
        StrategyName::Single | StrategyName::Mirrored => alone(job, strategy, out),
        StrategyName::MultiWorkerMirrored => {
            outside(plan, RoleKind::Ps, MWMS_PS, out);
            // With a `ps` another strategy may be meant.
            if plan.roles.iter().all(|role| role.kind != RoleKind::Ps) {
                equal_gpus::judge(job, out);
            }
        }
        StrategyName::ParameterServer => {
            for kind in [RoleKind::Chief, RoleKind::Worker, RoleKind::Ps] {
                need_role(job, kind, "ParameterServerStrategy", out);
            }
        }
        StrategyName::Estimator => {
            gone(job, out);
            if plan.rendezvous_tasks() > 1 {
                need_role(job, RoleKind::Chief, "tf.estimator's RunConfig", out);
            }
        }
        StrategyName::Custom => {}
    }
    let trains = members(plan).any(|r| r.kind.trains());
    // The chief that an estimator needs trains, too.
    let said = match strategy {
        StrategyName::ParameterServer => true,
        StrategyName::Estimator => plan.rendezvous_tasks() > 1,
        StrategyName::Single
        | StrategyName::Mirrored
        | StrategyName::MultiWorkerMirrored
        | StrategyName::Custom => false,
    };
    if !trains && !said {
        need_role(job, RoleKind::Worker, "a TensorFlow job", out);
    }
}

const MWMS_PS: &str = "with a `ps` in TF_CONFIG, MultiWorkerMirroredStrategy waits for it for ever";

fn members(plan: &Plan) -> impl Iterator<Item = &Role> {
    plan.roles.iter().filter(|r| r.kind.is_peer())
}

fn alone(job: &Job<'_>, strategy: StrategyName, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let tasks: u32 = members(plan).map(|r| r.count.value).sum();
    let Some(written) = job.spec.framework.value.strategy.as_ref().filter(|_| tasks > 1) else { return };
    let name = if strategy == StrategyName::Single { "single" } else { "mirrored" };
    let (place, label) = members(plan)
        .find(|r| r.count.value > 1)
        .or_else(|| members(plan).nth(1))
        .map_or((written.span, ""), |r| (r.count.span, "more than one task"));
    out.push(
        Diagnostic::new(
            &SINGLE_PROCESS_STRATEGY,
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
fn gone(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(version) = job.plan.framework.version.as_ref().filter(|v| v.value.at_least((2, 16))) else {
        return;
    };
    let strategy = job.spec.framework.value.strategy.as_ref().map_or(version.span, |s| s.span);
    out.push(
        Diagnostic::new(
            &REMOVED_STRATEGY,
            strategy,
            format!("TensorFlow {} has no `tf.estimator`", version.value),
        )
        .here("gone since 2.16")
        .label(version.span, "this version")
        .help("write `version=\"2.15\"` or older, or another strategy"),
    );
}

/// Where an `allow` speaks of some target, the gate of each says whether it is meant.
fn protocol(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(protocol) = &job.spec.protocol else { return };
    let allowed = job.plan.allows.iter().any(|a| a.feature.value == "protocol");
    if protocol.value.is_custom() && !allowed {
        out.push(crate::allow::needs_build(protocol.span).from_absent(&["job", "allow"]));
    }
}
