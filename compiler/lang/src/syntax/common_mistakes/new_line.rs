//! Reports properties on the line after their entry, without a `\` at the end of the entry.
use super::{Statement, Walk};
use crate::codes::SYNTAX;
use crate::syntax::draft::Change;
use crate::syntax::foreign_tokens::indent;
use crate::syntax::lexer::{Token, is_blank};

impl Walk<'_> {
    /// Continues the previous entry with the property `token`, as in `resources` with `cpus=4` on the next line. Returns `false` for
    /// other tokens.
    pub(super) fn property_on_new_line(&mut self, token: Token) -> bool {
        let continues = |previous: &&Statement| self.continues(previous, token);
        let Some(previous) = self.ended.as_ref().filter(continues) else { return false };
        let (end, owner) = (previous.end, self.name_of(previous).to_owned());
        let word = self.words(token).to_owned();
        let previous = self.ended.take().unwrap_or_default();
        self.statement = Some(Statement { spaced: true, fresh: false, absorbs: None, ..previous });
        let message = format!("`{word}` is on a new line, so it is not a property of `{owner}`");
        self.say(&SYNTAX, token.range(), message, |d| {
            d.here("parsed as a new entry").help("end the previous line with `\\` to continue it")
        });
        self.fix("continue the previous line", vec![Change::new(end..end, " \\")]);
        self.argument_or_property(token);
        true
    }

    /// Returns whether a token is a property of the previous entry: it is on the next line, which has a deeper indentation. Names in
    /// capitals are variables of `env`.
    fn continues(&self, previous: &Statement, token: Token) -> bool {
        if self.hide.is_some() || previous.hide.is_some() || previous.nameless {
            return false;
        }
        if previous.block || previous.hidden_block || self.has_only_arguments(previous) {
            return false;
        }
        let is_property = self.begins_property(token) && !self.words(token).contains(char::is_uppercase);
        let gap = self.text[previous.end..token.start].trim_start_matches(is_blank);
        let line_start = self.text[..previous.start].rfind('\n').map_or(0, |at| at + 1);
        let (comment, after) = gap.split_once('\n').unwrap_or((gap, "x"));
        is_property
            && (comment.trim().is_empty() || comment.starts_with("//"))
            && after.chars().all(is_blank)
            && indent(after) > indent(&self.text[line_start..])
    }
}
