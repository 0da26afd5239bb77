//! Rendering of one task. `tfjob show` and the shim call the same function, so that both produce the same bytes.
use crate::peers::Found;
use crate::{Contract, Failure, Machine, Piece, RENDEZVOUS, Role, Run, TaskId, Value, rendezvous, variable};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Maximum length of a `NAME=value` or argument on Linux, in bytes: `MAX_ARG_STRLEN` without the NUL byte.
pub const LONGEST: usize = 131_071;
/// Maximum size in bytes of all arguments and variables, including a pointer for each. Linux allows a quarter of the stack limit: 2
/// MiB of the usual 8 MiB. An eighth of these 2 MiB is reserved for variables of the platform.
pub const ALL: usize = (2 << 20) / 8 * 7;

/// A rendered task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rendered {
    /// Variables to set, each once, in a fixed order.
    #[serde(serialize_with = "as_object")]
    pub env: Vec<(String, String)>,
    /// Variables to remove.
    pub unset: Vec<String>,
    /// The program and its arguments; never empty.
    pub argv: Vec<String>,
    /// Working directory. `None`: that of the container.
    pub workdir: Option<String>,
    /// The program and the working directory, if they contain values of variables: each with the text that replaces it in messages.
    #[serde(skip)]
    pub hidden: Vec<(String, String)>,
}

fn as_object<S: Serializer>(env: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(env.iter().map(|(name, value)| (name, value)))
}

/// Renders one task of a job in the environment of its container.
///
/// The order of the variables: those of the job, of the task (`TFJOB_…`), of the framework, an empty `CUDA_VISIBLE_DEVICES` if the
/// role has no GPUs, and those of `hadoop`. `TFJOB_ADDRESS` and `TFJOB_ADDRESSES_<ROLE>` are omitted if the peers are unknown or
/// the list is longer than Linux allows. Helpers have no `TFJOB_ADDRESSES_<ROLE>`: a platform may allocate a rendezvous port for a
/// helper too, but no program listens on it. `TF_CONFIG` is removed if it is not set here, because the value of the platform
/// follows other rules.
///
/// # Errors
/// See [`Failure`]. The message contains no value of the environment, except an invalid role or index.
pub fn render(
    contract: &Contract,
    task: &TaskId,
    env: &BTreeMap<String, String>,
    machine: &mut dyn Machine,
) -> Result<Rendered, Failure> {
    // Not needed: `role` and `index` (the task is a parameter), and job name and duties (the program does not use them).
    let Contract { version: _, job: _, framework: _, role: _, index: _, peers, hadoop, roles: _, duties: _ } =
        contract;
    let role = contract.role_of(task)?;
    let Role { name: _, kind, count: _, port: _, gpus, run, workdir, env: own, ports: _, duties } = role;
    let found = match (Found::of(peers, env), kind.joins_rendezvous()) {
        // A helper is outside the rendezvous, so the platform need not provide peer addresses to it.
        (Err(_), false) => Found::Alone,
        (found, _) => found?,
    };
    let ports = ports(role, task, &found, machine)?;
    let done = duties.as_ref().is_some_and(|duties| duties.done);
    let done = done.then(|| machine.done()).transpose().map_err(Failure::Machine)?;
    let references = References { contract, task, role, found: &found, ports: &ports, done, env };

    let mut set = Settings::default();
    for (name, value) in own {
        set.put(name, references.text(value, name.len() + 1, &format_args!("the variable {name}"))?);
    }
    references.describe(&mut set);
    for (name, value) in rendezvous::variables(contract, task, role, &found, machine)? {
        set.put(name, value);
    }
    if *gpus == Some(0) {
        // An empty list hides every device (CUDA Programming Guide, "CUDA_VISIBLE_DEVICES").
        set.put("CUDA_VISIBLE_DEVICES", String::new());
    }
    if let Some(hadoop) = hadoop {
        let existing = |name: &str| set.get(name).or_else(|| env.get(name)).cloned();
        for (name, value) in hadoop.variables(&existing, machine)? {
            set.put(name, value);
        }
    }

    let unset = if set.get("TF_CONFIG").is_none() { vec!["TF_CONFIG".to_owned()] } else { Vec::new() };
    let (argv, started_in) = (references.argv()?, references.workdir()?);
    let mut hidden = Vec::new();
    if let Run::Argv(words) = run {
        hidden.extend(references.hidden(words.first(), argv.first())?);
    }
    hidden.extend(references.hidden(workdir.as_ref(), started_in.as_ref())?);
    let rendered = Rendered { env: set.list, unset, argv, workdir: started_in, hidden };
    rendered.check_limits()?;
    Ok(rendered)
}

