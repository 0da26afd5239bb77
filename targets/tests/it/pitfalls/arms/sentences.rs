//! Sentences in Rust sources: string literals with several words, except in attributes and in arguments of `expect`.
use memchr::memmem::Finder;
use std::path::{Path, PathBuf};

/// A string literal and its position.
pub struct Sentence {
    /// Path relative to the directory that was read, with `/` as the separator.
    pub file: String,
    /// Line number, counted from 1.
    pub line: usize,
    /// Parts of the text between the placeholders of a format string.
    pub pieces: Vec<String>,
}

impl Sentence {
    /// Returns whether a text contains this sentence, with any text in place of its placeholders.
    pub fn stands_in(&self, text: &str) -> bool {
        self.stands_in_one_of(&[text])
    }

    /// Returns whether one of these texts contains this sentence.
    pub fn stands_in_one_of(&self, texts: &[impl AsRef<str>]) -> bool {
        let finders: Vec<_> = self.pieces.iter().map(|piece| Finder::new(piece.as_bytes())).collect();
        texts.iter().any(|text| {
            let mut rest = text.as_ref().as_bytes();
            finders.iter().all(|finder| {
                let found = finder.find(rest);
                rest = found.map_or(rest, |at| &rest[at + finder.needle().len()..]);
                found.is_some()
            })
        })
    }

    /// Returns whether the source belongs to this target: its name is the name of the file or of the directory.
    pub fn is_of(&self, target: &str) -> bool {
        self.file.strip_prefix(target).is_some_and(|rest| rest.starts_with(['/', '.']))
    }
}

/// Returns all sentences of the sources below a directory, sorted by path.
///
/// # Errors
/// Returns an error if a file or directory cannot be read.
pub fn below(folder: &Path) -> Result<Vec<Sentence>, String> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let source = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        found.extend(of(&file, &source));
    }
    Ok(found)
}

/// Returns the sentences of one source, in their order.
pub fn of(file: &str, source: &str) -> Vec<Sentence> {
    literals(source).into_iter().filter_map(|literal| literal.sentence(file)).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // The file `specimens.rs` contains lines of specs, not sentences.
            let says = name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "specimens.rs";
            files.extend(says.then_some(path));
        }
    }
    Ok(())
}

/// A string literal and the call that contains it.
struct Literal {
    line: usize,
    text: String,
    /// Name of the macro or function of which the literal is the first argument.
    of: String,
}

impl Literal {
    fn sentence(self, file: &str) -> Option<Sentence> {
        let pieces = match self.of.as_str() {
            "expect" => return None,
            "format!" | "write!" | "writeln!" => pieces(&self.text),
            _ => vec![self.text],
        };
        let word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let words: usize = pieces.iter().map(|piece| piece.split(' ').filter(word).count()).sum();
        let blank = pieces.iter().any(|piece| piece.trim().contains(' '));
        (words > 1 && blank).then(|| Sentence { file: file.to_owned(), line: self.line, pieces })
    }
}

/// Returns the parts of a format string between its placeholders, with doubled braces reduced to one.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = pieces.last_mut().expect("never empty");
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                last.push(c);
                chars.next();
            }
            '{' => {
                while chars.next().is_some_and(|c| c != '}') {}
                pieces.push(String::new());
            }
            _ => last.push(c),
        }
    }
    pieces
}

/// Returns all string literals of a source.
fn literals(source: &str) -> Vec<Literal> {
    let mut reader = Reader { rest: source, line: 1, of: [const { String::new() }; 3], attribute: 0 };
    let mut found = Vec::new();
    while let Some(c) = reader.rest.chars().next() {
        let test = reader.rest.starts_with("#[cfg(test)]\nmod tests {");
        if test {
            break;
        }
        if let Some(text) = reader.literal() {
            let line = reader.line - text.1;
            if reader.attribute == 0 {
                found.push(Literal { line, text: text.0, of: reader.call() });
            }
            reader.note("\"\"");
        } else if reader.rest.starts_with("//") {
            reader.skip(reader.rest.find('\n').unwrap_or(reader.rest.len()));
        } else if c.is_alphanumeric() || c == '_' {
            let end = reader.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let word = &reader.rest[..end.unwrap_or(reader.rest.len())];
            reader.note(word);
            reader.skip(word.len());
        } else {
            reader.sign(c);
        }
    }
    found
}

struct Reader<'s> {
    rest: &'s str,
    line: usize,
    /// The last three tokens; the newest is the last one.
    of: [String; 3],
    /// Number of open brackets in the current attribute.
    attribute: usize,
}

impl<'s> Reader<'s> {
    fn skip(&mut self, bytes: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn note(&mut self, token: &str) {
        self.of.rotate_left(1);
        token.clone_into(&mut self.of[2]);
    }

    /// Returns the name of the macro or function, such as `format!` or `expect`, if the next token is its first argument.
    fn call(&self) -> String {
        match [self.of[0].as_str(), &self.of[1], &self.of[2]] {
            [name, "!", "("] => format!("{name}!"),
            [_, name, "("] => name.to_owned(),
            _ => String::new(),
        }
    }

    /// Reads a character outside of string literals, or a whole character literal. Distinguishes character literals from lifetimes.
    fn sign(&mut self, c: char) {
        match c {
            '\'' => {
                let mut after = self.rest.chars().skip(1);
                let (first, second) = (after.next(), after.next());
                let length = match (first, second) {
                    (Some('\\'), _) => {
                        let body = &self.rest[3..];
                        3 + body.find('\'').map_or(body.len(), |at| at + 1)
                    }
                    (Some(one), Some('\'')) => one.len_utf8() + 2,
                    _ => 1,
                };
                self.skip(length);
                return;
            }
            '[' if self.attribute > 0 || matches!(self.of[2].as_str(), "#") => self.attribute += 1,
            ']' if self.attribute > 0 => self.attribute -= 1,
            _ => {}
        }
        if !c.is_whitespace() {
            self.note(c.encode_utf8(&mut [0; 4]));
        }
        self.skip(c.len_utf8());
    }

    /// Reads a string literal that begins here. Returns its text and its number of line breaks.
    fn literal(&mut self) -> Option<(String, usize)> {
        let start = self.line;
        let rest = self.rest.strip_prefix('b').unwrap_or(self.rest);
        let raw = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
        let raw = raw.filter(|hashes| rest[1 + hashes..].starts_with('"'));
        let before = self.rest.len() - rest.len();
        if let Some(hashes) = raw {
            let end = format!("\"{}", "#".repeat(hashes));
            self.skip(before + 2 + hashes);
            let text = self.skip(self.rest.find(&end).unwrap_or(self.rest.len())).to_owned();
            self.skip(end.len().min(self.rest.len()));
            return Some((text, self.line - start));
        }
        rest.starts_with('"').then(|| {
            self.skip(before + 1);
            let mut escaped = false;
            let end = self.rest.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let text = unescaped(self.skip(end.unwrap_or(self.rest.len())));
            self.skip(1.min(self.rest.len()));
            (text, self.line - start)
        })
    }
}

/// Returns the value of a string literal, with its escapes resolved.
fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut rest = literal;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let sign = after.chars().next().unwrap_or_default();
        rest = &after[sign.len_utf8().min(after.len())..];
        match sign {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            '\n' => rest = rest.trim_start(),
            'u' => {
                let (code, after) =
                    rest.strip_prefix('{').and_then(|r| r.split_once('}')).unwrap_or(("", rest));
                text.extend(u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
                rest = after;
            }
            sign => text.push(sign),
        }
    }
    text + rest
}
