//! The name of a new job.

/// Maximum length of the name of a new job, in bytes. Platforms append role and index to it, and limit the result to about 63 bytes.
const MAX_LENGTH: usize = 40;

/// Returns the DNS label that is derived from the name of a file without its ending, for a new job or cluster in the file.
#[must_use]
pub fn job_name(stem: &str) -> String {
    let letters = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let words: String = letters.skip_while(|c| !c.is_ascii_lowercase()).take(MAX_LENGTH).collect();
    let name = words.trim_end_matches('-');
    if name.is_empty() { "job".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::values::Name;

    #[test]
    fn any_name_of_a_file_makes_a_name_of_a_job() {
        for (stem, wanted) in [("mnist", "mnist"), ("My Job_2", "my-job-2"), ("1-é", "job"), ("9a-", "a")] {
            assert_eq!(job_name(stem), wanted);
            assert!(Name::parse(wanted).is_ok());
        }
        assert_eq!(job_name(&"a".repeat(90)).len(), MAX_LENGTH);
    }
}