/// Returns the numbers of all ports of a role, by name.
fn ports(
    role: &Role,
    task: &TaskId,
    found: &Found<'_>,
    machine: &mut dyn Machine,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut ports = BTreeMap::new();
    let rendezvous = match (found, role.port) {
        (Found::Given { .. }, _) => found.place(role, task.index).ok().map(|place| place.port),
        (Found::Template(_) | Found::Alone, 0) => None,
        (Found::Template(_) | Found::Alone, port) => Some(port.to_string()),
    };
    ports.extend(rendezvous.map(|port| (RENDEZVOUS.to_owned(), port)));
    for (name, number) in &role.ports {
        let number = match number {
            0 => machine.free_port(name).map_err(Failure::Machine)?,
            number => number.to_string(),
        };
        ports.insert(name.clone(), number);
    }
    Ok(ports)
}

/// Variables in the order in which they are set. Setting a variable again moves it to the end.
#[derive(Default)]
struct Settings {
    list: Vec<(String, String)>,
    names: BTreeSet<String>,
}

impl Settings {
    fn put(&mut self, name: &str, value: String) {
        if !self.names.insert(name.to_owned()) {
            self.list.retain(|(known, _)| known != name);
        }
        self.list.push((name.to_owned(), value));
    }

    fn get(&self, name: &str) -> Option<&String> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// The data from which references such as `{index}` are expanded.
struct References<'a> {
    contract: &'a Contract,
    task: &'a TaskId,
    role: &'a Role,
    found: &'a Found<'a>,
    ports: &'a BTreeMap<String, String>,
    done: Option<String>,
    env: &'a BTreeMap<String, String>,
}

impl References<'_> {
    /// Sets the `TFJOB_` variables of the task.
    fn describe(&self, set: &mut Settings) {
        set.put(&variable(&["index"]), self.task.index.to_string());
        if let Ok(host) = self.found.host(self.role, self.task.index) {
            set.put(&variable(&["address"]), host);
        }
        for role in self.contract.roles.iter().filter(|role| role.kind.joins_rendezvous()) {
            let name = variable(&["addresses", &role.name]);
            if let Ok(Some(list)) = self.found.list(role, LONGEST - name.len() - 1) {
                set.put(&name, list);
            }
        }
        for (name, number) in self.ports {
            set.put(&variable(&["port", name]), number.clone());
        }
        if let Some(path) = &self.done {
            set.put(&variable(&["done"]), path.clone());
        }
    }

    /// Expands the references of a value. Fails as soon as the text is too long, before the rest is expanded. `frame`: number of
    /// bytes in front of the text, such as those of `NAME=`.
    fn text(&self, value: &Value, frame: usize, what: &dyn Display) -> Result<String, Failure> {
        let mut text = String::new();
        for piece in value {
            text.push_str(&self.piece(piece)?);
            if frame + text.len() > LONGEST {
                return Err(too_long(what, frame + text.len()));
            }
        }
        Ok(text)
    }

    /// Returns an expanded text, and the same text for messages, in which variable names replace the values.
    fn hidden(
        &self,
        value: Option<&Value>,
        text: Option<&String>,
    ) -> Result<Option<(String, String)>, Failure> {
        let (Some(value), Some(text)) = (value, text) else { return Ok(None) };
        let mut shown = String::new();
        for piece in value {
            match piece {
                Piece::Env(name) if !name.starts_with("TFJOB_") => {
                    shown.push_str(&format!("{{env.{name}}}"));
                }
                Piece::Text(_)
                | Piece::Env(_)
                | Piece::Index
                | Piece::Address
                | Piece::Addresses(_)
                | Piece::Port(_)
                | Piece::Done => shown.push_str(&self.piece(piece)?),
            }
        }
        Ok((shown != *text).then(|| (text.clone(), shown)))
    }

    fn piece(&self, piece: &Piece) -> Result<String, Failure> {
        match piece {
            Piece::Text(text) => Ok(text.clone()),
            Piece::Index => Ok(self.task.index.to_string()),
            Piece::Address => self.found.host(self.role, self.task.index),
            Piece::Addresses(name) => {
                let role = self.contract.role_named(name);
                let role =
                    role.ok_or_else(|| Failure::Contract(format!("`{name}` is not a role of the job")))?;
                self.found.list(role, usize::MAX).map(Option::unwrap_or_default)
            }
            Piece::Port(name) => {
                self.ports.get(name).cloned().ok_or_else(|| {
                    Failure::Contract(format!("role `{}` has no port `{name}`", self.role.name))
                })
            }
            Piece::Env(name) => Ok(self.env.get(name).cloned().unwrap_or_default()),
            Piece::Done => self.done.clone().ok_or_else(|| {
                Failure::Contract(format!(
                    "role `{}` uses the completion file (`{{done}}`), but its `duties` do not contain `done`",
                    self.role.name
                ))
            }),
        }
    }

    fn argv(&self) -> Result<Vec<String>, Failure> {
        let argv: Vec<String> = match &self.role.run {
            Run::Argv(words) => {
                words.iter().map(|word| self.text(word, 0, &"an argument")).collect::<Result<_, Failure>>()?
            }
            Run::Shell(text) => ["/bin/sh", "-ec", text].map(str::to_owned).to_vec(),
        };
        match argv.first().map(String::as_str) {
            None => Err(Failure::Contract(format!("role `{}` has no command", self.role.name))),
            Some("") => {
                let program = match &self.role.run {
                    Run::Argv(words) => words.first(),
                    Run::Shell(_) => None,
                };
                Err(self.empty("program", program))
            }
            Some(_) => Ok(argv),
        }
    }

    fn workdir(&self) -> Result<Option<String>, Failure> {
        match self
            .role
            .workdir
            .as_ref()
            .map(|value| self.text(value, 0, &"the working directory"))
            .transpose()?
        {
            Some(folder) if folder.is_empty() => {
                Err(self.empty("working directory", self.role.workdir.as_ref()))
            }
            folder => Ok(folder),
        }
    }

    /// Returns the failure for a program or working directory that is an empty string. The message names the environment variables
    /// that the value consists of.
    fn empty(&self, what: &str, value: Option<&Value>) -> Failure {
        let names = value.into_iter().flatten().filter_map(|piece| match piece {
            Piece::Env(name) => Some(name.as_str()),
            Piece::Text(_)
            | Piece::Index
            | Piece::Address
            | Piece::Addresses(_)
            | Piece::Port(_)
            | Piece::Done => None,
        });
        let names: Vec<&str> = names.collect();
        let why = match names.as_slice() {
            [] => String::new(),
            [name] => format!(", because environment variable {name} is unset or empty"),
            names => format!(", because environment variables {} are unset or empty", names.join(" and ")),
        };
        Failure::Platform(format!("the {what} of role `{}` is an empty string{why}", self.role.name))
    }
}

