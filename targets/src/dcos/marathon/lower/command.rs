//! The command of an app: what `/bin/sh -c` reads before, at and after the program.
//!
//! An image's entry point is never used, so the app has `cmd`. The program's words are quoted, and started by `exec "$@"`:
//! no builtin, keyword or assignment of the shell can take their place.
use crate::shell::quote;
use tfjob_contract::{Piece, Value, variable};
use tfjob_lang::lowered::reference;
use tfjob_lang::requirement::Restart;
use tfjob_lang::spec::RestartOn;

/// What is known of one task when its app is written.
pub struct Task<'a> {
    /// Its index.
    pub index: u32,
    /// Its host.
    pub host: &'a str,
    /// `host:port` of each task of a role, joined by commas.
    pub addresses: &'a dyn Fn(&str) -> String,
    /// The variable in which Marathon gives a port that it picks; `Err` is a fixed number.
    pub port: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Task<'_> {
    /// A text as a word of the shell.
    pub fn word(&self, value: &Value) -> String {
        let mut word = String::new();
        let mut plain = String::new();
        for piece in value {
            match self.known(piece) {
                Ok(text) => plain.push_str(&text),
                Err(variable) => {
                    if !plain.is_empty() {
                        word.push_str(&quote(&std::mem::take(&mut plain)));
                    }
                    word.push_str(&format!("\"${{{variable}-}}\""));
                }
            }
        }
        if !plain.is_empty() || word.is_empty() {
            word.push_str(&quote(&plain));
        }
        word
    }

    /// A text as a person reads it: `${NAME}` where only the task knows.
    pub fn shown(&self, value: &Value) -> String {
        let show =
            |piece| self.known(piece).unwrap_or_else(|variable| reference(&format!("${{{variable}}}")));
        value.iter().map(show).collect()
    }

    /// The text, where nothing in it is known only to the task.
    pub fn fixed(&self, value: &Value) -> Option<String> {
        value.iter().map(|piece| self.known(piece).ok()).collect()
    }

    /// A part's text, or the variable that will hold it.
    fn known(&self, piece: &Piece) -> Result<String, String> {
        match piece {
            Piece::Text(text) => Ok(text.clone()),
            Piece::Index => Ok(self.index.to_string()),
            Piece::Address => Ok(self.host.to_owned()),
            Piece::Addresses(role) => Ok((self.addresses)(role)),
            Piece::Port(name) => match (self.port)(name) {
                Ok(variable) => Err(variable),
                Err(number) => Ok(number),
            },
            Piece::Env(name) => Err(name.clone()),
            // Only the shim starts such a program.
            Piece::Done => Err(variable(&["done"])),
        }
    }
}

/// The lines of a command.
#[derive(Debug, Default)]
pub struct Command {
    /// Lines before the program; each must succeed.
    pub before: Vec<String>,
    /// `NAME=word`, set at once: none sees another.
    pub exports: Vec<String>,
    /// Lines after the exports that build on them.
    pub hadoop: Vec<String>,
    /// Where the program starts, a word.
    pub workdir: Option<String>,
    /// The program's words.
    pub argv: Vec<String>,
}

/// What becomes of the task when its program has ended.
#[derive(Debug, Clone, Copy)]
pub enum End<'a> {
    /// It stays.
    Stay,
    /// It ends where Marathon is to start it again, else it stays.
    Again(&'a Restart),
    /// It is a service: Marathon starts it again whenever it ends.
    Serve,
}

impl Command {
    /// The whole text.
    pub fn text(&self, name: &str, end: End<'_>) -> String {
        let always = match end {
            End::Serve => true,
            End::Stay => false,
            End::Again(restart) => restart.on == RestartOn::Always,
        };
        let mut lines = Vec::new();
        if !always {
            // The agent signals the whole task; the shell must outlive the program only if nobody stops it.
            lines.push("trap 'exit 143' TERM".to_owned());
        }
        // The words are worked out before anything is exported: they see what image and platform set.
        lines.push(format!("set -- {}", self.argv.join(" ")));
        let inner = self.inner();
        if always {
            lines.extend(inner);
            return lines.join("\n");
        }
        match inner.as_slice() {
            [alone] => lines.push(format!("( {alone} )")),
            all => lines.push(format!("(\n{}\n)", all.join("\n"))),
        }
        lines.push("code=$?".to_owned());
        lines.push(format!("echo {}\"$code\" >&2", quote(&format!("tfjob: {name} ended with code "))));
        if let End::Again(restart) = end {
            lines.push(again(restart));
        }
        lines.extend(STAY.map(str::to_owned));
        lines.join("\n")
    }
}

/// Finds the shell's own tools whatever `PATH` the job or a patch sets.
const TOOLS: &str = "PATH=${PATH:+$PATH:}/usr/sbin:/usr/bin:/sbin:/bin";

/// The task stays until it is stopped. Without a `sleep` the shell stops itself: a loop would only burn its core.
const STAY: [&str; 4] =
    [TOOLS, "while sleep 3600 & wait \"$!\"; do :; done", "kill -s STOP \"$$\"", "exit \"$code\""];

impl Command {
    /// From the first folder to the program. Folders come before the exports: `{env.HOME}` in them is the platform's.
    fn inner(&self) -> Vec<String> {
        let go = self.workdir.as_ref().map(|folder| format!("cd {folder}"));
        let mut lines = Vec::new();
        if !self.before.is_empty() {
            // In a shell of its own: the program's `PATH` is what the job says.
            lines.extend(["(".to_owned(), TOOLS.to_owned()]);
            lines.extend(self.before.iter().cloned());
            lines.push(")".to_owned());
        }
        lines.extend(go);
        if !lines.is_empty() {
            lines.insert(0, "set -e".to_owned());
        }
        if !self.exports.is_empty() {
            lines.push(format!("export {}", self.exports.join(" ")));
        }
        lines.extend(self.hadoop.iter().cloned());
        lines.push("exec \"$@\"".to_owned());
        lines
    }
}

/// Ends with the code that Marathon is to take as a failure.
fn again(restart: &Restart) -> String {
    if restart.codes.is_empty() {
        return "[ \"$code\" -eq 0 ] || exit \"$code\"".to_owned();
    }
    let codes: Vec<String> = restart.codes.iter().map(u8::to_string).collect();
    format!("case $code in {}) exit \"$code\";; esac", codes.join("|"))
}
