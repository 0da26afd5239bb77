//! `tfjob explain`: what a word means.
use crate::args::Explain;
use crate::markdown;
use crate::outcome::{Failure, Outcome};
use crate::terminal::Look;
use std::io::{self, Write};
use tfjob_lang::codes;
use tfjob_lang::diagnostic::nearest;

/// Runs the command.
///
/// # Errors
/// For a word that nothing explains, with the nearest that something does.
pub fn run(args: &Explain, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let word = args.word.as_str();
    let Some(code) = codes::ALL.iter().find(|code| code.name == word) else {
        return Err(unknown(word));
    };
    out.write_all(markdown::drawn(code.page, Look::of(&io::stdout())).as_bytes())?;
    Ok(Outcome::Clean)
}

fn unknown(word: &str) -> Failure {
    let meant = nearest(word, codes::ALL.iter().map(|code| code.name));
    let hint = meant.map(|near| format!("; the nearest is `{near}`")).unwrap_or_default();
    Failure::new(format!("nothing explains `{word}`{hint}"))
}
