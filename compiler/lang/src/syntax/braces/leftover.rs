//! Reports `}"` directly after a string at the end of a line. Editors that add closing marks easily leave these two: the first one
//! would close the block, and all later entries would belong to another block.
use super::{Balance, Draft, Kind, Token};
use crate::codes::UNBALANCED_BRACES;
use crate::diagnostic::{Diagnostic, Fix};

/// Replaces each leftover `}"` by spaces, and reports it. Returns whether there is one.
pub(super) fn remove(draft: &mut Draft, tokens: &[Token], out: &mut Balance) -> bool {
    let (mut found, mut open, mut line) = (Vec::new(), Vec::new(), 0_usize);
    for (number, token) in tokens.iter().enumerate() {
        if token.kind == Kind::Newline {
            line += 1;
        } else if token.kind == Kind::Open {
            open.push(line);
        } else if token.kind == Kind::Close {
            // A block that begins on this line may end here.
            if open.last() == Some(&line) || !is_leftover(draft, tokens, number) {
                open.pop();
            } else {
                found.push(token.start..token.end + 1);
            }
        }
    }
    for range in &found {
        let here = draft.span(range.clone());
        let told = Diagnostic::new(&UNBALANCED_BRACES, here, "`}\"` after the end of the string");
        let told = told.here("not in the string").help("remove it");
        out.diagnostics.push(told.suggest(Fix::edit("remove `}\"`", here, "").in_help()));
    }
    let is_found = !found.is_empty();
    draft.apply(Vec::new(), found);
    is_found
}

/// Returns whether this `}` directly follows a string, and only a quote follows it on its line.
fn is_leftover(draft: &Draft, tokens: &[Token], number: usize) -> bool {
    let before = number.checked_sub(1).map(|before| tokens[before].kind);
    let quote = tokens.get(number + 1).filter(|next| next.kind == Kind::OpenText);
    let is_alone = |text: &str| text.lines().next().is_some_and(|line| line.trim_end() == "\"");
    before == Some(Kind::Text) && quote.is_some_and(|quote| is_alone(&draft.text[quote.range()]))
}
