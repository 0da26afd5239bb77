//! The open documents of the editor, and the paths of their URIs.
use crate::outline::Outline;
use crate::position::{Encoding, Lines};
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use std::cell::OnceCell;
use std::ops;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;
use tfjob_driver::files::{format_in, is_cluster, is_project};
use tfjob_driver::{Checked, Loaded, Registry};
use tfjob_lang::mentions::{self, Mention};
use tfjob_lang::sources::{Format, Source};
use tfjob_lang::syntax::guard::MAX_BYTES;
use tfjob_lang::tree::Tree;

/// An open document.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its URI, as the editor writes it.
    pub uri: Uri,
    /// Its path. For a document without a file, such as `untitled:Untitled-1`, the URI.
    pub path: PathBuf,
    /// Its version in the editor. `None` if the editor sends no versions.
    pub version: Option<i32>,
    /// Its text.
    pub text: String,
    /// The lines of its text.
    pub lines: Lines,
    /// Unit of columns.
    pub encoding: Encoding,
    /// Results that were read from the text of this version.
    read: Read,
}

/// Results that features read from the text. Each is computed at most once per version.
#[derive(Debug, Clone, Default)]
struct Read {
    shared: OnceCell<Arc<str>>,
    outline: OnceCell<Outline>,
    mentions: OnceCell<Rc<Vec<Mention>>>,
}

impl Document {
    /// Creates a document.
    #[must_use]
    pub fn new(uri: Uri, version: Option<i32>, text: String, encoding: Encoding) -> Self {
        let path = path_in(&uri);
        let lines = Lines::of(&text);
        Self { uri, path, version, text, lines, encoding, read: Read::default() }
    }

    /// Applies the changes of a notification, in order.
    pub fn change(&mut self, version: Option<i32>, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change.range {
                Some(range) => {
                    let bytes = self.bytes(range);
                    self.text.replace_range(bytes.clone(), &change.text);
                    self.lines.replace(&self.text, bytes, change.text.len());
                }
                None => {
                    self.text = change.text;
                    self.lines = Lines::of(&self.text);
                }
            }
        }
        self.version = version;
        self.read = Read::default();
    }

    /// Returns the text for a check.
    #[must_use]
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(self.read.shared.get_or_init(|| self.text.as_str().into()))
    }

    /// Returns whether the text is larger than a file that `tfjob check` reads. Then no feature reads it.
    #[must_use]
    pub const fn is_too_large(&self) -> bool {
        self.text.len() > MAX_BYTES
    }

    /// Returns the format of the text.
    #[must_use]
    pub fn format(&self) -> Format {
        format_in(&self.path.to_string_lossy(), &self.text)
    }

    /// Returns the nodes of the text, if it is KDL.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        self.read.outline.get_or_init(|| Outline::of(&self.text))
    }

    /// Returns the names in the text, if it is a spec. `checked`: the last check of the document.
    #[must_use]
    pub fn mentions(&self, registry: &Registry, checked: Option<&Checked>) -> Rc<Vec<Mention>> {
        let read = || {
            if let Some((tree, source)) = checked.and_then(|checked| self.parsed(checked)) {
                return Rc::new(mentions::of(tree, source, registry));
            }
            let name = self.path.to_string_lossy().into_owned();
            let loaded = Loaded { name, text: self.text.clone(), format: self.format() };
            Rc::new(mentions::read(&loaded, registry))
        };
        Rc::clone(self.read.mentions.get_or_init(read))
    }

    /// Returns the tree of this version of the text, if a check has parsed it, and merged it with no other text.
    fn parsed<'c>(&self, checked: &'c Checked) -> Option<(&'c Tree, &'c Source)> {
        let mut specs = checked.batch.sources.iter().filter(|source| !is_cluster(Path::new(&source.name)));
        let source = specs.next().filter(|source| source.text == self.text)?;
        let is_alone = specs.next().is_none() && Path::new(&source.name) == self.path;
        Some((checked.tree.as_ref().filter(|_| is_alone)?, source))
    }

    /// Returns the byte offset of a position.
    #[must_use]
    pub fn byte(&self, position: Position) -> usize {
        self.lines.byte(&self.text, position, self.encoding)
    }

    /// Returns the position of a byte offset.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        self.lines.position(&self.text, byte, self.encoding)
    }

    /// Converts a range of positions to a byte range.
    #[must_use]
    pub fn bytes(&self, range: Range) -> ops::Range<usize> {
        self.lines.bytes(&self.text, range, self.encoding)
    }

    /// Converts a byte range to a range of positions.
    #[must_use]
    pub fn range(&self, bytes: ops::Range<usize>) -> Range {
        self.lines.range(&self.text, bytes, self.encoding)
    }
}

