//! What a contract must hold besides its shape, so that no task starts on half of an answer.
use crate::{
    Contract, Duties, Framework, FrameworkName, Membership, Peers, Piece, Ready, Role, RoleDuties, RoleKind,
    Run, Unreadable, owner,
};
use std::collections::BTreeSet;

/// The most tasks of a contract: the shim goes through them before its first word. A spec has at most 10,000, and targets add some.
const MOST_TASKS: u64 = 100_000;

impl Contract {
    /// Whether each task of the job can be rendered, as far as that does not hang on the machine.
    ///
    /// # Errors
    /// The first thing that is wrong, in one sentence.
    pub fn check(&self) -> Result<(), Unreadable> {
        // The version was looked at when the text was read; any name of a job will do, and each source is asked when a task
        // starts. The folders of Hadoop, and the duties of the job, name nothing that the contract has.
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
            Some(fault) => Err(Unreadable(format!("the contract is wrong: {fault}"))),
        }
    }

    fn names(&self) -> Option<String> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        if self.roles.is_empty() {
            return Some("it has no role".to_owned());
        }
        if self.roles.iter().map(|role| u64::from(role.count)).sum::<u64>() > MOST_TASKS {
            return Some(format!("it has more than {MOST_TASKS} tasks"));
        }
        self.roles.iter().find_map(|role| {
            let name = &role.name;
            match (seen.insert(name.as_str()), role.count) {
                (false, _) => Some(format!("it has two roles `{name}`")),
                (true, 0) => Some(format!("role `{name}` has no task")),
                (true, _) => None,
            }
        })
    }

    fn addresses(&self, peers: &Peers) -> Option<String> {
        let address = match peers {
            Peers::Template(address) => address,
            Peers::Given { .. } => return None,
            Peers::Alone => return self.loneliness(),
        };
        let mut words: BTreeSet<&str> = BTreeSet::new();
        let words = address.roles.iter().find_map(|(ours, theirs)| {
            if self.role_named(ours).is_none() {
                return Some(format!("it renames the role `{ours}`, which is not there"));
            }
            let clash = !words.insert(theirs) || (theirs != ours && self.role_named(theirs).is_some());
            clash.then(|| format!("`{theirs}` stands for more than one role"))
        });
        words.or_else(|| address.fault())
    }

    /// What asks for peers where the contract says of none.
    fn loneliness(&self) -> Option<String> {
        let seeks = |role: &&Role| {
            role.pieces().any(|piece| match piece {
                Piece::Address | Piece::Addresses(_) => true,
                Piece::Text(_) | Piece::Index | Piece::Port(_) | Piece::Env(_) | Piece::Done => false,
            })
        };
        let seeks = self.roles.iter().find(seeks);
        let seeks = seeks.map(|role| format!("role `{}` asks for an address and there is none", role.name));
        let meets = self.framework.meets(self.met());
        seeks.or_else(|| meets.then(|| "its tasks must meet and it does not say where".to_owned()))
    }

    /// Number of tasks in the rendezvous.
    fn met(&self) -> u64 {
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
            // An evaluator works by itself: one task beside it trains as if alone.
            (FrameworkName::Tensorflow, None) if self.met() > 1 + self.evaluators() => {
                return Some("TensorFlow with several tasks needs a strategy".to_owned());
            }
            (FrameworkName::Tensorflow, _) => {}
            (_, Some(_)) => return Some(format!("{word} has no strategy")),
            (_, None) => {}
        }
        let role = self.roles.iter().find_map(|role| {
            let name = &role.name;
            let kind = family.kind_of(name);
            let known = family.takes_any_role() || kind != RoleKind::Own;
            let right = match role.kind {
                Membership::Helper => return None,
                Membership::Evaluator => kind == RoleKind::Evaluator,
                Membership::Member => known && kind != RoleKind::Evaluator,
            };
            let right = right && (role.count == 1 || !kind.is_single());
            (!right).then(|| format!("{word} cannot have {} tasks of role `{name}`", role.count))
        });
        let scheduler =
            family != FrameworkName::Mxnet || self.met() <= 1 || self.role_named("scheduler").is_some();
        role.or_else(|| (!scheduler).then(|| "mxnet with several tasks needs a `scheduler`".to_owned()))
    }

    fn role(&self, role: &Role) -> Option<String> {
        // The kind and the count are a matter of the rendezvous. Any port, and any number of GPUs, will do.
        let Role { name, kind: _, count: _, port: _, gpus: _, run, workdir: _, env, ports, duties: _ } = role;
        let empty = match run {
            Run::Argv(words) => words.is_empty(),
            Run::Shell(_) => false,
        };
        if empty {
            return Some(format!("role `{name}` has nothing to run"));
        }
        if ports.contains_key("cluster") {
            return Some(format!("role `{name}` names a port `cluster`, which is the rendezvous"));
        }
        let env = env.iter().find_map(|(variable, _)| self.variable(variable));
        let piece = || role.pieces().find_map(|piece| self.piece(role, piece));
        env.or_else(piece).map(|fault| format!("role `{name}` {fault}"))
    }

    /// What its duties name must be there.
    fn role_duties(&self, role: &Role) -> Option<String> {
        let RoleDuties { restart: _, after, ready, outlives, returns: _, done: _, reads: _ } =
            role.duties.as_ref()?;
        let named = after.iter().map(|after| &after.role).chain(outlives);
        let lost = named.into_iter().find(|name| self.role_named(name).is_none());
        if let Some(name) = lost {
            return Some(format!("role `{}` looks at the role `{name}`, which is not there", role.name));
        }
        let port = match ready {
            None | Some(Ready::File(_)) => return None,
            Some(Ready::Tcp(port) | Ready::Http { port, .. }) => port,
        };
        let fault = self.piece(role, &Piece::Port(port.clone()))?;
        Some(format!("role `{}` {fault}", role.name))
    }

    fn variable(&self, name: &str) -> Option<String> {
        let mut bytes = name.bytes();
        let first = bytes.next().is_some_and(|b| b == b'_' || b.is_ascii_alphabetic());
        if !first || !bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric()) {
            return Some(format!("sets `{name}`, which is no name of a variable"));
        }
        // The compiler describes the job in `TFJOB_` variables; the shim adds those of the task.
        let owner = owner(name, self.framework.name, self.hadoop.is_some());
        owner
            .filter(|owner| *owner != "tfjob")
            .map(|owner| format!("sets {name}, which belongs to `{owner}`"))
    }

    fn piece(&self, role: &Role, piece: &Piece) -> Option<String> {
        let given = matches!(self.peers, Peers::Given { .. });
        match piece {
            Piece::Text(_) | Piece::Index | Piece::Address | Piece::Env(_) => None,
            Piece::Done => {
                let heard = role.duties.as_ref().is_some_and(|duties| duties.done);
                (!heard).then(|| "names the file `{done}`, and no duty of it looks there".to_owned())
            }
            Piece::Addresses(name) => match self.role_named(name) {
                None => Some(format!("asks for the addresses of `{name}`, which is no role")),
                Some(other) if other.port == 0 && !given => {
                    Some(format!("asks for the addresses of `{name}`, which listens on no port"))
                }
                Some(_) => None,
            },
            Piece::Port(name) if name == "cluster" => {
                (role.port == 0 && !given).then(|| "asks for the port `cluster` and has none".to_owned())
            }
            Piece::Port(name) => {
                (!role.ports.contains_key(name)).then(|| format!("asks for the port `{name}` and has none"))
            }
        }
    }
}
