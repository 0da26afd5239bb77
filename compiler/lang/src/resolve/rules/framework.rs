//! The roles of each framework, and the rules of TensorFlow by version and strategy.
//!
//! Observed with TensorFlow 2.12, 2.15, and 2.21: a program that breaks one of these rules fails at startup, or hangs for
//! an hour.
use super::{Job, equal_gpus, launcher, with_premises};
use crate::at::At;
use crate::codes::{
    MISSING_ROLE, MISSING_STRATEGY, NO_RENDEZVOUS_SERVER, REMOVED_STRATEGY, ROLE_OUTSIDE_STRATEGY,
    SINGLE_PROCESS_STRATEGY, STRATEGY_FRAMEWORK_MISMATCH, TOO_MANY_TASKS, UNKNOWN_ROLE,
};
use crate::diagnostic::{Diagnostic, Edit, Fix, Premise, Step, only_near};
use crate::plan::{Plan, Role, RoleKind};
use crate::resolve::roles;
use crate::spec::{FrameworkName, StrategyName};

pub(super) fn check(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    protocol(job, out);
    at_least_one(job, out);
    known_roles(job, out);
    at_most_one(job, out);
    match job.plan.framework.name.value {
        FrameworkName::Tensorflow => {
            let strategy = job.spec.framework.value.strategy.as_ref().map(|s| Premise::Value(s.span));
            let premises: Vec<_> =
                strategy.into_iter().chain([Premise::whole(&["job", "framework"])]).collect();
            // A finding about the number of tasks depends on the names of all roles. A finding about a missing role does not.
            let before = out.len();
            with_premises(&premises, out, |out| tensorflow(job, out));
            let names = || job.plan.roles.iter().map(|role| Premise::Role(role.name.span));
            let depends_on_count = |found: &&mut Diagnostic| found.reports.is_none();
            out[before..]
                .iter_mut()
                .filter(depends_on_count)
                .for_each(|found| found.premises.extend(names()));
        }
        FrameworkName::Pytorch
        | FrameworkName::Xgboost
        | FrameworkName::Mxnet
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => other_framework(job, out),
    }
}

/// Reports a job without roles. For TensorFlow, the rules of the strategy report the missing role.
fn at_least_one(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let has_role = plan.roles.iter().any(|role| role.kind.joins_rendezvous());
    if has_role || plan.framework.name.value == FrameworkName::Tensorflow {
        return;
    }
    let example = plan.framework.name.value.roles().first().map_or("worker", |kind| kind.keyword());
    let found = Diagnostic::new(&MISSING_ROLE, plan.name.span, "the job has no role, so it starts no task")
        .reports_missing(&["job", "role"])
        .here("no `role` in this job")
        .help(format!("add `role \"{example}\" {{ … }}`"));
    out.push(added_role(job, example).into_iter().fold(found, Diagnostic::remedy));
}

/// Returns the step that adds a role. `None` if the role would have errors, because the job has no default command or resources.
fn added_role(job: &Job<'_>, name: &str) -> Option<Step> {
    let spec = job.spec;
    let is_complete = spec.resources.is_some() && (spec.run.is_some() || spec.shell.is_some());
    is_complete.then(|| Step::add(format!("role \"{name}\"")))
}

/// Reports roles with a name that the framework does not define.
fn known_roles(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let framework = plan.framework.name.value;
    if framework.takes_any_role() {
        return;
    }
    let names = || framework.roles().iter().map(|kind| kind.keyword());
    let listed = names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let members = || plan.roles.iter().filter(|role| role.kind.joins_rendezvous());
    for name in members().map(|role| &role.name).filter(|name| names().all(|known| known != name.value)) {
        let fact = format!("`{}` is not a role of {}", name.value, framework.keyword());
        let mut found = Diagnostic::new(&UNKNOWN_ROLE, name.span, fact)
            .from_value(plan.framework.name.span)
            .blocks_targets(format!("role {:?}", name.value))
            .here("unknown role");
        found = match roles::corrected_name(framework, &name.value) {
            Some(meant) => {
                let taken = members().any(|role| role.name.value == meant);
                let found = if taken { found.reports_misspelled(name.span) } else { found };
                let found = found.help(format!(
                    "did you mean `{meant}`? The roles of {} are {listed}; declare other programs as `helper`",
                    framework.keyword()
                ));
                let rename = rename(job, name, meant).filter(|_| !taken);
                let rename = rename.map(|fix| fix.if_sure(only_near(&name.value, names())));
                rename.into_iter().fold(found, Diagnostic::fix)
            }
            None => found.help(format!(
                "the roles of {} are {listed}; declare a program that runs alongside them as `helper \"{}\"`; run a \
                 program that must finish first as a separate job",
                framework.keyword(),
                name.value
            )),
        };
        out.push(found);
    }
}

