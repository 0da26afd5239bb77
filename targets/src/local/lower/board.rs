//! Adds TensorBoard to the job as a role outside the rendezvous. This role has the environment variables that all roles share, and
//! the secrets that the `tensorboard` block names.
use crate::contract_builder::{ContractBuilder, Places};
use crate::helper_environment;
use crate::local::schema::Role;
use crate::local::support::BOARD;
use std::collections::BTreeMap;
use tfjob_contract::{Membership, Piece, RoleKind, Run, Value};
use tfjob_lang::origin::Traced;
use tfjob_lang::plan::Plan;
use tfjob_lang::requirement::Tensorboard;
use tfjob_lang::sources::Span;

/// Returns the role of TensorBoard for `job.json`.
pub fn role(plan: &Plan, at: Span) -> Role {
    let secrets = helper_environment::secrets(plan).into_iter().filter(|(secret, _)| secret.at.is_none());
    Role {
        serves: Traced(true, at),
        secrets: secrets.map(|(secret, at)| Traced(secret.env, at)).collect(),
        ..Role::new(Traced(BOARD.to_owned(), at), RoleKind::Helper, Traced(1, at))
    }
}

/// Adds the role of TensorBoard to the contract.
pub fn builder(builder: &mut ContractBuilder, plan: &Plan, places: &Places, board: &Tensorboard, at: Span) {
    let word = |text: String| -> Value { vec![Piece::Text(text)] };
    let mut logs = word("--logdir=".to_owned());
    logs.extend(places.value(&board.logs, plan));
    // With this option, TensorBoard accepts connections only from this machine.
    let host = word("--host=127.0.0.1".to_owned());
    let argv = vec![word(BOARD.to_owned()), logs, host, word(format!("--port={}", board.port))];
    let variables = helper_environment::variables(plan).into_iter();
    let env = variables.map(|(name, value, _)| (name.to_owned(), places.value(value, plan))).collect();
    let roles = &mut builder.contract_mut().roles;
    let pointer = format!("/roles/{}", roles.len());
    roles.push(tfjob_contract::Role {
        name: BOARD.to_owned(),
        kind: Membership::Helper,
        count: 1,
        port: 0,
        gpus: Some(0),
        run: Run::Argv(argv),
        workdir: None,
        env,
        ports: BTreeMap::new(),
        duties: None,
    });
    builder.trace(&pointer, at);
    builder.trace(&format!("{pointer}/run/argv/1"), board.logs.span);
}
