//! Where a container finds out who it is, and where its peers are.
use crate::{Address, Failure, Source};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Bytes of a usual address: ten thousand of them are written without growing one.
pub(crate) const USUAL: usize = 64;

impl Source {
    /// What the source says in this environment.
    ///
    /// # Errors
    /// [`Failure::Platform`], naming the variable, where it is not set or does not hold what is looked for. A value is
    /// never part of the text.
    pub fn look(&self, env: &BTreeMap<String, String>) -> Result<String, Failure> {
        match self {
            Self::Is(value) => Ok(value.clone()),
            Self::Env(name) => set(env, name).map(str::to_owned),
            Self::EnvTail { env: name, after } => match set(env, name)?.rsplit_once(*after) {
                Some((_, tail)) => Ok(tail.to_owned()),
                None => Err(Failure::Platform(format!("the platform's {name} holds no `{after}`"))),
            },
            Self::EnvJson { env: name, pointer } => match json(env, name, pointer)? {
                Value::String(text) => Ok(text),
                Value::Number(number) => Ok(number.to_string()),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                    Err(Failure::Platform(format!("the platform's {name} holds no text at {pointer}")))
                }
            },
        }
    }

    /// The variable that it reads.
    pub(crate) fn variable(&self) -> Option<&str> {
        match self {
            Self::Is(_) => None,
            Self::Env(env) | Self::EnvTail { env, .. } | Self::EnvJson { env, .. } => Some(env),
        }
    }
}

/// The value of a variable that the platform must set.
pub(crate) fn set<'e>(env: &'e BTreeMap<String, String>, name: &str) -> Result<&'e str, Failure> {
    env.get(name)
        .map(String::as_str)
        .ok_or_else(|| Failure::Platform(format!("the platform did not set the variable {name}")))
}

/// What stands at a pointer of a variable that holds JSON.
pub(crate) fn json(env: &BTreeMap<String, String>, name: &str, pointer: &str) -> Result<Value, Failure> {
    let mut value: Value = serde_json::from_str(set(env, name)?)
        .map_err(|e| Failure::Platform(format!("the platform's {name} is not JSON: {e}")))?;
    value
        .pointer_mut(pointer)
        .map(Value::take)
        .ok_or_else(|| Failure::Platform(format!("the platform's {name} holds nothing at {pointer}")))
}

/// A part of a host's template.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Role,
    Index,
    Name(&'a str),
}

/// A template whose names have been looked up once, for all tasks.
#[derive(Debug)]
pub(crate) struct Hosts<'a> {
    address: &'a Address,
    parts: Vec<Part<'a>>,
    names: BTreeMap<String, String>,
}

impl Address {
    /// Looks up the names of the template.
    pub(crate) fn hosts(&self, env: &BTreeMap<String, String>) -> Result<Hosts<'_>, Failure> {
        // The platform's words for roles are put in with each host.
        let Self { host, names: sources, roles: _ } = self;
        let parts = parts(host).map_err(Failure::Contract)?;
        let mut names = BTreeMap::new();
        for (name, source) in sources {
            names.insert(name.clone(), source.look(env)?);
        }
        Ok(Hosts { address: self, parts, names })
    }

    /// What is wrong with the template itself.
    pub(crate) fn fault(&self) -> Option<String> {
        let parts = match parts(&self.host) {
            Ok(parts) => parts,
            Err(fault) => return Some(fault),
        };
        parts.iter().find_map(|part| match part {
            Part::Name(name) if !self.names.contains_key(*name) => {
                Some(format!("the address `{}` uses `{{{name}}}`, which names nothing", self.host))
            }
            Part::Text(_) | Part::Role | Part::Index | Part::Name(_) => None,
        })
    }
}

impl Hosts<'_> {
    /// The host of one task.
    pub(crate) fn host(&self, role: &str, index: u32) -> String {
        let mut host = String::with_capacity(USUAL);
        self.write(&mut host, role, index);
        host
    }

    /// Appends the host of one task.
    pub(crate) fn write(&self, to: &mut String, role: &str, index: u32) {
        let role = self.address.roles.get(role).map_or(role, String::as_str);
        for part in &self.parts {
            match part {
                Part::Text(text) => to.push_str(text),
                Part::Role => to.push_str(role),
                Part::Index => write!(to, "{index}").expect("a String takes all"),
                Part::Name(name) => to.push_str(self.names.get(*name).map_or("", String::as_str)),
            }
        }
    }
}

/// Cuts a template: `{role}`, `{index}`, `{NAME}`, and `{{` for a brace.
fn parts(template: &str) -> Result<Vec<Part<'_>>, String> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        if at > 0 {
            parts.push(Part::Text(&rest[..at]));
        }
        let inside = &rest[at + 1..];
        if let Some(after) = inside.strip_prefix('{') {
            parts.push(Part::Text("{"));
            rest = after;
            continue;
        }
        let Some((name, after)) = inside.split_once('}') else {
            return Err(format!("the address `{template}` has a brace that is not closed"));
        };
        parts.push(match name {
            "role" => Part::Role,
            "index" => Part::Index,
            name => Part::Name(name),
        });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Ok(parts)
}
