//! Collects the values that the mechanisms set in the script, in `job.json`, and in the job contract.
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

/// Home directories of Hadoop and Java, configuration directory of Hadoop, and the span that requests them.
pub type HadoopHomes = (String, String, Option<String>, Span);

/// A file that contains a secret: role, environment variable that contains the path of the file, the path, and the span that
/// requests the file.
pub type SecretFile = (RoleId, String, String, Span);

/// Values of the artifacts that the mechanisms have set so far.
pub struct Draft<'a> {
    /// The job and its options.
    pub context: Context<'a>,
    /// Name of the application.
    pub name: Traced<String>,
    /// Spark settings.
    pub settings: BTreeMap<String, Traced<String>>,
    /// Tags of the YARN application.
    pub tags: Vec<Traced<String>>,
    /// Mounts of Docker containers on YARN, each as `PATH-ON-NODE:PATH-IN-CONTAINER:MODE`.
    pub binds: Vec<Traced<String>>,
    /// Archives that spark-submit sends, each as `URI#DIRECTORY`.
    pub archives: Vec<Traced<String>>,
    /// Archives that steps create in the directory of the script, each as `PATH#DIRECTORY`.
    pub packed: Vec<Traced<String>>,
    /// Files that spark-submit sends.
    pub files: Vec<Traced<String>>,
    /// Archives and files that spark-submit sends and that the spec names by a relative path.
    pub beside: Vec<Traced<String>>,
    /// Steps that pack archives.
    pub steps: Vec<Step>,
    /// Paths of code, files, data, and checkpoints, as a task sees them.
    pub places: Places,
    /// Whether tasks have a scratch directory.
    pub scratch: bool,
    /// Whether the job needs the shim.
    pub shim: bool,
    /// Spans of the largest request of cores, of memory, and of GPUs, in this order.
    pub largest: [Option<Span>; 3],
    /// Span of the request of GPUs, for each role with GPUs.
    pub gpus: BTreeMap<RoleId, Span>,
    /// Maximum number of seconds until all executors have registered. The boolean says whether the shim stops waiting for peers
    /// after the same time.
    pub wait: Option<(Traced<u64>, bool)>,
    /// Maximum duration of the job in seconds.
    pub deadline: Option<Traced<u64>>,
    /// Which tasks decide job success.
    pub success: Traced<Success>,
    /// Span of the check that there are no checkpoints. The boolean says whether the checkpoint directory is mounted.
    pub fresh: Option<(bool, Span)>,
    /// Start order: the role that waits, the role that starts first, the state that the first role must reach, and the span.
    pub after: Vec<(RoleId, RoleId, When, Span)>,
    /// Readiness probes.
    pub ready: BTreeMap<RoleId, (Probe, Span)>,
    /// Environment variables that contain secrets, each with its role.
    pub secrets: Vec<(RoleId, String)>,
    /// Files that contain secrets.
    pub secret_files: Vec<SecretFile>,
    /// Directories of Hadoop and Java in the image.
    pub hadoop: Option<HadoopHomes>,
    /// Roles whose programs the shim restarts.
    pub restarts: Vec<(RoleId, requirement::Restart, Span)>,
    /// Roles whose programs create the `{done}` file when their work is complete.
    pub heard: Vec<(RoleId, Span)>,
    /// Roles with `restart … scope="job"`: if one of their tasks fails, the driver restarts all tasks.
    pub again: BTreeMap<RoleId, (requirement::Restart, Span)>,
    /// Entries of the spec that the target fulfills without writing a value into an artifact. Key: span of the entry. Value: text
    /// that says how the target fulfills the entry.
    pub inherent: BTreeMap<Span, String>,
}

impl<'a> Draft<'a> {
    /// Returns a draft before any mechanism is applied.
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

    /// Applies a mechanism. `at`: the span in the spec that requests it.
    pub fn take(&mut self, at: Span, mechanism: &Mechanism) {
        self.shim |= mechanism.is_shims();
        match mechanism {
            Mechanism::Name(name) => self.name = Traced(name.clone(), at),
            Mechanism::Settings(settings) => self.set_all(settings, at),
            Mechanism::Tag(tag) => self.tags.push(Traced(tag.clone(), at)),
            // Nothing is left to do: the role in `job.json` or in the job contract already has these values.
            Mechanism::Tasks(_) | Mechanism::Words | Mechanism::ShimWords => {}
            Mechanism::Cpus(milli) => {
                let most = self.context.executor().milli == *milli;
                self.measure(0, most, at, "all executors have the cores of the largest role");
            }
            Mechanism::Memory(mebibytes) => {
                let most = self.context.executor().mebibytes == *mebibytes;
                self.measure(1, most, at, "all executors have the memory of the largest role");
            }
            Mechanism::Gpus(role) => {
                let most = self.context.executor().gpus == self.context.plan.roles[*role].resources.gpus;
                self.measure(2, most, at, "all executors have the GPUs of the largest role");
                self.gpus.insert(*role, at);
            }
            Mechanism::Archive { place, alias, from, pack } => {
                self.archive(*place, (alias, from), pack.as_deref(), at)
            }
            Mechanism::At(place, location) => {
                self.explain(at, "the program opens the path or URI itself");
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

    /// Sets a Spark setting.
    pub fn set(&mut self, key: &str, value: impl Into<String>, at: Span) {
        self.settings.insert(key.to_owned(), Traced(value.into(), at));
    }

    fn set_all(&mut self, settings: &[(String, String)], at: Span) {
        for (key, value) in settings {
            match self.settings.get(key) {
                Some(Traced(known, first)) if *first != at => {
                    // Two requirements never set different values for one setting, because `support` refuses such jobs.
                    debug_assert_eq!(known, value);
                    self.explain(at, "another role sets the same value, which applies to all executors");
                }
                Some(_) | None => self.set(key, value.clone(), at),
            }
        }
    }

    /// Records how the target fulfills an entry of the spec without writing a value into an artifact.
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

    /// Returns whether the job delivers a GPU discovery script. Spark needs one on YARN, because YARN does not tell Spark which
    /// GPUs a container has.
    pub fn ships_gpus(&self) -> bool {
        let context = &self.context;
        context.manager == Manager::Yarn
            && context.executor().gpus > 0
            && context.options.gpu_discovery.is_none()
    }

    /// Returns the environment variables that contain secrets of other roles. `tfjob_node.py` removes them from the environment of
    /// this role.
    pub fn hidden(&self, id: RoleId) -> Vec<String> {
        let of_role = |env: &String| self.secrets.iter().any(|(role, other)| *role == id && other == env);
        let mut hidden: Vec<String> =
            self.secrets.iter().map(|(_, env)| env).filter(|env| !of_role(env)).cloned().collect();
        hidden.sort();
        hidden.dedup();
        hidden
    }

    /// Returns how many tasks of a role must succeed for the job to succeed, counted from task 0.
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

    /// Returns the readiness probe of a role in the form of `job.json`, if the role has one.
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
