//! Facts about the machine that rendering needs: free ports, jar files, directories.

/// The machine on which a task is rendered.
pub trait Machine {
    /// Returns the number of a free port of this host, as a string. `name`: name of the port in the spec.
    ///
    /// # Errors
    /// A message, if no port is free.
    fn free_port(&mut self, name: &str) -> Result<String, String>;

    /// Returns the paths of all `*.jar` files of a directory, sorted. Empty if the directory does not exist.
    fn jars(&mut self, folder: &str) -> Vec<String>;

    /// Whether a directory exists.
    fn has_folder(&mut self, path: &str) -> bool;

    /// Returns the path of the completion file (`{done}`), by which the program reports that its work is complete.
    ///
    /// # Errors
    /// A message, if the shim has not created the directory of this file.
    fn done(&mut self) -> Result<String, String>;
}

/// A machine that returns placeholders such as `<port web>`, `/opt/lib/*.jar`, and `<done>`.
#[derive(Debug, Default, Clone, Copy)]
pub struct PlaceholderMachine;

impl Machine for PlaceholderMachine {
    fn free_port(&mut self, name: &str) -> Result<String, String> {
        Ok(format!("<port {name}>"))
    }

    fn jars(&mut self, folder: &str) -> Vec<String> {
        vec![format!("{folder}/*.jar")]
    }

    fn has_folder(&mut self, _: &str) -> bool {
        true
    }

    fn done(&mut self) -> Result<String, String> {
        Ok("<done>".to_owned())
    }
}
