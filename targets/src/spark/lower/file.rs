//! Builds `job.json`.
use super::draft::Draft;
use crate::contract_builder::Location;
use crate::libhdfs;
use crate::shim_source::ShimSource;
use crate::spark::context::Context;
use crate::spark::options;
use crate::spark::schema::{After, Feed, Fresh, JobFile, Restart, Role, Shim, Words};
use crate::spark::text::sent_name;
use tfjob_contract::{Contract, Run};
use tfjob_lang::at::At;
use tfjob_lang::origin::{Origins, Traced};
use tfjob_lang::plan::{RoleId, RoleKind};
use tfjob_lang::requirement;
use tfjob_lang::spec::values::Version;

/// Seconds between SIGTERM and SIGINT for tasks that the driver stops. `tfjob_node.py` sends SIGKILL 15 seconds after SIGINT.
const GRACE: u64 = 30;

/// Default of `wait` in seconds: one week. The default is long, because a job may wait in a queue, and `TensorFlowOnSpark`
/// requires a limit.
const WAIT: u64 = 604_800;

/// Returns the content of `job.json`. Its strings come from `contract`, the job contract.
pub fn job(draft: &Draft<'_>, contract: &(Contract, Origins)) -> JobFile {
    let (plan, options) = (draft.context.plan, draft.context.options);
    let start = draft.wait.as_ref().map(|(seconds, _)| seconds.clone());
    let version = |v: &Option<At<Version>>| v.as_ref().map(|v| Traced(v.value.to_string(), v.span));
    JobFile {
        job: Traced(plan.name.value.clone(), plan.name.span),
        spark: version(&options.spark),
        tfos: version(&options.tfos),
        wait: start.clone().unwrap_or(Traced(WAIT, plan.name.span)),
        start,
        deadline: draft.deadline.clone(),
        grace: GRACE,
        fresh: fresh(draft),
        gpus: draft.context.executor().gpus,
        scratch: draft.scratch.then(|| scratch(&draft.places.scratch)),
        input: options.input.as_ref().map(|i| Traced(input_word(i.value), i.span)),
        feed: feed(draft),
        shim: draft.shim.then(|| Shim { program: shim_name(options), contract: "contract.json" }),
        roles: (0..plan.roles.len()).map(|id| role(draft, contract, id)).collect(),
    }
}

/// Returns the path of the scratch directory: relative to the working directory of the executor, or absolute for a pod volume.
fn scratch(location: &Location) -> String {
    match &location.under {
        Some(_) => location.path.trim_start_matches('/').to_owned(),
        None => location.path.clone(),
    }
}

fn shim_name(options: &options::Options) -> String {
    let location = ShimSource::location(options.shim.as_ref());
    sent_name(location.as_ref().map_or("tfjob-shim", |location| location.value.as_str()))
}

fn fresh(draft: &Draft<'_>) -> Option<Traced<Fresh>> {
    let (mounted, at) = draft.fresh?;
    let checkpoints = draft.context.plan.storage.checkpoints.as_ref()?;
    let path = if mounted {
        draft.places.checkpoints.path.clone()
    } else {
        libhdfs::address(&checkpoints.uri.value)
    };
    Some(Traced(Fresh { path, mounted }, at))
}

fn feed(draft: &Draft<'_>) -> Option<Feed> {
    let context = &draft.context;
    let feed = context.options.feed.as_ref().filter(|_| context.feeds())?;
    let options::Feed { data, format, epochs, header, timeout } = &feed.value;
    let index = context.plan.storage.data.iter().position(|v| v.name.value == data.value.as_str())?;
    let header = header.as_ref().map(|h| ("header", Traced(h.value.to_string(), h.span)));
    Some(Feed {
        path: Traced(libhdfs::address(&context.plan.storage.data[index].uri.value), data.span),
        format: Traced(format.value.word(), format.span),
        options: header.into_iter().collect(),
        epochs: epochs.as_ref().map_or(Traced(1, feed.span), |e| Traced(e.value, e.span)),
        patience: timeout.as_ref().map_or(Traced(600, feed.span), |t| Traced(t.value.seconds(), t.span)),
    })
}

fn role(draft: &Draft<'_>, (contract, origins): &(Contract, Origins), id: RoleId) -> Role {
    let plan = draft.context.plan;
    let (role, compiled) = (&plan.roles[id], &contract.roles[id]);
    let text = |value, pointer: &str| {
        let at = origins.blame(&format!("/roles/{id}{pointer}")).unwrap_or(role.name.span);
        Traced(Words::of(value), at)
    };
    let without_shim = !draft.shim;
    let argv = match &compiled.run {
        Run::Argv(argv) if without_shim => argv.as_slice(),
        Run::Argv(_) | Run::Shell(_) => &[],
    };
    let env = if without_shim { compiled.env.as_slice() } else { &[] };
    let after = draft.after.iter().filter(|(role, ..)| *role == id);
    Role {
        name: Traced(role.name.value.clone(), role.name.span),
        count: Traced(role.count.value, role.count.span),
        decides: Traced(draft.decides(id), draft.success.1),
        helper: role.kind == RoleKind::Helper,
        fed: draft.context.feeds() && Context::is_fed(role.kind),
        gpus: compiled.gpus.map(|gpus| Traced(gpus, draft.gpus.get(&id).copied().unwrap_or(role.name.span))),
        after: after
            .map(|(_, first, when, at)| {
                let role = plan.roles[*first].name.value.clone();
                Traced(After { role, when: when.keyword() }, *at)
            })
            .collect(),
        ready: draft.probe(id),
        restart: draft.again.get(&id).map(|(terms, at)| Traced(restart(terms), *at)),
        hide: draft.hidden(id),
        argv: argv.iter().enumerate().map(|(i, w)| text(w, &format!("/run/argv/{i}"))).collect(),
        env: env
            .iter()
            .enumerate()
            .map(|(i, (name, value))| (name.clone(), text(value, &format!("/env/{i}"))))
            .collect(),
        workdir: compiled.workdir.as_ref().filter(|_| without_shim).map(|value| text(value, "/workdir")),
    }
}

fn restart(terms: &requirement::Restart) -> Restart {
    let requirement::Restart {
        on: _,
        limit,
        within,
        backoff,
        max_backoff,
        min_uptime,
        no_progress_limit: _,
        scope: _,
        codes,
        mounted: _,
    } = terms;
    Restart {
        limit: *limit,
        within: *within,
        backoff: *backoff,
        max_backoff: *max_backoff,
        min_uptime: *min_uptime,
        codes: codes.clone(),
    }
}

const fn input_word(input: options::Input) -> &'static str {
    match input {
        options::Input::Tensorflow => "tensorflow",
        options::Input::Spark => "spark",
    }
}
