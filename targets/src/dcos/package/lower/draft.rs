//! Builds the options: collects the values of all mechanisms, each with the span in the spec that sets it.
use super::steps;
use crate::dcos::Dcos;
use crate::dcos::amounts::{Decimal, cores};
use crate::dcos::document::{Patches, json_file};
use crate::dcos::group::group_path;
use crate::dcos::options::DiskType;
use crate::dcos::package::mechanism::Mechanism;
use crate::dcos::package::schema::{
    Disk, GpuTasks, Hdfs, Kdc, Kerberos, Options, Security, Service, Tasks, Tensorboard,
};
use crate::dcos::package::slot::Slot;
use tfjob_lang::lowered::Lowered;
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::sources::Span;
use tfjob_lang::target::Site;

/// Options of one task group, such as `worker`.
#[derive(Debug, Clone, Default)]
struct Group {
    count: Option<Traced<u32>>,
    port: Option<Traced<u16>>,
    gpus: Option<Traced<u32>>,
    cpus: Option<Traced<Decimal>>,
    mem: Option<Traced<u64>>,
    disk: Option<Traced<u64>>,
    disk_type: Option<Traced<Disk>>,
    constraints: Vec<(Vec<String>, Span)>,
}

/// Options of the whole package.
pub struct Draft<'p> {
    plan: &'p Plan,
    /// The path of the service, such as `/ml/mnist`.
    service_path: String,
    /// The span of the option `group`, if the spec sets it.
    folder: Option<Span>,
    service: Service,
    ps: Group,
    worker: Group,
    gpu_worker: Group,
    tensorboard: Option<Tensorboard>,
    marks: Vec<(String, Span)>,
    patches: Patches,
    lowered: Lowered,
}

impl<'p> Draft<'p> {
    pub fn new(plan: &'p Plan, site: &Site<Dcos>) -> Self {
        let at = plan.name.span;
        let text =
            |o: &tfjob_lang::at::At<tfjob_lang::spec::values::Text>| Traced(o.value.to_string(), o.span);
        let job = &site.job;
        let module = job.module.as_ref().map_or_else(|| Traced(String::new(), at), text);
        let account = job.service_account.as_ref();
        let mut draft = Self {
            plan,
            service_path: group_path(plan, site),
            folder: site.job.group.as_ref().map(|group| group.span),
            service: Service {
                name: Traced(String::new(), at),
                user: None,
                service_account: account.map(|a| text(&a.value.name)),
                service_account_secret: account.and_then(|a| a.value.secret.as_ref().map(text)),
                virtual_network_enabled: None,
                virtual_network_name: None,
                virtual_network_plugin_labels: None,
                mesos_api_version: None,
                log_level: None,
                security: None,
                job_url: Traced(String::new(), at),
                job_path: job.job_path.as_ref().map(text),
                job_name: module,
                job_context: Traced("{}".to_owned(), at),
                shared_filesystem: None,
                hdfs: job.hdfs_config.as_ref().map(|uri| Hdfs {
                    config_uri: Traced(uri.value.to_string().trim_end_matches('/').to_owned(), uri.span),
                }),
                gcs_key: None,
                use_gcs_key_secret: job.gcs_key_secret.as_ref().map(|flag| Traced(flag.value, flag.span)),
                use_tensorboard: None,
                tf_image: None,
                gpu_tf_image: None,
                region: job.region.as_ref().map(text),
            },
            ps: Group::default(),
            worker: Group::default(),
            gpu_worker: Group::default(),
            tensorboard: None,
            marks: Vec::new(),
            patches: Patches::default(),
            lowered: Lowered::default(),
        };
        draft.options(site);
        draft
    }

    /// Applies those options of the `target` blocks that belong to no mechanism.
    fn options(&mut self, site: &Site<Dcos>) {
        let job = &site.job;
        let forms = job.r#as.iter().map(|o| o.span).chain(job.version.iter().map(|o| o.span));
        for at in forms.chain(job.enterprise.iter().map(|o| o.span)) {
            self.lowered.inherent.insert(at, "it selects the form or version of the output".to_owned());
        }
        if let Some(kdc) = &job.kdc {
            self.kdc(Kdc {
                hostname: Traced(kdc.value.host.value.to_string(), kdc.value.host.span),
                port: kdc.value.port.as_ref().map_or(Traced(88, kdc.span), |p| Traced(p.value.0, p.span)),
            });
        }
        for (role, options) in site.roles.iter().enumerate() {
            if let Some(disk) = &options.disk_type {
                let word = match disk.value {
                    DiskType::Root => Disk::Root,
                    DiskType::Mount => Disk::Mount,
                };
                let at = disk.span;
                self.group(role, |group| group.disk_type = Some(Traced(word, at)));
            }
        }
    }

    /// Sets the Kerberos KDC. Kerberos stays disabled unless the job has the requirement `kerberos`.
    fn kdc(&mut self, kdc: Kdc) {
        let at = self.plan.name.span;
        let empty = || Traced(String::new(), at);
        self.service.security = Some(Security {
            kerberos: Kerberos {
                enabled: Traced(false, at),
                kdc,
                primary: empty(),
                realm: empty(),
                keytab_secret: empty(),
                debug: None,
            },
        });
    }

    fn group(&mut self, role: RoleId, change: impl FnOnce(&mut Group)) {
        match Slot::of(self.plan, role) {
            Some(Slot::Ps) => change(&mut self.ps),
            Some(Slot::Worker) => change(&mut self.worker),
            Some(Slot::GpuWorker) => change(&mut self.gpu_worker),
            // The package has no task group for this role. Such a job is refused before the lowering.
            None => {}
        }
    }

