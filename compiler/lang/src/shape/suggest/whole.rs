//! Values that other systems use, and the equivalent in a spec: another value, or a complete entry.
use super::placement;
use super::theirs::folded;
use crate::shape::{literal, splits_plainly};
use crate::sources::Format;

/// Field and value of another system, and the equivalent entry. `None` if the equivalent is the default.
const ENTRIES: &[(&str, &str, Option<&str>)] = &[
    // `cleanPodPolicy` says which pods are deleted, and `keep` says which containers are kept. So `All` is `keep "none"`, and
    // `None` is `keep "all"`.
    ("clean-pod-policy", "all", Some("keep \"none\"")),
    ("clean-pod-policy", "none", Some("keep \"all\"")),
    ("clean-pod-policy", "running", None),
    ("host-network", "false", None),
];

/// Examples for keywords of other systems that need a different example than their equivalent field.
const EXAMPLES: &[(&[&str], &str)] = &[
    (placement::LABELS, "placement { partition \"gpu\" }"),
    // `files` are not added to the Python module path, so the example also sets `PYTHONPATH`.
    (
        &["py-files"],
        "files \"lib\" \"https://files.example.com/lib.zip\"` with `env { PYTHONPATH \"{files.lib}:{env.PYTHONPATH}\" }",
    ),
    (
        &["volume", "volume-mounts", "volumes"],
        "data \"train\" \"pvc://claim/train\" at=\"/data\"`; a temporary directory is `{scratch}",
    ),
];

/// Returns the example from [`EXAMPLES`] for a keyword of another system.
pub(super) fn example(folded: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|(words, _)| words.contains(&folded)).map(|(_, example)| *example)
}

/// Returns the equivalent entry for a value of another system, or a help if no entry is needed. `None` for unknown values.
pub(super) fn entry(word: &str, value: &str) -> Option<Result<String, String>> {
    let (word, value) = (folded(word), folded(value));
    let (.., ours) = ENTRIES.iter().find(|(theirs, of, _)| *theirs == word && *of == value)?;
    Some(ours.map(str::to_owned).ok_or_else(|| "remove it; this is the default".to_owned()))
}

/// Returns the entry that runs a command line: `run` for a program with arguments, `shell` otherwise.
pub(super) fn command(line: &str) -> String {
    let quoted = |word: &str| literal::text(Format::Kdl, word);
    let words: Vec<&str> = line.split_whitespace().collect();
    let program = |name: &str, words: &[&str]| {
        let words: Vec<String> = std::iter::once(&name).chain(words).map(|word| quoted(word)).collect();
        format!("run {}", words.join(" "))
    };
    match words.as_slice() {
        _ if !splits_plainly(line) => format!("shell {}", quoted(line)),
        [script] if script.ends_with(".py") => program("python", &words),
        [script] if script.ends_with(".sh") => program("bash", &words),
        [first, rest @ ..] => program(first, rest),
        [] => format!("shell {}", quoted(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::suggest::ours;
    use crate::shape::tests::in_job;

    #[test]
    fn each_example_of_a_word_shows_its_field_and_is_accepted() {
        for (words, example) in EXAMPLES {
            let mut entries = example.split('`').step_by(2).filter(|entry| !entry.starts_with('{'));
            let job = in_job(&format!(" {}", entries.by_ref().collect::<Vec<_>>().join("; ")));
            assert_eq!(job.told(), Vec::<String>::new(), "{example}");
            for word in *words {
                let ours = ours(word).unwrap_or_else(|| panic!("{word} is no word of another system")).0;
                assert!(example.starts_with(ours), "{word}: {example}");
            }
        }
    }
}
