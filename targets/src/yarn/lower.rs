//! Lowering of accepted mechanisms to a Yarnfile, and to the steps that submit it.
pub mod board;
pub mod command;
pub mod component;
mod finish;
pub mod layout;
mod parts;
mod steps;

use super::Yarn;
use super::context::never_fails;
use super::mechanism::Mechanism;
use super::schema::{
    Configuration, Constraint, Counted, DOMINANT, KerberosPrincipal, NO_LIMIT, ReadinessCheck, Service,
    THRESHOLD,
};
use super::variables::{INDEX, ROLE};
use crate::contract_builder::ContractBuilder;
use component::Draft;
use layout::Layout;
use std::collections::BTreeMap;
use tfjob_contract::{Piece, Source, Value};
use tfjob_lang::lowered::{Lowered, Step, TracedContract};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{RoleId, Template};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Accepted;

/// File name of the Yarnfile.
pub const FILE: &str = "Yarnfile.json";

/// The Yarnfile and the job contract, to which the mechanisms are applied.
pub(super) struct Writer<'j, 'p> {
    /// The accepted job.
    pub job: &'j Accepted<'p, Yarn>,
    /// Paths of code, files, data, and checkpoints.
    pub layout: &'j Layout,
    /// The service, without its components.
    pub service: Service,
    /// The component of each role.
    pub roles: Vec<Draft>,
    /// The component of TensorBoard.
    pub board: Option<Draft>,
    /// Arguments of TensorBoard, if the shim starts it.
    pub board_argv: Option<(Vec<Value>, Span)>,
    /// Docker network.
    network: Option<Traced<String>>,
    /// Builder of the job contract, if the job needs the shim.
    pub builder: Option<ContractBuilder>,
    /// Steps before submission.
    steps: Vec<Step>,
    /// Read-only mounts of data and checkpoints, for TensorBoard.
    shared: Vec<Traced<String>>,
    /// Patches, each with its text and span. The role is `None` for a patch of the service.
    patches: Vec<(Option<RoleId>, String, Span)>,
    /// Entries of the spec that the target fulfills without writing a value into an artifact. Key: span of the entry. Value: text
    /// that says how the target fulfills the entry.
    inherent: BTreeMap<Span, String>,
    /// Span of `if-exists`, if the shim checks for existing checkpoints.
    fresh: Option<Span>,
    /// Checkpoint interval in seconds, with its span.
    every: Option<(u64, Span)>,
    /// Span of the `restart` for which the shim watches the checkpoints, if there is one.
    watched: Option<Span>,
    /// Seconds between SIGTERM and SIGKILL, if set.
    delay: Option<(u64, Span)>,
}

/// Returns a writer to which all mechanisms are applied. An earlier pass over the same mechanisms has built `layout`
/// ([`Layout::of`]).
pub(super) fn write<'j, 'p>(job: &'j Accepted<'p, Yarn>, layout: &'j Layout) -> Writer<'j, 'p> {
    let mut writer = Writer::new(job, layout);
    for (at, mechanism) in job.mechanisms() {
        writer.take(at, mechanism);
    }
    writer.end();
    writer
}

/// Returns the Yarnfile, the job contract, and the steps.
pub fn lower(job: &Accepted<'_, Yarn>) -> Lowered {
    let layout = Layout::of(job);
    write(job, &layout).done()
}

/// Returns the job contract, or `None` if the job does not need the shim.
pub fn contract(job: &Accepted<'_, Yarn>) -> Option<TracedContract> {
    let layout = Layout::of(job);
    if layout.shim { write(job, &layout).builder.map(ContractBuilder::done) } else { None }
}

impl<'j, 'p> Writer<'j, 'p> {
    fn new(job: &'j Accepted<'p, Yarn>, layout: &'j Layout) -> Self {
        let plan = job.plan;
        let roles = plan.roles.iter().map(|role| Draft::new(&role.name.value, role.name.span)).collect();
        let source = |name: &str| Source::Env(name.to_owned());
        let builder =
            || ContractBuilder::new(plan, &layout.places, source(ROLE), source(INDEX), layout.peers.clone());
        Self {
            job,
            layout,
            service: service(plan.name.value.clone(), never_fails(plan), plan.name.span),
            roles,
            board: None,
            board_argv: None,
            network: None,
            builder: layout.shim.then(builder),
            steps: Vec::new(),
            shared: Vec::new(),
            patches: Vec::new(),
            inherent: BTreeMap::new(),
            fresh: None,
            every: None,
            watched: None,
            delay: None,
        }
    }

