//! Programs and their environment.
use super::Answer;
use super::SAY_DOMAIN;
use crate::yarn::context::Context;
use crate::yarn::means::Means;
use crate::yarn::text;
use crate::yarn::variables::of_bash;
use tfjob_lang::ask;
use tfjob_lang::plan::{Own, Part, RoleId, Template};
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, case: &Context<'_>) -> Answer {
    match ask {
        ask::Program::Image { role, image } => self::image(case, *role, image),
        ask::Program::NoImage { role: _ } => Answer::inherent("the program of the node itself"),
        ask::Program::Pull { role: _, pull } => self::pull(*pull),
        ask::Program::Run { role, argv } => run(case, *role, argv),
        ask::Program::Shell { role, text } => shell(case, *role, text),
        ask::Program::Workdir { role, path } => workdir(case, *role, path),
        ask::Program::Env { role, name, value } => env(case, *role, name, value),
        ask::Program::Hadoop { home, java, conf } => hadoop(home, java, conf.as_deref()),
    }
}

/// Bytes of a launch command, which bash gets as one word: Linux passes 128 KiB, and the engine adds its redirections.
const COMMAND: usize = 120_000;

/// Bytes of `NAME=VALUE` with the closing NUL, which the node manager passes to its own launcher unread.
const VARIABLE: usize = 131_072;

fn image(case: &Context<'_>, role: RoleId, image: &Image) -> Answer {
    unpulled(case, image).unwrap_or_else(|| Answer::Native(Means::Image { role, id: image.to_string() }))
}

/// An image that no container of the cluster's release can name, be it a task's or the TensorBoard's.
pub fn unpulled(case: &Context<'_>, image: &Image) -> Option<Answer> {
    if image.digest.is_some() && !case.release.digests() {
        return Some(Answer::refused(
            "accepts no digest in the name of an image before Hadoop 3.3, and fails at the start of each container",
            "name the image by its tag, or say `target \"yarn\" { hadoop \"3.3\" }` if the cluster is newer",
            "yarn-submarine-tony §1.7, DockerLinuxContainerRuntime of 3.1.4 and 3.3.6",
        ));
    }
    image.digest.as_ref().is_some_and(|digest| !digest.starts_with("sha256:")).then(|| {
        Answer::refused(
            "knows only sha256 digests",
            "name the image by its tag or its sha256 digest",
            "DockerLinuxContainerRuntime.validateImageName of 3.4.2",
        )
    })
}

fn pull(pull: Pull) -> Answer {
    let (word, why) = match pull {
        Pull::Missing => return Answer::inherent("docker run pulls what the node does not have"),
        Pull::Always => (
            "always",
            "pulls an image only where the node does not have it, unless its administrator says otherwise for all",
        ),
        Pull::Never => ("never", "pulls an image wherever the node does not have it"),
    };
    Answer::refused(
        why,
        format!("remove `pull=\"{word}\"`, and name the image by a tag that is never pushed again"),
        "yarn-submarine-tony §1.8",
    )
}

/// The command as a whole must pass through bash as one word, unless the shim reads it from its contract.
fn run(case: &Context<'_>, role: RoleId, argv: &[Template]) -> Answer {
    if let Some(refused) = argv.iter().find_map(|word| unknown_address(case, word)) {
        return refused;
    }
    too_long(case, argv.iter().flat_map(|word| &word.parts))
        .unwrap_or_else(|| Answer::Native(Means::Run { role, argv: argv.to_vec() }))
}

fn shell(case: &Context<'_>, role: RoleId, text: &str) -> Answer {
    too_long(case, &[Part::Text(text.to_owned())])
        .unwrap_or_else(|| Answer::Native(Means::Shell { role, text: text.to_owned() }))
}

fn workdir(case: &Context<'_>, role: RoleId, path: &Template) -> Answer {
    unknown_address(case, path).unwrap_or_else(|| Answer::Native(Means::Workdir { role, path: path.clone() }))
}

fn too_long<'t>(case: &Context<'_>, parts: impl IntoIterator<Item = &'t Part>) -> Option<Answer> {
    let length = |part: &Part| match part {
        Part::Text(words) => text::in_double_quotes(&text::word(words)).len() + 1,
        Part::Place(..) | Part::Own(..) => 256,
    };
    let total: usize = parts.into_iter().map(length).sum();
    (total > COMMAND && !case.carried()).then(|| {
        Answer::impossible(
            format!("starts a command through bash as one word of at most {COMMAND} bytes, and this one has {total}"),
            "put the text in a file beside the program",
            "yarn-observed §5",
        )
    })
}

/// What names an address where the cluster gives none.
fn unknown_address(case: &Context<'_>, template: &Template) -> Option<Answer> {
    let seeks = template.parts.iter().any(|part| match part {
        Part::Own(Own::Address | Own::Addresses(_), _) => true,
        Part::Own(Own::Index | Own::Port(_) | Own::Env(_) | Own::Done, _)
        | Part::Text(_)
        | Part::Place(..) => false,
    });
    (seeks && case.domain().is_none()).then(|| {
        Answer::impossible(
            "gives tasks no other address than the registry's DNS name, and no domain is stated",
            SAY_DOMAIN,
            "yarn-submarine-tony §1.8",
        )
    })
}

fn env(case: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Answer {
    if name.starts_with("YARN_CONTAINER_RUNTIME_") {
        return Answer::impossible(
            format!("reads `{name}` itself, to choose and set up the container"),
            "write it by the field that means it (`image`, `network`, `data … at=…`), or in the `patch` of \
             `target \"yarn\" { … }`",
            "yarn-submarine-tony §1.8",
        );
    }
    if of_bash(name) && !case.carried() {
        return Answer::impossible(
            format!("starts tasks through bash, which keeps `{name}` for itself: the value does not arrive"),
            "give the variable another name",
            "yarn-observed §5",
        );
    }
    if name == "WORK_DIR" {
        return Answer::impossible(
            "names the container's own folder in `WORK_DIR`, and the command looks there",
            "give the variable another name",
            "yarn-observed §5",
        );
    }
    if let Some(refused) = unknown_address(case, value) {
        return refused;
    }
    let length: usize = value
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(words) => text::in_double_quotes(words).len(),
            Part::Place(..) | Part::Own(..) => 256,
        })
        .sum();
    let total = name.len() + 2 + length;
    if total > VARIABLE && !case.carried() {
        return Answer::impossible(
            format!(
                "starts nothing, and calls it a success, where a variable is longer than {VARIABLE} bytes; with its escapes this one has {total}"
            ),
            "put the text in a file beside the program",
            "yarn-observed §5",
        );
    }
    Answer::Native(Means::Env { role, name: name.to_owned(), value: value.clone() })
}

/// The shim sets what libhdfs needs.
fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Answer {
    Answer::Emulated(
        Means::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) },
        "the shim sets CLASSPATH and LD_LIBRARY_PATH".to_owned(),
    )
}
