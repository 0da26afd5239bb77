//! Programs and their environment.
use super::Support;
use super::shared::{alike, everywhere};
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::settings::owner;
use tfjob_lang::plan::{Part, Role, RoleId, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Answers one requirement: programs and their environment.
pub fn support(requirement: &requirement::Program, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(context, *role, image),
        requirement::Program::NoImage { .. } => Support::inherent("the node's own software"),
        requirement::Program::Pull { role, pull } => self::pull(context, *role, *pull),
        requirement::Program::Run { argv, .. } => words(argv),
        requirement::Program::Shell { .. } => Support::Emulated(
            Mechanism::ShimWords,
            "the shim gives the shell its references as variables".to_owned(),
        ),
        requirement::Program::Workdir { path, .. } => words([path]),
        requirement::Program::Env { name, value, .. } => variable(context, name, value),
        requirement::Program::Hadoop { home, java, conf } => Support::Emulated(
            Mechanism::Hadoop { home: home.clone(), java: java.clone(), conf: conf.clone() },
            "the shim sets Hadoop's environment for the program".to_owned(),
        ),
    }
}

fn name(role: &Role) -> Option<&Image> {
    role.image.as_ref().map(|i| &i.image.value)
}

/// The image.
fn image(context: &Context<'_>, id: RoleId, image: &Image) -> Support {
    if context.differs(id, name).is_some() {
        return alike("the image");
    }
    let image = image.to_string();
    match context.manager {
        Manager::Kubernetes => {
            Support::Native(Mechanism::Settings(vec![("spark.kubernetes.container.image".to_owned(), image)]))
        }
        Manager::Yarn => {
            let runtime = |family: &str| {
                [
                    (format!("{family}.YARN_CONTAINER_RUNTIME_TYPE"), "docker".to_owned()),
                    (format!("{family}.YARN_CONTAINER_RUNTIME_DOCKER_IMAGE"), image.clone()),
                ]
            };
            Support::Native(Mechanism::Settings(everywhere(context, runtime)))
        }
        Manager::Standalone => Support::unsupported(
            "starts processes, not containers, on a standalone master",
            "remove `image` and install the software on the nodes, or write `master \"yarn\"` or `master \"k8s://…\"`",
            "spark#images",
        ),
    }
}

/// When the image is pulled.
fn pull(context: &Context<'_>, id: RoleId, pull: Pull) -> Support {
    let policy = |role: &Role| role.image.as_ref().and_then(|i| i.pull.as_ref().map(|p| p.value));
    if context.differs(id, policy).is_some() {
        return alike("when the image is pulled");
    }
    let word = match pull {
        Pull::Missing => "IfNotPresent",
        Pull::Always => "Always",
        Pull::Never => "Never",
    };
    match (context.manager, pull) {
        (Manager::Kubernetes, _) => {
            let key = "spark.kubernetes.container.image.pullPolicy".to_owned();
            Support::Native(Mechanism::Settings(vec![(key, word.to_owned())]))
        }
        (Manager::Yarn, Pull::Missing) => Support::inherent("YARN's Docker pulls what a node lacks"),
        (Manager::Yarn, Pull::Always | Pull::Never) | (Manager::Standalone, _) => Support::unsupported(
            format!("cannot say on {} when an image is pulled", context.manager.word()),
            "write `pull=\"missing\"`, or remove it",
            "spark#image-pulls",
        ),
    }
}

/// A text that only the task may be able to complete.
fn words<'t>(texts: impl IntoIterator<Item = &'t Template>) -> Support {
    let own = |t: &&Template| t.parts.iter().any(|p| matches!(p, Part::Task(..)));
    if texts.into_iter().any(|t| own(&t)) {
        return Support::Emulated(
            Mechanism::ShimWords,
            "the shim fills in what only the task knows".to_owned(),
        );
    }
    Support::Native(Mechanism::Words)
}

/// A variable of the program, which is no child of the executor's Java in its environment: what YARN or Java reads of the
/// executor's own is a setting.
fn variable(context: &Context<'_>, name: &str, value: &Template) -> Support {
    let setting = format!("spark.executorEnv.{name}");
    let sets = format!("`target \"spark\" {{ conf {{ spark.executorEnv.{name} \"…\" }} }}`");
    if context.manager == Manager::Yarn && name.starts_with("YARN_CONTAINER_RUNTIME_") {
        let write = owner(&setting).unwrap_or(&sets);
        return Support::Ignored(format!(
            "sets variables of `env` after YARN has read `{name}` to start the container: write {write}"
        ));
    }
    let java = name == "JAVA_HOME" && !context.options.conf.iter().any(|(key, _)| key.value == setting);
    match words([value]) {
        Support::Native(mechanism) | Support::Emulated(mechanism, _) if java => Support::Emulated(
            mechanism,
            format!("only the program has this Java; for the one that executors run in, write {sets}"),
        ),
        support => support,
    }
}
