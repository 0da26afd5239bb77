//! From what YARN agreed to, to a Yarnfile and the steps around it.
use super::Yarn;
use super::answer::upload;
use super::command::{CONTRACT, SHIM};
use super::component::{Draft, NO_LIMIT, THRESHOLD};
use super::layout::Layout;
use super::means::{Duty, Means};
use super::shape::{
    ConfigFile, Configuration, Constraint, Counted, FileType, KerberosPrincipal, ReadinessCheck,
    RestartPolicy, Scope, Service,
};
use super::{board, steps, text};
use crate::carry::Carry;
use std::collections::BTreeMap;
use tfjob_contract::{Contract, Piece, Source, Value};
use tfjob_lang::at::At;
use tfjob_lang::lowered::{Artefact, Lowered, Step};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::plan::{Place, RoleId, Template};
use tfjob_lang::sources::Span;
use tfjob_lang::target::{Accepted, leaves};

/// The variable with a task's role, for the shim.
pub const ROLE: &str = "TFJOB_ROLE";
/// The variable with a task's index, for the shim.
pub const INDEX: &str = "TFJOB_INDEX";
/// The name of the artefact.
pub const FILE: &str = "Yarnfile.json";

/// A job while it is written.
pub(super) struct Writer<'j, 'p> {
    pub job: &'j Accepted<'p, Yarn>,
    pub layout: &'j Layout,
    pub service: Service,
    pub roles: Vec<Draft>,
    pub board: Option<Draft>,
    pub network: Option<Traced<String>>,
    pub carry: Option<Carry>,
    pub steps: Vec<Step>,
    /// What a TensorBoard may read too.
    shared: Vec<Traced<String>>,
    pub patches: Vec<(Option<RoleId>, String, Span)>,
    pub inherent: BTreeMap<Span, String>,
    fresh: Option<Span>,
    every: Option<(u64, Span)>,
    watched: Option<Span>,
}

/// Folds over the means: [`Layout::of`] has looked at them once.
pub(super) fn write<'j, 'p>(job: &'j Accepted<'p, Yarn>, layout: &'j Layout) -> Writer<'j, 'p> {
    let mut writer = Writer::new(job, layout);
    for (at, means) in job.means() {
        writer.take(at, means);
    }
    writer.end();
    writer
}

/// The Yarnfile, the contract and the steps.
pub fn lower(job: &Accepted<'_, Yarn>) -> Lowered {
    let layout = Layout::of(job);
    write(job, &layout).done()
}

impl<'j, 'p> Writer<'j, 'p> {
    fn new(job: &'j Accepted<'p, Yarn>, layout: &'j Layout) -> Self {
        let plan = job.plan;
        let roles = plan.roles.iter().map(|role| Draft::new(&role.name.value, role.name.span)).collect();
        let source = |name: &str| Source::Env(name.to_owned());
        let carry = || Carry::new(plan, &layout.places, source(ROLE), source(INDEX), layout.peers.clone());
        Self {
            job,
            layout,
            service: service(plan.name.value.clone(), plan.name.span),
            roles,
            board: None,
            network: None,
            carry: layout.shim.then(carry),
            steps: Vec::new(),
            shared: Vec::new(),
            patches: Vec::new(),
            inherent: BTreeMap::new(),
            fresh: None,
            every: None,
            watched: None,
        }
    }

