//! Hover: what a name or value means, what each target does with it in this job, and what it resolves to.
mod field;
mod inherited;
mod markup;
mod reference;
mod replaced;
mod spans;
mod support;

pub use inherited::{Origins, inherited_fields, with_defaults};
pub use markup::plain;
pub use replaced::settings;

use crate::cursor::Cursor;
use crate::documents::Document;
use crate::features::setting;
use crate::session::Session;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Uri};
use std::ops::Range;
use tfjob_driver::{Batch, Checked, Target};
use tfjob_lang::diagnostic::Severity;
use tfjob_lang::plan::Plan;
use tfjob_lang::shape::Shape;
use tfjob_lang::sources::{Source, Span};

/// A place in a document, and the last check of the document.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The session.
    pub session: &'a Session<'a>,
    /// The document.
    pub document: &'a Document,
    /// The checks of the document: one per environment of the project.
    pub checked: &'a [Checked],
    /// The names of these environments ([`Session::environments`]).
    pub environments: &'a [String],
    /// Shape of the file.
    pub root: &'static Shape,
    /// Byte offset of the place.
    pub byte: usize,
}

impl<'a> Place<'a> {
    /// Returns the place in each environment, with the name of the environment, which is empty if there is only one.
    pub fn each(&self) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let place = *self;
        let most = if self.environments.is_empty() { self.checked.len() } else { self.environments.len() };
        self.checked.iter().take(most).enumerate().map(move |(number, checked)| {
            let name = place.environments.get(number).map_or("", String::as_str);
            (name, Self { checked: std::slice::from_ref(checked), environments: &[], ..place })
        })
    }

    /// Returns the plan of the first environment, if the spec has no errors.
    #[must_use]
    pub fn plan(&self) -> Option<&'a Plan> {
        self.checked.first()?.plan.as_ref()
    }

    /// Returns the targets that the spec is checked for, each with the place in the environments that have the target.
    #[must_use]
    pub fn configured(&self) -> Vec<(Target, Vec<(&'a str, Self)>)> {
        let mut all: Vec<(Target, Vec<(&'a str, Self)>)> = Vec::new();
        for (name, place) in self.each() {
            for (target, _) in place.checked.iter().flat_map(|checked| &checked.compiled) {
                match all.iter_mut().find(|(known, _)| known.name() == target.name()) {
                    Some((_, places)) => places.push((name, place)),
                    None => all.push((*target, vec![(name, place)])),
                }
            }
        }
        all
    }

    /// Returns the texts and findings of the check.
    #[must_use]
    pub fn batch(&self) -> Option<&'a Batch> {
        self.checked.first().map(|checked| &checked.batch)
    }

    /// Returns the text of the document as the check has read it. `None` if the document has changed since then.
    #[must_use]
    pub fn source(&self) -> Option<&'a Source> {
        let name = self.document.path.to_string_lossy();
        self.batch()?.sources.iter().find(|source| source.name == name && source.text == self.document.text)
    }

    /// Returns the byte range of a span that is in the document.
    #[must_use]
    pub fn local(&self, span: Span) -> Option<Range<usize>> {
        let source = self.source()?;
        source.span().contains(span).then(|| source.local(span))
    }
}

/// Answers `textDocument/hover`.
pub fn hover(session: &mut Session<'_>, uri: &Uri, position: Position) -> Option<Hover> {
    let (path, byte) = session.place(uri, position)?;
    session.results(&path);
    let session = &*session;
    let document = session.documents.get(&path)?;
    let checked = session.last(&path).map_or(&[][..], |results| results.checked.as_slice());
    let root = session.shape(document);
    let environments = session.environments(&path);
    let place = Place { session, document, checked, environments: &environments, root, byte };
    let cursor = Cursor::at(document, root, byte)?;
    let mut parts = reference::parts(&place, &cursor);
    if parts.is_empty() {
        parts.extend(setting::described(&place, &cursor));
    }
    if parts.is_empty() {
        parts = field::parts(&place, &cursor);
        parts.extend(replaced::parts(&place, &cursor));
        parts.extend(support::parts(&place, &cursor));
        parts.extend(inherited::parts(&place, &cursor));
    }
    if let Some(page) = place.each().find_map(|(_, place)| finding(session, &place)) {
        if !parts.is_empty() {
            parts.push("---".to_owned());
        }
        parts.push(page);
    }
    if parts.is_empty() {
        return None;
    }
    let text = parts.join("\n\n");
    let text = match session.last(&path) {
        Some(results) => results.scrubber().scrub(&text).into_owned(),
        None => text,
    };
    let (kind, value) = match session.client.markdown {
        true => (MarkupKind::Markdown, text),
        false => (MarkupKind::PlainText, plain(&text)),
    };
    let range = Some(cursor.word).filter(|word| !word.is_empty()).map(|word| document.range(word));
    Some(Hover { contents: HoverContents::Markup(MarkupContent { kind, value }), range })
}

/// Returns the first paragraph of the page of the finding at the place. A note has no page here: most notes say how a target
/// emulates a feature, which is already in the hover.
fn finding(session: &Session<'_>, place: &Place<'_>) -> Option<String> {
    let found = place.batch()?.diagnostics.iter().find(|one| {
        let at = place.local(one.span()).filter(|_| one.code.severity != Severity::Note);
        at.is_some_and(|span| span.start <= place.byte && place.byte <= span.end)
    })?;
    let page = session.host.explain(found.code.name).ok()?;
    let prose = page.split("\n\n").map(str::trim);
    let prose = prose.into_iter().find(|text| !text.is_empty() && !text.starts_with(['#', '`']))?;
    Some(format!("`{}`: {prose}", found.code.name))
}
