//! TensorFlow's own list of its checkpoints: the file `checkpoint` of a folder, a `CheckpointState` as text.
use std::collections::BTreeSet;

/// The name of the file.
pub const NAME: &str = "checkpoint";
/// The longest file that is read, in bytes.
pub const LONGEST: u64 = 1 << 22;

/// How the file begins.
pub const BEGIN: &str = "model_checkpoint_path:";
const NEWEST: &str = "model_checkpoint_path";
const ALL: &str = "all_model_checkpoint_paths";
const TIMES: &str = "all_model_checkpoint_timestamps";

/// The list, line by line.
#[derive(Debug)]
pub struct List {
    lines: Vec<(String, String)>,
    /// Whether its last line was cut short, and dropped.
    pub cut: bool,
}

impl List {
    /// Reads it; nothing where it is something else that has this name.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (key, value) = line.split_once(':')?;
            if !key.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()) {
                return None;
            }
            lines.push((key.to_owned(), value.trim().to_owned()));
        }
        let cut = lines.pop_if(|(_, value)| !is_whole(value)).is_some();
        let list = Self { lines, cut };
        list.newest().is_some().then_some(list)
    }

    /// A list of one.
    pub fn of(name: &str) -> Self {
        let line = |key: &str| (key.to_owned(), quoted(name));
        Self { lines: vec![line(NEWEST), line(ALL)], cut: false }
    }

    /// The one from which a program goes on.
    pub fn newest(&self) -> Option<String> {
        self.values(NEWEST).next()?
    }

    /// All of them, the newest first; `None` for one whose name cannot be read.
    pub fn all(&self) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = vec![self.newest()];
        let older: Vec<Option<String>> = self.values(ALL).collect();
        for name in older.into_iter().rev() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn values(&self, key: &str) -> impl Iterator<Item = Option<String>> {
        self.lines.iter().filter(move |(known, _)| known == key).map(|(_, value)| plain(value))
    }

    /// The same without some, and with another as the newest. Everything else of the list is as it was.
    pub fn without(&self, gone: &BTreeSet<String>, newest: &str) -> Self {
        let mut left: Vec<bool> = Vec::new();
        for name in self.values(ALL) {
            left.push(name.is_none_or(|name| !gone.contains(&name)));
        }
        let timed = self.values(TIMES).count() == left.len();
        let (mut names, mut times) = (left.iter(), left.iter());
        let mut stays = |key: &str| match key {
            ALL => names.next() != Some(&false),
            TIMES => !timed || times.next() != Some(&false),
            _ => true,
        };
        let mut lines = Vec::new();
        for (key, value) in &self.lines {
            if stays(key) {
                let value = if key == NEWEST { quoted(newest) } else { value.clone() };
                lines.push((key.clone(), value));
            }
        }
        let mut list = Self { lines, cut: false };
        if !list.values(ALL).any(|name| name.as_deref() == Some(newest)) {
            list.lines.push((ALL.to_owned(), quoted(newest)));
        }
        // TensorFlow takes no list whose times are not as many; without any it takes all for old.
        if list.values(TIMES).count() != list.values(ALL).count() {
            list.lines.retain(|(key, _)| key != TIMES);
        }
        list
    }

    /// A name of the folder as this list has it: with the folder where the newest has one.
    pub fn path_like(&self, name: &str) -> String {
        let newest = self.newest().unwrap_or_default();
        newest.rsplit_once('/').map_or_else(|| name.to_owned(), |(folder, _)| format!("{folder}/{name}"))
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
    }
}

/// Whether a value of a message is there to its end: a quoted text or a number.
fn is_whole(value: &str) -> bool {
    let number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'+' | b'-');
    plain(value).is_some()
        || (value.ends_with(|c: char| c.is_ascii_digit() || c == '.') && value.bytes().all(number))
}

/// What a quoted text of a message stands for; `None` where it is none.
fn plain(quoted: &str) -> Option<String> {
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let inside = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = inside.bytes().peekable();
    let mut text = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        text.push(match bytes.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            same @ (b'"' | b'\'' | b'\\') => same,
            first @ b'0'..=b'7' => {
                let mut number = u32::from(first - b'0');
                for _ in 0..2 {
                    if let Some(digit) = bytes.next_if(|digit| matches!(digit, b'0'..=b'7')) {
                        number = number * 8 + u32::from(digit - b'0');
                    }
                }
                u8::try_from(number).ok()?
            }
            _ => return None,
        });
    }
    String::from_utf8(text).ok()
}

/// A text of a message, as TensorFlow writes it.
fn quoted(plain: &str) -> String {
    let mut text = String::from('"');
    for byte in plain.bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::{List, plain, quoted};

    const TEXT: &str = "model_checkpoint_path: \"ckpt-4\"
all_model_checkpoint_paths: \"ckpt-2\"
all_model_checkpoint_paths: \"ckpt-3\"
all_model_checkpoint_paths: \"ckpt-4\"
all_model_checkpoint_timestamps: 1795315988.7067907
all_model_checkpoint_timestamps: 1795315988.7133696
all_model_checkpoint_timestamps: 1795315988.7200558
last_preserved_timestamp: 1795315987.64365
";

    fn list() -> List {
        List::read(TEXT).unwrap()
    }

    #[test]
    fn a_list_is_read_newest_first_and_written_as_it_was() {
        assert_eq!(list().text(), TEXT);
        let all: Vec<String> = list().all().into_iter().flatten().collect();
        assert_eq!(all, ["ckpt-4", "ckpt-3", "ckpt-2"]);
        assert_eq!(
            List::of("a-1").text(),
            "model_checkpoint_path: \"a-1\"\nall_model_checkpoint_paths: \"a-1\"\n"
        );
    }

    #[test]
    fn another_file_of_that_name_is_no_list() {
        for text in
            ["", "\u{85}\u{a7}params", "all_model_checkpoint_paths: \"a\"", "{\"model_checkpoint_path\": 1}"]
        {
            assert!(List::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_gone_leaves_with_its_time_and_the_rest_stays() {
        let text = list().without(&["ckpt-4".to_owned()].into(), "ckpt-3").text();
        let lines: Vec<&str> = TEXT.lines().collect();
        let expected =
            ["model_checkpoint_path: \"ckpt-3\"", lines[1], lines[2], lines[4], lines[5], lines[7]];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        // One that the list did not know.
        let gone = ["ckpt-2", "ckpt-3", "ckpt-4"].map(str::to_owned).into();
        let text = list().without(&gone, "ckpt-1").text();
        assert_eq!(
            text,
            "model_checkpoint_path: \"ckpt-1\"\nlast_preserved_timestamp: 1795315987.64365\nall_model_checkpoint_paths: \"ckpt-1\"\n"
        );
    }

    #[test]
    fn names_are_read_and_written_as_protobuf_does() {
        for name in ["a b", "q\"u\\o", "g\u{fc}t-3", "\u{1}\n"] {
            assert_eq!(plain(&quoted(name)).as_deref(), Some(name));
        }
        assert_eq!(plain(r#""g\303\274t\t'""#).as_deref(), Some("g\u{fc}t\t'"));
        assert_eq!(plain("'a\"b'").as_deref(), Some("a\"b"));
        for wrong in ["a", "\"a", "\"\\q\"", "\"\\303\"", "3.5"] {
            assert_eq!(plain(wrong), None, "{wrong}");
        }
    }
}
