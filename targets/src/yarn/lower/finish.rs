//! Lowering that depends on several mechanisms, and the construction of all artifacts.
use super::command::CONTRACT;
use super::component::Draft;
use super::{FILE, Writer, board, steps};
use crate::contract_builder::ContractBuilder;
use crate::patch;
use crate::shim_source::ShimSource;
use crate::yarn::schema::FileType;
use crate::yarn::support::storage::{SHIM, upload};
use crate::yarn::text;
use crate::yarn::variables::{INDEX, ROLE, USER};
use serde_json::Value;
use std::collections::BTreeMap;
use tfjob_contract::{Contract, Peers, Piece};
use tfjob_lang::at::At;
use tfjob_lang::lowered::{Artifact, Lowered};
use tfjob_lang::origin::{Document, Traced};
use tfjob_lang::sources::Span;
use tfjob_lang::tree::Tree;

impl Writer<'_, '_> {
    /// Applies settings that depend on several mechanisms.
    pub fn end(&mut self) {
        self.watch();
        self.settle_helpers();
        self.set_replaced_roles();
        if let Some((seconds, at)) = self.delay {
            self.carried(|builder| builder.within(seconds, at));
        }
        let plan = self.job.plan;
        let blocks = plan
            .targets
            .get("yarn")
            .into_iter()
            .chain(plan.roles.iter().filter_map(|r| r.targets.get("yarn")));
        for leaf in blocks.flat_map(Tree::leaves) {
            self.inherent.entry(leaf).or_insert_with(|| "the option controls the artifacts".to_owned());
        }
        if let Some(queue) = &self.job.site.job.queue {
            self.service.queue = Some(Traced(queue.value.to_string(), queue.span));
        }
        let image = self.roles.iter().chain(&self.board).any(|draft| draft.image.is_some());
        if let Some(config) = self.job.site.job.docker_config.as_ref().filter(|_| image) {
            // The Docker client of the node reads registry credentials only from the file in `docker_client_config`
            // (`DockerClientConfigHandler`).
            let path = upload::on_default(&config.value);
            self.service.docker_client_config = Some(Traced(path, config.span));
        }
        if let Some(board) = self.board.as_mut().filter(|board| board.image.is_some()) {
            board.mounts = std::mem::take(&mut self.shared);
        }
        if let Some(Traced(name, at)) = self.network.take() {
            for draft in self.roles.iter_mut().chain(&mut self.board).filter(|d| d.image.is_some()) {
                draft.property("docker.network", &name, at);
            }
        }
        self.set_user();
        for (id, (draft, role)) in self.roles.iter_mut().zip(&plan.roles).enumerate() {
            if let Some(builder) = &self.builder {
                carried(draft, &role.name, role.count.span);
                draft.command.submission = builder.keeps(id);
                // When a shim restarts in its container, it finds a file in the directory `KEPT_IN`. The file tells the shim that
                // peers may already have finished.
                draft.command.kept = builder.waits() && draft.starts_in_place();
            } else if role.resources.gpus == 0 && !role.resources.other_devices {
                draft.variable("CUDA_VISIBLE_DEVICES", Vec::new(), role.name.span);
            }
        }
    }

    /// If DNS names contain the user name, and the option `user` is not set, passes the user name to each shim by a token.
    fn set_user(&mut self) {
        let Peers::Template(address) = &self.layout.peers else { return };
        let board = self.board.as_mut().filter(|_| self.board_argv.is_some());
        if !address.names.is_empty() && self.builder.is_some() {
            for draft in self.roles.iter_mut().chain(board) {
                draft.runtime(USER, "${USER}", self.job.plan.name.span);
            }
        }
    }

    /// Returns the Yarnfile, the job contract, and the steps.
    pub fn done(mut self) -> Lowered {
        let contract = self.builder.take().map(ContractBuilder::done);
        if let Some((contract, _)) = &contract {
            self.carry_shim(contract);
        }
        let steps = steps::all(self.job, self.layout, std::mem::take(&mut self.steps));
        let drafts = std::mem::take(&mut self.roles).into_iter().chain(self.board.take());
        self.service.components = drafts.map(Draft::done).collect();
        let mut document = Document::new(&self.service);
        for (role, text, at) in &self.patches {
            let pointer = role.map_or_else(String::new, |role| format!("/components/{role}"));
            patch::apply(&mut document, &pointer, text, *at);
        }
        for component in document.value["components"].as_array_mut().into_iter().flatten() {
            // YARN accepts the memory only as a string, but a patch may have set a number.
            if let memory @ Value::Number(_) = &mut component["resource"]["memory"] {
                *memory = Value::String(memory.to_string());
            }
        }
        let text = serde_json::to_string_pretty(&document.value).unwrap_or_default() + "\n";
        let artifact = Artifact { path: FILE.to_owned(), text, executable: false, documents: vec![document] };
        Lowered { artifacts: vec![artifact], contract, steps, inherent: self.inherent, ..Lowered::default() }
    }

    /// Adds the shim and the job contract to the files that YARN copies into every container.
    fn carry_shim(&mut self, contract: &Contract) {
        let at = self.job.plan.framework.name.span;
        let content = BTreeMap::from([("content".to_owned(), text::template(&contract.write()))]);
        self.file(FileType::Template, CONTRACT, None, content, at);
        if let Some((argv, at)) = self.board_argv.take() {
            let contract = board::contract(contract, argv);
            let content = BTreeMap::from([("content".to_owned(), text::template(&contract.write()))]);
            self.file(FileType::Template, board::CONTRACT, None, content, at);
        }
        let source = self.layout.shim_file.clone();
        let shim_at = ShimSource::url(self.job.site.job.shim.as_ref()).map_or(at, |shim| shim.span);
        self.file(FileType::Static, SHIM, Some(&source), BTreeMap::new(), shim_at);
    }
}

/// Makes the shim the program of a component. The shim reads role and index from the environment, and everything else from the job
/// contract.
fn carried(draft: &mut Draft, role: &At<String>, count: Span) {
    let shim = [format!("./{SHIM}"), "--contract".to_owned(), format!("conf/{CONTRACT}")];
    draft.command.argv = shim.into_iter().map(|w| vec![Piece::Text(w)]).collect();
    draft.command.workdir = None;
    draft.command.exports.clear();
    draft.env.clear();
    draft.runtime(ROLE, &role.value, role.span);
    draft.runtime(INDEX, "${COMPONENT_ID}", count);
}
