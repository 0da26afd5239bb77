//! How a slip is told: one problem each, with the changes that mend it as its fix.
use super::{Statement, Walk};
use crate::diagnostic::{Applicability, Code, Diagnostic, Edit, Fix};
use crate::syntax::draft::Change;
use crate::syntax::guard::tell;
use std::ops::Range;

impl Walk<'_> {
    /// Tells a problem, unless its line is lost already. [`Walk::fix`] belongs to it.
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

    /// The changes that mend the problem told last, for the user and for the reader.
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

    /// Leaves the changes of the last slip to the user, where they have another meaning than a machine may choose.
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

    /// The changes of the problem told last are left to the user.
    pub(super) fn only_suggest(&mut self) {
        if let Some(last) = self.out.diagnostics.last_mut().filter(|_| self.told) {
            last.fixes.iter_mut().for_each(|fix| fix.applicability = Applicability::Suggestion);
        }
    }

    /// A small problem with its changes: taken up by the greater one on the same line, if there is one.
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
        // `x//y` is one word to who wrote it, and to KDL a word and a comment.
        self.sure(!comment);
    }

    /// Further changes that belong to the greater problem of the line.
    pub(super) fn absorb(&mut self, changes: Vec<Change>) {
        let edits: Vec<Edit> = changes.iter().map(|change| self.edit(change)).collect();
        self.out.changes.extend(changes);
        if let Some(fix) = self.absorbing().and_then(|d| d.fixes.first_mut()) {
            fix.edits.extend(edits);
        }
    }

    /// The greater problem of the line has no fix that a machine may apply.
    pub(super) fn no_fix(&mut self) {
        if let Some(diagnostic) = self.absorbing() {
            diagnostic.fixes.clear();
        }
    }

    fn absorbing(&mut self) -> Option<&mut Diagnostic> {
        let index = self.statement.as_ref()?.absorbs?;
        self.out.diagnostics.get_mut(index)
    }

    /// Lets the problem told last take up the smaller ones on the rest of its line.
    pub(super) fn take_up(&mut self) {
        let last = self.out.diagnostics.len().checked_sub(1).filter(|_| self.told);
        if let Some(statement) = &mut self.statement {
            statement.absorbs = statement.absorbs.or(last);
        }
    }

    /// Tells a problem after which the line cannot be read, from `from` on.
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

    /// Tells that a node cannot be read at all, with its block.
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

    /// Takes one value or property out of the text: it cannot be read, but what follows can.
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
