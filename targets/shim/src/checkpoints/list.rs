//! The file `checkpoint`: the list of checkpoints that TensorFlow keeps, a `CheckpointState` message in text format.
use super::message::{Value, fields, unquoted};
use std::collections::BTreeSet;

/// File name of the list of checkpoints.
pub const NAME: &str = "checkpoint";
/// Maximum size of the file in bytes.
pub const LONGEST: u64 = 1 << 22;

const NEWEST: &[u8] = b"model_checkpoint_path";
const ALL: &[u8] = b"all_model_checkpoint_paths";
const TIMES: &[u8] = b"all_model_checkpoint_timestamps";
const PRESERVED: &[u8] = b"last_preserved_timestamp";

/// A list of checkpoints.
#[derive(Debug, Default)]
pub struct List {
    /// The checkpoint from which a program resumes.
    newest: String,
    /// All checkpoints, oldest first.
    all: Vec<String>,
    times: Vec<String>,
    preserved: Option<String>,
}

/// The content of a file named `checkpoint`.
#[derive(Debug)]
pub enum Found {
    /// A valid list.
    List(List),
    /// A list that TensorFlow wrote, truncated by a power failure or a full disk. Contains the part of the list before the
    /// truncated line, if that part names the newest checkpoint.
    Cut(Option<List>),
}

impl Found {
    /// Parses the file. `None` if the content is not a list, or is a list with an error other than truncation.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let (text, zeros) = bytes.split_at(end);
        if let Some(list) = List::read(text) {
            if zeros.is_empty() {
                return Some(Self::List(list));
            }
            return list.is_written(text).then_some(Self::Cut(Some(list)));
        }
        let (lines, line) =
            text.split_at(text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        if lines.is_empty() {
            return begins(line, NEWEST, true).then_some(Self::Cut(None));
        }
        let list = List::read(lines).filter(|list| list.is_written(lines))?;
        list.goes_on(line).then_some(Self::Cut(Some(list)))
    }
}

/// Whether `line` is a truncated line of the field `key`. `text`: whether the value of the field is a string.
fn begins(line: &[u8], key: &[u8], text: bool) -> bool {
    match line.strip_prefix(key) {
        None => key.starts_with(line),
        Some([] | b":" | b": ") => true,
        Some([b':', b' ', b'"', ..]) if text => {
            let value = line.get(key.len() + 2..).unwrap_or_default();
            unquoted(value, &mut Vec::new()) == Err(true)
        }
        Some([b':', b' ', value @ ..]) if !text => {
            value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'+' | b'-'))
        }
        Some(_) => false,
    }
}

impl List {
    /// Parses a list. `None` if TensorFlow would reject it.
    fn read(text: &[u8]) -> Option<Self> {
        let mut list = Self::default();
        let mut take = |key: &[u8], value| {
            match value {
                Value::Text(name) if key == NEWEST => list.newest = name,
                Value::Text(name) if key == ALL => list.all.push(name),
                Value::Number(time) if key == TIMES => list.times.push(time),
                Value::Number(time) if key == PRESERVED => list.preserved = Some(time),
                Value::Text(_) | Value::Number(_) => return None,
            }
            Some(())
        };
        fields(text, &mut take)?;
        (!list.newest.is_empty()).then_some(list)
    }

    /// Whether `text` is exactly what TensorFlow writes for this list. Escaped and literal non-ASCII characters are both accepted,
    /// because only old versions of protobuf escape them.
    fn is_written(&self, text: &[u8]) -> bool {
        [false, true].into_iter().any(|plain| {
            let written = self.written(plain);
            written == text || written.strip_suffix(b"\n") == Some(text)
        })
    }

    /// Whether a line that begins with these bytes can come next in the list.
    fn goes_on(&self, line: &[u8]) -> bool {
        let begins = |key, text| begins(line, key, text);
        self.preserved.is_none()
            && (begins(TIMES, false)
                || begins(PRESERVED, false)
                || (self.times.is_empty() && begins(ALL, true)))
    }

    /// Returns a list of one checkpoint.
    pub fn of(name: &str) -> Self {
        Self { newest: name.to_owned(), all: vec![name.to_owned()], ..Self::default() }
    }

