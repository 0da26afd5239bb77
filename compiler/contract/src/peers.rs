//! Addresses of all tasks, as resolved in one container.
use crate::address::{Hosts, USUAL, json};
use crate::{Failure, Peers, Role};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The resolved addresses of the peers.
#[derive(Debug)]
pub(crate) enum Found<'c> {
    /// A host template with the values of its `{NAME}`s.
    Template(Hosts<'c>),
    /// The addresses of all roles, from a platform variable.
    Given { env: &'c str, roles: Map<String, Value> },
    /// The job contract contains no addresses.
    Alone,
}

/// The rendezvous address of a task.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) host: String,
    pub(crate) port: String,
}

impl<'c> Found<'c> {
    /// Resolves the addresses.
    ///
    /// # Errors
    /// [`Failure::Platform`] if a variable is unset or invalid.
    pub(crate) fn of(peers: &'c Peers, env: &BTreeMap<String, String>) -> Result<Self, Failure> {
        match peers {
            Peers::Template(address) => address.hosts(env).map(Self::Template),
            Peers::Given { env: name, pointer } => match json(env, name, pointer)? {
                Value::Object(roles) => Ok(Self::Given { env: name, roles }),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    let at = match pointer.as_str() {
                        "" => String::new(),
                        pointer => format!(", at JSON pointer `{pointer}`,"),
                    };
                    Err(Failure::Platform(format!(
                        "the JSON in environment variable {name}{at} is not an object with the addresses of each role"
                    )))
                }
            },
            Peers::Alone => Ok(Self::Alone),
        }
    }

    /// Returns `host:port` of all tasks of a role.
    pub(crate) fn addresses(&self, role: &Role) -> Result<Vec<String>, Failure> {
        match self {
            Self::Template(_) if role.port == 0 => Err(without_port(role)),
            Self::Template(hosts) => {
                let port = format!(":{}", role.port);
                let address = |index| {
                    let mut address = String::with_capacity(USUAL);
                    hosts.write(&mut address, &role.name, index);
                    address + &port
                };
                Ok((0..role.count).map(address).collect())
            }
            Self::Given { env, roles } => match roles.get(&role.name) {
                Some(Value::Array(list)) => {
                    let text = |value: &Value| value.as_str().map(str::to_owned);
                    let list: Option<Vec<String>> = list.iter().map(text).collect();
                    list.ok_or_else(|| not_listed(env, role))
                }
                Some(_) | None => Err(not_listed(env, role)),
            },
            Self::Alone => Err(no_addresses()),
        }
    }

    /// Returns the addresses of a role, joined by commas. `None` if the list is longer than `most` bytes.
    pub(crate) fn list(&self, role: &Role, most: usize) -> Result<Option<String>, Failure> {
        let mut list = String::new();
        match self {
            Self::Template(hosts) if role.port != 0 => {
                let port = format!(":{}", role.port);
                for index in 0..role.count {
                    list.push_str(if index == 0 { "" } else { "," });
                    hosts.write(&mut list, &role.name, index);
                    list.push_str(&port);
                    if list.len() > most {
                        break;
                    }
                }
            }
            Self::Template(_) | Self::Given { .. } | Self::Alone => list = self.addresses(role)?.join(","),
        }
        Ok((list.len() <= most).then_some(list))
    }

    /// Returns the host of a task.
    pub(crate) fn host(&self, role: &Role, index: u32) -> Result<String, Failure> {
        match self {
            Self::Template(hosts) => Ok(hosts.host(&role.name, index)),
            Self::Given { .. } => self.place(role, index).map(|place| place.host),
            Self::Alone => Err(no_addresses()),
        }
    }

    /// Returns host and port of a task.
    pub(crate) fn place(&self, role: &Role, index: u32) -> Result<Place, Failure> {
        match self {
            Self::Template(_) if role.port == 0 => Err(without_port(role)),
            Self::Template(hosts) => {
                Ok(Place { host: hosts.host(&role.name, index), port: role.port.to_string() })
            }
            Self::Given { env, .. } => {
                let list = self.addresses(role)?;
                let address = usize::try_from(index).ok().and_then(|index| list.get(index));
                let place = address.and_then(|address| address.rsplit_once(':'));
                // `tfjob show` writes a placeholder for an unknown port, so text that does not consist of digits is valid.
                let is_port = |port: &str| {
                    port.parse::<u16>().is_ok() || port.bytes().any(|byte| !byte.is_ascii_digit())
                };
                let place = place.filter(|(host, port)| !host.is_empty() && is_port(port));
                let (host, port) = place.ok_or_else(|| {
                    Failure::Platform(format!(
                        "environment variable {env} has no host:port for task {index} of role `{}`",
                        role.name
                    ))
                })?;
                // The host of `[::1]:2222` is `::1` (RFC 3986, 3.2.2).
                let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
                Ok(Place { host: literal.unwrap_or(host).to_owned(), port: port.to_owned() })
            }
            Self::Alone => Err(no_addresses()),
        }
    }
}

fn without_port(role: &Role) -> Failure {
    Failure::Contract(format!("role `{}` has no rendezvous port in the job contract", role.name))
}

fn not_listed(env: &str, role: &Role) -> Failure {
    Failure::Platform(format!("environment variable {env} has no list of host:port for role `{}`", role.name))
}

fn no_addresses() -> Failure {
    Failure::Contract("`peers` of the job contract has no addresses".to_owned())
}
