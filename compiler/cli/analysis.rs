//! From paths to findings: reads each spec, has it analysed, and keeps the order of the paths.
use crate::files::{self, Content};
use crate::outcome::Failure;
use crate::render::Batch;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tfjob_lang::codes::{FORBIDDEN_CHARACTER, TOO_LARGE};
use tfjob_lang::diagnostic::Diagnostic;
use tfjob_lang::sources::{Format, Sources, Span};
use tfjob_lang::syntax::read_kdl;

/// More threads gain nothing on files that take a millisecond each.
const MOST_THREADS: usize = 8;

/// Analyses every spec, several at a time; the results stand in the order of `paths`.
pub fn all(paths: &[PathBuf]) -> Vec<Result<Batch, Failure>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS).min(paths.len());
    if threads <= 1 {
        return paths.iter().map(|path| one(path)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || paths.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take).map(|path| (path, one(path))).collect::<Vec<_>>()
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(path, _)| *path);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Analyses one spec.
fn one(path: &Path) -> Result<Batch, Failure> {
    let name = path.to_string_lossy();
    let batch = match files::read(path)? {
        Content::Text(text) => read(&name, text),
        Content::TooLarge => unread(&name, String::new(), |at| {
            Diagnostic::new(&TOO_LARGE, Span::new(at, at), "the text has more than 1 MiB")
        }),
        Content::NotUtf8 { lossy, at: byte } => unread(&name, lossy, |at| {
            let start = at + byte as u32;
            let mark = char::REPLACEMENT_CHARACTER.len_utf8() as u32;
            Diagnostic::new(
                &FORBIDDEN_CHARACTER,
                Span::new(start, start + mark),
                "the text is not UTF-8 here",
            )
            .help("a spec is written in UTF-8")
        }),
    };
    Ok(batch)
}

fn read(name: &str, text: String) -> Batch {
    let mut sources = Sources::default();
    let format = files::format_of(name);
    let number = sources.add(name, format, text);
    let diagnostics = match format {
        Format::Kdl => read_kdl(sources.get(number)).1,
        Format::Json | Format::Yaml | Format::Set => Vec::new(),
    };
    Batch { sources, diagnostics }
}

/// A file that holds no text to analyse.
fn unread(name: &str, text: String, diagnostic: impl FnOnce(u32) -> Diagnostic) -> Batch {
    let mut sources = Sources::default();
    let number = sources.add(name, files::format_of(name), text);
    let diagnostics = vec![diagnostic(sources.get(number).base())];
    Batch { sources, diagnostics }
}