/// Returns the fix that renames a role and its references in `after`. `None` if a reference or an environment variable in a text
/// contains the name, because the fix does not change texts.
fn rename(job: &Job<'_>, name: &At<String>, meant: &str) -> Option<Fix> {
    let reference = format!(".{}}}", name.value);
    let variable = format!("_{}", name.value.to_uppercase().replace('-', "_"));
    let mut places = std::collections::BTreeSet::from([name.span]);
    for (role, _) in job.roles() {
        let arguments = role.run.iter().flat_map(|run| &run.value.0).chain(&role.workdir);
        let in_text = arguments
            .chain(role.env.0.iter().map(|(_, text)| text))
            .any(|text| text.value.contains(&reference));
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

/// Reports several tasks of a role that can have only one.
fn at_most_one(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    for role in job.plan.roles.iter().filter(|role| role.kind.is_single() && role.count.value > 1) {
        // There is no fix, because the other tasks may belong to another role.
        let help = match role.kind.leads() {
            true => "remove `count`, and use `role \"worker\" count=…` for the other tasks",
            false => "remove `count`",
        };
        let fact = format!(
            "a job can have only one `{}` task, but this job has {}",
            role.name.value, role.count.value
        );
        let told = Diagnostic::new(&TOO_MANY_TASKS, role.count.span, fact).here("more than 1").help(help);
        // Until the count is fixed, targets are not checked: their support, for example for `success`, may depend on the number of
        // tasks.
        out.push(told.blocks_targets(format!("role {:?} count", role.name.value)));
    }
}

fn other_framework(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    if let Some(strategy) = &job.spec.framework.value.strategy {
        let name = plan.framework.name.value.keyword();
        out.push(
            Diagnostic::new(
                &STRATEGY_FRAMEWORK_MISMATCH,
                strategy.span,
                format!("`strategy` applies only to tensorflow, but the framework is {name}"),
            )
            .from_value(plan.framework.name.span)
            .here(format!("not supported for {name}"))
            .help("remove `strategy`; the program selects its training strategy in code"),
        );
    }
    // The peers connect to the task with rank 0, so its role must exist.
    let need = plan.framework.name.value.roles().first();
    if let Some(kind) = need.filter(|_| plan.rendezvous_tasks() > 1) {
        need_role(job, *kind, plan.framework.name.value.keyword(), out);
    }
    horovod(job, out);
    // The workers of ps-lite wait for DMLC_NUM_SERVER servers. A distributed store keeps each key on one of these servers. So the
    // job needs a server.
    if plan.framework.name.value == FrameworkName::Mxnet && plan.rendezvous_tasks() > 1 {
        need_role(job, RoleKind::Server, "mxnet", out);
    }
}

/// Reports a missing rendezvous server. Horovod tasks get the addresses of their peers from this server, and only the
/// launchers of Horovod start one (`horovod/runner/gloo_run.py` of 0.28.1).
fn horovod(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let framework = &job.plan.framework.name;
    let single_task = job.plan.rendezvous_tasks() < 2;
    if framework.value != FrameworkName::Horovod || single_task || launcher::starts_server(job) {
        return;
    }
    let fact =
        "Horovod tasks need the rendezvous server of a Horovod launcher, but this job runs no launcher";
    out.push(
        Diagnostic::new(&NO_RENDEZVOUS_SERVER, framework.span, fact)
            .here("no rendezvous server")
            .help("start the server in worker 0 before `hvd.init()`; for example code, run `tfjob explain no-rendezvous-server`"),
    );
}

/// Reports a missing role. The span of the error is the name of the framework. `who`: the framework or API that needs the role.
fn need_role(job: &Job<'_>, kind: RoleKind, who: &str, out: &mut Vec<Diagnostic>) {
    let name = kind.keyword();
    if job.plan.role_of(kind).is_some() {
        return;
    }
    let fact = format!("{who} needs a `{name}` role, but this job has none");
    let old = job.plan.framework.version.as_ref().is_some_and(|v| !v.value.at_least((2, 0)));
    let mut help = format!("add `role \"{name}\" {{ … }}`");
    // In TensorFlow 1, the program starts its own servers, and worker 0 coordinates. Such a program needs no `chief`.
    if old && kind == RoleKind::Chief && job.plan.framework.strategy == Some(StrategyName::ParameterServer) {
        help +=
            "; for a TensorFlow 1 program in which worker 0 coordinates, write `strategy=\"custom\"` instead";
    }
    let found = Diagnostic::new(&MISSING_ROLE, job.plan.framework.name.span, fact)
        .reports_missing(&["job", "role", name])
        .here(format!("no `role \"{name}\"` in this job"))
        .help(help);
    out.push(added_role(job, name).into_iter().fold(found, Diagnostic::remedy));
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
                    format!("a TensorFlow job with {tasks} tasks needs a `strategy`, but none is set"),
                )
                .here("no `strategy`")
                .help(match plan.roles.iter().any(|role| role.kind == RoleKind::Ps) {
                    true => "add `strategy=\"parameter-server\"`, `\"estimator\"`, or `\"custom\"`",
                    false => {
                        "add `strategy=\"multi-worker-mirrored\"` (synchronous training), `\"parameter-server\"`, \
                         `\"estimator\"`, or `\"custom\"`"
                    }
                }),
            );
        }
        return;
    };
    match strategy {
        StrategyName::Single | StrategyName::Mirrored => single_process(job, strategy, out),
        StrategyName::MultiWorkerMirrored => {
            outside_strategy(plan, strategy, MWMS_PS, out);
            // A job with a `ps` may need another strategy, so its GPUs are not compared.
            if plan.roles.iter().all(|role| strategy.includes(role.kind)) {
                equal_gpus::check(job, out);
            }
        }
        StrategyName::ParameterServer => {
            for kind in [RoleKind::Chief, RoleKind::Worker, RoleKind::Ps] {
                need_role(job, kind, "ParameterServerStrategy", out);
            }
        }
        StrategyName::Estimator => {
            removed(job, out);
            if plan.rendezvous_tasks() > 1 {
                need_role(job, RoleKind::Chief, "tf.estimator.RunConfig", out);
            }
        }
        StrategyName::Custom => {}
    }
    let trains = members(plan).any(|r| r.kind.trains());
    // Whether the rules of the strategy (above) already report a job without a training role.
    let reported = match strategy {
        StrategyName::ParameterServer => true,
        StrategyName::Estimator => plan.rendezvous_tasks() > 1,
        StrategyName::Single
        | StrategyName::Mirrored
        | StrategyName::MultiWorkerMirrored
        | StrategyName::Custom => false,
    };
    if !trains && !reported {
        need_role(job, RoleKind::Worker, "a TensorFlow job", out);
    }
}

