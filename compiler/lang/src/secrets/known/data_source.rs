//! Data source names of Go programs: `USER:PASSWORD@tcp(HOST:PORT)/DATABASE`.
use std::ops::Range;

/// Maximum number of bytes to search on each side of `@`. It limits the time for a long text.
const LONGEST: usize = 256;

/// Returns the passwords of the data source names, and the references in their place.
pub(in crate::secrets) fn all(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('@').filter_map(|(at, mark)| {
        if !is_address(&text.as_bytes()[at + mark.len()..]) {
            return None;
        }
        let from = text.ceil_char_boundary(at.saturating_sub(LONGEST));
        let before = &text[from..at];
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '\\');
        let (_, password) = before.rsplit(ends).next()?.split_once(':')?;
        // A URI is searched as such.
        (!password.starts_with("//")).then_some(at - password.len()..at)
    })
}

/// Returns whether a text begins with the network and the address, as in `tcp(db:3306)/`.
pub(in crate::secrets) fn is_address(text: &[u8]) -> bool {
    let text = &text[..text.len().min(LONGEST)];
    let network = text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let address = text.get(network..).filter(|rest| rest.starts_with(b"("));
    address.is_some_and(|address| address.windows(2).any(|end| end == b")/"))
}