    /// Returns the checkpoint from which a program resumes.
    pub fn newest(&self) -> &str {
        &self.newest
    }

    /// Returns all checkpoints, newest first.
    pub fn all(&self) -> Vec<&str> {
        let mut names = vec![self.newest()];
        for name in self.all.iter().rev() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Returns this list without the checkpoints in `gone`, and with `newest` as the newest one. The rest is unchanged.
    pub fn without(&self, gone: &BTreeSet<String>, newest: &str) -> Self {
        let mut list =
            Self { newest: newest.to_owned(), preserved: self.preserved.clone(), ..Self::default() };
        // TensorFlow rejects a list in which the number of timestamps differs from the number of checkpoints. If there are no
        // timestamps, it treats all checkpoints as old.
        let mut timed = self.times.len() == self.all.len();
        for (at, name) in self.all.iter().enumerate().filter(|(_, name)| !gone.contains(*name)) {
            list.all.push(name.clone());
            list.times.extend(self.times.get(at).cloned());
        }
        if !list.all.iter().any(|name| name == newest) {
            list.all.push(newest.to_owned());
            timed = false;
        }
        if !timed {
            list.times.clear();
        }
        list
    }

    /// Returns the path of the checkpoint `name` in the style of this list: with the directory of the newest checkpoint, if the
    /// list contains directories.
    pub fn path_like(&self, name: &str) -> String {
        self.newest.rsplit_once('/').map_or_else(|| name.to_owned(), |(folder, _)| format!("{folder}/{name}"))
    }

    /// Returns the text as TensorFlow writes it.
    pub fn text(&self) -> Vec<u8> {
        self.written(false)
    }

    /// Returns the text. With `plain`, non-ASCII characters are not escaped.
    fn written(&self, plain: bool) -> Vec<u8> {
        let mut text = Vec::new();
        let mut line = |key: &[u8], name: Option<&String>, time: Option<&String>| {
            text.extend([key, b": "].concat());
            name.into_iter().for_each(|name| quote(name, plain, &mut text));
            text.extend(time.into_iter().flat_map(|time| time.bytes()).chain([b'\n']));
        };
        line(NEWEST, Some(&self.newest), None);
        self.all.iter().for_each(|name| line(ALL, Some(name), None));
        self.times.iter().for_each(|time| line(TIMES, None, Some(time)));
        self.preserved.iter().for_each(|time| line(PRESERVED, None, Some(time)));
        text
    }
}

/// Appends a quoted string as TensorFlow writes it.
fn quote(name: &str, plain: bool, text: &mut Vec<u8>) {
    text.push(b'"');
    for byte in name.bytes() {
        match byte {
            b'"' | b'\'' | b'\\' => text.extend([b'\\', byte]),
            b' '..=b'~' => text.push(byte),
            b'\x80'.. if plain => text.push(byte),
            _ => text.extend([b'\\', b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]),
        }
    }
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::{Found, List};

    const TEXT: &str = "model_checkpoint_path: \"ckpt-4\"
all_model_checkpoint_paths: \"ckpt-2\"
all_model_checkpoint_paths: \"ckpt-3\"
all_model_checkpoint_paths: \"ckpt-4\"
all_model_checkpoint_timestamps: 1795315988.7067907
all_model_checkpoint_timestamps: 1795315988.7133696
all_model_checkpoint_timestamps: 1795315988.7200558
last_preserved_timestamp: 1795315987.64365
";

    fn read(text: &str) -> List {
        List::read(text.as_bytes()).unwrap()
    }

    fn text(list: &List) -> String {
        String::from_utf8(list.text()).unwrap()
    }

    fn list() -> List {
        read(TEXT)
    }

    #[test]
    fn a_list_is_read_newest_first_and_written_as_it_was() {
        assert_eq!(text(&list()), TEXT);
        assert_eq!(list().all(), ["ckpt-4", "ckpt-3", "ckpt-2"]);
        assert_eq!(
            text(&List::of("a-1")),
            "model_checkpoint_path: \"a-1\"\nall_model_checkpoint_paths: \"a-1\"\n"
        );
    }

    #[test]
    fn each_beginning_of_a_list_is_read_or_is_cut() {
        for text in [
            TEXT.to_owned(),
            TEXT.replace("\"ckpt", "\"/a \\\"b\\303\\274/ckpt"),
            TEXT.replace("ckpt", "g\u{fc}t"),
        ] {
            for end in 0..text.len() {
                let bytes = &text.as_bytes()[..end];
                let first = text.find('\n').unwrap();
                match Found::of(bytes) {
                    Some(Found::List(list)) => {
                        assert!(end >= first && list.newest == read(&text).newest)
                    }
                    Some(Found::Cut(list)) => assert_eq!(list.is_some(), end > first, "{end}"),
                    None => panic!("{end}"),
                }
                // A file whose last blocks have not reached the disk ends with zeros.
                let zeros = [bytes, &[0; 9]].concat();
                let Some(Found::Cut(list)) = Found::of(&zeros) else { panic!("{end}") };
                assert_eq!(list.is_some(), end >= first, "{end}");
            }
        }
    }

    #[test]
    fn what_somebody_has_written_is_read_or_left_alone_but_not_cut() {
        for read in [
            "# mine\nmodel_checkpoint_path: \"a-1\"",
            "model_checkpoint_path: \"a-1\"\n# all_model",
            "model_checkpoint_path:\n  'a-1'\n",
            "model_checkpoint_path: \"a\" \"-1\"; all_model_checkpoint_paths: [\"a-1\"]",
            "model_checkpoint_path : \"b-1\" model_checkpoint_path: \"a-1\"",
            "all_model_checkpoint_paths: \"a-1\"\nmodel_checkpoint_path: \"a-1\"",
        ] {
            let Some(Found::List(list)) = Found::of(read.as_bytes()) else { panic!("{read}") };
            assert_eq!(list.newest, "a-1", "{read}");
        }
        for left in [
            "\n",
            " ",
            "# begin anew\n",
            "model_checkpoint_path\n",
            "model_checkpoint_path: \n",
            "model_checkpoint_path:  \"a-1",
            "model_checkpoint_path: 'a-1",
            "model_checkpoint_path: \"\"",
            "model_checkpoint_path: \"a\\q\"",
            "model_checkpoint_path: a-1",
            "model_checkpoint_path: \"a-1\n",
            "model_checkpoint_path: \"a-1\"\nall_model_checkpoint_paths: a-1\n",
            "model_checkpoint_path: \"a-1\"\n\nall_model_checkpoint_paths: \"a",
            "model_checkpoint_path: \"a-1\"\r\nall_model_checkpoint_paths: \"a",
            "model_checkpoint_path: \"a-1\"\nlatest: \"a-1\"",
            "model_checkpoint_path: \"a-1\"\nlast_preserved_timestamp: 1\nall_model",
            "model_checkpoint_path: \"a-1\"\nmodel_checkpoint_path: \"a",
            "all_model_checkpoint_paths: \"a-1\"",
            "all_model_checkpoint_paths: \"a-1",
            "{\"model_checkpoint_path\": 1}",
            "\0model_checkpoint_path: \"a-1\"",
        ] {
            assert!(Found::of(left.as_bytes()).is_none(), "{left:?}");
        }
        assert!(Found::of(b"\x85\xa7params").is_none());
    }

    #[test]
    fn what_is_gone_leaves_with_its_time_and_the_rest_stays() {
        let text = text(&list().without(&["ckpt-4".to_owned()].into(), "ckpt-3"));
        let lines: Vec<&str> = TEXT.lines().collect();
        let expected =
            ["model_checkpoint_path: \"ckpt-3\"", lines[1], lines[2], lines[4], lines[5], lines[7]];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        // `ckpt-1` is not in the list.
        let gone = ["ckpt-2", "ckpt-3", "ckpt-4"].map(str::to_owned).into();
        let text = self::text(&list().without(&gone, "ckpt-1"));
        assert_eq!(
            text,
            "model_checkpoint_path: \"ckpt-1\"\nall_model_checkpoint_paths: \"ckpt-1\"\nlast_preserved_timestamp: 1795315987.64365\n"
        );
    }

    #[test]
    fn names_are_written_so_that_they_are_read() {
        for name in ["a b", "q\"u\\o", "g\u{fc}t-3", "\u{1}\n"] {
            assert_eq!(read(&text(&List::of(name))).newest, name);
        }
    }
}
