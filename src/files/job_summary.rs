//! The file to which a step of GitHub Actions appends its part of the job summary.
use crate::outcome::Failure;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

/// Environment variable with the path of the file. GitHub sets it for each step.
const VARIABLE: &str = "GITHUB_STEP_SUMMARY";

/// Maximum size of the file in bytes. GitHub shows nothing of a larger file, and reports an error for the step.
const LARGEST: u64 = 1 << 20;

/// The job summary of this step.
#[derive(Debug)]
pub struct JobSummary(PathBuf);

impl JobSummary {
    /// Returns the job summary of this step; `None` outside of GitHub Actions.
    pub fn of_environment() -> Option<Self> {
        std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(|path| Self(path.into()))
    }

    /// Returns the number of bytes that still fit. Other commands of the step may have written to the file.
    pub fn room(&self) -> usize {
        let used = fs::metadata(&self.0).map_or(0, |about| about.len());
        usize::try_from(LARGEST.saturating_sub(used)).unwrap_or_default()
    }

    /// Appends a text.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn append(&self, text: &str) -> Result<(), Failure> {
        let mut options = File::options();
        let file = options.append(true).create(true).open(&self.0);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Failure::at("cannot write the job summary to", &self.0, &error))
    }
}
