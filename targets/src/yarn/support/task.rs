//! What a task is: its image, its program, its variables, who it runs as.
use super::{Answer, SAY_DOMAIN, inherent};
use crate::yarn::context::Context;
use crate::yarn::means::Means;
use crate::yarn::support::upload::{file_system, root};
use crate::yarn::text;
use crate::yarn::variables::of_bash;
use tfjob_lang::plan::{Own, Part, RoleId, Template};
use tfjob_lang::spec::values::{Class, Image, Uri};
use tfjob_lang::spec::{Pull, User};

/// Bytes of a launch command, which bash gets as one word: Linux passes 128 KiB, and the engine adds its redirections.
const COMMAND: usize = 120_000;
/// Bytes of `NAME=VALUE` with the closing NUL, which the node manager passes to its own launcher unread.
const VARIABLE: usize = 131_072;

pub fn image(case: &Context<'_>, role: RoleId, image: &Image) -> Answer {
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

pub fn pull(pull: Pull) -> Answer {
    let (word, why) = match pull {
        Pull::Missing => return inherent("docker run pulls what the node does not have"),
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

/// Credentials are a file of Docker's on the cluster's file system.
pub fn pull_secret(case: &Context<'_>, name: &str) -> Answer {
    match &case.site.job.docker_config {
        Some(uri) => Answer::Emulated(
            Means::Inherent("`docker-config` has the credentials"),
            format!("`{name}` is what stands in the Docker configuration {}", uri.value),
        ),
        None => Answer::refused(
            "has no secrets: a registry's credentials are a `config.json` on the cluster's file system",
            "say where it is: `target \"yarn\" { docker-config \"hdfs://default/…/config.json\" }`",
            "yarn-submarine-tony §1.1",
        ),
    }
}

/// The command as a whole must pass through bash as one word, unless the shim reads it from its contract.
pub fn run(case: &Context<'_>, role: RoleId, argv: &[Template]) -> Answer {
    if let Some(refused) = argv.iter().find_map(|word| unknown_address(case, word)) {
        return refused;
    }
    too_long(case, argv.iter().flat_map(|word| &word.parts))
        .unwrap_or_else(|| Answer::Native(Means::Run { role, argv: argv.to_vec() }))
}

pub fn shell(case: &Context<'_>, role: RoleId, text: &str) -> Answer {
    too_long(case, &[Part::Text(text.to_owned())])
        .unwrap_or_else(|| Answer::Native(Means::Shell { role, text: text.to_owned() }))
}

pub fn workdir(case: &Context<'_>, role: RoleId, path: &Template) -> Answer {
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

pub fn env(case: &Context<'_>, role: RoleId, name: &str, value: &Template) -> Answer {
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

/// A file that is not listed anywhere takes the place of the whole entry.
const KEPT: &str = "remove the whole `secret`: keep the value in a file on the cluster's file system that only its user may \
    read, add `stage \"NAME\" \"hdfs://…\"`, and give the program its path, `{stage.NAME}`";

pub fn secret_env(env: &str) -> Answer {
    Answer::refused(
        format!("has no secrets: `{env}` would stand in the clear in the service's file and on its page"),
        KEPT,
        "yarn-submarine-tony §1.4",
    )
}

pub fn secret_file() -> Answer {
    Answer::refused("has no secrets that could become a file", KEPT, "yarn-submarine-tony §1.4")
}

pub fn user(user: &User) -> Answer {
    let who = match user {
        User::Name(name) => name.clone(),
        User::Number(number) => number.to_string(),
    };
    Answer::refused(
        format!("runs a program as who submits the job, and no container chooses `{who}`"),
        "remove `user`, and submit the job as that user",
        "yarn-submarine-tony §1.8",
    )
}

/// The shim sets what libhdfs needs.
pub fn hadoop(home: &str, java: &str, conf: Option<&str>) -> Answer {
    Answer::Emulated(
        Means::Hadoop { home: home.to_owned(), java: java.to_owned(), conf: conf.map(str::to_owned) },
        "the shim sets CLASSPATH and LD_LIBRARY_PATH".to_owned(),
    )
}

/// The engine logs the master in. On a secure cluster the name must hold a host.
pub fn kerberos(case: &Context<'_>, principal: &str, keytab: &str) -> Answer {
    if !principal.contains('/') {
        return Answer::impossible(
            format!("refuses the principal `{principal}` on a secure cluster: it names no host"),
            "write `name/_HOST@REALM`, or `name/host@REALM`",
            "yarn-submarine-tony §1.6",
        );
    }
    let readable = |uri: &Uri| uri.scheme().is_read_by_hadoop();
    let known = Uri::parse(keytab).ok().filter(readable);
    let Some(uri) = known else {
        return Answer::impossible(
            "reads a keytab from the cluster's file system or from every node, and has no secrets",
            "write `hdfs:///…` or `viewfs://…`, or `file:///…` where every node has it",
            "yarn-submarine-tony §1.6",
        );
    };
    let elsewhere = file_system(&uri).filter(|_| uri.scheme().class() != Class::Node);
    let default = case.site.job.default_fs.as_ref().map(|fs| root(&fs.value));
    if let (Some(own), Some(default)) = (elsewhere, default)
        && own != default
    {
        return Answer::impossible(
            format!("reads a keytab from the default file system `{default}`, and `{keytab}` is elsewhere"),
            format!("copy it to `{default}{}`", uri.path()),
            "ServiceClient.addKeytabResourceIfSecure of 3.4.2",
        );
    }
    // The engine asks for a scheme; without a host it is the default file system's.
    let keytab =
        if file_system(&uri).is_none() { format!("hdfs://{}", uri.path()) } else { keytab.to_owned() };
    Answer::Native(Means::Kerberos { principal: principal.to_owned(), keytab })
}
