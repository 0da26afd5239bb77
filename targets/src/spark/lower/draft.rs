//! The fold over the means: each finds its place in the script, in `job.json` or in the contract.
use crate::contract_builder::{Location, Places};
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::{Mechanism, Probe};
use crate::spark::schema::{self, HERE};
use crate::spark::text;
use std::collections::BTreeMap;
use tfjob_lang::lowered::Step;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{DataRef, RoleId};
use tfjob_lang::requirement;
use tfjob_lang::sources::Span;
use tfjob_lang::spec::{Success, When};

/// Hadoop's folder, Java's and the configuration's, and who asks.
pub type HadoopHomes = (String, String, Option<String>, Span);

/// A file that holds a secret: whose, the variable, the path.
pub type SecretFile = (RoleId, String, String, Span);

/// Everything that the means say, sorted by where it goes.
pub struct Draft<'a> {
    /// The job and where it goes.
    pub context: Context<'a>,
    /// The application's name.
    pub name: Traced<String>,
    /// Settings of Spark.
    pub settings: BTreeMap<String, Traced<String>>,
    /// Tags of the YARN application.
    pub tags: Vec<Traced<String>>,
    /// Folders of the node in YARN's Docker, `from:to:mode`.
    pub binds: Vec<Traced<String>>,
    /// Archives, `from#alias`.
    pub archives: Vec<Traced<String>>,
    /// Archives that steps pack beside the script, `from#alias`.
    pub packed: Vec<Traced<String>>,
    /// Files of the job.
    pub files: Vec<Traced<String>>,
    /// Those of archives and files that lie beside the spec.
    pub beside: Vec<Traced<String>>,
    /// What packs them first.
    pub steps: Vec<Step>,
    /// Where things are, as a task sees them.
    pub places: Places,
    /// Whether tasks have a folder of their own.
    pub scratch: bool,
    /// Whether the shim travels with the job.
    pub shim: bool,
    /// The largest number of cores, memory and GPUs, and who asks for it.
    pub largest: [Option<Span>; 3],
    /// Who asks for GPUs.
    pub gpus: BTreeMap<RoleId, Span>,
    /// Seconds for all executors to come up.
    /// And whether the shim counts these seconds, too.
    pub wait: Option<(Traced<u64>, bool)>,
    /// Seconds for the job.
    pub deadline: Option<Traced<u64>>,
    /// Whose end is the job's.
    pub success: Traced<Success>,
    /// Where no old state may be: whether nodes see it, and who asks.
    pub fresh: Option<(bool, Span)>,
    /// Start order.
    pub after: Vec<(RoleId, RoleId, When, Span)>,
    /// Readiness.
    pub ready: BTreeMap<RoleId, (Probe, Span)>,
    /// Variables that hold secrets, by role.
    pub secrets: Vec<(RoleId, String)>,
    /// Files that hold secrets.
    pub secret_files: Vec<SecretFile>,
    /// Hadoop in the image.
    pub hadoop: Option<HadoopHomes>,
    /// Programs that the shim starts again.
    pub restarts: Vec<(RoleId, requirement::Restart, Span)>,
    /// Roles whose programs say when their work is done.
    pub heard: Vec<(RoleId, Span)>,
    /// Roles after whose failure the driver starts all tasks again.
    pub again: BTreeMap<RoleId, (requirement::Restart, Span)>,
    /// Words that leave no value of their own.
    pub inherent: BTreeMap<Span, String>,
}

