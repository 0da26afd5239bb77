//! Blocks of an error page, and the findings that their carets expect.
//!
//! A block ```` ```kdl ````, ```` ```yaml spec ```` or ```` ```json spec ```` is a complete file. `target=NAME` also checks this
//! target. `file=NAME` makes the file available to the blocks below, which may extend it. A block ```` ```set ```` is a `--set` for
//! the next file. A block ```` ```kdl cluster ```` is the cluster file of the next file; with `alone`, it is checked without a job.
//!
//! A line `//  ^^^ error[code]: message` (or `#  ^^^`, or `^^^`) expects this finding for the text above the carets. If the text
//! spans several lines, only the first line is marked. A single caret also marks an empty span. All findings must be marked.
use std::fmt;

/// File name of a KDL block.
pub const MAIN: &str = "job.tfjob.kdl";

/// File name of a KDL cluster file.
pub const CLUSTER: &str = "site.cluster.kdl";

/// Name of `--set` texts in findings.
pub const SET: &str = "--set";

/// A finding and its position. Lines and columns start at 1; columns count characters.
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

/// A block of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub target: Option<String>,
    /// File name; `--set` for a setting.
    pub name: String,
    /// Whether the block is an additional file for other blocks, and is not checked itself.
    pub beside: bool,
    pub text: String,
    pub notes: Vec<Note>,
}

/// Returns the blocks of a page.
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
            _ => return Err(format!("unknown attribute `{word}` of a block")),
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
            Some(_) if above == 0 => return Err(format!("no line above `{line}`")),
            Some((column, width, words)) => {
                block.notes.push(Note { file: file.clone(), line: above, column, width, words });
            }
        }
    }
    Ok(block)
}

/// Returns column, width, and message of a line of carets; `None` for any other line.
fn note(line: &str) -> Result<Option<(usize, usize, String)>, String> {
    if !line.trim_start().trim_start_matches(['/', '#']).trim_start().starts_with('^') {
        return Ok(None);
    }
    let column = line.chars().take_while(|c| *c != '^').count() + 1;
    let width = line.chars().skip(column - 1).take_while(|c| *c == '^').count();
    let words: String = line.chars().skip(column - 1 + width).collect();
    let words = words.trim();
    if !words.contains("]: ") {
        return Err(format!("`{line}` has no `error[code]: message`"));
    }
    Ok(Some((column, width, words.to_owned())))
}
