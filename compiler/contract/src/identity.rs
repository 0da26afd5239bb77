//! Determines which task of the job a container runs, from the environment variables of the container.
use crate::{Address, Contract, Failure, Peers, Piece, Role, Run, Source, TaskId};
use std::collections::{BTreeMap, BTreeSet};

impl Contract {
    /// Returns the task of this container.
    ///
    /// # Errors
    /// [`Failure::Platform`] if a variable is unset, the role is unknown, or the index is not a number below the count of the role.
    pub fn task(&self, env: &BTreeMap<String, String>) -> Result<TaskId, Failure> {
        let found = self.role.read(env)?;
        let Some(role) = self.role_called(&found) else {
            let names: Vec<&str> = self.roles.iter().map(|role| role.name.as_str()).collect();
            let (found, names) = (short(&found), names.join(", "));
            return Err(Failure::Platform(format!(
                "the platform reports role `{found}` for this task, but the roles of the job are {names}"
            )));
        };
        let found = self.index.read(env)?;
        let digits = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
        match found.parse() {
            Ok(index) if digits => {
                let task = TaskId { role: role.name.clone(), index };
                self.role_of(&task).map(|_| task)
            }
            Ok(_) | Err(_) => Err(Failure::Platform(format!(
                "the platform reports task index `{}`, which is not a number",
                short(&found)
            ))),
        }
    }

    /// Returns all tasks, role by role.
    pub fn tasks(&self) -> impl Iterator<Item = TaskId> {
        self.roles
            .iter()
            .flat_map(|role| (0..role.count).map(|index| TaskId { role: role.name.clone(), index }))
    }

    /// Returns the role of a task.
    ///
    /// # Errors
    /// [`Failure::Platform`] if the task does not exist.
    pub fn role_of(&self, task: &TaskId) -> Result<&Role, Failure> {
        let role = self
            .role_named(&task.role)
            .ok_or_else(|| Failure::Platform(format!("`{}` is not a role of the job", short(&task.role))))?;
        if task.index < role.count {
            return Ok(role);
        }
        Err(Failure::Platform(format!(
            "the platform reports task index {} of role `{}`, but the indexes of this role are 0 to {}",
            task.index,
            role.name,
            role.count.saturating_sub(1)
        )))
    }

    /// Returns the role with this name.
    #[must_use]
    pub fn role_named(&self, name: &str) -> Option<&Role> {
        self.roles.iter().find(|role| role.name == name)
    }

    /// Returns the role with this name in the spec or on the platform.
    fn role_called(&self, word: &str) -> Option<&Role> {
        let theirs = match &self.peers {
            Peers::Template(address) => address.roles.iter().find(|(_, theirs)| *theirs == word),
            Peers::Given { .. } | Peers::Alone => None,
        };
        self.role_named(word).or_else(|| theirs.and_then(|(ours, _)| self.role_named(ours)))
    }

    /// Returns the names of all environment variables that rendering reads, sorted.
    #[must_use]
    pub fn variables(&self) -> BTreeSet<&str> {
        let Self { version: _, job: _, framework: _, role, index, peers, hadoop, roles, duties: _ } = self;
        let mut names = BTreeSet::new();
        names.extend([role, index].into_iter().filter_map(Source::variable));
        match peers {
            Peers::Template(Address { host: _, names: sources, roles: _ }) => {
                names.extend(sources.values().filter_map(Source::variable))
            }
            Peers::Given { env, pointer: _ } => {
                names.insert(env);
            }
            Peers::Alone => {}
        }
        if hadoop.is_some() {
            names.extend(["CLASSPATH", "HADOOP_CONF_DIR", "JAVA_HOME", "LD_LIBRARY_PATH"]);
        }
        names.extend(roles.iter().flat_map(Role::pieces).filter_map(|piece| match piece {
            Piece::Env(name) => Some(name.as_str()),
            Piece::Text(_)
            | Piece::Index
            | Piece::Address
            | Piece::Addresses(_)
            | Piece::Port(_)
            | Piece::Done => None,
        }));
        names
    }
}

impl Role {
    /// Returns the pieces of all values of the role.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        let Self { name: _, kind: _, count: _, port: _, gpus: _, run, workdir, env, ports: _, duties: _ } =
            self;
        let argv = match run {
            Run::Argv(words) => words.as_slice(),
            Run::Shell(_) => &[],
        };
        let env = env.iter().map(|(_, value)| value);
        argv.iter().chain(workdir).chain(env).flatten()
    }
}

/// Returns the first 60 characters of a value, for messages.
fn short(word: &str) -> String {
    if word.chars().count() <= 60 {
        return word.to_owned();
    }
    word.chars().take(60).chain(['…']).collect()
}
