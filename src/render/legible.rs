//! Masking of credentials in reports: more people read a report than the spec.
use super::context::{self, Context, Findings};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use tfjob_driver::Batch;
use tfjob_lang::codes::SECRET_VALUE;
use tfjob_lang::diagnostic::{Diagnostic, Fix};
use tfjob_lang::secrets::{self, Scrubber, replaced, stars};
use tfjob_lang::sources::{Format, Source, Sources};

/// Diagnostics without credentials, and the credentials to mask in snippets. Every report is built from this type.
#[derive(Debug)]
pub struct Legible<'a>(Vec<Shown<'a>>);

/// The diagnostics of one analysis.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    pub sources: &'a Sources,
    pub diagnostics: Vec<Diagnostic>,
    /// For each diagnostic: the environments that have it. Empty: all.
    pub environments: Vec<Vec<String>>,
    pub hidden: Hidden,
}

impl<'a> Legible<'a> {
    /// Removes credentials from all messages, and finds them in the texts. The credentials of all batches are masked in each batch.
    #[must_use]
    pub fn of(batches: &'a [Batch]) -> Self {
        let is_silent = batches.iter().all(|batch| batch.diagnostics.is_empty());
        let searched: &[Batch] = if is_silent { &[] } else { batches };
        let mut scrubber = secrets::scrubber(searched.iter().map(|batch| &batch.sources));
        let told: Vec<_> = batches.iter().map(|batch| secret_values(batch, &mut scrubber)).collect();
        let scrubber = Rc::new(scrubber);
        let shown = |(batch, told): (&'a Batch, _)| Shown {
            sources: &batch.sources,
            diagnostics: batch.diagnostics.iter().map(|told| scrubbed(told, &scrubber)).collect(),
            environments: vec![Vec::new(); batch.diagnostics.len()],
            hidden: Hidden { told, scrubber: Rc::clone(&scrubber), found: RefCell::default() },
        };
        Self(batches.iter().zip(told).map(shown).collect())
    }

    /// Adds the names of specs and environments to the messages. `contexts`: one for each batch.
    #[must_use]
    pub fn within(mut self, contexts: &[Context]) -> Self {
        let findings = self.0.iter_mut().map(|shown| Findings {
            sources: shown.sources,
            diagnostics: &mut shown.diagnostics,
            environments: &mut shown.environments,
        });
        context::add(&mut findings.collect::<Vec<_>>(), contexts);
        self
    }

    /// Sets the environments of the diagnostics of each batch. The messages do not change.
    #[must_use]
    pub fn in_environments(mut self, environments: &[Vec<String>]) -> Self {
        for (shown, names) in self.0.iter_mut().zip(environments) {
            shown.environments.fill(names.clone());
        }
        self
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Shown<'a>> {
        self.0.iter()
    }
}

/// Returns the values that `secret-value` errors mark as credentials, by the base offset of their text. Values that the scrubber
/// does not know are added to it.
fn secret_values(batch: &Batch, scrubber: &mut Scrubber) -> Told {
    let mut all = Told::new();
    for told in batch.diagnostics.iter().filter(|told| told.code.name == SECRET_VALUE.name) {
        let Some(source) = batch.sources.find(told.span()) else { continue };
        if batch.sources.credentials().first_in(source, told.span()).is_none() {
            scrubber.add(source.slice(told.span()).trim_matches(['"', '#', '\'']));
        }
        all.entry(source.base()).or_default().push(source.local(told.span()));
    }
    all
}

/// Returns the diagnostic without credentials. If a fix contains a credential, only the title of the fix is kept.
fn scrubbed(told: &Diagnostic, scrubber: &Scrubber) -> Diagnostic {
    let mut told = told.clone();
    let clean = |text: &mut String| {
        if let Cow::Owned(new) = scrubber.scrub(text) {
            *text = new;
        }
    };
    clean(&mut told.message);
    told.labels.iter_mut().for_each(|label| clean(&mut label.text));
    told.help.iter_mut().for_each(clean);
    for Fix { title, edits, applicability: _, is_in_help: _, is_replacement: _ } in &mut told.fixes {
        clean(title);
        if edits.iter().any(|edit| matches!(scrubber.scrub(&edit.text), Cow::Owned(_))) {
            edits.clear();
        }
    }
    told
}