    pub fn take(&mut self, at: Span, mechanism: &Mechanism) {
        match mechanism {
            Mechanism::Name(name) => self.service.name = Traced(name.clone(), at),
            Mechanism::Count { role, count } => self.group(*role, |g| g.count = Some(Traced(*count, at))),
            Mechanism::Image { role, image } => self.image(*role, image, at),
            Mechanism::Context(entries) => self.context(entries, at),
            Mechanism::User(name) => self.service.user = Some(Traced(name.clone(), at)),
            Mechanism::Cpus { role, milli } => {
                self.group(*role, |g| g.cpus = Some(Traced(cores(*milli), at)))
            }
            Mechanism::Memory { role, mebibytes } => {
                self.group(*role, |g| g.mem = Some(Traced(*mebibytes, at)));
            }
            Mechanism::Gpus { role, count } => self.group(*role, |g| g.gpus = Some(Traced(*count, at))),
            Mechanism::Disk { role, mebibytes } => {
                self.group(*role, |g| g.disk = Some(Traced(*mebibytes, at)))
            }
            Mechanism::Port { role, number } => self.group(*role, |g| g.port = Some(Traced(*number, at))),
            Mechanism::Constraint { role, words } => {
                self.group(*role, |g| g.constraints.push((words.clone(), at)));
            }
            Mechanism::Code(uri) => self.service.job_url = Traced(uri.clone(), at),
            Mechanism::Shared(uri) => self.service.shared_filesystem = Some(Traced(uri.clone(), at)),
            Mechanism::Network(name) => {
                self.service.virtual_network_enabled = Some(Traced(name.is_some(), at));
                self.service.virtual_network_name = name.clone().map(|name| Traced(name, at));
            }
            Mechanism::Tensorboard { port, milli, mebibytes } => {
                self.service.use_tensorboard = Some(Traced(true, at));
                self.tensorboard = Some(Tensorboard {
                    port: Traced(*port, at),
                    cpus: Traced(cores(*milli), at),
                    mem: Traced(*mebibytes, at),
                });
            }
            Mechanism::Kerberos { primary, realm, keytab } => {
                if let Some(Security { kerberos }) = &mut self.service.security {
                    kerberos.enabled = Traced(true, at);
                    kerberos.primary = Traced(primary.clone(), at);
                    kerberos.realm = Traced(realm.clone(), at);
                    kerberos.keytab_secret = Traced(keytab.clone(), at);
                }
            }
            Mechanism::Patch { role, text } => self.patches.add(*role, text, at),
        }
    }

    fn image(&mut self, role: RoleId, image: &str, at: Span) {
        let image = Some(Traced(image.to_owned(), at));
        if self.plan.roles[role].resources.gpus > 0 {
            self.service.gpu_tf_image = image;
        } else {
            self.service.tf_image = image;
        }
    }

    fn context(&mut self, entries: &[(String, serde_json::Value)], at: Span) {
        let map: serde_json::Map<_, _> = entries.iter().cloned().collect();
        self.service.job_context = Traced(serde_json::Value::Object(map).to_string(), at);
        // All roles share one context, so the context has the spans of all roles.
        self.marks.push((format!("/service/job_context/{}", self.marks.len()), at));
    }

    pub fn finish(mut self) -> Lowered {
        let none = self.plan.name.span;
        let options = Options {
            service: self.service,
            parameter_server: self.ps.tasks(none),
            worker: self.worker.listening(&self.gpu_worker).tasks(none),
            gpu_worker: self.gpu_worker.gpu_tasks(none),
            tensorboard: self.tensorboard,
        };
        let mut document = Document::new(&options);
        document.origins.0.extend(self.marks);
        document.origins.0.extend(self.folder.map(|at| ("/service/name/group".to_owned(), at)));
        let plan = self.plan;
        self.patches.apply(&mut document, |role| {
            Slot::of(plan, role).iter().map(|slot| format!("/{}", slot.key())).collect()
        });
        self.lowered.artifacts.push(json_file("options.json", document));
        self.lowered.steps = steps(&self.service_path);
        self.lowered
    }
}

impl Group {
    /// Sets the port of the workers without GPUs, if it is unset, to the port of the workers with GPUs. The package has one port
    /// for both groups.
    fn listening(mut self, gpu: &Self) -> Self {
        self.port = self.port.or_else(|| gpu.port.clone());
        self
    }

    fn placement(&self) -> Option<Traced<String>> {
        let at = self.constraints.iter().map(|(_, at)| *at).reduce(Span::to)?;
        let all: Vec<&Vec<String>> = self.constraints.iter().map(|(words, _)| words).collect();
        Some(Traced(serde_json::json!(all).to_string(), at))
    }

    fn tasks(self, none: Span) -> Tasks {
        Tasks {
            placement_constraint: self.placement(),
            count: self.count.unwrap_or(Traced(0, none)),
            port: self.port,
            cpus: self.cpus,
            mem: self.mem,
            disk: self.disk,
            disk_type: self.disk_type,
        }
    }

    fn gpu_tasks(self, none: Span) -> GpuTasks {
        GpuTasks {
            count: self.count.unwrap_or(Traced(0, none)),
            gpus: self.gpus,
            cpus: self.cpus,
            mem: self.mem,
            disk: self.disk,
            disk_type: self.disk_type,
        }
    }
}
