//! The requests of the editor, one module per feature.
pub mod actions;
pub mod completion;
mod definition;
mod edit;
mod environments;
mod explain;
mod folding;
mod formatting;
mod hints;
mod hover;
mod lines;
mod links;
mod preview;
mod references;
mod rename;
mod selection;
mod setting;
mod strategies;
mod symbols;
pub mod targets;
pub mod tokens;

use crate::params::Params;
use crate::session::Session;
use lsp_types::request::{self, Request as _};
use serde::Serialize;
use serde_json::Value;

/// Answers a request. `None` if the method is unknown.
///
/// # Errors
/// Returns an error if a parameter is missing or invalid, or if the request is refused.
pub fn answer(session: &mut Session<'_>, method: &str, params: &Params) -> Result<Option<Value>, String> {
    let answer = match method {
        request::Completion::METHOD => json(completion::completion(
            session,
            &params.uri()?,
            params.position()?,
            completion::trigger(params),
        )),
        request::Formatting::METHOD => json(formatting::document(session, &params.uri()?)),
        request::RangeFormatting::METHOD => json(formatting::range(session, &params.uri()?, params.range()?)),
        request::HoverRequest::METHOD => json(hover::hover(session, &params.uri()?, params.position()?)),
        request::CodeActionRequest::METHOD => json(actions::actions(session, &actions::Wanted::of(params)?)),
        request::InlayHintRequest::METHOD => json(hints::hints(session, &params.uri()?, params.range()?)),
        request::DocumentLinkRequest::METHOD => json(links::links(session, &params.uri()?)),
        request::GotoDefinition::METHOD => {
            json(definition::definition(session, &params.uri()?, params.position()?))
        }
        request::References::METHOD => {
            let declarations = references::includes_declarations(params);
            json(references::references(session, &params.uri()?, params.position()?, declarations))
        }
        request::DocumentHighlightRequest::METHOD => {
            json(references::highlights(session, &params.uri()?, params.position()?))
        }
        request::PrepareRenameRequest::METHOD => {
            json(rename::prepare(session, &params.uri()?, params.position()?)?)
        }
        request::Rename::METHOD => {
            json(rename::rename(session, &params.uri()?, params.position()?, params.text("/newName")?)?)
        }
        request::DocumentSymbolRequest::METHOD => json(symbols::document(session, &params.uri()?)),
        request::WorkspaceSymbolRequest::METHOD => json(symbols::workspace(session, params.text("/query")?)),
        request::FoldingRangeRequest::METHOD => json(folding::folding(session, &params.uri()?)),
        request::SelectionRangeRequest::METHOD => {
            json(selection::selection(session, &params.uri()?, &params.positions()?))
        }
        request::SemanticTokensFullRequest::METHOD => json(tokens::full(session, &params.uri()?)),
        request::SemanticTokensRangeRequest::METHOD => {
            json(tokens::range(session, &params.uri()?, params.range()?))
        }
        "tfjob/compiled" => json(preview::compiled(session, &preview::Wanted::of(params)?)?),
        "tfjob/explain" => json(explain::explain(session, params)?),
        "tfjob/strategies" => json(strategies::strategies(session)),
        "tfjob/targets" => json(targets::targets(session, &params.uri_at("/uri")?)?),
        "tfjob/locate" => {
            let path = params.optional_text("/path");
            json(preview::locate(session, &preview::Wanted::of(params)?, path, params.position()?)?)
        }
        _ => return Ok(None),
    };
    answer.map(Some)
}

fn json(result: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(result).map_err(|error| error.to_string())
}
