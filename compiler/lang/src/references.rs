//! References in `run`, `workdir`, `env`, and `tensorboard`: one list for errors, `explain`, and the reference page.

use crate::resolve::references_in;
use std::ops::Range;
use tfjob_contract::RENDEZVOUS;
pub use tfjob_contract::variable;

/// A kind of reference.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// First part of the reference, such as `data` in `{data.NAME}`.
    pub head: &'static str,
    /// All forms of the reference, such as `{data.NAME}`.
    pub forms: &'static [&'static str],
    /// Description of the value that the reference expands to.
    pub about: &'static str,
    /// Whether the reference is available only in a role or helper, and not in `tensorboard`.
    pub of_role: bool,
    /// Whether the reference needs the field of the job with the name `head`.
    pub of_field: bool,
    /// Names that are part of the language, and which the job need not declare.
    pub names: &'static [&'static str],
}

impl Reference {
    /// Returns whether the text in braces has a form of this reference, whatever the name: `data.train` has the form `{data.NAME}`.
    #[must_use]
    pub fn is(&self, body: &str) -> bool {
        let (head, named) =
            body.split_once('.').map_or((body, false), |(head, name)| (head, !name.is_empty()));
        head == self.head && self.forms.iter().any(|form| form.contains('.') == named)
    }
}

const fn one(head: &'static str, forms: &'static [&'static str], about: &'static str) -> Reference {
    Reference { head, forms, about, of_role: false, of_field: false, names: &[] }
}

/// Creates a reference that is available only in a role or helper.
const fn of_role(head: &'static str, forms: &'static [&'static str], about: &'static str) -> Reference {
    Reference { of_role: true, ..one(head, forms, about) }
}

/// Creates a reference that needs the field of the job with this name.
const fn of_field(head: &'static str, forms: &'static [&'static str], about: &'static str) -> Reference {
    Reference { of_field: true, ..one(head, forms, about) }
}

/// All references, in the order of the reference page.
pub const ALL: [Reference; 16] = [
    one("data", &["{data.NAME}"], "Path of the data if it is mounted or local, otherwise its URI."),
    one("files", &["{files.NAME}"], "Path of the file, or of the directory of the unpacked archive."),
    of_field(
        "checkpoints",
        &["{checkpoints}"],
        "Path of the checkpoint directory if it is mounted or local, otherwise its URI.",
    ),
    of_field("code", &["{code}"], "Path of the directory with the code."),
    one(
        "scratch",
        &["{scratch}"],
        "Private scratch directory of the task, empty when the task starts for the first time. After a restart in the same container or pod, it may contain old files.",
    ),
    one("param", &["{param.NAME}"], "Value of the parameter."),
    one("job", &["{job}"], "Name of the job."),
    of_role("role", &["{role}"], "Role of the task."),
    of_role("index", &["{index}"], "Index of the task in its role, from 0."),
    of_role("gpus", &["{gpus}"], "Number of GPUs per task of the role."),
    one(
        "count",
        &["{count}", "{count.ROLE}"],
        "Number of tasks in all roles, without helpers; with `.ROLE`, number of tasks of this role.",
    ),
    of_role("address", &["{address}"], "Host name or IP address of the task."),
    one(
        "addresses",
        &["{addresses.ROLE}"],
        "`host:port` of each task of the role, separated by commas. The port is the rendezvous port.",
    ),
    Reference {
        names: &[RENDEZVOUS],
        ..of_role("port", &["{port.NAME}"], "Port number; `{port.rendezvous}` is the rendezvous port.")
    },
    of_role(
        "done",
        &["{done}"],
        "Path of a file that the program creates when its work is done. After that, any exit code counts as success.",
    ),
    one(
        "env",
        &["{env.NAME}"],
        "Value of an environment variable of the job, the image, or the platform; empty if unset.",
    ),
];

/// Returns the byte ranges of the references in a text, including their braces, in order. `{{` is a literal brace.
pub fn ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_known = |range: &Range<usize>| ALL.iter().any(|one| one.is(&text[range.start + 1..range.end - 1]));
    references_in(text).into_iter().filter(is_known)
}

/// Fields whose strings can contain references: in `env`, all values; in `tensorboard`, only `logs`. A test compares this list with
/// `mentions::TEXTS`.
pub const FIELDS: [&str; 4] = ["run", "workdir", "env", "tensorboard"];

/// Returns the section "References" of the reference page, in Markdown.
#[must_use]
pub fn section() -> String {
    let mut text = "## References\n\nStrings in `run`, `workdir`, `env`, and `tensorboard` can contain references. `{{` is a \
literal brace; `}` needs no escape: `{{\"lr\": 1}` gives `{\"lr\": 1}`. In `shell`, use environment variables instead: `$TFJOB_DATA_TRAIN_SET` for `{data.train-set}`, `$TFJOB_INDEX` for `{index}`. With `run`, some targets set no such variables, so a program gets its index by an argument, or by `env { INDEX \"{index}\"; }`.\n\n\
| reference | value |\n|---|---|\n"
        .to_owned();
    for Reference { forms, about, .. } in ALL {
        let forms: Vec<String> = forms.iter().map(|form| format!("`{form}`")).collect();
        text.push_str(&format!("| {} | {about} |\n", forms.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn the_section_names_all_fields() {
        let names = super::FIELDS.map(|field| format!("`{field}`"));
        let (last, first) = names.split_last().expect("fields");
        assert!(super::section().contains(&format!("Strings in {}, and {last} can", first.join(", "))));
    }

    #[test]
    fn each_name_of_the_language_is_described() {
        for (one, name) in ALL.iter().flat_map(|one| one.names.iter().map(move |name| (one, name))) {
            assert!(one.about.contains(&format!("`{{{}.{name}}}`", one.head)), "{name}");
        }
    }

    #[test]
    fn each_form_begins_with_its_head() {
        for one in ALL {
            for form in one.forms {
                let rest = form.strip_prefix('{').and_then(|form| form.strip_prefix(one.head));
                assert!(rest.is_some_and(|rest| rest.starts_with(['.', '}'])), "{form}");
                assert!(one.is(&form[1..form.len() - 1]) && !one.is(&form[2..form.len() - 1]), "{form}");
            }
        }
    }
}
