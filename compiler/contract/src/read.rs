//! Contracts as text: the compiler writes the version of this release, and the shim refuses a newer one.
use crate::{Address, Contract, Duties, Framework, Hadoop, Peers, Role, RoleDuties, Unreadable};
use serde::Deserialize;

/// The version of the contract: what the compiler of this release writes, and the newest that its shim reads. Of the duties
/// the shim refuses those that [`crate::Duty::carried`] does not name.
pub const NEWEST: u32 = 1;

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
            Some(NEWEST) => {}
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
        contract.check()?;
        Ok(contract)
    }

    /// The contract as one line of JSON: the same bytes for the same contract, in the version of this release.
    #[must_use]
    pub fn write(&self) -> String {
        let contract = Self { version: self.needs(), ..self.clone() };
        serde_json::to_string(&contract).expect("texts, numbers and lists are JSON")
    }

    /// The lowest version that has all fields of this contract. Every field stands here, so that a new one cannot come
    /// without its version.
    fn needs(&self) -> u32 {
        let Self { version: _, job: _, framework, role: _, index: _, peers, hadoop, roles, duties } = self;
        let Framework { name: _, strategy: _ } = framework;
        let (Peers::Template(Address { host: _, names: _, roles: _ })
        | Peers::Given { env: _, pointer: _ }
        | Peers::Alone) = peers;
        let (None | Some(Hadoop { home: _, java: _, conf: _, jars: _ })) = hadoop;
        let (None | Some(Duties { wait: _, deadline: _, grace: _, ends_with: _, checkpoints: _, hold: _ })) =
            duties;
        roles.iter().map(Role::needs).max().unwrap_or(1)
    }
}

impl Role {
    /// The lowest version that has all fields of this role.
    fn needs(&self) -> u32 {
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
        let (None
        | Some(RoleDuties { restart: _, after: _, ready: _, outlives: _, returns: _, done: _, reads: _ })) =
            duties;
        1
    }
}
