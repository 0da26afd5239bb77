//! `tfjob init`: a first spec, clean as it stands.
use crate::args::Init;
use crate::files;
use crate::outcome::{Failure, Outcome};
use crate::terminal::plain;
use std::io::Write;
use std::path::Path;

/// What a spec is named when nothing is said.
const ENDING: &str = ".tfjob.kdl";

/// The longest name of a job that leaves room for the names of its tasks.
const LONGEST_NAME: usize = 40;

/// Runs the command.
///
/// # Errors
/// Where there is such a file already, or the disk says no.
pub fn run(args: &Init, err: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut path = args.name.clone().into_os_string();
    let other = [".json", ".yaml", ".yml"].iter().any(|end| args.name.to_string_lossy().ends_with(end));
    if args.name.file_name().is_none() || args.name.is_dir() || other {
        let name = args.name.to_string_lossy();
        return Err(Failure::new(format!("`{}` is no name of a spec: `tfjob init mnist`", plain(&name))));
    }
    if !args.name.to_string_lossy().ends_with(ENDING) {
        path.push(ENDING);
    }
    let path = Path::new(&path);
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    files::create(path, &spec(&name(stem.trim_end_matches(ENDING))))?;
    writeln!(err, "made {}; next: tfjob check", path.display())?;
    Ok(Outcome::Clean)
}

/// The nearest DNS label to a file's name.
fn name(stem: &str) -> String {
    let letters = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let words: String = letters.skip_while(|c| !c.is_ascii_lowercase()).take(LONGEST_NAME).collect();
    let name = words.trim_end_matches('-');
    if name.is_empty() { "job".to_owned() } else { name.to_owned() }
}

fn spec(name: &str) -> String {
    format!(
        r#"job "{name}" {{
    framework "tensorflow" version="2.15"
    image "ml/{name}:1.0"

    role "worker" {{
        run "python" "train.py"
        resources cpus=2 memory="4GiB"
    }}
}}
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_of_a_file_makes_a_name_of_a_job() {
        for (stem, wanted) in [("mnist", "mnist"), ("My Job_2", "my-job-2"), ("1-é", "job"), ("9a-", "a")] {
            assert_eq!(name(stem), wanted);
        }
        assert_eq!(name(&"a".repeat(90)).len(), LONGEST_NAME);
    }
}
