//! DC/OS: the options of its TensorFlow package where a job asks for that, else a group of Marathon apps.
mod images;
mod marathon;
mod merged;
pub mod options;
mod package;
mod pasted;
mod patched;
mod patches;
mod rules;
mod secrets;

use crate::patch::{self, Merged};
use marathon::Marathon;
use options::{Form, Options, RoleOptions};
use package::Package;
use patches::Patches;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tfjob_lang::ask::Ask;
use tfjob_lang::cluster::demand::Demand;
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::lowered::{Artefact, Lowered, TaskView, TracedContract};
use tfjob_lang::origin::Document;
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Accepted, Answer, Pasted, Site, Support, Target};

/// What Marathon and the package's scheduler match with the offer of an agent.
const SCHEDULED: [&str; 13] = [
    "acceptedResourceRoles",
    "constraints",
    "count",
    "cpus",
    "disk",
    "gpus",
    "hostPort",
    "instances",
    "mem",
    "placement",
    "placement_constraint",
    "resources",
    "scaling",
];

/// DC/OS, from 1.10 on.
#[derive(Debug)]
pub struct Dcos;

/// What lowering does for one ask, in one of the two forms.
#[derive(Debug)]
pub enum Means {
    /// Options of the package.
    Package(package::Means),
    /// Marathon apps.
    Marathon(marathon::Means),
}

/// Which form a job takes: what it says, else the package where it names a module.
fn form(site: &Site<Dcos>) -> Form {
    stated(&site.job).unwrap_or(Form::Marathon)
}

/// The form that these options ask for; none where they say nothing of it.
fn stated(options: &Options) -> Option<Form> {
    match (&options.r#as, &options.module) {
        (Some(form), _) => Some(form.value),
        (None, Some(_)) => Some(Form::Package),
        (None, None) => None,
    }
}

/// Whether the cluster is said to be of that version of DC/OS or a newer one.
fn is_since(site: &Site<Dcos>, version: (u32, u32)) -> bool {
    site.job.version.as_ref().is_some_and(|said| said.value.at_least(version))
}