type Told = BTreeMap<u32, Vec<Range<usize>>>;

/// Credentials to mask in the texts of one analysis.
#[derive(Debug, Default)]
pub struct Hidden {
    told: Told,
    /// All known credentials, which are masked at any position.
    scrubber: Rc<Scrubber>,
    /// Positions of credentials in a text, by the base offset of the text. Computed once, when a snippet of the text is rendered.
    found: RefCell<BTreeMap<u32, Vec<Range<usize>>>>,
}

impl Hidden {
    /// Masks the credentials of `source`, a text of this analysis, in `shown`: the same text, with control characters replaced.
    pub fn mask<'t>(&self, source: &Source, sources: &Sources, mut shown: Cow<'t, str>) -> Cow<'t, str> {
        let told = self.told.get(&source.base()).cloned().unwrap_or_default();
        let mut known = self.found.borrow_mut();
        let found = known.entry(source.base()).or_insert_with(|| {
            let own = sources.credentials().within(source).iter().cloned();
            own.chain(self.scrubber.find(&source.text)).collect()
        });
        for (ranges, mask) in [(told, but_name as fn(&str) -> String), (found.clone(), stars)] {
            if !ranges.is_empty() {
                shown = Cow::Owned(replaced(&shown, ranges, mask));
            }
        }
        shown
    }
}

/// Returns a mask that has the length of the text in bytes. Quotes, `#`, whitespace, and a leading `NAME=` are kept.
fn but_name(words: &str) -> String {
    let name = words.find('=').filter(|end| !words[..*end].contains(char::is_whitespace));
    let name = name.map_or(0, |end| end + 1);
    let star = |c: char| match c {
        '"' | '\'' | '#' | '\n' | '\r' | '\t' | ' ' => c.to_string(),
        other => "*".repeat(other.len_utf8()),
    };
    let rest = words[name..].chars().map(star);
    std::iter::once(words[..name].to_owned()).chain(rest).collect()
}

/// Returns a scrubber that removes the credentials in `sources` from any other text.
#[must_use]
pub fn scrubber(sources: &Sources) -> Scrubber {
    secrets::scrubber(std::iter::once(sources))
}

/// Masks the credentials of an output file; without a `format`, the text is treated as a script.
#[must_use]
pub fn masked(text: &str, format: Option<Format>) -> String {
    replaced(text, secrets::in_output(text, format), stars)
}

/// Maximum length in bytes of a value inside another value that is searched on its own. A longer one was already searched as part of the
/// outer value. Only its name can still make it a credential, and its first characters decide that. Without this limit, the time would
/// be quadratic.
const MAX_INNER: usize = 256;

/// Masks the credentials of a message of another program, such as `password=…` and `token: …`.
#[must_use]
pub fn masked_message(text: &str) -> String {
    let mut found = secrets::in_output(text, None);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    // The end of the last value without quotes.
    let mut word_end = 0;
    for (at, sign) in text.match_indices(['=', ':']) {
        let before = text[..at].trim_end_matches(['"', '\'', '`', ' ']);
        let name = before.rsplit(|c: char| !is_name(c)).next().unwrap_or_default();
        let rest = text[at + sign.len()..].trim_start_matches([' ', '\t']);
        let from = text.len() - rest.len();
        let is_inner = from < word_end;
        let (start, end) = match rest.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => {
                (from + 1, rest[1..].find(quote).map_or(text.len(), |end| from + 1 + end))
            }
            Some(_) | None if is_inner => (from, word_end),
            Some(_) | None => {
                word_end = rest.find(char::is_whitespace).map_or(text.len(), |end| from + end);
                (from, word_end)
            }
        };
        let value = &text[start..end];
        let own = if is_inner && value.len() > MAX_INNER {
            let head = value.char_indices().nth(MAX_INNER).map_or(value, |(end, _)| &value[..end]);
            secrets::is_named(name, head).then_some(0..value.len()).into_iter().collect()
        } else {
            secrets::in_value(name, value)
        };
        found.extend(own.into_iter().map(|own| start + own.start..start + own.end));
    }
    replaced(text, found, |_| "***".to_owned())
}

/// Masks the credentials in the value of an environment variable, or in the argument after a flag.
#[must_use]
pub fn masked_value(name: &str, value: &str) -> String {
    replaced(value, secrets::in_value(name, value), |_| "***".to_owned())
}
