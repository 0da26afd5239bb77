//! Target `spark`: a script that calls spark-submit, and a driver that runs the job with `TensorFlowOnSpark`. The cluster manager
//! is YARN, Kubernetes, or a standalone master.
//!
//! Each executor runs one task, and each task is one program. `TensorFlowOnSpark` starts the executors and collects their
//! addresses. The driver starts the tasks in order and ends the job. If the job needs the shim, the shim writes `TF_CONFIG`.
mod cluster;
mod context;
mod lower;
mod mechanism;
mod options;
mod pasted;
mod python;
mod reserve;
mod rules;
mod schema;
mod settings;
mod support;
mod text;
mod updates;
mod view;

pub use mechanism::{Mechanism, Probe};
pub use options::{DeployMode, Feed, Format, Input, Options, RoleOptions};
pub use text::refused_in_directory;

use context::Context;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::mentions::Kind;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::target::{Accepted, Pasted, Site, Support, SupportTable, Target, Updates};

/// The target for Spark with `TensorFlowOnSpark`.
#[derive(Debug)]
pub struct Spark;

impl Target for Spark {
    const NAME: &'static str = "spark";
    const NAMESPACE: Option<&'static str> = Some("namespace");
    const ABOUT: &'static str = "spark-submit script and driver for TensorFlowOnSpark";
    const ALIASES: &'static [&'static str] = &["spark-submit", "pyspark", "tensorflowonspark", "tfos"];
    const HAS_HDFS: bool = true;
    const PASTED: &'static [Pasted] = pasted::PASTED;
    const NAMING: &'static [(&'static str, &'static str, Kind)] =
        &[("feed", "data", Kind::Data), ("python", "", Kind::Files)];
    const UPDATES: Updates = updates::UPDATES;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Mechanism = Mechanism;
    type Context<'a> = Context<'a>;

    fn cluster_field(word: Word, options: &Options) -> Use {
        cluster::cluster_field(word, options)
    }

    fn settings(option: &str) -> Vec<&'static str> {
        if option == "conf" { settings::keys() } else { Vec::new() }
    }

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        Context::new(plan, &site.job)
    }

    fn support(&self, requirement: &Requirement, context: &Context<'_>) -> Support<Mechanism> {
        <Self as SupportTable>::lookup(requirement, context)
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        let mut out = rules::judge(&Context::new(plan, &site.job));
        out.extend(crate::rendezvous::judge(self, plan, site));
        out
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, demand: Demand) -> Demand {
        reserve::reserve(&Context::new(plan, &site.job), demand)
    }

    fn finds_port(&self, plan: &Plan, _site: &Site<Self>, role: RoleId) -> bool {
        rules::unstated_port(plan, role)
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        lower::lower(job)
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        lower::contract(job)
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        view::view(job, role, index)
    }
}
