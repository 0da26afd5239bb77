//! Support of programs and their environment.
use super::Support;
use super::shared::{container_variables, must_be_uniform};
use crate::spark::context::{Context, Manager};
use crate::spark::mechanism::Mechanism;
use crate::spark::settings::owner;
use tfjob_lang::plan::{Part, Role, RoleId, Template};
use tfjob_lang::requirement;
use tfjob_lang::spec::Pull;
use tfjob_lang::spec::values::Image;

/// Returns the support of one requirement about programs and their environment.
pub fn support(requirement: &requirement::Program, context: &Context<'_>) -> Support {
    match requirement {
        requirement::Program::Image { role, image } => self::image(context, *role, image),
        requirement::Program::NoImage { .. } => Support::inherent("the program runs directly on the node"),
        requirement::Program::Pull { role, pull } => self::pull(context, *role, *pull),
        requirement::Program::Run { argv, .. } => arguments(argv),
        requirement::Program::Shell { .. } => Support::Emulated(
            Mechanism::ShimWords,
            "the shim sets `$TFJOB_INDEX` and the other environment variables that a script uses instead of references".to_owned(),
        ),
        requirement::Program::Workdir { path, .. } => arguments([path]),
        requirement::Program::Env { name, value, .. } => variable(context, name, value),
        requirement::Program::Hadoop { home, java, conf } => Support::Emulated(
            Mechanism::Hadoop { home: home.clone(), java: java.clone(), conf: conf.clone() },
            "the shim sets `HADOOP_HOME`, `CLASSPATH`, and the other environment variables that libhdfs needs".to_owned(),
        ),
    }
}

fn name(role: &Role) -> Option<&Image> {
    role.image.as_ref().map(|i| &i.image.value)
}

fn image(context: &Context<'_>, id: RoleId, image: &Image) -> Support {
    if context.differs(id, name).is_some() {
        return must_be_uniform("`image`");
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
            Support::Native(Mechanism::Settings(container_variables(context, runtime)))
        }
        Manager::Standalone => Support::unsupported(
            "a standalone master starts executors as processes without containers, so it cannot use an image",
            "remove `image` and install the software on the nodes, or write `master \"yarn\"` or `master \"k8s://…\"`",
            "spark#images",
        ),
    }
}

fn pull(context: &Context<'_>, id: RoleId, pull: Pull) -> Support {
    let policy = |role: &Role| role.image.as_ref().and_then(|i| i.pull.as_ref().map(|p| p.value));
    if context.differs(id, policy).is_some() {
        return must_be_uniform("`pull`");
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
        (Manager::Yarn, Pull::Missing) => {
            Support::inherent("YARN pulls an image that the node does not have")
        }
        (Manager::Yarn, Pull::Always) => Support::unsupported(
            "YARN pulls an image only if the node does not have it, and no Spark setting changes this",
            "remove `pull=\"always\"`, and use an image tag that is never overwritten",
            "spark#image-pulls",
        ),
        (Manager::Yarn, Pull::Never) => Support::unsupported(
            "YARN always pulls an image that the node does not have, and no Spark setting changes this",
            "write `pull=\"missing\"`, or remove `pull`",
            "spark#image-pulls",
        ),
        (Manager::Standalone, _) => Support::unsupported(
            "a standalone master starts executors as processes without containers, so it pulls no images",
            "remove `pull`",
            "spark#images",
        ),
    }
}

/// Returns the support of arguments or other texts of a role. Only the shim can insert values that differ between tasks.
fn arguments<'t>(texts: impl IntoIterator<Item = &'t Template>) -> Support {
    let of_task = |t: &&Template| t.parts.iter().any(|p| matches!(p, Part::Task(..)));
    if texts.into_iter().any(|t| of_task(&t)) {
        return Support::Emulated(
            Mechanism::ShimWords,
            "the shim fills in the values that differ between tasks".to_owned(),
        );
    }
    Support::Native(Mechanism::Words)
}

/// Returns the support of an environment variable. Only the program gets it. A variable that YARN or Java reads before the program
/// starts must be set by a Spark setting instead.
fn variable(context: &Context<'_>, name: &str, value: &Template) -> Support {
    let setting = format!("spark.executorEnv.{name}");
    let sets = format!("`target \"spark\" {{ conf {{ spark.executorEnv.{name} \"…\" }} }}`");
    if context.manager == Manager::Yarn && name.starts_with("YARN_CONTAINER_RUNTIME_") {
        let write = owner(&setting).unwrap_or(&sets);
        return Support::Ignored(format!(
            "`{name}` in `env` is ignored (YARN reads it before the container starts): write {write} instead"
        ));
    }
    let java = name == "JAVA_HOME" && !context.options.conf.iter().any(|(key, _)| key.value == setting);
    match arguments([value]) {
        Support::Native(mechanism) | Support::Emulated(mechanism, _) if java => Support::Emulated(
            mechanism,
            format!("only the program uses this Java; the Java of the executors is set by {sets}"),
        ),
        support => support,
    }
}
