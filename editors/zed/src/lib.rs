//! Starts `tfjob lsp` in Zed.
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Tfjob;

impl zed::Extension for Tfjob {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("tfjob").ok_or("the program `tfjob` is not on the PATH")?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Tfjob);
