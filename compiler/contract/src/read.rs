//! Contracts as text: the compiler writes the lowest version that serves, the shim reads all that came before it.
use crate::{Address, Contract, Duties, Framework, Hadoop, Peers, Role, RoleDuties, Success, Unreadable};
use serde::Deserialize;

/// The newest contract that the shim of this release carries out: what `tfjob-shim` reads. Old ones are read for ever:
/// each has a golden file. Of its duties the shim refuses those that [`crate::Duty::carried`] does not name.
pub const NEWEST: u32 = 4;

/// The longest text that is read as a contract, in bytes: what fits the largest of the platforms' carriers.
pub const LARGEST: usize = 1 << 20;

impl Contract {
    /// Reads a contract and checks it.
    ///
    /// # Errors
    /// A text that is too long, is no JSON, has a newer version, unknown words, or says what no shim can do. The text
    /// of the error says which side is old, where one is.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Head {
            version: Option<u32>,
        }
        if text.len() > LARGEST {
            return Err(Unreadable(format!(
                "the contract is {} bytes long; at most {LARGEST} are read",
                text.len()
            )));
        }
        let head: Head = serde_json::from_str(text)
            .map_err(|e| Unreadable(format!("the text is not a contract of tfjob: {e}")))?;
        match head.version {
            Some(1..=NEWEST) => {}
            Some(newer) if newer > NEWEST => {
                return Err(Unreadable(format!(
                    "the contract has version {newer} and this shim reads up to {NEWEST}: the shim is old, and the job needs one that came with the tfjob that compiled it"
                )));
            }
            Some(_) | None => {
                return Err(Unreadable("the text is not a contract of tfjob: it says no version".to_owned()));
            }
        }
        let contract: Self = serde_json::from_str(text).map_err(|e| {
            Unreadable(format!(
                "the contract claims a version that this shim reads, but is no such contract, so it was altered or is the work of a faulty compiler: {e}"
            ))
        })?;
        let words = contract.words();
        if words > contract.version {
            return Err(Unreadable(format!(
                "the contract claims version {} and has words of version {}, so it was altered or is the work of a faulty compiler",
                contract.version, words
            )));
        }
        contract.check()?;
        Ok(contract)
    }

    /// The contract as one line of JSON: the same bytes for the same contract, in the lowest version that says it.
    #[must_use]
    pub fn write(&self) -> String {
        let contract = Self { version: self.lowest(), ..self.clone() };
        serde_json::to_string(&contract).expect("texts, numbers and lists are JSON")
    }

    /// The version that [`Contract::write`] gives it: the lowest that has all its words.
    #[must_use]
    pub fn needs(&self) -> u32 {
        self.lowest()
    }

    /// Whether shims up to version 3 take the name of a role for one of TensorFlow's or MXNet's, though the framework has no
    /// names of its own, so that another task decides or leads.
    fn is_misread(&self) -> bool {
        let acts = self.duties.is_some() || self.roles.iter().any(|role| role.duties.is_some());
        let (now, before) = (Self { version: NEWEST, ..self.clone() }, Self { version: 3, ..self.clone() });
        let differs = |ends| now.deciding(ends) != before.deciding(ends);
        acts && self.framework.name.takes_any_role()
            && [Success::Chief, Success::Workers].into_iter().any(differs)
    }

    /// The lowest version that has all the words of this contract, and means the same by them.
    fn lowest(&self) -> u32 {
        if self.is_misread() { 4 } else { self.words() }
    }

    /// The lowest version that has all the words of this contract. Every field stands here, so that a new one cannot
    /// come without its version.
    fn words(&self) -> u32 {
        let Self { version: _, job: _, framework, role: _, index: _, peers, hadoop, roles, duties } = self;
        let Framework { name: _, strategy: _ } = framework;
        let (Peers::Template(Address { host: _, names: _, roles: _ })
        | Peers::Given { env: _, pointer: _ }
        | Peers::Alone) = peers;
        let (None | Some(Hadoop { home: _, java: _, conf: _, jars: _ })) = hadoop;
        let of_job = match duties {
            None => 1,
            Some(Duties { wait: _, deadline: _, grace: _, ends_with: _, checkpoints: _, hold: _ }) => 2,
        };
        roles.iter().map(Role::words).max().map_or(of_job, |of_role| of_role.max(of_job))
    }
}

impl Role {
    /// The lowest version that has all the words of this role.
    fn words(&self) -> u32 {
        let Self {
            name: _,
            kind: _,
            count: _,
            port: _,
            gpus: _,
            run: _,
            workdir: _,
            env: _,
            ports: _,
            duties,
        } = self;
        let Some(duties) = duties else { return 1 };
        let RoleDuties { restart: _, after: _, ready: _, outlives: _, returns, done, reads } = duties;
        match (*returns, *done || !reads.is_empty()) {
            (true, _) => 4,
            // A piece of version 3 stands only in a role that has the duty.
            (false, true) => 3,
            (false, false) => 2,
        }
    }
}
