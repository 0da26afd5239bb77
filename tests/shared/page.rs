//! The blocks of a page and what their carets say.
//!
//! A block ```` ```kdl ```` is a whole file, as is one of ```` ```yaml spec ```` or ```` ```json spec ````.
//! `target=NAME` runs the gate of that target too; `file=NAME` offers the file to the blocks below it, which may extend
//! it; a block ```` ```set ```` is one `--set` for the next file, and one ```` ```kdl cluster ```` the cluster file of
//! the next file, which is put to its target; `cluster` with `alone` is judged by itself. A line `//  ^^^ error[code]: words` (or `#  ^^^`, or
//! `^^^` alone) says that the words above the carets have this problem; the first line of a longer span counts, and one
//! caret marks an empty span too. What the carets say must be all that is wrong: a block without any is clean.
use std::fmt;

/// The name of a block's own file, when it is KDL.
pub const MAIN: &str = "job.tfjob.kdl";

/// The name of a cluster file, when it is KDL.
pub const CLUSTER: &str = "site.cluster.kdl";

/// The name that the analysis gives to settings.
pub const SET: &str = "--set";

/// One problem at its place; lines and columns from 1, in characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub width: usize,
    pub words: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, width, words } = self;
        write!(f, "{file}:{line}:{column} {} {words}", "^".repeat(*width))
    }
}

/// One ```` ```kdl ```` block.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub target: Option<String>,
    /// What it is called; `--set` for a setting.
    pub name: String,
    /// Whether it only stands beside others.
    pub beside: bool,
    pub text: String,
    pub notes: Vec<Note>,
}

/// The blocks of a page.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let mut inside: Vec<&str> = Vec::new();
        loop {
            match lines.next() {
                Some("```") => break,
                Some(line) => inside.push(line),
                None => return Err(format!("`{line}` is not closed")),
            }
        }
        let words: Vec<_> = info.split_whitespace().collect();
        match words.as_slice() {
            ["kdl", "cluster", words @ ..] => {
                let (alone, words) = words
                    .split_first()
                    .filter(|(w, _)| **w == "alone")
                    .map_or((false, words), |(_, w)| (true, w));
                blocks.push(Block { beside: !alone, ..block(CLUSTER, words, &inside)? });
            }
            ["kdl", words @ ..] => blocks.push(block(MAIN, words, &inside)?),
            ["yaml", "spec", words @ ..] => blocks.push(block("job.tfjob.yaml", words, &inside)?),
            ["json", "spec", words @ ..] => blocks.push(block("job.tfjob.json", words, &inside)?),
            ["set", words @ ..] => blocks.push(block(SET, words, &inside)?),
            _ => {}
        }
    }
    Ok(blocks)
}

fn block(name: &str, info: &[&str], lines: &[&str]) -> Result<Block, String> {
    let mut block = Block { name: name.to_owned(), beside: name == SET, ..Block::default() };
    for word in info {
        match word.split_once('=') {
            Some(("target", name)) => block.target = Some(name.to_owned()),
            Some(("file", name)) => (block.name, block.beside) = (name.to_owned(), true),
            _ => return Err(format!("`{word}` is no word of a block")),
        }
    }
    let file = block.name.clone();
    let mut above = 0;
    for line in lines {
        match note(line)? {
            None => {
                above += 1;
                block.text.push_str(line);
                block.text.push('\n');
            }
            Some(_) if above == 0 => return Err(format!("nothing stands above `{line}`")),
            Some((column, width, words)) => {
                block.notes.push(Note { file: file.clone(), line: above, column, width, words });
            }
        }
    }
    Ok(block)
}

/// Column, width and words of a line of carets; `None` for any other line.
fn note(line: &str) -> Result<Option<(usize, usize, String)>, String> {
    if !line.trim_start().trim_start_matches(['/', '#']).trim_start().starts_with('^') {
        return Ok(None);
    }
    let column = line.chars().take_while(|c| *c != '^').count() + 1;
    let width = line.chars().skip(column - 1).take_while(|c| *c == '^').count();
    let words: String = line.chars().skip(column - 1 + width).collect();
    let words = words.trim();
    if !words.contains("]: ") {
        return Err(format!("`{line}` does not say `error[code]: message`"));
    }
    Ok(Some((column, width, words.to_owned())))
}
