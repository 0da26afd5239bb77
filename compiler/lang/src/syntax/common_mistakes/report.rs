//! Reports of mistakes. Each mistake has one diagnostic, with the repairs as its fix.
use super::{Statement, Walk};
use crate::diagnostic::{Applicability, Code, Diagnostic, Edit, Fix};
use crate::syntax::draft::Change;
use crate::syntax::guard::tell;
use std::ops::Range;

impl Walk<'_> {
    /// Reports a problem, unless the rest of its line is already skipped as unparsable. [`Walk::fix`] adds the fix.
    pub(super) fn say(
        &mut self,
        code: &'static Code,
        bytes: Range<usize>,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        self.told = false;
        if self.statement.as_ref().is_some_and(|s| s.lost.is_some()) {
            return;
        }
        let found = more(Diagnostic::new(code, self.draft.span(bytes), message));
        self.told = tell(&mut self.out.diagnostics, found);
    }

    /// Adds repairs to the last problem. They become its fix, and are applied to the text before it is parsed.
    pub(super) fn fix(&mut self, title: &str, changes: Vec<Change>) {
        let edits: Vec<Edit> = changes.iter().map(|change| self.edit(change)).collect();
        self.out.changes.extend(changes);
        if let Some(last) = self.out.diagnostics.last_mut().filter(|_| self.told) {
            last.fixes.push(Fix::of(title, edits));
        }
        if self.in_arguments() {
            self.only_suggest();
        }
    }

    /// Unless `sure`, makes the fix of the last problem a suggestion.
    pub(super) fn sure(&mut self, sure: bool) {
        if sure {
            return;
        }
        let suggest = |d: &mut Diagnostic| {
            d.fixes.iter_mut().for_each(|fix| fix.applicability = Applicability::Suggestion);
        };
        match self.absorbing() {
            Some(greater) => suggest(greater),
            None => self.only_suggest(),
        }
    }

    /// Makes the fix of the last problem only a suggestion.
    pub(super) fn only_suggest(&mut self) {
        if let Some(last) = self.out.diagnostics.last_mut().filter(|_| self.told) {
            last.fixes.iter_mut().for_each(|fix| fix.applicability = Applicability::Suggestion);
        }
    }

    /// Reports a mistake with its repairs. If an earlier problem absorbs later ones on its line ([`Walk::take_up`]), only adds the
    /// repairs to that problem.
    pub(super) fn mistake(
        &mut self,
        code: &'static Code,
        bytes: Range<usize>,
        message: impl Into<String>,
        help: &str,
        (title, changes): (&str, Vec<Change>),
    ) {
        let comment = self.text[bytes.end..].starts_with('/');
        if self.statement.as_ref().is_some_and(|s| s.absorbs.is_some()) {
            self.absorb(changes);
        } else {
            self.say(code, bytes, message, |d| d.help(help));
            self.fix(title, changes);
        }
        // KDL parses `x//y` as a word and a comment, but it may be meant as one word. The fix is then only a suggestion.
        self.sure(!comment);
    }

    /// Adds repairs to the problem that absorbs later problems on its line.
    pub(super) fn absorb(&mut self, changes: Vec<Change>) {
        let edits: Vec<Edit> = changes.iter().map(|change| self.edit(change)).collect();
        self.out.changes.extend(changes);
        if let Some(fix) = self.absorbing().and_then(|d| d.fixes.first_mut()) {
            fix.edits.extend(edits);
        }
    }

    /// Removes the fix of the problem that absorbs later problems on its line.
    pub(super) fn no_fix(&mut self) {
        if let Some(diagnostic) = self.absorbing() {
            diagnostic.fixes.clear();
        }
    }

    pub(super) fn absorbing(&mut self) -> Option<&mut Diagnostic> {
        let index = self.statement.as_ref()?.absorbs?;
        self.out.diagnostics.get_mut(index)
    }

    /// Makes the last problem absorb later problems on its line: their repairs become part of its fix.
    pub(super) fn take_up(&mut self) {
        let last = self.out.diagnostics.len().checked_sub(1).filter(|_| self.told);
        if let Some(statement) = &mut self.statement {
            statement.absorbs = statement.absorbs.or(last);
        }
    }

    /// Reports a problem, and skips the rest of the line from `from` on, because it cannot be parsed.
    pub(super) fn lose(
        &mut self,
        code: &'static Code,
        bytes: Range<usize>,
        from: usize,
        message: impl Into<String>,
        help: &str,
    ) {
        if self.absorbing().is_some() {
            self.no_fix();
        } else {
            self.say(code, bytes.clone(), message, |d| d.help(help));
        }
        if let Some(statement) = &mut self.statement {
            statement.lost = statement.lost.or(Some(from));
            statement.brackets = 0;
            statement.end = statement.end.max(bytes.end);
        }
    }

    /// Reports a node that cannot be parsed, and skips the node with its block.
    pub(super) fn lose_name(
        &mut self,
        code: &'static Code,
        bytes: Range<usize>,
        message: impl Into<String>,
        help: &str,
    ) {
        let start = bytes.start;
        self.lose(code, bytes, start, message, help);
        if let Some(statement) = &mut self.statement {
            statement.nameless = true;
            statement.hide = statement.hide.or(Some(start));
        }
    }

    /// Replaces one unparsable value or property by spaces.
    pub(super) fn drop_entry(&mut self, bytes: Range<usize>) {
        self.out.blanks.push(bytes.clone());
        self.out.broken.push(bytes);
    }

    pub(super) fn statement(&mut self) -> &mut Statement {
        self.statement.get_or_insert_default()
    }

    fn edit(&self, change: &Change) -> Edit {
        Edit { span: self.draft.span(change.bytes.clone()), text: change.text.clone() }
    }
}