impl Target for Dcos {
    const NAME: &'static str = "dcos";
    const ABOUT: &'static str = "Mesosphere DC/OS: the TensorFlow package, or a group of Marathon apps";
    const ALSO: &'static [&'static str] = &["mesos", "marathon", "mesosphere", "dc/os", "dc-os"];
    const HOST: Option<&'static str> = Some("hostname");
    const PASTED: &'static [Pasted] = pasted::PASTED;
    type Options = Options;
    type RoleOptions = RoleOptions;
    type Means = Means;
    type Context<'a> = Context<'a>;

    fn site_word(word: Word, options: &Options) -> Use {
        // A site that does not say which form its jobs take has jobs of both.
        let package = stated(options) == Some(Form::Package);
        match word {
            Word::DnsDomain => Use::Idle("has no use for `dns-domain`"),
            Word::MemoryStep => Use::Idle("gives a task exactly the memory that it requests, in no steps"),
            Word::Queue | Word::QueuePartition => Use::Idle("has no queues that a job could name"),
            Word::Partition => Use::Idle("has no partitions of nodes"),
            Word::Grace if package => Use::Idle("has no grace period in the package's options"),
            Word::Shared if package => Use::Idle("mounts no folder of the agents into the package's tasks"),
            Word::GpuMemory | Word::Device => Use::Refused,
            Word::GpuModel | Word::SharedMemory if package => Use::Refused,
            Word::GpuModel
            | Word::Disk
            | Word::SharedMemory
            | Word::Attribute
            | Word::Registry
            | Word::Shared
            | Word::Grace => Use::Checked,
        }
    }

    fn context<'a>(&self, plan: &'a Plan, site: &'a Site<Self>) -> Context<'a> {
        (plan, site)
    }

    fn answer(&self, ask: &Ask, case @ (_, site): &Context<'_>) -> Answer<Means> {
        match form(site) {
            Form::Package => Package::answer(ask, case).map(Means::Package),
            Form::Marathon => Marathon::answer(ask, case).map(Means::Marathon),
        }
    }

    fn rules(&self, plan: &Plan, site: &Site<Self>) -> Vec<Diagnostic> {
        rules::judge(self, plan, site)
    }

    fn reserves(&self, plan: &Plan, site: &Site<Self>, mut demand: Demand) -> Demand {
        marathon::ports(plan, form(site), &mut demand);
        demand.uncounted = patch::uncounted(plan, Self::NAME, &SCHEDULED);
        if form(site) == Form::Marathon {
            marathon::place(plan, &mut demand);
            if let Some(attribute) = &site.job.gpu_model_attribute {
                demand.mark_models(attribute.value.as_str(), str::to_owned);
            }
        }
        if form(site) == Form::Marathon && is_since(site, marathon::KEEPS_GPUS) {
            marathon::keep(plan, &mut demand);
        }
        demand
    }

    fn passes_checkpoints(&self, _plan: &Plan, site: &Site<Self>) -> bool {
        match form(site) {
            Form::Package => true,
            Form::Marathon => false,
        }
    }

    fn has_hadoop(&self, _plan: &Plan, site: &Site<Self>) -> bool {
        match form(site) {
            Form::Package => true,
            Form::Marathon => false,
        }
    }

    fn hosts(&self, plan: &Plan, site: &Site<Self>) -> Vec<String> {
        match form(site) {
            Form::Package => Vec::new(),
            Form::Marathon => marathon::hosts(plan, site),
        }
    }

    fn merged(&self, plan: &Plan, site: &Site<Self>, lowered: &Lowered) -> Vec<Diagnostic> {
        let document = lowered.artefacts.first().and_then(|a| a.documents.first());
        let Some(document) = document else { return Vec::new() };
        let mut document = Merged::new(Self::NAME, plan, document);
        match form(site) {
            Form::Marathon => merged::judge(&mut document, plan, site, lowered),
            Form::Package => package::judge_merged(&mut document, site),
        }
        document.done()
    }

    fn lower(&self, job: &Accepted<'_, Self>) -> Lowered {
        match form(job.site) {
            Form::Package => package::lower(job, job.means().filter_map(of_package)),
            Form::Marathon => marathon::lower(job, job.means().filter_map(of_marathon)),
        }
    }

    fn contract(&self, job: &Accepted<'_, Self>) -> Option<TracedContract> {
        match form(job.site) {
            Form::Package => None,
            Form::Marathon => marathon::contract(job, job.means().filter_map(of_marathon)),
        }
    }

    fn view(&self, job: &Accepted<'_, Self>, role: RoleId, index: u32) -> TaskView {
        match form(job.site) {
            Form::Package => package::view(job.site),
            Form::Marathon => marathon::view(job, job.means().filter_map(of_marathon), role, index),
        }
    }
}

fn of_package((at, means): (Span, &Means)) -> Option<(Span, &package::Means)> {
    match means {
        Means::Package(means) => Some((at, means)),
        Means::Marathon(_) => None,
    }
}

fn of_marathon((at, means): (Span, &Means)) -> Option<(Span, &marathon::Means)> {
    match means {
        Means::Marathon(means) => Some((at, means)),
        Means::Package(_) => None,
    }
}

/// The job, and what is said of its cluster.
type Context<'a> = (&'a Plan, &'a Site<Dcos>);

/// Mesos counts memory and disk in MiB.
fn whole_mebibytes<M>(bytes: u64, means: impl FnOnce(u64) -> M) -> Answer<M> {
    let mebibytes = bytes.div_ceil(1 << 20);
    if bytes.is_multiple_of(1 << 20) {
        return Answer::Native(means(mebibytes));
    }
    Answer::Emulated(means(mebibytes), format!("memory and disk are counted in MiB: it gets {mebibytes}"))
}

/// Thousandths of a core as the platform counts them: at least 0.001, at most three decimals, as the package's own
/// text of a smaller number is not read back (spark-dcos-observed §4).
fn cores(milli: u32) -> Decimal {
    Decimal(f64::from(milli.max(1)) / 1000.0)
}

/// A number that is written without a point where it is whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimal(f64);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 1e9 {
            return serializer.serialize_i64(self.0 as i64);
        }
        serializer.serialize_f64(self.0)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        f64::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        f64::json_schema(generator)
    }
}

/// A document as a file that people read too.
fn json_file(path: &str, document: Document) -> Artefact {
    let text = serde_json::to_string_pretty(&document.value).unwrap_or_default() + "\n";
    Artefact { path: path.to_owned(), text, executable: false, documents: vec![document] }
}
