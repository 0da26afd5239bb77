//! What runs: the framework, the image, the words, the identity.
use super::super::means::Means;
use super::super::place::{Ground, Manager};
use super::super::settings::owner;
use super::super::text;
use super::Context;
use super::resources::{alike, label_fault, reserved_label};
use tfjob_lang::ask;
use tfjob_lang::ask::{Ask, Job};
use tfjob_lang::plan::{Part, Plan, Role, RoleId, Template};
use tfjob_lang::spec::values::{Image, Version};
use tfjob_lang::spec::{FrameworkName, Protocol, Pull};
use tfjob_lang::target::Answer;

/// What Spark does with one requirement: programs and their environment.
pub fn answer(ask: &ask::Program, case: &Context<'_>) -> Answer<Means> {
    let ground = &case.ground;
    match ask {
        ask::Program::Image { role, image } => self::image(ground, *role, image),
        ask::Program::NoImage { .. } => Answer::Native(Means::Inherent("the node's own software")),
        ask::Program::Pull { role, pull } => self::pull(ground, *role, *pull),
        ask::Program::Run { argv, .. } => words(argv),
        ask::Program::Shell { .. } => Answer::Emulated(
            Means::ShimWords,
            "the shim gives the shell its references as variables".to_owned(),
        ),
        ask::Program::Workdir { path, .. } => words([path]),
        ask::Program::Env { name, value, .. } => variable(ground, name, value),
        ask::Program::Hadoop { home, java, conf } => Answer::Emulated(
            Means::Hadoop { home: home.clone(), java: java.clone(), conf: conf.clone() },
            "the shim sets Hadoop's environment for the program".to_owned(),
        ),
    }
}

/// A label.
pub fn label(ground: &Ground<'_>, key: &str, value: &str) -> Answer<Means> {
    let labels = |ask: &Ask| matches!(ask, Ask::Job(Job::Label { .. }));
    match ground.manager {
        Manager::Kubernetes => match (reserved_label(key), label_fault(key, value)) {
            (Some(fault), _) => Answer::Ignored(format!("leaves the label out: {fault}")),
            (None, Some(fault)) => Answer::Ignored(format!("leaves the label out: {fault} of Kubernetes")),
            (None, None) => {
                let who = ["driver", "executor"];
                let setting = |who| (format!("spark.kubernetes.{who}.label.{key}"), value.to_owned());
                Answer::Native(Means::Settings(who.map(setting).to_vec()))
            }
        },
        // ApplicationSubmissionContextPBImpl: ASCII, 100 characters, 10 tags, lower case.
        Manager::Yarn => {
            let tag = format!("{key}:{value}").to_lowercase();
            let many = ground.plan.asks.iter().filter(|asked| labels(&asked.ask)).count() > 10;
            if many || tag.len() > 100 || tag.contains(',') || text::value_fault(&tag).is_some() {
                let why = "leaves the label out: YARN takes ten tags of at most 100 ASCII characters, without commas";
                return Answer::Ignored(why.to_owned());
            }
            Answer::Emulated(Means::Tag(tag.clone()), format!("a tag of the YARN application, `{tag}`"))
        }
        Manager::Standalone => Answer::Ignored("has no labels on a standalone master".to_owned()),
    }
}

/// The framework.
pub fn framework(plan: &Plan, name: FrameworkName, version: Option<&Version>) -> Answer<Means> {
    match name {
        FrameworkName::Tensorflow => {}
        FrameworkName::Pytorch
        | FrameworkName::Mxnet
        | FrameworkName::Xgboost
        | FrameworkName::Horovod
        | FrameworkName::Caffe
        | FrameworkName::Custom => {
            return Answer::decisive(
                "starts its nodes with TensorFlowOnSpark, which does not load without TensorFlow",
                "this target runs `framework \"tensorflow\"` only",
                "spark-dcos §0",
            );
        }
    }
    if version.is_some_and(|v| !v.at_least((2, 0))) {
        return Answer::impossible(
            "runs TensorFlowOnSpark 2, which needs TensorFlow 2",
            "write `version=\"2.15\"`, or another of 2.x",
            "spark-dcos §0",
        );
    }
    if plan.meets() {
        let how = "the shim writes TF_CONFIG: TensorFlowOnSpark's own has the evaluator in everybody's";
        return Answer::Emulated(Means::ShimWords, how.to_owned());
    }
    Answer::Native(Means::Inherent("a task by itself needs no TF_CONFIG"))
}

