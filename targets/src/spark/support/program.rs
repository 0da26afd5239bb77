//! Programs and their environment.
use super::Answer;
use super::shared::{alike, everywhere};
use crate::spark::context::{Context, Manager};
use crate::spark::means::Means;
use crate::spark::settings::owner;
use tfjob_lang::ask;
use tfjob_lang::plan::{Part, Role, RoleId, Template};
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, case: &Context<'_>) -> Answer {
    match ask {
        ask::Program::Image { role, image } => self::image(case, *role, image),
        ask::Program::NoImage { .. } => Answer::inherent("the node's own software"),
        ask::Program::Pull { role, pull } => self::pull(case, *role, *pull),
        ask::Program::Run { argv, .. } => words(argv),
        ask::Program::Shell { .. } => Answer::Emulated(
            Means::ShimWords,
            "the shim gives the shell its references as variables".to_owned(),
        ),
        ask::Program::Workdir { path, .. } => words([path]),
        ask::Program::Env { name, value, .. } => variable(case, name, value),
        ask::Program::Hadoop { home, java, conf } => Answer::Emulated(
            Means::Hadoop { home: home.clone(), java: java.clone(), conf: conf.clone() },
            "the shim sets Hadoop's environment for the program".to_owned(),
        ),
    }
}

fn name(role: &Role) -> Option<&Image> {
    role.image.as_ref().map(|i| &i.image.value)
}

/// The image.
fn image(case: &Context<'_>, id: RoleId, image: &Image) -> Answer {
    if case.differs(id, name).is_some() {
        return alike("the image");
    }
    let image = image.to_string();
    match case.manager {
        Manager::Kubernetes => {
            Answer::Native(Means::Settings(vec![("spark.kubernetes.container.image".to_owned(), image)]))
        }
        Manager::Yarn => {
            let runtime = |family: &str| {
                [
                    (format!("{family}.YARN_CONTAINER_RUNTIME_TYPE"), "docker".to_owned()),
                    (format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_IMAGE"), image.clone()),
                ]
            };
            Answer::Native(Means::Settings(everywhere(case, runtime)))
        }
        Manager::Standalone => Answer::refused(
            "starts processes, not containers, on a standalone master",
            "remove `image` and install the software on the nodes, or write `master \"yarn\"` or `master \"k8s://…\"`",
            "spark-dcos §2.3",
        ),
    }
}

/// When the image is pulled.
fn pull(case: &Context<'_>, id: RoleId, pull: Pull) -> Answer {
    let policy = |role: &Role| role.image.as_ref().and_then(|i| i.pull.as_ref().map(|p| p.value));
    if case.differs(id, policy).is_some() {
        return alike("when the image is pulled");
    }
    let word = match pull {
        Pull::Missing => "IfNotPresent",
        Pull::Always => "Always",
        Pull::Never => "Never",
    };
    match (case.manager, pull) {
        (Manager::Kubernetes, _) => {
            let key = "spark.kubernetes.container.image.pullPolicy".to_owned();
            Answer::Native(Means::Settings(vec![(key, word.to_owned())]))
        }
        (Manager::Yarn, Pull::Missing) => Answer::inherent("YARN's Docker pulls what a node lacks"),
        (Manager::Yarn, Pull::Always | Pull::Never) | (Manager::Standalone, _) => Answer::refused(
            format!("cannot say on {} when an image is pulled", case.manager.word()),
            "write `pull=\"missing\"`, or remove it",
            "spark-dcos §2.3",
        ),
    }
}

/// A text that only the task may be able to complete.
fn words<'t>(texts: impl IntoIterator<Item = &'t Template>) -> Answer {
    let own = |t: &&Template| t.parts.iter().any(|p| matches!(p, Part::Own(..)));
    if texts.into_iter().any(|t| own(&t)) {
        return Answer::Emulated(Means::ShimWords, "the shim fills in what only the task knows".to_owned());
    }
    Answer::Native(Means::Words)
}

/// A variable of the program, which is no child of the executor's Java in its environment: what YARN or Java reads of the
/// executor's own is a setting.
fn variable(case: &Context<'_>, name: &str, value: &Template) -> Answer {
    let setting = format!("spark.executorEnv.{name}");
    let sets = format!("`target \"spark\" {{ conf {{ spark.executorEnv.{name} \"…\" }} }}`");
    if case.manager == Manager::Yarn && name.starts_with("YARN_CONTAINER_RUNTIME_") {
        let write = owner(&setting).unwrap_or(&sets);
        return Answer::Ignored(format!(
            "sets variables of `env` after YARN has read `{name}` to start the container: write {write}"
        ));
    }
    let java = name == "JAVA_HOME" && !case.options.conf.iter().any(|(key, _)| key.value == setting);
    match words([value]) {
        Answer::Native(means) | Answer::Emulated(means, _) if java => Answer::Emulated(
            means,
            format!("only the program has this Java; for the one that executors run in, write {sets}"),
        ),
        answer => answer,
    }
}
