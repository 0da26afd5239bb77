//! Checks of a parsed job contract for contradictions, such as a reference to a role that does not exist. With such a contract, no
//! task starts.
use crate::failure::invalid;
use crate::{
    Contract, Duties, Framework, FrameworkName, Membership, Peers, Piece, RENDEZVOUS, Ready, Role,
    RoleDuties, RoleKind, Run, Unreadable, owner,
};
use std::collections::BTreeSet;

/// Maximum number of tasks: ten times the maximum of a spec, to which targets add a few tasks. The number is limited, because the
/// shim iterates over all tasks before it prints its first message.
const MOST_TASKS: u64 = 100_000;

impl Contract {
    /// Checks whether each task of the job can be rendered, as far as that does not depend on the machine.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), Unreadable> {
        // The ignored fields need no check: `read` has checked the version, and any job name is valid. `role` and `index` are read
        // when a task starts. `hadoop` and `duties` refer to nothing else in the contract.
        let Self {
            version: _,
            job: _,
            framework,
            role: _,
            index: _,
            peers,
            hadoop: _,
            roles,
            duties:
                None | Some(Duties { wait: _, deadline: _, grace: _, ends_with: _, checkpoints: _, hold: _ }),
        } = self;
        let fault = self
            .names()
            .or_else(|| self.addresses(peers))
            .or_else(|| self.rendezvous(*framework))
            .or_else(|| roles.iter().find_map(|role| self.role(role)))
            .or_else(|| roles.iter().find_map(|role| self.role_duties(role)));
        match fault {
            None => Ok(()),
            Some(fault) => Err(invalid(&fault)),
        }
    }

    fn names(&self) -> Option<String> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        if self.roles.is_empty() {
            return Some("it has no roles".to_owned());
        }
        if self.roles.iter().map(|role| u64::from(role.count)).sum::<u64>() > MOST_TASKS {
            return Some(format!("its roles have more than {MOST_TASKS} tasks in total"));
        }
        self.roles.iter().find_map(|role| {
            let name = &role.name;
            match (seen.insert(name.as_str()), role.count) {
                (false, _) => Some(format!("it has several roles with the name `{name}`")),
                (true, 0) => Some(format!("role `{name}` has no tasks")),
                (true, _) => None,
            }
        })
    }

    fn addresses(&self, peers: &Peers) -> Option<String> {
        let address = match peers {
            Peers::Template(address) => address,
            Peers::Given { .. } => return None,
            Peers::Alone => return self.need_for_peers(),
        };
        let mut words: BTreeSet<&str> = BTreeSet::new();
        let words = address.roles.iter().find_map(|(ours, theirs)| {
            if self.role_named(ours).is_none() {
                return Some(format!("`peers` maps unknown role `{ours}` to a name on the platform"));
            }
            let clash = !words.insert(theirs) || (theirs != ours && self.role_named(theirs).is_some());
            clash.then(|| format!("on the platform, more than one role would have the name `{theirs}`"))
        });
        words.or_else(|| address.fault())
    }

    /// Returns the fault of a job contract that contains no peer addresses, although a role or the framework needs them.
    fn need_for_peers(&self) -> Option<String> {
        let uses = |role: &&Role| {
            role.pieces().any(|piece| match piece {
                Piece::Address | Piece::Addresses(_) => true,
                Piece::Text(_) | Piece::Index | Piece::Port(_) | Piece::Env(_) | Piece::Done => false,
            })
        };
        let user = self.roles.iter().find(uses);
        let fault = user.map(|role| {
            format!(
                "role `{}` uses the address of a task, but `peers` of the job contract has no addresses",
                role.name
            )
        });
        let meets = self.framework.meets(self.rendezvous_size());
        fault.or_else(|| {
            meets.then(|| {
                "tasks of this framework connect to each other, but `peers` of the job contract has no addresses".to_owned()
            })
        })
    }

    /// Returns the number of tasks in the rendezvous.
    fn rendezvous_size(&self) -> u64 {
        let inside = self.roles.iter().filter(|role| role.kind.joins_rendezvous());
        inside.map(|role| u64::from(role.count)).sum()
    }

    fn evaluators(&self) -> u64 {
        let evaluators = self.roles.iter().filter(|role| role.kind == Membership::Evaluator);
        evaluators.map(|role| u64::from(role.count)).sum()
    }

    fn rendezvous(&self, framework: Framework) -> Option<String> {
        let Framework { name: family, strategy } = framework;
        let word = family.keyword();
        match (family, strategy) {
            // Training is distributed only with two or more tasks that are not evaluators. An evaluator is not a peer.
            (FrameworkName::Tensorflow, None) if self.rendezvous_size() > 1 + self.evaluators() => {
                return Some("framework tensorflow with several tasks requires a `strategy`".to_owned());
            }
            (FrameworkName::Tensorflow, _) => {}
            (_, Some(_)) => return Some(format!("framework {word} does not support `strategy`")),
            (_, None) => {}
        }
        let role = self.roles.iter().find_map(|role| {
            let name = &role.name;
            let kind = family.kind_of(name);
            let known = family.takes_any_role() || kind != RoleKind::Own;
            let is_evaluator = kind == RoleKind::Evaluator;
            match role.kind {
                Membership::Helper => None,
                Membership::Evaluator if !is_evaluator => {
                    Some(format!(
                        "role `{name}` has kind `evaluator`, but framework {word} has no evaluator role of this name"
                    ))
                }
                Membership::Member if !known => {
                    Some(format!("role `{name}` is not a role of framework {word}"))
                }
                Membership::Member if is_evaluator => {
                    Some(format!("role `{name}` must have kind `evaluator`"))
                }
                Membership::Evaluator | Membership::Member => {
                    (role.count > 1 && kind.is_single()).then(|| {
                        format!(
                            "role `{name}` has {} tasks, but framework {word} allows only one task of this role",
                            role.count
                        )
                    })
                }
            }
        });
        let scheduler = family != FrameworkName::Mxnet
            || self.rendezvous_size() <= 1
            || self.role_named("scheduler").is_some();
        role.or_else(|| {
            (!scheduler).then(|| "framework mxnet with several tasks requires a role `scheduler`".to_owned())
        })
    }

    fn role(&self, role: &Role) -> Option<String> {
        // `kind` and `count` are checked in `rendezvous`. Any `port` and any number of GPUs are valid.
        let Role { name, kind: _, count: _, port: _, gpus: _, run, workdir: _, env, ports, duties: _ } = role;
        let empty = match run {
            Run::Argv(words) => words.is_empty(),
            Run::Shell(_) => false,
        };
        if empty {
            return Some(format!("role `{name}` has no command"));
        }
        if ports.contains_key(RENDEZVOUS) {
            return Some(format!(
                "the contract lists port `{RENDEZVOUS}` of role `{name}` in `ports`, but the number of this port belongs in the field `port` of the role"
            ));
        }
        let env = env.iter().find_map(|(variable, _)| self.variable(variable));
        let piece = || role.pieces().find_map(|piece| self.piece(role, piece));
        env.or_else(piece).map(|fault| format!("role `{name}` {fault}"))
    }

    /// Checks the roles and ports that the duties of a role refer to.
    fn role_duties(&self, role: &Role) -> Option<String> {
        let RoleDuties { restart: _, after, ready, outlives, returns: _, done: _, reads: _ } =
            role.duties.as_ref()?;
        let named = after.iter().map(|after| &after.role).chain(outlives);
        let lost = named.into_iter().find(|name| self.role_named(name).is_none());
        if let Some(name) = lost {
            return Some(format!("role `{}` waits for unknown role `{name}`", role.name));
        }
        let port = match ready {
            None | Some(Ready::File(_)) => return None,
            Some(Ready::Tcp(port) | Ready::Http { port, .. }) => port,
        };
        let fault = self.piece(role, &Piece::Port(port.clone()))?;
        Some(format!("the readiness probe of role `{}` {fault}", role.name))
    }

    /// Returns why a role cannot set this environment variable. `None` if it can.
    fn variable(&self, name: &str) -> Option<String> {
        let mut bytes = name.bytes();
        let first = bytes.next().is_some_and(|b| b == b'_' || b.is_ascii_alphabetic());
        if !first || !bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric()) {
            return Some(format!("sets environment variable `{name}`, which is not a valid name"));
        }
        // Variables that `tfjob` owns are valid here, because the compiler itself writes the `TFJOB_` variables of the job into
        // `env`.
        let owner = owner(name, self.framework.name, self.hadoop.is_some());
        owner
            .filter(|owner| *owner != "tfjob")
            .map(|owner| format!("sets environment variable {name}, which tfjob sets for `{owner}`"))
    }

    /// Returns why a part of a value cannot be expanded. `None` if it can.
    fn piece(&self, role: &Role, piece: &Piece) -> Option<String> {
        let given = matches!(self.peers, Peers::Given { .. });
        match piece {
            Piece::Text(_) | Piece::Index | Piece::Address | Piece::Env(_) => None,
            Piece::Done => {
                let heard = role.duties.as_ref().is_some_and(|duties| duties.done);
                (!heard).then(|| {
                    "uses the completion file (`{done}`), but its `duties` do not contain `done`, so tfjob-shim would not \
                     watch the file"
                        .to_owned()
                })
            }
            Piece::Addresses(name) => match self.role_named(name) {
                None => Some(format!("uses the addresses of unknown role `{name}`")),
                Some(other) if !other.kind.joins_rendezvous() => {
                    Some(format!("uses the addresses of helper `{name}`, but helpers have no addresses"))
                }
                Some(other) if other.port == 0 && !given => {
                    Some(format!("uses the addresses of role `{name}`, which has no rendezvous port"))
                }
                Some(_) => None,
            },
            Piece::Port(name) if name == RENDEZVOUS => (role.port == 0 && !given)
                .then(|| format!("uses port `{RENDEZVOUS}`, which this role does not have")),
            Piece::Port(name) => (!role.ports.contains_key(name))
                .then(|| format!("uses port `{name}`, which this role does not declare")),
        }
    }
}