fn name(role: &Role) -> Option<&Image> {
    role.image.as_ref().map(|i| &i.image.value)
}

/// The image.
pub fn image(ground: &Ground<'_>, id: RoleId, image: &Image) -> Answer<Means> {
    if ground.differs(id, name).is_some() {
        return alike("the image");
    }
    let image = image.to_string();
    match ground.manager {
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
            Answer::Native(Means::Settings(everywhere(ground, runtime)))
        }
        Manager::Standalone => Answer::refused(
            "starts processes, not containers, on a standalone master",
            "remove `image` and install the software on the nodes, or write `master \"yarn\"` or `master \"k8s://…\"`",
            "spark-dcos §2.3",
        ),
    }
}

/// Variables of YARN's containers: the executors', and the driver's where it is one.
pub fn everywhere<const N: usize>(
    ground: &Ground<'_>,
    settings: impl Fn(&str) -> [(String, String); N],
) -> Vec<(String, String)> {
    let mut all = settings("spark.executorEnv").to_vec();
    if !ground.client() {
        all.extend(settings("spark.yarn.appMasterEnv"));
    }
    all
}

/// When the image is pulled.
pub fn pull(ground: &Ground<'_>, id: RoleId, pull: Pull) -> Answer<Means> {
    let policy = |role: &Role| role.image.as_ref().and_then(|i| i.pull.as_ref().map(|p| p.value));
    if ground.differs(id, policy).is_some() {
        return alike("when the image is pulled");
    }
    let word = match pull {
        Pull::Missing => "IfNotPresent",
        Pull::Always => "Always",
        Pull::Never => "Never",
    };
    match (ground.manager, pull) {
        (Manager::Kubernetes, _) => {
            let key = "spark.kubernetes.container.image.pullPolicy".to_owned();
            Answer::Native(Means::Settings(vec![(key, word.to_owned())]))
        }
        (Manager::Yarn, Pull::Missing) => {
            Answer::Native(Means::Inherent("YARN's Docker pulls what a node lacks"))
        }
        (Manager::Yarn, Pull::Always | Pull::Never) | (Manager::Standalone, _) => Answer::refused(
            format!("cannot say on {} when an image is pulled", ground.manager.word()),
            "write `pull=\"missing\"`, or remove it",
            "spark-dcos §2.3",
        ),
    }
}

fn registry_secret(role: &Role) -> Option<&str> {
    role.image.as_ref()?.pull_secret.as_ref().map(|secret| secret.value.as_str())
}

/// The registry's credentials.
pub fn pull_secret(ground: &Ground<'_>, id: RoleId, name: &str) -> Answer<Means> {
    if ground.differs(id, registry_secret).is_some() {
        return alike("the registry's credentials");
    }
    match ground.manager {
        Manager::Kubernetes if !crate::names::is_subdomain(name) => Answer::impossible(
            format!("starts Pods, and no Secret is named `{name}`"),
            "`a` to `z`, digits, `-` and `.`, at most 253",
            "spark-dcos §2.3",
        ),
        Manager::Kubernetes => {
            let key = "spark.kubernetes.container.image.pullSecrets".to_owned();
            Answer::Native(Means::Settings(vec![(key, name.to_owned())]))
        }
        Manager::Yarn | Manager::Standalone => Answer::refused(
            format!("has no secrets on {}", ground.manager.word()),
            "let the nodes log in to the registry, and remove `pull-secret`",
            "spark-dcos §2.3",
        ),
    }
}

/// A text that only the task may be able to complete.
pub fn words<'t>(texts: impl IntoIterator<Item = &'t Template>) -> Answer<Means> {
    let own = |t: &&Template| t.parts.iter().any(|p| matches!(p, Part::Own(..)));
    if texts.into_iter().any(|t| own(&t)) {
        return Answer::Emulated(Means::ShimWords, "the shim fills in what only the task knows".to_owned());
    }
    Answer::Native(Means::Words)
}

