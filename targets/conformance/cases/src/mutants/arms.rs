//! The messages of a target that a mutant causes: which match arms of support, rules, and lowering it reaches.
use crate::heard::Heard;
use crate::sentences::{self, Sentence};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tfjob_lang::analysis::Analysis;
use tfjob_lang::target::AnyTarget;
use tfjob_targets::ALL;

/// The messages of one target, and a cache of texts: most mutants cause the same messages.
pub struct Arms {
    all: Vec<Sentence>,
    /// Messages of the target, of code that all targets share, and of the language.
    words: Vec<Sentence>,
    known: BTreeMap<String, Vec<usize>>,
}

impl Arms {
    /// Returns the messages in the sources of a target, and of pods if it uses them.
    ///
    /// # Errors
    /// The sources cannot be read.
    pub fn of(target: &str) -> Result<Self, String> {
        let mut words = sentences::below(Path::new("targets/src"))?;
        let others: Vec<_> = ALL.iter().map(|t| t.name()).filter(|name| *name != target).collect();
        words.retain(|sentence| !others.iter().any(|other| sentence.is_of(other)));
        words.extend(sentences::below(Path::new("compiler/lang/src"))?);
        let mut all = sentences::below(Path::new("targets/src"))?;
        let pods = pods(target)?;
        all.retain(|sentence| sentence.is_of(target) || pods && sentence.is_of("pod"));
        Ok(Self { all, words, known: BTreeMap::new() })
    }

    /// Returns the message in the sources that a text comes from, with `…` for its placeholders.
    pub fn kind(&self, text: &str) -> String {
        let length = |sentence: &&Sentence| sentence.pieces.iter().map(String::len).sum::<usize>();
        let found = self.words.iter().filter(|s| s.stands_in(text)).max_by_key(length);
        let Some(sentence) = found else { return text.to_owned() };
        let start = sentence.pieces.first().and_then(|first| text.find(first.as_str())).unwrap_or(0);
        let rest =
            sentence.pieces.last().and_then(|last| text.rfind(last.as_str()).map(|at| at + last.len()));
        let rest = if rest.is_some_and(|end| end < text.len()) { "…" } else { "" };
        format!("{}{}{rest}", &text[..start], sentence.pieces.join("…"))
    }

    /// Returns the messages that valid specs cause, by file and line, and the number of all messages.
    pub fn met(&mut self, analysis: &Analysis, target: &dyn AnyTarget) -> Value {
        let mut heard = Heard::default();
        if analysis.accepted() {
            heard.listen(analysis, analysis.compile(target), target);
        }
        let mut met = BTreeSet::new();
        for text in heard.0 {
            let Self { all, known, .. } = self;
            let found = known.entry(text).or_insert_with_key(|text| {
                let held = all.iter().enumerate().filter(|(_, sentence)| sentence.stands_in(text));
                held.map(|(number, _)| number).collect()
            });
            met.extend(found.iter().copied());
        }
        let place = |number: usize| format!("{}:{}", self.all[number].file, self.all[number].line);
        json!({ "met": met.into_iter().map(place).collect::<BTreeSet<_>>(), "of": self.places() })
    }

    /// Returns the number of places with a message.
    fn places(&self) -> usize {
        self.all.iter().map(|sentence| (&sentence.file, sentence.line)).collect::<BTreeSet<_>>().len()
    }
}

/// Whether a target is built from `targets/src/pod`: by the layout of a target, its `context.rs` takes the pods' context then.
fn pods(target: &str) -> Result<bool, String> {
    let context = Path::new("targets/src").join(target).join("context.rs");
    match std::fs::read_to_string(&context) {
        Ok(source) => Ok(source.contains("crate::pod::")),
        // Not every target has this file.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("{}: {error}", context.display())),
    }
}
