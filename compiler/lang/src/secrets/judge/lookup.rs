//! Values in scripts that are expressions which read a credential.
use super::super::lex::{Kind, Token};
use super::Judge;

impl Judge<'_> {
    /// Returns whether the value is an expression of a program that reads the credential: `os.environ["TOKEN"]`, `getpass()`.
    ///
    /// Because a password may contain brackets, those of an expression must be closed, and must be empty or contain a string. After
    /// `= ` with its space, they may contain anything: a shell assignment has no space after `=`, so this is program code.
    pub(super) fn is_lookup(&self, token: &Token) -> bool {
        // Maximum number of bytes to search. It limits the time for a long text.
        const LONGEST: usize = 256;
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let word = self.slice(token);
        let code = word.chars().all(name) && !word.starts_with(|c: char| c.is_ascii_digit());
        let before = &self.text[..token.at.start];
        let assigned = before.trim_end_matches(' ').ends_with('=') && before.ends_with(' ');
        // A field of a variable, such as `args.password`, is an expression that reads the credential, too.
        let letters = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '.';
        if self.script
            && assigned
            && token.kind == Kind::Word
            && word.contains('.')
            && word.chars().all(letters)
        {
            return true;
        }
        let rest = &self.text[token.at.end..];
        let rest = &rest[..rest.floor_char_boundary(LONGEST)];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let close = match rest.chars().next() {
            Some('[') => ']',
            Some('(') => ')',
            Some(_) | None => return false,
        };
        let Some(end) = rest.find(close) else { return false };
        let inside = rest[1..end].trim_start_matches([' ', '\\']);
        let read = inside.is_empty() || inside.starts_with(['"', '\'']) || assigned;
        self.script && code && token.kind == Kind::Word && read
    }
}
