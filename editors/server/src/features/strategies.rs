//! The distribution strategies of a new job. The request `tfjob/strategies` is not part of LSP.
use crate::session::Session;
use serde::Serialize;
use tfjob_lang::shape::Shape;

/// A strategy.
#[derive(Debug, Serialize)]
pub struct Strategy {
    /// Its name, such as `mirrored`.
    name: &'static str,
    /// Its description.
    description: &'static str,
}

/// Returns all strategies, in the order of the reference.
#[must_use]
pub fn strategies(session: &Session<'_>) -> Vec<Strategy> {
    let shape = session.host.driver().registry().jobs;
    let field = shape.block(&[("job", None), ("framework", None)]).and_then(|block| block.field("strategy"));
    let choices = match field.map(|field| &field.shape) {
        Some(Shape::Words(choices)) => *choices,
        Some(_) | None => &[],
    };
    choices.iter().map(|choice| Strategy { name: choice.word, description: choice.doc }).collect()
}