    #[expect(clippy::too_many_lines, reason = "a few lines per mechanism")]
    fn take(&mut self, at: Span, mechanism: &Mechanism) {
        match mechanism {
            Mechanism::Name(name) => self.service.name = Traced(name.clone(), at),
            Mechanism::Description(text) => self.service.description = Some(Traced(text.clone(), at)),
            Mechanism::Rendezvous { .. } => {
                self.note(at, "the job contract that the shim reads contains the rendezvous")
            }
            Mechanism::Component { role, count } => self.roles[*role].count = Traced(*count, at),
            Mechanism::Image { role, id } => self.roles[*role].image = Some(Traced(id.clone(), at)),
            Mechanism::Run { role, argv } => {
                let argv = argv.iter().map(|argument| self.value(argument)).collect();
                self.command(*role, argv, at);
            }
            Mechanism::Shell { role, text } => {
                let argv =
                    ["/bin/sh", "-ec", text].iter().map(|w| vec![Piece::Text((*w).to_owned())]).collect();
                self.shell_variables(*role, at);
                self.command(*role, argv, at);
            }
            Mechanism::Workdir { role, path } => {
                self.roles[*role].command.workdir = Some(self.value(path));
                self.roles[*role].command_at = self.roles[*role].command_at.to(at);
                self.note(at, "the launch command changes to this directory first");
            }
            Mechanism::Env { role, name, value } => {
                let value = self.value(value);
                self.roles[*role].variable(name, value, at);
                if !self.layout.shim && !self.roles[*role].env.contains_key(name) {
                    self.note(at, "the launch command sets the variable");
                }
            }
            Mechanism::Cores { role, count } => self.roles[*role].cores = Traced(*count, at),
            Mechanism::Memory { role, mebibytes } => self.roles[*role].memory = Traced(*mebibytes, at),
            Mechanism::Counted { role, name, count } => {
                let counted = Counted { value: Traced(*count, at), unit: String::new() };
                self.roles[*role].counted.insert(name.clone(), counted);
            }
            Mechanism::SharedMemory { role } => {
                self.roles[*role].runtime("YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS", "/dev/shm", at);
            }
            Mechanism::Constrain { role, kind, scope, attribute } => {
                let component = self.roles[*role].name.0.clone();
                let attribute =
                    attribute.as_ref().map(|(key, value)| (key.clone(), Traced(value.clone(), at)));
                let constraint = match attribute {
                    Some((key, value)) => Constraint::attribute(*kind, Traced(*scope, at), key, value),
                    None => Constraint::tasks(*kind, Traced(*scope, at), component),
                };
                self.roles[*role].constraints.push(constraint);
            }
            Mechanism::Link { role, label, port, user, domain } => {
                self.link(*role, (label, *port), (user, domain), at)
            }
            Mechanism::InPlace { role, tries, pause, window } => {
                self.in_place(*role, *tries, (*pause, *window), at)
            }
            Mechanism::Replace { role, always, limited } => self.replace(*role, *always, *limited, at),
            Mechanism::Depends { role, first } => {
                let first = self.roles[*first].name.0.clone();
                self.roles[*role].dependencies.push(Traced(first, at));
            }
            Mechanism::Check { role, kind, key, value } => {
                let properties = BTreeMap::from([((*key).to_owned(), Traced(value.clone(), at))]);
                self.roles[*role].check = Some(ReadinessCheck { kind: *kind, properties });
            }
            Mechanism::Localise { kind, dest, source, steps, .. } => {
                self.file(*kind, dest, Some(source), BTreeMap::new(), at);
                self.steps.extend(steps.iter().cloned());
            }
            Mechanism::There { .. } => self.note(at, "the program opens the URI itself"),
            Mechanism::Mount { place, roles, source, at: path, writable } => {
                self.mount(*place, roles, (source, path, *writable), at);
            }
            Mechanism::Scratch { role } => {
                self.roles[*role].command.scratch = true;
                self.note(at, "the launch command creates the directory");
            }
            Mechanism::Hadoop { home, java, conf } => {
                self.carried(|builder| builder.hadoop(home, java, conf.as_deref(), at));
            }
            Mechanism::Fresh(steps) => {
                self.steps.extend(steps.iter().cloned());
                self.note(at, "a setup step creates the directory and fails if it exists");
            }
            Mechanism::Every(seconds) => self.every = Some((*seconds, at)),
            Mechanism::Kept => self.kept(at),
            Mechanism::Lifetime(seconds) => self.service.lifetime = Some(Traced(*seconds, at)),
            Mechanism::Dominant(role) => {
                self.roles[*role].property(DOMINANT, "true", at);
            }
            Mechanism::Tensorboard(board) => board::take(self, board, at),
            Mechanism::Network(name) => self.network = Some(Traced(name.clone(), at)),
            Mechanism::Kerberos { principal, keytab } => {
                self.service.kerberos_principal = Some(KerberosPrincipal {
                    principal_name: Traced(principal.clone(), at),
                    keytab: Traced(keytab.clone(), at),
                });
            }
            Mechanism::Patch { role, text } => self.patches.push((*role, text.clone(), at)),
            Mechanism::Duty(duty) => self.duty(duty, at),
            Mechanism::Delay(seconds) => {
                self.delay = Some((*seconds, at));
                self.note(
                    at,
                    "on this cluster, the delay between SIGTERM and SIGKILL (`kill-delay`) is long enough",
                );
            }
        }
    }

    /// Returns whether the job has patches.
    pub const fn patched(&self) -> bool {
        !self.patches.is_empty()
    }

    /// Applies `add` to the job contract, if the job needs the shim.
    fn carried(&mut self, add: impl FnOnce(&mut ContractBuilder)) {
        if let Some(builder) = &mut self.builder {
            add(builder);
        }
    }

    /// Records why an entry of the spec needs no value in an artifact. `why`: how the target fulfills it.
    pub fn note(&mut self, at: Span, why: &str) {
        self.inherent.insert(at, why.to_owned());
    }

    fn value(&self, template: &Template) -> Value {
        self.layout.places.value(template, self.job.plan)
    }
}

/// Returns a service without components. The components decide job success, so the service has no limit for failed containers. YARN
/// restarts the service master only if `never_fails` is true, because a second service master would rerun a failed job.
fn service(name: String, never_fails: bool, at: Span) -> Service {
    let once = (!never_fails).then_some(("yarn.service.am-restart.max-attempts", "1"));
    let properties = once
        .into_iter()
        .chain([(THRESHOLD, NO_LIMIT)])
        .map(|(name, value)| (name.to_owned(), Traced(value.to_owned(), at)));
    Service {
        name: Traced(name, at),
        version: "1".to_owned(),
        description: None,
        queue: None,
        lifetime: None,
        kerberos_principal: None,
        docker_client_config: None,
        dependencies: Vec::new(),
        quicklinks: BTreeMap::new(),
        configuration: Configuration { properties: properties.collect(), ..Configuration::default() },
        components: Vec::new(),
    }
}