const MWMS_PS: &str = "MultiWorkerMirroredStrategy hangs if TF_CONFIG contains a `ps` task";

fn members(plan: &Plan) -> impl Iterator<Item = &Role> {
    plan.roles.iter().filter(|r| r.kind.is_peer())
}

/// Reports several tasks with a strategy that runs one task.
fn single_process(job: &Job<'_>, strategy: StrategyName, out: &mut Vec<Diagnostic>) {
    let plan = job.plan;
    let tasks: u32 = members(plan).map(|r| r.count.value).sum();
    let Some(written) = job.spec.framework.value.strategy.as_ref().filter(|_| tasks > 1) else { return };
    let name = if strategy == StrategyName::Single { "single" } else { "mirrored" };
    let help = match plan.roles.iter().any(|role| role.kind == RoleKind::Ps) {
        true => "write `strategy=\"parameter-server\"`, or reduce the job to one task",
        false => {
            "write `strategy=\"multi-worker-mirrored\"` for synchronous training, or reduce the job to one task"
        }
    };
    let (place, label) = members(plan)
        .find(|r| r.count.value > 1)
        .or_else(|| members(plan).nth(1))
        .map_or((written.span, ""), |r| (r.count.span, "more than one task"));
    out.push(
        Diagnostic::new(
            &SINGLE_PROCESS_STRATEGY,
            written.span,
            format!("strategy `{name}` runs one task, but this job has {tasks} tasks"),
        )
        .here("runs one task")
        .label(place, label)
        .help(help),
    );
}

/// Reports the roles that the strategy of the job does not use. `why`: the message.
fn outside_strategy(plan: &Plan, strategy: StrategyName, why: &str, out: &mut Vec<Diagnostic>) {
    for role in plan.roles.iter().filter(|role| !strategy.includes(role.kind)) {
        out.push(
            Diagnostic::new(&ROLE_OUTSIDE_STRATEGY, role.name.span, why)
                .here("not part of this strategy")
                .label(plan.framework.name.span, "uses MultiWorkerMirroredStrategy")
                .help(format!(
                    "remove `role \"{}\"`, or write `strategy=\"parameter-server\"`",
                    role.name.value
                )),
        );
    }
}

/// Reports `tf.estimator` with a version that does not include it. It was removed after 2.15.
fn removed(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(version) = job.plan.framework.version.as_ref().filter(|v| v.value.at_least((2, 16))) else {
        return;
    };
    let strategy = job.spec.framework.value.strategy.as_ref().map_or(version.span, |s| s.span);
    out.push(
        Diagnostic::new(
            &REMOVED_STRATEGY,
            strategy,
            format!(
                "TensorFlow {} does not include `tf.estimator`, which was removed in 2.16",
                version.value
            ),
        )
        .here("removed in 2.16")
        .label(version.span, "this version")
        .help("write `version=\"2.15\"` or earlier, or use another strategy"),
    );
}

/// Reports a protocol that needs a custom build of TensorFlow. If the job has an `allow` for `protocol`, the check of each target
/// decides about the protocol instead.
fn protocol(job: &Job<'_>, out: &mut Vec<Diagnostic>) {
    let Some(protocol) = &job.spec.protocol else { return };
    let allowed = job.plan.allows.iter().any(|a| a.feature.value == "protocol");
    if protocol.value.is_custom() && !allowed {
        out.push(crate::allow::needs_build(protocol.span, None).from_absent(&["job", "allow"]));
    }
}
