//! The fold over the means: each finds its place in `job.json` or in the contract.
use super::{board, job, serving};
use crate::carry::{Carry, Places, Spot};
use crate::local::means::{Duty, Means, OnDisk};
use crate::local::schema::{INDEX, Job, PEERS, ROLE};
use crate::local::support::state;
use std::collections::BTreeMap;
use tfjob_contract::{Peers, Source, Success};
use tfjob_lang::ask;
use tfjob_lang::lowered::TracedContract;
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::{Place, Plan};
use tfjob_lang::sources::Span;

/// Everything that the means say, sorted by where it goes.
pub struct Draft<'p> {
    /// The job.
    plan: &'p Plan,
    /// What `tfjob run` reads.
    pub job: Job,
    /// Words that leave no value of their own.
    pub inherent: BTreeMap<Span, String>,
    places: Places,
    duties: Vec<(Duty, Span)>,
    board: Option<(ask::Tensorboard, Span)>,
    /// Who asks that there be no old state.
    fresh: Option<Span>,
    /// How often the program promises to write its state, and where it says so.
    every: Option<(u64, Span)>,
}

impl<'p> Draft<'p> {
    /// Nothing yet.
    pub fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            job: job(plan),
            inherent: BTreeMap::new(),
            places: Places::stated(plan, Spot::default()),
            duties: Vec::new(),
            board: None,
            fresh: None,
            every: None,
        }
    }

    /// One means.
    pub fn take(&mut self, at: Span, means: &Means) {
        match means {
            // They stand in the contract's own lines.
            Means::Words => {}
            Means::Name(name) => self.job.name = Traced(name.clone(), at),
            Means::Description(words) => self.job.description = Some(Traced(words.clone(), at)),
            Means::Label { key, value } => {
                self.job.labels.insert(key.clone(), Traced(value.clone(), at));
            }
            Means::Tasks(role) => self.job.roles[*role].count.1 = at,
            Means::Role(role, setting) => self.job.roles[*role].set(setting, at),
            Means::Success(success) => self.success(*success, at),
            Means::EndOfJob => self.note(at, "`tfjob run` stops what still runs"),
            Means::At { place, spot, path } => self.put(*place, spot, path.as_ref(), at),
            Means::Tensorboard(board) => self.board = Some(((**board).clone(), at)),
            Means::Duty(Duty::Fresh) => self.fresh = Some(at),
            Means::Duty(Duty::Every(seconds)) => self.every = Some((*seconds, at)),
            Means::Duty(duty) => self.duties.push((duty.clone(), at)),
        }
    }

    /// Why words leave no value.
    fn note(&mut self, at: Span, how: &str) {
        self.inherent.entry(at).or_insert_with(|| how.to_owned());
    }

    fn success(&mut self, success: Success, at: Span) {
        self.job.success = Traced(success, at);
        for (role, serves) in self.job.roles.iter_mut().zip(serving(self.plan, success)) {
            role.serves = Traced(serves, at);
        }
    }

    fn put(&mut self, place: Place, spot: &Spot, path: Option<&OnDisk>, at: Span) {
        let spot = spot.clone();
        match place {
            Place::Code => self.places.code = spot,
            Place::Stage(index) => self.places.stage[index] = spot,
            Place::Data(index) => self.places.data[index] = spot,
            Place::Checkpoints => self.places.checkpoints = spot,
            Place::Scratch => self.places.scratch = spot,
        }
        match path {
            Some(OnDisk::Needed(path)) => self.job.needs.push(Traced(path.clone(), at)),
            Some(OnDisk::Made(path)) => self.job.makes.push(Traced(path.clone(), at)),
            None => self.note(at, "it is where it is, and the program's words name it"),
        }
    }

    /// What follows from several means.
    pub fn settle(&mut self) {
        if let Some((_, at)) = self.every.filter(|_| state(self.plan).is_none()) {
            self.note(at, "the program's own promise: no one else sees its state");
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

    /// The contract and where its lines came from.
    pub fn contract(&self) -> TracedContract {
        let peers = Peers::Given { env: PEERS.to_owned(), pointer: String::new() };
        let (role, index) = (Source::Env(ROLE.to_owned()), Source::Env(INDEX.to_owned()));
        let mut carry = Carry::new(self.plan, &self.places, role, index, peers);
        for (duty, at) in &self.duties {
            carried(&mut carry, duty, *at);
        }
        self.watch(&mut carry);
        if let Some((board, at)) = &self.board {
            board::carry(&mut carry, self.plan, &self.places, board, *at);
        }
        carry.done()
    }

    /// The shim watches the state of the job wherever it is a folder of this machine.
    fn watch(&self, carry: &mut Carry) {
        let (Some(folder), Some(checkpoints)) = (state(self.plan), &self.plan.storage.checkpoints) else {
            return;
        };
        let at = self.fresh.unwrap_or(checkpoints.uri.span);
        carry.checkpoints(&folder, self.every.map(|(seconds, _)| seconds), self.fresh.is_some(), at);
        if let Some((_, at)) = self.every {
            carry.trace("/duties/checkpoints/every", at);
        }
    }
}

fn carried(carry: &mut Carry, duty: &Duty, at: Span) {
    match duty {
        Duty::Done(role) => carry.hears(*role, at),
        Duty::Restart(role, terms) => carry.restart(*role, terms, at),
        Duty::Ready(role, probe) => carry.ready(*role, probe, at),
        Duty::Wait(seconds) => carry.wait(*seconds, at),
        Duty::Deadline(seconds) => carry.deadline(*seconds, at),
        Duty::Grace(seconds) => carry.grace(*seconds, at),
        Duty::Hadoop { home, java, conf } => carry.hadoop(home, java, conf.as_deref(), at),
        // They are one line of the contract, with the folder.
        Duty::Fresh | Duty::Every(_) => {}
    }
}
