//! Reads and writes job contracts as JSON. The compiler writes the lowest version that has all fields of the contract. The shim
//! rejects a version newer than [`NEWEST`] of its release.
use crate::failure::{invalid, other_text};
use crate::{Address, Contract, Duties, Framework, Hadoop, Peers, Role, RoleDuties, Unreadable};
use serde::Deserialize;

/// The newest contract version that the compiler of this release writes and the shim of this release reads. The shim rejects duties
/// that [`crate::Duty::is_supported`] excludes.
pub const NEWEST: u32 = 1;

/// Maximum size of a contract in bytes: the largest that a platform can deliver.
pub const LARGEST: usize = 1 << 20;

impl Contract {
    /// Reads and validates a contract.
    ///
    /// # Errors
    /// The text is too long, not JSON, of a newer version, or invalid.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Head {
            version: Option<u32>,
        }
        if text.len() > LARGEST {
            return Err(other_text(&format_args!("it has more than {LARGEST} bytes")));
        }
        let head: Head = serde_json::from_str(text).map_err(|e| other_text(&e))?;
        match head.version {
            Some(NEWEST) => {}
            Some(newer) if newer > NEWEST => {
                return Err(Unreadable(format!(
                    "version {newer} of the job contract is not supported by this tfjob-shim, which supports up to {NEWEST}; use the tfjob-shim of the tfjob release that compiled the job"
                )));
            }
            Some(_) | None => {
                return Err(other_text(&"it has no valid `version`"));
            }
        }
        let contract: Self = serde_json::from_str(text).map_err(|e| invalid(&e))?;
        contract.check()?;
        Ok(contract)
    }

    /// Returns the contract as one line of JSON, in the lowest version that has all its fields. Equal contracts give equal bytes.
    #[must_use]
    pub fn write(&self) -> String {
        let contract = Self { version: self.needs(), ..self.clone() };
        serde_json::to_string(&contract).expect("texts, numbers and lists are JSON")
    }

    /// Returns the lowest version that has all fields of this contract. Every field is named here, so that each new field needs a
    /// decision about the version.
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
    /// Returns the lowest version that has all fields of this role.
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