    #[expect(clippy::too_many_lines, reason = "a few lines a means")]
    fn take(&mut self, at: Span, means: &Means) {
        match means {
            Means::Name(name) => self.service.name = Traced(name.clone(), at),
            Means::Description(words) => self.service.description = Some(Traced(words.clone(), at)),
            Means::Rendezvous { .. } => self.note(at, "the contract says it, where the program needs it"),
            Means::Component { role, count } => self.roles[*role].count = Traced(*count, at),
            Means::Image { role, id } => self.roles[*role].image = Some(Traced(id.clone(), at)),
            Means::Registry(uri) => self.service.docker_client_config = Some(Traced(uri.clone(), at)),
            Means::Run { role, argv } => {
                let argv = argv.iter().map(|word| self.value(word)).collect();
                self.command(*role, argv, at);
            }
            Means::Shell { role, text } => {
                let words = ["sh", "-euc", text];
                let argv = words.iter().map(|w| vec![Piece::Text((*w).to_owned())]).collect();
                self.shell_variables(*role, at);
                self.command(*role, argv, at);
            }
            Means::Workdir { role, path } => {
                self.roles[*role].command.workdir = Some(self.value(path));
                self.roles[*role].command_at = self.roles[*role].command_at.to(at);
                self.note(at, "the command goes there first");
            }
            Means::Env { role, name, value } => {
                let value = self.value(value);
                self.roles[*role].variable(name, value, at);
                if !self.layout.shim && super::command::exported(name) {
                    self.note(at, "the command sets it: the engine would set its own over it");
                }
            }
            Means::Cores { role, count } => self.roles[*role].cores = Traced(*count, at),
            Means::Memory { role, mebibytes } => self.roles[*role].memory = Traced(*mebibytes, at),
            Means::Counted { role, name, count } => {
                let counted = Counted { value: Traced(*count, at), unit: String::new() };
                self.roles[*role].counted.insert(name.clone(), counted);
            }
            Means::SharedMemory { role } => {
                self.roles[*role].runtime("YARN_CONTAINER_RUNTIME_DOCKER_TMPFS_MOUNTS", "/dev/shm", at);
            }
            Means::Constrain { role, kind, scope, attribute } => {
                let own = self.roles[*role].name.0.clone();
                self.roles[*role].constraints.push(Constraint {
                    kind: *kind,
                    scope: Traced::<Scope>(*scope, at),
                    target_tags: if attribute.is_some() { Vec::new() } else { vec![own] },
                    node_attributes: attribute
                        .iter()
                        .map(|(key, value)| (key.clone(), vec![Traced(value.clone(), at)]))
                        .collect(),
                });
            }
            Means::Link { role, words, port, user, domain } => {
                self.link(*role, (words, *port), (user, domain), at)
            }
            Means::InPlace { role, tries, pause, window } => {
                self.in_place(*role, *tries, (*pause, *window), at)
            }
            Means::Replace { role, always, limited } => self.replace(*role, *always, *limited, at),
            Means::Depends { role, first } => {
                let first = self.roles[*first].name.0.clone();
                self.roles[*role].dependencies.push(Traced(first, at));
            }
            Means::Check { role, kind, key, value } => {
                let properties = BTreeMap::from([((*key).to_owned(), Traced(value.clone(), at))]);
                self.roles[*role].check = Some(ReadinessCheck { kind: *kind, properties });
            }
            Means::Localise { kind, dest, source, steps, .. } => {
                self.file(*kind, dest, Some(source), BTreeMap::new(), at);
                self.steps.extend(steps.iter().cloned());
            }
            Means::There { .. } => self.note(at, "the program opens it by its uri"),
            Means::Mount { place, roles, source, at: path, writable } => {
                self.mount(*place, roles, (source, path, *writable), at);
            }
            Means::Scratch { role } => {
                self.roles[*role].command.scratch = true;
                self.note(at, "the command makes the folder");
            }
            Means::Hadoop { home, java, conf } => {
                self.carried(|carry| carry.hadoop(home, java, conf.as_deref(), at));
            }
            Means::Fresh(steps) => {
                self.steps.extend(steps.iter().cloned());
                self.note(at, "a step makes the folder, and fails where it exists");
            }
            Means::Every(seconds) => self.every = Some((*seconds, at)),
            Means::Lifetime(seconds) => self.service.lifetime = Some(Traced(*seconds, at)),
            Means::Dominant(role) => {
                self.roles[*role].property(
                    "yarn.service.container-state-report-as-service-state",
                    "true",
                    at,
                );
            }
            Means::Tensorboard { board, link } => board::take(self, board, link.as_ref(), at),
            Means::Network(name) => self.network = Some(Traced(name.clone(), at)),
            Means::Kerberos { principal, keytab } => {
                self.service.kerberos_principal = Some(KerberosPrincipal {
                    principal_name: Traced(principal.clone(), at),
                    keytab: Traced(keytab.clone(), at),
                });
            }
            Means::Patch { role, text } => self.patches.push((*role, text.clone(), at)),
            Means::Duty(duty) => self.duty(duty, at),
            Means::Inherent(why) => self.note(at, why),
        }
    }

    /// Adds to the contract. Without one nothing asks for it.
    fn carried(&mut self, add: impl FnOnce(&mut Carry)) {
        if let Some(carry) = &mut self.carry {
            add(carry);
        }
    }

    /// Words that leave no value of their own.
    pub fn note(&mut self, at: Span, why: &str) {
        self.inherent.insert(at, why.to_owned());
    }

    fn value(&self, template: &Template) -> Value {
        self.layout.places.value(template, self.job.plan)
    }

