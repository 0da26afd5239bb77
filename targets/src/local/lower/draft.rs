//! The job while it is built: each mechanism adds a value to `job.json` or to the contract.
use super::{board, job, serving};
use crate::contract_builder::{ContractBuilder, Location, Places};
use crate::local::mechanism::{Duty, Mechanism, OnDisk};
use crate::local::schema::{INDEX, Job, PEERS, ROLE};
use crate::local::support::state;
use std::collections::BTreeMap;
use tfjob_contract::{Peers, Source, Success};
use tfjob_lang::lowered::TracedContract;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{DataRef, Plan};
use tfjob_lang::requirement;
use tfjob_lang::sources::Span;

/// The values that the mechanisms of a job have set so far.
pub struct Draft<'p> {
    plan: &'p Plan,
    /// `job.json`, which `tfjob run` reads.
    pub job: Job,
    /// Entries of the spec that the target fulfills without writing a value into an artifact. Key: span of the entry. Value: text
    /// that says how the target fulfills the entry.
    pub inherent: BTreeMap<Span, String>,
    places: Places,
    duties: Vec<(Duty, Span)>,
    board: Option<(requirement::Tensorboard, Span)>,
    /// Span of `if-exists`.
    fresh: Option<Span>,
    /// Checkpoint interval of the program in seconds, and its span.
    every: Option<(u64, Span)>,
}

impl<'p> Draft<'p> {
    /// Returns a draft without mechanisms.
    pub fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            job: job(plan),
            inherent: BTreeMap::new(),
            places: Places::stated(plan, Location::default()),
            duties: Vec::new(),
            board: None,
            fresh: None,
            every: None,
        }
    }

    /// Applies one mechanism.
    pub fn take(&mut self, at: Span, mechanism: &Mechanism) {
        match mechanism {
            // Nothing is left to do: `ContractBuilder::new` has already added the arguments, environment, and working directory to
            // the contract.
            Mechanism::Words => {}
            Mechanism::Name(name) => self.job.name = Traced(name.clone(), at),
            Mechanism::Description(text) => self.job.description = Some(Traced(text.clone(), at)),
            Mechanism::Label { key, value } => {
                self.job.labels.insert(key.clone(), Traced(value.clone(), at));
            }
            Mechanism::Tasks(role) => self.job.roles[*role].count.1 = at,
            Mechanism::Role(role, setting) => self.job.roles[*role].set(setting, at),
            Mechanism::Success(success) => self.success(*success, at),
            Mechanism::EndOfJob => self.note(at, "`tfjob run` stops the remaining tasks"),
            Mechanism::At { place, location, path } => self.put(*place, location, path.as_ref(), at),
            Mechanism::Tensorboard(board) => self.board = Some(((**board).clone(), at)),
            Mechanism::Duty(Duty::Fresh) => self.fresh = Some(at),
            Mechanism::Duty(Duty::Every(seconds)) => self.every = Some((*seconds, at)),
            Mechanism::Duty(duty) => self.duties.push((duty.clone(), at)),
        }
    }

    /// Records how the target fulfills an entry of the spec without writing a value into an artifact.
    fn note(&mut self, at: Span, how: &str) {
        self.inherent.entry(at).or_insert_with(|| how.to_owned());
    }

    fn success(&mut self, success: Success, at: Span) {
        self.job.success = Traced(success, at);
        for (role, serves) in self.job.roles.iter_mut().zip(serving(self.plan, success)) {
            role.serves = Traced(serves, at);
        }
    }

    fn put(&mut self, place: DataRef, location: &Location, path: Option<&OnDisk>, at: Span) {
        let location = location.clone();
        match place {
            DataRef::Code => self.places.code = location,
            DataRef::Stage(index) => self.places.stage[index] = location,
            DataRef::Data(index) => self.places.data[index] = location,
            DataRef::Checkpoints => self.places.checkpoints = location,
            DataRef::Scratch => self.places.scratch = location,
        }
        match path {
            Some(OnDisk::Needed(path)) => self.job.needs.push(Traced(path.clone(), at)),
            Some(OnDisk::Made(path)) => self.job.makes.push(Traced(path.clone(), at)),
            None => self.note(at, "the program opens the URI itself, so nothing is copied"),
        }
    }

    /// Sets values that depend on several mechanisms. Must be called after all mechanisms are applied.
    pub fn apply_defaults(&mut self) {
        if let Some((_, at)) = self.every.filter(|_| state(self.plan).is_none()) {
            self.note(
                at,
                "only the program can access these checkpoints, so the shim does not check the interval",
            );
        }
        let grace = self.duties.iter().find_map(|(duty, at)| match duty {
            Duty::Grace(seconds) => Some(Traced(*seconds, *at)),
            Duty::Done(_)
            | Duty::Restart(..)
            | Duty::Ready(..)
            | Duty::Wait(_)
            | Duty::Deadline(_)
            | Duty::Fresh
            | Duty::Every(_)
            | Duty::Hadoop { .. } => None,
        });
        if let Some(grace) = grace {
            self.job.grace = grace;
        }
        if let Some((_, at)) = self.board {
            self.job.roles.push(board::role(self.plan, at));
        }
    }

    /// Returns the contract, and the span in the spec for each of its values.
    pub fn contract(&self) -> TracedContract {
        let peers = Peers::Given { env: PEERS.to_owned(), pointer: String::new() };
        let (role, index) = (Source::Env(ROLE.to_owned()), Source::Env(INDEX.to_owned()));
        let mut builder = ContractBuilder::new(self.plan, &self.places, role, index, peers);
        for (duty, at) in &self.duties {
            add_duty(&mut builder, duty, *at);
        }
        self.watch(&mut builder);
        if let Some((board, at)) = &self.board {
            board::builder(&mut builder, self.plan, &self.places, board, *at);
        }
        builder.done()
    }

    /// Lets the shim watch the checkpoints if they are in a directory of this machine.
    fn watch(&self, builder: &mut ContractBuilder) {
        let (Some(folder), Some(checkpoints)) = (state(self.plan), &self.plan.storage.checkpoints) else {
            return;
        };
        let at = self.fresh.unwrap_or(checkpoints.uri.span);
        builder.checkpoints(&folder, self.every.map(|(seconds, _)| seconds), self.fresh.is_some(), at);
        if let Some((_, at)) = self.every {
            builder.trace("/duties/checkpoints/every", at);
        }
    }
}

fn add_duty(builder: &mut ContractBuilder, duty: &Duty, at: Span) {
    match duty {
        Duty::Done(role) => builder.hears(*role, at),
        Duty::Restart(role, terms) => builder.restart(*role, terms, at),
        Duty::Ready(role, probe) => builder.ready(*role, probe, at),
        Duty::Wait(seconds) => builder.wait(*seconds, at),
        Duty::Deadline(seconds) => builder.deadline(*seconds, at),
        Duty::Grace(seconds) => builder.grace(*seconds, at),
        Duty::Hadoop { home, java, conf } => builder.hadoop(home, java, conf.as_deref(), at),
        // Nothing is left to do: `watch` adds these duties together with the checkpoint directory.
        Duty::Fresh | Duty::Every(_) => {}
    }
}