/// A variable of the program, which is no child of the executor's Java in its environment: what YARN or Java reads of the
/// executor's own is a setting.
pub fn variable(ground: &Ground<'_>, name: &str, value: &Template) -> Answer<Means> {
    let setting = format!("spark.executorEnv.{name}");
    let sets = format!("`target \"spark\" {{ conf {{ spark.executorEnv.{name} \"…\" }} }}`");
    if ground.manager == Manager::Yarn && name.starts_with("YARN_CONTAINER_RUNTIME_") {
        let write = owner(&setting).unwrap_or(&sets);
        return Answer::Ignored(format!(
            "sets variables of `env` after YARN has read `{name}` to start the container: write {write}"
        ));
    }
    let java = name == "JAVA_HOME" && !ground.options.conf.iter().any(|(key, _)| key.value == setting);
    match words([value]) {
        Answer::Native(means) | Answer::Emulated(means, _) if java => Answer::Emulated(
            means,
            format!("only the program has this Java; for the one that executors run in, write {sets}"),
        ),
        answer => answer,
    }
}

/// Who the program runs as.
pub fn user() -> Answer<Means> {
    Answer::refused(
        "runs executors as the user that YARN, the worker or the image gives them",
        "remove `user`, and submit as that user",
        "spark-dcos §2.3",
    )
}

/// How TensorFlow's tasks talk.
pub fn protocol(protocol: Protocol) -> Answer<Means> {
    match protocol {
        Protocol::Grpc => Answer::Native(Means::Inherent("TensorFlow's own")),
        Protocol::GrpcVerbs | Protocol::GrpcGdr | Protocol::GrpcMpi | Protocol::GrpcRdma => Answer::refused(
            "has no way to name a protocol since TensorFlowOnSpark 2",
            "write `protocol \"grpc\"`, or remove it",
            "spark-dcos §1.7",
        ),
    }
}

/// The identity of the job.
pub fn kerberos(ground: &Ground<'_>, principal: &str, keytab: &str) -> Answer<Means> {
    let path = keytab.strip_prefix("file://").or_else(|| keytab.starts_with("./").then_some(keytab));
    match (ground.manager, path) {
        (Manager::Yarn, path) if principal.contains("/_HOST") => {
            let also = path.map_or("; and write `keytab=\"file:///etc/security/me.keytab\"`", |_| "");
            Answer::refused(
                "logs in with the principal as it is written: spark-submit does not replace `_HOST`",
                format!(
                    "write the principal of a user, `trainer@EXAMPLE.COM`, or the name of the host that submits instead of `_HOST`{also}"
                ),
                "UserGroupInformation.loginUserFromKeytab of Hadoop 3.3.4; SecurityUtil.getServerPrincipal alone replaces `_HOST`",
            )
        }
        (Manager::Yarn, Some(path)) => {
            let alias =
                path.contains('#').then_some("Spark takes what follows `#` for another name of the file");
            if let Some(fault) = text::value_fault(principal).or_else(|| text::value_fault(path)).or(alias) {
                return Answer::refused(
                    format!("cannot pass it on: {fault}"),
                    "write plain ASCII without `#`",
                    "spark-dcos-observed §2",
                );
            }
            Answer::Native(Means::Kerberos { principal: principal.to_owned(), keytab: path.to_owned() })
        }
        (Manager::Yarn, None) => Answer::refused(
            "reads the keytab on the host that submits",
            "write `keytab=\"file:///etc/security/me.keytab\"`, a path of that host",
            "spark-dcos-observed §2",
        ),
        (Manager::Kubernetes | Manager::Standalone, _) => Answer::refused(
            format!(
                "gives tokens on {} to the Java machines alone, and no program sees them",
                ground.manager.word()
            ),
            "write `target \"spark\" { master \"yarn\" }`: there every container has the tokens",
            "spark-dcos §2.3",
        ),
    }
}
