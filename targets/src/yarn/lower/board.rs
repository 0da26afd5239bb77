//! The component of TensorBoard.
use super::Writer;
use super::component::Draft;
use crate::cores;
use crate::yarn::mechanism::Board;
use crate::yarn::schema::RestartPolicy;
use crate::yarn::support::job::{BOARD, BOARD_LINK};
use crate::yarn::support::storage::SHIM;
use std::collections::BTreeMap;
use tfjob_contract::{Contract, Duties, Membership, Piece, Restart, Role, RoleDuties, Run, Source, Value};
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;

/// File name of TensorBoard's job contract.
pub const CONTRACT: &str = "tfjob-tensorboard.json";
/// Pauses before a restart of TensorBoard in seconds: the first pause, and the longest.
const PAUSES: (u64, u64) = (1, 60);

/// Adds the component of TensorBoard. TensorBoard restarts after every exit. If another component ends the service, the service
/// master restarts TensorBoard. Otherwise, a shim restarts it, and exits with 0 when the job completes.
pub fn take(writer: &mut Writer<'_, '_>, board: &Board, at: Span) {
    let Board { required: board, link, env, hadoop, shim } = board;
    let mut draft = Draft::new(BOARD, at);
    draft.image = board.image.as_ref().map(|image| Traced(image.to_string(), at));
    draft.cores = Traced(cores::whole(board.milli), at);
    draft.memory = Traced(board.bytes.div_ceil(1 << 20), at);
    let policy = if *shim { RestartPolicy::OnFailure } else { RestartPolicy::Always };
    draft.policy = Traced(policy, at);
    let mut logs = vec![Piece::Text("--logdir=".to_owned())];
    logs.extend(writer.layout.places.value(&board.logs, writer.job.plan));
    let text = |word: String| vec![Piece::Text(word)];
    let argv = vec![
        text(BOARD.to_owned()),
        logs,
        text(format!("--port={}", board.port)),
        text("--bind_all".to_owned()),
    ];
    if *shim {
        let shim = [&format!("./{SHIM}"), "--contract", &format!("conf/{CONTRACT}")];
        draft.command.argv = shim.into_iter().map(|word| text(word.to_owned())).collect();
        writer.board_argv = Some((argv, at));
    } else {
        draft.command.argv = argv;
    }
    for (name, value, at) in env {
        let value = writer.layout.places.value(value, writer.job.plan);
        draft.variable(name, value, *at);
    }
    draft.command.before.clone_from(hadoop);
    // An empty list hides all GPUs from TensorBoard.
    draft.runtime("CUDA_VISIBLE_DEVICES", "", at);
    if let Some((user, domain)) = link {
        let job = &writer.job.plan.name.value;
        let url = format!("http://tensorboard-0.{job}.{user}.{domain}:{}", board.port);
        writer.service.quicklinks.insert(BOARD_LINK.to_owned(), Traced(url, at));
    }
    writer.board = Some(draft);
}

/// Returns the job contract of a TensorBoard that the shim starts. It is the contract of the job with one more role, which is
/// outside the rendezvous and restarts until the job completes. The launch command sets the environment variables for `hdfs:`.
#[must_use]
pub fn contract(job: &Contract, argv: Vec<Value>) -> Contract {
    let restart = Restart {
        always: true,
        limit: None,
        within: None,
        backoff: Some(PAUSES.0),
        max_backoff: Some(PAUSES.1),
        min_uptime: None,
        no_progress_limit: None,
        codes: Vec::new(),
    };
    // A shell starts TensorBoard. If `tensorboard` is missing, the shell exits with 127. The shim treats this as a failed program,
    // and still waits for job completion.
    let shell = ["/bin/sh", "-c", "exec \"$@\"", BOARD].map(|word| vec![Piece::Text(word.to_owned())]);
    let board = Role {
        name: BOARD.to_owned(),
        kind: Membership::Helper,
        count: 1,
        port: 0,
        gpus: Some(0),
        run: Run::Argv(shell.into_iter().chain(argv).collect()),
        workdir: None,
        env: Vec::new(),
        ports: BTreeMap::new(),
        duties: Some(RoleDuties { restart: Some(restart), ..RoleDuties::default() }),
    };
    let end_duties =
        |duties: &Duties| Duties { ends_with: duties.ends_with, grace: duties.grace, ..Duties::default() };
    let mut contract = Contract {
        role: Source::Is(BOARD.to_owned()),
        index: Source::Is("0".to_owned()),
        hadoop: None,
        duties: job.duties.as_ref().map(end_duties),
        ..job.clone()
    };
    contract.roles.push(board);
    contract
}
