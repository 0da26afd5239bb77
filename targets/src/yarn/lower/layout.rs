//! Collects the paths of code, files, data, and checkpoints from the mechanisms, before the lowering.
use crate::contract_builder::{Location, Places};
use crate::shim_source::ShimSource;
use crate::yarn::Yarn;
use crate::yarn::mechanism::Mechanism;
use crate::yarn::support::storage::{SCRATCH, SHIM, upload};
use crate::yarn::variables::{HOME, USER};
use std::collections::BTreeMap;
use tfjob_contract::{Address, Peers, Source};
use tfjob_lang::plan::{DataRef, Plan};
use tfjob_lang::target::Accepted;

/// Paths of code, files, data, and checkpoints of a job, and facts about the job that determine its service and its steps.
pub struct Layout {
    /// Paths of code, files, data, and checkpoints, as a task sees them.
    pub places: Places,
    /// Whether the job needs the shim.
    pub shim: bool,
    /// How a task finds the addresses of its peers.
    pub peers: Peers,
    /// Whether the service has a placement constraint, so that a step must post the service to the REST API.
    pub posted: bool,
    /// Whether the job uploads files.
    pub uploads: bool,
    /// Path of the shim on the default file system.
    pub shim_file: String,
}

impl Layout {
    /// Returns the layout that the mechanisms of a job require.
    pub fn of(job: &Accepted<'_, Yarn>) -> Self {
        let plan = job.plan;
        let mut layout = Self {
            places: Places::stated(plan, Location::under(HOME, format!("/{SCRATCH}"))),
            shim: false,
            peers: Peers::Alone,
            posted: false,
            uploads: false,
            shim_file: shim_file(job),
        };
        for (_, mechanism) in job.mechanisms() {
            layout.add(mechanism, plan);
        }
        layout.uploads |= layout.shim && job.site.job.shim.is_none();
        layout
    }

    fn add(&mut self, mechanism: &Mechanism, plan: &Plan) {
        match mechanism {
            Mechanism::Rendezvous { shim, user, domain } => {
                self.shim |= shim;
                if let Some(domain) = domain {
                    self.peers = Peers::Template(address(plan, user.as_deref(), domain));
                }
            }
            Mechanism::Localise { place, location, steps, .. } => {
                self.put(*place, location.clone());
                self.uploads |= !steps.is_empty();
            }
            Mechanism::There { place, location } => self.put(*place, location.clone()),
            Mechanism::Mount { place, at, .. } => self.put(*place, Location::from(at.as_str())),
            Mechanism::Constrain { .. } => self.posted = true,
            Mechanism::Duty(_) | Mechanism::Hadoop { .. } => self.shim = true,
            Mechanism::Name(_)
            | Mechanism::Description(_)
            | Mechanism::Component { .. }
            | Mechanism::Image { .. }
            | Mechanism::Run { .. }
            | Mechanism::Shell { .. }
            | Mechanism::Workdir { .. }
            | Mechanism::Env { .. }
            | Mechanism::Cores { .. }
            | Mechanism::Memory { .. }
            | Mechanism::Counted { .. }
            | Mechanism::SharedMemory { .. }
            | Mechanism::Link { .. }
            | Mechanism::InPlace { .. }
            | Mechanism::Replace { .. }
            | Mechanism::Depends { .. }
            | Mechanism::Check { .. }
            | Mechanism::Scratch { .. }
            | Mechanism::Fresh(_)
            | Mechanism::Every(_)
            | Mechanism::Kept
            | Mechanism::Lifetime(_)
            | Mechanism::Dominant(_)
            | Mechanism::Tensorboard(_)
            | Mechanism::Network(_)
            | Mechanism::Kerberos { .. }
            | Mechanism::Patch { .. }
            | Mechanism::Delay(_) => {}
        }
    }

    fn put(&mut self, place: DataRef, location: Location) {
        let places = &mut self.places;
        match place {
            DataRef::Code => places.code = location,
            DataRef::Stage(i) => places.stage[i] = location,
            DataRef::Data(i) => places.data[i] = location,
            DataRef::Checkpoints => places.checkpoints = location,
            DataRef::Scratch => places.scratch = location,
        }
    }
}

/// Returns the pattern of DNS names in the YARN registry: `<component>-<index>.<service>.<user>.<domain>`. If `user` is `None`, the
/// shim reads the user name from an environment variable.
fn address(plan: &Plan, user: Option<&str>, domain: &str) -> Address {
    let (user, names) = match user {
        Some(user) => (user.to_owned(), BTreeMap::new()),
        None => {
            let user = Source::Env(USER.to_owned());
            ("{USER}".to_owned(), BTreeMap::from([("USER".to_owned(), user)]))
        }
    };
    let host = format!("{{role}}-{{index}}.{}.{user}.{domain}", plan.name.value);
    Address { host, names, roles: BTreeMap::new() }
}

fn shim_file(job: &Accepted<'_, Yarn>) -> String {
    match ShimSource::url(job.site.job.shim.as_ref()) {
        Some(uri) => upload::on_default(&uri.value),
        None => format!("{}/{}", upload::folder(&job.plan.name.value), SHIM),
    }
}
