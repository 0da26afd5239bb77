//! Tests of the guide of the language. The files of the page are written to one directory. The commands of the page must print
//! there what the page shows.
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// Pages whose blocks are all files or transcripts.
const PAGES: [&str; 3] = ["docs/language.md", "docs/projects.md", "docs/gitops.md"];

/// A fenced block of a page.
struct Block<'p> {
    /// Text after the opening fence, such as `kdl file=mnist.tfjob.kdl`.
    info: &'p str,
    /// Byte range of the lines of the block in the page.
    lines: Range<usize>,
}

/// Returns the fenced blocks of a page, in order.
fn blocks<'p>(path: &str, page: &'p str) -> Vec<Block<'p>> {
    let (mut blocks, mut open, mut at) = (Vec::new(), None, 0);
    for line in page.split_inclusive('\n') {
        let end = at + line.len();
        if let Some(info) = line.strip_prefix("```") {
            open = match open {
                None => Some((info.trim(), end)),
                Some((info, start)) => {
                    blocks.push(Block { info, lines: start..at });
                    None
                }
            };
        }
        at = end;
    }
    assert!(open.is_none(), "{path} has a block without an end");
    blocks
}

/// Runs the commands of a console block in `directory`, and returns the block as it should be: each command, `? CODE` if it
/// fails, and its output.
fn run(block: &str, directory: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tfjob")).parent().expect("a program is in a directory");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut blocks = Vec::new();
    for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &format!("exec 2>&1; {command}")]);
        let output = shell.current_dir(directory).env("PATH", &path).output().expect("sh starts");
        let code = output.status.code().expect("the command exits");
        let status = if code == 0 { String::new() } else { format!("? {code}\n") };
        let text = String::from_utf8(output.stdout).expect("the output is text");
        let text = text.trim_end();
        let text = if text.is_empty() { String::new() } else { format!("{text}\n\n") };
        blocks.push(format!("$ {command}\n{status}{text}"));
    }
    format!("{}\n", blocks.concat().trim_end())
}

#[test]
fn the_guides_show_what_is_printed() {
    for page in PAGES {
        shows_what_is_printed(page);
    }
}

fn shows_what_is_printed(name: &str) {
    let path = crate::specs::root().join(name);
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let blocks = blocks(name, &page);
    for block in &blocks {
        let text = &page[block.lines.clone()];
        match block.info.split_once(" file=") {
            Some((_, file)) => {
                let to = directory.path().join(file);
                std::fs::create_dir_all(to.parent().expect("a directory")).expect("writable");
                std::fs::write(to, text).expect("writable");
                let used = blocks.iter().filter(|other| other.info == "console");
                let commands = used.flat_map(|other| page[other.lines.clone()].lines());
                let used = commands.filter(|line| line.starts_with("$ ")).any(|line| line.contains(file));
                let base = page.contains(&format!("\nextends \"{file}\"\n"));
                let project = page.contains(" file=tfjob.kdl\n");
                assert!(used || base || project, "{name}: no command reads `{file}`");
            }
            // A file, or commands, of another program.
            None if ["yaml", "sh"].contains(&block.info) => {}
            None => assert_eq!(block.info, "console", "{name}: each example is a file, and a test reads it"),
        }
    }
    // Commands run in the order of the page; outputs are replaced from the end, so that ranges stay valid.
    let consoles = blocks.iter().filter(|block| block.info == "console");
    let outputs: Vec<_> = consoles
        .map(|block| (block.lines.clone(), run(&page[block.lines.clone()], directory.path())))
        .collect();
    let mut shown = page.clone();
    for (lines, output) in outputs.into_iter().rev() {
        shown.replace_range(lines, &output);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, shown).expect("writable");
        return;
    }
    let different = page.lines().zip(shown.lines()).find(|(page, shown)| page != shown);
    assert!(page == shown, "{name} is stale: run `.ci/update`: {different:?}");
}