    fn command(&mut self, role: RoleId, argv: Vec<Value>, at: Span) {
        let draft = &mut self.roles[role];
        draft.command.argv = argv;
        draft.command_at = at;
        if draft.command.workdir.is_none() && self.job.plan.storage.code.is_some() {
            draft.command.workdir = Some(self.layout.places.code.value());
        }
    }

    /// The references as variables, where the shim does not set them: then the job has one task.
    fn shell_variables(&mut self, role: RoleId, at: Span) {
        let variable = |words: &[&str]| tfjob_contract::variable(words);
        let mut all = self.layout.places.variables(self.job.plan, role);
        all.push((variable(&["index"]), vec![Piece::Text("0".to_owned())]));
        for port in &self.job.plan.roles[role].ports {
            if let Some(number) = port.number {
                all.push((variable(&["port", &port.name.value]), vec![Piece::Text(number.to_string())]));
            }
        }
        for (name, value) in all {
            self.roles[role].variable(&name, value, at);
        }
    }

    fn link(&mut self, role: RoleId, (words, port): (&str, u16), (user, domain): (&str, &str), at: Span) {
        let (name, count) = (self.roles[role].name.0.clone(), self.job.plan.roles[role].count.value);
        let job = &self.job.plan.name.value;
        for index in 0..count {
            let label = if count == 1 { words.to_owned() } else { format!("{words} {index}") };
            let url = format!("http://{name}-{index}.{job}.{user}.{domain}:{port}");
            self.service.quicklinks.insert(label, Traced(url, at));
        }
    }

    fn in_place(&mut self, role: RoleId, tries: Option<u32>, (pause, window): (u64, Option<u64>), at: Span) {
        let draft = &mut self.roles[role];
        let tries = tries.map_or_else(|| "-1".to_owned(), |tries| tries.to_string());
        draft.property("yarn.service.container-failure.retry.max", tries, at);
        draft.property("yarn.service.container-failure.retry-interval-ms", pause, at);
        if let Some(window) = window {
            draft.property("yarn.service.container-failure.validity-interval-ms", window, at);
        }
        draft.command.again = true;
    }

    fn replace(&mut self, role: RoleId, always: bool, limited: bool, at: Span) {
        let draft = &mut self.roles[role];
        let policy = if always { RestartPolicy::Always } else { RestartPolicy::OnFailure };
        draft.policy = Traced(policy, at);
        if limited {
            draft.property(THRESHOLD, 0, at);
        }
        if !draft.properties.contains_key("yarn.service.container-failure.retry.max") {
            draft.property("yarn.service.container-failure.retry.max", 0, at);
        }
    }

    pub fn file(
        &mut self,
        kind: FileType,
        dest: &str,
        source: Option<&str>,
        properties: BTreeMap<String, String>,
        at: Span,
    ) {
        self.service.configuration.files.push(ConfigFile {
            kind,
            dest_file: Traced(dest.to_owned(), at),
            src_file: source.map(|source| Traced(source.to_owned(), at)),
            properties,
        });
    }

    fn mount(
        &mut self,
        place: Place,
        roles: &[RoleId],
        (source, path, writable): (&str, &str, bool),
        at: Span,
    ) {
        let mode = if writable { "rw" } else { "ro" };
        for role in roles {
            self.roles[*role].mounts.push(Traced(format!("{source}:{path}:{mode}"), at));
        }
        if roles.is_empty() {
            self.note(at, "every node has it there");
        }
        if matches!(place, Place::Checkpoints | Place::Data(_)) {
            self.shared.push(Traced(format!("{source}:{path}:ro"), at));
        }
    }

    fn duty(&mut self, duty: &Duty, at: Span) {
        match duty {
            Duty::Wait(seconds) => self.carried(|carry| carry.wait(*seconds, at)),
            Duty::Restart { role, terms } => {
                if terms.stalls.is_some() {
                    self.watched = Some(at);
                }
                self.carried(|carry| carry.restart(*role, terms, at));
            }
            Duty::After { role, first, when } => {
                self.carried(|carry| carry.after(*role, *first, *when, at));
            }
            Duty::Ends(success) => {
                self.carried(|carry| carry.ends_with(*success, at));
                self.note(at, "the shims stop what only serves");
            }
            Duty::Fresh => self.fresh = Some(at),
            Duty::FreePort => self.note(at, "the shim finds a free port"),
        }
    }