/// Parses a URI. Some editors send characters such as `[` in a path without escaping them, as the URL standard of browsers allows.
///
/// # Errors
/// Returns an error if the text is no URI.
pub fn parse_uri(text: &str) -> Result<Uri, <Uri as FromStr>::Err> {
    Uri::from_str(text).or_else(|error| {
        let escaped = |c: char| {
            let is_valid = c.is_ascii() && !c.is_ascii_control() && !" \"<>[\\]^`{|}".contains(c);
            let bytes = c.to_string().into_bytes();
            if is_valid { c.to_string() } else { bytes.iter().map(|byte| format!("%{byte:02X}")).collect() }
        };
        Uri::from_str(&text.chars().map(escaped).collect::<String>()).map_err(|_| error)
    })
}

/// Returns the path of a document. For a document without a file, its URI.
#[must_use]
pub fn path_in(uri: &Uri) -> PathBuf {
    path_of(uri).unwrap_or_else(|| PathBuf::from(uri.as_str()))
}

/// Returns the path of a `file:` URI; `None` for other URIs.
#[must_use]
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file:").filter(|path| path.starts_with('/'))?;
    // A host before the path, such as `localhost`, is ignored.
    let path = path.strip_prefix("//").map_or(Some(path), |rest| Some(&rest[rest.find('/')?..]))?;
    let path = percent_decoded(path)?;
    // On Windows, `/c:/a` means `c:/a`.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    let path = Path::new(if drive { &path[1..] } else { &path });
    // Without `.`: the names of sources are compared as texts.
    Some(path.components().collect())
}

/// Returns whether the checks of other files depend on a file, although it is none of their bases.
#[must_use]
pub fn is_shared(path: &Path) -> bool {
    is_cluster(path) || is_project(path)
}

/// Returns a path without `.` and `..`.
#[must_use]
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => out.push(part),
        }
    }
    out
}

/// Returns the `file:` URI of an absolute path; for the path of a document without a file, its URI. `None` for a relative path.
#[must_use]
pub fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    if !path.is_absolute() {
        return Uri::from_str(text).ok().filter(|uri| uri.scheme().is_some());
    }
    let mut out = String::from("file://");
    if cfg!(windows) {
        out.push('/');
    }
    for byte in text.replace('\\', if cfg!(windows) { "/" } else { "\\" }).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&out).ok()
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        if *first == b'%' {
            let digits = std::str::from_utf8(more.get(..2)?).ok()?;
            out.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &more[2..];
        } else {
            out.push(*first);
            rest = more;
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_its_uri() {
        for path in ["/a/b.tfjob.kdl", "/a b/é/%41/#?.tfjob.kdl", "/a:b/[c]"] {
            let uri = uri_of(Path::new(path)).expect("a valid URI");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)), "{}", uri.as_str());
        }
        let encoded = Uri::from_str("file:///a%3Ab/c.tfjob.kdl").expect("a valid URI");
        assert_eq!(path_of(&encoded), Some(PathBuf::from("/a:b/c.tfjob.kdl")));
        for uri in ["file:/a/b.tfjob.kdl", "file:///a/./b.tfjob.kdl", "file://localhost/a//b.tfjob.kdl"] {
            let path = path_of(&Uri::from_str(uri).expect("a valid URI")).expect(uri);
            assert_eq!(path.to_str(), Some("/a/b.tfjob.kdl"), "{uri}");
        }
        for uri in ["untitled:Untitled-1", "file:a.tfjob.kdl", "file://localhost"] {
            assert_eq!(path_of(&Uri::from_str(uri).expect("a valid URI")), None, "{uri}");
        }
    }

    #[test]
    fn characters_of_paths_need_no_escapes() {
        for (text, path) in [
            ("file:///a[1]/b|c^d{e}.kdl", "/a[1]/b|c^d{e}.kdl"),
            ("file:///a b/%5B1%5D/é.kdl", "/a b/[1]/é.kdl"),
        ] {
            let uri = parse_uri(text).expect(text);
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)));
        }
        assert_eq!(parse_uri("vscode-vfs://[::1]/a").expect("a URI").as_str(), "vscode-vfs://[::1]/a");
        assert!(parse_uri("no URI: [").is_err());
    }

    #[test]
    fn changes_apply_in_order() {
        let uri = Uri::from_str("file:///a.tfjob.kdl").expect("a valid URI");
        let mut document = Document::new(uri, Some(1), "a\nb\n".into(), Encoding::Utf16);
        let change = |range: Option<(u32, u32, u32, u32)>, text: &str| TextDocumentContentChangeEvent {
            range: range.map(|(a, b, c, d)| Range::new(Position::new(a, b), Position::new(c, d))),
            range_length: None,
            text: text.into(),
        };
        document.change(Some(2), vec![change(Some((0, 1, 0, 1)), "\nx"), change(Some((2, 0, 3, 0)), "")]);
        assert_eq!((document.text.as_str(), document.version), ("a\nx\n", Some(2)));
        document.change(Some(3), vec![change(None, "new")]);
        assert_eq!(document.text, "new");
    }
}
