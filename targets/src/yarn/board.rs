//! The TensorBoard's component.
use super::component::Draft;
use super::lower::Writer;
use super::means::Board;
use super::shape::RestartPolicy;
use tfjob_contract::Piece;
use tfjob_lang::origin::Traced;
use tfjob_lang::sources::Span;

/// What its link is called.
pub const LINK: &str = "TensorBoard";

/// Draws it up. It is started again whenever it ends: the service ends with another component.
pub fn take(writer: &mut Writer<'_, '_>, board: &Board, at: Span) {
    let Board { asked: board, link, env, hadoop } = board;
    let mut draft = Draft::new("tensorboard", at);
    draft.image = board.image.as_ref().map(|image| Traced(image.to_string(), at));
    draft.cores = Traced(board.milli.div_ceil(1000), at);
    draft.memory = Traced(board.bytes.div_ceil(1 << 20), at);
    draft.policy = Traced(RestartPolicy::Always, at);
    let mut logs = vec![Piece::Text("--logdir=".to_owned())];
    logs.extend(writer.layout.places.value(&board.logs, writer.job.plan));
    let text = |word: String| vec![Piece::Text(word)];
    draft.command.argv = vec![
        text("tensorboard".to_owned()),
        logs,
        text(format!("--port={}", board.port)),
        text("--bind_all".to_owned()),
    ];
    for (name, value, at) in env {
        let value = writer.layout.places.value(value, writer.job.plan);
        draft.variable(name, value, *at);
    }
    draft.command.before.clone_from(hadoop);
    // One page for people: no GPU for it.
    draft.runtime("CUDA_VISIBLE_DEVICES", "", at);
    if let Some((user, domain)) = link {
        let job = &writer.job.plan.name.value;
        let url = format!("http://tensorboard-0.{job}.{user}.{domain}:{}", board.port);
        writer.service.quicklinks.insert(LINK.to_owned(), Traced(url, at));
    }
    writer.board = Some(draft);
}
