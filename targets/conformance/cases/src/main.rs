//! `tfjob-cases`: prints cases for the engines, one JSON object per line, and starts nothing.
mod case;
#[path = "../../../tests/it/pitfalls/arms/heard.rs"]
mod heard;
#[cfg(test)]
mod judged;
mod mutants;
mod pairs;
mod published;
#[path = "../../../tests/it/pitfalls/arms/sentences.rs"]
mod sentences;
mod specs;
mod strings;
mod updates;

use std::io::{self, Write};
use std::process::ExitCode;
use tfjob_lang::target::AnyTarget;

const USE: &str = "tfjob-cases specs TARGET PATH...   the cases of specs, or of all specs below a folder
tfjob-cases snapshots TARGET       the cases whose texts the snapshots hold
tfjob-cases patches TARGET N FIRST every N-th patch of the target's published types, from number FIRST on
tfjob-cases updates TARGET         the update rules of the target, and the values that its platform adds to an object
tfjob-cases types TARGET           the published types on standard input, as the table that the target reads
tfjob-cases mutants TARGET N SEED  N mutants of the examples that the target takes
tfjob-cases pairs TARGET N SEED    N specs of the covering array of all pairs of values, 0: all; then a summary
tfjob-cases chosen TARGET          specs of the levels on standard input, numbered as `pairs` does
tfjob-cases alone TARGET           the specs of each value alone that is accepted; then a list of those that are refused
tfjob-cases same TARGET N SEED     fails where another form of one of N specs of the array is another job to us
tfjob-cases unheard TARGET N SEED  properties of N specs of the array that change nothing, each with the values that silence it
tfjob-cases strings TARGET N SEED  N strings that bite, through the fields that take any text";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "tfjob-cases: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[&str]) -> Result<(), String> {
    let number = |word: &str| word.parse::<usize>().map_err(|e| format!("`{word}`: {e}"));
    let cases = match words {
        ["patches", target, every, first] => {
            published::patches::cases(named(target)?, number(every)?.max(1), number(first)?)?
        }
        ["types", target] => {
            let json = io::read_to_string(io::stdin()).map_err(|e| e.to_string())?;
            let table = published::table(named(target)?.name(), &json)?;
            return io::stdout().write_all(table.as_bytes()).map_err(|e| e.to_string());
        }
        ["updates", target] => return print(&updates::lines(&named(target)?.updates())),
        ["specs", target, paths @ ..] if !paths.is_empty() => specs::cases(named(target)?, paths)?,
        ["snapshots", target] => specs::snapshots(named(target)?)?,
        ["mutants", target, count, seed] => {
            let (cases, refused) = mutants::cases(named(target)?, number(count)?, number(seed)? as u64)?;
            eprint_tally(&refused);
            cases
        }
        ["strings", target, count, seed] => {
            let (cases, refused) = strings::cases(named(target)?, number(count)?, number(seed)? as u64)?;
            for (why, times) in refused {
                let _ = writeln!(io::stderr(), "{times}\t{why}");
            }
            cases
        }
        ["pairs", target, count, seed] => {
            let (cases, summary) = pairs::cases(named(target)?, number(seed)? as u64, number(count)?)?;
            print(&cases)?;
            return print(&[serde_json::json!({ "summary": summary })]);
        }
        ["alone", target] => {
            let (cases, refused) = pairs::alone::cases(named(target)?)?;
            print(&cases)?;
            return print(&[serde_json::json!({ "refused": refused })]);
        }
        ["same", target, count, seed] => {
            let told = pairs::same::differences(named(target)?, number(seed)? as u64, number(count)?)?;
            return if told.is_empty() { Ok(()) } else { Err(told.join("\n\n")) };
        }
        ["unheard", target, count, seed] => {
            let lines = pairs::unheard::values(named(target)?, number(seed)? as u64, number(count)?)?;
            lines.iter().for_each(|line| _ = writeln!(io::stdout(), "{line}"));
            return Ok(());
        }
        ["chosen", target] => {
            let lines = io::read_to_string(io::stdin()).map_err(|e| e.to_string())?;
            pairs::chosen(named(target)?, &lines)?
        }
        _ => return Err(format!("wrong use\n{USE}")),
    };
    print(&cases)
}

/// Prints one JSON object per line.
fn print(lines: &[impl serde::Serialize]) -> Result<(), String> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in lines {
        serde_json::to_writer(&mut out, line).map_err(|e| e.to_string())?;
        writeln!(out).map_err(|e| e.to_string())?;
    }
    out.flush().map_err(|e| e.to_string())
}

fn named(word: &str) -> Result<&'static dyn AnyTarget, String> {
    let found = tfjob_targets::ALL.iter().find(|target| target.name() == word);
    found.copied().ok_or_else(|| format!("no target `{word}`"))
}

/// Prints how often the language refused a mutant that was meant to be valid.
fn eprint_tally(refused: &std::collections::BTreeMap<&str, usize>) {
    for (code, times) in refused {
        let _ = writeln!(io::stderr(), "made again {times} times: {code}");
    }
}
