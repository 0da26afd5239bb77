//! The references that `run`, `workdir`, `env` and `tensorboard` may hold: one list for errors, `explain` and the reference.

/// What may stand in braces.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// The word that it begins with.
    pub head: &'static str,
    /// All ways to write it.
    pub forms: &'static [&'static str],
    /// What the task sees there.
    pub about: &'static str,
}

impl Reference {
    /// Whether these words in braces are one of its forms; any name is one.
    #[must_use]
    pub fn is(&self, body: &str) -> bool {
        let (head, named) =
            body.split_once('.').map_or((body, false), |(head, name)| (head, !name.is_empty()));
        head == self.head && self.forms.iter().any(|form| form.contains('.') == named)
    }
}

const fn one(head: &'static str, forms: &'static [&'static str], about: &'static str) -> Reference {
    Reference { head, forms, about }
}

/// Every one.
pub const ALL: [Reference; 16] = [
    one("data", &["{data.NAME}"], "Where the program finds that data: an address, or a path."),
    one("files", &["{files.NAME}"], "The directory or file of that `files`."),
    one("checkpoints", &["{checkpoints}"], "Where the program keeps its state: an address, or a path."),
    one("code", &["{code}"], "The folder of the program."),
    one(
        "scratch",
        &["{scratch}"],
        "A folder of the task's own, empty at its first start. A restart in the same container, or in the same Pod, may find what is left there.",
    ),
    one("param", &["{param.NAME}"], "The text of that `param`."),
    one("job", &["{job}"], "The job's name."),
    one("role", &["{role}"], "The task's role."),
    one("index", &["{index}"], "Which of its role's tasks it is, from 0."),
    one("gpus", &["{gpus}"], "How many GPUs each task of the role has."),
    one("count", &["{count}", "{count.ROLE}"], "How many tasks meet; how many a role has."),
    one("address", &["{address}"], "The task's own host."),
    one("addresses", &["{addresses.ROLE}"], "`host:port` of each task of a role, joined by commas."),
    one("port", &["{port.NAME}"], "The number of that port; `{port.rendezvous}` is where the tasks meet."),
    one(
        "done",
        &["{done}"],
        "A file that the program makes when its work is done: from then on its end is a success.",
    ),
    one("env", &["{env.NAME}"], "A variable as image and platform set it; nothing where it is not set."),
];

/// The section of the reference.
#[must_use]
pub fn section() -> String {
    let mut text = "## References\n\nA text of `run`, `workdir`, `env` and `tensorboard` may hold references; `{{` is a \
literal brace, and `}` is written once: `{{\"lr\": 1}`. A `shell` has them as variables: `{data.train-set}` is `$TFJOB_DATA_TRAIN_SET`, `{index}` `$TFJOB_INDEX`.\n\n\
| reference | what the task sees there |\n|---|---|\n"
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
    fn each_form_begins_with_its_word() {
        for one in ALL {
            for form in one.forms {
                let rest = form.strip_prefix('{').and_then(|form| form.strip_prefix(one.head));
                assert!(rest.is_some_and(|rest| rest.starts_with(['.', '}'])), "{form}");
                assert!(one.is(&form[1..form.len() - 1]) && !one.is(&form[2..form.len() - 1]), "{form}");
            }
        }
    }
}
