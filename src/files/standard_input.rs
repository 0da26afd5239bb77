//! Reads standard input, with a size limit.
use std::io::{self, IsTerminal, Read};

/// Content of standard input.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// The bytes.
    Bytes(Vec<u8>),
    /// More bytes than the limit.
    TooLarge,
    /// A terminal, which is not read.
    Terminal,
}

/// Reads standard input. `limit`: maximum number of bytes.
///
/// # Errors
/// Returns an error if standard input cannot be read.
pub fn standard_input(limit: usize) -> io::Result<Input> {
    let stdin = io::stdin();
    if stdin.is_terminal() { Ok(Input::Terminal) } else { read(stdin.lock(), limit) }
}

/// Reads at most `limit` bytes.
///
/// # Errors
/// Returns an error if the reader fails.
pub(super) fn read(from: impl Read, limit: usize) -> io::Result<Input> {
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(if bytes.len() > limit { Input::TooLarge } else { Input::Bytes(bytes) })
}

#[cfg(test)]
mod tests {
    use super::{Input, read};

    #[test]
    fn only_bytes_up_to_the_limit_are_read() {
        assert_eq!(read(&b"ab"[..], 2).unwrap(), Input::Bytes(b"ab".to_vec()));
        assert_eq!(read(&b"abc"[..], 2).unwrap(), Input::TooLarge);
    }
}
