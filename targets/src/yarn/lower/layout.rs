//! Where everything of a job is: the first look at its means, before anything is written.
use crate::carry::{Places, Spot};
use crate::yarn::Yarn;
use crate::yarn::means::Means;
use crate::yarn::support::storage::{SCRATCH, SHIM, upload};
use crate::yarn::variables::{HOME, USER};
use std::collections::BTreeMap;
use tfjob_contract::{Address, Peers, Source};
use tfjob_lang::plan::{Place, Plan};
use tfjob_lang::target::Accepted;

/// Where everything of a job is.
pub struct Layout {
    /// What the job reads and writes, as a task sees it.
    pub places: Places,
    /// Whether the shim travels with the job.
    pub shim: bool,
    /// Where the peers are.
    pub peers: Peers,
    /// Whether the service holds a constraint, and so must be posted.
    pub posted: bool,
    /// Whether the job has uploads of its own.
    pub uploads: bool,
    /// Where the shim lies on the default file system.
    pub shim_file: String,
}

impl Layout {
    /// Looks at all means once.
    pub fn of(job: &Accepted<'_, Yarn>) -> Self {
        let plan = job.plan;
        let mut layout = Self {
            places: Places::stated(plan, Spot::under(HOME, format!("/{SCRATCH}"))),
            shim: false,
            peers: Peers::Alone,
            posted: false,
            uploads: false,
            shim_file: shim_file(job),
        };
        for (_, means) in job.means() {
            layout.look(means, plan);
        }
        layout.uploads |= layout.shim && job.site.job.shim.is_none();
        layout
    }

    fn look(&mut self, means: &Means, plan: &Plan) {
        match means {
            Means::Rendezvous { shim, user, domain } => {
                self.shim |= shim;
                if let Some(domain) = domain {
                    self.peers = Peers::Template(address(plan, user.as_deref(), domain));
                }
            }
            Means::Localise { place, spot, steps, .. } => {
                self.put(*place, spot.clone());
                self.uploads |= !steps.is_empty();
            }
            Means::There { place, spot } => self.put(*place, spot.clone()),
            Means::Mount { place, at, .. } => self.put(*place, Spot::from(at.as_str())),
            Means::Constrain { .. } => self.posted = true,
            Means::Duty(_) | Means::Hadoop { .. } => self.shim = true,
            Means::Name(_)
            | Means::Description(_)
            | Means::Component { .. }
            | Means::Image { .. }
            | Means::Run { .. }
            | Means::Shell { .. }
            | Means::Workdir { .. }
            | Means::Env { .. }
            | Means::Cores { .. }
            | Means::Memory { .. }
            | Means::Counted { .. }
            | Means::SharedMemory { .. }
            | Means::Link { .. }
            | Means::InPlace { .. }
            | Means::Replace { .. }
            | Means::Depends { .. }
            | Means::Check { .. }
            | Means::Scratch { .. }
            | Means::Fresh(_)
            | Means::Every(_)
            | Means::Kept
            | Means::Lifetime(_)
            | Means::Dominant(_)
            | Means::Tensorboard(_)
            | Means::Network(_)
            | Means::Kerberos { .. }
            | Means::Patch { .. }
            | Means::Delay(_) => {}
        }
    }

    fn put(&mut self, place: Place, spot: Spot) {
        let places = &mut self.places;
        match place {
            Place::Code => places.code = spot,
            Place::Stage(i) => places.stage[i] = spot,
            Place::Data(i) => places.data[i] = spot,
            Place::Checkpoints => places.checkpoints = spot,
            Place::Scratch => places.scratch = spot,
        }
    }
}

/// `<component>-<index>.<service>.<user>.<domain>`, the names of the registry's DNS.
fn address(plan: &Plan, user: Option<&str>, domain: &str) -> Address {
    let (word, names) = match user {
        Some(user) => (user.to_owned(), BTreeMap::new()),
        None => {
            let user = Source::Env(USER.to_owned());
            ("{USER}".to_owned(), BTreeMap::from([("USER".to_owned(), user)]))
        }
    };
    let host = format!("{{role}}-{{index}}.{}.{word}.{domain}", plan.name.value);
    Address { host, names, roles: BTreeMap::new() }
}

fn shim_file(job: &Accepted<'_, Yarn>) -> String {
    match &job.site.job.shim {
        Some(uri) => upload::on_default(&uri.value),
        None => format!("{}/{}", upload::folder(&job.plan.name.value), SHIM),
    }
}
