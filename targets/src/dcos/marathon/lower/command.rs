//! The command of an app: a script for `/bin/sh -c`. The script prepares and starts the program, and keeps running after the
//! program has exited.
//!
//! The entry point of the image is never used, so the app sets `cmd`. The arguments are quoted and started by `exec "$@"`.
//! Otherwise, the shell could read the first argument as a builtin, a keyword, or an assignment.
use crate::shell::quote;
use tfjob_contract::{Piece, Value, variable};
use tfjob_lang::lowered::reference;
use tfjob_lang::requirement::Restart;
use tfjob_lang::spec::RestartOn;

/// Facts about one task that are known when its app is written.
pub struct Task<'a> {
    /// The index of the task in its role.
    pub index: u32,
    /// The DNS name of the task.
    pub host: &'a str,
    /// Returns `host:port` of each task of a role, separated by commas.
    pub addresses: &'a dyn Fn(&str) -> String,
    /// Returns the environment variable that contains a port that Marathon picks. `Err`: the number, if the port is fixed.
    pub port: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Task<'_> {
    /// Returns a value as one quoted shell word.
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

    /// Returns a value for display. `${NAME}` stands for a part that is known only at run time.
    pub fn shown(&self, value: &Value) -> String {
        let show =
            |piece| self.known(piece).unwrap_or_else(|variable| reference(&format!("${{{variable}}}")));
        value.iter().map(show).collect()
    }

    /// Returns the value, or `None` if a part of it is known only at run time.
    pub fn fixed(&self, value: &Value) -> Option<String> {
        value.iter().map(|piece| self.known(piece).ok()).collect()
    }

    /// Returns the text of a piece. `Err`: the environment variable that contains the text, if the text is known only at run time.
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
            // Never used in a command: the shim starts each program that has a `{done}` file.
            Piece::Done => Err(variable(&["done"])),
        }
    }
}

/// Parts of the script of an app.
#[derive(Debug, Default)]
pub struct Command {
    /// Lines that run before the program. If a line fails, the program does not start.
    pub before: Vec<String>,
    /// Assignments `NAME=word` of one `export` line. The shell expands all words before it sets a variable, so a word sees the
    /// values from before this line.
    pub exports: Vec<String>,
    /// Lines that set the variables of Hadoop. They follow the exports, because they may use the values that the exports set.
    pub hadoop: Vec<String>,
    /// Working directory, as a shell word.
    pub workdir: Option<String>,
    /// Arguments of the program, as shell words.
    pub argv: Vec<String>,
}

/// What a task does after its program has exited.
#[derive(Debug, Clone, Copy)]
pub enum End<'a> {
    /// The task keeps running.
    Stay,
    /// The task exits if Marathon should restart the program. Otherwise, the task keeps running.
    Again(&'a Restart),
    /// The task exits when its program exits. Marathon then restarts the task, because the program is a service.
    Serve,
}

impl Command {
    /// Returns the script. `name` is the name of the task in the last line that the script prints.
    pub fn text(&self, name: &str, end: End<'_>) -> String {
        let always = match end {
            End::Serve => true,
            End::Stay => false,
            End::Again(restart) => restart.on == RestartOn::Always,
        };
        let mut lines = Vec::new();
        if !always {
            // When Marathon stops the task, the agent sends SIGTERM to all processes of the task, including this shell. The trap
            // makes the shell exit.
            lines.push("trap 'exit 143' TERM".to_owned());
        }
        // This line expands the arguments before the exports, so that references in the arguments mean the environment variables of
        // the image and the platform.
        lines.push(format!("set -- {}", self.argv.join(" ")));
        let inner = self.inner();
        if always {
            lines.extend(inner);
            return lines.join("\n");
        }
        match inner.as_slice() {
            [single] => lines.push(format!("( {single} )")),
            all => lines.push(format!("(\n{}\n)", all.join("\n"))),
        }
        lines.push("code=$?".to_owned());
        lines.push(format!("echo {}\"$code\" >&2", quote(&format!("tfjob: {name} exited with code "))));
        if let End::Again(restart) = end {
            lines.push(again(restart));
        }
        lines.extend(STAY.map(str::to_owned));
        lines.join("\n")
    }
}

/// Shell line that appends the system directories to `PATH`. The shell then finds its tools with any `PATH` that the job or a
/// patch sets.
const TOOLS: &str = "PATH=${PATH:+$PATH:}/usr/sbin:/usr/bin:/sbin:/bin";

/// Lines that keep the task running until it is stopped. If the program `sleep` is missing, the shell suspends itself by SIGSTOP,
/// because a busy loop would use a core.
const STAY: [&str; 4] =
    [TOOLS, "while sleep 3600 & wait \"$!\"; do :; done", "kill -s STOP \"$$\"", "exit \"$code\""];

impl Command {
    /// Returns the lines that prepare and start the program. Paths are expanded before the exports, so `{env.HOME}` in a path is
    /// the value that the platform sets, not one that the job sets.
    fn inner(&self) -> Vec<String> {
        let go = self.workdir.as_ref().map(|folder| format!("cd {folder}"));
        let mut lines = Vec::new();
        if !self.before.is_empty() {
            // The lines run in a subshell, so that their change of `PATH` does not reach the program.
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

/// Returns the line that exits with the exit code of the program, if Marathon should restart the task after that exit code.
fn again(restart: &Restart) -> String {
    if restart.codes.is_empty() {
        return "[ \"$code\" -eq 0 ] || exit \"$code\"".to_owned();
    }
    let codes: Vec<String> = restart.codes.iter().map(u8::to_string).collect();
    format!("case $code in {}) exit \"$code\";; esac", codes.join("|"))
}
