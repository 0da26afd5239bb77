//! Tokens in the notation of LSP: positions relative to the token before, on one line each.
use super::kind::Token;
use crate::documents::Document;
use lsp_types::{SemanticToken, SemanticTokens};

/// Encodes tokens, which are in order and do not overlap.
pub(super) fn encode(document: &Document, tokens: &[Token]) -> SemanticTokens {
    let mut data = Vec::with_capacity(tokens.len());
    let (mut line, mut column) = (0, 0);
    for token in tokens {
        let mut start = token.bytes.start;
        let text = document.text.get(token.bytes.clone()).unwrap_or_default();
        // Not all editors support tokens of several lines.
        for part in text.split_inclusive(['\n', '\r']) {
            let shown = part.trim_end_matches(['\n', '\r']);
            let length = document.encoding.length(shown);
            if length > 0 {
                let at = document.position(start);
                let delta_start = if at.line == line { at.character - column } else { at.character };
                data.push(SemanticToken {
                    delta_line: at.line - line,
                    delta_start,
                    length,
                    token_type: token.kind.number(),
                    token_modifiers_bitset: u32::from(token.declares),
                });
                (line, column) = (at.line, at.character);
            }
            start += part.len();
        }
    }
    SemanticTokens { result_id: None, data }
}
