//! Sources of the role and index of a container, and templates of peer addresses.
use crate::{Address, Failure, Source};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Initial capacity of an address string.
pub(crate) const USUAL: usize = 64;

impl Source {
    /// Reads the value of the source in this environment.
    ///
    /// # Errors
    /// [`Failure::Platform`] with the name of the variable, if the variable is unset or has unexpected content. The message never
    /// contains the value.
    pub fn read(&self, env: &BTreeMap<String, String>) -> Result<String, Failure> {
        match self {
            Self::Is(value) => Ok(value.clone()),
            Self::Env(name) => set(env, name).map(str::to_owned),
            Self::EnvTail { env: name, after } => match set(env, name)?.rsplit_once(*after) {
                Some((_, tail)) => Ok(tail.to_owned()),
                None => Err(Failure::Platform(format!(
                    "tfjob-shim needs the part of environment variable {name} after the last `{after}`, but the value of the variable does not contain `{after}`"
                ))),
            },
            Self::EnvJson { env: name, pointer } => match json(env, name, pointer)? {
                Value::String(text) => Ok(text),
                Value::Number(number) => Ok(number.to_string()),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                    Err(Failure::Platform(format!(
                        "the JSON in environment variable {name} has no string or number at JSON pointer `{pointer}`"
                    )))
                }
            },
        }
    }

    /// Returns the variable that the source reads.
    pub(crate) fn variable(&self) -> Option<&str> {
        match self {
            Self::Is(_) => None,
            Self::Env(env) | Self::EnvTail { env, .. } | Self::EnvJson { env, .. } => Some(env),
        }
    }
}

/// Returns the value of a variable that the platform must set.
pub(crate) fn set<'e>(env: &'e BTreeMap<String, String>, name: &str) -> Result<&'e str, Failure> {
    env.get(name)
        .map(String::as_str)
        .ok_or_else(|| Failure::Platform(format!("environment variable {name} is not set by the platform")))
}

/// Returns the value at a JSON pointer in a variable.
pub(crate) fn json(env: &BTreeMap<String, String>, name: &str, pointer: &str) -> Result<Value, Failure> {
    let mut value: Value = serde_json::from_str(set(env, name)?).map_err(|e| {
        Failure::Platform(format!("environment variable {name} does not contain valid JSON: {e}"))
    })?;
    value.pointer_mut(pointer).map(Value::take).ok_or_else(|| {
        Failure::Platform(format!(
            "the JSON in environment variable {name} has no value at JSON pointer `{pointer}`"
        ))
    })
}

/// A part of a host template.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Role,
    Index,
    Name(&'a str),
}

/// A host template with the values of its `{NAME}`s. Yields the host of each task.
#[derive(Debug)]
pub(crate) struct Hosts<'a> {
    address: &'a Address,
    parts: Vec<Part<'a>>,
    names: BTreeMap<String, String>,
}

impl Address {
    /// Reads the value of each `{NAME}` in the template.
    pub(crate) fn hosts(&self, env: &BTreeMap<String, String>) -> Result<Hosts<'_>, Failure> {
        // `roles` is not needed here: `write` replaces `{role}` with the name of the role on the platform.
        let Self { host, names: sources, roles: _ } = self;
        let parts = parts(host).map_err(Failure::Contract)?;
        let mut names = BTreeMap::new();
        for (name, source) in sources {
            names.insert(name.clone(), source.read(env)?);
        }
        Ok(Hosts { address: self, parts, names })
    }

    /// Returns the fault of the template, if there is one.
    pub(crate) fn fault(&self) -> Option<String> {
        let parts = match parts(&self.host) {
            Ok(parts) => parts,
            Err(fault) => return Some(fault),
        };
        parts.iter().find_map(|part| match part {
            Part::Name(name) if !self.names.contains_key(*name) => Some(format!(
                "address template `{}` in `peers` uses `{{{name}}}`, but `names` in `peers` does not contain `{name}`",
                self.host
            )),
            Part::Text(_) | Part::Role | Part::Index | Part::Name(_) => None,
        })
    }
}

impl Hosts<'_> {
    /// Returns the host of a task.
    pub(crate) fn host(&self, role: &str, index: u32) -> String {
        let mut host = String::with_capacity(USUAL);
        self.write(&mut host, role, index);
        host
    }

    /// Appends the host of a task.
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

/// Parses a template: `{role}`, `{index}`, `{NAME}`, and `{{` for a brace.
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
            return Err(format!("address template `{template}` in `peers` has an unclosed brace"));
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