impl<'a> Draft<'a> {
    /// Nothing yet.
    pub fn new(context: Context<'a>) -> Self {
        let (plan, name) = (context.plan, &context.plan.name);
        Self {
            context,
            name: Traced(name.value.clone(), name.span),
            settings: BTreeMap::new(),
            tags: Vec::new(),
            binds: Vec::new(),
            archives: Vec::new(),
            packed: Vec::new(),
            files: Vec::new(),
            beside: Vec::new(),
            steps: Vec::new(),
            places: Places::stated(plan, Location::default()),
            scratch: false,
            shim: false,
            largest: [None; 3],
            gpus: BTreeMap::new(),
            wait: None,
            deadline: None,
            success: Traced(Success::Workers, name.span),
            fresh: None,
            after: Vec::new(),
            ready: BTreeMap::new(),
            secrets: Vec::new(),
            secret_files: Vec::new(),
            hadoop: None,
            restarts: Vec::new(),
            heard: Vec::new(),
            again: BTreeMap::new(),
            inherent: BTreeMap::new(),
        }
    }

    /// One means.
    pub fn take(&mut self, at: Span, mechanism: &Mechanism) {
        self.shim |= mechanism.is_shims();
        match mechanism {
            Mechanism::Name(name) => self.name = Traced(name.clone(), at),
            Mechanism::Settings(settings) => self.set_all(settings, at),
            Mechanism::Tag(tag) => self.tags.push(Traced(tag.clone(), at)),
            // They stand in the lines of their role, in `job.json` or in the contract.
            Mechanism::Tasks(_) | Mechanism::Words | Mechanism::ShimWords => {}
            Mechanism::Cpus(milli) => {
                let most = self.context.executor().milli == *milli;
                self.measure(0, most, at, "every executor has the cores of the largest role");
            }
            Mechanism::Memory(mebibytes) => {
                let most = self.context.executor().mebibytes == *mebibytes;
                self.measure(1, most, at, "every executor has the memory of the largest role");
            }
            Mechanism::Gpus(role) => {
                let most = self.context.executor().gpus == self.context.plan.roles[*role].resources.gpus;
                self.measure(2, most, at, "every executor has the GPUs of the largest role");
                self.gpus.insert(*role, at);
            }
            Mechanism::Archive { place, alias, from, pack } => {
                self.archive(*place, (alias, from), pack.as_deref(), at)
            }
            Mechanism::At(place, location) => {
                self.explain(at, "it is where it is, and the program's words name it");
                self.put(*place, location.clone());
            }
            Mechanism::Mounted(place, location, settings) => {
                self.set_all(settings, at);
                self.put(*place, location.clone());
            }
            Mechanism::Bind { place, from, to, writable } => {
                let mode = if *writable { "rw" } else { "ro" };
                self.binds.push(Traced(format!("{from}:{to}:{mode}"), at));
                self.put(*place, Location::from(to.clone()));
            }
            Mechanism::Secret { role, env, path, settings } => {
                self.set_all(settings, at);
                match path {
                    None => self.secrets.push((*role, env.clone())),
                    Some(path) => self.secret_files.push((*role, env.clone(), path.clone(), at)),
                }
            }
            Mechanism::Done(role) => self.heard.push((*role, at)),
            Mechanism::Restart(role, terms) => self.restarts.push((*role, terms.clone(), at)),
            Mechanism::StartAgain(role, terms) => drop(self.again.insert(*role, (terms.clone(), at))),
            Mechanism::After(role, first, when) => self.after.push((*role, *first, *when, at)),
            Mechanism::Ready(role, probe) => drop(self.ready.insert(*role, (probe.clone(), at))),
            Mechanism::Hadoop { home, java, conf } => {
                self.hadoop = Some((home.clone(), java.clone(), conf.clone(), at));
            }
            Mechanism::Wait { seconds, meets } => self.wait = Some((Traced(*seconds, at), *meets)),
            Mechanism::Deadline(seconds) => self.deadline = Some(Traced(*seconds, at)),
            Mechanism::Success(success) => self.success = Traced(*success, at),
            Mechanism::Fresh { mounted } => self.fresh = Some((*mounted, at)),
            Mechanism::Kerberos { principal, keytab } => {
                self.set("spark.kerberos.principal", principal.clone(), at);
                self.set("spark.kerberos.keytab", keytab.clone(), at);
            }
        }
    }

