//! Values that are the same in all apps of the group: names, locations, and the contract of the job.
use super::draft::Draft;
use crate::contract_builder::{ContractBuilder, Places};
use crate::dcos::Dcos;
use crate::dcos::group::group_path;
use crate::dcos::marathon::{hosts, order};
use crate::shim_source::ShimSource;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tfjob_contract::{Address, Contract, Peers, Piece, RENDEZVOUS, Run, Source, variable};
use tfjob_lang::origin::{Origins, Traced};
use tfjob_lang::plan::RoleId;
use tfjob_lang::requirement::Probe;
use tfjob_lang::spec::When;
use tfjob_lang::target::Site;

/// File name of the shim in the sandbox.
pub const SHIM: &str = "tfjob-shim";
/// Environment variable that contains the contract of the shim.
pub const CONTRACT: &str = "TFJOB_CONTRACT_TEXT";

/// Values that all tasks share.
pub struct Job<'d> {
    pub draft: &'d Draft<'d>,
    pub places: Places,
    pub contract: Contract,
    /// The encoded contract. It is computed at the first use.
    carried: OnceCell<String>,
    pub origins: Origins,
    /// The URI from which agents download the shim. `None` if no task needs the shim.
    pub shim: Option<Traced<String>>,
    /// The path of the group.
    pub group: String,
}

impl<'d> Job<'d> {
    pub fn new(draft: &'d Draft<'d>, site: &Site<Dcos>) -> Self {
        let (plan, places) = (draft.plan, draft.places());
        let group = group_path(plan, site);
        let address = Address {
            host: hosts::host("{role}-{index}", &group),
            names: BTreeMap::new(),
            roles: BTreeMap::new(),
        };
        let source = |name: &str| Source::Env(variable(&[name]));
        let mut builder =
            ContractBuilder::new(plan, &places, source("role"), source("index"), Peers::Template(address));
        let shim = draft.needs_shim().then(|| {
            duties(draft, &mut builder);
            ShimSource::url(site.job.shim.as_ref()).map_or_else(
                || Traced(String::new(), plan.name.span),
                |uri| Traced(crate::libhdfs::address(&uri.value), uri.span),
            )
        });
        let (mut contract, origins) = builder.done();
        if shim.is_some() {
            picked_ports(draft, &mut contract);
        }
        Self { draft, places, contract, carried: OnceCell::new(), origins, shim, group }
    }

    /// Returns the contract, encoded so that it can be the value of an environment variable.
    pub fn carried(&self) -> &str {
        self.carried.get_or_init(|| self.contract.write_base64())
    }

    /// Returns the name of a task in the group.
    pub fn task_name(&self, role: RoleId, index: u32) -> String {
        format!("{}-{index}", self.draft.plan.roles[role].name.value)
    }

    /// Returns the path of an app.
    pub fn app_id(&self, name: &str) -> String {
        format!("{}/{name}", self.group)
    }

    /// Returns the DNS name of a task.
    pub fn host(&self, role: RoleId, index: u32) -> String {
        hosts::host(&self.task_name(role, index), &self.group)
    }

    /// Returns `host:port` of all tasks of a role, separated by commas.
    pub fn addresses(&self, name: &str) -> String {
        let Some(id) = self.draft.plan.roles.iter().position(|r| r.name.value == name) else {
            return String::new();
        };
        let (count, port) = (self.contract.roles[id].count, self.contract.roles[id].port);
        (0..count).map(|index| format!("{}:{port}", self.host(id, index))).collect::<Vec<_>>().join(",")
    }

    /// Returns the environment variable that contains a port that Marathon picks.
    ///
    /// # Errors
    ///
    /// Returns the number if the port is fixed.
    pub fn port_variable(&self, role: RoleId, name: &str) -> Result<String, String> {
        let index = self.draft.roles[role].ports.iter().position(|p| p.name == name && p.number.is_none());
        let fixed = self.draft.plan.roles[role].ports.iter().find(|p| p.name.value == name);
        match index {
            Some(index) => Ok(format!("PORT{index}")),
            None => Err(fixed.and_then(|p| p.number).map_or_else(String::new, |n| n.to_string())),
        }
    }
}

/// Adds the duties of the shim to the contract: everything that the shim does besides starting the program.
fn duties(draft: &Draft<'_>, builder: &mut ContractBuilder) {
    if let Some((seconds, at)) = draft.wait {
        builder.wait(seconds, at);
    }
    if let Some((seconds, at)) = draft.deadline {
        builder.deadline(seconds, at);
    }
    if let Some((path, at)) = &draft.fresh {
        builder.checkpoints(path, None, true, *at);
    }
    if let Some(h) = &draft.hadoop {
        builder.hadoop(&h.home, &h.java, h.conf.as_deref(), h.at);
    }
    for (id, role) in draft.roles.iter().enumerate() {
        if let Some((restart, at)) = &role.shim_restart {
            let folder = draft.plan.storage.checkpoints.as_ref().and_then(|c| c.at.as_ref());
            if let Some(folder) = folder.filter(|_| draft.fresh.is_none()) {
                builder.checkpoints(&folder.value, None, false, *at);
            }
            builder.restart(id, restart, *at);
        }
        if let Some(at) = role.heard {
            builder.hears(id, at);
        }
        // If the job has no `start timeout`, the shim of a role does not wait for the roles that the `after` fields of this role
        // name.
        for (first, shim, at) in role.after.iter().filter(|_| draft.wait.is_some()) {
            let Some(when) = shim else { continue };
            builder.after(id, *first, *when, *at);
            let probe = draft.roles[*first].ready.as_ref().filter(|_| *when == When::Ready);
            // The shim of this role can probe only the rendezvous port of the other role: it cannot read files in another
            // container, and does not know the ports that Marathon picks.
            if let Some((probe @ Probe::Tcp(port), at)) = probe
                && port == RENDEZVOUS
            {
                builder.ready(*first, probe, *at);
            }
        }
    }
    let order = order::Order::of(draft.plan);
    for (id, role) in draft.plan.roles.iter().enumerate().filter(|(id, _)| order.probes_rendezvous(*id)) {
        builder.probed(id, draft.roles[id].ready.as_ref().map_or(role.name.span, |(_, at)| *at));
    }
    if let Some(grace) = &draft.grace {
        builder.within(grace.0, grace.1);
    }
}

/// Changes how the contract refers to the ports that Marathon picks: each reference to such a port becomes a reference to an
/// environment variable with the number of the port, such as `PORT0`.
fn picked_ports(draft: &Draft<'_>, contract: &mut Contract) {
    for (role, contract) in draft.roles.iter().zip(&mut contract.roles) {
        for (index, port) in role.ports.iter().enumerate().filter(|(_, p)| p.number.is_none()) {
            contract.ports.remove(&port.name);
            let argv = match &mut contract.run {
                Run::Argv(words) => words.as_mut_slice(),
                Run::Shell(_) => &mut [],
            };
            let env = contract.env.iter_mut().map(|(_, value)| value);
            for piece in argv.iter_mut().chain(&mut contract.workdir).chain(env).flatten() {
                if matches!(piece, Piece::Port(name) if *name == port.name) {
                    *piece = Piece::Env(format!("PORT{index}"));
                }
            }
        }
    }
}
