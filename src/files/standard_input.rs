//! Reads standard input, with a size limit.
use std::io::{self, IsTerminal, Read};

/// Content of standard input.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// UTF-8 text.
    Text(String),
    /// More bytes than the limit.
    TooLarge,
    /// Not UTF-8. The number is the offset of the first invalid byte.
    NotUtf8(usize),
    /// A terminal, which is not read.
    Terminal,
}

/// Reads standard input. `most`: maximum number of bytes.
///
/// # Errors
/// Returns an error if standard input cannot be read.
pub fn standard_input(most: usize) -> io::Result<Input> {
    let stdin = io::stdin();
    if stdin.is_terminal() { Ok(Input::Terminal) } else { read(stdin.lock(), most) }
}

fn read(from: impl Read, most: usize) -> io::Result<Input> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Ok(Input::TooLarge);
    }
    Ok(String::from_utf8(bytes)
        .map_or_else(|error| Input::NotUtf8(error.utf8_error().valid_up_to()), Input::Text))
}

#[cfg(test)]
mod tests {
    use super::{Input, read};

    #[test]
    fn only_a_text_up_to_the_limit_is_read() {
        assert_eq!(read(&b"ab"[..], 2).unwrap(), Input::Text("ab".to_owned()));
        assert_eq!(read(&b"abc"[..], 2).unwrap(), Input::TooLarge);
        assert_eq!(read(&b"a\xff"[..], 2).unwrap(), Input::NotUtf8(1));
    }
}