    /// The shim watches the folder of checkpoints only where something hangs on it.
    fn watch(&mut self) {
        let every = self.every.take();
        if let Some(at) = self.fresh.or(self.watched) {
            let path = self.layout.places.checkpoints.path.clone();
            let fresh = self.fresh.is_some();
            self.carried(|carry| carry.checkpoints(&path, every.map(|(seconds, _)| seconds), fresh, at));
        }
        if let Some((_, at)) = every {
            self.note(at, "the program's own promise");
        }
    }

    /// What hangs on several means.
    fn end(&mut self) {
        self.watch();
        let plan = self.job.plan;
        let blocks = plan
            .targets
            .get("yarn")
            .into_iter()
            .chain(plan.roles.iter().filter_map(|r| r.targets.get("yarn")));
        for leaf in blocks.flat_map(leaves) {
            self.inherent.entry(leaf).or_insert_with(|| "it decides what is written".to_owned());
        }
        if let Some(queue) = &self.job.site.job.queue {
            self.service.queue = Some(Traced(queue.value.to_string(), queue.span));
        }
        if let Some(board) = self.board.as_mut().filter(|board| board.image.is_some()) {
            board.mounts = std::mem::take(&mut self.shared);
        }
        if let Some(Traced(name, at)) = self.network.take() {
            for draft in self.roles.iter_mut().chain(&mut self.board).filter(|d| d.image.is_some()) {
                draft.property("docker.network", &name, at);
            }
        }
        for (draft, role) in self.roles.iter_mut().zip(&plan.roles) {
            if self.carry.is_some() {
                carried(draft, &role.name, role.count.span);
            } else if role.resources.gpus == 0 {
                draft.variable("CUDA_VISIBLE_DEVICES", Vec::new(), role.name.span);
            }
        }
    }

    fn done(mut self) -> Lowered {
        let contract = self.carry.take().map(Carry::done);
        if let Some((contract, _)) = &contract {
            self.carry_shim(contract);
        }
        let steps = steps::all(self.job, self.layout, std::mem::take(&mut self.steps));
        let drafts = std::mem::take(&mut self.roles).into_iter().chain(self.board.take());
        self.service.components = drafts.map(Draft::done).collect();
        let document = Document::new(&self.service);
        let text = serde_json::to_string_pretty(&document.value).unwrap_or_default() + "\n";
        let artefact = Artefact { path: FILE.to_owned(), text, executable: false, documents: vec![document] };
        Lowered { artefacts: vec![artefact], contract, steps, inherent: self.inherent }
    }

    /// The shim and its contract, for every component.
    fn carry_shim(&mut self, contract: &Contract) {
        let at = self.job.plan.framework.name.span;
        let content = BTreeMap::from([("content".to_owned(), text::template(&contract.write()))]);
        self.file(FileType::Template, CONTRACT, None, content, at);
        let source = self.layout.shim_file.clone();
        let shim_at = self.job.site.job.shim.as_ref().map_or(at, |shim| shim.span);
        self.file(FileType::Static, SHIM, Some(&source), BTreeMap::new(), shim_at);
    }
}

/// A component whose program the shim starts: it finds everything else in its contract.
fn carried(draft: &mut Draft, role: &At<String>, count: Span) {
    let words = [format!("./{SHIM}"), "--contract".to_owned(), format!("conf/{CONTRACT}")];
    draft.command.argv = words.into_iter().map(|w| vec![Piece::Text(w)]).collect();
    draft.command.workdir = None;
    draft.command.exports.clear();
    draft.env.clear();
    draft.runtime(ROLE, &role.value, role.span);
    draft.runtime(INDEX, "${COMPONENT_ID}", count);
}

/// What every service has: one attempt of its master, since a second would run everything again, and no number of
/// failures after which the master ends it, since whose end counts is said by the components.
fn service(name: String, at: Span) -> Service {
    let properties = [("yarn.service.am-restart.max-attempts", "1"), (THRESHOLD, NO_LIMIT)];
    let properties = properties.map(|(name, value)| (name.to_owned(), Traced(value.to_owned(), at)));
    Service {
        name: Traced(name, at),
        version: "1".to_owned(),
        description: None,
        queue: None,
        lifetime: None,
        kerberos_principal: None,
        docker_client_config: None,
        quicklinks: BTreeMap::new(),
        configuration: Configuration { properties: BTreeMap::from(properties), ..Configuration::default() },
        components: Vec::new(),
    }
}

/// The folder of the job's own uploads.
#[must_use]
pub fn uploads(job: &Accepted<'_, Yarn>) -> String {
    upload::folder(&job.plan.name.value)
}
