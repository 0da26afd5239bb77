//! What only a running machine can tell: free ports and the jars of a folder.

/// The machine on which a task is rendered.
pub trait Machine {
    /// The number of a port of this host that nobody listens on, as text.
    ///
    /// # Errors
    /// One sentence, where there is none.
    fn free_port(&mut self, name: &str) -> Result<String, String>;

    /// The paths of all `*.jar` of a folder, sorted; none where the folder does not exist.
    fn jars(&mut self, folder: &str) -> Vec<String>;

    /// Whether the folder is there.
    fn has_folder(&mut self, path: &str) -> bool;

    /// The path of the file by which the program says that its work is done.
    ///
    /// # Errors
    /// One sentence, where there is no place for one.
    fn done(&mut self) -> Result<String, String>;
}

/// No machine: what it would have told is named instead, as `<port web>`, `/opt/lib/*.jar` and `<done>`.
#[derive(Debug, Default, Clone, Copy)]
pub struct Shown;

impl Machine for Shown {
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