/// Returns the failure for an argument or a variable that would be longer than [`LONGEST`]. `what`: the name of the argument or
/// variable in the message.
#[must_use]
pub fn too_long(what: &dyn Display, length: usize) -> Failure {
    Failure::Contract(format!("{what} would be {length} bytes long; Linux allows at most {LONGEST}"))
}

impl Rendered {
    /// Checks the limits of `execve`. An error of `execve` would not name the argument or variable.
    fn check_limits(&self) -> Result<(), Failure> {
        for (name, value) in &self.env {
            let length = name.len() + 1 + value.len();
            if length > LONGEST {
                return Err(too_long(&format_args!("the variable {name}"), length));
            }
        }
        if let Some(word) = self.argv.iter().find(|word| word.len() > LONGEST) {
            return Err(too_long(&"an argument", word.len()));
        }
        let all = self.stack_size();
        if all > ALL {
            return Err(Failure::Contract(format!(
                "the variables and arguments of the program would have {all} bytes in total; tfjob allows at most {ALL}, because Linux \
                 limits their total size, and the platform adds more variables"
            )));
        }
        let values = self.env.iter().map(|(_, value)| value).chain(&self.argv).chain(&self.workdir);
        match values.into_iter().any(|text| text.contains('\0')) {
            true => Err(Failure::Contract(
                "the command, an environment variable, or the working directory of the program contains a NUL byte, which Linux does not allow".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Returns how many bytes all variables and arguments take on the stack: each with a NUL byte and a pointer.
    fn stack_size(&self) -> usize {
        const EACH: usize = 1 + size_of::<usize>();
        let env = self.env.iter().map(|(name, value)| name.len() + 1 + value.len() + EACH);
        env.chain(self.argv.iter().map(|word| word.len() + EACH)).sum()
    }

    /// Returns the output of `tfjob-shim --print`: one line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON")
    }
}