    /// One setting.
    pub fn set(&mut self, key: &str, value: impl Into<String>, at: Span) {
        self.settings.insert(key.to_owned(), Traced(value.into(), at));
    }

    fn set_all(&mut self, settings: &[(String, String)], at: Span) {
        for (key, value) in settings {
            match self.settings.get(key) {
                Some(Traced(known, first)) if *first != at => {
                    // Answers let no two values of one setting pass.
                    debug_assert_eq!(known, value);
                    self.explain(at, "another role says the same, for all executors");
                }
                Some(_) | None => self.set(key, value.clone(), at),
            }
        }
    }

    /// Words that leave no value, and why.
    pub fn explain(&mut self, at: Span, how: &str) {
        self.inherent.entry(at).or_insert_with(|| how.to_owned());
    }

    fn measure(&mut self, which: usize, most: bool, at: Span, how: &str) {
        self.explain(at, how);
        if most {
            self.largest[which].get_or_insert(at);
        }
    }

    fn archive(&mut self, place: DataRef, (alias, from): (&str, &str), pack: Option<&Step>, at: Span) {
        self.steps.extend(pack.cloned());
        if pack.is_some() {
            self.packed.push(Traced(format!("{from}#{alias}"), at));
            self.put(place, Location::under(HERE, format!("/{alias}")));
            return;
        }
        if alias.is_empty() {
            let name = text::sent_name(from);
            self.files.push(Traced(from.to_owned(), at));
            self.put(place, Location::under(HERE, format!("/{name}")));
        } else {
            self.archives.push(Traced(format!("{from}#{alias}"), at));
            self.put(place, Location::under(HERE, format!("/{alias}")));
        }
        if !from.contains("://") {
            self.beside.push(Traced(from.to_owned(), at));
        }
    }

    fn put(&mut self, place: DataRef, location: Location) {
        match place {
            DataRef::Code => self.places.code = location,
            DataRef::Stage(i) => self.places.stage[i] = location,
            DataRef::Data(i) => self.places.data[i] = location,
            DataRef::Checkpoints => self.places.checkpoints = location,
            DataRef::Scratch => {
                self.scratch = true;
                self.places.scratch = location;
            }
        }
    }

    /// Whether a program that prints GPUs travels with the job: on YARN no one else says which a container has.
    pub fn ships_gpus(&self) -> bool {
        let context = &self.context;
        context.manager == Manager::Yarn
            && context.executor().gpus > 0
            && context.options.gpu_discovery.is_none()
    }

    /// Variables of other roles' secrets that a role does not see.
    pub fn hidden(&self, id: RoleId) -> Vec<String> {
        let own = |env: &String| self.secrets.iter().any(|(role, other)| *role == id && other == env);
        let mut hidden: Vec<String> =
            self.secrets.iter().map(|(_, env)| env).filter(|env| !own(env)).cloned().collect();
        hidden.sort();
        hidden.dedup();
        hidden
    }

    /// So many of a role's first tasks must end well for the job to be done.
    pub fn decides(&self, id: RoleId) -> u32 {
        let (plan, success) = (self.context.plan, self.success.0);
        let role = &plan.roles[id];
        if !plan.decides(success, id) || role.kind.never_exits() {
            return 0;
        }
        match success {
            Success::Chief => 1,
            Success::Workers | Success::All => role.count.value,
        }
    }

    /// A probe as the driver reads it.
    pub fn probe(&self, id: RoleId) -> Option<Traced<schema::Ready>> {
        let (probe, at) = self.ready.get(&id)?;
        let ready = match probe {
            Probe::Tcp(port) => schema::Ready::Tcp { port: *port },
            Probe::Http(port, path) => schema::Ready::Http { port: *port, http: path.clone() },
            Probe::File(path) => schema::Ready::File { file: path.clone() },
        };
        Some(Traced(ready, *at))
    }
}
