//! Finds credentials in a job contract, where a value is a list of pieces: `["NAME", [{"text": "VALUE"}]]`.
use super::super::lex::{Kind, Manner, Token};
use super::super::names::{Says, says};
use super::super::values::{Stands, is_credential};
use super::Judge;
use crate::sources::Format;

/// The key of a piece with literal text.
const PIECE: &str = "text";

/// Number of brackets that close between a flag and the next argument: the bracket of the piece, and the bracket of the list of
/// pieces.
const OF_FLAG: u8 = 2;

/// What a name suggests for a value after it: the kind of credential, and the context of the value.
type Said = (Says, Stands);

/// An open brace or bracket.
#[derive(Default)]
struct Frame {
    /// What the name before the bracket suggests for all pieces in it.
    said: Option<Said>,
    /// What the last string or flag in the bracket suggests for the next bracket.
    before: Option<Said>,
    /// What a flag in the bracket suggests, and how many brackets must close before its value.
    flag: Option<(Said, u8)>,
}

impl Judge<'_> {
    /// Finds the literal text of pieces in two places: after a name that suggests a credential, and in the argument after a flag
    /// with such a name.
    pub(super) fn pieces(&mut self, tokens: &[Token]) {
        let is_piece = |token: &Token| token.kind == Kind::Text && self.slice(token) == PIECE;
        if self.manner == Manner::Of(Format::Kdl) || !tokens.iter().any(is_piece) {
            return;
        }
        let (mut frames, mut found) = (vec![Frame::default()], Vec::new());
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open => {
                    let top = frames.last_mut();
                    let said = top.and_then(|top| top.before.take().or(top.said));
                    frames.push(Frame { said, ..Frame::default() });
                }
                Kind::Close => {
                    let flag = frames.pop().and_then(|frame| frame.flag);
                    if frames.is_empty() {
                        frames.push(Frame::default());
                    }
                    if let (Some(top), Some((said, left))) = (frames.last_mut(), flag) {
                        top.before = Some(said);
                        top.flag = Some((said, left - 1)).filter(|(_, left)| *left > 0);
                    }
                }
                Kind::Text => {
                    let words = self.slice(token);
                    let key = tokens.get(i + 1).is_some_and(|next| next.kind == Kind::Colon);
                    let piece = !key
                        && matches!(&tokens[..i], [.., name, colon] if colon.kind == Kind::Colon && is_piece(name));
                    let Some(top) = frames.last_mut() else { continue };
                    match top.said.filter(|_| piece) {
                        Some((says, stands)) if is_credential(says, words, stands) => {
                            found.push(token.at.clone());
                        }
                        Some(_) => {}
                        None if piece => {
                            let flag = says(words).filter(|_| words.starts_with('-'));
                            top.flag = flag.map(|says| ((says, Stands::Behind), OF_FLAG));
                        }
                        None => top.before = says(words).map(|says| (says, Stands::Named)),
                    }
                }
                Kind::Word
                | Kind::Equals
                | Kind::Colon
                | Kind::Comma
                | Kind::End
                | Kind::Dash
                | Kind::Line
                | Kind::Comment => {}
            }
        }
        self.found.at.extend(found);
    }
}
